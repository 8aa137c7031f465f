//! The datasets known by name: which column holds which field.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A way of laying out a dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// FOLIO v0.0: `premises` and `premises-FOL` are lists; train has no `conclusion-FOL` and the label `Unknown`,
    /// validation has no ids.
    FolioV0,
    /// FOLIO v2: `premises` and `premises-FOL` are single texts with a line for each.
    FolioV2,
    /// The five columns of folio-refined, or its three of sentences and labels alone. No ids.
    FolioRefined,
    /// MALLS: pairs `NL` and `FOL`, read as conclusions over no premises and without labels.
    Malls,
    /// ProverQA: `nl2fol` maps sentences to formulas, `answer` is a letter of `options`, and the conclusion's sentence
    /// is what follows the fixed opening of `question`.
    #[serde(rename = "proverqa")]
    ProverQa,
    /// Only what the column map names.
    Custom,
}

impl Dialect {
    /// Every dialect, in the order of tables.
    pub const ALL: [Self; 6] =
        [Self::FolioV0, Self::FolioV2, Self::FolioRefined, Self::Malls, Self::ProverQa, Self::Custom];

    /// The word used in every output and in the configuration.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FolioV0 => "folio-v0",
            Self::FolioV2 => "folio-v2",
            Self::FolioRefined => "folio-refined",
            Self::Malls => "malls",
            Self::ProverQa => "proverqa",
            Self::Custom => "custom",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that names no dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect {0:?}; known are {known}", known = Dialect::ALL.map(Dialect::as_str).join(", "))]
pub struct UnknownDialect(pub String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(text: &str) -> Result<Self, UnknownDialect> {
        Self::ALL.into_iter().find(|dialect| dialect.as_str() == text).ok_or_else(|| UnknownDialect(text.to_owned()))
    }
}

/// A field of a record that a column can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// Sentences of the premises.
    Premises,
    /// Formulas of the premises.
    PremisesFol,
    /// Sentence of the conclusion.
    Conclusion,
    /// Formula of the conclusion.
    ConclusionFol,
    /// Label.
    Label,
    /// Id of the story.
    StoryId,
    /// Id of the row.
    ExampleId,
}

impl Field {
    /// Every field.
    pub const ALL: [Self; 7] = [
        Self::Premises,
        Self::PremisesFol,
        Self::Conclusion,
        Self::ConclusionFol,
        Self::Label,
        Self::StoryId,
        Self::ExampleId,
    ];

    /// The key in the column map.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Premises => "premises",
            Self::PremisesFol => "premises_fol",
            Self::Conclusion => "conclusion",
            Self::ConclusionFol => "conclusion_fol",
            Self::Label => "label",
            Self::StoryId => "story_id",
            Self::ExampleId => "example_id",
        }
    }
}

/// Which column holds which field; `None` where the dialect decides or nothing does.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ColumnMap {
    /// Sentences of the premises. The same column as `premises_fol` if it holds objects from sentences to formulas.
    pub premises: Option<String>,
    /// Formulas of the premises.
    pub premises_fol: Option<String>,
    /// Sentence of the conclusion.
    pub conclusion: Option<String>,
    /// Formula of the conclusion.
    pub conclusion_fol: Option<String>,
    /// Label.
    pub label: Option<String>,
    /// Id of the story.
    pub story_id: Option<String>,
    /// Id of the row.
    pub example_id: Option<String>,
}

impl ColumnMap {
    /// The column of a field.
    #[must_use]
    pub fn get(&self, field: Field) -> Option<&str> {
        match field {
            Field::Premises => self.premises.as_deref(),
            Field::PremisesFol => self.premises_fol.as_deref(),
            Field::Conclusion => self.conclusion.as_deref(),
            Field::ConclusionFol => self.conclusion_fol.as_deref(),
            Field::Label => self.label.as_deref(),
            Field::StoryId => self.story_id.as_deref(),
            Field::ExampleId => self.example_id.as_deref(),
        }
    }

    /// Sets the column of a field.
    pub fn set(&mut self, field: Field, column: Option<String>) {
        *match field {
            Field::Premises => &mut self.premises,
            Field::PremisesFol => &mut self.premises_fol,
            Field::Conclusion => &mut self.conclusion,
            Field::ConclusionFol => &mut self.conclusion_fol,
            Field::Label => &mut self.label,
            Field::StoryId => &mut self.story_id,
            Field::ExampleId => &mut self.example_id,
        } = column;
    }

    /// Whether no column is named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        Field::ALL.into_iter().all(|field| self.get(field).is_none())
    }
}

/// A column of a dialect: the names it goes by, and whether a file must have it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// The field it holds.
    pub(super) field: Field,
    /// The names, the usual one first.
    pub(super) names: &'static [&'static str],
    /// Whether a file of this dialect must have it.
    pub(super) required: bool,
}

const fn required(field: Field, names: &'static [&'static str]) -> Column {
    Column { field, names, required: true }
}

const fn optional(field: Field, names: &'static [&'static str]) -> Column {
    Column { field, names, required: false }
}

// The underscored spelling is that of refolio's own output.
const FOLIO: [Column; 7] = [
    required(Field::Premises, &["premises"]),
    required(Field::PremisesFol, &["premises-FOL", "premises_fol"]),
    required(Field::Conclusion, &["conclusion"]),
    required(Field::ConclusionFol, &["conclusion-FOL", "conclusion_fol"]),
    optional(Field::Label, &["label"]),
    optional(Field::StoryId, &["story_id"]),
    optional(Field::ExampleId, &["example_id"]),
];

const FOLIO_V0: [Column; 7] = {
    let mut columns = FOLIO;
    columns[3].required = false;
    columns
};

const REFINED: [Column; 5] = [
    required(Field::Premises, &["nl premises"]),
    required(Field::PremisesFol, &["fol premises"]),
    required(Field::Conclusion, &["nl conclusion"]),
    required(Field::ConclusionFol, &["fol conclusion"]),
    optional(Field::Label, &["label"]),
];

const REFINED_SENTENCES: [Column; 3] = [
    required(Field::Premises, &["premises"]),
    required(Field::Conclusion, &["conclusion"]),
    required(Field::Label, &["label"]),
];

const MALLS: [Column; 2] = [required(Field::Conclusion, &["NL"]), required(Field::ConclusionFol, &["FOL"])];

const PROVER_QA: [Column; 6] = [
    required(Field::Premises, &["nl2fol"]),
    required(Field::PremisesFol, &["nl2fol"]),
    required(Field::Conclusion, &["question"]),
    required(Field::ConclusionFol, &["conclusion_fol"]),
    optional(Field::Label, &["answer"]),
    optional(Field::ExampleId, &["id"]),
];

/// The columns of a dialect in a file that has the columns `found`.
pub(super) fn columns_of(dialect: Dialect, found: &[String]) -> &'static [Column] {
    match dialect {
        Dialect::FolioV0 => &FOLIO_V0,
        Dialect::FolioV2 => &FOLIO,
        Dialect::FolioRefined if has_only_sentences(found) => &REFINED_SENTENCES,
        Dialect::FolioRefined => &REFINED,
        Dialect::Malls => &MALLS,
        Dialect::ProverQa => &PROVER_QA,
        Dialect::Custom => &[],
    }
}

fn has(found: &[String], name: &str) -> bool {
    found.iter().any(|column| column == name)
}

/// Whether these are the columns of folio-refined without formulas: with any column of formulas they are not.
fn has_only_sentences(found: &[String]) -> bool {
    REFINED_SENTENCES.iter().all(|column| column.names.iter().any(|name| has(found, name)))
        && !found.iter().any(|column| column.to_lowercase().contains("fol"))
}

/// The dialect that has these columns. `lists` says whether the premises are lists.
pub(super) fn recognise(found: &[String], lists: bool) -> Option<Dialect> {
    let has_any = |names: &[&str]| names.iter().any(|name| has(found, name));
    if has_any(&["nl2fol"]) {
        Some(Dialect::ProverQa)
    } else if has_any(&["nl premises", "nl conclusion"]) {
        Some(Dialect::FolioRefined)
    } else if has_any(&["premises"]) && has_any(&["premises-FOL", "premises_fol", "conclusion-FOL", "conclusion_fol"]) {
        Some(if lists { Dialect::FolioV0 } else { Dialect::FolioV2 })
    } else if has(found, "NL") && has(found, "FOL") {
        Some(Dialect::Malls)
    } else if has_only_sentences(found) {
        Some(Dialect::FolioRefined)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognised(columns: &[&str], lists: bool) -> Option<Dialect> {
        recognise(&columns.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>(), lists)
    }

    #[test]
    fn columns_tell_the_dialect() {
        let folio = ["story_id", "premises", "premises-FOL", "conclusion", "conclusion-FOL", "label", "example_id"];
        assert_eq!(recognised(&folio, false), Some(Dialect::FolioV2));
        assert_eq!(recognised(&folio, true), Some(Dialect::FolioV0));
        assert_eq!(recognised(&["premises", "premises-FOL", "conclusion", "label"], true), Some(Dialect::FolioV0));
        assert_eq!(
            recognised(&["nl premises", "fol premises", "nl conclusion", "fol conclusion", "label"], false),
            Some(Dialect::FolioRefined)
        );
        assert_eq!(recognised(&["premises", "conclusion", "label"], false), Some(Dialect::FolioRefined));
        assert_eq!(
            recognised(&["premises", "conclusion", "label", "gold FOL"], false),
            None,
            "formulas under a new name"
        );
        assert_eq!(recognised(&["NL", "FOL"], false), Some(Dialect::Malls));
        assert_eq!(
            recognised(&["id", "question", "answer", "nl2fol", "conclusion_fol"], false),
            Some(Dialect::ProverQa)
        );
        assert_eq!(recognised(&["text", "label"], false), None);
    }

    #[test]
    fn names_are_those_of_the_configuration() {
        for dialect in Dialect::ALL {
            assert_eq!(dialect.as_str().parse(), Ok(dialect));
            assert_eq!(serde_json::to_value(dialect).unwrap(), dialect.as_str());
        }
        assert_eq!(
            "folio".parse::<Dialect>().unwrap_err().to_string(),
            "unknown dialect \"folio\"; known are folio-v0, folio-v2, folio-refined, malls, proverqa, custom"
        );
    }
}
