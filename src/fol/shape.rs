//! Telling whether two formulas are the same but for the ways of writing them.

use super::ast::{Connective, Formula, FormulaKind, Term, TermKind};

/// A text that two formulas, or their negations, share if they differ only in the names of bound variables, in brackets,
/// in the order of `∧`, `∨`, `⊕`, `↔` and `=`, and in how negation is spelt (`A ⊕ B` or `¬(A ↔ B)`, `a ≠ b` or `¬(a = b)`,
/// double negation).
///
/// Sorting looks at variables by their nesting, so formulas that differ in the order of quantifiers of one kind differ here.
#[must_use]
pub fn key(formula: &Formula, negated: bool) -> String {
    shape_in(formula, negated, &mut Vec::new())
}

fn shape_in<'a>(formula: &'a Formula, negated: bool, bound: &mut Vec<&'a str>) -> String {
    let sign = if negated { "¬" } else { "" };
    match &formula.kind {
        FormulaKind::Constant(value) => if *value == negated { "⊥" } else { "⊤" }.to_owned(),
        FormulaKind::Atom(atom) => {
            let args: Vec<String> = atom.args.iter().map(|t| shape_of_term(t, bound)).collect();
            format!("{sign}{}({})", atom.name, args.join(","))
        }
        FormulaKind::Equal(a, b) => shape_of_equation(a, b, negated, bound),
        FormulaKind::NotEqual(a, b) => shape_of_equation(a, b, !negated, bound),
        FormulaKind::Not(a) => shape_in(a, !negated, bound),
        FormulaKind::Quantified(quantifier, variables, body) => {
            let outside = bound.len();
            bound.extend(variables.iter().map(|v| v.name.as_str()));
            let body = shape_in(body, false, bound);
            bound.truncate(outside);
            // One sign a variable, so that `∀x ∀y` and `∀x,y` are alike.
            format!("{sign}{}{body}", quantifier.sign().repeat(variables.len()))
        }
        FormulaKind::Binary(Connective::Implies, a, b) => {
            format!("{sign}({}→{})", shape_in(a, false, bound), shape_in(b, false, bound))
        }
        FormulaKind::Binary(connective @ (Connective::And | Connective::Or), ..) => {
            let mut operands = Vec::new();
            chain(formula, *connective, &mut operands);
            let mut parts: Vec<String> = operands.into_iter().map(|o| shape_in(o, false, bound)).collect();
            parts.sort_unstable();
            format!("{sign}({})", parts.join(connective.sign()))
        }
        FormulaKind::Binary(Connective::Iff | Connective::Xor, ..) => {
            // A chain of both is a parity: only the sides and an overall negation count.
            let mut operands = Vec::new();
            let odd = parity(formula, &mut operands);
            let mut parts: Vec<String> = operands.into_iter().map(|o| shape_in(o, false, bound)).collect();
            parts.sort_unstable();
            format!("{}({})", if odd == negated { "" } else { "¬" }, parts.join("↔"))
        }
    }
}

/// The sides of a chain of `↔` and `⊕`, and whether the chain is the negation of that of `↔` alone.
fn parity<'a>(formula: &'a Formula, operands: &mut Vec<&'a Formula>) -> bool {
    match &formula.kind {
        FormulaKind::Binary(Connective::Iff, a, b) => parity(a, operands) != parity(b, operands),
        FormulaKind::Binary(Connective::Xor, a, b) => parity(a, operands) == parity(b, operands),
        FormulaKind::Not(a) => !parity(a, operands),
        _ => {
            operands.push(formula);
            false
        }
    }
}

fn chain<'a>(formula: &'a Formula, connective: Connective, operands: &mut Vec<&'a Formula>) {
    match &formula.kind {
        FormulaKind::Binary(c, a, b) if *c == connective => {
            chain(a, connective, operands);
            chain(b, connective, operands);
        }
        _ => operands.push(formula),
    }
}

fn shape_of_equation<'a>(a: &'a Term, b: &'a Term, negated: bool, bound: &[&'a str]) -> String {
    let mut sides = [shape_of_term(a, bound), shape_of_term(b, bound)];
    sides.sort_unstable();
    format!("({}{}{})", sides[0], if negated { "≠" } else { "=" }, sides[1])
}

fn shape_of_term(term: &Term, bound: &[&str]) -> String {
    match &term.kind {
        // By how far out it is bound, whatever its name.
        TermKind::Bound(name) => match bound.iter().rposition(|b| b == name) {
            Some(at) => format!("#{at}"),
            None => format!("?{name}"),
        },
        TermKind::Free(name) => format!("?{name}"),
        TermKind::Constant(name) => name.clone(),
        TermKind::Function(name, args) => {
            let args: Vec<String> = args.iter().map(|t| shape_of_term(t, bound)).collect();
            format!("{name}({})", args.join(","))
        }
    }
}
