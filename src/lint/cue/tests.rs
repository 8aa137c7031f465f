use super::*;
use crate::diagnostic::Target;
use crate::fol::parse;

fn codes(sentence: &str, text: &str) -> Vec<&'static str> {
    let parsed = parse(text);
    assert!(parsed.reading().is_some(), "no reading of {text}");
    let mut out = Vec::new();
    let annotation = Annotation { target: Target::Conclusion, text, parsed: &parsed, sentence: Some(sentence) };
    check(&annotation, &mut out);
    out.into_iter().map(|d| d.code).collect()
}

#[test]
fn sentences_that_their_formulas_follow() {
    for (sentence, formula) in [
        ("Ida is either tall or shy, or both.", "Tall(ida) ∨ Shy(ida)"),
        ("Ida is either tall or shy, but not both.", "Tall(ida) ⊕ Shy(ida)"),
        ("Ida is not tall either.", "¬Tall(ida)"),
        ("Ida is either tall and shy, or neither.", "Tall(ida) ↔ Shy(ida)"),
        ("Ida isn’t aware of it.", "UnawareOf(ida, it)"),
        ("Ida is not legal.", "Illegal(ida)"),
        ("Ida chose no plan.", "Choose(ida, noPlan)"),
        ("Symphony No. 9 is long.", "Long(symphony9)"),
        ("There is no one who does not sleep.", "∀x (Person(x) → Sleep(x))"),
        ("Ida bakes every week.", "Bakes(ida)"),
        ("Not all art needs talent.", "∃x (Art(x) ∧ ¬Needs(x, talent))"),
        ("The three rooms are all different.", "¬(a = b) ∧ ¬(a = c) ∧ ¬(b = c)"),
        ("If there is a dog, Ida runs.", "∀x (Dog(x) → Runs(ida))"),
        ("There is a music video for it.", "Have(song, musicVideo)"),
        ("There are three seasons.", "Season(a) ∨ Season(b) ∨ Season(c)"),
        ("The park has 1,000 trees worth $4.5 million.", "Trees(park, num1000) ∧ Worth(park, 4point5million)"),
        ("It has more than 1 thousand stars.", "∃x (Stars(it, x) ∧ GreaterThan(x, num1000))"),
        ("Not only Ida sleeps.", "∃x (¬(x = ida) ∧ Sleeps(x))"),
        ("Ida sleeps if and only if she is tired.", "¬(Sleeps(ida) ⊕ Tired(ida))"),
        ("Only members may vote.", "∀x (Vote(x) → Member(x))"),
        ("", "Tall(ida)"),
    ] {
        assert_eq!(codes(sentence, formula), Vec::<&str>::new(), "{sentence}");
    }
}

#[test]
fn cues_without_their_operator() {
    for (sentence, formula, code) in [
        ("Either Ida or Ola sleeps.", "Sleeps(ida) ∨ Sleeps(ola)", "C401"),
        ("NEITHER is tall.", "Tall(ida) ∧ Tall(ola)", "C402"),
        ("Unless it rains, Ida walks.", "Walks(ida)", "C403"),
        ("Ida eats only rice.", "Eats(ida, rice)", "C404"),
        ("Only old members may vote.", "∀x (Member(x) ∧ Old(x) → Vote(x))", "C405"),
        ("Ida didn't sleep.", "Sleep(ida)", "C406"),
        ("Nobody sleeps.", "∀x (Person(x) → Sleeps(x))", "C406"),
        ("Everyone sleeps.", "Sleeps(ida)", "C407"),
        ("There is a dog.", "∀x Dog(x)", "C408"),
        ("Some dogs in the park bark.", "∀x (Dog(x) ∧ In(x, park) → Barks(x))", "C408"),
        ("Ida has seven cats.", "∃x (Cat(x) ∧ Has(ida, x))", "C409"),
        ("Ida walks if it is dry.", "Walks(ida) ∧ Dry(weather)", "C410"),
    ] {
        assert_eq!(codes(sentence, formula), [code], "{sentence}");
    }
}

#[test]
fn messages_quote_the_cue() {
    let text = "Sleep(ida)";
    let parsed = parse(text);
    let mut out = Vec::new();
    check(
        &Annotation { target: Target::Conclusion, text, parsed: &parsed, sentence: Some("Ida never sleeps.") },
        &mut out,
    );
    let messages: Vec<_> = out.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, ["the sentence says “never”, but the formula has no negation"]);
}
