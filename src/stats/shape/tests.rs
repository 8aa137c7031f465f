use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::diagnostic::Span;
use crate::fol::{Atom, Variable, parse};

const BOUND_STEPS: usize = 100_000;

fn shape(premises: &[Formula], conclusion: Option<&Formula>) -> Shape {
    Shape::new(&premises.iter().collect::<Vec<_>>(), conclusion)
}

fn read(texts: &[&str]) -> Vec<Formula> {
    texts.iter().map(|text| parse(text).formula.unwrap()).collect()
}

fn same(a: &[&str], b: &[&str]) -> Same {
    shape(&read(a), None).same(&shape(&read(b), None), BOUND_STEPS)
}

#[test]
fn known_pairs() {
    let yes = |a: &[&str], b: &[&str]| assert_eq!(same(a, b), Same::Yes, "{a:?} {b:?}");
    let no = |a: &[&str], b: &[&str]| assert_eq!(same(a, b), Same::No, "{a:?} {b:?}");
    yes(&["∀x (Dog(x) → Bark(x))", "Dog(rex)"], &["Cat(tom)", "∀y (Cat(y) → Purr(y))"]);
    no(&["∀x (Dog(x) → Bark(x))", "Dog(rex)"], &["Purr(tom)", "∀y (Cat(y) → Purr(y))"]);
    // Different symbols stay different, and one stays one.
    no(&["P(a)", "Q(a)"], &["P(a)", "P(a)"]);
    no(&["P(a)", "Q(a)"], &["P(a)", "Q(b)"]);
    no(&["P(a)", "P(b)"], &["P(a)", "Q(a)"]);
    // Order and brackets where neither matters, and not where they do.
    yes(&["P(a) ∧ (Q(a) ∧ S(b))"], &["(X(c) ∧ Y(d)) ∧ Z(d)"]);
    yes(&["P(a) ⊕ Q(b)", "P(a)"], &["R(c) ⊕ S(d)", "S(d)"]);
    yes(&["a = b", "P(a)"], &["d = c", "Q(c)"]);
    yes(&["a ≠ b"], &["¬(c = d)"]);
    no(&["P(a) → Q(a)", "P(a)"], &["P(a) → Q(a)", "Q(a)"]);
    no(&["R(a, b)", "R(b, c)"], &["R(a, b)", "R(c, b)"]);
    no(&["P(a) ∧ Q(a)"], &["P(a) ∨ Q(a)"]);
    // Bound variables by what binds them; the order of quantifiers matters.
    yes(&["∀x ∀y R(x, y)"], &["∀y,x S(y, x)"]);
    no(&["∀x ∃y R(x, y)"], &["∃y ∀x R(x, y)"]);
    no(&["∀x ∀y R(x, y)"], &["∀x ∀y R(y, x)"]);
    // An unknown individual is no constant, a function no predicate, and another count of arguments another symbol.
    no(&["P(x)"], &["P(a)"]);
    yes(&["P(x)", "Q(x)"], &["P(y)", "Q(y)"]);
    no(&["P(f(a))"], &["P(a)"]);
    no(&["P(a)", "P(a, b)", "Q(a)"], &["P(a)", "P(a, b)", "P(b)"]);
}

#[test]
fn what_colours_do_not_tell_apart_is_tried() {
    // A circle of six and two of three: every symbol looks alike from where it stands.
    let circle = |names: &[&str]| -> Vec<String> {
        (0..names.len()).map(|i| format!("R({}, {})", names[i], names[(i + 1) % names.len()])).collect()
    };
    let one = circle(&["a", "b", "c", "d", "e", "g"]);
    let two = [circle(&["a", "b", "c"]), circle(&["d", "e", "g"])].concat();
    let other = circle(&["e", "c", "a", "g", "d", "b"]);
    let texts = |all: &[String]| all.iter().map(|t| parse(t).formula.unwrap()).collect::<Vec<_>>();
    let (one, two, other) = (shape(&texts(&one), None), shape(&texts(&two), None), shape(&texts(&other), None));
    assert_eq!(one.key(), two.key());
    assert_eq!(one.same(&two, BOUND_STEPS), Same::No);
    assert_eq!(one.same(&other, BOUND_STEPS), Same::Yes);
    assert_eq!(one.same(&other, 5), Same::Unknown);
}

#[test]
fn a_conclusion_is_no_premise() {
    let read = |text: &str| parse(text).formula.unwrap();
    let record = |premise: &str, conclusion: &str| shape(&[read(premise)], Some(&read(conclusion)));
    let a = record("P(a) ∧ Q(a)", "P(a)");
    assert_eq!(a.same(&record("Q(b) ∧ P(b)", "Q(b)"), BOUND_STEPS), Same::Yes);
    assert_eq!(a.same(&record("P(a)", "P(a) ∧ Q(a)"), BOUND_STEPS), Same::No);
    assert_eq!(a.same(&shape(&[read("P(a) ∧ Q(a)"), read("P(a)")], None), BOUND_STEPS), Same::No);
}

/// Predicates of arity 0 to 2, constants, a function, and the variables that are bound around.
fn term(depth: u32) -> BoxedStrategy<Term> {
    let leaf = prop_oneof![
        (0..4_usize).prop_map(|i| TermKind::Constant(format!("c{i}"))),
        (0..2_usize).prop_map(|i| TermKind::Bound(format!("x{i}"))),
        Just(TermKind::Free("z".to_owned())),
    ];
    let leaf = leaf.prop_map(|kind| Term { kind, span: Span::new(0, 0) }).boxed();
    if depth == 0 {
        return leaf;
    }
    let function = (0..2_usize, term(depth - 1))
        .prop_map(|(i, arg)| Term { kind: TermKind::Function(format!("f{i}"), vec![arg]), span: Span::new(0, 0) });
    prop_oneof![4 => leaf, 1 => function].boxed()
}

fn made(kind: FormulaKind) -> Formula {
    Formula::new(kind, Span::new(0, 0))
}

fn formula() -> impl Strategy<Value = Formula> {
    let atom = (0..3_usize, 0..3_usize, proptest::collection::vec(term(1), 2)).prop_map(|(name, arity, mut args)| {
        args.truncate(arity);
        made(FormulaKind::Atom(Atom { name: format!("P{name}"), name_span: Span::new(0, 0), args }))
    });
    let equation = (term(1), term(1)).prop_map(|(a, b)| made(FormulaKind::Equal(a, b)));
    prop_oneof![4 => atom, 1 => equation].prop_recursive(4, 24, 2, |inner| {
        let connectives = prop::sample::select(vec![
            Connective::And,
            Connective::Or,
            Connective::Xor,
            Connective::Implies,
            Connective::Iff,
        ]);
        let quantified = (any::<bool>(), 0..2_usize, inner.clone()).prop_map(|(all, i, body)| {
            let quantifier = if all { Quantifier::ForAll } else { Quantifier::Exists };
            let variable = Variable { name: format!("x{i}"), span: Span::new(0, 0) };
            made(FormulaKind::Quantified(quantifier, vec![variable], Box::new(body)))
        });
        prop_oneof![
            inner.clone().prop_map(|a| made(FormulaKind::Not(Box::new(a)))),
            (connectives, inner.clone(), inner).prop_map(|(c, a, b)| made(FormulaKind::Binary(
                c,
                Box::new(a),
                Box::new(b)
            ))),
            quantified,
        ]
    })
}

/// Gives every name another, different ones different ones, and turns what may be turned.
struct Renaming<'p> {
    order: &'p [usize],
    turn: bool,
}

impl Renaming<'_> {
    fn name(&self, name: &str) -> String {
        let (letter, number) = name.split_at(1);
        let number = number.parse::<usize>().map_or(0, |n| self.order[n]);
        format!("{letter}new{number}")
    }

    fn term(&self, term: &Term) -> Term {
        let kind = match &term.kind {
            TermKind::Bound(name) => TermKind::Bound(self.name(name)),
            TermKind::Free(name) => TermKind::Free(self.name(name)),
            TermKind::Constant(name) => TermKind::Constant(self.name(name)),
            TermKind::Function(name, args) => {
                TermKind::Function(self.name(name), args.iter().map(|arg| self.term(arg)).collect())
            }
        };
        Term { kind, span: Span::new(0, 0) }
    }

    fn formula(&self, formula: &Formula) -> Formula {
        let boxed = |f: &Formula| Box::new(self.formula(f));
        made(match &formula.kind {
            FormulaKind::Constant(value) => FormulaKind::Constant(*value),
            FormulaKind::Atom(atom) => FormulaKind::Atom(Atom {
                name: self.name(&atom.name),
                name_span: Span::new(0, 0),
                args: atom.args.iter().map(|arg| self.term(arg)).collect(),
            }),
            FormulaKind::Equal(a, b) if self.turn => FormulaKind::Equal(self.term(b), self.term(a)),
            FormulaKind::Equal(a, b) => FormulaKind::Equal(self.term(a), self.term(b)),
            FormulaKind::NotEqual(a, b) => FormulaKind::NotEqual(self.term(a), self.term(b)),
            FormulaKind::Not(a) => FormulaKind::Not(boxed(a)),
            FormulaKind::Binary(c, a, b) if self.turn && *c != Connective::Implies => {
                FormulaKind::Binary(*c, boxed(b), boxed(a))
            }
            FormulaKind::Binary(c, a, b) => FormulaKind::Binary(*c, boxed(a), boxed(b)),
            FormulaKind::Quantified(q, variables, body) => {
                let variables =
                    variables.iter().map(|v| Variable { name: self.name(&v.name), span: Span::new(0, 0) }).collect();
                FormulaKind::Quantified(*q, variables, boxed(body))
            }
        })
    }
}

/// The places of connectives and quantifiers, each to be made another.
fn operators(formula: &mut Formula, change: &mut impl FnMut(&mut FormulaKind)) {
    match &mut formula.kind {
        FormulaKind::Binary(_, a, b) => {
            operators(a, change);
            operators(b, change);
            change(&mut formula.kind);
        }
        FormulaKind::Not(a) => operators(a, change),
        FormulaKind::Quantified(_, _, a) => {
            operators(a, change);
            change(&mut formula.kind);
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn renamed_and_shuffled_stories_are_the_same(
        story in prop::collection::vec(formula(), 1..6),
        conclusion in formula(),
        order in Just(vec![0_usize, 1, 2, 3, 4, 5]).prop_shuffle(),
        places in prop::collection::vec(any::<Index>(), 6),
        turn in any::<bool>(),
    ) {
        let renaming = Renaming { order: &order, turn };
        let mut other: Vec<Formula> = story.iter().map(|f| renaming.formula(f)).collect();
        for (i, place) in places.iter().enumerate().take(other.len()) {
            let j = place.index(other.len());
            other.swap(i, j);
        }
        let (a, b) = (shape(&story, Some(&conclusion)), shape(&other, Some(&renaming.formula(&conclusion))));
        prop_assert_eq!(a.key(), b.key());
        prop_assert_eq!(a.same(&b, BOUND_STEPS), Same::Yes);
    }

    #[test]
    fn another_operator_is_another_story(
        story in prop::collection::vec(formula(), 1..5),
        order in Just(vec![0_usize, 1, 2, 3, 4, 5]).prop_shuffle(),
        at in any::<Index>(),
        by in 1..5_usize,
    ) {
        let renaming = Renaming { order: &order, turn: true };
        let mut other: Vec<Formula> = story.iter().rev().map(|f| renaming.formula(f)).collect();
        let mut places = 0;
        other.iter_mut().for_each(|f| operators(f, &mut |_| places += 1));
        prop_assume!(places > 0);
        let (at, mut here) = (at.index(places), 0);
        let all = [Connective::And, Connective::Or, Connective::Xor, Connective::Implies, Connective::Iff];
        other.iter_mut().for_each(|f| operators(f, &mut |kind| {
            if here == at {
                match kind {
                    FormulaKind::Binary(c, ..) => *c = all[(*c as usize + by) % all.len()],
                    FormulaKind::Quantified(q, ..) => {
                        *q = if *q == Quantifier::ForAll { Quantifier::Exists } else { Quantifier::ForAll };
                    }
                    _ => {}
                }
            }
            here += 1;
        }));
        prop_assert_eq!(shape(&story, None).same(&shape(&other, None), BOUND_STEPS), Same::No);
    }
}
