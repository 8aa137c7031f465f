//! Why a question stayed undecided.

use std::fmt;
use std::path::PathBuf;

use super::process::{End, Finished, ProcessError};
use super::szs::{Question, StatusError, Szs};

/// Why a prover's run, or a whole schedule, decided nothing. Each cause has its own word.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The time limit, the prover's own or ours, was reached.
    Timeout,
    /// The memory limit was reached.
    MemoryOut,
    /// Another limit of the prover's was reached: instructions, activations.
    ResourceOut,
    /// The prover ended by itself without an answer: its strategy is incomplete.
    GaveUp,
    /// A signal ended the prover; `SIGSEGV` and the like.
    Crashed(String),
    /// The prover exited with a code that its outcome does not explain.
    Exited(i32),
    /// The prover ended well but printed no status.
    NoStatus,
    /// The prover printed a status that is none of the ontology's.
    UnknownStatus(String),
    /// The prover printed two different statuses.
    ConflictingStatuses(Szs, Szs),
    /// The status does not answer the question that was asked.
    UnfitStatus(Szs, Question),
    /// Another status of failure.
    Failed(Szs),
    /// The proof or model is cut off, unreadable, or names formulas that the problem does not have.
    BrokenEvidence(String),
    /// The prover refused the problem, or an option; its own words.
    InputError(String),
    /// The prover printed more than it may.
    OutputOverflow,
    /// The run was cancelled.
    Cancelled,
    /// There is no such executable.
    NotFound(PathBuf),
    /// The prover could not be started or watched; the system's words.
    System(String),
    /// The worker that was asked ended without an answer.
    WorkerLost(String),
    /// The worker that was asked did not answer in time and was killed.
    WorkerStuck,
    /// The worker that was asked answered with something else than a reply to the question.
    WorkerGarbled(String),
    /// The schedule has no attempts.
    NoAttempts,
}

impl Reason {
    /// One stable word for tables and data: `timeout`, `memory-out`, `crashed`, …
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::MemoryOut => "memory-out",
            Self::ResourceOut => "resource-out",
            Self::GaveUp => "gave-up",
            Self::Crashed(_) => "crashed",
            Self::Exited(_) => "exited",
            Self::NoStatus => "no-status",
            Self::UnknownStatus(_) => "unknown-status",
            Self::ConflictingStatuses(..) => "conflicting-statuses",
            Self::UnfitStatus(..) => "unfit-status",
            Self::Failed(_) => "failed",
            Self::BrokenEvidence(_) => "broken-evidence",
            Self::InputError(_) => "input-error",
            Self::OutputOverflow => "output-overflow",
            Self::Cancelled => "cancelled",
            Self::NotFound(_) => "not-found",
            Self::System(_) => "system-error",
            Self::WorkerLost(_) => "worker-lost",
            Self::WorkerStuck => "worker-stuck",
            Self::WorkerGarbled(_) => "worker-garbled",
            Self::NoAttempts => "no-attempts",
        }
    }

    /// Whether the same run may well end differently the next time: the prover misbehaved rather than ran out.
    #[must_use]
    pub const fn is_crash_like(&self) -> bool {
        matches!(
            self,
            Self::Crashed(_)
                | Self::Exited(_)
                | Self::NoStatus
                | Self::UnknownStatus(_)
                | Self::ConflictingStatuses(..)
                | Self::BrokenEvidence(_)
                | Self::System(_)
                | Self::WorkerLost(_)
                | Self::WorkerStuck
                | Self::WorkerGarbled(_)
        )
    }

    /// Whether no other attempt can do better.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Cancelled | Self::NotFound(_))
    }
}

/// The word, and the detail in brackets: `crashed (SIGSEGV)`.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            Self::Crashed(signal) => write!(f, " ({signal})"),
            Self::Exited(code) => write!(f, " (code {code})"),
            Self::UnknownStatus(word) => write!(f, " ({word:?})"),
            Self::ConflictingStatuses(a, b) => write!(f, " ({a}, {b})"),
            Self::UnfitStatus(status, question) => write!(f, " ({status} for {})", question.as_str()),
            Self::Failed(status) => write!(f, " ({status})"),
            Self::BrokenEvidence(text)
            | Self::InputError(text)
            | Self::System(text)
            | Self::WorkerLost(text)
            | Self::WorkerGarbled(text) => write!(f, " ({text})"),
            Self::NotFound(path) => write!(f, " ({})", path.display()),
            _ => Ok(()),
        }
    }
}

impl From<StatusError> for Reason {
    fn from(error: StatusError) -> Self {
        match error {
            StatusError::Missing => Self::NoStatus,
            StatusError::Unknown(word) => Self::UnknownStatus(word),
            StatusError::Conflicting(a, b) => Self::ConflictingStatuses(a, b),
        }
    }
}

impl From<ProcessError> for Reason {
    fn from(error: ProcessError) -> Self {
        match error {
            ProcessError::NotFound(path) => Self::NotFound(path),
            ProcessError::Start { source, .. } | ProcessError::Lost { source, .. } => Self::System(source.to_string()),
        }
    }
}

impl Reason {
    /// The reason that a status of failure gives; `None` for success.
    #[must_use]
    pub const fn of_failure(status: Szs) -> Option<Self> {
        if status.is_success() {
            return None;
        }
        Some(match status {
            Szs::Timeout | Szs::CpuTimeout | Szs::WallClockTimeout => Self::Timeout,
            Szs::MemoryOut => Self::MemoryOut,
            Szs::ResourceOut => Self::ResourceOut,
            Szs::GaveUp | Szs::Incomplete | Szs::Unknown => Self::GaveUp,
            Szs::User => Self::Cancelled,
            other => Self::Failed(other),
        })
    }

    /// The exit code of a run that ended by itself; the reason where it did not.
    ///
    /// # Errors
    /// If the run was stopped or killed.
    pub fn of_end(finished: &Finished) -> Result<i32, Self> {
        match finished.end {
            End::Exited(code) => Ok(code),
            End::Signalled(signal) => Err(Self::Crashed(signal_name(signal))),
            End::TimedOut => Err(Self::Timeout),
            End::OutputOverflow => Err(Self::OutputOverflow),
            End::Cancelled => Err(Self::Cancelled),
        }
    }
}

/// `SIGSEGV` for what this system calls so; `signal 99` for what it does not name.
fn signal_name(number: i32) -> String {
    use rustix::process::Signal;
    let names = [
        (Signal::HUP, "SIGHUP"),
        (Signal::INT, "SIGINT"),
        (Signal::QUIT, "SIGQUIT"),
        (Signal::ILL, "SIGILL"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::KILL, "SIGKILL"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::TERM, "SIGTERM"),
        (Signal::XCPU, "SIGXCPU"),
        (Signal::XFSZ, "SIGXFSZ"),
        (Signal::SYS, "SIGSYS"),
    ];
    names
        .iter()
        .find(|(signal, _)| signal.as_raw() == number)
        .map_or_else(|| format!("signal {number}"), |(_, name)| (*name).to_owned())
}
