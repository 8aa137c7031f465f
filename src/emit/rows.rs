//! Rows of a split read back whole: what left is what comes back.

use std::path::{Path, PathBuf};

use arrow::array::{Array, AsArray as _, RecordBatch};
use arrow::datatypes::{DataType, Float64Type, Int32Type, Int64Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::evidence::EvidenceWriter;
use super::stored::{StoredError, batches, open, splits};
use super::timings::TIMINGS_FILE;
use crate::diagnostic::{Applicability, Diagnostic, EditKind, Fix, Severity, Span, Target, TextEdit};
use crate::lint;
use crate::record::{
    Agreement, Decided, Edit, Grade, Label, Presupposition, Proof, Proposal, Record, Row, Source, Status, Symbol,
    Verdict,
};

/// Every row of every split of a folder, in order, with its proof where proofs were written.
///
/// Of a diagnostic's fix only the text comes back that it gives, and no related places; the line of a source is not kept.
///
/// # Errors
/// Where a file cannot be read, or holds a word that this refolio does not know. Rows before it were handed over.
pub fn read_rows(dir: &Path, mut each: impl FnMut(Row)) -> Result<(), StoredError> {
    for path in splits(dir)? {
        let mut proofs = Proofs::open(dir)?;
        let failed = |reason: String| StoredError::File { path: path.clone(), reason };
        batches(&path, open(&path)?, |batch| {
            let schema = batch.schema();
            for i in 0..batch.num_rows() {
                let columns = schema.fields().iter().zip(batch.columns());
                let row: Map<String, Value> =
                    columns.map(|(field, column)| (field.name().clone(), value(column, i))).collect();
                let stored: Stored = serde_json::from_value(Value::Object(row)).map_err(|e| failed(e.to_string()))?;
                let key = stored.proof_ref.clone();
                let mut row = stored.row().map_err(failed)?;
                if let Some(key) = key {
                    row.proof = proofs.take(&key)?.map(Box::new);
                }
                each(row);
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// The milliseconds of every answer that `timings.parquet` holds; none where it was not written.
///
/// # Errors
/// Where the file is there and cannot be read.
pub fn each_time(dir: &Path, mut each: impl FnMut(f64)) -> Result<(), StoredError> {
    let path = dir.join(TIMINGS_FILE);
    if !path.exists() {
        return Ok(());
    }
    batches(&path, open(&path)?, |batch| {
        let column = batch.column_by_name("ms").and_then(|c| c.as_primitive_opt::<Float64Type>());
        let column = column.ok_or_else(|| StoredError::Column { path: path.clone(), column: "ms" })?;
        column.iter().flatten().for_each(&mut each);
        Ok(())
    })
}

/// The proofs of a folder, in order. Rows of one split have theirs in their own order, so that a batch is in memory at a time.
struct Proofs {
    path: PathBuf,
    /// `None` where no proofs were written.
    reader: Option<ParquetRecordBatchReader>,
    batch: Option<RecordBatch>,
    next: usize,
}

impl Proofs {
    fn open(dir: &Path) -> Result<Self, StoredError> {
        let path = dir.join(EvidenceWriter::FILE);
        let failed = |e: parquet::errors::ParquetError| StoredError::File { path: path.clone(), reason: e.to_string() };
        let reader = if path.exists() { Some(open(&path)?.build().map_err(failed)?) } else { None };
        Ok(Self { path, reader, batch: None, next: 0 })
    }

    /// The proof under a key; those before it are passed over.
    fn take(&mut self, key: &str) -> Result<Option<Proof>, StoredError> {
        let failed = |reason: String| StoredError::File { path: self.path.clone(), reason };
        let Some(reader) = &mut self.reader else { return Ok(None) };
        loop {
            if let Some(batch) = &self.batch {
                let text = |column: &'static str, row: usize| {
                    let array = batch.column_by_name(column).and_then(|c| c.as_string_opt::<i32>());
                    let array = array.ok_or_else(|| StoredError::Column { path: self.path.clone(), column })?;
                    Ok::<_, StoredError>(array.is_valid(row).then(|| array.value(row).to_owned()))
                };
                while self.next < batch.num_rows() {
                    let row = self.next;
                    self.next += 1;
                    if text("proof_ref", row)?.as_deref() != Some(key) {
                        continue;
                    }
                    let question = text("question", row)?.unwrap_or_default();
                    return Ok(Some(Proof {
                        question: word(&["consistency", "entails", "refutes"], &question, "question")
                            .map_err(failed)?,
                        status: text("status", row)?.unwrap_or_default(),
                        problem: text("problem", row)?.unwrap_or_default(),
                        derivation: text("derivation", row)?,
                        certificate: text("certificate", row)?,
                        second_opinion: text("second_opinion", row)?,
                    }));
                }
            }
            self.batch = reader.next().transpose().map_err(|e| failed(e.to_string()))?;
            self.next = 0;
            if self.batch.is_none() {
                return Err(failed(format!("it holds no proof under {key}, or not where it should")));
            }
        }
    }
}

/// One value of a column: bytes as a list of numbers.
fn value(array: &dyn Array, i: usize) -> Value {
    if array.is_null(i) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Utf8 => json!(array.as_string::<i32>().value(i)),
        DataType::Int32 => json!(array.as_primitive::<Int32Type>().value(i)),
        DataType::Int64 => json!(array.as_primitive::<Int64Type>().value(i)),
        DataType::Float64 => json!(array.as_primitive::<Float64Type>().value(i)),
        DataType::Binary => json!(array.as_binary::<i32>().value(i)),
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(i);
            (0..items.len()).map(|j| value(&items, j)).collect()
        }
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            Value::Object(columns.map(|(field, column)| (field.name().clone(), value(column, i))).collect())
        }
        _ => Value::Null,
    }
}

/// The columns, as they stand.
#[derive(Deserialize)]
struct Stored {
    record_id: String,
    split: String,
    story_id: Option<String>,
    example_id: Option<String>,
    source_file: String,
    source_row: u64,
    source_sha256: String,
    premises: Vec<String>,
    premises_fol: Vec<String>,
    conclusion: Option<String>,
    conclusion_fol: Option<String>,
    label: Option<Label>,
    premises_fol_original: Vec<String>,
    conclusion_fol_original: Option<String>,
    label_original: Option<String>,
    status: String,
    verdict: String,
    agreement: String,
    verdict_original: String,
    agreement_original: String,
    verdict_reason: Option<String>,
    szs_consistency: Option<String>,
    szs_entails: Option<String>,
    szs_refutes: Option<String>,
    used_premises: Option<Vec<u32>>,
    models: Option<String>,
    evidence: Option<String>,
    proof_ref: Option<String>,
    signals: Vec<String>,
    edits: Vec<StoredEdit>,
    diagnostics: Vec<StoredDiagnostic>,
    proposals: Vec<StoredProposal>,
    proposed_label: Option<Label>,
    decision: Option<String>,
    decided_by: Vec<String>,
    decision_comment: Option<String>,
    iterations: u32,
    review_score: Option<f64>,
    review_reason: Option<String>,
    critique: Option<String>,
    llm_model: Option<String>,
    prompt_version: Option<String>,
    presuppositions: Vec<StoredPresupposition>,
    symbols: Vec<StoredSymbol>,
    source_raw: Option<Vec<u8>>,
}

#[derive(Deserialize)]
struct StoredEdit {
    target: String,
    before: String,
    after: String,
    rule: String,
    kind: EditKind,
    iteration: u32,
    alternatives: Vec<String>,
    asked_by: Option<String>,
    why: String,
}

/// An edit of a proposal.
#[derive(Deserialize)]
struct ProposedEdit {
    target: String,
    before: String,
    after: String,
    rule: String,
    why: String,
}

#[derive(Deserialize)]
struct StoredDiagnostic {
    code: String,
    severity: Severity,
    target: String,
    start: usize,
    end: usize,
    message: String,
    hint: Option<String>,
    fix_applicability: Option<Applicability>,
    fix_after: Option<String>,
}

#[derive(Deserialize)]
struct StoredProposal {
    rung: String,
    cost: f64,
    outcome: String,
    reason: Option<String>,
    edits: String,
}

#[derive(Deserialize)]
struct StoredPresupposition {
    target: String,
    formula: String,
    sentence: Option<String>,
}

#[derive(Deserialize)]
struct StoredSymbol {
    name: String,
    kind: String,
    arity: u32,
    used_in: Vec<String>,
    gloss: Option<String>,
}

/// A word out of those that are known.
fn word(known: &[&'static str], text: &str, column: &str) -> Result<&'static str, String> {
    let found = known.iter().find(|word| **word == text);
    found.copied().ok_or_else(|| format!("the column `{column}` holds {text:?}, which this refolio does not know"))
}

/// Likewise, of words that stand for something.
fn named<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str, text: &str, column: &str) -> Result<T, String> {
    let found = all.iter().find(|item| name(**item) == text);
    found.copied().ok_or_else(|| format!("the column `{column}` holds {text:?}, which this refolio does not know"))
}

fn target(text: &str) -> Result<Target, String> {
    text.parse().map_err(|e| format!("{e}"))
}

impl Stored {
    fn row(self) -> Result<Row, String> {
        let record = Record {
            record_id: self.record_id,
            split: self.split,
            story_id: self.story_id,
            example_id: self.example_id,
            source: Source { file: self.source_file, row: self.source_row, line: None, sha256: self.source_sha256 },
            premises: self.premises,
            premises_fol: self.premises_fol_original,
            conclusion: self.conclusion.unwrap_or_default(),
            conclusion_fol: self.conclusion_fol_original,
            label: self.label_original.as_deref().and_then(|text| text.parse().ok()),
            label_text: self.label_original,
            diagnostics: Vec::new(),
            raw: self.source_raw,
        };
        let decision = self.decision.map(|text| {
            let label = self.label.filter(|label| Some(*label) != record.label || text == "relabel");
            let word = word(&Decided::WORDS, &text, "decision")?;
            let comment = self.decision_comment.unwrap_or_default();
            Ok::<_, String>(Decided { word, by: self.decided_by, comment, label })
        });
        let verdict = |text: &str, column| named(&Verdict::ALL, Verdict::as_str, text, column);
        let agreement = |text: &str, column| named(&Agreement::ALL, Agreement::as_str, text, column);
        let diagnostics = self.diagnostics.into_iter().map(|d| d.diagnostic(&record)).collect::<Result<_, _>>()?;
        Ok(Row {
            premises_fol: self.premises_fol,
            conclusion_fol: self.conclusion_fol,
            label: self.label,
            decision: decision.transpose()?,
            status: named(&Status::ALL, Status::as_str, &self.status, "status")?,
            verdict: verdict(&self.verdict, "verdict")?,
            agreement: agreement(&self.agreement, "agreement")?,
            verdict_original: verdict(&self.verdict_original, "verdict_original")?,
            agreement_original: agreement(&self.agreement_original, "agreement_original")?,
            verdict_reason: self.verdict_reason,
            szs_consistency: self.szs_consistency,
            szs_entails: self.szs_entails,
            szs_refutes: self.szs_refutes,
            used_premises: self.used_premises,
            models: self.models,
            evidence: self.evidence.map(|text| named(&Grade::ALL, Grade::as_str, &text, "evidence")).transpose()?,
            proof: None,
            signals: self.signals,
            edits: self.edits.into_iter().map(StoredEdit::edit).collect::<Result<_, _>>()?,
            diagnostics,
            proposals: self.proposals.into_iter().map(StoredProposal::proposal).collect::<Result<_, _>>()?,
            proposed_label: self.proposed_label,
            critique: self.critique,
            presuppositions: self
                .presuppositions
                .into_iter()
                .map(StoredPresupposition::presupposition)
                .collect::<Result<_, _>>()?,
            symbols: self.symbols.into_iter().map(StoredSymbol::symbol).collect::<Result<_, _>>()?,
            iterations: self.iterations,
            review_score: self.review_score,
            review_reason: self.review_reason,
            llm_model: self.llm_model,
            prompt_version: self.prompt_version,
            record,
        })
    }
}

impl StoredEdit {
    fn edit(self) -> Result<Edit, String> {
        Ok(Edit {
            target: target(&self.target)?,
            before: self.before,
            after: self.after,
            rule: self.rule,
            kind: self.kind,
            iteration: self.iteration,
            alternatives: self.alternatives,
            asked_by: self.asked_by,
            why: self.why,
        })
    }
}

impl StoredDiagnostic {
    fn diagnostic(self, record: &Record) -> Result<Diagnostic, String> {
        let code = lint::find(&self.code).map(|rule| rule.code);
        let code =
            code.ok_or_else(|| format!("the column `diagnostics` holds the rule {:?}, which there is not", self.code))?;
        let target = target(&self.target)?;
        let mut out = Diagnostic::new(code, self.severity, target, Span::new(self.start, self.end), self.message);
        out.hint = self.hint;
        if let (Some(applicability), Some(after)) = (self.fix_applicability, self.fix_after) {
            let whole = Span::new(0, record.text(target).map_or(0, str::len));
            out.fix = Some(Fix {
                applicability,
                kind: EditKind::Fix,
                title: lint::find(code).map_or_else(String::new, |rule| rule.name.to_owned()),
                edits: vec![TextEdit { span: whole, replacement: after }],
                alternatives: Vec::new(),
            });
        }
        Ok(out)
    }
}

impl StoredProposal {
    fn proposal(self) -> Result<Proposal, String> {
        let rung = word(&["search", "refiner", "formaliser"], &self.rung, "proposals.rung")?;
        let kind = if rung == "search" { EditKind::Search } else { EditKind::Llm };
        let edits: Vec<ProposedEdit> =
            serde_json::from_str(&self.edits).map_err(|e| format!("the column `proposals.edits`: {e}"))?;
        let edit = |e: ProposedEdit| {
            Ok::<_, String>(Edit {
                target: target(&e.target)?,
                before: e.before,
                after: e.after,
                rule: e.rule,
                kind,
                iteration: 0,
                alternatives: Vec::new(),
                asked_by: None,
                why: e.why,
            })
        };
        Ok(Proposal {
            rung,
            edits: edits.into_iter().map(edit).collect::<Result<_, _>>()?,
            cost: self.cost,
            outcome: word(&["accepted", "refused", "ambiguous"], &self.outcome, "proposals.outcome")?,
            reason: self.reason,
        })
    }
}

impl StoredPresupposition {
    fn presupposition(self) -> Result<Presupposition, String> {
        Ok(Presupposition { target: target(&self.target)?, formula: self.formula, sentence: self.sentence })
    }
}

impl StoredSymbol {
    fn symbol(self) -> Result<Symbol, String> {
        Ok(Symbol {
            name: self.name,
            kind: word(&["predicate", "function", "constant", "free"], &self.kind, "symbols.kind")?,
            arity: self.arity,
            used_in: self.used_in.iter().map(|text| target(text)).collect::<Result<_, _>>()?,
            gloss: self.gloss,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::testing::{expected_json, rows};
    use crate::emit::testing_run::run_info;
    use crate::emit::{EmitOptions, Emitter};

    #[test]
    fn what_left_comes_back() {
        let dir = tempfile::tempdir().expect("a folder");
        let options = EmitOptions { csv: false, timings: false, proofs: true };
        let mut emitter = Emitter::create(dir.path(), options).expect("new");
        let mut written = rows();
        // Some of these rows have findings of rules that there are not.
        let known = |d: &mut Diagnostic| d.code = lint::find(d.code).map_or("R101", |rule| rule.code);
        written.iter_mut().flat_map(|row| &mut row.diagnostics).for_each(known);
        emitter.push(&written).expect("written");
        emitter.finish(&run_info()).expect("whole");
        let mut back = Vec::new();
        read_rows(dir.path(), |row| back.push(row)).expect("read");
        written.sort_by(|a, b| a.record.split.cmp(&b.record.split));
        assert_eq!(back.len(), written.len());
        for (back, written) in back.iter().zip(&written) {
            assert_eq!(expected_json(back), expected_json(written));
            assert_eq!((&back.proof, &back.decision, back.label), (&written.proof, &written.decision, written.label));
            assert_eq!(back.record.content_key(), written.record.content_key());
        }
        assert!(back.iter().any(|row| row.proof.is_some()));
    }

    #[test]
    fn a_word_that_nobody_knows_is_named() {
        let error = named(&Status::ALL, Status::as_str, "fine", "status").expect_err("no status");
        assert_eq!(error, "the column `status` holds \"fine\", which this refolio does not know");
        assert!(word(&["search"], "debate", "proposals.rung").is_err());
        assert!(target("premise[-1]").is_err());
    }
}
