//! The dataset's vocabulary: records, labels, verdicts, and the row that leaves the pipeline.

mod row;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::diagnostic::{Diagnostic, Target};

pub use self::row::{Decided, Edit, Presupposition, Proof, Proposal, Row, Symbol};

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
