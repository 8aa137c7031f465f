//! A bench that counts: every question of a critique is asked here, and none beyond the bounds.

use std::collections::BTreeSet;

use crate::fol::Formula;
use crate::fol::model::Model;
use crate::ground::{Answer, Statement, decide};
use crate::record::Verdict;
use crate::refine::Bench;

/// What came of a set of statements.
pub(super) enum Said {
    /// They have this model; `None` where nobody wrote it down.
    Model(Option<Box<Model>>),
    /// They contradict each other: with the smallest list of statements that do, where it is known.
    Contradiction(Option<Vec<usize>>),
    /// Nobody says, or nobody may be asked any more.
    Open,
}

/// Counts the questions put to a bench.
pub(super) struct Questions<'b> {
    bench: &'b Bench<'b>,
    /// Questions that may still be asked.
    left: u32,
    /// The part of the critique that asks, and how many questions it has left.
    part: (&'static str, u32),
    /// How many were asked.
    pub(super) asked: u32,
    /// The parts that had a question left when a bound was reached.
    pub(super) cut_short: BTreeSet<&'static str>,
}

impl<'b> Questions<'b> {
    /// For at most `limit` questions.
    pub(super) const fn new(bench: &'b Bench<'b>, limit: u32) -> Self {
        Self { bench, left: limit, part: ("", limit), asked: 0, cut_short: BTreeSet::new() }
    }

    /// From here on a part of the critique asks, which may ask this much.
    pub(super) const fn start(&mut self, part: &'static str, limit: u32) {
        self.part = (part, limit);
    }

    /// Notes that the part that asks had more to do than it may.
    pub(super) fn cut(&mut self) {
        self.cut_short.insert(self.part.0);
    }

    /// Whether nobody may be asked any more by this part.
    pub(super) const fn is_spent(&self) -> bool {
        self.left == 0 || self.part.1 == 0
    }

    fn may_ask(&mut self) -> bool {
        if self.is_spent() {
            self.cut();
            return false;
        }
        self.left -= 1;
        self.part.1 -= 1;
        self.asked += 1;
        true
    }

    /// As [`Bench::consistent`]; `None` also where nobody may be asked.
    pub(super) fn consistent(&mut self, formulas: &[&Formula]) -> Option<bool> {
        if self.may_ask() { self.bench.consistent(formulas) } else { None }
    }

    /// As [`Bench::entails`]; `None` also where nobody may be asked.
    pub(super) fn entails(&mut self, premises: &[&Formula], conclusion: &Formula, negated: bool) -> Option<bool> {
        if self.may_ask() { self.bench.entails(premises, conclusion, negated) } else { None }
    }

    /// As [`Bench::verdict`]; `None` where nobody may be asked.
    pub(super) fn verdict(&mut self, premises: &[&Formula], conclusion: &Formula) -> Option<Verdict> {
        if !self.consistent_or_open(premises)? {
            return Some(Verdict::Inconsistent);
        }
        Some(match (self.side(premises, conclusion, false)?, self.side(premises, conclusion, true)?) {
            (Some(true), Some(false)) => Verdict::True,
            (Some(false), Some(true)) => Verdict::False,
            (Some(false), Some(false)) => Verdict::Uncertain,
            (Some(true), Some(true)) | (None, _) | (_, None) => Verdict::Undetermined,
        })
    }

    /// Outer `None` where nobody may be asked; premises that nobody can tell to be consistent count as such here, and
    /// the other two questions tell.
    fn consistent_or_open(&mut self, premises: &[&Formula]) -> Option<bool> {
        if self.may_ask() { Some(self.bench.consistent(premises).unwrap_or(true)) } else { None }
    }

    fn side(&mut self, premises: &[&Formula], conclusion: &Formula, negated: bool) -> Option<Option<bool>> {
        if self.may_ask() { Some(self.bench.entails(premises, conclusion, negated)) } else { None }
    }

    /// A model of the statements, or the news that they contradict each other. A last statement that is `negated` makes
    /// it a question of what follows from the others.
    pub(super) fn model(&mut self, premises: &[&Formula], last: Option<(&Formula, bool)>) -> Said {
        if !self.may_ask() {
            return Said::Open;
        }
        let mut statements: Vec<Statement<'_>> =
            premises.iter().map(|f| Statement { formula: f, negated: false }).collect();
        statements.extend(last.map(|(formula, negated)| Statement { formula, negated }));
        match decide(&statements, self.bench.lowering.unique_names) {
            Ok(Answer::Model(model)) => Said::Model(Some(Box::new(model))),
            Ok(Answer::Contradiction(certificate, _)) => Said::Contradiction(Some(certificate.statements())),
            Err(_) => {
                let answer = match last {
                    None => self.bench.consistent(premises),
                    Some((formula, negated)) => self.bench.entails(premises, formula, !negated).map(|follows| !follows),
                };
                match answer {
                    Some(true) => Said::Model(None),
                    Some(false) => Said::Contradiction(None),
                    None => Said::Open,
                }
            }
        }
    }
}
