//! What the agents are shown of a record.
//!
//! Texts of the dataset are shown as JSON strings on one line each, so that nothing in them can pass for a part of the
//! prompt. Nothing here depends on a label, but for [`View::label`], which is only filled where the settings ask for it.

use serde::Serialize;

use super::evidence;
use super::{Attempt, Consultation, Round};
use crate::diagnostic::{Severity, Target};
use crate::lint::{Family, ParsedRecord, check_record, find};
use crate::record::{Label, Verdict};
use crate::refine::bench::Bench;
use crate::refine::case::Case;
use crate::refine::critique::{self, Bounds};
use crate::refine::guards::Sibling;

/// Other conclusions of the story that are shown, at most.
const MAX_SIBLINGS: usize = 8;

/// One annotation.
#[derive(Debug, Serialize)]
pub(super) struct Annotation {
    target: String,
    /// As a JSON string; null where none can be matched.
    sentence: Option<String>,
    /// As a JSON string; null where there is none.
    formula: Option<String>,
    /// Whether it can be read.
    readable: bool,
}

/// A symbol.
#[derive(Debug, Serialize)]
struct Shown {
    name: String,
    kind: &'static str,
    arity: u32,
    used_in: Vec<String>,
}

/// Another conclusion of the story.
#[derive(Debug, Serialize)]
struct Other {
    sentence: String,
    formula: String,
    verdict: &'static str,
}

/// A record as the agents see it.
#[derive(Debug, Serialize)]
pub(super) struct View {
    annotations: Vec<Annotation>,
    counts_match: bool,
    symbols: Vec<Shown>,
    diagnostics: Vec<String>,
    /// What logic has to say.
    critique: Vec<String>,
    evidence: Vec<String>,
    siblings: Vec<Other>,
    /// Only where the settings show it.
    label: Option<&'static str>,
}

pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl View {
    pub(super) fn new(cases: &[Case<'_>], index: usize, bench: &Bench<'_>, desk: &Consultation<'_>) -> Option<Self> {
        let case = cases.get(index)?;
        let judgement = (desk.judge)(case.record, &case.reading);
        let mut record = case.record.clone();
        record.premises_fol.clone_from(&case.fixed.premises_fol);
        record.conclusion_fol.clone_from(&case.fixed.conclusion_fol);
        let of_text = |code: &str| find(code).is_some_and(|rule| rule.family != Family::Row);
        let found = check_record(&ParsedRecord::new(&record, desk.reading.scope).context(&record));
        let diagnostics = found
            .iter()
            .filter(|d| d.severity >= Severity::Warning && of_text(d.code))
            .filter(|d| matches!(d.target, Target::Premise(_) | Target::Conclusion))
            .map(|d| format!("{} in {}: {}", d.code, d.target, quoted(&d.message)))
            .collect();
        let symbols = critique::symbols(case).into_iter().map(|symbol| Shown {
            name: symbol.name,
            kind: symbol.kind,
            arity: symbol.arity,
            used_in: symbol.used_in.iter().map(ToString::to_string).collect(),
        });
        let siblings = Sibling::of(cases, index);
        let texts = cases.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, other)| other);
        let others = siblings.iter().zip(texts).filter_map(|(sibling, other)| {
            Some(Other {
                sentence: quoted(&sibling.record.conclusion),
                formula: quoted(other.fixed.conclusion_fol.as_deref()?),
                verdict: sibling.verdict.as_str(),
            })
        });
        let mut others: Vec<Other> = others.collect();
        // What is shown does not depend on the order of the input.
        others.sort_by(|a, b| (&a.sentence, &a.formula).cmp(&(&b.sentence, &b.formula)));
        others.truncate(MAX_SIBLINGS);
        Some(Self {
            annotations: annotations(case),
            counts_match: case.record.premises.len() == case.fixed.premises_fol.len(),
            symbols: symbols.collect(),
            diagnostics,
            critique: critique::without_label(case, desk.reading, bench, &Bounds::default()),
            evidence: evidence::told(&judgement),
            siblings: others,
            label: case.record.label.filter(|_| desk.options.show_label).map(Label::as_str),
        })
    }
}

/// The annotations of a case: the premises in order, then the conclusion.
pub(super) fn annotations(case: &Case<'_>) -> Vec<Annotation> {
    let sentences = &case.record.premises;
    let formulas = &case.fixed.premises_fol;
    let premise = |i: usize| Annotation {
        target: Target::Premise(i).to_string(),
        sentence: sentences.get(i).map(|s| quoted(s)),
        formula: formulas.get(i).map(|f| quoted(f)),
        readable: case.reading.premises.get(i).is_some_and(Option::is_some),
    };
    let mut out: Vec<Annotation> = (0..sentences.len().max(formulas.len())).map(premise).collect();
    out.push(Annotation {
        target: Target::Conclusion.to_string(),
        sentence: Some(quoted(&case.record.conclusion)),
        formula: case.fixed.conclusion_fol.as_deref().map(quoted),
        readable: matches!(case.reading.conclusion, Some(Some(_))),
    });
    out
}

/// What the critique is told.
#[derive(Serialize)]
pub(super) struct CritiqueData<'a> {
    pub(super) view: &'a View,
    pub(super) kinds: &'static [&'static str],
    pub(super) rounds: Vec<Told>,
}

/// What the refiner is told.
#[derive(Serialize)]
pub(super) struct RefinerData<'a> {
    pub(super) view: &'a View,
    pub(super) findings: Vec<String>,
    pub(super) rounds: Vec<Told>,
    /// What it wrote in this round that could not be read.
    pub(super) unreadable: Vec<Told>,
}

/// An earlier proposal, and what was said of it.
#[derive(Serialize)]
pub(super) struct Told {
    edits: Vec<String>,
    told: Vec<String>,
}

impl Told {
    pub(super) fn of(attempt: &Attempt) -> Self {
        let edits = attempt.edits.iter().map(|(target, formula)| format!("{target}: {}", quoted(formula)));
        Self { edits: edits.collect(), told: attempt.told.clone() }
    }

    /// What was proposed in earlier rounds and refused.
    pub(super) fn all(rounds: &[Round]) -> Vec<Self> {
        rounds.iter().flat_map(|round| &round.attempts).filter(|a| a.outcome == "refused").map(Self::of).collect()
    }
}

/// What is asked about the label, after everything else.
#[derive(Serialize)]
pub(super) struct LabelData<'a> {
    pub(super) annotations: &'a [Annotation],
    pub(super) label: &'static str,
    pub(super) verdict: &'static str,
    pub(super) evidence: Vec<String>,
}

impl<'a> LabelData<'a> {
    pub(super) fn new(annotations: &'a [Annotation], label: Label, verdict: Verdict, evidence: Vec<String>) -> Self {
        Self { annotations, label: label.as_str(), verdict: verdict.as_str(), evidence }
    }
}
