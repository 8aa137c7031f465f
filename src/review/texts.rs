//! The texts of a row: before anybody decided, as a reviewer wants them, and those there are to choose from.

use serde::{Deserialize, Serialize};

use super::desk::DeskError;
use crate::decision::{Ledger, TextChange, standing};
use crate::diagnostic::{EditKind, Target};
use crate::record::Row;
use crate::refine::Fixed;
use crate::verify::{Reading, ReadingOptions};

/// A text as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// `premise[3]` or `conclusion`.
    pub target: String,
    /// The whole text.
    pub after: String,
}

/// A set of texts that could be the repair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// Who proposes it: `search`, `S101`, …
    pub source: String,
    /// Why it was not taken; empty where nobody said.
    pub why: String,
    /// The texts.
    pub edits: Vec<Wanted>,
}

/// The texts that a reviewer's standing decision on a row gives.
pub(super) fn own_edits(ledger: &Ledger, by: &str, id: &str) -> Vec<Target> {
    let standing = standing(ledger.decisions());
    let mine = standing.get(id).and_then(|of| of.get(by));
    mine.map(|d| d.edits.iter().map(|e| e.target).collect()).unwrap_or_default()
}

pub(super) fn texts(row: &Row) -> (&[String], Option<&str>) {
    (&row.premises_fol, row.conclusion_fol.as_deref())
}

/// A row's texts before anybody decided: what the rungs below have left.
#[must_use]
pub fn undecided(row: &Row) -> Fixed {
    let mut fixed = Fixed {
        premises_fol: row.premises_fol.clone(),
        conclusion_fol: row.conclusion_fol.clone(),
        edits: row.edits.iter().filter(|e| e.kind != EditKind::Human).cloned().collect(),
    };
    for edit in row.edits.iter().rev().filter(|e| e.kind == EditKind::Human) {
        // There was no text before where none came and no rung gave one.
        let had_none = edit.before.is_empty() && row.record.text(edit.target).is_none();
        match edit.target {
            Target::Premise(_) if had_none => drop(fixed.premises_fol.pop()),
            Target::Premise(i) => {
                if let Some(premise) = fixed.premises_fol.get_mut(i) {
                    premise.clone_from(&edit.before);
                }
            }
            Target::Conclusion => fixed.conclusion_fol = (!had_none).then(|| edit.before.clone()),
            _ => {}
        }
    }
    fixed
}

pub(super) fn targets(wanted: &[Wanted]) -> Result<Vec<(Target, &str)>, DeskError> {
    let mut out = Vec::new();
    for edit in wanted {
        let target: Target = edit.target.parse().map_err(|e| DeskError::Senseless(format!("{e}")))?;
        out.push((target, edit.after.as_str()));
    }
    out.sort_unstable();
    Ok(out)
}

pub(super) fn set(fixed: &mut Fixed, target: Target, text: &str) -> Result<(), DeskError> {
    let premises = fixed.premises_fol.len();
    match target {
        Target::Premise(i) => match fixed.premises_fol.get_mut(i) {
            Some(premise) => text.clone_into(premise),
            None if i == premises => fixed.premises_fol.push(text.to_owned()),
            None => return Err(DeskError::Senseless(format!("there is no {target}"))),
        },
        Target::Conclusion => fixed.conclusion_fol = Some(text.to_owned()),
        other => return Err(DeskError::Senseless(format!("`{other}` is no formula"))),
    }
    Ok(())
}

pub(super) fn unread(fixed: &Fixed, options: ReadingOptions) -> bool {
    let reading = Reading::new(&fixed.premises_fol, fixed.conclusion_fol.as_deref(), options);
    reading.premises.iter().any(Option::is_none) || reading.conclusion.is_some_and(|c| c.is_none())
}

/// What a decision changes: every text that is not as the reviewer found it, and those that the same reviewer changed
/// before and has let stand. Texts that another record's decision gives are that decision's.
pub(super) fn changes(before: &Fixed, after: &Fixed, now: &Fixed, own: &[Target]) -> Vec<TextChange> {
    let text = |fixed: &Fixed, target: Target| match target {
        Target::Premise(i) => fixed.premises_fol.get(i).cloned(),
        _ => fixed.conclusion_fol.clone(),
    };
    let targets = (0..after.premises_fol.len()).map(Target::Premise).chain([Target::Conclusion]);
    let changed = targets.filter(|t| {
        let wanted = text(after, *t);
        (wanted != text(now, *t) || own.contains(t)) && wanted != text(before, *t)
    });
    changed.filter_map(|t| Some(TextChange { target: t, before: text(before, t), after: text(after, t)? })).collect()
}

/// Repairs that were not made, and texts that rules or edits left to choose from.
pub(super) fn candidates(row: &Row) -> Vec<Candidate> {
    let mut out: Vec<Candidate> = Vec::new();
    let mut push = |candidate: Candidate| {
        let is_news = !candidate.edits.is_empty() && out.iter().all(|other| other.edits != candidate.edits);
        if is_news {
            out.push(candidate);
        }
    };
    for proposal in row.proposals.iter().filter(|p| p.outcome != "accepted") {
        let edits = proposal.edits.iter().map(|e| Wanted { target: e.target.to_string(), after: e.after.clone() });
        let why = [proposal.outcome, proposal.reason.as_deref().unwrap_or_default()];
        push(Candidate {
            source: proposal.rung.to_owned(),
            why: why.join(" ").trim().to_owned(),
            edits: last_of_each(edits.collect()),
        });
    }
    for edit in row.edits.iter().filter(|e| e.kind != EditKind::Human) {
        for alternative in &edit.alternatives {
            let edits = vec![Wanted { target: edit.target.to_string(), after: alternative.clone() }];
            push(Candidate { source: edit.rule.clone(), why: "possible instead".to_owned(), edits });
        }
    }
    for diagnostic in &row.diagnostics {
        let text = row.record.text(diagnostic.target);
        let fixed = diagnostic.fix.as_ref().zip(text).and_then(|(fix, text)| Some((fix, text, fix.apply(text)?)));
        let Some((fix, text, after)) = fixed else { continue };
        let stands = match diagnostic.target {
            Target::Premise(i) => row.premises_fol.get(i).map(String::as_str) == Some(text),
            Target::Conclusion => row.conclusion_fol.as_deref() == Some(text),
            _ => false,
        };
        if stands {
            let edits = vec![Wanted { target: diagnostic.target.to_string(), after }];
            push(Candidate { source: diagnostic.code.to_owned(), why: fix.title.clone(), edits });
        }
    }
    out
}

/// Of several changes of one text the last, which holds them all.
fn last_of_each(edits: Vec<Wanted>) -> Vec<Wanted> {
    let mut out: Vec<Wanted> = Vec::new();
    for edit in edits {
        out.retain(|other| other.target != edit.target);
        out.push(edit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Applicability, Diagnostic, Fix, Severity, Span, TextEdit};
    use crate::emit::testing::plain_row;
    use crate::record::{Edit, Proposal};

    fn edit(target: Target, before: &str, after: &str, kind: EditKind) -> Edit {
        Edit {
            target,
            before: before.to_owned(),
            after: after.to_owned(),
            rule: "R".to_owned(),
            kind,
            iteration: 0,
            alternatives: Vec::new(),
            asked_by: None,
            why: String::new(),
        }
    }

    fn row() -> Row {
        let mut row = plain_row("1", "train");
        row.record.premises_fol = vec!["P".to_owned(), "Q".to_owned()];
        row.record.conclusion_fol = None;
        row.premises_fol = vec!["P2".to_owned(), "Q".to_owned(), "R".to_owned()];
        row.conclusion_fol = Some("S".to_owned());
        row.diagnostics.clear();
        row.edits = vec![
            edit(Target::Premise(0), "P", "P1", EditKind::Fix),
            edit(Target::Premise(0), "P1", "P2", EditKind::Human),
            edit(Target::Premise(2), "", "R", EditKind::Human),
            edit(Target::Conclusion, "", "S", EditKind::Human),
        ];
        row
    }

    fn fixed(premises: &[&str], conclusion: Option<&str>) -> Fixed {
        Fixed {
            premises_fol: premises.iter().map(|&p| p.to_owned()).collect(),
            conclusion_fol: conclusion.map(str::to_owned),
            edits: Vec::new(),
        }
    }

    #[test]
    fn what_nobody_decided_is_what_the_rungs_below_left() {
        let before = undecided(&row());
        assert_eq!((before.premises_fol, before.conclusion_fol), (vec!["P1".to_owned(), "Q".to_owned()], None));
        assert_eq!(before.edits.len(), 1, "what people did is not among it");
    }

    #[test]
    fn a_decision_holds_what_its_reviewer_changed_and_nothing_else() {
        let told = |after: &Fixed, now: &Fixed, own: &[Target]| {
            let before = fixed(&["P", "Q"], Some("C"));
            let changes = changes(&before, after, now, own);
            changes.iter().map(|c| format!("{} {:?} {}", c.target, c.before.as_deref(), c.after)).collect::<Vec<_>>()
        };
        let now = fixed(&["P", "Q2"], Some("C"));
        // Another record's decision gives Q2; it is that decision's.
        assert_eq!(told(&now, &now, &[]), [""; 0]);
        assert_eq!(told(&fixed(&["P", "Q2"], Some("D")), &now, &[]), ["conclusion Some(\"C\") D"]);
        assert_eq!(told(&fixed(&["P", "Q3"], Some("C")), &now, &[]), ["premise[1] Some(\"Q\") Q3"]);
        // Their own stands on, until they give the text back.
        assert_eq!(told(&now, &now, &[Target::Premise(1)]), ["premise[1] Some(\"Q\") Q2"]);
        assert_eq!(told(&fixed(&["P", "Q"], Some("C")), &now, &[Target::Premise(1)]), [""; 0]);
        assert_eq!(told(&fixed(&["P", "Q2", "N"], Some("C")), &now, &[]), ["premise[2] None N"]);
    }

    #[test]
    fn repairs_to_choose_from_are_told_once_each() {
        let mut row = row();
        row.edits.truncate(1);
        row.edits[0].alternatives = vec!["P0".to_owned()];
        row.premises_fol = vec!["P1".to_owned(), "Q".to_owned()];
        let proposal = |outcome| Proposal {
            rung: "search",
            edits: vec![
                edit(Target::Premise(1), "Q", "Q1", EditKind::Search),
                edit(Target::Premise(1), "Q1", "Q2", EditKind::Search),
            ],
            cost: 1.0,
            outcome,
            reason: Some("lost-word".to_owned()),
        };
        row.proposals = vec![proposal("refused"), proposal("ambiguous"), proposal("accepted")];
        let fix = |target, at| {
            let mut found = Diagnostic::new("S101", Severity::Error, target, Span::at(at), "no bracket");
            found.fix = Some(Fix {
                applicability: Applicability::Unsafe,
                kind: EditKind::Fix,
                title: "append it".to_owned(),
                edits: vec![TextEdit { span: Span::at(at), replacement: ")".to_owned() }],
                alternatives: Vec::new(),
            });
            found
        };
        row.diagnostics = vec![fix(Target::Premise(1), 1), fix(Target::Premise(0), 1)];
        let told: Vec<String> = candidates(&row)
            .iter()
            .map(|c| format!("{} ({}) {} {}", c.source, c.why, c.edits[0].target, c.edits[0].after))
            .collect();
        assert_eq!(
            told,
            [
                "search (refused lost-word) premise[1] Q2",
                "R (possible instead) premise[0] P0",
                // That of premise 0 is about a text that stands no more.
                "S101 (append it) premise[1] Q)",
            ]
        );
    }
}
