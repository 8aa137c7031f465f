//! Asking each question once, as long as it is remembered.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::prove::save::{SaveError, save};
use crate::prove::{Answer, Outcome, Problem, Prover, Reason, RunRecord, Schedule};

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

/// As many problems' answers are held at least, and at most twice as many: those of the records that lie near each
/// other, which are those that share stories.
const HELD: usize = 4096;

/// The answers to the problems that were asked last, in two generations: when the younger is full, the elder goes.
#[derive(Default)]
struct Answers {
    young: HashMap<String, Cell>,
    old: HashMap<String, Cell>,
}

type Cell = Arc<OnceLock<Answer>>;

impl Answers {
    /// The place of a problem's answer. Who holds it keeps it, though it be forgotten here meanwhile.
    fn cell(&mut self, tptp: String) -> Cell {
        if let Some(cell) = self.young.get(&tptp) {
            return Arc::clone(cell);
        }
        let cell = self.old.remove(&tptp).unwrap_or_default();
        if self.young.len() >= HELD {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(tptp, Arc::clone(&cell));
        cell
    }
}

/// A prover with a schedule, that is asked each problem once however many records share it.
///
/// Of many thousand problems the latest are held; one that comes again much later is asked again, to the same answer.
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
        let cell = self.answers.lock().unwrap_or_else(PoisonError::into_inner).cell(problem.to_tptp());
        let mut ran = false;
        let answer = cell.get_or_init(|| {
            ran = true;
            let answer = self.prover.ask(problem, self.schedule);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_answers_are_held_and_no_more_than_twice_as_many() {
        let mut answers = Answers::default();
        let first = answers.cell("first".to_owned());
        for i in 0..HELD - 1 {
            answers.cell(i.to_string());
        }
        assert!(Arc::ptr_eq(&answers.cell("first".to_owned()), &first));
        for i in 0..10 * HELD {
            answers.cell(i.to_string());
            assert!(answers.young.len() <= HELD && answers.old.len() <= HELD);
        }
        assert!(!Arc::ptr_eq(&answers.cell("first".to_owned()), &first));
    }
}
