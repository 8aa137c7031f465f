//! What a dataset is like: labels, lengths, sizes, operators, what parses, and what stands in it twice.
//!
//! Everything is told of the texts as they came, strictly read. Records come in, values go out.

mod describe;
mod duplicates;
mod gather;
mod report;
mod shape;
mod table;

#[cfg(test)]
mod tests;

pub use describe::{Distribution, Measure, Operator, SplitStats};
pub use duplicates::{Between, Found, Level, Pair, Within};
pub use report::{json, markdown, text};
pub use table::write;

use polars::prelude::PolarsResult;

use crate::fol::QuantifierScope;
use crate::record::Record;

/// How a dataset is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How much a quantifier binds.
    pub scope: QuantifierScope,
    /// Steps up to which a renaming is looked for that makes two stories one. Where they do not suffice, it is told.
    pub bound: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { scope: QuantifierScope::default(), bound: 100_000 }
    }
}

/// What a dataset is like.
#[derive(Debug, Clone, PartialEq)]
pub struct Stats {
    /// By split, sorted by name.
    pub splits: Vec<SplitStats>,
    /// Lengths and sizes; what the dataset has nothing of is left out.
    pub measures: Vec<Measure>,
    /// What is there twice, level by level.
    pub duplicates: Vec<Found>,
    /// The same one by one: each with the first that it is the same as.
    pub pairs: Vec<Pair>,
}

impl Stats {
    /// Looks at a dataset.
    ///
    /// # Errors
    /// Where a frame cannot be made or asked, as for want of memory.
    pub fn of(records: &[Record], options: Options) -> PolarsResult<Self> {
        let stories = gather::stories(records, options.scope);
        let frames = describe::Frames::of(records, &stories)?;
        let (splits, measures) = (frames.splits()?, frames.measures()?);
        drop(frames);
        let (duplicates, pairs) = duplicates::find(records, &stories, options.scope, options.bound)?;
        Ok(Self { splits, measures, duplicates, pairs })
    }

    /// What was found at a level.
    #[must_use]
    pub fn duplicates(&self, level: Level) -> Option<&Found> {
        self.duplicates.iter().find(|found| found.level == level)
    }
}
