//! From files to a dataset.

use std::path::Path;

use bytes::Bytes;
use serde::Serialize;

use crate::record::{Record, Source};

use super::dialect::Dialect;
use super::error::IngestError;
use super::file::{self, Compression, Format, LoadedFile};
use super::input::{Input, OnError, Options};
use super::layout::{Layout, Sample};
use super::row::{Opened, RawRow, Rows};
use super::{convert, csv, identity, json_array, jsonl, parquet};

/// How many rows are looked at, at least, before the dialect is decided.
const SAMPLE: usize = 100;

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
}

/// Everything that was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dataset {
    /// The files, in the order given.
    pub files: Vec<SourceFile>,
    /// Their rows, in the order of the files and within each.
    pub records: Vec<Record>,
}

/// Reads files as one dataset.
///
/// Every row becomes a record with a unique `record_id`. A row that cannot be read becomes a record whose
/// [`raw`](Record::raw) holds its text and whose diagnostics say why; the other rows are not touched by it.
///
/// # Errors
///
/// A file that cannot be read, holds no rows, has an unknown format or dialect or lacks a needed column; and with
/// [`OnError::Fail`] the first row with a diagnostic of severity error.
pub fn read(inputs: &[Input], options: &Options) -> Result<Dataset, IngestError> {
    let mut dataset = Dataset::default();
    for input in inputs {
        read_file(input, options, &mut dataset)?;
    }
    identity::assign(&mut dataset.records);
    Ok(dataset)
}

fn read_file(input: &Input, options: &Options, dataset: &mut Dataset) -> Result<(), IngestError> {
    let path = input.path.as_path();
    let LoadedFile { name, sha256, size, compression, format, content, .. } = file::load(path)?;
    let Opened { header, mut rows } = open(format, &content, path)?;
    let first = sample(&mut rows)?;
    if first.is_empty() && header.is_none() {
        return Err(IngestError::Empty { file: path.to_owned() });
    }
    let layout = Sample { file: path, format, header, rows: &first }.layout(options)?;
    if first.is_empty() {
        return Err(IngestError::Empty { file: path.to_owned() });
    }
    let target =
        Target { path, split: input.split_name(), name: &name, sha256: &sha256, layout, on_error: options.on_error };
    let before = dataset.records.len();
    for row in first.into_iter().map(Ok).chain(rows) {
        dataset.records.push(target.record(&row?)?);
    }
    let rows = (dataset.records.len() - before) as u64;
    let (split, dialect) = (target.split, target.layout.dialect);
    dataset.files.push(SourceFile { name, split, sha256, bytes: size, format, compression, dialect, rows });
    Ok(())
}

/// The rows of unpacked content.
pub(super) fn open<'a>(format: Format, content: &'a Bytes, path: &'a Path) -> Result<Opened<'a>, IngestError> {
    Ok(match format {
        Format::Jsonl => jsonl::open(content),
        Format::JsonArray => json_array::open(content),
        Format::Csv => csv::open(content, path)?,
        Format::Parquet => parquet::open(content.clone(), path)?,
    })
}

/// The rows by which the dialect is recognised: the first, as many as it takes to have one that can be read.
pub(super) fn sample<'a>(rows: &mut Rows<'a>) -> Result<Vec<RawRow<'a>>, IngestError> {
    let mut first = Vec::new();
    let mut readable = false;
    while first.len() < SAMPLE || !readable {
        let Some(row) = rows.next().transpose()? else { break };
        readable |= row.fields.is_ok();
        first.push(row);
    }
    Ok(first)
}

/// What all records of one file have in common.
struct Target<'a> {
    path: &'a Path,
    split: String,
    name: &'a str,
    sha256: &'a str,
    layout: Layout,
    on_error: OnError,
}

impl Target<'_> {
    fn record(&self, row: &RawRow<'_>) -> Result<Record, IngestError> {
        let source =
            Source { file: self.name.to_owned(), row: row.index, line: row.line, sha256: self.sha256.to_owned() };
        let (mut record, findings) = convert::record(row, &self.layout, &self.split, source);
        for finding in findings {
            if self.on_error == OnError::Fail && finding.is_error() {
                return Err(finding.failure(self.path, &record.source));
            }
            record.diagnostics.push(finding.diagnostic());
        }
        Ok(record)
    }
}
