//! The dataset's vocabulary: records, labels, verdicts, and the row that leaves the pipeline.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::diagnostic::{Diagnostic, EditKind, Target};

/// What the dataset says of a conclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Label {
    /// The premises entail the conclusion.
    True,
    /// The premises entail its negation.
    False,
    /// Neither.
    Uncertain,
}

impl Label {
    /// Every label, in the order of tables.
    pub const ALL: [Self; 3] = [Self::True, Self::False, Self::Uncertain];

    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Uncertain => "Uncertain",
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A label that is none of the three words (`Unknown` is an alias of `Uncertain`).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown label {0:?}; expected True, False, Uncertain or Unknown")]
pub struct UnknownLabel(pub String);

impl FromStr for Label {
    type Err = UnknownLabel;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "True" | "true" | "TRUE" => Ok(Self::True),
            "False" | "false" | "FALSE" => Ok(Self::False),
            "Uncertain" | "uncertain" | "UNCERTAIN" | "Unknown" | "unknown" | "UNKNOWN" => Ok(Self::Uncertain),
            _ => Err(UnknownLabel(text.to_owned())),
        }
    }
}

/// Where a record came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Source {
    /// The file's name, without its folder.
    pub file: String,
    /// The record's 0-based position in the file.
    pub row: u64,
    /// The 1-based line on which it starts, for formats that have lines.
    pub line: Option<u64>,
    /// SHA-256 of the whole file as it lies on disk, in lower-case hexadecimal.
    pub sha256: String,
}

/// One row of a dataset as it came. Nothing here is ever changed by the pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// Unique within a run: the example id where the dataset has one, else made from the content.
    pub record_id: String,
    /// The split's name: `train`, `validation`, …
    pub split: String,
    /// The dataset's own id of the story, as it came.
    pub story_id: Option<String>,
    /// The dataset's own id of the row, as it came.
    pub example_id: Option<String>,
    /// Where it came from.
    pub source: Source,
    /// The sentences of the premises.
    pub premises: Vec<String>,
    /// Their formulas; the count can differ from that of the sentences, which is a diagnostic.
    pub premises_fol: Vec<String>,
    /// The sentence of the conclusion.
    pub conclusion: String,
    /// Its formula, where the dataset has one.
    pub conclusion_fol: Option<String>,
    /// The label, where there is one that can be read.
    pub label: Option<Label>,
    /// The label's text as it came.
    pub label_text: Option<String>,
    /// What ingest found: unequal counts, unknown labels, duplicate ids, unreadable rows.
    pub diagnostics: Vec<Diagnostic>,
    /// The bytes of a row that could not be read as a record; every content field is then empty.
    pub raw: Option<Vec<u8>>,
}

impl Record {
    /// Whether the row could be read as a record at all.
    #[must_use]
    pub const fn is_readable(&self) -> bool {
        self.raw.is_none()
    }

    /// The text that a target names, if the record has it.
    #[must_use]
    pub fn text(&self, target: Target) -> Option<&str> {
        match target {
            Target::Premise(i) => self.premises_fol.get(i).map(String::as_str),
            Target::Conclusion => self.conclusion_fol.as_deref(),
            Target::PremiseSentence(i) => self.premises.get(i).map(String::as_str),
            Target::ConclusionSentence => Some(&self.conclusion),
            Target::Row => None,
        }
    }

    /// Identifies the content (everything but ids, split and source). 32 hexadecimal digits.
    #[must_use]
    pub fn content_key(&self) -> String {
        hex(&self.content_keys().0)
    }

    /// What [`Record::content_key`] writes, and the same for the content with the label left out.
    pub(crate) fn content_keys(&self) -> ([u8; 16], [u8; 16]) {
        let mut hash = ContentHash::new("record");
        hash.list(&self.premises).list(&self.premises_fol).text(&self.conclusion).list(self.conclusion_fol.as_slice());
        let finish = |mut hash: ContentHash, label: Option<&String>| {
            hash.list(label.map_or(&[], std::slice::from_ref));
            if let Some(raw) = &self.raw {
                hash.bytes(raw);
            }
            hash.finish()
        };
        let question = finish(hash.clone(), None);
        match &self.label_text {
            None => (question, question),
            text => (finish(hash, text.as_ref()), question),
        }
    }

    /// Identifies the story: the texts of the premises, whatever their place; of a row that cannot be read, its bytes.
    pub(crate) fn story_key(&self) -> [u8; 16] {
        let mut hash = ContentHash::new("story");
        hash.list(&self.premises).list(&self.premises_fol);
        if let Some(raw) = &self.raw {
            hash.bytes(raw);
        }
        hash.finish()
    }

    /// The same together with the dataset's own id of the story.
    pub(crate) fn named_story_key(&self) -> [u8; 16] {
        let mut hash = ContentHash::new("named story");
        hash.bytes(&self.story_key()).list(self.story_id.as_slice());
        hash.finish()
    }

    /// Bytes of all its texts.
    pub(crate) fn text_bytes(&self) -> usize {
        let options = [&self.story_id, &self.example_id, &self.conclusion_fol, &self.label_text];
        self.premises.iter().chain(&self.premises_fol).map(String::len).sum::<usize>()
            + self.conclusion.len()
            + options.into_iter().flatten().map(String::len).sum::<usize>()
            + self.raw.as_ref().map_or(0, Vec::len)
    }

    /// Whether both have the same premises, sentences and formulas.
    pub(crate) fn same_story(&self, other: &Self) -> bool {
        self.premises == other.premises && self.premises_fol == other.premises_fol
    }
}

/// SHA-256 over fields that are written with their lengths, so that no two lists of fields collide by concatenation.
#[derive(Clone)]
struct ContentHash(Sha256);

impl ContentHash {
    fn new(domain: &str) -> Self {
        let mut hash = Self(Sha256::new());
        hash.text(domain);
        hash
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.bytes(text.as_bytes())
    }

    fn list(&mut self, texts: &[String]) -> &mut Self {
        self.0.update((texts.len() as u64).to_le_bytes());
        for text in texts {
            self.text(text);
        }
        self
    }

    fn finish(self) -> [u8; 16] {
        let mut key = [0; 16];
        key.iter_mut().zip(self.0.finalize()).for_each(|(to, from)| *to = from);
        key
    }
}

/// SHA-256 of bytes in lower-case hexadecimal.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Lower-case hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    use fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, b| {
        let _ = write!(out, "{b:02x}");
        out
    })
}

/// What logic makes of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "PascalCase")]
pub enum Verdict {
    /// The conclusion has no formula, or none of the premises has.
    Unformalised,
    /// An annotation of the record has no reading.
    Unparsed,
    /// The premises contradict each other.
    Inconsistent,
    /// The prover gave no answer; the reason stands beside it.
    Undetermined,
    /// Proved: the premises entail the conclusion.
    True,
    /// Proved: the premises entail its negation.
    False,
    /// Shown: neither the conclusion nor its negation is entailed.
    Uncertain,
}

impl Verdict {
    /// Every verdict, in the order of tables.
    pub const ALL: [Self; 7] = [
        Self::True,
        Self::False,
        Self::Uncertain,
        Self::Inconsistent,
        Self::Unparsed,
        Self::Unformalised,
        Self::Undetermined,
    ];

    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unformalised => "Unformalised",
            Self::Unparsed => "Unparsed",
            Self::Inconsistent => "Inconsistent",
            Self::Undetermined => "Undetermined",
            Self::True => "True",
            Self::False => "False",
            Self::Uncertain => "Uncertain",
        }
    }

    /// How this verdict stands to a label.
    #[must_use]
    pub fn agreement(self, label: Option<Label>) -> Agreement {
        let says = match self {
            Self::Unformalised => return Agreement::Unformalised,
            Self::Unparsed => return Agreement::Unparsed,
            Self::Inconsistent => return Agreement::Inconsistent,
            Self::Undetermined => return Agreement::Undetermined,
            Self::True => Label::True,
            Self::False => Label::False,
            Self::Uncertain => Label::Uncertain,
        };
        match label {
            None => Agreement::Unlabelled,
            Some(label) if label == says => Agreement::Agree,
            Some(_) => Agreement::Conflict,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Verdict against label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Agreement {
    /// The verdict is the label.
    Agree,
    /// The verdict is another label.
    Conflict,
    /// The premises contradict each other: no label can be derived.
    Inconsistent,
    /// No answer.
    Undetermined,
    /// No reading.
    Unparsed,
    /// No formula of the conclusion.
    Unformalised,
    /// A verdict, but no label to compare it with.
    Unlabelled,
}

impl Agreement {
    /// Every agreement, in the order of tables.
    pub const ALL: [Self; 7] = [
        Self::Agree,
        Self::Conflict,
        Self::Inconsistent,
        Self::Unparsed,
        Self::Undetermined,
        Self::Unformalised,
        Self::Unlabelled,
    ];

    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Conflict => "conflict",
            Self::Inconsistent => "inconsistent",
            Self::Undetermined => "undetermined",
            Self::Unparsed => "unparsed",
            Self::Unformalised => "unformalised",
            Self::Unlabelled => "unlabelled",
        }
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Agreed as it came, even if respelt since.
    Verified,
    /// Agrees since recorded edits.
    Repaired,
    /// Agrees since a person changed its label, on record.
    Relabelled,
    /// Goes to review, with a reason.
    Problematic,
    /// Has no label, or no formula of its conclusion or of any premise: nothing to judge.
    Unjudged,
}

impl Status {
    /// Every status, in the order of tables.
    pub const ALL: [Self; 5] = [Self::Verified, Self::Repaired, Self::Relabelled, Self::Problematic, Self::Unjudged];

    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Repaired => "repaired",
            Self::Relabelled => "relabelled",
            Self::Problematic => "problematic",
            Self::Unjudged => "unjudged",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// A contradiction between instances of the statements, which a checker of its own confirmed.
    Certificate,
    /// Finite models in which every statement was evaluated as it was read.
    Models,
    /// The prover's derivation; another prover confirmed that the premises it uses suffice.
    ConfirmedProof,
    /// The prover's derivation alone; the formulas it starts from were compared with those asked about.
    Proof,
    /// The prover's word alone that there is no proof: it found nothing more to derive.
    Saturation,
}

impl Grade {
    /// Every grade, in the order of tables.
    pub const ALL: [Self; 5] = [Self::Certificate, Self::Models, Self::ConfirmedProof, Self::Proof, Self::Saturation];

    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Certificate => "certificate",
            Self::Models => "models",
            Self::ConfirmedProof => "confirmed-proof",
            Self::Proof => "proof",
            Self::Saturation => "saturation",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

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
