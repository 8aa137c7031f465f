//! CSV with a header: RFC 4180, quoted line feeds included.

use std::io::{self, Read};

use ::csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder};

use super::error::IngestError;
use super::finding::Finding;
use super::row::{Opened, RawRow};
use super::rules;
use super::stored::{Bytes, Fault};
use super::value::{Fields, Value};

/// The header and rows of a CSV file. Memory holds one row.
pub(super) fn open(bytes: Bytes, fault: Fault) -> Result<Opened, IngestError> {
    let kept = Kept { inner: bytes, bytes: Vec::new(), base: 0, given: 0 };
    let mut records =
        Records { reader: ReaderBuilder::new().has_headers(false).flexible(true).from_reader(kept), line: 1 };
    let header: Vec<String> = match records.next().transpose().map_err(|e| fault.tell(e))? {
        None => Vec::new(),
        Some(line) => line
            .record
            .iter()
            .map(|name| std::str::from_utf8(name).map(|name| name.trim().to_owned()))
            .collect::<Result<_, _>>()
            .map_err(|_| IngestError::HeaderNotUtf8 { file: fault.file().to_owned() })?,
    };
    let names = header.clone();
    let rows = records.zip(0_u64..).map(move |(found, index)| {
        let found = found.map_err(|e| fault.tell(e))?;
        let fields = cells(&names, &found);
        Ok(RawRow { index, line: Some(found.line), fields, text: Some(found.text), at: found.at })
    });
    Ok(Opened { header: Some(header), rows: Box::new(rows) })
}

/// One record with its place in the file.
struct Found {
    record: ByteRecord,
    line: u64,
    text: Vec<u8>,
    /// Where that text starts, in bytes.
    at: u64,
    /// Whether it ends inside quotation marks, and the file with it.
    open: bool,
    /// Whether the file ends with this record, with no line feed after it.
    cut_off: bool,
}

/// Hands bytes on to the parser and keeps those of the record that it is at, because the parser keeps only their cells.
struct Kept {
    inner: Bytes,
    bytes: Vec<u8>,
    /// Where in the content the first of them stands.
    base: u64,
    /// How many of them the parser has had.
    given: usize,
}

impl Kept {
    const CHUNK: u64 = 1 << 16;

    fn more(&mut self) -> io::Result<usize> {
        (&mut self.inner).take(Self::CHUNK).read_to_end(&mut self.bytes)
    }

    fn between(&self, from: u64, to: u64) -> &[u8] {
        let place = |at: u64| usize::try_from(at.saturating_sub(self.base)).unwrap_or(usize::MAX);
        self.bytes.get(place(from)..place(to).min(self.bytes.len())).unwrap_or_default()
    }

    /// Drops what stands before `at`, where that is worth the moving.
    fn forget(&mut self, at: u64) {
        let passed = usize::try_from(at.saturating_sub(self.base)).unwrap_or(usize::MAX).min(self.given);
        if passed > self.bytes.len() / 2 {
            self.bytes.drain(..passed);
            self.base += passed as u64;
            self.given -= passed;
        }
    }

    fn ends_at(&mut self, at: u64) -> io::Result<bool> {
        Ok(at >= self.base + self.bytes.len() as u64 && self.more()? == 0)
    }
}

impl Read for Kept {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.given == self.bytes.len() {
            self.more()?;
        }
        let rest = self.bytes.get(self.given..).unwrap_or_default();
        let count = rest.len().min(buf.len());
        if let (Some(to), Some(from)) = (buf.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        self.given += count;
        Ok(count)
    }
}

struct Records {
    reader: Reader<Kept>,
    /// The 1-based line of the first byte that is kept and not yet passed.
    line: u64,
}

impl Records {
    fn offset(&self) -> u64 {
        self.reader.position().byte()
    }

    fn record(&mut self) -> io::Result<Option<Found>> {
        let from = self.offset();
        let mut record = ByteRecord::new();
        // With any number of fields, the parser itself has nothing to fail at.
        let read = self.reader.read_byte_record(&mut record).map_err(|error| match error.into_kind() {
            ErrorKind::Io(reason) => reason,
            other => io::Error::other(format!("{other:?}")),
        });
        if !read? {
            return Ok(None);
        }
        let to = self.offset();
        let kept = self.reader.get_mut();
        let whole = kept.between(from, to);
        // Blank lines before a record, and a line feed left over from the one before, are given as part of it.
        let blank = whole.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
        let (passed, whole) = whole.split_at_checked(blank).unwrap_or_default();
        let line = self.line + feeds(passed);
        self.line = line + feeds(whole);
        let open = is_open(whole);
        let text = if open { whole } else { without_line_feed(whole) }.to_vec();
        let ended = text.len() == whole.len();
        let cut_off = ended && kept.ends_at(to)?;
        kept.forget(to);
        Ok(Some(Found { record, line, text, at: from + blank as u64, open, cut_off }))
    }
}

impl Iterator for Records {
    type Item = io::Result<Found>;

    fn next(&mut self) -> Option<io::Result<Found>> {
        self.record().transpose()
    }
}

fn feeds(text: &[u8]) -> u64 {
    text.iter().filter(|b| **b == b'\n').count() as u64
}

fn cells(names: &[String], found: &Found) -> Result<Fields, Finding> {
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
