//! Which record of a dataset is meant.

use std::path::{Path, PathBuf};

use super::args::ExplainArgs;
use crate::ingest::{Dataset, Input};
use crate::record::Record;

/// Ids that a message names where none was found.
const NEAR: usize = 5;
/// Records that a message lists where several are meant.
const LISTED: usize = 20;

/// Why no record is chosen.
#[derive(Debug, thiserror::Error)]
pub(super) enum ChooseError {
    #[error("no record has the id {id:?}, and there is no such place")]
    Unknown { id: String, near: Vec<String> },
    #[error("{count} records are meant by {wanted:?}:\n{list}")]
    Ambiguous { wanted: String, count: usize, list: String },
    #[error("{} has no {what} {number}; {range}", .file.display())]
    NoSuchRow { file: PathBuf, what: &'static str, number: u64, range: String },
}

impl ChooseError {
    pub(super) fn hint(&self) -> String {
        match self {
            Self::Unknown { near, .. } if near.is_empty() => {
                "name a record by its id, its example id, or FILE:ROW with rows from 0".to_owned()
            }
            Self::Unknown { near, .. } => format!("ids like it: {}", near.join(", ")),
            Self::Ambiguous { .. } => {
                "name one by the id that starts its line, or by FILE:ROW; --input narrows down the files".to_owned()
            }
            Self::NoSuchRow { .. } => {
                "rows count from 0, as in the column `source_row`; --line counts lines from 1, as `lint` does"
                    .to_owned()
            }
        }
    }
}

/// A file and a row of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: PathBuf,
    row: Row,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Row {
    /// From 0.
    Row(u64),
    /// From 1.
    Line(u64),
}

impl Place {
    /// The place that the arguments name, if they name one: by `--file`, or by `FILE:ROW` where the file is an input or
    /// lies on the disk.
    pub(super) fn of(args: &ExplainArgs, inputs: &[Input]) -> Option<Self> {
        if let Some(file) = &args.file {
            let row = args.line.map_or_else(|| Row::Row(args.row.unwrap_or_default()), Row::Line);
            return Some(Self { file: file.clone(), row });
        }
        let (file, row) = args.id.as_deref()?.rsplit_once(':')?;
        let place = Self { file: file.into(), row: Row::Row(row.parse().ok()?) };
        (inputs.iter().any(|input| place.is_in(input)) || Path::new(file).is_file()).then_some(place)
    }

    /// Whether an input is the file: by its path, or by its name alone.
    pub(super) fn is_in(&self, input: &Input) -> bool {
        input.path == self.file || input.path.file_name() == Some(self.file.as_os_str())
    }

    fn is_of(&self, record: &Record) -> bool {
        match self.row {
            Row::Row(row) => record.source.row == row,
            Row::Line(line) => record.source.line == Some(line),
        }
    }
}

/// The index of the record at a place.
pub(super) fn by_place(dataset: &Dataset, inputs: &[Input], place: &Place) -> Result<usize, ChooseError> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut rows = 0;
    for (input, file) in inputs.iter().zip(&dataset.files) {
        let count = usize::try_from(file.rows).unwrap_or(usize::MAX);
        if place.is_in(input) {
            rows = file.rows;
            let records = dataset.records.iter().enumerate().skip(start).take(count);
            found.extend(records.filter(|(_, record)| place.is_of(record)).map(|(i, _)| i));
        }
        start += count;
    }
    let (what, number, range) = match place.row {
        Row::Row(row) => ("row", row, format!("its rows are 0 to {}", rows.saturating_sub(1))),
        Row::Line(line) => ("record that starts on line", line, format!("it has {rows} records")),
    };
    match found.as_slice() {
        [] => Err(ChooseError::NoSuchRow { file: place.file.clone(), what, number, range }),
        [only] => Ok(*only),
        several => Err(ambiguous(dataset, &format!("{}:{number}", place.file.display()), several)),
    }
}

/// The index of the record of an id: the run's own, else the dataset's.
pub(super) fn by_id(dataset: &Dataset, id: &str) -> Result<usize, ChooseError> {
    let records = || dataset.records.iter().enumerate();
    if let Some((i, _)) = records().find(|(_, r)| r.record_id == id) {
        return Ok(i);
    }
    let found: Vec<usize> = records().filter(|(_, r)| r.example_id.as_deref() == Some(id)).map(|(i, _)| i).collect();
    match found.as_slice() {
        [] => Err(ChooseError::Unknown { id: id.to_owned(), near: near(dataset, id) }),
        [only] => Ok(*only),
        several => Err(ambiguous(dataset, id, several)),
    }
}

/// What is said where the arguments name nothing.
pub(super) fn nothing(args: &ExplainArgs) -> ChooseError {
    ChooseError::Unknown { id: args.id.clone().unwrap_or_default(), near: Vec::new() }
}

fn ambiguous(dataset: &Dataset, wanted: &str, indices: &[usize]) -> ChooseError {
    let records = indices.iter().filter_map(|i| dataset.records.get(*i));
    let width = records.clone().map(|r| r.record_id.chars().count()).max().unwrap_or(0);
    let mut lines: Vec<String> = records
        .take(LISTED)
        .map(|r| format!("  {:<width$}  {}, {} row {}", r.record_id, r.split, r.source.file, r.source.row))
        .collect();
    if indices.len() > LISTED {
        lines.push(format!("  and {} more", indices.len() - LISTED));
    }
    ChooseError::Ambiguous { wanted: wanted.to_owned(), count: indices.len(), list: lines.join("\n") }
}

/// Ids that may have been meant: those that start alike, or are spelt nearly so.
fn near(dataset: &Dataset, id: &str) -> Vec<String> {
    let allowed = if id.chars().count() < 4 { 1 } else { 2 };
    let mut scored: Vec<(usize, &str)> = dataset
        .records
        .iter()
        .flat_map(|r| [Some(r.record_id.as_str()), r.example_id.as_deref()])
        .flatten()
        .filter_map(|other| {
            let starts = !id.is_empty() && (other.starts_with(id) || id.starts_with(other));
            let distance = strsim::damerau_levenshtein(other, id);
            (distance <= allowed || starts).then_some((distance, other))
        })
        .collect();
    scored.sort_unstable();
    scored.dedup();
    scored.into_iter().take(NEAR).map(|(_, id)| id.to_owned()).collect()
}
