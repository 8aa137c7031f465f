//! Which attempts are made at a question, and what comes of them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::problem::Problem;
use super::prover::{Finding, Prover, Run};
use super::reason::Reason;
use super::szs::{Decision, Question, Szs};

/// One way of asking the prover.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// What it is called in records of runs.
    pub name: String,
    /// Options for the prover's command line, after those that refolio sets and so in force over them.
    #[serde(default)]
    pub options: Vec<String>,
    /// Seconds of wall-clock time, above 0; parts of a second are heeded to the millisecond.
    pub time_limit: f64,
}

impl Attempt {
    /// The longest time limit, in seconds: a day.
    pub const MAX_TIME_LIMIT: f64 = 86_400.0;

    /// The time limit, brought between one millisecond and a day (one millisecond for what is no number).
    #[must_use]
    pub fn time_limit(&self) -> Duration {
        let seconds = if self.time_limit.is_nan() { 0.0 } else { self.time_limit };
        Duration::from_secs_f64(seconds.clamp(0.001, Self::MAX_TIME_LIMIT))
    }
}

/// Attempts, made one after another until one decides the question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Schedule {
    /// In order.
    pub attempts: Vec<Attempt>,
    /// Memory for each prover process, in mebibytes.
    pub memory_mb: u64,
    /// How often an attempt is made again after the prover crashed or printed rubbish.
    pub retries_after_crash: u32,
}

impl Default for Schedule {
    /// For Vampire. A small problem is decided by the first attempt in milliseconds; the second finds countermodels on
    /// which saturation does not end; the others are Vampire's competition portfolios, for proofs and for models.
    fn default() -> Self {
        let attempt = |name: &str, options: &[&str], time_limit| Attempt {
            name: name.to_owned(),
            options: options.iter().map(|&o| o.to_owned()).collect(),
            time_limit,
        };
        // One core: every core already has a question of its own. A fixed seed, so that a run can be repeated.
        let portfolio = ["--mode", "casc", "--cores", "1", "--randomize_seed_for_portfolio_workers", "off"];
        let models = [&portfolio[..], &["--intent", "sat"]].concat();
        Self {
            attempts: vec![
                attempt("saturation", &[], 2.0),
                attempt("models", &["-sa", "fmb", "-updr", "off"], 10.0),
                attempt("portfolio", &portfolio, 20.0),
                attempt("portfolio-models", &models, 20.0),
            ],
            memory_mb: 2048,
            retries_after_crash: 1,
        }
    }
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is decided.
    Decided {
        /// The prover's status.
        status: Szs,
        /// What the status says in answer to the question.
        decision: Decision,
        /// Names of the statements that the proof starts from, in the problem's order. `None` where no proof was printed.
        used: Option<Vec<String>>,
        /// The proof's text, if one was printed.
        proof: Option<String>,
        /// The finite model's text, if one was printed.
        model: Option<String>,
        /// The name of the attempt that decided it.
        attempt: String,
    },
    /// It is not.
    Undecided {
        /// Why the last attempt decided nothing.
        reason: Reason,
    },
}

/// A run, for the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRecord {
    /// The attempt's name.
    pub attempt: String,
    /// The status, or the reason.
    pub outcome: String,
    /// Wall-clock time. Never part of data.
    pub wall: Duration,
}

/// The outcome and how it came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What came of the question.
    pub outcome: Outcome,
    /// Every run that was made for it, in order; none where it was recalled.
    pub runs: Vec<RunRecord>,
}

/// The question that a problem asks.
#[must_use]
pub fn question(problem: &Problem) -> Question {
    if problem.has_conjecture() { Question::Entailment } else { Question::Consistency }
}

/// Asks a prover, attempt after attempt, until one decides the question.
///
/// A status that does not answer the question is a reason like any other. An attempt that ended in a crash or rubbish
/// is made again, [`Schedule::retries_after_crash`] times; then the next one is made.
#[must_use]
pub fn ask<P: Prover + ?Sized>(prover: &P, problem: &Problem, schedule: &Schedule) -> Answer {
    let question = question(problem);
    let mut runs = Vec::new();
    let mut reason = Reason::NoAttempts;
    for attempt in &schedule.attempts {
        for _ in 0..=schedule.retries_after_crash {
            for Run { outcome, wall } in prover.runs(problem, attempt, schedule.memory_mb) {
                let judged = outcome.and_then(|finding| judge(finding, question));
                let text = match &judged {
                    Ok((finding, _)) => finding.status.to_string(),
                    Err(reason) => reason.to_string(),
                };
                runs.push(RunRecord { attempt: attempt.name.clone(), outcome: text, wall });
                match judged {
                    Ok((Finding { status, used, proof, model }, decision)) => {
                        let attempt = attempt.name.clone();
                        return Answer {
                            outcome: Outcome::Decided { status, decision, used, proof, model, attempt },
                            runs,
                        };
                    }
                    Err(r) => reason = r,
                }
            }
            if !reason.is_crash_like() {
                break;
            }
        }
        if reason.is_final() {
            break;
        }
    }
    Answer { outcome: Outcome::Undecided { reason }, runs }
}

fn judge(finding: Finding, question: Question) -> Result<(Finding, Decision), Reason> {
    match finding.status.decision(question) {
        Some(decision) => Ok((finding, decision)),
        None => Err(Reason::of_failure(finding.status).unwrap_or(Reason::UnfitStatus(finding.status, question))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_read_from_toml_and_unknown_keys_are_refused() {
        let text = "memory_mb = 512\n[[attempts]]\nname = \"quick\"\ntime_limit = 0.5\n\
                    [[attempts]]\nname = \"models\"\noptions = [\"-sa\", \"fmb\"]\ntime_limit = 10\n";
        let schedule: Schedule = toml::from_str(text).expect("a schedule");
        assert_eq!((schedule.memory_mb, schedule.retries_after_crash), (512, 1));
        assert_eq!(schedule.attempts[1].options, ["-sa", "fmb"]);
        assert_eq!(schedule.attempts[0].time_limit(), Duration::from_millis(500));
        assert_eq!(toml::from_str::<Schedule>("").expect("the default"), Schedule::default());
        for wrong in
            ["memory = 1", "[[attempts]]\nname = \"a\"", "[[attempts]]\nname = \"a\"\ntime_limit = 1\ntime = 1"]
        {
            assert!(toml::from_str::<Schedule>(wrong).is_err(), "{wrong}");
        }
        let default = Schedule::default();
        assert_eq!(toml::from_str::<Schedule>(&toml::to_string(&default).expect("text")).expect("read"), default);
    }

    #[test]
    fn a_time_limit_is_brought_into_its_range() {
        let limit = |time_limit| Attempt { name: String::new(), options: Vec::new(), time_limit }.time_limit();
        assert_eq!(limit(2.5), Duration::from_millis(2500));
        let least = Duration::from_millis(1);
        assert_eq!([limit(0.0), limit(-3.0), limit(f64::NAN), limit(f64::NEG_INFINITY)], [least; 4]);
        assert_eq!(limit(f64::INFINITY), Duration::from_secs(86_400));
    }
}
