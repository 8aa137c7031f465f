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

/// What comparing each name with each would find, the rules about letters included.
fn pairwise(entries: &[Entry<'_>]) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for odd in entries {
        let winning = entries.iter().filter(|e| e.wins_over(odd));
        let alike = winning.filter_map(|e| Some((odd.name.difference(&e.name)?, e)));
        let told = alike.filter(|(d, e)| !(matches!(d, crate::lint::words::Difference::Letters(_)) && odd.meets(e)));
        let best =
            told.min_by(|(a, x), (b, y)| a.cmp(b).then(y.uses.len().cmp(&x.uses.len())).then(x.rank.cmp(&y.rank)));
        out.extend(best.map(|(_, usual)| (odd.name.text.to_owned(), usual.name.text.to_owned())));
    }
    out
}

#[test]
fn the_same_pairs_as_by_comparing_each_with_each() {
    let names = [
        "sleep",
        "sleeps",
        "Sleeps",
        "sleeping",
        "sleep_s",
        "sleepped",
        "party",
        "parties",
        "partied",
        "par-ty",
        "highSchool",
        "highschools",
        "HighSchool",
        "high_school",
        "horseRank",
        "horseRanch",
        "horse",
        "horses",
        "interesting",
        "interested",
        "interest",
        "ranch2",
        "ranches2",
        "ranch3",
        "abc",
        "abcs",
        "Abc",
        "havePet",
        "hasPet",
        "hadPets",
        "call",
        "called",
        "calls",
        "bonnie",
        "bonne",
        "bonnies",
    ];
    for step in [1, 5, 7, 11, 13, 17, 19, 23, 25, 29] {
        let order: Vec<&str> = (0..names.len()).map(|i| names[i * step % names.len()]).collect();
        let mut premises: Vec<String> = order.iter().map(|name| format!("P({name})")).collect();
        premises.extend(order.iter().step_by(3).map(|name| format!("P({name})")));
        let record = Record { premises_fol: premises, ..Record::default() };
        let parsed = ParsedRecord::new(&record, QuantifierScope::Tight);
        let table = Table::new(&parsed.context(&record));
        let mut out = Vec::new();
        variants::check(&table, &table.terms, &mut out);
        let expected = pairwise(&table.terms);
        assert!(expected.len() > 15);
        let mut told: Vec<(String, String)> = out
            .iter()
            .map(|d| d.message.split('`').collect::<Vec<_>>())
            .map(|parts| (parts[1].to_owned(), parts[3].to_owned()))
            .collect();
        told.dedup();
        assert_eq!(told, expected, "step {step}");
    }
}

#[test]
fn letters_are_compared_in_records_of_up_to_400_symbols() {
    let codes = |others: usize| {
        let mut formulas: Vec<String> = (0..others).map(|i| format!("P(c{i})")).collect();
        formulas
            .extend(["P(bonnie)", "P(bonne)", "P(tomcat)", "P(tomCat)", "P(cabbage)", "P(cabbages)"].map(String::from));
        let formulas: Vec<&str> = formulas.iter().map(String::as_str).collect();
        let mut codes: Vec<_> = found(&formulas).iter().map(|f| f.0).filter(|c| *c != "N208").collect();
        codes.sort_unstable();
        codes
    };
    assert_eq!(codes(393), ["N203", "N205", "N206"]);
    assert_eq!(codes(394), ["N203", "N205"]);
}

#[test]
fn twenty_thousand_names_take_no_time() {
    let atoms: Vec<String> = (0..20_000).map(|i| format!("Near(place{i}a, Place{i}a)")).collect();
    let premises_fol = atoms.chunks(100).map(|some| some.join(" ∧ ")).collect();
    let record = Record { premises_fol, ..Record::default() };
    let parsed = ParsedRecord::new(&record, QuantifierScope::Tight);
    let start = std::time::Instant::now();
    let mut out = Vec::new();
    check(&parsed.context(&record), &mut out);
    assert_eq!(out.iter().filter(|d| d.code == "N203").count(), 20_000);
    // Comparing each with each takes minutes.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn thousands_of_predicates_are_each_held_against_what_they_pack() {
    let atoms = (0..3000).map(|i| format!("Have(x, thing{i}) ∧ HaveAThing{i}(x) ∧ Lack{i}Thing(x)"));
    let premises_fol: Vec<String> = atoms.map(|atoms| format!("∀x ({atoms})")).collect();
    let formulas: Vec<&str> = premises_fol.iter().map(String::as_str).collect();
    let packed: Vec<_> = found(&formulas).into_iter().filter(|f| f.0 == "N207").collect();
    assert_eq!(packed.len(), 3000);
}
