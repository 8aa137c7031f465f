//! Where a bracket was missing or too many, and the safe fix took a place that others speak against.
//!
//! The choice looks at the text alone, not at the label: a reading with fewer symbols that the story does not have, fewer
//! free variables and fewer cues without their operator is the better one. It is made for a record that agrees by it, and only
//! past the guards.

use std::collections::BTreeSet;

use super::bench::Bench;
use super::case::Case;
use super::guards::{Change, Guard, Sibling, check};
use super::priors;
use super::search::cues_of;
use super::step::{Step, apply, edit, read, sentence};
use crate::diagnostic::{EditKind, Target};
use crate::fol::{Connective, Formula, FormulaKind, SymbolKind, shape};
use crate::lint::cue;
use crate::record::{Edit, Proposal};
use crate::verify::ReadingOptions;

/// Readings of one text that are compared, at most.
const MAX_READINGS: usize = 64;

/// What speaks against a reading, the gravest first.
type Doubt = (usize, usize, usize, usize);

/// Takes better places for brackets, in every record of a story; with what was put before the guards, and for whom.
/// `turns` are all records in the order in which they ask.
pub(super) fn settle(
    cases: &mut [Case<'_>],
    turns: &[usize],
    options: ReadingOptions,
    bench: &Bench<'_>,
) -> Vec<(usize, Proposal)> {
    let premises = cases.first().map_or(0, |case| case.fixed.premises_fol.len());
    let shared = (0..premises).map(|i| (Target::Premise(i), turns));
    let own = turns.iter().map(|at| (Target::Conclusion, std::slice::from_ref(at)));
    let mut out = Vec::new();
    for (target, asking) in shared.chain(own) {
        let case = asking.first().and_then(|at| cases.get(*at));
        let Some(step) = case.and_then(|case| better(case, cases, target, options)) else { continue };
        let outcome = asking.iter().find_map(|at| {
            let outcome = ask(cases, *at, &step, options, bench)?;
            // What does not give the label of this one may give that of the next.
            (!matches!(outcome, Err(Guard::Inconsistent | Guard::Label))).then_some((*at, outcome))
        });
        let Some((at, outcome)) = outcome else { continue };
        out.push((
            at,
            Proposal {
                rung: "search",
                edits: vec![edit(step.clone(), 1, None)],
                cost: priors::ALTERNATIVE.cost,
                outcome: if outcome.is_ok() { "accepted" } else { "refused" },
                reason: outcome.err().map(|guard| guard.as_str().to_owned()),
            },
        ));
        if outcome.is_ok() {
            apply(cases, at, &[step], 1, options, bench);
        }
    }
    out
}

/// What the guards say of a step for one record; `None` where it has no label or an annotation has no reading.
fn ask(
    cases: &[Case<'_>],
    at: usize,
    step: &Step,
    options: ReadingOptions,
    bench: &Bench<'_>,
) -> Option<Result<(), Guard>> {
    let case = cases.get(at)?;
    let after = read(&step.after, options)?;
    let mut premises: Vec<&Formula> = case.reading.premises.iter().map(Option::as_ref).collect::<Option<_>>()?;
    let mut conclusion = case.reading.conclusion.as_ref()?.as_ref()?;
    let place = match step.target {
        Target::Premise(i) => premises.get_mut(i)?,
        _ => &mut conclusion,
    };
    let change = Change {
        target: step.target,
        sentence: sentence(case.record, step.target),
        before: Some(*place),
        before_text: &step.before,
        after: &after,
        after_text: &step.after,
    };
    *place = &after;
    Some(check(&premises, conclusion, case.record.label?, &[change], &Sibling::of(cases, at), bench))
}

/// The step to the better place, where there is exactly one that is better than all others.
fn better(case: &Case<'_>, cases: &[Case<'_>], target: Target, options: ReadingOptions) -> Option<Step> {
    let mended =
        |e: &&Edit| e.target == target && e.kind == EditKind::Fix && matches!(e.rule.as_str(), "S101" | "S102");
    let edit = case.fixed.edits.iter().rev().find(mended)?;
    let known = known(cases, case, target);
    let now = text(case, target)?;
    let taken = read(now, options)?;
    let before = doubt(case, target, now, &taken, &known);
    if before.0 == 0 && before.1 == 0 && before.3 == 0 {
        return None;
    }
    let mut texts: Vec<String> = edit.alternatives.clone();
    texts.extend(opened(&edit.before));
    texts.truncate(MAX_READINGS);
    let mut best: Option<(Doubt, String, Formula)> = None;
    let mut tied = false;
    for text in texts {
        let Some(formula) = read(&text, options) else { continue };
        let doubt = doubt(case, target, &text, &formula, &known);
        match &best {
            Some((least, ..)) if doubt > *least => {}
            Some((least, _, other)) if doubt == *least => {
                tied |= shape::key(other, false) != shape::key(&formula, false);
            }
            _ => {
                tied = false;
                best = Some((doubt, text, formula));
            }
        }
    }
    let (_, after, _) = best.filter(|(doubt, ..)| *doubt < before && !tied)?;
    Some(Step {
        target,
        before: now.to_owned(),
        after,
        rule: priors::ALTERNATIVE.name,
        why: "with the bracket there, the formula has fewer symbols and variables that nothing else has".to_owned(),
    })
}

fn text<'c>(case: &'c Case<'_>, target: Target) -> Option<&'c str> {
    match target {
        Target::Premise(i) => case.fixed.premises_fol.get(i).map(String::as_str),
        Target::Conclusion => case.fixed.conclusion_fol.as_deref(),
        _ => None,
    }
}

/// The symbols of all other annotations of the story.
fn known<'c>(cases: &'c [Case<'_>], case: &Case<'_>, target: Target) -> BTreeSet<(SymbolKind, &'c str, usize)> {
    let mut out = BTreeSet::new();
    let mut add = |formula: &'c Formula| {
        formula.each_symbol(&mut |s| {
            out.insert((s.kind, s.name, s.arity));
        });
    };
    if let Some(first) = cases.first() {
        for (i, formula) in first.reading.premises.iter().enumerate() {
            if target != Target::Premise(i) {
                formula.iter().for_each(&mut add);
            }
        }
    }
    for other in cases {
        if target == Target::Conclusion && std::ptr::eq(other.record, case.record) {
            continue;
        }
        other.reading.conclusion.iter().flatten().for_each(&mut add);
    }
    out
}

/// New symbols, free variables, cues without their operator, and whether an “if” has no condition on top.
fn doubt(
    case: &Case<'_>,
    target: Target,
    text: &str,
    formula: &Formula,
    known: &BTreeSet<(SymbolKind, &str, usize)>,
) -> Doubt {
    let (mut new, mut free) = (BTreeSet::new(), BTreeSet::new());
    formula.each_symbol(&mut |s| {
        if s.kind == SymbolKind::Free {
            free.insert(s.name);
        } else if !known.contains(&(s.kind, s.name, s.arity)) {
            new.insert((s.kind, s.name, s.arity));
        }
    });
    let said = sentence(case.record, target);
    let cues = said.map_or(0, |sentence| cues_of(sentence, text, target, formula).len());
    let is_if = said.is_some_and(|s| cue::words_of(s).first().is_some_and(|w| w.lower == "if"));
    let condition = |formula: &Formula| {
        let mut body = formula;
        while let FormulaKind::Quantified(_, _, inner) = &body.kind {
            body = inner;
        }
        matches!(body.kind, FormulaKind::Binary(Connective::Implies, ..))
    };
    (new.len(), free.len(), cues, usize::from(is_if && !condition(formula)))
}

/// A text with one `(` more: behind quantifiers, or before everything.
fn opened(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (at, sign) in text.char_indices().filter(|(_, c)| matches!(c, '∀' | '∃')) {
        let rest = text.get(at + sign.len_utf8()..).unwrap_or_default();
        let space = rest.len() - rest.trim_start().len();
        let name = rest.trim_start().chars().take_while(|c| c.is_alphanumeric()).map(char::len_utf8).sum::<usize>();
        let end = at + sign.len_utf8() + space + name;
        out.push(format!(
            "{} ({}",
            text.get(..end).unwrap_or_default(),
            text.get(end..).unwrap_or_default().trim_start()
        ));
    }
    out.push(format!("({text}"));
    out
}
