//! Models as small tables, and what tells two of them apart.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::instance::substitute;
use super::names::{names_in, not, unused_prefix};
use crate::diagnostic::Span;
use crate::fol::model::Model;
use crate::fol::print::unicode;
use crate::fol::{Formula, FormulaKind, Quantifier, Term, TermKind};

/// A finite model in which every statement of a question was evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct World {
    /// The question it answers: `consistency`, `entails` or `refutes`.
    pub question: &'static str,
    /// Whether the conclusion holds in it; null where there is none, or it says nothing.
    pub conclusion: Option<bool>,
    /// Whether different names are different individuals.
    pub names_distinct: bool,
    /// The individuals, each with the names it has; the first is used below.
    pub individuals: Vec<Individual>,
    /// Predicates of one argument: for each individual whether it holds.
    pub properties: Vec<Property>,
    /// Predicates of more arguments.
    pub relations: Vec<Relation>,
    /// Predicates without arguments.
    pub propositions: Vec<Proposition>,
    /// Values of functions.
    pub values: Vec<FunctionValue>,
}

/// An individual of a world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Individual {
    /// The author's names for it, or one made up.
    pub names: Vec<String>,
    /// Whether the author has a name for it.
    pub named: bool,
}

/// A predicate of one argument.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Property {
    /// The predicate.
    pub predicate: String,
    /// For each individual whether it holds.
    pub holds: Vec<bool>,
}

/// A predicate of two or more arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Relation {
    /// The predicate.
    pub predicate: String,
    /// The tuples of which it holds; of no others it does.
    pub holds_of: Vec<Vec<String>>,
}

/// A predicate without arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Proposition {
    /// The predicate.
    pub predicate: String,
    /// Whether it holds.
    pub holds: bool,
}

/// The value of a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FunctionValue {
    /// `mother(rina)`.
    pub term: String,
    /// The name of its value.
    pub value: String,
}

/// A part of the conclusion that is so in one world and not in the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// `Drinks(rina, coffee)`.
    pub atom: String,
    /// Whether it holds in the first world; in the second it is the other way round.
    pub first: bool,
}

/// An individual by which a quantified conclusion is true or false in a world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Showing {
    /// The 0-based world.
    pub world: usize,
    /// Whether it shows the conclusion to hold.
    pub holds: bool,
    /// The conclusion's variables, each with the individual.
    pub with: Vec<(String, String)>,
    /// What is so of them.
    pub literals: Vec<String>,
}

/// Made-up names for those individuals that have none, told apart from every name of the model.
fn individuals(model: &Model, taken: &BTreeSet<&str>) -> Vec<Individual> {
    let mut names: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (name, individual) in model.constants.iter().chain(&model.free) {
        names.entry(*individual).or_default().push(name.clone());
    }
    let prefix = unused_prefix("i", taken);
    let mut made_up = 0;
    let mut individual = |number: u32| match names.remove(&number) {
        Some(names) => Individual { names, named: true },
        None => {
            made_up += 1;
            Individual { names: vec![format!("{prefix}{made_up}")], named: false }
        }
    };
    (0..model.size).map(&mut individual).collect()
}

fn name(individuals: &[Individual], number: u32) -> String {
    individuals.get(number as usize).and_then(|i| i.names.first()).cloned().unwrap_or_else(|| number.to_string())
}

/// Shows a model.
#[must_use]
pub(super) fn world(question: &'static str, model: &Model, conclusion: Option<&Formula>) -> World {
    let taken: BTreeSet<&str> = conclusion.map(|c| names_in(std::iter::once(c))).unwrap_or_default();
    let taken: BTreeSet<&str> = taken.into_iter().chain(symbols(model)).collect();
    let individuals = individuals(model, &taken);
    let call = |number: &u32| name(&individuals, *number);
    let mut arities: BTreeMap<&str, u32> = BTreeMap::new();
    for (predicate, _) in model.predicates.keys() {
        *arities.entry(predicate).or_default() += 1;
    }
    let mut out = World {
        question,
        conclusion: conclusion.and_then(|c| model.holds(c).ok()),
        names_distinct: model.names_distinct(),
        properties: Vec::new(),
        relations: Vec::new(),
        propositions: Vec::new(),
        values: Vec::new(),
        individuals: individuals.clone(),
    };
    for ((predicate, arity), tuples) in &model.predicates {
        let shared = arities.get(predicate.as_str()).is_some_and(|n| *n > 1);
        let predicate = if shared { format!("{predicate}/{arity}") } else { predicate.clone() };
        match arity {
            0 => out.propositions.push(Proposition { predicate, holds: !tuples.is_empty() }),
            1 => {
                let holds = (0..model.size).map(|i| tuples.contains(&vec![i])).collect();
                out.properties.push(Property { predicate, holds });
            }
            _ => {
                let holds_of = tuples.iter().map(|tuple| tuple.iter().map(call).collect()).collect();
                out.relations.push(Relation { predicate, holds_of });
            }
        }
    }
    for ((function, _), table) in &model.functions {
        for (args, value) in table {
            let args: Vec<String> = args.iter().map(call).collect();
            out.values.push(FunctionValue { term: format!("{function}({})", args.join(", ")), value: call(value) });
        }
    }
    out
}

fn symbols(model: &Model) -> impl Iterator<Item = &str> {
    let names = model.constants.keys().chain(model.free.keys()).map(String::as_str);
    names.chain(model.predicates.keys().chain(model.functions.keys()).map(|(name, _)| name.as_str()))
}

/// The conclusion's atoms about named individuals that hold in one model and not in the other, as they stand in it.
#[must_use]
pub(super) fn differences(conclusion: &Formula, first: &Model, second: &Model) -> Vec<Difference> {
    let mut out: Vec<Difference> = Vec::new();
    for atom in atoms(conclusion) {
        if let (Ok(a), Ok(b)) = (first.holds(atom), second.holds(atom))
            && a != b
        {
            let atom = unicode::print(atom);
            if out.iter().all(|d| d.atom != atom) {
                out.push(Difference { atom, first: a });
            }
        }
    }
    out
}

/// The atoms and equations of a formula that hold no variable of a quantifier, from left to right.
fn atoms(formula: &Formula) -> Vec<&Formula> {
    let mut out = Vec::new();
    formula.walk(&mut |f| {
        let mut closed = matches!(f.kind, FormulaKind::Atom(_) | FormulaKind::Equal(..) | FormulaKind::NotEqual(..));
        for term in f.terms() {
            term.walk(&mut |t| closed &= !matches!(t.kind, TermKind::Bound(_)));
        }
        if closed {
            out.push(f);
        }
    });
    out
}

/// By which individuals a conclusion that starts with quantifiers holds, or does not: an example of `∃` where it holds,
/// a counterexample to `∀` where it does not. `None` where there is none to be named.
#[must_use]
pub(super) fn showing(conclusion: &Formula, model: &Model, shown: &World, world: usize) -> Option<Showing> {
    // Every individual gets a constant that no author can have written.
    let mut named = model.clone();
    let constant = |number: u32| format!("\u{0}{number}");
    named.constants.extend((0..model.size).map(|i| (constant(i), i)));
    let holds = model.holds(conclusion).ok()?;
    let (mut formula, mut value) = (conclusion.clone(), holds);
    let mut with = Vec::new();
    loop {
        formula = match formula.kind {
            FormulaKind::Not(inner) => {
                value = !value;
                *inner
            }
            FormulaKind::Quantified(quantifier, mut variables, body)
                if (quantifier == Quantifier::Exists) == value && !variables.is_empty() =>
            {
                let variable = variables.remove(0).name;
                let rest = match variables.is_empty() {
                    true => *body,
                    false => Formula::new(FormulaKind::Quantified(quantifier, variables, body), Span::default()),
                };
                let instance = |number: u32| {
                    let term = Term { kind: TermKind::Constant(constant(number)), span: Span::default() };
                    substitute(&rest, &BTreeMap::from([(variable.clone(), term)]))
                };
                let found = (0..model.size).find(|i| named.holds(&instance(*i)) == Ok(value))?;
                with.push((variable.clone(), name(&shown.individuals, found)));
                instance(found)
            }
            kind => {
                formula = Formula::new(kind, Span::default());
                break;
            }
        };
    }
    if with.is_empty() {
        return None;
    }
    let mut literals: Vec<String> = Vec::new();
    for atom in atoms(&formula) {
        let holds = named.holds(atom).ok()?;
        let atom = renamed(atom, &shown.individuals);
        let literal = unicode::print(&if holds { atom } else { not(atom) });
        if !literals.contains(&literal) {
            literals.push(literal);
        }
    }
    Some(Showing { world, holds, with, literals })
}

/// The constants made up for individuals, as the individuals are called.
fn renamed(formula: &Formula, individuals: &[Individual]) -> Formula {
    fn term(t: &Term, individuals: &[Individual]) -> Term {
        let kind = match &t.kind {
            TermKind::Constant(constant) => {
                let number = constant.strip_prefix('\u{0}').and_then(|n| n.parse().ok());
                TermKind::Constant(number.map_or_else(|| constant.clone(), |n| name(individuals, n)))
            }
            TermKind::Function(name, args) => {
                TermKind::Function(name.clone(), args.iter().map(|a| term(a, individuals)).collect())
            }
            other => other.clone(),
        };
        Term { kind, span: t.span }
    }
    let mut out = formula.clone();
    match &mut out.kind {
        FormulaKind::Atom(atom) => atom.args.iter_mut().for_each(|a| *a = term(a, individuals)),
        FormulaKind::Equal(a, b) | FormulaKind::NotEqual(a, b) => {
            *a = term(a, individuals);
            *b = term(b, individuals);
        }
        _ => {}
    }
    out
}
