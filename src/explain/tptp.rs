//! The problem behind a verdict, to read and rerun by hand.

use crate::fol::Formula;
use crate::prove::Problem;
use crate::record::{Row, Verdict};
use crate::verify::{Lowering, Reading};

/// The question that the verdict on a row answers, in TPTP, with the author's words above each statement. `None` where
/// some formula has no reading, or there is none.
#[must_use]
pub fn problem(row: &Row, reading: &Reading, lowering: &Lowering) -> Option<Problem> {
    let premises: Vec<&Formula> = reading.premises.iter().flatten().collect();
    let conclusion = reading.conclusion.as_ref().and_then(Option::as_ref);
    if !reading.unreadable().is_empty() || (premises.is_empty() && conclusion.is_none()) {
        return None;
    }
    let mut problem = match conclusion {
        Some(conclusion) if row.verdict != Verdict::Inconsistent => {
            lowering.entailment(&premises, conclusion, row.verdict == Verdict::False)
        }
        _ => lowering.consistency(&premises, conclusion),
    };
    let record = &row.record;
    let sentences = record.premises.len() == row.premises_fol.len();
    for statement in &mut problem.statements {
        let index = statement.name.strip_prefix("premise_").and_then(|n| n.parse::<usize>().ok());
        let (sentence, formula) = match index {
            Some(i) => (record.premises.get(i).filter(|_| sentences), row.premises_fol.get(i)),
            None if statement.name.ends_with("conclusion") => (Some(&record.conclusion), row.conclusion_fol.as_ref()),
            None => (None, None),
        };
        let sentence = sentence.filter(|s| !s.trim().is_empty());
        statement.comments = sentence.into_iter().chain(formula).cloned().collect();
    }
    if !record.record_id.is_empty() {
        let source = &record.source;
        problem.header.push(format!("record {} ({}, row {})", record.record_id, source.file, source.row));
    }
    problem.header.push(format!("verdict {}", row.verdict));
    problem.header.push("To ask again: refolio vampire THIS_FILE".to_owned());
    Some(problem)
}
