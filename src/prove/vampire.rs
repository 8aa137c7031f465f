//! Vampire's command line and the way it reports.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::bundled;
use super::problem::Problem;
use super::process::{Command, Finished};
use super::prover::{self, Finding, Identity, IdentityError, Origin, Prover, Run};
use super::reason::Reason;
use super::schedule::Attempt;
use super::szs::{StatusError, parse_status};

/// Vampire as a process per question.
#[derive(Debug)]
pub struct Vampire {
    identity: Identity,
    /// What stands before Vampire's own arguments.
    prefix: Vec<OsString>,
    /// The portfolio modes pass proofs through files named by process number in the folder for temporary files. A
    /// folder of our own keeps them apart from those of other programs, containers included, and leaves nothing behind.
    scratch: TempDir,
}

/// Why Vampire cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum VampireError {
    /// It does not say what it is.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// What answers is no Vampire.
    #[error("{} is not Vampire: its version is `{version}`", path.display())]
    NotVampire {
        /// The executable.
        path: PathBuf,
        /// What it says of its version.
        version: String,
    },
    /// There is no room for its temporary files.
    #[error("cannot make a folder for temporary files: {0}")]
    Scratch(#[source] std::io::Error),
}

impl Vampire {
    /// The one in an executable of refolio's, normally `std::env::current_exe()`.
    ///
    /// # Errors
    /// If the executable does not answer as Vampire.
    pub fn bundled(executable: &Path) -> Result<Self, VampireError> {
        Self::new(executable, Origin::Bundled, vec![bundled::COMMAND.into()])
    }

    /// A program of its own.
    ///
    /// # Errors
    /// If it does not answer as Vampire.
    pub fn standalone(executable: &Path, origin: Origin) -> Result<Self, VampireError> {
        Self::new(executable, origin, Vec::new())
    }

    fn new(executable: &Path, origin: Origin, prefix: Vec<OsString>) -> Result<Self, VampireError> {
        let mut version: Vec<&str> = prefix.iter().filter_map(|p| p.to_str()).collect();
        version.push("--version");
        let identity = Identity::establish("vampire", origin, executable, &version)?;
        if !identity.version.starts_with("Vampire") {
            return Err(VampireError::NotVampire { path: identity.path, version: identity.version });
        }
        let scratch = tempfile::Builder::new().prefix("refolio-").tempdir().map_err(VampireError::Scratch)?;
        Ok(Self { identity, prefix, scratch })
    }

    /// The command that makes an attempt; the problem goes to its stdin.
    #[must_use]
    pub fn command(&self, attempt: &Attempt, memory_mb: u64) -> Command {
        Command {
            program: self.identity.path.clone(),
            args: self.prefix.iter().cloned().chain(arguments(attempt, memory_mb)).collect(),
            env: vec![("TMPDIR".into(), self.scratch.path().into())],
        }
    }
}

/// Vampire's own arguments for an attempt.
pub(super) fn arguments(attempt: &Attempt, memory_mb: u64) -> Vec<OsString> {
    let time_limit = format!("{:.3}s", attempt.time_limit().as_secs_f64());
    let memory_limit = memory_mb.to_string();
    let ours = [
        ["--input_syntax", "tptp"],
        ["--output_mode", "szs"],
        // The portfolio modes choose these two by themselves, but too late for the names to be read.
        ["--proof", "tptp"],
        ["--output_axiom_names", "on"],
        // Vampire's default, said aloud: the same run gives the same proof.
        ["--random_seed", "1"],
        ["--time_limit", &time_limit],
        ["--memory_limit", &memory_limit],
    ];
    ours.iter().flatten().map(Into::into).chain(attempt.options.iter().map(Into::into)).collect()
}

impl Prover for Vampire {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn run(&self, problem: &Problem, attempt: &Attempt, memory_mb: u64) -> Run {
        prover::run(&self.command(attempt, memory_mb), problem, attempt, memory_mb, |f| read(f, problem))
    }
}

/// Reads an ended run.
///
/// A status of success counts only with exit code 0: after printing a proof Vampire still checks that it rests on the
/// input at all, and exits with another code if not. A run that had to be stopped counts for nothing, whatever it
/// printed before.
pub(super) fn read(finished: &Finished, problem: &Problem) -> Result<Finding, Reason> {
    let code = Reason::of_end(finished)?;
    let stdout = without_process_numbers(&String::from_utf8_lossy(&finished.stdout));
    match parse_status(&stdout) {
        Ok(status) => match Reason::of_failure(status) {
            Some(reason) => Err(reason),
            None if code == 0 => prover::finding(status, &stdout, problem),
            None => Err(Reason::Exited(code)),
        },
        // Vampire's own word, beside the ontology.
        Err(StatusError::Unknown(word)) if word == "InstrOut" => Err(Reason::ResourceOut),
        Err(StatusError::Missing) => Err(stdout.lines().rev().find_map(told).unwrap_or(match code {
            0 => Reason::NoStatus,
            // What Vampire exits with after SIGTERM, SIGINT, SIGHUP or SIGXCPU, without a word.
            3 => Reason::Crashed("interrupted by a signal".to_owned()),
            code => Reason::Exited(code),
        })),
        Err(e) => Err(e.into()),
    }
}

/// On several cores the portfolio modes write `% (1234)SZS status …`.
fn without_process_numbers(output: &str) -> String {
    output
        .split_inclusive('\n')
        .map(|line| {
            line.strip_prefix("% (")
                .and_then(|rest| rest.split_once(')'))
                .filter(|(number, _)| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
                .map_or_else(|| line.to_owned(), |(_, rest)| format!("% {rest}"))
        })
        .collect()
}

/// What a line says where Vampire ends without a status, as it does in every mode but the portfolio ones.
fn told(line: &str) -> Option<Reason> {
    let line = line.trim_start_matches('%').trim();
    match line {
        "Time limit reached!" => return Some(Reason::Timeout),
        "Memory limit exceeded!" | "Insufficient system memory" => return Some(Reason::MemoryOut),
        "Instruction limit reached!" | "Activation limit reached!" => return Some(Reason::ResourceOut),
        "Terminated due to inappropriate strategy." | "Unknown reason of termination!" => return Some(Reason::GaveUp),
        _ => {}
    }
    if line.starts_with("Refutation not found") {
        return Some(Reason::GaveUp);
    }
    if let Some(signal) = line.strip_prefix("Aborted by signal ") {
        let name = signal.split_whitespace().next().unwrap_or_default();
        return Some(Reason::Crashed(name.to_owned()));
    }
    if let Some(message) = line.strip_prefix("User error: ") {
        return Some(Reason::InputError(message.to_owned()));
    }
    line.starts_with("parse error in ").then(|| Reason::InputError(line.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::prove::process::End;
    use crate::prove::szs::Szs;
    use crate::prove::{Role, Statement};

    fn ended(end: End, stdout: &str) -> Result<Finding, Reason> {
        let statement =
            |name: &str, role| Statement { name: name.into(), role, formula: "p(a)".into(), comments: Vec::new() };
        let problem = Problem {
            statements: vec![
                statement("premise_0", Role::Axiom),
                statement("premise_1", Role::Axiom),
                statement("goal", Role::Conjecture),
            ],
            ..Problem::default()
        };
        let finished = Finished { end, stdout: stdout.into(), stderr: Vec::new(), wall: Duration::ZERO };
        read(&finished, &problem)
    }

    #[test]
    fn a_proof_is_read_with_its_premises_in_order() {
        let finding = ended(
            End::Exited(0),
            "% SZS status Theorem for \n% SZS output start Proof for \n\
             fof(f2,axiom,(\n  p(a)),\n  file(unknown,premise_1)).\n\
             fof(f1,axiom,(\n  p(a)),\n  file(unknown,premise_0)).\n\
             fof(f4,conjecture,(\n  p(a)),\n  file(unknown,goal)).\n\
             % SZS output end Proof for \n",
        )
        .expect("a finding");
        assert_eq!(finding.status, Szs::Theorem);
        assert_eq!(finding.used.expect("a proof"), ["premise_0", "premise_1"]);
        assert!(finding.proof.expect("a proof").starts_with("fof(f2"));
    }

    #[test]
    fn a_proof_from_a_formula_that_was_not_given_is_broken() {
        let reason = ended(
            End::Exited(0),
            "% SZS status Theorem for \n% SZS output start Proof for \n\
             fof(f2,axiom,p(a),file(unknown,premise_7)).\n% SZS output end Proof for \n",
        );
        assert!(matches!(reason, Err(Reason::BrokenEvidence(m)) if m.contains("premise_7")));
        let cut = ended(End::Exited(0), "% SZS status Theorem for \n% SZS output start Proof for \nfof(f2,axi");
        assert!(matches!(cut, Err(Reason::BrokenEvidence(_))));
    }

    #[test]
    fn success_needs_a_good_exit() {
        let status = "% SZS status Theorem for \n";
        assert_eq!(ended(End::Exited(4), status), Err(Reason::Exited(4)));
        assert_eq!(ended(End::TimedOut, status), Err(Reason::Timeout));
        assert_eq!(ended(End::Cancelled, status), Err(Reason::Cancelled));
        assert_eq!(ended(End::OutputOverflow, status), Err(Reason::OutputOverflow));
        assert_eq!(ended(End::Signalled(11), status), Err(Reason::Crashed("SIGSEGV".into())));
        assert_eq!(ended(End::Exited(0), ""), Err(Reason::NoStatus));
        assert_eq!(ended(End::Exited(1), "% SZS status GaveUp for x"), Err(Reason::GaveUp));
    }

    #[test]
    fn ends_without_a_status_are_told_apart() {
        let told = |text| ended(End::Exited(1), text).expect_err("nothing was found").to_string();
        assert_eq!(told("% Time limit reached! \n% ---\n% Termination reason: Time limit\n"), "timeout");
        assert_eq!(told("% Memory limit exceeded!\n"), "memory-out");
        assert_eq!(told("% Activation limit reached!\n"), "resource-out");
        assert_eq!(told("% SZS status InstrOut for x\n"), "resource-out");
        assert_eq!(told("% Refutation not found, non-redundant clauses discarded\n"), "gave-up");
        assert_eq!(told("% Aborted by signal SIGSEGV on \n% x"), "crashed (SIGSEGV)");
        assert_eq!(
            told("User error: unquantified variable detected: X (detected at or around line 1)\n"),
            "input-error (unquantified variable detected: X (detected at or around line 1))"
        );
        assert_eq!(
            told("parse error in <cin>, line 1: ) expected\n"),
            "input-error (parse error in <cin>, line 1: ) expected)"
        );
        assert_eq!(told("what?"), "exited (code 1)");
    }

    #[test]
    fn process_numbers_are_passed_over() {
        let text = "% (123)First to succeed.\n% (77)SZS status GaveUp for x\n% (a)b\n";
        assert_eq!(without_process_numbers(text), "% First to succeed.\n% SZS status GaveUp for x\n% (a)b\n");
    }
}
