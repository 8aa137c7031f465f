//! How far to trust a row.

use super::*;
use crate::lint::{ParsedRecord, check_record};

fn suspicion_of(lines: &[&str], label: Label, used: Option<&[u32]>) -> Suspicion {
    let record = record(lines, label);
    with_case(&record, |case, bench| {
        let options = ReadingOptions::default();
        let diagnostics = check_record(&ParsedRecord::new(&record, options.scope).context(&record));
        let facts = Facts {
            case,
            options,
            diagnostics: &diagnostics,
            used_premises: used,
            symbols: &symbols(case),
            signals: &[],
            alternatives: &alternatives(case, options, bench, 16),
            reason: reason(case.verdict, record.label),
        };
        suspicion(&facts, bench)
    })
}

fn signals(lines: &[&str], label: Label, used: Option<&[u32]>) -> Vec<&'static str> {
    suspicion_of(lines, label, used).signals
}

const GOOD: [&str; 3] = [
    "All bakers rise early. ::: ∀x (Baker(x) → RisesEarly(x))",
    "Ida is a baker. ::: Baker(ida)",
    "Ida rises early. ::: RisesEarly(ida)",
];

#[test]
fn nothing_speaks_against_a_plain_row() {
    let good = suspicion_of(&GOOD, Label::True, Some(&[0, 1]));
    assert_eq!((good.signals, good.review_score, good.review_reason), (vec![], 0.0, None));
}

#[test]
fn each_signal_has_its_row() {
    let with = |last: &'static str| [GOOD[0], GOOD[1], last];
    assert_eq!(signals(&GOOD, Label::True, Some(&[0])), ["unused-premises"]);
    assert_eq!(
        signals(&with("Ida does not rise early. ::: RisesEarly(ida)"), Label::True, Some(&[0, 1])),
        ["cue-mismatch"]
    );
    assert_eq!(
        signals(&with("Ida is up. ::: RisesEarly(ida) ∨ Qzx(ida)"), Label::True, Some(&[0, 1])),
        ["symbol-without-gloss"]
    );
    assert_eq!(
        signals(&with("Someone rises early. ::: ∃x ∃y (RisesEarly(x))"), Label::True, Some(&[0, 1])),
        ["verdict-rests-on-vacuous-quantifier"]
    );
    assert_eq!(
        signals(
            &with("Ida is a baker, and rises early. ::: Baker(ida) ∧ RisesEarly(ida) ∧ RisesEarly(ida)"),
            Label::True,
            Some(&[0, 1])
        ),
        ["decided-by-flagged-annotation"]
    );
    assert_eq!(
        signals(&with("Ida is a baker who rises early. ::: Baker(ida) ∧ RisesEarly(ida))"), Label::True, Some(&[0, 1])),
        ["decided-by-mended-annotation"]
    );
}

#[test]
fn conditions_that_hold_because_nothing_meets_them() {
    let premises = ["No baker is late. ::: ∀x (Baker(x) → ¬Late(x))", "Bakers are up. ::: ∀x (Baker(x) → Up(x))"];
    let lines = [premises[0], premises[1], "Late bakers are tall. ::: ∀x (Baker(x) ∧ Late(x) → Tall(x))"];
    assert_eq!(signals(&lines, Label::True, Some(&[0, 1])), ["antecedent-never-holds"]);
    let lines = [premises[0], premises[1], "Bakers are not late. ::: ∀x (Baker(x) → ¬Late(x))"];
    assert_eq!(signals(&lines, Label::True, Some(&[0, 1])), [""; 0]);
}

#[test]
fn verdicts_that_hang_on_the_reading() {
    let lines =
        ["All wet dogs are cold. ::: ∀x Wet(x) → Cold(x)", "Rex is wet. ::: Wet(rex)", "Rex is cold. ::: Cold(rex)"];
    let found = signals(&lines, Label::Uncertain, None);
    assert!(found.contains(&"verdict-depends-on-scope"), "{found:?}");
    let lines = [
        "Ida is a baker, a painter or a singer. ::: Baker(ida) ⊕ Painter(ida) ⊕ Singer(ida)",
        "Ida is a baker and a painter. ::: Baker(ida) ∧ Painter(ida)",
        "Ida is a singer. ::: Singer(ida)",
    ];
    let found = signals(&lines, Label::True, Some(&[0, 1]));
    assert!(found.contains(&"verdict-depends-on-xor"), "{found:?}");
    assert!(signals(&GOOD, Label::True, Some(&[0, 1])).is_empty());
}

#[test]
fn problematic_rows_come_before_agreeing_ones() {
    let bad = [GOOD[0], GOOD[1], "Ida does not rise early. ::: Qzx(ida) ∨ (RisesEarly(ida)"];
    let agreeing = suspicion_of(&bad, Label::True, Some(&[0, 1]));
    let problematic = suspicion_of(&GOOD, Label::Uncertain, Some(&[0, 1]));
    assert!(!agreeing.signals.is_empty() && agreeing.review_score < 0.5, "{agreeing:?}");
    assert_eq!(problematic.review_score, 0.95);
    assert_eq!(problematic.review_reason, Some("label-contradicted"));
    // The reason is no signal: it stands elsewhere.
    assert_eq!(problematic.signals, [""; 0]);
}

#[test]
fn weights_are_shares_and_words_are_told_once() {
    for (i, (word, weight)) in WEIGHTS.iter().enumerate() {
        assert!((0.0..1.0).contains(weight), "{word}");
        assert!(word.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{word}");
        assert!(WEIGHTS.iter().skip(i + 1).all(|(other, _)| other != word), "{word}");
    }
    for reason in Reason::ALL {
        assert!(WEIGHTS.iter().any(|(word, _)| *word == reason.as_str()), "{}", reason.as_str());
    }
}

#[test]
fn the_documentation_has_the_weights() {
    let page = include_str!("../../../../docs/repair.md");
    let (_, table) = page.split_once("<!-- weights:").expect("the table");
    let (table, _) = table.split_once("<!-- weights end -->").expect("its end");
    let told: Vec<(&str, f64)> = table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .filter_map(|line| {
            let mut cells = line.split('|').map(str::trim).skip(1);
            Some((cells.next()?.trim_matches('`'), cells.next()?.parse().ok()?))
        })
        .collect();
    assert_eq!(told, WEIGHTS);
}
