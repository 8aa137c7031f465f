//! Negation normal form without existential quantifiers.

use std::collections::BTreeMap;

use super::solve::GiveUp;
use crate::fol::{Connective, Formula, FormulaKind, Quantifier, Term, TermKind};

/// Nodes that the formulas of one question may come to; `⊕` and `↔` double their sides.
const MAX_NODES: usize = 50_000;

/// An individual: a constant's number, or a variable that a universal quantifier binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arg {
    Individual(u32),
    /// Counted from the outermost universal quantifier of its formula.
    Variable(u32),
}

/// A formula in negation normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Normal {
    /// A predicate, by number.
    Atom {
        predicate: u32,
        args: Vec<Arg>,
        positive: bool,
    },
    Equal {
        left: Arg,
        right: Arg,
        positive: bool,
    },
    And(Vec<Self>),
    Or(Vec<Self>),
    /// Binds the variable of this number.
    ForAll(u32, Box<Self>),
}

/// What names stand for throughout one question.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) individuals: Vec<Individual>,
    constants: BTreeMap<String, u32>,
    free: BTreeMap<String, u32>,
    pub(super) predicates: Vec<(String, usize)>,
    predicate_numbers: BTreeMap<(String, usize), u32>,
    nodes: usize,
}

/// Where an individual of the ground question comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Individual {
    Constant(String),
    Free(String),
    /// Stands for an existential quantifier, or for the one individual that every domain has.
    Witness,
}

impl Names {
    pub(super) fn witness(&mut self) -> u32 {
        self.individual(Individual::Witness)
    }

    fn individual(&mut self, individual: Individual) -> u32 {
        self.individuals.push(individual);
        u32::try_from(self.individuals.len() - 1).unwrap_or(u32::MAX)
    }

    fn constant(&mut self, name: &str) -> u32 {
        if let Some(number) = self.constants.get(name) {
            return *number;
        }
        let number = self.individual(Individual::Constant(name.to_owned()));
        self.constants.insert(name.to_owned(), number);
        number
    }

    fn free_variable(&mut self, name: &str) -> u32 {
        if let Some(number) = self.free.get(name) {
            return *number;
        }
        let number = self.individual(Individual::Free(name.to_owned()));
        self.free.insert(name.to_owned(), number);
        number
    }

    fn predicate(&mut self, name: &str, arity: usize) -> u32 {
        let key = (name.to_owned(), arity);
        if let Some(number) = self.predicate_numbers.get(&key) {
            return *number;
        }
        let number = u32::try_from(self.predicates.len()).unwrap_or(u32::MAX);
        self.predicates.push(key.clone());
        self.predicate_numbers.insert(key, number);
        number
    }
}

/// Brings a formula, or its negation, into normal form.
pub(super) fn normalise(formula: &Formula, positive: bool, names: &mut Names) -> Result<Normal, GiveUp> {
    Normaliser { names, scope: Vec::new(), universals: 0 }.formula(formula, positive)
}

struct Normaliser<'a, 'n> {
    names: &'n mut Names,
    /// What the variables around the current place are, innermost last.
    scope: Vec<(&'a str, Arg)>,
    /// Universal quantifiers around the current place.
    universals: u32,
}

impl<'a> Normaliser<'a, '_> {
    fn formula(&mut self, formula: &'a Formula, positive: bool) -> Result<Normal, GiveUp> {
        self.names.nodes += 1;
        if self.names.nodes > MAX_NODES {
            return Err(GiveUp::TooLarge);
        }
        Ok(match &formula.kind {
            FormulaKind::Constant(value) => {
                if *value == positive {
                    Normal::And(Vec::new())
                } else {
                    Normal::Or(Vec::new())
                }
            }
            FormulaKind::Atom(atom) => {
                let args = atom.args.iter().map(|t| self.term(t)).collect::<Result<_, _>>()?;
                Normal::Atom { predicate: self.names.predicate(&atom.name, atom.args.len()), args, positive }
            }
            FormulaKind::Equal(a, b) => Normal::Equal { left: self.term(a)?, right: self.term(b)?, positive },
            FormulaKind::NotEqual(a, b) => {
                Normal::Equal { left: self.term(a)?, right: self.term(b)?, positive: !positive }
            }
            FormulaKind::Not(a) => self.formula(a, !positive)?,
            FormulaKind::Binary(connective, a, b) => self.binary(*connective, a, b, positive)?,
            FormulaKind::Quantified(quantifier, variables, body) => {
                let universal = (*quantifier == Quantifier::ForAll) == positive;
                let outside = self.scope.len();
                let first = self.universals;
                for variable in variables {
                    let arg = if universal {
                        self.universals += 1;
                        Arg::Variable(self.universals - 1)
                    } else if first == 0 || !self.depends_on_universal(formula) {
                        Arg::Individual(self.names.witness())
                    } else {
                        return Err(GiveUp::NeedsFunctions);
                    };
                    self.scope.push((&variable.name, arg));
                }
                let body = self.formula(body, positive)?;
                self.scope.truncate(outside);
                let last = self.universals;
                self.universals = first;
                (first..last).rev().fold(body, |body, number| Normal::ForAll(number, Box::new(body)))
            }
        })
    }

    fn binary(
        &mut self,
        connective: Connective,
        a: &'a Formula,
        b: &'a Formula,
        positive: bool,
    ) -> Result<Normal, GiveUp> {
        let pair = |all: bool, a, b| if all { Normal::And(vec![a, b]) } else { Normal::Or(vec![a, b]) };
        Ok(match connective {
            Connective::And => pair(positive, self.formula(a, positive)?, self.formula(b, positive)?),
            Connective::Or => pair(!positive, self.formula(a, positive)?, self.formula(b, positive)?),
            Connective::Implies => pair(!positive, self.formula(a, !positive)?, self.formula(b, positive)?),
            Connective::Iff | Connective::Xor => {
                // A ↔ B is (¬A ∨ B) ∧ (A ∨ ¬B); A ⊕ B is (A ∨ B) ∧ (¬A ∨ ¬B).
                let same = (connective == Connective::Iff) == positive;
                let first = pair(false, self.formula(a, !same)?, self.formula(b, true)?);
                let second = pair(false, self.formula(a, same)?, self.formula(b, false)?);
                pair(true, first, second)
            }
        })
    }

    /// Whether a variable of a universal quantifier around it stands in the formula. An individual that does not depend
    /// on one can be the same for all.
    fn depends_on_universal(&self, formula: &'a Formula) -> bool {
        fn inside<'a>(formula: &'a Formula, own: &mut Vec<&'a str>, outer: &[(&'a str, Arg)]) -> bool {
            let refers = |term: &Term, own: &[&str]| {
                let mut found = false;
                term.walk(&mut |t| {
                    if let TermKind::Bound(name) = &t.kind
                        && !own.contains(&name.as_str())
                    {
                        let bound_by = outer.iter().rev().find(|(n, _)| n == name);
                        found |= matches!(bound_by, Some((_, Arg::Variable(_))));
                    }
                });
                found
            };
            if formula.terms().into_iter().any(|t| refers(t, own)) {
                return true;
            }
            let outside = own.len();
            if let FormulaKind::Quantified(_, variables, _) = &formula.kind {
                own.extend(variables.iter().map(|v| v.name.as_str()));
            }
            let found = formula.children().any(|child| inside(child, own, outer));
            own.truncate(outside);
            found
        }
        inside(formula, &mut Vec::new(), &self.scope)
    }

    fn term(&mut self, term: &Term) -> Result<Arg, GiveUp> {
        match &term.kind {
            TermKind::Bound(name) => {
                self.scope.iter().rev().find(|(n, _)| n == name).map(|(_, arg)| *arg).ok_or(GiveUp::NeedsFunctions)
            }
            TermKind::Free(name) => Ok(Arg::Individual(self.names.free_variable(name))),
            TermKind::Constant(name) => Ok(Arg::Individual(self.names.constant(name))),
            TermKind::Function(..) => Err(GiveUp::NeedsFunctions),
        }
    }
}
