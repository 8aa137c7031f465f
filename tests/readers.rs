//! Opens written files with the readers that other people use: pyarrow, polars, Hugging Face `datasets`, Python's
//! `csv` and pandas.
//!
//! `REFOLIO_PYTHON` names the Python to use; then missing packages are a failure. Without it `python3` is tried, and
//! the test is skipped, with the reason, where that has no pyarrow or no polars.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use refolio::emit::{EmitOptions, Emitter, RunInfo, SCHEMA_VERSION};
use refolio::{diagnostic, record};
use serde_json::{Value, json};

#[path = "../src/emit/testing.rs"]
#[expect(dead_code, reason = "the library's own tests use more of it")]
mod testing;

#[cfg(feature = "bundled-vampire")]
#[path = "support/rows.rs"]
mod rows;

/// The types as a reader must find them; written out, so that a change of the schema is seen here. `?` can be null.
const TYPES: [(&str, &str); 45] = [
    ("record_id", "utf8"),
    ("split", "utf8"),
    ("story_id", "utf8?"),
    ("example_id", "utf8?"),
    ("source_file", "utf8"),
    ("source_row", "int64"),
    ("source_sha256", "utf8"),
    ("premises", "list<utf8>"),
    ("premises_fol", "list<utf8>"),
    ("conclusion", "utf8?"),
    ("conclusion_fol", "utf8?"),
    ("label", "utf8?"),
    ("premises_fol_original", "list<utf8>"),
    ("conclusion_fol_original", "utf8?"),
    ("label_original", "utf8?"),
    ("status", "utf8"),
    ("verdict", "utf8"),
    ("agreement", "utf8"),
    ("verdict_original", "utf8"),
    ("agreement_original", "utf8"),
    ("verdict_reason", "utf8?"),
    ("szs_consistency", "utf8?"),
    ("szs_entails", "utf8?"),
    ("szs_refutes", "utf8?"),
    ("used_premises", "list<int32>?"),
    ("models", "utf8?"),
    ("evidence", "utf8?"),
    ("proof_ref", "utf8?"),
    ("signals", "list<utf8>"),
    (
        "edits",
        "list<struct<target: utf8, before: utf8, after: utf8, rule: utf8, kind: utf8, iteration: int32, \
         alternatives: list<utf8>, asked_by: utf8?, why: utf8>>",
    ),
    (
        "diagnostics",
        "list<struct<code: utf8, severity: utf8, target: utf8, start: int32, end: int32, message: utf8, hint: utf8?, \
         fix_applicability: utf8?, fix_after: utf8?>>",
    ),
    ("proposals", "list<struct<rung: utf8, cost: float64, outcome: utf8, reason: utf8?, edits: utf8>>"),
    ("proposed_label", "utf8?"),
    ("decision", "utf8?"),
    ("decided_by", "list<utf8>"),
    ("decision_comment", "utf8?"),
    ("iterations", "int32"),
    ("review_score", "float64?"),
    ("review_reason", "utf8?"),
    ("critique", "utf8?"),
    ("llm_model", "utf8?"),
    ("prompt_version", "utf8?"),
    ("presuppositions", "list<struct<target: utf8, formula: utf8, sentence: utf8?>>"),
    ("symbols", "list<struct<name: utf8, kind: utf8, arity: int32, used_in: list<utf8>, gloss: utf8?>>"),
    ("source_raw", "binary?"),
];

const ROWS: usize = 40;

/// Writes `train.parquet` and `train.csv` to the folder and returns what a reader must find in them.
fn write(dir: &Path) -> Value {
    let config = json!({"fixes": "safe", "umlaut": "ä"});
    let info = RunInfo::new(&config, "safe", Vec::new(), None);
    let kinds = [testing::plain_row, testing::repaired_row, testing::odd_row, testing::unreadable_row];
    let rows: Vec<_> = (0..ROWS).map(|i| kinds[i % kinds.len()](&i.to_string(), "train")).collect();
    let mut emitter =
        Emitter::create(dir, EmitOptions { csv: true, timings: false, proofs: true }).expect("the folder is writable");
    emitter.push(&rows).expect("rows are written");
    let emitted = emitter.finish(&info).expect("files are written");

    let joined = |texts: &[String]| texts.iter().map(|t| t.replace('\n', " ")).collect::<Vec<_>>().join("\n");
    let mut csv = vec![json!(["nl premises", "fol premises", "nl conclusion", "fol conclusion", "label"])];
    csv.extend(rows.iter().map(|row| {
        json!([
            joined(&row.record.premises),
            joined(&row.premises_fol),
            row.record.conclusion,
            row.conclusion_fol.clone().unwrap_or_default(),
            row.label.map_or("", record::Label::as_str),
        ])
    }));
    json!({
        "types": TYPES.iter().map(|(name, kind)| ((*name).to_owned(), json!(kind))).collect::<serde_json::Map<_, _>>(),
        "metadata": {
            "refolio.version": env!("CARGO_PKG_VERSION"),
            "refolio.schema_version": SCHEMA_VERSION.to_string(),
            "refolio.config": r#"{"fixes":"safe","umlaut":"ä"}"#,
            "refolio.config_sha256": info.config_sha256,
            "refolio.fixes": "safe",
            "refolio.inputs": "[]",
            "refolio.prover": "null",
            "refolio.counts": emitted.counts.splits["train"].json().to_string(),
        },
        "rows": rows.iter().map(testing::expected_json).collect::<Vec<_>>(),
        "csv": csv,
    })
}

/// What the readers say of a Parquet file and, if there is one, a CSV file; `None`, with the reason on the terminal,
/// where they are missing.
fn check(parquet: &Path, csv: Option<&Path>, expected: &Value) -> Option<Output> {
    let file = parquet.with_file_name("expected.json");
    std::fs::write(&file, expected.to_string()).expect("the folder is writable");
    let script: PathBuf = [env!("CARGO_MANIFEST_DIR"), "scripts", "readers", "check.py"].iter().collect();
    let named = std::env::var_os("REFOLIO_PYTHON");
    let python = named.clone().unwrap_or_else(|| "python3".into());
    let result = Command::new(&python)
        .arg(script)
        .args([file.as_path(), parquet].into_iter().chain(csv))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output();
    let reason = match result {
        Ok(output) if output.status.code() == Some(77) => String::from_utf8_lossy(&output.stderr).into_owned(),
        Ok(output) => return Some(output),
        Err(error) => error.to_string(),
    };
    assert!(named.is_none(), "REFOLIO_PYTHON={}: {reason}", python.display());
    report(&format!("skipped: {} cannot check the files: {}", python.display(), reason.trim()));
    None
}

fn check_both(dir: &Path, expected: &Value) -> Option<Output> {
    check(&dir.join("train.parquet"), Some(&dir.join("train.csv")), expected)
}

#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn report(text: &str) {
    eprintln!("{text}");
}

#[test]
fn other_readers_find_every_value() {
    let dir = tempfile::tempdir().unwrap();
    let expected = write(dir.path());
    let Some(output) = check_both(dir.path(), &expected) else { return };
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    assert!(out.contains("equal: 40 rows of 45 columns"), "{out}{err}");
    report(out.trim());
}

#[test]
fn every_reader_of_the_check_can_find_a_difference() {
    let dir = tempfile::tempdir().unwrap();
    let expected = write(dir.path());
    let polars = ["polars.read_parquet: ", "polars.scan_parquet: "];
    let changes: [(&str, Value, &str, &[&str]); 6] = [
        ("/rows/1/edits/0/alternatives/0", json!("x"), "row 1.edits[0].alternatives[0]: ", &polars),
        ("/rows/2/used_premises", Value::Null, "row 2.used_premises: ", &polars),
        ("/rows/3/source_raw", json!("00"), "row 3.source_raw: ", &polars),
        ("/types/source_row", json!("int32"), "types.source_row: ", &polars),
        ("/metadata/refolio.fixes", json!("none"), "metadata.refolio.fixes: ", &[]),
        ("/csv/3/0", json!(""), "[3][0]: ", &[]),
    ];
    for (place, value, named, polars) in changes {
        let mut changed = expected.clone();
        *changed.pointer_mut(place).unwrap() = value;
        let Some(output) = check_both(dir.path(), &changed) else { return };
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{place}: {err}");
        let readers = if place.starts_with("/csv") { vec!["csv"] } else { [&["pyarrow: "], polars].concat() };
        for reader in readers {
            assert!(err.contains(&format!("different: {reader}{named}")), "{place}: {err}");
        }
    }
}

/// Writes the sample's splits through the whole pipeline.
#[cfg(feature = "bundled-vampire")]
fn write_sample(dir: &Path) {
    use refolio::config::Config;
    use refolio::pipeline::{self, Provers, Silent};
    use refolio::prove::vampire::Vampire;

    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut config = Config::read(&package.join("pipeline.toml")).expect("the default configuration");
    dir.clone_into(&mut config.output.dir);
    let inputs = config.inputs().expect("files");
    let vampire = Vampire::bundled(Path::new(env!("CARGO_BIN_EXE_refolio"))).expect("the bundled Vampire");
    pipeline::run(&config, &inputs, Provers { first: &vampire, second: None, agents: None }, None, &Silent)
        .expect("the run ends well");
}

/// What refolio says of a file in the file itself.
#[cfg(feature = "bundled-vampire")]
fn metadata(file: &Path) -> serde_json::Map<String, Value> {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};

    let reader =
        SerializedFileReader::new(std::fs::File::open(file).expect("the file is there")).expect("it is Parquet");
    let entries = reader.metadata().file_metadata().key_value_metadata().expect("metadata");
    let ours = entries.iter().filter(|entry| entry.key.starts_with("refolio."));
    ours.map(|entry| (entry.key.clone(), json!(entry.value))).collect()
}

#[cfg(feature = "bundled-vampire")]
#[test]
fn other_readers_open_the_sample() {
    let dir = tempfile::tempdir().unwrap();
    write_sample(dir.path());
    let types = TYPES.iter().map(|(name, kind)| ((*name).to_owned(), json!(kind)));
    let types: serde_json::Map<_, _> = types.collect();
    let mut elements = 0;
    for (split, count) in [("train", 57), ("validation", 55), ("sample_unformalised", 5)] {
        let file = dir.path().join(format!("{split}.parquet"));
        let rows: Vec<Value> = rows::read(&file).into_iter().map(|row| Value::Object(row.0)).collect();
        assert_eq!(rows.len(), count);
        let lengths = |column: &str| rows.iter().filter_map(|r| r[column].as_array()).map(Vec::len).sum::<usize>();
        elements += lengths("edits").min(1) + lengths("diagnostics").min(1) + lengths("used_premises").min(1);
        let expected = json!({"types": types, "metadata": metadata(&file), "rows": rows});
        let Some(output) = check(&file, None, &expected) else { return };
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{split}: {out}{err}");
        assert!(out.contains(&format!("equal: {count} rows of {} columns", TYPES.len())), "{split}: {out}{err}");
        report(&format!("{split}: {}", out.trim()));
    }
    assert!(elements >= 7, "the sample fills its lists");
}
