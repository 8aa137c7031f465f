//! That ground formulas contradict each other, step by step.

use crate::ground::Map;

use super::{CheckError, Fact, Ground};
use crate::ground::term::Individual;

/// Places of formulas that may be looked at before the checker gives up.
const BUDGET: usize = 5_000_000;

/// Why something must be so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The 0-based instance leaves no other way, given what was derived or assumed before.
    Instance(usize),
    /// The fact of this number says so of individuals that are the same.
    Same(usize),
}

/// One step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Derived {
    /// The fact, by number.
    pub fact: usize,
    /// Whether it is true.
    pub value: bool,
    /// Why.
    pub by: Reason,
}

/// How a line of thought ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The 0-based instance can no longer be true.
    Instance(usize),
    /// Two facts say the opposite of individuals that are the same.
    Opposite(usize, usize),
    /// Individuals that are the same are said not to be, by the fact of this number.
    Different(usize),
    /// Two names for one individual, where different names are taken to name different individuals.
    OneIndividual(u32, u32),
    /// A fact is true or it is not, and neither can be.
    Cases(usize, Box<Line>, Box<Line>),
}

/// Steps and what they come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// In order.
    pub steps: Vec<Derived>,
    /// After the last.
    pub end: End,
}

/// The course of a check: how the instances contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refutation {
    /// The facts, by number.
    pub facts: Vec<Fact>,
    /// The individuals, by number: first those of the certificate.
    pub individuals: Vec<Individual>,
    /// The instances of the certificate, by number.
    pub instances: Vec<Ground>,
    /// The line of thought.
    pub line: Line,
}

impl Refutation {
    /// Of equations that make all these pairs the same individual, by the numbers of their facts, enough to do so:
    /// where they are few, none can be left out. Empty where they do not.
    #[must_use]
    pub fn equations_behind(&self, pairs: &[(u32, u32)], equations: &[usize]) -> Vec<usize> {
        let suffice = |equations: &[usize]| {
            let sides = equations.iter().filter_map(|e| match self.facts.get(*e) {
                Some(Fact::Equal(a, b)) => Some((*a, *b)),
                _ => None,
            });
            let classes = classes(&self.individuals, sides);
            pairs.iter().all(|(a, b)| root(&classes, *a) == root(&classes, *b))
        };
        if !suffice(equations) {
            return Vec::new();
        }
        let mut kept = equations.to_vec();
        if kept.len() > MANY_EQUATIONS {
            return kept;
        }
        let mut at = 0;
        while at < kept.len() {
            let mut fewer = kept.clone();
            fewer.remove(at);
            if suffice(&fewer) {
                kept = fewer;
            } else {
                at += 1;
            }
        }
        kept
    }
}

/// Equations of which none is left out for being superfluous.
const MANY_EQUATIONS: usize = 200;

/// Instances come with whether they are of the statement that is taken up last.
pub(super) fn refute(
    grounds: Vec<(Ground, bool)>,
    facts: Vec<Fact>,
    individuals: Vec<Individual>,
    unique_names: bool,
) -> Result<Refutation, CheckError> {
    let values = vec![None; facts.len()];
    let mut search =
        Search { grounds: &grounds, facts: &facts, individuals: &individuals, unique_names, values, looked_at: 0 };
    let line = search.line()?;
    let instances = grounds.into_iter().map(|(ground, _)| ground).collect();
    Ok(Refutation { facts, individuals, instances, line })
}

struct Search<'a> {
    grounds: &'a [(Ground, bool)],
    facts: &'a [Fact],
    individuals: &'a [Individual],
    unique_names: bool,
    values: Vec<Option<bool>>,
    looked_at: usize,
}

impl Search<'_> {
    /// Follows what is forced until something contradicts; what was derived is forgotten again.
    fn line(&mut self) -> Result<Line, CheckError> {
        let mut steps: Vec<Derived> = Vec::new();
        let end = self.follow(&mut steps);
        for step in &steps {
            if let Some(value) = self.values.get_mut(step.fact) {
                *value = None;
            }
        }
        Ok(Line { end: end?, steps })
    }

    fn follow(&mut self, steps: &mut Vec<Derived>) -> Result<End, CheckError> {
        loop {
            let before = steps.len();
            if let Some(end) = self.follow_instances(false, steps)? {
                return Ok(end);
            }
            if let Some(end) = self.follow_equations(steps) {
                return Ok(end);
            }
            if steps.len() == before
                && let Some(end) = self.follow_instances(true, steps)?
            {
                return Ok(end);
            }
            if steps.len() == before {
                break;
            }
        }
        let mut open = None;
        for (ground, _) in self.grounds {
            if open.is_none() && self.value(ground)?.is_none() {
                open = self.first_open(ground);
            }
        }
        let fact = open.ok_or(CheckError::NoContradiction)?;
        let mut case = |value| {
            if let Some(v) = self.values.get_mut(fact) {
                *v = Some(value);
            }
            let line = self.line();
            if let Some(v) = self.values.get_mut(fact) {
                *v = None;
            }
            line
        };
        Ok(End::Cases(fact, Box::new(case(true)?), Box::new(case(false)?)))
    }

    /// What follows from each instance alone, of the last statement or of the others.
    fn follow_instances(&mut self, of_last: bool, steps: &mut Vec<Derived>) -> Result<Option<End>, CheckError> {
        for (number, (ground, last)) in self.grounds.iter().enumerate() {
            if *last != of_last {
                continue;
            }
            let mut forced = Vec::new();
            match self.value(ground)? {
                Some(true) => {}
                Some(false) => return Ok(Some(End::Instance(number))),
                None => self.force(ground, &mut forced)?,
            }
            for (fact, value) in forced {
                if let Some(old) = self.values.get_mut(fact)
                    && old.is_none()
                {
                    *old = Some(value);
                    steps.push(Derived { fact, value, by: Reason::Instance(number) });
                }
            }
        }
        Ok(None)
    }

    /// The truth value of a formula as far as it is known.
    fn value(&mut self, ground: &Ground) -> Result<Option<bool>, CheckError> {
        self.looked_at += 1;
        if self.looked_at > BUDGET {
            return Err(CheckError::TooLong);
        }
        let (parts, decisive) = match ground {
            Ground::Literal(fact, plain) => {
                return Ok(self.values.get(*fact).copied().flatten().map(|value| value == *plain));
            }
            Ground::All(parts) => (parts, false),
            Ground::Any(parts) => (parts, true),
        };
        let mut open = false;
        for part in parts {
            match self.value(part)? {
                Some(value) if value == decisive => return Ok(Some(decisive)),
                Some(_) => {}
                None => open = true,
            }
        }
        Ok(if open { None } else { Some(!decisive) })
    }

    /// What an open formula forces if it is to be true.
    fn force(&mut self, ground: &Ground, out: &mut Vec<(usize, bool)>) -> Result<(), CheckError> {
        match ground {
            Ground::Literal(fact, plain) => out.push((*fact, *plain)),
            Ground::All(parts) => {
                for part in parts {
                    if self.value(part)?.is_none() {
                        self.force(part, out)?;
                    }
                }
            }
            Ground::Any(parts) => {
                let mut open = None;
                for part in parts {
                    match self.value(part)? {
                        None if open.is_some() => return Ok(()),
                        None => open = Some(part),
                        Some(true) => return Ok(()),
                        Some(false) => {}
                    }
                }
                if let Some(part) = open {
                    self.force(part, out)?;
                }
            }
        }
        Ok(())
    }

    fn first_open(&self, ground: &Ground) -> Option<usize> {
        match ground {
            Ground::Literal(fact, _) => self.values.get(*fact).is_some_and(Option::is_none).then_some(*fact),
            Ground::All(parts) | Ground::Any(parts) => parts.iter().find_map(|p| self.first_open(p)),
        }
    }

    /// What follows from individuals being the same.
    fn follow_equations(&mut self, steps: &mut Vec<Derived>) -> Option<End> {
        let classes = self.classes();
        if self.unique_names {
            let mut named: Map<u32, u32> = Map::default();
            for (number, individual) in (0..).zip(self.individuals) {
                if matches!(individual, Individual::Constant(_))
                    && let Some(other) = named.insert(root(&classes, number), number)
                {
                    return Some(End::OneIndividual(other, number));
                }
            }
        }
        // By predicate and classes of arguments: the first fact that has a value.
        let mut known: Map<(&str, Vec<u32>), usize> = Map::default();
        let mut open = Vec::new();
        for (number, fact) in self.facts.iter().enumerate() {
            let value = self.values.get(number).copied().flatten();
            match fact {
                Fact::Equal(a, b) => {
                    let same = root(&classes, *a) == root(&classes, *b);
                    match value {
                        Some(false) if same => return Some(End::Different(number)),
                        None if same => open.push((number, true, number)),
                        _ => {}
                    }
                }
                Fact::Atom(name, args) => {
                    let key = (name.as_str(), args.iter().map(|a| root(&classes, *a)).collect::<Vec<_>>());
                    let Some(value) = value else { continue };
                    let first = *known.entry(key).or_insert(number);
                    if self.values.get(first).copied().flatten() != Some(value) {
                        return Some(End::Opposite(first, number));
                    }
                }
            }
        }
        for (number, fact) in self.facts.iter().enumerate() {
            if let Fact::Atom(name, args) = fact
                && self.values.get(number).is_some_and(Option::is_none)
            {
                let key = (name.as_str(), args.iter().map(|a| root(&classes, *a)).collect::<Vec<_>>());
                if let Some(first) = known.get(&key)
                    && let Some(value) = self.values.get(*first).copied().flatten()
                {
                    open.push((number, value, *first));
                }
            }
        }
        for (fact, value, from) in open {
            if let Some(slot) = self.values.get_mut(fact) {
                *slot = Some(value);
                steps.push(Derived { fact, value, by: Reason::Same(from) });
            }
        }
        None
    }

    fn classes(&self) -> Vec<u32> {
        let equations = self.facts.iter().zip(&self.values).filter_map(|(fact, value)| match (fact, value) {
            (Fact::Equal(a, b), Some(true)) => Some((*a, *b)),
            _ => None,
        });
        classes(self.individuals, equations)
    }
}

/// For each individual another one that is the same by these equations, or itself: followed to the end, one for all that
/// are the same.
fn classes(individuals: &[Individual], equations: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
    let mut classes: Vec<u32> = (0..).take(individuals.len()).collect();
    let join = |a: u32, b: u32, classes: &mut Vec<u32>| {
        let (a, b) = (root(classes, a), root(classes, b));
        if a != b
            && let Some(class) = classes.get_mut(a.max(b) as usize)
        {
            *class = a.min(b);
            return true;
        }
        false
    };
    for (a, b) in equations {
        join(a, b, &mut classes);
    }
    let functions: Vec<(u32, &str, &[u32])> = (0..)
        .zip(individuals)
        .filter_map(|(number, individual)| match individual {
            Individual::Function(name, args) => Some((number, name.as_str(), args.as_slice())),
            _ => None,
        })
        .collect();
    let mut changed = !functions.is_empty();
    while changed {
        changed = false;
        for (i, (a, name, args)) in functions.iter().enumerate() {
            for (b, other, others) in functions.iter().skip(i + 1) {
                let alike = name == other
                    && args.len() == others.len()
                    && args.iter().zip(*others).all(|(x, y)| root(&classes, *x) == root(&classes, *y));
                changed |= alike && join(*a, *b, &mut classes);
            }
        }
    }
    classes
}

fn root(classes: &[u32], mut individual: u32) -> u32 {
    while let Some(class) = classes.get(individual as usize)
        && *class != individual
    {
        individual = *class;
    }
    individual
}
