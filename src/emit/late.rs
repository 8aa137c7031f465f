//! Findings that were not known yet when the rows they belong to were written.

use std::path::Path;

use arrow::array::{AsArray as _, RecordBatch};
use arrow::compute::interleave;
use arrow::datatypes::DataType;
use arrow::error::ArrowError;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::batch::{Diagnostics, list};
use super::error::EmitError;
use super::schema::{diagnostic_fields, schema};
use crate::diagnostic::Diagnostic;

/// Findings about stories, of rows that were pushed before all of the story was known.
pub(crate) trait Late {
    /// Whether there is one in this split.
    fn concerns(&self, split: &str) -> bool;

    /// Those of the `row`-th row that was pushed to it, from 0. `length` tells bytes of a premise's formula as it came.
    fn of(&self, split: &str, row: u64, length: &dyn Fn(usize) -> usize) -> Vec<Diagnostic>;
}

/// Hands on the rows of a finished file of a split in batches, each with the late findings behind its others. `see` is
/// shown what each row gets.
pub(crate) fn amended(
    file: &Path,
    split: &str,
    late: &dyn Late,
    mut see: impl FnMut(&[Diagnostic]),
    mut write: impl FnMut(&RecordBatch) -> Result<(), EmitError>,
) -> Result<(), EmitError> {
    let opened = std::fs::File::open(file).map_err(|e| EmitError::write(file, e))?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(opened).and_then(ParquetRecordBatchReaderBuilder::build);
    let mut row = 0;
    for batch in reader.map_err(|e| EmitError::parquet(file, e))? {
        let failed = |e| EmitError::arrow(file, e);
        let batch = batch.map_err(failed)?;
        let mut more = Vec::with_capacity(batch.num_rows());
        for lengths in formula_lengths(&batch).map_err(failed)? {
            let found = late.of(split, row, &|premise| lengths.get(premise).copied().unwrap_or_default());
            see(&found);
            more.push(found);
            row += 1;
        }
        write(&with_more(&batch, &more).map_err(failed)?)?;
    }
    Ok(())
}

/// For each row the bytes of each premise's formula as it came.
fn formula_lengths(batch: &RecordBatch) -> Result<Vec<Vec<usize>>, ArrowError> {
    let column = batch.column(batch.schema().index_of("premises_fol_original")?);
    let lists = column.as_list_opt::<i32>().ok_or_else(|| unexpected("premises_fol_original"))?;
    lists
        .iter()
        .map(|texts| {
            let texts = texts.ok_or_else(|| unexpected("premises_fol_original"))?;
            let texts = texts.as_string_opt::<i32>().ok_or_else(|| unexpected("premises_fol_original"))?;
            Ok(texts.iter().map(|text| text.map_or(0, str::len)).collect())
        })
        .collect()
}

fn unexpected(column: &str) -> ArrowError {
    ArrowError::SchemaError(format!("the column {column} is not what was written"))
}

/// The rows with more findings in each, behind those it has.
fn with_more(batch: &RecordBatch, more: &[Vec<Diagnostic>]) -> Result<RecordBatch, ArrowError> {
    let place = batch.schema().index_of("diagnostics")?;
    let there = batch.column(place).as_list_opt::<i32>().ok_or_else(|| unexpected("diagnostics"))?;
    let mut added = Diagnostics::default();
    for found in more {
        // What is said of a story has no fix that would need a text.
        added.push_list(&found.iter().collect::<Vec<_>>(), |_| None)?;
    }
    let added = added.finish()?;
    let added = added.as_list::<i32>();
    let (mut order, mut lengths) = (Vec::new(), Vec::with_capacity(more.len()));
    for row in 0..batch.num_rows() {
        let before = order.len();
        for (array, offsets) in [there.value_offsets(), added.value_offsets()].into_iter().enumerate() {
            let at = |row: usize| offsets.get(row).and_then(|o| usize::try_from(*o).ok()).unwrap_or_default();
            order.extend((at(row)..at(row + 1)).map(|index| (array, index)));
        }
        lengths.push(order.len() - before);
    }
    let values = interleave(&[there.values().as_ref(), added.values().as_ref()], &order)?;
    let mut columns = batch.columns().to_vec();
    if let Some(column) = columns.get_mut(place) {
        *column = list(DataType::Struct(diagnostic_fields()), lengths, values, None)?;
    }
    RecordBatch::try_new(schema(), columns)
}
