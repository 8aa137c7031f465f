//! A dataset in two passes: the first learns what needs all records, the second gives them one by one.

use std::path::PathBuf;

use super::convert;
use super::dataset::SourceFile;
use super::error::IngestError;
use super::file::{Format, file_name};
use super::identity::{Ids, Ledger};
use super::input::{Input, OnError, Options};
use super::layout::{Layout, Sample};
use super::row::{Opened, RawRow, Rows};
use super::stored::{Content, Fault, Seal, Stored, Unpacked};
use super::{csv, json_array, jsonl, parquet};
use crate::diagnostic::Diagnostic;
use crate::record::{Record, Source};

/// How many rows are looked at, at least, before the dialect is decided.
const SAMPLE: usize = 100;

/// Files that were read once from start to end, and can be read again record by record.
///
/// Memory does not hold the records. While the files are read for the first time, it holds some 70 bytes and the ids of
/// each record; afterwards only what concerns records that share an id, a content or a question. Of a file it holds one
/// row, or one batch of rows, with these exceptions: a JSON array is held from its first unbalanced item to its end; the
/// first rows are held until one can be read, 100 at least. A packed Parquet file and a file that can be read only once, such as a pipe,
/// are copied to a temporary file without a name.
#[derive(Debug)]
pub struct Survey {
    stored: Vec<Stored>,
    layouts: Vec<Layout>,
    files: Vec<SourceFile>,
    ids: Ids,
    on_error: OnError,
}

impl Survey {
    /// Reads all files once. Each record passes by as it was read, without its `record_id` and the hash of its file.
    ///
    /// # Errors
    ///
    /// Those of [`read`](super::read).
    pub fn new(inputs: &[Input], options: &Options, mut see: impl FnMut(&Record)) -> Result<Self, IngestError> {
        Self::gather(inputs, options, |record| see(&record))
    }

    /// The same, with the records for the taking.
    pub(super) fn gather(
        inputs: &[Input],
        options: &Options,
        mut take: impl FnMut(Record),
    ) -> Result<Self, IngestError> {
        let mut ledger = Ledger::default();
        let (mut all, mut layouts, mut files) = (Vec::new(), Vec::new(), Vec::new());
        for input in inputs {
            let stored = Stored::new(&input.path)?;
            let content = stored.open()?;
            let (format, compression) = (content.format, content.compression);
            let (Opened { header, mut rows }, seal) = open(content)?;
            let path = input.path.as_path();
            let first = sample(&mut rows)?;
            if first.is_empty() && header.is_none() {
                return Err(IngestError::Empty { file: path.to_owned() });
            }
            let layout = Sample { file: path, format, header, rows: &first }.layout(options)?;
            if first.is_empty() {
                return Err(IngestError::Empty { file: path.to_owned() });
            }
            let mut file = SourceFile {
                name: file_name(path),
                split: input.split_name(),
                sha256: String::new(),
                bytes: 0,
                format,
                compression,
                dialect: layout.dialect,
                rows: 0,
                origin: input.origin.clone(),
            };
            ledger.file(&file.name, &file.split);
            let target = Target { path: path.to_owned(), file: &file, layout: &layout, on_error: options.on_error };
            let mut count = 0;
            for row in first.into_iter().map(Ok).chain(rows) {
                let record = target.record(&row?)?;
                ledger.push(&record);
                take(record);
                count += 1;
            }
            let identity = seal.check()?;
            (file.rows, file.sha256, file.bytes) = (count, identity.sha256, identity.bytes);
            all.push(stored);
            layouts.push(layout);
            files.push(file);
        }
        Ok(Self { stored: all, layouts, files, ids: ledger.close(), on_error: options.on_error })
    }

    /// The files, in the order given.
    #[must_use]
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    pub(super) fn into_files(self) -> Vec<SourceFile> {
        self.files
    }

    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.files.iter().map(|file| file.rows).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Gives the record with this index its id, and what is to be said of that.
    pub(super) fn complete(&self, index: usize, record: &mut Record) {
        self.ids.complete(index, record);
    }

    /// What the rules find across records in the one with this index.
    #[must_use]
    pub fn across(&self, index: usize, record: &Record) -> Vec<Diagnostic> {
        self.ids.across.of(index, record)
    }

    /// All records, complete, in the order of the files and within each. An error ends them; a file that is not any more
    /// what it was is such an error, and comes after its last record at the latest.
    #[must_use]
    pub fn records(&self) -> Records<'_> {
        Records { survey: self, number: 0, index: 0, open: None, failed: false }
    }
}

/// The records of a [`Survey`].
pub struct Records<'a> {
    survey: &'a Survey,
    /// The file, …
    number: usize,
    /// … and the next record, of all.
    index: usize,
    open: Option<OpenFile<'a>>,
    failed: bool,
}

struct OpenFile<'a> {
    rows: Rows,
    seal: Seal,
    target: Target<'a>,
    count: u64,
}

/// One record of a dataset with its place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// 0-based position of its file among the inputs.
    pub file: usize,
    /// 0-based position among all records.
    pub index: usize,
    /// The record.
    pub record: Record,
}

impl<'a> Records<'a> {
    fn open(&self) -> Result<Option<OpenFile<'a>>, IngestError> {
        let survey = self.survey;
        let number = self.number;
        let parts = (survey.stored.get(number), survey.layouts.get(number), survey.files.get(number));
        let (Some(stored), Some(layout), Some(file)) = parts else { return Ok(None) };
        let content = stored.open()?;
        let path = content.fault.file().to_owned();
        if (content.format, content.compression) != (file.format, file.compression) {
            return Err(IngestError::Changed { file: path });
        }
        let (Opened { rows, .. }, seal) = open(content)?;
        let target = Target { path, file, layout, on_error: survey.on_error };
        Ok(Some(OpenFile { rows, seal, target, count: 0 }))
    }

    fn step(&mut self) -> Result<Option<Placed>, IngestError> {
        loop {
            let mut open = match self.open.take() {
                Some(open) => open,
                None => match self.open()? {
                    Some(open) => open,
                    None => return Ok(None),
                },
            };
            let changed = |open: &OpenFile<'_>| IngestError::Changed { file: open.target.path.clone() };
            let Some(row) = open.rows.next().transpose()? else {
                let (expected, count) = (open.target.file, open.count);
                let error = changed(&open);
                let identity = open.seal.check()?;
                if identity.sha256 != expected.sha256 || count != expected.rows {
                    return Err(error);
                }
                self.number += 1;
                continue;
            };
            open.count += 1;
            if open.count > open.target.file.rows {
                return Err(changed(&open));
            }
            let mut record = open.target.record(&row)?;
            self.survey.complete(self.index, &mut record);
            let placed = Placed { file: self.number, index: self.index, record };
            self.index += 1;
            self.open = Some(open);
            return Ok(Some(placed));
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Placed, IngestError>;

    fn next(&mut self) -> Option<Result<Placed, IngestError>> {
        if self.failed {
            return None;
        }
        let next = self.step().transpose();
        self.failed = !matches!(next, Some(Ok(_)));
        next
    }
}

/// The rows of a file.
fn open(content: Content) -> Result<(Opened, Seal), IngestError> {
    Ok((rows_of(content.format, content.bytes, content.fault)?, content.seal))
}

/// The rows of unpacked content.
pub(super) fn rows_of(format: Format, bytes: Unpacked, fault: Fault) -> Result<Opened, IngestError> {
    Ok(match (bytes, format) {
        (Unpacked::Seekable(file), _) => parquet::open(file, fault)?,
        (Unpacked::InOrder(bytes), Format::Csv) => csv::open(bytes, fault)?,
        (Unpacked::InOrder(bytes), Format::JsonArray) => json_array::open(bytes, fault),
        (Unpacked::InOrder(bytes), Format::Jsonl | Format::Parquet) => jsonl::open(bytes, fault),
    })
}

/// The rows by which the dialect is recognised: the first, as many as it takes to have one that can be read.
pub(super) fn sample(rows: &mut Rows) -> Result<Vec<RawRow>, IngestError> {
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
    path: PathBuf,
    file: &'a SourceFile,
    layout: &'a Layout,
    on_error: OnError,
}

impl Target<'_> {
    fn record(&self, row: &RawRow) -> Result<Record, IngestError> {
        let source =
            Source { file: self.file.name.clone(), row: row.index, line: row.line, sha256: self.file.sha256.clone() };
        let (mut record, findings) = convert::record(row, self.layout, &self.file.split, source);
        for finding in findings {
            if self.on_error == OnError::Fail && finding.is_error() {
                return Err(finding.failure(&self.path, &record.source));
            }
            record.diagnostics.push(finding.diagnostic());
        }
        Ok(record)
    }
}

#[cfg(test)]
#[path = "tests/survey.rs"]
mod tests;
