//! Writing refined splits.
