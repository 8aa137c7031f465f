//! The whole loop against a real model, which mends little: what counts is that the protocol holds, that bounds are kept
//! to, and that nothing gets in that is not proved.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use serde_json::Value;

use crate::folder::{Folder, stories};
use crate::rows;

/// The server of `tests/support/model`; it ends with this.
struct Model {
    child: Child,
    url: String,
}

impl Drop for Model {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The weights below a folder.
fn weights(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    entries
        .filter(|p| p.is_dir() || p.extension().is_some_and(|e| e == "gguf"))
        .find_map(|p| if p.is_dir() { weights(&p) } else { Some(p) })
}

fn model(folder: &Path) -> Model {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let weights = weights(&folder.join("weights")).expect("weights");
    // Two threads on two busy cores are far slower than one.
    let mut child = Command::new("node")
        .arg("server.mjs")
        .arg(weights)
        .args([&free.to_string(), "1"])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("node");
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line.trim(), "listening");
    Model { child, url: format!("http://127.0.0.1:{free}/v1") }
}

#[test]
fn a_real_model_answers_by_schema_and_gets_nothing_in_that_is_not_proved() {
    let Some(folder) = env::var_os("REFOLIO_MODEL").map(PathBuf::from) else {
        #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
        {
            eprintln!("skipped: REFOLIO_MODEL names no folder made by scripts/model");
        }
        return;
    };
    let model = model(&folder);
    let more =
        "max_tokens = 300\ntotal_timeout = 500.0\nread_timeout = 500.0\n[refine]\niterations = 1\nsyntax_rounds = 1\n";
    let run = Folder::new(&model.url, &stories(0..2, "True"), more);
    let told = run.success(&["run", "--no-cache"]);
    assert!(told.contains("critique"), "{told}");
    let journal = fs::read_to_string(run.path("out.llm.jsonl")).unwrap();
    let entries: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // A critique each at least; at most that, two answers of the refiner and one on the label, each put twice.
    assert!((2..=16).contains(&entries.len()), "{}", entries.len());
    for entry in &entries {
        assert!(entry["prompt_tokens"].as_u64().unwrap() > 0);
        if entry["said"] == "text" {
            let response = entry["response"].as_str().unwrap();
            assert!(serde_json::from_str::<Value>(response).is_ok_and(|v| v.is_object()), "{response}");
        }
    }
    for row in rows::read(&run.path("out/train.parquet")) {
        let agrees = row.0["agreement"] == "agree";
        assert_eq!(agrees, row.0["status"] == "repaired");
        let edits = row.0["edits"].as_array().unwrap();
        assert_eq!(agrees, edits.iter().any(|edit| edit["kind"] == "llm"), "{edits:?}");
        assert_eq!(row.0["llm_model"], "fake");
        let critique: Value = serde_json::from_str(row.0["critique"].as_str().unwrap()).unwrap();
        assert!(critique["agents"]["questions"].as_u64().unwrap() > 0);
    }
    // What left is proved, whoever proposed it.
    run.success(&["check", "out"]);
    // Held to the schema by our own grammar, it says what the schema allows as well.
    let by_grammar = Folder::new(&model.url, &stories(2..3, "True"), &format!("structured = \"grammar\"\n{more}"));
    by_grammar.success(&["run", "--no-cache", "--quiet"]);
    let journal = fs::read_to_string(by_grammar.path("out.llm.jsonl")).unwrap();
    let first: Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    assert_ne!(first["said"], "refused");
    if first["said"] == "text" {
        let critique: Value = serde_json::from_str(first["response"].as_str().unwrap()).unwrap();
        assert!(critique["findings"].is_array(), "{critique}");
    }
    drop(model);
    // All answers are on record: with nobody there, the same comes out.
    run.success(&["run", "--no-cache", "--quiet", "--out", "again", "--journal", "out.llm.jsonl"]);
    assert_eq!(run.written("again"), run.written("out"));
}
