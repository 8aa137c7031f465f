//! The sharpest word for why a row's verdict is not its label.

use serde::Serialize;

use crate::record::{Label, Verdict};

/// Why a row is problematic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Logic proves another answer than the label: the opposite, or one of the two where the label is `Uncertain`.
    LabelContradicted,
    /// The premises contradict each other.
    InconsistentPremises,
    /// An annotation has no reading.
    Unparsed,
    /// Nobody could say.
    Undetermined,
    /// The conclusion has no formula, or no premise has.
    Unformalised,
    /// The label claims a proof, and there is none.
    BrokenChain,
}

impl Reason {
    /// Every reason, in the order of tables.
    pub const ALL: [Self; 6] = [
        Self::BrokenChain,
        Self::LabelContradicted,
        Self::InconsistentPremises,
        Self::Unparsed,
        Self::Undetermined,
        Self::Unformalised,
    ];

    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::LabelContradicted => "label-contradicted",
            Self::InconsistentPremises => "inconsistent-premises",
            Self::Unparsed => "unparsed",
            Self::Undetermined => "undetermined",
            Self::Unformalised => "unformalised",
            Self::BrokenChain => "broken-chain",
        }
    }
}

/// Why this verdict is not this label; `None` where it is, or where there is no label to compare it with.
#[must_use]
pub const fn reason(verdict: Verdict, label: Option<Label>) -> Option<Reason> {
    Some(match (verdict, label) {
        (Verdict::Unformalised, _) => Reason::Unformalised,
        (Verdict::Unparsed, _) => Reason::Unparsed,
        (Verdict::Inconsistent, _) => Reason::InconsistentPremises,
        (Verdict::Undetermined, _) => Reason::Undetermined,
        (Verdict::True, Some(Label::False | Label::Uncertain))
        | (Verdict::False, Some(Label::True | Label::Uncertain)) => Reason::LabelContradicted,
        (Verdict::Uncertain, Some(Label::True | Label::False)) => Reason::BrokenChain,
        (Verdict::True, Some(Label::True))
        | (Verdict::False, Some(Label::False))
        | (Verdict::Uncertain, Some(Label::Uncertain))
        | (Verdict::True | Verdict::False | Verdict::Uncertain, None) => return None,
    })
}

/// The label that logic proves where it contradicts the row's: for a person to accept.
#[must_use]
pub fn proposed_label(verdict: Verdict, label: Option<Label>) -> Option<Label> {
    match (reason(verdict, label), verdict) {
        (Some(Reason::LabelContradicted), Verdict::True) => Some(Label::True),
        (Some(Reason::LabelContradicted), Verdict::False) => Some(Label::False),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Agreement;

    #[test]
    fn there_is_a_reason_exactly_where_the_verdict_is_not_the_label() {
        for verdict in Verdict::ALL {
            for label in [None, Some(Label::True), Some(Label::False), Some(Label::Uncertain)] {
                let fine = matches!(verdict.agreement(label), Agreement::Agree | Agreement::Unlabelled);
                assert_eq!(reason(verdict, label).is_none(), fine, "{verdict} {label:?}");
                let proposed = proposed_label(verdict, label);
                assert_eq!(proposed.is_some(), reason(verdict, label) == Some(Reason::LabelContradicted));
                assert!(proposed.is_none_or(|p| verdict.agreement(Some(p)) == Agreement::Agree));
            }
        }
    }
}
