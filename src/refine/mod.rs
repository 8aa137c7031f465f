//! The repair ladder. Its first rung: fixes that keep the meaning or give the only sensible reading.

mod fixes;

pub use fixes::{Fixed, apply_fixes, apply_safe_fixes};
