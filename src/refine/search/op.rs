//! One thing that may be wrong, and the edits that would mend it.

use super::desk::Desk;
use super::{capture, names, opened, phrasing};
use crate::diagnostic::TextEdit;
use crate::refine::priors::RepairRule;

/// A candidate: edits in one or several annotations that make sense only together.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::refine) struct Op {
    /// What sort of repair it is.
    pub(in crate::refine) rule: &'static str,
    /// How far it is from the text as it stands.
    pub(in crate::refine) cost: f64,
    /// Why, in words.
    pub(in crate::refine) why: String,
    /// By index of the annotation (the conclusion last), in order: edits of its text, in order.
    pub(in crate::refine) edits: Vec<(usize, Vec<TextEdit>)>,
    /// Candidates of one class are ways to write one repair; of two, the cheaper stands for both.
    pub(in crate::refine) class: String,
}

impl Op {
    pub(in crate::refine) fn new(
        rule: &RepairRule,
        class: String,
        why: String,
        mut edits: Vec<(usize, Vec<TextEdit>)>,
    ) -> Self {
        for (_, edits) in &mut edits {
            edits.sort_by_key(|e| (e.span.start, e.span.end));
        }
        edits.sort_by_key(|(sheet, _)| *sheet);
        Self { rule: rule.name, cost: rule.cost, why, edits, class }
    }

    /// Dearer by so much.
    pub(in crate::refine) fn dearer(mut self, by: f64) -> Self {
        self.cost += by;
        self
    }

    /// Whether both change something at the same place.
    pub(in crate::refine) fn clashes(&self, other: &Self) -> bool {
        self.class == other.class
            || self.edits.iter().any(|(sheet, mine)| {
                let theirs = other.edits.iter().filter(|(s, _)| s == sheet).flat_map(|(_, edits)| edits);
                theirs.into_iter().any(|b| {
                    mine.iter().any(|a| {
                        let touches = a.span.start < b.span.end && b.span.start < a.span.end;
                        touches || a.span == b.span
                    })
                })
            })
    }
}

/// What a premise costs more than a conclusion: it is shared.
pub(super) const PREMISE: f64 = 0.2;

/// All candidates for a record, the nearest first: those that rules and other versions offer, and the search's own.
pub(in crate::refine) fn candidates(desk: &Desk<'_>, offered: Vec<Op>) -> Vec<Op> {
    let mut out = offered;
    names::candidates(desk, &mut out);
    capture::candidates(desk, &mut out);
    opened::candidates(desk, &mut out);
    phrasing::candidates(desk, &mut out);
    let conclusion = desk.conclusion();
    for op in &mut out {
        #[expect(clippy::cast_precision_loss, reason = "records have few premises")]
        let premises = op.edits.iter().filter(|(sheet, _)| *sheet != conclusion).count() as f64;
        op.cost += PREMISE * premises;
    }
    out.sort_by(|a, b| a.cost.total_cmp(&b.cost).then_with(|| a.class.cmp(&b.class)).then_with(|| a.why.cmp(&b.why)));
    out.dedup_by(|a, b| a.edits == b.edits);
    out
}
