//! What several decisions about one row come to.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{Action, Decision};

/// What the reviewers of one row have settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settlement {
    /// All who decided said the same.
    Agreed {
        /// The latest of their decisions.
        decision: Box<Decision>,
        /// Who, in order of their names.
        by: Vec<String>,
    },
    /// They did not: nothing is applied.
    Disagreed(Vec<Decision>),
}

impl Settlement {
    /// Who decided, in order of their names.
    #[must_use]
    pub fn by(&self) -> Vec<String> {
        match self {
            Self::Agreed { by, .. } => by.clone(),
            Self::Disagreed(decisions) => {
                decisions.iter().map(|d| d.by.clone()).collect::<BTreeSet<_>>().into_iter().collect()
            }
        }
    }
}

/// What was settled, by `record_id`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settled {
    /// By `record_id`.
    pub records: BTreeMap<String, Settlement>,
}

impl Settled {
    /// Rows on which reviewers disagree.
    pub fn disagreements(&self) -> impl Iterator<Item = (&str, &[Decision])> {
        self.records.iter().filter_map(|(id, settlement)| match settlement {
            Settlement::Disagreed(decisions) => Some((id.as_str(), decisions.as_slice())),
            Settlement::Agreed { .. } => None,
        })
    }
}

/// The decisions that stand: for each reviewer and record the last one that settles it and was not taken back, by
/// `record_id`, and there in order of the reviewers' names.
#[must_use]
pub(crate) fn standing(decisions: &[Decision]) -> BTreeMap<&str, BTreeMap<&str, &Decision>> {
    // A reviewer can take back what is theirs only.
    let undone: HashSet<(&str, &str)> =
        decisions.iter().filter_map(|d| Some((d.by.as_str(), d.undoes.as_deref()?))).collect();
    let mut out: BTreeMap<&str, BTreeMap<&str, &Decision>> = BTreeMap::new();
    // By time: files that were merged bring what is older after what is newer.
    let mut in_order: Vec<&Decision> = decisions.iter().filter(|d| d.action.settles()).collect();
    in_order.sort_by_key(|d| d.time());
    for decision in in_order {
        if !undone.contains(&(decision.by.as_str(), decision.id.as_str())) {
            out.entry(&decision.record_id).or_default().insert(&decision.by, decision);
        }
    }
    out
}

/// What decisions come to. The last word of each reviewer counts; where two say different things, nobody's does.
#[must_use]
pub fn settle(decisions: &[Decision]) -> Settled {
    let records = standing(decisions).into_iter().filter_map(|(id, mut by_reviewer)| {
        // What was said of the row when it was another one takes nothing from what is said of it as it is.
        let newest = by_reviewer.values().max_by_key(|d| d.time())?.record.clone();
        by_reviewer.retain(|_, d| d.record == newest);
        let latest = *by_reviewer.values().max_by_key(|d| d.time())?;
        let same = |other: &&Decision| -> bool {
            let same_texts = !latest.action.rests_on_texts() || other.seen == latest.seen;
            other.record == latest.record && same_texts && other.substance() == latest.substance()
        };
        let settlement = if by_reviewer.values().all(same) {
            let by = by_reviewer.keys().map(|by| (*by).to_owned()).collect();
            Settlement::Agreed { decision: Box::new(latest.clone()), by }
        } else {
            Settlement::Disagreed(by_reviewer.values().map(|d| (*d).clone()).collect())
        };
        Some((id.to_owned(), settlement))
    });
    Settled { records: records.collect() }
}

/// The category of a decision: what reviewers are compared by.
pub(super) fn category(decision: &Decision) -> String {
    match (decision.action, decision.label) {
        (Action::Relabel, Some(label)) => format!("relabel {}", label.after),
        (Action::Accept, _) if !decision.edits.is_empty() => "edit".to_owned(),
        (action, _) => action.as_str().to_owned(),
    }
}
