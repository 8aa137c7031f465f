//! From a finished row to its explanation.

use serde_json::Value;

use super::names::not;
use super::told::{MAX_STEPS, tell};
use super::worlds::{differences, showing, world};
use super::{About, Account, Change, Decision, Explanation, NotMade, Part, SymbolUse, TakenForGranted, szs};
use crate::diagnostic::Target;
use crate::fol::Formula;
use crate::fol::model::Model;
use crate::fol::print::unicode;
use crate::ground::{self, Certificate, Statement};
use crate::lint::{self, report::Finding};
use crate::record::{Grade, Proof, Proposal, Row, Verdict};
use crate::verify::{Reading, world as stored};

/// Explains a row. `reading` must be that of its formulas as they leave.
#[must_use]
pub fn explain(row: &Row, reading: &Reading) -> Explanation {
    let record = &row.record;
    let formulas = &row.premises_fol;
    let matched = record.premises.len() == formulas.len();
    let used = |i: usize| row.used_premises.as_ref().map(|used| used.iter().any(|u| *u as usize == i));
    let part = |target: Target, sentence: Option<&String>, formula: Option<&String>, used: Option<bool>| Part {
        sentence: sentence.filter(|s| !s.trim().is_empty()).cloned(),
        formula: formula.cloned(),
        original: record.text(target).filter(|came| Some(*came) != formula.map(String::as_str)).map(str::to_owned),
        rules: row.edits.iter().filter(|e| e.target == target).map(|e| e.rule.clone()).collect(),
        used,
    };
    let premises = formulas
        .iter()
        .enumerate()
        .map(|(i, f)| part(Target::Premise(i), record.premises.get(i).filter(|_| matched), Some(f), used(i)))
        .collect();
    let has_conclusion = !record.conclusion.trim().is_empty() || row.conclusion_fol.is_some();
    let conclusion =
        has_conclusion.then(|| part(Target::Conclusion, Some(&record.conclusion), row.conclusion_fol.as_ref(), None));
    let unneeded = row.used_premises.as_ref().map(|used| {
        let all = 0..u32::try_from(formulas.len()).unwrap_or(u32::MAX);
        all.filter(|i| !used.contains(i)).collect()
    });
    let consistent = match row.evidence {
        Some(Grade::Models | Grade::Saturation) => Some(true),
        Some(_) => Some(false),
        None => None,
    };
    Explanation {
        record: Some(about(row)),
        verdict: row.verdict,
        szs: szs(row.verdict, consistent),
        reason: row.verdict_reason.clone(),
        evidence: row.evidence,
        signals: row.signals.clone(),
        premises,
        sentences: if matched { Vec::new() } else { record.premises.clone() },
        conclusion,
        used_premises: row.used_premises.clone(),
        unneeded_premises: unneeded,
        account: account(row, reading),
        diagnostics: Finding::all(record, row.diagnostics.iter().cloned()),
        history: row.edits.iter().map(change).collect(),
        proposals: row.proposals.iter().filter(|p| p.outcome != "accepted").map(not_made).collect(),
        proposed_label: row.proposed_label,
        critique: row.critique.as_deref().map(critique_sentences).unwrap_or_default(),
        presuppositions: row
            .presuppositions
            .iter()
            .map(|p| TakenForGranted {
                target: p.target.to_string(),
                formula: p.formula.clone(),
                sentence: p.sentence.clone(),
            })
            .collect(),
        symbols: row
            .symbols
            .iter()
            .map(|s| SymbolUse {
                name: s.name.clone(),
                kind: s.kind,
                arity: s.arity,
                used_in: s.used_in.iter().map(ToString::to_string).collect(),
                gloss: s.gloss.clone(),
            })
            .collect(),
    }
}

fn about(row: &Row) -> About {
    let record = &row.record;
    About {
        record_id: record.record_id.clone(),
        example_id: record.example_id.clone(),
        story_id: record.story_id.clone(),
        split: record.split.clone(),
        file: record.source.file.clone(),
        row: record.source.row,
        line: record.source.line,
        label: row.label,
        label_text: record.label_text.clone(),
        agreement: row.agreement,
        status: row.status,
        verdict_original: row.verdict_original,
        decision: row.decision.as_ref().map(|d| Decision {
            word: d.word,
            by: d.by.clone(),
            comment: d.comment.clone(),
        }),
    }
}

fn change(edit: &crate::record::Edit) -> Change {
    Change {
        target: edit.target.to_string(),
        rule: edit.rule.clone(),
        name: lint::find(&edit.rule).map(|rule| rule.name),
        kind: edit.kind.as_str(),
        before: edit.before.clone(),
        after: edit.after.clone(),
        alternatives: edit.alternatives.clone(),
        asked_by: edit.asked_by.clone(),
        why: edit.why.clone(),
    }
}

fn not_made(proposal: &Proposal) -> NotMade {
    NotMade {
        outcome: proposal.outcome,
        reason: proposal.reason.clone(),
        cost: proposal.cost,
        edits: proposal.edits.iter().map(change).collect(),
    }
}

/// The sentences of a critique, which its JSON holds under `sentences`.
#[must_use]
pub fn critique_sentences(json: &str) -> Vec<String> {
    let value: Value = serde_json::from_str(json).unwrap_or_default();
    let sentences = value["sentences"].as_array().map(Vec::as_slice).unwrap_or_default();
    sentences.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn account(row: &Row, reading: &Reading) -> Account {
    if let Some(proof) = &row.proof {
        return contradiction(proof, reading);
    }
    match row.evidence {
        Some(Grade::Models | Grade::Saturation) => models(row, reading),
        _ => Account::Nothing,
    }
}

/// The statements that contradict each other where a question is answered by a proof.
fn statements<'a>(question: &str, reading: &'a Reading) -> Vec<Statement<'a>> {
    let premises = reading.premises.iter().flatten().map(|formula| Statement { formula, negated: false });
    let conclusion = reading.conclusion.iter().flatten().filter(|_| question != "consistency");
    // That it follows is refuted by its negation, and the other way round.
    premises.chain(conclusion.map(|formula| Statement { formula, negated: question == "entails" })).collect()
}

fn contradiction(proof: &Proof, reading: &Reading) -> Account {
    let question = proof.question;
    let statements = statements(question, reading);
    let premises = reading.premises.iter().flatten().count();
    let pointed_to = |why: String| Account::Derivation { question, why, derivation: proof.derivation.clone() };
    let Some(text) = &proof.certificate else {
        return pointed_to("no certificate was found by grounding".to_owned());
    };
    let certificate: Certificate = match serde_json::from_str(text) {
        Ok(certificate) => certificate,
        Err(error) => return pointed_to(format!("the certificate cannot be read: {error}")),
    };
    match ground::check(&certificate, &statements) {
        Err(error) => pointed_to(format!("the certificate does not hold: {error}")),
        Ok(refutation) => match tell(&certificate, &refutation, &statements, premises) {
            None => {
                pointed_to(format!("the certificate was checked, but telling it takes more than {MAX_STEPS} steps"))
            }
            Some(line) => {
                let suppose = statements.get(premises).map(|s| supposed(*s));
                Account::Proof { question, suppose, line }
            }
        },
    }
}

fn supposed(statement: Statement<'_>) -> String {
    let formula = statement.formula.clone();
    unicode::print(&if statement.negated { not(formula) } else { formula })
}

fn models(row: &Row, reading: &Reading) -> Account {
    let stored: Value = row.models.as_ref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let conclusion: Option<&Formula> = reading.conclusion.iter().flatten().next();
    let wanted: &[&'static str] =
        if row.verdict == Verdict::Uncertain { &["refutes", "entails"] } else { &["consistency"] };
    let mut found: Vec<(&'static str, Model)> = Vec::new();
    let mut missing = Vec::new();
    for question in wanted {
        match stored.get(question).and_then(|value| stored::from_json(value).ok()) {
            Some(model) => found.push((question, model)),
            None => missing.push(*question),
        }
    }
    let worlds: Vec<_> = found.iter().map(|(question, model)| world(question, model, conclusion)).collect();
    let differences = match (conclusion, found.as_slice()) {
        (Some(conclusion), [(_, first), (_, second)]) => differences(conclusion, first, second),
        _ => Vec::new(),
    };
    let shown_by = conclusion.map_or_else(Vec::new, |conclusion| {
        let numbered = found.iter().zip(&worlds).enumerate();
        numbered.filter_map(|(i, ((_, model), world))| showing(conclusion, model, world, i)).collect()
    });
    Account::Worlds { worlds, differences, shown_by, missing }
}
