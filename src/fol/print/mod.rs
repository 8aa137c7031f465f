//! Printers, side by side: the same tree in different notations.

pub mod tptp;
pub mod unicode;
