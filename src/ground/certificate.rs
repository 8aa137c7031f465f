//! Certificates: which instances of which statements contradict each other.

use std::collections::BTreeMap;

use batsat::{Lit, SolverInterface as _, lbool};
use serde::{Deserialize, Serialize};

use super::GiveUp;
use super::expand::Expansion;
use super::normal::{Names, Normal};
use super::term::{Individual, Place};

/// Instances of one question among which those that contradict each other are sought.
const MAX_INSTANCES: usize = 20_000;

/// A statement with individuals put for its variables.
///
/// Variables of universal quantifiers (`∀`, or `∃` under an odd number of negations) take the individual chosen for
/// them; those of the others take their witness. A part of the statement under a universal quantifier for which nothing
/// is chosen is left out: what remains still follows from the statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instance {
    /// The 0-based statement.
    pub statement: usize,
    /// The individual chosen for each variable, by number. In JSON a list of pairs.
    #[serde(with = "pairs")]
    pub choices: BTreeMap<Place, u32>,
}

/// Instances of statements that cannot all be true: with [`check`](super::check::check), a proof that the statements
/// contradict each other.
///
/// That some such list of instances exists for every contradiction is Herbrand's theorem (1930); that witnesses may be
/// spoken of is Hilbert and Bernays' first ε-theorem (1939).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The individuals, by number.
    pub individuals: Vec<Individual>,
    /// The instances, by statement. None can be left out.
    pub instances: Vec<Instance>,
    /// Whether the author's constants are taken to name different individuals.
    pub unique_names: bool,
}

impl Certificate {
    /// The statements that have an instance, sorted.
    #[must_use]
    pub fn statements(&self) -> Vec<usize> {
        let mut out: Vec<usize> = self.instances.iter().map(|i| i.statement).collect();
        out.dedup();
        out
    }
}

/// A map as a list of pairs.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use super::Place;

    pub(super) fn serialize<S: Serializer>(map: &BTreeMap<Place, u32>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<Place, u32>, D::Error> {
        let pairs = Vec::<(Place, u32)>::deserialize(deserializer)?;
        let count = pairs.len();
        let map: BTreeMap<Place, u32> = pairs.into_iter().collect();
        if map.len() == count { Ok(map) } else { Err(D::Error::custom("two choices for one variable")) }
    }
}

/// The instances of the statements, known to contradict each other over the individuals below `universe`, from which
/// nothing can be left out.
pub(super) fn build(
    names: &mut Names<'_>,
    formulas: &[(usize, &Normal)],
    universe: u32,
    unique_names: bool,
) -> Result<Certificate, GiveUp> {
    let mut instances = Vec::new();
    for (statement, formula) in formulas {
        for choices in choices(formula, universe)? {
            instances.push((Instance { statement: *statement, choices }, *formula));
        }
        if instances.len() > MAX_INSTANCES {
            return Err(GiveUp::TooLarge);
        }
    }
    let mut expansion = Expansion::new(names);
    let mut selectors = Vec::with_capacity(instances.len());
    for (instance, formula) in &instances {
        selectors.push(expansion.instance(formula, &instance.choices)?);
    }
    expansion.close_equality()?;
    let hard = if unique_names { expansion.distinct_names() } else { Vec::new() };
    let core = minimal_core(&mut expansion, &selectors, &hard)?.ok_or(GiveUp::NoCertificate)?;
    let chosen: Vec<Instance> = core.into_iter().filter_map(|i| instances.get(i)).map(|(i, _)| i.clone()).collect();
    Ok(compact(names.terms.all(), chosen, unique_names))
}

/// Of literals that cannot all be true, those that cannot be spared: each is dropped in turn and kept where the rest
/// can be true without it. `None` where they all can be true.
pub(super) fn minimal_core(
    expansion: &mut Expansion<'_, '_>,
    selectors: &[Lit],
    hard: &[Lit],
) -> Result<Option<Vec<usize>>, GiveUp> {
    let all: Vec<usize> = (0..selectors.len()).collect();
    let Some(mut core) = smaller_core(expansion, selectors, hard, &all)? else { return Ok(None) };
    let mut at = 0;
    while at < core.len() {
        let without: Vec<usize> = core.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, s)| *s).collect();
        match smaller_core(expansion, selectors, hard, &without)? {
            // Those before `at` are among it: they were shown to be needed.
            Some(smaller) => core = smaller,
            None => at += 1,
        }
    }
    Ok(Some(core))
}

/// Those of the selected literals that the solver needed to find that they cannot all be true; `None` if they can.
fn smaller_core(
    expansion: &mut Expansion<'_, '_>,
    selectors: &[Lit],
    hard: &[Lit],
    selected: &[usize],
) -> Result<Option<Vec<usize>>, GiveUp> {
    let solver = &mut expansion.solver;
    let assumptions: Vec<Lit> = selected.iter().filter_map(|s| selectors.get(*s)).chain(hard).copied().collect();
    let answer = solver.solve_limited(&assumptions);
    if answer == lbool::TRUE {
        return Ok(None);
    }
    if answer != lbool::FALSE {
        return Err(GiveUp::NoAnswer);
    }
    let used = |s: &usize| selectors.get(*s).is_some_and(|l| solver.unsat_core_contains_var(l.var()));
    Ok(Some(selected.iter().copied().filter(used).collect()))
}

/// Every way of choosing individuals that gives the most specific instances. A conjunction needs only one part at a
/// time, a disjunction all.
fn choices(formula: &Normal, universe: u32) -> Result<Vec<BTreeMap<Place, u32>>, GiveUp> {
    let nothing = || vec![BTreeMap::new()];
    Ok(match formula {
        Normal::Atom { .. } | Normal::Equal { .. } => nothing(),
        Normal::Exists(_, _, body) => choices(body, universe)?,
        Normal::And(parts) => {
            let mut out = Vec::new();
            for part in parts {
                out.extend(choices(part, universe)?.into_iter().filter(|c| !c.is_empty()));
            }
            if out.is_empty() { nothing() } else { out }
        }
        Normal::Or(parts) => {
            let mut out = nothing();
            for part in parts {
                let more = choices(part, universe)?;
                bounded(out.len().saturating_mul(more.len()))?;
                out = out.iter().flat_map(|a| more.iter().filter_map(|b| merged(a, b))).collect();
            }
            out
        }
        Normal::ForAll(place, body) => {
            let inner = choices(body, universe)?;
            bounded(inner.len().saturating_mul(universe as usize))?;
            let with =
                |individual| inner.iter().filter_map(move |c| merged(c, &BTreeMap::from([(*place, individual)])));
            (0..universe).flat_map(with).collect()
        }
    })
}

const fn bounded(count: usize) -> Result<(), GiveUp> {
    if count > MAX_INSTANCES { Err(GiveUp::TooLarge) } else { Ok(()) }
}

/// Both together, unless they choose differently for the same variable.
fn merged(a: &BTreeMap<Place, u32>, b: &BTreeMap<Place, u32>) -> Option<BTreeMap<Place, u32>> {
    let mut out = a.clone();
    for (place, individual) in b {
        if *out.entry(*place).or_insert(*individual) != *individual {
            return None;
        }
    }
    Some(out)
}

/// Only the individuals that are spoken of, in their order.
fn compact(all: &[Individual], mut instances: Vec<Instance>, unique_names: bool) -> Certificate {
    let mut wanted = vec![false; all.len()];
    let mut open: Vec<u32> = instances.iter().flat_map(|i| i.choices.values().copied()).collect();
    while let Some(number) = open.pop() {
        if let Some(seen) = wanted.get_mut(number as usize)
            && !std::mem::replace(seen, true)
            && let Some(Individual::Function(_, args) | Individual::Witness(_, args)) = all.get(number as usize)
        {
            open.extend(args);
        }
    }
    let mut renamed = BTreeMap::new();
    let mut individuals = Vec::new();
    for (number, individual) in (0..).zip(all).filter(|(n, _)| wanted.get(*n as usize) == Some(&true)) {
        renamed.insert(number, u32::try_from(individuals.len()).unwrap_or(u32::MAX));
        individuals.push(individual.clone());
    }
    let rename = |number: &mut u32| *number = renamed.get(number).copied().unwrap_or(u32::MAX);
    for individual in &mut individuals {
        if let Individual::Function(_, args) | Individual::Witness(_, args) = individual {
            args.iter_mut().for_each(rename);
        }
    }
    instances.iter_mut().flat_map(|i| i.choices.values_mut()).for_each(rename);
    Certificate { individuals, instances, unique_names }
}
