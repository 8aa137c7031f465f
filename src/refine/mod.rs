//! The repair ladder. Its first rung: fixes that keep the meaning or give the only sensible reading.

mod bench;
mod case;
pub mod critique;
mod fixes;
mod ladder;

pub use bench::Bench;
pub use case::{Case, quick_verdict};
pub use fixes::{Fixed, apply_fixes, apply_safe_fixes};
pub use ladder::{Climbed, SearchOptions, climb};
