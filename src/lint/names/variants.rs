//! Two spellings of what seems to be one symbol.

use std::cmp::Reverse;

use super::rules::{CASE, INFLECTION, PUNCTUATION, TYPO};
use super::table::{Entry, Table};
use crate::diagnostic::{Applicability, Diagnostic, EditKind, Fix, TextEdit};
use crate::lint::Rule;
use crate::lint::words::{Difference, text_key};

/// Distinct symbols of a record up to which names are compared letter by letter, each with each. Annotated stories have
/// some dozens; beyond, almost every name has a neighbour by chance.
const MAX_COMPARED: usize = 400;

/// Looks for spellings of one symbol among symbols of one sort and reports those of fewer uses.
pub(super) fn check(table: &Table<'_>, entries: &[Entry<'_>], out: &mut Vec<Diagnostic>) {
    let spellings = Spellings::new(entries);
    let letters = table.predicates.len() + table.terms.len() <= MAX_COMPARED;
    for (index, odd) in entries.iter().enumerate() {
        let best = spellings.usual(index, odd).or_else(|| letters.then(|| slip(odd, entries)).flatten());
        if let Some((difference, usual)) = best {
            report(table, odd, usual, difference, out);
        }
    }
}

/// The closest of the spellings that win over this one and differ in letters; among equals the one that wins over the
/// others.
fn slip<'e, 'a>(odd: &Entry<'a>, entries: &'e [Entry<'a>]) -> Option<(Difference, &'e Entry<'a>)> {
    let mut best: Option<(Difference, &Entry<'_>)> = None;
    // Asked of every pair, so the question that most fail comes first.
    for usual in entries.iter().filter(|e| odd.name.may_slip(&e.name) && e.wins_over(odd)) {
        let Some(difference @ Difference::Letters(_)) = odd.name.difference(&usual.name) else { continue };
        // Who writes two nearly equal names into one formula mostly means two things.
        if odd.meets(usual) {
            continue;
        }
        if best.is_none_or(|(d, e)| difference < d || (difference == d && usual.wins_over(e))) {
            best = Some((difference, usual));
        }
    }
    best
}

/// What symbols have in common with their other spellings: numbers, of which each symbol has one of each sort, and most
/// have all for themselves.
#[derive(Clone, Copy)]
struct Keys {
    fold: u64,
    words: u64,
    whole: Option<u64>,
}

/// Symbols by [`Keys`], those that win over the others first.
struct Spellings<'e, 'a> {
    keys: Vec<Keys>,
    by_fold: Vec<(u64, &'e Entry<'a>)>,
    by_words: Vec<(u64, &'e Entry<'a>)>,
    by_whole: Vec<(u64, &'e Entry<'a>)>,
}

impl<'e, 'a> Spellings<'e, 'a> {
    fn new(entries: &'e [Entry<'a>]) -> Self {
        let keys: Vec<Keys> = entries
            .iter()
            .map(|Entry { name, .. }| Keys {
                fold: text_key(name.fold()),
                words: name.word_key(),
                whole: name.fold_key(),
            })
            .collect();
        let sorted = |key: fn(&Keys) -> Option<u64>| {
            let keyed = keys.iter().zip(entries).filter_map(|(keys, entry)| Some((key(keys)?, entry)));
            let mut keyed: Vec<(u64, &'e Entry<'a>)> = keyed.collect();
            keyed.sort_unstable_by_key(|(key, e)| (*key, Reverse(e.uses.len()), e.rank));
            // Whoever has a key alone has no other spelling: what is left is mostly nothing.
            let shared = |i: usize| {
                let key = |i: usize| keyed.get(i).map(|(key, _)| *key);
                key(i) == key(i + 1) || (i > 0 && key(i) == key(i - 1))
            };
            (0..keyed.len()).filter(|&i| shared(i)).map(|i| keyed[i]).collect()
        };
        let by_fold = sorted(|keys| Some(keys.fold));
        let by_words = sorted(|keys| Some(keys.words));
        let by_whole = sorted(|keys| keys.whole);
        Self { keys, by_fold, by_words, by_whole }
    }

    /// The closest of the spellings that win over the one at `index` and have its letters or are forms of its words;
    /// among equals the one that wins over the others.
    fn usual(&self, index: usize, odd: &Entry<'a>) -> Option<(Difference, &'e Entry<'a>)> {
        let keys = self.keys.get(index)?;
        let winning = |of: &'_ [(u64, &'e Entry<'a>)], key: u64, fits: &dyn Fn(&Entry<'a>) -> bool| {
            let start = of.partition_point(|(k, _)| *k < key);
            let group = of.get(start..)?.iter().take_while(|(k, _)| *k == key).map(|(_, entry)| *entry);
            group.take_while(|e| e.wins_over(odd)).find(|e| fits(e))
        };
        if let Some(usual) = winning(&self.by_fold, keys.fold, &|e| e.name.same_letters(&odd.name)) {
            return Some((Difference::Case, usual));
        }
        if let Some(usual) = winning(&self.by_fold, keys.fold, &|e| e.name.fold() == odd.name.fold()) {
            return Some((Difference::Punctuation, usual));
        }
        let is_form = |e: &Entry<'a>| odd.name.difference(&e.name) == Some(Difference::Inflection);
        let by_words = winning(&self.by_words, keys.words, &is_form);
        let by_whole = keys.whole.and_then(|key| winning(&self.by_whole, key, &is_form));
        let usual = match (by_words, by_whole) {
            (Some(a), Some(b)) => Some(if b.wins_over(a) { b } else { a }),
            (a, b) => a.or(b),
        };
        usual.map(|usual| (Difference::Inflection, usual))
    }
}

fn report(table: &Table<'_>, odd: &Entry<'_>, usual: &Entry<'_>, difference: Difference, out: &mut Vec<Diagnostic>) {
    let (rule, how): (&Rule, String) = match difference {
        Difference::Case => (&CASE, "only in upper and lower case".to_owned()),
        Difference::Punctuation => (&PUNCTUATION, "only in punctuation".to_owned()),
        Difference::Inflection => (&INFLECTION, "only in a plural or verb ending".to_owned()),
        Difference::Letters(1) => (&TYPO, "in one letter".to_owned()),
        Difference::Letters(n) => (&TYPO, format!("in {n} letters")),
    };
    let Some(first) = usual.uses.first() else { return };
    for u in Table::first_per_annotation(odd) {
        let Some(annotation) = table.annotations.get(u.annotation) else { continue };
        let here: Vec<_> = odd.uses.iter().filter(|x| x.annotation == u.annotation).collect();
        let mut found = rule
            .diagnostic(
                annotation.target,
                u.span,
                format!("`{}` differs from `{}` in {} {how}", odd.name.text, usual.name.text, table.place(first)),
            )
            .hint("they are different symbols to a prover: nothing said with one follows from the other")
            .fix(Fix {
                applicability: Applicability::Unsafe,
                kind: EditKind::Fix,
                title: format!("write `{}`", usual.name.text),
                edits: here
                    .iter()
                    .map(|x| TextEdit { span: x.span, replacement: usual.name.text.to_owned() })
                    .collect(),
                alternatives: Vec::new(),
            });
        for x in here.iter().skip(1) {
            found = found.related(x.span, "and here");
        }
        if let Some(same) = usual.uses.iter().find(|x| x.annotation == u.annotation) {
            found = found.related(same.span, "the other spelling");
        }
        out.push(found);
    }
}
