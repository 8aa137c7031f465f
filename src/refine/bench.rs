//! Verdicts on many texts, fast: what search asks.
//!
//! A question is grounded in this process; the prover is asked only about what grounding leaves open. No evidence is kept:
//! whatever comes of it is judged once more, in full, before it may leave.

use crate::fol::Formula;
use crate::ground::{Statement, satisfiable};
use crate::prove::{Decision, Outcome};
use crate::record::Verdict;
use crate::verify::{Asker, Lowering};

/// Answers questions about sets of formulas.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    /// How problems are made for the prover.
    pub lowering: &'a Lowering,
    /// The prover, for what grounding leaves open.
    pub asker: &'a Asker<'a>,
}

impl Bench<'_> {
    /// Whether formulas have a common model; `None` where nobody says.
    #[must_use]
    pub fn consistent(&self, formulas: &[&Formula]) -> Option<bool> {
        let statements: Vec<Statement<'_>> =
            formulas.iter().map(|f| Statement { formula: f, negated: false }).collect();
        if let Ok(answer) = satisfiable(&statements, self.lowering.unique_names) {
            return Some(answer);
        }
        match self.asker.ask_unsaved(&self.lowering.consistency(formulas, None)).0.outcome {
            Outcome::Decided { decision: Decision::Satisfiable, .. } => Some(true),
            Outcome::Decided { decision: Decision::Unsatisfiable, .. } => Some(false),
            Outcome::Decided { .. } | Outcome::Undecided { .. } => None,
        }
    }

    /// Whether premises entail a conclusion, or with `negated` its negation; `None` where nobody says. Premises that
    /// contradict each other entail everything.
    #[must_use]
    pub fn entails(&self, premises: &[&Formula], conclusion: &Formula, negated: bool) -> Option<bool> {
        let mut statements: Vec<Statement<'_>> =
            premises.iter().map(|f| Statement { formula: f, negated: false }).collect();
        // What is to follow is refuted together with the premises.
        statements.push(Statement { formula: conclusion, negated: !negated });
        if let Ok(answer) = satisfiable(&statements, self.lowering.unique_names) {
            return Some(!answer);
        }
        match self.asker.ask_unsaved(&self.lowering.entailment(premises, conclusion, negated)).0.outcome {
            Outcome::Decided { decision: Decision::Follows, .. } => Some(true),
            Outcome::Decided { decision: Decision::DoesNotFollow | Decision::NegationFollows, .. } => Some(false),
            Outcome::Decided { .. } | Outcome::Undecided { .. } => None,
        }
    }

    /// The verdict on premises and a conclusion.
    #[must_use]
    pub fn verdict(&self, premises: &[&Formula], conclusion: &Formula) -> Verdict {
        match self.consistent(premises) {
            None => return Verdict::Undetermined,
            Some(false) => return Verdict::Inconsistent,
            Some(true) => {}
        }
        match (self.entails(premises, conclusion, false), self.entails(premises, conclusion, true)) {
            (Some(true), Some(false)) => Verdict::True,
            (Some(false), Some(true)) => Verdict::False,
            (Some(false), Some(false)) => Verdict::Uncertain,
            // Both would follow from a contradiction only, of which there is none.
            (Some(true), Some(true)) | (None, _) | (_, None) => Verdict::Undetermined,
        }
    }

    /// Whether two formulas hold in the same models; `None` where nobody says.
    #[must_use]
    pub fn equivalent(&self, a: &Formula, b: &Formula) -> Option<bool> {
        if crate::fol::shape::key(a, false) == crate::fol::shape::key(b, false) {
            return Some(true);
        }
        if let (Some(x), Some(y)) = (crate::fol::sample::signature(a), crate::fol::sample::signature(b))
            && x != y
        {
            return Some(false);
        }
        Some(self.entails(&[a], b, false)? && self.entails(&[b], a, false)?)
    }

    /// Whether a formula holds whatever its symbols mean (`Some(Some(true))`), never (`Some(Some(false))`), or sometimes
    /// (`Some(None)`); `None` where nobody says.
    #[must_use]
    pub fn triviality(&self, formula: &Formula) -> Option<Option<bool>> {
        if crate::fol::sample::signature(formula).is_some_and(|s| s != 0 && s != crate::fol::sample::ALL) {
            return Some(None);
        }
        if self.entails(&[], formula, false)? {
            return Some(Some(true));
        }
        Some(self.entails(&[], formula, true)?.then_some(false))
    }
}
