//! Telling people what a verdict rests on: a proof in steps, or worlds as small tables.
//!
//! [`explain`] makes an [`Explanation`] of a finished row: it decodes the certificate and has it checked once more, and it
//! is the course of this check that is told. The printers take the same value: [`text`], [`markdown`] and [`html`] by way
//! of one [`Document`], and [`json`] as it is.

mod build;
mod document;
mod html;
mod instance;
mod markdown;
mod names;
mod prune;
mod text;
mod told;
mod tptp;
mod worlds;

#[cfg(test)]
mod tests;

use serde::{Serialize, Serializer};

use crate::lint::report::{Finding, serialize_findings};
use crate::record::{Agreement, Grade, Label, Status, Verdict};

pub use build::{critique_sentences, explain};
pub use document::{Block, Detail, Document, Piece, Tone, account_document, document};
pub(crate) use html::{POLICY, escaped};
pub use html::{html, html_fragment};
pub use markdown::markdown;
pub use text::text;
pub use told::{Because, Introduction, MAX_STEPS, ToldCase, ToldEnd, ToldLine, ToldStep, Witness};
pub use tptp::problem;
pub use worlds::{Difference, FunctionValue, Individual, Property, Proposition, Relation, Showing, World};

/// Everything there is to say of one row. Its JSON is what `--format json` prints; fields that have nothing to say are
/// null or empty.
#[derive(Debug, Clone, Serialize)]
pub struct Explanation {
    /// Which record it is about; null for a problem without a dataset.
    pub record: Option<About>,
    /// The verdict.
    pub verdict: Verdict,
    /// The SZS status that says the same: see [`szs`].
    pub szs: &'static str,
    /// Why there is no better verdict, or why the row is problematic.
    pub reason: Option<String>,
    /// What the verdict rests on.
    pub evidence: Option<Grade>,
    /// What is worth knowing of the verdict.
    pub signals: Vec<String>,
    /// The premises, in order.
    pub premises: Vec<Part>,
    /// The sentences of the premises where they cannot be told to belong to single formulas.
    pub sentences: Vec<String>,
    /// The conclusion, where there is one.
    pub conclusion: Option<Part>,
    /// 0-based premises that the contradiction needs; null where there is none.
    pub used_premises: Option<Vec<u32>>,
    /// Those it does not need.
    pub unneeded_premises: Option<Vec<u32>>,
    /// What shows the verdict.
    pub account: Account,
    /// Findings about the row, in the form of `lint --format json`.
    #[serde(serialize_with = "findings")]
    pub diagnostics: Vec<Finding>,
    /// Changes made to the row, in order.
    pub history: Vec<Change>,
    /// Repairs that were not made, though they would give the label.
    pub proposals: Vec<NotMade>,
    /// The label that logic proves instead of the row's.
    pub proposed_label: Option<Label>,
    /// What logic says of what is wrong, in sentences.
    pub critique: Vec<String>,
    /// What sentences take for granted and no formula states.
    pub presuppositions: Vec<TakenForGranted>,
    /// The symbols of the formulas.
    pub symbols: Vec<SymbolUse>,
}

fn findings<S: Serializer>(findings: &[Finding], serializer: S) -> Result<S::Ok, S::Error> {
    serialize_findings(findings, serializer)
}

/// Which record is explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct About {
    /// Unique within a run.
    pub record_id: String,
    /// The dataset's own id.
    pub example_id: Option<String>,
    /// The dataset's id of the story.
    pub story_id: Option<String>,
    /// The split.
    pub split: String,
    /// The file's name.
    pub file: String,
    /// The 0-based position in the file.
    pub row: u64,
    /// The 1-based line, for formats that have lines.
    pub line: Option<u64>,
    /// The label as the row leaves, where there is one that can be read.
    pub label: Option<Label>,
    /// The label's text as it came.
    pub label_text: Option<String>,
    /// The verdict against the label.
    pub agreement: Agreement,
    /// What became of the row.
    pub status: Status,
    /// The verdict on the row as it came.
    pub verdict_original: Verdict,
    /// What people decided about it; null where nobody did.
    pub decision: Option<Decision>,
}

/// What people decided about a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// A word of the column `decision`.
    pub word: &'static str,
    /// Who.
    pub by: Vec<String>,
    /// Their words, or why it does not count; empty where there is nothing to say.
    pub comment: String,
}

/// A premise or the conclusion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The sentence, where it is known to belong to the formula.
    pub sentence: Option<String>,
    /// The formula as it leaves; null where there is none.
    pub formula: Option<String>,
    /// The formula as it came, where it was changed.
    pub original: Option<String>,
    /// The codes of the rules that changed it.
    pub rules: Vec<String>,
    /// Whether the contradiction needs it; null where there is none.
    pub used: Option<bool>,
}

/// What shows a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Account {
    /// A contradiction in steps.
    Proof {
        /// The question: `consistency`, `entails` or `refutes`.
        question: &'static str,
        /// What is supposed of the conclusion, as a formula; null where the premises alone contradict each other.
        suppose: Option<String>,
        /// The steps.
        line: ToldLine,
    },
    /// A contradiction that can only be pointed to.
    Derivation {
        /// The question.
        question: &'static str,
        /// Why no steps are told.
        why: String,
        /// The prover's derivation in TSTP; null where it printed none.
        derivation: Option<String>,
    },
    /// Models.
    Worlds {
        /// Where the conclusion holds, then where it does not; or one of the premises alone.
        worlds: Vec<World>,
        /// What of the conclusion differs between the two.
        differences: Vec<Difference>,
        /// Individuals that show the conclusion to hold or not.
        shown_by: Vec<Showing>,
        /// Questions that were answered without a model.
        missing: Vec<&'static str>,
    },
    /// Nothing: there is no verdict by logic.
    Nothing,
}

/// One recorded change of one text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// `premise[3]`, `conclusion`.
    pub target: String,
    /// The rule's code.
    pub rule: String,
    /// Its name.
    pub name: Option<&'static str>,
    /// `normalise`, `fix` or `search`.
    pub kind: &'static str,
    /// The whole text before.
    pub before: String,
    /// The whole text after.
    pub after: String,
    /// Whole texts that were possible instead and mean something else.
    pub alternatives: Vec<String>,
    /// The record for whose sake it was made; null where it is this one.
    pub asked_by: Option<String>,
    /// Why, in words.
    pub why: String,
}

/// A repair that was not made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NotMade {
    /// `refused` or `ambiguous`.
    pub outcome: &'static str,
    /// The guard that refused it.
    pub reason: Option<String>,
    /// Its cost.
    pub cost: f64,
    /// Its edits.
    pub edits: Vec<Change>,
}

/// What a sentence takes for granted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TakenForGranted {
    /// `premise_sentence[3]`, `conclusion_sentence`.
    pub target: String,
    /// As a formula.
    pub formula: String,
    /// The words of the sentence.
    pub sentence: Option<String>,
}

/// A symbol of the formulas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SymbolUse {
    /// Its name.
    pub name: String,
    /// `predicate`, `function`, `constant` or `free`.
    pub kind: &'static str,
    /// How many arguments it takes.
    pub arity: u32,
    /// Where it is used.
    pub used_in: Vec<String>,
    /// Words of a sentence for it.
    pub gloss: Option<String>,
}

/// An explanation as indented JSON with a final newline.
#[must_use]
pub fn json(explanation: &Explanation) -> String {
    // Strings, numbers, lists and structs only: there is nothing that cannot be written.
    let mut out = serde_json::to_string_pretty(explanation).unwrap_or_default();
    out.push('\n');
    out
}

/// The SZS status of the premises with the conclusion as conjecture (Sutcliffe 2008) that a verdict comes to.
/// `consistent` is whether the premises without a conclusion were shown to have a model.
#[must_use]
pub const fn szs(verdict: Verdict, consistent: Option<bool>) -> &'static str {
    match (verdict, consistent) {
        (Verdict::True, _) => "Theorem",
        (Verdict::False, _) => "CounterTheorem",
        (Verdict::Uncertain, _) => "NoConsequence",
        (Verdict::Inconsistent, _) => "ContradictoryAxioms",
        (Verdict::Unparsed, _) => "SyntaxError",
        (Verdict::Unformalised, Some(true)) => "Satisfiable",
        (Verdict::Unformalised, Some(false)) => "Unsatisfiable",
        (Verdict::Undetermined | Verdict::Unformalised, _) => "Unknown",
    }
}
