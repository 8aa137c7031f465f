//! Language models in the pipeline: many stories wait for answers at once, while few use a core.

use std::sync::{Condvar, Mutex, PoisonError};

use serde_json::{Map, Value, json};

use crate::diagnostic::EditKind;
use crate::llm::Oracle;
use crate::record::{Agreement, Row, Status};
use crate::refine::agents::{Consulted, Prompts};

/// Whom to ask, with what prompts, and how many stories may be under way meanwhile.
#[derive(Clone, Copy)]
pub struct Agents<'a> {
    /// Answers questions.
    pub oracle: &'a Oracle,
    /// What is asked.
    pub prompts: &'a Prompts,
    /// The cores, of which a story gives its own back while it waits.
    pub cores: &'a Cores,
    /// Stories under way at once.
    pub threads: usize,
}

/// Lets no more threads work than there are cores.
#[derive(Debug)]
pub struct Cores {
    free: Mutex<usize>,
    changed: Condvar,
}

impl Cores {
    /// So many, at least one.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self { free: Mutex::new(count.max(1)), changed: Condvar::new() }
    }

    /// Takes a core, when there is one.
    pub fn enter(&self) {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self.changed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
    }

    /// Gives it back.
    pub fn leave(&self) {
        *self.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.changed.notify_one();
    }

    /// Works on a core of its own.
    pub(super) fn on_one<T>(&self, work: impl FnOnce() -> T) -> T {
        struct Leaving<'a>(&'a Cores);
        impl Drop for Leaving<'_> {
            fn drop(&mut self) {
                self.0.leave();
            }
        }
        self.enter();
        let _leaving = Leaving(self);
        work()
    }
}

/// The least review score of a row with a formula that, told back, says something else than its sentence.
const DIFFERENT: f64 = 0.45;

/// Likewise where one of them says more.
const SAYS_MORE: f64 = 0.3;

impl Agents<'_> {
    /// The prompts as they stand in the recorded configuration.
    pub(super) fn recorded(&self) -> Value {
        let prompts = self.prompts.recorded();
        prompts
            .map(|(agent, name, sha256)| (agent.to_owned(), json!(format!("{name} sha256:{sha256}"))))
            .collect::<Map<_, _>>()
            .into()
    }

    /// Puts on a row's record what was asked and answered.
    pub(super) fn record(&self, row: &mut Row, consulted: &Consulted) {
        if consulted.questions == 0 && consulted.ended.is_none() {
            return;
        }
        if consulted.questions > 0 {
            row.llm_model = Some(self.oracle.parameters().model.clone());
            row.prompt_version = Some(consulted.prompts.join(" "));
        }
        if row.status == Status::Repaired && row.edits.iter().any(|edit| edit.kind == EditKind::Llm) {
            self.oracle.count_repaired();
        }
        row.iterations = row.iterations.max(u32::try_from(consulted.rounds.len()).unwrap_or(u32::MAX));
        let problematic = row.status == Status::Problematic;
        // By the verdict as the row leaves: what a sibling has changed since counts.
        if let Some(review) = consulted.label.as_ref().filter(|_| problematic)
            && row.verdict.agreement(Some(review.label)) == Agreement::Agree
            && row.label != Some(review.label)
        {
            row.proposed_label = Some(review.label);
        }
        if consulted.ambiguous {
            row.verdict_reason = Some("ambiguous-formalisation: several readings got as many answers".to_owned());
        } else if let Some(ended) = consulted.ended.as_ref().filter(|_| problematic || row.status == Status::Unjudged) {
            let word = match ended.split_once(':') {
                Some(("failure", failure)) => format!("llm-{}", failure.split(':').next().unwrap_or_default()),
                _ => "llm-gave-up".to_owned(),
            };
            let detail = ended.split_once(':').map_or(ended.as_str(), |(_, detail)| detail).trim();
            let why = row.verdict_reason.take().unwrap_or_else(|| detail.to_owned());
            row.verdict_reason = Some(format!("{word}: {why}"));
        }
        for told in &consulted.faithfulness {
            if told.relation != "same" {
                let signal = format!("told-back-{}", told.relation);
                if !row.signals.contains(&signal) {
                    row.signals.push(signal);
                }
                // A row that agrees by a formula that says something else is what a person should see first of these.
                let least = if told.relation == "different" { DIFFERENT } else { SAYS_MORE };
                if row.review_score.is_some_and(|score| score < least) {
                    row.review_score = Some(least);
                    row.review_reason = Some(format!("told-back-{}", told.relation));
                }
            }
        }
        row.presuppositions.extend(consulted.presuppositions.iter().cloned());
        let known: Option<Value> = row.critique.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let mut critique = match known {
            Some(Value::Object(map)) => map,
            _ => Map::from_iter([("sentences".to_owned(), json!([]))]),
        };
        // Plain data: it cannot fail.
        critique.insert("agents".to_owned(), serde_json::to_value(consulted).unwrap_or_default());
        row.critique = Some(Value::Object(critique).to_string());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn no_more_work_than_there_are_cores() {
        let cores = Cores::new(2);
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..12 {
                scope.spawn(|| {
                    cores.on_one(|| {
                        most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::sleep(std::time::Duration::from_millis(2));
                        inside.fetch_sub(1, Ordering::SeqCst);
                        // While it waits, others go on.
                        cores.leave();
                        cores.enter();
                    });
                });
            }
        });
        assert_eq!(most.into_inner(), 2);
    }
}
