//! Asking theorem provers: problems in, SZS statuses and evidence out. Nothing here knows what a label is.

mod problem;

pub use problem::{Problem, Role, Statement};
