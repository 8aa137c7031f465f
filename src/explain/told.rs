//! A proof in steps that people can follow, in the author's own symbols.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::instance::{self, ToldInstance};
use super::names::{Names, NewName, not};
use super::prune::{Clash, Ending, Pruned, prune};
use crate::diagnostic::Span;
use crate::fol::print::unicode;
use crate::fol::{Atom, Formula, FormulaKind};
use crate::ground::{Certificate, Fact, Reason, Refutation, Statement};

/// Steps beyond which a proof is not told.
pub const MAX_STEPS: usize = 2_000;

/// A line of thought: steps, and a contradiction or a case distinction at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToldLine {
    /// In order.
    pub steps: Vec<ToldStep>,
    /// What they come to.
    pub end: ToldEnd,
}

/// Something that must be so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToldStep {
    /// Counted from 1 through the whole proof.
    pub number: usize,
    /// `Dependent(rina)`.
    pub literal: String,
    /// Why.
    pub because: Because,
    /// The numbers of the steps and suppositions that it follows from.
    pub from: Vec<usize>,
    /// Names for individuals that first occur here.
    pub names: Vec<Introduction>,
}

/// What gives a step, or is contradicted at an end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum Because {
    /// A statement.
    Statement {
        /// The 0-based premise; null for what is supposed of the conclusion.
        premise: Option<usize>,
        /// Its variables, each with the individual put for it.
        with: Vec<(String, String)>,
        /// What the statement then says.
        instance: String,
    },
    /// That individuals are the same: what is so of the one is so of the other.
    Equality,
    /// That a thing is the same as itself.
    Identity,
    /// That different names were taken to name different individuals.
    DistinctNames {
        /// Two names that would be one individual's.
        names: [String; 2],
    },
}

/// A name for an individual that the author has none for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Introduction {
    /// `w1`.
    pub name: String,
    /// What it stands for; null where it is any individual at all.
    pub witness: Option<Witness>,
}

/// One of those of which something is so, if there are any.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Witness {
    /// The variable that stands for it in the formula.
    pub variable: String,
    /// What is so of it.
    pub formula: String,
    /// The 0-based premise that speaks of it; null for what is supposed of the conclusion.
    pub premise: Option<usize>,
    /// Whether the statement says outright that there is one, not only under a condition.
    pub certain: bool,
}

/// How a line of thought ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "end", rename_all = "kebab-case")]
pub enum ToldEnd {
    /// In what cannot be.
    Contradiction {
        /// What is contradicted.
        because: Because,
        /// The numbers of the steps and suppositions that contradict it, or each other.
        from: Vec<usize>,
        /// Names for individuals that first occur here.
        names: Vec<Introduction>,
    },
    /// In two cases, each with its own end.
    Cases {
        /// Something is so.
        first: Box<ToldCase>,
        /// It is not.
        second: Box<ToldCase>,
    },
}

/// One of two cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToldCase {
    /// Counted among the steps.
    pub number: usize,
    /// What is supposed.
    pub suppose: String,
    /// What comes of it.
    pub line: ToldLine,
}

/// Tells the course of a check. `premises` is how many of the statements are premises. `None` where it takes more than
/// [`MAX_STEPS`] steps.
#[must_use]
pub(super) fn tell(
    certificate: &Certificate,
    refutation: &Refutation,
    statements: &[Statement<'_>],
    premises: usize,
) -> Option<ToldLine> {
    let pruned = prune(refutation);
    if pruned.length() > MAX_STEPS {
        return None;
    }
    let names = Names::new(statements, &refutation.individuals);
    let mut teller = Teller { certificate, refutation, statements, premises, names, numbers: BTreeMap::new(), next: 1 };
    Some(teller.line(&pruned))
}

struct Teller<'a> {
    certificate: &'a Certificate,
    refutation: &'a Refutation,
    statements: &'a [Statement<'a>],
    premises: usize,
    names: Names<'a>,
    /// The step at which each fact was derived or supposed.
    numbers: BTreeMap<usize, usize>,
    next: usize,
}

impl Teller<'_> {
    fn line(&mut self, pruned: &Pruned) -> ToldLine {
        let mut steps = Vec::with_capacity(pruned.steps.len());
        for step in &pruned.steps {
            let from = self.cited(&step.from);
            let because = match step.derived.by {
                Reason::Instance(number) => self.statement(number),
                Reason::Same(_) if from.is_empty() => Because::Identity,
                Reason::Same(_) => Because::Equality,
            };
            let literal = self.literal(step.derived.fact, step.derived.value);
            let number = self.numbered(step.derived.fact);
            steps.push(ToldStep { number, literal, because, from, names: self.introductions() });
        }
        let end = match &pruned.ending {
            Ending::Contradiction { end, from } => {
                let from = self.cited(from);
                let because = match *end {
                    Clash::Instance(number) => self.statement(number),
                    Clash::Different(_) if from.len() == 1 => Because::Identity,
                    Clash::Opposite(..) | Clash::Different(_) => Because::Equality,
                    Clash::OneIndividual(a, b) => {
                        let name = |n: u32, names: &mut Names<'_>| unicode::print_term(&names.term(n));
                        Because::DistinctNames { names: [name(a, &mut self.names), name(b, &mut self.names)] }
                    }
                };
                ToldEnd::Contradiction { because, from, names: self.introductions() }
            }
            Ending::Cases(fact, yes, no) => {
                let first = Box::new(self.case(*fact, true, yes));
                let second = Box::new(self.case(*fact, false, no));
                ToldEnd::Cases { first, second }
            }
        };
        ToldLine { steps, end }
    }

    fn case(&mut self, fact: usize, value: bool, pruned: &Pruned) -> ToldCase {
        let suppose = self.literal(fact, value);
        let number = self.numbered(fact);
        ToldCase { number, suppose, line: self.line(pruned) }
    }

    fn numbered(&mut self, fact: usize) -> usize {
        let number = self.next;
        self.next += 1;
        self.numbers.insert(fact, number);
        number
    }

    fn cited(&self, facts: &BTreeSet<usize>) -> Vec<usize> {
        let mut out: Vec<usize> = facts.iter().filter_map(|f| self.numbers.get(f)).copied().collect();
        out.sort_unstable();
        out
    }

    fn premise(&self, statement: usize) -> Option<usize> {
        (statement < self.premises).then_some(statement)
    }

    fn statement(&mut self, number: usize) -> Because {
        let told = self.certificate.instances.get(number).and_then(|instance| {
            let statement = self.statements.get(instance.statement)?;
            Some((instance.statement, instance::tell(instance, *statement, &mut self.names)))
        });
        let (statement, told) =
            told.unwrap_or_else(|| (usize::MAX, ToldInstance { with: Vec::new(), formula: String::new() }));
        Because::Statement { premise: self.premise(statement), with: told.with, instance: told.formula }
    }

    fn literal(&mut self, fact: usize, value: bool) -> String {
        let kind = match self.refutation.facts.get(fact) {
            Some(Fact::Atom(name, args)) => {
                let args = args.iter().map(|a| self.names.term(*a)).collect();
                FormulaKind::Atom(Atom { name: name.clone(), name_span: Span::default(), args })
            }
            Some(Fact::Equal(a, b)) => {
                let (a, b) = (self.names.term(*a), self.names.term(*b));
                if value { FormulaKind::Equal(a, b) } else { FormulaKind::NotEqual(a, b) }
            }
            None => FormulaKind::Constant(value),
        };
        let formula = Formula::new(kind, Span::default());
        let negated = !value && matches!(formula.kind, FormulaKind::Atom(_));
        unicode::print(&if negated { not(formula) } else { formula })
    }

    fn introductions(&mut self) -> Vec<Introduction> {
        let mut out = Vec::new();
        loop {
            let new = self.names.take_new();
            if new.is_empty() {
                return out;
            }
            for told in new {
                out.push(match told {
                    Ok(NewName { name, variable, formula, statement, certain }) => {
                        let premise = self.premise(statement);
                        Introduction { name, witness: Some(Witness { variable, formula, premise, certain }) }
                    }
                    Err(name) => Introduction { name, witness: None },
                });
            }
        }
    }
}
