//! Whole critiques as people read them.

use super::*;

#[test]
fn a_broken_chain() {
    insta::assert_snapshot!(told(MONITORS, Label::True), @"
    The label is True, but the premises prove neither the conclusion nor its negation: a link of the chain is missing.
    Used in one premise only, so leading nowhere: `Monitor`/1 (premise[0]), `Broken`/1 (premise[1]).
    premise_sentence[1] says “monitor A-2017”, which takes `Monitor(a-2017)` for granted; no premise says so. With it the verdict would be True, the label.
    The label would follow if the premises also said `Monitor(a-2017)` (words of premise_sentence[1]).
    The label would follow if the premises also said `∀x (Broken(x) → Monitor(x))` (words of premise_sentence[1]).
    The label would follow if the premises also said `∀x (Broken(x) → Recycled(x))`.
    ");
}

#[test]
fn a_contradicted_label() {
    let lines = [
        "All bakers rise early. ::: ∀x (Baker(x) → RisesEarly(x))",
        "Ida is a baker. ::: Baker(ida)",
        "Ida rises early. ::: RisesEarly(ida)",
    ];
    let critique = of(&lines, Label::False);
    assert_eq!(critique.proposed_label, Some(Label::True));
    insta::assert_snapshot!(critique.sentences.join("\n"), @"The label is False, but the premises prove the conclusion: the label should be True.");
}

#[test]
fn contradictory_premises() {
    insta::assert_snapshot!(told(KIND, Label::True), @"
    The premises contradict each other, so nothing said of the conclusion would mean anything.
    These contradict each other, and none can be left out: premise[0], premise[1], premise[3].
    Without premise[0] the rest would be consistent; the verdict would be True, the label.
    Without premise[1] the rest would be consistent; the verdict would be True, the label.
    Without premise[3] the rest would be consistent; the verdict would be True, the label.
    With the other quantifier in premise[1] (`∃x (Dog(x) ∧ Kind(x))`) the verdict would be True; the sentence has no cue for or against it.
    ");
}

#[test]
fn annotations_without_a_reading() {
    let lines = ["Ida is tall. ::: Tall(ida) & & Shy(ida", "Ida is shy. ::: Shy(ida)"];
    insta::assert_snapshot!(told(&lines, Label::True), @"These annotations have no reading: premise[0].");
}

#[test]
fn as_json() {
    insta::assert_snapshot!(of(MONITORS, Label::True).to_json(), @r#"{"reason":"broken-chain","verdict":"Uncertain","label":"True","proposed_label":null,"sentences":["The label is True, but the premises prove neither the conclusion nor its negation: a link of the chain is missing.","Used in one premise only, so leading nowhere: `Monitor`/1 (premise[0]), `Broken`/1 (premise[1]).","premise_sentence[1] says “monitor A-2017”, which takes `Monitor(a-2017)` for granted; no premise says so. With it the verdict would be True, the label.","The label would follow if the premises also said `Monitor(a-2017)` (words of premise_sentence[1]).","The label would follow if the premises also said `∀x (Broken(x) → Monitor(x))` (words of premise_sentence[1]).","The label would follow if the premises also said `∀x (Broken(x) → Recycled(x))`."],"unread":[],"unmet":{"conclusion_only":[],"used_once":[{"name":"Monitor","kind":"predicate","arity":1,"target":"premise[0]"},{"name":"Broken","kind":"predicate","arity":1,"target":"premise[1]"}]},"abduction":{"sets":[{"formulas":["Monitor(a-2017)"],"sentences":["premise_sentence[1]"]},{"formulas":["∀x (Broken(x) → Monitor(x))"],"sentences":["premise_sentence[1]"]},{"formulas":["∀x (Broken(x) → Recycled(x))"],"sentences":[null]}],"found":3},"presuppositions":{"found":[{"target":"premise_sentence[1]","formula":"Monitor(a-2017)","words":"monitor A-2017","verdict":"True","gives_label":true}],"together":null,"together_give_label":false},"inconsistency":null,"near_names":[],"exchanges":[],"alternatives":[],"questions":20,"cut_short":[]}"#);
}

#[test]
fn the_same_again() {
    for lines in [BAKERS, MONITORS, KIND] {
        for label in Label::ALL {
            let once = || bounded(lines, label, &Bounds::default()).map(|c| c.to_json());
            assert_eq!(once(), once());
        }
    }
}
