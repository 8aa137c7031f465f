//! A JSON array of objects. The array is taken apart here, so that one bad item does not lose the others.

use super::finding::{Finding, Within};
use super::jsonl;
use super::row::{Opened, RawRow};
use super::rules;
use super::value::Fields;

/// How deep brackets may nest inside an item before it is given up as broken; the JSON parser stops there too.
const MAX_DEPTH: usize = 128;

/// The items of the array that `content` holds.
pub(super) fn open(content: &[u8]) -> Opened<'_> {
    let mut items = Items { content, at: 0, line: 1, line_start: 0, index: 0, done: false };
    items.skip_blanks();
    if items.peek() == Some(b'[') {
        items.at += 1;
    }
    Opened { header: None, rows: Box::new(items.map(Ok)) }
}

struct Items<'a> {
    content: &'a [u8],
    /// The next byte to look at.
    at: usize,
    /// Its 1-based line.
    line: u64,
    /// Where that line starts.
    line_start: usize,
    /// The next item's position.
    index: u64,
    done: bool,
}

impl<'a> Items<'a> {
    fn peek(&self) -> Option<u8> {
        self.content.get(self.at).copied()
    }

    /// Moves to `to`, counting lines, and gives what lies between.
    fn advance(&mut self, to: usize) -> &'a [u8] {
        let passed = self.content.get(self.at..to).unwrap_or_default();
        self.line += passed.iter().filter(|b| **b == b'\n').count() as u64;
        if let Some(feed) = passed.iter().rposition(|b| *b == b'\n') {
            self.line_start = self.at + feed + 1;
        }
        self.at = to;
        passed
    }

    fn skip_blanks(&mut self) {
        let rest = self.content.get(self.at..).unwrap_or_default();
        let blanks = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
        self.advance(self.at + blanks);
    }

    fn row(&mut self, line: u64, fields: Result<Fields, Finding>, text: &'a [u8]) -> RawRow<'a> {
        let index = self.index;
        self.index += 1;
        RawRow { index, line: Some(line), fields, text: Some(text) }
    }

    /// The last row of a file that does not end where its array ends.
    fn rest(&mut self, finding: Finding) -> RawRow<'a> {
        self.done = true;
        let line = self.line;
        let text = self.advance(self.content.len());
        self.row(line, Err(finding), text)
    }

    /// Where the last item ends: before the bracket that closes the array, if there is one.
    fn last_bracket(&self, start: usize) -> usize {
        let end = self.content.trim_ascii_end().len().saturating_sub(1);
        if end > start && self.content.get(end) == Some(&b']') { end } else { self.content.len() }
    }

    fn item(&mut self) -> RawRow<'a> {
        let (start, line) = (self.at, self.line);
        let parse = |end: usize, last: bool| {
            let text = self.content.get(start..end).unwrap_or_default();
            jsonl::object(text.trim_ascii_end(), last)
        };
        let (end, fields) = match balanced_end(self.content, start) {
            Some(end) => (end, parse(end, false)),
            None => {
                let fields = parse(self.content.len(), true);
                // Where the next item can be found, only what stands before it is this item.
                match fields.as_ref().err().and_then(|finding| resume(self.content, start, finding)) {
                    Some(end) => (end, parse(end, false)),
                    None => (self.last_bracket(start), fields),
                }
            }
        };
        let indent = (start - self.line_start) as u64;
        let text = self.advance(end);
        self.row(line, fields.map_err(|finding| indented(finding, indent)), text.trim_ascii_end())
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = RawRow<'a>;

    fn next(&mut self) -> Option<RawRow<'a>> {
        if self.done {
            return None;
        }
        self.skip_blanks();
        match self.peek() {
            None => Some(self.rest(Finding::new(&rules::TRUNCATED, "the file ends before its array is closed"))),
            Some(b']') => {
                self.at += 1;
                self.skip_blanks();
                self.done = true;
                self.peek().map(|_| self.rest(Finding::new(&rules::MALFORMED, "text after the end of the array")))
            }
            Some(_) => {
                let row = self.item();
                self.skip_blanks();
                if self.peek() == Some(b',') {
                    self.at += 1;
                } else if self.at >= self.content.len()
                    && row.fields.as_ref().is_err_and(|f| f.rule.code == rules::TRUNCATED.code)
                {
                    // That the array is not closed is said already.
                    self.done = true;
                }
                Some(row)
            }
        }
    }
}

/// The parser knows nothing of what stands before the item on its first line.
fn indented(mut finding: Finding, indent: u64) -> Finding {
    finding.within = finding.within.map(|at| Within { indent, ..at });
    finding
}

/// Where the item that starts at `start` ends, if its brackets match: before the `,` or `]` that follows it.
fn balanced_end(content: &[u8], start: usize) -> Option<usize> {
    let mut open = Vec::new();
    let mut in_text = false;
    let mut bytes = content.iter().copied().enumerate().skip(start);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' if in_text => {
                bytes.next();
            }
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' | b'[' if open.len() == MAX_DEPTH => return None,
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b',' | b']' if open.is_empty() => return Some(at),
            b'}' | b']' if open.pop() != Some(byte) => return None,
            _ => {}
        }
    }
    None
}

/// Where an item with unmatched brackets or quotation marks may end, so that the next can be read: between two objects.
fn resume(content: &[u8], start: usize, finding: &Finding) -> Option<usize> {
    // `{"a": 1, {"a": 2}`: the parser stumbled over the next item's bracket.
    if let Some(at) = offset(content, start, finding)
        && content.get(at) == Some(&b'{')
        && let Some(before) = content.get(start..at)
        && let trimmed = before.trim_ascii_end()
        && trimmed.last() == Some(&b',')
    {
        return Some(start + trimmed.len() - 1);
    }
    let mut closed = None;
    let mut comma = false;
    for (at, byte) in content.iter().copied().enumerate().skip(start) {
        match byte {
            b'}' => (closed, comma) = (Some(at + 1), false),
            b',' if closed.is_some() && !comma => comma = true,
            b'{' if comma => return closed,
            b if b.is_ascii_whitespace() => {}
            _ => (closed, comma) = (None, false),
        }
    }
    None
}

/// The byte at which the JSON parser gave up.
fn offset(content: &[u8], start: usize, finding: &Finding) -> Option<usize> {
    let at = finding.within?;
    let below = usize::try_from(at.line.checked_sub(1)?).ok()?;
    let column = usize::try_from(at.byte).ok()?;
    let text = content.get(start..)?;
    let before: usize = text.split(|b| *b == b'\n').take(below).map(|l| l.len() + 1).sum();
    (start + before + column).checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(content: &str) -> Vec<(u64, String, String)> {
        let describe = |row: RawRow<'_>| {
            let what = match row.fields {
                Ok(fields) => format!("{} fields", fields.len()),
                Err(finding) => format!("{}: {}", finding.rule.code, finding.message),
            };
            (row.line.unwrap(), what, String::from_utf8_lossy(row.text.unwrap()).into_owned())
        };
        open(content.as_bytes()).rows.map(|row| describe(row.unwrap())).collect()
    }

    fn codes(content: &str) -> Vec<String> {
        summary(content).into_iter().map(|(_, what, _)| what.chars().take(4).collect()).collect()
    }

    #[test]
    fn items_and_their_lines() {
        let rows = summary("\n[ {\"a\": 1,\n \"b\": \"],}{\\\"\"},\n\n{\"a\": [{}]} , {}\n]\n");
        let places: Vec<_> = rows.iter().map(|(line, what, _)| (*line, what.as_str())).collect();
        assert_eq!(places, [(2, "2 fields"), (5, "1 fields"), (5, "0 fields")]);
        assert_eq!(summary("[]"), []);
        assert_eq!(codes("[{},]"), ["0 fi"]);
    }

    #[test]
    fn a_bad_item_does_not_touch_the_others() {
        assert_eq!(codes(r#"[{"a": 1 "b": 2}, {}]"#), ["R107", "0 fi"], "no comma");
        assert_eq!(codes(r#"[{"a": 1, {"a": 2}, {}]"#), ["R107", "1 fi", "0 fi"], "not closed");
        assert_eq!(codes(r#"[{"a": "x}, {"a": "y"}, {}]"#), ["R107", "1 fi", "0 fi"], "open quotation mark");
        assert_eq!(codes(r#"[1, null, {}]"#), ["R107", "R107", "0 fi"], "no objects");
        assert_eq!(codes(r#"[{}, , {}]"#), ["0 fi", "R107", "0 fi"], "nothing between commas");
        assert_eq!(codes(r#"[{} {}, {"a": 1}]"#), ["R107", "1 fi"], "no comma between items");
        let rows = summary(r#"[{"a": "x}, {"a": "y"}]"#);
        assert_eq!(rows[0].2, r#"{"a": "x}"#);
        assert_eq!(rows[1].2, r#"{"a": "y"}"#);
    }

    #[test]
    fn a_file_that_ends_early() {
        assert_eq!(codes(r#"[{}, {"a": "b"#), ["0 fi", "R105"]);
        let rows = summary("[{},\n{\"a\": 1}\n");
        assert_eq!(rows[2], (3, "R105: the file ends before its array is closed".to_owned(), String::new()));
        assert_eq!(codes("[{}"), ["0 fi", "R105"]);
        assert_eq!(codes("[{}, "), ["0 fi", "R105"]);
        assert_eq!(codes("[{}] {}"), ["0 fi", "R107"]);
    }

    #[test]
    fn every_byte_is_in_some_row() {
        for content in ["[{\"a\": \"x}, {]]", "[}{,]", "[{{{{", "[\"", "[,", "[]]", "[\\"] {
            let kept: usize = summary(content).iter().map(|(_, _, text)| text.trim().len()).sum();
            let punctuation = content.bytes().filter(|b| b"[], ".contains(b)).count();
            assert!(kept + punctuation >= content.len(), "{content}: {:?}", summary(content));
        }
    }
}
