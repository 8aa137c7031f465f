//! What every proposal must pass, whoever makes it.
//!
//! A formula is to be mended from its sentence, not bent to its label: on published data, merging one pair of similar names
//! closes a fifth of the conflicts, and a third of these by chance. So that the label comes out is one guard among several.

use std::collections::BTreeSet;

use super::bench::Bench;
use super::case::Case;
use super::search::{NameWords, Wording, cues_of};
use crate::diagnostic::Target;
use crate::fol::print::unicode;
use crate::fol::{Formula, FormulaKind, SymbolKind};
use crate::record::{Agreement, Label, Record, Verdict};

/// A guard that refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guard {
    /// Some annotation would have no reading.
    Unparsed,
    /// The premises would contradict each other, or nobody could tell.
    Inconsistent,
    /// The verdict would not be the label by proof.
    Label,
    /// A record of the story that agrees would get another verdict.
    Sibling,
    /// A record of the story would be proved to have another label than its own.
    SiblingContradicted,
    /// The conclusion would hold, or fail, whatever its symbols mean.
    TrivialConclusion,
    /// A premise would say nothing, or nothing could fulfil it.
    TrivialPremise,
    /// A word of the sentence that a name had would be in no name of the formula.
    LostWord,
    /// An operator that the sentence asks for would be missing.
    LostCue,
    /// Two atoms of a formula would become one, or an atom would say something of an individual and itself.
    Collapsed,
    /// A symbol would appear that the story does not have.
    NewSymbol,
    /// A symbol would appear in a formula whose sentence has no word for it.
    ForeignSymbol,
}

impl Guard {
    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unparsed => "unparsed",
            Self::Inconsistent => "inconsistent",
            Self::Label => "label",
            Self::Sibling => "sibling",
            Self::SiblingContradicted => "sibling-contradicted",
            Self::TrivialConclusion => "trivial-conclusion",
            Self::TrivialPremise => "trivial-premise",
            Self::LostWord => "lost-word",
            Self::LostCue => "lost-cue",
            Self::Collapsed => "collapsed",
            Self::NewSymbol => "new-symbol",
            Self::ForeignSymbol => "foreign-symbol",
        }
    }
}

/// One annotation before and after a proposal.
pub struct Change<'a> {
    /// Which.
    pub target: Target,
    /// Its sentence, where one can be matched.
    pub sentence: Option<&'a str>,
    /// The tree before; `None` where the text had no reading.
    pub before: Option<&'a Formula>,
    /// The text before.
    pub before_text: &'a str,
    /// The tree after.
    pub after: &'a Formula,
    /// The text after.
    pub after_text: &'a str,
}

/// Another record of the story.
pub struct Sibling<'a> {
    /// The record.
    pub record: &'a Record,
    /// The tree of its conclusion, where it has one.
    pub conclusion: Option<&'a Formula>,
    /// Its verdict so far.
    pub verdict: Verdict,
}

impl<'a> Sibling<'a> {
    /// The other records of a story than the one at `index`.
    pub(super) fn of(cases: &'a [Case<'_>], index: usize) -> Vec<Self> {
        let others = cases.iter().enumerate().filter(|(i, _)| *i != index);
        others
            .map(|(_, other)| Sibling {
                record: other.record,
                conclusion: other.reading.conclusion.as_ref().and_then(Option::as_ref),
                verdict: other.verdict,
            })
            .collect()
    }
}

/// Whether premises and conclusion give a label by proof: entailment for `True` and `False`, two models for `Uncertain`.
#[must_use]
pub fn gives_label(premises: &[&Formula], conclusion: &Formula, label: Label, bench: &Bench<'_>) -> bool {
    match label {
        Label::True => bench.entails(premises, conclusion, false) == Some(true),
        Label::False => bench.entails(premises, conclusion, true) == Some(true),
        Label::Uncertain => {
            bench.entails(premises, conclusion, false) == Some(false)
                && bench.entails(premises, conclusion, true) == Some(false)
        }
    }
}

/// Takes a proposal past every guard; the first that refuses it.
///
/// `premises` and `conclusion` are the trees after the proposal, `changes` the annotations it changes.
///
/// # Errors
/// The guard that refuses.
pub fn check(
    premises: &[&Formula],
    conclusion: &Formula,
    label: Label,
    changes: &[Change<'_>],
    siblings: &[Sibling<'_>],
    bench: &Bench<'_>,
) -> Result<(), Guard> {
    if bench.consistent(premises) != Some(true) {
        return Err(Guard::Inconsistent);
    }
    if !gives_label(premises, conclusion, label, bench) {
        return Err(Guard::Label);
    }
    harmless(premises, conclusion, changes, siblings, bench)
}

/// Takes a proposal past every guard but that of the record's own label, so that nothing it says depends on that label; the
/// first that refuses it.
///
/// # Errors
/// The guard that refuses.
pub fn check_unlabelled(
    premises: &[&Formula],
    conclusion: &Formula,
    changes: &[Change<'_>],
    siblings: &[Sibling<'_>],
    bench: &Bench<'_>,
) -> Result<(), Guard> {
    if bench.consistent(premises) != Some(true) {
        return Err(Guard::Inconsistent);
    }
    changes.iter().try_for_each(nothing_foreign)?;
    harmless(premises, conclusion, changes, siblings, bench)
}

/// Who writes a formula anew could say with known symbols what the sentence does not: each symbol that the formula did not
/// have must have a word in the sentence. Of a text that had no reading, its words are known, but not what they were to
/// say: no operator that the sentence asks for may be missing.
fn nothing_foreign(change: &Change<'_>) -> Result<(), Guard> {
    let Some(sentence) = change.sentence else { return Ok(()) };
    let wording = Wording::of(sentence);
    let mut had: BTreeSet<(SymbolKind, &str)> = BTreeSet::new();
    if let Some(before) = change.before {
        before.each_symbol(&mut |symbol| {
            had.insert((symbol.kind, symbol.name));
        });
    }
    let mut foreign = false;
    change.after.each_symbol(&mut |symbol| {
        let known = match change.before {
            Some(_) => had.contains(&(symbol.kind, symbol.name)),
            None => has_word(change.before_text, symbol.name),
        };
        foreign |= !known && wording.support(&NameWords::of(symbol.name)) == 0.0;
    });
    if foreign {
        return Err(Guard::ForeignSymbol);
    }
    let cut = change.before.is_none() && !cues_of(sentence, change.after_text, change.target, change.after).is_empty();
    if cut { Err(Guard::LostCue) } else { Ok(()) }
}

/// What must not be lost, and whom a proposal must not harm.
fn harmless(
    premises: &[&Formula],
    conclusion: &Formula,
    changes: &[Change<'_>],
    siblings: &[Sibling<'_>],
    bench: &Bench<'_>,
) -> Result<(), Guard> {
    changes.iter().try_for_each(not_cheap)?;
    changes.iter().try_for_each(not_collapsed)?;
    nothing_new(premises, conclusion, changes, siblings)?;
    trivial(conclusion, changes, bench)?;
    if changes.iter().any(|c| matches!(c.target, Target::Premise(_))) {
        siblings.iter().try_for_each(|sibling| unharmed(premises, sibling, bench))?;
    }
    Ok(())
}

/// Nothing that the sentence asks for may go.
fn not_cheap(change: &Change<'_>) -> Result<(), Guard> {
    let (Some(sentence), Some(before)) = (change.sentence, change.before) else { return Ok(()) };
    let wording = Wording::of(sentence);
    let held = |formula: &Formula| -> BTreeSet<usize> {
        let mut out = BTreeSet::new();
        formula.each_symbol(&mut |symbol| out.extend(wording.covered(&NameWords::of(symbol.name))));
        out
    };
    if !held(before).is_subset(&held(change.after)) {
        return Err(Guard::LostWord);
    }
    let codes = |text: &str, formula: &Formula| -> BTreeSet<&'static str> {
        cues_of(sentence, text, change.target, formula).iter().map(|d| d.code).collect()
    };
    let known = codes(change.before_text, before);
    if codes(change.after_text, change.after).iter().any(|code| !known.contains(code)) {
        return Err(Guard::LostCue);
    }
    Ok(())
}

/// What was said of two must not be said of one twice.
fn not_collapsed(change: &Change<'_>) -> Result<(), Guard> {
    let Some(before) = change.before else { return Ok(()) };
    let count = |formula: &Formula| {
        let (mut atoms, mut reflexive) = (BTreeSet::new(), 0);
        formula.walk(&mut |part| {
            if let FormulaKind::Atom(atom) = &part.kind {
                atoms.insert(unicode::print(part));
                reflexive +=
                    usize::from(atom.args.iter().enumerate().any(|(i, a)| atom.args.iter().take(i).any(|b| a == b)));
            }
            if let FormulaKind::Equal(a, b) | FormulaKind::NotEqual(a, b) = &part.kind {
                reflexive += usize::from(a == b);
            }
        });
        (atoms.len(), reflexive)
    };
    let ((atoms, reflexive), (atoms_after, reflexive_after)) = (count(before), count(change.after));
    if atoms_after < atoms || reflexive_after > reflexive { Err(Guard::Collapsed) } else { Ok(()) }
}

/// Only symbols that the story has.
fn nothing_new(
    premises: &[&Formula],
    conclusion: &Formula,
    changes: &[Change<'_>],
    siblings: &[Sibling<'_>],
) -> Result<(), Guard> {
    fn add<'f>(known: &mut BTreeSet<(SymbolKind, &'f str)>, formula: &'f Formula) {
        formula.each_symbol(&mut |symbol| {
            known.insert((symbol.kind, symbol.name));
        });
    }
    let changed: Vec<&Formula> = changes.iter().map(|c| c.after).collect();
    let mut known = BTreeSet::new();
    let untouched =
        premises.iter().copied().chain([conclusion]).filter(|f| !changed.iter().any(|c| std::ptr::eq(*c, *f)));
    untouched.for_each(|formula| add(&mut known, formula));
    changes.iter().filter_map(|c| c.before).for_each(|formula| add(&mut known, formula));
    siblings.iter().filter_map(|s| s.conclusion).for_each(|formula| add(&mut known, formula));
    let mut new = false;
    for change in changes.iter().filter(|c| c.before.is_some()) {
        change.after.each_symbol(&mut |symbol| new |= !known.contains(&(symbol.kind, symbol.name)));
    }
    // Of a text that had no reading, nobody knows its symbols; two that are new would be too many to guess.
    for change in changes.iter().filter(|c| c.before.is_none()) {
        change.after.each_symbol(&mut |symbol| {
            new |= !known.contains(&(symbol.kind, symbol.name)) && !has_word(change.before_text, symbol.name);
        });
    }
    if new { Err(Guard::NewSymbol) } else { Ok(()) }
}

/// Whether a text has a name as a whole word.
fn has_word(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + name.len()..).and_then(|t| t.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

fn trivial(conclusion: &Formula, changes: &[Change<'_>], bench: &Bench<'_>) -> Result<(), Guard> {
    if bench.triviality(conclusion) != Some(None) {
        return Err(Guard::TrivialConclusion);
    }
    for change in changes.iter().filter(|c| c.target != Target::Conclusion) {
        let now = bench.triviality(change.after);
        let was = change.before.and_then(|before| bench.triviality(before));
        if now != Some(None) && now != was {
            return Err(Guard::TrivialPremise);
        }
    }
    Ok(())
}

fn unharmed(premises: &[&Formula], sibling: &Sibling<'_>, bench: &Bench<'_>) -> Result<(), Guard> {
    let (Some(conclusion), Some(label)) = (sibling.conclusion, sibling.record.label) else { return Ok(()) };
    let after = bench.verdict(premises, conclusion);
    if sibling.verdict.agreement(Some(label)) == Agreement::Agree {
        return if after == sibling.verdict { Ok(()) } else { Err(Guard::Sibling) };
    }
    let proves_another =
        matches!(after, Verdict::True | Verdict::False) && after.agreement(Some(label)) != Agreement::Agree;
    if proves_another && after != sibling.verdict { Err(Guard::SiblingContradicted) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::parse;

    fn change<'a>(sentence: &'a str, before: (&'a str, &'a Formula), after: (&'a str, &'a Formula)) -> Change<'a> {
        Change {
            target: Target::Conclusion,
            sentence: Some(sentence),
            before: Some(before.1),
            before_text: before.0,
            after: after.1,
            after_text: after.0,
        }
    }

    fn outcome(
        guard: fn(&Change<'_>) -> Result<(), Guard>,
        sentence: &str,
        before: &str,
        after: &str,
    ) -> Result<(), Guard> {
        let read = |text: &str| parse(text).reading().expect("a reading").clone();
        let (old, new) = (read(before), read(after));
        guard(&change(sentence, (before, &old), (after, &new)))
    }

    #[test]
    fn a_word_of_the_sentence_must_keep_its_name() {
        let told = |before, after| outcome(not_cheap, "The male student has one red card.", before, after);
        assert_eq!(told("MaleStudent(x)", "FemaleStudent(x)"), Err(Guard::LostWord));
        assert_eq!(told("Has(x, oneRedCard)", "Has(x, twoRedCard)"), Err(Guard::LostWord));
        assert_eq!(told("Malestudent(x)", "MaleStudent(x)"), Ok(()));
        assert_eq!(told("Studnt(x)", "Student(x)"), Ok(()));
    }

    #[test]
    fn a_cue_must_keep_its_operator() {
        let told = |before, after| outcome(not_cheap, "Ida is not tall.", before, after);
        assert_eq!(told("¬Tall(ida)", "Tall(ida)"), Err(Guard::LostCue));
        assert_eq!(told("Tall(ida)", "¬Tall(ida)"), Ok(()));
    }

    #[test]
    fn what_was_said_of_two_must_not_be_said_of_one() {
        let told = |before, after| outcome(not_collapsed, "", before, after);
        assert_eq!(told("Tall(ida) ∧ Tall(tim)", "Tall(ida) ∧ Tall(ida)"), Err(Guard::Collapsed));
        assert_eq!(told("In(ida, town)", "In(ida, ida)"), Err(Guard::Collapsed));
        assert_eq!(told("¬(x = ida)", "¬(ida = ida)"), Err(Guard::Collapsed));
        assert_eq!(told("Tall(ida) ∧ Tall(tim)", "Tall(ida) ∧ Tall(tom)"), Ok(()));
    }

    #[test]
    fn no_symbol_may_appear_that_the_story_does_not_have() {
        let read = |text: &str| parse(text).reading().expect("a reading").clone();
        let (premise, old, known, new) = (read("Tall(tim)"), read("Tal(ida)"), read("Tall(ida)"), read("Short(ida)"));
        let told = |after: &Formula| {
            let change = change("", ("", &old), ("", after));
            nothing_new(&[&premise], after, &[change], &[])
        };
        assert_eq!(told(&known), Ok(()));
        assert_eq!(told(&new), Err(Guard::NewSymbol));
    }
}
