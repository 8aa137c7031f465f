use super::*;
use crate::explain::names::Names;
use crate::fol::parse;
use crate::ground::{Answer, Certificate, Fact, Ground, Refutation, decide};

/// What makes instances hard: nesting, doubled quantifiers, witnesses that depend, parts left out, functions, equality.
const CONTRADICTIONS: &[&[&str]] = &[
    &["∀x (Cat(x) → Animal(x))", "Cat(tom)", "¬Animal(tom)"],
    &["∀x (P(x) → ∃y (R(x, y)))", "∀x ∀y (R(x, y) → Q(y))", "P(a)", "∀x ¬Q(x)"],
    &["∃x ∀y (R(x, y))", "¬∀y ∃x (R(x, y))"],
    &["∀x (P(x)) ↔ Q", "∀x (P(x))", "¬Q"],
    &["¬(∀x (P(x)) ↔ Q)", "∀x (P(x))", "Q"],
    &["∀x (P(x)) ⊕ ∃x (R(x))", "∀x (P(x) ∧ R(x))"],
    &["¬(∀x (P(x)) ⊕ ∃x (R(x)))", "∀x (P(x) ∧ ¬R(x))"],
    &["(∀x (P(x)) ↔ ∃y (Q(y))) ↔ R", "∀x (P(x))", "Q(a)", "¬R"],
    &["∀x (P(x) ↔ (Q(x) ⊕ R(x)))", "P(a) ∧ Q(a) ∧ R(a)"],
    &["∀x (father(x) = father(brother(x)))", "Rich(father(tom))", "¬Rich(father(brother(tom)))"],
    &["(∀x P(x)) ∧ (∀x Q(x))", "¬P(a) ∨ ¬Q(b)"],
    &["∀x (P(x)) → ∃x ∃y (R(x, y) ∧ x ≠ y)", "∀x P(x)", "∀x ∀y (x = y)"],
    &["∀x,y (Likes(x, y) → ∃x (Likes(y, x)))", "Likes(a, b)", "∀x ¬Likes(b, x)"],
    &["P(x) ∨ ⊥", "¬P(x)"],
];

fn statements(formulas: &[Formula]) -> Vec<Statement<'_>> {
    formulas.iter().map(|formula| Statement { formula, negated: false }).collect()
}

fn contradiction(statements: &[Statement<'_>]) -> (Certificate, Refutation) {
    match decide(statements, false) {
        Ok(Answer::Contradiction(certificate, refutation)) => (certificate, refutation),
        other => panic!("no contradiction: {other:?}"),
    }
}

/// The truth value of a told formula, its atoms by their text.
fn value(formula: &Formula, truth: &BTreeMap<String, bool>) -> bool {
    match &formula.kind {
        FormulaKind::Constant(value) => *value,
        FormulaKind::Not(a) => !value(a, truth),
        FormulaKind::NotEqual(a, b) => {
            !value(&Formula::new(FormulaKind::Equal(a.clone(), b.clone()), Span::default()), truth)
        }
        FormulaKind::Binary(connective, a, b) => {
            let (a, b) = (value(a, truth), value(b, truth));
            match connective {
                Connective::And => a && b,
                Connective::Or => a || b,
                Connective::Xor => a != b,
                Connective::Implies => !a || b,
                Connective::Iff => a == b,
            }
        }
        FormulaKind::Atom(_) | FormulaKind::Equal(..) => truth[&unicode::print(formula)],
        FormulaKind::Quantified(..) => panic!("a quantifier is left"),
    }
}

fn ground_value(ground: &Ground, values: &[bool]) -> bool {
    match ground {
        Ground::Literal(fact, plain) => values[*fact] == *plain,
        Ground::All(parts) => parts.iter().all(|p| ground_value(p, values)),
        Ground::Any(parts) => parts.iter().any(|p| ground_value(p, values)),
    }
}

fn texts(fact: &Fact, names: &mut Names<'_>) -> Vec<String> {
    match fact {
        Fact::Atom(name, args) => {
            let args = args.iter().map(|a| names.term(*a)).collect();
            let atom = Atom { name: name.clone(), name_span: Span::default(), args };
            vec![unicode::print(&made(FormulaKind::Atom(atom)))]
        }
        Fact::Equal(a, b) => {
            let (a, b) = (names.term(*a), names.term(*b));
            [(a.clone(), b.clone()), (b, a)].map(|(a, b)| unicode::print(&made(FormulaKind::Equal(a, b)))).to_vec()
        }
    }
}

#[test]
fn what_is_told_is_what_was_checked() {
    for question in CONTRADICTIONS {
        let formulas: Vec<Formula> = question.iter().map(|t| parse(t).reading().expect("a reading").clone()).collect();
        let statements = statements(&formulas);
        let (certificate, refutation) = contradiction(&statements);
        let mut names = Names::new(&statements, &refutation.individuals);
        for (instance, ground) in certificate.instances.iter().zip(&refutation.instances) {
            let told = tell(instance, statements[instance.statement], &mut names);
            let formula = parse(&told.formula).reading().unwrap_or_else(|| panic!("{}", told.formula)).clone();
            let facts: Vec<Vec<String>> = refutation.facts.iter().map(|f| texts(f, &mut names)).collect();
            assert!(facts.len() <= 12, "{question:?}");
            for bits in 0..1_u32 << facts.len() {
                let values: Vec<bool> = (0..facts.len()).map(|i| bits & (1 << i) != 0).collect();
                let truth =
                    facts.iter().zip(&values).flat_map(|(f, v)| f.iter().map(move |t| (t.clone(), *v))).collect();
                assert_eq!(
                    value(&formula, &truth),
                    ground_value(ground, &values),
                    "{question:?}: {} of {}",
                    told.formula,
                    question[instance.statement]
                );
            }
        }
    }
}

#[test]
fn instances_keep_the_authors_shape() {
    let told = |question: &[&str], number: usize| {
        let formulas: Vec<Formula> = question.iter().map(|t| parse(t).reading().expect("a reading").clone()).collect();
        let statements = statements(&formulas);
        let (certificate, refutation) = contradiction(&statements);
        let mut names = Names::new(&statements, &refutation.individuals);
        let instance = certificate.instances.iter().find(|i| i.statement == number).expect("an instance");
        let told = tell(instance, statements[number], &mut names);
        let with: Vec<String> = told.with.iter().map(|(v, i)| format!("{v} = {i}")).collect();
        format!("{} [{}]", told.formula, with.join(", "))
    };
    insta::assert_snapshot!(told(CONTRADICTIONS[0], 0), @"Cat(tom) → Animal(tom) [x = tom]");
    insta::assert_snapshot!(told(CONTRADICTIONS[1], 0), @"P(a) → R(a, w1) [x = a]");
    insta::assert_snapshot!(told(CONTRADICTIONS[3], 0), @"(P(w1) → Q) ∧ (Q → P(w1)) [x = w1]");
    insta::assert_snapshot!(told(CONTRADICTIONS[8], 0), @"P(a) ↔ Q(a) ⊕ R(a) [x = a]");
    insta::assert_snapshot!(told(CONTRADICTIONS[12], 0), @"Likes(a, b) → Likes(b, w1) [x = a, y = b]");
}

#[test]
fn what_stands_for_a_variable_is_put_only_where_that_variable_is_meant() {
    let formula = parse("∀y (R(x, y) ∧ ∃x (P(x)))").formula.expect("a formula");
    // The free `x` is not the bound one.
    let values =
        BTreeMap::from([("x".to_owned(), Term { kind: TermKind::Constant("a".to_owned()), span: Span::default() })]);
    assert_eq!(substitute(&formula, &values), formula);
    let FormulaKind::Quantified(_, _, body) = &formula.kind else { panic!("a quantifier") };
    let values =
        BTreeMap::from([("y".to_owned(), Term { kind: TermKind::Constant("a".to_owned()), span: Span::default() })]);
    assert_eq!(unicode::print(&substitute(body, &values)), "R(x, a) ∧ ∃x (P(x))");
}
