//! What a file must say of the run that made it: everything that decides its bytes, and nothing else.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::prove::Origin;
use crate::record::sha256_hex;
use crate::shard::ShardInfo;

/// The run behind a set of output files. The same for the same inputs and settings on every machine: no times, no
/// folders.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunInfo {
    /// Version of refolio.
    pub refolio_version: String,
    /// The settings in force, with sorted keys; absolute paths are cut to their last part by [`RunInfo::new`].
    pub config: Value,
    /// SHA-256 of [`canonical_json`] of `config`.
    pub config_sha256: String,
    /// How far texts were mended: `none`, `safe` or `search`.
    pub fixes: String,
    /// The files read, in the order in which they were read.
    pub inputs: Vec<InputFile>,
    /// The prover asked; `None` where the run asked none.
    pub prover: Option<ProverInfo>,
    /// The prover asked for a second opinion; `None` where there was none.
    pub second_prover: Option<ProverInfo>,
    /// The part of the rows that was run; `None` for all of them.
    pub shard: Option<ShardInfo>,
}

/// One file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    /// The file's name, without its folder.
    pub name: String,
    /// The split its rows belong to.
    pub split: String,
    /// SHA-256 of the file as it lies on disk, in lower-case hexadecimal.
    pub sha256: String,
    /// Size on disk in bytes.
    pub bytes: u64,
    /// `jsonl`, `json`, `csv`, `parquet`.
    pub format: String,
    /// `none`, `gz`, `zst`.
    pub compression: String,
    /// The dialect its columns were read by.
    pub dialect: String,
    /// Rows read, those that could not be understood included.
    pub rows: u64,
    /// The address it was fetched from, without a revision; `None` for a file that lay here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The commit it was fetched at; `None` for a file that lay here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
}

/// The prover behind the verdicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProverInfo {
    /// Its name, such as `Vampire`.
    pub name: String,
    /// The version it reports.
    pub version: String,
    /// SHA-256 of the executable, where it is a file of its own.
    pub sha256: Option<String>,
    /// Where it was found.
    pub origin: Origin,
}

impl RunInfo {
    /// The facts of a run of this version of refolio. `config` is recorded with sorted keys and without folders, and
    /// hashed in that form, so that neither the order of keys nor the place of a file changes any output.
    #[must_use]
    pub fn new(config: &Value, fixes: &str, inputs: Vec<InputFile>, prover: Option<ProverInfo>) -> Self {
        let config = portable(config);
        Self {
            refolio_version: env!("CARGO_PKG_VERSION").to_owned(),
            config_sha256: sha256_hex(config.to_string().as_bytes()),
            config,
            fixes: fixes.to_owned(),
            inputs,
            prover,
            second_prover: None,
            shard: None,
        }
    }
}

/// JSON without spaces and with the keys of every object sorted: one text for one value.
#[must_use]
pub fn canonical_json(value: &Value) -> String {
    rebuild(value, &str::to_owned).to_string()
}

/// Sorted keys, and every text that is an absolute path cut to `…/` and its last part.
fn portable(config: &Value) -> Value {
    rebuild(config, &|text| {
        let path = Path::new(text);
        match path.file_name() {
            Some(name) if path.is_absolute() => format!("…/{}", name.to_string_lossy()),
            _ => text.to_owned(),
        }
    })
}

fn rebuild(value: &Value, text: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(s) => Value::String(text(s)),
        Value::Array(items) => Value::Array(items.iter().map(|item| rebuild(item, text)).collect()),
        Value::Object(entries) => {
            let mut sorted: Vec<_> = entries.iter().collect();
            sorted.sort_by_key(|(key, _)| *key);
            Value::Object(
                sorted.into_iter().map(|(key, item)| (key.clone(), rebuild(item, text))).collect::<Map<_, _>>(),
            )
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_order_of_keys_does_not_change_the_hash() {
        let a = RunInfo::new(&json!({"b": [1, {"y": 1, "x": 2}], "a": "é"}), "safe", vec![], None);
        let b = RunInfo::new(&json!({"a": "é", "b": [1, {"x": 2, "y": 1}]}), "safe", vec![], None);
        assert_eq!(a, b);
        assert_eq!(a.config.to_string(), r#"{"a":"é","b":[1,{"x":2,"y":1}]}"#);
        assert_eq!(a.config_sha256, sha256_hex(canonical_json(&a.config).as_bytes()));
        let c = RunInfo::new(&json!({"a": "e", "b": [1, {"x": 2, "y": 1}]}), "safe", vec![], None);
        assert_ne!(a.config_sha256, c.config_sha256);
    }

    #[test]
    #[cfg(unix)]
    fn folders_are_not_recorded() {
        let config =
            json!({"prover": {"path": "/usr/local/bin/vampire"}, "inputs": ["data/train.jsonl"], "glyph": "/"});
        let info = RunInfo::new(&config, "none", vec![], None);
        assert_eq!(info.config, json!({"glyph": "/", "inputs": ["data/train.jsonl"], "prover": {"path": "…/vampire"}}));
    }
}
