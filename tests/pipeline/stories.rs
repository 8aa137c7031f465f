//! Findings about a story are the same wherever its records stand.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use refolio::ingest::Input;
use refolio::pipeline::{self, Provers, ShardRun, Silent};
use refolio::shard::{Shard, merge};
use serde_json::{Value, json};

use crate::determinism::assert_same_files;
use crate::rows::OutRow;
use crate::{Ran, contents, vampire};

const BAKERS: &[&str] = &["∀x (Baker(x) → RisesEarly(x))", "Baker(ida)", "Tall(ida)"];
const DOGS: &[&str] = &["∀x (Bark(x) → Bite(x))", "Bark(rex)"];

/// Story, premises, conclusion, and the premises that L504 names.
const RECORDS: &[(&str, &[&str], &str, &[usize])] = &[
    // Without the first no verdict would be `True`, and nothing would be said of any.
    ("bakers", BAKERS, "RisesEarly(ida)", &[2]),
    ("bakers", BAKERS, "Old(ida)", &[2]),
    ("bakers", BAKERS, "¬Baker(ida)", &[2]),
    // The same premises under another id are another story.
    ("others", BAKERS, "Tall(ida)", &[0, 1]),
    ("dogs", DOGS, "Bite(rex)", &[]),
    ("dogs", DOGS, "¬Bark(rex)", &[]),
    // All are uncertain.
    ("cats", &["Purr(tom)"], "Sleep(tom)", &[]),
    ("cats", &["Purr(tom)"], "¬Sleep(tom)", &[]),
    // One conclusion cannot be read.
    ("birds", &["Sing(dot)", "Fly(dot)"], "Sing(dot)", &[]),
    ("birds", &["Sing(dot)", "Fly(dot)"], "Sing(dot) → → Fly(dot)", &[]),
    // The premises contradict each other.
    ("fish", &["Swim(ann)", "¬Swim(ann)", "Wet(ann)"], "Wet(ann)", &[]),
    // The last premise lacks a bracket that a safe fix puts.
    ("mended", &["Run(bo)", "∀x (Run(x) → Fast(x)"], "Run(bo)", &[1]),
];

/// All records, and a story that is longer than what one thread works on at once.
fn records() -> Vec<(Value, Vec<usize>)> {
    let record = |id: usize, story: &str, premises: &[&str], conclusion: &str| {
        json!({
            "story_id": story, "example_id": id, "premises": premises,
            "premises-FOL": premises, "conclusion": conclusion, "conclusion-FOL": conclusion, "label": "True",
        })
    };
    let short = RECORDS
        .iter()
        .enumerate()
        .map(|(id, (story, premises, conclusion, unused))| (record(id, story, premises, conclusion), unused.to_vec()));
    let facts: Vec<String> = (0..41).map(|i| format!("P{i}(a)")).collect();
    let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
    let long = (0..40).map(|i| (record(100 + i, "long", &facts, facts[i]), vec![40]));
    short.chain(long).collect()
}

/// Files with these records: together, dealt out one by one to three places, backwards, and in two files.
fn arrangements(dir: &Path) -> Vec<Vec<PathBuf>> {
    let all: Vec<String> = records().into_iter().map(|(record, _)| format!("{record}\n")).collect();
    let dealt: Vec<String> = (0..3).flat_map(|i| all.iter().skip(i).step_by(3).cloned()).collect();
    let reversed: Vec<String> = all.iter().rev().cloned().collect();
    let half = dealt.len() / 2;
    let write = |name: &str, lines: &[String]| {
        let path = dir.join(name);
        fs::write(&path, lines.concat()).unwrap();
        path
    };
    vec![
        vec![write("together_train.jsonl", &all)],
        vec![write("dealt_train.jsonl", &dealt)],
        vec![write("reversed_train.jsonl", &reversed)],
        vec![write("half_train.jsonl", &dealt[..half]), write("half_test.jsonl", &dealt[half..])],
    ]
}

fn unused(row: &OutRow) -> Vec<String> {
    let found = row.list("diagnostics").iter().filter(|d| d["code"] == "L504");
    found.map(|d| d["target"].as_str().unwrap().to_owned()).collect()
}

/// The rows of `train` and `test`, by id, without what tells of their place.
fn by_id(ran: &Ran) -> BTreeMap<String, OutRow> {
    let splits =
        ["train", "test"].into_iter().filter(|split| ran.dir.path().join(format!("{split}.parquet")).is_file());
    let rows = splits.flat_map(|split| ran.rows(split));
    let place = ["split", "source_file", "source_row", "source_sha256", "proof_ref"];
    rows.map(|row| (row.text("record_id").to_owned(), row.without(&place))).collect()
}

#[test]
fn every_record_of_a_story_is_told_wherever_it_stands() {
    let dir = tempfile::tempdir().unwrap();
    let expected: BTreeMap<String, Vec<String>> = records()
        .into_iter()
        .map(|(record, unused)| {
            (record["example_id"].to_string(), unused.iter().map(|i| format!("premise[{i}]")).collect())
        })
        .collect();
    let count: usize = expected.values().map(Vec::len).sum();
    let concerned = expected.values().filter(|unused| !unused.is_empty()).count();
    let mut first = None;
    for files in arrangements(dir.path()) {
        let ran = Ran::new(&files, |config| config.run.jobs = 2);
        let rows = by_id(&ran);
        let found: BTreeMap<String, Vec<String>> = rows.iter().map(|(id, row)| (id.clone(), unused(row))).collect();
        assert_eq!(found, expected, "{files:?}");
        let manifest: Value = serde_json::from_slice(&contents(ran.dir.path())["manifest.json"]).unwrap();
        let counts = manifest["counts"].as_object().unwrap().values().map(|split| &split["diagnostics"]["L504"]);
        let sum = |what: &str| counts.clone().map(|c| c[what].as_u64().unwrap_or(0)).sum::<u64>();
        assert_eq!((sum("count"), sum("rows")), (count as u64, concerned as u64), "{files:?}");
        let first = first.get_or_insert_with(|| rows.clone());
        for (id, row) in &rows {
            for (column, value) in &row.0 {
                assert_eq!(value, &first[id].0[column], "{column} of {id} in {files:?}");
            }
        }
    }
    let rows = first.unwrap();
    let last = |id: &str| rows[id].list("diagnostics").last().unwrap().clone();
    assert_eq!(last("0")["message"], "no verdict on the story's 3 records needs this premise");
    assert_eq!((&last("0")["start"], &last("0")["end"]), (&json!(0), &json!("Tall(ida)".len())));
    assert_eq!(last("3")["message"], "the verdict on the story's only record does not need this premise");
    // What was mended is pointed at as it came.
    assert_eq!(last("11")["end"], "∀x (Run(x) → Fast(x)".len());
}

#[test]
fn neither_jobs_nor_shards_change_a_byte_of_it() {
    let dir = tempfile::tempdir().unwrap();
    for files in arrangements(dir.path()).into_iter().skip(1) {
        let jobs = |n: usize| Ran::new(&files, |config| config.run.jobs = n);
        let one = jobs(1);
        assert_same_files(one.dir.path(), jobs(4).dir.path());
        let parts = tempfile::tempdir().unwrap();
        let inputs: Vec<Input> = files.iter().map(Input::new).collect();
        let mut config = refolio::config::Config::default();
        config.output.dir = parts.path().to_owned();
        config.fixes.level = refolio::config::FixLevel::Safe;
        let folders = [0, 1].map(|index| {
            let (vampire, shard) = (vampire(), Shard::new(index, 2).unwrap());
            let provers = Provers { first: &vampire, second: None, agents: None };
            match pipeline::run_shard(&config, &inputs, provers, None, &Silent, shard, false).unwrap() {
                ShardRun::Done(_, folder) | ShardRun::Already(folder, _) => folder,
            }
        });
        let merged = dir.path().join("merged");
        merge(&merged, &folders).unwrap();
        assert_same_files(one.dir.path(), &merged);
        fs::remove_dir_all(merged).unwrap();
    }
}

#[test]
fn where_it_is_not_wanted_nothing_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let files = arrangements(dir.path()).swap_remove(1);
    let silent = [
        Ran::new(&files, |config| config.lint.semantic = false),
        Ran::new(&files, |config| config.lint.ignore = vec!["L504".to_owned()]),
    ];
    for ran in silent {
        assert!(ran.rows("train").iter().all(|row| unused(row).is_empty()));
    }
}
