//! What logic has to say of a row: where its chain breaks, what would close it, and how far to trust it.
//!
//! [`critique`] looks at a record whose verdict is not its label; [`symbols`] and [`suspicion`] are for every row. All are
//! functions of values and change nothing; what they ask a [`Bench`] is bounded, and they say so where a bound was
//! reached. `docs/repair.md` describes what comes out.

mod abduction;
mod cores;
mod elsewhere;
mod exchange;
mod hypotheses;
mod identify;
mod presuppose;
mod questions;
mod reason;
mod story;
mod suspicion;
mod symbols;
mod told;
mod unmet;
mod wording;

#[cfg(test)]
mod tests;

use std::fmt::Display;

use serde::{Serialize, Serializer};

use crate::record::{Label, Verdict};
use crate::refine::{Bench, Case};
use crate::verify::ReadingOptions;

pub use abduction::{Abduced, Abduction};
pub use cores::{Inconsistency, Removal};
pub use elsewhere::{OtherText, alternatives};
pub use exchange::{Cue, Exchange, Operator};
pub use identify::NearNames;
pub use presuppose::{Presupposed, Presuppositions};
pub use reason::{Reason, proposed_label, reason};
pub use suspicion::{Facts, Suspicion, WEIGHTS, suspicion};
pub use symbols::symbols;
pub use unmet::{Loose, Unmet};

/// Bounds of a critique. A question is one about consistency or about what follows; it mostly takes less than a
/// millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Questions in all, at most.
    pub questions: u32,
    /// Questions of each part of a critique, at most.
    pub part: u32,
    /// Hypotheses that may be what is missing, at most.
    pub hypotheses: usize,
    /// Things of one sort that are told, at most.
    pub shown: usize,
    /// Minimal sets of contradictory premises, at most.
    pub cores: usize,
    /// Pairs of nearly equal names, at most.
    pub near_names: usize,
    /// Other texts of fixes, at most.
    pub alternatives: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { questions: 200, part: 80, hypotheses: 1500, shown: 5, cores: 8, near_names: 24, alternatives: 16 }
    }
}

/// What logic has to say of a record whose verdict is not its label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Critique {
    /// The sharpest word for what is wrong.
    pub reason: Reason,
    /// The verdict.
    pub verdict: Verdict,
    /// The label.
    pub label: Option<Label>,
    /// The label that logic proves where it contradicts the row's.
    pub proposed_label: Option<Label>,
    /// All of this in sentences for people.
    pub sentences: Vec<String>,
    /// Annotations without a reading.
    pub unread: Vec<String>,
    /// Symbols that never meet.
    pub unmet: Unmet,
    /// What a proof of the label would need.
    pub abduction: Abduction,
    /// What sentences take for granted and the premises leave open.
    pub presuppositions: Presuppositions,
    /// Why the premises contradict each other; null where they do not.
    pub inconsistency: Option<Inconsistency>,
    /// Nearly equal names that change the verdict when they are one.
    pub near_names: Vec<NearNames>,
    /// Single operators that, exchanged, give the label.
    pub exchanges: Vec<Exchange>,
    /// Verdicts under the other texts that fixes could have given.
    pub alternatives: Vec<OtherText>,
    /// Questions that were asked.
    pub questions: u32,
    /// The parts that had more to do when a bound was reached: what they say is true, but there may be more.
    pub cut_short: Vec<&'static str>,
}

impl Critique {
    /// The JSON of `docs/repair.md`, in one line.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Plain data without maps: it cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// What logic has to say of a record; `None` where its verdict is its label, or where it has none.
///
/// `options` are those by which the case was read.
#[must_use]
pub fn critique(case: &Case<'_>, options: ReadingOptions, bench: &Bench<'_>, bounds: &Bounds) -> Option<Critique> {
    let label = case.record.label;
    let reason = reason(case.verdict, label)?;
    let is_label = |verdict: Verdict| is_label(verdict, label);
    let story = story::Story::new(case);
    let mut questions = questions::Questions::new(bench, bounds.questions, &story);
    let mut out = Critique {
        reason,
        verdict: case.verdict,
        label,
        proposed_label: proposed_label(case.verdict, label),
        sentences: Vec::new(),
        unread: case.reading.unreadable().iter().map(ToString::to_string).collect(),
        unmet: Unmet::default(),
        abduction: Abduction::default(),
        presuppositions: Presuppositions::default(),
        inconsistency: None,
        near_names: Vec::new(),
        exchanges: Vec::new(),
        alternatives: Vec::new(),
        questions: 0,
        cut_short: Vec::new(),
    };
    questions.start("alternatives", bounds.part);
    out.alternatives = elsewhere::other_texts(case, options, bounds.alternatives, &mut questions);
    // Without a reading of everything there is no verdict to change.
    if !matches!(reason, Reason::Unparsed | Reason::Unformalised) {
        out.unmet = unmet::unmet(&story);
        questions.start("presuppositions", bounds.part);
        out.presuppositions = presuppose::presuppositions(&story, bounds.shown, &mut questions, is_label);
        questions.start("near_names", bounds.part);
        out.near_names = identify::near_names(case, options, bounds.near_names, &mut questions, is_label);
        if reason == Reason::InconsistentPremises {
            questions.start("inconsistency", bounds.part);
            out.inconsistency = Some(cores::inconsistency(&story, bounds.cores, &mut questions, is_label));
        }
        if let Some(label) = label {
            questions.start("exchanges", bounds.part);
            // Only what belongs to every contradiction can end it.
            let scope = exchange::Scope {
                premises: out.inconsistency.as_ref().map(|i| i.removals.iter().map(|r| r.premise).collect()),
                asked_only: label == Label::Uncertain,
            };
            out.exchanges = exchange::exchanges(&story, label, &scope, bounds.shown, options.scope, &mut questions);
            if reason == Reason::BrokenChain {
                questions.start("abduction", bounds.part);
                let limits =
                    abduction::Limits { hypotheses: bounds.hypotheses, found: 4 * bounds.shown, shown: bounds.shown };
                out.abduction = abduction::abduction(&story, label, &limits, &mut questions);
            }
        }
    }
    out.questions = questions.asked;
    out.cut_short = questions.cut_short.into_iter().collect();
    out.sentences = told::sentences(&out);
    Some(out)
}

/// What logic has to say of a record whatever its label, in sentences: symbols that never meet, what sentences take for
/// granted, which premises contradict each other, and which nearly equal names change the verdict. Nothing of it depends
/// on the label.
#[must_use]
pub fn without_label(case: &Case<'_>, options: ReadingOptions, bench: &Bench<'_>, bounds: &Bounds) -> Vec<String> {
    let never = |_: Verdict| false;
    let story = story::Story::new(case);
    if !case.reading.unreadable().is_empty() || case.verdict == Verdict::Unformalised {
        return Vec::new();
    }
    let mut questions = questions::Questions::new(bench, bounds.questions, &story);
    let unmet = unmet::unmet(&story);
    questions.start("presuppositions", bounds.part);
    let presuppositions = presuppose::presuppositions(&story, bounds.shown, &mut questions, never);
    questions.start("near_names", bounds.part);
    let near_names = identify::near_names(case, options, bounds.near_names, &mut questions, never);
    let inconsistency = (case.verdict == Verdict::Inconsistent).then(|| {
        questions.start("inconsistency", bounds.part);
        cores::inconsistency(&story, bounds.cores, &mut questions, never)
    });
    told::without_label(case.verdict, &unmet, &presuppositions, inconsistency.as_ref(), &near_names)
}

fn is_label(verdict: Verdict, label: Option<Label>) -> bool {
    verdict.agreement(label) == crate::record::Agreement::Agree
}

fn as_text<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

fn all_as_text<T: Display, S: Serializer>(values: &[Option<T>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|v| v.as_ref().map(ToString::to_string)))
}
