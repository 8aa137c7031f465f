use super::*;
use crate::diagnostic::Target;
use crate::fol::parse;

/// The codes found, and the text after each fix.
fn found(text: &str) -> Vec<(&'static str, Option<String>)> {
    let parsed = parse(text);
    assert!(parsed.reading().is_some(), "no reading of {text}");
    let mut out = Vec::new();
    check(&Annotation { target: Target::Conclusion, text, parsed: &parsed, sentence: None }, &mut out);
    out.into_iter().map(|d| (d.code, d.fix.and_then(|f| f.apply(text)))).collect()
}

fn one(text: &str, code: &'static str, after: &str) {
    assert_eq!(found(text), [(code, Some(after.to_owned()))], "{text}");
}

#[test]
fn common_shapes_are_no_finding() {
    for text in [
        "∀x (Dog(x) ∧ Old(x) → Slow(x) ∧ Wise(x))",
        "∃x (Dog(x) ∧ (Old(x) → Slow(x)))",
        "A(a) ⊕ B(a)",
        "¬(A(a) ⊕ B(a))",
        "A(a) → B(a) ⊕ C(a)",
        "¬∀x (Dog(x) ∧ Old(x))",
        "∀x ∀y (¬(x = y) ∧ Likes(x, y) → Likes(y, x))",
        "(A(a) → B(a)) → C(a)",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn implication_under_exists() {
    one("∃x (P(x) ∧ Q(x) → R(x))", "P301", "∃x (P(x) ∧ Q(x) ∧ R(x))");
    one("∃x (P(x) ∨ Q(x) → R(x))", "P301", "∃x ((P(x) ∨ Q(x)) ∧ R(x))");
    one("∃x ((P(x) ∨ Q(x)) → (R(x) ⊕ S(x)))", "P301", "∃x ((P(x) ∨ Q(x)) ∧ (R(x) ⊕ S(x)))");
    one("∀x ∃y (P(x, y) → Q(x))", "P301", "∀x ∀y (P(x, y) → Q(x))");
    // Nothing of the left side is said of the variable.
    assert_eq!(found("∃x (Rains(today) → Wet(x))"), []);
}

#[test]
fn conjunction_under_forall() {
    one("∀x (Dog(x) ∧ Old(x) ∧ Slow(x))", "P302", "∀x (Dog(x) → Old(x) ∧ Slow(x))");
    one("∀x (At(x, party) ∧ (Old(x) → Slow(x)))", "P302", "∀x (At(x, party) → (Old(x) → Slow(x)))");
}

#[test]
fn chains_of_xor_whatever_their_brackets() {
    let all = "(A(a) ∨ B(a) ∨ C(a)) ∧ ¬(A(a) ∧ B(a)) ∧ ¬(A(a) ∧ C(a)) ∧ ¬(B(a) ∧ C(a))";
    one("(A(a) ⊕ B(a)) ⊕ C(a)", "P303", all);
    one("D(a) → A(a) ⊕ B(a) ⊕ C(a)", "P303", &format!("D(a) → ({all})"));
    one("D(a) → (A(a) ⊕ (B(a) ⊕ C(a)))", "P303", &format!("D(a) → ({all})"));
    let long = "A(a) ⊕ B(a) ⊕ C(a) ⊕ D(a) ⊕ E(a) ⊕ F(a) ⊕ G(a)";
    assert_eq!(found(long), [("P303", None)]);
}

#[test]
fn brackets_of_the_reading_taken() {
    one("A(a) ∨ B(a) ∧ C(a) → D(a)", "P304", "A(a) ∨ (B(a) ∧ C(a)) → D(a)");
    one("A(a) ⊕ B(a) ∨ C(a)", "P304", "(A(a) ⊕ B(a)) ∨ C(a)");
    one("A(a) → B(a) → C(a)", "P305", "A(a) → (B(a) → C(a))");
    one("A(a) → B(a) ↔ C(a)", "P305", "(A(a) → B(a)) ↔ C(a)");
    let (text, after) = ("A(a) ∧ B(a) ∨ C(a) ∧ D(a)", "(A(a) ∧ B(a)) ∨ (C(a) ∧ D(a))");
    one(text, "P304", after);
    assert_eq!(parse(text).formula, parse(after).formula);
}

#[test]
fn what_says_nothing() {
    assert_eq!(found("A(a) ∧ B(a) ∧ A(a)"), [("P307", None)]);
    assert_eq!(found("A(a) ⊕ A(a)"), [("P307", None)]);
    assert_eq!(found("A(a) ∨ ¬A(a)"), [("P309", None)]);
    assert_eq!(found("a = a ∨ b ≠ b"), [("P306", None), ("P306", None)]);
    one("¬¬(A(a) ∨ B(a))", "P308", "(A(a) ∨ B(a))");
    one("∀x ¬(P(x) → Q(x))", "P310", "∀x (P(x) → ¬Q(x))");
    one("∀x (¬(P(x) → Q(x) ∧ R(x)))", "P310", "∀x (P(x) → ¬(Q(x) ∧ R(x)))");
}
