//! Wrong labels: how often repair bends formulas to whatever label it is given.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::trial::made_above;
use super::{Settings, cases, share, stories};
use crate::prove::cancel;
use crate::record::{Agreement, Edit, Label, Record, Verdict};
use crate::refine::{Bench, Case, Climbed, climb};

/// What logic says, and the label that a repair would have to close the gap to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The verdict, as a label.
    pub verdict: Label,
    /// The label.
    pub label: Label,
}

impl Pair {
    /// Every pair of two different ones, in the order of tables.
    pub fn all() -> impl Iterator<Item = Self> {
        let pairs = Label::ALL.into_iter().flat_map(|verdict| Label::ALL.map(|label| Self { verdict, label }));
        pairs.filter(|pair| pair.verdict != pair.label)
    }
}

/// How often a gap of one sort was closed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// Agreeing rows that were given the label of the pair.
    pub controls: u64,
    /// Those of them for which a repair was accepted.
    pub bent: u64,
    /// Rows that have that verdict after safe fixes and that label.
    pub conflicts: u64,
    /// Those of them for which a repair was accepted.
    pub closed: u64,
}

impl PairCounts {
    /// How many wrong labels formulas were bent to, from 0 to 1.
    #[must_use]
    pub fn rate_of_control(&self) -> Option<f64> {
        share(self.bent, self.controls)
    }

    /// How many real conflicts were closed, from 0 to 1.
    #[must_use]
    pub fn rate_of_conflicts(&self) -> Option<f64> {
        share(self.closed, self.conflicts)
    }

    /// How many of the closed conflicts would be closed whatever the label, if conflicts were like agreeing rows: the first
    /// rate over the second. At least 0; above 1 where wrong labels are closed more often than real conflicts. `None` where
    /// no conflict was closed.
    #[must_use]
    pub fn chance(&self) -> Option<f64> {
        let real = self.rate_of_conflicts().filter(|rate| *rate > 0.0)?;
        Some(self.rate_of_control()? / real)
    }

    const fn add(&mut self, other: &Self) {
        self.controls += other.controls;
        self.bent += other.bent;
        self.conflicts += other.conflicts;
        self.closed += other.closed;
    }
}

/// A row whose formulas were bent to a wrong label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bent {
    /// The row.
    pub record_id: String,
    /// The verdict, which is the row's own label, and the label that it was given.
    pub pair: Pair,
    /// The edits that did it.
    pub edits: Vec<Edit>,
}

/// What [`control`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlReport {
    /// Records read.
    pub records: u64,
    /// Those of them that agree after safe fixes.
    pub agreeing: u64,
    /// By pair.
    pub pairs: BTreeMap<Pair, PairCounts>,
    /// Every row that was bent, in the order of the records.
    pub bent: Vec<Bent>,
}

impl ControlReport {
    /// The counts of all pairs together.
    #[must_use]
    pub fn total(&self) -> PairCounts {
        let mut total = PairCounts::default();
        self.pairs.values().for_each(|counts| total.add(counts));
        total
    }
}

/// Gives each row that agrees after safe fixes each of the two wrong labels, the other records of its story keeping theirs,
/// and takes the story up the ladder; and once with the labels as they are, for the real conflicts.
///
/// A repair counts as accepted for a row if the row agrees with its label afterwards or has an edit of its own asking.
/// `advance` is called for each story done; the outcome is the same whatever the number of threads. Ends early, with
/// fewer rows, after [`cancel::request`].
#[must_use]
pub fn control(
    records: &[Record],
    settings: &Settings,
    bench: &Bench<'_>,
    advance: &(dyn Fn() + Sync),
) -> ControlReport {
    let stories = stories(records);
    let done: Vec<Done> = stories
        .par_iter()
        .map(|story| {
            let done = in_story(story, settings, bench);
            advance();
            done
        })
        .collect();
    let mut report = ControlReport {
        records: records.len() as u64,
        agreeing: 0,
        pairs: Pair::all().map(|pair| (pair, PairCounts::default())).collect(),
        bent: Vec::new(),
    };
    for done in done {
        report.agreeing += done.agreeing;
        for (pair, counts) in &done.pairs {
            report.pairs.entry(*pair).or_default().add(counts);
        }
        report.bent.extend(done.bent);
    }
    report
}

#[derive(Default)]
struct Done {
    agreeing: u64,
    pairs: BTreeMap<Pair, PairCounts>,
    bent: Vec<Bent>,
}

fn in_story(story: &[Record], settings: &Settings, bench: &Bench<'_>) -> Done {
    let cases = cases(story, settings, bench);
    let mut done = Done::default();
    let conflicts = |case: &Case<'_>| case.verdict.agreement(case.record.label) == Agreement::Conflict;
    if cases.iter().any(conflicts) && !cancel::is_requested() {
        let climbed = climb(&cases, settings.reading, &settings.search, bench);
        for (case, climbed) in cases.iter().zip(&climbed).filter(|(case, _)| conflicts(case)) {
            let Some(pair) = pair(case.verdict, case.record.label) else { continue };
            let counts = done.pairs.entry(pair).or_default();
            counts.conflicts += 1;
            counts.closed += u64::from(accepted(case, climbed));
        }
    }
    let agreeing: Vec<usize> = cases.iter().enumerate().filter(|(_, case)| case.agrees()).map(|(i, _)| i).collect();
    done.agreeing = agreeing.len() as u64;
    let tasks: Vec<(usize, Label)> = agreeing.into_iter().flat_map(|i| Label::ALL.map(|label| (i, label))).collect();
    let work = |(i, label): (usize, Label)| {
        let case = cases.get(i)?;
        let pair = pair(case.verdict, Some(label)).filter(|pair| pair.verdict != pair.label)?;
        if cancel::is_requested() {
            return None;
        }
        let label_text = Some(label.to_string());
        let record = Record { label: Some(label), label_text, ..case.record.clone() };
        let mut cases = cases.clone();
        cases.iter_mut().skip(i).take(1).for_each(|case| case.record = &record);
        let climbed = climb(&cases, settings.reading, &settings.search, bench);
        let (case, climbed) = (cases.get(i)?, climbed.get(i)?);
        let edits = accepted(case, climbed).then(|| made_above(case, climbed).cloned().collect());
        Some((record.record_id.clone(), pair, edits))
    };
    for (record_id, pair, edits) in tasks.into_par_iter().filter_map(work).collect::<Vec<_>>() {
        let counts = done.pairs.entry(pair).or_default();
        counts.controls += 1;
        counts.bent += u64::from(edits.is_some());
        done.bent.extend(edits.map(|edits| Bent { record_id, pair, edits }));
    }
    done
}

/// Whether a repair was accepted for a row that did not agree.
fn accepted(case: &Case<'_>, climbed: &Climbed) -> bool {
    let verdict = climbed.verdict.unwrap_or(case.verdict);
    verdict.agreement(case.record.label) == Agreement::Agree
        || made_above(case, climbed).any(|edit| edit.asked_by.is_none())
}

/// `None` where the verdict is none of the labels.
fn pair(verdict: Verdict, label: Option<Label>) -> Option<Pair> {
    let verdict = match verdict {
        Verdict::True => Label::True,
        Verdict::False => Label::False,
        Verdict::Uncertain => Label::Uncertain,
        Verdict::Unformalised | Verdict::Unparsed | Verdict::Inconsistent | Verdict::Undetermined => return None,
    };
    Some(Pair { verdict, label: label? })
}
