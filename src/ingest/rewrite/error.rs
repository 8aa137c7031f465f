//! What keeps a file from being mended in place.

use std::io;
use std::path::{Path, PathBuf};

use crate::ingest::{Format, IngestError};

/// A file that could not be mended in place. It is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RewriteError {
    /// Formulas cannot be replaced in files of this format.
    #[error("{}: fixes cannot be applied in place to a file of format {format}", .file.display())]
    Unsupported {
        /// The file.
        file: PathBuf,
        /// Its format.
        format: Format,
    },
    /// It, or what was to take its place, cannot be read.
    #[error(transparent)]
    Ingest(#[from] IngestError),
    /// Somebody else has written to it.
    #[error("{}: changed since it was read; left as it is", .file.display())]
    Changed {
        /// The file.
        file: PathBuf,
    },
    /// It may not be written to.
    #[error("{}: the file is read-only; left as it is", .file.display())]
    ReadOnly {
        /// The file.
        file: PathBuf,
    },
    /// The place of a formula in the text of its row cannot be told.
    #[error("{}: cannot find the formulas of record {record_id} (row {row}) in the text of the file; left as it is", .file.display())]
    NotFound {
        /// The file.
        file: PathBuf,
        /// The 0-based row.
        row: u64,
        /// The record.
        record_id: String,
    },
    /// The mended file does not read as the same records with other formulas.
    #[error("{}: row {row} of the mended file would not read as it should; left as it is", .file.display())]
    Differs {
        /// The file.
        file: PathBuf,
        /// The first such 0-based row.
        row: u64,
    },
    /// The mended file, or the record of its edits, cannot be written.
    #[error("cannot write {}", .file.display())]
    Write {
        /// The file that was being written.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl RewriteError {
    pub(super) fn write(file: &Path, source: io::Error) -> Self {
        Self::Write { file: file.to_owned(), source }
    }
}
