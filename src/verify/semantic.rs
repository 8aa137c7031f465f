//! Findings about single annotations that need a prover: the rules of family `L`.

use std::collections::BTreeMap;

use super::asker::Asker;
use super::lower::Lowering;
use super::reading::{Reading, ReadingOptions};
use crate::diagnostic::{Diagnostic, Span, Target};
use crate::fol::{Formula, parse_with, sample};
use crate::lint::logic;
use crate::prove::{Decision, Outcome, Problem};
use crate::record::Edit;

/// Tautologous and contradictory annotations among those that have a reading.
///
/// Most formulas are told by a few small interpretations to be neither; the prover is asked about the rest. A question
/// that it leaves open gives no finding.
#[must_use]
pub fn check_annotations(reading: &Reading, lowering: &Lowering, asker: &Asker<'_>) -> Vec<Diagnostic> {
    let premises = reading.premises.iter().enumerate().map(|(i, f)| (Target::Premise(i), f.as_ref()));
    let conclusion = (Target::Conclusion, reading.conclusion.as_ref().and_then(Option::as_ref));
    let mut out = Vec::new();
    for (target, formula) in premises.chain([conclusion]) {
        let Some(formula) = formula else { continue };
        let signature = sample::signature(formula);
        if signature.is_none_or(|s| s == sample::ALL) && follows(asker, &lowering.validity(formula, false)) {
            out.push(logic::tautologous(target, formula.span));
        } else if signature.is_none_or(|s| s == 0) && follows(asker, &lowering.validity(formula, true)) {
            out.push(logic::contradictory(target, formula.span));
        }
    }
    out
}

/// Keeps of each edit's alternatives those that are not equivalent to what the edit gave, and reports them.
///
/// An alternative is dropped only where a prover shows the equivalence; one about which nothing is known is kept, and
/// the finding tells it from those that were shown to differ.
#[must_use]
pub fn check_alternatives(
    edits: &mut [Edit],
    options: ReadingOptions,
    lowering: &Lowering,
    asker: &Asker<'_>,
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for edit in edits.iter_mut().filter(|e| !e.alternatives.is_empty()) {
        let Some(taken) = parse_with(&edit.after, options.scope).formula else { continue };
        let mut meanings: BTreeMap<String, Option<Meaning>> = BTreeMap::new();
        let (mut different, mut open) = (Vec::new(), Vec::new());
        edit.alternatives.retain(|text| {
            let meaning = *meanings.entry(text.clone()).or_insert_with(|| {
                parse_with(text, options.scope).reading().map(|other| compare(&taken, other, lowering, asker))
            });
            match meaning {
                None | Some(Meaning::Equivalent) => return false,
                Some(Meaning::Different) => different.push(text.clone()),
                Some(Meaning::Unknown) => open.push(text.clone()),
            }
            true
        });
        if !edit.alternatives.is_empty() {
            let span = Span::new(0, edit.before.len());
            out.push(logic::alternative_reading(edit.target, span, &edit.rule, &different, &open));
        }
    }
    out
}

/// How the meanings of two formulas stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// Shown to hold in the same models.
    Equivalent,
    /// Shown not to.
    Different,
    /// Neither was shown.
    Unknown,
}

fn compare(a: &Formula, b: &Formula, lowering: &Lowering, asker: &Asker<'_>) -> Meaning {
    if let (Some(x), Some(y)) = (sample::signature(a), sample::signature(b))
        && x != y
    {
        return Meaning::Different;
    }
    match asker.ask_unsaved(&lowering.equivalence(a, b)).0.outcome {
        Outcome::Decided { decision: Decision::Follows, .. } => Meaning::Equivalent,
        Outcome::Decided { decision: Decision::DoesNotFollow | Decision::NegationFollows, .. } => Meaning::Different,
        Outcome::Decided { .. } | Outcome::Undecided { .. } => Meaning::Unknown,
    }
}

fn follows(asker: &Asker<'_>, problem: &Problem) -> bool {
    let (answer, _) = asker.ask_unsaved(problem);
    matches!(answer.outcome, Outcome::Decided { decision: Decision::Follows, .. })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::diagnostic::EditKind;
    use crate::prove::{Attempt, Finding, Identity, Origin, Prover, Reason, Run, Schedule, Szs};

    /// Gives one outcome to every question.
    struct Fixed(Identity, Result<Szs, Reason>);

    impl Prover for Fixed {
        fn identity(&self) -> &Identity {
            &self.0
        }

        fn run(&self, _problem: &Problem, _attempt: &Attempt, _memory_mb: u64) -> Run {
            let outcome = self.1.clone().map(|status| Finding { status, used: None, proof: None, model: None });
            Run { outcome, wall: Duration::ZERO }
        }
    }

    /// What is kept and said of alternatives to `P(a) ∧ Q(a)` where the prover answers so.
    fn checked(alternatives: &[&str], answer: Result<Szs, Reason>) -> (usize, Vec<String>) {
        let identity = Identity {
            name: "fixed".to_owned(),
            version: "1".to_owned(),
            origin: Origin::Given,
            sha256: String::new(),
            path: "fixed".into(),
        };
        let attempt = Attempt { name: "only".to_owned(), options: Vec::new(), time_limit: 1.0 };
        let schedule = Schedule { attempts: vec![attempt], memory_mb: 64, retries_after_crash: 0 };
        let prover = Fixed(identity, answer);
        let asker = Asker::new(&prover, &schedule, None);
        let mut edits = [Edit {
            target: Target::Conclusion,
            before: "P(a) ∧ Q(a))".to_owned(),
            after: "P(a) ∧ Q(a)".to_owned(),
            kind: EditKind::Fix,
            rule: "S101".to_owned(),
            alternatives: alternatives.iter().map(|&a| a.to_owned()).collect(),
            iteration: 0,
            asked_by: None,
            why: String::new(),
        }];
        let found = check_alternatives(&mut edits, ReadingOptions::default(), &Lowering::default(), &asker);
        (edits[0].alternatives.len(), found.into_iter().map(|d| d.message).collect())
    }

    #[test]
    fn only_what_was_shown_is_said_of_an_alternative() {
        let same = "Q(a) ∧ P(a)";
        assert_eq!(checked(&[same], Ok(Szs::Theorem)), (0, vec![]));
        assert_eq!(
            checked(&[same], Ok(Szs::CounterSatisfiable)),
            (1, vec!["the fix of S101 has another reading with another meaning".to_owned()])
        );
        for silent in [Reason::Timeout, Reason::GaveUp] {
            assert_eq!(
                checked(&[same], Err(silent.clone())),
                (1, vec!["the fix of S101 has another reading not shown to be equivalent".to_owned()])
            );
            let expected = "the fix of S101 has another reading with another meaning and 2 other readings not shown to \
                            be equivalent";
            assert_eq!(
                checked(&[same, "P(a) ∨ Q(a)", "Q(a) ∧ P(a) ∧ P(a)"], Err(silent)),
                (3, vec![expected.to_owned()])
            );
        }
    }
}
