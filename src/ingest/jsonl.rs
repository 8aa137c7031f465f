//! JSON Lines: one object on each line that is not blank.

use std::io::{self, BufRead as _};

use super::finding::Finding;
use super::row::{Opened, RawRow};
use super::rules;
use super::stored::{Bytes, Fault};
use super::value::{Fields, Value, repeated_name};

/// The rows of a JSONL file. Memory holds one line.
pub(super) fn open(bytes: Bytes, fault: Fault) -> Opened {
    let rows = Lines { bytes, line: 0, index: 0, at: 0 };
    Opened { header: None, rows: Box::new(rows.map(move |row| row.map_err(|e| fault.tell(e)))) }
}

struct Lines {
    bytes: Bytes,
    /// Lines so far.
    line: u64,
    /// Rows so far.
    index: u64,
    /// Bytes so far.
    at: u64,
}

impl Lines {
    fn row(&mut self) -> io::Result<Option<RawRow>> {
        loop {
            let mut text = Vec::new();
            let read = self.bytes.read_until(b'\n', &mut text)?;
            if read == 0 {
                return Ok(None);
            }
            let at = self.at;
            self.at += read as u64;
            self.line += 1;
            let cut_off = text.last() != Some(&b'\n');
            if !cut_off {
                text.pop();
            }
            if text.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let index = self.index;
            self.index += 1;
            let fields = object(&text, cut_off);
            return Ok(Some(RawRow { index, line: Some(self.line), fields, text: Some(text), at }));
        }
    }
}

impl Iterator for Lines {
    type Item = io::Result<RawRow>;

    fn next(&mut self) -> Option<io::Result<RawRow>> {
        self.row().transpose()
    }
}

/// The object in `text`. Text that stops too early was cut off if it is `last` in its file.
pub(super) fn object(text: &[u8], last: bool) -> Result<Fields, Finding> {
    let text = std::str::from_utf8(text).map_err(|error| {
        if last && error.error_len().is_none() {
            Finding::new(&rules::TRUNCATED, "the file ends inside a character of this row")
        } else {
            let at = error.valid_up_to() + 1;
            Finding::new(&rules::INVALID_UTF8, format!("not valid UTF-8 at byte {at} of the row"))
        }
    })?;
    match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => match repeated_name(fields.iter().map(|(name, _)| name.as_str())) {
            None => Ok(fields),
            Some(name) => {
                Err(Finding::new(&rules::MALFORMED, format!("the field `{name}` stands twice in this object")))
            }
        },
        Ok(other) => Err(Finding::new(&rules::MALFORMED, format!("expected a JSON object, found {}", other.kind()))),
        Err(error) if last && error.is_eof() => {
            let mut finding = Finding::json(&rules::TRUNCATED, &error);
            finding.message = "the file ends in the middle of this row".to_owned();
            Err(finding)
        }
        Err(error) => Err(Finding::json(&rules::MALFORMED, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::finding::Within;

    type Summary = Vec<(u64, Option<u64>, Result<usize, (&'static str, String)>)>;

    fn summary(content: &[u8]) -> Summary {
        let bytes = Box::new(io::Cursor::new(content.to_vec()));
        let rows = Lines { bytes, line: 0, index: 0, at: 0 };
        rows.map(|row| {
            let row = row.unwrap();
            let fields = row.fields.map(|f| f.len()).map_err(|f| (f.rule.code, f.message));
            (row.index, row.line, fields)
        })
        .collect()
    }

    #[test]
    fn blank_lines_count_as_lines_but_not_as_rows() {
        assert_eq!(summary(b"{\"a\":1}\r\n\n  \n{}\n"), [(0, Some(1), Ok(1)), (1, Some(4), Ok(0))]);
        assert_eq!(summary(b"{}\n{\"a\":1}"), [(0, Some(1), Ok(0)), (1, Some(2), Ok(1))], "no final line feed");
    }

    #[test]
    fn a_bad_line_does_not_touch_the_others() {
        let rows = summary(b"{\"a\":1}\n{\"a\" 1}\n[1]\n{\"a\":\"\xff\"}\n{\"a\":1,\"a\":2}\n{\"a\":\n{\"b\":2}\n");
        let codes: Vec<_> = rows.iter().map(|(_, _, r)| r.as_ref().err().map(|(code, _)| *code)).collect();
        assert_eq!(codes, [None, Some("R107"), Some("R107"), Some("R104"), Some("R107"), Some("R107"), None]);
    }

    #[test]
    fn only_an_unfinished_last_line_is_truncated() {
        let code = |content: &[u8]| summary(content).pop().unwrap().2.unwrap_err().0;
        assert_eq!(code(b"{}\n{\"a\": \"b"), "R105");
        assert_eq!(code(b"{}\n{\"a\": \"\xe2\x88"), "R105", "inside a character");
        assert_eq!(code(b"{}\n{\"a\": \"b\n"), "R107");
        assert_eq!(code(b"{}\n{\"a\": \"b\" 1"), "R107");
    }

    #[test]
    fn the_parser_says_where() {
        let finding = object(b"{\"a\":\n \"b\" 1}", false).unwrap_err();
        assert_eq!(finding.within, Some(Within { line: 2, byte: 6, indent: 0 }));
        assert_eq!(finding.message, "not valid JSON: expected `,` or `}`");
    }
}
