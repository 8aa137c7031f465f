//! A run for tests.

use serde_json::json;

use super::info::{InputFile, ProverInfo, RunInfo};
use crate::prove::Origin;

/// A run over two files with the bundled prover.
pub(crate) fn run_info() -> RunInfo {
    let input = |split: &str, rows| InputFile {
        name: format!("{split}.jsonl"),
        split: split.to_owned(),
        sha256: "ab".repeat(32),
        bytes: 1234,
        format: "jsonl".to_owned(),
        compression: "none".to_owned(),
        dialect: "folio-v2".to_owned(),
        rows,
        origin: None,
        revision: None,
    };
    let prover =
        ProverInfo { name: "Vampire".to_owned(), version: "5.0.0".to_owned(), sha256: None, origin: Origin::Bundled };
    let config = json!({"verify": {"unique_names": false}, "fixes": "safe"});
    let mut info = RunInfo::new(&config, "safe", vec![input("train", 9), input("validation", 2)], Some(prover));
    // Snapshots must not change with every release.
    info.refolio_version = "0.0.0".to_owned();
    info
}
