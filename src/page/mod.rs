//! What all pages share: the style, and a row as it is shown.
//!
//! [`RowView`] is everything there is to show of a row, as data; `row.js` makes elements of it, texts as texts. The account
//! of the verdict is the only markup in it: it was escaped where it was made ([`crate::explain::html_fragment`]).

mod diff;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::diagnostic::Target;
use crate::explain::{self, Account};
use crate::lint;
use crate::lint::report::{self, Colour, Finding};
use crate::record::{Agreement, Edit, Grade, Label, Row, Status, Verdict};
use crate::verify::Reading;

pub use self::diff::{Piece, diff};

/// The style of every page. Colours come from the reader's setting, light or dark. Texts wrap anywhere sooner than they widen
/// the page; what must keep its columns (worlds and code frames) is scrolled in a box of its own, and wrapped on paper.
pub const STYLE: &str = include_str!("assets/style.css");

/// The style of a row.
pub const ROW_STYLE: &str = include_str!("assets/row.css");

/// The script that shows a row: `refolio.rowElement(view)`.
pub const ROW_SCRIPT: &str = include_str!("assets/row.js");

/// Columns that code frames may take.
const WIDTH: usize = 100;

/// What a content security policy calls a script that stands in the page.
#[must_use]
pub fn script_hash(script: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(script.as_bytes())))
}

/// Everything a page shows of one row.
#[derive(Debug, Clone, Serialize)]
pub struct RowView {
    /// The row.
    pub record_id: String,
    /// The dataset's own id of the row.
    pub example_id: Option<String>,
    /// The dataset's own id of the story.
    pub story_id: Option<String>,
    /// The split.
    pub split: String,
    /// The file it came from, and the 0-based place there.
    pub source: (String, u64),
    /// The label as it leaves.
    pub label: Option<Label>,
    /// The label's text as it came.
    pub label_original: Option<String>,
    /// The verdict as it leaves, and as it came.
    pub verdict: Verdict,
    /// The verdict as it came.
    pub verdict_original: Verdict,
    /// The verdict against the label.
    pub agreement: Agreement,
    /// The same as it came.
    pub agreement_original: Agreement,
    /// What became of the row.
    pub status: Status,
    /// Why there is no better verdict, or why it is problematic.
    pub reason: Option<String>,
    /// What the verdict rests on.
    pub evidence: Option<Grade>,
    /// SZS statuses: of the premises, of the conclusion, of its negation.
    pub szs: [Option<String>; 3],
    /// What is worth knowing of the verdict.
    pub signals: Vec<String>,
    /// How much a person should look at it, from 0 to 1.
    pub review_score: Option<f64>,
    /// Why.
    pub review_reason: Option<String>,
    /// The label that logic proves instead.
    pub proposed_label: Option<Label>,
    /// What people decided: the word, who, and their words.
    pub decision: Option<(&'static str, Vec<String>, String)>,
    /// Premises and conclusion.
    pub statements: Vec<StatementView>,
    /// What shows the verdict, as HTML; empty where nothing does.
    pub account: String,
    /// Changes, in order.
    pub edits: Vec<EditView>,
    /// Repairs that were put before the guards.
    pub proposals: Vec<ProposalView>,
    /// Findings.
    pub diagnostics: Vec<DiagnosticView>,
    /// What logic says of what is wrong, in sentences.
    pub critique: Vec<String>,
    /// What language models were asked and said, as the column `critique` has it under `agents`; null where none was.
    pub agents: Value,
    /// The model and its prompts.
    pub model: Option<String>,
    /// What sentences take for granted: target and formula.
    pub presuppositions: Vec<(String, String)>,
    /// The symbols of its formulas.
    pub symbols: Vec<SymbolView>,
}

/// A symbol: name, kind, arity, where it is used, gloss.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SymbolView(
    /// The author's name for it.
    pub String,
    /// `predicate`, `function`, `constant` or `free`.
    pub &'static str,
    /// How many arguments it takes.
    pub u32,
    /// The annotations that use it.
    pub Vec<String>,
    /// Words of a sentence for it.
    pub Option<String>,
);

/// A premise or the conclusion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StatementView {
    /// `premise[3]` or `conclusion`.
    pub target: String,
    /// The sentence; null where there is none.
    pub sentence: Option<String>,
    /// The formula as it leaves; null where there is none.
    pub formula: Option<String>,
    /// The formula as it came; null where there was none.
    pub original: Option<String>,
    /// What was taken out and put in; empty where it is the same.
    pub diff: Vec<Piece>,
    /// Whether the contradiction behind the verdict needs it; null where there is none.
    pub used: Option<bool>,
}

/// A change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EditView {
    /// `premise[3]` or `conclusion`.
    pub target: String,
    /// The rule's code or the name of the kind of repair.
    pub rule: String,
    /// The rule's name.
    pub name: Option<&'static str>,
    /// `normalise`, `fix`, `search`, …
    pub kind: &'static str,
    /// The round in which it was made.
    pub iteration: u32,
    /// What was taken out and put in.
    pub diff: Vec<Piece>,
    /// Texts that were possible instead.
    pub alternatives: Vec<String>,
    /// The record for whose sake it was made.
    pub asked_by: Option<String>,
    /// Why, in words.
    pub why: String,
}

/// A repair that was put before the guards.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProposalView {
    /// `search`, `refiner` or `formaliser`.
    pub rung: &'static str,
    /// `accepted`, `refused` or `ambiguous`.
    pub outcome: &'static str,
    /// The guard that refused it.
    pub reason: Option<String>,
    /// Its cost.
    pub cost: f64,
    /// Its changes.
    pub edits: Vec<EditView>,
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiagnosticView {
    /// The rule's code.
    pub code: &'static str,
    /// The rule's name.
    pub name: Option<&'static str>,
    /// `info`, `warning` or `error`.
    pub severity: &'static str,
    /// Which text.
    pub target: String,
    /// What was found.
    pub message: String,
    /// The text with the place underlined.
    pub frame: String,
}

impl RowView {
    /// A row whose formulas are read thus.
    #[must_use]
    pub fn new(row: &Row, reading: &Reading) -> Self {
        let record = &row.record;
        let explanation = explain::explain(row, reading);
        let account = match explanation.account {
            Account::Nothing => String::new(),
            _ => explain::html_fragment(&explain::account_document(&explanation)),
        };
        let critique: Value = row.critique.as_deref().and_then(|t| serde_json::from_str(t).ok()).unwrap_or_default();
        Self {
            record_id: record.record_id.clone(),
            example_id: record.example_id.clone(),
            story_id: record.story_id.clone(),
            split: record.split.clone(),
            source: (record.source.file.clone(), record.source.row),
            label: row.label,
            label_original: record.label_text.clone(),
            verdict: row.verdict,
            verdict_original: row.verdict_original,
            agreement: row.agreement,
            agreement_original: row.agreement_original,
            status: row.status,
            reason: row.verdict_reason.clone(),
            evidence: row.evidence,
            szs: [row.szs_consistency.clone(), row.szs_entails.clone(), row.szs_refutes.clone()],
            signals: row.signals.clone(),
            review_score: row.review_score,
            review_reason: row.review_reason.clone(),
            proposed_label: row.proposed_label,
            decision: row.decision.as_ref().map(|d| (d.word, d.by.clone(), d.comment.clone())),
            statements: statements(row),
            account,
            edits: row.edits.iter().map(edit).collect(),
            proposals: row
                .proposals
                .iter()
                .map(|p| ProposalView {
                    rung: p.rung,
                    outcome: p.outcome,
                    reason: p.reason.clone(),
                    cost: p.cost,
                    edits: p.edits.iter().map(edit).collect(),
                })
                .collect(),
            diagnostics: Finding::all(record, row.diagnostics.iter().cloned()).iter().map(diagnostic).collect(),
            critique: explanation.critique,
            agents: critique["agents"].clone(),
            model: row.llm_model.as_ref().map(|model| {
                [Some(model.as_str()), row.prompt_version.as_deref()]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join(" ")
            }),
            presuppositions: row.presuppositions.iter().map(|p| (p.target.to_string(), p.formula.clone())).collect(),
            symbols: row
                .symbols
                .iter()
                .map(|s| {
                    let used_in = s.used_in.iter().map(ToString::to_string).collect();
                    SymbolView(s.name.clone(), s.kind, s.arity, used_in, s.gloss.clone())
                })
                .collect(),
        }
    }
}

/// Sentences beside formulas by their places; where there are more of one, the others stand alone.
fn statements(row: &Row) -> Vec<StatementView> {
    let record = &row.record;
    let used = |i: usize| row.used_premises.as_ref().map(|used| used.iter().any(|u| usize::try_from(*u) == Ok(i)));
    let statement = |target: Target, sentence: Option<&str>, formula: Option<&str>, used| {
        let original = record.text(target);
        StatementView {
            target: target.to_string(),
            sentence: sentence.map(str::to_owned),
            formula: formula.map(str::to_owned),
            original: original.map(str::to_owned),
            diff: match (original, formula) {
                (Some(before), Some(after)) if before != after => diff(before, after),
                _ => Vec::new(),
            },
            used,
        }
    };
    let premises = record.premises.len().max(row.premises_fol.len());
    let mut out: Vec<StatementView> = (0..premises)
        .map(|i| {
            let sentence = record.premises.get(i).map(String::as_str);
            statement(Target::Premise(i), sentence, row.premises_fol.get(i).map(String::as_str), used(i))
        })
        .collect();
    if record.is_readable() {
        out.push(statement(Target::Conclusion, Some(&record.conclusion), row.conclusion_fol.as_deref(), None));
    }
    out
}

fn edit(edit: &Edit) -> EditView {
    EditView {
        target: edit.target.to_string(),
        rule: edit.rule.clone(),
        name: lint::find(&edit.rule).map(|rule| rule.name),
        kind: edit.kind.as_str(),
        iteration: edit.iteration,
        diff: diff(&edit.before, &edit.after),
        alternatives: edit.alternatives.clone(),
        asked_by: edit.asked_by.clone(),
        why: edit.why.clone(),
    }
}

fn diagnostic(finding: &Finding) -> DiagnosticView {
    let found = &finding.diagnostic;
    DiagnosticView {
        code: found.code,
        name: lint::find(found.code).map(|rule| rule.name),
        severity: found.severity.as_str(),
        target: found.target.to_string(),
        message: found.message.clone(),
        frame: report::text(std::slice::from_ref(finding), Colour::Plain, WIDTH).trim_end().to_owned(),
    }
}
