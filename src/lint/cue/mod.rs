//! Rules that hold the words of a sentence against the operators of its formula.
//!
//! A cue is a word that nearly always needs an operator. The rules find formulas in which it is missing; they know
//! nothing of grammar, so they keep quiet where a common construction would make them wrong.

mod negation;
mod number;
mod quantity;
mod rules;
mod sentence;

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::{Annotation, Rule, tree, words};
use crate::diagnostic::Diagnostic;
use crate::fol::{Connective, Formula, FormulaKind};
use tree::Operators;

pub use rules::RULES;
use rules::{CONDITION, EITHER, NEITHER, ONLY, ONLY_DIRECTION, UNLESS};
use sentence::Sentence;
pub(crate) use sentence::words_of;

/// A sentence and its formula, taken apart.
struct Pair<'a> {
    annotation: &'a Annotation<'a>,
    sentence: Sentence<'a>,
    formula: &'a Formula,
    operators: Operators,
    /// See [`Pair::name_words`]: most sentences have no cue and need none.
    name_words: OnceCell<BTreeSet<String>>,
}

impl Pair<'_> {
    /// A finding over the whole formula; the message quotes the cue.
    fn report(&self, rule: &Rule, cue: &str, lacks: &str, out: &mut Vec<Diagnostic>) {
        out.push(rule.diagnostic(
            self.annotation.target,
            self.formula.span,
            format!("the sentence says “{cue}”, but the formula has {lacks}"),
        ));
    }

    /// The words of all names in the formula.
    fn name_words(&self) -> &BTreeSet<String> {
        self.name_words.get_or_init(|| {
            let mut out = BTreeSet::new();
            self.formula.each_symbol(&mut |s| out.extend(words::split(s.name).iter().map(str::to_owned)));
            out
        })
    }

    /// Whether a name of the formula holds this word, in any of its forms.
    fn names_hold(&self, word: &str) -> bool {
        self.name_words().iter().any(|w| words::same_word(w, word))
    }
}

/// Looks at one annotation. Without a sentence, or without a reading, there is nothing to compare.
pub fn check(annotation: &Annotation<'_>, out: &mut Vec<Diagnostic>) {
    let (Some(text), Some(formula)) = (annotation.sentence, annotation.parsed.reading()) else { return };
    let sentence = Sentence::new(text);
    if sentence.words.is_empty() {
        return;
    }
    let pair = Pair { annotation, sentence, formula, operators: Operators::of(formula), name_words: OnceCell::new() };
    either(&pair, out);
    neither(&pair, out);
    unless(&pair, out);
    only(&pair, out);
    condition(&pair, out);
    negation::check(&pair, out);
    quantity::check(&pair, out);
    number::check(&pair, out);
}

fn either(pair: &Pair<'_>, out: &mut Vec<Diagnostic>) {
    let s = &pair.sentence;
    let ops = pair.operators;
    if !s.has("either") {
        return;
    }
    let excluded = ops.xor || ops.iff || (ops.or && has_negated_conjunction(pair.formula));
    if excluded || s.has_phrase(&["or", "both"]) {
        return;
    }
    let cue = s.positions("either").find(|&i| {
        let negated = (i.saturating_sub(4)..i).any(|j| s.is_negation(j));
        // "Ida is not tall either" lists nothing.
        !negated && (i + 1..s.words.len()).any(|j| s.is(j, "or"))
    });
    if cue.is_some() {
        pair.report(&EITHER, "either … or", "no `⊕` and excludes that both hold in no other way", out);
    }
}

fn has_negated_conjunction(formula: &Formula) -> bool {
    let mut found = false;
    formula.walk(&mut |part| {
        if let FormulaKind::Not(inner) = &part.kind {
            found |= matches!(inner.kind, FormulaKind::Binary(Connective::And, ..));
        }
    });
    found
}

fn neither(pair: &Pair<'_>, out: &mut Vec<Diagnostic>) {
    let hidden = || pair.operators.negation || pair.operators.iff || negation::in_names(pair);
    if pair.sentence.has("neither") && !hidden() {
        pair.report(&NEITHER, "neither", "no negation", out);
    }
}

fn unless(pair: &Pair<'_>, out: &mut Vec<Diagnostic>) {
    if pair.sentence.has("unless") && !conditional(pair.operators) {
        pair.report(&UNLESS, "unless", "none of `→`, `↔`, `∨`, `⊕`", out);
    }
}

const fn conditional(ops: Operators) -> bool {
    ops.implies || ops.iff || ops.or || ops.xor
}

fn condition(pair: &Pair<'_>, out: &mut Vec<Diagnostic>) {
    let s = &pair.sentence;
    let is_cue = |i: usize| !matches!(i.checked_sub(1).and_then(|j| s.word(j)), Some("as" | "even"));
    if !conditional(pair.operators) && s.positions("if").any(is_cue) {
        pair.report(&CONDITION, "if", "none of `→`, `↔`, `∨`, `⊕`", out);
    }
}

fn only(pair: &Pair<'_>, out: &mut Vec<Diagnostic>) {
    let s = &pair.sentence;
    let ops = pair.operators;
    // "Only if" is a condition, and `missing-condition` speaks of it.
    let positions: Vec<usize> = s.positions("only").filter(|i| !s.is(i + 1, "if")).collect();
    let Some(&first) = positions.first() else { return };
    if first == 0 {
        converse(pair, out);
    }
    let not_only = positions.iter().all(|&i| i.checked_sub(1).is_some_and(|j| s.is_negation(j)));
    let restricts = ops.implies || ops.iff || ops.universal || ops.equality;
    if !restricts && !not_only && !pair.names_hold("only") {
        pair.report(&ONLY, "only", "no `→`, `↔`, `∀` or equation that would exclude anything", out);
    }
}

/// "Only members may vote" with `Member` on the left of `→`.
fn converse(pair: &Pair<'_>, out: &mut Vec<Diagnostic>) {
    let (_, body) = tree::prefix(pair.formula, crate::fol::Quantifier::ForAll);
    let FormulaKind::Binary(Connective::Implies, left, right) = &body.kind else { return };
    // What "only" speaks of ends with the first noun; which of the next words that is, the names tell.
    let Some(noun) = (1..4)
        .filter_map(|i| pair.sentence.word(i))
        .find(|w| w.chars().count() > 2 && (holds(left, w) || holds(right, w)))
    else {
        return;
    };
    if holds(left, noun) && !holds(right, noun) {
        pair.report(
            &ONLY_DIRECTION,
            &format!("only {noun}"),
            &format!("“{noun}” on the left of `→`, which says “all {noun}”"),
            out,
        );
    }
}

fn holds(formula: &Formula, word: &str) -> bool {
    formula.symbols().iter().any(|s| words::split(s.name).iter().any(|w| words::same_word(w, word)))
}

#[cfg(test)]
mod tests;
