//! What agents may answer: schemas, and reading what came.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Finding;
use super::prompts::Agent;
use crate::diagnostic::Target;
use crate::llm::Schema;
use crate::record::Label;

/// What can be wrong with a formula: the three classes of the published pipeline first, then what audits of FOLIO found.
pub(super) const KINDS: &[&str] = &[
    "bracket-mismatch",
    "lexical-typo",
    "naming-inconsistency",
    "free-variable",
    "wrong-quantifier",
    "wrong-connective",
    "xor-iff",
    "de-morgan",
    "negation",
    "precedence",
    "converse",
    "direction-of-only",
    "condition-dropped",
    "condition-added",
    "argument-dropped",
    "argument-order",
    "constant-for-variable",
    "wrong-property",
    "shifted-sentence",
    "missing-presupposition",
    "ambiguous-sentence",
    "other",
];

/// Items of a list in a reply, at most.
const MAX_ITEMS: usize = 64;

/// Bytes of a text in a reply, at most.
const MAX_TEXT: usize = 4000;

/// The schema of an agent's reply.
pub(super) fn schema(agent: Agent) -> Schema {
    let text = || json!({"type": "string"});
    let object = |properties: Value| {
        let required: Vec<&String> = properties.as_object().map(|map| map.keys().collect()).unwrap_or_default();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    let list = |item: Value| json!({"type": "array", "items": item});
    let confidence = || json!({"type": "number"});
    let (name, body) = match agent {
        Agent::Critique => {
            let finding = object(json!({
                "target": text(), "kind": {"type": "string", "enum": KINDS}, "explanation": text(),
                "confidence": confidence(),
            }));
            ("critique", object(json!({"findings": list(finding)})))
        }
        Agent::Refiner => {
            let edit = object(json!({"target": text(), "why": text(), "formula": text()}));
            let presupposition = object(json!({"target": text(), "words": text(), "formula": text()}));
            let body = object(json!({
                "edits": list(edit), "presuppositions": list(presupposition), "nothing_to_mend": text(),
            }));
            ("refinement", body)
        }
        Agent::Label => {
            let label = json!({"type": "string", "enum": ["True", "False", "Uncertain"]});
            ("label_review", object(json!({"why": text(), "label": label, "confidence": confidence()})))
        }
        Agent::Formaliser => {
            let formula = object(json!({"target": text(), "formula": text()}));
            ("formalisation", object(json!({"formulas": list(formula)})))
        }
        Agent::BackTranslation => ("back_translation", object(json!({"sentence": text()}))),
        Agent::Comparison => {
            let relation =
                json!({"type": "string", "enum": ["same", "first-says-more", "second-says-more", "different"]});
            ("comparison", object(json!({"why": text(), "relation": relation})))
        }
    };
    Schema { name, body }
}

fn read<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| format!("it does not have the required form ({error})"))
}

fn short(text: &str, what: &str) -> Result<(), String> {
    if text.len() > MAX_TEXT { Err(format!("`{what}` is longer than {MAX_TEXT} bytes")) } else { Ok(()) }
}

fn few<T>(items: &[T], what: &str) -> Result<(), String> {
    if items.len() > MAX_ITEMS { Err(format!("`{what}` has more than {MAX_ITEMS} items")) } else { Ok(()) }
}

fn share(confidence: f64) -> Result<(), String> {
    let inside = (0.0..=1.0).contains(&confidence);
    if inside { Ok(()) } else { Err(format!("`confidence` is {confidence}, not from 0 to 1")) }
}

/// The annotation that a reply names.
///
/// # Errors
/// In words for the model, where there is none.
pub(super) fn target(text: &str, premises: usize) -> Result<Target, String> {
    let text = text.trim();
    if text == "conclusion" {
        return Ok(Target::Conclusion);
    }
    let number = text.strip_prefix("premise[").and_then(|rest| rest.strip_suffix(']')).and_then(|n| n.parse().ok());
    match number {
        Some(n) if n < premises => Ok(Target::Premise(n)),
        _ => Err(format!("there is no target {text:?}; write `conclusion` or `premise[N]` with N below {premises}")),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CritiqueReply {
    findings: Vec<FindingReply>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FindingReply {
    target: String,
    kind: String,
    explanation: String,
    confidence: f64,
}

pub(super) fn findings(value: Value, premises: usize) -> Result<Vec<Finding>, String> {
    let reply: CritiqueReply = read(value)?;
    few(&reply.findings, "findings")?;
    let finding = |f: FindingReply| {
        short(&f.explanation, "explanation")?;
        share(f.confidence)?;
        if !KINDS.contains(&f.kind.as_str()) {
            return Err(format!("{:?} is no kind; one of {}", f.kind, KINDS.join(", ")));
        }
        let target = target(&f.target, premises)?.to_string();
        Ok(Finding { target, kind: f.kind, explanation: f.explanation, confidence: f.confidence })
    };
    reply.findings.into_iter().map(finding).collect()
}

/// What a refiner proposes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Refinement {
    pub(super) edits: Vec<NewFormula>,
    /// Target, words of the sentence, formula.
    pub(super) presuppositions: Vec<(Target, String, String)>,
    pub(super) nothing_to_mend: String,
}

/// A formula for an annotation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NewFormula {
    pub(super) target: Target,
    pub(super) formula: String,
    pub(super) why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RefinerReply {
    edits: Vec<EditReply>,
    presuppositions: Vec<PresuppositionReply>,
    nothing_to_mend: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditReply {
    target: String,
    why: String,
    formula: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PresuppositionReply {
    target: String,
    words: String,
    formula: String,
}

pub(super) fn refinement(value: Value, premises: usize) -> Result<Refinement, String> {
    let reply: RefinerReply = read(value)?;
    few(&reply.edits, "edits")?;
    few(&reply.presuppositions, "presuppositions")?;
    short(&reply.nothing_to_mend, "nothing_to_mend")?;
    let mut edits: Vec<NewFormula> = Vec::new();
    for edit in reply.edits {
        short(&edit.formula, "formula")?;
        short(&edit.why, "why")?;
        let target = target(&edit.target, premises)?;
        if edits.iter().any(|other| other.target == target) {
            return Err(format!("two edits of {target}; write the whole new formula once"));
        }
        edits.push(NewFormula { target, formula: edit.formula, why: edit.why });
    }
    let mut presuppositions = Vec::new();
    for p in reply.presuppositions {
        short(&p.formula, "formula")?;
        short(&p.words, "words")?;
        presuppositions.push((target(&p.target, premises)?, p.words, p.formula));
    }
    Ok(Refinement { edits, presuppositions, nothing_to_mend: reply.nothing_to_mend })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelReply {
    why: String,
    label: String,
    confidence: f64,
}

pub(super) fn label(value: Value) -> Result<(Label, String, f64), String> {
    let reply: LabelReply = read(value)?;
    short(&reply.why, "why")?;
    share(reply.confidence)?;
    let label = reply.label.parse::<Label>().map_err(|error| error.to_string())?;
    Ok((label, reply.why, reply.confidence))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormaliserReply {
    formulas: Vec<FormulaReply>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormulaReply {
    target: String,
    formula: String,
}

/// A formula for each of the wanted annotations, in their order.
pub(super) fn formulas(value: Value, wanted: &[Target], premises: usize) -> Result<Vec<String>, String> {
    let reply: FormaliserReply = read(value)?;
    few(&reply.formulas, "formulas")?;
    let mut found: Vec<(Target, String)> = Vec::new();
    for f in reply.formulas {
        short(&f.formula, "formula")?;
        let target = target(&f.target, premises)?;
        if !wanted.contains(&target) || found.iter().any(|(t, _)| *t == target) {
            return Err(format!("{target} was not asked for, or stands twice"));
        }
        found.push((target, f.formula));
    }
    let of = |target: &Target| {
        let formula = found.iter().find(|(t, _)| t == target).map(|(_, formula)| formula.clone());
        formula.ok_or_else(|| format!("no formula for {target}"))
    };
    wanted.iter().map(of).collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BackTranslationReply {
    sentence: String,
}

pub(super) fn sentence(value: Value) -> Result<String, String> {
    let reply: BackTranslationReply = read(value)?;
    short(&reply.sentence, "sentence")?;
    if reply.sentence.trim().is_empty() { Err("`sentence` is empty".to_owned()) } else { Ok(reply.sentence) }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ComparisonReply {
    why: String,
    relation: String,
}

pub(super) fn comparison(value: Value) -> Result<(String, String), String> {
    let reply: ComparisonReply = read(value)?;
    short(&reply.why, "why")?;
    if ["same", "first-says-more", "second-says-more", "different"].contains(&reply.relation.as_str()) {
        Ok((reply.relation, reply.why))
    } else {
        Err(format!("{:?} is no relation", reply.relation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_what_strict_endpoints_take() {
        fn strict(schema: &Value) {
            if schema["type"] == "object" {
                let properties = schema["properties"].as_object().expect("properties");
                let required: Vec<&str> =
                    schema["required"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
                assert_eq!(required, properties.keys().collect::<Vec<_>>());
                assert_eq!(schema["additionalProperties"], false);
                properties.values().for_each(strict);
            }
            if schema["type"] == "array" {
                strict(&schema["items"]);
            }
        }
        for agent in Agent::ALL {
            strict(&schema(agent).body);
        }
    }

    #[test]
    fn replies_that_do_not_fit_are_refused_in_words() {
        let finding = |target: &str, kind: &str, confidence: f64| json!({"findings": [{"target": target, "kind": kind, "explanation": "x", "confidence": confidence}]});
        assert_eq!(findings(finding("premise[1]", "negation", 0.5), 2).expect("fits")[0].target, "premise[1]");
        for wrong in [
            finding("premise[2]", "negation", 0.5),
            finding("premise 1", "negation", 0.5),
            finding("conclusion", "nonsense", 0.5),
            finding("conclusion", "negation", 1.5),
            json!({}),
            json!({"findings": [], "label": "True"}),
        ] {
            assert!(findings(wrong.clone(), 2).is_err(), "{wrong}");
        }
        let edit = json!({"target": "conclusion", "why": "", "formula": "P"});
        let reply = |edits: Value| json!({"edits": edits, "presuppositions": [], "nothing_to_mend": ""});
        assert_eq!(refinement(reply(json!([edit])), 0).expect("fits").edits.len(), 1);
        assert!(refinement(reply(json!([edit, edit])), 0).is_err());
        let long = json!([{"target": "conclusion", "why": "", "formula": "P".repeat(5000)}]);
        assert!(refinement(reply(long), 0).is_err());
        let wanted = [Target::Conclusion];
        let formula = |target: &str| json!({"formulas": [{"target": target, "formula": "P"}]});
        assert_eq!(formulas(formula("conclusion"), &wanted, 1), Ok(vec!["P".to_owned()]));
        assert!(formulas(formula("premise[0]"), &wanted, 1).is_err());
        assert!(formulas(json!({"formulas": []}), &wanted, 1).is_err());
        assert!(label(json!({"why": "", "label": "Maybe", "confidence": 1})).is_err());
        assert!(comparison(json!({"why": "", "relation": "alike"})).is_err());
        assert!(sentence(json!({"sentence": " "})).is_err());
    }
}
