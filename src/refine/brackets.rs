//! Where a bracket was missing or too many, and the safe fix took a place that others speak against.
//!
//! The choice looks at the text alone, not at the label: a reading with fewer symbols that the story does not have, fewer
//! free variables and fewer cues without their operator is the better one. It is made only where no record that agrees
//! stops agreeing by it.

use std::collections::BTreeSet;

use super::bench::Bench;
use super::case::{Case, quick_verdict};
use super::ladder::{read, sentence};
use super::priors;
use super::search::cues_of;
use crate::diagnostic::{EditKind, Target};
use crate::fol::{Connective, Formula, FormulaKind, SymbolKind, shape};
use crate::lint::cue;
use crate::record::{Edit, Verdict};
use crate::verify::{Reading, ReadingOptions};

/// Readings of one text that are compared, at most.
const MAX_READINGS: usize = 64;

/// What speaks against a reading, the gravest first.
type Doubt = (usize, usize, usize, usize);

/// Takes better places for brackets, in every record of a story.
pub(super) fn settle(cases: &mut [Case<'_>], options: ReadingOptions, bench: &Bench<'_>) {
    let premises = cases.first().map_or(0, |case| case.fixed.premises_fol.len());
    for i in 0..premises {
        let Some(better) = cases.first().and_then(|case| better(case, cases, Target::Premise(i), options)) else {
            continue;
        };
        let all: Vec<usize> = (0..cases.len()).collect();
        take(cases, &all, Target::Premise(i), &better, options, bench);
    }
    for at in 0..cases.len() {
        let Some(better) = cases.get(at).and_then(|case| better(case, cases, Target::Conclusion, options)) else {
            continue;
        };
        take(cases, &[at], Target::Conclusion, &better, options, bench);
    }
}

/// The text with the better place, where there is exactly one that is better than all others.
fn better(case: &Case<'_>, cases: &[Case<'_>], target: Target, options: ReadingOptions) -> Option<String> {
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
    texts.extend(opened(&edit.before, &known));
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
    best.filter(|(doubt, ..)| *doubt < before && !tied).map(|(_, text, _)| text)
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

/// A text with one `(` more: inside a name that is a predicate's and a term's, or behind quantifiers.
fn opened(text: &str, known: &BTreeSet<(SymbolKind, &str, usize)>) -> Vec<String> {
    let mut out = Vec::new();
    for (kind, name, _) in known {
        if *kind != SymbolKind::Predicate {
            continue;
        }
        for (at, _) in text.match_indices(name) {
            let end = at + name.len();
            let starts = !text.get(..at).and_then(|t| t.chars().next_back()).is_some_and(char::is_alphanumeric);
            let goes_on = text.get(end..).and_then(|t| t.chars().next()).is_some_and(char::is_alphanumeric);
            if starts && goes_on {
                out.push(format!("{}({}", text.get(..end).unwrap_or_default(), text.get(end..).unwrap_or_default()));
            }
        }
    }
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

/// Takes a text into the records at these places, if none that agrees stops agreeing.
fn take(
    cases: &mut [Case<'_>],
    places: &[usize],
    target: Target,
    after: &str,
    options: ReadingOptions,
    bench: &Bench<'_>,
) {
    let mut taken: Vec<(usize, Case<'_>)> = Vec::new();
    for at in places {
        let Some(case) = cases.get(*at) else { continue };
        let mut case = case.clone();
        let slot = match target {
            Target::Premise(i) => case.fixed.premises_fol.get_mut(i),
            Target::Conclusion => case.fixed.conclusion_fol.as_mut(),
            _ => None,
        };
        let Some(slot) = slot else { return };
        let before = std::mem::replace(slot, after.to_owned());
        case.fixed.edits.push(Edit {
            target,
            before,
            after: after.to_owned(),
            rule: priors::ALTERNATIVE.name.to_owned(),
            kind: EditKind::Search,
            iteration: 1,
            alternatives: Vec::new(),
            asked_by: None,
            why: "with the bracket there, the formula has fewer symbols and variables that nothing else has".to_owned(),
        });
        let was: Verdict = case.verdict;
        case.reading = Reading::new(&case.fixed.premises_fol, case.fixed.conclusion_fol.as_deref(), options);
        case.verdict = quick_verdict(case.record, &case.reading, bench);
        let agreed = was.agreement(case.record.label) == crate::record::Agreement::Agree;
        if agreed && case.verdict != was {
            return;
        }
        taken.push((*at, case));
    }
    // Where nobody agrees by it, nothing speaks for touching the text.
    if !taken.iter().any(|(_, case)| case.agrees()) {
        return;
    }
    for (at, case) in taken {
        if let Some(place) = cases.get_mut(at) {
            place.fixed = case.fixed;
            place.reading = case.reading;
            place.verdict = case.verdict;
        }
    }
}
