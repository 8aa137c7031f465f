//! What keeps a whole file from being read.

use std::io;
use std::path::PathBuf;

use super::dialect::Dialect;
use super::file::Compression;

/// A file that cannot be read as a dataset, or the first bad row where bad rows are not to be kept.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    /// The file cannot be opened or read.
    #[error("{}: cannot be read: {reason}", .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The file is not any more what it was when it was read first.
    #[error("{}: the file has changed while it was being read", .file.display())]
    Changed {
        /// The file.
        file: PathBuf,
    },
    /// A compressed file that cannot be unpacked to its end.
    #[error("{}: corrupt or truncated {compression} data: {reason}", .file.display())]
    CorruptArchive {
        /// The file.
        file: PathBuf,
        /// How it is packed.
        compression: Compression,
        /// The unpacker's reason.
        reason: io::Error,
    },
    /// Neither JSONL, JSON array, CSV nor Parquet.
    #[error("{}: {what}; expected JSONL, a JSON array, CSV or Parquet, as they are or packed as gz or zst", .file.display())]
    UnsupportedFormat {
        /// The file.
        file: PathBuf,
        /// What it seems to be.
        what: &'static str,
    },
    /// A CSV header that is not UTF-8.
    #[error("{}:1: the header is not valid UTF-8", .file.display())]
    HeaderNotUtf8 {
        /// The file.
        file: PathBuf,
    },
    /// A Parquet file that is damaged or uses something unknown.
    #[error("{}: not readable as Parquet: {reason}", .file.display())]
    Parquet {
        /// The file.
        file: PathBuf,
        /// The reader's reason.
        reason: ::parquet::errors::ParquetError,
    },
    /// No rows at all.
    #[error("{}: the file holds no rows", .file.display())]
    Empty {
        /// The file.
        file: PathBuf,
    },
    /// Rows, but none that its format can read, and no dialect given.
    #[error("{}: none of its {rows} rows can be read, so its dialect cannot be recognised; the first fault is {first}", .file.display())]
    NoReadableRow {
        /// The file.
        file: PathBuf,
        /// How many rows there are.
        rows: u64,
        /// What is wrong with the first, with its place.
        first: String,
    },
    /// A column that the dialect needs or the column map names is in no row.
    #[error("{}: no column `{column}`, which {needed_by} needs; found {}{}", .file.display(), quoted(.found), did_you_mean(.nearest.as_deref()))]
    MissingColumn {
        /// The file.
        file: PathBuf,
        /// The column.
        column: String,
        /// The dialect or the column map.
        needed_by: String,
        /// The columns there are, in order.
        found: Vec<String>,
        /// The most similar of them, if any is similar.
        nearest: Option<String>,
    },
    /// A column that is needed stands twice in the header.
    #[error("{}: column `{column}` stands twice in the header", .file.display())]
    RepeatedColumn {
        /// The file.
        file: PathBuf,
        /// The column.
        column: String,
    },
    /// The columns are those of no known dialect.
    #[error(
        "{}: unrecognised dialect with the columns {}; known are {}, or name the columns in `dataset.columns`",
        .file.display(), quoted(.found), quoted(Dialect::ALL)
    )]
    UnrecognisedDialect {
        /// The file.
        file: PathBuf,
        /// The columns there are, in order.
        found: Vec<String>,
    },
    /// Dialect `custom` without a word on where the conclusion is.
    #[error("{}: dialect `custom` needs at least `conclusion` or `conclusion_fol` in `dataset.columns`; found {}", .file.display(), quoted(.found))]
    UnmappedConclusion {
        /// The file.
        file: PathBuf,
        /// The columns there are, in order.
        found: Vec<String>,
    },
    /// The first row that cannot be read, where bad rows are not to be kept.
    #[error("{place}: {message} ({code})")]
    RowFailed {
        /// The file.
        file: PathBuf,
        /// The 1-based line, for formats that have lines.
        line: Option<u64>,
        /// The 0-based row.
        row: u64,
        /// File and line, and column where known, as in other messages.
        place: String,
        /// The rule's code.
        code: &'static str,
        /// What is wrong.
        message: String,
    },
}

fn quoted<T: std::fmt::Display>(names: impl IntoIterator<Item = T>) -> String {
    let names: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map(|name| format!("; is it `{name}`?")).unwrap_or_default()
}
