//! What sort of change a row underwent.

use serde::Serialize;

use super::compare::{Audited, Relation};

/// What sort of change. A row can have several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Only the old version has the row.
    Dropped,
    /// Only the new version has the row.
    Added,
    /// Its label is another.
    Label,
    /// It stands in another split.
    Split,
    /// The sentence of its conclusion is another.
    Conclusion,
    /// Sentences of its premises are others, were added or dropped.
    Premises,
    /// Its premises stand in another order.
    Order,
    /// Formulas are other texts.
    Formulas,
    /// A formula says something else, or nobody knows whether it does.
    Meaning,
}

impl Kind {
    /// Every kind, in the order of tables.
    pub const ALL: [Self; 9] = [
        Self::Dropped,
        Self::Added,
        Self::Label,
        Self::Split,
        Self::Conclusion,
        Self::Premises,
        Self::Order,
        Self::Formulas,
        Self::Meaning,
    ];

    /// The word used in the table and in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Added => "added",
            Self::Label => "label",
            Self::Split => "split",
            Self::Conclusion => "conclusion",
            Self::Premises => "premises",
            Self::Order => "order",
            Self::Formulas => "formulas",
            Self::Meaning => "meaning",
        }
    }

    /// What it is, for people.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Added => "added",
            Self::Label => "another label",
            Self::Split => "moved to another split",
            Self::Conclusion => "another conclusion sentence",
            Self::Premises => "other premise sentences",
            Self::Order => "premises in another order",
            Self::Formulas => "other formulas",
            Self::Meaning => "formulas that say something else",
        }
    }

    /// The kinds of change of a row, in the order of [`Kind::ALL`]; none where nothing changed.
    #[must_use]
    pub fn of(row: &Audited) -> Vec<Self> {
        let has = |kind: &Self| match kind {
            Self::Dropped => row.aligned.new.is_none(),
            Self::Added => row.aligned.old.is_none(),
            Self::Label => row.label_changed(),
            Self::Split => row.moved,
            Self::Conclusion => row.conclusion_sentence,
            Self::Premises => row.premise_sentences > 0,
            Self::Order => row.reordered,
            Self::Formulas => !row.formulas.is_empty(),
            Self::Meaning => row.formulas.iter().any(|f| f.relation != Relation::Equivalent),
        };
        Self::ALL.into_iter().filter(has).collect()
    }
}
