use super::*;
use crate::fol::parse;
use crate::ground::{Answer, decide};

fn formulas(texts: &[&str]) -> Vec<Formula> {
    texts.iter().map(|t| parse(t).reading().expect("a reading").clone()).collect()
}

fn statements(formulas: &[Formula]) -> Vec<Statement<'_>> {
    formulas.iter().map(|formula| Statement { formula, negated: false }).collect()
}

fn certificate(formulas: &[Formula]) -> Certificate {
    match decide(&statements(formulas), false) {
        Ok(Answer::Contradiction(certificate, _)) => certificate,
        other => panic!("no contradiction: {other:?}"),
    }
}

/// Questions with all that makes instances hard: nesting, doubled quantifiers, witnesses that depend, functions, equality.
const CONTRADICTIONS: &[&[&str]] = &[
    &["∀x (Cat(x) → Animal(x))", "∀x (Animal(x) → Mortal(x))", "Cat(tom)", "¬Mortal(tom)"],
    &["∀x (P(x) → ∃y (R(x, y)))", "∀x ∀y (R(x, y) → Q(y))", "P(a)", "∀x ¬Q(x)"],
    &["∃x ∀y (R(x, y))", "¬∀y ∃x (R(x, y))"],
    &["∀x (P(x)) ↔ Q", "∀x (P(x))", "¬Q"],
    &["∀x (P(x)) ⊕ ∃x (R(x))", "∀x (P(x) ∧ R(x))"],
    &["a = b", "b = c", "P(a, d)", "¬P(c, d)"],
    &["∀x (father(x) = father(brother(x)))", "Rich(father(tom))", "¬Rich(father(brother(tom)))"],
    &["∀x (P(x) → P(next(x)))", "P(zero)", "¬P(next(next(zero)))"],
    &["∀x ∃y (R(x, y))", "∀x ∀y (R(x, y) → R(y, y))", "∀x ¬R(x, x)"],
    &["P(x) ∨ Q(x)", "¬P(x)", "∀x (¬Q(x))"],
    &["(∀x (P(x)) ↔ ∃y (Q(y))) ↔ R", "∀x (P(x))", "Q(a)", "¬R"],
];

#[test]
fn certificates_stand_their_check_and_lose_it_when_anything_is_taken_away() {
    for texts in CONTRADICTIONS {
        let formulas = formulas(texts);
        let statements = statements(&formulas);
        let certificate = certificate(&formulas);
        assert!(check(&certificate, &statements).is_ok(), "{texts:?}");
        for left_out in 0..certificate.instances.len() {
            let mut less = certificate.clone();
            less.instances.remove(left_out);
            assert_eq!(check(&less, &statements), Err(CheckError::NoContradiction), "{texts:?} without {left_out}");
        }
    }
}

#[test]
fn a_doctored_certificate_is_refused() {
    let formulas = formulas(CONTRADICTIONS[1]);
    let statements = statements(&formulas);
    let sound = certificate(&formulas);
    let refused = |change: &dyn Fn(&mut Certificate)| {
        let mut doctored = sound.clone();
        change(&mut doctored);
        check(&doctored, &statements).expect_err("doctored")
    };
    // Another individual for a variable.
    for (at, instance) in sound.instances.iter().enumerate() {
        for (place, individual) in &instance.choices {
            for other in (0..10).filter(|o| o != individual) {
                let error = refused(&|c| {
                    c.instances[at].choices.insert(*place, other);
                });
                assert!(matches!(error, CheckError::NoContradiction | CheckError::BadChoice { .. }), "{error}");
            }
        }
    }
    // An instance of another statement, or of none.
    assert!(matches!(refused(&|c| c.instances[0].statement = 7), CheckError::NoStatement { statement: 7, .. }));
    // Witnesses under another name, individuals made of themselves or there twice.
    let witness = sound.individuals.iter().position(|i| matches!(i, Individual::Witness(..))).expect("a witness");
    assert_eq!(
        refused(&|c| c.individuals[witness] = Individual::Constant("somebody".to_owned())),
        CheckError::NoContradiction
    );
    let number = u32::try_from(witness).expect("a number");
    let own = Individual::Function("f".to_owned(), vec![number]);
    assert_eq!(refused(&|c| c.individuals[witness] = own.clone()), CheckError::BadIndividual(number));
    let twice = u32::try_from(sound.individuals.len()).expect("a number");
    let first = sound.individuals[0].clone();
    assert_eq!(refused(&|c| c.individuals.push(first.clone())), CheckError::BadIndividual(twice));
    // A choice for a variable that takes a witness.
    let place = Place { statement: 0, variable: 1, plain: true };
    assert!(matches!(
        refused(&|c| {
            c.instances[0].choices.insert(place, 0);
        }),
        CheckError::BadChoice { .. }
    ));
}

#[test]
fn a_certificate_is_one_of_these_statements_only() {
    let formulas_of = |texts: &[&str]| formulas(texts);
    let formulas = formulas_of(&["∀x (P(x) → Q(x))", "P(a)", "¬Q(a)"]);
    let sound = certificate(&formulas);
    for changed in [
        ["∀x (P(x) → Q(x))", "P(b)", "¬Q(a)"],
        ["∀x (Q(x) → P(x))", "P(a)", "¬Q(a)"],
        ["∃x (P(x) → Q(x))", "P(a)", "¬Q(a)"],
        ["∀x (P(x) ∨ Q(x))", "P(a)", "¬Q(a)"],
        ["∀x (P(x) → Q(x))", "P(a)", "Q(a)"],
    ] {
        let changed = formulas_of(&changed);
        assert!(check(&sound, &statements(&changed)).is_err(), "{changed:?}");
    }
}

#[test]
fn the_same_witness_never_stands_for_two_formulas() {
    // Somebody is P, somebody is not: no contradiction, whatever a certificate says.
    let formulas = formulas(&["∃x (P(x))", "∃x (¬P(x))"]);
    let instances = (0..2).map(|statement| Instance { statement, choices: [].into() }).collect();
    let certificate = Certificate { instances, ..Certificate::default() };
    assert_eq!(check(&certificate, &statements(&formulas)), Err(CheckError::NoContradiction));
}

#[test]
fn unique_names_are_used_only_where_they_hold() {
    let formulas = formulas(&["a = b"]);
    let instances = vec![Instance { statement: 0, choices: [].into() }];
    let mut certificate = Certificate { instances, ..Certificate::default() };
    assert_eq!(check(&certificate, &statements(&formulas)), Err(CheckError::NoContradiction));
    certificate.unique_names = true;
    let refutation = check(&certificate, &statements(&formulas)).expect("a contradiction");
    assert_eq!(refutation.line.end, End::OneIndividual(0, 1));
    assert!(matches!(decide(&statements(&formulas), true), Ok(Answer::Contradiction(..))));
}
