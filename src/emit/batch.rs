//! From rows to the arrays of the schema.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayBuilder, ArrayRef, AsArray, BinaryBuilder, Float64Builder, Int32Array, Int32Builder, Int64Builder,
    ListArray, RecordBatch, StringBuilder, StructArray,
};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType, Field, Fields};
use arrow::error::ArrowError;

use super::repairs::{self, Presuppositions, Proposals, Symbols};
use super::schema::{diagnostic_fields, edit_fields, schema};
use crate::diagnostic::{Diagnostic, FixTexts, Target, gravest};
use crate::lint::{logic, rows};
use crate::record::{Edit, Grade, Label, Row};

/// Findings that a row is written with at most; of more, the gravest, and a last one with the number of the others.
pub(crate) const MAX_DIAGNOSTICS: usize = 1000;

/// Rows being gathered, column by column.
#[derive(Default)]
pub(crate) struct Columns {
    record_id: StringBuilder,
    split: StringBuilder,
    story_id: StringBuilder,
    example_id: StringBuilder,
    source_file: StringBuilder,
    source_row: Int64Builder,
    source_sha256: StringBuilder,
    premises: Texts,
    premises_fol: Texts,
    conclusion: StringBuilder,
    conclusion_fol: StringBuilder,
    label: StringBuilder,
    premises_fol_original: Texts,
    conclusion_fol_original: StringBuilder,
    label_original: StringBuilder,
    status: StringBuilder,
    verdict: StringBuilder,
    agreement: StringBuilder,
    verdict_original: StringBuilder,
    agreement_original: StringBuilder,
    verdict_reason: StringBuilder,
    szs_consistency: StringBuilder,
    szs_entails: StringBuilder,
    szs_refutes: StringBuilder,
    used_premises: Indices,
    models: StringBuilder,
    evidence: StringBuilder,
    proof_ref: StringBuilder,
    signals: Texts,
    edits: Edits,
    diagnostics: Diagnostics,
    proposals: Proposals,
    proposed_label: StringBuilder,
    critique: StringBuilder,
    llm_model: StringBuilder,
    prompt_version: StringBuilder,
    presuppositions: Presuppositions,
    symbols: Symbols,
    decision: StringBuilder,
    decided_by: Texts,
    decision_comment: StringBuilder,
    iterations: Int32Builder,
    review_score: Float64Builder,
    review_reason: StringBuilder,
    source_raw: BinaryBuilder,
}

impl Columns {
    /// The bytes of the gathered rows, as [`columns_bytes`] counts them once they are a batch.
    pub(crate) fn bytes(&self) -> usize {
        let texts = [
            &self.record_id,
            &self.split,
            &self.story_id,
            &self.example_id,
            &self.source_file,
            &self.source_sha256,
            &self.premises.values,
            &self.premises_fol.values,
            &self.conclusion,
            &self.conclusion_fol,
            &self.label,
            &self.premises_fol_original.values,
            &self.conclusion_fol_original,
            &self.label_original,
            &self.status,
            &self.verdict,
            &self.agreement,
            &self.verdict_original,
            &self.agreement_original,
            &self.verdict_reason,
            &self.szs_consistency,
            &self.szs_entails,
            &self.szs_refutes,
            &self.models,
            &self.evidence,
            &self.proof_ref,
            &self.signals.values,
            &self.edits.target,
            &self.edits.before,
            &self.edits.after,
            &self.edits.rule,
            &self.edits.kind,
            &self.edits.alternatives.values,
            &self.edits.asked_by,
            &self.edits.why,
            &self.proposed_label,
            &self.critique,
            &self.llm_model,
            &self.prompt_version,
            &self.diagnostics.code,
            &self.diagnostics.severity,
            &self.diagnostics.target,
            &self.diagnostics.message,
            &self.diagnostics.hint,
            &self.diagnostics.fix_applicability,
            &self.diagnostics.fix_after,
            &self.review_reason,
            &self.decision,
            &self.decided_by.values,
            &self.decision_comment,
        ];
        let repairs =
            self.proposals.texts().into_iter().chain(self.presuppositions.texts()).chain(self.symbols.texts());
        let all = texts.into_iter().chain(repairs);
        all.map(|text| text.values_slice().len() + text.len() * PER_TEXT).sum::<usize>()
            + self.source_raw.values_slice().len()
            + self.source_raw.len() * PER_TEXT
    }

    /// Adds one row. Numbers that no column could hold are an error; the gathered columns are then of no use.
    pub(crate) fn push(&mut self, row: &Row) -> Result<(), ArrowError> {
        let record = &row.record;
        self.record_id.append_value(&record.record_id);
        self.split.append_value(&record.split);
        self.story_id.append_option(record.story_id.as_deref());
        self.example_id.append_option(record.example_id.as_deref());
        self.source_file.append_value(&record.source.file);
        self.source_row.append_value(int64(record.source.row)?);
        self.source_sha256.append_value(&record.source.sha256);

        self.premises.push(&record.premises);
        self.premises_fol.push(&row.premises_fol);
        self.conclusion.append_option(record.is_readable().then_some(record.conclusion.as_str()));
        self.conclusion_fol.append_option(row.conclusion_fol.as_deref());
        self.label.append_option(row.label.map(Label::as_str));
        self.premises_fol_original.push(&record.premises_fol);
        self.conclusion_fol_original.append_option(record.conclusion_fol.as_deref());
        self.label_original.append_option(record.label_text.as_deref());

        self.status.append_value(row.status.as_str());
        self.verdict.append_value(row.verdict.as_str());
        self.agreement.append_value(row.agreement.as_str());
        self.verdict_original.append_value(row.verdict_original.as_str());
        self.agreement_original.append_value(row.agreement_original.as_str());
        self.verdict_reason.append_option(row.verdict_reason.as_deref());
        self.szs_consistency.append_option(row.szs_consistency.as_deref());
        self.szs_entails.append_option(row.szs_entails.as_deref());
        self.szs_refutes.append_option(row.szs_refutes.as_deref());
        self.used_premises.push(row.used_premises.as_deref())?;
        self.models.append_option(row.models.as_deref());
        self.evidence.append_option(row.evidence.map(Grade::as_str));
        self.proof_ref.append_option(row.proof_ref());
        self.signals.push(&row.signals);

        self.edits.push(&row.edits)?;
        self.diagnostics.push(row)?;
        self.proposals.push(&row.proposals);
        self.proposed_label.append_option(row.proposed_label.map(Label::as_str));
        self.critique.append_option(row.critique.as_deref());
        self.llm_model.append_option(row.llm_model.as_deref());
        self.prompt_version.append_option(row.prompt_version.as_deref());
        self.presuppositions.push(&row.presuppositions);
        self.symbols.push(&row.symbols)?;
        let decision = row.decision.as_ref();
        self.decision.append_option(decision.map(|d| d.word));
        self.decided_by.push(decision.map_or(&[], |d| &d.by));
        self.decision_comment.append_option(decision.map(|d| d.comment.as_str()).filter(|c| !c.is_empty()));
        self.iterations.append_value(int32(row.iterations)?);
        self.review_score.append_option(row.review_score);
        self.review_reason.append_option(row.review_reason.as_deref());
        self.source_raw.append_option(record.raw.as_deref());
        Ok(())
    }

    /// The gathered rows as a batch; afterwards nothing is gathered.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.record_id.finish()),
            Arc::new(self.split.finish()),
            Arc::new(self.story_id.finish()),
            Arc::new(self.example_id.finish()),
            Arc::new(self.source_file.finish()),
            Arc::new(self.source_row.finish()),
            Arc::new(self.source_sha256.finish()),
            self.premises.finish()?,
            self.premises_fol.finish()?,
            Arc::new(self.conclusion.finish()),
            Arc::new(self.conclusion_fol.finish()),
            Arc::new(self.label.finish()),
            self.premises_fol_original.finish()?,
            Arc::new(self.conclusion_fol_original.finish()),
            Arc::new(self.label_original.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.verdict.finish()),
            Arc::new(self.agreement.finish()),
            Arc::new(self.verdict_original.finish()),
            Arc::new(self.agreement_original.finish()),
            Arc::new(self.verdict_reason.finish()),
            Arc::new(self.szs_consistency.finish()),
            Arc::new(self.szs_entails.finish()),
            Arc::new(self.szs_refutes.finish()),
            self.used_premises.finish()?,
            Arc::new(self.models.finish()),
            Arc::new(self.evidence.finish()),
            Arc::new(self.proof_ref.finish()),
            self.signals.finish()?,
            self.edits.finish()?,
            self.diagnostics.finish()?,
            self.proposals.finish()?,
            Arc::new(self.proposed_label.finish()),
            Arc::new(self.decision.finish()),
            self.decided_by.finish()?,
            Arc::new(self.decision_comment.finish()),
            Arc::new(self.iterations.finish()),
            Arc::new(self.review_score.finish()),
            Arc::new(self.review_reason.finish()),
            Arc::new(self.critique.finish()),
            Arc::new(self.llm_model.finish()),
            Arc::new(self.prompt_version.finish()),
            self.presuppositions.finish()?,
            self.symbols.finish()?,
            Arc::new(self.source_raw.finish()),
        ];
        RecordBatch::try_new(schema(), columns)
    }
}

/// What a text counts for beside its own bytes.
const PER_TEXT: usize = 16;

/// The bytes of rows from `start` to `end`: their texts and something for each. A number is not counted. It depends on
/// the rows only, not on how they came to be a batch.
pub(crate) fn columns_bytes(rows: &RecordBatch, start: usize, end: usize) -> usize {
    rows.columns().iter().map(|column| array_bytes(column, start, end)).sum()
}

fn array_bytes(array: &dyn Array, start: usize, end: usize) -> usize {
    fn at(offsets: &[i32], index: usize) -> usize {
        offsets.get(index).and_then(|offset| usize::try_from(*offset).ok()).unwrap_or_default()
    }
    let between = |offsets: &[i32]| at(offsets, end).saturating_sub(at(offsets, start)) + (end - start) * PER_TEXT;
    match array.data_type() {
        DataType::Utf8 => between(array.as_string::<i32>().value_offsets()),
        DataType::Binary => between(array.as_binary::<i32>().value_offsets()),
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            let (start, end) = (at(list.value_offsets(), start), at(list.value_offsets(), end));
            array_bytes(list.values(), start, end)
        }
        DataType::Struct(_) => array.as_struct().columns().iter().map(|column| array_bytes(column, start, end)).sum(),
        _ => 0,
    }
}

/// An upper bound for the bytes that a row adds to any one column.
pub(crate) fn weight(row: &Row) -> usize {
    const PER_ITEM: usize = 16;
    const LEFT_OUT_BYTES: usize = 256;
    let text = |s: &str| s.len() + PER_ITEM;
    let maybe = |s: &Option<String>| s.as_deref().map_or(0, text);
    let list = |items: &[String]| items.iter().map(|s| text(s)).sum::<usize>();
    let record = &row.record;
    let ids = text(&record.record_id) + text(&record.split) + text(&record.source.file) + text(&record.source.sha256);
    let content =
        list(&record.premises) + list(&record.premises_fol) + list(&row.premises_fol) + text(&record.conclusion);
    let options = [
        &record.story_id,
        &record.example_id,
        &record.conclusion_fol,
        &record.label_text,
        &row.conclusion_fol,
        &row.verdict_reason,
        &row.models,
        &row.review_reason,
    ];
    let edits = row.edits.iter().map(|e| text(&e.before) + text(&e.after) + text(&e.why) + list(&e.alternatives));
    let edits = edits.sum::<usize>()
        + repairs::weight(&row.proposals, &row.presuppositions, &row.symbols)
        + maybe(&row.critique)
        + maybe(&row.llm_model)
        + maybe(&row.prompt_version);
    let (of_row, of_story) = by_subject(row);
    let mut written = gravest(&of_row, MAX_DIAGNOSTICS, |d| d.severity);
    let left_out = if written.len() < of_row.len() { LEFT_OUT_BYTES } else { 0 };
    written.extend(&of_story);
    let after = written.iter().filter_map(|d| {
        let inserted = d.fix.as_ref()?.edits.iter().map(|e| e.replacement.len()).sum::<usize>();
        Some(inserted + record.text(d.target).map_or(0, str::len))
    });
    let after = after.sum::<usize>().min(FixTexts::LIMIT);
    let diagnostics = written.iter().map(|d| text(&d.message) + maybe(&d.hint)).sum::<usize>() + after + left_out;
    let raw = record.raw.as_ref().map_or(0, Vec::len);
    let used = row.used_premises.as_ref().map_or(0, Vec::len) * 4;
    ids + content + options.into_iter().map(maybe).sum::<usize>() + edits + diagnostics + raw + used
}

/// The findings about the row alone, of which not all are written where there are very many, and those about its story,
/// which may come when the row is written already and are bounded by the rule that makes them.
fn by_subject(row: &Row) -> (Vec<&Diagnostic>, Vec<&Diagnostic>) {
    row.diagnostics.iter().partition(|d| !logic::is_of_story(d))
}

pub(super) fn int32(value: impl TryInto<i32> + Copy + std::fmt::Display) -> Result<i32, ArrowError> {
    value.try_into().map_err(|_| ArrowError::CastError(format!("{value} does not fit 32 bits")))
}

fn int64(value: u64) -> Result<i64, ArrowError> {
    value.try_into().map_err(|_| ArrowError::CastError(format!("{value} does not fit 64 signed bits")))
}

pub(crate) fn list(
    element: DataType,
    lengths: Vec<usize>,
    values: ArrayRef,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    let offsets = OffsetBuffer::try_from_lengths(lengths).map_err(|e| ArrowError::CastError(e.to_string()))?;
    Ok(Arc::new(ListArray::try_new(Arc::new(Field::new("element", element, false)), offsets, values, nulls)?))
}

pub(super) fn structs(fields: Fields, lengths: Vec<usize>, columns: Vec<ArrayRef>) -> Result<ArrayRef, ArrowError> {
    let elements = lengths.iter().sum();
    let values = StructArray::try_new_with_length(fields.clone(), columns, None, elements)?;
    list(DataType::Struct(fields), lengths, Arc::new(values), None)
}

/// A list of texts for each row.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) values: StringBuilder,
    lengths: Vec<usize>,
}

impl Texts {
    pub(super) fn push(&mut self, texts: &[String]) {
        texts.iter().for_each(|text| self.values.append_value(text));
        self.lengths.push(texts.len());
    }

    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        list(DataType::Utf8, std::mem::take(&mut self.lengths), Arc::new(self.values.finish()), None)
    }
}

/// A list of indices for each row, or null.
#[derive(Default)]
struct Indices {
    values: Vec<i32>,
    lengths: Vec<usize>,
    valid: Vec<bool>,
}

impl Indices {
    fn push(&mut self, indices: Option<&[u32]>) -> Result<(), ArrowError> {
        for index in indices.unwrap_or_default() {
            self.values.push(int32(*index)?);
        }
        self.lengths.push(indices.map_or(0, <[u32]>::len));
        self.valid.push(indices.is_some());
        Ok(())
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let values = Int32Array::from(std::mem::take(&mut self.values));
        let nulls = NullBuffer::from(std::mem::take(&mut self.valid));
        list(DataType::Int32, std::mem::take(&mut self.lengths), Arc::new(values), Some(nulls))
    }
}

/// The column `edits`.
#[derive(Default)]
struct Edits {
    lengths: Vec<usize>,
    target: StringBuilder,
    before: StringBuilder,
    after: StringBuilder,
    rule: StringBuilder,
    kind: StringBuilder,
    iteration: Int32Builder,
    alternatives: Texts,
    asked_by: StringBuilder,
    why: StringBuilder,
}

impl Edits {
    fn push(&mut self, edits: &[Edit]) -> Result<(), ArrowError> {
        for edit in edits {
            self.target.append_value(edit.target.to_string());
            self.before.append_value(&edit.before);
            self.after.append_value(&edit.after);
            self.rule.append_value(&edit.rule);
            self.kind.append_value(edit.kind.as_str());
            self.iteration.append_value(int32(edit.iteration)?);
            self.alternatives.push(&edit.alternatives);
            self.asked_by.append_option(edit.asked_by.as_deref());
            self.why.append_value(&edit.why);
        }
        self.lengths.push(edits.len());
        Ok(())
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.target.finish()),
            Arc::new(self.before.finish()),
            Arc::new(self.after.finish()),
            Arc::new(self.rule.finish()),
            Arc::new(self.kind.finish()),
            Arc::new(self.iteration.finish()),
            self.alternatives.finish()?,
            Arc::new(self.asked_by.finish()),
            Arc::new(self.why.finish()),
        ];
        structs(edit_fields(), std::mem::take(&mut self.lengths), columns)
    }
}

/// The column `diagnostics`.
#[derive(Default)]
pub(crate) struct Diagnostics {
    lengths: Vec<usize>,
    code: StringBuilder,
    severity: StringBuilder,
    target: StringBuilder,
    start: Int32Builder,
    end: Int32Builder,
    message: StringBuilder,
    hint: StringBuilder,
    fix_applicability: StringBuilder,
    fix_after: StringBuilder,
}

impl Diagnostics {
    fn push(&mut self, row: &Row) -> Result<(), ArrowError> {
        let (of_row, of_story) = by_subject(row);
        let mut written: Vec<&Diagnostic> =
            gravest(&of_row, MAX_DIAGNOSTICS, |d| d.severity).into_iter().copied().collect();
        let rest = match of_row.len() - written.len() {
            0 => None,
            count => Some(rows::left_out(count)),
        };
        written.extend(&rest);
        written.extend(of_story);
        // A fix speaks of the text as it came, so that is what it is applied to.
        self.push_list(&written, |target| row.record.text(target))
    }

    /// Adds the findings of one row, whose texts `text` tells.
    pub(crate) fn push_list<'a>(
        &mut self,
        written: &[&Diagnostic],
        text: impl Fn(Target) -> Option<&'a str>,
    ) -> Result<(), ArrowError> {
        let mut texts = FixTexts::new();
        for diagnostic in written {
            let Diagnostic { code, severity, target, span, message, hint, fix, .. } = diagnostic;
            self.code.append_value(code);
            self.severity.append_value(severity.as_str());
            self.target.append_value(target.to_string());
            self.start.append_value(int32(span.start)?);
            self.end.append_value(int32(span.end)?);
            self.message.append_value(message);
            self.hint.append_option(hint.as_deref());
            self.fix_applicability.append_option(fix.as_ref().map(|fix| fix.applicability.as_str()));
            let text = text(*target);
            self.fix_after.append_option(fix.as_ref().and_then(|fix| texts.after(fix, text?)));
        }
        self.lengths.push(written.len());
        Ok(())
    }

    pub(crate) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.code.finish()),
            Arc::new(self.severity.finish()),
            Arc::new(self.target.finish()),
            Arc::new(self.start.finish()),
            Arc::new(self.end.finish()),
            Arc::new(self.message.finish()),
            Arc::new(self.hint.finish()),
            Arc::new(self.fix_applicability.finish()),
            Arc::new(self.fix_after.finish()),
        ];
        structs(diagnostic_fields(), std::mem::take(&mut self.lengths), columns)
    }
}
