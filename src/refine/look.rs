//! Looking for a repair of one record.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use super::bench::Bench;
use super::case::Case;
use super::guards::{Change, Guard, Sibling, check, gives_label};
use super::ladder::{MAX_PROPOSALS, SearchOptions};
use super::offers::{of_prior, of_rules};
use super::search::{Desk, Op, candidates};
use super::step::{Step, edit, read};
use crate::diagnostic::{Target, TextEdit, apply_edits};
use crate::fol::Formula;
use crate::record::{Label, Proposal, Verdict};
use crate::verify::ReadingOptions;

/// What an edit may cost to be among those that are tried all at once.
const CONFIDENT: f64 = 2.7;

/// What looking for a repair of one record gave.
pub(super) struct Found {
    pub(super) accepted: Option<Vec<Step>>,
    pub(super) proposals: Vec<Proposal>,
    pub(super) ambiguous: bool,
}

/// A record on the bench: its trees, and what may be wrong.
struct Look<'a> {
    label: Label,
    /// Texts of the premises, then of the conclusion.
    texts: Vec<&'a str>,
    formulas: Vec<Option<&'a Formula>>,
    sentences: Vec<Option<&'a str>>,
    options: ReadingOptions,
    bench: &'a Bench<'a>,
    /// Whether the premises contradict each other as they stand: then whatever leaves them so gives any label.
    inconsistent: bool,
    ops: Vec<Op>,
}

/// Looks for a repair of the record at `index`; `None` where there is nothing to repair.
pub(super) fn look(
    cases: &[Case<'_>],
    index: usize,
    options: ReadingOptions,
    search: &SearchOptions,
    bench: &Bench<'_>,
) -> Option<Found> {
    let case = cases.get(index)?;
    // Whatever cuts a chain makes a row `Uncertain`: that a repair gives this label speaks for nothing.
    let label = case.record.label.filter(|label| *label != Label::Uncertain)?;
    let conclusion = case.fixed.conclusion_fol.as_deref()?;
    if search.max_candidates == 0
        || case.agrees()
        || case.verdict == Verdict::Unformalised
        || case.fixed.premises_fol.is_empty()
    {
        return None;
    }
    let formulas: Vec<Option<&Formula>> =
        case.reading.premises.iter().map(Option::as_ref).chain([case.reading.conclusion.as_ref()?.as_ref()]).collect();
    let siblings = Sibling::of(cases, index);
    let others: Vec<&Formula> = siblings.iter().filter_map(|sibling| sibling.conclusion).collect();
    let desk = Desk::new(case.record, &case.fixed.premises_fol, conclusion, &formulas, &others);
    let mut offered = of_rules(case, options);
    if let Some(prior) = &search.prior {
        of_prior(&desk, prior, &mut offered);
    }
    let ops = candidates(&desk, offered);
    let look = Look {
        label,
        texts: case.fixed.premises_fol.iter().map(String::as_str).chain([conclusion]).collect(),
        sentences: desk.sheets.iter().map(|s| s.sentence).collect(),
        formulas,
        options,
        bench,
        inconsistent: case.verdict == Verdict::Inconsistent,
        ops,
    };
    Some(look.run(search, &siblings))
}

/// A set of candidates, by index, rising.
#[derive(Debug, Clone, PartialEq)]
struct Node {
    cost: f64,
    ops: Vec<usize>,
}

impl Eq for Node {}

impl Ord for Node {
    /// The cheapest is the greatest, so that it comes first out of a heap.
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost).then_with(|| other.ops.cmp(&self.ops))
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The annotations that a set of candidates changes: text and tree, by index.
type Changed = BTreeMap<usize, (String, Formula)>;

impl<'a> Look<'a> {
    fn run(&self, search: &SearchOptions, siblings: &[Sibling<'_>]) -> Found {
        let mut found = Found { accepted: None, proposals: Vec::new(), ambiguous: false };
        let mut best: Option<(Node, Changed)> = None;
        let mut rivals: Vec<Node> = Vec::new();
        let mut consider = |node: Node, best: &mut Option<(Node, Changed)>, rivals: &mut Vec<Node>| -> bool {
            let Some(changed) = self.change(&node.ops) else { return false };
            if !self.gives_label(&changed) {
                return false;
            }
            if let Err(guard) = self.guard(&changed, siblings) {
                if found.proposals.len() < MAX_PROPOSALS {
                    found.proposals.push(self.proposal(&node, "refused", Some(guard.as_str())));
                }
                return false;
            }
            match best {
                None => *best = Some((node, changed)),
                Some((chosen, _)) if chosen.ops.iter().all(|op| node.ops.contains(op)) => {}
                Some((chosen, other)) => {
                    if self.differ(&chosen.ops, other, &node.ops, &changed) {
                        rivals.push(node);
                    }
                }
            }
            true
        };
        // What is hardly in doubt, all at once: where that does it, what it takes of it.
        let mut seed = self.confident();
        if seed.len() > 1 && self.change(&seed).is_some_and(|changed| self.gives_label(&changed)) {
            self.shrink(&mut seed);
            let node = self.node(seed);
            consider(node, &mut best, &mut rivals);
        }
        let mut heap = BinaryHeap::new();
        if !self.ops.is_empty() {
            heap.push(self.node(vec![0]));
        }
        let mut looked_at = 0;
        while let Some(node) = heap.pop() {
            if looked_at >= search.max_candidates
                || best.as_ref().is_some_and(|(chosen, _)| node.cost > chosen.cost + search.margin)
            {
                break;
            }
            self.expand(&node, search.max_edits, &mut heap);
            if self.clashes(&node.ops) {
                continue;
            }
            looked_at += 1;
            if best.as_ref().is_some_and(|(chosen, _)| chosen.ops == node.ops) {
                continue;
            }
            // A cheaper one than the seed takes its place.
            if best.as_ref().is_some_and(|(chosen, _)| node.cost + search.margin < chosen.cost) {
                let mut cheaper = None;
                if consider(node, &mut cheaper, &mut Vec::new()) {
                    best = cheaper;
                    rivals.clear();
                }
                continue;
            }
            consider(node, &mut best, &mut rivals);
        }
        let Some((chosen, _)) = best else { return found };
        if rivals.is_empty() {
            found.proposals.push(self.proposal(&chosen, "accepted", None));
            found.accepted = Some(self.steps(&chosen.ops));
        } else {
            found.ambiguous = true;
            for node in std::iter::once(&chosen).chain(&rivals).take(MAX_PROPOSALS) {
                found.proposals.push(self.proposal(node, "ambiguous", Some("ambiguous")));
            }
        }
        found
    }

    fn node(&self, ops: Vec<usize>) -> Node {
        let cost = ops.iter().filter_map(|i| self.ops.get(*i)).map(|op| op.cost).sum();
        Node { cost, ops }
    }

    /// The next sets by cost that contain all of this one but its dearest, or one more.
    fn expand(&self, node: &Node, max_edits: usize, heap: &mut BinaryHeap<Node>) {
        let Some((last, front)) = node.ops.split_last() else { return };
        let next = last + 1;
        if next >= self.ops.len() {
            return;
        }
        heap.push(self.node(front.iter().copied().chain([next]).collect()));
        if node.ops.len() < max_edits && !self.clashes(&node.ops) {
            heap.push(self.node(node.ops.iter().copied().chain([next]).collect()));
        }
    }

    fn clashes(&self, ops: &[usize]) -> bool {
        let get = |i: &usize| self.ops.get(*i);
        ops.iter().enumerate().any(|(n, a)| {
            ops.iter().skip(n + 1).any(|b| matches!((get(a), get(b)), (Some(a), Some(b)) if a.clashes(b)))
        })
    }

    /// Candidates that are hardly in doubt, as many as go together.
    fn confident(&self) -> Vec<usize> {
        let mut out: Vec<usize> = Vec::new();
        for (index, op) in self.ops.iter().enumerate().filter(|(_, op)| op.cost <= CONFIDENT) {
            if !out.iter().filter_map(|i| self.ops.get(*i)).any(|other| other.clashes(op)) {
                out.push(index);
            }
        }
        out
    }

    /// Leaves out what is not needed, the dearest first.
    fn shrink(&self, ops: &mut Vec<usize>) {
        for index in (0..ops.len()).rev() {
            let mut fewer = ops.clone();
            fewer.remove(index);
            if !fewer.is_empty() && self.change(&fewer).is_some_and(|changed| self.gives_label(&changed)) {
                *ops = fewer;
            }
        }
    }

    /// The edits of each annotation that a set of candidates changes, in order of place.
    fn edits(&self, ops: &[usize]) -> BTreeMap<usize, Vec<TextEdit>> {
        let mut out: BTreeMap<usize, Vec<TextEdit>> = BTreeMap::new();
        for (sheet, edits) in ops.iter().filter_map(|i| self.ops.get(*i)).flat_map(|op| &op.edits) {
            out.entry(*sheet).or_default().extend(edits.iter().cloned());
        }
        for edits in out.values_mut() {
            edits.sort_by_key(|e| (e.span.start, e.span.end));
        }
        out
    }

    /// Texts and trees after a set of candidates; `None` where some text would have no reading.
    fn change(&self, ops: &[usize]) -> Option<Changed> {
        let mut out = Changed::new();
        for (sheet, edits) in self.edits(ops) {
            let text = apply_edits(self.texts.get(sheet)?, &edits)?;
            let formula = read(&text, self.options)?;
            out.insert(sheet, (text, formula));
        }
        Some(out)
    }

    /// Premises and conclusion after a change; `None` where one has no reading.
    fn trees<'c>(&'c self, changed: &'c Changed) -> Option<(Vec<&'c Formula>, &'c Formula)> {
        let tree = |(i, before): (usize, &Option<&'c Formula>)| changed.get(&i).map(|(_, f)| f).or(*before);
        let mut all: Vec<&Formula> = self.formulas.iter().enumerate().map(tree).collect::<Option<_>>()?;
        let conclusion = all.pop()?;
        Some((all, conclusion))
    }

    fn gives_label(&self, changed: &Changed) -> bool {
        let Some((premises, conclusion)) = self.trees(changed) else { return false };
        (!self.inconsistent || self.bench.consistent(&premises) == Some(true))
            && gives_label(&premises, conclusion, self.label, self.bench)
    }

    fn guard(&self, changed: &Changed, siblings: &[Sibling<'_>]) -> Result<(), Guard> {
        let (premises, conclusion) = self.trees(changed).ok_or(Guard::Unparsed)?;
        let changes: Vec<Change<'_>> = changed
            .iter()
            .filter_map(|(sheet, (text, formula))| {
                Some(Change {
                    target: self.target(*sheet),
                    sentence: *self.sentences.get(*sheet)?,
                    before: *self.formulas.get(*sheet)?,
                    before_text: self.texts.get(*sheet)?,
                    after: formula,
                    after_text: text,
                })
            })
            .collect();
        check(&premises, conclusion, self.label, &changes, siblings, self.bench)
    }

    fn target(&self, sheet: usize) -> Target {
        if sheet + 1 == self.texts.len() { Target::Conclusion } else { Target::Premise(sheet) }
    }

    /// Whether two repairs mean different things.
    fn differ(&self, a: &[usize], a_changed: &Changed, b: &[usize], b_changed: &Changed) -> bool {
        let classes = |ops: &[usize]| {
            let mut out: Vec<&str> = ops.iter().filter_map(|i| self.ops.get(*i)).map(|op| op.class.as_str()).collect();
            out.sort_unstable();
            out.dedup();
            out
        };
        if classes(a) == classes(b) {
            return false;
        }
        let sheets: Vec<usize> = a_changed.keys().chain(b_changed.keys()).copied().collect();
        sheets.into_iter().any(|sheet| {
            let before = || self.formulas.get(sheet).copied().flatten();
            let after =
                |changed: &'_ Changed| changed.get(&sheet).map(|(_, f)| f.clone()).or_else(|| before().cloned());
            match (after(a_changed), after(b_changed)) {
                (Some(x), Some(y)) => self.bench.equivalent(&x, &y) != Some(true),
                _ => true,
            }
        })
    }

    /// The edits one after the other, each with the whole text before and after it.
    fn steps(&self, ops: &[usize]) -> Vec<Step> {
        let mut now: BTreeMap<usize, String> = BTreeMap::new();
        let mut out = Vec::new();
        for count in 1..=ops.len() {
            let Some(op) = ops.get(count - 1).and_then(|i| self.ops.get(*i)) else { continue };
            let all = self.edits(ops.get(..count).unwrap_or_default());
            for (sheet, _) in &op.edits {
                let Some(original) = self.texts.get(*sheet) else { continue };
                let before = now.get(sheet).cloned().unwrap_or_else(|| (*original).to_owned());
                let Some(after) = all.get(sheet).and_then(|edits| apply_edits(original, edits)) else { continue };
                now.insert(*sheet, after.clone());
                out.push(Step { target: self.target(*sheet), before, after, rule: op.rule, why: op.why.clone() });
            }
        }
        out
    }

    fn proposal(&self, node: &Node, outcome: &'static str, reason: Option<&str>) -> Proposal {
        let edits = self.steps(&node.ops).into_iter().map(|step| edit(step, 1, None)).collect();
        // Costs are sums of tenths; what the sum adds beyond that is noise.
        let cost = (node.cost * 100.0).round() / 100.0;
        Proposal { rung: "search", edits, cost, outcome, reason: reason.map(str::to_owned) }
    }
}
