//! Generated rows as a file.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
use arrow::error::ArrowError;

use super::{Rows, SynthRow, Tally};
use crate::emit::{Draft, EmitError, TableWriter};
use crate::prove::cancel;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON Lines.
    Jsonl,
    /// The same, packed with gzip.
    JsonlGz,
    /// The same, packed with Zstandard.
    JsonlZst,
    /// Parquet.
    Parquet,
}

/// A file whose name does not tell how to write it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} does not end in .jsonl, .jsonl.gz, .jsonl.zst or .parquet")]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    /// By the ending of a file's name.
    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let endings = [
            (".jsonl", Self::Jsonl),
            (".jsonl.gz", Self::JsonlGz),
            (".jsonl.zst", Self::JsonlZst),
            (".parquet", Self::Parquet),
        ];
        let found = endings.into_iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, format)| format);
        found.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum SynthError {
    /// The name does not tell the format.
    #[error(transparent)]
    Format(#[from] UnknownFormat),
    /// It cannot be written.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// It was told to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Rows that are packed together.
const BATCH: usize = 1024;
const BATCHES_OF_GROUP: usize = 8;
const LEVEL: i32 = 3;

/// Writes the first `count` rows of a seed. The file appears whole or not at all.
///
/// # Errors
/// A name that tells no format, a full disk, any other failed write.
pub fn write(file: &Path, seed: u64, count: u64) -> Result<Tally, SynthError> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let format: Format = name.parse()?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut tally = Tally::default();
    let mut number = 0;
    let mut rows = Rows::new(seed);
    let next = || {
        number += 1;
        let row = rows.next().filter(|_| number <= count)?;
        tally.add(&row);
        Some(row)
    };
    let rows = std::iter::from_fn(next).take_while(|_| !cancel::is_requested());
    let sealed = if format == Format::Parquet {
        parquet(folder, &name, rows)?
    } else {
        let draft = Draft::create(folder, &name)?;
        let path = draft.target().to_owned();
        lines(format, draft, rows).map_err(|e| EmitError::write(&path, e))?.seal()?
    };
    if cancel::is_requested() {
        return Err(SynthError::Interrupted);
    }
    sealed.publish()?;
    Ok(tally)
}

fn lines(format: Format, draft: Draft, rows: impl Iterator<Item = SynthRow>) -> io::Result<Draft> {
    let into = |out: &mut dyn Write, rows: &mut dyn Iterator<Item = SynthRow>| -> io::Result<()> {
        let mut out = io::BufWriter::with_capacity(1 << 16, out);
        for row in rows {
            serde_json::to_writer(&mut out, &row)?;
            out.write_all(b"\n")?;
        }
        out.flush()
    };
    let mut rows = rows;
    let mut draft = draft;
    match format {
        Format::JsonlGz => {
            let mut packer = flate2::write::GzEncoder::new(draft, flate2::Compression::default());
            into(&mut packer, &mut rows)?;
            packer.finish()
        }
        Format::JsonlZst => {
            let mut packer = zstd::stream::write::Encoder::new(draft, LEVEL)?;
            into(&mut packer, &mut rows)?;
            packer.finish()
        }
        Format::Jsonl | Format::Parquet => {
            into(&mut draft, &mut rows)?;
            Ok(draft)
        }
    }
}

fn parquet(folder: &Path, name: &str, rows: impl Iterator<Item = SynthRow>) -> Result<crate::emit::Sealed, EmitError> {
    let path: PathBuf = folder.join(name);
    let failed = |e| EmitError::arrow(&path, e);
    let schema = batch(&[]).map_err(failed)?.schema();
    let mut table = TableWriter::create(folder, name, schema)?;
    let mut rows = rows.peekable();
    let mut batches = 0_usize;
    while rows.peek().is_some() {
        let gathered: Vec<SynthRow> = rows.by_ref().take(BATCH).collect();
        table.write(&batch(&gathered).map_err(failed)?)?;
        batches += 1;
        if batches.is_multiple_of(BATCHES_OF_GROUP) {
            table.end_row_group()?;
        }
    }
    table.close(Vec::new())?;
    table.seal()
}

fn batch(rows: &[SynthRow]) -> Result<RecordBatch, ArrowError> {
    let texts =
        |text: fn(&SynthRow) -> &str| -> ArrayRef { Arc::new(StringArray::from_iter_values(rows.iter().map(text))) };
    let numbers =
        |number: fn(&SynthRow) -> u64| -> ArrayRef { Arc::new(UInt64Array::from_iter_values(rows.iter().map(number))) };
    RecordBatch::try_from_iter([
        ("story_id", numbers(|row| row.story_id)),
        ("premises", texts(|row| &row.premises)),
        ("premises-FOL", texts(|row| &row.premises_fol)),
        ("conclusion", texts(|row| &row.conclusion)),
        ("conclusion-FOL", texts(|row| &row.conclusion_fol)),
        ("label", texts(|row| row.label.as_str())),
        ("example_id", numbers(|row| row.example_id)),
        ("verdict", texts(|row| row.verdict.as_str())),
    ])
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdicts: Vec<String> =
            Self::VERDICTS.iter().zip(self.verdicts).map(|(verdict, count)| format!("{count} {verdict}")).collect();
        // In tenths of a per cent, rounded down.
        let share = (self.distinct() * 1000).checked_div(self.rows).unwrap_or(0);
        write!(
            f,
            "{} rows of {} stories: {}\n{} of them, {}.{} %, are distinct up to renaming of their symbols",
            self.rows,
            self.stories,
            verdicts.join(", "),
            self.distinct(),
            share / 10,
            share % 10
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::{Input, Options, read};

    #[test]
    fn every_format_reads_back_as_the_same_rows() {
        let folder = tempfile::tempdir().unwrap();
        let mut found = Vec::new();
        for name in ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "a.parquet"] {
            let path = folder.path().join(name);
            let tally = write(&path, 5, 3000).unwrap();
            assert_eq!((tally.rows, tally.verdicts.iter().sum::<u64>()), (3000, 3000));
            let dataset = read(&[Input::new(&path)], &Options::default()).unwrap();
            let records: Vec<_> = dataset.records.iter().map(|r| (r.content_key(), r.record_id.clone())).collect();
            assert!(dataset.records.iter().all(|record| record.diagnostics.is_empty()));
            found.push(records);
        }
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
        let error = write(&folder.path().join("a.txt"), 5, 1).unwrap_err();
        assert_eq!(error.to_string(), "\"a.txt\" does not end in .jsonl, .jsonl.gz, .jsonl.zst or .parquet");
    }
}
