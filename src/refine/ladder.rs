//! Climbing: each rung proposes, the guards let pass or refuse.

use std::sync::Arc;

use super::bench::Bench;
use super::brackets;
use super::case::Case;
use super::fixes::Fixed;
use super::look::look;
use super::prior::Prior;
use super::step::apply;
use crate::diagnostic::EditKind;
use crate::record::{Proposal, Verdict};
use crate::verify::ReadingOptions;

/// What became of one record of a story.
#[derive(Debug, Clone, Default)]
pub struct Climbed {
    /// Its formulas, and every change.
    pub fixed: Fixed,
    /// The quick verdict on them.
    pub verdict: Option<Verdict>,
    /// What was put before the guards, in the order made.
    pub proposals: Vec<Proposal>,
    /// Whether two repairs that mean different things are equally near, so that neither was made.
    pub ambiguous: bool,
}

/// Bounds of the rung `search`.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchOptions {
    /// Sets of edits that are looked at for one record, at most.
    pub max_candidates: usize,
    /// Edits of one set, at most.
    pub max_edits: usize,
    /// Two repairs whose costs differ by no more than this are equally near.
    pub margin: f64,
    /// Formulas of another version, to be offered too; `None` where none are to be.
    pub prior: Option<Arc<Prior>>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { max_candidates: 600, max_edits: 4, margin: 0.5, prior: None }
    }
}

/// Proposals that are kept of one record, at most.
pub(super) const MAX_PROPOSALS: usize = 16;

/// How often the records of a story are gone through: a shared premise mended for one may let another be mended.
const PASSES: u32 = 2;

/// Takes the records of one story up the ladder; the results stand in the order of the cases.
///
/// Records that agree keep their verdict; where all do, nothing is touched. Cases whose premises are not the same text
/// are no story, and are left alone.
#[must_use]
pub fn climb(cases: &[Case<'_>], options: ReadingOptions, search: &SearchOptions, bench: &Bench<'_>) -> Vec<Climbed> {
    let mut out: Vec<Climbed> = cases
        .iter()
        .map(|case| Climbed { fixed: case.fixed.clone(), verdict: Some(case.verdict), ..Climbed::default() })
        .collect();
    let Some(first) = cases.first() else { return out };
    let one_story = cases.iter().all(|case| case.fixed.premises_fol == first.fixed.premises_fol);
    let mended = |case: &Case<'_>| case.fixed.edits.iter().any(|e| e.kind == EditKind::Fix);
    if !one_story || (cases.iter().all(Case::agrees) && !cases.iter().any(mended)) {
        return out;
    }
    let mut standing: Vec<Case<'_>> = cases.to_vec();
    // Whose turn it is does not depend on where the records stand.
    let mut turns: Vec<usize> = (0..standing.len()).collect();
    turns.sort_by(|a, b| {
        let id = |i: &usize| cases.get(*i).map(|case| case.record.record_id.as_str());
        id(a).cmp(&id(b))
    });
    for (index, proposal) in brackets::settle(&mut standing, &turns, options, bench) {
        if let Some(climbed) = out.get_mut(index) {
            climbed.proposals.push(proposal);
        }
    }
    for pass in 1..=PASSES {
        let mut changed = false;
        for index in turns.iter().copied() {
            let Some(found) = look(&standing, index, options, search, bench) else { continue };
            let Some(climbed) = out.get_mut(index) else { continue };
            climbed.ambiguous = found.ambiguous;
            climbed.proposals.extend(found.proposals);
            if let Some(edits) = found.accepted {
                changed = true;
                apply(&mut standing, index, &edits, pass, options, bench);
            }
        }
        if !changed {
            break;
        }
    }
    for (climbed, case) in out.iter_mut().zip(standing) {
        keep_most_telling(&mut climbed.proposals);
        climbed.fixed = case.fixed;
        climbed.verdict = Some(case.verdict);
    }
    out
}

/// Leaves [`MAX_PROPOSALS`]: what was refused goes first, the last of it before the others.
fn keep_most_telling(proposals: &mut Vec<Proposal>) {
    while proposals.len() > MAX_PROPOSALS {
        let last = proposals.iter().rposition(|p| p.outcome == "refused");
        proposals.remove(last.unwrap_or(proposals.len() - 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_accepted_is_kept_however_much_was_refused() {
        let proposal = |outcome| Proposal { rung: "search", edits: Vec::new(), cost: 1.0, outcome, reason: None };
        let mut proposals = vec![proposal("refused"); 20];
        proposals.push(proposal("accepted"));
        keep_most_telling(&mut proposals);
        assert_eq!(proposals.len(), MAX_PROPOSALS);
        assert_eq!(proposals.iter().filter(|p| p.outcome == "accepted").count(), 1);
    }
}
