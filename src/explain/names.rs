//! What the individuals of a proof are called: as the author calls them, and `w1`, `w2`, … where nobody does.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::instance::substitute;
use crate::diagnostic::Span;
use crate::fol::print::unicode;
use crate::fol::{Connective, Formula, FormulaKind, Quantifier, Term, TermKind, Variable};
use crate::ground::{Individual, Place, Statement, quantified_variables, stands_free};

/// A name given to an individual that the author has none for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewName {
    /// `w1`.
    pub(super) name: String,
    /// The variable for which it stands.
    pub(super) variable: String,
    /// What is so of it, with the variable.
    pub(super) formula: String,
    /// The statement whose quantifier it is the witness of.
    pub(super) statement: usize,
    /// Whether the statement says outright that there is one, not only under a condition.
    pub(super) certain: bool,
}

/// The terms for the individuals of one proof; new names are given in the order in which they are asked for.
pub(super) struct Names<'a> {
    statements: &'a [Statement<'a>],
    individuals: &'a [Individual],
    numbers: HashMap<&'a Individual, u32>,
    /// What every new name starts with: nothing in the statements does.
    prefix: String,
    given: BTreeMap<u32, String>,
    /// Those given since they were last told, in order.
    fresh: Vec<u32>,
}

impl<'a> Names<'a> {
    pub(super) fn new(statements: &'a [Statement<'a>], individuals: &'a [Individual]) -> Self {
        let numbers = (0..).zip(individuals).map(|(number, individual)| (individual, number)).collect();
        let formulas = statements.iter().map(|s| s.formula);
        let prefix = unused_prefix("w", &names_in(formulas));
        Self { statements, individuals, numbers, prefix, given: BTreeMap::new(), fresh: Vec::new() }
    }

    /// The number of an individual.
    pub(super) fn number(&self, individual: &Individual) -> Option<u32> {
        self.numbers.get(individual).copied()
    }

    /// What an individual is called.
    pub(super) fn term(&mut self, number: u32) -> Term {
        let kind = match self.individuals.get(number as usize) {
            Some(Individual::Constant(name)) => TermKind::Constant(name.clone()),
            Some(Individual::Free(name)) => TermKind::Free(name.clone()),
            Some(Individual::Function(name, args)) => {
                TermKind::Function(name.clone(), args.iter().map(|a| self.term(*a)).collect())
            }
            Some(Individual::Witness(_, args)) => {
                for arg in args {
                    self.term(*arg);
                }
                TermKind::Constant(self.given_name(number))
            }
            Some(Individual::Anyone) => TermKind::Constant(self.given_name(number)),
            None => TermKind::Constant(format!("{}?", self.prefix)),
        };
        Term { kind, span: Span::default() }
    }

    fn given_name(&mut self, number: u32) -> String {
        if let Some(name) = self.given.get(&number) {
            return name.clone();
        }
        let name = format!("{}{}", self.prefix, self.given.len() + 1);
        self.given.insert(number, name.clone());
        self.fresh.push(number);
        name
    }

    /// What is to be said of the names given since this was last asked. `None` in place of one says that it stands for
    /// any individual.
    pub(super) fn take_new(&mut self) -> Vec<Result<NewName, String>> {
        let fresh = std::mem::take(&mut self.fresh);
        let mut out = Vec::new();
        for number in fresh {
            let name = self.given_name(number);
            let told = match self.individuals.get(number as usize) {
                Some(Individual::Witness(place, args)) => self.witness(&name, *place, args),
                _ => None,
            };
            out.push(told.ok_or(name));
        }
        out
    }

    fn witness(&mut self, name: &str, place: Place, args: &[u32]) -> Option<NewName> {
        let statement = usize::try_from(place.statement).ok()?;
        let Statement { formula, negated } = *self.statements.get(statement)?;
        let mut search = Search { wanted: place.variable, scope: Vec::new() };
        let site = search.formula(formula, !negated, 0, true)?;
        let values = site.outer.iter().zip(args).map(|(name, arg)| ((*name).to_owned(), self.term(*arg))).collect();
        let body = substitute(&site.rest(place.plain), &values);
        Some(NewName {
            name: name.to_owned(),
            variable: site.variable.to_owned(),
            formula: unicode::print(&body),
            statement,
            certain: site.certain,
        })
    }
}

/// Every name in formulas, those of variables too.
pub(super) fn names_in<'a>(formulas: impl Iterator<Item = &'a Formula>) -> BTreeSet<&'a str> {
    let mut out = BTreeSet::new();
    for formula in formulas {
        out.extend(formula.symbols().into_iter().map(|s| s.name));
        formula.walk(&mut |f| {
            if let FormulaKind::Quantified(_, variables, _) = &f.kind {
                out.extend(variables.iter().map(|v| v.name.as_str()));
            }
        });
    }
    out
}

/// `letter`, or as much more of it as it takes that no name is it and a number.
pub(super) fn unused_prefix(letter: &str, names: &BTreeSet<&str>) -> String {
    let mut prefix = letter.to_owned();
    let numbered = |prefix: &str, name: &str| {
        name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    while names.iter().any(|name| numbered(&prefix, name)) {
        prefix.push_str(letter);
    }
    prefix
}

/// Where a quantified variable stands.
struct Site<'a> {
    quantifier: Quantifier,
    variable: &'a str,
    /// The variables of the same quantifier after it.
    others: &'a [Variable],
    body: &'a Formula,
    /// The variables around it that stand free in its formula, outermost first.
    outer: Vec<&'a str>,
    certain: bool,
}

impl Site<'_> {
    /// What is so of the witness, with the variable for it.
    fn rest(&self, plain: bool) -> Formula {
        let mut formula = self.body.clone();
        if !self.others.is_empty() {
            let kind = FormulaKind::Quantified(self.quantifier, self.others.to_vec(), Box::new(formula));
            formula = Formula::new(kind, Span::default());
        }
        if plain { formula } else { not(formula) }
    }
}

/// The negation, without a second sign before one.
pub(super) fn not(formula: Formula) -> Formula {
    match formula.kind {
        FormulaKind::Not(inner) => *inner,
        _ => Formula::new(FormulaKind::Not(Box::new(formula)), Span::default()),
    }
}

/// Looks for the variable of a number, counting as the certificates do.
struct Search<'a> {
    wanted: u32,
    scope: Vec<&'a str>,
}

impl<'a> Search<'a> {
    fn formula(&mut self, formula: &'a Formula, plain: bool, first: u32, certain: bool) -> Option<Site<'a>> {
        match &formula.kind {
            FormulaKind::Constant(_) | FormulaKind::Atom(_) | FormulaKind::Equal(..) | FormulaKind::NotEqual(..) => {
                None
            }
            FormulaKind::Not(a) => self.formula(a, !plain, first, certain),
            FormulaKind::Binary(connective, a, b) => {
                let second = first + quantified_variables(a);
                let both = match connective {
                    Connective::And => plain,
                    Connective::Or | Connective::Implies => !plain,
                    Connective::Xor | Connective::Iff => false,
                };
                let left_plain = plain != (*connective == Connective::Implies);
                let certain = certain && both;
                self.formula(a, left_plain, first, certain).or_else(|| self.formula(b, plain, second, certain))
            }
            FormulaKind::Quantified(quantifier, variables, body) => {
                let outside = self.scope.len();
                let mut found = None;
                for (at, variable) in variables.iter().enumerate() {
                    if first + u32::try_from(at).unwrap_or(u32::MAX) == self.wanted {
                        found = self.site(*quantifier, &variables[at..], body, certain);
                    }
                    self.scope.push(&variable.name);
                }
                let count = u32::try_from(variables.len()).unwrap_or(u32::MAX);
                let found = found.or_else(|| self.formula(body, plain, first.saturating_add(count), certain));
                self.scope.truncate(outside);
                found
            }
        }
    }

    fn site(
        &self,
        quantifier: Quantifier,
        variables: &'a [Variable],
        body: &'a Formula,
        certain: bool,
    ) -> Option<Site<'a>> {
        let (variable, others) = variables.split_first()?;
        let own = |name: &str| variables.iter().any(|v| v.name == name);
        let is_innermost = |at: usize, name: &str| self.scope.iter().skip(at + 1).all(|n| *n != name);
        let outer = self.scope.iter().enumerate();
        let outer = outer.filter(|(at, name)| is_innermost(*at, name) && !own(name) && stands_free(name, body));
        let outer = outer.map(|(_, name)| *name).collect();
        Some(Site { quantifier, variable: &variable.name, others, body, outer, certain })
    }
}
