//! `refolio lint --fix`

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;

use insta::assert_snapshot;

use super::{TestEnvironment, json_lines};

/// Rows in the style of Python's `json.dumps`, one of which has a missing bracket in its second premise.
const ESCAPED: &str = r#"{"premises": "Rex barks.\n\nAll dogs bark.", "premises-FOL": "Bark(rex)\n\n \u2200x (Dog(x) \u2192 Bark(x) ", "conclusion": "Rex is a dog.", "conclusion-FOL": "Dog(rex)", "label": "Uncertain", "example_id": 1}
 { "premises":"Rex barks.","premises-FOL":"Bark(rex)",  "conclusion":"Caf\u00e9.","conclusion-FOL":"Dog(rex)","label":"Uncertain","example_id":2 }
"#;

#[test]
fn only_the_faulty_characters_change() {
    let env = TestEnvironment::new();
    env.write("dogs.jsonl", ESCAPED);
    assert_snapshot!(env.run(&["lint", "dogs.jsonl", "--fix", "--select", "S"]), @r"
    exit code: 0
    ----- stdout
    no findings
    ----- stderr
    fixed 1 finding in 1 row of dogs.jsonl (S101 1); every edit is recorded in dogs.jsonl.fixes
    ");
    assert_eq!(env.text("dogs.jsonl"), ESCAPED.replace(r"Bark(x) ", r"Bark(x)) "));
    let edits = json_lines(&env.text("dogs.jsonl.fixes"));
    assert_snapshot!(edits.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"), @r#"{"row":0,"record_id":"1","target":"premise[1]","rule":"S101","kind":"fix","before":"∀x (Dog(x) → Bark(x)","after":"∀x (Dog(x) → Bark(x))"}"#);
    assert_eq!(env.names("."), ["dogs.jsonl", "dogs.jsonl.fixes"], "nothing else is left");
}

#[test]
fn nothing_is_written_if_nothing_changes() {
    let env = TestEnvironment::new();
    let clean = ESCAPED.replace(r"Bark(x) ", r"Bark(x)) ");
    env.write("dogs.jsonl", &clean);
    let before = fs::metadata(env.path("dogs.jsonl")).unwrap().modified().unwrap();
    assert_snapshot!(env.run(&["lint", "dogs.jsonl", "--fix", "--select", "S"]), @r"
    exit code: 0
    ----- stdout
    no findings
    ----- stderr
    nothing to fix in dogs.jsonl
    ");
    assert_eq!(fs::metadata(env.path("dogs.jsonl")).unwrap().modified().unwrap(), before);
    assert_eq!(env.names("."), ["dogs.jsonl"]);
}

#[test]
fn lists_in_an_array_keep_their_elements_and_their_raw_letters() {
    let env = TestEnvironment::new();
    let text = "[\n  {\n    \"premises\": [\"All dogs bark.\", \"Rex is a dog.\"],\n    \"premises-FOL\": [\n      \"∀x (Dog(x) → Bark(x)\",\n      \"Dog(rex)\"\n    ],\n    \"conclusion\": \"Rex barks.\",\n    \"conclusion-FOL\": \"Bark(rex\",\n    \"label\": \"True\"\n  }\n]\n";
    env.write("dogs.json", text);
    let output = env.run(&["lint", "dogs.json", "--fix", "--select", "S"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(env.text("dogs.json"), text.replace("Bark(x)\"", "Bark(x))\"").replace("Bark(rex\"", "Bark(rex)\""));
}

#[test]
fn csv_keeps_its_quotation_marks_and_line_ends() {
    let env = TestEnvironment::new();
    let text = "\u{feff}nl premises,fol premises,nl conclusion,fol conclusion,label\r\n\"All \"\"dogs\"\" bark.\nRex is a dog.\",\"∀x (Dog(x) → Bark(x)\nDog(rex)\",Rex barks.,Bark(rex,True\r\nRex barks.,Bark(rex),Rex barks.,Bark(rex),True\r\n";
    env.write("dogs.csv", text);
    let output = env.run(&["lint", "dogs.csv", "--fix", "--select", "S"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(
        env.text("dogs.csv"),
        text.replace("Bark(x)\n", "Bark(x))\n").replace("Bark(rex,True", "Bark(rex),True")
    );
}

#[test]
fn a_packed_file_stays_packed_and_keeps_its_mode() {
    let env = TestEnvironment::new();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(ESCAPED.as_bytes()).unwrap();
    env.write("dogs.jsonl.gz", encoder.finish().unwrap());
    env.write("dogs.jsonl.zst", zstd::encode_all(ESCAPED.as_bytes(), 1).unwrap());
    fs::set_permissions(env.path("dogs.jsonl.gz"), fs::Permissions::from_mode(0o640)).unwrap();
    let output = env.run(&["lint", "dogs.jsonl.gz", "dogs.jsonl.zst", "--fix", "--select", "S"]);
    assert_eq!(output.code, Some(0), "{output}");
    let mended = ESCAPED.replace(r"Bark(x) ", r"Bark(x)) ");
    let mut text = String::new();
    flate2::read::GzDecoder::new(env.bytes("dogs.jsonl.gz").as_slice()).read_to_string(&mut text).unwrap();
    assert_eq!(text, mended);
    assert_eq!(zstd::decode_all(env.bytes("dogs.jsonl.zst").as_slice()).unwrap(), mended.as_bytes());
    assert_eq!(fs::metadata(env.path("dogs.jsonl.gz")).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn unsafe_fixes_need_to_be_asked_for() {
    let env = TestEnvironment::new();
    let text = "NL,FOL\nSome dog barks.,∃x (Dog(x) → Bark(x))\n";
    env.write("dogs.csv", text);
    env.run(&["lint", "dogs.csv", "--fix"]);
    assert_eq!(env.text("dogs.csv"), text);
    assert_snapshot!(env.run(&["lint", "dogs.csv", "--fix", "--unsafe-fixes"]), @r"
    exit code: 0
    ----- stdout
    no findings
    ----- stderr
    fixed 1 finding in 1 row of dogs.csv (P301 1); every edit is recorded in dogs.csv.fixes
    ");
    assert_eq!(env.text("dogs.csv"), "NL,FOL\nSome dog barks.,∃x (Dog(x) ∧ Bark(x))\n");
    assert_snapshot!(env.run(&["lint", "dogs.csv", "--unsafe-fixes"]), @r"
    exit code: 2
    ----- stderr
    error: the following required arguments were not provided:
      --fix

    Usage: refolio lint --fix --unsafe-fixes <[SPLIT=]FILE>...

    For more information, try '--help'.
    ");
}

#[test]
fn records_of_edits_are_appended() {
    let env = TestEnvironment::new();
    env.write("dogs.jsonl", ESCAPED);
    env.run(&["lint", "dogs.jsonl", "--fix", "--select", "S101"]);
    env.write("dogs.jsonl", ESCAPED);
    env.run(&["lint", "dogs.jsonl", "--fix", "--select", "S101"]);
    let edits = json_lines(&env.text("dogs.jsonl.fixes"));
    assert_eq!(edits.len(), 2);
    assert_eq!(edits[0], edits[1]);
}

#[test]
fn a_row_that_cannot_be_read_is_left_alone() {
    let env = TestEnvironment::new();
    let text = format!("{ESCAPED}{{\"premises\": \n");
    env.write("dogs.jsonl", &text);
    let output = env.run(&["lint", "dogs.jsonl", "--fix", "--select", "S,R107"]);
    assert_eq!(output.code, Some(1), "{output}");
    assert_eq!(env.text("dogs.jsonl"), text.replace(r"Bark(x) ", r"Bark(x)) "));
}

#[test]
fn a_link_is_followed() {
    let env = TestEnvironment::new();
    env.write("data/dogs.jsonl", ESCAPED);
    std::os::unix::fs::symlink("data/dogs.jsonl", env.path("link.jsonl")).unwrap();
    let output = env.run(&["lint", "link.jsonl", "--fix", "--select", "S"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(env.path("link.jsonl").is_symlink());
    assert_eq!(env.text("data/dogs.jsonl"), ESCAPED.replace(r"Bark(x) ", r"Bark(x)) "));
}

#[test]
fn a_read_only_file_is_not_replaced() {
    let env = TestEnvironment::new();
    env.write("dogs.jsonl", ESCAPED);
    fs::set_permissions(env.path("dogs.jsonl"), fs::Permissions::from_mode(0o444)).unwrap();
    assert_snapshot!(env.run(&["lint", "dogs.jsonl", "--fix", "--select", "S"]), @r"
    exit code: 5
    ----- stderr
    error: dogs.jsonl: the file is read-only; left as it is
    ");
    assert_eq!(env.text("dogs.jsonl"), ESCAPED);
    assert_eq!(env.names("."), ["dogs.jsonl"]);
}

#[test]
fn parquet_cannot_be_mended_in_place() {
    let env = TestEnvironment::with_birds();
    env.run(&["run", "--quiet", "--input", "birds_train.jsonl", "--fixes", "none"]).success();
    let before = env.bytes("out/train.parquet");
    assert_snapshot!(env.run(&["lint", "out/train.parquet", "--fix"]), @r"
    exit code: 3
    ----- stderr
    error: out/train.parquet: fixes cannot be applied in place to a file of format parquet
    hint: `refolio run --fixes safe` writes a mended copy as Parquet, with every edit on record
    ");
    assert!(env.bytes("out/train.parquet") == before);
}
