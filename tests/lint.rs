//! The rules over published datasets: what they say points into the texts, and none says it of everything.

use std::collections::{BTreeMap, BTreeSet};

use refolio::fol::{QuantifierScope, parse};
use refolio::ingest::{Input, Options, read};
use refolio::lint::{ParsedRecord, check_dataset, check_record, find};
use refolio::record::Record;

#[path = "support/published.rs"]
mod published;

fn records(file: &str) -> Option<Vec<Record>> {
    let path = published::published(file)?;
    Some(read(&[Input::new(path)], &Options::default()).expect("a published dataset").records)
}

/// Checks every finding; a rule that speaks of more than a quarter of the rows tells nobody anything.
fn audit(file: &str) {
    let Some(records) = records(file) else { return };
    let mut rows: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (index, record) in records.iter().enumerate() {
        let parsed = ParsedRecord::new(record, QuantifierScope::Tight);
        for d in check_record(&parsed.context(record)) {
            let text =
                record.text(d.target).unwrap_or_else(|| panic!("{} of {} has no text", d.target, record.record_id));
            for span in std::iter::once(d.span).chain(d.related.iter().map(|(s, _)| *s)) {
                assert!(text.get(span.start..span.end).is_some(), "{}: {span:?} is not in {text:?}", d.code);
            }
            let rule = find(d.code).expect("a documented rule");
            assert_eq!(d.severity, rule.severity, "{}", d.code);
            if let Some(fix) = &d.fix {
                let after = fix.apply(text).unwrap_or_else(|| panic!("{}: the fix does not fit {text:?}", d.code));
                assert!(rule.fix.is_some(), "{} has a fix that is not documented", d.code);
                if parse(text).reading().is_some() {
                    assert!(parse(&after).reading().is_some(), "{}: {text:?} became {after:?}", d.code);
                    assert_ne!(after, text, "{}", d.code);
                }
            }
            rows.entry(rule.code).or_default().insert(index);
        }
    }
    for (index, d) in check_dataset(&records) {
        rows.entry(d.code).or_default().insert(index);
    }
    for (code, met) in rows {
        assert!(4 * met.len() <= records.len(), "{code} speaks of {} rows", met.len());
    }
}

#[test]
fn folio_v2_validation() {
    audit("folio-v2/folio_v2_validation.jsonl");
}

#[test]
fn folio_v2_train_part() {
    audit("folio-v2/folio_v2_train.part.jsonl");
}

#[test]
fn folio_v0_validation() {
    audit("folio-v0.0/folio-validation.jsonl");
}
