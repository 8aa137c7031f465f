//! From files to a dataset.

use serde::Serialize;

use super::dialect::Dialect;
use super::error::IngestError;
use super::file::{Compression, Format};
use super::input::{Input, Options, Origin};
use super::survey::Survey;
use crate::record::Record;

/// One file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceFile {
    /// Its name, without its folder.
    pub name: String,
    /// The split of its rows.
    pub split: String,
    /// SHA-256 of the file as it lies on disk, in lower-case hexadecimal.
    pub sha256: String,
    /// Its size on disk in bytes.
    pub bytes: u64,
    /// How its rows are written.
    pub format: Format,
    /// How it is packed.
    pub compression: Compression,
    /// How its columns were read.
    pub dialect: Dialect,
    /// How many rows it has, unreadable ones included.
    pub rows: u64,
    /// Where it was fetched from; `None` for one that lay here.
    pub origin: Option<Origin>,
}

/// Everything that was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dataset {
    /// The files, in the order given.
    pub files: Vec<SourceFile>,
    /// Their rows, in the order of the files and within each.
    pub records: Vec<Record>,
}

/// Reads files as one dataset into memory. [`Survey`] reads them record by record.
///
/// Every row becomes a record with a unique `record_id`. A row that cannot be read becomes a record whose
/// [`raw`](Record::raw) holds its text and whose diagnostics say why; the other rows are not touched by it.
///
/// # Errors
///
/// A file that cannot be read, holds no rows, has an unknown format or dialect or lacks a needed column; and with
/// [`OnError::Fail`](super::OnError::Fail) the first row with a diagnostic of severity error.
pub fn read(inputs: &[Input], options: &Options) -> Result<Dataset, IngestError> {
    let mut records = Vec::new();
    let survey = Survey::gather(inputs, options, |record| records.push(record))?;
    let places = survey.files().iter().flat_map(|file| (0..file.rows).map(move |_| file));
    for (index, (record, file)) in records.iter_mut().zip(places).enumerate() {
        record.source.sha256.clone_from(&file.sha256);
        survey.complete(index, record);
    }
    Ok(Dataset { files: survey.into_files(), records })
}
