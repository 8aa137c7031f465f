//! Telling formulas apart that differ in more than brackets and order.

use super::ast::{Connective, Formula, FormulaKind, SymbolKind};
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

/// How many uses of free variables a formula has.
#[must_use]
pub fn free_uses(formula: &Formula) -> usize {
    formula.symbols().iter().filter(|s| s.kind == SymbolKind::Free).count()
}
