//! What tests of several rooms share.

use std::time::Duration;

use super::{Attempt, Identity, Origin, Problem, Prover, Reason, Run};

/// A prover that never answers: grounding has to.
pub(crate) struct Silent(Identity);

impl Silent {
    pub(crate) fn new() -> Self {
        Self(Identity {
            name: "silent".to_owned(),
            version: "1".to_owned(),
            origin: Origin::Given,
            sha256: String::new(),
            path: "silent".into(),
        })
    }
}

impl Prover for Silent {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn run(&self, _problem: &Problem, _attempt: &Attempt, _memory_mb: u64) -> Run {
        Run { outcome: Err(Reason::GaveUp), wall: Duration::ZERO }
    }
}
