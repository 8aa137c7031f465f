//! Tests of whole files: written to a folder that is thrown away, and read.

mod dialects;
mod errors;
mod formats;
mod published;
mod random;
mod rows;

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use super::{Dataset, Dialect, IngestError, Input, Options, read};
use crate::record::Source;

/// A folder for the files of one test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Input {
        let path = self.0.path().join(name);
        fs::write(&path, content).unwrap();
        Input::new(path)
    }
}

/// Reads one file of that name and content.
fn read_one(name: &str, content: impl AsRef<[u8]>, options: &Options) -> Result<Dataset, IngestError> {
    let folder = Folder::new();
    let input = folder.write(name, content);
    read(&[input], options)
}

/// Reads one file with default options.
fn read_plain(name: &str, content: impl AsRef<[u8]>) -> Dataset {
    read_one(name, content, &Options::default()).unwrap()
}

fn with_dialect(dialect: Dialect) -> Options {
    Options { dialect: Some(dialect), ..Options::default() }
}

/// The error of one file, without the folder it lay in.
fn error_of(name: &str, content: impl AsRef<[u8]>, options: &Options) -> String {
    let folder = Folder::new();
    let input = folder.write(name, content);
    let text = read(&[input], options).unwrap_err().to_string();
    text.replace(&format!("{}/", folder.0.path().display()), "")
}

/// Every diagnostic with the place of its record, a line each.
fn diagnostics(dataset: &Dataset) -> String {
    let place = |source: &Source| match source.line {
        Some(line) => format!("{}:{line}", source.file),
        None => format!("{} row {}", source.file, source.row),
    };
    let all = dataset.records.iter().flat_map(|r| r.diagnostics.iter().map(|d| (place(&r.source), d)));
    all.map(|(place, d)| format!("{place} {} {}: {}", d.severity, d.code, d.message)).collect::<Vec<_>>().join("\n")
}

fn gz(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn zst(content: &[u8]) -> Vec<u8> {
    zstd::encode_all(content, 1).unwrap()
}

/// The folder of published datasets beside the checkout, or `None` with the reason on the terminal.
fn published() -> Option<PathBuf> {
    let folder = std::env::var_os("REFOLIO_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    #[expect(clippy::print_stderr, reason = "a test that does not run has to say so")]
    {
        eprintln!("skipped: no published datasets in {}; REFOLIO_DATA names their folder", folder.display());
    }
    None
}

/// FOLIO v2, as JSONL: two rows of one story, with blank lines inside the blocks.
const V2: &str = concat!(
    r#"{"story_id": 3, "premises": "All cats purr.\nTom is a cat.  \n", "premises-FOL": "\u2200x (Cat(x) \u2192 Purr(x))\n\nCat(tom)  ", "conclusion": "Tom purrs.", "conclusion-FOL": "Purr(tom)", "label": "True", "example_id": 11}"#,
    "\n",
    r#"{"story_id": 3, "premises": "All cats purr.\nTom is a cat.", "premises-FOL": "\u2200x (Cat(x) \u2192 Purr(x))\nCat(tom)", "conclusion": "Tom barks.", "conclusion-FOL": "Bark(tom) ", "label": "Uncertain", "example_id": 12}"#,
    "\n",
);
