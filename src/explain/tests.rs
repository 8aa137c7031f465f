//! Explanations as people read them, from questions that grounding answers alone.

use std::time::Duration;

use super::*;
use crate::config::Config;
use crate::ingest::Dataset;
use crate::lint::report::Colour;
use crate::pipeline::{Provers, examine};
use crate::posed;
use crate::prove::{Attempt, Identity, Origin, Problem, Prover, Reason, Run};
use crate::record::{Record, Row};
use crate::verify::Reading;

/// A prover that never answers.
struct Silent(Identity);

impl Prover for Silent {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn run(&self, _problem: &Problem, _attempt: &Attempt, _memory_mb: u64) -> Run {
        Run { outcome: Err(Reason::GaveUp), wall: Duration::ZERO }
    }
}

fn silent() -> Silent {
    Silent(Identity {
        name: "silent".to_owned(),
        version: "1".to_owned(),
        origin: Origin::Given,
        sha256: String::new(),
        path: "silent".into(),
    })
}

fn explained(question: &str) -> Explanation {
    let config = Config::default();
    let posed = posed::folio(question, "question", config.reading(), false).expect("a question");
    let row = posed::answer(&posed, &config, Provers { first: &silent(), second: None });
    posed::explanation(&posed, &row)
}

fn short(question: &str) -> String {
    text(&document(&explained(question), Detail::Short), Colour::Plain)
}

const CHAIN: &str = "∀x (Drinks(x, coffee) → Dependent(x))\n∀x (Dependent(x) → ¬Calm(x))\nTall(rina)\nDrinks(rina, coffee)\n∴ ¬Calm(rina)";
const CASES: &str = "Rain ∨ Snow\nRain → Wet\nSnow → Cold\nWet → Indoors\nCold → Indoors\nIndoors → (Tea ⊕ Rain)\n\
    Indoors → (Tea ⊕ Snow)\nTea → (Rain ∧ ¬Snow)\n∴ Tea ∧ ¬Tea";

#[test]
fn a_chain() {
    insta::assert_snapshot!(short(CHAIN), @"");
}

#[test]
fn a_conclusion_that_is_refuted() {
    insta::assert_snapshot!(short("∀x (Heron(x) → Bird(x))\nHeron(grey)\n∴ ¬Bird(grey)"), @"");
}

#[test]
fn a_conditional_conclusion() {
    insta::assert_snapshot!(short("∀x (P(x) → Q(x))\n∀x (Q(x) → R(x))\n∴ ∀x (P(x) → R(x))"), @"");
}

#[test]
fn cases() {
    insta::assert_snapshot!(short("P ∨ Q\nP ∨ ¬Q\n¬P ∨ R\n¬P ∨ ¬R ∨ S\n∴ P ∧ S"), @"");
    insta::assert_snapshot!(short("A ⊕ B\nA ↔ C\nB ↔ D\nC → E\nD → E\n∴ E"), @"");
    insta::assert_snapshot!(short(CASES), @"");
}

#[test]
fn equality() {
    insta::assert_snapshot!(short("captain = ada\nada = the_author\nKnows(captain, sea)\n∴ Knows(the_author, sea)"), @"");
    insta::assert_snapshot!(short("∀x (Rich(x) → father(x) ≠ tom)\nRich(ida)\nfather(ida) = bob\n∴ bob ≠ tom"), @"");
    insta::assert_snapshot!(short("∴ a = a"), @"");
}

#[test]
fn witnesses() {
    insta::assert_snapshot!(short("∃x (Dog(x) ∧ Loud(x))\n∀x (Loud(x) → Noticed(x))\n∴ ∃x (Dog(x) ∧ Noticed(x))"), @"");
    insta::assert_snapshot!(short("∀x (Person(x) → ∃y (Parent(x, y) ∧ Person(y)))\n∀x ∀y (Parent(x, y) → Older(y, x))\nPerson(ida)\n∴ ∃y (Older(y, ida))"), @"");
    insta::assert_snapshot!(short("∀x (P(x))\n∴ ∃x (P(x))"), @"");
}

#[test]
fn worlds() {
    insta::assert_snapshot!(short("∀x (Drinks(x, coffee) → Dependent(x))\nStudent(rina)\nLikes(rina, coffee)\n∴ Drinks(rina, coffee)"), @"");
    insta::assert_snapshot!(short("∃x (Dog(x))\nRain\n∴ ∀x (Dog(x) → Loud(x))"), @"");
    insta::assert_snapshot!(short("∀x (P(x) → x = a)\nP(b)\n∴ Q(mother(a))"), @"");
}

#[test]
fn premises_that_contradict_each_other() {
    insta::assert_snapshot!(short("∀x (Wren(x) → ¬Large(x))\nWren(dot)\nLarge(dot)\n∴ Sing(dot)"), @"");
}

#[test]
fn formulas_without_a_reading() {
    insta::assert_snapshot!(short("# typed\n∀x (Cat(x) → Animal(x)\n\nCat(tom)\n∴ Animal(tom)"), @"");
}

#[test]
fn a_question_left_open() {
    let infinite = "∀x ∃y (Less(x, y))\n∀x ¬Less(x, x)\n∀x ∀y ∀z (Less(x, y) ∧ Less(y, z) → Less(x, z))\n∴ P(a)";
    insta::assert_snapshot!(short(infinite), @"");
}

/// A record with sentences, a label and a bracket missing.
fn record() -> Record {
    let texts = |texts: &[&str]| texts.iter().map(|&t| t.to_owned()).collect();
    let mut record = Record {
        record_id: "7".to_owned(),
        split: "train".to_owned(),
        story_id: Some("3".to_owned()),
        premises: texts(&["All owls hunt at night.", "Willow | “Will” is an owl.", "Willow is <b>grey</b>."]),
        premises_fol: texts(&["∀x (Owl(x) → HuntAt(x, night)", "Owl(willow)", "Grey(willow)"]),
        conclusion: "Willow hunts at night.".to_owned(),
        conclusion_fol: Some("HuntAt(willow, night)".to_owned()),
        label: Some(Label::True),
        label_text: Some("True".to_owned()),
        ..Record::default()
    };
    record.source.file = "owls_train.jsonl".to_owned();
    record.source.row = 6;
    record.source.line = Some(7);
    record
}

fn full(record: Record) -> Explanation {
    let mut config = Config::default();
    config.lint.semantic = false;
    let dataset = Dataset { files: Vec::new(), records: vec![record] };
    let rows: Vec<Row> = examine(&config, &dataset, &[0], Provers { first: &silent(), second: None }).expect("rows");
    let row = rows.first().expect("a row");
    let reading = Reading::new(&row.premises_fol, row.conclusion_fol.as_deref(), config.reading());
    explain(row, &reading)
}

#[test]
fn a_record_in_full() {
    let explanation = full(record());
    insta::assert_snapshot!(text(&document(&explanation, Detail::Full), Colour::Plain), @"");
    insta::assert_snapshot!(markdown(&document(&explanation, Detail::Full)), @"");
}

#[test]
fn a_record_as_json() {
    let mut explanation = full(record());
    explanation.diagnostics.clear();
    insta::assert_snapshot!(json(&explanation), @"");
}

#[test]
fn a_record_as_a_page() {
    let page = html(&document(&full(record()), Detail::Full));
    let (head, body) = page.split_once("</style>").expect("a style");
    assert!(head.contains("prefers-color-scheme: dark") && head.contains("<title>record 7: True</title>"), "{head}");
    assert!(!page.contains("<script") && !page.contains("http"), "nothing is run or loaded");
    insta::assert_snapshot!(body, @"");
}

#[test]
fn nothing_in_a_text_is_taken_for_markup() {
    let mut record = record();
    record.premises[2] = "</code><script>alert('&')</script> `a` *b* [c](d)".to_owned();
    record.conclusion_fol = Some("Lies(<i>x`)".to_owned());
    let said = document(&full(record), Detail::Full);
    let page = html(&said);
    assert!(!page.contains("<script") && !page.contains("<i>"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"), "{page}");
    let markdown = markdown(&said);
    assert!(markdown.contains(r"\`a\` \*b\* \[c\](d)"), "{markdown}");
    assert!(markdown.contains("``Lies(<i>x`)``"), "{markdown}");
}

#[test]
fn a_certificate_that_does_not_hold_is_told_as_such() {
    let config = Config::default();
    let posed = posed::folio(CHAIN, "question", config.reading(), false).expect("a question");
    let mut row = posed::answer(&posed, &config, Provers { first: &silent(), second: None });
    let proof = row.proof.as_mut().expect("a proof");
    proof.certificate =
        proof.certificate.as_ref().map(|text| text.replace("\"unique_names\":false", "\"unique_names\":0"));
    let account = |row: &Row| match explain(row, &posed.reading).account {
        Account::Derivation { why, .. } => why,
        other => panic!("{other:?}"),
    };
    assert!(account(&row).starts_with("the certificate cannot be read: "), "{}", account(&row));
    if let Some(proof) = row.proof.as_mut() {
        proof.certificate = Some(r#"{"individuals":[],"instances":[],"unique_names":false}"#.to_owned());
    }
    assert_eq!(account(&row), "the certificate does not hold: the instances do not contradict each other");
}

#[test]
fn the_problem_in_tptp() {
    let config = Config::default();
    let posed = posed::folio(CHAIN, "question", config.reading(), false).expect("a question");
    let row = posed::answer(&posed, &config, Provers { first: &silent(), second: None });
    let problem = problem(&row, &posed.reading, &config.lowering()).expect("a problem");
    insta::assert_snapshot!(problem.to_annotated_tptp(), @"");
}
