//! Asking theorem provers: problems in, SZS statuses and evidence out. Nothing here knows what a label is.

pub mod bundled;
pub mod cache;
pub mod cancel;
pub mod discover;
pub mod doctor;
pub mod eprover;
mod leaves;
mod problem;
pub mod process;
pub mod prover;
mod reason;
pub mod save;
pub mod schedule;
pub mod szs;
pub mod tstp;
pub mod vampire;
pub mod worker;

pub use problem::{Problem, Role, Statement};
pub use prover::{Finding, Identity, Origin, Prover, Run};
pub use reason::Reason;
pub use schedule::{Answer, Attempt, Outcome, RunRecord, Schedule, ask, question};
pub use szs::{Decision, Question, Szs};

#[cfg(test)]
pub(crate) mod testing;
