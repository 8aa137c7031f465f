//! What goes wrong with the Hub.

use std::io;
use std::path::PathBuf;

use super::address::AddressError;

/// Why the Hub was not of use. No message holds the token.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// There is no such address.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// The endpoint is no URL that can be asked.
    #[error("{0:?} is no endpoint of a Hub; expected http(s)://HOST")]
    Endpoint(String),
    /// The token would go over the net in the clear.
    #[error("{0} would get the token unencrypted")]
    Clear(String),
    /// The token cannot stand in a header.
    #[error("the Hub's token holds characters that no token has")]
    Token,
    /// What is to be done needs a token and there is none.
    #[error("there is no token for the Hub")]
    NoToken,
    /// The system gives no threads or no TLS.
    #[error("cannot set up the client of the Hub: {0}")]
    SetUp(String),
    /// 401: the token is missing, wrong or expired; or there is no such repository.
    #[error("the Hub does not let us {what} (401): {detail}")]
    Unauthorized {
        /// What was asked for.
        what: String,
        /// What the Hub says.
        detail: String,
    },
    /// 403: the token may not do this.
    #[error("the Hub does not let us {what} (403): {detail}")]
    Forbidden {
        /// What was asked for.
        what: String,
        /// What the Hub says.
        detail: String,
    },
    /// 404: there is no such thing, or it is not to be seen.
    #[error("the Hub does not have what is needed to {what} (404): {detail}")]
    NotFound {
        /// What was asked for.
        what: String,
        /// What the Hub says.
        detail: String,
    },
    /// 409: it is there already.
    #[error("the Hub will not {what} (409): {detail}")]
    Exists {
        /// What was asked for.
        what: String,
        /// What the Hub says.
        detail: String,
    },
    /// 412: the branch is not any more where it was when the work began.
    #[error("{repo} was changed by someone else while this was being pushed; nothing of it was committed")]
    Stale {
        /// The repository.
        repo: String,
    },
    /// 429, for longer than is waited.
    #[error("the Hub asks to wait before it will {what} (429): {detail}")]
    RateLimited {
        /// What was asked for.
        what: String,
        /// What the Hub says.
        detail: String,
    },
    /// Any other status.
    #[error("the Hub will not {what} ({status}): {detail}")]
    Status {
        /// What was asked for.
        what: String,
        /// The status.
        status: u16,
        /// What the Hub says.
        detail: String,
    },
    /// There was no answer.
    #[error("cannot reach {host} to {what}: {reason}")]
    Unreachable {
        /// What was asked for.
        what: String,
        /// Host and port.
        host: String,
        /// Why not.
        reason: String,
    },
    /// There was an answer that makes no sense.
    #[error("the Hub's answer to “{what}” makes no sense: {reason}")]
    Protocol {
        /// What was asked for.
        what: String,
        /// What is wrong.
        reason: String,
    },
    /// The Hub wants a Parquet file inside the commit.
    #[error("the Hub wants {path} inside the commit instead of in its store of large files; Parquet is never sent so")]
    Inline {
        /// The file in the repository.
        path: String,
    },
    /// The repository's `.gitignore` leaves a file out.
    #[error("the repository's .gitignore leaves out {path}")]
    Ignored {
        /// The file in the repository.
        path: String,
    },
    /// The store of large files refuses one.
    #[error("the Hub's store of large files refuses {path}: {reason}")]
    Refused {
        /// The file in the repository.
        path: String,
        /// What it says.
        reason: String,
    },
    /// What was fetched is not what the Hub says that it is.
    #[error("{path} was not fetched whole: its hash is not the one that the Hub names")]
    Damaged {
        /// The file in the repository.
        path: String,
    },
    /// There are no files of rows at an address.
    #[error("{address} has no file of rows: {reason}")]
    NoData {
        /// The address.
        address: String,
        /// What was looked for.
        reason: String,
    },
    /// A file here cannot be read or written.
    #[error("cannot use {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The program was told to stop.
    #[error("told to stop")]
    Cancelled,
}

impl HubError {
    /// What the user can do about it, where that is not plain from the message.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Endpoint(_) => Some("HF_ENDPOINT names it; without it https://huggingface.co is asked"),
            Self::Clear(_) => Some("use https, or an endpoint on this machine"),
            Self::NoToken | Self::Token | Self::Unauthorized { .. } => Some(
                "set HF_TOKEN to a token of https://huggingface.co/settings/tokens, or log in with `hf auth login`; a private \
                 or missing repository looks the same without one",
            ),
            Self::Forbidden { .. } => Some("the token needs the right to write to this repository or organisation"),
            Self::NotFound { .. } => {
                Some("look at its spelling and revision; what is private is not found without a token that may see it")
            }
            Self::Stale { .. } => Some(
                "run the same command again: it compares with what is there now, and sends no file that the Hub already has",
            ),
            Self::RateLimited { .. } => Some("wait, and run the same command again: it goes on where it was"),
            Self::Unreachable { .. } => Some(
                "run the same command again when the Hub can be reached: it goes on where it was; HF_ENDPOINT names another one",
            ),
            Self::Inline { .. } => Some("the .gitattributes of the repository must have `*.parquet filter=lfs`"),
            Self::Ignored { .. } => Some("remove that line from the repository's .gitignore"),
            Self::Damaged { .. } => Some("run the same command again"),
            _ => None,
        }
    }

    /// Whether what was asked for is not there.
    #[must_use]
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }
}
