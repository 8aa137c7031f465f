//! The checker's line of thought without what its end does not depend on.

use std::collections::BTreeSet;

use crate::ground::{Derived, End, Fact, Ground, Line, Reason, Refutation};

/// A step with the facts it follows from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) derived: Derived,
    /// Facts by number, sorted.
    pub(super) from: BTreeSet<usize>,
}

/// How a pruned line ends: never with a case that leads nowhere new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ending {
    Contradiction {
        end: Clash,
        /// Facts by number, sorted.
        from: BTreeSet<usize>,
    },
    /// The fact is true or it is not.
    Cases(usize, Box<Pruned>, Box<Pruned>),
}

/// What contradicts what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clash {
    Instance(usize),
    Opposite(usize, usize),
    Different(usize),
    OneIndividual(u32, u32),
}

/// Steps that are needed, and their end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pruned {
    pub(super) steps: Vec<Step>,
    pub(super) ending: Ending,
}

impl Pruned {
    /// How many steps it takes in all, suppositions and ends included.
    pub(super) fn length(&self) -> usize {
        self.steps.len()
            + match &self.ending {
                Ending::Contradiction { .. } => 1,
                Ending::Cases(_, yes, no) => 2 + yes.length() + no.length(),
            }
    }
}

/// Leaves out what the end does not depend on.
pub(super) fn prune(refutation: &Refutation) -> Pruned {
    let mut replay = Replay { refutation, values: vec![None; refutation.facts.len()] };
    replay.line(&refutation.line).0
}

struct Replay<'a> {
    refutation: &'a Refutation,
    values: Vec<Option<bool>>,
}

impl Replay<'_> {
    /// The line pruned, and the facts from outside it that it needs.
    fn line(&mut self, line: &Line) -> (Pruned, BTreeSet<usize>) {
        let mut steps = Vec::with_capacity(line.steps.len());
        for derived in &line.steps {
            let from = self.reasons(derived);
            self.set(derived.fact, Some(derived.value));
            steps.push(Step { derived: *derived, from });
        }
        let (inner, ending, mut needed) = self.end(&line.end);
        for step in &steps {
            self.set(step.derived.fact, None);
        }
        let mut kept = Vec::new();
        for step in steps.into_iter().rev() {
            if needed.remove(&step.derived.fact) {
                needed.extend(&step.from);
                kept.push(step);
            }
        }
        kept.reverse();
        kept.extend(inner);
        (Pruned { steps: kept, ending }, needed)
    }

    /// Steps that come before the end, the end, and the facts that both need.
    fn end(&mut self, end: &End) -> (Vec<Step>, Ending, BTreeSet<usize>) {
        let (clash, from) = match end {
            End::Instance(number) => {
                let ground = self.refutation.instances.get(*number);
                let from = ground.and_then(|g| self.why(g, false)).unwrap_or_default();
                (Clash::Instance(*number), from)
            }
            End::Opposite(a, b) => {
                let mut from = self.same(*a, *b);
                from.extend([*a, *b]);
                (Clash::Opposite(*a, *b), from)
            }
            End::Different(fact) => {
                let mut from = match self.refutation.facts.get(*fact) {
                    Some(Fact::Equal(a, b)) => self.equations(&[(*a, *b)]),
                    _ => BTreeSet::new(),
                };
                from.insert(*fact);
                (Clash::Different(*fact), from)
            }
            End::OneIndividual(a, b) => (Clash::OneIndividual(*a, *b), self.equations(&[(*a, *b)])),
            End::Cases(fact, yes, no) => return self.cases(*fact, yes, no),
        };
        (Vec::new(), Ending::Contradiction { end: clash, from: from.clone() }, from)
    }

    fn cases(&mut self, fact: usize, yes: &Line, no: &Line) -> (Vec<Step>, Ending, BTreeSet<usize>) {
        let mut case = |value: bool, line: &Line| {
            self.set(fact, Some(value));
            let done = self.line(line);
            self.set(fact, None);
            done
        };
        let (yes, mut needed) = case(true, yes);
        // A case that does not need what it supposes is none.
        if !needed.remove(&fact) {
            return (yes.steps, yes.ending, needed);
        }
        let (no, mut others) = case(false, no);
        if !others.remove(&fact) {
            return (no.steps, no.ending, others);
        }
        needed.extend(others);
        (Vec::new(), Ending::Cases(fact, Box::new(yes), Box::new(no)), needed)
    }

    fn set(&mut self, fact: usize, value: Option<bool>) {
        if let Some(slot) = self.values.get_mut(fact) {
            *slot = value;
        }
    }

    /// What a step follows from, among what is known before it.
    fn reasons(&self, derived: &Derived) -> BTreeSet<usize> {
        match derived.by {
            Reason::Instance(number) => {
                let ground = self.refutation.instances.get(number);
                ground.and_then(|g| self.forcing(g, derived)).unwrap_or_default()
            }
            Reason::Same(from) if from == derived.fact => match self.refutation.facts.get(from) {
                Some(Fact::Equal(a, b)) => self.equations(&[(*a, *b)]),
                _ => BTreeSet::new(),
            },
            Reason::Same(from) => {
                let mut out = self.same(from, derived.fact);
                out.insert(from);
                out
            }
        }
    }

    /// Equations by which the arguments of two facts are the same.
    fn same(&self, a: usize, b: usize) -> BTreeSet<usize> {
        match (self.refutation.facts.get(a), self.refutation.facts.get(b)) {
            (Some(Fact::Atom(_, a)), Some(Fact::Atom(_, b))) => {
                let pairs: Vec<(u32, u32)> = a.iter().copied().zip(b.iter().copied()).collect();
                self.equations(&pairs)
            }
            _ => BTreeSet::new(),
        }
    }

    fn equations(&self, pairs: &[(u32, u32)]) -> BTreeSet<usize> {
        let known = self.refutation.facts.iter().zip(&self.values).enumerate();
        let known = known.filter(|(_, (fact, value))| matches!(fact, Fact::Equal(..)) && **value == Some(true));
        let known: Vec<usize> = known.map(|(number, _)| number).collect();
        self.refutation.equations_behind(pairs, &known).into_iter().collect()
    }

    /// The fewest facts found by which a formula is true, or false; `None` where it is not known to be.
    fn why(&self, ground: &Ground, value: bool) -> Option<BTreeSet<usize>> {
        match ground {
            Ground::Literal(fact, plain) => {
                let known = self.values.get(*fact).copied().flatten()?;
                ((known == *plain) == value).then(|| BTreeSet::from([*fact]))
            }
            Ground::All(parts) | Ground::Any(parts) => {
                let all = matches!(ground, Ground::All(_)) == value;
                if all {
                    let mut out = BTreeSet::new();
                    for part in parts {
                        out.extend(self.why(part, value)?);
                    }
                    Some(out)
                } else {
                    parts.iter().filter_map(|p| self.why(p, value)).min_by_key(BTreeSet::len)
                }
            }
        }
    }

    /// The facts by which a true formula leaves no other way.
    fn forcing(&self, ground: &Ground, wanted: &Derived) -> Option<BTreeSet<usize>> {
        match ground {
            Ground::Literal(fact, plain) => (*fact == wanted.fact && *plain == wanted.value).then(BTreeSet::new),
            Ground::All(parts) => parts.iter().filter_map(|p| self.forcing(p, wanted)).min_by_key(BTreeSet::len),
            Ground::Any(parts) => {
                let mut out = BTreeSet::new();
                let mut open = None;
                for part in parts {
                    match self.why(part, false) {
                        Some(facts) => out.extend(facts),
                        None if open.is_none() => open = Some(part),
                        None => return None,
                    }
                }
                out.extend(self.forcing(open?, wanted)?);
                Some(out)
            }
        }
    }
}
