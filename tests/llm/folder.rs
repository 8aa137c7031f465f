//! A folder with a dataset and a configuration, and runs in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// Stories of which no program knows what is wrong: the second premise is turned round.
pub(crate) fn stories(range: std::ops::Range<usize>, label: &str) -> String {
    let line = |i: usize| {
        json!({
            "story_id": i, "example_id": i,
            "premises": format!("Rex{i} is a dog.\nAll dogs bark."),
            "premises-FOL": format!("Dog(rex{i})\n∀x (Bark(x) → Dog(x))"),
            "conclusion": format!("Rex{i} barks."), "conclusion-FOL": format!("Bark(rex{i})"), "label": label,
        })
        .to_string()
    };
    range.map(|i| line(i) + "\n").collect()
}

/// A folder of its own with a dataset and a configuration.
pub(crate) struct Folder {
    pub(crate) folder: tempfile::TempDir,
}

impl Folder {
    pub(crate) fn new(url: &str, data: &str, more: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let out = Self { folder };
        fs::write(out.path("rows_train.jsonl"), data).unwrap();
        let config = format!(
            "[dataset]\ninputs = [\"rows_train.jsonl\"]\n[fixes]\nlevel = \"agents\"\n[llm]\nbase_url = \"{url}\"\nmodel = \
             \"fake\"\nconcurrency = 4\nretries = 1\nbackoff = 0.01\n{more}"
        );
        fs::write(out.path("pipeline.toml"), config).unwrap();
        out
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_refolio"));
        command.args(arguments).current_dir(self.folder.path()).env_clear().env("HOME", self.folder.path());
        command.env("NO_COLOR", "1").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs to the end, without anything kept from earlier runs.
    #[track_caller]
    pub(crate) fn success(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{out}{err}");
        out.into_owned()
    }

    /// All files that a run wrote, but for the one with times.
    pub(crate) fn written(&self, out: &str) -> BTreeMap<String, Vec<u8>> {
        let files = fs::read_dir(self.path(out)).unwrap().map(|entry| entry.unwrap());
        let names = files
            .map(|entry| entry.file_name().into_string().unwrap())
            .filter(|n| !["timings.parquet", "report.html", "usage.json"].contains(&n.as_str()));
        names.map(|name| (name.clone(), fs::read(self.path(out).join(name)).unwrap())).collect()
    }

    /// How many rows ended how.
    pub(crate) fn statuses(&self, out: &str) -> Value {
        let manifest: Value = serde_json::from_slice(&fs::read(self.path(out).join("manifest.json")).unwrap()).unwrap();
        manifest["counts"]["train"]["status"].clone()
    }

    /// Of each answer in a journal the number of the call that it came from.
    pub(crate) fn recorded(&self, journal: &str) -> BTreeSet<u64> {
        let text = fs::read(self.path(journal)).unwrap_or_default();
        let whole = text.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let lines = text[..whole].split(|b| *b == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| serde_json::from_slice::<Value>(line).unwrap()["prompt_tokens"].as_u64().unwrap()).collect()
    }
}
