//! What every prover offers, and how a well-behaved run is read.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::leaves;
use super::problem::Problem;
use super::process::{self, Command, Finished, Limits};
use super::reason::Reason;
use super::schedule::{self, Answer, Attempt, Schedule};
use super::szs::Szs;
use super::tstp;

/// How long a prover may go on after its own time limit before it is stopped: it has to notice, and to print.
const SLACK: Duration = Duration::from_millis(500);
/// How long a prover may take to stop when told to.
const GRACE: Duration = Duration::from_millis(250);
/// Bytes that a prover may print. Proofs of small problems are a few kilobytes.
const OUTPUT_BYTES: usize = 64 * 1024 * 1024;
/// Address space that a process needs beyond the memory it uses: its image, thread stacks, allocator arenas.
const ADDRESS_SPACE_BESIDE: u64 = 1024 * 1024 * 1024;

/// Where a prover comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Compiled into this executable.
    Bundled,
    /// A path given by the user.
    Given,
    /// Found on `PATH`.
    System,
}

impl Origin {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bundled => "bundled",
            Self::Given => "given",
            Self::System => "system",
        }
    }
}

/// Which prover this is. Serialised, it is what provenance may say: the same for the same build wherever it lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// Such as `vampire`.
    pub name: String,
    /// The first line of what it says of its version.
    pub version: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Of the executable, in lower-case hexadecimal digits. For the bundled prover this is refolio itself.
    pub sha256: String,
    /// The executable; for people, never for data.
    #[serde(skip)]
    pub path: PathBuf,
}

/// Why a prover cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// The executable cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The executable.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It does not answer when asked for its version.
    #[error("{} does not tell its version: {reason}", path.display())]
    NoVersion {
        /// The executable.
        path: PathBuf,
        /// What it did instead.
        reason: Reason,
    },
}

impl Identity {
    /// Asks the executable for its version and hashes it.
    ///
    /// `version` holds the arguments that make it print its version.
    ///
    /// # Errors
    /// If the executable cannot be read, or does not print a version within five seconds.
    pub fn establish(name: &str, origin: Origin, path: &Path, version: &[&str]) -> Result<Self, IdentityError> {
        let no_version = |reason| IdentityError::NoVersion { path: path.to_owned(), reason };
        let command =
            Command { program: path.to_owned(), args: version.iter().map(Into::into).collect(), env: Vec::new() };
        let limits =
            Limits { wall: Duration::from_secs(5), grace: GRACE, output_bytes: 1024 * 1024, address_space: None };
        // The executable is large; it is read while it tells its version.
        let (finished, sha256) = std::thread::scope(|scope| {
            let hash = scope.spawn(|| sha256(path));
            let finished = process::run(&command, &[], &limits);
            let sha256 = hash.join().unwrap_or_else(|_| Err(io::Error::other("the hash was not made")));
            (finished, sha256)
        });
        let finished = finished.map_err(|e| no_version(e.into()))?;
        match Reason::of_end(&finished).map_err(no_version)? {
            0 => {}
            code => return Err(no_version(Reason::Exited(code))),
        }
        let text = String::from_utf8_lossy(&finished.stdout);
        let version =
            text.lines().map(str::trim).find(|l| !l.is_empty()).ok_or_else(|| no_version(Reason::NoStatus))?;
        let sha256 = sha256.map_err(|source| IdentityError::Unreadable { path: path.to_owned(), source })?;
        Ok(Self { name: name.to_owned(), version: version.to_owned(), origin, sha256, path: path.to_owned() })
    }
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            n => hasher.update(buffer.get(..n).unwrap_or_default()),
        }
    }
    Ok(hasher.finalize().iter().map(|b| format!("{b:02x}")).collect())
}

/// What a prover established, and what it shows for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A status of success.
    pub status: Szs,
    /// Names of the statements that the proof starts from, in the problem's order. `None` where no proof was printed.
    pub used: Option<Vec<String>>,
    /// The proof's text, if one was printed.
    pub proof: Option<String>,
    /// The finite model's text, if one was printed.
    pub model: Option<String>,
}

/// One run of a prover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// What it established, or why nothing.
    pub outcome: Result<Finding, Reason>,
    /// Wall-clock time. Never part of data.
    pub wall: Duration,
}

/// A theorem prover. Runs are independent of each other and may go on at once.
pub trait Prover: Send + Sync {
    /// Which prover this is.
    fn identity(&self) -> &Identity;

    /// Asks it once. `memory_mb` limits its memory, in mebibytes.
    fn run(&self, problem: &Problem, attempt: &Attempt, memory_mb: u64) -> Run;

    /// Asks it, and where something other than the prover failed, once more in another way. Never empty; the last run
    /// is the one that counts.
    fn runs(&self, problem: &Problem, attempt: &Attempt, memory_mb: u64) -> Vec<Run> {
        vec![self.run(problem, attempt, memory_mb)]
    }

    /// Asks by a schedule, attempt after attempt, until one decides the question.
    fn ask(&self, problem: &Problem, schedule: &Schedule) -> Answer {
        schedule::ask(self, problem, schedule)
    }
}

/// Runs a prover's command on the problem's text, under the attempt's limits, and has the ended run read.
pub(super) fn run(
    command: &Command,
    problem: &Problem,
    attempt: &Attempt,
    memory_mb: u64,
    read: impl FnOnce(&Finished) -> Result<Finding, Reason>,
) -> Run {
    match process::run(command, problem.to_tptp().as_bytes(), &limits(attempt, memory_mb)) {
        Ok(finished) => Run { outcome: read(&finished), wall: finished.wall },
        Err(e) => Run { outcome: Err(e.into()), wall: Duration::ZERO },
    }
}

/// What a run at an attempt may use: the time and memory that the prover is told, and what it needs beside them.
pub(super) fn limits(attempt: &Attempt, memory_mb: u64) -> Limits {
    Limits {
        wall: attempt.time_limit().saturating_add(SLACK),
        grace: GRACE,
        output_bytes: OUTPUT_BYTES,
        address_space: Some(memory_mb.saturating_mul(1024 * 1024).saturating_add(ADDRESS_SPACE_BESIDE)),
    }
}

/// Reads the evidence for a status of success: proof, used axioms, finite model.
///
/// # Errors
/// If a block is cut off or unreadable, or a proof starts from a formula that the problem does not have, or has
/// otherwise.
pub(super) fn finding(status: Szs, stdout: &str, problem: &Problem) -> Result<Finding, Reason> {
    let broken = |e: tstp::TstpError| Reason::BrokenEvidence(e.to_string());
    let blocks = tstp::blocks(stdout).map_err(broken)?;
    let model = blocks.iter().find(|b| b.is_finite_model()).map(|b| b.text.clone());
    let proof = blocks.into_iter().find(tstp::Block::is_proof).map(|b| b.text);
    if let Some(proof) = &proof {
        leaves::compare(proof, problem).map_err(|e| Reason::BrokenEvidence(e.to_string()))?;
    }
    let names = proof.as_deref().map(tstp::used_axioms).transpose().map_err(broken)?;
    if let Some(stranger) = names.iter().flatten().find(|n| problem.statements.iter().all(|s| s.name != **n)) {
        return Err(Reason::BrokenEvidence(format!("the proof starts from `{stranger}`, which the problem lacks")));
    }
    let used =
        names.map(|names| problem.statements.iter().map(|s| &s.name).filter(|n| names.contains(*n)).cloned().collect());
    Ok(Finding { status, used, proof, model })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::{Role, Statement};

    #[test]
    fn no_proof_is_not_a_proof_from_nothing() {
        let statement =
            |name: &str, role| Statement { name: name.to_owned(), role, formula: "p".to_owned(), comments: Vec::new() };
        let problem = Problem {
            statements: vec![
                statement("premise_0", Role::Axiom),
                statement("premise_1", Role::Axiom),
                statement("goal", Role::Conjecture),
            ],
            ..Problem::default()
        };
        let used = |steps: Option<&str>| {
            let block =
                steps.map(|steps| format!("% SZS output start Proof for x\n{steps}\n% SZS output end Proof for x\n"));
            let stdout = format!("% SZS status Theorem for x\n{}", block.unwrap_or_default());
            let finding = finding(Szs::Theorem, &stdout, &problem).expect("a finding");
            assert_eq!(finding.proof.is_some(), finding.used.is_some());
            finding.used
        };
        assert_eq!(used(None), None);
        let tautology = "fof(f1,axiom,(\n  p | ~p),\n  introduced(tautology,[])).";
        assert_eq!(used(Some(tautology)), Some(Vec::new()));
        let premise = "fof(f1,axiom,(\n  p),\n  file(unknown,premise_1)).";
        assert_eq!(used(Some(premise)), Some(vec!["premise_1".to_owned()]));
    }
}
