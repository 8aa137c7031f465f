//! The row that leaves the pipeline, and what it is made of.

use super::{Agreement, Grade, Label, Record, Status, Verdict};
use crate::diagnostic::{Diagnostic, EditKind, Target};

/// What shows a contradiction: kept beside the splits, one for each row whose verdict rests on one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// Which question it answers: `consistency`, `entails` or `refutes`.
    pub question: &'static str,
    /// The SZS status.
    pub status: String,
    /// The problem in TPTP, as the prover read it.
    pub problem: String,
    /// The prover's derivation, in TSTP; `None` where it printed none.
    pub derivation: Option<String>,
    /// The ground certificate as JSON; `None` where there is none.
    pub certificate: Option<String>,
    /// What another prover said of the premises used: `confirmed`, or a kebab-case word; `None` where none was asked.
    pub second_opinion: Option<String>,
}

/// One recorded change of one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Which text.
    pub target: Target,
    /// The whole text before.
    pub before: String,
    /// The whole text after.
    pub after: String,
    /// The rule's code.
    pub rule: String,
    /// What sort of change.
    pub kind: EditKind,
    /// The round in which it was made, from 0.
    pub iteration: u32,
    /// Whole texts that were possible instead and mean something else.
    pub alternatives: Vec<String>,
    /// The `record_id` of the record of the story for whose sake a shared premise was changed; `None` where it is this
    /// one.
    pub asked_by: Option<String>,
    /// Why this is what the sentence says, in words for people; empty where the rule says it all.
    pub why: String,
}

/// A symbol of a story, as its formulas leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The author's name for it.
    pub name: String,
    /// `predicate`, `function`, `constant` or `free`.
    pub kind: &'static str,
    /// How many arguments it takes.
    pub arity: u32,
    /// The annotations that use it, each once, premises first.
    pub used_in: Vec<Target>,
    /// What it stands for: words of a sentence; `None` where no sentence has its words.
    pub gloss: Option<String>,
}

/// What a sentence takes for granted and no formula states. Never part of the premises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Presupposition {
    /// The sentence.
    pub target: Target,
    /// What it takes for granted, as a formula.
    pub formula: String,
    /// The words of the sentence that say so.
    pub sentence: Option<String>,
}

/// A set of edits that was put before the guards, and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The rung that made it: `search`, …
    pub rung: &'static str,
    /// Its edits; `kind` and `iteration` are those they would have.
    pub edits: Vec<Edit>,
    /// How far it is from the text as it came; proposals of smaller cost are looked at first. At least 0.
    pub cost: f64,
    /// `accepted`, `refused` or `ambiguous`.
    pub outcome: &'static str,
    /// The guard that refused it, or a word for the reason; `None` where it was accepted.
    pub reason: Option<String>,
}

/// What people decided about a row, or why that does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// `accept`, `relabel`, `ambiguous`, `reject`; `refused` where the row has changed since, and `disagreement` where
    /// reviewers said different things: then nothing is applied.
    pub word: &'static str,
    /// Who, in order of their names.
    pub by: Vec<String>,
    /// Their words; of one that is refused, why. Empty where there is nothing to say.
    pub comment: String,
    /// The label that was given.
    pub label: Option<Label>,
}

impl Decided {
    /// A sentence has several readings.
    pub const AMBIGUOUS: &'static str = "ambiguous";
    /// The row is of no use.
    pub const REJECT: &'static str = "reject";
    /// The row has changed since, so that nothing was applied.
    pub const REFUSED: &'static str = "refused";
    /// Reviewers said different things, so that nothing was applied.
    pub const DISAGREEMENT: &'static str = "disagreement";

    /// Every word, in the order of tables.
    pub const WORDS: [&'static str; 6] =
        ["accept", "relabel", Self::AMBIGUOUS, Self::REJECT, Self::REFUSED, Self::DISAGREEMENT];
}

/// A record as it leaves the pipeline: what came, what logic makes of it, and the history of every change.
#[derive(Debug, Clone)]
pub struct Row {
    /// What came.
    pub record: Record,
    /// The formulas of the premises as they leave.
    pub premises_fol: Vec<String>,
    /// The formula of the conclusion as it leaves.
    pub conclusion_fol: Option<String>,
    /// The label as it leaves: the record's, or the one that a person gave it.
    pub label: Option<Label>,
    /// What people decided about it; `None` where nobody did.
    pub decision: Option<Decided>,
    /// What became of the row.
    pub status: Status,
    /// The verdict on the row as it leaves.
    pub verdict: Verdict,
    /// Its agreement with the label.
    pub agreement: Agreement,
    /// The verdict on the row as it came, strictly read.
    pub verdict_original: Verdict,
    /// Its agreement with the label.
    pub agreement_original: Agreement,
    /// Why there is no better verdict, or why the row is problematic: a kebab-case word, then details after a colon.
    pub verdict_reason: Option<String>,
    /// SZS status of the premises alone; `None` where it was not asked.
    pub szs_consistency: Option<String>,
    /// SZS status of premises ⊢ conclusion; `None` where it was not asked.
    pub szs_entails: Option<String>,
    /// SZS status of premises ⊢ ¬conclusion; `None` where it was not asked.
    pub szs_refutes: Option<String>,
    /// 0-based premises that the proof behind the verdict uses; `None` where there is no proof.
    pub used_premises: Option<Vec<u32>>,
    /// JSON text of the finite models behind the verdict, by question; `None` where there is none.
    pub models: Option<String>,
    /// What the verdict rests on; `None` where logic gave none.
    pub evidence: Option<Grade>,
    /// What shows the contradiction that the verdict rests on; `None` where it rests on none.
    pub proof: Option<Box<Proof>>,
    /// What is worth knowing of the verdict, as kebab-case words.
    pub signals: Vec<String>,
    /// Every change, in the order made.
    pub edits: Vec<Edit>,
    /// What was found in the row as it came.
    pub diagnostics: Vec<Diagnostic>,
    /// Proposals that were put before the guards, accepted or not, in the order made.
    pub proposals: Vec<Proposal>,
    /// The label that logic proves where it contradicts the row's: for a person to accept.
    pub proposed_label: Option<Label>,
    /// What logic has to say of a row whose verdict is not its label, as JSON; see `docs/repair.md`.
    pub critique: Option<String>,
    /// What sentences take for granted and no formula states.
    pub presuppositions: Vec<Presupposition>,
    /// The symbols of the row's formulas.
    pub symbols: Vec<Symbol>,
    /// Rounds of repair that were run.
    pub iterations: u32,
    /// How much a person should look at this row, from 0 (not at all) to 1; `None` where nothing scored it.
    pub review_score: Option<f64>,
    /// Why a person should look at it: a kebab-case word, then details after a colon.
    pub review_reason: Option<String>,
    /// The language model that was asked about it; `None` where none was.
    pub llm_model: Option<String>,
    /// The prompts that it was asked with, `agent/version` each, parted by spaces; `None` where none was.
    pub prompt_version: Option<String>,
}

impl Row {
    /// Whether a person has put it aside: it stays problematic whatever logic says.
    #[must_use]
    pub fn is_set_aside(&self) -> bool {
        self.decision.as_ref().is_some_and(|d| d.word == Decided::AMBIGUOUS || d.word == Decided::REJECT)
    }

    /// The key of its proof, `split/record_id/question`; `None` where it has none.
    #[must_use]
    pub fn proof_ref(&self) -> Option<String> {
        let proof = self.proof.as_ref()?;
        Some(format!("{}/{}/{}", self.record.split, self.record.record_id, proof.question))
    }
}
