//! A recorded run over rows of FOLIO's validation split, told again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

use crate::folder::Folder;
use crate::rows::{self, OutRow};

/// Stories whose rows were asked about, as `tests/fixtures/recorded/README.md` says.
const STORIES: [u64; 24] =
    [2, 46, 64, 96, 131, 197, 203, 234, 245, 306, 315, 318, 322, 330, 343, 350, 361, 379, 380, 385, 435, 460, 472, 483];

fn recording() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/recorded/answers.jsonl")
}

/// The rows of the stories, with the settings of the recording; `None` where the dataset is not at hand.
fn folder() -> Option<Folder> {
    let Some(data) = env::var_os("REFOLIO_DATA") else {
        #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
        {
            eprintln!("skipped: REFOLIO_DATA names no folder with published data sets");
        }
        return None;
    };
    let text = fs::read_to_string(Path::new(&data).join("folio-v2/folio_v2_validation.jsonl")).unwrap();
    let wanted = |line: &&str| {
        let row: Value = serde_json::from_str(line).unwrap();
        row["story_id"].as_u64().is_some_and(|story| STORIES.contains(&story))
    };
    let data: String = text.lines().filter(wanted).map(|line| format!("{line}\n")).collect();
    let folder = Folder::new("http://127.0.0.1:9/v1", &data, "");
    fs::copy(folder.path("rows_train.jsonl"), folder.path("rows_validation.jsonl")).unwrap();
    fs::copy(recording().with_file_name("pipeline.toml"), folder.path("pipeline.toml")).unwrap();
    Some(folder)
}

fn told(folder: &Folder, out: &str) -> Vec<OutRow> {
    let recording = recording();
    folder.success(&["run", "--quiet", "--replay", recording.to_str().unwrap(), "--out", out]);
    rows::read(&folder.path(out).join("validation.parquet"))
}

#[test]
fn a_recorded_run_shows_every_outcome_and_is_the_same_twice() {
    let Some(folder) = folder() else { return };
    let rows = told(&folder, "one");
    told(&folder, "two");
    assert_eq!(folder.written("one"), folder.written("two"));

    let asked: Vec<&OutRow> = rows.iter().filter(|row| !row.0["llm_model"].is_null()).collect();
    assert!(asked.len() >= 40, "{}", asked.len());
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &asked {
        let row = &row.0;
        let proposals = row["proposals"].as_array().unwrap();
        let refused = proposals.iter().any(|p| p["rung"] == "refiner" && p["outcome"] == "refused");
        let reason = row["verdict_reason"].as_str().unwrap_or_default();
        for (name, is_so) in [
            ("repaired", row["status"] == "repaired"),
            ("refused by a guard", refused),
            ("another label proposed", !row["proposed_label"].is_null()),
            ("given up", reason.starts_with("llm-gave-up: ")),
        ] {
            *outcomes.entry(name).or_default() += usize::from(is_so);
        }
        // Nothing is accepted that is not proved, and nothing is left without a word.
        assert_eq!(row["status"] == "repaired", row["agreement"] == "agree");
        assert!(row["status"] == "repaired" || !reason.is_empty());
        assert_eq!(row["llm_model"], "claude");
    }
    insta::assert_debug_snapshot!(outcomes);
    folder.success(&["check", "one"]);
    // Rows that agreed as they came still do, with the same verdict.
    for row in rows.iter().filter(|row| row.0["agreement_original"] == "agree") {
        assert_eq!(row.0["verdict"], row.0["verdict_original"]);
    }
}
