//! A prover that recalls what it has answered.

use std::sync::{Mutex, PoisonError};

use super::entry::{Entry, Keys};
use super::store::{Cache, Recalled};
use crate::prove::problem::Problem;
use crate::prove::prover::{Identity, Prover, Run};
use crate::prove::schedule::{Answer, Attempt, Schedule};

/// A prover with a cache before it.
pub struct Cached<'a> {
    prover: &'a dyn Prover,
    cache: &'a Cache,
    /// For the schedule that was asked by last; there is hardly ever another.
    keys: Mutex<Option<(Schedule, Keys)>>,
}

impl<'a> Cached<'a> {
    /// Puts a cache before a prover.
    #[must_use]
    pub fn new(prover: &'a dyn Prover, cache: &'a Cache) -> Self {
        Self { prover, cache, keys: Mutex::default() }
    }

    fn keys(&self, schedule: &Schedule) -> Keys {
        let mut known = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some((of, keys)) if of == schedule => keys.clone(),
            _ => {
                let keys = Keys::new(self.prover.identity(), schedule);
                *known = Some((schedule.clone(), keys.clone()));
                keys
            }
        }
    }
}

impl Prover for Cached<'_> {
    fn identity(&self) -> &Identity {
        self.prover.identity()
    }

    fn run(&self, problem: &Problem, attempt: &Attempt, memory_mb: u64) -> Run {
        self.prover.run(problem, attempt, memory_mb)
    }

    fn runs(&self, problem: &Problem, attempt: &Attempt, memory_mb: u64) -> Vec<Run> {
        self.prover.runs(problem, attempt, memory_mb)
    }

    fn ask(&self, problem: &Problem, schedule: &Schedule) -> Answer {
        let keys = self.keys(schedule);
        let tptp = problem.to_tptp();
        let key = keys.key(&tptp);
        if let Recalled::Entry(entry) = self.cache.get(&key)
            && let Some(answer) = entry.answer(problem, &tptp)
        {
            return answer;
        }
        let answer = self.prover.ask(problem, schedule);
        if let Some(entry) = Entry::of(&keys, &tptp, &answer) {
            self.cache.put(key, &entry);
        }
        answer
    }
}
