//! The rows of a shard's files, from first to last.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow::array::{Array as _, ArrayRef, AsArray as _, RecordBatch};
use arrow::datatypes::Int64Type;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::ShardError;

/// Rows of a Parquet file, in order. Memory holds a batch of them.
pub(super) struct Rows {
    file: PathBuf,
    reader: ParquetRecordBatchReader,
    batch: Option<RecordBatch>,
    /// The next row of the batch.
    next: usize,
}

impl Rows {
    pub(super) fn open(file: &Path) -> Result<Self, ShardError> {
        let failed = |reason: String| ShardError::Damaged { file: file.to_owned(), reason };
        let content = File::open(file).map_err(|e| failed(e.to_string()))?;
        let reader = ParquetRecordBatchReaderBuilder::try_new(content).and_then(ParquetRecordBatchReaderBuilder::build);
        Ok(Self { file: file.to_owned(), reader: reader.map_err(|e| failed(e.to_string()))?, batch: None, next: 0 })
    }

    pub(super) fn damaged(&self, reason: impl Into<String>) -> ShardError {
        ShardError::Damaged { file: self.file.clone(), reason: reason.into() }
    }

    /// The batch with the next row, and which it is in it.
    fn ahead(&mut self) -> Result<Option<(&RecordBatch, usize)>, ShardError> {
        while self.batch.as_ref().is_none_or(|batch| self.next >= batch.num_rows()) {
            match self.reader.next().transpose() {
                Ok(Some(batch)) => (self.batch, self.next) = (Some(batch), 0),
                Ok(None) => return Ok(None),
                Err(e) => return Err(self.damaged(e.to_string())),
            }
        }
        Ok(self.batch.as_ref().map(|batch| (batch, self.next)))
    }

    /// The next rows: one at least and `most` at most, if there are any.
    pub(super) fn take(&mut self, most: usize) -> Result<Option<RecordBatch>, ShardError> {
        let Some((batch, next)) = self.ahead()? else { return Ok(None) };
        let count = most.min(batch.num_rows() - next);
        let rows = batch.slice(next, count);
        self.next += count;
        Ok(Some(rows))
    }

    /// The next rows as long as they are of this record.
    pub(super) fn take_of(&mut self, record_id: &str) -> Result<Vec<RecordBatch>, ShardError> {
        let mut out = Vec::new();
        while let Some((batch, next)) = self.ahead()? {
            let ids = text_column(batch, "record_id").cloned();
            let Some(ids) = ids else { return Err(self.damaged("it has no column record_id")) };
            let ids = ids.as_string::<i32>();
            let count = (next..batch.num_rows()).take_while(|row| ids.value(*row) == record_id).count();
            if count == 0 {
                break;
            }
            out.push(batch.slice(next, count));
            self.next += count;
        }
        Ok(out)
    }

    /// That no row is left.
    pub(super) fn end(mut self) -> Result<(), ShardError> {
        match self.ahead()? {
            None => Ok(()),
            Some(_) => Err(self.damaged("it has more rows than are recorded")),
        }
    }
}

/// A column of texts, if the batch has it.
pub(super) fn text_column<'a>(batch: &'a RecordBatch, name: &str) -> Option<&'a ArrayRef> {
    batch.column_by_name(name).filter(|column| column.as_string_opt::<i32>().is_some())
}

/// Where rows came from, as they say themselves: whether all are of that file and hash, and the first has that number and
/// the others follow.
pub(super) fn come_from(rows: &RecordBatch, file: &str, sha256: &str, first: u64) -> bool {
    let texts = |name: &str, expected: &str| {
        let column = text_column(rows, name).and_then(|column| column.as_string_opt::<i32>());
        column.is_some_and(|column| (0..column.len()).all(|row| column.value(row) == expected))
    };
    let numbers = rows.column_by_name("source_row").and_then(|column| column.as_primitive_opt::<Int64Type>());
    let numbers = numbers.is_some_and(|numbers| {
        numbers.values().iter().zip(first..).all(|(number, expected)| u64::try_from(*number) == Ok(expected))
    });
    numbers && texts("source_file", file) && texts("source_sha256", sha256)
}
