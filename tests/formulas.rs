//! Formulas as text and as trees: fixtures of real faults, and properties that hold of every formula.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use refolio::diagnostic::{Applicability, Span, Target};
use refolio::fol::print::tptp::FreeVariables;
use refolio::fol::print::{tptp as print_tptp, unicode};
use refolio::fol::{
    Atom, Connective, Formula, FormulaKind, Quantifier, QuantifierScope, Term, TermKind, Variable, parse, parse_with,
    tptp,
};
use refolio::lint::syntax;
use serde::Deserialize;

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    slug: String,
    parses: bool,
    fix: Option<String>,
    alternative: Option<String>,
}

/// The text after every safe fix, and the alternatives that the fixes name.
fn mend(text: &str) -> (String, Vec<String>) {
    let mut text = text.to_owned();
    let mut alternatives = Vec::new();
    for _ in 0..20 {
        let mut found = Vec::new();
        syntax::check_text(Target::Conclusion, &text, &parse(&text), QuantifierScope::Tight, &mut found);
        let safe = found.into_iter().filter_map(|d| d.fix).find(|f| f.applicability == Applicability::Safe);
        let Some(fix) = safe else { break };
        text = fix.apply(&text).expect("a fix fits its text");
        alternatives.extend(fix.alternatives);
    }
    (text, alternatives)
}

#[test]
fn real_faults_are_found_and_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/formulas");
    let cases: Cases = toml::from_str(&fs::read_to_string(folder.join("cases.toml")).unwrap()).unwrap();
    let mut files: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .filter_map(|e| Some(e.unwrap().path().file_name()?.to_str()?.strip_suffix(".fol")?.to_owned()))
        .collect();
    files.sort();
    let mut slugs: Vec<String> = cases.case.iter().map(|c| c.slug.clone()).collect();
    slugs.sort();
    assert_eq!(files, slugs, "every fixture has a case");

    let mut wrong = BTreeMap::new();
    for case in cases.case {
        let text = fs::read_to_string(folder.join(format!("{}.fol", case.slug))).unwrap();
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let parsed = parse(text);
        let mut faults = Vec::new();
        if parsed.has_error() == case.parses {
            faults.push(format!("parses: {}, issues {:?}", case.parses, parsed.issues));
        }
        let (mended, alternatives) = mend(text);
        match &case.fix {
            Some(fix) => {
                let expected = parse(fix);
                assert!(!expected.has_error(), "{}: the expected fix has a reading", case.slug);
                if parse(&mended).reading() != expected.reading() {
                    faults.push(format!("expected {fix}\n     got {mended}"));
                }
            }
            None if !case.parses && !parse(&mended).has_error() => {
                faults.push(format!("no fix is plain, but got {mended}"));
            }
            None => {}
        }
        if let Some(alternative) = &case.alternative {
            let wanted = parse(alternative);
            if !alternatives.iter().any(|a| parse(a).reading() == wanted.reading()) {
                faults.push(format!("{alternative} is not among the alternatives {alternatives:#?}"));
            }
        }
        if !faults.is_empty() {
            wrong.insert(case.slug, faults);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn deep_and_long_input_gets_a_diagnostic() {
    for text in [
        "(".repeat(200_000),
        "¬".repeat(200_000),
        "∀x ".repeat(200_000),
        "P(".repeat(200_000),
        format!("A{}", " → A".repeat(200_000)),
        format!("A{}", " ∧ A".repeat(200_000)),
        format!("A{}", " A".repeat(200_000)),
        format!("A{}", ",".repeat(200_000)),
        format!("A{}", ")".repeat(200_000)),
        format!("A ? {}∧", "? ".repeat(200_000)),
        format!("P({})", "(a,".repeat(200_000)),
        format!("{}P(x)", "∀a(b,c) ".repeat(100_000)),
    ] {
        let parsed = parse(&text);
        assert!(parsed.has_error(), "{}…", text.chars().take(20).collect::<String>());
        for issue in &parsed.issues {
            assert!(issue.span.end <= text.len());
        }
    }
}

#[test]
fn a_reading_is_kept_at_the_greatest_height() {
    let text = format!("A{}", " ∧ A".repeat(300));
    assert!(!parse(&text).has_error());
}

#[test]
fn what_is_read_can_be_printed_and_read_at_any_height() {
    let kinds = [
        ("∀x ¬", "P(x)", ""),
        ("¬∃y ", "P(y)", ""),
        ("A ∨ A ∧ (", "A", ")"),
        ("A → ", "A", ""),
        ("(", "A", " ↔ A ∧ A)"),
        ("A ⊕ ¬(", "A", ")"),
    ];
    for (before, inside, after) in kinds {
        let mut read = 0;
        for n in 1..=400 {
            let text = format!("{}{inside}{}", before.repeat(n), after.repeat(n));
            let parsed = parse(&text);
            let Some(formula) = parsed.reading() else { continue };
            read += 1;
            let printed = unicode::print(formula);
            let again = parse(&printed);
            assert_eq!(again.reading(), Some(formula), "{n} times {before}: {:?}", again.issues);
            let lowered = print_tptp::print(formula, FreeVariables::Constant);
            assert_eq!(tptp::read(&lowered).as_ref(), Ok(formula), "{n} times {before}");
        }
        assert!(read > 150, "{before} is read {read} times only");
    }
}

#[test]
fn names_that_resemble_signs_can_be_printed_and_read() {
    for text in [
        "v ∨ v",
        "A v v",
        "∀v v(v)",
        "exists(a) ∧ P(exists(a)) ∧ Exists(b) = c",
        "∃x exists(x)",
        "∀1, 234 P(1, 234)",
        "∀x, 500 P(500,000, 1, 500)",
        "P(+44, +a) ∧ Q (+b)",
        "P(c++) ∧ a+ = b",
        "P(forall1, existsx)",
        "P(1, 500) ∨ P(1,500)",
    ] {
        let parsed = parse(text);
        let formula = parsed.reading().unwrap_or_else(|| panic!("{text}: {:?}", parsed.issues));
        let printed = unicode::print(formula);
        assert_eq!(parse(&printed).reading(), Some(formula), "{text} is printed as {printed}");
    }
    // Signs that only resemble names.
    for text in ["(+a)", "∀x (+a ∧ B ∨ C)", "(+a = b)", "∀exists((P(x)))", "P(exists)", "∀x,exists((P(x)))"] {
        assert!(parse(text).has_error(), "{text}");
    }
}

#[test]
fn a_variable_is_written_as_a_word_of_its_own() {
    for (text, expected) in [
        ("forall (Dog(x))", "∀x (Dog(x))"),
        ("exists (Dog(x))", "∃x (Dog(x))"),
        ("exists[Dog(x)]", "∃x (Dog(x))"),
        ("∀ (Dog(x))", "∀x (Dog(x))"),
        ("∀(Dog(x))", "∀x (Dog(x))"),
    ] {
        let (mended, _) = mend(text);
        assert_eq!(parse(&mended).reading(), parse(expected).reading(), "{text} became {mended}");
    }
}

#[test]
fn the_deepest_input_fits_on_half_a_thread_s_stack() {
    let texts = ["(", "¬(", "∀x (", "A → (", "A ∧ (B → ", "P(f(", "f(g("].map(|piece| piece.repeat(2000));
    let thread = std::thread::Builder::new().stack_size(1024 * 1024);
    let errors = thread.spawn(move || texts.iter().filter(|t| parse(t).has_error()).count()).unwrap().join().unwrap();
    assert_eq!(errors, 7);
}

const CONSTANTS: &[&str] =
    &["rina", "l-2021", "rudaŚląska", "mr.smith", "500,000", "0.08", "c++", "nameO'Dell", "Max", "_a_", "q_u12_"];
const PREDICATES: &[&str] = &["Dog", "Five-Story", "Student_of", "loves", "È", "P1", "v1", "Exists2"];
const VARIABLES: &[&str] = &["x", "y", "z", "u", "x1", "t", "day"];

fn term() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        proptest::sample::select(CONSTANTS).prop_map(|n| TermKind::Constant(n.to_owned())),
        proptest::sample::select(VARIABLES).prop_map(|n| TermKind::Bound(n.to_owned())),
    ]
    .prop_map(|kind| Term { kind, span: Span::default() });
    leaf.prop_recursive(2, 6, 3, |inner| {
        (proptest::sample::select(&["father", "f2"][..]), proptest::collection::vec(inner, 1..3))
            .prop_map(|(n, args)| Term { kind: TermKind::Function(n.to_owned(), args), span: Span::default() })
    })
}

fn formula() -> impl Strategy<Value = Formula> {
    let atom = (proptest::sample::select(PREDICATES), proptest::collection::vec(term(), 0..4))
        .prop_map(|(name, args)| FormulaKind::Atom(Atom { name: name.to_owned(), name_span: Span::default(), args }));
    let leaf = prop_oneof![
        6 => atom,
        1 => (term(), term()).prop_map(|(a, b)| FormulaKind::Equal(a, b)),
        1 => (term(), term()).prop_map(|(a, b)| FormulaKind::NotEqual(a, b)),
        1 => any::<bool>().prop_map(FormulaKind::Constant),
    ]
    .prop_map(|kind| Formula::new(kind, Span::default()));
    leaf.prop_recursive(6, 40, 2, |inner| {
        let connective = proptest::sample::select(
            &[Connective::And, Connective::Or, Connective::Xor, Connective::Implies, Connective::Iff][..],
        );
        let quantifier = proptest::sample::select(&[Quantifier::ForAll, Quantifier::Exists][..]);
        let variables = proptest::collection::vec(proptest::sample::select(VARIABLES), 1..3);
        prop_oneof![
            inner.clone().prop_map(|a| FormulaKind::Not(Box::new(a))),
            (connective, inner.clone(), inner.clone()).prop_map(|(c, a, b)| FormulaKind::Binary(
                c,
                Box::new(a),
                Box::new(b)
            )),
            (quantifier, variables, inner).prop_map(|(q, vs, a)| {
                let vs = vs.into_iter().map(|n| Variable { name: n.to_owned(), span: Span::default() }).collect();
                FormulaKind::Quantified(q, vs, Box::new(a))
            }),
        ]
        .prop_map(|kind| Formula::new(kind, Span::default()))
    })
    .prop_map(|f| {
        let mut f = f;
        let mut quantified = Vec::new();
        f.walk(&mut |g| {
            if let FormulaKind::Quantified(_, vs, _) = &g.kind {
                quantified.extend(vs.iter().map(|v| v.name.clone()));
            }
        });
        settle(&mut f, &mut Vec::new(), &quantified);
        f
    })
}

/// Makes each variable what its surroundings make of it.
fn settle(formula: &mut Formula, bound: &mut Vec<String>, quantified: &[String]) {
    match &mut formula.kind {
        FormulaKind::Constant(_) => {}
        FormulaKind::Atom(atom) => atom.args.iter_mut().for_each(|t| settle_term(t, bound, quantified)),
        FormulaKind::Equal(a, b) | FormulaKind::NotEqual(a, b) => {
            settle_term(a, bound, quantified);
            settle_term(b, bound, quantified);
        }
        FormulaKind::Not(a) => settle(a, bound, quantified),
        FormulaKind::Binary(_, a, b) => {
            settle(a, bound, quantified);
            settle(b, bound, quantified);
        }
        FormulaKind::Quantified(_, vs, a) => {
            let outside = bound.len();
            bound.extend(vs.iter().map(|v| v.name.clone()));
            settle(a, bound, quantified);
            bound.truncate(outside);
        }
    }
}

fn settle_term(term: &mut Term, bound: &[String], quantified: &[String]) {
    match &mut term.kind {
        TermKind::Bound(name) if !bound.contains(name) => {
            let name = std::mem::take(name);
            let free = refolio::fol::scope::is_variable_name(&name) || quantified.contains(&name);
            term.kind = if free { TermKind::Free(name) } else { TermKind::Constant(name) };
        }
        TermKind::Function(_, args) => args.iter_mut().for_each(|t| settle_term(t, bound, quantified)),
        _ => {}
    }
}

/// Text made of what formulas are made of, in no order.
fn soup() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(
        &[
            "(", ")", ",", "∀", "∃", "x", "y", "P", "Q(a)", "P(x, b)", "¬", "∧", "∨", "⊕", "→", "↔", "=", "≠", " ",
            ".", ":", "v", "+", "—>", "forall", "500,000", "a b", "[", "}", "?", "é", "\u{301}", "'", "-", "->", "&",
        ][..],
    );
    proptest::collection::vec(piece, 0..40).prop_map(|v| v.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_and_parsing_gives_the_same_tree(f in formula()) {
        let text = unicode::print(&f);
        let parsed = parse(&text);
        prop_assert!(!parsed.has_error(), "{text}: {:?}", parsed.issues);
        prop_assert_eq!(parsed.formula.as_ref(), Some(&f), "{}", text);
    }

    #[test]
    fn tptp_and_back_gives_the_same_tree(f in formula()) {
        let text = print_tptp::print(&f, FreeVariables::Constant);
        let read = tptp::read(&text);
        prop_assert_eq!(read.as_ref(), Ok(&f), "{}", text);
    }

    #[test]
    fn another_parser_accepts_the_tptp(f in formula()) {
        for free in [FreeVariables::Constant, FreeVariables::Universal] {
            let text = format!("fof(a, axiom, {}).\n", print_tptp::print(&f, free));
            let mut items = tptp_crate_items(text.as_bytes());
            prop_assert!(items.next().is_some_and(|ok| ok), "{}", text);
            prop_assert!(items.next().is_none(), "{}", text);
        }
    }

    #[test]
    fn mangling_can_be_undone(name in "\\PC{0,12}", arity in 0usize..12) {
        use refolio::fol::SymbolKind;
        let word = print_tptp::mangle(SymbolKind::Predicate, &name, arity);
        prop_assert!(word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
        prop_assert_eq!(print_tptp::demangle(&word), Some((SymbolKind::Predicate, name.clone(), arity)));
        prop_assert_eq!(print_tptp::demangle_variable(&print_tptp::mangle_variable(&name)), Some(name));
    }

    #[test]
    fn any_text_gets_a_tree_or_a_diagnostic(text in prop_oneof![soup(), "\\PC{0,60}"]) {
        for scope in [QuantifierScope::Tight, QuantifierScope::Wide] {
            let parsed = parse_with(&text, scope);
            prop_assert!(parsed.formula.is_some() || parsed.has_error());
            let mut found = Vec::new();
            syntax::check_text(Target::Conclusion, &text, &parsed, scope, &mut found);
            prop_assert_eq!(found.len(), parsed.issues.len());
            for diagnostic in found {
                prop_assert!(text.get(diagnostic.span.start..diagnostic.span.end).is_some());
                let Some(fix) = diagnostic.fix else { continue };
                let after = fix.apply(&text);
                prop_assert!(after.is_some(), "{:?}", fix);
                let after = after.unwrap_or_default();
                if fix.applicability == Applicability::Safe {
                    let again = parse_with(&after, scope);
                    prop_assert!(!again.has_error() || parsed.has_error(), "{} became {}", text, after);
                    if fix.kind == refolio::diagnostic::EditKind::Normalise {
                        if parsed.has_error() {
                            continue;
                        }
                        prop_assert_eq!(again.formula, parsed.formula.clone(), "{} became {}", text, after);
                    } else {
                        prop_assert!(!again.has_error(), "{} became {}: {:?}", text, after, again.issues);
                    }
                }
            }
        }
    }

    #[test]
    fn fixing_what_is_fixed_changes_nothing(text in soup()) {
        let (once, _) = mend(&text);
        let (twice, _) = mend(&once);
        prop_assert_eq!(once, twice);
    }
}

/// Whether each item of a TPTP text is accepted by the `tptp` crate.
fn tptp_crate_items(text: &[u8]) -> impl Iterator<Item = bool> {
    use ::tptp::TPTPIterator;
    TPTPIterator::<()>::new(text).map(|item| item.is_ok())
}
