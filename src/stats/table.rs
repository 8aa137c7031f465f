//! What stands in a dataset twice, as a Parquet table.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanBuilder, Int64Builder, RecordBatch, StringBuilder, UInt64Builder};

use super::duplicates::Pair;
use crate::audit::{TableError, write_batch};
use crate::record::{Label, Record};

#[derive(Default)]
struct Side {
    record_id: StringBuilder,
    story_id: StringBuilder,
    split: StringBuilder,
    file: StringBuilder,
    row: Int64Builder,
    label: StringBuilder,
}

impl Side {
    fn push(&mut self, record: &Record) {
        self.record_id.append_value(&record.record_id);
        self.story_id.append_option(record.story_id.as_deref());
        self.split.append_value(&record.split);
        self.file.append_value(&record.source.file);
        self.row.append_option(i64::try_from(record.source.row).ok());
        self.label.append_option(record.label.map(Label::as_str));
    }

    fn columns(&mut self, suffix: &str) -> Vec<(String, ArrayRef)> {
        let named = |name: &str, array: ArrayRef| (format!("{name}_{suffix}"), array);
        vec![
            named("record_id", Arc::new(self.record_id.finish())),
            named("story_id", Arc::new(self.story_id.finish())),
            named("split", Arc::new(self.split.finish())),
            named("source_file", Arc::new(self.file.finish())),
            named("source_row", Arc::new(self.row.finish())),
            named("label", Arc::new(self.label.finish())),
        ]
    }
}

/// Writes a row for each pair: it appears whole or not at all.
///
/// # Errors
/// Where it cannot be written.
pub fn write(path: &Path, pairs: &[Pair], records: &[Record]) -> Result<(), TableError> {
    let (mut level, mut group) = (StringBuilder::new(), UInt64Builder::new());
    let (mut first, mut other) = (Side::default(), Side::default());
    let (mut splits, mut labels) = (BooleanBuilder::new(), BooleanBuilder::new());
    for pair in pairs {
        let (Some(a), Some(b)) = (records.get(pair.first), records.get(pair.other)) else { continue };
        level.append_value(pair.level.as_str());
        group.append_value(pair.group as u64);
        first.push(a);
        other.push(b);
        splits.append_value(a.split != b.split);
        labels.append_option((!pair.level.is_of_stories()).then_some(a.label != b.label));
    }
    let mut columns: Vec<(String, ArrayRef)> =
        vec![("level".to_owned(), Arc::new(level.finish())), ("group".to_owned(), Arc::new(group.finish()))];
    columns.extend(first.columns("first"));
    columns.extend(other.columns("other"));
    columns.push(("splits_differ".to_owned(), Arc::new(splits.finish())));
    columns.push(("labels_differ".to_owned(), Arc::new(labels.finish())));
    write_batch(path, &RecordBatch::try_from_iter(columns)?)
}
