//! The individuals that a ground question speaks of.

use super::Map;
use serde::{Deserialize, Serialize};

/// A quantified variable: the quantifiers' variables of a statement are numbered from 0 as they stand, from left to
/// right. Where `↔` or `⊕` makes a quantifier stand both plainly and negated, the two are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The 0-based statement.
    pub statement: u32,
    /// The 0-based variable in it.
    pub variable: u32,
    /// Whether the quantifier stands plainly (`true`) or under an odd number of negations.
    pub plain: bool,
}

/// An individual, by the way it is spoken of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Individual {
    /// An author's constant.
    Constant(String),
    /// A free variable, standing for one unknown individual.
    Free(String),
    /// An author's function applied to individuals, by their numbers.
    Function(String, Vec<u32>),
    /// One of those of which the quantified formula holds, if any are: Hilbert's ε-term for that formula under these
    /// values of the variables free in it. Speaking of it commits to nothing but that it exists, which every non-empty
    /// domain grants.
    Witness(Place, Vec<u32>),
    /// Any individual: domains are not empty.
    Anyone,
}

/// Individuals by number.
#[derive(Debug, Clone, Default)]
pub(super) struct Terms {
    individuals: Vec<Individual>,
    numbers: Map<Individual, u32>,
}

impl Terms {
    /// The number of an individual, a new one if it was not spoken of yet.
    pub(super) fn number(&mut self, individual: Individual) -> u32 {
        if let Some(number) = self.numbers.get(&individual) {
            return *number;
        }
        let number = u32::try_from(self.individuals.len()).unwrap_or(u32::MAX);
        self.individuals.push(individual.clone());
        self.numbers.insert(individual, number);
        number
    }

    pub(super) fn all(&self) -> &[Individual] {
        &self.individuals
    }

    pub(super) fn len(&self) -> usize {
        self.individuals.len()
    }
}
