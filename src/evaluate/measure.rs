//! Errors in all agreeing rows of a data set, counted.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::mutate::{ErrorKind, mutations};
use super::trial::{Outcome, Rung, Trial, trial};
use super::{Settings, cases, share, stories};
use crate::prove::cancel;
use crate::record::Record;
use crate::refine::{Bench, Case};

/// Which errors are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Errors {
    /// Which of all possible ones.
    pub seed: u64,
    /// Their kinds, in the order of the report.
    pub kinds: Vec<ErrorKind>,
    /// How many different ones of each kind in a record, at most.
    pub per_record: usize,
}

/// What became of the errors of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KindCounts {
    /// Errors made.
    pub mutated: u64,
    /// Records that lack what this kind of error needs.
    pub not_applicable: u64,
    /// [`Outcome::Unchanged`].
    pub unchanged: u64,
    /// [`Outcome::Restored`] by safe fixes alone.
    pub restored_by_fixes: u64,
    /// [`Outcome::Restored`] by search.
    pub restored_by_search: u64,
    /// [`Outcome::Wrong`] by safe fixes alone.
    pub wrong_by_fixes: u64,
    /// [`Outcome::Wrong`] by search.
    pub wrong_by_search: u64,
    /// [`Outcome::Undecided`].
    pub undecided: u64,
    /// [`Outcome::Ambiguous`].
    pub ambiguous: u64,
    /// [`Outcome::Untouched`].
    pub untouched: u64,
    /// [`Outcome::Unreadable`].
    pub unreadable: u64,
}

impl KindCounts {
    fn count(&mut self, outcome: Outcome) {
        self.mutated += 1;
        *match outcome {
            Outcome::Unchanged => &mut self.unchanged,
            Outcome::Restored(Rung::Fixes) => &mut self.restored_by_fixes,
            Outcome::Restored(Rung::Search) => &mut self.restored_by_search,
            Outcome::Wrong(Rung::Fixes) => &mut self.wrong_by_fixes,
            Outcome::Wrong(Rung::Search) => &mut self.wrong_by_search,
            Outcome::Undecided(_) => &mut self.undecided,
            Outcome::Ambiguous => &mut self.ambiguous,
            Outcome::Untouched => &mut self.untouched,
            Outcome::Unreadable => &mut self.unreadable,
        } += 1;
    }

    fn add(&mut self, other: &Self) {
        let Self {
            mutated,
            not_applicable,
            unchanged,
            restored_by_fixes,
            restored_by_search,
            wrong_by_fixes,
            wrong_by_search,
            undecided,
            ambiguous,
            untouched,
            unreadable,
        } = other;
        self.mutated += mutated;
        self.not_applicable += not_applicable;
        self.unchanged += unchanged;
        self.restored_by_fixes += restored_by_fixes;
        self.restored_by_search += restored_by_search;
        self.wrong_by_fixes += wrong_by_fixes;
        self.wrong_by_search += wrong_by_search;
        self.undecided += undecided;
        self.ambiguous += ambiguous;
        self.untouched += untouched;
        self.unreadable += unreadable;
    }

    /// Rows that were given back as they were.
    #[must_use]
    pub const fn restored(&self) -> u64 {
        self.restored_by_fixes + self.restored_by_search
    }

    /// How many accepted repairs gave back the original, from 0 to 1. One of which nobody says so counts against it.
    #[must_use]
    pub fn precision(&self) -> Option<f64> {
        share(self.restored(), self.restored() + self.wrong_by_fixes + self.wrong_by_search + self.undecided)
    }

    /// The same of the repairs that search had a part in, and of those of which nobody says.
    #[must_use]
    pub fn precision_of_search(&self) -> Option<f64> {
        share(self.restored_by_search, self.restored_by_search + self.wrong_by_search + self.undecided)
    }

    /// How many of the errors that change the verdict or the readability were mended, from 0 to 1.
    #[must_use]
    pub fn recall(&self) -> Option<f64> {
        share(self.restored(), self.mutated - self.unchanged)
    }
}

/// What came of the edits that search made by one rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RuleCounts {
    /// Edits of stories in which every formula is equivalent to the original afterwards.
    pub right: u64,
    /// Edits of stories in which some formula is not.
    pub wrong: u64,
    /// Edits of stories of which nobody says.
    pub undecided: u64,
}

impl RuleCounts {
    /// How many of the edits were right, from 0 to 1.
    #[must_use]
    pub fn precision(&self) -> Option<f64> {
        share(self.right, self.right + self.wrong + self.undecided)
    }
}

/// What [`measure`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Which errors were made.
    pub errors: Errors,
    /// Records read.
    pub records: u64,
    /// Those of them that agree after safe fixes.
    pub agreeing: u64,
    /// By kind, in the order of [`Errors::kinds`].
    pub kinds: Vec<(ErrorKind, KindCounts)>,
    /// By rule, the accepted edits of search.
    pub rules: BTreeMap<String, RuleCounts>,
    /// Every repair that was accepted and is not shown to give back the original, in the order of the records.
    pub wrong: Vec<Trial>,
    /// Every error that changes the verdict and was not mended, likewise.
    pub missed: Vec<Trial>,
}

impl Report {
    /// The counts of all kinds together.
    #[must_use]
    pub fn total(&self) -> KindCounts {
        let mut total = KindCounts::default();
        self.kinds.iter().for_each(|(_, counts)| total.add(counts));
        total
    }
}

/// Makes errors in rows that agree after safe fixes, one at a time, and takes each story with one up the ladder.
///
/// An error of a premise is one of all records of its story. Records of the story that do not agree are left out: what repair
/// makes of them is no matter of the error. The labels stay. `advance` is called for each story done; the outcome is the
/// same whatever the number of threads. Ends early, with fewer rows, after [`cancel::request`].
#[must_use]
pub fn measure(
    records: &[Record],
    errors: &Errors,
    settings: &Settings,
    bench: &Bench<'_>,
    advance: &(dyn Fn() + Sync),
) -> Report {
    let stories = stories(records);
    let done: Vec<(u64, Vec<Made>)> = stories
        .par_iter()
        .map(|story| {
            let done = in_story(story, errors, settings, bench);
            advance();
            done
        })
        .collect();
    let mut report = Report {
        errors: errors.clone(),
        records: records.len() as u64,
        agreeing: 0,
        kinds: errors.kinds.iter().map(|kind| (*kind, KindCounts::default())).collect(),
        rules: BTreeMap::new(),
        wrong: Vec::new(),
        missed: Vec::new(),
    };
    for (agreeing, made) in done {
        report.agreeing += agreeing;
        for made in made {
            let Some((_, counts)) = report.kinds.iter_mut().find(|(kind, _)| *kind == made.kind) else { continue };
            counts.not_applicable += u64::from(made.trials.is_empty());
            for trial in made.trials {
                counts.count(trial.outcome);
                for rule in &trial.rules {
                    let counts = report.rules.entry(rule.clone()).or_default();
                    *match trial.faithful {
                        Some(true) => &mut counts.right,
                        Some(false) => &mut counts.wrong,
                        None => &mut counts.undecided,
                    } += 1;
                }
                match trial.outcome {
                    Outcome::Unchanged | Outcome::Restored(_) => {}
                    Outcome::Wrong(_) | Outcome::Undecided(_) => report.wrong.push(trial),
                    Outcome::Ambiguous | Outcome::Untouched | Outcome::Unreadable => report.missed.push(trial),
                }
            }
        }
    }
    report
}

/// The errors of one kind in one record; none if it lacks what they need.
struct Made {
    kind: ErrorKind,
    trials: Vec<Trial>,
}

/// How many records of a story agree, and what became of the errors made in them.
fn in_story(story: &[Record], errors: &Errors, settings: &Settings, bench: &Bench<'_>) -> (u64, Vec<Made>) {
    let mended: Vec<Record> = cases(story, settings, bench).into_iter().filter(Case::agrees).map(mended).collect();
    let mut agreeing = 0;
    let mut made = Vec::new();
    // Safe fixes look at one annotation at a time, so what was one list of premises is one still: this is one chunk.
    for story in mended.chunk_by(|a, b| a.premises_fol == b.premises_fol) {
        let cases = cases(story, settings, bench);
        agreeing += cases.len() as u64;
        let tasks: Vec<(usize, ErrorKind)> =
            (0..cases.len()).flat_map(|i| errors.kinds.iter().map(move |kind| (i, *kind))).collect();
        let work = |(i, kind): (usize, ErrorKind)| {
            let case = cases.get(i)?;
            if cancel::is_requested() {
                return None;
            }
            let found = mutations(case.record, kind, errors.seed, errors.per_record, settings.reading.scope);
            let trials = found.into_iter().filter_map(|m| trial(&cases, i, m, settings, bench)).collect();
            Some(Made { kind, trials })
        };
        made.extend(tasks.into_par_iter().filter_map(work).collect::<Vec<_>>());
    }
    (agreeing, made)
}

/// The record with the formulas that safe fixes gave it.
fn mended(case: Case<'_>) -> Record {
    let record = case.record.clone();
    Record { premises_fol: case.fixed.premises_fol, conclusion_fol: case.fixed.conclusion_fol, ..record }
}
