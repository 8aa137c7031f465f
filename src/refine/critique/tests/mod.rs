mod published;
mod suspicion;
mod symbols;
mod whole;

use super::*;
use crate::lint::Selection;
use crate::record::Record;
use crate::refine::testing::with_bench;

/// A record of lines `sentence ::: formula`, of which the last is the conclusion.
fn record(lines: &[&str], label: Label) -> Record {
    let mut pairs: Vec<(String, String)> = lines
        .iter()
        .map(|line| line.split_once(" ::: ").expect("a sentence and a formula"))
        .map(|(sentence, formula)| (sentence.to_owned(), formula.to_owned()))
        .collect();
    let (conclusion, conclusion_fol) = pairs.pop().expect("a conclusion");
    let (premises, premises_fol) = pairs.into_iter().unzip();
    Record {
        premises,
        premises_fol,
        conclusion,
        conclusion_fol: Some(conclusion_fol),
        label: Some(label),
        ..Record::default()
    }
}

fn with_case<T>(record: &Record, run: impl FnOnce(&Case<'_>, &Bench<'_>) -> T) -> T {
    with_bench(|bench| {
        let case = Case::new(record, &Selection::everything(), ReadingOptions::default(), bench);
        run(&case, bench)
    })
}

fn bounded(lines: &[&str], label: Label, bounds: &Bounds) -> Option<Critique> {
    with_case(&record(lines, label), |case, bench| critique(case, ReadingOptions::default(), bench, bounds))
}

fn of(lines: &[&str], label: Label) -> Critique {
    bounded(lines, label, &Bounds::default()).expect("a critique")
}

fn told(lines: &[&str], label: Label) -> String {
    of(lines, label).sentences.join("\n")
}

const BAKERS: &[&str] = &[
    "All bakers rise early. ::: ∀x (Baker(x) → RisesEarly(x))",
    "Ida is tired. ::: Tired(ida)",
    "Ida rises early. ::: RisesEarly(ida)",
];

#[test]
fn there_is_none_where_the_verdict_is_the_label() {
    assert_eq!(bounded(BAKERS, Label::Uncertain, &Bounds::default()), None);
}

#[test]
fn symbols_that_never_meet() {
    let lines = [
        "All dogs sleep. ::: ∀x (Dog(x) → Sleep(x) ∧ Big(x))",
        "Rex is a dog. ::: Dog(rex)",
        "Rex snores. ::: Snores(rex)",
    ];
    let unmet = of(&lines, Label::True).unmet;
    let names = |loose: &[Loose]| loose.iter().map(|l| format!("{} {}", l.name, l.target)).collect::<Vec<_>>();
    assert_eq!(names(&unmet.conclusion_only), ["Snores conclusion"]);
    assert_eq!(names(&unmet.used_once), ["Sleep premise[0]", "Big premise[0]"]);
    assert_eq!(of(BAKERS, Label::True).unmet.conclusion_only, []);
}

fn sets(critique: &Critique) -> Vec<String> {
    critique.abduction.sets.iter().map(|s| s.formulas.join(" & ")).collect()
}

#[test]
fn what_a_proof_would_need() {
    let sets_of = sets(&of(BAKERS, Label::True));
    assert_eq!(sets_of.first().map(String::as_str), Some("Baker(ida)"), "{sets_of:?}");
    assert!(sets_of.contains(&"∀x (Tired(x) → Baker(x))".to_owned()), "{sets_of:?}");
    // The conclusion itself is no hint.
    assert!(!sets_of.contains(&"RisesEarly(ida)".to_owned()), "{sets_of:?}");
}

#[test]
fn what_a_refutation_would_need() {
    let sets_of = sets(&of(BAKERS, Label::False));
    assert_eq!(sets_of, ["∀x (Tired(x) → ¬RisesEarly(x))"]);
}

#[test]
fn two_hypotheses_where_one_does_not_do() {
    let lines = ["Ida is tall. ::: Tall(ida)", "Some baker is shy. ::: ∃x (Baker(x) ∧ Shy(x))"];
    let sets_of = sets(&of(&lines, Label::True));
    assert_eq!(sets_of.first().map(String::as_str), Some("Baker(ida) & ∀x (Tall(x) → Shy(x))"), "{sets_of:?}");
    assert!(sets_of.iter().all(|s| s.contains('&')), "{sets_of:?}");
    // What proves the conclusion without any premise is the conclusion in other words.
    assert!(!sets_of.contains(&"Baker(ida) & Shy(ida)".to_owned()), "{sets_of:?}");
}

#[test]
fn nothing_where_no_simple_formula_would_do() {
    let lines = ["Ida is tall. ::: Tall(ida)", "There are two bakers. ::: ∃x ∃y (¬(x = y) ∧ Baker(x) ∧ Baker(y))"];
    assert_eq!(of(&lines, Label::True).abduction, Abduction::default());
}

#[test]
fn no_hypothesis_leaves_nothing_to_speak_of() {
    // That all digital things are analogue would leave no digital thing.
    let lines = [
        "No digital thing is analogue. ::: ∀x (Digital(x) → ¬Analogue(x))",
        "The radio is old. ::: Old(radio)",
        "The radio is not digital. ::: ¬Digital(radio)",
    ];
    let sets_of = sets(&of(&lines, Label::True));
    assert!(!sets_of.contains(&"∀x (Digital(x) → Analogue(x))".to_owned()), "{sets_of:?}");
    assert!(sets_of.contains(&"Analogue(radio)".to_owned()), "{sets_of:?}");
}

const MONITORS: &[&str] = &[
    "All monitors are recycled. ::: ∀x (Monitor(x) → Recycled(x))",
    "The monitor A-2017 is broken. ::: Broken(a-2017)",
    "A-2017 is recycled. ::: Recycled(a-2017)",
];

#[test]
fn what_a_sentence_takes_for_granted() {
    let found = of(MONITORS, Label::True).presuppositions;
    let said: Vec<_> = found.found.iter().map(|p| (p.target.to_string(), &*p.formula, &*p.words)).collect();
    assert_eq!(said, [("premise_sentence[1]".to_owned(), "Monitor(a-2017)", "monitor A-2017")]);
    assert!(found.found.iter().all(|p| p.gives_label));
    let stays = of(MONITORS, Label::False).presuppositions.found;
    assert_eq!(stays.iter().map(|p| (p.verdict, p.gives_label)).collect::<Vec<_>>(), [(Some(Verdict::True), false)]);
}

fn presupposed(lines: &[&str]) -> Vec<String> {
    let formula = |p: &Presupposed| format!("{}: {}", p.words, p.formula);
    of(lines, Label::True).presuppositions.found.iter().map(formula).collect()
}

#[test]
fn other_ways_of_taking_for_granted() {
    let castles = "Every castle is old. ::: ∀x (Castle(x) → Old(x))";
    let last = "Bran is far. ::: Far(bran)";
    assert_eq!(
        presupposed(&[castles, "Bran Castle is big. ::: Big(branCastle)", last]),
        ["Bran Castle: Castle(branCastle)"]
    );
    assert_eq!(presupposed(&[castles, "The Bran castle is big. ::: Big(bran)", last]), ["Bran castle: Castle(bran)"]);
    assert_eq!(
        presupposed(&[castles, "Bran, a castle, is big. ::: Big(bran)", last]),
        ["Bran, a castle: Castle(bran)"]
    );
}

#[test]
fn what_is_said_or_only_stands_near_is_not_taken_for_granted() {
    let castles = "Every castle is old. ::: ∀x (Castle(x) → Old(x))";
    let last = "Bran is far. ::: Far(bran)";
    for line in [
        "Bran is a castle. ::: Big(bran)",
        "The castle Bran is big. ::: Castle(bran) ∧ Big(bran)",
        "The castle Bran is none. ::: ¬Castle(bran)",
        "No castle, Bran says, is big. ::: Big(bran)",
        "Lords of a castle love Bran. ::: Big(bran)",
        "Every castle crumbles. ::: Does(bran, crumbles)",
    ] {
        assert_eq!(presupposed(&[castles, line, last]), [""; 0], "{line}");
    }
    // A verb is no noun, though it stands beside a name.
    assert_eq!(
        presupposed(&[
            "Whoever sings rests. ::: ∀x (Sings(x) → Rests(x))",
            "If Ida sings, Tom rests. ::: Rests(tom)",
            "Ida is far. ::: Far(ida)"
        ]),
        [""; 0]
    );
}

const KIND: &[&str] = &[
    "Rex is a dog. ::: Dog(rex)",
    "Dogs are kind. ::: ∀x (Dog(x) → Kind(x))",
    "Ida is tall. ::: Tall(ida)",
    "Rex is not kind. ::: ¬Kind(rex)",
    "Ida is tall. ::: Tall(ida)",
];

#[test]
fn contradictory_premises() {
    let critique = of(KIND, Label::True);
    assert_eq!(critique.reason, Reason::InconsistentPremises);
    let inconsistency = critique.inconsistency.expect("an account");
    assert_eq!(inconsistency.cores, [vec![0, 1, 3]]);
    let removals: Vec<_> = inconsistency.removals.iter().map(|r| (r.premise, r.verdict, r.gives_label)).collect();
    assert_eq!(removals, [0, 1, 3].map(|i| (i, Some(Verdict::True), true)));
    assert_eq!(of(BAKERS, Label::True).inconsistency, None);
}

#[test]
fn several_contradictions() {
    let lines = [
        "Rex is big. ::: Big(rex)",
        "Rex is not big. ::: ¬Big(rex)",
        "Tom is big. ::: Big(tom)",
        "Tom is not big. ::: ¬Big(tom)",
        "All are big. ::: ∀x Big(x)",
        "Ida is big. ::: Big(ida)",
    ];
    let inconsistency = of(&lines, Label::True).inconsistency.expect("an account");
    assert_eq!(inconsistency.cores, [vec![0, 1], vec![1, 4], vec![2, 3], vec![3, 4]]);
    assert_eq!(inconsistency.removals, []);
}

fn near(lines: &[&str]) -> Vec<String> {
    let near = of(lines, Label::True).near_names;
    near.iter().map(|n| format!("{} = {} ({}): {}", n.from, n.to, n.difference, n.verdict)).collect()
}

#[test]
fn names_that_are_nearly_one() {
    let premises = ["Dogs sleep. ::: ∀x (Dog(x) → Sleep(x))", "Rex is a dog. ::: Dog(rex)"];
    let with = |last: &'static str| near(&[premises[0], premises[1], last]);
    assert_eq!(with("Rex sleeps. ::: Sleeps(rex)"), ["Sleeps = Sleep (ending): True"]);
    assert_eq!(with("Rex does not sleep. ::: ¬Sleep(Rex)"), ["Rex = rex (case): False"]);
    // What does not look alike, or changes nothing, is not told.
    assert_eq!(with("Rex snores. ::: Snores(rex)"), [""; 0]);
    assert_eq!(with("Rexa snores. ::: Snores(REX)"), [""; 0]);
}

#[test]
fn names_that_pack_an_argument() {
    let lines = [
        "Who has a horse ranch is rich. ::: ∀x (Have(x, horseRanch) → Rich(x))",
        "Manny has a horse ranch. ::: HaveAHorseRanch(manny)",
        "Manny is rich. ::: Rich(manny)",
    ];
    assert_eq!(near(&lines), ["HaveAHorseRanch = Have (packed): True"]);
}

fn exchanged(lines: &[&str], label: Label) -> Vec<String> {
    let exchanges = of(lines, label).exchanges;
    exchanges.iter().map(|e| format!("{} {}: {:?} {:?}", e.target, e.formula, e.cue, e.rules)).collect()
}

#[test]
fn operators_that_a_sentence_asks_for() {
    let quantifier = [
        "All bakers rise early. ::: ∃x (Baker(x) ∧ RisesEarly(x))",
        "Ida is a baker. ::: Baker(ida)",
        "Ida rises early. ::: RisesEarly(ida)",
    ];
    assert_eq!(exchanged(&quantifier, Label::True), ["premise[0] ∀x (Baker(x) → RisesEarly(x)): Asks [\"C407\"]"]);
    let negation = [
        "No baker rises late. ::: ∀x (Baker(x) → RisesLate(x))",
        "Ida is a baker. ::: Baker(ida)",
        "Ida rises late. ::: RisesLate(ida)",
    ];
    assert_eq!(exchanged(&negation, Label::False), ["premise[0] ∀x (Baker(x) → ¬RisesLate(x)): Asks [\"C406\"]"]);
    let exclusion = [
        "Ida is either a baker or a painter. ::: Baker(ida) ∨ Painter(ida)",
        "Ida is a baker. ::: Baker(ida)",
        "Ida is a painter. ::: Painter(ida)",
    ];
    assert_eq!(exchanged(&exclusion, Label::False), ["premise[0] Baker(ida) ⊕ Painter(ida): Asks [\"C401\"]"]);
    let condition = [
        "Bakers rise early. ::: ∀x (Baker(x) ∧ RisesEarly(x))",
        "Ida does not rise early. ::: ¬RisesEarly(ida)",
        "Ida is a baker. ::: Baker(ida)",
    ];
    assert_eq!(exchanged(&condition, Label::False), ["premise[0] ∀x (Baker(x) → RisesEarly(x)): Silent []"]);
}

#[test]
fn operators_that_no_sentence_asks_for() {
    // Nothing in the sentence speaks for a `¬`, or for an `∧` in place of `→`.
    let lines = [
        "All bakers rise early. ::: ∀x (Baker(x) → RisesEarly(x))",
        "Ida rises early. ::: RisesEarly(ida)",
        "Ida is a baker. ::: Baker(ida)",
    ];
    assert_eq!(exchanged(&lines, Label::False), [""; 0]);
    let denied = [
        "Some bakers rise early. ::: ∃x (Baker(x) ∧ RisesEarly(x))",
        "Ida is a baker. ::: Baker(ida)",
        "Ida rises early. ::: RisesEarly(ida)",
    ];
    assert_eq!(exchanged(&denied, Label::True), ["premise[0] ∀x (Baker(x) → RisesEarly(x)): Denies [\"C408\"]"]);
}

#[test]
fn verdicts_with_the_bracket_elsewhere() {
    let lines = [
        "Whoever is wet and cold stays home and is soon dry. ::: ∀x ((Wet(x) ∧ Cold(x) → Home(x) ∧ Dry(x))",
        "Ida is wet. ::: Wet(ida)",
        "Ida is dry. ::: Dry(ida)",
    ];
    let others = of(&lines, Label::True).alternatives;
    let said: Vec<_> = others.iter().map(|o| format!("{}: {:?} {}", o.text, o.verdict, o.gives_label)).collect();
    insta::assert_snapshot!(said.join("\n"), @"∀x ((Wet(x) ∧ Cold(x) → Home(x)) ∧ Dry(x)): Some(True) true");
    assert_eq!(of(BAKERS, Label::True).alternatives, []);
}

#[test]
fn bounds_hold_and_are_told() {
    let bounds = Bounds { questions: 5, ..Bounds::default() };
    let critique = bounded(BAKERS, Label::True, &bounds).expect("a critique");
    assert!(critique.questions <= 5, "{}", critique.questions);
    assert!(critique.cut_short.contains(&"abduction"), "{:?}", critique.cut_short);
    assert!(critique.sentences.last().is_some_and(|s| s.contains("abduction")), "{:?}", critique.sentences);
    assert_eq!(of(BAKERS, Label::True).cut_short, [""; 0]);
}
