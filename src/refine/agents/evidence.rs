//! What a verdict rests on, in words.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::diagnostic::Target;
use crate::fol::model::Model;
use crate::record::Verdict;
use crate::verify::Judgement;
use crate::verify::world::from_json;

/// Facts of one model that are told, at most.
const MAX_FACTS: usize = 60;

/// What a verdict rests on: the premises that are used, or the models that were found.
pub(super) fn told(judgement: &Judgement) -> Vec<String> {
    let mut out = Vec::new();
    let used = judgement.used_premises.as_ref().map(|used| {
        let names: Vec<String> = used.iter().map(|i| Target::Premise(*i as usize).to_string()).collect();
        if names.is_empty() { "no premise at all".to_owned() } else { names.join(", ") }
    });
    match (judgement.verdict, used) {
        (Verdict::True, Some(used)) => out.push(format!("The conclusion follows. The proof uses {used}.")),
        (Verdict::False, Some(used)) => {
            out.push(format!("The negation of the conclusion follows. The proof uses {used}."));
        }
        (Verdict::True, None) => out.push("The conclusion follows.".to_owned()),
        (Verdict::False, None) => out.push("The negation of the conclusion follows.".to_owned()),
        (Verdict::Inconsistent, Some(used)) => {
            out.push(format!("The premises contradict each other. The contradiction uses {used}."));
        }
        (Verdict::Inconsistent, None) => out.push("The premises contradict each other.".to_owned()),
        (Verdict::Uncertain, _) => {
            out.push("Neither the conclusion nor its negation follows from the premises.".to_owned());
        }
        (Verdict::Unparsed, _) => out.push("Some formula cannot be read.".to_owned()),
        (Verdict::Undetermined, _) => out.push("The prover found no answer in time.".to_owned()),
        (Verdict::Unformalised, _) => out.push("There is no formula of the conclusion.".to_owned()),
    }
    if judgement.verdict == Verdict::Uncertain {
        let models: Option<Value> = judgement.models.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let of = |question: &str| models.as_ref().and_then(|m| m.get(question)).and_then(|m| from_json(m).ok());
        // The model that answers `entails` is one of the premises in which the conclusion fails.
        for (question, how) in [("entails", "is false"), ("refutes", "is true")] {
            if let Some(model) = of(question) {
                out.push(format!(
                    "A world in which all premises are true and the conclusion {how}: {}.",
                    world(&model)
                ));
            }
        }
    }
    out
}

/// A model in one sentence.
fn world(model: &Model) -> String {
    let mut names: BTreeMap<u32, &str> = BTreeMap::new();
    for (name, individual) in model.constants.iter().chain(&model.free) {
        names.entry(*individual).or_insert(name);
    }
    let call = |i: &u32| names.get(i).map_or_else(|| format!("#{i}"), |name| (*name).to_owned());
    let individuals: Vec<String> = (0..model.size).map(|i| call(&i)).collect();
    let same: Vec<String> = model
        .constants
        .iter()
        .filter(|(name, i)| names.get(i).is_some_and(|first| first != name))
        .map(|(name, i)| format!("{name} = {}", call(i)))
        .collect();
    let mut facts = same;
    for ((name, _), tuples) in &model.predicates {
        for tuple in tuples {
            let args: Vec<String> = tuple.iter().map(call).collect();
            facts.push(if args.is_empty() { name.clone() } else { format!("{name}({})", args.join(", ")) });
        }
    }
    for ((name, _), values) in &model.functions {
        for (args, value) in values {
            let args: Vec<String> = args.iter().map(call).collect();
            facts.push(format!("{name}({}) = {}", args.join(", "), call(value)));
        }
    }
    let more = facts.len().saturating_sub(MAX_FACTS);
    facts.truncate(MAX_FACTS);
    let facts = if facts.is_empty() { "nothing is true of them".to_owned() } else { facts.join(", ") };
    let rest = if more > 0 { format!(", and {more} more facts") } else { String::new() };
    format!("the individuals are {}; true are {facts}{rest}; everything else is false", individuals.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_are_told() {
        let models = r#"{"entails": {"size": 2, "names_distinct": false, "constants": {"ida": 0, "ann": 0}, "free": {},
            "functions": {"mother/1": [[0, 1], [1, 1]]}, "predicates": {"Tall/1": [[0]], "Likes/2": [[0, 1]], "Rain/0": [[]]}}}"#;
        let judgement =
            Judgement { models: Some(models.to_owned()), ..Judgement::without_evidence(Verdict::Uncertain, None) };
        insta::assert_snapshot!(told(&judgement).join("\n"));
        let judgement =
            Judgement { used_premises: Some(vec![0, 2]), ..Judgement::without_evidence(Verdict::False, None) };
        assert_eq!(
            told(&judgement),
            ["The negation of the conclusion follows. The proof uses premise[0], premise[2]."]
        );
    }
}
