//! JSON Lines: one object on each line that is not blank.

use super::finding::Finding;
use super::row::{Opened, RawRow};
use super::rules;
use super::value::{Fields, Value, repeated_name};

/// The rows of a JSONL file.
pub(super) fn open(content: &[u8]) -> Opened<'_> {
    let mut index = 0;
    // `split` gives an empty piece after a final line feed, which the filter drops with the blank lines.
    let rows =
        content.split(|b| *b == b'\n').zip(1_u64..).filter(|(line, _)| !line.iter().all(u8::is_ascii_whitespace)).map(
            move |(text, line)| {
                let cut_off = is_at_end(text, content);
                let row = RawRow { index, line: Some(line), fields: object(text, cut_off), text: Some(text) };
                index += 1;
                Ok(row)
            },
        );
    Opened { header: None, rows: Box::new(rows) }
}

/// Whether the line reaches the end of the file, with no line feed after it.
fn is_at_end(line: &[u8], content: &[u8]) -> bool {
    line.as_ptr_range().end == content.as_ptr_range().end
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
        open(content)
            .rows
            .map(|row| {
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
