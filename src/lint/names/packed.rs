//! A predicate whose name holds what another annotation writes as an argument.

use std::collections::BTreeSet;

use super::rules::PACKED;
use super::table::{Entry, Table, Use};
use crate::diagnostic::{Applicability, Diagnostic, EditKind, Fix, Span, TextEdit};
use crate::lint::words::{Name, same_word};

const ARTICLES: &[&str] = &["a", "an", "the"];
const PREPOSITIONS: &[&str] = &["in", "on", "at", "of", "by", "to", "for", "with", "from"];

/// Looks for `HaveAHorseRanch(x)` beside `Have(x, horseRanch)`.
pub(super) fn check<'a>(table: &Table<'a>, out: &mut Vec<Diagnostic>) {
    for packed in table.predicates.iter().filter(|e| e.name.words.len() >= 2) {
        if let Some((plain, constant, u)) = table.predicates.iter().find_map(|plain| {
            let rest = after(&packed.name, &plain.name)?;
            plain.uses.iter().find_map(|u| {
                let held = |(i, c): &(usize, &'a str)| holds(rest, &Name::new(c)).then_some((*i, *c));
                u.constants.iter().find_map(held).map(|constant| (plain, constant, u))
            })
        }) {
            report(table, packed, plain, constant, u, out);
        }
    }
}

/// The words of `long` after those of `short`, where it starts with them.
fn after<'a>(long: &'a Name, short: &Name) -> Option<&'a [String]> {
    let rest = long.words.get(short.words.len()..).filter(|r| !r.is_empty())?;
    let starts = !short.words.is_empty() && short.words.iter().zip(&long.words).all(|(a, b)| same_word(a, b));
    starts.then_some(rest)
}

/// Whether these words are the constant, articles before and a preposition after it aside.
fn holds(words: &[String], constant: &Name) -> bool {
    let bare = |words: &[String]| -> String {
        words.iter().filter(|w| !ARTICLES.contains(&w.as_str())).map(String::as_str).collect()
    };
    let wanted = bare(&constant.words);
    if wanted.chars().count() < 3 {
        return false;
    }
    if same_word(&bare(words), &wanted) {
        return true;
    }
    words.split_last().is_some_and(|(last, rest)| {
        PREPOSITIONS.contains(&last.as_str()) && !rest.is_empty() && same_word(&bare(rest), &wanted)
    })
}

fn report(
    table: &Table<'_>,
    packed: &Entry<'_>,
    plain: &Entry<'_>,
    (position, constant): (usize, &str),
    example: &Use<'_>,
    out: &mut Vec<Diagnostic>,
) {
    let mut told = BTreeSet::new();
    for u in &packed.uses {
        let Some(annotation) = table.annotations.get(u.annotation) else { continue };
        if !told.insert(u.annotation) {
            continue;
        }
        let mut found = PACKED
            .diagnostic(
                annotation.target,
                u.span,
                format!(
                    "`{}` packs into its name what {} writes `{}(…, {constant})`",
                    packed.name.text,
                    table.place(example),
                    plain.name.text
                ),
            )
            .hint("they are different symbols to a prover: nothing said with one follows from the other");
        // Only where the constant is all that the packed atoms lack is it plain how to write them.
        if position + 1 == example.arity {
            let uses: Vec<&Use<'_>> = packed.uses.iter().filter(|x| x.annotation == u.annotation).collect();
            let edits: Option<Vec<Vec<TextEdit>>> =
                uses.iter().map(|x| unpack(x, plain, constant, example.arity, annotation.text)).collect();
            if let Some(edits) = edits {
                found = found.fix(Fix {
                    applicability: Applicability::Unsafe,
                    kind: EditKind::Fix,
                    title: format!("write `{}(…, {constant})`", plain.name.text),
                    edits: edits.into_iter().flatten().collect(),
                    alternatives: Vec::new(),
                });
            }
        }
        out.push(found);
    }
}

fn unpack(u: &Use<'_>, plain: &Entry<'_>, constant: &str, arity: usize, text: &str) -> Option<Vec<TextEdit>> {
    if u.arity == 0 || u.arity + 1 != arity || !u.whole.of(text).ends_with(')') {
        return None;
    }
    let close = u.whole.end - 1;
    Some(vec![
        TextEdit { span: u.span, replacement: plain.name.text.clone() },
        TextEdit { span: Span::at(close), replacement: format!(", {constant}") },
    ])
}
