//! The repair ladder. Its first rung: fixes that keep the meaning or give the only sensible reading.

mod bench;
mod fixes;

pub use bench::Bench;
pub use fixes::{Fixed, apply_fixes, apply_safe_fixes};
