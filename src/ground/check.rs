//! Checking certificates.
//!
//! Nothing here is shared with the search: the instances are made again from the statements as they were read, and that
//! they contradict each other is found out by following what they force and, where nothing is forced, by looking at both
//! cases. Slow and simple on purpose; certificates are short.

use super::Map;

use super::certificate::{Certificate, Instance};
use super::solve::Statement;
use super::term::{Individual, Place};
use crate::fol::{Connective, Formula, FormulaKind, Quantifier, Term, TermKind};

mod refute;

pub use refute::{Derived, End, Line, Reason, Refutation};

/// Why a certificate shows nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// It speaks of a statement that is not there.
    #[error("instance {instance} is one of statement {statement}, which there is not")]
    NoStatement {
        /// The 0-based instance.
        instance: usize,
        /// The statement it names.
        statement: usize,
    },
    /// It chooses an individual that is not there, or for a variable that takes none.
    #[error("instance {instance} chooses for a variable that takes no choice, or an individual that is not there")]
    BadChoice {
        /// The 0-based instance.
        instance: usize,
    },
    /// An individual is made of some that are not there, or stands there twice.
    #[error("individual {0} is not well made")]
    BadIndividual(u32),
    /// A statement has a variable that nothing binds.
    #[error("the variable `{0}` is not bound")]
    Unbound(String),
    /// The instances can all be true.
    #[error("the instances do not contradict each other")]
    NoContradiction,
    /// It takes too many steps to find out.
    #[error("checking takes too many steps")]
    TooLong,
}

/// Something that is true or false of individuals, by their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fact {
    /// A predicate holds of them.
    Atom(String, Vec<u32>),
    /// They are the same.
    Equal(u32, u32),
}

/// A formula without variables and quantifiers, in negation normal form; facts by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ground {
    /// The fact is true, or it is false.
    Literal(usize, bool),
    /// All of them hold; without any, it is true.
    All(Vec<Self>),
    /// One of them holds; without any, it is false.
    Any(Vec<Self>),
}

/// Confirms that a certificate shows a contradiction of the statements, and tells how the contradiction comes about.
///
/// What is shown by contradiction is the last statement, negated: the line of thought turns to it only where the others
/// lead no further.
///
/// # Errors
/// If it does not, or not within the bounds of this checker.
pub fn check(certificate: &Certificate, statements: &[Statement<'_>]) -> Result<Refutation, CheckError> {
    let mut table = Table::new(&certificate.individuals)?;
    let mut grounds = Vec::with_capacity(certificate.instances.len());
    for (number, instance) in certificate.instances.iter().enumerate() {
        let statement = statements
            .get(instance.statement)
            .ok_or(CheckError::NoStatement { instance: number, statement: instance.statement })?;
        let known = |n: &u32| (*n as usize) < certificate.individuals.len();
        let mut making = Making { instance, table: &mut table, scope: Vec::new(), chosen: 0 };
        let ground = making.formula(statement.formula, !statement.negated, 0)?;
        // Each place is met once or, below `↔` and `⊕`, more often; never less.
        if making.chosen < instance.choices.len() || !instance.choices.values().all(known) {
            return Err(CheckError::BadChoice { instance: number });
        }
        let last = instance.statement + 1 == statements.len();
        grounds.push((ground, last));
    }
    refute::refute(grounds, table.facts, table.individuals, certificate.unique_names)
}

/// The individuals and facts met so far.
struct Table {
    individuals: Vec<Individual>,
    numbers: Map<Individual, u32>,
    facts: Vec<Fact>,
    fact_numbers: Map<Fact, usize>,
}

impl Table {
    fn new(individuals: &[Individual]) -> Result<Self, CheckError> {
        let mut numbers = Map::default();
        for (number, individual) in (0..).zip(individuals) {
            let well_made = match individual {
                // Made of those before it, so that nothing is made of itself.
                Individual::Function(_, args) | Individual::Witness(_, args) => args.iter().all(|a| *a < number),
                Individual::Constant(_) | Individual::Free(_) | Individual::Anyone => true,
            };
            if !well_made || numbers.insert(individual.clone(), number).is_some() {
                return Err(CheckError::BadIndividual(number));
            }
        }
        Ok(Self { individuals: individuals.to_vec(), numbers, facts: Vec::new(), fact_numbers: Map::default() })
    }

    fn individual(&mut self, individual: Individual) -> u32 {
        if let Some(number) = self.numbers.get(&individual) {
            return *number;
        }
        let number = u32::try_from(self.individuals.len()).unwrap_or(u32::MAX);
        self.individuals.push(individual.clone());
        self.numbers.insert(individual, number);
        number
    }

    fn fact(&mut self, fact: Fact) -> usize {
        if let Some(number) = self.fact_numbers.get(&fact) {
            return *number;
        }
        self.facts.push(fact.clone());
        self.fact_numbers.insert(fact, self.facts.len() - 1);
        self.facts.len() - 1
    }
}

/// Making one instance.
struct Making<'a, 't> {
    instance: &'a Instance,
    table: &'t mut Table,
    /// The variables around the current place and their values, innermost last.
    scope: Vec<(&'a str, u32)>,
    /// How many choices were made use of.
    chosen: usize,
}

impl<'a> Making<'a, '_> {
    /// `first` is the number of the formula's first quantified variable; `plain` whether it stands under an even number
    /// of negations.
    fn formula(&mut self, formula: &'a Formula, plain: bool, first: u32) -> Result<Ground, CheckError> {
        Ok(match &formula.kind {
            FormulaKind::Constant(value) if *value == plain => Ground::All(Vec::new()),
            FormulaKind::Constant(_) => Ground::Any(Vec::new()),
            FormulaKind::Atom(atom) => {
                let args = atom.args.iter().map(|t| self.term(t)).collect::<Result<Vec<_>, _>>()?;
                Ground::Literal(self.table.fact(Fact::Atom(atom.name.clone(), args)), plain)
            }
            FormulaKind::Equal(a, b) => self.equation(a, b, plain)?,
            FormulaKind::NotEqual(a, b) => self.equation(a, b, !plain)?,
            FormulaKind::Not(a) => self.formula(a, !plain, first)?,
            FormulaKind::Binary(connective, a, b) => {
                let second = first + quantified_variables(a);
                let mut both = |of_a: bool, of_b: bool| -> Result<Vec<Ground>, CheckError> {
                    Ok(vec![self.formula(a, of_a, first)?, self.formula(b, of_b, second)?])
                };
                match (connective, plain) {
                    (Connective::And, true) => Ground::All(both(true, true)?),
                    (Connective::And, false) => Ground::Any(both(false, false)?),
                    (Connective::Or, true) => Ground::Any(both(true, true)?),
                    (Connective::Or, false) => Ground::All(both(false, false)?),
                    (Connective::Implies, true) => Ground::Any(both(false, true)?),
                    (Connective::Implies, false) => Ground::All(both(true, false)?),
                    (Connective::Iff, true) | (Connective::Xor, false) => {
                        Ground::All(vec![Ground::Any(both(false, true)?), Ground::Any(both(true, false)?)])
                    }
                    (Connective::Xor, true) | (Connective::Iff, false) => {
                        Ground::All(vec![Ground::Any(both(true, true)?), Ground::Any(both(false, false)?)])
                    }
                }
            }
            FormulaKind::Quantified(quantifier, variables, body) => {
                let names: Vec<&str> = variables.iter().map(|v| v.name.as_str()).collect();
                self.quantified((*quantifier == Quantifier::ForAll) == plain, &names, body, plain, first)?
            }
        })
    }

    fn quantified(
        &mut self,
        universal: bool,
        names: &[&'a str],
        body: &'a Formula,
        plain: bool,
        first: u32,
    ) -> Result<Ground, CheckError> {
        let Some((name, rest)) = names.split_first() else { return self.formula(body, plain, first) };
        let statement = u32::try_from(self.instance.statement).unwrap_or(u32::MAX);
        let place = Place { statement, variable: first, plain };
        let value = if universal {
            let Some(chosen) = self.instance.choices.get(&place) else { return Ok(Ground::All(Vec::new())) };
            self.chosen += 1;
            *chosen
        } else {
            let values = self.values_in(names, body);
            self.table.individual(Individual::Witness(place, values))
        };
        self.scope.push((name, value));
        let ground = self.quantified(universal, rest, body, plain, first + 1);
        self.scope.pop();
        ground
    }

    /// The values of the variables around here, outermost first, that stand free in the quantified formula.
    fn values_in(&self, own: &[&'a str], body: &'a Formula) -> Vec<u32> {
        let is_innermost = |at: usize, name: &str| self.scope.iter().skip(at + 1).all(|(n, _)| *n != name);
        self.scope
            .iter()
            .enumerate()
            .filter(|(at, (name, _))| is_innermost(*at, name) && !own.contains(name) && stands_free(name, body))
            .map(|(_, (_, value))| *value)
            .collect()
    }

    fn equation(&mut self, a: &'a Term, b: &'a Term, plain: bool) -> Result<Ground, CheckError> {
        let (a, b) = (self.term(a)?, self.term(b)?);
        Ok(Ground::Literal(self.table.fact(Fact::Equal(a.min(b), a.max(b))), plain))
    }

    fn term(&mut self, term: &Term) -> Result<u32, CheckError> {
        Ok(match &term.kind {
            TermKind::Bound(name) => {
                let bound = self.scope.iter().rev().find(|(n, _)| n == name);
                bound.map(|(_, value)| *value).ok_or_else(|| CheckError::Unbound(name.clone()))?
            }
            TermKind::Free(name) => self.table.individual(Individual::Free(name.clone())),
            TermKind::Constant(name) => self.table.individual(Individual::Constant(name.clone())),
            TermKind::Function(name, args) => {
                let args = args.iter().map(|t| self.term(t)).collect::<Result<Vec<_>, _>>()?;
                self.table.individual(Individual::Function(name.clone(), args))
            }
        })
    }
}

/// How many variables the quantifiers in a formula have together.
pub(crate) fn quantified_variables(formula: &Formula) -> u32 {
    let own = match &formula.kind {
        FormulaKind::Quantified(_, variables, _) => u32::try_from(variables.len()).unwrap_or(u32::MAX),
        _ => 0,
    };
    own + formula.children().map(quantified_variables).sum::<u32>()
}

/// Whether a variable stands in a formula outside every quantifier in it that binds the name.
pub(crate) fn stands_free(name: &str, formula: &Formula) -> bool {
    let binds_it = match &formula.kind {
        FormulaKind::Quantified(_, variables, _) => variables.iter().any(|v| v.name == name),
        _ => false,
    };
    let stands_in = |term: &Term| {
        let mut found = false;
        term.walk(&mut |t| found |= matches!(&t.kind, TermKind::Bound(n) if n == name));
        found
    };
    !binds_it && (formula.terms().into_iter().any(stands_in) || formula.children().any(|c| stands_free(name, c)))
}

#[cfg(test)]
mod tests;
