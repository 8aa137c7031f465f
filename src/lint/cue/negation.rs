//! Negations of the sentence.

use super::rules::NEGATION;
use super::{Pair, words};
use crate::diagnostic::Diagnostic;

/// Words of names that deny.
const DENYING: &[&str] = &[
    "not",
    "no",
    "non",
    "never",
    "cannot",
    "cant",
    "dont",
    "doesnt",
    "didnt",
    "isnt",
    "arent",
    "wasnt",
    "wont",
    "without",
    "none",
    "neither",
    "nobody",
    "nothing",
    "lack",
    "fail",
    "refuse",
    "deny",
    "avoid",
    "free",
    "absent",
    "false",
    "different",
    "except",
    "only",
    "less",
    "few",
    "prohibit",
    "forbid",
    "forbidden",
    "ban",
    "stop",
    "quit",
    "end",
    "miss",
    "lose",
    "unable",
];

/// Words that begin like a negating prefix and deny nothing.
const INNOCENT: &[&str] = &["uni", "under", "until", "unless", "uncle", "unto"];

pub(super) fn check(pair: &Pair<'_>, out: &mut Vec<Diagnostic>) {
    let s = &pair.sentence;
    if pair.operators.negation {
        return;
    }
    let cues: Vec<usize> = (0..s.words.len()).filter(|&i| is_cue(pair, i)).collect();
    // Two negations may cancel each other: "there is no one who does not".
    let [cue] = cues.as_slice() else { return };
    let Some(word) = s.word(*cue) else { return };
    if !in_names(pair) {
        pair.report(&NEGATION, word, "no negation", out);
    }
}

fn is_cue(pair: &Pair<'_>, i: usize) -> bool {
    let s = &pair.sentence;
    let Some(word) = s.word(i) else { return false };
    if !s.is_negation(i) || word == "nor" {
        return false;
    }
    let before = i.checked_sub(1).and_then(|j| s.word(j));
    let after = s.word(i + 1);
    let abbreviation = word == "no"
        && s.words.get(i).is_some_and(|w| w.gap.starts_with('.'))
        && after.is_some_and(|a| a.starts_with(|c: char| c.is_ascii_digit()));
    let idle = matches!(
        (before, word, after),
        (_, "not", Some("only" | "both"))
            | (Some("or" | "if"), "not", _)
            | (_, "no", Some("matter" | "more" | "less" | "later" | "longer" | "doubt"))
    );
    // "either …, or, if she does not, …" repeats the first alternative.
    let repeated = pair.operators.xor && (i.saturating_sub(4)..i).any(|j| s.is(j, "if"));
    let both = after == Some("both") && !pair.operators.xor;
    !abbreviation && !repeated && (!idle || both)
}

/// Whether a name of the formula holds a negation.
pub(super) fn in_names(pair: &Pair<'_>) -> bool {
    pair.name_words().iter().any(|word| {
        DENYING.iter().any(|d| words::same_word(word, d))
            || (word.starts_with("un") && word.chars().count() > 4 && !INNOCENT.iter().any(|i| word.starts_with(i)))
            || (word.starts_with("non") && word.chars().count() > 4)
            // "is not aware" with `Unaware`, "is not legal" with `Illegal`: the sentence has the word without prefix.
            || words::NEGATING.iter().filter_map(|p| word.strip_prefix(p)).any(|rest| {
                rest.chars().count() > 2 && pair.sentence.words.iter().any(|w| words::same_word(&w.lower, rest))
            })
    })
}
