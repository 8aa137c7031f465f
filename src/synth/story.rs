//! One story with what is known of it.
//!
//! Premises are only taken in if they hold in two worlds that are kept beside them, so the premises have a model, and what
//! holds in one world and not in the other is `Uncertain`. A chain of facts and rules is among them, so what it derives
//! follows, whatever else is among the premises: that is `True`, and its negation `False`. A few stories get a premise
//! more that denies what was derived: these are `Inconsistent`.

use super::formula::{Atom, Bound, Formula, Known, Term, World, follows};
use super::random::Random;
use super::shape::{
    ARITIES, CONCLUSIONS, INCONSISTENT_OF_THOUSAND, LABELS, NAMES, PREDICATES, PREMISES, PREMISES_OF_STORY,
    RECORDS_OF_STORY, Shape,
};
use crate::record::{Label, Verdict};

const UNBOUND: Bound = [0; 3];

/// How often a form is tried before another is.
const TRIES: usize = 12;

/// A story: its premises, and conclusions with what is known of them.
#[derive(Debug, Clone)]
pub(super) struct Story {
    /// The arity of each predicate.
    pub(super) arities: Vec<usize>,
    /// How many names there are.
    pub(super) names: usize,
    pub(super) premises: Vec<Formula>,
    pub(super) conclusions: Vec<Conclusion>,
}

#[derive(Debug, Clone)]
pub(super) struct Conclusion {
    pub(super) formula: Formula,
    pub(super) label: Label,
    pub(super) verdict: Verdict,
}

pub(super) fn story(random: &mut Random) -> Story {
    loop {
        if let Some(story) = attempt(random) {
            return story;
        }
    }
}

/// A rule of the chain, of x.
struct Step {
    body: Vec<Literal>,
    head: Literal,
    /// The only name it speaks of; `None` for a rule about all.
    only: Option<usize>,
}

#[derive(Clone)]
struct Literal {
    atom: Atom,
    holds: bool,
}

impl Literal {
    fn formula(&self) -> Formula {
        let atom = Formula::Atom(self.atom.clone());
        if self.holds { atom } else { atom.not() }
    }

    /// With this name in the place of x.
    fn of(&self, name: usize) -> Self {
        let term = |term: &Term| if *term == Term::Variable(0) { Term::Name(name) } else { *term };
        let terms = self.atom.terms.iter().map(term).collect();
        Self { atom: Atom { predicate: self.atom.predicate, terms }, holds: self.holds }
    }
}

struct Builder<'a> {
    random: &'a mut Random,
    arities: Vec<usize>,
    names: usize,
    worlds: [World; 2],
    premises: Vec<Formula>,
    known: Known,
}

fn attempt(random: &mut Random) -> Option<Story> {
    let wanted = random.measured(PREMISES_OF_STORY);
    let names = random.measured(NAMES);
    let arities: Vec<usize> = (0..random.measured(PREDICATES)).map(|_| random.measured(ARITIES)).collect();
    let size = names + random.below(3);
    let world = |random: &mut Random| World {
        size,
        predicates: arities
            .iter()
            .map(|arity| (0..size.pow(u32::try_from(*arity).unwrap_or(1))).map(|_| random.percent(40)).collect())
            .collect(),
    };
    let worlds = [world(random), world(random)];
    let mut builder = Builder { random, arities, names, worlds, premises: Vec::new(), known: Known::new() };
    let chain = builder.chain(wanted)?;
    let mut tries = 0;
    while builder.premises.len() < wanted {
        builder.distract();
        tries += 1;
        if tries > 60 {
            return None;
        }
    }
    builder.derive(&chain);
    let denied = builder.random.below(1000) < INCONSISTENT_OF_THOUSAND;
    if denied {
        // In the place of a premise that is not of the chain, where there is one.
        builder.premises.truncate((wanted - 1).max(chain.len() + 1));
        builder.known.clear();
        builder.derive(&chain);
        let last =
            builder.known.iter().next_back().map(|(atom, holds)| Literal { atom: atom.clone(), holds: !holds })?;
        builder.premises.push(last.formula());
    }
    let records = builder.random.measured(RECORDS_OF_STORY);
    let mut conclusions: Vec<Conclusion> = Vec::new();
    for _ in 0..records * 4 {
        if conclusions.len() == records {
            break;
        }
        if let Some(mut conclusion) = builder.conclusion(&chain)
            && conclusions.iter().all(|other| other.formula != conclusion.formula)
        {
            if denied {
                conclusion.verdict = Verdict::Inconsistent;
            }
            conclusions.push(conclusion);
        }
    }
    let Builder { arities, mut premises, random, .. } = builder;
    random.shuffle(&mut premises);
    (!conclusions.is_empty()).then_some(Story { arities, names, premises, conclusions })
}

impl Builder<'_> {
    /// Takes a premise in if both worlds can be made to fit it and all before it.
    fn take(&mut self, premise: Formula) -> bool {
        let mut worlds = self.worlds.clone();
        for world in &mut worlds {
            world.enforce(&premise, true, &mut UNBOUND.clone(), &mut |count| self.random.below(count));
            let fits = |formula: &Formula| world.holds(formula, &mut UNBOUND.clone());
            if !fits(&premise) || !self.premises.iter().all(fits) {
                return false;
            }
        }
        self.worlds = worlds;
        self.premises.push(premise);
        true
    }

    /// An atom of a predicate, with these variables as far as it has places for them, and names.
    fn atom_of(&mut self, predicate: usize, variables: &[usize]) -> Atom {
        let arity = self.arities.get(predicate).copied().unwrap_or(1);
        let mut terms: Vec<Term> = variables.iter().take(arity).map(|variable| Term::Variable(*variable)).collect();
        while terms.len() < arity {
            terms.push(Term::Name(self.random.below(self.names)));
        }
        self.random.shuffle(&mut terms);
        Atom { predicate, terms }
    }

    fn atom(&mut self, variables: &[usize]) -> Atom {
        let count = self.arities.len();
        let predicate = self.random.below(count);
        self.atom_of(predicate, variables)
    }

    /// Facts and rules from which something follows: at most two thirds of the premises.
    fn chain(&mut self, wanted: usize) -> Option<Vec<Step>> {
        let mut order: Vec<usize> = (0..self.arities.len()).collect();
        self.random.shuffle(&mut order);
        let rules = (1 + self.random.below((wanted * 2 / 3).max(1))).min(order.len() - 1).min(wanted - 1);
        let name = self.random.below(self.names);
        let mut order = order.into_iter();
        let first = order.next()?;
        let mut last = Literal { atom: self.atom_of(first, &[0]), holds: self.random.percent(90) };
        let fact = last.of(name).formula();
        let mut steps: Vec<Step> = Vec::new();
        if !self.take(fact) {
            return None;
        }
        for predicate in order.take(rules) {
            let head = Literal { atom: self.atom_of(predicate, &[0]), holds: self.random.percent(75) };
            let mut body = vec![last.clone()];
            // What an earlier rule asked for can be asked for again.
            let earlier = self.random.pick(&steps).and_then(|step| step.body.first()).cloned();
            if let Some(earlier) = earlier.filter(|earlier| earlier.atom != last.atom)
                && self.random.percent(60)
            {
                body.push(earlier);
            }
            let only = (!self.random.percent(90)).then_some(name);
            let literal = |literal: &Literal| only.map_or_else(|| literal.clone(), |name| literal.of(name)).formula();
            let rule = implies(conjunction(body.iter().map(literal).collect()), literal(&head));
            if !self.take(if only.is_none() { Formula::All(0, Box::new(rule)) } else { rule }) {
                return None;
            }
            last = head.clone();
            steps.push(Step { body, head, only });
        }
        Some(steps)
    }

    /// Everything that facts and rules of the chain derive.
    fn derive(&mut self, chain: &[Step]) {
        for premise in &self.premises {
            learn(premise, true, &mut self.known);
        }
        loop {
            let before = self.known.len();
            for step in chain {
                for name in 0..self.names {
                    let known = |literal: &Literal| {
                        let Literal { atom, holds } = literal.of(name);
                        self.known.get(&atom) == Some(&holds)
                    };
                    if step.only.is_none_or(|only| only == name) && step.body.iter().all(known) {
                        let Literal { atom, holds } = step.head.of(name);
                        self.known.insert(atom, holds);
                    }
                }
            }
            if self.known.len() == before {
                return;
            }
        }
    }

    /// Takes in a premise of some form that FOLIO's have.
    fn distract(&mut self) {
        let Some(shape) = self.random.weighed(PREMISES, |shape| shape.count).copied() else { return };
        for _ in 0..TRIES {
            let premise = self.formula(shape);
            if !premise.repeats() && !self.premises.contains(&premise) && self.take(premise) {
                return;
            }
        }
    }

    fn conclusion(&mut self, chain: &[Step]) -> Option<Conclusion> {
        let labels = [Label::True, Label::False, Label::Uncertain];
        let label = labels.iter().zip(LABELS).collect::<Vec<_>>();
        let label = self.random.weighed(&label, |(_, count)| *count).map(|(label, _)| **label)?;
        let verdict = match label {
            Label::True => Verdict::True,
            Label::False => Verdict::False,
            Label::Uncertain => Verdict::Uncertain,
        };
        for _ in 0..TRIES {
            let shape = self.random.weighed(CONCLUSIONS, |shape| shape.count).copied()?;
            if label == Label::True && shape.prefix == "∀" {
                if let Some(formula) = self.composed(chain) {
                    return Some(Conclusion { formula, label, verdict });
                }
                continue;
            }
            for _ in 0..TRIES {
                let formula = self.formula(shape);
                if formula.repeats() || self.premises.contains(&formula) {
                    continue;
                }
                let follows = follows(&formula, &self.known, self.names, &mut UNBOUND.clone());
                let [one, other] = self.worlds.each_ref().map(|world| world.holds(&formula, &mut UNBOUND.clone()));
                let found = match follows {
                    Some(true) => Some(Label::True),
                    Some(false) => Some(Label::False),
                    None => (one != other).then_some(Label::Uncertain),
                };
                if found == Some(label) {
                    return Some(Conclusion { formula, label, verdict });
                }
            }
        }
        None
    }

    /// What two or more rules about all come to, where each asks for nothing but what the one before gives.
    fn composed(&mut self, chain: &[Step]) -> Option<Formula> {
        let simple: Vec<bool> = chain.iter().map(|step| step.only.is_none() && step.body.len() == 1).collect();
        let runs: Vec<(usize, usize)> = (0..chain.len())
            .flat_map(|from| (from + 1..chain.len()).map(move |to| (from, to)))
            .filter(|(from, to)| simple.get(*from..=*to).is_some_and(|run| run.iter().all(|simple| *simple)))
            .collect();
        let (from, to) = *self.random.pick(&runs)?;
        let (body, head) = (chain.get(from)?.body.first()?, &chain.get(to)?.head);
        Some(Formula::All(0, Box::new(implies(body.formula(), head.formula()))))
    }

    /// A formula of this form.
    fn formula(&mut self, shape: Shape) -> Formula {
        let Shape { prefix, matrix, .. } = shape;
        let different = prefix.ends_with('≠');
        let quantifiers: Vec<char> = prefix.chars().filter(|c| *c != '≠').collect();
        let outer = quantifiers.iter().take_while(|q| **q == '∀').count();
        let variables: Vec<usize> = (0..quantifiers.len()).collect();
        let (outside, inside) = variables.split_at(if outer > 0 { outer } else { variables.len() });
        let unequal = |of: &[usize]| match of {
            [.., a, b] if different => Some(Formula::Same(Term::Variable(*a), Term::Variable(*b)).not()),
            _ => None,
        };
        let close = |formula: Formula, variables: &[usize], all: bool| {
            variables.iter().rev().fold(formula, |body, variable| {
                if all { Formula::All(*variable, Box::new(body)) } else { Formula::Some(*variable, Box::new(body)) }
            })
        };
        if let Some((body, head)) = matrix.split_once(['>', '<']) {
            let left = self.side(body, outside, None);
            // What ∃ binds stands to the right of the arrow.
            let right = if inside.is_empty() {
                self.side(head, outside, None)
            } else {
                let bound: Vec<usize> = outside.iter().chain(inside).copied().collect();
                close(self.side(head, &bound, unequal(inside)), inside, false)
            };
            let rule =
                if matrix.contains('<') { Formula::Iff(Box::new(left), Box::new(right)) } else { implies(left, right) };
            return close(rule, outside, true);
        }
        let body = self.side(matrix, &variables, unequal(&variables));
        close(body, &variables, outer > 0)
    }

    /// What stands on one side of an arrow.
    fn side(&mut self, items: &str, variables: &[usize], more: Option<Formula>) -> Formula {
        let mut parts = Vec::new();
        for (number, item) in items.chars().enumerate() {
            // Every variable occurs, and not each atom has all of them.
            let own: Vec<usize> = match variables {
                [] | [_] => variables.to_vec(),
                [_, rest @ ..] if rest.len() > 1 && number > 0 => {
                    vec![rest.get(number % rest.len()).copied().unwrap_or(0)]
                }
                many => vec![many.get(number % many.len()).copied().unwrap_or(0)],
            };
            let mut atom = || self.literal(&own);
            parts.push(match item {
                'n' => atom().not(),
                'o' => Formula::Or(Box::new(atom()), Box::new(atom())),
                'x' => Formula::Xor(Box::new(atom()), Box::new(atom())),
                'y' => Formula::Xor(Box::new(atom()), Box::new(atom())).not(),
                'z' => Formula::Xor(Box::new(atom()), Box::new(atom().not())),
                _ => atom(),
            });
        }
        parts.extend(more);
        conjunction(parts)
    }

    /// An atom: without variables, often one about which something is known.
    fn literal(&mut self, variables: &[usize]) -> Formula {
        if variables.is_empty() && self.random.percent(55) && !self.known.is_empty() {
            let number = self.random.below(self.known.len());
            if let Some(atom) = self.known.keys().nth(number) {
                return Formula::Atom(atom.clone());
            }
        }
        Formula::Atom(self.atom(variables))
    }
}

/// Ground literals that a premise says.
fn learn(premise: &Formula, holds: bool, known: &mut Known) {
    match premise {
        Formula::Atom(atom) if atom.terms.iter().all(|term| matches!(term, Term::Name(_))) => {
            known.insert(atom.clone(), holds);
        }
        Formula::Not(inner) if matches!(**inner, Formula::Atom(_)) => learn(inner, !holds, known),
        Formula::And(parts) => parts.iter().for_each(|part| learn(part, holds, known)),
        _ => {}
    }
}

fn implies(a: Formula, b: Formula) -> Formula {
    Formula::Implies(Box::new(a), Box::new(b))
}

/// One part as it is, more of them joined.
fn conjunction(mut parts: Vec<Formula>) -> Formula {
    if parts.len() > 1 { Formula::And(parts) } else { parts.pop().unwrap_or(Formula::And(Vec::new())) }
}
