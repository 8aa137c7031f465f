//! A predicate whose name holds what another annotation writes as an argument.

use std::collections::{BTreeSet, HashMap, HashSet};

use foldhash::fast::RandomState;

use super::rules::PACKED;
use super::table::{Entry, Table, Use};
use crate::diagnostic::{Applicability, Diagnostic, EditKind, Fix, Span, TextEdit};
use crate::lint::words::{Name, same_word, stem_key, stem_keys};

const ARTICLES: &[&str] = &["a", "an", "the"];
const PREPOSITIONS: &[&str] = &["in", "on", "at", "of", "by", "to", "for", "with", "from"];

/// Looks for `HaveAHorseRanch(x)` beside `Have(x, horseRanch)`. The first predicate that does it so is named, at its
/// first such use.
///
/// Records may have thousands of predicates, so none is held against all others: names are looked up by the stems of
/// their first words, then constants by the stems of the words left.
pub(super) fn check(table: &Table<'_>, out: &mut Vec<Diagnostic>) {
    // The stems of whole names, and those of each name's beginnings. Most records have none in common.
    let mut whole: Vec<u64> = Vec::with_capacity(table.predicates.len());
    let mut starts: Vec<(u64, usize)> = Vec::with_capacity(4 * table.predicates.len());
    for (i, predicate) in table.predicates.iter().enumerate() {
        starts.extend(stem_keys(&predicate.name.words).map(|key| (key, i)));
        // The last of them is the whole name.
        if predicate.name.words.len() > 0
            && let Some((key, _)) = starts.pop()
        {
            whole.push(key);
        }
    }
    whole.sort_unstable();
    let mut packed: Vec<usize> =
        starts.iter().filter(|(key, _)| whole.binary_search(key).is_ok()).map(|(_, i)| *i).collect();
    packed.dedup();
    let packed = packed.into_iter().filter_map(|i| table.predicates.get(i));
    let mut arguments: Option<Arguments<'_, '_>> = None;
    for packed in packed {
        let arguments = arguments.get_or_insert_with(|| Arguments::new(table));
        if let Some(Argument { plain, used, position, constant }) = arguments.of(packed) {
            report(table, packed, plain, (position, constant.text), used, out);
        }
    }
}

/// A constant as an argument of a predicate.
#[derive(Clone, Copy)]
struct Argument<'e, 'a> {
    plain: &'e Entry<'a>,
    used: &'e Use<'a>,
    position: usize,
    constant: &'e Name<'a>,
}

/// The constant arguments of a record's predicates, by the stems of the predicate's words and that of the constant; each
/// constant once for each predicate, in the order of [`Table::predicates`] and then of the uses.
struct Arguments<'e, 'a> {
    by_stems: HashMap<(u64, u64), Vec<(usize, Argument<'e, 'a>)>, RandomState>,
}

impl<'e, 'a> Arguments<'e, 'a> {
    fn new(table: &'e Table<'a>) -> Self {
        let mut by_stems: HashMap<_, Vec<_>, _> = HashMap::default();
        let mut order = 0;
        for plain in &table.predicates {
            let Some(stems) = stem_keys(&plain.name.words).last() else { continue };
            let mut seen: HashSet<&str, RandomState> = HashSet::default();
            for used in &plain.uses {
                for (position, name) in used.constants().filter(|(_, name)| seen.insert(name)) {
                    let Some(constant) = table.term(name).map(|e| &e.name) else { continue };
                    let key = (stems, stem_key(&bare(constant.words.iter())));
                    let argument = Argument { plain, used, position, constant };
                    by_stems.entry(key).or_default().push((order, argument));
                    order += 1;
                }
            }
        }
        Self { by_stems }
    }

    /// The first argument that the name of `packed` holds.
    fn of(&self, packed: &Entry<'a>) -> Option<Argument<'e, 'a>> {
        let words: Vec<&str> = packed.name.words.iter().collect();
        let mut first: Option<(usize, Argument<'e, 'a>)> = None;
        for (stems, start) in stem_keys(&packed.name.words).zip(1..words.len()) {
            let (front, rest) = words.split_at(start);
            for held in held(rest) {
                let found = self.by_stems.get(&(stems, stem_key(&held))).into_iter().flatten();
                // Equal keys are equal stems, but for chance and for what `same_word` tells apart nevertheless.
                let mut fitting = found.filter(|(_, argument)| {
                    let Argument { plain, constant, .. } = argument;
                    starts_with(front, &plain.name) && is_constant(&held, constant)
                });
                let found = fitting.next().copied();
                first = match (first, found) {
                    (Some(a), Some(b)) => Some(if b.0 < a.0 { b } else { a }),
                    (a, b) => a.or(b),
                };
            }
        }
        first.map(|(_, argument)| argument)
    }
}

/// Whether these words are those of a name.
fn starts_with(front: &[&str], name: &Name<'_>) -> bool {
    front.len() == name.words.len() && front.iter().zip(name.words.iter()).all(|(a, b)| same_word(a, b))
}

/// What words behind a predicate's name may name: all of it, and what stands before a preposition at the end.
fn held(words: &[&str]) -> impl Iterator<Item = String> {
    let before = words.split_last().filter(|(last, rest)| PREPOSITIONS.contains(last) && !rest.is_empty());
    [Some(words), before.map(|(_, rest)| rest)].into_iter().flatten().map(|words| bare(words.iter().copied()))
}

/// Words as one, without articles.
fn bare<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.filter(|w| !ARTICLES.contains(w)).collect()
}

/// Whether the words of `held` are those of the constant.
fn is_constant(held: &str, constant: &Name<'_>) -> bool {
    let wanted = bare(constant.words.iter());
    wanted.chars().count() >= 3 && same_word(held, &wanted)
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
        TextEdit { span: u.span, replacement: plain.name.text.to_owned() },
        TextEdit { span: Span::at(close), replacement: format!(", {constant}") },
    ])
}
