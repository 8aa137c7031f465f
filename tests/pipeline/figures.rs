//! Published datasets come out with the figures that were measured by other means.

use std::collections::{BTreeMap, BTreeSet};

use refolio::fol::parse;
use refolio::fol::print::tptp::FreeVariables;

use crate::rows::OutRow;
use crate::{Ran, TRAIN_PART, VALIDATION, published, say, strict};

/// How many rows agree, have no reading, have inconsistent premises, and conflict. There are no others.
fn figures(rows: &[OutRow], column: &str) -> [usize; 4] {
    let words = ["agree", "unparsed", "inconsistent", "conflict"];
    let counts = words.map(|word| rows.iter().filter(|row| row.text(column) == word).count());
    assert_eq!(counts.iter().sum::<usize>(), rows.len(), "other words in {column}");
    counts
}

/// What holds of every row of clean runs: a verdict is reached, and what cannot be read is pointed at.
fn check(rows: &[OutRow]) {
    for row in rows {
        let id = row.text("record_id");
        for column in ["verdict", "verdict_original"] {
            assert_ne!(row.text(column), "Undetermined", "{id}: {:?}", row.maybe("verdict_reason"));
        }
        let mut faults = 0;
        let mut annotations: Vec<(String, String)> = row
            .texts("premises_fol_original")
            .into_iter()
            .enumerate()
            .map(|(i, text)| (format!("premise[{i}]"), text))
            .collect();
        annotations.extend(row.maybe("conclusion_fol_original").map(|text| ("conclusion".to_owned(), text.to_owned())));
        for (target, text) in annotations {
            let errors: Vec<_> = row
                .list("diagnostics")
                .iter()
                .filter(|d| d["target"] == target.as_str() && d["severity"] == "error")
                .collect();
            assert_eq!(parse(&text).has_error(), !errors.is_empty(), "{id} {target}: {text}: {errors:?}");
            for error in &errors {
                let place = |end: &str| usize::try_from(error[end].as_i64().unwrap()).unwrap();
                assert!(text.get(place("start")..place("end")).is_some(), "{id} {target}: {text}: {error}");
            }
            faults += errors.len();
        }
        let unparsed = row.text("verdict_original") == "Unparsed";
        let unformalised = row.text("verdict_original") == "Unformalised";
        assert!(unformalised || unparsed == (faults > 0), "{id}: {faults} faults");
        let leaving = row.texts("premises_fol").into_iter().chain(row.maybe("conclusion_fol").map(str::to_owned));
        let broken = leaving.filter(|text| parse(text).has_error()).count();
        assert!(unformalised || (row.text("verdict") == "Unparsed") == (broken > 0), "{id}: {broken} leave broken");
    }
}

#[test]
fn folio_v2_validation() {
    let Some(file) = published(VALIDATION) else { return };
    let rows = Ran::new(&[file], |_| ()).rows("validation");
    check(&rows);
    assert_eq!(figures(&rows, "agreement_original"), [123, 39, 3, 38]);

    let [agree, unparsed, inconsistent, conflict] = figures(&rows, "agreement");
    say(&format!("validation, safe fixes: {agree} / {unparsed} / {inconsistent} / {conflict}"));
    assert!(agree >= 143 && unparsed <= 2, "{agree} agree, {unparsed} unparsed");
    let contradictory: BTreeSet<&str> =
        rows.iter().filter(|r| r.text("agreement") == "inconsistent").map(|r| r.text("record_id")).collect();
    assert_eq!(contradictory, BTreeSet::from(["1244", "1245", "1246", "1247"]));
    // What agreed as it came is never lost by mending.
    for row in rows.iter().filter(|r| r.text("agreement_original") == "agree") {
        assert_eq!((row.text("agreement"), row.text("status")), ("agree", "verified"), "{}", row.text("record_id"));
    }
}

#[test]
fn without_fixes_nothing_is_changed() {
    let Some(file) = published(VALIDATION) else { return };
    let rows = Ran::new(&[file], strict).rows("validation");
    check(&rows);
    assert_eq!(figures(&rows, "agreement"), [123, 39, 3, 38]);
    for row in &rows {
        assert_eq!(row.0["premises_fol"], row.0["premises_fol_original"]);
        assert_eq!(row.0["conclusion_fol"], row.0["conclusion_fol_original"]);
        assert_eq!(row.0["verdict"], row.0["verdict_original"]);
        assert!(row.list("edits").is_empty());
    }
}

#[test]
fn the_same_rows_in_two_formats_give_the_same() {
    let (Some(jsonl), Some(csv)) = (published(VALIDATION), published("folio-v2/folio_v2_validation.csv")) else {
        return;
    };
    let rows = |file| -> Vec<OutRow> {
        let rows = Ran::new(&[file], |_| ()).rows("validation");
        rows.iter().map(|row| row.without(&["source_file", "source_sha256"])).collect()
    };
    let (jsonl, csv) = (rows(jsonl), rows(csv));
    assert_eq!(jsonl.len(), 203);
    for (a, b) in jsonl.iter().zip(&csv) {
        assert_eq!(a, b);
    }
    assert_eq!(jsonl.len(), csv.len());
}

#[test]
fn folio_v2_train_part() {
    let Some(file) = published(TRAIN_PART) else { return };
    let rows = Ran::new(&[file], |_| ()).rows("train");
    check(&rows);
    assert_eq!(figures(&rows, "agreement_original"), [306, 120, 3, 155]);
    let [agree, unparsed, inconsistent, conflict] = figures(&rows, "agreement");
    say(&format!(
        "train part, safe fixes: {agree} / {unparsed} / {inconsistent} / {conflict}; by brackets alone: 351 / 14 / 3 / 216"
    ));
    for row in rows.iter().filter(|r| r.text("agreement_original") == "agree") {
        assert_eq!(row.text("agreement"), "agree", "{}", row.text("record_id"));
    }
}

#[test]
fn free_variables_closed_universally() {
    for (file, split, expected) in
        [(VALIDATION, "validation", [124, 39, 3, 37]), (TRAIN_PART, "train", [298, 120, 14, 152])]
    {
        let Some(file) = published(file) else { return };
        let ran = Ran::new(&[file], |config| {
            strict(config);
            config.parse.free_variables = FreeVariables::Universal;
        });
        let rows = ran.rows(split);
        check(&rows);
        assert_eq!(figures(&rows, "agreement"), expected, "{split}");
    }
}

#[test]
fn folio_v0_validation() {
    let Some(file) = published("folio-v0.0/folio-validation.jsonl") else { return };
    let rows = Ran::new(&[file], |_| ()).rows("validation");
    check(&rows);
    assert_eq!(figures(&rows, "agreement_original"), [191, 5, 0, 8]);
    let [agree, unparsed, inconsistent, conflict] = figures(&rows, "agreement");
    say(&format!("v0.0 validation, safe fixes: {agree} / {unparsed} / {inconsistent} / {conflict}"));
}

/// What is known of the premises of each story: `Satisfiable`, `Unsatisfiable`, or that they have no reading.
fn stories(rows: &[OutRow]) -> BTreeMap<String, BTreeSet<String>> {
    let mut by_premises: BTreeMap<String, (&str, &str)> = BTreeMap::new();
    for row in rows {
        assert_eq!((row.text("verdict"), row.text("status")), ("Unformalised", "unjudged"));
        let status = row.maybe("szs_consistency").unwrap_or("unparsed");
        let reason = row.maybe("verdict_reason").unwrap_or_default();
        assert_eq!(status == "unparsed", reason.starts_with("unparsed: premise["), "{status}: {reason}");
        let premises = format!("{}{}", row.0["premises"], row.0["premises_fol_original"]);
        let seen = by_premises.entry(premises).or_insert((status, row.text("story_id")));
        assert_eq!(*seen, (status, row.text("story_id")), "one story, one answer");
    }
    let mut out: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (status, story) in by_premises.into_values() {
        assert!(out.entry(status.to_owned()).or_default().insert(story.to_owned()), "story {story} twice");
    }
    out
}

#[test]
fn folio_v0_train_has_premises_only() {
    let Some(file) = published("folio-v0.0/folio-train.jsonl") else { return };
    let files = [file];
    let as_they_came = Ran::new(&files, strict).rows("train");
    check(&as_they_came);
    assert_eq!(as_they_came.len(), 1004);
    let found = stories(&as_they_came);
    assert_eq!(found["Unsatisfiable"], BTreeSet::from(["7".to_owned(), "214".to_owned()]));
    assert_eq!((found["Satisfiable"].len(), found["unparsed"].len()), (327, 11));

    let mended = Ran::new(&files, |_| ()).rows("train");
    check(&mended);
    let mended = stories(&mended);
    let unparsed = mended.get("unparsed").map_or(0, BTreeSet::len);
    say(&format!("v0.0 train, safe fixes: {} consistent, {unparsed} unparsed", mended["Satisfiable"].len()));
    assert_eq!(mended["Unsatisfiable"], found["Unsatisfiable"]);
    assert!(mended["Satisfiable"].len() >= 335 && unparsed <= 3, "{mended:?}");
}
