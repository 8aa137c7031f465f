//! Findings about annotations, records and datasets: a registry of rules, each with a code, an explanation, examples
//! and, where one exists, a fix.
//!
//! Rules look at values and return diagnostics; they call no prover and read no file.

mod context;
mod rule;
pub mod syntax;

pub use context::{Annotation, RecordContext};
pub use rule::{Example, Family, Rule};
