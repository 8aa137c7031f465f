//! What a proof would need: the smallest sets of hypotheses that give the label (abduction; Peirce 1903).
//!
//! A model of the premises in which the label's answer is false refutes every hypothesis that holds in it, so most are
//! never asked about: each question that fails gives a model more.

use serde::Serialize;

use super::hypotheses::{Hypothesis, hypotheses};
use super::questions::{Questions, Said};
use super::story::Story;
use crate::diagnostic::Target;
use crate::fol::Formula;
use crate::fol::model::Model;
use crate::record::Label;

/// Hypotheses of which pairs are made, at most.
const MAX_PAIRED: usize = 120;

/// Formulas that, added to the premises, would prove the label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Abduced {
    /// One formula, or two that are needed together.
    pub formulas: Vec<String>,
    /// For each of them a sentence that has the words of all its names, where there is one.
    #[serde(serialize_with = "super::all_as_text")]
    pub sentences: Vec<Option<Target>>,
}

/// What came of the search for what is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Abduction {
    /// The best few sets, the least far-fetched first; all of them have the same number of formulas, the smallest that
    /// will do.
    pub sets: Vec<Abduced>,
    /// How many sets there are in all, as far as the bounds reach.
    pub found: usize,
}

/// Bounds of the search for what is missing.
pub(super) struct Limits {
    pub(super) hypotheses: usize,
    pub(super) found: usize,
    pub(super) shown: usize,
}

/// The smallest sets of hypotheses that give the label, which must be `True` or `False` where premises and conclusion
/// leave both open.
pub(super) fn abduction(story: &Story<'_>, label: Label, limits: &Limits, questions: &mut Questions<'_>) -> Abduction {
    let Some(conclusion) = story.conclusion() else { return Abduction::default() };
    let negated = match label {
        Label::True => false,
        Label::False => true,
        Label::Uncertain => return Abduction::default(),
    };
    let (hypotheses, more) = hypotheses(story, limits.hypotheses);
    if more {
        questions.cut();
    }
    let mut search = Search { premises: story.premises(), conclusion, negated, refuted: Vec::new(), questions };
    search.refuted = hypotheses.iter().map(|_| Vec::new()).collect();
    // Without any hypothesis: what holds in this model is refuted before anything is asked.
    if let Said::Model(Some(model)) = search.ask(&[]) {
        search.learn(&model, &hypotheses);
    }
    let singles = (0..hypotheses.len()).map(|i| vec![i]);
    let mut found = search.all(singles, &hypotheses, limits.found);
    if found.is_empty() {
        let paired = hypotheses.len().min(MAX_PAIRED);
        let mut pairs: Vec<(u32, Vec<usize>)> = Vec::new();
        for i in 0..paired {
            for j in i + 1..paired {
                let cost = [i, j].iter().filter_map(|k| hypotheses.get(*k)).map(|h| h.cost).sum();
                pairs.push((cost, vec![i, j]));
            }
        }
        pairs.sort();
        found = search.all(pairs.into_iter().map(|(_, pair)| pair), &hypotheses, limits.shown);
    }
    let abduced = |set: &Vec<usize>| {
        let set: Vec<&Hypothesis> = set.iter().filter_map(|i| hypotheses.get(*i)).collect();
        Abduced {
            formulas: set.iter().map(|h| h.text.clone()).collect(),
            sentences: set.iter().map(|h| h.sentence).collect(),
        }
    };
    Abduction { sets: found.iter().take(limits.shown).map(abduced).collect(), found: found.len() }
}

struct Search<'s, 'q, 'b> {
    premises: Vec<&'s Formula>,
    conclusion: &'s Formula,
    negated: bool,
    /// For each hypothesis, which of the models found so far it holds in.
    refuted: Vec<Vec<bool>>,
    questions: &'q mut Questions<'b>,
}

impl Search<'_, '_, '_> {
    /// The sets that give the label, in their order, until `enough` are found or nobody may be asked.
    fn all(
        &mut self,
        sets: impl Iterator<Item = Vec<usize>>,
        hypotheses: &[Hypothesis],
        enough: usize,
    ) -> Vec<Vec<usize>> {
        let mut found: Vec<Vec<usize>> = Vec::new();
        for set in sets {
            if found.len() >= enough {
                break;
            }
            if self.is_refuted(&set) {
                continue;
            }
            let formulas: Vec<&Formula> = set.iter().filter_map(|i| hypotheses.get(*i)).map(|h| &h.formula).collect();
            match self.ask(&formulas) {
                Said::Model(Some(model)) => self.learn(&model, hypotheses),
                Said::Contradiction if self.is_fair(&set, hypotheses) => found.push(set),
                // Nothing more will be answered if nobody may be asked.
                Said::Open if self.questions.is_spent() => break,
                Said::Model(None) | Said::Contradiction | Said::Open => {}
            }
        }
        found
    }

    /// Premises and hypotheses with the denial of what is to follow.
    fn ask(&mut self, added: &[&Formula]) -> Said {
        let all: Vec<&Formula> = self.premises.iter().chain(added).copied().collect();
        self.questions.model(&all, self.conclusion, !self.negated)
    }

    /// Whether some model found so far makes all of a set true.
    fn is_refuted(&self, set: &[usize]) -> bool {
        let rows: Vec<&Vec<bool>> = set.iter().filter_map(|i| self.refuted.get(*i)).collect();
        let models = rows.first().map_or(0, |row| row.len());
        (0..models).any(|m| rows.iter().all(|row| row.get(m).copied().unwrap_or(false)))
    }

    fn learn(&mut self, model: &Model, hypotheses: &[Hypothesis]) {
        let evaluator = model.evaluator();
        for (row, hypothesis) in self.refuted.iter_mut().zip(hypotheses) {
            row.push(evaluator.holds(&hypothesis.formula).unwrap_or(false));
        }
    }

    /// Whether a set that gives the label is no contradiction with the premises, needs them, and does not do it by leaving
    /// nothing that its conditions could speak of.
    fn is_fair(&mut self, set: &[usize], hypotheses: &[Hypothesis]) -> bool {
        let set: Vec<&Hypothesis> = set.iter().filter_map(|i| hypotheses.get(*i)).collect();
        let added: Vec<&Formula> = set.iter().map(|h| &h.formula).collect();
        let all: Vec<&Formula> = self.premises.iter().chain(&added).copied().collect();
        // Something that satisfies a condition is consistent with all only if all are consistent.
        let conditions: Vec<&Formula> = set.iter().filter_map(|h| h.nothing.as_ref()).collect();
        let may_hold = match conditions.as_slice() {
            [] => self.questions.consistent(&all) == Some(true),
            some => some.iter().all(|nothing| self.questions.entails(&all, nothing, false) == Some(false)),
        };
        may_hold && self.questions.entails(&added, self.conclusion, self.negated) == Some(false)
    }
}
