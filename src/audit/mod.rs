//! Comparing two versions of a dataset: which rows are the same row, and what changed in them.
//!
//! Versions drop rows, rewrite sentences and shift ids, so that an id alone joins strangers: between FOLIO v0.0 and v2 it
//! would show 270 label changes that never were. Stories are aligned first, then rows within a story, by what they say and
//! where they stand; an id counts only where the texts confirm it.

mod align;
mod compare;
mod frame;
mod html;
mod kind;
mod likeness;
mod pair;
mod report;
mod table;
mod words;

pub use align::{Aligned, By, align};
pub use compare::{Audited, Auditor, FormulaChange, Judged, Relation, SentenceChange, audit};
pub use frame::Totals;
pub use html::html;
pub use kind::Kind;
pub use report::{json, text};
pub(crate) use table::write_batch;
pub use table::{TableError, write};
