//! Stories up to renaming: whether the formulas of two are the same but for the names of their symbols and variables, the
//! order of premises, and brackets and order where neither matters.

use std::collections::{BTreeSet, HashMap};

use crate::fol::canonical::mix;
use crate::fol::{Connective, Formula, FormulaKind, Quantifier, SymbolKind, Term, TermKind};

/// Rounds in which symbols are told apart by what stands around them. More tell hardly any apart.
const ROUNDS: usize = 8;

/// Choices within choices up to which a renaming is looked for.
const DEEPEST: usize = 400;

/// The tag of the outermost bound variable; those within follow.
const BOUND: u64 = 1000;

/// A formula, a term, or a collection of formulas.
#[derive(Debug)]
struct Node {
    /// What it is, without names.
    tag: u64,
    /// Its symbol, by number.
    symbol: Option<usize>,
    /// Whether the order of its parts matters.
    ordered: bool,
    parts: Vec<Self>,
    /// The same for nodes that some renaming makes the same.
    hash: u64,
}

/// The formulas of a story or of a record without their names.
#[derive(Debug)]
pub(super) struct Shape {
    root: Node,
    /// For each symbol a number that a renaming does not change.
    colours: Vec<u64>,
}

/// Whether a renaming was found that makes two shapes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Same {
    /// One that takes different symbols to different symbols.
    Yes,
    /// There is none.
    No,
    /// Not within the bound.
    Unknown,
}

impl Shape {
    /// Premises, in no order, and where there is one a conclusion.
    pub(super) fn new(premises: &[&Formula], conclusion: Option<&Formula>) -> Self {
        let mut maker = Maker::default();
        let premises = premises.iter().map(|f| maker.formula(f, &mut Vec::new())).collect();
        let mut parts = vec![Node::new(1, false, premises)];
        parts.extend(conclusion.map(|f| maker.formula(f, &mut Vec::new())));
        let mut root = Node::new(2, true, parts);
        let mut colours = maker.colours;
        root.settle(&colours);
        let count = |colours: &[u64]| colours.iter().collect::<BTreeSet<_>>().len();
        let mut told_apart = count(&colours);
        for _ in 0..ROUNDS {
            let mut around = vec![0_u64; colours.len()];
            root.look_around(0, &mut around);
            colours.iter_mut().zip(around).for_each(|(colour, around)| *colour = mix(*colour, around));
            root.settle(&colours);
            let now = count(&colours);
            if now <= told_apart {
                break;
            }
            told_apart = now;
        }
        Self { root, colours }
    }

    /// The same for all that are [`Same::Yes`]; others hardly ever share it.
    pub(super) const fn key(&self) -> u64 {
        self.root.hash
    }

    /// Looks for a renaming, in at most `bound` steps.
    pub(super) fn same(&self, other: &Self, bound: usize) -> Same {
        if self.key() != other.key() || self.colours.len() != other.colours.len() {
            return Same::No;
        }
        let unknown = vec![None; self.colours.len()];
        let mut matcher =
            Matcher { a: self, b: other, to: unknown.clone(), from: unknown, trail: Vec::new(), left: bound };
        matcher.solve(vec![Task::Pair(&self.root, &other.root)], 0)
    }
}

impl Node {
    const fn new(tag: u64, ordered: bool, parts: Vec<Self>) -> Self {
        Self { tag, symbol: None, ordered, parts, hash: 0 }
    }

    /// Works out the hashes from the colours of symbols.
    fn settle(&mut self, colours: &[u64]) {
        let mut hash = mix(self.tag, self.symbol.and_then(|s| colours.get(s)).copied().unwrap_or_default());
        let mut sum = 0_u64;
        for part in &mut self.parts {
            part.settle(colours);
            if self.ordered {
                hash = mix(hash, part.hash);
            } else {
                sum = sum.wrapping_add(mix(part.hash, self.tag));
            }
        }
        self.hash = mix(mix(hash, sum), self.parts.len() as u64);
    }

    /// Adds up for each symbol what stands around its uses: everything on the way from the root, with its place where the
    /// order matters.
    fn look_around(&self, above: u64, around: &mut [u64]) {
        let here = mix(above, self.hash);
        if let Some(sum) = self.symbol.and_then(|s| around.get_mut(s)) {
            *sum = sum.wrapping_add(here);
        }
        for (place, part) in self.parts.iter().enumerate() {
            part.look_around(mix(here, if self.ordered { place as u64 + 1 } else { 0 }), around);
        }
    }
}

/// Makes nodes and numbers symbols: one number for each name, use and count of arguments.
#[derive(Default)]
struct Maker<'f> {
    numbers: HashMap<(SymbolKind, &'f str, usize), usize>,
    colours: Vec<u64>,
}

impl<'f> Maker<'f> {
    fn symbol(&mut self, kind: SymbolKind, name: &'f str, arity: usize) -> usize {
        *self.numbers.entry((kind, name, arity)).or_insert_with(|| {
            self.colours.push(mix(kind as u64 + 100, arity as u64));
            self.colours.len() - 1
        })
    }

    fn formula(&mut self, formula: &'f Formula, bound: &mut Vec<&'f str>) -> Node {
        match &formula.kind {
            FormulaKind::Constant(value) => Node::new(10 + u64::from(*value), true, Vec::new()),
            FormulaKind::Atom(atom) => {
                let symbol = Some(self.symbol(SymbolKind::Predicate, &atom.name, atom.args.len()));
                let parts = atom.args.iter().map(|term| self.term(term, bound)).collect();
                Node { symbol, ..Node::new(12, true, parts) }
            }
            FormulaKind::Equal(a, b) => self.equation(a, b, bound),
            FormulaKind::NotEqual(a, b) => Node::new(14, true, vec![self.equation(a, b, bound)]),
            FormulaKind::Not(a) => Node::new(14, true, vec![self.formula(a, bound)]),
            FormulaKind::Quantified(quantifier, variables, body) => {
                let outside = bound.len();
                bound.extend(variables.iter().map(|v| v.name.as_str()));
                let body = self.formula(body, bound);
                bound.truncate(outside);
                // One node a variable, so that `∀x ∀y` and `∀x,y` are alike.
                let tag = if *quantifier == Quantifier::ForAll { 15 } else { 16 };
                variables.iter().fold(body, |body, _| Node::new(tag, true, vec![body]))
            }
            FormulaKind::Binary(Connective::Implies, a, b) => {
                Node::new(17, true, vec![self.formula(a, bound), self.formula(b, bound)])
            }
            FormulaKind::Binary(connective, ..) => {
                // All the others are associative and commutative.
                let mut operands = Vec::new();
                chain(formula, *connective, &mut operands);
                let parts = operands.into_iter().map(|operand| self.formula(operand, bound)).collect();
                Node::new(20 + *connective as u64, false, parts)
            }
        }
    }

    fn equation(&mut self, a: &'f Term, b: &'f Term, bound: &[&'f str]) -> Node {
        Node::new(13, false, vec![self.term(a, bound), self.term(b, bound)])
    }

    fn term(&mut self, term: &'f Term, bound: &[&'f str]) -> Node {
        let (kind, name, args): (SymbolKind, &'f str, &'f [Term]) = match &term.kind {
            // By how far out it is bound, whatever its name.
            TermKind::Bound(name) => match bound.iter().rposition(|b| b == name) {
                Some(at) => return Node::new(BOUND + at as u64, true, Vec::new()),
                None => (SymbolKind::Free, name, &[]),
            },
            TermKind::Free(name) => (SymbolKind::Free, name, &[]),
            TermKind::Constant(name) => (SymbolKind::Constant, name, &[]),
            TermKind::Function(name, args) => (SymbolKind::Function, name, args),
        };
        let symbol = Some(self.symbol(kind, name, args.len()));
        let parts = args.iter().map(|arg| self.term(arg, bound)).collect();
        Node { symbol, ..Node::new(30 + kind as u64, true, parts) }
    }
}

fn chain<'f>(formula: &'f Formula, connective: Connective, operands: &mut Vec<&'f Formula>) {
    match &formula.kind {
        FormulaKind::Binary(c, a, b) if *c == connective => {
            chain(a, connective, operands);
            chain(b, connective, operands);
        }
        _ => operands.push(formula),
    }
}

/// What still has to be made the same.
#[derive(Clone)]
enum Task<'s> {
    Pair(&'s Node, &'s Node),
    /// Each of one side with some other of the other.
    Bags(Vec<&'s Node>, Vec<&'s Node>),
}

struct Matcher<'s> {
    a: &'s Shape,
    b: &'s Shape,
    /// The renaming so far, and its inverse.
    to: Vec<Option<usize>>,
    from: Vec<Option<usize>>,
    /// What was renamed, in order, so that it can be taken back.
    trail: Vec<(usize, usize)>,
    /// Steps that may still be taken.
    left: usize,
}

impl<'s> Matcher<'s> {
    fn solve(&mut self, mut tasks: Vec<Task<'s>>, depth: usize) -> Same {
        if depth > DEEPEST {
            return Same::Unknown;
        }
        while let Some(task) = tasks.pop() {
            let Some(left) = self.left.checked_sub(1) else { return Same::Unknown };
            self.left = left;
            match task {
                Task::Pair(a, b) => {
                    if !self.pair(a, b, &mut tasks) {
                        return Same::No;
                    }
                }
                Task::Bags(mut olds, news) => {
                    let Some(a) = olds.pop() else { continue };
                    let candidates: Vec<usize> =
                        news.iter().enumerate().filter(|(_, b)| b.hash == a.hash).map(|(i, _)| i).collect();
                    let next = |tasks: &mut Vec<Task<'s>>, olds: Vec<&'s Node>, at: usize| {
                        let mut rest = news.clone();
                        let b = rest.swap_remove(at);
                        tasks.push(Task::Bags(olds, rest));
                        tasks.push(Task::Pair(a, b));
                    };
                    match candidates.as_slice() {
                        [] => return Same::No,
                        [only] => next(&mut tasks, olds, *only),
                        several => {
                            let mark = self.trail.len();
                            for at in several {
                                let mut tasks = tasks.clone();
                                next(&mut tasks, olds.clone(), *at);
                                match self.solve(tasks, depth + 1) {
                                    Same::No => self.take_back(mark),
                                    said => return said,
                                }
                            }
                            return Same::No;
                        }
                    }
                }
            }
        }
        Same::Yes
    }

    fn pair(&mut self, a: &'s Node, b: &'s Node, tasks: &mut Vec<Task<'s>>) -> bool {
        if a.tag != b.tag || a.ordered != b.ordered || a.parts.len() != b.parts.len() {
            return false;
        }
        match (a.symbol, b.symbol) {
            (None, None) => {}
            (Some(x), Some(y)) if self.rename(x, y) => {}
            _ => return false,
        }
        if a.ordered {
            tasks.extend(a.parts.iter().zip(&b.parts).map(|(a, b)| Task::Pair(a, b)));
        } else {
            tasks.push(Task::Bags(a.parts.iter().collect(), b.parts.iter().collect()));
        }
        true
    }

    fn rename(&mut self, x: usize, y: usize) -> bool {
        let (Some(to), Some(from)) = (self.to.get_mut(x), self.from.get_mut(y)) else { return false };
        match (*to, *from) {
            (Some(known), _) => known == y,
            (None, Some(_)) => false,
            (None, None) => {
                if self.a.colours.get(x) != self.b.colours.get(y) {
                    return false;
                }
                (*to, *from) = (Some(y), Some(x));
                self.trail.push((x, y));
                true
            }
        }
    }

    fn take_back(&mut self, mark: usize) {
        for (x, y) in self.trail.drain(mark..) {
            if let (Some(to), Some(from)) = (self.to.get_mut(x), self.from.get_mut(y)) {
                (*to, *from) = (None, None);
            }
        }
    }
}

#[cfg(test)]
mod tests;
