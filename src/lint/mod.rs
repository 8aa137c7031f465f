//! Findings about annotations, records and datasets: a registry of rules, each with a code, an explanation, examples
//! and, where one exists, a fix.
//!
//! Rules look at values and return diagnostics; they call no prover and read no file.

pub(crate) mod across;
pub mod binding;
mod context;
pub mod cue;
pub mod docs;
pub mod logic;
pub mod names;
mod parsed;
pub mod registry;
pub mod report;
pub mod rows;
mod rule;
pub mod shape;
pub mod syntax;
pub(crate) mod tree;
pub(crate) mod words;

pub use context::{Annotation, RecordContext};
pub use parsed::ParsedRecord;
pub use registry::{Selection, UnknownSelector, all, check_dataset, check_record, find, suggest};
pub use rule::{Example, Family, Rule};
