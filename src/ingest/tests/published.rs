//! Published datasets, where they are at hand.

use std::collections::BTreeMap;

use super::*;
use crate::record::Record;

fn load(file: &str) -> Option<Dataset> {
    Some(read(&[Input::new(published()?.join(file))], &Options::default()).unwrap())
}

fn labels(dataset: &Dataset) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for record in &dataset.records {
        *counts.entry(record.label_text.as_deref().unwrap_or("none")).or_default() += 1;
    }
    counts
}

fn codes(dataset: &Dataset) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for diagnostic in dataset.records.iter().flat_map(|record| &record.diagnostics) {
        *counts.entry(diagnostic.code).or_default() += 1;
    }
    counts
}

fn stories(dataset: &Dataset) -> usize {
    dataset.records.iter().map(|r| (&r.premises, &r.premises_fol)).collect::<std::collections::BTreeSet<_>>().len()
}

#[test]
fn folio_v2_validation_is_the_same_in_both_formats() {
    let (Some(jsonl), Some(csv)) =
        (load("folio-v2/folio_v2_validation.jsonl"), load("folio-v2/folio_v2_validation.csv"))
    else {
        return;
    };
    assert_eq!(jsonl.files[0].dialect, Dialect::FolioV2);
    assert_eq!(labels(&jsonl), BTreeMap::from([("True", 72), ("False", 62), ("Uncertain", 69)]));
    assert_eq!((jsonl.records.len(), stories(&jsonl)), (203, 73));
    assert_eq!(codes(&jsonl), BTreeMap::new());
    let without_source = |dataset: &Dataset| -> Vec<Record> {
        dataset.records.iter().map(|record| Record { source: Default::default(), ..record.clone() }).collect()
    };
    assert_eq!(without_source(&jsonl), without_source(&csv));
    assert!(jsonl.records.iter().all(|r| Some(&r.record_id) == r.example_id.as_ref() && r.split == "validation"));
}

#[test]
fn folio_v2_train_part() {
    let Some(dataset) = load("folio-v2/folio_v2_train.part.jsonl") else { return };
    assert_eq!((dataset.records.len(), dataset.files[0].dialect), (584, Dialect::FolioV2));
    assert_eq!(codes(&dataset), BTreeMap::new(), "no block with unequal counts once blank lines are dropped");
    assert!(dataset.records.iter().all(|r| r.split == "train" && r.conclusion_fol.is_some()));
}

#[test]
fn folio_v0() {
    let Some(train) = load("folio-v0.0/folio-train.jsonl") else { return };
    assert_eq!((train.records.len(), train.files[0].dialect, stories(&train)), (1004, Dialect::FolioV0, 340));
    assert_eq!(labels(&train).keys().copied().collect::<Vec<_>>(), ["False", "True", "Unknown"]);
    assert!(train.records.iter().all(|r| r.conclusion_fol.is_none() && r.label.is_some()));

    let Some(validation) = load("folio-v0.0/folio-validation.jsonl") else { return };
    assert_eq!((validation.records.len(), validation.files[0].dialect), (204, Dialect::FolioV0));
    assert_eq!(labels(&validation).keys().copied().collect::<Vec<_>>(), ["False", "True", "Uncertain"]);
    assert!(validation.records.iter().all(|r| r.conclusion_fol.is_some() && r.record_id.starts_with('r')));
    assert_eq!(codes(&validation), BTreeMap::from([("R101", 10)]));
}

#[test]
fn folio_refined_labels() {
    let Some(dataset) = load("folio-refined/validation_labels.csv") else { return };
    assert_eq!((dataset.records.len(), dataset.files[0].dialect), (203, Dialect::FolioRefined));
    assert_eq!(codes(&dataset), BTreeMap::new());
}
