//! Writing mended formulas back into the file they came from.
//!
//! Only the characters that a mended formula changes are replaced; every other byte of the unpacked file stays. The
//! result is read again before it takes the file's place, and every edit is put on record beside the file.

mod cell;
mod error;
mod json;
mod replace;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use self::cell::formula_edits;
pub use self::error::RewriteError;
use self::replace::{append_record, replace};
use super::dataset::{SourceFile, read};
use super::dialect::Field;
use super::file::{BYTE_ORDER_MARK, Compression, Format};
use super::input::{Input, Options};
use super::layout::{Layout, Sample};
use super::row::{Opened, RawRow};
use super::stored::{Content, Fault, Stored, Unpacked};
use super::survey::{rows_of, sample};
use crate::diagnostic::{Target, TextEdit};
use crate::record::{Edit, Record};

/// What becomes of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change<'a> {
    /// The record as it was read from the file.
    pub record: &'a Record,
    /// The formulas of its premises from now on; as many as before.
    pub premises_fol: Vec<String>,
    /// The formula of its conclusion from now on.
    pub conclusion_fol: Option<String>,
    /// How they came about, for the record.
    pub edits: Vec<Edit>,
}

impl Change<'_> {
    /// Each formula that differs, with its new text.
    fn formulas(&self) -> impl Iterator<Item = (Target, &str)> {
        let record = self.record;
        let premises = record.premises_fol.iter().zip(&self.premises_fol).enumerate();
        let premises = premises.filter(|(_, (old, new))| old != new).map(|(i, (_, new))| (Target::Premise(i), new));
        let conclusion = self.conclusion_fol.as_ref().filter(|new| record.conclusion_fol.as_ref() != Some(new));
        premises.chain(conclusion.map(|new| (Target::Conclusion, new))).map(|(target, new)| (target, new.as_str()))
    }
}

/// The file beside `path` in which the edits made to it are recorded, one JSON object a line. Its name does not end in
/// `.jsonl`, so that `lint *.jsonl` does not take it for a dataset.
#[must_use]
pub fn record_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".fixes");
    name.into()
}

/// Replaces the formulas of a file in place, and appends each edit to the file of [`record_path`].
///
/// `read_as` is what [`read`] told of the file, `records` all its records in their order, `changes` what is to become of
/// some of them. The compression, the permissions and the byte order mark are kept, and of a symbolic link its target is
/// replaced. Nothing is written if no formula differs; whether one did is the result.
///
/// # Errors
///
/// A format that is no text, a file that has changed since it was read, a formula that cannot be found in its row, a
/// result that does not read as the records with their new formulas, and whatever keeps the file from being written.
/// The file is then as it was.
pub fn rewrite(
    input: &Input,
    options: &Options,
    read_as: &SourceFile,
    records: &[Record],
    changes: &[Change<'_>],
) -> Result<bool, RewriteError> {
    let changes: Vec<_> = changes.iter().filter(|c| c.formulas().next().is_some()).collect();
    if changes.is_empty() {
        return Ok(false);
    }
    let path = input.path.as_path();
    if read_as.format == Format::Parquet {
        return Err(RewriteError::Unsupported { file: path.to_owned(), format: read_as.format });
    }
    let loaded = load(path, read_as)?;
    let compression = read_as.compression;
    let mut mended = if loaded.has_mark { BYTE_ORDER_MARK.to_vec() } else { Vec::new() };
    mended.extend(mend(path, read_as.format, &loaded, options, &changes)?);
    let packed = pack(&mended, compression).map_err(|source| RewriteError::write(path, source))?;
    replace(path, &packed, |draft| {
        check(path, draft, input, options, records, &changes)?;
        append_record(&record_path(path), &changes)
    })?;
    Ok(true)
}

/// A file in memory.
struct Loaded {
    /// The unpacked content without the byte order mark.
    content: Vec<u8>,
    /// Whether there was one.
    has_mark: bool,
    fault: Fault,
}

/// Reads a file that is still what it was.
fn load(path: &Path, read_as: &SourceFile) -> Result<Loaded, RewriteError> {
    let Content { bytes, has_mark, seal, fault, .. } = Stored::new(path)?.open()?;
    let mut content = Vec::new();
    if let Unpacked::InOrder(mut bytes) = bytes {
        bytes.read_to_end(&mut content).map_err(|e| fault.tell(e))?;
    }
    if seal.check()?.sha256 != read_as.sha256 {
        return Err(RewriteError::Changed { file: path.to_owned() });
    }
    Ok(Loaded { content, has_mark, fault })
}

/// The unpacked content with the new formulas.
fn mend(
    path: &Path,
    format: Format,
    loaded: &Loaded,
    options: &Options,
    changes: &[&Change<'_>],
) -> Result<Vec<u8>, RewriteError> {
    let by_row: BTreeMap<u64, &Change<'_>> = changes.iter().map(|c| (c.record.source.row, *c)).collect();
    let content = loaded.content.as_slice();
    let bytes = Unpacked::InOrder(Box::new(io::Cursor::new(content.to_vec())));
    let Opened { header, mut rows } = rows_of(format, bytes, loaded.fault.clone())?;
    let first = sample(&mut rows)?;
    let layout = Sample { file: path, format, header: header.clone(), rows: &first }.layout(options)?;
    let place = Place { content, format, header: header.as_deref(), layout: &layout };
    let mut edits = Vec::new();
    for row in first.into_iter().map(Ok).chain(rows) {
        let row = row?;
        let Some(change) = by_row.get(&row.index) else { continue };
        for (range, text) in place.edits(&row, change).ok_or_else(|| RewriteError::NotFound {
            file: path.to_owned(),
            row: row.index,
            record_id: change.record.record_id.clone(),
        })? {
            edits.push((range, text));
        }
    }
    Ok(splice(content, edits))
}

/// Where the rows of one file lie and how they are written.
struct Place<'a> {
    content: &'a [u8],
    format: Format,
    header: Option<&'a [String]>,
    layout: &'a Layout,
}

impl Place<'_> {
    /// What has to be replaced in the file to change a row; `None` where a formula cannot be found in it.
    fn edits(&self, row: &RawRow, change: &Change<'_>) -> Option<Vec<(Range<usize>, Vec<u8>)>> {
        let start = usize::try_from(row.at).ok()?;
        let text = row.text.as_deref()?;
        let text = std::str::from_utf8(text).ok()?;
        let mut premises = Vec::new();
        let mut conclusion = Vec::new();
        for (target, new) in change.formulas() {
            match target {
                Target::Premise(i) => premises.push((i, new)),
                _ => conclusion.push((0, new)),
            }
        }
        let ascii = text.is_ascii() && (text.contains("\\u") || self.is_escaped());
        let mut out = Vec::new();
        for (field, formulas) in [(Field::PremisesFol, premises), (Field::ConclusionFol, conclusion)] {
            if formulas.is_empty() {
                continue;
            }
            let column = self.layout.columns.get(field)?;
            let edits = match self.format {
                Format::Csv => {
                    let index = self.header?.iter().position(|name| name == column)?;
                    cell::in_csv(text, index, &formulas, field == Field::ConclusionFol, self.holds_objects())?
                }
                Format::Jsonl | Format::JsonArray => {
                    let value = json::member(text, column)?;
                    formula_edits(text, value, &formulas, field == Field::ConclusionFol, ascii)?
                }
                Format::Parquet => return None,
            };
            out.extend(edits);
        }
        out.sort_by_key(|e: &TextEdit| e.span);
        Some(out.into_iter().map(|e| (start + e.span.start..start + e.span.end, e.replacement.into_bytes())).collect())
    }

    /// Whether sentences and formulas of the premises share a column, which then maps one to the other.
    fn holds_objects(&self) -> bool {
        let columns = &self.layout.columns;
        columns.premises.is_some() && columns.premises == columns.premises_fol
    }

    /// Whether the file as a whole writes everything beyond ASCII as `\u` escapes.
    fn is_escaped(&self) -> bool {
        self.content.is_ascii() && self.content.windows(2).any(|pair| pair == b"\\u")
    }
}

/// The content with replacements that are in order and do not overlap.
fn splice(content: &[u8], edits: Vec<(Range<usize>, Vec<u8>)>) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len() + 64);
    let mut done = 0;
    for (range, text) in edits {
        out.extend_from_slice(content.get(done..range.start).unwrap_or_default());
        out.extend(text);
        done = range.end;
    }
    out.extend_from_slice(content.get(done..).unwrap_or_default());
    out
}

fn pack(content: &[u8], compression: Compression) -> io::Result<Vec<u8>> {
    match compression {
        Compression::None => Ok(content.to_vec()),
        Compression::Gz => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(content)?;
            encoder.finish()
        }
        Compression::Zst => zstd::encode_all(content, zstd::DEFAULT_COMPRESSION_LEVEL),
    }
}

/// Reads what was written and compares it with what it should be.
fn check(
    path: &Path,
    draft: &Path,
    input: &Input,
    options: &Options,
    records: &[Record],
    changes: &[&Change<'_>],
) -> Result<(), RewriteError> {
    let draft = Input { split: Some(input.split_name()), ..Input::new(draft) };
    let found = read(&[draft], options)?;
    let by_row: BTreeMap<u64, &Change<'_>> = changes.iter().map(|c| (c.record.source.row, *c)).collect();
    let differs = |row: u64| RewriteError::Differs { file: path.to_owned(), row };
    for (expected, found) in records.iter().zip(&found.records) {
        let row = expected.source.row;
        let (premises_fol, conclusion_fol) = match by_row.get(&row) {
            Some(change) => (&change.premises_fol, &change.conclusion_fol),
            None => (&expected.premises_fol, &expected.conclusion_fol),
        };
        let same = found.premises_fol == *premises_fol
            && found.conclusion_fol == *conclusion_fol
            && found.premises == expected.premises
            && found.conclusion == expected.conclusion
            && found.label == expected.label
            && found.label_text == expected.label_text
            && found.story_id == expected.story_id
            && found.example_id == expected.example_id
            && found.split == expected.split
            && found.source.row == row
            && found.source.line == expected.source.line
            && found.raw == expected.raw;
        if !same {
            return Err(differs(row));
        }
    }
    if records.len() != found.records.len() {
        return Err(differs(records.len().min(found.records.len()) as u64));
    }
    Ok(())
}

/// Removes a file that was only begun, if it is there.
fn remove(path: &Path) {
    let _ = fs::remove_file(path);
}

#[cfg(test)]
mod tests;
