//! Two spellings of what seems to be one symbol.

use super::rules::{CASE, INFLECTION, PUNCTUATION, TYPO};
use super::table::{Entry, Table};
use crate::diagnostic::{Applicability, Diagnostic, EditKind, Fix, TextEdit};
use crate::lint::Rule;
use crate::lint::words::Difference;

/// Compares the symbols of one sort pairwise and reports the spelling of fewer uses.
pub(super) fn check(table: &Table<'_>, entries: &[Entry<'_>], out: &mut Vec<Diagnostic>) {
    for odd in entries {
        // The closest of the spellings that win over this one; among equals the one that wins over the others.
        let mut best: Option<(Difference, &Entry<'_>)> = None;
        for usual in entries.iter().filter(|e| e.wins_over(odd)) {
            let Some(difference) = odd.name.difference(&usual.name) else { continue };
            // Who writes two nearly equal names into one formula mostly means two things.
            if matches!(difference, Difference::Letters(_)) && odd.meets(usual) {
                continue;
            }
            if best.is_none_or(|(d, e)| difference < d || (difference == d && usual.wins_over(e))) {
                best = Some((difference, usual));
            }
        }
        if let Some((difference, usual)) = best {
            report(table, odd, usual, difference, out);
        }
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
