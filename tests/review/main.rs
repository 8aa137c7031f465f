//! Reviews: the page over real HTTP, decisions that survive a kill, other tools, and the run that applies them.

#![cfg(feature = "bundled-vampire")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../support/columns.rs"]
#[expect(dead_code, reason = "shared with tests that look at more")]
mod columns;
mod exchange;
mod page;
mod report;
#[path = "../support/rows.rs"]
mod rows;
mod server;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use refolio::decision::{self, Decision};
use serde_json::Value;
use tempfile::TempDir;

/// A story with a name spelt in two ways, one with a bracket too few, one whose label is wrong, and texts that would be
/// markup if a page took them for it.
const BIRDS: &str = r#"{"premises": ["All herons eat fish.", "Grey is a heron."], "premises-FOL": ["∀x (Heron(x) → Eat(x, fish))", "Heron(gray)"], "conclusion": "Grey eats fish.", "conclusion-FOL": "Eat(grey, fish)", "label": "True", "example_id": 1}
{"premises": ["All herons eat fish.", "Grey is a heron."], "premises-FOL": ["∀x (Heron(x) → Eat(x, fish))", "Heron(gray)"], "conclusion": "Grey is a heron.", "conclusion-FOL": "Heron(grey)", "label": "True", "example_id": 2}
{"premises": ["Every gull is loud.", "Sandy is a gull."], "premises-FOL": ["∀x (Gull(x) → Loud(x))", "Gull(sandy)"], "conclusion": "Sandy is not loud.", "conclusion-FOL": "¬Loud(sandy)", "label": "True", "example_id": 3}
{"premises": ["Owls <script>document.title='run'</script> hunt.", "Willow <img src=x onerror=document.title='run'> is an owl."], "premises-FOL": ["∀x (Owl(x) → → Hunt(x)", "Owl(willow)"], "conclusion": "Willow </textarea><script>document.title='run'</script> hunts.", "conclusion-FOL": "Hunt(willow)", "label": "True", "example_id": "<b>4</b>"}
{"premises": ["No wren is large.", "Dot is a wren."], "premises-FOL": ["∀x (Wren(x) → ¬Large(x))", "Wren(dot)"], "conclusion": "Dot is not large.", "conclusion-FOL": "¬Large(dot)", "label": "True", "example_id": 5}
"#;

/// A folder with a dataset that was run.
struct Reviewed {
    folder: TempDir,
}

impl Reviewed {
    fn new() -> Self {
        let new = Self { folder: tempfile::tempdir().unwrap() };
        fs::write(new.path("birds_train.jsonl"), BIRDS).unwrap();
        new.succeed(&["run", "--input", "birds_train.jsonl", "--fixes", "safe", "--quiet"]);
        new
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_refolio"));
        command.args(arguments).current_dir(self.folder.path()).env_clear().env("HOME", self.folder.path());
        command.env("NO_COLOR", "1").env("USER", "ada").stdin(Stdio::null());
        command
    }

    fn output(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What a command prints that ends well.
    fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn decisions(&self) -> Vec<Decision> {
        decision::read(&self.path("out.decisions.jsonl")).unwrap()
    }

    /// The rows of a run with everything decided so far.
    fn run(&self) -> Vec<rows::OutRow> {
        self.succeed(&["run", "--input", "birds_train.jsonl", "--fixes", "safe", "--quiet"]);
        rows::read(&self.path("out/train.parquet"))
    }

    fn serve(&self) -> Server {
        self.serve_as("ada")
    }

    fn serve_as(&self, by: &str) -> Server {
        let mut child =
            self.command(&["review", "--by", by]).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        Server { child, url: url.trim().to_owned(), client: reqwest::Client::new(), runtime: runtime() }
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

/// A page that is served. Dropping it kills the server.
struct Server {
    child: Child,
    url: String,
    client: reqwest::Client,
    runtime: tokio::runtime::Runtime,
}

impl Server {
    /// The status and the body of an answer.
    fn send(&self, request: reqwest::RequestBuilder) -> (u16, String) {
        self.runtime.block_on(async {
            let answer = request.send().await.unwrap();
            (answer.status().as_u16(), answer.text().await.unwrap())
        })
    }

    fn get(&self, path: &str) -> Value {
        let (status, text) = self.send(self.client.get(format!("{}api/{path}", self.url)));
        assert_eq!(status, 200, "{text}");
        serde_json::from_str(&text).unwrap()
    }

    /// The answer to what is posted, whatever its status.
    fn try_post(&self, path: &str, body: &Value) -> (u16, Value) {
        let request = self.client.post(format!("{}api/{path}", self.url));
        let (status, text) = self.send(request.header("content-type", "application/json").body(body.to_string()));
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let (status, said) = self.try_post(path, body);
        assert_eq!(status, 200, "{said}");
        said
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn row<'a>(rows: &'a [rows::OutRow], id: &str) -> &'a rows::OutRow {
    rows.iter().find(|row| row.text("record_id") == id).unwrap()
}
