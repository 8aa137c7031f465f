//! E's command line and the way it reports. E is a second opinion: its options have nothing in common with Vampire's.

use std::path::{Path, PathBuf};

use super::problem::Problem;
use super::process::{Command, Finished};
use super::prover::{self, Finding, Identity, IdentityError, Origin, Prover, Run};
use super::reason::Reason;
use super::schedule::{Attempt, Schedule};
use super::szs::{StatusError, Szs, parse_status};

/// E as a process per question. Tried with 2.6 and 3.5.
#[derive(Debug)]
pub struct EProver {
    identity: Identity,
}

/// Why E cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EProverError {
    /// It does not say what it is.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// What answers is not E.
    #[error("{} is not E: its version is `{version}`", path.display())]
    NotE {
        /// The executable.
        path: PathBuf,
        /// What it says of its version.
        version: String,
    },
}

impl EProver {
    /// The executable, usually called `eprover`.
    ///
    /// # Errors
    /// If it does not answer as E.
    pub fn new(executable: &Path, origin: Origin) -> Result<Self, EProverError> {
        let identity = Identity::establish("eprover", origin, executable, &["--version"])?;
        if !identity.version.starts_with("E ") {
            return Err(EProverError::NotE { path: identity.path, version: identity.version });
        }
        Ok(Self { identity })
    }

    /// One attempt in E's automatic mode.
    #[must_use]
    pub fn schedule(time_limit: f64) -> Schedule {
        let attempt = Attempt { name: "auto".to_owned(), options: vec!["--auto".to_owned()], time_limit };
        Schedule { attempts: vec![attempt], ..Schedule::default() }
    }

    fn command(&self, attempt: &Attempt, memory_mb: u64) -> Command {
        // E counts whole seconds of processor time; ours is the finer limit.
        let seconds = attempt.time_limit().as_secs_f64().ceil();
        let mut args = vec!["--silent".into(), "--proof-object".into(), "--tstp-format".into()];
        args.push(format!("--cpu-limit={seconds:.0}").into());
        args.push(format!("--memory-limit={memory_mb}").into());
        args.extend(attempt.options.iter().map(Into::into));
        Command { program: self.identity.path.clone(), args, env: Vec::new() }
    }
}

impl Prover for EProver {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn run(&self, problem: &Problem, attempt: &Attempt, memory_mb: u64) -> Run {
        prover::run(&self.command(attempt, memory_mb), problem, attempt, memory_mb, |f| read(f, problem))
    }
}

/// Reads an ended run. E exits with 0 after a proof and with 1 after a saturation; no other code goes with success.
fn read(finished: &Finished, problem: &Problem) -> Result<Finding, Reason> {
    let code = Reason::of_end(finished)?;
    let stdout = String::from_utf8_lossy(&finished.stdout);
    match parse_status(&stdout) {
        Ok(Szs::ResourceOut) => Err(stdout.lines().find_map(which_resource).unwrap_or(Reason::ResourceOut)),
        Ok(status) => match Reason::of_failure(status) {
            Some(reason) => Err(reason),
            None if matches!(code, 0 | 1) => prover::finding(status, &stdout, problem),
            None => Err(Reason::Exited(code)),
        },
        Err(StatusError::Missing) if code == 2 => Err(Reason::MemoryOut),
        // Errors in the input and on the command line; the message is on stderr.
        Err(StatusError::Missing) if matches!(code, 3 | 4) => {
            let stderr = String::from_utf8_lossy(&finished.stderr);
            let message = stderr.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("; ");
            Err(Reason::InputError(message))
        }
        Err(StatusError::Missing) if code != 0 => Err(Reason::Exited(code)),
        Err(e) => Err(e.into()),
    }
}

fn which_resource(line: &str) -> Option<Reason> {
    match line.trim_start_matches('#').trim() {
        "Failure: Resource limit exceeded (time)" => Some(Reason::Timeout),
        "Failure: Resource limit exceeded (memory)" => Some(Reason::MemoryOut),
        _ => None,
    }
}
