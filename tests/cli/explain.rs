//! `refolio explain`

use insta::assert_snapshot;

use super::{TestEnvironment, exists};

fn explain(arguments: &[&str]) -> super::CommandOutput {
    let env = TestEnvironment::with_birds();
    env.run(&[&["explain", "-i", "birds_train.jsonl"], arguments].concat())
}

#[test]
fn a_proof_that_needs_a_fix() {
    assert_snapshot!(explain(&["3"]), @"");
}

#[test]
fn fixes_none_shows_the_text_as_it_came() {
    assert_snapshot!(explain(&["3", "--fixes", "none"]), @"");
}

#[test]
fn a_wrong_label() {
    assert_snapshot!(explain(&["4"]), @"");
}

#[test]
fn two_worlds() {
    assert_snapshot!(explain(&["2"]), @"");
}

#[test]
fn premises_that_contradict_each_other() {
    assert_snapshot!(explain(&["5"]), @"");
}

#[test]
fn a_conclusion_without_a_reading() {
    assert_snapshot!(explain(&["6"]), @"");
}

#[test]
fn by_place() {
    let env = TestEnvironment::with_birds();
    let by_id = env.run(&["explain", "-i", "birds_train.jsonl", "5"]).success();
    for arguments in [
        &["-i", "birds_train.jsonl", "birds_train.jsonl:4"][..],
        &["birds_train.jsonl:4"],
        &["--file", "birds_train.jsonl", "--row", "4"],
        &["--file", "birds_train.jsonl", "--line", "5"],
        &["-i", "birds_train.jsonl", "--file", "birds_train.jsonl", "--line", "5"],
    ] {
        assert_eq!(env.run(&[&["explain"], arguments].concat()).success(), by_id, "{arguments:?}");
    }
    assert_snapshot!(env.run(&["explain", "birds_train.jsonl:6"]), @"");
    assert_snapshot!(env.run(&["explain", "--file", "birds_train.jsonl", "--line", "9"]), @"");
}

#[test]
fn inputs_of_the_configuration() {
    let env = TestEnvironment::with_birds();
    env.write("pipeline.toml", "[dataset]\ninputs = [\"birds_train.jsonl\"]\n");
    assert!(env.run(&["explain", "1"]).success().starts_with("Record 1: True, labelled True (agree, verified)\n"));
}

#[test]
fn an_id_that_is_not_there() {
    assert_snapshot!(explain(&["12"]), @"");
    assert_snapshot!(explain(&["nothing-like-it"]), @"");
    assert_snapshot!(TestEnvironment::new().run(&["explain", "1"]), @"");
}

#[test]
fn an_id_that_several_records_have() {
    let env = TestEnvironment::with_birds();
    env.write("birds_validation.jsonl", env.bytes("birds_train.jsonl"));
    let output = env.run(&["explain", "-i", "birds_train.jsonl", "-i", "birds_validation.jsonl", "1"]);
    assert_snapshot!(output, @"");
    // As the hint says.
    let id = output.stderr.lines().nth(2).and_then(|line| line.split_whitespace().next()).unwrap();
    let one = env.run(&["explain", "-i", "birds_train.jsonl", "-i", "birds_validation.jsonl", id]).success();
    assert!(one.contains("birds_validation.jsonl row 0"), "{one}");
}

#[test]
fn a_premise_that_no_record_of_the_story_needs() {
    let env = TestEnvironment::new();
    env.write(
        "rain_train.jsonl",
        r#"{"story_id": 1, "premises": "It rains.\nIf it rains, the street is wet.\nAda sings.", "premises-FOL": "Rain\nRain → Wet(street)\nSings(ada)", "conclusion": "The street is wet.", "conclusion-FOL": "Wet(street)", "label": "True", "example_id": 1}
{"story_id": 1, "premises": "It rains.\nIf it rains, the street is wet.\nAda sings.", "premises-FOL": "Rain\nRain → Wet(street)\nSings(ada)", "conclusion": "It does not rain.", "conclusion-FOL": "¬Rain", "label": "False", "example_id": 2}
"#,
    );
    let told = |more: &[&str]| {
        let output = env.run(&[&["explain", "-i", "rain_train.jsonl", "2"], more].concat()).success();
        output.lines().skip_while(|l| !l.contains("L504")).take(5).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(told(&[]), @"");
    env.write("pipeline.toml", "[lint]\nignore = [\"L504\"]\n");
    assert_eq!(told(&[]), "");
}

#[test]
fn other_formats_and_files() {
    let env = TestEnvironment::with_birds();
    let run = |more: &[&str]| env.run(&[&["explain", "-i", "birds_train.jsonl", "1"], more].concat()).success();
    let json: serde_json::Value = serde_json::from_str(&run(&["--format", "json"])).unwrap();
    assert_eq!((&json["verdict"], &json["account"]["kind"]), (&"True".into(), &"proof".into()));
    assert_eq!(json["used_premises"], serde_json::json!([0, 1]));
    assert!(run(&["--format", "markdown"]).starts_with("# Record `1`: **True**, labelled True"));
    assert_eq!(run(&["--format", "html", "--output", "pages/one.html"]), "");
    assert!(env.text("pages/one.html").starts_with("<!doctype html>\n"));
    assert_eq!(env.names("pages"), ["one.html"]);
    env.write("file", "");
    let blocked = env.run(&["explain", "-i", "birds_train.jsonl", "1", "--output", "file/one.txt"]);
    assert_eq!(blocked.code, Some(5), "{blocked}");
    assert!(!exists(&env.path("file/one.txt")));
}

#[test]
#[cfg(feature = "bundled-vampire")]
fn the_problem_and_the_derivation() {
    assert_snapshot!(explain(&["4", "--tptp"]), @"");
    let proof = explain(&["4", "--proof"]).success();
    assert!(proof.contains("fof(") && proof.contains("premise_0") && proof.contains("$false"), "{proof}");
    assert_snapshot!(explain(&["2", "--proof"]), @"");
    assert_snapshot!(explain(&["6", "--tptp"]), @"");
}
