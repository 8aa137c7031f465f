//! Instances of statements as formulas, in the author's notation.

use std::collections::BTreeMap;

use super::names::{Names, not};
use crate::diagnostic::Span;
use crate::fol::print::unicode;
use crate::fol::{Atom, Connective, Formula, FormulaKind, Quantifier, Term, TermKind};
use crate::ground::{Individual, Instance, Place, Statement, quantified_variables};

/// An instance as it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ToldInstance {
    /// The universal variables with what was put for them.
    pub(super) with: Vec<(String, String)>,
    /// What then remains of the statement, negated where the statement is.
    pub(super) formula: String,
}

/// Tells an instance of a statement.
pub(super) fn tell(instance: &Instance, statement: Statement<'_>, names: &mut Names<'_>) -> ToldInstance {
    let mut making = Making { instance, names, scope: Vec::new(), with: Vec::new() };
    let formula = making.formula(statement.formula, !statement.negated, 0);
    let formula = if statement.negated { not(formula) } else { formula };
    ToldInstance { with: making.with, formula: unicode::print(&formula) }
}

/// A formula with terms for variables that stand free in it. The terms hold no variables that could be caught.
pub(super) fn substitute(formula: &Formula, values: &BTreeMap<String, Term>) -> Formula {
    let term = |t: &Term| substitute_in_term(t, values);
    let kind = match &formula.kind {
        FormulaKind::Constant(value) => FormulaKind::Constant(*value),
        FormulaKind::Atom(atom) => FormulaKind::Atom(with_args(atom, atom.args.iter().map(term).collect())),
        FormulaKind::Equal(a, b) => FormulaKind::Equal(term(a), term(b)),
        FormulaKind::NotEqual(a, b) => FormulaKind::NotEqual(term(a), term(b)),
        FormulaKind::Not(a) => FormulaKind::Not(Box::new(substitute(a, values))),
        FormulaKind::Binary(connective, a, b) => {
            FormulaKind::Binary(*connective, Box::new(substitute(a, values)), Box::new(substitute(b, values)))
        }
        FormulaKind::Quantified(quantifier, variables, body) => {
            let mut inner = values.clone();
            inner.retain(|name, _| variables.iter().all(|v| v.name != *name));
            FormulaKind::Quantified(*quantifier, variables.clone(), Box::new(substitute(body, &inner)))
        }
    };
    Formula::new(kind, Span::default())
}

fn substitute_in_term(term: &Term, values: &BTreeMap<String, Term>) -> Term {
    match &term.kind {
        TermKind::Bound(name) => values.get(name).unwrap_or(term).clone(),
        TermKind::Free(_) | TermKind::Constant(_) => term.clone(),
        TermKind::Function(name, args) => {
            let args = args.iter().map(|a| substitute_in_term(a, values)).collect();
            Term { kind: TermKind::Function(name.clone(), args), span: term.span }
        }
    }
}

fn with_args(atom: &Atom, args: Vec<Term>) -> Atom {
    Atom { name: atom.name.clone(), name_span: atom.name_span, args }
}

struct Making<'a, 'n, 'm> {
    instance: &'a Instance,
    names: &'m mut Names<'n>,
    /// The variables around the current place, innermost last.
    scope: Vec<(&'a str, u32)>,
    with: Vec<(String, String)>,
}

impl<'a> Making<'a, '_, '_> {
    /// What remains of a formula that stands plainly, or under an odd number of negations. A part that is left out is
    /// true where it stands plainly and false where it does not, so that nothing follows from it.
    fn formula(&mut self, formula: &'a Formula, plain: bool, first: u32) -> Formula {
        match &formula.kind {
            FormulaKind::Constant(_) => formula.clone(),
            FormulaKind::Atom(atom) => {
                let args = atom.args.iter().map(|t| self.term(t)).collect();
                made(FormulaKind::Atom(with_args(atom, args)))
            }
            FormulaKind::Equal(a, b) => made(FormulaKind::Equal(self.term(a), self.term(b))),
            FormulaKind::NotEqual(a, b) => made(FormulaKind::NotEqual(self.term(a), self.term(b))),
            FormulaKind::Not(a) => negation(self.formula(a, !plain, first)),
            FormulaKind::Binary(connective, a, b) => self.binary(*connective, (a, b), plain, first),
            FormulaKind::Quantified(quantifier, variables, body) => {
                let universal = (*quantifier == Quantifier::ForAll) == plain;
                let names: Vec<&str> = variables.iter().map(|v| v.name.as_str()).collect();
                self.quantified(universal, &names, body, plain, first)
            }
        }
    }

    fn binary(
        &mut self,
        connective: Connective,
        (a, b): (&'a Formula, &'a Formula),
        plain: bool,
        first: u32,
    ) -> Formula {
        let second = first + quantified_variables(a);
        match connective {
            Connective::And | Connective::Or => {
                let (a, b) = (self.formula(a, plain, first), self.formula(b, plain, second));
                joined(connective, a, b)
            }
            Connective::Implies => {
                let (a, b) = (self.formula(a, !plain, first), self.formula(b, plain, second));
                joined(connective, a, b)
            }
            // Without quantifiers both sides mean the same wherever they stand.
            Connective::Iff | Connective::Xor if quantified_variables(a) + quantified_variables(b) == 0 => {
                let (a, b) = (self.formula(a, plain, first), self.formula(b, plain, second));
                made(FormulaKind::Binary(connective, Box::new(a), Box::new(b)))
            }
            Connective::Iff | Connective::Xor => {
                let (a_plain, b_plain) = (self.formula(a, true, first), self.formula(b, true, second));
                let (a_under, b_under) = (self.formula(a, false, first), self.formula(b, false, second));
                use Connective::{And, Implies, Or};
                match (connective, plain) {
                    (Connective::Iff, true) => {
                        joined(And, joined(Implies, a_under, b_plain), joined(Implies, b_under, a_plain))
                    }
                    (Connective::Xor, true) => {
                        joined(And, joined(Or, a_plain, b_plain), joined(Or, negation(a_under), negation(b_under)))
                    }
                    // Their negations are true where the sides differ, or where they do not.
                    (Connective::Iff, false) => {
                        joined(Or, joined(And, a_under, b_under), joined(And, negation(a_plain), negation(b_plain)))
                    }
                    _ => joined(Or, joined(And, a_under, negation(b_plain)), joined(And, b_under, negation(a_plain))),
                }
            }
        }
    }

    fn quantified(
        &mut self,
        universal: bool,
        variables: &[&'a str],
        body: &'a Formula,
        plain: bool,
        first: u32,
    ) -> Formula {
        let Some((name, rest)) = variables.split_first() else { return self.formula(body, plain, first) };
        let statement = u32::try_from(self.instance.statement).unwrap_or(u32::MAX);
        let place = Place { statement, variable: first, plain };
        let value = if universal {
            let Some(chosen) = self.instance.choices.get(&place) else { return made(FormulaKind::Constant(plain)) };
            let term = self.names.term(*chosen);
            self.with.push(((*name).to_owned(), unicode::print_term(&term)));
            *chosen
        } else {
            let values = self.values_in(variables, body);
            self.names.number(&Individual::Witness(place, values)).unwrap_or(u32::MAX)
        };
        self.scope.push((name, value));
        let formula = self.quantified(universal, rest, body, plain, first + 1);
        self.scope.pop();
        formula
    }

    /// The values of the variables around here, outermost first, that stand free in the quantified formula.
    fn values_in(&self, own: &[&'a str], body: &'a Formula) -> Vec<u32> {
        let is_innermost = |at: usize, name: &str| self.scope.iter().skip(at + 1).all(|(n, _)| *n != name);
        let scope = self.scope.iter().enumerate();
        scope
            .filter(|(at, (name, _))| {
                is_innermost(*at, name) && !own.contains(name) && crate::ground::stands_free(name, body)
            })
            .map(|(_, (_, value))| *value)
            .collect()
    }

    fn term(&mut self, term: &Term) -> Term {
        match &term.kind {
            TermKind::Bound(name) => {
                let bound = self.scope.iter().rev().find(|(n, _)| n == name).map(|(_, value)| *value);
                bound.map_or_else(|| term.clone(), |value| self.names.term(value))
            }
            TermKind::Free(_) | TermKind::Constant(_) => term.clone(),
            TermKind::Function(name, args) => {
                let args = args.iter().map(|a| self.term(a)).collect();
                Term { kind: TermKind::Function(name.clone(), args), span: Span::default() }
            }
        }
    }
}

const fn made(kind: FormulaKind) -> Formula {
    Formula::new(kind, Span::new(0, 0))
}

const fn constant(formula: &Formula) -> Option<bool> {
    match formula.kind {
        FormulaKind::Constant(value) => Some(value),
        _ => None,
    }
}

/// `¬A`, or what is shorter and says the same.
fn negation(formula: Formula) -> Formula {
    match constant(&formula) {
        Some(value) => made(FormulaKind::Constant(!value)),
        None => not(formula),
    }
}

/// `A ∘ B` for `∧`, `∨` or `→`, or what is shorter and says the same where a side is `⊤` or `⊥`.
fn joined(connective: Connective, a: Formula, b: Formula) -> Formula {
    match (connective, constant(&a), constant(&b)) {
        (Connective::And | Connective::Implies, Some(true), _) | (Connective::Or, Some(false), _) => b,
        (Connective::And, _, Some(true)) | (Connective::Or, _, Some(false)) => a,
        (Connective::And, Some(false), _) | (Connective::And, _, Some(false)) => made(FormulaKind::Constant(false)),
        (Connective::Or, Some(true), _)
        | (Connective::Or | Connective::Implies, _, Some(true))
        | (Connective::Implies, Some(false), _) => made(FormulaKind::Constant(true)),
        (Connective::Implies, _, Some(false)) => negation(a),
        _ => made(FormulaKind::Binary(connective, Box::new(a), Box::new(b))),
    }
}

#[cfg(test)]
mod tests;
