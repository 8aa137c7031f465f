//! Numbers of the sentence.

use std::collections::BTreeSet;

use super::rules::NUMBER;
use super::sentence::Word;
use super::{Pair, tree};
use crate::diagnostic::Diagnostic;
use crate::fol::{Connective, FormulaKind};

const WORDS: &[(&str, &str)] = &[
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("hundred", "100"),
    ("thousand", "1000"),
    ("million", "1000000"),
    ("billion", "1000000000"),
];

/// Numbers up to this one a formula may count out.
const COUNTED: usize = 20;

pub(super) fn check(pair: &Pair<'_>, out: &mut Vec<Diagnostic>) {
    if !pair.sentence.words.iter().any(|w| number(&w.lower).is_some()) {
        return;
    }
    // Names as one string each: `num8billion`, `42point3`, `twoYellowCards`.
    let mut names: BTreeSet<String> = BTreeSet::new();
    pair.formula.each_symbol(&mut |s| names.extend([s.name.to_lowercase()]));
    let counts = counts(pair);
    let mut told = BTreeSet::new();
    for (i, word) in pair.sentence.words.iter().enumerate() {
        let Some(number) = number(&word.lower) else { continue };
        // "1 thousand" may stand as 1000.
        let before = i.checked_sub(1).and_then(|j| pair.sentence.words.get(j));
        let after = pair.sentence.words.get(i + 1);
        let product = |a: Option<&Word<'_>>, b: Option<&Word<'_>>| {
            let product = magnitude(b?)?.checked_mul(self::number(&a?.lower)?.parse().ok()?)?.to_string();
            names.iter().any(|name| mentions(name, &product)).then_some(())
        };
        if product(Some(word), after).or_else(|| product(before, Some(word))).is_some() {
            continue;
        }
        let small = number.parse::<usize>().ok().filter(|n| *n <= COUNTED);
        let counted = small.is_some_and(|n| counts.contains(&n) || (pair.operators.equality && n <= COUNTED));
        if counted || names.iter().any(|name| mentions(name, &number)) || !told.insert(number) {
            continue;
        }
        pair.report(&NUMBER, &word.lower, "no name with this number", out);
    }
}

/// Hundred, thousand, million or billion.
fn magnitude(word: &Word<'_>) -> Option<u64> {
    let digits = number(&word.lower).filter(|_| word.lower.starts_with(char::is_alphabetic))?;
    digits.parse().ok().filter(|n| *n >= 100)
}

/// The digits of a number word or of a word that starts with digits (`9th`, `1990s`, `1,000`).
fn number(word: &str) -> Option<String> {
    // Asked of every word: the first letter answers for most.
    let first = word.bytes().next();
    if !matches!(first?, b'0'..=b'9' | b'b' | b'e' | b'f' | b'h' | b'm' | b'n' | b's' | b't') {
        return None;
    }
    let singular = word.strip_suffix('s').unwrap_or(word);
    if let Some((_, digits)) = WORDS.iter().find(|(w, _)| w.bytes().next() == first && (*w == singular || *w == word)) {
        return Some((*digits).to_owned());
    }
    if !first?.is_ascii_digit() {
        return None;
    }
    let digits: String =
        word.chars().take_while(|c| c.is_ascii_digit() || matches!(c, ',' | '.')).filter(|c| *c != ',').collect();
    digits.starts_with(|c: char| c.is_ascii_digit()).then_some(digits)
}

/// Whether a lower-case name has this number, in digits or as a word.
fn mentions(name: &str, number: &str) -> bool {
    let words = WORDS.iter().any(|(w, d)| *d == number && name.contains(w));
    let ordinal = [
        ("2", "second"),
        ("3", "third"),
        ("4", "fourth"),
        ("5", "fifth"),
        ("1", "first"),
        ("1", "one"),
        ("0", "zero"),
        ("2", "double"),
        ("2", "both"),
        ("2", "pair"),
    ]
    .iter()
    .any(|(d, w)| *d == number && name.contains(w));
    if words || ordinal {
        return true;
    }
    // 4.5 may stand as `4point5`, `4_5` or `45`; every group of its digits must be there.
    let groups: Vec<String> = {
        let mut groups = vec![String::new()];
        for c in name.chars() {
            match groups.last_mut() {
                Some(last) if c.is_ascii_digit() => last.push(c),
                Some(last) if c != ',' && !last.is_empty() => groups.push(String::new()),
                _ => {}
            }
        }
        groups
    };
    let whole: String = number.chars().filter(char::is_ascii_digit).collect();
    groups.contains(&whole) || number.split('.').all(|part| groups.iter().any(|g| g == part))
}

/// How many operands, variables, atoms and individuals the formula has: what it could count out.
fn counts(pair: &Pair<'_>) -> BTreeSet<usize> {
    let mut out = BTreeSet::from([tree::individuals(pair.formula).len()]);
    let mut variables = BTreeSet::new();
    pair.formula.walk(&mut |part| match &part.kind {
        FormulaKind::Binary(connective, ..) => {
            for c in [*connective, Connective::And] {
                out.insert(tree::flat(part, c).len());
            }
        }
        FormulaKind::Quantified(_, vars, _) => variables.extend(vars.iter().map(|v| v.name.as_str())),
        _ => {}
    });
    out.insert(variables.len());
    // A count of one, and of two operands of whatever sort, is no counting.
    out.remove(&0);
    out.remove(&1);
    out
}
