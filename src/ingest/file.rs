//! How files are written and packed, by their names and first bytes.

use std::fmt;
use std::path::Path;

use serde::Serialize;

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

/// What some programs put before UTF-8 text.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The name without its folder.
pub(super) fn file_name(path: &Path) -> String {
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

/// How a file that starts so is packed.
pub(super) fn compression(stored: &[u8]) -> Compression {
    match stored {
        [0x1f, 0x8b, ..] => Compression::Gz,
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zst,
        _ => Compression::None,
    }
}

/// The format by the name's ending, else by the first bytes; or what the content seems to be instead. `whole` tells
/// whether these are all there are.
pub(super) fn format(path: &Path, content: &[u8], whole: bool) -> Result<Format, &'static str> {
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
            _ if is_text(content, whole) => Ok(Format::Csv),
            _ => Err("binary data of no known format"),
        },
    }
}

/// Whether the first line could be a CSV header.
fn is_text(content: &[u8], whole: bool) -> bool {
    let mut lines = content.split(|b| *b == b'\n');
    let line = lines.next().unwrap_or_default();
    let line = match std::str::from_utf8(line) {
        Ok(line) => line,
        // The line goes on, and its last character with it.
        Err(error) if !whole && lines.next().is_none() && error.error_len().is_none() => {
            line.get(..error.valid_up_to()).and_then(|line| std::str::from_utf8(line).ok()).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !line.contains(|c: char| c.is_control() && c != '\t' && c != '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sniff(name: &str, content: &[u8]) -> Result<Format, &'static str> {
        format(Path::new(name), content, true)
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
