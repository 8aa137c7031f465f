//! Which names are variables.
//!
//! Datasets do not declare their constants, so a name's spelling and surroundings decide: inside a quantifier that binds
//! it, it is bound; a single lower-case letter from `u` to `z`, with or without digits, is a variable that nobody bound;
//! so is a name that some quantifier of the same annotation binds but that stands outside its scope. Everything else is
//! a constant.

use std::collections::HashSet;
use std::hash::BuildHasher;

use super::ast::{Formula, FormulaKind, Quantifier, Term, TermKind, Variable};

/// Whether a name is a letter from `u` to `z`, with or without digits behind it.
#[must_use]
pub fn is_variable_name(name: &str) -> bool {
    matches!(name.as_bytes().first(), Some(b'u'..=b'z')) && is_letter_with_digits(name)
}

/// Whether a name is one ASCII letter, with or without digits behind it.
pub(super) fn is_letter_with_digits(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic()) && bytes.all(|b| b.is_ascii_digit())
}

/// The universal closure: every free variable bound by `∀` around the whole, in the order of their names.
#[must_use]
pub fn close(mut formula: Formula) -> Formula {
    let mut names = Vec::new();
    bind(&mut formula, &mut names);
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return formula;
    }
    let span = formula.span;
    let variables = names.into_iter().map(|name| Variable { name, span }).collect();
    Formula::new(FormulaKind::Quantified(Quantifier::ForAll, variables, Box::new(formula)), span)
}

fn bind(formula: &mut Formula, names: &mut Vec<String>) {
    match &mut formula.kind {
        FormulaKind::Constant(_) => {}
        FormulaKind::Atom(atom) => atom.args.iter_mut().for_each(|t| bind_term(t, names)),
        FormulaKind::Equal(a, b) | FormulaKind::NotEqual(a, b) => {
            bind_term(a, names);
            bind_term(b, names);
        }
        FormulaKind::Not(a) | FormulaKind::Quantified(_, _, a) => bind(a, names),
        FormulaKind::Binary(_, a, b) => {
            bind(a, names);
            bind(b, names);
        }
    }
}

fn bind_term(term: &mut Term, names: &mut Vec<String>) {
    match &mut term.kind {
        TermKind::Free(name) => {
            names.push(name.clone());
            term.kind = TermKind::Bound(std::mem::take(name));
        }
        TermKind::Function(_, args) => args.iter_mut().for_each(|t| bind_term(t, names)),
        TermKind::Bound(_) | TermKind::Constant(_) => {}
    }
}

/// Marks the free variables among the constants of a formula; `quantified` are the names its quantifiers bind.
pub(super) fn resolve<S: BuildHasher>(formula: &mut Formula, quantified: &HashSet<&str, S>) {
    match &mut formula.kind {
        FormulaKind::Constant(_) => {}
        FormulaKind::Atom(atom) => atom.args.iter_mut().for_each(|t| resolve_term(t, quantified)),
        FormulaKind::Equal(a, b) | FormulaKind::NotEqual(a, b) => {
            resolve_term(a, quantified);
            resolve_term(b, quantified);
        }
        FormulaKind::Not(a) | FormulaKind::Quantified(_, _, a) => resolve(a, quantified),
        FormulaKind::Binary(_, a, b) => {
            resolve(a, quantified);
            resolve(b, quantified);
        }
    }
}

fn resolve_term<S: BuildHasher>(term: &mut Term, quantified: &HashSet<&str, S>) {
    match &mut term.kind {
        TermKind::Constant(name) if is_variable_name(name) || quantified.contains(name.as_str()) => {
            term.kind = TermKind::Free(std::mem::take(name));
        }
        TermKind::Function(_, args) => args.iter_mut().for_each(|t| resolve_term(t, quantified)),
        _ => {}
    }
}
