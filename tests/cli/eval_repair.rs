//! `refolio eval-repair`

use insta::assert_snapshot;
use serde_json::Value;

use super::TestEnvironment;

/// The output for the dataset of birds.
fn evaluated(more: &[&str]) -> String {
    let mut arguments = vec!["eval-repair", "--input", "birds_train.jsonl"];
    arguments.extend(more);
    TestEnvironment::with_birds().run(&arguments).success()
}

fn json(more: &[&str]) -> Value {
    let arguments: Vec<&str> = more.iter().copied().chain(["--format", "json"]).collect();
    serde_json::from_str(&evaluated(&arguments)).unwrap()
}

#[test]
fn brackets() {
    // Safe fixes mend most of them, and search finds a better place for some.
    assert_snapshot!(evaluated(&["--kinds", "dropped-bracket", "--per-record", "4", "--seed", "3", "--by-rule"]), @"
    6 records, 3 agree; seed 3, up to 4 of each kind in a record

     error             mutated   n/a       un-   restored       by      wrong       by       un-   ambi-       un-        un-   precision    recall
                                       changed   by fixes   search   by fixes   search   decided   guous   touched   readable
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
     dropped-bracket        12     0         0          9        3          0        0         0       0         0          0     100.0 %   100.0 %
     all                    12     0         0          9        3          0        0         0       0         0          0     100.0 %   100.0 %

     rule             right   wrong   undecided   precision
    ────────────────────────────────────────────────────────
     open-arguments       1       0           0     100.0 %
     other-bracket        2       0           0     100.0 %
    ");
}

#[test]
fn every_kind_is_measured() {
    let report = json(&["--by-rule", "--list", "--list-missed"]);
    assert_eq!((&report["seed"], &report["records"], &report["agreeing"]), (&1.into(), &6.into(), &3.into()));
    let kinds = report["kinds"].as_object().unwrap();
    let names: Vec<&str> = kinds.keys().map(String::as_str).collect();
    assert_snapshot!(names.join(" "), @"dropped-bracket misspelt case inflection quantifier and-implies or-xor lost-negation swapped-arguments free-variable packed-argument");
    for (name, counts) in kinds {
        let count = |key: &str| counts[key].as_u64().unwrap();
        assert!(count("mutated") + count("not_applicable") == 3, "{name}: {counts}");
    }
    assert!(report["rules"].is_object() && report["wrong"].is_array() && report["missed"].is_array());
}

#[test]
fn kinds_come_in_the_order_asked_for() {
    let report = json(&["--kinds", "case,misspelt,case"]);
    let names: Vec<&String> = report["kinds"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["case", "misspelt"]);
    assert_eq!(report["total"]["mutated"], 6);
    assert_eq!((report.get("rules"), report.get("wrong")), (None, None));
}

#[test]
fn wrong_labels() {
    let report = json(&["--wrong-labels", "--list"]);
    let pairs = report["pairs"].as_array().unwrap().iter();
    let told = pairs.map(|p| format!("{}→{} {} {}\n", p["verdict"], p["label"], p["controls"], p["conflicts"]));
    assert_snapshot!(told.collect::<String>(), @r#"
    "True"→"False" 2 0
    "True"→"Uncertain" 2 0
    "False"→"True" 0 1
    "False"→"Uncertain" 0 0
    "Uncertain"→"True" 1 0
    "Uncertain"→"False" 1 0
    "#);
    assert_eq!(report["bent"].as_array().unwrap().len() as u64, report["total"]["bent"].as_u64().unwrap());
    let text = evaluated(&["--wrong-labels"]);
    let header: Vec<&str> = text.lines().take(4).collect();
    assert_snapshot!(header.join("\n"), @"
    6 records, 3 agree

     verdict → label      wrong   bent    rate        real   closed    rate   share of
                         labels                  conflicts                      chance
    ");
}

#[test]
fn threads_change_no_byte() {
    for arguments in [&["--per-record", "3", "--list", "--list-missed", "--by-rule"][..], &["--wrong-labels", "--list"]]
    {
        let with = |jobs| evaluated(&[arguments, &["--jobs", jobs]].concat());
        assert_eq!(with("1"), with("3"));
    }
}

#[test]
fn the_seed_decides_which_errors_are_made() {
    let with = |seed| evaluated(&["--seed", seed, "--format", "json"]);
    assert_eq!(with("5"), with("5"));
    let outcomes: Vec<String> = ["1", "2", "3", "4", "5", "6"].map(with).to_vec();
    assert!(outcomes.iter().any(|o| o.replace("\"seed\": 2", "\"seed\": 1") != outcomes[0]));
}

#[test]
fn mistakes() {
    let env = TestEnvironment::with_birds();
    assert_snapshot!(env.run(&["eval-repair", "-i", "birds_train.jsonl", "--kinds", "spelling"]), @"
    exit code: 2
    ----- stderr
    error: invalid value 'spelling' for '--kinds <KINDS>'
      [possible values: dropped-bracket, misspelt, case, inflection, quantifier, and-implies, or-xor, lost-negation, swapped-arguments, free-variable, packed-argument]

    For more information, try '--help'.
    ");
    assert_snapshot!(env.run(&["eval-repair", "-i", "birds_train.jsonl", "--wrong-labels", "--seed", "2"]), @"
    exit code: 2
    ----- stderr
    error: the argument '--wrong-labels' cannot be used with '--seed <S>'

    Usage: refolio eval-repair --input <[SPLIT=]FILE> --wrong-labels

    For more information, try '--help'.
    ");
    assert_snapshot!(env.run(&["eval-repair"]), @"
    exit code: 2
    ----- stderr
    error: there is nothing to read: no input is named
    hint: name files with --input, or in dataset.inputs of pipeline.toml
    ");
}
