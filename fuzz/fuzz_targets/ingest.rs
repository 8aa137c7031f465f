//! Any bytes as a dataset. The first byte chooses the format; the rest is the file.
#![no_main]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use refolio::ingest::{self, Input, Options};
use refolio::lint::{ParsedRecord, check_dataset, check_record};
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a temporary folder"));

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, content)) = bytes.split_first() else { return };
    let name = ["x.jsonl", "x.csv", "x.json", "x.parquet"][usize::from(*choice) % 4];
    let path = FOLDER.path().join(name);
    std::fs::write(&path, content).expect("the temporary folder can be written");
    let Ok(dataset) = ingest::read(&[Input::new(&path)], &Options::default()) else { return };
    let ids: BTreeSet<_> = dataset.records.iter().map(|r| &r.record_id).collect();
    assert_eq!(ids.len(), dataset.records.len(), "ids are unique");
    for record in &dataset.records {
        assert!(record.is_readable() || !record.diagnostics.is_empty(), "a row without a reason");
        let parsed = ParsedRecord::new(record, Default::default());
        let _ = check_record(&parsed.context(record));
    }
    let _ = check_dataset(&dataset.records);
});
