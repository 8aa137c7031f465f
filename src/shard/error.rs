//! Why parts do not make a whole.

use std::io;
use std::path::PathBuf;

use crate::emit::EmitError;

/// A shard that cannot be put in its place, or shards that cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// No shard was named.
    #[error("there is nothing to merge: no shard is named")]
    Nothing,
    /// A folder that is no finished shard.
    #[error("{} is no finished shard: {reason}", .folder.display())]
    NotAShard {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of a shard that is not what the shard's manifest says.
    #[error("{} is damaged: {reason}", .file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A finished shard of other inputs or settings is where this one should go.
    #[error("{} holds a finished shard with another {what}", .folder.display())]
    Occupied {
        /// The folder.
        folder: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// Shards of different runs.
    #[error("{} and {} differ in their {what}", .one.display(), .other.display())]
    Differ {
        /// A shard.
        one: PathBuf,
        /// Another.
        other: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// A part that is not there.
    #[error("of {count} shards {} missing: {}", if .missing.len() == 1 { "one is" } else { "some are" }, list(.missing))]
    Missing {
        /// How many there should be.
        count: u32,
        /// Those that are not there.
        missing: Vec<u32>,
    },
    /// A part that is there twice.
    #[error("shard {index} is there twice: {} and {}", .one.display(), .other.display())]
    Twice {
        /// Which part.
        index: u32,
        /// A folder of it.
        one: PathBuf,
        /// Another.
        other: PathBuf,
    },
    /// A source row in no shard.
    #[error("{}of {input} {} in no shard", rows(*.first, *.last), if .first == .last { "is" } else { "are" })]
    MissingRows {
        /// The input's name.
        input: String,
        /// The first row.
        first: u64,
        /// The last.
        last: u64,
    },
    /// A source row in two shards, or one that the input does not have.
    #[error("{}of {input} {} in shard {index} {why}", rows(*.first, *.last), if .first == .last { "stands" } else { "stand" })]
    SurplusRows {
        /// The input's name.
        input: String,
        /// The first row.
        first: u64,
        /// The last.
        last: u64,
        /// The shard.
        index: u32,
        /// Why it should not.
        why: &'static str,
    },
    /// A folder or file that cannot be read, made, moved or removed.
    #[error("cannot {what} {}: {reason}", .path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// The folder or file.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// Output cannot be written.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// The merge was told to stop.
    #[error("interrupted")]
    Interrupted,
}

impl ShardError {
    /// What the user could do.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Occupied { .. } => Some("--force replaces it; or name another output folder"),
            Self::Missing { .. } => Some("run what is missing with `refolio run --shard I/N`, then merge again"),
            Self::Damaged { .. } => Some("run this shard again with --force, then merge again"),
            Self::Emit(error) => error.hint(),
            _ => None,
        }
    }
}

fn list(numbers: &[u32]) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<String> = numbers.iter().take(SHOWN).map(u32::to_string).collect();
    let more = numbers.len().saturating_sub(SHOWN);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}", shown.join(", "))
}

fn rows(first: u64, last: u64) -> String {
    if first == last { format!("row {first} ") } else { format!("rows {first} to {last} ") }
}
