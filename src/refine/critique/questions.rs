//! A bench that counts: every question of a critique is asked here, and none beyond the bounds.

use std::collections::BTreeSet;

use super::story::Story;
use crate::diagnostic::Target;
use crate::fol::model::Model;
use crate::fol::{Connective, Formula, FormulaKind, Quantifier, SymbolKind};
use crate::ground::{self, Answer, Statement};
use crate::record::Verdict;
use crate::refine::Bench;

/// Instances of a story's formulas that are answered for in the time of an ordinary question.
const ORDINARY: u64 = 12_000;

/// What came of a set of statements.
pub(super) enum Said {
    /// They have this model; `None` where nobody wrote it down.
    Model(Option<Box<Model>>),
    /// They contradict each other.
    Contradiction,
    /// Nobody says, or nobody may be asked.
    Open,
}

/// Counts the questions put to a bench.
pub(super) struct Questions<'b> {
    bench: &'b Bench<'b>,
    /// What a question about this story counts: 1, unless its formulas have many instances.
    weight: u32,
    /// What questions may still count in all.
    left: u32,
    /// The part of the critique that asks, and what its questions may still count.
    part: (&'static str, u32),
    /// How many were asked.
    pub(super) asked: u32,
    /// The parts that had a question left when a bound was reached.
    pub(super) cut_short: BTreeSet<&'static str>,
}

impl<'b> Questions<'b> {
    /// For at most `limit` questions about a story; fewer where each of them takes long.
    pub(super) fn new(bench: &'b Bench<'b>, limit: u32, story: &Story<'_>) -> Self {
        let weight = weight(story);
        Self { bench, weight, left: limit, part: ("", limit), asked: 0, cut_short: BTreeSet::new() }
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
        self.left < self.weight || self.part.1 < self.weight
    }

    fn may_ask(&mut self) -> bool {
        if self.is_spent() {
            self.cut();
            return false;
        }
        self.left -= self.weight;
        self.part.1 -= self.weight;
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

    /// As [`Bench::verdict`]; `None` where nobody may be asked. Whether the premises are consistent shows in the two
    /// answers, so it is not asked.
    pub(super) fn verdict(&mut self, premises: &[&Formula], conclusion: &Formula) -> Option<Verdict> {
        let follows = self.side(premises, conclusion, false)?;
        let refuted = self.side(premises, conclusion, true)?;
        Some(match (follows, refuted) {
            (Some(true), Some(false)) => Verdict::True,
            (Some(false), Some(true)) => Verdict::False,
            (Some(false), Some(false)) => Verdict::Uncertain,
            // Both follow from a contradiction only.
            (Some(true), Some(true)) => Verdict::Inconsistent,
            (None, _) | (_, None) => Verdict::Undetermined,
        })
    }

    /// Outer `None` where nobody may be asked.
    fn side(&mut self, premises: &[&Formula], conclusion: &Formula, negated: bool) -> Option<Option<bool>> {
        if self.may_ask() { Some(self.bench.entails(premises, conclusion, negated)) } else { None }
    }

    /// A model of premises and a last statement, which may be negated, or the news that they contradict each other.
    pub(super) fn model(&mut self, premises: &[&Formula], last: &Formula, negated: bool) -> Said {
        if !self.may_ask() {
            return Said::Open;
        }
        let mut statements = plain(premises);
        statements.push(Statement { formula: last, negated });
        match ground::model(&statements, self.bench.lowering.unique_names) {
            Ok(Some(model)) => Said::Model(Some(Box::new(model))),
            Ok(None) => Said::Contradiction,
            Err(_) => match self.bench.entails(premises, last, !negated) {
                Some(false) => Said::Model(None),
                Some(true) => Said::Contradiction,
                None => Said::Open,
            },
        }
    }

    /// Which of some formulas contradict each other, so that none can be left out: `Some(None)` where they are
    /// consistent, `None` where nobody says or may be asked.
    pub(super) fn core(&mut self, formulas: &[&Formula]) -> Option<Option<Vec<usize>>> {
        if !self.may_ask() {
            return None;
        }
        match ground::decide(&plain(formulas), self.bench.lowering.unique_names) {
            Ok(Answer::Model(_)) => return Some(None),
            // A certificate has no statement that it could do without.
            Ok(Answer::Contradiction(certificate, _)) => return Some(Some(certificate.statements())),
            Err(_) => {}
        }
        if self.bench.consistent(formulas)? {
            return Some(None);
        }
        let mut core: Vec<usize> = (0..formulas.len()).collect();
        let mut at = 0;
        while let Some(tried) = core.get(at).copied() {
            let rest: Vec<usize> = core.iter().copied().filter(|i| *i != tried).collect();
            let formulas: Vec<&Formula> = rest.iter().filter_map(|i| formulas.get(*i)).copied().collect();
            if self.consistent(&formulas) == Some(false) {
                core = rest;
            } else {
                at += 1;
            }
        }
        Some(Some(core))
    }
}

fn plain<'a>(formulas: &[&'a Formula]) -> Vec<Statement<'a>> {
    formulas.iter().map(|f| Statement { formula: f, negated: false }).collect()
}

/// What a question about a story counts, by the instances that its formulas have over its individuals.
pub(super) fn weight(story: &Story<'_>) -> u32 {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let mut count = Count::default();
    for part in &story.parts {
        part.formula.each_symbol(&mut |s| {
            if matches!(s.kind, SymbolKind::Constant | SymbolKind::Free) {
                names.insert(s.name);
            }
        });
        // The conclusion is asked about both ways.
        count.add(part.formula, true, false);
        if part.target == Target::Conclusion {
            count.add(part.formula, false, false);
        }
    }
    let names = u64::try_from(names.len()).unwrap_or(u64::MAX);
    let own = names.saturating_add(count.witnesses).max(1);
    // Each witness that depends on another individual is one more for each of them.
    let individuals = own.saturating_add(own.saturating_mul(count.dependent));
    let mut all = story.parts.iter().fold(0, |sum: u64, part| sum.saturating_add(instances(part.formula, individuals)));
    if count.equations {
        all = all.saturating_add(individuals.saturating_pow(3));
    }
    u32::try_from(1 + all / ORDINARY).unwrap_or(u32::MAX)
}

/// What makes a story's questions long.
#[derive(Default)]
struct Count {
    /// Existential quantifiers that stand under no universal one.
    witnesses: u64,
    /// Those that stand under one.
    dependent: u64,
    /// Whether there is an equation.
    equations: bool,
}

impl Count {
    fn add(&mut self, formula: &Formula, positive: bool, under: bool) {
        match &formula.kind {
            FormulaKind::Quantified(quantifier, variables, body) => {
                let universal = (*quantifier == Quantifier::ForAll) == positive;
                let new = u64::try_from(variables.len()).unwrap_or(u64::MAX);
                if !universal {
                    let count = if under { &mut self.dependent } else { &mut self.witnesses };
                    *count = count.saturating_add(new);
                }
                self.add(body, positive, under || universal);
            }
            FormulaKind::Not(a) => self.add(a, !positive, under),
            FormulaKind::Binary(Connective::Implies, a, b) => {
                self.add(a, !positive, under);
                self.add(b, positive, under);
            }
            FormulaKind::Binary(Connective::Xor | Connective::Iff, a, b) => {
                for part in [a, b] {
                    self.add(part, true, under);
                    self.add(part, false, under);
                }
            }
            FormulaKind::Binary(_, a, b) => {
                self.add(a, positive, under);
                self.add(b, positive, under);
            }
            FormulaKind::Equal(..) | FormulaKind::NotEqual(..) => self.equations = true,
            FormulaKind::Atom(_) | FormulaKind::Constant(_) => {}
        }
    }
}

/// The atoms of a formula once its quantifiers run over that many individuals.
fn instances(formula: &Formula, individuals: u64) -> u64 {
    match &formula.kind {
        FormulaKind::Quantified(_, variables, body) => {
            variables.iter().fold(instances(body, individuals), |all, _| all.saturating_mul(individuals))
        }
        // Both sides stand twice: plain and negated.
        FormulaKind::Binary(Connective::Xor | Connective::Iff, a, b) => {
            instances(a, individuals).saturating_add(instances(b, individuals)).saturating_mul(2)
        }
        _ => formula.children().fold(1, |all, part| all.saturating_add(instances(part, individuals))),
    }
}
