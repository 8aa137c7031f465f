//! `hf://` as an input.

use std::fs;

use serde_json::{Value, json};

use crate::fake::{Blob, Hub};
use crate::folder::{BIRDS, Folder, REPO};

/// A dataset as people upload it: a card that names files, two splits, and a file that is none of them.
fn upload(hub: &Hub, name: &str) -> String {
    let mut state = hub.state();
    let repo = state.repos.entry(name.to_owned()).or_default();
    let card = "---\nconfigs:\n- config_name: default\n  data_files:\n  - split: train\n    path: rows/a.jsonl\n  - split: \
                held_out\n    path: rows/b*\n---\n# Birds\n";
    let mut tree = std::collections::BTreeMap::new();
    let mut put = |path: &str, text: &str| tree.insert(path.to_owned(), Blob::Regular(text.as_bytes().to_vec()));
    put("README.md", card);
    let (first, rest) = BIRDS.split_at(BIRDS.find('\n').unwrap() + 1);
    put("rows/a.jsonl", rest);
    put("rows/b.jsonl", first);
    put("rows/c.jsonl", "not rows\n");
    let old = repo.push("first", tree.clone());
    repo.tags.insert("v1".to_owned(), old);
    tree.insert("rows/a.jsonl".to_owned(), Blob::Regular(rest.replace("\"False\"", "\"True\"").into_bytes()));
    tree.insert("more.txt".to_owned(), Blob::Regular(Vec::new()));
    repo.push("second", tree)
}

fn manifest(folder: &Folder, out: &str) -> Value {
    serde_json::from_str(&folder.text(&format!("{out}/manifest.json"))).unwrap()
}

#[test]
fn a_dataset_on_the_hub_is_read_at_its_revision() {
    let hub = Hub::start();
    let head = upload(&hub, "birds/raw");
    let folder = Folder::new(&hub).with_token(None);
    folder.success(&["run", "-q", "-i", "hf://datasets/birds/raw"]);
    let inputs = manifest(&folder, "out")["inputs"].clone();
    let told =
        |input: &Value| json!([input["split"], input["name"], input["origin"], input["revision"], input["rows"]]);
    assert_eq!(
        inputs.as_array().unwrap().iter().map(told).collect::<Vec<_>>(),
        [
            json!(["train", "a.jsonl", "hf://datasets/birds/raw/rows/a.jsonl", head, 3]),
            json!(["held_out", "b.jsonl", "hf://datasets/birds/raw/rows/b.jsonl", head, 1]),
        ]
    );
    // A revision, one file of it, and another name for its split.
    folder.success(&["run", "-q", "-o", "old", "-i", "dev=hf://datasets/birds/raw@v1/rows/a.jsonl"]);
    let old = hub.state().repo("birds/raw").tags["v1"].clone();
    let input = manifest(&folder, "old")["inputs"][0].clone();
    assert_eq!((input["split"].clone(), input["revision"].clone()), (json!("dev"), json!(old)));
    // One split of several.
    folder.success(&["run", "-q", "-o", "one", "-i", "held_out=hf://datasets/birds/raw"]);
    assert_eq!(manifest(&folder, "one")["inputs"].as_array().unwrap().len(), 1);
    // What lies here has neither.
    folder.success(&["run", "-q", "-o", "here", "-i", "birds_train.jsonl"]);
    let input = manifest(&folder, "here")["inputs"][0].clone();
    assert_eq!((input.get("origin"), input.get("revision")), (None, None));
}

#[test]
fn what_was_fetched_is_not_fetched_again() {
    let hub = Hub::start();
    upload(&hub, "birds/raw");
    let folder = Folder::new(&hub);
    folder.success(&["run", "-q", "-i", "hf://datasets/birds/raw"]);
    let bytes = fs::read(folder.path("out/train.parquet")).unwrap();
    let fetched = hub.state().count("GET", "/resolve/");
    folder.success(&["run", "-q", "-i", "hf://datasets/birds/raw"]);
    assert_eq!(hub.state().count("GET", "/resolve/"), fetched);
    assert_eq!(fs::read(folder.path("out/train.parquet")).unwrap(), bytes);
}

#[test]
fn every_command_that_reads_a_dataset_reads_it_from_the_hub() {
    let hub = Hub::start();
    upload(&hub, "birds/raw");
    let folder = Folder::new(&hub);
    let audited = folder.success(&["audit", "hf://datasets/birds/raw@v1/rows/a.jsonl", "birds_train.jsonl"]);
    assert!(audited.stdout.contains("rows in both                              3"), "{}", audited.stdout);
    assert!(audited.stdout.contains("added                                     1"), "{}", audited.stdout);
    let linted = folder.run(&["lint", "hf://datasets/birds/raw", "--format", "json"]);
    assert_eq!(linted.code, Some(1), "{}", linted.stderr);
    assert!(linted.stdout.contains("hf://datasets/birds/raw/rows/a.jsonl"), "{}", linted.stdout);
    let explained = folder.success(&["explain", "4", "-i", "hf://datasets/birds/raw"]);
    assert!(explained.stdout.contains("Loud(sandy)"), "{}", explained.stdout);
    folder.success(&["run", "-q", "-i", "birds_train.jsonl", "--prior", "hf://datasets/birds/raw/rows/a.jsonl"]);
    let fixed = folder.run(&["lint", "--fix", "hf://datasets/birds/raw"]);
    assert_eq!(fixed.code, Some(2), "{}", fixed.stderr);
}

#[test]
fn what_is_not_there_is_said_to_be_so() {
    let hub = Hub::start();
    upload(&hub, "birds/raw");
    let folder = Folder::new(&hub);
    let code = |input: &str| {
        let ran = folder.run(&["run", "-q", "-i", input]);
        (ran.code.unwrap(), ran.stderr)
    };
    let (nobody, said) = code("hf://datasets/birds/missing");
    assert!(nobody == 7 && said.contains("look up birds/missing at main") && said.contains("(404)"), "{said}");
    let (revision, said) = code("hf://datasets/birds/raw@v9");
    assert!(revision == 7 && said.contains("at v9"), "{said}");
    let (path, said) = code("hf://datasets/birds/raw/nowhere");
    assert!(path == 3 && said.contains("has no file of rows"), "{said}");
    let (split, said) = code("dev=hf://datasets/birds/raw");
    assert!(split == 3 && said.contains("has no split dev; it has train, held_out"), "{said}");
    let (form, said) = code("hf://models/x");
    assert!(form == 2 && said.contains("hf://datasets/ORG/NAME"), "{said}");
}

#[test]
fn what_was_published_is_an_input_again() {
    let hub = Hub::start();
    let folder = Folder::with_run(&hub);
    folder.success(&["publish", "out", "--repo", REPO, "--push"]);
    folder.success(&["run", "-q", "-o", "again", "-i", &format!("hf://datasets/{REPO}@v1.0.0")]);
    let inputs = manifest(&folder, "again")["inputs"].clone();
    assert_eq!(inputs[0]["origin"], json!(format!("hf://datasets/{REPO}/data/train-00000-of-00001.parquet")));
    assert_eq!(inputs[0]["rows"], 3);
    assert_eq!(manifest(&folder, "again")["counts"]["train"]["status"]["verified"], 3, "what is repaired stays so");
    let same = format!("hf://datasets/{REPO}");
    let audited = folder.success(&["audit", &same, "out-hub/data/train-00000-of-00001.parquet"]);
    assert!(audited.stdout.contains("rows in both                              3"), "{}", audited.stdout);
    // A version before that is elsewhere.
    let ran = folder.success(&["publish", "out", "--to", "other", "--previous", &format!("{same}@v1.0.0")]);
    assert!(ran.stdout.starts_with("version 1.0"), "{}", ran.stdout);
}
