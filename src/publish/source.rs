//! The folder that a run wrote.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;

use super::error::PublishError;
use crate::emit::{EVIDENCE_FILE, MANIFEST_FILE, OutputFile};
use crate::hub::FileId;

/// The file in which people's decisions are recorded.
const DECISIONS: &str = "decisions.jsonl";

/// Rows that are worked on at once.
const BATCH: usize = 1024;

/// One split of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSplit {
    /// Its name, as the Hub allows it.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// Rows in it.
    pub rows: u64,
}

/// The output of a run, whole and unchanged.
#[derive(Debug)]
pub struct Source {
    /// The folder.
    pub dir: PathBuf,
    /// What `manifest.json` holds.
    pub manifest: Value,
    /// The splits, in the order of the manifest.
    pub splits: Vec<SourceSplit>,
    /// The columns of all of them.
    pub schema: SchemaRef,
    /// The file of proofs, if there is one.
    pub evidence: Option<PathBuf>,
    /// The file of decisions, if there is one.
    pub decisions: Option<PathBuf>,
}

impl Source {
    /// Reads the manifest and holds the files against it.
    ///
    /// # Errors
    /// Where there is no manifest, a file is missing or is not what the manifest lists, or splits have different columns.
    pub fn open(dir: &Path) -> Result<Self, PublishError> {
        let none = |reason: String| PublishError::NoRun { path: dir.to_owned(), reason };
        let text = fs::read_to_string(dir.join(MANIFEST_FILE)).map_err(|e| none(format!("{MANIFEST_FILE}: {e}")))?;
        let manifest: Value = serde_json::from_str(&text).map_err(|e| none(format!("{MANIFEST_FILE}: {e}")))?;
        if manifest.get("shard").is_some() {
            return Err(none("it is one part of a run; `refolio merge` puts parts together".to_owned()));
        }
        let outputs = manifest.get("outputs").cloned().unwrap_or_default();
        let outputs: Vec<OutputFile> =
            serde_json::from_value(outputs).map_err(|e| none(format!("{MANIFEST_FILE}: outputs: {e}")))?;
        let (mut splits, mut evidence) = (Vec::new(), None);
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let mut schema: Option<(String, SchemaRef)> = None;
        for output in &outputs {
            let is_plain = !output.file.contains(['/', '\\']) && output.file != "..";
            if !is_plain || Path::new(&output.file).extension().is_none_or(|e| e != "parquet") {
                continue;
            }
            let path = dir.join(&output.file);
            let id = FileId::of(&path)
                .map_err(|e| PublishError::Unreadable { path: path.clone(), reason: e.to_string() })?;
            if id.sha256 != output.sha256 {
                return Err(PublishError::Changed(path));
            }
            let Some(split) = &output.split else {
                evidence = evidence.or_else(|| (output.file == EVIDENCE_FILE).then_some(path));
                continue;
            };
            let name = split_name(split);
            if let Some(other) = names.insert(name.clone(), split.clone()) {
                return Err(PublishError::Names(other, split.clone(), name));
            }
            let columns = open(&path)?.schema().clone();
            match &schema {
                Some((other, first)) if first.fields() != columns.fields() => {
                    return Err(PublishError::Schemas(other.clone(), split.clone()));
                }
                Some(_) => {}
                None => schema = Some((split.clone(), columns)),
            }
            splits.push(SourceSplit { name, path, rows: output.rows.unwrap_or_default() });
        }
        let Some((_, schema)) = schema else { return Err(none("it has no split".to_owned())) };
        let decisions = Some(dir.join(DECISIONS)).filter(|path| path.is_file());
        Ok(Self { dir: dir.to_owned(), manifest, splits, schema, evidence, decisions })
    }

    /// The rows of a split, in pieces.
    pub(super) fn read(
        split: &SourceSplit,
        mut each: impl FnMut(&RecordBatch) -> Result<(), PublishError>,
    ) -> Result<(), PublishError> {
        let failed = |reason: String| PublishError::Unreadable { path: split.path.clone(), reason };
        let reader = open(&split.path)?.with_batch_size(BATCH).build().map_err(|e| failed(e.to_string()))?;
        for batch in reader {
            each(&batch.map_err(|e| failed(e.to_string()))?)?;
        }
        Ok(())
    }
}

fn open(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>, PublishError> {
    let failed = |reason: String| PublishError::Unreadable { path: path.to_owned(), reason };
    let file = File::open(path).map_err(|e| failed(e.to_string()))?;
    ParquetRecordBatchReaderBuilder::try_new(file).map_err(|e| failed(e.to_string()))
}

/// A split's name as the Hub allows it: letters, digits, `_` and inner dots.
fn split_name(split: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '.' { c } else { '_' };
    let name: String = split.chars().map(plain).collect();
    let parts: Vec<&str> = name.split('.').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "split".to_owned() } else { parts.join(".") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_splits_are_those_that_the_hub_allows() {
        let names = ["train", "a-b", "x.v1", ".x.", "é", "", "a/b c"].map(split_name);
        assert_eq!(names, ["train", "a_b", "x.v1", "x", "_", "split", "a_b_c"]);
    }
}
