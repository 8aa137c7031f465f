//! Measuring repair on rows of which the answer is known.
//!
//! [`measure`] makes one realistic error at a time in rows that agree, and looks whether repair gives back formulas
//! equivalent to the originals. [`control`] gives rows that agree a wrong label, and looks whether repair bends their
//! formulas to it. Both take the whole ladder as it is.

mod control;
mod equivalence;
mod measure;
mod mutate;
mod report;
mod trial;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use crate::lint::Selection;
use crate::record::Record;
use crate::refine::{Bench, Case, SearchOptions};
use crate::verify::{ReadingOptions, same_story};

pub use control::{Bent, ControlReport, Pair, PairCounts, control};
pub use equivalence::equivalent_up_to_renaming;
pub use measure::{Errors, KindCounts, Report, RuleCounts, measure};
pub use mutate::{ErrorKind, Mutation, UnknownKind, mutations};
pub use report::Shown;
pub use trial::{Changed, Outcome, Rung, Trial};

/// How the ladder is climbed.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The rules whose fixes are applied.
    pub selection: Selection,
    /// How annotations are read.
    pub reading: ReadingOptions,
    /// Bounds of the search.
    pub search: SearchOptions,
}

/// The stories of a data set: consecutive records with the same premises.
pub(crate) fn stories(records: &[Record]) -> Vec<&[Record]> {
    records.chunk_by(same_story).collect()
}

/// The records of a story after safe fixes. Rows that cannot be read are left out.
fn cases<'a>(story: &'a [Record], settings: &Settings, bench: &Bench<'_>) -> Vec<Case<'a>> {
    let readable = story.iter().filter(|record| record.is_readable());
    readable.map(|record| Case::new(record, &settings.selection, settings.reading, bench)).collect()
}

/// A share of a whole, from 0 to 1; `None` of nothing.
#[expect(clippy::cast_precision_loss, reason = "numbers of rows are far below 2^52")]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
