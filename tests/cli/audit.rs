//! `refolio audit`

use super::{BIRDS, TestEnvironment};

/// The birds in a later version: a label, a premise's formula and a sentence are others, one row is gone and one is new.
fn later() -> String {
    let mut lines: Vec<String> = BIRDS.lines().map(str::to_owned).collect();
    lines[0] = lines[0].replace("∀x (Heron(x) → Eat(x, fish))", "∀x (¬Eat(x, fish) → ¬Heron(x))");
    lines[1] = lines[1].replace("∀x (Heron(x) → Eat(x, fish))", "∀x (¬Eat(x, fish) → ¬Heron(x))");
    lines[3] = lines[3].replace("\"label\": \"True\"", "\"label\": \"False\"");
    lines[4] = lines[4].replace("Dot sings.", "Dot sings well.");
    lines.remove(2);
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn two_versions() {
    let env = TestEnvironment::with_birds();
    env.write("later_train.jsonl", later());
    insta::assert_snapshot!(env.run(&["audit", "birds_train.jsonl", "later_train.jsonl", "--out", "audit.parquet"]));
    assert!(env.path("audit.parquet").is_file());
    insta::assert_snapshot!(
        "markdown",
        env.run(&["audit", "birds_train.jsonl", "later_train.jsonl", "--format", "markdown"])
    );
    let json = env.run(&["audit", "birds_train.jsonl", "later_train.jsonl", "--format", "json"]).success();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["rows"].as_array().unwrap().len(), 6);
}

#[test]
fn changes_can_fail() {
    let env = TestEnvironment::with_birds();
    env.write("later_train.jsonl", later());
    let code = |change: &str, new: &str| env.run(&["audit", "birds_train.jsonl", new, "--fail-on", change]).code;
    for change in ["label-change", "sentence-change", "row-change"] {
        assert_eq!(code(change, "later_train.jsonl"), Some(1), "{change}");
        assert_eq!(code(change, "birds_train.jsonl"), Some(0), "{change}");
    }
    // The new formula says the same.
    assert_eq!(code("formula-change", "later_train.jsonl"), Some(0));
}
