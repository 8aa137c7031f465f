//! Premises that contradict each other.

use std::collections::{BTreeSet, VecDeque};

use serde::Serialize;

use super::questions::Questions;
use super::story::Story;
use crate::fol::Formula;
use crate::record::Verdict;

/// Why premises contradict each other. Indices of premises are 0-based.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Inconsistency {
    /// Sets of premises that contradict each other and of which none can be left out; smallest first.
    pub cores: Vec<Vec<usize>>,
    /// Premises of which each, when dropped, leaves the others consistent.
    pub removals: Vec<Removal>,
}

/// What becomes of a record without one of its premises.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Removal {
    /// The premise that is dropped.
    pub premise: usize,
    /// The verdict then; null where a bound was reached before it was known.
    pub verdict: Option<Verdict>,
    /// Whether that is the label.
    pub gives_label: bool,
}

/// All minimal sets of contradictory premises, as far as the bounds reach: by hitting sets (Reiter 1987). A set of premises
/// that hits every core found so far is left out, and what is left is asked for another core.
pub(super) fn inconsistency(
    story: &Story<'_>,
    max_cores: usize,
    questions: &mut Questions<'_>,
    is_label: impl Fn(Verdict) -> bool,
) -> Inconsistency {
    let premises = story.premises();
    let mut cores: BTreeSet<Vec<usize>> = BTreeSet::new();
    let mut removable: BTreeSet<usize> = BTreeSet::new();
    let mut seen: BTreeSet<BTreeSet<usize>> = BTreeSet::new();
    let mut open: VecDeque<BTreeSet<usize>> = VecDeque::from([BTreeSet::new()]);
    while let Some(out) = open.pop_front() {
        if !seen.insert(out.clone()) {
            continue;
        }
        let known = cores.iter().find(|core| core.iter().all(|i| !out.contains(i))).cloned();
        let core = match known {
            Some(core) => Some(Some(core)),
            None if cores.len() >= max_cores => {
                questions.cut();
                break;
            }
            None => core(&premises, &out, questions),
        };
        let core = match core {
            Some(Some(core)) => core,
            Some(None) => {
                if let (1, Some(only)) = (out.len(), out.first()) {
                    removable.insert(*only);
                }
                continue;
            }
            None => continue,
        };
        open.extend(core.iter().map(|i| {
            let mut more = out.clone();
            more.insert(*i);
            more
        }));
        cores.insert(core);
    }
    let mut cores: Vec<Vec<usize>> = cores.into_iter().collect();
    cores.sort_by_key(Vec::len);
    let removals = removable.into_iter().map(|premise| {
        let rest: Vec<&Formula> = premises.iter().enumerate().filter(|(i, _)| *i != premise).map(|(_, f)| *f).collect();
        let verdict = story.conclusion().and_then(|c| questions.verdict(&rest, c));
        Removal { premise, verdict, gives_label: verdict.is_some_and(&is_label) }
    });
    let removals = removals.collect();
    Inconsistency { cores, removals }
}

/// What the premises outside `out` come to.
fn core(premises: &[&Formula], out: &BTreeSet<usize>, questions: &mut Questions<'_>) -> Option<Option<Vec<usize>>> {
    let inside: Vec<usize> = (0..premises.len()).filter(|i| !out.contains(i)).collect();
    let formulas: Vec<&Formula> = inside.iter().filter_map(|i| premises.get(*i)).copied().collect();
    let core = questions.core(&formulas)?;
    Some(core.map(|core| core.into_iter().filter_map(|k| inside.get(k)).copied().collect()))
}
