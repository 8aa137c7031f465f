//! What is kept, and under which key.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::prove::problem::{Problem, Role, Statement};
use crate::prove::prover::Identity;
use crate::prove::schedule::{Answer, Outcome, Schedule, question};

/// Under which an answer is found: SHA-256 of all that it depends on.
pub type Key = [u8; 32];

/// Makes keys for one prover, asked in one way.
#[derive(Debug, Clone)]
pub struct Keys {
    asked: Sha256,
    context: String,
}

impl Keys {
    /// Takes in the prover's name, version and hash, and the schedule's attempts and memory. Where it lies and how often
    /// a crash is made good for change no answer.
    #[must_use]
    pub fn new(identity: &Identity, schedule: &Schedule) -> Self {
        let mut asked = Sha256::new();
        let mut take = |text: &str| {
            // With its length, so that no two sequences of texts read the same.
            asked.update((text.len() as u64).to_le_bytes());
            asked.update(text);
        };
        take("refolio answer 1");
        take(&identity.name);
        take(&identity.version);
        take(&identity.sha256);
        take(&schedule.memory_mb.to_string());
        for attempt in &schedule.attempts {
            take(&attempt.name);
            take(&attempt.time_limit().as_nanos().to_string());
            take(&attempt.options.len().to_string());
            attempt.options.iter().for_each(|option| take(option));
        }
        let context = hex(&asked.clone().finalize());
        Self { asked, context }
    }

    /// The key of a problem's text.
    #[must_use]
    pub fn key(&self, tptp: &str) -> Key {
        self.asked.clone().chain_update(tptp).finalize().into()
    }

    /// A digest of what is the same for all these keys.
    #[must_use]
    pub fn context(&self) -> &str {
        &self.context
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// A decided answer, with the question, so that it can be asked again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// [`Keys::context`] of the key.
    pub context: String,
    /// The text that the prover read.
    pub problem: String,
    /// The status' word.
    pub status: String,
    /// Names of used statements, if a proof was printed.
    pub used: Option<Vec<String>>,
    /// The proof, if one was printed.
    pub proof: Option<String>,
    /// The finite model, if one was printed.
    pub model: Option<String>,
    /// The attempt that decided it.
    pub attempt: String,
}

impl Entry {
    /// What there is to keep of an answer; `None` for one that decided nothing.
    #[must_use]
    pub fn of(keys: &Keys, tptp: &str, answer: &Answer) -> Option<Self> {
        let Outcome::Decided { status, used, proof, model, attempt, .. } = &answer.outcome else { return None };
        Some(Self {
            context: keys.context().to_owned(),
            problem: tptp.to_owned(),
            status: status.as_str().to_owned(),
            used: used.clone(),
            proof: proof.clone(),
            model: model.clone(),
            attempt: attempt.clone(),
        })
    }

    /// The answer to this problem, without runs: none was made for it. `None` if the entry is about another text or does
    /// not decide it.
    #[must_use]
    pub fn answer(self, problem: &Problem, tptp: &str) -> Option<Answer> {
        if self.problem != tptp {
            return None;
        }
        let status: crate::prove::Szs = self.status.parse().ok()?;
        let decision = status.decision(question(problem))?;
        let Self { used, proof, model, attempt, .. } = self;
        Some(Answer { outcome: Outcome::Decided { status, decision, used, proof, model, attempt }, runs: Vec::new() })
    }

    /// The problem, without the comments it never had; `None` if the text is not one that [`Problem::to_tptp`] wrote.
    #[must_use]
    pub fn problem(&self) -> Option<Problem> {
        let statement = |line: &str| {
            let inner = line.strip_prefix("fof(")?.strip_suffix(").")?;
            let (name, rest) = inner.split_once(", ")?;
            let (role, formula) = rest.split_once(", ")?;
            let role = [Role::Axiom, Role::Conjecture].into_iter().find(|r| r.as_str() == role)?;
            Some(Statement { name: name.to_owned(), role, formula: formula.to_owned(), comments: Vec::new() })
        };
        let statements = self.problem.lines().map(statement).collect::<Option<Vec<_>>>()?;
        let problem = Problem { statements, ..Problem::default() };
        (problem.to_tptp() == self.problem).then_some(problem)
    }

    /// As bytes.
    pub(super) fn encode(&self) -> Option<Vec<u8>> {
        serde_json::to_vec(self).ok()
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}

/// The checksum that lies beside an entry.
pub(super) fn checksum(key: &[u8], value: &[u8]) -> Key {
    Sha256::new_with_prefix(key).chain_update(value).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::{Decision, Origin, Reason, Szs};

    fn identity() -> Identity {
        Identity {
            name: "vampire".into(),
            version: "1".into(),
            origin: Origin::Bundled,
            sha256: "00".into(),
            path: "/a".into(),
        }
    }

    fn problem() -> Problem {
        let statement = |name: &str, role, formula: &str| Statement {
            name: name.into(),
            role,
            formula: formula.into(),
            comments: vec!["a comment".into()],
        };
        let statements = vec![
            statement("premise_0", Role::Axiom, "! [X, Y] : (p(X, Y) => q(X))"),
            statement("goal", Role::Conjecture, "q(a)"),
        ];
        Problem { statements, ..Problem::default() }
    }

    #[test]
    fn keys_differ_by_whatever_an_answer_depends_on() {
        let key = |identity: &Identity, schedule: &Schedule| Keys::new(identity, schedule).key("fof(a, axiom, p).");
        let schedule = Schedule::default();
        let base = key(&identity(), &schedule);
        assert_eq!(key(&Identity { path: "/b".into(), ..identity() }, &schedule), base);
        assert_ne!(Keys::new(&identity(), &schedule).key("fof(a, axiom, q)."), base);
        assert_ne!(key(&Identity { sha256: "01".into(), ..identity() }, &schedule), base);
        assert_ne!(key(&Identity { version: "2".into(), ..identity() }, &schedule), base);
        assert_ne!(key(&identity(), &Schedule { memory_mb: 1, ..schedule.clone() }), base);
        let mut other = schedule.clone();
        other.attempts[1].options = vec!["-sa".into(), "fmb -updr off".into()];
        assert_ne!(key(&identity(), &other), base);
        let mut other = schedule.clone();
        other.attempts[0].time_limit = 2.5;
        assert_ne!(key(&identity(), &other), base);
        assert_eq!(key(&identity(), &Schedule { retries_after_crash: 9, ..schedule }), base);
    }

    #[test]
    fn a_decided_answer_comes_back_whole_and_a_failure_is_not_kept() {
        let keys = Keys::new(&identity(), &Schedule::default());
        let tptp = problem().to_tptp();
        let outcome = Outcome::Decided {
            status: Szs::Theorem,
            decision: Decision::Follows,
            used: Some(vec!["premise_0".into()]),
            proof: Some("fof(…)\n".into()),
            model: None,
            attempt: "saturation".into(),
        };
        let entry = Entry::of(&keys, &tptp, &Answer { outcome: outcome.clone(), runs: Vec::new() }).expect("an entry");
        let entry = Entry::decode(&entry.encode().expect("bytes")).expect("the entry");
        assert_eq!(entry.problem().expect("a problem").to_tptp(), tptp);
        assert_eq!(entry.clone().answer(&problem(), &tptp).expect("an answer").outcome, outcome);
        assert_eq!(entry.answer(&problem(), "fof(other, axiom, p).\n"), None);
        let undecided = Answer { outcome: Outcome::Undecided { reason: Reason::Timeout }, runs: Vec::new() };
        assert_eq!(Entry::of(&keys, &tptp, &undecided), None);
    }
}
