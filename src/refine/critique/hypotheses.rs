//! What a missing premise could say: literals about named individuals, and simple universals, over existing symbols.

use std::collections::{BTreeMap, BTreeSet};

use super::story::{Story, sentence_target};
use super::wording::{Sentence, Wanted};
use crate::diagnostic::{Span, Target};
use crate::fol::print::unicode::print;
use crate::fol::{Atom, Connective, Formula, FormulaKind, Quantifier, Term, TermKind, Variable};

/// Atoms of one predicate, at most.
const MAX_ATOMS: usize = 30;
/// Properties that universals are made of, at most.
const MAX_PROPERTIES: usize = 28;

/// A formula that may be what is missing.
pub(super) struct Hypothesis {
    pub(super) formula: Formula,
    pub(super) text: String,
    /// For a universal, that nothing satisfies its condition.
    pub(super) nothing: Option<Formula>,
    /// The first sentence that has the words of all its names.
    pub(super) sentence: Option<Target>,
    /// How far-fetched it is; smaller ones come first.
    pub(super) cost: u32,
}

impl Hypothesis {
    fn new(formula: Formula, nothing: Option<Formula>, sentence: Option<Target>, cost: u32) -> Self {
        Self { text: print(&formula), formula, nothing, sentence, cost: cost + unsaid(sentence) }
    }
}

/// What it costs that no sentence has the words of a hypothesis: less where the conclusion's has them.
const fn unsaid(sentence: Option<Target>) -> u32 {
    match sentence {
        Some(Target::ConclusionSentence) => 1,
        Some(_) => 0,
        None => 3,
    }
}

const NOWHERE: Span = Span::at(0);

/// An atom with one place open.
#[derive(Clone, PartialEq)]
struct Property {
    name: String,
    args: Vec<Term>,
    open: usize,
}

impl Property {
    fn of(&self, subject: &Term) -> Formula {
        let mut args = self.args.clone();
        if let Some(place) = args.get_mut(self.open) {
            place.clone_from(subject);
        }
        atom(&self.name, args)
    }
}

fn atom(name: &str, args: Vec<Term>) -> Formula {
    Formula::new(FormulaKind::Atom(Atom { name: name.to_owned(), name_span: NOWHERE, args }), NOWHERE)
}

fn not(formula: Formula) -> Formula {
    Formula::new(FormulaKind::Not(Box::new(formula)), NOWHERE)
}

/// A sentence with the names looked for in it.
struct Mentions<'a> {
    sentences: Vec<(Target, Sentence<'a>)>,
    /// Which sentences have the words of each name.
    known: BTreeMap<String, Vec<bool>>,
}

impl Mentions<'_> {
    /// The first sentence that has the words of all names that have telling ones.
    fn of(&mut self, names: &[&str]) -> Option<Target> {
        let mut all: Option<Vec<bool>> = None;
        for name in names {
            if !self.known.contains_key(*name) {
                let wanted = Wanted::new(name);
                let found = self.sentences.iter().map(|(_, s)| !wanted.is_telling() || wanted.is_in(s)).collect();
                self.known.insert((*name).to_owned(), found);
            }
            let found = self.known.get(*name)?;
            all = Some(match all {
                None => found.clone(),
                Some(all) => all.iter().zip(found).map(|(a, b)| *a && *b).collect(),
            });
        }
        let at = all?.iter().position(|found| *found)?;
        self.sentences.get(at).map(|(target, _)| sentence_target(*target))
    }
}

/// The names that a term is made of.
fn names_of(term: &Term, out: &mut Vec<String>) {
    term.each_symbol(&mut |symbol| out.push(symbol.name.to_owned()));
}

/// All hypotheses about a story, the least far-fetched first; at most `limit`, and whether there were more.
pub(super) fn hypotheses(story: &Story<'_>, limit: usize) -> (Vec<Hypothesis>, bool) {
    let survey = Survey::new(story);
    let sentences = story.parts.iter().filter_map(|p| Some((p.target, Sentence::new(p.sentence?))));
    let mut mentions = Mentions { sentences: sentences.collect(), known: BTreeMap::new() };
    let mut out: Vec<Hypothesis> = Vec::new();
    survey.atoms(&mut mentions, &mut out);
    survey.universals(&mut mentions, &mut out);
    out.sort_by(|a, b| a.cost.cmp(&b.cost).then_with(|| a.text.cmp(&b.text)));
    out.dedup_by(|a, b| a.text == b.text);
    let more = out.len() > limit;
    out.truncate(limit);
    (out, more)
}

/// What the annotations are made of.
struct Survey<'a> {
    /// For each predicate, by first use, what stands at each of its places.
    predicates: Vec<((&'a str, usize), Vec<Place<'a>>)>,
    /// The individuals of which something is said, those of the conclusion first.
    subjects: Vec<&'a Term>,
    /// Those that the conclusion speaks of.
    concluded: BTreeSet<&'a str>,
    /// The atoms of the conclusion, as text.
    conclusion_atoms: BTreeSet<String>,
    /// Predicates that hang together with those of the conclusion.
    near: BTreeSet<(&'a str, usize)>,
    properties: Vec<Property>,
}

/// What stands at one place of a predicate.
#[derive(Default)]
struct Place<'a> {
    terms: Vec<&'a Term>,
    variables: bool,
}

const fn individual(term: &Term) -> Option<&String> {
    match &term.kind {
        TermKind::Constant(name) | TermKind::Free(name) => Some(name),
        TermKind::Bound(_) | TermKind::Function(..) => None,
    }
}

impl<'a> Survey<'a> {
    fn new(story: &Story<'a>) -> Self {
        let mut out = Self {
            predicates: Vec::new(),
            subjects: Vec::new(),
            concluded: BTreeSet::new(),
            conclusion_atoms: BTreeSet::new(),
            near: BTreeSet::new(),
            properties: Vec::new(),
        };
        let conclusion_first = story.parts.iter().rev().take(1).chain(story.parts.iter().rev().skip(1).rev());
        for part in conclusion_first {
            let is_conclusion = part.target == Target::Conclusion;
            part.formula.walk(&mut |f| {
                let FormulaKind::Atom(atom) = &f.kind else { return };
                if is_conclusion {
                    out.conclusion_atoms.insert(print(f));
                    out.concluded.extend(atom.args.iter().filter_map(individual).map(String::as_str));
                }
                out.add(atom);
            });
        }
        out.near = near(story);
        out
    }

    fn add(&mut self, atom: &'a Atom) {
        let key = (atom.name.as_str(), atom.args.len());
        let index = self.predicates.iter().position(|(k, _)| *k == key).unwrap_or_else(|| {
            self.predicates.push((key, atom.args.iter().map(|_| Place::default()).collect()));
            self.predicates.len() - 1
        });
        let Some((_, places)) = self.predicates.get_mut(index) else { return };
        for (place, term) in places.iter_mut().zip(&atom.args) {
            if individual(term).is_none() {
                place.variables = true;
            } else if !place.terms.contains(&term) {
                place.terms.push(term);
            }
        }
        // Of the first individual of an atom something is said; the others mostly only tell what.
        if let Some(subject) = atom.args.first().filter(|t| individual(t).is_some())
            && !self.subjects.contains(&subject)
        {
            self.subjects.push(subject);
        }
        self.add_property(atom);
    }

    /// The property that an atom gives to its only variable, or to its first individual where it has none.
    fn add_property(&mut self, atom: &Atom) {
        let bound: Vec<usize> =
            (0..).zip(&atom.args).filter(|(_, t)| individual(t).is_none()).map(|(i, _)| i).collect();
        let open = match bound.as_slice() {
            [] if !atom.args.is_empty() => 0,
            [only] if atom.args.get(*only).is_some_and(|t| matches!(t.kind, TermKind::Bound(_))) => *only,
            _ => return,
        };
        let mut args = atom.args.clone();
        if let Some(place) = args.get_mut(open) {
            *place = variable();
        }
        let property = Property { name: atom.name.clone(), args, open };
        if self.properties.len() < MAX_PROPERTIES && !self.properties.contains(&property) {
            self.properties.push(property);
        }
    }

    fn atoms(&self, mentions: &mut Mentions<'_>, out: &mut Vec<Hypothesis>) {
        for ((name, arity), places) in &self.predicates {
            let mut tuples: Vec<Vec<&Term>> = vec![Vec::new()];
            for place in places {
                let mut choices: Vec<&Term> = Vec::new();
                if place.variables {
                    choices.extend(self.subjects.iter().copied());
                }
                choices.extend(place.terms.iter().filter(|t| !choices.contains(*t)).copied().collect::<Vec<_>>());
                let longer = tuples
                    .iter()
                    .flat_map(|t| choices.iter().map(move |c| t.iter().copied().chain([*c]).collect::<Vec<&Term>>()));
                tuples = longer.take(MAX_ATOMS).collect();
            }
            for tuple in tuples {
                let args: Vec<Term> = tuple.iter().map(|t| (*t).clone()).collect();
                let mut names = vec![(*name).to_owned()];
                args.iter().for_each(|t| names_of(t, &mut names));
                let is_concluded = args.is_empty()
                    || self.concluded.is_empty()
                    || names.iter().skip(1).any(|n| self.concluded.contains(n.as_str()));
                // What is said of an unknown individual, or of one in relation to itself, is hardly what is missing.
                let is_odd = args.iter().any(|t| matches!(t.kind, TermKind::Free(_)))
                    || args.iter().enumerate().any(|(i, t)| args.iter().skip(i + 1).any(|u| t == u));
                let formula = atom(name, args);
                let own = u32::from(self.conclusion_atoms.contains(&print(&formula))) * 4;
                let far = u32::from(!is_concluded) * 2 + u32::from(!self.near.contains(&(*name, *arity))) * 2;
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let sentence = mentions.of(&names);
                let cost = own + far + u32::from(is_odd) * 3;
                out.push(Hypothesis::new(not(formula.clone()), None, sentence, cost + 3));
                out.push(Hypothesis::new(formula, None, sentence, cost));
            }
        }
    }

    fn universals(&self, mentions: &mut Mentions<'_>, out: &mut Vec<Hypothesis>) {
        let subject = variable();
        let wanted: Vec<Wanted<'_>> = self.properties.iter().map(|p| Wanted::new(&p.name)).collect();
        let is_near = |p: &Property| self.near.contains(&(p.name.as_str(), p.args.len()));
        for (i, (p, p_name)) in self.properties.iter().zip(&wanted).enumerate() {
            for (j, (q, q_name)) in self.properties.iter().zip(&wanted).enumerate() {
                if i == j || (!is_near(p) && !is_near(q)) {
                    continue;
                }
                let mut names = vec![p.name.clone(), q.name.clone()];
                p.args.iter().chain(&q.args).for_each(|t| names_of(t, &mut names));
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let sentence = mentions.of(&names);
                let kin = u32::from(!p_name.shares_word(q_name)) * 2;
                let cost = 1 + kin;
                let (left, right) = (p.of(&subject), q.of(&subject));
                // An exclusion says the same both ways.
                if i < j {
                    let exclusion = universal(implication(right.clone(), not(left.clone())));
                    let nothing = universal(not(right.clone()));
                    out.push(Hypothesis::new(exclusion, Some(nothing), sentence, cost + 3));
                }
                let nothing = universal(not(left.clone()));
                out.push(Hypothesis::new(universal(implication(left, right)), Some(nothing), sentence, cost));
            }
        }
    }
}

fn variable() -> Term {
    Term { kind: TermKind::Bound("x".to_owned()), span: NOWHERE }
}

fn implication(left: Formula, right: Formula) -> Formula {
    Formula::new(FormulaKind::Binary(Connective::Implies, Box::new(left), Box::new(right)), NOWHERE)
}

fn universal(body: Formula) -> Formula {
    let x = Variable { name: "x".to_owned(), span: NOWHERE };
    Formula::new(FormulaKind::Quantified(Quantifier::ForAll, vec![x], Box::new(body)), NOWHERE)
}

/// The predicates that hang together with those of the conclusion, from formula to formula.
fn near<'a>(story: &Story<'a>) -> BTreeSet<(&'a str, usize)> {
    let atoms = |formula: &'a Formula| {
        let mut out: BTreeSet<(&'a str, usize)> = BTreeSet::new();
        formula.walk(&mut |f| {
            if let FormulaKind::Atom(atom) = &f.kind {
                out.insert((atom.name.as_str(), atom.args.len()));
            }
        });
        out
    };
    let mut near = story.conclusion().map(atoms).unwrap_or_default();
    let mut rest: Vec<BTreeSet<(&str, usize)>> = story.premises().into_iter().map(atoms).collect();
    loop {
        let before = rest.len();
        rest.retain(|atoms| {
            let meets = !atoms.is_disjoint(&near);
            if meets {
                near.extend(atoms.iter().copied());
            }
            !meets
        });
        if rest.len() == before {
            return near;
        }
    }
}
