//! Reading back what a run wrote, as far as checking it needs.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use arrow::array::{Array as _, AsArray as _, RecordBatch};
use arrow::datatypes::Int32Type;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;

use super::evidence::EvidenceWriter;

/// Why a file of a run cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// The folder cannot be read.
    #[error("cannot read the folder {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file cannot be opened or is no sound Parquet file.
    #[error("cannot read {}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// There is no split in the folder.
    #[error("{} holds no split that refolio wrote", .0.display())]
    NoSplits(PathBuf),
    /// A column is missing or of another type.
    #[error("{} has no column `{column}` of the type it should have", path.display())]
    Column {
        /// The file.
        path: PathBuf,
        /// The column.
        column: &'static str,
    },
}

/// A row of a split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRow {
    /// The column `record_id`.
    pub record_id: String,
    /// The column `premises_fol`.
    pub premises_fol: Vec<String>,
    /// The column `conclusion_fol`.
    pub conclusion_fol: Option<String>,
    /// The column `verdict`.
    pub verdict: String,
    /// The column `evidence`.
    pub evidence: Option<String>,
    /// The column `used_premises`.
    pub used_premises: Option<Vec<u32>>,
    /// The column `models`.
    pub models: Option<String>,
    /// The column `proof_ref`.
    pub proof_ref: Option<String>,
}

/// The splits of a folder, by path: every Parquet file with refolio's metadata and the columns of a split.
///
/// # Errors
/// If the folder cannot be read or holds none.
pub fn splits(dir: &Path) -> Result<Vec<PathBuf>, StoredError> {
    let failed = |source| StoredError::Folder { path: dir.to_owned(), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|e| e == "parquet") && open(&path).is_ok_and(|b| config(&b).is_some()) {
            found.push(path);
        }
    }
    found.sort();
    if found.is_empty() { Err(StoredError::NoSplits(dir.to_owned())) } else { Ok(found) }
}

pub(super) type Builder = ParquetRecordBatchReaderBuilder<File>;

pub(super) fn open(path: &Path) -> Result<Builder, StoredError> {
    let failed = |reason: String| StoredError::File { path: path.to_owned(), reason };
    let file = File::open(path).map_err(|e| failed(e.to_string()))?;
    Builder::try_new(file).map_err(|e| failed(e.to_string()))
}

/// The configuration that a split's metadata carries.
fn config(builder: &Builder) -> Option<Value> {
    let entries = builder.metadata().file_metadata().key_value_metadata()?;
    let text = entries.iter().find(|e| e.key == "refolio.config")?.value.as_ref()?;
    serde_json::from_str(text).ok()
}

/// The configuration behind a split and its rows, in order, each handed to `each`.
///
/// # Errors
/// If the file cannot be read. Rows before the damage were handed over.
pub fn read_split(path: &Path, mut each: impl FnMut(&Value, StoredRow)) -> Result<(), StoredError> {
    let builder = open(path)?;
    let config = config(&builder).unwrap_or(Value::Null);
    batches(path, builder, |batch| {
        let text = |column| texts(path, batch, column);
        let (ids, verdicts) = (text("record_id")?, text("verdict")?);
        let (conclusions, evidence) = (text("conclusion_fol")?, text("evidence")?);
        let (models, proofs) = (text("models")?, text("proof_ref")?);
        let wrong = |column| StoredError::Column { path: path.to_owned(), column };
        let list = |column: &'static str| {
            batch.column_by_name(column).and_then(|c| c.as_list_opt::<i32>()).ok_or_else(|| wrong(column))
        };
        let (premises, used) = (list("premises_fol")?, list("used_premises")?);
        let items = premises.values().as_string_opt::<i32>().ok_or_else(|| wrong("premises_fol"))?;
        let numbers = used.values().as_primitive_opt::<Int32Type>().ok_or_else(|| wrong("used_premises"))?;
        for row in 0..batch.num_rows() {
            let range = |list: &arrow::array::ListArray| {
                let offsets = list.value_offsets();
                let at = |i: usize| offsets.get(i).and_then(|o| usize::try_from(*o).ok()).unwrap_or_default();
                at(row)..at(row + 1)
            };
            let used = used
                .is_valid(row)
                .then(|| range(used).map(|i| u32::try_from(numbers.value(i)).unwrap_or(u32::MAX)).collect());
            each(
                &config,
                StoredRow {
                    record_id: ids(row).unwrap_or_default(),
                    premises_fol: range(premises).map(|i| items.value(i).to_owned()).collect(),
                    conclusion_fol: conclusions(row),
                    verdict: verdicts(row).unwrap_or_default(),
                    evidence: evidence(row),
                    used_premises: used,
                    models: models(row),
                    proof_ref: proofs(row),
                },
            );
        }
        Ok(())
    })
}

/// Question and certificate of every proof of a folder, by `proof_ref`; empty where none were written.
///
/// # Errors
/// If the file is there and cannot be read.
pub fn proofs(dir: &Path) -> Result<HashMap<String, (String, Option<String>)>, StoredError> {
    let path = dir.join(EvidenceWriter::FILE);
    let mut found = HashMap::new();
    if !path.exists() {
        return Ok(found);
    }
    let builder = open(&path)?;
    batches(&path, builder, |batch| {
        let text = |column| texts(&path, batch, column);
        let (keys, questions, certificates) = (text("proof_ref")?, text("question")?, text("certificate")?);
        for row in 0..batch.num_rows() {
            found.insert(keys(row).unwrap_or_default(), (questions(row).unwrap_or_default(), certificates(row)));
        }
        Ok(())
    })?;
    Ok(found)
}

pub(super) fn batches(
    path: &Path,
    builder: Builder,
    mut each: impl FnMut(&RecordBatch) -> Result<(), StoredError>,
) -> Result<(), StoredError> {
    let failed = |reason: String| StoredError::File { path: path.to_owned(), reason };
    for batch in builder.build().map_err(|e| failed(e.to_string()))? {
        each(&batch.map_err(|e| failed(e.to_string()))?)?;
    }
    Ok(())
}

/// The values of a column of text, by row.
fn texts<'a>(
    path: &Path,
    batch: &'a RecordBatch,
    column: &'static str,
) -> Result<impl Fn(usize) -> Option<String> + use<'a>, StoredError> {
    let array = batch.column_by_name(column).and_then(|c| c.as_string_opt::<i32>());
    let array = array.ok_or_else(|| StoredError::Column { path: path.to_owned(), column })?;
    Ok(move |row| array.is_valid(row).then(|| array.value(row).to_owned()))
}
