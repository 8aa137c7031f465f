//! Formulas of the generator, with a meaning of their own: neither the parser nor the printers of refolio take part, so
//! that a known verdict tests them too.

use std::collections::BTreeMap;

/// A place of an atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Term {
    /// A bound variable: x, y, z.
    Variable(usize),
    /// A name.
    Name(usize),
}

/// A predicate of some terms.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Atom {
    pub(super) predicate: usize,
    pub(super) terms: Vec<Term>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Formula {
    Atom(Atom),
    Same(Term, Term),
    Not(Box<Self>),
    And(Vec<Self>),
    Or(Box<Self>, Box<Self>),
    Xor(Box<Self>, Box<Self>),
    Implies(Box<Self>, Box<Self>),
    Iff(Box<Self>, Box<Self>),
    All(usize, Box<Self>),
    Some(usize, Box<Self>),
}

/// Individuals that the variables stand for.
pub(super) type Bound = [usize; 3];

/// A finite interpretation. The names denote the first individuals, each another.
#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) size: usize,
    /// For each predicate, whether it holds of each tuple.
    pub(super) predicates: Vec<Vec<bool>>,
}

/// Ground literals that are known to follow.
pub(super) type Known = BTreeMap<Atom, bool>;

impl Formula {
    pub(super) fn not(self) -> Self {
        Self::Not(Box::new(self))
    }

    /// Whether some atom stands in it twice, which mostly makes it say less than it seems to.
    pub(super) fn repeats(&self) -> bool {
        let mut atoms = Vec::new();
        self.atoms(&mut atoms);
        atoms.iter().enumerate().any(|(i, atom)| atoms.iter().skip(i + 1).any(|other| other == atom))
    }

    fn atoms<'a>(&'a self, out: &mut Vec<&'a Atom>) {
        match self {
            Self::Atom(atom) => out.push(atom),
            Self::Same(..) => {}
            Self::Not(a) | Self::All(_, a) | Self::Some(_, a) => a.atoms(out),
            Self::And(parts) => parts.iter().for_each(|part| part.atoms(out)),
            Self::Or(a, b) | Self::Xor(a, b) | Self::Implies(a, b) | Self::Iff(a, b) => {
                [a, b].into_iter().for_each(|part| part.atoms(out));
            }
        }
    }
}

impl World {
    fn term(term: Term, bound: &Bound) -> usize {
        match term {
            Term::Variable(variable) => bound.get(variable).copied().unwrap_or(0),
            Term::Name(name) => name,
        }
    }

    fn tuple(&self, atom: &Atom, bound: &Bound) -> usize {
        atom.terms.iter().fold(0, |at, term| at * self.size + Self::term(*term, bound))
    }

    fn atom(&mut self, atom: &Atom, bound: &Bound) -> Option<&mut bool> {
        let tuple = self.tuple(atom, bound);
        self.predicates.get_mut(atom.predicate)?.get_mut(tuple)
    }

    /// Whether a formula holds.
    pub(super) fn holds(&self, formula: &Formula, bound: &mut Bound) -> bool {
        match formula {
            Formula::Atom(atom) => {
                let tuple = self.tuple(atom, bound);
                self.predicates.get(atom.predicate).and_then(|p| p.get(tuple)).is_some_and(|holds| *holds)
            }
            Formula::Same(a, b) => Self::term(*a, bound) == Self::term(*b, bound),
            Formula::Not(a) => !self.holds(a, bound),
            Formula::And(parts) => parts.iter().all(|part| self.holds(part, bound)),
            Formula::Or(a, b) => self.holds(a, bound) || self.holds(b, bound),
            Formula::Xor(a, b) => self.holds(a, bound) != self.holds(b, bound),
            Formula::Implies(a, b) => !self.holds(a, bound) || self.holds(b, bound),
            Formula::Iff(a, b) => self.holds(a, bound) == self.holds(b, bound),
            Formula::All(variable, body) => self.each(*variable, bound, |world, bound| world.holds(body, bound)).all(),
            Formula::Some(variable, body) => self.each(*variable, bound, |world, bound| world.holds(body, bound)).any(),
        }
    }

    fn each(&self, variable: usize, bound: &mut Bound, test: impl Fn(&Self, &mut Bound) -> bool) -> Found {
        let outer = *bound;
        let mut found = Found { all: true, any: false };
        for individual in 0..self.size {
            set(bound, variable, individual);
            let holds = test(self, bound);
            found.all &= holds;
            found.any |= holds;
        }
        *bound = outer;
        found
    }

    /// Changes the world so that a formula holds, or does not, as far as that is easy. `choice` decides between ways.
    pub(super) fn enforce(
        &mut self,
        formula: &Formula,
        wanted: bool,
        bound: &mut Bound,
        choice: &mut impl FnMut(usize) -> usize,
    ) {
        if self.holds(formula, bound) == wanted {
            return;
        }
        match formula {
            Formula::Atom(atom) => {
                if let Some(holds) = self.atom(atom, bound) {
                    *holds = wanted;
                }
            }
            Formula::Same(..) => {}
            Formula::Not(a) => self.enforce(a, !wanted, bound, choice),
            Formula::And(parts) if wanted => parts.iter().for_each(|part| self.enforce(part, true, bound, choice)),
            Formula::And(parts) => {
                if let Some(part) = parts.get(choice(parts.len())) {
                    self.enforce(part, false, bound, choice);
                }
            }
            Formula::Or(a, b) if wanted => self.enforce(if choice(2) == 0 { a } else { b }, true, bound, choice),
            Formula::Or(a, b) => [a, b].into_iter().for_each(|part| self.enforce(part, false, bound, choice)),
            Formula::Implies(a, b) if wanted => {
                if choice(4) == 0 {
                    self.enforce(a, false, bound, choice);
                } else {
                    self.enforce(b, true, bound, choice);
                }
            }
            Formula::Implies(a, b) => {
                self.enforce(a, true, bound, choice);
                self.enforce(b, false, bound, choice);
            }
            Formula::Xor(a, b) | Formula::Iff(a, b) => {
                let part = if choice(2) == 0 { a } else { b };
                let holds = self.holds(part, bound);
                self.enforce(part, !holds, bound, choice);
            }
            Formula::All(variable, body) | Formula::Some(variable, body) => {
                let outer = *bound;
                // One individual is enough to make an ∃ hold or a ∀ fail.
                let one = matches!(formula, Formula::Some(..)) == wanted;
                let (first, count) = if one { (choice(self.size), 1) } else { (0, self.size) };
                for individual in first..first + count {
                    set(bound, *variable, individual);
                    self.enforce(body, wanted, bound, choice);
                }
                *bound = outer;
            }
        }
    }
}

struct Found {
    all: bool,
    any: bool,
}

impl Found {
    const fn all(&self) -> bool {
        self.all
    }

    const fn any(&self) -> bool {
        self.any
    }
}

fn set(bound: &mut Bound, variable: usize, individual: usize) {
    if let Some(place) = bound.get_mut(variable) {
        *place = individual;
    }
}

/// The truth value of a formula wherever all of `known` holds, as far as that shows it (Kleene's strong logic). Names may
/// denote the same individual, and there may be individuals without a name.
pub(super) fn follows(formula: &Formula, known: &Known, names: usize, bound: &mut Bound) -> Option<bool> {
    match formula {
        Formula::Atom(atom) => {
            let ground = |term: &Term| Term::Name(World::term(*term, bound));
            let atom = Atom { predicate: atom.predicate, terms: atom.terms.iter().map(ground).collect() };
            known.get(&atom).copied()
        }
        Formula::Same(a, b) => (World::term(*a, bound) == World::term(*b, bound)).then_some(true),
        Formula::Not(a) => follows(a, known, names, bound).map(|value| !value),
        Formula::And(parts) => {
            let values: Vec<Option<bool>> = parts.iter().map(|part| follows(part, known, names, bound)).collect();
            all_of(&values)
        }
        Formula::Or(a, b) => {
            let values = [a, b].map(|part| follows(part, known, names, bound).map(|value| !value));
            all_of(&values).map(|value| !value)
        }
        Formula::Implies(a, b) => {
            let values = [follows(a, known, names, bound), follows(b, known, names, bound).map(|value| !value)];
            all_of(&values).map(|value| !value)
        }
        Formula::Xor(a, b) => Some(follows(a, known, names, bound)? != follows(b, known, names, bound)?),
        Formula::Iff(a, b) => Some(follows(a, known, names, bound)? == follows(b, known, names, bound)?),
        Formula::All(variable, body) | Formula::Some(variable, body) => {
            // A name can show that an ∃ holds or a ∀ does not; that no name does shows nothing.
            let shown = matches!(formula, Formula::Some(..));
            let outer = *bound;
            let mut found = false;
            for name in 0..names {
                set(bound, *variable, name);
                found |= follows(body, known, names, bound) == Some(shown);
            }
            *bound = outer;
            found.then_some(shown)
        }
    }
}

fn all_of(values: &[Option<bool>]) -> Option<bool> {
    if values.contains(&Some(false)) {
        return Some(false);
    }
    values.iter().all(Option::is_some).then_some(true)
}

/// A hash of formulas that is the same for every choice of predicates and names.
pub(super) fn form<'a>(formulas: impl IntoIterator<Item = &'a Formula>) -> [u8; 16] {
    form_with(formulas, |predicate| predicate, |name| name)
}

/// The same with other predicates and names in the place of these.
pub(super) fn form_with<'a>(
    formulas: impl IntoIterator<Item = &'a Formula>,
    predicate: impl Fn(usize) -> usize,
    name: impl Fn(usize) -> usize,
) -> [u8; 16] {
    let mut form = Form { out: Vec::new(), predicates: Vec::new(), names: Vec::new(), predicate, name };
    for formula in formulas {
        form.add(formula);
        form.out.push(b';');
    }
    super::hash_form(&form.out)
}

/// Symbols are numbered as they first occur.
struct Form<P, N> {
    out: Vec<u8>,
    predicates: Vec<usize>,
    names: Vec<usize>,
    predicate: P,
    name: N,
}

impl<P: Fn(usize) -> usize, N: Fn(usize) -> usize> Form<P, N> {
    fn number(seen: &mut Vec<usize>, symbol: usize) -> u8 {
        let at = seen.iter().position(|other| *other == symbol).unwrap_or_else(|| {
            seen.push(symbol);
            seen.len() - 1
        });
        u8::try_from(at).unwrap_or(u8::MAX)
    }

    fn term(&mut self, term: Term) {
        match term {
            Term::Variable(variable) => self.out.extend([b'v', u8::try_from(variable).unwrap_or(u8::MAX)]),
            Term::Name(name) => {
                let number = Self::number(&mut self.names, (self.name)(name));
                self.out.extend([b'n', number]);
            }
        }
    }

    fn join<'a>(&mut self, sign: u8, parts: impl IntoIterator<Item = &'a Formula>) {
        self.out.extend([b'(', sign]);
        parts.into_iter().for_each(|part| self.add(part));
        self.out.push(b')');
    }

    fn add(&mut self, formula: &Formula) {
        match formula {
            Formula::Atom(atom) => {
                let number = Self::number(&mut self.predicates, (self.predicate)(atom.predicate));
                self.out.extend([b'p', number, u8::try_from(atom.terms.len()).unwrap_or(u8::MAX)]);
                atom.terms.iter().for_each(|term| self.term(*term));
            }
            Formula::Same(a, b) => {
                self.out.push(b'=');
                [a, b].into_iter().for_each(|term| self.term(*term));
            }
            Formula::Not(a) => self.join(b'-', [&**a]),
            Formula::And(parts) => self.join(b'&', parts),
            Formula::Or(a, b) => self.join(b'|', [&**a, &**b]),
            Formula::Xor(a, b) => self.join(b'^', [&**a, &**b]),
            Formula::Implies(a, b) => self.join(b'>', [&**a, &**b]),
            Formula::Iff(a, b) => self.join(b'~', [&**a, &**b]),
            Formula::All(_, a) => self.join(b'A', [&**a]),
            Formula::Some(_, a) => self.join(b'E', [&**a]),
        }
    }
}
