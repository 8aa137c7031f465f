//! Signatures.

use super::*;

fn signature(lines: &[&str]) -> String {
    let symbols = with_case(&record(lines, Label::True), |case, _| symbols(case));
    let line = |s: &crate::record::Symbol| {
        let used: Vec<String> = s.used_in.iter().map(ToString::to_string).collect();
        format!("{} {}/{} {}: {}", s.kind, s.name, s.arity, used.join(" "), s.gloss.as_deref().unwrap_or("-"))
    };
    symbols.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn names_and_the_words_they_stand_for() {
    insta::assert_snapshot!(
        signature(&[
            "Manny, who lives in New York, has a small horse ranch. ::: Have(manny, horseRanch) ∧ LivesIn(manny, newYork)",
            "Whoever depends on caffeine is not creative. ::: ∀x (IsDependentOn(x, caffeine) → ¬Creative(x))",
            "O'Neil's market opened in 1916. ::: OpenedIn(o'neil'sMarket, year1916)",
            "The rougeLipBalm is red. ::: Red(y)",
            "Manny is no friend of his. ::: ¬Qzx(manny)",
        ]),
        @"
    predicate Have/2 premise[0]: has
    constant manny/0 premise[0] conclusion: Manny
    constant horseRanch/0 premise[0]: horse ranch
    predicate LivesIn/2 premise[0]: lives in
    constant newYork/0 premise[0]: New York
    predicate IsDependentOn/2 premise[1]: depends
    constant caffeine/0 premise[1]: caffeine
    predicate Creative/1 premise[1]: creative
    predicate OpenedIn/2 premise[2]: opened in
    constant o'neil'sMarket/0 premise[2]: O'Neil's market
    constant year1916/0 premise[2]: 1916
    predicate Red/1 premise[3]: red
    free y/0 premise[3]: -
    predicate Qzx/1 conclusion: -
    "
    );
}

#[test]
fn nothing_where_no_sentence_has_the_words() {
    assert_eq!(signature(&["It rains. ::: Wet(street)", "Ida is tall. ::: Tall(ida)"]).matches(": -").count(), 2);
}
