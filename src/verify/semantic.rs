//! Findings about single annotations that need a prover: the rules of family `L`.

use std::collections::BTreeMap;

use super::asker::Asker;
use super::lower::Lowering;
use super::reading::{Reading, ReadingOptions};
use crate::diagnostic::{Diagnostic, Span, Target};
use crate::fol::{Formula, parse_with, sample};
use crate::lint::logic;
use crate::prove::{Decision, Outcome, Problem};
use crate::record::Edit;

/// Tautologous and contradictory annotations among those that have a reading.
///
/// Most formulas are told by a few small interpretations to be neither; the prover is asked about the rest. A question
/// that it leaves open gives no finding.
#[must_use]
pub fn check_annotations(reading: &Reading, lowering: &Lowering, asker: &Asker<'_>) -> Vec<Diagnostic> {
    let premises = reading.premises.iter().enumerate().map(|(i, f)| (Target::Premise(i), f.as_ref()));
    let conclusion = (Target::Conclusion, reading.conclusion.as_ref().and_then(Option::as_ref));
    let mut out = Vec::new();
    for (target, formula) in premises.chain([conclusion]) {
        let Some(formula) = formula else { continue };
        let signature = sample::signature(formula);
        if signature.is_none_or(|s| s == sample::ALL) && follows(asker, &lowering.validity(formula, false)) {
            out.push(logic::tautologous(target, formula.span));
        } else if signature.is_none_or(|s| s == 0) && follows(asker, &lowering.validity(formula, true)) {
            out.push(logic::contradictory(target, formula.span));
        }
    }
    out
}

/// Keeps of each edit's alternatives those that are not equivalent to what the edit gave, and reports them.
///
/// An alternative is dropped only where a prover shows the equivalence; one about which nothing is known is kept.
#[must_use]
pub fn check_alternatives(
    edits: &mut [Edit],
    options: ReadingOptions,
    lowering: &Lowering,
    asker: &Asker<'_>,
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for edit in edits.iter_mut().filter(|e| !e.alternatives.is_empty()) {
        let Some(taken) = parse_with(&edit.after, options.scope).formula else { continue };
        let mut verdicts: BTreeMap<String, bool> = BTreeMap::new();
        edit.alternatives.retain(|text| {
            *verdicts.entry(text.clone()).or_insert_with(|| {
                parse_with(text, options.scope)
                    .reading()
                    .is_some_and(|other| !equivalent(&taken, other, lowering, asker))
            })
        });
        if !edit.alternatives.is_empty() {
            let span = Span::new(0, edit.before.len());
            out.push(logic::alternative_reading(edit.target, span, &edit.rule, &edit.alternatives));
        }
    }
    out
}

fn equivalent(a: &Formula, b: &Formula, lowering: &Lowering, asker: &Asker<'_>) -> bool {
    if let (Some(x), Some(y)) = (sample::signature(a), sample::signature(b))
        && x != y
    {
        return false;
    }
    follows(asker, &lowering.equivalence(a, b))
}

fn follows(asker: &Asker<'_>, problem: &Problem) -> bool {
    let (answer, _) = asker.ask_unsaved(problem);
    matches!(answer.outcome, Outcome::Decided { decision: Decision::Follows, .. })
}
