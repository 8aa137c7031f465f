//! Explanations as people read them, from questions that grounding answers alone.

mod records;

use super::*;
use crate::config::Config;
use crate::ingest::Dataset;
use crate::lint::report::Colour;
use crate::pipeline::{Provers, examine};
use crate::posed;
use crate::prove::testing::Silent;
use crate::record::{Record, Row};
use crate::verify::Reading;

fn explained(question: &str) -> Explanation {
    let config = Config::default();
    let posed = posed::folio(question, "question", config.reading(), false).expect("a question");
    let row = posed::answer(&posed, &config, Provers { first: &Silent::new(), second: None, agents: None });
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
