//! Two passes tell the same as one.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::*;
use crate::ingest::{Dataset, read};

/// Rows that share ids, contents and questions, and one that cannot be read.
const ROWS: &str = concat!(
    r#"{"NL": "A.", "FOL": "P(a)", "id": 7}"#,
    "\n",
    r#"{"NL": "B.", "FOL": "P(b)", "id": 7}"#,
    "\n\n",
    r#"{"NL": "A.", "FOL": "P(a)"}"#,
    "\n",
    r#"{"NL": 1}"#,
    "\n",
    r#"{"NL": "C.", "FOL": "P(c)", "id": 8}"#,
    "\n",
);

fn options() -> Options {
    let mut options = Options { dialect: Some(super::super::Dialect::Malls), ..Options::default() };
    options.columns.example_id = Some("id".to_owned());
    options
}

fn file(folder: &Path, name: &str, content: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

fn streamed(survey: &Survey) -> Vec<Record> {
    survey.records().map(|placed| placed.unwrap().record).collect()
}

#[test]
fn both_passes_give_what_reading_at_once_gives() {
    let folder = tempfile::tempdir().unwrap();
    let array = format!("[{}]", ROWS.trim_end().replace("\n\n", "\n").replace('\n', ",\n"));
    let zst = zstd::encode_all(ROWS.as_bytes(), 1).unwrap();
    let files = [
        file(folder.path(), "a.jsonl", ROWS.as_bytes()),
        file(folder.path(), "b.json", array.as_bytes()),
        file(folder.path(), "c.csv", b"NL,FOL,id\nA.,P(a),7\n\"B\n.\",P(b),9\nA.\nD.,P(d)"),
        file(folder.path(), "d.jsonl.zst", &zst),
    ];
    let inputs: Vec<Input> = files.iter().map(Input::new).collect();
    let Dataset { files, records } = read(&inputs, &options()).unwrap();
    let mut seen = 0;
    let survey = Survey::new(&inputs, &options(), |_| seen += 1).unwrap();
    assert_eq!(survey.files(), files);
    assert_eq!((survey.len(), seen), (records.len() as u64, records.len()));
    assert_eq!(streamed(&survey), records);
    assert_eq!(streamed(&survey), records, "as often as one likes");
    let across: Vec<_> =
        records.iter().enumerate().flat_map(|(i, r)| survey.across(i, r).into_iter().map(move |d| (i, d))).collect();
    assert_eq!(across, crate::lint::check_dataset(&records));
    assert!(across.len() > 4, "{across:?}");
    let places: Vec<_> = survey.records().map(|p| p.unwrap()).map(|p| (p.file, p.index)).collect();
    assert_eq!(places.first(), Some(&(0, 0)));
    assert_eq!(places.last(), Some(&(3, records.len() - 1)));
}

#[test]
fn a_file_that_changes_between_the_passes_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let longer = format!("{ROWS}{}", ROWS.replace('A', "E"));
    let other = ROWS.replace('C', "D");
    for changed in [other.as_str(), longer.as_str(), &ROWS[..40]] {
        let path = file(folder.path(), "a.jsonl", ROWS.as_bytes());
        let survey = Survey::new(&[Input::new(&path)], &options(), |_| ()).unwrap();
        file(folder.path(), "a.jsonl", changed.as_bytes());
        let last = survey.records().last().unwrap();
        assert!(matches!(&last, Err(IngestError::Changed { file }) if *file == path), "{last:?}");
        let after = survey.records().skip_while(Result::is_ok).count();
        assert_eq!(after, 1, "nothing comes after the error");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_twice_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.jsonl");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::OpenOptions::new().write(true).open(pipe).unwrap().write_all(ROWS.as_bytes()).unwrap()
    });
    let survey = Survey::new(&[Input::new(&pipe)], &options(), |_| ()).unwrap();
    writer.join().unwrap();
    let records = streamed(&survey);
    assert_eq!(records.len(), 5);
    assert_eq!(streamed(&survey), records);
    assert_eq!(survey.files()[0].bytes, ROWS.len() as u64);
}
