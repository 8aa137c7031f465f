//! Comparing two versions of a dataset: which rows are the same row, and what changed in them.
//!
//! Versions drop rows, rewrite sentences and shift ids, so that an id alone joins strangers: between FOLIO v0.0 and v2 it
//! would show 270 label changes that never were. Stories are aligned first, then rows within a story, by what they say and
//! where they stand; an id counts only where the texts confirm it.

mod align;
mod compare;
mod likeness;
mod report;
mod table;

pub use align::{Aligned, By, align};
pub use compare::{Audited, FormulaChange, Relation, audit};
pub use report::{Totals, json, text};
pub use table::{TableError, write};
