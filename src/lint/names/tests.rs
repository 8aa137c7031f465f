use super::*;
use crate::fol::QuantifierScope;
use crate::lint::ParsedRecord;
use crate::record::Record;

/// The findings in premises and, last, a conclusion: code, target, and the text after the fix.
fn found(formulas: &[&str]) -> Vec<(&'static str, String, Option<String>)> {
    let (conclusion, premises) = formulas.split_last().unwrap();
    let record = Record {
        premises_fol: premises.iter().map(|&p| p.to_owned()).collect(),
        conclusion_fol: Some((*conclusion).to_owned()),
        ..Record::default()
    };
    let parsed = ParsedRecord::new(&record, QuantifierScope::Tight);
    let mut out = Vec::new();
    check(&parsed.context(&record), &mut out);
    let after = |d: &Diagnostic| d.fix.as_ref().and_then(|f| f.apply(record.text(d.target).unwrap()));
    out.iter().map(|d| (d.code, d.target.to_string(), after(d))).collect()
}

fn fixed(code: &'static str, target: &str, after: &str) -> (&'static str, String, Option<String>) {
    (code, target.to_owned(), Some(after.to_owned()))
}

#[test]
fn the_spelling_of_more_uses_wins_and_every_use_is_renamed() {
    assert_eq!(
        found(&["Cat(tomCat)", "Old(tomcat) ∧ Grey(tomcat)", "Cat(tomcat)"]),
        [fixed("N203", "premise[0]", "Cat(tomCat)".replace("tomCat", "tomcat").as_str())]
    );
    assert_eq!(
        found(&["Old(tomcat) ∧ Grey(tomcat)", "∀x (Old(x) → Cat(x))", "Cat(tomCat) ∧ Old(tomCat)"]),
        [fixed("N203", "conclusion", "Cat(tomcat) ∧ Old(tomcat)")],
        "of equally many the earlier wins"
    );
}

#[test]
fn predicates_and_individuals_are_not_compared_with_each_other() {
    assert_eq!(found(&["∀x (Tired(x) → Feels(x, tired))", "Tired(ida)", "Feels(ida, tired)"]), []);
}

#[test]
fn similar_names_in_one_formula_are_two_things() {
    let formulas = ["Brighter(lampShadeA, lampShadeE)", "Bright(lantern)", "Bright(lanterns)"];
    assert_eq!(found(&formulas).iter().map(|f| f.0).collect::<Vec<_>>(), ["N205"]);
    let formulas = ["Near(havensburg, ravensburg)", "Near(ravensburg, havensburg)"];
    assert_eq!(found(&formulas), []);
}

#[test]
fn arities_tell_the_minority() {
    assert_eq!(
        found(&["∀x (Handed(x, clerk) → Sealed(x))", "Handed(box, clerk)", "Sealed(box) ∧ Handed(box)"]),
        [("N201", "conclusion".to_owned(), None)]
    );
}

#[test]
fn packed_arguments() {
    assert_eq!(
        found(&["∀x (Have(x, horseRanch) → Rich(x))", "Rich(manny) ∧ HaveAHorseRanch(manny)"])[..1],
        [fixed("N207", "conclusion", "Rich(manny) ∧ Have(manny, horseRanch)")]
    );
    // The packed form has as many arguments as the plain one: how to write it is not plain.
    assert_eq!(
        found(&[
            "∀x (Placed(x, thirdInGoldMedals) → Proud(x))",
            "Proud(russia) ∧ PlacedThirdInGoldMedalsIn(russia, 1992)"
        ])[..1],
        [("N207", "conclusion".to_owned(), None)]
    );
}

#[test]
fn what_no_premise_mentions() {
    let codes = |formulas: &[&str]| found(formulas).iter().map(|f| f.0).collect::<Vec<_>>();
    assert_eq!(codes(&["Baker(ida)", "Baker(ola) ∧ Tall(ida)"]), ["N208", "N208"]);
    assert_eq!(codes(&["Baker(ida", "Baker(ida)"]), Vec::<&str>::new());
    assert_eq!(
        codes(&["∀x (P(x) ; Tall(", "Tall(ida)"]),
        ["N208"],
        "only `ida`: `Tall` stands in what could not be read"
    );
    assert_eq!(codes(&["Baker(ida)"]), Vec::<&str>::new(), "without premises there is nothing to miss");
}
