//! Decisions as the last rung of the ladder.

use std::collections::{BTreeMap, BTreeSet};

use super::settle::{Settled, Settlement};
use super::{Decision, TextChange, leaving_key};
use crate::diagnostic::{EditKind, Target};
use crate::record::{Decided, Edit, Record};
use crate::refine::Fixed;

/// The rule that the edits of decisions carry.
pub const RULE: &str = "decision";

/// What decisions made of one record of a story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// Its texts, with every edit.
    pub fixed: Fixed,
    /// What was decided about it; `None` where nobody did.
    pub decided: Option<Decided>,
}

/// Applies what was settled to the records of one story as the rungs below have left them.
///
/// A decision about a record that does not come as it came then, or one of whose texts the rungs below have made something
/// else since, is refused, and so are two decisions that give a shared premise different texts. A premise is changed in all
/// records of the story.
#[must_use]
pub fn apply(settled: &Settled, story: &[(&Record, &Fixed)]) -> Vec<Applied> {
    let mut refused: BTreeMap<usize, String> = BTreeMap::new();
    let agreed: BTreeMap<usize, (&Decision, &[String])> = story
        .iter()
        .enumerate()
        .filter_map(|(i, (record, _))| match settled.records.get(&record.record_id)? {
            Settlement::Agreed { decision, by } => Some((i, (&**decision, by.as_slice()))),
            Settlement::Disagreed(_) => None,
        })
        .collect();
    for (i, (decision, _)) in &agreed {
        if let Some(why) = story.get(*i).and_then(|(record, fixed)| changed_since(decision, record, fixed)) {
            refused.insert(*i, why);
        }
    }
    for i in contradicting(&agreed, &refused) {
        refused.insert(i, "another decision about the story gives a premise another text".to_owned());
    }

    let mut out: Vec<Applied> =
        story.iter().map(|(_, fixed)| Applied { fixed: (*fixed).clone(), decided: None }).collect();
    for (i, (decision, _)) in agreed.iter().filter(|(i, _)| !refused.contains_key(i)) {
        for edit in &decision.edits {
            for (j, applied) in out.iter_mut().enumerate() {
                if j == *i || matches!(edit.target, Target::Premise(_)) {
                    change(&mut applied.fixed, edit, decision, (j != *i).then_some(&decision.record_id));
                }
            }
        }
    }
    for (i, (record, _)) in story.iter().enumerate() {
        let Some(applied) = out.get_mut(i) else { continue };
        let decided = |word, by: &[String], comment: &str, label| {
            Some(Decided { word, by: by.to_vec(), comment: comment.to_owned(), label })
        };
        applied.decided = match (settled.records.get(&record.record_id), refused.get(&i)) {
            (None, _) => None,
            (Some(settlement @ Settlement::Disagreed(decisions)), _) => {
                decided(Decided::DISAGREEMENT, &settlement.by(), &told(decisions), None)
            }
            (Some(Settlement::Agreed { by, .. }), Some(why)) => decided(Decided::REFUSED, by, why, None),
            (Some(Settlement::Agreed { decision, by }), None) => {
                let Fixed { premises_fol, conclusion_fol, .. } = &applied.fixed;
                let leaves = leaving_key(premises_fol, conclusion_fol.as_deref(), record.label);
                if decision.action.rests_on_texts() && decision.edits.is_empty() && decision.seen != leaves {
                    decided(Decided::REFUSED, by, "its formulas are not those that were looked at", None)
                } else {
                    let label = decision.label.map(|l| l.after);
                    decided(decision.action.as_str(), by, &decision.comment, label)
                }
            }
        };
    }
    out
}

/// Who said what, in words.
#[must_use]
pub fn told(decisions: &[Decision]) -> String {
    let one = |d: &Decision| {
        let edits: Vec<String> = d.edits.iter().map(|e| format!("{}: {}", e.target, e.after)).collect();
        let label = d.label.map(|l| format!(" {}", l.after)).unwrap_or_default();
        let edits = if edits.is_empty() { String::new() } else { format!(" ({})", edits.join("; ")) };
        format!("{}: {}{label}{edits}", d.by, d.action.as_str())
    };
    decisions.iter().map(one).collect::<Vec<_>>().join(" | ")
}

/// Why a decision is not about the row as it is now.
fn changed_since(decision: &Decision, record: &Record, fixed: &Fixed) -> Option<String> {
    if decision.record != record.content_key() {
        return Some("the row does not come as it came when it was looked at".to_owned());
    }
    let found = leaving_key(&fixed.premises_fol, fixed.conclusion_fol.as_deref(), record.label);
    if decision.action.rests_on_texts() && decision.found != found {
        return Some("its formulas are not those that were looked at".to_owned());
    }
    if let Some(label) = decision.label
        && label.before != record.label
    {
        return Some("its label has changed since".to_owned());
    }
    decision.edits.iter().find_map(|edit| {
        let now = text(fixed, edit.target);
        let fits = now == edit.before.as_deref() || now == Some(&edit.after);
        let placed = match edit.target {
            Target::Premise(i) => i <= fixed.premises_fol.len(),
            Target::Conclusion => true,
            _ => false,
        };
        (!fits || !placed).then(|| format!("{} has changed since", edit.target))
    })
}

/// Decisions that give the same premise different texts.
fn contradicting(
    agreed: &BTreeMap<usize, (&Decision, &[String])>,
    refused: &BTreeMap<usize, String>,
) -> BTreeSet<usize> {
    let mut premises: BTreeMap<Target, Vec<(usize, &str)>> = BTreeMap::new();
    for (i, (decision, _)) in agreed.iter().filter(|(i, _)| !refused.contains_key(i)) {
        for edit in decision.edits.iter().filter(|e| matches!(e.target, Target::Premise(_))) {
            premises.entry(edit.target).or_default().push((*i, &edit.after));
        }
    }
    let differ =
        |of: &&Vec<(usize, &str)>| of.iter().any(|(_, text)| of.first().is_some_and(|(_, first)| first != text));
    premises.values().filter(differ).flatten().map(|(i, _)| *i).collect()
}

fn text(fixed: &Fixed, target: Target) -> Option<&str> {
    match target {
        Target::Premise(i) => fixed.premises_fol.get(i).map(String::as_str),
        Target::Conclusion => fixed.conclusion_fol.as_deref(),
        _ => None,
    }
}

fn change(fixed: &mut Fixed, edit: &TextChange, decision: &Decision, asked_by: Option<&String>) {
    let before = text(fixed, edit.target).map(str::to_owned);
    if before.as_deref() == Some(&edit.after) {
        return;
    }
    match edit.target {
        Target::Premise(i) => match fixed.premises_fol.get_mut(i) {
            Some(premise) => premise.clone_from(&edit.after),
            None => fixed.premises_fol.push(edit.after.clone()),
        },
        _ => fixed.conclusion_fol = Some(edit.after.clone()),
    }
    fixed.edits.push(Edit {
        target: edit.target,
        before: before.unwrap_or_default(),
        after: edit.after.clone(),
        rule: RULE.to_owned(),
        kind: EditKind::Human,
        iteration: fixed.edits.iter().map(|e| e.iteration).max().unwrap_or_default(),
        alternatives: Vec::new(),
        asked_by: asked_by.cloned(),
        why: decision.comment.clone(),
    });
}
