//! The repair ladder: rungs propose, guards let pass or refuse, what passes is on record.
//!
//! The first rung are fixes that keep the meaning or give the only sensible reading ([`apply_safe_fixes`]); the second is a
//! search for what closes a broken chain ([`climb`]).

pub mod agents;
mod bench;
mod brackets;
mod case;
pub mod critique;
mod fixes;
pub mod guards;
mod ladder;
mod look;
mod offers;
mod prior;
pub mod priors;
mod search;
mod step;

pub use bench::Bench;
pub use case::{Case, quick_verdict};
pub use fixes::{Fixed, apply_fixes, apply_safe_fixes};
pub use ladder::{Climbed, SearchOptions, climb};
pub use prior::Prior;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
