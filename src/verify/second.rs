//! A second opinion: another prover on what the first one found.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::lower::premise_index;
use crate::prove::{Decision, Outcome, Problem, Prover, Schedule, ask};
use crate::record::Record;

/// One record in this many is in the sample.
const SAMPLE: u8 = 32;

/// Of which contradictions another prover is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SecondOpinionLevel {
    /// Of none.
    Off,
    /// Of those without a certificate, and of one in 32 of the others.
    Sample,
    /// Of all.
    All,
}

/// Another prover, and of what it is asked.
pub struct SecondOpinion<'a> {
    prover: &'a dyn Prover,
    schedule: Schedule,
    level: SecondOpinionLevel,
}

impl<'a> SecondOpinion<'a> {
    /// With this prover and its schedule.
    #[must_use]
    pub const fn new(prover: &'a dyn Prover, schedule: Schedule, level: SecondOpinionLevel) -> Self {
        Self { prover, schedule, level }
    }

    /// Whether it is to be asked of a contradiction: of all, or of those without a certificate and of a sample that
    /// depends on the record alone.
    pub(super) fn is_wanted(&self, record: &Record, has_certificate: bool) -> bool {
        match self.level {
            SecondOpinionLevel::Off => false,
            SecondOpinionLevel::Sample => !has_certificate || is_in_sample(&record.record_id),
            SecondOpinionLevel::All => true,
        }
    }

    /// Whether the used premises alone, with the conclusion that is to follow if there is one, suffice: `Ok(false)`
    /// where the other prover is silent.
    ///
    /// # Errors
    /// Where it finds that they do not; with what is to be said of that.
    pub(super) fn of(&self, problem: &Problem, used: Option<&[u32]>) -> Result<bool, String> {
        let mut part = Problem { statements: problem.statements.clone(), ..Problem::default() };
        if let Some(used) = used {
            part.statements.retain(|s| premise_index(&s.name).is_none_or(|i| used.contains(&i)));
        }
        if part.statements.is_empty() {
            return Ok(false);
        }
        match ask(self.prover, &part, &self.schedule).outcome {
            Outcome::Decided { decision: Decision::Follows | Decision::Unsatisfiable, .. } => Ok(true),
            Outcome::Decided { status, .. } => {
                let identity = self.prover.identity();
                Err(format!("disagreement: {} says {status} of the premises used", identity.name))
            }
            Outcome::Undecided { .. } => Ok(false),
        }
    }
}

fn is_in_sample(record_id: &str) -> bool {
    Sha256::digest(record_id.as_bytes()).first().is_some_and(|byte| byte % SAMPLE == 0)
}
