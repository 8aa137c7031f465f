use super::*;
use crate::ingest::ColumnMap;
use crate::record::{Label, Record};

fn dialect(dataset: &Dataset) -> Dialect {
    dataset.files[0].dialect
}

fn clean(dataset: &Dataset) -> &[Record] {
    assert_eq!(diagnostics(dataset), "");
    &dataset.records
}

#[test]
fn folio_v2_joins_premises_by_lines() {
    let dataset = read_plain("folio_v2_train.jsonl", V2);
    assert_eq!(dialect(&dataset), Dialect::FolioV2);
    let [first, second] = clean(&dataset) else { panic!("two rows") };
    assert_eq!(first.premises, ["All cats purr.", "Tom is a cat."]);
    assert_eq!(first.premises_fol, ["∀x (Cat(x) → Purr(x))", "Cat(tom)"]);
    assert_eq!(first.conclusion_fol.as_deref(), Some("Purr(tom)"));
    assert_eq!(second.conclusion_fol.as_deref(), Some("Bark(tom) "), "only blocks are split and trimmed");
    assert_eq!((first.label, first.label_text.as_deref()), (Some(Label::True), Some("True")));
    assert_eq!(
        (first.record_id.as_str(), first.example_id.as_deref(), first.story_id.as_deref()),
        ("11", Some("11"), Some("3"))
    );
    assert_eq!((first.split.as_str(), first.source.file.as_str()), ("train", "folio_v2_train.jsonl"));
    assert_eq!((second.source.row, second.source.line), (1, Some(2)));
    let story = |record: &Record| (record.premises.clone(), record.premises_fol.clone());
    assert_eq!(story(first), story(second), "blank lines make no other story");
}

#[test]
fn folio_v0_keeps_list_items_as_they_are() {
    let dataset = read_plain(
        "folio-train.jsonl",
        r#"{"story_id": 1, "example_id": 2, "conclusion": "C.", "premises": ["A. ", "B."], "premises-FOL": ["", " P(a)"], "label": "Unknown", "source": "hyb"}"#,
    );
    assert_eq!(dialect(&dataset), Dialect::FolioV0);
    let [row] = clean(&dataset) else { panic!("one row") };
    assert_eq!(row.premises, ["A. ", "B."]);
    assert_eq!(row.premises_fol, ["", " P(a)"], "an empty formula is for the rules to find");
    assert_eq!(row.conclusion_fol, None);
    assert_eq!((row.label, row.label_text.as_deref()), (Some(Label::Uncertain), Some("Unknown")));
}

#[test]
fn folio_v0_without_ids_takes_them_from_the_content() {
    let row = |conclusion: &str| {
        format!(
            r#"{{"premises": ["A."], "premises-FOL": ["P(a)"], "conclusion": "{conclusion}", "conclusion-FOL": "Q(a)", "label": "False"}}"#
        )
    };
    let dataset = read_plain("folio-validation.jsonl", format!("{}\n{}\n", row("C."), row("D.")));
    let [first, second] = clean(&dataset) else { panic!("two rows") };
    assert_eq!(first.record_id, format!("r{}", &first.content_key()[..12]));
    assert_ne!(first.record_id, second.record_id);
    assert_eq!((&first.story_id, &first.example_id), (&None, &None));
}

#[test]
fn folio_refined_in_five_columns_and_in_three() {
    let five = "nl premises,fol premises,nl conclusion,fol conclusion,label\n\"A.\nB.\",\"P(a)\nP(b)\",C.,P(c),True\n";
    let dataset = read_plain("validation.csv", five);
    assert_eq!(dialect(&dataset), Dialect::FolioRefined);
    let [row] = clean(&dataset) else { panic!("one row") };
    assert_eq!(row.premises, ["A.", "B."]);
    assert_eq!(row.premises_fol, ["P(a)", "P(b)"]);
    assert_eq!(row.conclusion_fol.as_deref(), Some("P(c)"));

    let dataset = read_plain("validation_labels.csv", "premises,conclusion,label\n\"A.\nB.\",C.,False\n");
    assert_eq!(dialect(&dataset), Dialect::FolioRefined);
    let [row] = clean(&dataset) else { panic!("one row") };
    assert_eq!((row.premises.len(), row.premises_fol.len(), &row.conclusion_fol), (2, 0, &None));
    assert_eq!(row.label, Some(Label::False));
}

#[test]
fn malls_pairs_are_conclusions_without_premises() {
    let dataset = read_plain("MALLS-v0.1-train.json", r#"[{"NL": "All cats purr.", "FOL": "∀x (Cat(x) → Purr(x))"}]"#);
    assert_eq!(dialect(&dataset), Dialect::Malls);
    let [row] = clean(&dataset) else { panic!("one row") };
    assert_eq!(row.conclusion, "All cats purr.");
    assert_eq!(row.conclusion_fol.as_deref(), Some("∀x (Cat(x) → Purr(x))"));
    assert_eq!((row.label, &row.label_text, row.premises.len()), (None, &None, 0));
}

const PROVER_QA: &str = r#"{"id": 0, "options": ["A) True", "B) False", "C) Uncertain"], "answer": "B",
 "question": "Based on the above information, is the following statement true, false, or uncertain? Tom barks.",
 "context": "Tom purrs. Either Tom purrs or he barks, but not both.", "reasoning": "…",
 "nl2fol": {"Tom purrs.": "purrs(Tom)", "Either Tom purrs or he barks, but not both.": "purrs(Tom) ⊕ barks(Tom)"},
 "conclusion_fol": "barks(Tom)"}"#;

#[test]
fn proverqa_maps_sentences_to_formulas() {
    let dataset = read_plain("easy.json", format!("[{PROVER_QA}]"));
    assert_eq!(dialect(&dataset), Dialect::ProverQa);
    let [row] = clean(&dataset) else { panic!("one row") };
    assert_eq!(row.premises, ["Tom purrs.", "Either Tom purrs or he barks, but not both."]);
    assert_eq!(row.premises_fol, ["purrs(Tom)", "purrs(Tom) ⊕ barks(Tom)"]);
    assert_eq!((row.conclusion.as_str(), row.conclusion_fol.as_deref()), ("Tom barks.", Some("barks(Tom)")));
    assert_eq!((row.label, row.label_text.as_deref()), (Some(Label::False), Some("B")));
    assert_eq!((row.record_id.as_str(), &row.story_id, row.split.as_str()), ("0", &None, "easy"));
}

#[test]
fn proverqa_in_a_csv_holds_json_in_its_cells() {
    let csv = "id,options,answer,question,nl2fol,conclusion_fol\n\
               0,\"[\"\"A) False\"\", \"\"B) True\"\"]\",B,Does Tom purr?,\"{\"\"Tom purrs.\"\": \"\"purrs(Tom)\"\"}\",purrs(Tom)\n";
    let dataset = read_plain("easy.csv", csv);
    let [row] = clean(&dataset) else { panic!("one row") };
    assert_eq!(
        (row.premises.as_slice(), row.premises_fol.as_slice()),
        (&["Tom purrs.".to_owned()][..], &["purrs(Tom)".to_owned()][..])
    );
    assert_eq!((row.label, row.conclusion.as_str()), (Some(Label::True), "Does Tom purr?"));
}

#[test]
fn a_column_map_reads_anything_else() {
    let columns = ColumnMap {
        premises: Some("facts".into()),
        premises_fol: Some("facts".into()),
        conclusion: Some("goal".into()),
        example_id: Some("key".into()),
        ..ColumnMap::default()
    };
    let options = Options { columns, ..Options::default() };
    let content = r#"{"key": "k-1", "facts": {"Tom purrs.": "Purr(tom)", "Tom is a cat.": "Cat(tom)"}, "goal": ["Tom sleeps."], "noise": 1}"#;
    let dataset = read_one("x.jsonl", content, &options).unwrap();
    assert_eq!(dialect(&dataset), Dialect::Custom);
    let [row] = clean(&dataset) else { panic!("one row") };
    assert_eq!((row.premises.len(), row.premises_fol[1].as_str()), (2, "Cat(tom)"));
    assert_eq!((row.conclusion.as_str(), &row.conclusion_fol, row.record_id.as_str()), ("Tom sleeps.", &None, "k-1"));
}

#[test]
fn names_given_win_over_the_dialects() {
    let columns = ColumnMap { label: Some("gold".into()), ..ColumnMap::default() };
    let options = Options { columns, ..Options::default() };
    let dataset = read_one("x.jsonl", V2.replace("\"label\"", "\"label\": \"False\", \"gold\""), &options).unwrap();
    assert_eq!(dialect(&dataset), Dialect::FolioV2);
    assert_eq!(clean(&dataset)[0].label, Some(Label::True));
}

#[test]
fn a_dialect_given_is_not_recognised_anew() {
    let content = r#"{"premises": "A.\nB.", "premises-FOL": "P(a)\nP(b)", "conclusion": "C.", "label": "True"}"#;
    let dataset = read_one("x.jsonl", content, &with_dialect(Dialect::FolioV0)).unwrap();
    assert_eq!(dialect(&dataset), Dialect::FolioV0);
    assert_eq!(clean(&dataset)[0].premises, ["A.", "B."], "either way of writing premises, in any dialect");
}
