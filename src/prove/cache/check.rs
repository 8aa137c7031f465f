//! Holding what is kept against the prover.

use super::entry::Keys;
use super::store::{Cache, CacheError, Recalled};
use crate::prove::prover::Prover;
use crate::prove::schedule::{Outcome, Schedule};

/// What came of looking at an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// It is as it was written; the prover was not asked.
    Intact,
    /// The prover gives the same answer again, proof and all.
    Same,
    /// It is as it was written, and is the answer of another prover or to another schedule.
    OtherProver,
    /// It is not what was written, or is about another question than its key says. It was removed.
    Damaged,
    /// The prover gives no answer now. What it once showed is not refuted by that.
    Unanswered,
    /// The prover gives another answer. It was removed.
    Different {
        /// The status that was kept.
        kept: String,
        /// What the prover says now, or why it says nothing.
        now: String,
    },
}

/// Looks at an entry and, with a prover, asks again.
///
/// # Errors
/// If the file cannot be written.
pub fn check(cache: &Cache, key: &[u8], again: Option<(&dyn Prover, &Schedule, &Keys)>) -> Result<Checked, CacheError> {
    let damaged = || cache.remove(key).map(|()| Checked::Damaged);
    let Ok(fixed) = key.try_into() else { return damaged() };
    let Recalled::Entry(entry) = cache.get(&fixed) else { return damaged() };
    let Some((prover, schedule, keys)) = again else { return Ok(Checked::Intact) };
    if entry.context != keys.context() {
        return Ok(Checked::OtherProver);
    }
    let tptp = entry.problem.clone();
    let Some(problem) = entry.problem().filter(|_| keys.key(&tptp) == fixed) else { return damaged() };
    let kept = entry.status.clone();
    let Some(before) = entry.answer(&problem, &tptp) else { return damaged() };
    let now = prover.ask(&problem, schedule);
    if now.outcome == before.outcome {
        return Ok(Checked::Same);
    }
    let now = match now.outcome {
        Outcome::Decided { status, .. } if status.as_str() == kept => format!("{status} with other evidence"),
        Outcome::Decided { status, .. } => status.to_string(),
        Outcome::Undecided { .. } => return Ok(Checked::Unanswered),
    };
    cache.remove(key)?;
    Ok(Checked::Different { kept, now })
}
