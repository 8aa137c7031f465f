//! Telling formulas apart that differ in more than brackets and order.

use std::hash::BuildHasher as _;

use super::ast::{Connective, Formula, FormulaKind, Quantifier, SymbolKind, Term, TermKind};
use super::print::unicode;

/// A text that two formulas share if they differ only in brackets and order of `∧`, `∨`, `⊕`, `↔` and `=`.
///
/// Equal keys mean equivalent formulas; different keys need not mean inequivalent ones, which only a prover can tell.
#[must_use]
pub fn key(formula: &Formula) -> String {
    match &formula.kind {
        FormulaKind::Constant(_) | FormulaKind::Atom(_) => unicode::print(formula),
        FormulaKind::Equal(a, b) | FormulaKind::NotEqual(a, b) => {
            let mut sides = [unicode::print_term(a), unicode::print_term(b)];
            sides.sort_unstable();
            let sign = if matches!(formula.kind, FormulaKind::Equal(..)) { "=" } else { "≠" };
            format!("({}{sign}{})", sides[0], sides[1])
        }
        FormulaKind::Not(a) => format!("¬{}", key(a)),
        FormulaKind::Quantified(quantifier, variables, body) => {
            let mut out = String::new();
            for variable in variables {
                out.push_str(quantifier.sign());
                out.push_str(&variable.name);
            }
            out.push_str(&key(body));
            out
        }
        FormulaKind::Binary(Connective::Implies, a, b) => format!("({}→{})", key(a), key(b)),
        FormulaKind::Binary(connective, ..) => {
            let mut parts = Vec::new();
            flatten(formula, *connective, &mut parts);
            parts.sort_unstable();
            format!("({})", parts.join(connective.sign()))
        }
    }
}

/// ∧, ∨, ⊕ and ↔ are associative, so brackets inside a chain of one of them do not matter.
fn flatten(formula: &Formula, connective: Connective, parts: &mut Vec<String>) {
    match &formula.kind {
        FormulaKind::Binary(c, a, b) if *c == connective => {
            flatten(a, connective, parts);
            flatten(b, connective, parts);
        }
        _ => parts.push(key(formula)),
    }
}

/// A number that is the same for formulas of one [`key`]; others hardly ever share it. Made without a text, so that
/// unlike formulas are told apart before their keys are made.
#[must_use]
pub fn fingerprint(formula: &Formula) -> u64 {
    match &formula.kind {
        FormulaKind::Constant(value) => mix(1, u64::from(*value)),
        FormulaKind::Atom(atom) => atom.args.iter().fold(mix(2, word(&atom.name)), |all, t| mix(all, of_term(t))),
        // Sums, because the order is not to matter.
        FormulaKind::Equal(a, b) => mix(3, of_term(a).wrapping_add(of_term(b))),
        FormulaKind::NotEqual(a, b) => mix(4, of_term(a).wrapping_add(of_term(b))),
        FormulaKind::Not(a) => mix(5, fingerprint(a)),
        FormulaKind::Quantified(quantifier, variables, body) => {
            // From the inside out, so that `∀x,y` is `∀x ∀y`.
            let tag = if *quantifier == Quantifier::ForAll { 6 } else { 7 };
            variables.iter().rev().fold(fingerprint(body), |body, v| mix(mix(tag, word(&v.name)), body))
        }
        FormulaKind::Binary(Connective::Implies, a, b) => mix(mix(8, fingerprint(a)), fingerprint(b)),
        FormulaKind::Binary(connective, ..) => mix(9 + *connective as u64, of_chain(formula, *connective)),
    }
}

fn of_chain(formula: &Formula, connective: Connective) -> u64 {
    match &formula.kind {
        FormulaKind::Binary(c, a, b) if *c == connective => {
            of_chain(a, connective).wrapping_add(of_chain(b, connective))
        }
        _ => mix(20, fingerprint(formula)),
    }
}

fn of_term(term: &Term) -> u64 {
    match &term.kind {
        // A key does not say what a name is used as.
        TermKind::Bound(name) | TermKind::Free(name) | TermKind::Constant(name) => mix(14, word(name)),
        TermKind::Function(name, args) => args.iter().fold(mix(15, word(name)), |all, t| mix(all, of_term(t))),
    }
}

fn word(name: &str) -> u64 {
    foldhash::fast::FixedState::default().hash_one(name)
}

/// The two halves of a product, folded: every bit of both goes into every bit of the outcome.
pub(crate) const fn mix(a: u64, b: u64) -> u64 {
    let product = (a ^ 0x9e37_79b9_7f4a_7c15) as u128 * (b ^ 0xd1b5_4a32_d192_ed03) as u128;
    (product ^ (product >> 64)) as u64
}

/// How many uses of free variables a formula has.
#[must_use]
pub fn free_uses(formula: &Formula) -> usize {
    let mut uses = 0;
    formula.each_symbol(&mut |symbol| uses += usize::from(symbol.kind == SymbolKind::Free));
    uses
}
