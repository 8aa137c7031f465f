//! One error in one story, and what repair makes of it.

use super::equivalence::equivalent_up_to_renaming;
use super::mutate::Mutation;
use super::{Settings, cases};
use crate::diagnostic::Target;
use crate::fol::Formula;
use crate::record::{Edit, Record, Verdict};
use crate::refine::{Bench, Case, Climbed, climb, quick_verdict};
use crate::verify::Reading;

/// Which rungs of the ladder changed the story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rung {
    /// Safe fixes alone.
    Fixes,
    /// Search, perhaps after safe fixes.
    Search,
}

/// What became of a row with an error in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The error does not change the row's verdict: there is nothing to notice. Nothing was run.
    Unchanged,
    /// The row agrees again, and every formula of its story is equivalent to the original, up to one renaming.
    Restored(Rung),
    /// The row agrees again, and some formula of its story says something else than the original.
    Wrong(Rung),
    /// The row agrees again, and nobody says whether the formulas are equivalent to the originals.
    Undecided(Rung),
    /// The row does not agree: two repairs that mean different things were equally near.
    Ambiguous,
    /// The row does not agree, and can be read: it goes to review.
    Untouched,
    /// The row cannot be read.
    Unreadable,
}

/// An annotation that is not as it was before the error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Which one; a conclusion is that of the record named.
    pub target: Target,
    /// The record, for a conclusion of another record of the story.
    pub record_id: Option<String>,
    /// Its text before the error.
    pub original: String,
    /// Its text after repair.
    pub repaired: String,
}

/// One error, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// The row.
    pub record_id: String,
    /// The error.
    pub mutation: Mutation,
    /// What became of it.
    pub outcome: Outcome,
    /// The rules of the edits that search made in the story, once for each edit.
    pub rules: Vec<String>,
    /// Whether the edits of search left formulas equivalent to the originals; `None` where nobody says or there are none.
    pub faithful: Option<bool>,
    /// Every annotation of the story that repair left with another text than the original's.
    pub changed: Vec<Changed>,
}

/// Makes the error in a story and takes the story up the ladder. `story` are records that agree, with the same premises,
/// each as it stands after safe fixes; the error is made in the one at `index`, and one of a premise in all.
pub(super) fn trial(
    story: &[Case<'_>],
    index: usize,
    mutation: Mutation,
    settings: &Settings,
    bench: &Bench<'_>,
) -> Option<Trial> {
    let case = story.get(index)?;
    let spoilt: Vec<Record> = story
        .iter()
        .enumerate()
        .map(|(i, case)| {
            let shared = i == index || matches!(mutation.target, Target::Premise(_));
            if shared { mutation.apply(case.record) } else { case.record.clone() }
        })
        .collect();
    let record = spoilt.get(index)?;
    let reading = Reading::new(&record.premises_fol, record.conclusion_fol.as_deref(), settings.reading);
    if quick_verdict(record, &reading, bench) == case.verdict {
        return Some(Trial {
            record_id: record.record_id.clone(),
            mutation,
            outcome: Outcome::Unchanged,
            rules: Vec::new(),
            faithful: None,
            changed: Vec::new(),
        });
    }
    let spoilt = cases(&spoilt, settings, bench);
    let climbed = climb(&spoilt, settings.reading, &settings.search, bench);
    judged(&Ended { story, index, spoilt: &spoilt, climbed: &climbed }, mutation, settings, bench)
}

/// A story before the error, with it, and after repair. The lists have the same records in the same order.
struct Ended<'a> {
    story: &'a [Case<'a>],
    index: usize,
    spoilt: &'a [Case<'a>],
    climbed: &'a [Climbed],
}

/// What became of the row at the index.
fn judged(ended: &Ended<'_>, mutation: Mutation, settings: &Settings, bench: &Bench<'_>) -> Option<Trial> {
    let Ended { story, index, spoilt, climbed } = *ended;
    let (case, fixed, end) = (story.get(index)?, spoilt.get(index)?, climbed.get(index)?);
    let verdict = end.verdict.unwrap_or(fixed.verdict);
    let edits = searched(spoilt, climbed);
    let rung = if edits.is_empty() { Rung::Fixes } else { Rung::Search };
    let agrees = verdict == case.verdict;
    let equivalent = if agrees || !edits.is_empty() { equivalent(story, climbed, settings, bench) } else { None };
    let outcome = match (agrees, equivalent) {
        (true, Some(true)) => Outcome::Restored(rung),
        (true, Some(false)) => Outcome::Wrong(rung),
        (true, None) => Outcome::Undecided(rung),
        (false, _) if end.ambiguous => Outcome::Ambiguous,
        (false, _) if verdict == Verdict::Unparsed => Outcome::Unreadable,
        (false, _) => Outcome::Untouched,
    };
    Some(Trial {
        record_id: case.record.record_id.clone(),
        mutation,
        outcome,
        rules: edits.iter().map(|edit| edit.rule.clone()).collect(),
        faithful: equivalent.filter(|_| !edits.is_empty()),
        changed: changed(story, index, climbed),
    })
}

/// The edits made above the safe fixes in a story: those of premises once, though they stand in every record.
fn searched<'a>(spoilt: &'a [Case<'_>], climbed: &'a [Climbed]) -> Vec<&'a Edit> {
    let mut out: Vec<&Edit> = Vec::new();
    for (i, (case, climbed)) in spoilt.iter().zip(climbed).enumerate() {
        for edit in made_above(case, climbed) {
            let same = |known: &&Edit| {
                (known.target, &known.before, &known.after, &known.rule)
                    == (edit.target, &edit.before, &edit.after, &edit.rule)
            };
            let is_shared = i > 0 && matches!(edit.target, Target::Premise(_));
            if !(is_shared && out.iter().any(same)) {
                out.push(edit);
            }
        }
    }
    out
}

/// The edits that a record has beyond those it came with.
pub(super) fn made_above<'a>(case: &'a Case<'_>, climbed: &'a Climbed) -> impl Iterator<Item = &'a Edit> {
    climbed.fixed.edits.iter().filter(move |edit| !case.fixed.edits.contains(edit))
}

/// Whether a whole story says what it said before.
fn equivalent(story: &[Case<'_>], climbed: &[Climbed], settings: &Settings, bench: &Bench<'_>) -> Option<bool> {
    let repaired: Vec<Reading> = climbed
        .iter()
        .map(|c| Reading::new(&c.fixed.premises_fol, c.fixed.conclusion_fol.as_deref(), settings.reading))
        .collect();
    let mut pairs: Vec<(&Formula, &Formula)> = Vec::new();
    for (case, repaired) in story.iter().zip(&repaired) {
        let originals = case.reading.premises.iter().chain(&case.reading.conclusion);
        let became = repaired.premises.iter().chain(&repaired.conclusion);
        for pair in originals.zip(became) {
            // An original that agreed could be read; what cannot be read now does not say the same.
            let (Some(original), Some(repaired)) = pair else { return Some(false) };
            if !pairs.contains(&(original, repaired)) {
                pairs.push((original, repaired));
            }
        }
    }
    equivalent_up_to_renaming(&pairs, bench)
}

/// What differs from the originals. Premises are those of the record at `index`, which all share.
fn changed(story: &[Case<'_>], index: usize, climbed: &[Climbed]) -> Vec<Changed> {
    let mut out = Vec::new();
    for (i, (case, climbed)) in story.iter().zip(climbed).enumerate() {
        let mut compare = |target, original: &str, repaired: &str| {
            if original != repaired {
                let record_id = (i != index).then(|| case.record.record_id.clone());
                out.push(Changed { target, record_id, original: original.to_owned(), repaired: repaired.to_owned() });
            }
        };
        if i == index {
            let premises = case.record.premises_fol.iter().zip(&climbed.fixed.premises_fol);
            for (premise, (original, repaired)) in premises.enumerate() {
                compare(Target::Premise(premise), original, repaired);
            }
        }
        if let (Some(original), Some(repaired)) = (&case.record.conclusion_fol, &climbed.fixed.conclusion_fol) {
            compare(Target::Conclusion, original, repaired);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::EditKind;
    use crate::evaluate::ErrorKind;
    use crate::evaluate::testing::{record, settings, with_bench};
    use crate::record::Label;

    const PREMISES: [&str; 2] = ["∀x (Heron(x) → Eat(x, fish))", "Heron(grey)"];

    /// What becomes of the first of two records if one premise is spoilt and the premises and the first conclusion are
    /// then changed to these, by search.
    fn after(
        spoilt: &str,
        premises: &[&str],
        conclusion: &str,
        change: impl Fn(&mut [Climbed]),
        bench: &Bench<'_>,
    ) -> Trial {
        let settings = settings();
        let story = [
            record("a", &PREMISES, "Eat(grey, fish)", Label::True),
            record("b", &PREMISES, "Heron(grey)", Label::True),
        ];
        let mutation = Mutation {
            kind: ErrorKind::Misspelt,
            target: Target::Premise(1),
            before: PREMISES[1].to_owned(),
            after: spoilt.to_owned(),
        };
        let with_error = story.clone().map(|record| mutation.apply(&record));
        let (story, spoilt) = (cases(&story, &settings, bench), cases(&with_error, &settings, bench));
        // As if nothing had been found: what search finds is no matter here.
        let untouched =
            |case: &Case<'_>| Climbed { fixed: case.fixed.clone(), verdict: Some(case.verdict), ..Climbed::default() };
        let mut climbed: Vec<Climbed> = spoilt.iter().map(untouched).collect();
        for (i, (climbed, case)) in climbed.iter_mut().zip(&spoilt).enumerate() {
            let mut set = |target, text: &mut String, after: &str| {
                if text != after {
                    climbed.fixed.edits.push(Edit {
                        target,
                        before: std::mem::replace(text, after.to_owned()),
                        after: after.to_owned(),
                        rule: "N201".to_owned(),
                        kind: EditKind::Search,
                        iteration: 1,
                        alternatives: Vec::new(),
                        asked_by: (i > 0).then(|| "a".to_owned()),
                        why: String::new(),
                    });
                }
            };
            let mut fixed = case.fixed.clone();
            for (at, (text, after)) in fixed.premises_fol.iter_mut().zip(premises).enumerate() {
                set(Target::Premise(at), text, after);
            }
            if let Some(text) = fixed.conclusion_fol.as_mut().filter(|_| i == 0) {
                set(Target::Conclusion, text, conclusion);
            }
            (climbed.fixed.premises_fol, climbed.fixed.conclusion_fol) = (fixed.premises_fol, fixed.conclusion_fol);
            let reading =
                Reading::new(&climbed.fixed.premises_fol, climbed.fixed.conclusion_fol.as_deref(), settings.reading);
            climbed.verdict = Some(quick_verdict(case.record, &reading, bench));
        }
        change(&mut climbed);
        let ended = Ended { story: &story, index: 0, spoilt: &spoilt, climbed: &climbed };
        judged(&ended, mutation, &settings, bench).expect("a record at the index")
    }

    #[test]
    fn outcomes() {
        with_bench(|bench| {
            let told = |premises: [&str; 2], conclusion| {
                let trial = after("Herom(grey)", &premises, conclusion, |_| {}, bench);
                (trial.outcome, trial.faithful, trial.rules.len())
            };
            let spoilt = [PREMISES[0], "Herom(grey)"];
            assert_eq!(told(spoilt, "Eat(grey, fish)"), (Outcome::Untouched, None, 0));
            // An edit of a premise is one edit, though it stands in both records.
            assert_eq!(told(PREMISES, "Eat(grey, fish)"), (Outcome::Restored(Rung::Search), Some(true), 1));
            // The other rule bent to the misspelling: the story's other conclusion speaks of herons still.
            let bent = ["∀x (Herom(x) → Eat(x, fish))", "Herom(grey)"];
            assert_eq!(told(bent, "Eat(grey, fish)"), (Outcome::Wrong(Rung::Search), Some(false), 1));
            assert_eq!(told(spoilt, "Herom(grey)"), (Outcome::Wrong(Rung::Search), Some(false), 1));
            assert_eq!(told(["Eat(grey, fish", "Herom(grey)"], "Eat(grey, fish)").0, Outcome::Unreadable);
        });
    }

    #[test]
    fn ambiguity_is_told_only_of_rows_that_do_not_agree() {
        with_bench(|bench| {
            let ambiguous = |climbed: &mut [Climbed]| climbed[0].ambiguous = true;
            let spoilt = [PREMISES[0], "Herom(grey)"];
            let trial = after("Herom(grey)", &spoilt, "Eat(grey, fish)", ambiguous, bench);
            assert_eq!(trial.outcome, Outcome::Ambiguous);
            let trial = after("Herom(grey)", &PREMISES, "Eat(grey, fish)", ambiguous, bench);
            assert_eq!(trial.outcome, Outcome::Restored(Rung::Search));
        });
    }

    #[test]
    fn what_was_changed_is_told() {
        with_bench(|bench| {
            let premises = ["∀x (Herom(x) → Eat(x, fish))", "Herom(grey)"];
            let trial = after("Herom(grey)", &premises, "Eat(grey, fish)", |_| {}, bench);
            let changed: Vec<_> = trial.changed.iter().map(|c| (c.target, c.repaired.as_str())).collect();
            assert_eq!(changed, [(Target::Premise(0), premises[0]), (Target::Premise(1), premises[1])]);
        });
    }

    #[test]
    fn an_error_that_changes_no_verdict_is_counted_apart() {
        with_bench(|bench| {
            let story = [record("a", &["P(a)", "Q(b)"], "P(a)", Label::True)];
            let cases = cases(&story, &settings(), bench);
            let made = |target, before: &str, after: &str| {
                let mutation =
                    Mutation { kind: ErrorKind::Case, target, before: before.to_owned(), after: after.to_owned() };
                trial(&cases, 0, mutation, &settings(), bench).expect("a record").outcome
            };
            assert_eq!(made(Target::Premise(1), "Q(b)", "q(b)"), Outcome::Unchanged);
            assert_ne!(made(Target::Premise(0), "P(a)", "p(a)"), Outcome::Unchanged);
            // Safe fixes close the bracket.
            assert_eq!(made(Target::Premise(0), "P(a)", "P(a"), Outcome::Restored(Rung::Fixes));
        });
    }
}
