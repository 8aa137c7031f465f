//! Parquet: rows out of arrow's columns.

use std::fs::File;
use std::panic::{self, AssertUnwindSafe};

use ::parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use ::parquet::errors::ParquetError;
use arrow::array::{Array, AsArray, BooleanArray, RecordBatch};
use arrow::datatypes::{self as types, ArrowPrimitiveType, DataType};

use super::error::IngestError;
use super::row::{Opened, RawRow};
use super::stored::Fault;
use super::value::{Fields, Value};

/// The columns and rows of a Parquet file. Memory holds a batch of rows and what unpacking their pages takes.
pub(super) fn open(content: File, fault: Fault) -> Result<Opened, IngestError> {
    let failed = move |reason| IngestError::Parquet { file: fault.file().to_owned(), reason };
    let (header, reader) = guarded(|| {
        let builder = ParquetRecordBatchReaderBuilder::try_new(content)?;
        let header = builder.schema().fields().iter().map(|field| field.name().clone()).collect();
        Ok((header, builder.build()?))
    })
    .map_err(&failed)?;
    let rows = Records { reader, batch: None, next: 0, index: 0 };
    let rows = rows.map(move |row| row.map_err(&failed));
    Ok(Opened { header: Some(header), rows: Box::new(rows) })
}

/// Runs the reader. It panics at some kinds of damage (a negative length in the file's metadata, for one), which here
/// is an error of that file like any other. Nothing asks a reader for more after an error.
fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    panic::catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|cause| {
        let message = cause.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = message.or_else(|| cause.downcast_ref::<String>().cloned());
        Err(ParquetError::General(format!("damaged data: {}", message.unwrap_or_else(|| "no reason given".to_owned()))))
    })
}

struct Records {
    reader: ParquetRecordBatchReader,
    batch: Option<RecordBatch>,
    /// The next row of the batch.
    next: usize,
    /// The next row of the file.
    index: u64,
}

impl Iterator for Records {
    type Item = Result<RawRow, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match &self.batch {
                Some(batch) if self.next < batch.num_rows() => {
                    let row = RawRow {
                        index: self.index,
                        line: None,
                        fields: Ok(cells(batch, self.next)),
                        text: None,
                        at: 0,
                    };
                    self.next += 1;
                    self.index += 1;
                    return Some(Ok(row));
                }
                _ => match guarded(|| self.reader.next().transpose().map_err(ParquetError::from)) {
                    Ok(Some(batch)) => (self.batch, self.next) = (Some(batch), 0),
                    Ok(None) => return None,
                    Err(error) => return Some(Err(error)),
                },
            }
        }
    }
}

fn cells(batch: &RecordBatch, row: usize) -> Fields {
    let schema = batch.schema_ref();
    schema
        .fields()
        .iter()
        .zip(batch.columns())
        .map(|(field, column)| (field.name().clone(), cell(column, row)))
        .collect()
}

/// One cell. Types that no field takes give [`Value::Other`].
fn cell(column: &dyn Array, row: usize) -> Value {
    if row >= column.len() || column.is_null(row) {
        return Value::Null;
    }
    let text = |text: &str| Value::Text(text.to_owned());
    match column.data_type() {
        DataType::Null => Value::Null,
        DataType::Boolean => boolean(column.as_boolean(), row),
        DataType::Int8 => whole::<types::Int8Type>(column, row),
        DataType::Int16 => whole::<types::Int16Type>(column, row),
        DataType::Int32 => whole::<types::Int32Type>(column, row),
        DataType::Int64 => whole::<types::Int64Type>(column, row),
        DataType::UInt8 => whole::<types::UInt8Type>(column, row),
        DataType::UInt16 => whole::<types::UInt16Type>(column, row),
        DataType::UInt32 => whole::<types::UInt32Type>(column, row),
        DataType::UInt64 => whole::<types::UInt64Type>(column, row),
        DataType::Float32 => float::<types::Float32Type>(column, row),
        DataType::Float64 => float::<types::Float64Type>(column, row),
        DataType::Utf8 => text(column.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => text(column.as_string::<i64>().value(row)),
        DataType::Utf8View => text(column.as_string_view().value(row)),
        DataType::Binary => binary(column.as_binary::<i32>().value(row)),
        DataType::LargeBinary => binary(column.as_binary::<i64>().value(row)),
        DataType::BinaryView => binary(column.as_binary_view().value(row)),
        DataType::List(_) => list(&column.as_list::<i32>().value(row)),
        DataType::LargeList(_) => list(&column.as_list::<i64>().value(row)),
        DataType::ListView(_) => list(&column.as_list_view::<i32>().value(row)),
        DataType::LargeListView(_) => list(&column.as_list_view::<i64>().value(row)),
        DataType::FixedSizeList(..) => list(&column.as_fixed_size_list().value(row)),
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            match dictionary.normalized_keys().get(row) {
                Some(key) => cell(dictionary.values(), *key),
                None => Value::Null,
            }
        }
        // One schema for all rows: a member that a row does not have is null in it.
        DataType::Struct(members) => {
            let values = column.as_struct().columns().iter().map(|member| cell(member, row));
            let named = members.iter().map(|member| member.name().clone()).zip(values);
            Value::Object(named.filter(|(_, value)| *value != Value::Null).collect())
        }
        DataType::Map(..) => {
            let entries = column.as_map().value(row);
            let at =
                |member: usize, entry: usize| entries.columns().get(member).map_or(Value::Null, |m| cell(m, entry));
            let named = (0..entries.len()).map(|entry| match at(0, entry) {
                Value::Text(key) => Ok((key, at(1, entry))),
                other => Err(other.kind()),
            });
            named
                .collect::<Result<_, _>>()
                .map_or_else(|kind| Value::Other(format!("map whose key is {kind}")), Value::Object)
        }
        other => Value::Other(other.to_string()),
    }
}

fn boolean(column: &BooleanArray, row: usize) -> Value {
    Value::Bool(column.value(row))
}

fn whole<T: ArrowPrimitiveType<Native: ToString>>(column: &dyn Array, row: usize) -> Value {
    Value::Whole(column.as_primitive::<T>().value(row).to_string())
}

fn float<T: ArrowPrimitiveType<Native: Into<f64>>>(column: &dyn Array, row: usize) -> Value {
    Value::Float(column.as_primitive::<T>().value(row).into())
}

/// Text that was written without saying that it is text.
fn binary(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => Value::Text(text.to_owned()),
        Err(_) => Value::Other("binary that is not UTF-8".to_owned()),
    }
}

fn list(items: &dyn Array) -> Value {
    Value::List((0..items.len()).map(|item| cell(items, item)).collect())
}
