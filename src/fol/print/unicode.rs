//! FOLIO's own notation, with the fewest brackets that keep the tree.

use std::fmt::Write as _;

use crate::fol::ast::{Connective, Formula, FormulaKind, Term, TermKind};

/// Prints a formula so that parsing the text with tight quantifier scope gives the same tree.
///
/// Brackets are put where precedence needs them, and around mixed chains that readers take in different ways
/// (`A ∨ B ⊕ C`, `A ∧ B ∨ C`), so that the text carries no doubt.
#[must_use]
pub fn print(formula: &Formula) -> String {
    let mut out = String::new();
    write(formula, &mut out);
    out
}

fn write(formula: &Formula, out: &mut String) {
    match &formula.kind {
        FormulaKind::Constant(true) => out.push('⊤'),
        FormulaKind::Constant(false) => out.push('⊥'),
        FormulaKind::Atom(atom) => {
            out.push_str(&atom.name);
            if !atom.args.is_empty() {
                write_args(&atom.args, out);
            }
        }
        FormulaKind::Equal(a, b) => {
            write_term(a, out);
            out.push_str(" = ");
            write_term(b, out);
        }
        FormulaKind::NotEqual(a, b) => {
            write_term(a, out);
            out.push_str(" ≠ ");
            write_term(b, out);
        }
        FormulaKind::Not(a) => {
            out.push('¬');
            let brackets =
                matches!(a.kind, FormulaKind::Binary(..) | FormulaKind::Equal(..) | FormulaKind::NotEqual(..));
            write_in(a, brackets, out);
        }
        FormulaKind::Binary(connective, a, b) => {
            write_in(a, needs_brackets(*connective, a, true), out);
            let _ = write!(out, " {} ", connective.sign());
            write_in(b, needs_brackets(*connective, b, false), out);
        }
        FormulaKind::Quantified(quantifier, variables, body) => {
            out.push_str(quantifier.sign());
            for (i, variable) in variables.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                    // `1,234` would be one number.
                    if variable.name.starts_with(|c: char| c.is_ascii_digit()) {
                        out.push(' ');
                    }
                }
                out.push_str(&variable.name);
            }
            out.push(' ');
            let bare = matches!(body.kind, FormulaKind::Quantified(..));
            write_in(body, !bare, out);
        }
    }
}

fn write_in(formula: &Formula, brackets: bool, out: &mut String) {
    if brackets {
        out.push('(');
    }
    write(formula, out);
    if brackets {
        out.push(')');
    }
}

/// Whether an operand must or should stand in brackets.
fn needs_brackets(outer: Connective, operand: &Formula, left: bool) -> bool {
    let FormulaKind::Binary(inner, ..) = operand.kind else { return false };
    if inner == outer {
        return left == outer.is_right_associative();
    }
    match outer {
        // Only ∧ ∨ ⊕ below an arrow are beyond doubt.
        Connective::Implies | Connective::Iff => matches!(inner, Connective::Implies | Connective::Iff),
        Connective::And | Connective::Or | Connective::Xor => true,
    }
}

fn write_args(args: &[Term], out: &mut String) {
    out.push('(');
    for (i, arg) in args.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write_term(arg, out);
    }
    out.push(')');
}

fn write_term(term: &Term, out: &mut String) {
    match &term.kind {
        TermKind::Bound(name) | TermKind::Free(name) | TermKind::Constant(name) => out.push_str(name),
        TermKind::Function(name, args) => {
            out.push_str(name);
            write_args(args, out);
        }
    }
}

/// Prints a term.
#[must_use]
pub fn print_term(term: &Term) -> String {
    let mut out = String::new();
    write_term(term, &mut out);
    out
}
