//! Stories taken up the ladder.

use super::testing::with_bench;
use super::{Case, Climbed, SearchOptions, climb};
use crate::fol::print::tptp::FreeVariables;
use crate::lint::Selection;
use crate::record::{Label, Record, Verdict};
use crate::verify::ReadingOptions;

/// Records of one story: premises as `sentence ::: formula`, conclusions as `id ::: label ::: sentence ::: formula`.
fn story(premises: &[&str], conclusions: &[&str]) -> Vec<Record> {
    let pairs: Vec<(&str, &str)> = premises.iter().map(|p| p.split_once(" ::: ").expect("a pair")).collect();
    conclusions
        .iter()
        .map(|line| {
            let [id, label, sentence, formula] = line.split(" ::: ").collect::<Vec<_>>()[..] else { panic!("{line}") };
            Record {
                record_id: id.to_owned(),
                premises: pairs.iter().map(|(s, _)| (*s).to_owned()).collect(),
                premises_fol: pairs.iter().map(|(_, f)| (*f).to_owned()).collect(),
                conclusion: sentence.to_owned(),
                conclusion_fol: Some(formula.to_owned()),
                label: Some(label.parse().expect("a label")),
                ..Record::default()
            }
        })
        .collect()
}

fn climbed(records: &[Record]) -> Vec<Climbed> {
    with_bench(|bench| {
        let options = ReadingOptions::default();
        let cases: Vec<Case<'_>> =
            records.iter().map(|r| Case::new(r, &Selection::everything(), options, bench)).collect();
        climb(&cases, options, &SearchOptions::default(), bench)
    })
}

/// The edits of each record, and the verdict or what was refused.
fn told(records: &[Record]) -> String {
    let mut out = String::new();
    for (record, climbed) in records.iter().zip(climbed(records)) {
        let verdict = climbed.verdict.map_or("none", Verdict::as_str);
        out.push_str(&format!(
            "{}: {verdict}{}\n",
            record.record_id,
            if climbed.ambiguous { ", ambiguous" } else { "" }
        ));
        for e in &climbed.fixed.edits {
            let asked = e.asked_by.as_ref().map(|id| format!(" for {id}")).unwrap_or_default();
            out.push_str(&format!("  [{}] {}{asked}: {} => {}\n", e.rule, e.target, e.before, e.after));
        }
        for p in climbed.proposals.iter().filter(|p| p.outcome != "accepted") {
            let edits: Vec<String> = p.edits.iter().map(|e| format!("{} {}", e.rule, e.after)).collect();
            out.push_str(&format!("  not made ({}): {}\n", p.reason.as_deref().unwrap_or(p.outcome), edits.join("; ")));
        }
    }
    out
}

#[test]
fn a_misspelt_symbol_is_mended_and_the_sibling_keeps_its_verdict() {
    let records = story(
        &[
            "All bakers rise early. ::: ∀x (Baker(x) → RiseEarly(x))",
            "Everybody who rises early drinks coffee. ::: ∀x (RisesEarly(x) → Drinks(x, coffee))",
            "Ida is a baker. ::: Baker(ida)",
        ],
        &[
            "1 ::: True ::: Ida drinks coffee. ::: Drinks(ida, coffee)",
            "2 ::: True ::: Ida rises early. ::: RiseEarly(ida)",
            "3 ::: Uncertain ::: Ida drinks tea. ::: Drinks(ida, tea)",
        ],
    );
    insta::assert_snapshot!(told(&records), @r"
    1: True
      [merge-inflection] premise[1]: ∀x (RisesEarly(x) → Drinks(x, coffee)) => ∀x (RiseEarly(x) → Drinks(x, coffee))
    2: True
      [merge-inflection] premise[1] for 1: ∀x (RisesEarly(x) → Drinks(x, coffee)) => ∀x (RiseEarly(x) → Drinks(x, coffee))
    3: Uncertain
      [merge-inflection] premise[1] for 1: ∀x (RisesEarly(x) → Drinks(x, coffee)) => ∀x (RiseEarly(x) → Drinks(x, coffee))
    ");
}

#[test]
fn a_story_in_which_every_record_agrees_is_left_alone() {
    let records = story(
        &["All bakers rise early. ::: ∀x (Baker(x) → RiseEarly(x))", "Ida is a baker. ::: Baker(ida)"],
        &[
            "1 ::: True ::: Ida rises early. ::: RiseEarly(ida)",
            "2 ::: Uncertain ::: Ida rises early. ::: RisesEarly(ida)",
        ],
    );
    insta::assert_snapshot!(told(&records), @r"
    1: True
    2: Uncertain
    ");
}

#[test]
fn a_free_variable_stands_for_the_individual_that_the_sentence_names() {
    let records = story(
        &["Ida is tired or sleeps. ::: Tired(ida) ∨ Sleeps(x)", "Ida is not tired. ::: ¬Tired(ida)"],
        &["1 ::: True ::: Ida sleeps. ::: Sleeps(ida)"],
    );
    insta::assert_snapshot!(told(&records), @r"
    1: True
      [named-individual] premise[0]: Tired(ida) ∨ Sleeps(x) => Tired(ida) ∨ Sleeps(ida)
    ");
}

#[test]
fn a_packed_argument_is_unpacked() {
    let records = story(
        &[
            "Who has a horse ranch is rich. ::: ∀x (Have(x, horseRanch) → Rich(x))",
            "Ida has a horse ranch. ::: HaveAHorseRanch(ida)",
        ],
        &["1 ::: True ::: Ida is rich. ::: Rich(ida)"],
    );
    insta::assert_snapshot!(told(&records), @r"
    1: True
      [unpack-argument] premise[1]: HaveAHorseRanch(ida) => Have(ida, horseRanch)
    ");
}

#[test]
fn names_that_the_sentence_tells_apart_are_not_merged() {
    // Two yellow cards are not one, whatever the label says.
    let records = story(
        &[
            "Who receives two yellow cards leaves. ::: ∀x (Receive(x, twoYellowCard) → Leave(x))",
            "Ida receives one yellow card. ::: Receive(ida, oneYellowCard)",
        ],
        &["1 ::: True ::: Ida leaves. ::: Leave(ida)"],
    );
    let outcome = climbed(&records);
    assert_eq!(outcome[0].fixed.edits, []);
    assert_eq!(outcome[0].verdict, Some(Verdict::Uncertain));
}

#[test]
fn nothing_is_mended_to_make_a_row_uncertain() {
    let records = story(
        &["All bakers rise early. ::: ∀x (Baker(x) → RiseEarly(x))", "Ida is a baker. ::: Baker(ida)"],
        &["1 ::: Uncertain ::: Ida rises early. ::: RiseEarly(ida)"],
    );
    let outcome = climbed(&records);
    assert_eq!((outcome[0].verdict, outcome[0].fixed.edits.len()), (Some(Verdict::True), 0));
    assert_eq!(outcome[0].proposals, []);
}

#[test]
fn two_repairs_that_mean_different_things_are_ambiguous() {
    let records = story(
        &[
            "All bakers and cooks rise early. ::: ∀x (Baker(x) ∧ Cook(x) ∧ RiseEarly(x))",
            "Nobody who rises early and cooks is lazy. ::: ∀x (RiseEarly(x) ∧ Cook(x) → ¬Lazy(x))",
        ],
        &["1 ::: False ::: Ida bakes, cooks and is lazy. ::: Lazy(ida)"],
    );
    // As it stands everybody bakes; whatever is mended, the row must not be bent without a choice.
    let outcome = climbed(&records);
    assert_eq!(outcome[0].fixed.edits, []);
}

#[test]
fn a_repair_that_costs_a_sibling_its_verdict_is_refused() {
    let records = story(
        &[
            "All bakers rise early. ::: ∀x (Baker(x) → RiseEarly(x))",
            "Everybody who rises early is tired. ::: ∀x (RisesEarly(x) → Tired(x))",
            "Ida is a baker. ::: Baker(ida)",
        ],
        &[
            "1 ::: True ::: Ida is tired. ::: Tired(ida)",
            "2 ::: Uncertain ::: Ida is a baker and tired. ::: Baker(ida) ∧ Tired(ida)",
        ],
    );
    insta::assert_snapshot!(told(&records), @r"
    1: Uncertain
      not made (sibling): merge-inflection ∀x (RiseEarly(x) → Tired(x))
      not made (sibling): merge-inflection ∀x (Baker(x) → RisesEarly(x))
    2: Uncertain
    ");
}

#[test]
fn the_order_of_the_records_changes_nothing() {
    let premises = [
        "All bakers rise early. ::: ∀x (Baker(x) → RiseEarly(x))",
        "Everybody who rises early drinks coffee. ::: ∀x (RisesEarly(x) → Drinks(x, coffee))",
        "Ida is a baker. ::: Baker(ida)",
        "Tim is a baker. ::: Baker(Tim)",
    ];
    let conclusions = [
        "1 ::: True ::: Ida drinks coffee. ::: Drinks(ida, coffee)",
        "2 ::: True ::: Tim drinks coffee. ::: Drinks(tim, coffee)",
        "3 ::: False ::: Tim does not drink coffee. ::: ¬Drinks(tim, coffee)",
    ];
    let forward = story(&premises, &conclusions);
    let mut backward = forward.clone();
    backward.reverse();
    let lines = |records: &[Record]| {
        let mut out: Vec<String> = records
            .iter()
            .zip(climbed(records))
            .map(|(r, c)| format!("{} {:?} {:?}", r.record_id, c.fixed, c.verdict))
            .collect();
        out.sort();
        out
    };
    assert_eq!(lines(&forward), lines(&backward));
    assert!(climbed(&forward).iter().all(|c| !c.fixed.edits.is_empty()));
}

#[test]
fn a_label_is_never_touched_and_a_contradicted_one_stays() {
    let records = story(
        &["All bakers rise early. ::: ∀x (Baker(x) → RiseEarly(x))", "Ida is a baker. ::: Baker(ida)"],
        &["1 ::: False ::: Ida rises early. ::: RiseEarly(ida)"],
    );
    let outcome = climbed(&records);
    assert_eq!(records[0].label, Some(Label::False));
    assert_eq!((outcome[0].verdict, outcome[0].fixed.edits.len()), (Some(Verdict::True), 0));
}

#[test]
fn a_bracket_at_a_better_place_is_on_record_and_names_who_asked() {
    // A safe fix drops the last bracket, which leaves a free variable; one behind the quantifier leaves none.
    let records = story(
        &[
            "Some baker is tall. ::: ∃x Baker(x) ∧ Tall(x))",
            "Ida is a baker. ::: Baker(ida)",
            "Ida is tall. ::: Tall(ida)",
        ],
        &[
            "1 ::: True ::: Ida is a tall baker. ::: Baker(ida) ∧ Tall(ida)",
            "2 ::: True ::: Ida is tall. ::: Tall(ida)",
        ],
    );
    insta::assert_snapshot!(told(&records), @"
    1: True
      [S102] premise[0]: ∃x Baker(x) ∧ Tall(x)) => ∃x Baker(x) ∧ Tall(x)
      [other-bracket] premise[0]: ∃x Baker(x) ∧ Tall(x) => ∃x (Baker(x) ∧ Tall(x))
    2: True
      [S102] premise[0]: ∃x Baker(x) ∧ Tall(x)) => ∃x Baker(x) ∧ Tall(x)
      [other-bracket] premise[0] for 1: ∃x Baker(x) ∧ Tall(x) => ∃x (Baker(x) ∧ Tall(x))
    ");
    let proposals = &climbed(&records)[0].proposals;
    assert_eq!(proposals.iter().map(|p| p.outcome).collect::<Vec<_>>(), ["accepted"]);
}

#[test]
fn nothing_is_mended_into_what_the_settings_refuse_to_read() {
    let options = ReadingOptions { free: FreeVariables::Error, ..ReadingOptions::default() };
    assert_eq!(super::step::read("Tall(x)", options), None);
    assert!(super::step::read("Tall(ida)", options).is_some());
}
