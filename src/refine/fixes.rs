//! Applying the fixes of the rules, each on record.

use crate::diagnostic::{Applicability, Diagnostic, EditKind, Fix, Target, TextEdit};
use crate::fol::{QuantifierScope, parse_with};
use crate::lint::{ParsedRecord, Selection, check_record};
use crate::record::{Edit, Record};

/// A fix can lay bare another fault; real annotations need two or three rounds. The limit only guards against rules
/// whose fixes undo each other.
const MAX_ROUNDS: usize = 24;

/// Likewise for unsafe fixes, of which each takes a round.
const MAX_UNSAFE: usize = 200;

/// The formulas of a record after safe fixes, and what was done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fixed {
    /// The formulas of the premises.
    pub premises_fol: Vec<String>,
    /// The formula of the conclusion.
    pub conclusion_fol: Option<String>,
    /// Every change, in the order made.
    pub edits: Vec<Edit>,
}

impl Fixed {
    /// The formulas as they came.
    #[must_use]
    pub fn untouched(record: &Record) -> Self {
        Self {
            premises_fol: record.premises_fol.clone(),
            conclusion_fol: record.conclusion_fol.clone(),
            edits: Vec::new(),
        }
    }
}

/// Applies the safe fixes among `found` (what the rules find in `record` as it came), and those that become possible by
/// them, until none is left.
///
/// Fixes of unsafe or display-only rank are never applied here, nor are those of rules outside `selection`.
#[must_use]
pub fn apply_safe_fixes(record: &Record, found: &[Diagnostic], selection: &Selection, scope: QuantifierScope) -> Fixed {
    apply_fixes(record, found, selection, scope, Applicability::Safe)
}

/// Like [`apply_safe_fixes`], with fixes up to the rank `up_to`; display-only ones are never applied.
///
/// An unsafe fix is applied only where no safe one is left in the record, and only one at a time: it is a guess, and may
/// make the others pointless.
#[must_use]
pub fn apply_fixes(
    record: &Record,
    found: &[Diagnostic],
    selection: &Selection,
    scope: QuantifierScope,
    up_to: Applicability,
) -> Fixed {
    let mut current = record.clone();
    let mut edits = Vec::new();
    let mut found = found.to_vec();
    let rounds = if up_to == Applicability::Safe { MAX_ROUNDS } else { MAX_ROUNDS + MAX_UNSAFE };
    for _ in 0..rounds {
        let done = apply_safe(&mut current, &found, selection, &mut edits)
            || (up_to >= Applicability::Unsafe && apply_unsafe(&mut current, &found, selection, &mut edits));
        if !done {
            break;
        }
        found = check_record(&ParsedRecord::new(&current, scope).context(&current));
    }
    undo_in_vain(record, &mut current, &mut edits, scope);
    Fixed { premises_fol: current.premises_fol, conclusion_fol: current.conclusion_fol, edits }
}

/// Undoes the edits of annotations that have no reading even so: text that a person must look at is better left as its
/// author wrote it.
fn undo_in_vain(record: &Record, current: &mut Record, edits: &mut Vec<Edit>, scope: QuantifierScope) {
    let mut targets: Vec<Target> = edits.iter().map(|e| e.target).collect();
    targets.sort_unstable();
    targets.dedup();
    targets.retain(|t| current.text(*t).is_some_and(|text| parse_with(text, scope).has_error()));
    for target in &targets {
        if let (Some(original), Some(text)) = (record.text(*target), annotation_mut(current, *target)) {
            original.clone_into(text);
        }
    }
    edits.retain(|e| !targets.contains(&e.target));
}

/// Applies the first safe fix of each annotation, and with one that only respells all of its rule, as one edit; whether
/// there was any.
fn apply_safe(record: &mut Record, found: &[Diagnostic], selection: &Selection, edits: &mut Vec<Edit>) -> bool {
    let mut done: Vec<Target> = Vec::new();
    for diagnostic in wanted(found, selection, Applicability::Safe) {
        if done.contains(&diagnostic.target) {
            continue;
        }
        let together = together(diagnostic, found);
        if let Some(edit) = edit(record, together.as_ref().unwrap_or(diagnostic)) {
            done.push(edit.target);
            edits.push(make(record, edit));
        }
    }
    !done.is_empty()
}

/// A finding that only respells, with the edits of all others of its rule in the same annotation: an author who writes
/// `&` does so everywhere, and a text of many signs would take as many rounds.
fn together(first: &Diagnostic, found: &[Diagnostic]) -> Option<Diagnostic> {
    let fix = first.fix.as_ref().filter(|f| f.kind == EditKind::Normalise)?;
    let mut edits: Vec<TextEdit> = found
        .iter()
        .filter(|d| d.code == first.code && d.target == first.target)
        .filter_map(|d| d.fix.as_ref())
        .filter(|f| f.kind == EditKind::Normalise && f.applicability == fix.applicability)
        .flat_map(|f| f.edits.iter().cloned())
        .collect();
    edits.sort_by_key(|e| (e.span.start, e.span.end));
    edits.dedup();
    let mut whole = first.clone();
    whole.fix = Some(Fix { edits, ..fix.clone() });
    Some(whole)
}

/// Applies the first unsafe fix that does not bring back a text that an edit has replaced; whether there was one.
fn apply_unsafe(record: &mut Record, found: &[Diagnostic], selection: &Selection, edits: &mut Vec<Edit>) -> bool {
    let is_new = |new: &Edit| !edits.iter().any(|old| old.target == new.target && old.before == new.after);
    let possible = wanted(found, selection, Applicability::Unsafe).find_map(|d| edit(record, d).filter(is_new));
    let Some(edit) = possible else { return false };
    edits.push(make(record, edit));
    true
}

/// The findings of wanted rules that have a fix of this rank.
fn wanted<'a>(
    found: &'a [Diagnostic],
    selection: &'a Selection,
    rank: Applicability,
) -> impl Iterator<Item = &'a Diagnostic> {
    found.iter().filter(move |d| d.fix.as_ref().is_some_and(|f| f.applicability == rank) && selection.has(d.code))
}

/// The edit that a finding's fix would be; `None` where it does not fit or changes nothing.
fn edit(record: &Record, diagnostic: &Diagnostic) -> Option<Edit> {
    let fix = diagnostic.fix.as_ref()?;
    let target = diagnostic.target;
    if !matches!(target, Target::Premise(_) | Target::Conclusion) {
        return None;
    }
    let before = record.text(target)?.to_owned();
    let after = fix.apply(&before).filter(|after| *after != before)?;
    Some(Edit {
        target,
        before,
        after,
        rule: diagnostic.code.to_owned(),
        kind: fix.kind,
        iteration: 0,
        alternatives: fix.alternatives.clone(),
        asked_by: None,
        why: String::new(),
    })
}

/// Makes the edit and gives it back.
fn make(record: &mut Record, edit: Edit) -> Edit {
    if let Some(text) = annotation_mut(record, edit.target) {
        text.clone_from(&edit.after);
    }
    edit
}

fn annotation_mut(record: &mut Record, target: Target) -> Option<&mut String> {
    match target {
        Target::Premise(i) => record.premises_fol.get_mut(i),
        Target::Conclusion => record.conclusion_fol.as_mut(),
        Target::PremiseSentence(_) | Target::ConclusionSentence | Target::Row => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(premise: &str) -> Fixed {
        let record = Record {
            premises: vec!["Every dog is an animal.".to_owned()],
            premises_fol: vec![premise.to_owned()],
            conclusion: "Rex is an animal.".to_owned(),
            conclusion_fol: Some("Animal(rex)".to_owned()),
            ..Record::default()
        };
        let scope = QuantifierScope::Tight;
        let found = check_record(&ParsedRecord::new(&record, scope).context(&record));
        apply_safe_fixes(&record, &found, &Selection::everything(), scope)
    }

    #[test]
    fn each_change_is_an_edit_with_both_texts() {
        let fixed = fixed("∀x (Dog(x) -> Animal(x).");
        assert_eq!(fixed.premises_fol, ["∀x (Dog(x) → Animal(x))"]);
        let steps: Vec<_> = fixed.edits.iter().map(|e| (e.rule.as_str(), e.kind, e.after.as_str())).collect();
        assert!(steps.iter().any(|(_, kind, _)| *kind == EditKind::Normalise), "{steps:?}");
        assert!(steps.iter().any(|(_, kind, _)| *kind == EditKind::Fix), "{steps:?}");
        assert_eq!(fixed.edits[0].before, "∀x (Dog(x) -> Animal(x).");
        for pair in fixed.edits.windows(2) {
            assert_eq!(pair[0].after, pair[1].before);
        }
    }

    #[test]
    fn one_spelling_is_changed_everywhere_at_once() {
        let text = format!("forall x (P0(x){}", (1..60).map(|i| format!(" & P{i}(x)")).collect::<String>());
        let fixed = fixed(&text);
        let expected = format!("∀ x (P0(x){})", (1..60).map(|i| format!(" ∧ P{i}(x)")).collect::<String>());
        assert_eq!(fixed.premises_fol, [expected]);
        assert!(fixed.edits.len() <= 3, "{}", fixed.edits.len());
    }

    #[test]
    fn text_that_stays_without_a_reading_is_left_as_it_came() {
        for text in [r"\forall x (Dog(x) -> Animal(x)", "['Dog(rex)', '…'] & Cat(tom)", "Dog(rex) & & Cat(tom"] {
            let fixed = fixed(text);
            assert_eq!(fixed.premises_fol, [text]);
            assert_eq!(fixed.edits, []);
        }
    }

    #[test]
    fn a_clean_record_is_left_alone() {
        let fixed = fixed("∀x (Dog(x) → Animal(x))");
        assert_eq!(fixed.edits, []);
        assert_eq!(fixed.premises_fol, ["∀x (Dog(x) → Animal(x))"]);
    }

    #[test]
    fn unsafe_fixes_are_not_applied() {
        assert_eq!(fixed("∀x (Dog(x) → Has(x, long tail))").edits, []);
    }
}
