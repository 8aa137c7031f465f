//! An audit as a Parquet table.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanBuilder, Float64Builder, Int64Builder, RecordBatch, StringBuilder, UInt32Builder};
use arrow::error::ArrowError;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::compare::Audited;
use crate::record::{Label, Record, Verdict};

/// Why the table cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file cannot be made or put in its place.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The rows make no table.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
    /// The table makes no file.
    #[error(transparent)]
    Parquet(#[from] ParquetError),
}

#[derive(Default)]
struct Side {
    record_id: StringBuilder,
    example_id: StringBuilder,
    story_id: StringBuilder,
    split: StringBuilder,
    row: Int64Builder,
    conclusion: StringBuilder,
    label: StringBuilder,
    verdict: StringBuilder,
}

impl Side {
    fn push(&mut self, record: Option<&Record>, label: Option<Label>, verdict: Option<Verdict>) {
        self.record_id.append_option(record.map(|r| r.record_id.as_str()));
        self.example_id.append_option(record.and_then(|r| r.example_id.as_deref()));
        self.story_id.append_option(record.and_then(|r| r.story_id.as_deref()));
        self.split.append_option(record.map(|r| r.split.as_str()));
        self.row.append_option(record.and_then(|r| i64::try_from(r.source.row).ok()));
        self.conclusion.append_option(record.map(|r| r.conclusion.as_str()));
        self.label.append_option(label.map(Label::as_str));
        self.verdict.append_option(verdict.map(Verdict::as_str));
    }

    fn columns(&mut self, suffix: &str) -> Vec<(String, ArrayRef)> {
        let named = |name: &str, array: ArrayRef| (format!("{name}_{suffix}"), array);
        vec![
            named("record_id", Arc::new(self.record_id.finish())),
            named("example_id", Arc::new(self.example_id.finish())),
            named("story_id", Arc::new(self.story_id.finish())),
            named("split", Arc::new(self.split.finish())),
            named("source_row", Arc::new(self.row.finish())),
            named("conclusion", Arc::new(self.conclusion.finish())),
            named("label", Arc::new(self.label.finish())),
            named("verdict", Arc::new(self.verdict.finish())),
        ]
    }
}

/// Writes the table: it appears whole or not at all.
///
/// # Errors
/// Where it cannot be written.
pub fn write(path: &Path, audited: &[Audited], old: &[Record], new: &[Record]) -> Result<(), TableError> {
    let (mut before, mut after) = (Side::default(), Side::default());
    let (mut by, mut formulas) = (StringBuilder::new(), StringBuilder::new());
    let mut confidence = Float64Builder::new();
    let (mut label, mut conclusion) = (BooleanBuilder::new(), BooleanBuilder::new());
    let mut premises = UInt32Builder::new();
    for row in audited {
        before.push(row.aligned.old.and_then(|i| old.get(i)), row.labels.0, row.verdicts.0);
        after.push(row.aligned.new.and_then(|j| new.get(j)), row.labels.1, row.verdicts.1);
        by.append_value(row.aligned.by.as_str());
        confidence.append_value(row.aligned.confidence);
        label.append_value(row.label_changed());
        conclusion.append_value(row.conclusion_sentence);
        premises.append_value(u32::try_from(row.premise_sentences).unwrap_or(u32::MAX));
        // Plain data: it cannot fail.
        formulas.append_value(serde_json::to_string(&row.formulas).unwrap_or_default());
    }
    let mut columns = before.columns("old");
    columns.extend(after.columns("new"));
    columns.extend([
        ("aligned_by".to_owned(), Arc::new(by.finish()) as ArrayRef),
        ("confidence".to_owned(), Arc::new(confidence.finish())),
        ("label_changed".to_owned(), Arc::new(label.finish())),
        ("conclusion_sentence_changed".to_owned(), Arc::new(conclusion.finish())),
        ("premise_sentences_changed".to_owned(), Arc::new(premises.finish())),
        ("formulas".to_owned(), Arc::new(formulas.finish())),
    ]);
    let batch = RecordBatch::try_from_iter(columns)?;
    let io = |source| TableError::Io { path: path.display().to_string(), source };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = tempfile::NamedTempFile::new_in(folder).map_err(io)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(concat!("refolio ", env!("CARGO_PKG_VERSION")).to_owned())
        .build();
    let mut writer = ArrowWriter::try_new(file.as_file(), batch.schema(), Some(properties))?;
    writer.write(&batch)?;
    writer.close()?;
    file.as_file().sync_all().map_err(io)?;
    file.persist(path).map_err(|error| io(error.error))?;
    Ok(())
}
