//! Why a question has no answer that can be used.

use std::fmt;

/// What went wrong with a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {detail}")]
pub struct Failure {
    /// Which sort.
    pub kind: FailureKind,
    /// In words.
    pub detail: String,
}

impl Failure {
    /// A failure.
    #[must_use]
    pub fn new(kind: FailureKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into() }
    }

    /// Whether it says that the endpoint is not there, or does not let one in, whatever is asked.
    pub(super) fn speaks_against_the_endpoint(&self) -> bool {
        match self.kind {
            FailureKind::Connection | FailureKind::Timeout | FailureKind::RateLimited => true,
            FailureKind::Status => ["401", "403", "404"].iter().any(|status| self.detail.starts_with(status)),
            _ => false,
        }
    }
}

/// The sorts of failure. Each is its own outcome: none of them says anything of the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureKind {
    /// No connection, or one that broke, however often it was tried.
    Connection,
    /// No answer in time, however often it was tried.
    Timeout,
    /// The endpoint answers with an error that trying again does not change, or did not.
    Status,
    /// The endpoint keeps saying that it is asked too often.
    RateLimited,
    /// What came is no chat completion.
    Protocol,
    /// An answer without text.
    Empty,
    /// The model declines.
    Refused,
    /// The answer ends in the middle, for want of tokens.
    Truncated,
    /// Twice an answer that cannot be read.
    Unreadable,
    /// A bound on calls, tokens or cost is reached.
    Budget,
    /// A replay has no answer to this question.
    NotRecorded,
    /// The question was noted down for a batch, and has no answer yet.
    Pending,
    /// The run was told to stop.
    Cancelled,
}

impl FailureKind {
    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::Timeout => "timeout",
            Self::Status => "status",
            Self::RateLimited => "rate-limited",
            Self::Protocol => "protocol",
            Self::Empty => "empty",
            Self::Refused => "refused",
            Self::Truncated => "truncated",
            Self::Unreadable => "unreadable",
            Self::Budget => "budget",
            Self::NotRecorded => "not-recorded",
            Self::Pending => "pending",
            Self::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
