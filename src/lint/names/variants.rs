//! Two spellings of what seems to be one symbol.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::rules::{CASE, INFLECTION, PUNCTUATION, TYPO};
use super::table::{Entry, Table};
use crate::diagnostic::{Applicability, Diagnostic, EditKind, Fix, TextEdit};
use crate::lint::Rule;
use crate::lint::words::Difference;

/// Distinct symbols of a record up to which names are compared letter by letter, each with each. Annotated stories have
/// some dozens; beyond, almost every name has a neighbour by chance.
const MAX_COMPARED: usize = 400;

/// Looks for spellings of one symbol among symbols of one sort and reports those of fewer uses.
pub(super) fn check(table: &Table<'_>, entries: &[Entry<'_>], out: &mut Vec<Diagnostic>) {
    let spellings = Spellings::new(entries);
    let letters = table.predicates.len() + table.terms.len() <= MAX_COMPARED;
    for odd in entries {
        let best = spellings.usual(odd).or_else(|| letters.then(|| slip(odd, entries)).flatten());
        if let Some((difference, usual)) = best {
            report(table, odd, usual, difference, out);
        }
    }
}

/// The closest of the spellings that win over this one and differ in letters; among equals the one that wins over the
/// others.
fn slip<'e, 'a>(odd: &Entry<'a>, entries: &'e [Entry<'a>]) -> Option<(Difference, &'e Entry<'a>)> {
    let mut best: Option<(Difference, &Entry<'_>)> = None;
    for usual in entries.iter().filter(|e| e.wins_over(odd)) {
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

/// Symbols by what their other spellings share with them, those that win over the others first.
struct Spellings<'e, 'a> {
    by_lower: BTreeMap<&'e str, &'e Entry<'a>>,
    by_fold: BTreeMap<&'e str, &'e Entry<'a>>,
    by_words: BTreeMap<String, Vec<&'e Entry<'a>>>,
    by_whole: BTreeMap<String, Vec<&'e Entry<'a>>>,
}

impl<'e, 'a> Spellings<'e, 'a> {
    fn new(entries: &'e [Entry<'a>]) -> Self {
        let mut order: Vec<&Entry<'a>> = entries.iter().collect();
        order.sort_by_key(|e| (Reverse(e.uses.len()), e.rank));
        let mut this = Self {
            by_lower: BTreeMap::new(),
            by_fold: BTreeMap::new(),
            by_words: BTreeMap::new(),
            by_whole: BTreeMap::new(),
        };
        for entry in order {
            this.by_lower.entry(&entry.name.lower).or_insert(entry);
            this.by_fold.entry(&entry.name.fold).or_insert(entry);
            this.by_words.entry(entry.name.word_key()).or_default().push(entry);
            if let Some(key) = entry.name.fold_key() {
                this.by_whole.entry(key).or_default().push(entry);
            }
        }
        this
    }

    /// The closest of the spellings that win over this one and have its letters or are forms of its words; among equals
    /// the one that wins over the others.
    fn usual(&self, odd: &Entry<'a>) -> Option<(Difference, &'e Entry<'a>)> {
        let same = |map: &BTreeMap<&str, &'e Entry<'a>>, key: &str| map.get(key).copied().filter(|e| e.wins_over(odd));
        if let Some(usual) = same(&self.by_lower, &odd.name.lower) {
            return Some((Difference::Case, usual));
        }
        if let Some(usual) = same(&self.by_fold, &odd.name.fold) {
            return Some((Difference::Punctuation, usual));
        }
        let form = |group: Option<&Vec<&'e Entry<'a>>>| {
            let mut winning = group?.iter().copied().take_while(|e| e.wins_over(odd));
            winning.find(|e| odd.name.difference(&e.name) == Some(Difference::Inflection))
        };
        let by_words = form(self.by_words.get(&odd.name.word_key()));
        let by_whole = odd.name.fold_key().and_then(|key| form(self.by_whole.get(&key)));
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
    for u in table.first_per_annotation(odd) {
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
                edits: here.iter().map(|x| TextEdit { span: x.span, replacement: usual.name.text.clone() }).collect(),
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
