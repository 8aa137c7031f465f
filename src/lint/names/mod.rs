//! Rules about symbols across a record: its premises and its conclusion.

mod packed;
mod rules;
mod table;
mod variants;

use std::collections::{BTreeMap, BTreeSet};

use super::RecordContext;
use crate::diagnostic::{Diagnostic, Target};

pub(crate) use rules::PACKED_CODE;
pub use rules::RULES;
use rules::{ARITY, ROLE, UNMENTIONED};
use table::{Entry, Table, Use};

/// Looks at a record. Where an annotation has no reading, the best effort at its tree still tells its symbols.
pub fn check(context: &RecordContext<'_>, out: &mut Vec<Diagnostic>) {
    let table = Table::new(context);
    let start = out.len();
    for entry in table.predicates.iter().chain(&table.terms) {
        arities(&table, entry, out);
    }
    roles(&table, out);
    for entries in [&table.predicates, &table.terms] {
        variants::check(&table, entries, out);
    }
    packed::check(&table, out);
    let told: BTreeSet<(Target, usize)> = out.iter().skip(start).map(|d| (d.target, d.span.start)).collect();
    unmentioned(context, &table, &told, out);
}

/// One symbol with several numbers of arguments.
fn arities(table: &Table<'_>, entry: &Entry<'_>, out: &mut Vec<Diagnostic>) {
    if entry.uses.windows(2).all(|pair| pair[0].arity == pair[1].arity) {
        return;
    }
    // The number of arguments with the most uses, then the one used first, is taken as the intended one.
    // Where an annotation has no reading, an atom may be cut short.
    let is_read = |u: &&Use<'_>| table.annotations.get(u.annotation).is_some_and(|a| !a.parsed.has_error());
    let uses: Vec<&Use<'_>> = entry.uses.iter().filter(is_read).collect();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    uses.iter().for_each(|u| *counts.entry(u.arity).or_default() += 1);
    let count = |arity: usize| counts.get(&arity).copied().unwrap_or(0);
    let mut usual: Option<&Use<'_>> = None;
    for u in uses.iter().copied() {
        if usual.is_none_or(|best| count(u.arity) > count(best.arity)) {
            usual = Some(u);
        }
    }
    let Some(usual) = usual else { return };
    let mut told = BTreeSet::new();
    for u in uses.iter().copied().filter(|u| u.arity != usual.arity) {
        if !told.insert((u.annotation, u.arity)) {
            continue;
        }
        let Some(annotation) = table.annotations.get(u.annotation) else { continue };
        let elsewhere = table.place(usual);
        let mut found = ARITY.diagnostic(
            annotation.target,
            u.span,
            format!(
                "`{}` has {} here and {} in {elsewhere}",
                entry.name.text,
                arguments(u.arity),
                arguments(usual.arity)
            ),
        );
        if usual.annotation == u.annotation {
            found = found.related(usual.span, format!("{} here", arguments(usual.arity)));
        }
        out.push(found.hint("they are different symbols to a prover: nothing said with one follows from the other"));
    }
}

fn arguments(arity: usize) -> String {
    match arity {
        0 => "no argument".to_owned(),
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    }
}

/// One name both as a predicate and as a term.
fn roles(table: &Table<'_>, out: &mut Vec<Diagnostic>) {
    for predicate in &table.predicates {
        let Some(term) = table.term(predicate.name.text) else { continue };
        let (odd, usual, role, other) = if predicate.wins_over(term) {
            (term, predicate, "an individual", "a predicate")
        } else {
            (predicate, term, "a predicate", "an individual")
        };
        let Some(first) = usual.uses.first() else { continue };
        for u in Table::first_per_annotation(odd) {
            let Some(annotation) = table.annotations.get(u.annotation) else { continue };
            let mut found = ROLE.diagnostic(
                annotation.target,
                u.span,
                format!("`{}` is {role} here and {other} in {}", odd.name.text, table.place(first)),
            );
            if let Some(same) = usual.uses.iter().find(|x| x.annotation == u.annotation) {
                found = found.related(same.span, format!("{other} here"));
            }
            out.push(found.hint("they are different symbols to a prover"));
        }
    }
}

/// Symbols of the conclusion that no premise has. `told` holds the places that another rule speaks of already.
fn unmentioned(
    context: &RecordContext<'_>,
    table: &Table<'_>,
    told: &BTreeSet<(Target, usize)>,
    out: &mut Vec<Diagnostic>,
) {
    if context.premises.is_empty() {
        return;
    }
    // What an annotation without a reading says may not be in its tree.
    let unread: Vec<&str> = context.premises.iter().filter(|a| a.parsed.has_error()).map(|a| a.text).collect();
    let conclusion = context.premises.len();
    for (entry, what) in
        table.predicates.iter().map(|e| (e, "predicate")).chain(table.terms.iter().map(|e| (e, "individual")))
    {
        let in_premises = entry.uses.iter().any(|u| u.annotation < conclusion);
        let Some(first) = entry.uses.iter().find(|u| u.annotation == conclusion) else { continue };
        if in_premises
            || told.contains(&(Target::Conclusion, first.span.start))
            || unread.iter().any(|text| text.contains(entry.name.text))
        {
            continue;
        }
        out.push(
            UNMENTIONED
                .diagnostic(
                    Target::Conclusion,
                    first.span,
                    format!("no premise mentions the {what} `{}`", entry.name.text),
                )
                .hint("nothing can be derived about it unless the conclusion holds or fails for every meaning of it"),
        );
    }
}

#[cfg(test)]
mod tests;
