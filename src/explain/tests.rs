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

#[test]
fn a_chain() {
    insta::assert_snapshot!(short(CHAIN), @r"
    True  (SZS status Theorem)

      0  ∀x (Drinks(x, coffee) → Dependent(x))
      1  ∀x (Dependent(x) → ¬Calm(x))
      3  Drinks(rina, coffee)
      ∴  ¬Calm(rina)

    Premises 0, 1 and 3 are needed; 2 is not.

    Proof

    Suppose that the premises hold and the conclusion is false: Calm(rina).

      1. Drinks(rina, coffee)   premise 3
      2. Dependent(rina)        premise 0 with x = rina: Drinks(rina, coffee) → Dependent(rina), and 1
      3. ¬Calm(rina)            premise 1 with x = rina: Dependent(rina) → ¬Calm(rina), and 2
         contradiction of 3 with the supposition: Calm(rina)

    So the conclusion holds wherever the premises do.
    ");
}

#[test]
fn a_conclusion_that_is_refuted() {
    insta::assert_snapshot!(short("∀x (Heron(x) → Bird(x))\nHeron(grey)\n∴ ¬Bird(grey)"), @r"
    False  (SZS status CounterTheorem)

      0  ∀x (Heron(x) → Bird(x))
      1  Heron(grey)
      ∴  ¬Bird(grey)

    Premises 0 and 1 are needed.

    Proof

    Suppose that the premises hold and the conclusion is true: ¬Bird(grey).

      1. Heron(grey)   premise 1
      2. Bird(grey)    premise 0 with x = grey: Heron(grey) → Bird(grey), and 1
         contradiction of 2 with the supposition: ¬Bird(grey)

    So the conclusion is false wherever the premises hold.
    ");
}

#[test]
fn a_conditional_conclusion() {
    insta::assert_snapshot!(short("∀x (P(x) → Q(x))\n∀x (Q(x) → R(x))\n∴ ∀x (P(x) → R(x))"), @r"
    True  (SZS status Theorem)

      0  ∀x (P(x) → Q(x))
      1  ∀x (Q(x) → R(x))
      ∴  ∀x (P(x) → R(x))

    Premises 0 and 1 are needed.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬∀x (P(x) → R(x)).

      1. P(w1)    the supposition: ¬(P(w1) → R(w1)); there is some x with ¬(P(x) → R(x)): call one such w1
      2. ¬R(w1)   likewise
      3. Q(w1)    premise 0 with x = w1: P(w1) → Q(w1), and 1
         contradiction of 2 and 3 with premise 1 with x = w1: Q(w1) → R(w1)

    So the conclusion holds wherever the premises do.
    ");
}

#[test]
fn cases() {
    insta::assert_snapshot!(short("P ∨ Q\nP ∨ ¬Q\n¬P ∨ R\n¬P ∨ ¬R ∨ S\n∴ P ∧ S"), @r"
    True  (SZS status Theorem)

      0  P ∨ Q
      1  P ∨ ¬Q
      2  ¬P ∨ R
      3  ¬P ∨ ¬R ∨ S
      ∴  P ∧ S

    Premises 0, 1, 2 and 3 are needed.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬(P ∧ S).

      1. suppose P
      2.    R   premise 2: ¬P ∨ R, and 1
      3.    S   premise 3: ¬P ∨ ¬R ∨ S, and 1 and 2
            contradiction of 1 and 3 with the supposition: ¬(P ∧ S)
      4. the other case: suppose ¬P
      5.    Q   premise 0: P ∨ Q, and 4
            contradiction of 4 and 5 with premise 1: P ∨ ¬Q

    So the conclusion holds wherever the premises do.
    ");
    insta::assert_snapshot!(short("A ⊕ B\nA ↔ C\nB ↔ D\nC → E\nD → E\n∴ E"), @r"
    True  (SZS status Theorem)

      0  A ⊕ B
      1  A ↔ C
      2  B ↔ D
      3  C → E
      4  D → E
      ∴  E

    Premises 0, 1, 2, 3 and 4 are needed.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬E.

      1. ¬E   the supposition
      2. ¬C   premise 3: C → E, and 1
      3. ¬D   premise 4: D → E, and 1
      4. ¬A   premise 1: A ↔ C, and 2
      5. ¬B   premise 2: B ↔ D, and 3
         contradiction of 4 and 5 with premise 0: A ⊕ B

    So the conclusion holds wherever the premises do.
    ");
    let nested =
        "P(a) ∨ P(b) ∨ P(c)\n∀x (P(x) → (Q(x) ⊕ R(x)))\n∀x (Q(x) → S)\n∀x (R(x) → S)\n∴ S ∧ (P(a) ∨ P(b) ∨ P(c))";
    insta::assert_snapshot!(short(nested), @r"
    True  (SZS status Theorem)

      0  P(a) ∨ P(b) ∨ P(c)
      1  ∀x (P(x) → (Q(x) ⊕ R(x)))
      2  ∀x (Q(x) → S)
      3  ∀x (R(x) → S)
      ∴  S ∧ (P(a) ∨ P(b) ∨ P(c))

    Premises 0, 1, 2 and 3 are needed.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬(S ∧ (P(a) ∨ P(b) ∨ P(c))).

       1. suppose P(a)
       2.    ¬S         the supposition: ¬(S ∧ (P(a) ∨ P(b) ∨ P(c))), and 1
       3.    ¬Q(a)      premise 2 with x = a: Q(a) → S, and 2
       4.    ¬R(a)      premise 3 with x = a: R(a) → S, and 2
             contradiction of 1, 3 and 4 with premise 1 with x = a: P(a) → Q(a) ⊕ R(a)
       5. the other case: suppose ¬P(a)
       6.    suppose P(b)
       7.       ¬S      the supposition: ¬(S ∧ (P(a) ∨ P(b) ∨ P(c))), and 6
       8.       ¬Q(b)   premise 2 with x = b: Q(b) → S, and 7
       9.       ¬R(b)   premise 3 with x = b: R(b) → S, and 7
                contradiction of 6, 8 and 9 with premise 1 with x = b: P(b) → Q(b) ⊕ R(b)
      10.    the other case: suppose ¬P(b)
      11.       P(c)    premise 0: P(a) ∨ P(b) ∨ P(c), and 5 and 10
      12.       ¬S      the supposition: ¬(S ∧ (P(a) ∨ P(b) ∨ P(c))), and 11
      13.       ¬Q(c)   premise 2 with x = c: Q(c) → S, and 12
      14.       ¬R(c)   premise 3 with x = c: R(c) → S, and 12
                contradiction of 11, 13 and 14 with premise 1 with x = c: P(c) → Q(c) ⊕ R(c)

    So the conclusion holds wherever the premises do.
    ");
    insta::assert_snapshot!(short("A ⊕ B\nB ⊕ C\nC ⊕ A\n∴ D"), @r"
    Inconsistent  (SZS status ContradictoryAxioms)

      0  A ⊕ B
      1  B ⊕ C
      2  C ⊕ A
      ∴  D

    Premises 0, 1 and 2 are needed.

    Proof

    Suppose that all premises hold.

      1. suppose A
      2.    ¬B   premise 0: A ⊕ B, and 1
      3.    C    premise 1: B ⊕ C, and 2
            contradiction of 1 and 3 with premise 2: C ⊕ A
      4. the other case: suppose ¬A
      5.    B    premise 0: A ⊕ B, and 4
      6.    ¬C   premise 1: B ⊕ C, and 5
            contradiction of 4 and 6 with premise 2: C ⊕ A

    So the premises contradict each other.
    ");
}

#[test]
fn equality() {
    insta::assert_snapshot!(short("captain = ada\nada = the_author\nKnows(captain, sea)\n∴ Knows(the_author, sea)"), @r"
    True  (SZS status Theorem)

      0  captain = ada
      1  ada = the_author
      2  Knows(captain, sea)
      ∴  Knows(the_author, sea)

    Premises 0, 1 and 2 are needed.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬Knows(the_author, sea).

      1. captain = ada            premise 0
      2. ada = the_author         premise 1
      3. Knows(captain, sea)      premise 2
      4. Knows(the_author, sea)   by equality from 1, 2 and 3
         contradiction of 4 with the supposition: ¬Knows(the_author, sea)

    So the conclusion holds wherever the premises do.
    ");
    insta::assert_snapshot!(short("∀x (Rich(x) → father(x) ≠ tom)\nRich(ida)\nfather(ida) = bob\n∴ bob ≠ tom"), @r"
    True  (SZS status Theorem)

      0  ∀x (Rich(x) → father(x) ≠ tom)
      1  Rich(ida)
      2  father(ida) = bob
      ∴  bob ≠ tom

    Premises 0, 1 and 2 are needed.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬(bob ≠ tom).

      1. Rich(ida)           premise 1
      2. father(ida) = bob   premise 2
      3. father(ida) ≠ tom   premise 0 with x = ida: Rich(ida) → father(ida) ≠ tom, and 1
      4. tom = bob           the supposition: ¬(bob ≠ tom)
         contradiction between 2, 3 and 4, by equality

    So the conclusion holds wherever the premises do.
    ");
    insta::assert_snapshot!(short("∴ a = a"), @r"
    True  (SZS status Theorem)

      ∴  a = a

    Proof

    Suppose that the premises hold and the conclusion is false: ¬(a = a).

      1. a = a   a thing is the same as itself
         contradiction of 1 with the supposition: ¬(a = a)

    So the conclusion holds wherever the premises do.

    warning[P306]: `a = a` always holds
     --> question:1 conclusion
      |
    1 | a = a
      | ^^^^^
      |
      = help: was one `a` meant to be another term?
    ");
}

#[test]
fn witnesses() {
    insta::assert_snapshot!(short("∃x (Dog(x) ∧ Loud(x))\n∀x (Loud(x) → Noticed(x))\n∴ ∃x (Dog(x) ∧ Noticed(x))"), @r"
    True  (SZS status Theorem)

      0  ∃x (Dog(x) ∧ Loud(x))
      1  ∀x (Loud(x) → Noticed(x))
      ∴  ∃x (Dog(x) ∧ Noticed(x))

    Premises 0 and 1 are needed.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬∃x (Dog(x) ∧ Noticed(x)).

      1. Dog(w1)       premise 0: Dog(w1) ∧ Loud(w1); there is some x with Dog(x) ∧ Loud(x): call one such w1
      2. Loud(w1)      likewise
      3. Noticed(w1)   premise 1 with x = w1: Loud(w1) → Noticed(w1), and 2
         contradiction of 1 and 3 with the supposition with x = w1: ¬(Dog(w1) ∧ Noticed(w1))

    So the conclusion holds wherever the premises do.
    ");
    insta::assert_snapshot!(short("∀x (Person(x) → ∃y (Parent(x, y) ∧ Person(y)))\n∀x ∀y (Parent(x, y) → Older(y, x))\nPerson(ida)\n∴ ∃y (Older(y, ida))"), @r"
    True  (SZS status Theorem)

      0  ∀x (Person(x) → ∃y (Parent(x, y) ∧ Person(y)))
      1  ∀x ∀y (Parent(x, y) → Older(y, x))
      2  Person(ida)
      ∴  ∃y (Older(y, ida))

    Premises 0, 1 and 2 are needed.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬∃y (Older(y, ida)).

      1. Person(ida)       premise 2
      2. Parent(ida, w1)   premise 0 with x = ida: Person(ida) → Parent(ida, w1) ∧ Person(w1), and 1; call w1 some y with Parent(ida, y) ∧ Person(y), if there is one
      3. Older(w1, ida)    premise 1 with x = ida and y = w1: Parent(ida, w1) → Older(w1, ida), and 2
         contradiction of 3 with the supposition with y = w1: ¬Older(w1, ida)

    So the conclusion holds wherever the premises do.
    ");
    insta::assert_snapshot!(short("∀x (P(x))\n∴ ∃x (P(x))"), @r"
    True  (SZS status Theorem)

      0  ∀x (P(x))
      ∴  ∃x (P(x))

    Premise 0 is needed.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬∃x (P(x)).

      1. P(w1)   premise 0 with x = w1; call any individual w1
         contradiction of 1 with the supposition with x = w1: ¬P(w1)

    So the conclusion holds wherever the premises do.
    ");
}

#[test]
fn worlds() {
    insta::assert_snapshot!(short("∀x (Drinks(x, coffee) → Dependent(x))\nStudent(rina)\nLikes(rina, coffee)\n∴ Drinks(rina, coffee)"), @r"
    Uncertain  (SZS status NoConsequence)

      0  ∀x (Drinks(x, coffee) → Dependent(x))
      1  Student(rina)
      2  Likes(rina, coffee)
      ∴  Drinks(rina, coffee)

    Two worlds

    A world in which every premise holds and the conclusion holds, and one in which every premise holds and it does not. In the first, Drinks(rina, coffee); in the second, not.

    The first world, in which the conclusion holds:

                 coffee  rina
      Dependent  –       yes
      Student    –       yes

      Drinks holds of (rina, coffee)
      Likes holds of (rina, coffee)

    The second world, in which the conclusion does not hold:

                 coffee  rina
      Dependent  –       –
      Student    –       yes

      Drinks holds of nothing
      Likes holds of (rina, coffee)
    ");
    insta::assert_snapshot!(short("∃x (Dog(x))\nRain\n∴ ∀x (Dog(x) → Loud(x))"), @r"
    Uncertain  (SZS status NoConsequence)

      0  ∃x (Dog(x))
      1  Rain
      ∴  ∀x (Dog(x) → Loud(x))

    Two worlds

    A world in which every premise holds and the conclusion holds, and one in which every premise holds and it does not. In the second, x = i1 shows it to fail: Dog(i1) and ¬Loud(i1).

    The first world, in which the conclusion holds: i1 has no name of its own.

            i1
      Dog   yes
      Loud  yes

      Rain holds

    The second world, in which the conclusion does not hold: i1 and i2 have no names of their own.

            i1   i2
      Dog   yes  yes
      Loud  –    –

      Rain holds
    ");
    insta::assert_snapshot!(short("∀x (P(x) → x = a)\nP(b)\n∴ Q(mother(a))"), @r"
    Uncertain  (SZS status NoConsequence)

      0  ∀x (P(x) → x = a)
      1  P(b)
      ∴  Q(mother(a))

    Two worlds

    A world in which every premise holds and the conclusion holds, and one in which every premise holds and it does not. In the first, Q(mother(a)); in the second, not.

    The first world, in which the conclusion holds: a = b, one individual under several names. i1 has no name of its own.

         a    i1
      P  yes  –
      Q  –    yes

      mother(a) = i1
      mother(i1) = a

    The second world, in which the conclusion does not hold: a = b, one individual under several names. i1 has no name of its own.

         a    i1
      P  yes  –
      Q  –    –

      mother(a) = i1
      mother(i1) = a
    ");
}

#[test]
fn premises_that_contradict_each_other() {
    insta::assert_snapshot!(short("∀x (Wren(x) → ¬Large(x))\nWren(dot)\nLarge(dot)\n∴ Sing(dot)"), @r"
    Inconsistent  (SZS status ContradictoryAxioms)

      0  ∀x (Wren(x) → ¬Large(x))
      1  Wren(dot)
      2  Large(dot)
      ∴  Sing(dot)

    Premises 0, 1 and 2 are needed.

    Proof

    Suppose that all premises hold.

      1. Wren(dot)     premise 1
      2. ¬Large(dot)   premise 0 with x = dot: Wren(dot) → ¬Large(dot), and 1
         contradiction of 2 with premise 2: Large(dot)

    So the premises contradict each other.
    ");
}

#[test]
fn formulas_without_a_reading() {
    insta::assert_snapshot!(short("# typed\n∀x (Cat(x) → Animal(x)\n\nCat(tom)\n∴ Animal(tom)"), @r"
    Unparsed  (SZS status SyntaxError)

    Reason: unparsed: premise[0]

      0  ∀x (Cat(x) → Animal(x)
      1  Cat(tom)
      ∴  Animal(tom)

    error[S101]: this bracket is never closed
     --> question:2 premise[0]
      |
    2 | ∀x (Cat(x) → Animal(x)
      |    - opened here      ^
      |
    help: append the missing `)` (safe fix)
      |
    2 | ∀x (Cat(x) → Animal(x))
      |                       +
    ");
}

#[test]
fn a_question_left_open() {
    let infinite = "∀x ∃y (Less(x, y))\n∀x ¬Less(x, x)\n∀x ∀y ∀z (Less(x, y) ∧ Less(y, z) → Less(x, z))\n∴ P(a)";
    insta::assert_snapshot!(short(infinite), @r"
    Undetermined  (SZS status Unknown)

    Reason: undetermined: consistency: gave-up

      0  ∀x ∃y (Less(x, y))
      1  ∀x ¬Less(x, x)
      2  ∀x ∀y ∀z (Less(x, y) ∧ Less(y, z) → Less(x, z))
      ∴  P(a)
    ");
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
    insta::assert_snapshot!(text(&document(&explanation, Detail::Full), Colour::Plain), @"
    Record 7: True, labelled True (agree, repaired)

      owls_train.jsonl row 6 (line 7), split train, story 3
      As it came the verdict was Unparsed.
      It rests on instances of the statements that contradict each other, which were checked.
      Signals: decided-by-mended-annotation, unused-premises.

    Premises and conclusion

      0  All owls hunt at night.
         ∀x (Owl(x) → HuntAt(x, night))
         as it came: ∀x (Owl(x) → HuntAt(x, night) (changed by S101)
      1  Willow | “Will” is an owl.
         Owl(willow)
      2  Willow is <b>grey</b>.  (not needed)
         Grey(willow)
      ∴  Willow hunts at night.
         HuntAt(willow, night)

    Premises 0 and 1 are needed; 2 is not.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬HuntAt(willow, night).

      1. Owl(willow)             premise 1
      2. HuntAt(willow, night)   premise 0 with x = willow: Owl(willow) → HuntAt(willow, night), and 1
         contradiction of 2 with the supposition: ¬HuntAt(willow, night)

    So the conclusion holds wherever the premises do.

    Findings

    error[S101]: this bracket is never closed
     --> owls_train.jsonl:7 premise[0] of record 7
      |
    7 | ∀x (Owl(x) → HuntAt(x, night)
      |    - opened here             ^
      |
    help: append the missing `)` (safe fix)
      |
    7 | ∀x (Owl(x) → HuntAt(x, night))
      |                              +

    History

      premise[0] (S101 missing-close-bracket, fix): ∀x (Owl(x) → HuntAt(x, night) became ∀x (Owl(x) → HuntAt(x, night))

    Symbols

      symbol  kind            where                               gloss
      Owl     predicate of 1  premise[0], premise[1]              owl
      HuntAt  predicate of 2  premise[0], conclusion              hunt at
      night   constant        premise[0], conclusion              night
      willow  constant        premise[1], premise[2], conclusion  Willow
      Grey    predicate of 1  premise[2]                          grey
    ");
    insta::assert_snapshot!(markdown(&document(&explanation, Detail::Full)), @r"
    # Record `7`: **True**, labelled True (agree, repaired)

    - `owls_train.jsonl` row 6 (line 7), split train, story 3
    - As it came the verdict was Unparsed.
    - It rests on instances of the statements that contradict each other, which were checked.
    - Signals: decided-by-mended-annotation, unused-premises.

    ## Premises and conclusion

    |  | sentence | formula | needed |
    | --- | --- | --- | --- |
    | 0 | All owls hunt at night. | `∀x (Owl(x) → HuntAt(x, night))`<br>as it came: `∀x (Owl(x) → HuntAt(x, night)` (changed by S101) | yes |
    | 1 | Willow \| “Will” is an owl. | `Owl(willow)` | yes |
    | 2 | Willow is &lt;b>grey&lt;/b>. | `Grey(willow)` | no |
    | ∴ | Willow hunts at night. | `HuntAt(willow, night)` |  |

    Premises 0 and 1 are needed; 2 is not.

    ## Proof

    Suppose that the premises hold and the conclusion is false: `¬HuntAt(willow, night)`.

    - (1) `Owl(willow)` — premise 1
    - (2) `HuntAt(willow, night)` — premise 0 with `x = willow`: `Owl(willow) → HuntAt(willow, night)`, and 1
    - **contradiction** of 2 with the supposition: `¬HuntAt(willow, night)`

    So the conclusion holds wherever the premises do.

    ## Findings

    ```text
    error[S101]: this bracket is never closed
     --> owls_train.jsonl:7 premise[0] of record 7
      |
    7 | ∀x (Owl(x) → HuntAt(x, night)
      |    - opened here             ^
      |
    help: append the missing `)` (safe fix)
      |
    7 | ∀x (Owl(x) → HuntAt(x, night))
      |                              +
    ```

    ## History

    - premise\[0\] (S101 missing-close-bracket, fix): `∀x (Owl(x) → HuntAt(x, night)` became `∀x (Owl(x) → HuntAt(x, night))`

    ## Symbols

    | `symbol` | `kind` | `where` | `gloss` |
    | --- | --- | --- | --- |
    | `Owl` | predicate of 1 | premise\[0\], premise\[1\] | owl |
    | `HuntAt` | predicate of 2 | premise\[0\], conclusion | hunt at |
    | `night` | constant | premise\[0\], conclusion | night |
    | `willow` | constant | premise\[1\], premise\[2\], conclusion | Willow |
    | `Grey` | predicate of 1 | premise\[2\] | grey |
    ");
}

#[test]
fn a_record_as_json() {
    let mut explanation = full(record());
    explanation.diagnostics.clear();
    insta::assert_snapshot!(json(&explanation), @r#"
    {
      "record": {
        "record_id": "7",
        "example_id": null,
        "story_id": "3",
        "split": "train",
        "file": "owls_train.jsonl",
        "row": 6,
        "line": 7,
        "label": "True",
        "label_text": "True",
        "agreement": "agree",
        "status": "repaired",
        "verdict_original": "Unparsed"
      },
      "verdict": "True",
      "szs": "Theorem",
      "reason": null,
      "evidence": "certificate",
      "signals": [
        "decided-by-mended-annotation",
        "unused-premises"
      ],
      "premises": [
        {
          "sentence": "All owls hunt at night.",
          "formula": "∀x (Owl(x) → HuntAt(x, night))",
          "original": "∀x (Owl(x) → HuntAt(x, night)",
          "rules": [
            "S101"
          ],
          "used": true
        },
        {
          "sentence": "Willow | “Will” is an owl.",
          "formula": "Owl(willow)",
          "original": null,
          "rules": [],
          "used": true
        },
        {
          "sentence": "Willow is <b>grey</b>.",
          "formula": "Grey(willow)",
          "original": null,
          "rules": [],
          "used": false
        }
      ],
      "sentences": [],
      "conclusion": {
        "sentence": "Willow hunts at night.",
        "formula": "HuntAt(willow, night)",
        "original": null,
        "rules": [],
        "used": null
      },
      "used_premises": [
        0,
        1
      ],
      "unneeded_premises": [
        2
      ],
      "account": {
        "kind": "proof",
        "question": "entails",
        "suppose": "¬HuntAt(willow, night)",
        "line": {
          "steps": [
            {
              "number": 1,
              "literal": "Owl(willow)",
              "because": {
                "by": "statement",
                "premise": 1,
                "with": [],
                "instance": "Owl(willow)"
              },
              "from": [],
              "names": []
            },
            {
              "number": 2,
              "literal": "HuntAt(willow, night)",
              "because": {
                "by": "statement",
                "premise": 0,
                "with": [
                  [
                    "x",
                    "willow"
                  ]
                ],
                "instance": "Owl(willow) → HuntAt(willow, night)"
              },
              "from": [
                1
              ],
              "names": []
            }
          ],
          "end": {
            "end": "contradiction",
            "because": {
              "by": "statement",
              "premise": null,
              "with": [],
              "instance": "¬HuntAt(willow, night)"
            },
            "from": [
              2
            ],
            "names": []
          }
        }
      },
      "diagnostics": [],
      "history": [
        {
          "target": "premise[0]",
          "rule": "S101",
          "name": "missing-close-bracket",
          "kind": "fix",
          "before": "∀x (Owl(x) → HuntAt(x, night)",
          "after": "∀x (Owl(x) → HuntAt(x, night))",
          "alternatives": [],
          "asked_by": null,
          "why": ""
        }
      ],
      "proposals": [],
      "proposed_label": null,
      "critique": [],
      "presuppositions": [],
      "symbols": [
        {
          "name": "Owl",
          "kind": "predicate",
          "arity": 1,
          "used_in": [
            "premise[0]",
            "premise[1]"
          ],
          "gloss": "owl"
        },
        {
          "name": "HuntAt",
          "kind": "predicate",
          "arity": 2,
          "used_in": [
            "premise[0]",
            "conclusion"
          ],
          "gloss": "hunt at"
        },
        {
          "name": "night",
          "kind": "constant",
          "arity": 0,
          "used_in": [
            "premise[0]",
            "conclusion"
          ],
          "gloss": "night"
        },
        {
          "name": "willow",
          "kind": "constant",
          "arity": 0,
          "used_in": [
            "premise[1]",
            "premise[2]",
            "conclusion"
          ],
          "gloss": "Willow"
        },
        {
          "name": "Grey",
          "kind": "predicate",
          "arity": 1,
          "used_in": [
            "premise[2]"
          ],
          "gloss": "grey"
        }
      ]
    }
    "#);
}

#[test]
fn a_record_as_a_page() {
    let page = html(&document(&full(record()), Detail::Full));
    let (head, body) = page.split_once("</style>").expect("a style");
    assert!(
        head.contains("prefers-color-scheme: dark") && head.contains("<title>record 7: True · refolio</title>"),
        "{head}"
    );
    assert!(!page.contains("<script") && !page.contains("://"), "nothing is run or loaded");
    assert!(
        head.contains("Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline';"),
        "{head}"
    );
    insta::assert_snapshot!(body, @r#"

    </head>
    <body>
    <h1>Record <code>7</code>: <strong class="good">True</strong>, labelled True (agree, repaired)</h1>
    <ul class="lines">
    <li><code>owls_train.jsonl</code> row 6 (line 7), split train, story 3</li>
    <li>As it came the verdict was Unparsed.</li>
    <li>It rests on instances of the statements that contradict each other, which were checked.</li>
    <li>Signals: decided-by-mended-annotation, unused-premises.</li>
    </ul>
    <h2>Premises and conclusion</h2>
    <table class="statements">
    <tbody>
    <tr><th scope="row">0</th><td>All owls hunt at night.<br><code>∀x (Owl(x) → HuntAt(x, night))</code><br><span class="note">as it came: <code>∀x (Owl(x) → HuntAt(x, night)</code> (changed by S101)</span></td></tr>
    <tr><th scope="row">1</th><td>Willow | “Will” is an owl.<br><code>Owl(willow)</code></td></tr>
    <tr class="unneeded"><th scope="row">2</th><td>Willow is &lt;b&gt;grey&lt;/b&gt;.<br><code>Grey(willow)</code><br><span class="note">not needed</span></td></tr>
    <tr><th scope="row">∴</th><td>Willow hunts at night.<br><code>HuntAt(willow, night)</code></td></tr>
    </tbody>
    </table>
    <p>Premises 0 and 1 are needed; 2 is not.</p>
    <h2>Proof</h2>
    <p>Suppose that the premises hold and the conclusion is false: <code>¬HuntAt(willow, night)</code>.</p>
    <ol class="steps">
    <li style="--depth: 0"><span class="number">1.</span><span class="step"><span><code>Owl(willow)</code></span><span class="why">premise 1</span></span></li>
    <li style="--depth: 0"><span class="number">2.</span><span class="step"><span><code>HuntAt(willow, night)</code></span><span class="why">premise 0 with <code>x = willow</code>: <code>Owl(willow) → HuntAt(willow, night)</code>, and 1</span></span></li>
    <li style="--depth: 0"><span class="number"></span><span class="step"><span><strong>contradiction</strong></span><span class="why">of 2 with the supposition: <code>¬HuntAt(willow, night)</code></span></span></li>
    </ol>
    <p>So the conclusion holds wherever the premises do.</p>
    <h2>Findings</h2>
    <pre tabindex="0">error[S101]: this bracket is never closed
     --&gt; owls_train.jsonl:7 premise[0] of record 7
      |
    7 | ∀x (Owl(x) → HuntAt(x, night)
      |    - opened here             ^
      |
    help: append the missing `)` (safe fix)
      |
    7 | ∀x (Owl(x) → HuntAt(x, night))
      |                              +</pre>
    <h2>History</h2>
    <ul class="lines">
    <li>premise[0] (S101 missing-close-bracket, fix): <code>∀x (Owl(x) → HuntAt(x, night)</code> became <code>∀x (Owl(x) → HuntAt(x, night))</code></li>
    </ul>
    <h2>Symbols</h2>
    <div class="scroll" tabindex="0">
    <table>
    <thead><tr><th scope="col"><code>symbol</code></th><th scope="col"><code>kind</code></th><th scope="col"><code>where</code></th><th scope="col"><code>gloss</code></th></tr></thead>
    <tbody>
    <tr><th scope="row"><code>Owl</code></th><td>predicate of 1</td><td>premise[0], premise[1]</td><td>owl</td></tr>
    <tr><th scope="row"><code>Hunt<wbr>At</code></th><td>predicate of 2</td><td>premise[0], conclusion</td><td>hunt at</td></tr>
    <tr><th scope="row"><code>night</code></th><td>constant</td><td>premise[0], conclusion</td><td>night</td></tr>
    <tr><th scope="row"><code>willow</code></th><td>constant</td><td>premise[1], premise[2], conclusion</td><td>Willow</td></tr>
    <tr><th scope="row"><code>Grey</code></th><td>predicate of 1</td><td>premise[2]</td><td>grey</td></tr>
    </tbody>
    </table>
    </div>
    </body>
    </html>
    "#);
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
fn nothing_in_a_text_steers_a_terminal() {
    let mut record = record();
    record.premises[2] = "Willow\u{1b}[2J is\ngrey.".to_owned();
    let told = text(&document(&full(record), Detail::Full), Colour::Plain);
    assert!(told.contains("  2  Willow\u{fffd}[2J is grey.  (not needed)\n"), "{told}");
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
    insta::assert_snapshot!(problem.to_annotated_tptp(), @r"
    % verdict True
    % To ask again: refolio vampire THIS_FILE

    % ∀x (Drinks(x, coffee) → Dependent(x))
    fof(premise_0, axiom, ! [V_x] : (p2_Drinks(V_x,c_coffee) => p1_Dependent(V_x))).

    % ∀x (Dependent(x) → ¬Calm(x))
    fof(premise_1, axiom, ! [V_x] : (p1_Dependent(V_x) => ~ p1_Calm(V_x))).

    % Tall(rina)
    fof(premise_2, axiom, p1_Tall(c_rina)).

    % Drinks(rina, coffee)
    fof(premise_3, axiom, p2_Drinks(c_rina,c_coffee)).

    % ¬Calm(rina)
    fof(conclusion, conjecture, ~ p1_Calm(c_rina)).
    ");
}
