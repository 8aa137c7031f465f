//! Certificates and models, beside what the prover says.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

use crate::ground::{Answer, GiveUp, Statement, decide};

/// What verdicts have to rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EvidenceLevel {
    /// Certificates and evaluated models beside what the prover says.
    Full,
    /// What the prover says.
    Prover,
}

/// Answers kept at a time. Records of one story stand together, so that few are needed.
const KEPT: usize = 1024;

/// What grounding makes of a question.
pub(super) type Grounded = Arc<Result<Answer, GiveUp>>;

type Cell = Arc<OnceLock<Grounded>>;

/// Decides questions by grounding, each that several records share once.
#[derive(Debug, Default)]
pub struct Grounder {
    off: bool,
    answers: Mutex<HashMap<String, Cell>>,
}

impl Grounder {
    /// One that answers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One that leaves every question to the prover.
    #[must_use]
    pub fn off() -> Self {
        Self { off: true, ..Self::default() }
    }

    /// `None` where nothing is to be grounded.
    pub(super) fn ask(&self, statements: &[Statement<'_>], unique_names: bool) -> Option<Grounded> {
        (!self.off).then(|| Arc::new(decide(statements, unique_names)))
    }

    /// Likewise, for a question that other records ask too; `key` tells it from all others.
    pub(super) fn ask_shared(&self, key: &str, statements: &[Statement<'_>], unique_names: bool) -> Option<Grounded> {
        if self.off {
            return None;
        }
        let cell = {
            let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
            if answers.len() >= KEPT && !answers.contains_key(key) {
                answers.clear();
            }
            Arc::clone(answers.entry(key.to_owned()).or_default())
        };
        Some(Arc::clone(cell.get_or_init(|| Arc::new(decide(statements, unique_names)))))
    }
}
