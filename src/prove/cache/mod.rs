//! Answers that are kept from run to run, so that no question is asked twice.
//!
//! An entry is found by a digest of everything an answer depends on: the exact text that the prover reads, which prover
//! it is, and how it is asked. Only what was decided is kept; a failure may have passed by the next time. Each entry
//! carries a checksum over key and value: a damaged one is counted and asked anew, never believed. A recalled answer is
//! the same value as the one that was given, so that nothing in the data tells which it was.

mod check;
mod entry;
mod prover;
mod store;

pub use check::{Checked, check};
pub use entry::{Entry, Key, Keys};
pub use prover::Cached;
pub use store::{Cache, CacheError, Counts, FORMAT, Recalled, Stats};
