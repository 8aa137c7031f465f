//! Negation normal form.

use std::collections::BTreeSet;

use super::Map;

use super::GiveUp;
use super::term::{Individual, Place, Terms};
use crate::fol::{Connective, Formula, FormulaKind, Quantifier, Term, TermKind};

/// Nodes that the formulas of one question may come to; `⊕` and `↔` double their sides.
const MAX_NODES: usize = 50_000;

/// A term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Arg {
    /// An individual that depends on no variable, by number.
    Individual(u32),
    /// A variable, counted from the outermost quantifier of its statement that is not replaced by a witness.
    Variable(u32),
    /// A function, by number, applied to terms.
    Apply(u32, Vec<Self>),
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
    /// Binds the variable of the next number.
    ForAll(Place, Box<Self>),
    /// Likewise; only where the individual depends on variables around it. With everything that it depends on, outermost
    /// first.
    Exists(Place, Vec<Arg>, Box<Self>),
}

/// What names stand for throughout one question.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    pub(super) terms: Terms,
    pub(super) predicates: Vec<(&'a str, usize)>,
    pub(super) functions: Vec<(&'a str, usize)>,
    predicate_numbers: Map<(&'a str, usize), u32>,
    function_numbers: Map<(&'a str, usize), u32>,
    constants: Map<&'a str, u32>,
    nodes: usize,
    /// Whether an equation occurs.
    pub(super) equations: bool,
}

fn numbered<'a>(
    name: &'a str,
    arity: usize,
    list: &mut Vec<(&'a str, usize)>,
    map: &mut Map<(&'a str, usize), u32>,
) -> u32 {
    *map.entry((name, arity)).or_insert_with(|| {
        list.push((name, arity));
        u32::try_from(list.len() - 1).unwrap_or(u32::MAX)
    })
}

/// Brings the statement of this index, or its negation, into normal form.
pub(super) fn normalise<'a>(
    statement: u32,
    formula: &'a Formula,
    positive: bool,
    names: &mut Names<'a>,
) -> Result<Normal, GiveUp> {
    Normaliser { statement, names, scope: Vec::new(), depth: 0 }.formula(formula, positive, 0)
}

/// How many variables the quantifiers of a formula have.
pub(super) fn variables(formula: &Formula) -> u32 {
    let mut count = 0;
    formula.walk(&mut |f| {
        if let FormulaKind::Quantified(_, variables, _) = &f.kind {
            count += u32::try_from(variables.len()).unwrap_or(u32::MAX);
        }
    });
    count
}

struct Normaliser<'a, 'n> {
    statement: u32,
    names: &'n mut Names<'a>,
    /// What the variables around the current place are, innermost last.
    scope: Vec<(&'a str, Arg)>,
    /// How many variables are bound around the current place, those replaced by witnesses not counted.
    depth: u32,
}

impl<'a> Normaliser<'a, '_> {
    /// `first` is the number of the first quantified variable in the formula.
    fn formula(&mut self, formula: &'a Formula, positive: bool, first: u32) -> Result<Normal, GiveUp> {
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
                let args = atom.args.iter().map(|t| self.term(t)).collect::<Result<Vec<_>, _>>()?;
                let names = &mut *self.names;
                let predicate = numbered(&atom.name, args.len(), &mut names.predicates, &mut names.predicate_numbers);
                Normal::Atom { predicate, args, positive }
            }
            FormulaKind::Equal(a, b) => self.equation(a, b, positive)?,
            FormulaKind::NotEqual(a, b) => self.equation(a, b, !positive)?,
            FormulaKind::Not(a) => self.formula(a, !positive, first)?,
            FormulaKind::Binary(connective, a, b) => self.binary(*connective, a, b, positive, first)?,
            FormulaKind::Quantified(quantifier, variables, body) => {
                let universal = (*quantifier == Quantifier::ForAll) == positive;
                let names: Vec<&str> = variables.iter().map(|v| v.name.as_str()).collect();
                self.quantified(universal, &names, body, positive, first)?
            }
        })
    }

    fn quantified(
        &mut self,
        universal: bool,
        names: &[&'a str],
        body: &'a Formula,
        positive: bool,
        first: u32,
    ) -> Result<Normal, GiveUp> {
        let Some((name, rest)) = names.split_first() else { return self.formula(body, positive, first) };
        let place = Place { statement: self.statement, variable: first, plain: positive };
        let depends_on = if universal { Vec::new() } else { self.outer(names, body) };
        let individuals: Option<Vec<u32>> =
            depends_on.iter().map(|arg| if let Arg::Individual(number) = arg { Some(*number) } else { None }).collect();
        if let (false, Some(individuals)) = (universal, individuals) {
            let witness = self.names.terms.number(Individual::Witness(place, individuals));
            self.scope.push((name, Arg::Individual(witness)));
            let body = self.quantified(universal, rest, body, positive, first + 1);
            self.scope.pop();
            return body;
        }
        self.scope.push((name, Arg::Variable(self.depth)));
        self.depth += 1;
        let inner = self.quantified(universal, rest, body, positive, first + 1);
        self.depth -= 1;
        self.scope.pop();
        let inner = Box::new(inner?);
        if universal {
            return Ok(Normal::ForAll(place, inner));
        }
        Ok(Normal::Exists(place, depends_on, inner))
    }

    fn equation(&mut self, a: &'a Term, b: &'a Term, positive: bool) -> Result<Normal, GiveUp> {
        self.names.equations = true;
        Ok(Normal::Equal { left: self.term(a)?, right: self.term(b)?, positive })
    }

    fn binary(
        &mut self,
        connective: Connective,
        a: &'a Formula,
        b: &'a Formula,
        positive: bool,
        first: u32,
    ) -> Result<Normal, GiveUp> {
        let pair = |all: bool, a, b| if all { Normal::And(vec![a, b]) } else { Normal::Or(vec![a, b]) };
        let second = first + variables(a);
        Ok(match connective {
            Connective::And => pair(positive, self.formula(a, positive, first)?, self.formula(b, positive, second)?),
            Connective::Or => pair(!positive, self.formula(a, positive, first)?, self.formula(b, positive, second)?),
            Connective::Implies => {
                pair(!positive, self.formula(a, !positive, first)?, self.formula(b, positive, second)?)
            }
            Connective::Iff | Connective::Xor => {
                // A ↔ B is (¬A ∨ B) ∧ (A ∨ ¬B); A ⊕ B is (A ∨ B) ∧ (¬A ∨ ¬B).
                let same = (connective == Connective::Iff) == positive;
                let one = pair(false, self.formula(a, !same, first)?, self.formula(b, true, second)?);
                let other = pair(false, self.formula(a, same, first)?, self.formula(b, false, second)?);
                pair(true, one, other)
            }
        })
    }

    /// What the bound variables around here are, other than `own`, that stand in the formula; outermost first.
    fn outer(&self, own: &[&'a str], body: &'a Formula) -> Vec<Arg> {
        let mut places = BTreeSet::new();
        outer_variables(body, &mut own.to_vec(), &mut |name| {
            places.extend(self.scope.iter().rposition(|(n, _)| *n == name));
        });
        places.into_iter().filter_map(|place| self.scope.get(place)).map(|(_, arg)| arg.clone()).collect()
    }

    fn term(&mut self, term: &'a Term) -> Result<Arg, GiveUp> {
        Ok(match &term.kind {
            TermKind::Bound(name) => {
                let bound = self.scope.iter().rev().find(|(n, _)| n == name);
                bound.map(|(_, arg)| arg.clone()).ok_or_else(|| GiveUp::Unbound(name.clone()))?
            }
            TermKind::Free(name) => Arg::Individual(self.names.terms.number(Individual::Free(name.clone()))),
            TermKind::Constant(name) => {
                let Names { constants, terms, .. } = &mut *self.names;
                let number = constants.entry(name).or_insert_with(|| terms.number(Individual::Constant(name.clone())));
                Arg::Individual(*number)
            }
            TermKind::Function(name, args) => {
                let args = args.iter().map(|t| self.term(t)).collect::<Result<Vec<_>, _>>()?;
                let names = &mut *self.names;
                let function = numbered(name, args.len(), &mut names.functions, &mut names.function_numbers);
                Arg::Apply(function, args)
            }
        })
    }
}

/// Calls `found` with every bound variable of the formula that is neither bound in it nor one of `own`.
pub(super) fn outer_variables<'a>(formula: &'a Formula, own: &mut Vec<&'a str>, found: &mut impl FnMut(&'a str)) {
    for term in formula.terms() {
        term.walk(&mut |t| {
            if let TermKind::Bound(name) = &t.kind
                && !own.contains(&name.as_str())
            {
                found(name);
            }
        });
    }
    let outside = own.len();
    if let FormulaKind::Quantified(_, variables, _) = &formula.kind {
        own.extend(variables.iter().map(|v| v.name.as_str()));
    }
    for child in formula.children() {
        outer_variables(child, own, found);
    }
    own.truncate(outside);
}
