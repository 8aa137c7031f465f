//! What the tests of this folder share.

use super::Settings;
use crate::lint::Selection;
use crate::record::{Label, Record};
use crate::refine::SearchOptions;
pub(super) use crate::refine::testing::with_bench;
use crate::verify::ReadingOptions;

pub(super) fn settings() -> Settings {
    Settings {
        selection: Selection::everything(),
        reading: ReadingOptions::default(),
        search: SearchOptions::default(),
    }
}

pub(super) fn record(id: &str, premises: &[&str], conclusion: &str, label: Label) -> Record {
    Record {
        record_id: id.to_owned(),
        premises: premises.iter().map(|_| "Something is so.".to_owned()).collect(),
        premises_fol: premises.iter().map(|&p| p.to_owned()).collect(),
        conclusion: "Something else is so.".to_owned(),
        conclusion_fol: Some(conclusion.to_owned()),
        label: Some(label),
        label_text: Some(label.to_string()),
        ..Record::default()
    }
}
