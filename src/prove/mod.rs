//! Asking theorem provers: problems in, SZS statuses and evidence out. Nothing here knows what a label is.

pub mod bundled;
pub mod cancel;
mod problem;
pub mod process;
pub mod szs;
pub mod tstp;

pub use problem::{Problem, Role, Statement};
pub use szs::{Decision, Question, Szs};
