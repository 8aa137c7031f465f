//! CSV with a header: RFC 4180, quoted line feeds included.

use std::path::Path;

use ::csv::{ByteRecord, Reader, ReaderBuilder};

use super::error::IngestError;
use super::finding::Finding;
use super::row::{Opened, RawRow};
use super::rules;
use super::value::{Fields, Value};

/// The header and rows of a CSV file.
pub(super) fn open<'a>(content: &'a [u8], file: &Path) -> Result<Opened<'a>, IngestError> {
    let mut records = Records {
        reader: ReaderBuilder::new().has_headers(false).flexible(true).from_reader(content),
        content,
        counted: 0,
        line: 1,
    };
    let header: Vec<String> = match records.next() {
        None => Vec::new(),
        Some(line) => line
            .record
            .iter()
            .map(|name| std::str::from_utf8(name).map(|name| name.trim().to_owned()))
            .collect::<Result<_, _>>()
            .map_err(|_| IngestError::HeaderNotUtf8 { file: file.to_owned() })?,
    };
    let names = header.clone();
    let rows = records.zip(0_u64..).map(move |(found, index)| {
        let row = RawRow { index, line: Some(found.line), fields: cells(&names, &found), text: Some(found.text) };
        Ok(row)
    });
    Ok(Opened { header: Some(header), rows: Box::new(rows) })
}

/// One record with its place in the file.
struct Found<'a> {
    record: ByteRecord,
    line: u64,
    text: &'a [u8],
    /// Whether it ends inside quotation marks, and the file with it.
    open: bool,
    /// Whether the file ends with this record, with no line feed after it.
    cut_off: bool,
}

struct Records<'a> {
    reader: Reader<&'a [u8]>,
    content: &'a [u8],
    /// How many bytes have been searched for line feeds, …
    counted: usize,
    /// … and the 1-based line of the next.
    line: u64,
}

impl<'a> Iterator for Records<'a> {
    type Item = Found<'a>;

    fn next(&mut self) -> Option<Found<'a>> {
        let from = self.offset();
        let mut record = ByteRecord::new();
        // Reading from memory and with any number of fields, the reader has nothing to fail at.
        if !self.reader.read_byte_record(&mut record).unwrap_or(false) {
            return None;
        }
        let whole = self.content.get(from..self.offset()).unwrap_or_default();
        // Blank lines before a record, and a line feed left over from the one before, are given as part of it.
        let blank = whole.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
        let start = from + blank;
        let passed = self.content.get(self.counted..start).unwrap_or_default();
        self.line += passed.iter().filter(|b| **b == b'\n').count() as u64;
        self.counted = start;
        let whole = whole.get(blank..).unwrap_or_default();
        let open = is_open(whole);
        let text = if open { whole } else { without_line_feed(whole) };
        let cut_off = self.offset() >= self.content.len() && text.len() == whole.len();
        Some(Found { record, line: self.line, text, open, cut_off })
    }
}

impl Records<'_> {
    fn offset(&self) -> usize {
        usize::try_from(self.reader.position().byte()).unwrap_or(usize::MAX).min(self.content.len())
    }
}

fn cells(names: &[String], found: &Found<'_>) -> Result<Fields, Finding> {
    if found.open {
        return Err(Finding::new(&rules::TRUNCATED, "the file ends inside a quoted field of this row"));
    }
    let (expected, count) = (names.len(), found.record.len());
    if count < expected && found.cut_off {
        let message = format!("the file ends in the middle of this row: {expected} fields expected, {count} found");
        return Err(Finding::new(&rules::TRUNCATED, message));
    }
    if count != expected {
        let message = format!("{expected} fields expected, {count} found");
        return Err(Finding::new(&rules::MALFORMED, message));
    }
    names.iter().zip(&found.record).map(|(name, cell)| cell_value(name, cell)).collect()
}

fn cell_value(name: &str, cell: &[u8]) -> Result<(String, Value), Finding> {
    let text = std::str::from_utf8(cell).map_err(|error| {
        let at = error.valid_up_to() + 1;
        Finding::new(&rules::INVALID_UTF8, format!("not valid UTF-8 at byte {at} of the field `{name}`"))
    })?;
    Ok((name.to_owned(), Value::Text(text.to_owned())))
}

fn without_line_feed(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    text.strip_suffix(b"\r").unwrap_or(text)
}

/// Whether a record's text ends inside quotation marks, which only the last record of a file can.
fn is_open(text: &[u8]) -> bool {
    let mut quoted = false;
    let mut at_start = true;
    for byte in text {
        match byte {
            // A doubled mark inside a quoted field closes and opens it again.
            b'"' if quoted => quoted = false,
            b'"' if at_start => quoted = true,
            _ if quoted => {}
            b',' | b'\n' | b'\r' => {
                at_start = true;
                continue;
            }
            _ => {}
        }
        at_start = !quoted && *byte == b'"';
    }
    quoted
}
