//! The configurations of a published dataset: which rows, and which columns of them.

use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, AsArray as _, BooleanArray, ListArray, RecordBatch, StringArray};
use arrow::compute::filter_record_batch;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;

use crate::emit::{CSV_COLUMNS, DESCRIPTION, csv_fields};

/// A configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum View {
    /// What to train and evaluate with.
    Default,
    /// The same rows in the five columns of `folio-refined`.
    Compat,
    /// What a person has to look at.
    Problematic,
    /// Every row, every column.
    Provenance,
}

/// The columns of [`View::Default`].
const DEFAULT: [&str; 10] = [
    "record_id",
    "story_id",
    "example_id",
    "premises",
    "premises_fol",
    "conclusion",
    "conclusion_fol",
    "label",
    "status",
    "verdict",
];

/// Columns that say nothing of why a row is problematic.
const BESIDE: [&str; 4] = ["source_sha256", "proof_ref", "llm_model", "prompt_version"];

/// The column in which a person's decision stands, where a run has one.
const DECISION: &str = "decision";

impl View {
    /// All, in the order of the card.
    pub const ALL: [Self; 4] = [Self::Default, Self::Compat, Self::Problematic, Self::Provenance];

    /// The configuration's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Compat => "compat",
            Self::Problematic => "problematic",
            Self::Provenance => "provenance",
        }
    }

    /// The folder of its files.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Default => "data",
            _ => self.name(),
        }
    }

    /// What it is for, in a sentence.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Default => {
                "Rows to train and evaluate with: those whose label a prover confirms, as they came (`verified`), since \
                 recorded repairs (`repaired`), or with a label that a person corrected (`relabelled`)."
            }
            Self::Compat => {
                "The same rows in the five columns of `folio-refined`, with the premises of a row in one text, a line each."
            }
            Self::Problematic => {
                "Rows that are not in `default` because their label does not follow or a person rejected them, with \
                 everything that says why."
            }
            Self::Provenance => {
                "Every row of the run with every column: what came, what was changed, what was proved and by what evidence."
            }
        }
    }

    /// Its columns, from those of the run.
    #[must_use]
    pub fn schema(self, source: &Schema) -> SchemaRef {
        if self == Self::Compat {
            let about = |name: &&str| match *name {
                "nl premises" => "Sentences of the premises, a line each.",
                "fol premises" => "Their formulas, a line each, in the same order.",
                "nl conclusion" => "Sentence of the conclusion.",
                "fol conclusion" => "Its formula.",
                _ => "`True`, `False` or `Uncertain`.",
            };
            let field =
                |name: &&str| Field::new(*name, DataType::Utf8, false).with_metadata([(DESCRIPTION, about(name))]);
            return Arc::new(Schema::new(CSV_COLUMNS.iter().map(field).collect::<Vec<_>>()));
        }
        let wanted = |name: &str| match self {
            Self::Default => DEFAULT.contains(&name),
            Self::Problematic => !BESIDE.contains(&name),
            Self::Compat | Self::Provenance => true,
        };
        let fields: Vec<_> = source.fields().iter().filter(|field| wanted(field.name())).cloned().collect();
        Arc::new(Schema::new(fields))
    }

    /// Its part of some rows.
    ///
    /// # Errors
    /// Where a column is missing or of another type.
    pub fn rows(self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let status = strings(batch, "status")?;
        let rejected = batch.column_by_name(DECISION).and_then(|column| column.as_string_opt::<i32>());
        let keeps = |row: usize| {
            let rejected = rejected.is_some_and(|column| column.is_valid(row) && column.value(row) == "reject");
            let status = status.value(row);
            match self {
                Self::Default | Self::Compat => !rejected && matches!(status, "verified" | "repaired" | "relabelled"),
                Self::Problematic => rejected || status == "problematic",
                Self::Provenance => true,
            }
        };
        let mask: BooleanArray = (0..batch.num_rows()).map(|row| Some(keeps(row))).collect();
        let batch = filter_record_batch(batch, &mask)?;
        if self == Self::Compat {
            return compat(&batch, self.schema(batch.schema_ref()));
        }
        let schema = self.schema(batch.schema_ref());
        let columns = schema.fields().iter().map(|field| column(&batch, field.name()).cloned());
        RecordBatch::try_new(Arc::clone(&schema), columns.collect::<Result<_, _>>()?)
    }
}

fn column<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a ArrayRef, ArrowError> {
    batch.column_by_name(name).ok_or_else(|| ArrowError::SchemaError(format!("there is no column `{name}`")))
}

fn strings<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a StringArray, ArrowError> {
    let wrong = || ArrowError::SchemaError(format!("the column `{name}` holds no text"));
    column(batch, name)?.as_string_opt::<i32>().ok_or_else(wrong)
}

/// The items of a row's list of texts.
fn items(list: &ListArray, row: usize) -> Vec<String> {
    let value = list.value(row);
    let texts = value.as_string_opt::<i32>();
    texts.into_iter().flat_map(|texts| texts.iter().map(|text| text.unwrap_or_default().to_owned())).collect()
}

fn compat(batch: &RecordBatch, schema: SchemaRef) -> Result<RecordBatch, ArrowError> {
    let list = |name: &str| {
        let wrong = || ArrowError::SchemaError(format!("the column `{name}` holds no lists"));
        column(batch, name)?.as_list_opt::<i32>().ok_or_else(wrong)
    };
    let (premises, premises_fol) = (list("premises")?, list("premises_fol")?);
    let (conclusion, conclusion_fol) = (strings(batch, "conclusion")?, strings(batch, "conclusion_fol")?);
    let label = strings(batch, "label")?;
    let text = |column: &StringArray, row: usize| -> String {
        if column.is_valid(row) { column.value(row).to_owned() } else { String::new() }
    };
    let mut out: [Vec<String>; 5] = Default::default();
    for row in 0..batch.num_rows() {
        let fields = csv_fields(
            &items(premises, row),
            &items(premises_fol, row),
            &text(conclusion, row),
            &text(conclusion_fol, row),
            &text(label, row),
        );
        out.iter_mut().zip(fields).for_each(|(column, field)| column.push(field));
    }
    let columns = out.into_iter().map(|column| Arc::new(StringArray::from(column)) as ArrayRef);
    RecordBatch::try_new(schema, columns.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::schema;

    #[test]
    fn every_column_of_a_view_is_one_of_the_run() {
        let all = schema();
        for name in DEFAULT.iter().chain(&BESIDE) {
            assert!(all.field_with_name(name).is_ok(), "{name}");
        }
        assert_eq!(View::Default.schema(&all).fields().len(), DEFAULT.len());
        assert_eq!(View::Provenance.schema(&all).fields(), all.fields());
    }

    #[test]
    fn what_a_person_rejected_is_not_trained_with() {
        let texts = |texts: &[Option<&str>]| Arc::new(StringArray::from(texts.to_vec())) as ArrayRef;
        let batch = RecordBatch::try_from_iter([
            ("record_id", texts(&[Some("a"), Some("b"), Some("c"), Some("d")])),
            ("status", texts(&[Some("verified"), Some("repaired"), Some("problematic"), Some("unjudged")])),
            ("decision", texts(&[None, Some("reject"), Some("accept"), None])),
        ])
        .unwrap();
        let ids = |view: View| -> Vec<String> {
            let rows = view.rows(&batch).unwrap();
            strings(&rows, "record_id").unwrap().iter().flatten().map(str::to_owned).collect()
        };
        assert_eq!(ids(View::Default), ["a"]);
        assert_eq!(ids(View::Problematic), ["b", "c"]);
        assert_eq!(ids(View::Provenance), ["a", "b", "c", "d"]);
    }
}
