//! The same input gives the same bytes, and what surrounds a row changes nothing in it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::rows::OutRow;
use crate::{Ran, VALIDATION, contents, published, run_into, sample, vampire};

/// The sample and, where it is at hand, FOLIO's validation split.
fn inputs() -> Vec<PathBuf> {
    sample().into_iter().chain(published(VALIDATION)).collect()
}

fn assert_same_files(a: &Path, b: &Path) {
    let (a, b) = (contents(a), contents(b));
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, bytes) in &a {
        assert!(*bytes == b[name], "{name} differs");
    }
}

#[test]
fn the_number_of_jobs_changes_no_byte() {
    let csv = |jobs| {
        move |config: &mut refolio::config::Config| {
            config.run.jobs = jobs;
            config.output.csv = true;
        }
    };
    let one = Ran::new(&inputs(), csv(1));
    let four = Ran::new(&inputs(), csv(4));
    assert_eq!(contents(one.dir.path()).len(), 8, "{:?}", contents(one.dir.path()).keys());
    assert_same_files(one.dir.path(), four.dir.path());
}

#[test]
fn an_older_folder_changes_no_byte() {
    let clean = Ran::new(&inputs(), |_| ());
    let again = Ran::new(&inputs(), |_| ());
    for _ in 0..2 {
        run_into(again.dir.path(), &vampire(), None, &inputs(), |_| ());
        assert_same_files(clean.dir.path(), again.dir.path());
    }
    // Over the output of another run, too.
    let other = Ran::new(&inputs()[..2], crate::strict);
    run_into(other.dir.path(), &vampire(), None, &inputs(), |_| ());
    assert_same_files(clean.dir.path(), other.dir.path());
}

fn by_id(rows: &[OutRow], apart_from: &[&str]) -> BTreeMap<String, OutRow> {
    let by_id: BTreeMap<String, OutRow> =
        rows.iter().map(|row| (row.text("record_id").to_owned(), row.without(apart_from))).collect();
    assert_eq!(by_id.len(), rows.len(), "ids are unique");
    by_id
}

/// A value without the lines of the file that messages of ingest start with: they are the row's place, as is
/// `source_row`.
fn placeless(value: &Value, file: &Path) -> Value {
    let start = format!("{}:", file.file_name().unwrap().display());
    match value {
        Value::String(text) => {
            let rest = text.strip_prefix(&start).map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
            json!(rest.unwrap_or(text))
        }
        Value::Array(items) => items.iter().map(|item| placeless(item, file)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, field)| (name.clone(), placeless(field, file))).collect())
        }
        other => other.clone(),
    }
}

#[test]
fn the_order_of_rows_orders_the_output_and_changes_nothing_else() {
    for file in inputs() {
        let dir = tempfile::tempdir().unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines.reverse();
        let reversed = dir.path().join(file.file_name().unwrap());
        fs::write(&reversed, lines.join("\n") + "\n").unwrap();

        let split = refolio::ingest::Input::new(&file).split_name();
        let forth = Ran::new(std::slice::from_ref(&file), |_| ()).rows(&split);
        let back = Ran::new(&[reversed], |_| ()).rows(&split);
        let ids = |rows: &[OutRow]| rows.iter().map(|r| r.text("record_id").to_owned()).collect::<Vec<_>>();
        assert_eq!(ids(&forth), ids(&back).into_iter().rev().collect::<Vec<_>>());
        // The place in the file and the hash of the whole file are what was changed.
        let apart_from = ["source_row", "source_sha256"];
        let (forth, back) = (by_id(&forth, &apart_from), by_id(&back, &apart_from));
        for (id, row) in &forth {
            for (column, value) in &row.0 {
                let (forth, back) = (placeless(value, &file), placeless(&back[id].0[column], &file));
                assert_eq!(forth, back, "{column} of {id} in {}", file.display());
            }
        }
    }
}

#[test]
fn packed_files_give_the_same_rows() {
    let file = published(VALIDATION).unwrap_or_else(|| sample().swap_remove(1));
    let bytes = fs::read(&file).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(&bytes).unwrap();
    let packed = [("gz", gz.finish().unwrap()), ("zst", zstd::encode_all(bytes.as_slice(), 1).unwrap())];

    let rows = |file: PathBuf| -> Vec<OutRow> {
        let rows = Ran::new(&[file], |_| ()).rows("validation");
        rows.iter().map(|row| row.without(&["source_file", "source_sha256"])).collect()
    };
    let plain = rows(file.clone());
    for (ending, bytes) in packed {
        let path = dir.path().join(format!("validation.jsonl.{ending}"));
        fs::write(&path, bytes).unwrap();
        assert!(rows(path) == plain, "{ending}");
    }
}
