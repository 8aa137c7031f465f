//! `refolio run`

use insta::assert_snapshot;

use super::{BIRDS, TestEnvironment, exists};

/// What has to be the same whenever the same is run; `timings.parquet` holds times and is not.
const SAME: [&str; 3] = ["train.parquet", "manifest.json", "summary.md"];

fn run_birds(more: &[&str]) -> (TestEnvironment, super::CommandOutput) {
    let env = TestEnvironment::with_birds();
    let mut arguments = vec!["run", "--input", "birds_train.jsonl"];
    arguments.extend(more);
    let output = env.run(&arguments);
    (env, output)
}

#[test]
fn the_closing_table() {
    let (env, output) = run_birds(&[]);
    assert_snapshot!(output, @"");
    assert_eq!(env.names("out"), ["manifest.json", "summary.md", "timings.parquet", "train.parquet"]);
}

#[test]
fn fixes_none_takes_every_text_as_it_came() {
    let (_, output) = run_birds(&["--fixes", "none"]);
    let status: Vec<&str> = output.stdout.lines().take(8).collect();
    assert_snapshot!(status.join("\n"), @"");
}

#[test]
fn a_second_run_writes_the_same_bytes() {
    let (env, first) = run_birds(&[]);
    let before = SAME.map(|name| env.bytes(&format!("out/{name}")));
    let second = env.run(&["run", "--input", "birds_train.jsonl", "--jobs", "1"]);
    assert_eq!((second.code, &second.stdout), (Some(0), &first.stdout));
    let after = SAME.map(|name| env.bytes(&format!("out/{name}")));
    assert!(before == after, "a file differs");
}

#[test]
fn quiet_prints_nothing() {
    let (env, output) = run_birds(&["--quiet"]);
    assert_eq!(output.success(), "");
    assert!(exists(&env.path("out/train.parquet")));
}

#[test]
fn csv_in_the_columns_of_folio_refined() {
    let (env, output) = run_birds(&["--quiet", "--csv"]);
    output.success();
    let text = env.text("out/train.csv");
    let lines: Vec<&str> = text.lines().take(7).collect();
    assert_snapshot!(lines.join("\n"), @"");
}

#[test]
#[cfg(feature = "bundled-vampire")]
fn saved_problems_can_be_rerun() {
    let (env, output) = run_birds(&["--quiet", "--save-problems", "problems"]);
    output.success();
    let names = env.names("problems");
    assert_snapshot!(names.join("\n"), @"");
    let name = names.iter().find(|name| name.contains("entails")).unwrap();
    assert_snapshot!(env.text(&format!("problems/{name}")), @"");
    // What the run recorded, by the hand of the user.
    let again = env.run(&["vampire", &format!("problems/{name}")]);
    assert!(again.stdout.contains("% SZS status Theorem"), "{again}");
}

#[test]
fn fail_on_is_for_continuous_integration() {
    let (env, output) = run_birds(&["--quiet", "--fail-on", "conflict"]);
    assert_eq!(output.code, Some(1), "{output}");
    let code = |condition: &str| env.run(&["run", "-q", "-i", "birds_train.jsonl", "--fail-on", condition]).code;
    assert_eq!(code("undetermined"), Some(0));
    assert_eq!(code("inconsistent"), Some(1));
    assert_eq!(code("problematic"), Some(1));
}

#[test]
fn the_split_can_be_named() {
    let env = TestEnvironment::with_birds();
    let output = env.run(&["run", "--input", "spring=birds_train.jsonl", "--out", "there"]);
    assert_eq!(output.stderr, "wrote spring.parquet, summary.md and manifest.json to there\n");
    assert!(output.stdout.contains(" status             spring"), "{output}");
    assert!(!exists(&env.path("out")));
}

#[test]
fn paths_of_the_configuration_are_relative_to_it() {
    let env = TestEnvironment::new();
    env.write("project/data/birds.jsonl", BIRDS);
    env.write(
        "project/my.toml",
        "[dataset]\ninputs = [\"dev=data/birds.jsonl\"]\n[output]\ndir = \"results\"\ncsv = true\n",
    );
    env.run(&["run", "--quiet", "--config", "project/my.toml"]).success();
    assert_eq!(
        env.names("project/results"),
        ["dev.csv", "dev.parquet", "manifest.json", "summary.md", "timings.parquet"]
    );
}

#[test]
fn flags_override_the_configuration() {
    let env = TestEnvironment::with_birds();
    env.write(
        "pipeline.toml",
        "[dataset]\ninputs = [\"missing.jsonl\"]\n[output]\ndir = \"results\"\n[fixes]\nlevel = \"safe\"\n",
    );
    let output = env.run(&["run", "-i", "birds_train.jsonl", "-o", "mine", "--fixes", "none"]);
    assert_eq!(output.stderr, "wrote train.parquet, summary.md and manifest.json to mine\n");
    let manifest: serde_json::Value = serde_json::from_str(&env.text("mine/manifest.json")).unwrap();
    assert_eq!(manifest["config"]["fixes"]["level"], "none", "{manifest:#}");
    assert!(!exists(&env.path("results")));
}

#[test]
fn files_of_an_earlier_run_are_named() {
    let (env, _) = run_birds(&["--quiet", "--csv"]);
    let output = env.run(&["run", "--input", "dev=birds_train.jsonl"]);
    assert_snapshot!(output.stderr, @"");
}
