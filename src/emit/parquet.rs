//! `<split>.parquet`: rows in, one file out.

use std::io::Write;
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use serde_json::{Value, json};

use super::batch::{Columns, columns_bytes, weight};
use super::counts::SplitCounts;
use super::draft::Sealed;
use super::error::EmitError;
use super::info::{RunInfo, canonical_json};
use super::late::{Late, amended};
use super::names::file_stem;
use super::schema::{SCHEMA_VERSION, schema};
use super::table::{Slot, TableWriter};
use crate::diagnostic::Diagnostic;
use crate::record::Row;

/// Where batches and row groups end. Counted in rows and bytes of text alone, never by how the rows were handed over,
/// so that the bytes of a file depend on its rows only.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Rows of a batch.
    batch_rows: usize,
    /// Bytes of text of a batch, the row that crosses the line included.
    batch_bytes: usize,
    /// Rows of a row group.
    group_rows: usize,
    /// Bytes of text of a row group, the batch that crosses the line included.
    group_bytes: usize,
    /// Bytes of text of one row. With `batch_bytes` it stays below the 2 GiB that a text column of a batch can hold.
    row_bytes: usize,
}

impl Limits {
    const DEFAULT: Self =
        Self { batch_rows: 1024, batch_bytes: 64 << 20, group_rows: 8192, group_bytes: 256 << 20, row_bytes: 1 << 30 };
}

/// Rows on their way into a Parquet file.
struct RowSink<W: Write + Send> {
    table: TableWriter<W>,
    split: String,
    limits: Limits,
    /// Rows of the next batch, as they were given: one by one, …
    gathered: Columns,
    /// … or as columns.
    ready: Vec<RecordBatch>,
    /// How many there are, and their bytes.
    rows: usize,
    bytes: usize,
    group_rows: usize,
    group_bytes: usize,
    counts: SplitCounts,
}

impl<W: Write + Send> RowSink<W> {
    fn new(table: TableWriter<W>, split: &str, limits: Limits) -> Self {
        Self {
            table,
            split: split.to_owned(),
            limits,
            gathered: Columns::default(),
            ready: Vec::new(),
            rows: 0,
            bytes: 0,
            group_rows: 0,
            group_bytes: 0,
            counts: SplitCounts::default(),
        }
    }

    fn push(&mut self, row: &Row) -> Result<(), EmitError> {
        let record = &row.record;
        if record.split != self.split {
            return Err(EmitError::WrongSplit {
                record_id: record.record_id.clone(),
                expected: self.split.clone(),
                found: record.split.clone(),
            });
        }
        let bytes = weight(row);
        if bytes > self.limits.row_bytes {
            return Err(EmitError::RowTooLarge {
                path: self.table.path().to_owned(),
                record_id: record.record_id.clone(),
                bytes,
                limit: self.limits.row_bytes,
            });
        }
        self.gathered.push(row).map_err(|e| EmitError::arrow(self.table.path(), e))?;
        self.counts.add(row);
        self.cut(1, self.gathered.bytes())
    }

    /// Adds rows that are columns already. They are not counted.
    fn append(&mut self, rows: &RecordBatch) -> Result<(), EmitError> {
        let mut start = 0;
        while start < rows.num_rows() {
            let room = self.limits.batch_rows - self.rows.min(self.limits.batch_rows - 1);
            let room = room.min(self.limits.group_rows - self.group_rows);
            let mut end = rows.num_rows().min(start + room);
            // The row that crosses the line is the last of its batch.
            if self.bytes + columns_bytes(rows, start, end) >= self.limits.batch_bytes {
                let crosses = |end: &usize| self.bytes + columns_bytes(rows, start, *end) >= self.limits.batch_bytes;
                end = (start + 1..=end).find(crosses).unwrap_or(end);
            }
            let bytes = self.bytes + columns_bytes(rows, start, end);
            self.ready.push(rows.slice(start, end - start));
            self.cut(end - start, bytes)?;
            start = end;
        }
        Ok(())
    }

    /// Ends the batch and the row group where it is time.
    fn cut(&mut self, rows: usize, bytes: usize) -> Result<(), EmitError> {
        self.rows += rows;
        self.bytes = bytes;
        self.group_rows += rows;
        let group_full = self.group_rows >= self.limits.group_rows;
        if group_full || self.rows >= self.limits.batch_rows || self.bytes >= self.limits.batch_bytes {
            self.write_batch()?;
            if group_full || self.group_bytes >= self.limits.group_bytes {
                self.table.end_row_group()?;
                (self.group_rows, self.group_bytes) = (0, 0);
            }
        }
        Ok(())
    }

    fn write_batch(&mut self) -> Result<(), EmitError> {
        self.group_bytes += std::mem::take(&mut self.bytes);
        if std::mem::take(&mut self.rows) == 0 {
            return Ok(());
        }
        let batch = if self.ready.is_empty() {
            self.gathered.finish()
        } else {
            // What a reader gives has lost the descriptions of columns, or not; the file has them in any case.
            let columns = concat_batches(&self.ready.first().map_or_else(schema, RecordBatch::schema), &self.ready);
            columns.and_then(|rows| RecordBatch::try_new(schema(), rows.columns().to_vec()))
        };
        self.ready.clear();
        self.table.write(&batch.map_err(|e| EmitError::arrow(self.table.path(), e))?)
    }

    fn close(&mut self, info: &RunInfo) -> Result<(), EmitError> {
        self.write_batch()?;
        let metadata = metadata(info, &self.split, &self.counts)
            .map_err(|source| EmitError::Json { path: self.table.path().to_owned(), source })?;
        self.table.close(metadata)
    }
}

/// The key-value metadata of the file of one split.
fn metadata(info: &RunInfo, split: &str, counts: &SplitCounts) -> Result<Vec<(String, String)>, serde_json::Error> {
    let inputs: Vec<_> = info.inputs.iter().filter(|input| input.split == split).collect();
    let entries: [(&str, Value); 8] = [
        ("version", json!(info.refolio_version)),
        ("schema_version", json!(SCHEMA_VERSION.to_string())),
        ("config", json!(canonical_json(&info.config))),
        ("config_sha256", json!(info.config_sha256)),
        ("fixes", json!(info.fixes)),
        ("inputs", serde_json::to_value(inputs)?),
        ("prover", serde_json::to_value(&info.prover)?),
        ("counts", counts.json()),
    ];
    let shard = info.shard.as_ref().map(|shard| ("shard", json!(format!("{}/{}", shard.index, shard.count))));
    let text = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    Ok(entries.into_iter().chain(shard).map(|(key, value)| (format!("refolio.{key}"), text(value))).collect())
}

/// Writes the rows of one split, in the order in which they are pushed, to `<split>.parquet`.
///
/// The file gets its name in [`SplitWriter::finish`], complete; a writer that is dropped before leaves nothing.
/// Memory holds one row group at most: 8192 rows or about 256 MiB of text, before compression.
pub struct SplitWriter {
    rows: RowSink<Slot>,
}

impl SplitWriter {
    /// Begins the file of `split` in `dir`, which is made if it is missing. The name is made from the split's by
    /// [`file_stem`].
    ///
    /// # Errors
    /// The folder cannot be made or nothing can be written to it.
    pub fn create(dir: &Path, split: &str) -> Result<Self, EmitError> {
        Self::create_as(dir, split, &file_stem(split))
    }

    /// The same under another stem.
    pub(crate) fn create_as(dir: &Path, split: &str, stem: &str) -> Result<Self, EmitError> {
        let table = TableWriter::create(dir, &format!("{stem}.parquet"), schema())?;
        Ok(Self { rows: RowSink::new(table, split, Limits::DEFAULT) })
    }

    /// Adds rows. After an error the writer is of no further use.
    ///
    /// # Errors
    /// A row of another split or beyond the size limit, a full disk, any other failed write.
    pub fn push(&mut self, rows: &[Row]) -> Result<(), EmitError> {
        rows.iter().try_for_each(|row| self.rows.push(row))
    }

    /// Adds rows of a file that was written by this writer. They are not counted.
    pub(crate) fn append(&mut self, rows: &RecordBatch) -> Result<(), EmitError> {
        self.rows.append(rows)
    }

    /// Sets the counts.
    pub(crate) fn set_counts(&mut self, counts: SplitCounts) {
        self.rows.counts = counts;
    }

    /// The counts of the rows so far.
    #[must_use]
    pub const fn counts(&self) -> &SplitCounts {
        &self.rows.counts
    }

    /// Completes the file and gives it its name, in place of an older one.
    ///
    /// # Errors
    /// A full disk, any other failed write, or a name that cannot be taken.
    pub fn finish(self, info: &RunInfo) -> Result<PathBuf, EmitError> {
        self.seal(info)?.publish()
    }

    /// Puts another writer in the place of this one, which has the same rows with late findings, and counts these.
    pub(crate) fn amended(self, dir: &Path, stem: &str, late: &dyn Late, info: &RunInfo) -> Result<Self, EmitError> {
        let (split, mut counts) = (self.rows.split.clone(), self.rows.counts.clone());
        let mut writer = Self::create_as(dir, &split, stem)?;
        // Removed when it is dropped.
        let first = self.seal(info)?;
        let see = |found: &[Diagnostic]| counts.add_diagnostics(found);
        amended(first.temporary_path(), &split, late, see, |rows| writer.append(rows))?;
        writer.set_counts(counts);
        Ok(writer)
    }

    /// Completes the file but leaves it under its temporary name.
    pub(crate) fn seal(mut self, info: &RunInfo) -> Result<Sealed, EmitError> {
        self.rows.close(info)?;
        self.rows.table.seal()
    }
}

#[cfg(test)]
#[path = "parquet_tests.rs"]
mod tests;
