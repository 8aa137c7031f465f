//! Rules about the shape of a formula.

mod chains;
mod quantified;
mod rules;

use super::{Annotation, tree};
use crate::diagnostic::{Applicability, Diagnostic, EditKind, Fix, TextEdit};
use crate::fol::{Connective, Formula, FormulaKind, Term};

pub use rules::RULES;
use rules::{DOUBLE_NEGATION, SELF_EQUAL};

/// Looks at one annotation. Annotations without a reading are left to the syntax rules.
pub fn check(annotation: &Annotation<'_>, out: &mut Vec<Diagnostic>) {
    let Some(formula) = annotation.parsed.reading() else { return };
    visit(annotation, formula, None, out);
}

/// Looks at a formula and everything in it. `parent` is what it stands in directly.
fn visit(annotation: &Annotation<'_>, formula: &Formula, parent: Option<&Formula>, out: &mut Vec<Diagnostic>) {
    match &formula.kind {
        FormulaKind::Equal(a, b) | FormulaKind::NotEqual(a, b) if a == b => {
            self_equality(annotation, formula, a, out);
        }
        FormulaKind::Not(inner) if matches!(inner.kind, FormulaKind::Not(_)) => {
            double_negation(annotation, formula, inner, out);
        }
        FormulaKind::Binary(connective, ..) => {
            // A chain is looked at once, from its top.
            let top = !parent.is_some_and(|p| is(p, *connective));
            if top && *connective == Connective::Xor {
                chains::parity(annotation, formula, parent, out);
            }
            let inside_unbracketed =
                parent.is_some_and(|p| matches!(p.kind, FormulaKind::Binary(..))) && !formula.bracketed;
            if !inside_unbracketed {
                chains::mixed(annotation, formula, out);
                chains::arrows(annotation, formula, out);
            }
            if top || !matches!(connective, Connective::And | Connective::Or) {
                chains::repetitions(annotation, formula, out);
            }
        }
        FormulaKind::Quantified(quantifier, ..) => {
            let continued =
                parent.is_some_and(|p| matches!(&p.kind, FormulaKind::Quantified(q, ..) if q == quantifier));
            if !continued {
                quantified::check(annotation, formula, parent, out);
            }
        }
        _ => {}
    }
    for child in formula.children() {
        visit(annotation, child, Some(formula), out);
    }
}

fn is(formula: &Formula, connective: Connective) -> bool {
    matches!(&formula.kind, FormulaKind::Binary(c, ..) if *c == connective)
}

fn self_equality(annotation: &Annotation<'_>, formula: &Formula, term: &Term, out: &mut Vec<Diagnostic>) {
    let always = if matches!(formula.kind, FormulaKind::Equal(..)) { "always" } else { "never" };
    let term = term.span.of(annotation.text);
    out.push(
        SELF_EQUAL
            .diagnostic(
                annotation.target,
                formula.span,
                format!("`{}` {always} holds", formula.span.of(annotation.text)),
            )
            .hint(format!("was one `{term}` meant to be another term?")),
    );
}

fn double_negation(annotation: &Annotation<'_>, formula: &Formula, inner: &Formula, out: &mut Vec<Diagnostic>) {
    let FormulaKind::Not(kept) = &inner.kind else { return };
    out.push(DOUBLE_NEGATION.diagnostic(annotation.target, formula.span, "two negations cancel each other").fix(Fix {
        applicability: Applicability::DisplayOnly,
        kind: EditKind::Fix,
        title: "drop both negations".to_owned(),
        edits: vec![TextEdit { span: formula.span, replacement: tree::operand_text(kept, annotation.text) }],
        alternatives: Vec::new(),
    }));
}

#[cfg(test)]
mod tests;
