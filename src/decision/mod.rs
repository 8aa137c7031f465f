//! What people decided about rows, on record: one JSON object a line, appended and never rewritten.
//!
//! A review writes decisions ([`Ledger`]); the next run reads them, makes of several reviewers' what they agree on
//! ([`settle`]) and applies that as the last rung of the ladder ([`apply`]). A decision holds the key of the row as it came
//! and the texts that the reviewer saw, so that one about a row that has changed since is refused rather than misapplied.

mod agreement;
mod apply;
mod ledger;
mod settle;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::diagnostic::Target;
use crate::record::{Label, Record, hex};

pub use self::agreement::{Agreement, agreement};
pub use self::apply::{Applied, RULE, apply, told};
pub use self::ledger::{DecisionError, Ledger, merge, parse, read};
pub(crate) use self::settle::standing;
pub use self::settle::{Settled, Settlement, settle};

/// Version of the lines; rises with every change that a reader could notice.
pub const VERSION: u32 = 1;

/// What a person did with a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// The row is right as it leaves, with the edits of the decision if there are any.
    Accept,
    /// The label is wrong; the decision says which is right. There can be edits too.
    Relabel,
    /// A sentence can be read in more than one way: no formula is the right one.
    Ambiguous,
    /// The row is of no use.
    Reject,
    /// A remark, and nothing else.
    Comment,
    /// Left for later.
    Skip,
    /// Takes back an earlier decision of the same reviewer.
    Undo,
}

impl Action {
    /// Every action, in the order of tables.
    pub const ALL: [Self; 7] =
        [Self::Accept, Self::Relabel, Self::Ambiguous, Self::Reject, Self::Comment, Self::Skip, Self::Undo];

    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Relabel => "relabel",
            Self::Ambiguous => "ambiguous",
            Self::Reject => "reject",
            Self::Comment => "comment",
            Self::Skip => "skip",
            Self::Undo => "undo",
        }
    }

    /// Whether it says that formulas are right: then it holds for these formulas only.
    #[must_use]
    pub const fn rests_on_texts(self) -> bool {
        matches!(self, Self::Accept | Self::Relabel)
    }

    /// Whether it settles what becomes of a row.
    #[must_use]
    pub const fn settles(self) -> bool {
        matches!(self, Self::Accept | Self::Relabel | Self::Ambiguous | Self::Reject)
    }
}

/// One text, as the reviewer found it and as it should be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextChange {
    /// `premise[3]` or `conclusion`.
    #[serde(with = "target")]
    pub target: Target,
    /// The text that the run gave, before any decision; null where there was none.
    pub before: Option<String>,
    /// The whole text as it should be.
    pub after: String,
}

/// Another label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelChange {
    /// The label as it came; null where none could be read.
    pub before: Option<Label>,
    /// The label as it should be.
    pub after: Label,
}

/// One line of a file of decisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Version of the line, [`VERSION`].
    pub version: u32,
    /// Tells it from every other, whoever made it.
    pub id: String,
    /// When, in RFC 3339, UTC.
    pub at: String,
    /// Who.
    pub by: String,
    /// The row's `record_id`.
    pub record_id: String,
    /// The row's split.
    pub split: String,
    /// [`Record::content_key`] of the row as it came.
    pub record: String,
    /// [`leaving_key`] of the row's formulas as the run gave them, before any decision, and the label that came.
    pub found: String,
    /// [`leaving_key`] of the row's formulas as the reviewer let them stand, edits included, and the label that came.
    pub seen: String,
    /// What was done.
    pub action: Action,
    /// Texts that were changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<TextChange>,
    /// The label, where it was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<LabelChange>,
    /// Why, in the reviewer's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The decision that an `undo` takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<String>,
}

impl Decision {
    /// Gives it an id made of everything else it says. Two decisions that say the same at the same time are one.
    #[must_use]
    pub fn with_id(mut self) -> Self {
        self.id.clear();
        let text = serde_json::to_string(&self).unwrap_or_default();
        self.id = hex(&Sha256::digest(text.as_bytes())).chars().take(16).collect();
        self
    }

    /// When it was made; `None` where `at` is no time.
    #[must_use]
    pub fn time(&self) -> Option<chrono::DateTime<chrono::FixedOffset>> {
        chrono::DateTime::parse_from_rfc3339(&self.at).ok()
    }

    /// What it comes to, whoever made it and for whatever reason.
    #[must_use]
    pub fn substance(&self) -> Substance<'_> {
        let mut edits: Vec<(Target, &str)> = self.edits.iter().map(|e| (e.target, e.after.as_str())).collect();
        edits.sort_unstable();
        Substance { action: self.action, label: self.label.map(|l| l.after), edits }
    }

    /// Why it makes no sense, whatever row it is about; `None` where it does.
    #[must_use]
    pub fn flaw(&self) -> Option<String> {
        if self.version != VERSION {
            return Some(format!("it is of version {}, and this refolio knows {VERSION}", self.version));
        }
        if self.time().is_none() {
            return Some(format!("`at` is no time as RFC 3339 has it: {:?}", self.at));
        }
        if self.by.trim().is_empty() || self.id.is_empty() || self.record_id.is_empty() {
            return Some("by, id and record_id must not be empty".to_owned());
        }
        if (self.action == Action::Relabel) != self.label.is_some() {
            return Some("`label` belongs to the action `relabel`, and to no other".to_owned());
        }
        if (self.action == Action::Undo) != self.undoes.is_some() {
            return Some("`undoes` belongs to the action `undo`, and to no other".to_owned());
        }
        if !self.edits.is_empty() && !matches!(self.action, Action::Accept | Action::Relabel) {
            return Some(format!("the action `{}` changes no text", self.action.as_str()));
        }
        let mut targets: Vec<Target> = self.edits.iter().map(|e| e.target).collect();
        targets.sort_unstable();
        if targets.windows(2).any(|pair| pair.first() == pair.last()) {
            return Some("it changes a text twice".to_owned());
        }
        let wrong = |t: &&Target| !matches!(t, Target::Premise(_) | Target::Conclusion);
        targets.iter().find(wrong).map(|target| format!("`{target}` is no formula"))
    }
}

/// What a decision comes to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Substance<'a> {
    /// What was done.
    pub action: Action,
    /// The label it gives.
    pub label: Option<Label>,
    /// The texts it gives, in order of their targets.
    pub edits: Vec<(Target, &'a str)>,
}

/// Identifies a row as it leaves: its formulas and its label. 32 hexadecimal digits.
#[must_use]
pub fn leaving_key(premises_fol: &[String], conclusion_fol: Option<&str>, label: Option<Label>) -> String {
    let record = Record {
        premises_fol: premises_fol.to_vec(),
        conclusion_fol: conclusion_fol.map(str::to_owned),
        label_text: label.map(|l| l.as_str().to_owned()),
        ..Record::default()
    };
    record.content_key()
}

/// The time as decisions give it.
#[must_use]
pub fn now() -> String {
    chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}

/// A target as its name.
mod target {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use crate::diagnostic::Target;

    pub(super) fn serialize<S: Serializer>(target: &Target, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(target)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Target, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}
