//! Asking each question once, as long as it is remembered.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::prove::save::{SaveError, save};
use crate::prove::{Answer, Outcome, Problem, Prover, Reason, RunRecord, Schedule, ask};

/// A question that was put to the prover, for the table of times.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// What was asked: `consistency`, `entails`, `refutes`, …
    pub question: String,
    /// Every run it took.
    pub runs: Vec<RunRecord>,
}

impl Query {
    /// Wall-clock time of all runs.
    #[must_use]
    pub fn wall(&self) -> Duration {
        self.runs.iter().map(|r| r.wall).sum()
    }
}

/// How many answers are remembered. Records that share a problem mostly follow each other.
const REMEMBERED: usize = 4096;

/// A prover with a schedule, that is asked each problem once however many records share it, unless some thousand other
/// problems come between.
///
/// Problems are told apart by the text that the prover reads, so an answer never depends on who asked first.
pub struct Asker<'a> {
    prover: &'a dyn Prover,
    schedule: &'a Schedule,
    answers: Mutex<Answers>,
    /// Where problems are saved, if they are.
    save_to: Option<PathBuf>,
    save_error: Mutex<Option<SaveError>>,
    /// Set once the prover turned out not to be there at all.
    lost: OnceLock<String>,
}

impl<'a> Asker<'a> {
    /// An asker that has not asked anything yet. With `save_to`, every problem is saved there as `<name>.p`.
    #[must_use]
    pub fn new(prover: &'a dyn Prover, schedule: &'a Schedule, save_to: Option<PathBuf>) -> Self {
        Self {
            prover,
            schedule,
            answers: Mutex::default(),
            save_to,
            save_error: Mutex::default(),
            lost: OnceLock::new(),
        }
    }

    /// Asks, or recalls the answer. The second value tells whether the prover was run for it now.
    pub fn ask(&self, problem: &Problem) -> (Answer, bool) {
        if let Some(folder) = &self.save_to
            && let Err(error) = save(folder, problem)
        {
            self.save_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
        self.ask_unsaved(problem)
    }

    /// Like [`Asker::ask`], but the problem is not saved.
    pub fn ask_unsaved(&self, problem: &Problem) -> (Answer, bool) {
        let key = Sha256::digest(problem.to_tptp()).into();
        let cell = self.answers.lock().unwrap_or_else(PoisonError::into_inner).of(key);
        let mut ran = false;
        let answer = cell.get_or_init(|| {
            ran = true;
            let answer = ask(self.prover, problem, self.schedule);
            if let Outcome::Undecided { reason: reason @ Reason::NotFound(_) } = &answer.outcome {
                let _ = self.lost.set(reason.to_string());
            }
            answer
        });
        (answer.clone(), ran)
    }

    /// Why the prover is not there any more, if it is not: no question can be answered from then on.
    #[must_use]
    pub fn prover_lost(&self) -> Option<String> {
        self.lost.get().cloned()
    }

    /// Whether problems are saved, so that they need names and comments.
    #[must_use]
    pub const fn saves(&self) -> bool {
        self.save_to.is_some()
    }

    /// The first failure to save a problem, if there was one.
    #[must_use]
    pub fn take_save_error(&self) -> Option<SaveError> {
        self.save_error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The answers to the last problems, by the SHA-256 of the text that the prover reads.
#[derive(Default)]
struct Answers {
    by_text: HashMap<[u8; 32], Arc<OnceLock<Answer>>>,
    /// In the order in which they were first asked for.
    order: VecDeque<[u8; 32]>,
}

impl Answers {
    fn of(&mut self, key: [u8; 32]) -> Arc<OnceLock<Answer>> {
        if let Some(answer) = self.by_text.get(&key) {
            return Arc::clone(answer);
        }
        if self.order.len() >= REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_text.remove(&oldest);
        }
        self.order.push_back(key);
        Arc::clone(self.by_text.entry(key).or_default())
    }
}
