//! `refolio stats`

use super::{BIRDS, TestEnvironment};

/// The birds as training part, and a test part with one story again and one that is the same up to renaming.
fn with_leaks() -> TestEnvironment {
    let env = TestEnvironment::with_birds();
    let mut test: Vec<String> = BIRDS.lines().take(2).map(|line| format!("{line}\n")).collect();
    test[0] = test[0].replace("\"example_id\": 1", "\"example_id\": 11");
    test[1] = test[1]
        .replace("All herons eat fish.\\nGrey is a heron.", "Ada is a poet.\\nAll poets write verse.")
        .replace("∀x (Heron(x) → Eat(x, fish))\\nHeron(grey)", "Poet(ada)\\n∀y (Poet(y) → Write(y, verse))")
        .replace("Grey eats snails.", "Ada writes verse.")
        .replace("Eat(grey, snail)", "Write(ada, verse)")
        .replace("\"Uncertain\"", "\"True\"")
        .replace("\"example_id\": 2", "\"example_id\": 12");
    env.write("birds_test.jsonl", test.concat());
    env
}

#[test]
fn a_dataset_is_described() {
    let env = with_leaks();
    let files = ["stats", "birds_train.jsonl", "birds_test.jsonl"];
    insta::assert_snapshot!("text", env.run(&[&files[..], &["--out", "twice.parquet"]].concat()));
    assert!(env.path("twice.parquet").is_file());
    insta::assert_snapshot!("markdown", env.run(&[&files[..], &["--format", "markdown"]].concat()));
    let json = env.run(&[&files[..], &["--format", "json"]].concat()).success();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["splits"][1]["labels"].to_string(), "{\"True\":4,\"Uncertain\":2}");
    let records = &json["duplicates"][3];
    assert_eq!((records["level"].as_str(), records["groups"].as_u64()), (Some("record-formulas"), Some(1)));
    assert_eq!(records["between"][0].to_string(), "{\"split\":\"test\",\"other\":\"train\",\"count\":2}");
    assert_eq!(records["unparsed"], 2);
}

#[test]
fn what_is_found_can_fail() {
    let env = with_leaks();
    let code = |inputs: &[&str], what: &str| env.run(&[&["stats"], inputs, &["--fail-on", what]].concat()).code;
    let both: &[&str] = &["birds_train.jsonl", "birds_test.jsonl"];
    assert_eq!(code(both, "leakage"), Some(1));
    assert_eq!(code(both, "formula-leakage"), Some(1));
    assert_eq!(code(both, "duplicates"), Some(1));
    assert_eq!(code(both, "unparsed"), Some(1));
    assert_eq!(code(&["birds_train.jsonl"], "leakage,formula-leakage,duplicates"), Some(0));
    assert_eq!(code(&["birds_test.jsonl"], "unparsed,leakage"), Some(0));
    // A folder stands for its files, and what a run wrote for its splits.
    env.run(&["-q", "run", "--input", "birds_test.jsonl", "--out", "out"]);
    assert_eq!(code(&["birds_train.jsonl", "out"], "leakage"), Some(1));
    assert_eq!(code(&["out"], "unparsed"), Some(0));
    assert_eq!(code(&[], "unparsed"), Some(2), "no inputs");
    assert_eq!(code(&["none.jsonl"], "unparsed"), Some(3));
}
