//! One change of one text of a story, and making it.

use super::agents;
use super::bench::Bench;
use super::case::{Case, quick_verdict};
use super::priors;
use crate::diagnostic::{EditKind, Target};
use crate::fol::Formula;
use crate::record::{Edit, Record};
use crate::verify::{Reading, ReadingOptions};

/// One edit of one annotation: the whole text after it.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) target: Target,
    pub(super) before: String,
    pub(super) after: String,
    pub(super) rule: &'static str,
    pub(super) why: String,
}

/// A step as it is put on record.
pub(super) fn edit(step: Step, iteration: u32, asked_by: Option<String>) -> Edit {
    Edit {
        target: step.target,
        before: step.before,
        after: step.after,
        rule: step.rule.to_owned(),
        kind: kind(step.rule),
        iteration,
        alternatives: Vec::new(),
        asked_by,
        why: step.why,
    }
}

fn kind(rule: &str) -> EditKind {
    match rule {
        agents::REFINER | agents::FORMALISER => EditKind::Llm,
        rule if rule == priors::PRIOR.name => EditKind::Prior,
        _ => EditKind::Search,
    }
}

/// The tree of a text, as the annotations of a record are read.
pub(super) fn read(text: &str, options: ReadingOptions) -> Option<Formula> {
    Reading::new(&[], Some(text), options).conclusion.flatten()
}

/// The sentence of an annotation, where it can be matched.
pub(super) fn sentence(record: &Record, target: Target) -> Option<&str> {
    match target {
        Target::Premise(i) if record.premises.len() == record.premises_fol.len() => record.premises.get(i),
        Target::Conclusion => Some(&record.conclusion),
        _ => None,
    }
    .map(String::as_str)
}

/// Makes accepted edits: those of premises in every record of the story, that of the conclusion in its own.
pub(super) fn apply(
    cases: &mut [Case<'_>],
    index: usize,
    steps: &[Step],
    pass: u32,
    options: ReadingOptions,
    bench: &Bench<'_>,
) {
    let asked_by = cases.get(index).map(|case| case.record.record_id.clone());
    for (at, case) in cases.iter_mut().enumerate() {
        let mut touched = false;
        for step in steps {
            match step.target {
                Target::Premise(i) => {
                    if let Some(text) = case.fixed.premises_fol.get_mut(i) {
                        text.clone_from(&step.after);
                    }
                }
                Target::Conclusion if at == index => case.fixed.conclusion_fol = Some(step.after.clone()),
                _ => continue,
            }
            touched = true;
            let asked_by = asked_by.clone().filter(|_| at != index);
            case.fixed.edits.push(edit(step.clone(), pass, asked_by));
        }
        if touched {
            case.reading = Reading::new(&case.fixed.premises_fol, case.fixed.conclusion_fol.as_deref(), options);
            case.verdict = quick_verdict(case.record, &case.reading, bench);
        }
    }
}
