//! The same input gives the same bytes, and what surrounds a row changes nothing in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use refolio::prove::cache::{Cache, Cached, Checked, Keys, check};
use refolio::prove::worker::WorkerVampire;

use crate::rows::OutRow;
use crate::{Ran, VALIDATION, contents, published, run_into, sample, vampire};

/// The sample and, where it is at hand, FOLIO's validation split.
fn inputs() -> Vec<PathBuf> {
    sample().into_iter().chain(published(VALIDATION)).collect()
}

pub(crate) fn assert_same_files(a: &Path, b: &Path) {
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
    assert_eq!(contents(one.dir.path()).len(), 9, "{:?}", contents(one.dir.path()).keys());
    assert_same_files(one.dir.path(), four.dir.path());
}

#[test]
fn how_the_prover_is_run_changes_no_byte() {
    let processes = Ran::with(&vampire(), None, &inputs(), |config| config.output.csv = true);
    let workers = WorkerVampire::new(vampire());
    for jobs in [1, 2, 4] {
        let ran = Ran::with(&workers, None, &inputs(), |config| {
            config.run.jobs = jobs;
            config.output.csv = true;
        });
        assert_same_files(processes.dir.path(), ran.dir.path());
    }
}

#[test]
fn what_is_recalled_changes_no_byte() {
    let workers = WorkerVampire::new(vampire());
    let without = Ran::with(&workers, None, &inputs(), |_| ());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers.sqlite");
    let asked = |expect_hits: bool| {
        let cache = Cache::open(&path, 100).unwrap();
        let ran = Ran::with(&Cached::new(&workers, &cache), None, &inputs(), |_| ());
        let counts = cache.counts();
        assert_eq!((counts.damaged, counts.failures), (0, 0), "{counts:?}");
        assert_eq!(counts.hits > counts.misses, expect_hits, "{counts:?}");
        ran
    };
    for ran in [asked(false), asked(true)] {
        assert_same_files(without.dir.path(), ran.dir.path());
    }
    // What workers answered, processes answer too: status, used premises, model, and each letter of the proof.
    let cache = Cache::open(&path, 100).unwrap();
    let (vampire, schedule) = (vampire(), refolio::prove::Schedule::default());
    let keys = Keys::new(refolio::prove::Prover::identity(&vampire), &schedule);
    let all = cache.keys().unwrap();
    assert!(!all.is_empty());
    for key in all {
        assert_eq!(check(&cache, &key, Some((&vampire, &schedule, &keys))).unwrap(), Checked::Same);
    }
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

/// Rows of whose faults ingest tells: ids that are not theirs alone, labels, fields, counts, syntax and encoding.
pub(crate) const FAULTY: &[&[u8]] = &[
    br#"{"premises": ["Tom purrs."], "premises-FOL": ["Purr(tom)"], "conclusion": "Tom purrs.", "conclusion-FOL": "Purr(tom)", "label": "True", "example_id": 1}"#,
    br#"{"premises": ["Tom purrs."], "premises-FOL": ["Purr(tom)"], "conclusion": "Rex barks.", "conclusion-FOL": "Bark(rex)", "label": "Uncertain", "example_id": 1}"#,
    br#"{"premises": ["Rex barks."], "premises-FOL": ["Bark(rex)"], "conclusion": "Rex barks.", "conclusion-FOL": "Bark(rex)", "label": "Yes", "example_id": 1}"#,
    br#"{"premises": ["Rex barks."], "premises-FOL": ["Bark(rex)"], "conclusion": "Tom purrs.", "conclusion-FOL": "Purr(tom)", "label": null, "example_id": 1}"#,
    br#"{"premises": ["Rex barks."], "premises-FOL": ["Bark(rex)", "Loud(rex)"], "conclusion": "Rex is loud.", "conclusion-FOL": "Loud(rex)", "label": "True", "example_id": 1}"#,
    br#"{"premises": null, "premises-FOL": ["Bark(rex)"], "conclusion": "Rex is loud.", "conclusion-FOL": "Loud(rex)", "label": "True", "example_id": 2}"#,
    br#"{"premises": ["Rex barks."] "premises-FOL": ["Bark(rex)"]}"#,
    br#"{"premises": ["Rex barks."], "premises-FOL": ["Bark("#,
    b"{\"premises\": [\"caf\xe9\"]}",
    b"[]",
];

#[test]
fn the_order_of_rows_orders_the_output_and_changes_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let faulty = dir.path().join("faulty.jsonl");
    fs::write(&faulty, FAULTY.join(&b'\n')).unwrap();
    let mut told = BTreeSet::new();
    for file in inputs().into_iter().chain([faulty]) {
        let dir = tempfile::tempdir().unwrap();
        let content = fs::read(&file).unwrap();
        let mut lines: Vec<&[u8]> = content.split(|b| *b == b'\n').filter(|line| !line.is_empty()).collect();
        lines.reverse();
        let reversed = dir.path().join(file.file_name().unwrap());
        fs::write(&reversed, [lines.join(&b'\n'), b"\n".to_vec()].concat()).unwrap();

        let split = refolio::ingest::Input::new(&file).split_name();
        let forth = Ran::new(std::slice::from_ref(&file), |_| ()).rows(&split);
        let back = Ran::new(&[reversed], |_| ()).rows(&split);
        let ids = |rows: &[OutRow]| rows.iter().map(|r| r.text("record_id").to_owned()).collect::<Vec<_>>();
        assert_eq!(ids(&forth), ids(&back).into_iter().rev().collect::<Vec<_>>());
        told.extend(forth.iter().flat_map(|row| row.list("diagnostics")).map(|d| d["code"].to_string()));
        // The place in the file is what was changed, and with it the hash of the file as a whole.
        let apart_from = ["source_row", "source_sha256"];
        let (forth, back) = (by_id(&forth, &apart_from), by_id(&back, &apart_from));
        for (id, row) in &forth {
            for (column, value) in &row.0 {
                assert_eq!(*value, back[id].0[column], "{column} of {id} in {}", file.display());
            }
        }
    }
    for code in ["R101", "R102", "R103", "R104", "R106", "R107", "R108"] {
        assert!(told.contains(&format!("{code:?}")), "no row has {code}: {told:?}");
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
