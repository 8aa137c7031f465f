//! The commands as a user meets them: exact output and exit codes of the built program.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[cfg(feature = "bundled-vampire")]
mod audit;
#[cfg(feature = "bundled-vampire")]
mod browser;
#[cfg(feature = "bundled-vampire")]
mod cache;
mod config;
mod doctor;
mod eval_repair;
mod exit_codes;
mod explain;
mod fix;
mod help;
mod lint;
mod prove;
#[cfg(feature = "bundled-vampire")]
mod publish;
mod rule;
mod run;
#[cfg(all(feature = "bundled-vampire", target_os = "linux"))]
mod signals;
#[cfg(feature = "bundled-vampire")]
mod stats;
#[cfg(feature = "bundled-vampire")]
mod vampire;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder of its own that is home and working folder, and an environment with nothing else in it.
struct TestEnvironment {
    folder: tempfile::TempDir,
}

impl TestEnvironment {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        Self { folder }
    }

    /// With the dataset of [`BIRDS`] as `birds_train.jsonl`.
    fn with_birds() -> Self {
        let env = Self::new();
        env.write("birds_train.jsonl", BIRDS);
        env
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    /// An executable shell script; its path.
    fn script(&self, name: &str, body: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        self.write(name, format!("#!/bin/sh\n{body}\n"));
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
        self.path(name)
    }

    /// The names of everything in a folder, hidden files included.
    fn names(&self, folder: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "bin" && name != ".cache")
            .collect();
        names.sort();
        names
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_refolio"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PATH", self.path("bin"))
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        command
    }

    /// Runs `refolio` with these arguments.
    fn run(&self, arguments: &[&str]) -> CommandOutput {
        self.finish(&mut self.command(arguments))
    }

    fn finish(&self, command: &mut Command) -> CommandOutput {
        let output = command.output().unwrap();
        CommandOutput {
            code: output.status.code(),
            stdout: self.normalise(output.stdout),
            stderr: self.normalise(output.stderr),
        }
    }

    /// Puts words in the place of what is different each time: this folder, and times.
    fn normalise(&self, output: Vec<u8>) -> String {
        let text = String::from_utf8(output).unwrap();
        let folder = self.folder.path();
        let resolved = folder.canonicalize().unwrap();
        let text = text.replace(resolved.to_str().unwrap(), "$HOME").replace(folder.to_str().unwrap(), "$HOME");
        text.split_inclusive('\n').map(without_time).collect()
    }
}

/// Replaces the numbers in `1.23 s` and `4.56 ms`.
fn without_time(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for i in 1..words.len() {
        let unit = words[i].trim_end();
        if (unit == "s" || unit == "ms") && words[i - 1].parse::<f64>().is_ok() {
            words[i - 1] = "[time]";
        }
    }
    // The column of times is padded.
    let line = words.join(" ");
    match line.split_once(" [time] ms") {
        Some((before, after)) => format!("{} [time] ms{after}", before.trim_end()),
        None => line,
    }
}

/// What a command printed and how it ended.
struct CommandOutput {
    /// `None` for one that a signal ended.
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl CommandOutput {
    /// The stdout of a command that succeeded and had nothing else to say.
    #[track_caller]
    fn success(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{}", self.stdout);
        self.stdout
    }
}

impl fmt::Display for CommandOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => writeln!(f, "exit code: {code}")?,
            None => writeln!(f, "ended by a signal")?,
        }
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                writeln!(f, "----- {name}\n{}", text.trim_end())?;
            }
        }
        Ok(())
    }
}

/// The text of a JSON object on each line.
fn json_lines(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Whether a file is there.
fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// FOLIO v2, six records: label right (True, Uncertain), a bracket missing, label wrong, premises that contradict each
/// other, and a conclusion without a reading.
const BIRDS: &str = r#"{"story_id": 1, "premises": "All herons eat fish.\nGrey is a heron.", "premises-FOL": "∀x (Heron(x) → Eat(x, fish))\nHeron(grey)", "conclusion": "Grey eats fish.", "conclusion-FOL": "Eat(grey, fish)", "label": "True", "example_id": 1}
{"story_id": 1, "premises": "All herons eat fish.\nGrey is a heron.", "premises-FOL": "∀x (Heron(x) → Eat(x, fish))\nHeron(grey)", "conclusion": "Grey eats snails.", "conclusion-FOL": "Eat(grey, snail)", "label": "Uncertain", "example_id": 2}
{"story_id": 2, "premises": "All owls hunt at night.\nWillow is an owl.", "premises-FOL": "∀x (Owl(x) → HuntAt(x, night)\nOwl(willow)", "conclusion": "Willow hunts at night.", "conclusion-FOL": "HuntAt(willow, night)", "label": "True", "example_id": 3}
{"story_id": 3, "premises": "Every gull is loud.\nSandy is a gull.", "premises-FOL": "∀x (Gull(x) → Loud(x))\nGull(sandy)", "conclusion": "Sandy is not loud.", "conclusion-FOL": "¬Loud(sandy)", "label": "True", "example_id": 4}
{"story_id": 4, "premises": "No wren is large.\nDot is a wren.\nDot is large.", "premises-FOL": "∀x (Wren(x) → ¬Large(x))\nWren(dot)\nLarge(dot)", "conclusion": "Dot sings.", "conclusion-FOL": "Sing(dot)", "label": "Uncertain", "example_id": 5}
{"story_id": 3, "premises": "Every gull is loud.\nSandy is a gull.", "premises-FOL": "∀x (Gull(x) → Loud(x))\nGull(sandy)", "conclusion": "If Sandy is a gull, then she is loud.", "conclusion-FOL": "Gull(sandy) → → Loud(sandy)", "label": "True", "example_id": 6}
"#;
