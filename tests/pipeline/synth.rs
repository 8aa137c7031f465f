//! The verdicts that generated rows are known to have are those that refolio comes to.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;

use refolio::synth::Rows;

use crate::Ran;

#[test]
fn refolio_comes_to_every_known_verdict() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("generated_train.jsonl");
    let rows: Vec<_> = Rows::new(11).take(2000).collect();
    let mut file = fs::File::create(&path).unwrap();
    for row in &rows {
        writeln!(file, "{}", serde_json::to_string(row).unwrap()).unwrap();
    }
    let found = Ran::new(&[path], |config| config.lint.semantic = false).rows("train");
    assert_eq!(found.len(), rows.len());
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    for (found, row) in found.iter().zip(&rows) {
        assert_eq!(found.text("verdict"), row.verdict.as_str(), "{row:?}");
        assert_eq!(found.text("verdict_original"), row.verdict.as_str(), "{row:?}");
        *verdicts.entry(row.verdict.as_str()).or_default() += 1;
    }
    assert_eq!(verdicts.len(), 4, "{verdicts:?}");
}
