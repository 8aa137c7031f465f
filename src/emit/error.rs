//! What can go wrong while files are written.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use arrow::error::ArrowError;
use parquet::errors::ParquetError;

/// A failure to write the output. No half-written file is ever left under a final name, and only
/// [`EmitError::Rename`] can come after files of an earlier run were replaced.
#[derive(Debug, thiserror::Error)]
pub enum EmitError {
    /// The output folder does not exist and cannot be made, or is not a folder.
    #[error("cannot make the output folder {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process is writing to the same folder.
    #[error("another run is writing to {}", path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// No space is left, or the user's quota is used up.
    #[error("the disk is full; cannot write {}", path.display())]
    DiskFull {
        /// The file that was being written.
        path: PathBuf,
        /// The system's own words.
        source: io::Error,
    },
    /// Any other failure to write.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file that was being written.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The columns do not fit the schema.
    #[error("cannot lay out the rows of {} as columns", path.display())]
    Arrow {
        /// The file that was being written.
        path: PathBuf,
        /// Why.
        source: ArrowError,
    },
    /// The Parquet encoder refused.
    #[error("cannot encode {} as Parquet", path.display())]
    Parquet {
        /// The file that was being written.
        path: PathBuf,
        /// Why.
        source: ParquetError,
    },
    /// A complete file could not be moved to its final name.
    #[error("cannot move the finished file to {}", path.display())]
    Rename {
        /// The final name.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A value has no JSON form.
    #[error("cannot write {} as JSON", path.display())]
    Json {
        /// The file that was being written.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// One row holds more text than a column of one batch can.
    #[error("row {record_id:?} of {} holds {bytes} bytes of text; the limit is {limit}", path.display())]
    RowTooLarge {
        /// The file that was being written.
        path: PathBuf,
        /// The row.
        record_id: String,
        /// Bytes of text in the row, its edits and diagnostics.
        bytes: usize,
        /// The most that is accepted.
        limit: usize,
    },
    /// A row was handed to the writer of another split.
    #[error("row {record_id:?} belongs to split {found:?}, not to {expected:?}")]
    WrongSplit {
        /// The row.
        record_id: String,
        /// The writer's split.
        expected: String,
        /// The row's split.
        found: String,
    },
}

impl EmitError {
    /// What the user can do about it, where that is not plain from the message.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::DiskFull { .. } => {
                Some("free some space or name another output folder; files of an earlier run were not touched")
            }
            Self::Busy { .. } => Some("wait for the other run to end or name another output folder"),
            Self::Folder { .. } => Some("name a folder that exists or can be made"),
            Self::RowTooLarge { .. } => Some("leave this row out of the input"),
            _ => None,
        }
    }

    /// Sorts a failed write: a full disk is its own kind.
    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        if is_full(&source) { Self::DiskFull { path, source } } else { Self::Write { path, source } }
    }

    /// Sorts a failure of the Parquet encoder: behind it can be a failed write.
    pub(crate) fn parquet(path: &Path, source: ParquetError) -> Self {
        match source {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(io) => Self::write(path, *io),
                Err(inner) => match inner.downcast::<ArrowError>() {
                    Ok(arrow) => Self::arrow(path, *arrow),
                    Err(inner) => Self::Parquet { path: path.to_owned(), source: ParquetError::External(inner) },
                },
            },
            other => Self::Parquet { path: path.to_owned(), source: other },
        }
    }

    /// Sorts a failure of the columns: behind it, too, can be a failed write.
    pub(crate) fn arrow(path: &Path, source: ArrowError) -> Self {
        match source {
            ArrowError::IoError(_, io) => Self::write(path, io),
            other => Self::Arrow { path: path.to_owned(), source: other },
        }
    }
}

/// Whether the system said, at any depth, that there is no room.
fn is_full(error: &io::Error) -> bool {
    if matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
        return true;
    }
    // An error wrapped in an `io::Error` is not its source; its own source is.
    let mut next = error.get_ref().map(|inner| inner as &(dyn Error + 'static));
    while let Some(inner) = next {
        if let Some(io) = inner.downcast_ref::<io::Error>() {
            return is_full(io);
        }
        next = inner.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_apart_at_any_depth() {
        let path = Path::new("out/train.parquet");
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        assert!(matches!(EmitError::write(path, full()), EmitError::DiskFull { .. }));
        assert!(matches!(EmitError::write(path, io::Error::other(full())), EmitError::DiskFull { .. }));
        assert!(matches!(EmitError::parquet(path, ParquetError::from(full())), EmitError::DiskFull { .. }));
        let arrow = ArrowError::IoError("flush".to_owned(), full());
        assert!(matches!(EmitError::parquet(path, ParquetError::from(arrow)), EmitError::DiskFull { .. }));
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        assert!(matches!(EmitError::parquet(path, ParquetError::from(denied)), EmitError::Write { .. }));
        let general = ParquetError::General("odd".to_owned());
        assert!(matches!(EmitError::parquet(path, general), EmitError::Parquet { .. }));
    }

    #[test]
    fn messages_name_the_file() {
        let error = EmitError::write(Path::new("out/dev.csv"), io::Error::from(io::ErrorKind::QuotaExceeded));
        assert_eq!(error.to_string(), "the disk is full; cannot write out/dev.csv");
        assert!(error.hint().is_some_and(|hint| hint.contains("space")));
    }
}
