//! Errors of every kind, and what they all have in common.

use proptest::prelude::*;

use super::*;
use crate::evaluate::testing::record;
use crate::fol::parse;
use crate::record::Label;
use crate::synth::{Rows, SynthRow};

/// Every error of a kind that can be made in the premise, sorted.
fn errors(kind: ErrorKind, premise: &str) -> Vec<String> {
    let record = record("r", &[premise], "⊤", Label::True);
    let all = mutations(&record, kind, 1, usize::MAX, QuantifierScope::Tight);
    let mut texts: Vec<String> = all.into_iter().map(|m| m.after).collect();
    texts.sort_unstable();
    texts
}

#[test]
fn a_bracket_less() {
    assert_eq!(
        errors(ErrorKind::DroppedBracket, "¬(P(a) ∧ Q)"),
        ["¬(P(a ∧ Q)", "¬(P(a) ∧ Q", "¬(Pa) ∧ Q)", "¬P(a) ∧ Q)"]
    );
    assert_eq!(errors(ErrorKind::DroppedBracket, "P ∧ Q"), [""; 0]);
}

#[test]
fn one_use_is_misspelt() {
    let found = errors(ErrorKind::Misspelt, "∀x (Heron(x) → Heron(rex))");
    assert_eq!(found.len(), 8, "{found:?}");
    for text in &found {
        assert_eq!(text.matches("Heron(").count(), 1, "{text}");
    }
}

#[test]
fn other_forms_stand_in_all_uses() {
    insta::assert_debug_snapshot!(errors(ErrorKind::Case, "Heron(x2) ∧ (Heron(bigRex) → Rain)"), @r#"
    [
        "Heron(x2) ∧ (Heron(BigRex) → Rain)",
        "Heron(x2) ∧ (Heron(bigRex) → rain)",
        "Heron(x2) ∧ (Heron(bigrex) → Rain)",
        "heron(x2) ∧ (heron(bigRex) → Rain)",
    ]
    "#);
    insta::assert_debug_snapshot!(errors(ErrorKind::Inflection, "Heron(rex) ∨ Heron(x)"), @r#"
    [
        "Heron(rexed) ∨ Heron(x)",
        "Heron(rexes) ∨ Heron(x)",
        "Heron(rexing) ∨ Heron(x)",
        "Heroned(rex) ∨ Heroned(x)",
        "Heroning(rex) ∨ Heroning(x)",
        "Herons(rex) ∨ Herons(x)",
    ]
    "#);
    // `herons` is there already.
    assert!(!errors(ErrorKind::Inflection, "P(heron) ∧ P(herons)").iter().any(|t| t.contains("P(herons) ∧ P(herons)")));
}

#[test]
fn signs_are_exchanged_where_nothing_else_changes() {
    assert_eq!(errors(ErrorKind::Quantifier, "∀x ∃y R(x, y)"), ["∀x ∀y R(x, y)", "∃x ∃y R(x, y)"]);
    assert_eq!(errors(ErrorKind::Quantifier, "forall x (P(x))"), ["∃ x (P(x))"]);
    // `A → B ∧ C` would be read in another way.
    assert_eq!(errors(ErrorKind::AndImplies, "A & B ∧ C"), ["A & B → C"]);
    assert_eq!(errors(ErrorKind::AndImplies, "∃x (P(x) => Q(x))"), ["∃x (P(x) ∧ Q(x))"]);
    assert_eq!(errors(ErrorKind::OrXor, "A ∨ (B ⊕ C)"), ["A ∨ (B ∨ C)", "A ⊕ (B ⊕ C)"]);
    assert_eq!(errors(ErrorKind::LostNegation, "¬ (A ∧ ¬B)"), ["(A ∧ ¬B)", "¬ (A ∧ B)"]);
    // Twice negated is not at all.
    assert_eq!(errors(ErrorKind::LostNegation, "¬¬A"), ["¬A"]);
}

#[test]
fn arguments_change_places() {
    assert_eq!(errors(ErrorKind::SwappedArguments, "R(a, b) ∧ S(c, c) ∧ P(d)"), ["R(b, a) ∧ S(c, c) ∧ P(d)"]);
    assert_eq!(
        errors(ErrorKind::SwappedArguments, "∀x R(x, f(a),  b)"),
        ["∀x R(b, f(a),  x)", "∀x R(f(a), x,  b)", "∀x R(x, b,  f(a))"]
    );
}

#[test]
fn variables_get_free() {
    assert_eq!(
        errors(ErrorKind::FreeVariable, "∀x (P(x) → R(x, amy))"),
        ["∀x (P(x) → R(x, y))", "∀x (P(x) → R(y, amy))", "∀x (P(y) → R(x, amy))", "∀x P(x) → R(x, amy)"]
    );
    assert_eq!(errors(ErrorKind::FreeVariable, "R(amy, bob) ∨ P(amy)"), ["R(amy, x) ∨ P(amy)", "R(x, bob) ∨ P(x)"]);
    // Nothing of it is a variable's use.
    assert_eq!(errors(ErrorKind::FreeVariable, "∀x (Rain ∧ Snow)"), [""; 0]);
    let glued = errors(ErrorKind::FreeVariable, "∀x(P(x) ∧ Q(x))");
    assert!(glued.contains(&"∀x P(x) ∧ Q(x)".to_owned()), "{glued:?}");
}

#[test]
fn arguments_are_packed_into_names() {
    assert_eq!(
        errors(ErrorKind::PackedArgument, "Have(x, horseRanch) → Have(amy, horseRanch)"),
        ["Have(x, horseRanch) → HaveAmy(horseRanch)", "HaveHorseRanch(x) → HaveHorseRanch(amy)"]
    );
    assert_eq!(errors(ErrorKind::PackedArgument, "Dog(rex)"), [""; 0]);
}

#[test]
fn an_error_of_a_conclusion_is_one_of_its_record() {
    let (a, b) = (record("a", &["A"], "P(b)", Label::True), record("b", &["A"], "Q", Label::True));
    let found = mutations(&a, ErrorKind::LostNegation, 1, 1, QuantifierScope::Tight);
    assert_eq!(found, []);
    let mutation = Mutation {
        kind: ErrorKind::LostNegation,
        target: Target::Premise(0),
        before: "A".to_owned(),
        after: "B".to_owned(),
    };
    assert_eq!(mutation.apply(&b).premises_fol, ["B"]);
    assert_eq!(mutation.apply(&b).conclusion_fol, b.conclusion_fol);
}

#[test]
fn rows_that_cannot_be_read_get_no_error() {
    let record = record("r", &["P(a", "Q(b)"], "R(c)", Label::True);
    for kind in ErrorKind::ALL {
        assert_eq!(mutations(&record, kind, 1, 9, QuantifierScope::Tight), []);
    }
}

#[test]
fn kinds_have_names() {
    for kind in ErrorKind::ALL {
        assert_eq!(kind.as_str().parse(), Ok(kind));
    }
    assert_eq!("spelling".parse::<ErrorKind>(), Err(UnknownKind("spelling".to_owned())));
}

fn generated(row: &SynthRow) -> Record {
    let lines = |text: &str| text.lines().map(str::to_owned).collect();
    Record {
        record_id: row.example_id.to_string(),
        premises: lines(&row.premises),
        premises_fol: lines(&row.premises_fol),
        conclusion: row.conclusion.clone(),
        conclusion_fol: Some(row.conclusion_fol.clone()),
        label: Some(row.label),
        ..Record::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn errors_can_be_read_and_are_errors(seed in any::<u64>(), count in 1..4_usize) {
        for row in Rows::new(seed).take(3) {
            let record = generated(&row);
            for kind in ErrorKind::ALL {
                let found = mutations(&record, kind, seed, count, QuantifierScope::Tight);
                prop_assert_eq!(&found, &mutations(&record, kind, seed, count, QuantifierScope::Tight));
                prop_assert!(found.len() <= count);
                for (i, m) in found.iter().enumerate() {
                    prop_assert_eq!(Some(m.before.as_str()), record.text(m.target));
                    prop_assert!(found.iter().skip(i + 1).all(|other| other.after != m.after || other.target != m.target));
                    prop_assert_ne!(&m.before, &m.after, "{}", kind);
                    let (before, after) = (parse(&m.before), parse(&m.after));
                    prop_assert_eq!(kind == ErrorKind::DroppedBracket, after.has_error(), "{}: {}", kind, m.after);
                    prop_assert!(after.has_error() || before.formula != after.formula, "{}: {}", kind, m.after);
                }
                // Whoever wants more of them gets the same ones first.
                let more = mutations(&record, kind, seed, count + 1, QuantifierScope::Tight);
                prop_assert!(more.starts_with(&found));
            }
        }
    }
}
