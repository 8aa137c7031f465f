//! "All" and "some".

use super::Pair;
use super::rules::{EXISTENTIAL, UNIVERSAL};
use crate::diagnostic::Diagnostic;
use crate::fol::{Connective, FormulaKind};
use crate::lint::tree;

const ALL: &[&str] = &["all", "every", "each", "everyone", "everything", "everybody"];
const ANY: &[&str] = &["any", "anyone", "anything", "anybody"];
const TIMES: &[&str] = &[
    "day",
    "night",
    "week",
    "weekend",
    "month",
    "year",
    "time",
    "hour",
    "minute",
    "second",
    "morning",
    "evening",
    "afternoon",
    "season",
    "summer",
    "winter",
    "spring",
    "autumn",
    "fall",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

pub(super) fn check(pair: &Pair<'_>, out: &mut Vec<Diagnostic>) {
    universal(pair, out);
    existential(pair, out);
}

fn universal(pair: &Pair<'_>, out: &mut Vec<Diagnostic>) {
    let s = &pair.sentence;
    if pair.operators.universal || is_list(pair) {
        return;
    }
    let open = || s.has_negation() || s.has("if") || s.has("without") || s.has("whether");
    let cue = (0..s.words.len()).find(|&i| {
        let Some(word) = s.word(i) else { return false };
        let before = i.checked_sub(1).and_then(|j| s.word(j));
        let after = s.word(i + 1);
        if !(ALL.contains(&word) || ANY.contains(&word)) || pair.names_hold(word) {
            return false;
        }
        if ANY.contains(&word) {
            return !open();
        }
        let idle = match word {
            "all" => {
                matches!(before, Some("at" | "of" | "after" | "above" | "over" | "first" | "they" | "are" | "were"))
                    || matches!(
                        after,
                        Some(
                            "over"
                                | "around"
                                | "of"
                                | "in"
                                | "about"
                                | "kinds"
                                | "sorts"
                                | "along"
                                | "day"
                                | "year"
                                | "night"
                        )
                    )
            }
            "each" => matches!(after, Some("other" | "other's")),
            _ => false,
        };
        let of_time = (i + 1..i + 3)
            .filter_map(|j| s.word(j))
            .any(|w| TIMES.contains(&w) || w.strip_suffix('s').is_some_and(|w| TIMES.contains(&w)));
        let not_all = pair.operators.existential && before.is_some() && i > 0 && s.is_negation(i - 1);
        !idle && !of_time && !not_all
    });
    if let Some(word) = cue.and_then(|i| s.word(i)) {
        pair.report(&UNIVERSAL, word, "no `∀`", out);
    }
}

/// Whether the formula goes through named individuals one by one.
fn is_list(pair: &Pair<'_>) -> bool {
    let mut variables = false;
    tree::variables(pair.formula, &mut |_, _| variables = true);
    !variables && matches!(pair.formula.kind, FormulaKind::Binary(Connective::And, ..))
}

fn existential(pair: &Pair<'_>, out: &mut Vec<Diagnostic>) {
    let s = &pair.sentence;
    if pair.operators.existential {
        return;
    }
    let some_first = s.is(0, "some");
    let cue = s.words.iter().enumerate().find_map(|(i, word)| {
        if !matches!(&*word.lower, "there" | "at") {
            return None;
        }
        let phrases: [(&[&str], &str); 9] = [
            (&["there", "is", "a"], "there is a"),
            (&["there", "is", "an"], "there is an"),
            (&["there", "is", "some"], "there is some"),
            (&["there", "are", "some"], "there are some"),
            (&["there", "exists"], "there exists"),
            (&["there", "exist"], "there exist"),
            (&["there", "is", "at", "least"], "there is at least"),
            (&["there", "are", "at", "least"], "there are at least"),
            (&["at", "least", "one"], "at least one"),
        ];
        phrases.into_iter().find(|(phrase, _)| s.phrase_at(i, phrase)).map(|(_, cue)| cue)
    });
    // Most sentences have no cue, so this comes before what takes longer.
    if !some_first && cue.is_none() {
        return;
    }
    let open =
        ["if", "when", "whenever", "whoever", "unless", "whether", "every", "all", "each"].iter().any(|w| s.has(w))
            || s.has_negation();
    if open {
        return;
    }
    let named = !tree::individuals(pair.formula).is_empty();
    if some_first && (pair.operators.universal || !named) && !pair.names_hold("some") {
        pair.report(&EXISTENTIAL, "some", "no `∃`", out);
    } else if let Some(cue) = cue.filter(|_| !named) {
        pair.report(&EXISTENTIAL, cue, "no `∃` and names no individual", out);
    }
}
