//! `manifest.json`: what was made, from what, and by which settings.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::counts::Counts;
use super::info::{InputFile, ProverInfo, RunInfo};
use super::schema::SCHEMA_VERSION;
use crate::shard::ShardInfo;

/// The file's name.
pub const MANIFEST_FILE: &str = "manifest.json";

/// Name of the file that holds the decisions that a run applied.
pub const DECISIONS_FILE: &str = "decisions.jsonl";

/// One file that a run wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputFile {
    /// Its name inside the output folder.
    pub file: String,
    /// The split whose rows it holds; `None` for those of all splits.
    pub split: Option<String>,
    /// Rows in it; `None` for the summary.
    pub rows: Option<u64>,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

/// The order of the fields is the order in the file.
#[derive(Serialize)]
struct Manifest<'a> {
    refolio_version: &'a str,
    schema_version: u32,
    fixes: &'a str,
    prover: Option<&'a ProverInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_prover: Option<&'a ProverInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<&'a ShardInfo>,
    inputs: &'a [InputFile],
    outputs: &'a [OutputFile],
    counts: Value,
    config_sha256: &'a str,
    config: &'a Value,
}

/// The text of `manifest.json`: pretty, keys in a fixed order, without times and folders. `timings.parquet` is not
/// listed, because its hash differs from run to run.
///
/// # Errors
/// A value without a JSON form.
pub fn manifest_json(info: &RunInfo, outputs: &[OutputFile], counts: &Counts) -> Result<String, serde_json::Error> {
    let manifest = Manifest {
        refolio_version: &info.refolio_version,
        schema_version: SCHEMA_VERSION,
        fixes: &info.fixes,
        prover: info.prover.as_ref(),
        second_prover: info.second_prover.as_ref(),
        shard: info.shard.as_ref(),
        inputs: &info.inputs,
        outputs,
        counts: counts.json(),
        config_sha256: &info.config_sha256,
        config: &info.config,
    };
    serde_json::to_string_pretty(&manifest).map(|text| text + "\n")
}

/// The names of the files that an older manifest lists. Whatever is not a manifest lists none, and what is not a
/// plain file name is passed over.
pub(crate) fn listed_files(text: &str) -> Vec<String> {
    let Ok(manifest) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    let outputs = manifest.get("outputs").and_then(Value::as_array);
    outputs
        .into_iter()
        .flatten()
        .filter_map(|output| output.get("file")?.as_str())
        .filter(|name| !name.is_empty() && !name.contains(['/', '\\']) && *name != "." && *name != "..")
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::testing::plain_row;
    use crate::emit::testing_run::run_info;

    #[test]
    fn a_manifest_reads_in_a_fixed_order() {
        let mut counts = Counts::default();
        counts.add(&plain_row("1", "train"));
        let outputs = [OutputFile {
            file: "train.parquet".to_owned(),
            split: Some("train".to_owned()),
            rows: Some(1),
            bytes: 10,
            sha256: "cd".repeat(32),
        }];
        let text = manifest_json(&run_info(), &outputs, &counts).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["counts"], counts.json());
        assert_eq!(value["config_sha256"], run_info().config_sha256);
        let short = text.replace(&"cd".repeat(32), "HASH").replace(&"ab".repeat(32), "HASH");
        let (head, rest) = short.split_once("  \"counts\"").unwrap();
        let (_, tail) = rest.split_once("  \"config_sha256\"").unwrap();
        insta::assert_snapshot!(head, @r#"
        {
          "refolio_version": "0.0.0",
          "schema_version": 4,
          "fixes": "safe",
          "prover": {
            "name": "Vampire",
            "version": "5.0.0",
            "sha256": null,
            "origin": "bundled"
          },
          "inputs": [
            {
              "name": "train.jsonl",
              "split": "train",
              "sha256": "HASH",
              "bytes": 1234,
              "format": "jsonl",
              "compression": "none",
              "dialect": "folio-v2",
              "rows": 9
            },
            {
              "name": "validation.jsonl",
              "split": "validation",
              "sha256": "HASH",
              "bytes": 1234,
              "format": "jsonl",
              "compression": "none",
              "dialect": "folio-v2",
              "rows": 2
            }
          ],
          "outputs": [
            {
              "file": "train.parquet",
              "split": "train",
              "rows": 1,
              "bytes": 10,
              "sha256": "HASH"
            }
          ],
        "#);
        insta::assert_snapshot!(tail.split_once(",\n").unwrap().1, @r#"
          "config": {
            "fixes": "safe",
            "verify": {
              "unique_names": false
            }
          }
        }
        "#);
    }

    #[test]
    fn only_plain_names_of_a_manifest_are_believed() {
        let text = r#"{"outputs": [{"file": "a.parquet"}, {"file": "../b"}, {"file": 3}, {"file": ".."}, {}, 7]}"#;
        assert_eq!(listed_files(text), ["a.parquet"]);
        assert!(listed_files("{").is_empty());
        assert!(listed_files(r#"{"outputs": "a"}"#).is_empty());
    }
}
