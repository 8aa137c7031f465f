//! Candidates that others have to offer: the rules by their fixes, and another version of the dataset.

use super::case::Case;
use super::prior::Prior;
use super::priors;
use super::search::{Desk, Op};
use super::step::{read, sentence};
use crate::diagnostic::{Applicability, Span, Target, TextEdit};
use crate::fol::{Connective, FormulaKind};
use crate::lint::{Family, ParsedRecord, check_record, cue, find};
use crate::record::Record;
use crate::verify::ReadingOptions;

/// What another version writes for the same sentences.
pub(super) fn of_prior(desk: &Desk<'_>, prior: &Prior, out: &mut Vec<Op>) {
    for (at, sheet) in desk.sheets.iter().enumerate() {
        for (n, formula) in sheet.sentence.map(|s| prior.of(s)).unwrap_or_default().iter().enumerate() {
            if formula != sheet.text {
                let whole = TextEdit { span: Span::new(0, sheet.text.len()), replacement: formula.clone() };
                let why = "another version writes this for the same sentence".to_owned();
                out.push(Op::new(&priors::PRIOR, format!("{at}:prior:{n}"), why, vec![(at, vec![whole])]));
            }
        }
    }
}

/// The unsafe fixes of rules, and what safe ones could have given instead.
pub(super) fn of_rules(case: &Case<'_>, options: ReadingOptions) -> Vec<Op> {
    let mut record = case.record.clone();
    record.premises_fol.clone_from(&case.fixed.premises_fol);
    record.conclusion_fol.clone_from(&case.fixed.conclusion_fol);
    let last = record.premises_fol.len();
    let sheet = |target: Target| match target {
        Target::Premise(i) => Some(i),
        Target::Conclusion => Some(last),
        _ => None,
    };
    let mut out = Vec::new();
    for found in check_record(&ParsedRecord::new(&record, options.scope).context(&record)) {
        let (Some(fix), Some(at)) = (&found.fix, sheet(found.target)) else { continue };
        // Symbols are the search's own business.
        if fix.applicability != Applicability::Unsafe || find(found.code).is_some_and(|r| r.family == Family::Names) {
            continue;
        }
        let family = find(found.code).map(|r| r.family);
        // Which of several `∧` should be `→` is looked at one by one.
        if found.code == "P302" || family == Some(Family::Shape) && !speaks_of_all(&record, found.target) {
            continue;
        }
        let why = format!("{}: {}", found.code, fix.title);
        let class = format!("{at}:{}:{}", found.code, found.span.start);
        out.push(Op::new(&priors::UNSAFE, class, why, vec![(at, fix.edits.clone())]));
    }
    for edit in &case.fixed.edits {
        let (Some(at), Some(text)) = (sheet(edit.target), record.text(edit.target)) else { continue };
        if edit.after != text {
            continue;
        }
        for (n, other) in edit.alternatives.iter().enumerate() {
            // “If …” wants a condition; elsewhere nothing tells which place is the right one.
            let condition = |text: &str| {
                let formula = read(text, options);
                formula.is_some_and(|f| matches!(f.kind, FormulaKind::Binary(Connective::Implies, ..)))
            };
            if !begins_with_if(&record, edit.target) || condition(text) || !condition(other) {
                continue;
            }
            let whole = TextEdit { span: Span::new(0, text.len()), replacement: other.clone() };
            let why = format!("{}: the bracket belongs elsewhere", edit.rule);
            out.push(Op::new(&priors::ALTERNATIVE, format!("{at}:alternative:{n}"), why, vec![(at, vec![whole])]));
        }
    }
    out
}

fn speaks_of_all(record: &Record, target: Target) -> bool {
    const ALL: &[&str] =
        &["all", "every", "each", "any", "everyone", "anyone", "everything", "anything", "if", "no", "none"];
    let words = sentence(record, target).map(cue::words_of).unwrap_or_default();
    words.iter().any(|w| ALL.contains(&&*w.lower))
}

fn begins_with_if(record: &Record, target: Target) -> bool {
    let words = sentence(record, target).map(cue::words_of).unwrap_or_default();
    words.first().is_some_and(|w| w.lower == "if")
}
