//! One file as bytes: read, unpacked, hashed, and its format found.

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use bytes::Bytes;
use serde::Serialize;

use super::error::IngestError;
use crate::record::sha256_hex;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// One JSON object on each line.
    Jsonl,
    /// One JSON array of objects.
    JsonArray,
    /// Comma-separated values with a header (RFC 4180).
    Csv,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::JsonArray => "json-array",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip (RFC 1952).
    Gz,
    /// Zstandard (RFC 8878).
    Zst,
}

impl Compression {
    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gz => "gz",
            Self::Zst => "zst",
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A file's content with what is known of it before any row is read.
#[derive(Debug)]
pub(super) struct LoadedFile {
    /// The name without its folder.
    pub(super) name: String,
    /// SHA-256 of the file as it lies on disk.
    pub(super) sha256: String,
    /// Its size on disk in bytes.
    pub(super) size: u64,
    /// How it is packed.
    pub(super) compression: Compression,
    /// How its rows are written.
    pub(super) format: Format,
    /// The unpacked content without a byte order mark.
    pub(super) content: Bytes,
    /// Whether there was a byte order mark.
    pub(super) has_mark: bool,
}

/// What some programs put before UTF-8 text.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads and unpacks a file and finds its format: by its name, else by its content.
pub(super) fn load(path: &Path) -> Result<LoadedFile, IngestError> {
    let stored = fs::read(path).map_err(|reason| IngestError::Io { file: path.to_owned(), reason })?;
    let sha256 = sha256_hex(&stored);
    let size = stored.len() as u64;
    let compression = compression(&stored);
    let mut content = unpack(stored, compression).map(Bytes::from).map_err(|reason| IngestError::CorruptArchive {
        file: path.to_owned(),
        compression,
        reason,
    })?;
    let has_mark = content.starts_with(BYTE_ORDER_MARK);
    if has_mark {
        content = content.slice(BYTE_ORDER_MARK.len()..);
    }
    if content.iter().all(u8::is_ascii_whitespace) {
        return Err(IngestError::Empty { file: path.to_owned() });
    }
    let format =
        format(path, &content).map_err(|what| IngestError::UnsupportedFormat { file: path.to_owned(), what })?;
    let name = file_name(path);
    Ok(LoadedFile { name, sha256, size, compression, format, content, has_mark })
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The name without its folder and without the endings that tell format and compression.
pub(super) fn stem(path: &Path) -> String {
    let name = file_name(path);
    let unpacked = without_ending(&name, &["gz", "zst", "zstd"]).unwrap_or(&name);
    without_ending(unpacked, &["jsonl", "ndjson", "json", "csv", "parquet"]).unwrap_or(unpacked).to_owned()
}

fn without_ending<'a>(name: &'a str, endings: &[&str]) -> Option<&'a str> {
    let (stem, ending) = name.rsplit_once('.')?;
    (!stem.is_empty() && endings.iter().any(|e| e.eq_ignore_ascii_case(ending))).then_some(stem)
}

fn compression(stored: &[u8]) -> Compression {
    match stored {
        [0x1f, 0x8b, ..] => Compression::Gz,
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zst,
        _ => Compression::None,
    }
}

fn unpack(stored: Vec<u8>, compression: Compression) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    match compression {
        Compression::None => return Ok(stored),
        Compression::Gz => flate2::read::MultiGzDecoder::new(stored.as_slice()).read_to_end(&mut content)?,
        Compression::Zst => zstd::stream::read::Decoder::new(stored.as_slice())?.read_to_end(&mut content)?,
    };
    Ok(content)
}

/// The format by the name's ending, else by the first bytes; or what the content seems to be instead.
fn format(path: &Path, content: &[u8]) -> Result<Format, &'static str> {
    match content {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Err("UTF-16 text"),
        [b'P', b'K', 3, 4, ..] => return Err("a zip archive or a spreadsheet"),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => return Err("xz data"),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => return Err("bzip2 data"),
        _ => {}
    }
    let name = file_name(path).to_ascii_lowercase();
    let unpacked = without_ending(&name, &["gz", "zst", "zstd"]).unwrap_or(&name);
    let first = content.iter().copied().find(|b| !b.is_ascii_whitespace());
    match unpacked.rsplit_once('.').map(|(_, ending)| ending) {
        Some("jsonl" | "ndjson") => Ok(Format::Jsonl),
        Some("csv") => Ok(Format::Csv),
        Some("parquet") => Ok(Format::Parquet),
        // `.json` is used for both.
        Some("json") => Ok(if first == Some(b'[') { Format::JsonArray } else { Format::Jsonl }),
        _ => match first {
            _ if content.starts_with(b"PAR1") => Ok(Format::Parquet),
            Some(b'[') => Ok(Format::JsonArray),
            Some(b'{') => Ok(Format::Jsonl),
            _ if is_text(content) => Ok(Format::Csv),
            _ => Err("binary data of no known format"),
        },
    }
}

/// Whether the first line could be a CSV header.
fn is_text(content: &[u8]) -> bool {
    let line = content.split(|b| *b == b'\n').next().unwrap_or_default();
    std::str::from_utf8(line).is_ok_and(|line| !line.contains(|c: char| c.is_control() && c != '\t' && c != '\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sniff(name: &str, content: &[u8]) -> Result<Format, &'static str> {
        format(Path::new(name), content)
    }

    #[test]
    fn endings_decide_and_content_decides_where_they_do_not() {
        assert_eq!(sniff("a.jsonl", b"[1]"), Ok(Format::Jsonl));
        assert_eq!(sniff("a.CSV.gz", b"{}"), Ok(Format::Csv));
        assert_eq!(sniff("a.json", b" \n[{}]"), Ok(Format::JsonArray));
        assert_eq!(sniff("a.json", b"{}\n{}"), Ok(Format::Jsonl));
        assert_eq!(sniff("a.parquet.zst", b"x"), Ok(Format::Parquet));
        assert_eq!(sniff("a", b"PAR1\x15\x04"), Ok(Format::Parquet));
        assert_eq!(sniff("a.txt", b"\n[{}"), Ok(Format::JsonArray));
        assert_eq!(sniff("a.data", b"{}"), Ok(Format::Jsonl));
        assert_eq!(sniff("a", b"premises,label\n"), Ok(Format::Csv));
        assert_eq!(sniff("a", b"\x00\x01\x02"), Err("binary data of no known format"));
        assert_eq!(sniff("a.csv", b"PK\x03\x04rest"), Err("a zip archive or a spreadsheet"));
        assert_eq!(sniff("a.jsonl", b"\xff\xfe{\x00"), Err("UTF-16 text"));
    }

    #[test]
    fn stems_lose_both_endings() {
        assert_eq!(stem(Path::new("d/a.b.jsonl.gz")), "a.b");
        assert_eq!(stem(Path::new("a.Parquet")), "a");
        assert_eq!(stem(Path::new("a.part")), "a.part");
        assert_eq!(stem(Path::new(".csv")), ".csv");
    }
}
