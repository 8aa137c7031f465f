//! `timings.parquet`: the only file with times in it.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{Float64Builder, Int32Builder, RecordBatch, StringBuilder};
use arrow::compute::concat_batches;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use super::draft::Sealed;
use super::error::EmitError;
use super::schema::DESCRIPTION;
use super::table::{Slot, TableWriter};

/// One question to the prover.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// The record for which it was asked; a story's consistency is asked for its first.
    pub record_id: String,
    /// What was asked: `consistency`, `entails`, `refutes`, …
    pub query: String,
    /// Which attempt it was, from 0.
    pub attempt: u32,
    /// How it ended: an SZS status, or a kebab-case word where there was none.
    pub outcome: String,
    /// Wall-clock time in milliseconds.
    pub ms: f64,
}

/// The only file that holds times.
pub const TIMINGS_FILE: &str = "timings.parquet";

const BATCH: usize = 8192;
const BATCHES_OF_GROUP: usize = 128;

/// Writes [`Timing`]s as they come.
pub(crate) struct TimingsWriter {
    table: TableWriter<Slot>,
    schema: SchemaRef,
    rows: usize,
    /// Rows that were given as columns.
    ready: Vec<RecordBatch>,
    batches: usize,
    record_id: StringBuilder,
    query: StringBuilder,
    attempt: Int32Builder,
    outcome: StringBuilder,
    ms: Float64Builder,
}

fn schema() -> SchemaRef {
    let field =
        |name: &str, kind: DataType, text: &str| Field::new(name, kind, false).with_metadata([(DESCRIPTION, text)]);
    Arc::new(Schema::new(vec![
        field(
            "record_id",
            DataType::Utf8,
            "The record for which it was asked; a story's consistency is asked for its first.",
        ),
        field("query", DataType::Utf8, "What was asked."),
        field("attempt", DataType::Int32, "Which attempt it was, from 0."),
        field("outcome", DataType::Utf8, "How it ended."),
        field("ms", DataType::Float64, "Wall-clock time in milliseconds."),
    ]))
}

impl TimingsWriter {
    /// The file's name.
    pub(crate) const FILE: &str = TIMINGS_FILE;

    pub(crate) fn create(dir: &Path) -> Result<Self, EmitError> {
        let schema = schema();
        Ok(Self {
            table: TableWriter::create(dir, Self::FILE, Arc::clone(&schema))?,
            schema,
            rows: 0,
            ready: Vec::new(),
            batches: 0,
            record_id: StringBuilder::new(),
            query: StringBuilder::new(),
            attempt: Int32Builder::new(),
            outcome: StringBuilder::new(),
            ms: Float64Builder::new(),
        })
    }

    pub(crate) fn push(&mut self, timings: &[Timing]) -> Result<(), EmitError> {
        for timing in timings {
            self.record_id.append_value(&timing.record_id);
            self.query.append_value(&timing.query);
            // More attempts than that cannot have been made.
            self.attempt.append_value(i32::try_from(timing.attempt).unwrap_or(i32::MAX));
            self.outcome.append_value(&timing.outcome);
            self.ms.append_value(timing.ms);
            self.rows += 1;
            if self.rows == BATCH {
                self.write_batch()?;
            }
        }
        Ok(())
    }

    /// Adds rows of a file that was written by this writer.
    pub(crate) fn append(&mut self, rows: &RecordBatch) -> Result<(), EmitError> {
        if self.rows > 0 {
            self.write_batch()?;
        }
        let rows = RecordBatch::try_new(Arc::clone(&self.schema), rows.columns().to_vec());
        self.ready.push(rows.map_err(|e| EmitError::arrow(self.table.path(), e))?);
        if self.ready.iter().map(RecordBatch::num_rows).sum::<usize>() < BATCH {
            return Ok(());
        }
        self.write_ready()
    }

    fn write_ready(&mut self) -> Result<(), EmitError> {
        let batch = concat_batches(&self.schema, &std::mem::take(&mut self.ready));
        self.table.write(&batch.map_err(|e| EmitError::arrow(self.table.path(), e))?)?;
        self.end_batch()
    }

    fn end_batch(&mut self) -> Result<(), EmitError> {
        self.batches += 1;
        if self.batches.is_multiple_of(BATCHES_OF_GROUP) { self.table.end_row_group() } else { Ok(()) }
    }

    fn write_batch(&mut self) -> Result<(), EmitError> {
        self.rows = 0;
        let batch = RecordBatch::try_new(
            Arc::clone(&self.schema),
            vec![
                Arc::new(self.record_id.finish()),
                Arc::new(self.query.finish()),
                Arc::new(self.attempt.finish()),
                Arc::new(self.outcome.finish()),
                Arc::new(self.ms.finish()),
            ],
        );
        self.table.write(&batch.map_err(|e| EmitError::arrow(self.table.path(), e))?)?;
        self.end_batch()
    }

    pub(crate) fn seal(mut self) -> Result<Sealed, EmitError> {
        if !self.ready.is_empty() {
            self.write_ready()?;
        }
        self.write_batch()?;
        self.table.close(Vec::new())?;
        self.table.seal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Array as _, AsArray as _};
    use arrow::datatypes::{Float64Type, Int32Type};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    #[test]
    fn timings_round_trip_across_batches() {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = TimingsWriter::create(dir.path()).unwrap();
        let one = |i: u32| Timing {
            record_id: format!("r{i}"),
            query: "entails".to_owned(),
            attempt: i % 2,
            outcome: "Theorem".to_owned(),
            ms: f64::from(i) / 4.0,
        };
        let all: Vec<_> = (0..9000).map(one).collect();
        writer.push(&all[..10]).unwrap();
        writer.push(&all[10..]).unwrap();
        let path = writer.seal().unwrap().publish().unwrap();
        let reader =
            ParquetRecordBatchReaderBuilder::try_new(std::fs::File::open(path).unwrap()).unwrap().build().unwrap();
        let mut read = Vec::new();
        for batch in reader {
            let batch = batch.unwrap();
            assert_eq!(batch.num_columns(), 5);
            let text = |name: &str| batch.column_by_name(name).unwrap().as_string::<i32>().clone();
            let (ids, queries, outcomes) = (text("record_id"), text("query"), text("outcome"));
            let attempts = batch.column_by_name("attempt").unwrap().as_primitive::<Int32Type>();
            let ms = batch.column_by_name("ms").unwrap().as_primitive::<Float64Type>();
            for i in 0..ids.len() {
                read.push(Timing {
                    record_id: ids.value(i).to_owned(),
                    query: queries.value(i).to_owned(),
                    attempt: u32::try_from(attempts.value(i)).unwrap(),
                    outcome: outcomes.value(i).to_owned(),
                    ms: ms.value(i),
                });
            }
        }
        assert_eq!(read, all);
    }
}
