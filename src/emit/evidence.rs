//! `evidence.parquet`: what shows the contradictions that verdicts rest on.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{Array as _, AsArray as _, RecordBatch, StringArray, StringBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;

use super::draft::Sealed;
use super::error::EmitError;
use super::info::RunInfo;
use super::schema::{DESCRIPTION, SCHEMA_VERSION};
use super::table::{Slot, TableWriter};
use crate::record::Row;

/// The file of proofs.
pub const EVIDENCE_FILE: &str = "evidence.parquet";

const BATCH: usize = 1024;
const BATCHES_OF_GROUP: usize = 8;

/// Writes the proofs of rows as they come.
pub(crate) struct EvidenceWriter {
    table: TableWriter<Slot>,
    schema: SchemaRef,
    rows: usize,
    batches: usize,
    written: u64,
    columns: [StringBuilder; COLUMNS.len()],
}

/// Name, whether it may be null, meaning.
const COLUMNS: [(&str, bool, &str); 9] = [
    ("proof_ref", false, "The key: `split/record_id/question`, as the split's column of this name has it."),
    ("split", false, "The split of the row."),
    ("record_id", false, "The row."),
    ("question", false, "What the contradiction answers: `consistency`, `entails` or `refutes`."),
    ("status", false, "The SZS status."),
    ("problem", false, "The problem in TPTP, as the prover read it."),
    ("derivation", true, "The prover's derivation in TSTP; null where it gave none."),
    (
        "certificate",
        true,
        "JSON: instances of the premises (statements from 0) and of the conclusion or its negation (the last statement) that \
         contradict each other, none of which can be left out; null where there is none.",
    ),
    (
        "second_opinion",
        true,
        "What another prover said of the premises used: `confirmed` or `silent`; null where none was asked.",
    ),
];

/// The schema of the file.
pub(crate) fn evidence_schema() -> SchemaRef {
    let field = |(name, nullable, text): (&str, bool, &str)| {
        Field::new(name, DataType::Utf8, nullable).with_metadata([(DESCRIPTION, text)])
    };
    Arc::new(Schema::new(COLUMNS.map(field).to_vec()))
}

impl EvidenceWriter {
    /// The file's name.
    pub(crate) const FILE: &str = EVIDENCE_FILE;

    pub(crate) fn create(dir: &Path) -> Result<Self, EmitError> {
        let schema = evidence_schema();
        Ok(Self {
            table: TableWriter::create(dir, Self::FILE, Arc::clone(&schema))?,
            schema,
            rows: 0,
            batches: 0,
            written: 0,
            columns: Default::default(),
        })
    }

    /// Proofs written so far.
    pub(crate) const fn rows(&self) -> u64 {
        self.written
    }

    pub(crate) fn push(&mut self, rows: &[Row]) -> Result<(), EmitError> {
        for row in rows {
            let (Some(key), Some(proof)) = (row.proof_ref(), &row.proof) else { continue };
            let values = [
                Some(key.as_str()),
                Some(&row.record.split),
                Some(&row.record.record_id),
                Some(proof.question),
                Some(&proof.status),
                Some(&proof.problem),
                proof.derivation.as_deref(),
                proof.certificate.as_deref(),
                proof.second_opinion.as_deref(),
            ];
            for (column, value) in self.columns.iter_mut().zip(values) {
                column.append_option(value);
            }
            self.written += 1;
            self.rows += 1;
            if self.rows == BATCH {
                self.write_batch()?;
            }
        }
        Ok(())
    }

    /// Adds rows of a file that was written by this writer.
    pub(crate) fn append(&mut self, rows: &RecordBatch) -> Result<(), EmitError> {
        let texts: Option<Vec<&StringArray>> = rows.columns().iter().map(|c| c.as_string_opt::<i32>()).collect();
        let texts = texts.filter(|texts| texts.len() == COLUMNS.len()).ok_or_else(|| {
            EmitError::arrow(self.table.path(), ArrowError::SchemaError("not the columns of evidence".to_owned()))
        })?;
        // One by one, so that batches end where they would have ended in one run.
        for row in 0..rows.num_rows() {
            for (column, values) in self.columns.iter_mut().zip(&texts) {
                column.append_option(values.is_valid(row).then(|| values.value(row)));
            }
            self.written += 1;
            self.rows += 1;
            if self.rows == BATCH {
                self.write_batch()?;
            }
        }
        Ok(())
    }

    fn write_batch(&mut self) -> Result<(), EmitError> {
        self.rows = 0;
        let columns = self.columns.iter_mut().map(|c| Arc::new(c.finish()) as _).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns);
        self.table.write(&batch.map_err(|e| EmitError::arrow(self.table.path(), e))?)?;
        self.batches += 1;
        if self.batches.is_multiple_of(BATCHES_OF_GROUP) { self.table.end_row_group() } else { Ok(()) }
    }

    pub(crate) fn seal(mut self, info: &RunInfo) -> Result<Sealed, EmitError> {
        self.write_batch()?;
        let metadata = [
            ("refolio.version", info.refolio_version.clone()),
            ("refolio.schema_version", SCHEMA_VERSION.to_string()),
            ("refolio.config_sha256", info.config_sha256.clone()),
        ];
        self.table.close(metadata.map(|(key, value)| (key.to_owned(), value)).to_vec())?;
        self.table.seal()
    }
}
