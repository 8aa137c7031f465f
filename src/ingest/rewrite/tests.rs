//! Whole files, and what must not happen to them.

use std::fs;

use proptest::prelude::*;

use super::*;
use crate::diagnostic::EditKind;
use crate::ingest::Dataset;

/// How a file of the tests is laid out.
const LAYOUTS: [&str; 6] = ["blocks.jsonl", "lists.jsonl", "array.json", "escaped.jsonl", "refined.csv", "pairs.csv"];

type Formulas = (Vec<String>, String);

/// The file of these rows, as other programs would write it.
fn content(layout: &str, rows: &[Formulas]) -> String {
    let object = |(premises, conclusion): &Formulas| {
        let fol = match layout {
            "lists.jsonl" | "array.json" => serde_json::json!(premises),
            _ => serde_json::json!(premises.join("\n \n")),
        };
        let sentences = if fol.is_array() { serde_json::json!(["s"]) } else { serde_json::json!("s") };
        serde_json::json!({
            "premises": sentences, "premises-FOL": fol, "conclusion": "Café.", "conclusion-FOL": conclusion, "label": "True",
        })
    };
    if layout.ends_with(".csv") {
        let mut writer = ::csv::Writer::from_writer(Vec::new());
        if layout == "pairs.csv" {
            writer.write_record(["NL", "FOL"]).unwrap();
        } else {
            writer.write_record(["nl premises", "fol premises", "nl conclusion", "fol conclusion", "label"]).unwrap();
        }
        for (premises, conclusion) in rows {
            if layout == "pairs.csv" {
                writer.write_record(["s", conclusion]).unwrap();
            } else {
                writer.write_record(["s", &premises.join("\n\n"), "s", conclusion, "True"]).unwrap();
            }
        }
        return String::from_utf8(writer.into_inner().unwrap()).unwrap();
    }
    let objects: Vec<_> = rows.iter().map(object).collect();
    match layout {
        "array.json" => serde_json::to_string_pretty(&objects).unwrap(),
        "escaped.jsonl" => objects.iter().map(|o| json::encode_all(&o.to_string()) + "\n").collect(),
        _ => objects.iter().map(|o| format!("{o}\n")).collect(),
    }
}

/// The change of a record to other formulas.
fn change<'a>(record: &'a Record, (premises, conclusion): &Formulas) -> Change<'a> {
    let edit = Edit {
        target: Target::Conclusion,
        before: record.conclusion_fol.clone().unwrap_or_default(),
        after: conclusion.clone(),
        rule: "S101".to_owned(),
        kind: EditKind::Fix,
        iteration: 0,
        alternatives: Vec::new(),
        asked_by: None,
        why: String::new(),
    };
    let premises_fol = if record.premises_fol.is_empty() { Vec::new() } else { premises.clone() };
    Change { record, premises_fol, conclusion_fol: Some(conclusion.clone()), edits: vec![edit] }
}

fn read_one(input: &Input) -> Dataset {
    read(std::slice::from_ref(input), &Options::default()).unwrap()
}

fn formula() -> impl Strategy<Value = String> {
    let letter = prop::sample::select("ab(){}[],\"'\\/∀→é😀u2x".chars().collect::<Vec<_>>());
    let inner = prop::sample::select("ab (),\"\\\t∀→é😀".chars().collect::<Vec<_>>());
    (letter.clone(), prop::collection::vec(inner, 0..6), letter)
        .prop_map(|(first, inner, last)| std::iter::once(first).chain(inner).chain([last]).collect())
}

/// Rows, each with what becomes of it, if anything.
fn rows() -> impl Strategy<Value = Vec<(Formulas, Option<Formulas>)>> {
    let row = (1..4_usize).prop_flat_map(|n| {
        let formulas = || (prop::collection::vec(formula(), n), formula());
        (formulas(), prop::option::of(formulas()))
    });
    prop::collection::vec(row, 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_was_asked_for_changes_and_nothing_else(rows in rows(), layout in prop::sample::select(LAYOUTS.to_vec())) {
        let folder = tempfile::tempdir().unwrap();
        let input = Input::new(folder.path().join(layout));
        let old: Vec<Formulas> = rows.iter().map(|(old, _)| old.clone()).collect();
        let before = content(layout, &old);
        fs::write(&input.path, &before).unwrap();
        let dataset = read_one(&input);
        let changes: Vec<_> = dataset
            .records
            .iter()
            .zip(&rows)
            .filter_map(|(record, (_, new))| Some(change(record, new.as_ref()?)))
            .collect();
        rewrite(&input, &Options::default(), &dataset.files[0], &dataset.records, &changes).unwrap();

        let new: Vec<Formulas> = rows.iter().map(|(old, new)| new.clone().unwrap_or_else(|| old.clone())).collect();
        for (record, (premises, conclusion)) in read_one(&input).records.iter().zip(&new) {
            prop_assert_eq!(record.conclusion_fol.as_ref(), Some(conclusion));
            if layout != "pairs.csv" {
                prop_assert_eq!(&record.premises_fol, premises);
            }
        }
        // These ways of writing have no choices: what another program would have written is what must be there.
        if !layout.ends_with(".csv") {
            prop_assert_eq!(fs::read_to_string(&input.path).unwrap(), content(layout, &new));
        }
    }
}

fn one_row(text: &str) -> (tempfile::TempDir, Input, Dataset) {
    let folder = tempfile::tempdir().unwrap();
    let input = Input::new(folder.path().join("a.jsonl"));
    fs::write(&input.path, text).unwrap();
    let dataset = read_one(&input);
    (folder, input, dataset)
}

fn names(folder: &tempfile::TempDir) -> Vec<String> {
    fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_result_that_would_read_otherwise_is_refused() {
    let text = content("blocks.jsonl", &[(vec!["P(a)".to_owned()], "Q(a)".to_owned())]);
    let (folder, input, dataset) = one_row(&text);
    let changes = [change(&dataset.records[0], &(vec!["P(a)\nP(b)".to_owned()], "Q(a)".to_owned()))];
    let error = rewrite(&input, &Options::default(), &dataset.files[0], &dataset.records, &changes).unwrap_err();
    assert!(matches!(error, RewriteError::Differs { row: 0, .. }), "{error}");
    assert_eq!(fs::read_to_string(&input.path).unwrap(), text);
    assert_eq!(names(&folder), ["a.jsonl"]);
}

#[test]
fn a_file_that_has_changed_meanwhile_is_left_alone() {
    let (folder, input, dataset) = one_row(&content("blocks.jsonl", &[(vec!["P(a)".to_owned()], "Q(a)".to_owned())]));
    fs::write(&input.path, "{}\n").unwrap();
    let changes = [change(&dataset.records[0], &(vec!["P(b)".to_owned()], "Q(a)".to_owned()))];
    let error = rewrite(&input, &Options::default(), &dataset.files[0], &dataset.records, &changes).unwrap_err();
    assert!(matches!(error, RewriteError::Changed { .. }), "{error}");
    assert_eq!(fs::read_to_string(&input.path).unwrap(), "{}\n");
    assert_eq!(names(&folder), ["a.jsonl"]);
}

#[test]
fn a_record_of_edits_that_were_not_made_is_taken_back() {
    let (folder, input, dataset) = one_row(&content("blocks.jsonl", &[(vec!["P(a)".to_owned()], "Q(a)".to_owned())]));
    let record = record_path(&input.path);
    fs::write(&record, "{}\n").unwrap();
    let change = change(&dataset.records[0], &(vec!["P(b)".to_owned()], "Q(a)".to_owned()));
    drop(append_record(&record, &[&change]).unwrap());
    assert_eq!(fs::read_to_string(&record).unwrap(), "{}\n");
    fs::remove_file(&record).unwrap();
    drop(append_record(&record, &[&change]).unwrap());
    assert_eq!(names(&folder), ["a.jsonl"]);
}
