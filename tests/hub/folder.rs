//! A folder with a dataset, and commands in it that are told of a Hub.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::fake::{Hub, WRITER};

/// FOLIO v2: rows that agree, one that is mended, one that is wrong.
pub(crate) const BIRDS: &str = r#"{"story_id": 1, "premises": "All herons eat fish.\nGrey is a heron.", "premises-FOL": "∀x (Heron(x) → Eat(x, fish))\nHeron(grey)", "conclusion": "Grey eats fish.", "conclusion-FOL": "Eat(grey, fish)", "label": "True", "example_id": 1}
{"story_id": 1, "premises": "All herons eat fish.\nGrey is a heron.", "premises-FOL": "∀x (Heron(x) → Eat(x, fish))\nHeron(grey)", "conclusion": "Grey eats snails.", "conclusion-FOL": "Eat(grey, snail)", "label": "Uncertain", "example_id": 2}
{"story_id": 2, "premises": "All owls hunt at night.\nWillow is an owl.", "premises-FOL": "∀x (Owl(x) → HuntAt(x, night)\nOwl(willow)", "conclusion": "Willow hunts at night.", "conclusion-FOL": "HuntAt(willow, night)", "label": "True", "example_id": 3}
{"story_id": 3, "premises": "Every gull is loud.\nSandy is a gull.", "premises-FOL": "∀x (Gull(x) → Loud(x))\nGull(sandy)", "conclusion": "Sandy is not loud.", "conclusion-FOL": "¬Loud(sandy)", "label": "True", "example_id": 4}
"#;

/// The repository of most tests.
pub(crate) const REPO: &str = "birds/herons";

/// A folder of its own that is home and working folder.
pub(crate) struct Folder {
    pub(crate) folder: tempfile::TempDir,
    hub: String,
    token: Option<String>,
}

/// What a command printed and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    pub(crate) fn new(hub: &Hub) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("birds_train.jsonl"), BIRDS).unwrap();
        Self { folder, hub: hub.url.clone(), token: Some(WRITER.to_owned()) }
    }

    /// With a run's files in `out`, by a run that asks the prover.
    pub(crate) fn with_run(hub: &Hub) -> Self {
        let folder = Self::new(hub);
        folder.success(&["run", "-q", "-i", "birds_train.jsonl"]);
        folder
    }

    pub(crate) fn with_token(mut self, token: Option<&str>) -> Self {
        self.token = token.map(str::to_owned);
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_refolio"));
        command.args(arguments).current_dir(self.folder.path()).env_clear().env("HOME", self.folder.path());
        command.env("NO_COLOR", "1").env("HF_ENDPOINT", &self.hub);
        if let Some(token) = &self.token {
            command.env("HF_TOKEN", token);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let ran = Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
        let token = self.token.as_deref().unwrap_or(WRITER);
        assert!(!ran.stdout.contains(token) && !ran.stderr.contains(token), "the token is shown: {ran:?}");
        ran
    }

    /// Runs to the end; what it printed.
    #[track_caller]
    pub(crate) fn success(&self, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        ran
    }

    /// Runs to an error of the Hub; what it says.
    #[track_caller]
    pub(crate) fn refused(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(7), "{}{}", ran.stdout, ran.stderr);
        ran.stderr
    }
}
