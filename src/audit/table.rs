//! An audit as a Parquet table.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, ListBuilder, RecordBatch, StringBuilder,
    UInt32Builder,
};
use arrow::error::ArrowError;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::compare::{Audited, Judged};
use super::kind::Kind;
use crate::record::{Grade, Label, Record};

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
    reason: StringBuilder,
    evidence: StringBuilder,
    szs_consistency: StringBuilder,
    szs_entails: StringBuilder,
    szs_refutes: StringBuilder,
    used_premises: ListBuilder<Int32Builder>,
}

impl Side {
    fn push(&mut self, record: Option<&Record>, label: Option<Label>, judged: Option<&Judged>) {
        self.record_id.append_option(record.map(|r| r.record_id.as_str()));
        self.example_id.append_option(record.and_then(|r| r.example_id.as_deref()));
        self.story_id.append_option(record.and_then(|r| r.story_id.as_deref()));
        self.split.append_option(record.map(|r| r.split.as_str()));
        self.row.append_option(record.and_then(|r| i64::try_from(r.source.row).ok()));
        self.conclusion.append_option(record.map(|r| r.conclusion.as_str()));
        self.label.append_option(label.map(Label::as_str));
        self.verdict.append_option(judged.map(|j| j.verdict.as_str()));
        self.reason.append_option(judged.and_then(|j| j.reason.as_deref()));
        self.evidence.append_option(judged.and_then(|j| j.evidence).map(Grade::as_str));
        self.szs_consistency.append_option(judged.and_then(|j| j.szs_consistency.as_deref()));
        self.szs_entails.append_option(judged.and_then(|j| j.szs_entails.as_deref()));
        self.szs_refutes.append_option(judged.and_then(|j| j.szs_refutes.as_deref()));
        let used = judged.and_then(|j| j.used_premises.as_ref());
        self.used_premises.append_option(used.map(|used| used.iter().map(|i| i32::try_from(*i).ok())));
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
            named("reason", Arc::new(self.reason.finish())),
            named("evidence", Arc::new(self.evidence.finish())),
            named("szs_consistency", Arc::new(self.szs_consistency.finish())),
            named("szs_entails", Arc::new(self.szs_entails.finish())),
            named("szs_refutes", Arc::new(self.szs_refutes.finish())),
            named("used_premises", Arc::new(self.used_premises.finish())),
        ]
    }
}

/// Writes the table: it appears whole or not at all.
///
/// # Errors
/// Where it cannot be written.
pub fn write(path: &Path, audited: &[Audited], old: &[Record], new: &[Record]) -> Result<(), TableError> {
    let (mut before, mut after) = (Side::default(), Side::default());
    let (mut by, mut formulas, mut sentences) = (StringBuilder::new(), StringBuilder::new(), StringBuilder::new());
    let mut kinds = ListBuilder::new(StringBuilder::new());
    let mut confidence = Float64Builder::new();
    let (mut label, mut conclusion) = (BooleanBuilder::new(), BooleanBuilder::new());
    let (mut reordered, mut moved) = (BooleanBuilder::new(), BooleanBuilder::new());
    let mut premises = UInt32Builder::new();
    for row in audited {
        before.push(row.aligned.old.and_then(|i| old.get(i)), row.labels.0, row.judged.0.as_ref());
        after.push(row.aligned.new.and_then(|j| new.get(j)), row.labels.1, row.judged.1.as_ref());
        by.append_value(row.aligned.by.as_str());
        confidence.append_value(row.aligned.confidence);
        label.append_value(row.label_changed());
        conclusion.append_value(row.conclusion_sentence);
        premises.append_value(u32::try_from(row.premise_sentences).unwrap_or(u32::MAX));
        reordered.append_value(row.reordered);
        moved.append_value(row.moved);
        kinds.append_value(Kind::of(row).into_iter().map(|kind| Some(kind.as_str())));
        // Plain data: it cannot fail.
        sentences.append_value(serde_json::to_string(&row.sentences).unwrap_or_default());
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
        ("premises_reordered".to_owned(), Arc::new(reordered.finish())),
        ("split_changed".to_owned(), Arc::new(moved.finish())),
        ("kinds".to_owned(), Arc::new(kinds.finish())),
        ("sentences".to_owned(), Arc::new(sentences.finish())),
        ("formulas".to_owned(), Arc::new(formulas.finish())),
    ]);
    write_batch(path, &RecordBatch::try_from_iter(columns)?)
}

/// Writes a table as a file that appears whole or not at all.
pub(crate) fn write_batch(path: &Path, batch: &RecordBatch) -> Result<(), TableError> {
    let io = |source| TableError::Io { path: path.display().to_string(), source };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = tempfile::NamedTempFile::new_in(folder).map_err(io)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(concat!("refolio ", env!("CARGO_PKG_VERSION")).to_owned())
        .build();
    let mut writer = ArrowWriter::try_new(file.as_file(), batch.schema(), Some(properties))?;
    writer.write(batch)?;
    writer.close()?;
    file.as_file().sync_all().map_err(io)?;
    file.persist(path).map_err(|error| io(error.error))?;
    Ok(())
}
