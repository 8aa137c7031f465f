//! A JSON array of objects. The array is taken apart here, so that one bad item does not lose the others.

use std::io::{self, Read as _};

use super::finding::{Finding, Within};
use super::jsonl;
use super::row::{Opened, RawRow};
use super::rules;
use super::stored::{Bytes, Fault};
use super::value::Fields;

/// How deep brackets may nest inside an item before it is given up as broken; the JSON parser stops there too.
const MAX_DEPTH: usize = 128;

/// How much is read at once, at least.
const CHUNK: usize = 1 << 16;

/// The items of the array that a file holds. Memory holds one item, as long as brackets and quotation marks match; from
/// the first that does not, everything up to the end of the file, because only that shows where the next item starts.
pub(super) fn open(bytes: Bytes, fault: Fault) -> Opened {
    Opened { header: None, rows: Box::new(Items::new(bytes).map(move |row| row.map_err(|e| fault.tell(e)))) }
}

/// The part of the content that is in memory.
struct Window {
    reader: Bytes,
    bytes: Vec<u8>,
    /// Where in the content its first byte stands.
    base: u64,
    /// Whether it reaches to the end of the content.
    complete: bool,
}

impl Window {
    /// Reads on, as much again as there is, so that looking through it anew each time takes no more than twice as long.
    fn more(&mut self) -> io::Result<()> {
        let wanted = self.bytes.len().max(CHUNK) as u64;
        let read = (&mut self.reader).take(wanted).read_to_end(&mut self.bytes)?;
        self.complete = (read as u64) < wanted;
        Ok(())
    }

    fn all(&mut self) -> io::Result<()> {
        self.reader.read_to_end(&mut self.bytes)?;
        self.complete = true;
        Ok(())
    }
}

struct Items {
    window: Window,
    /// The next byte to look at, in the window.
    at: usize,
    /// Its 1-based line.
    line: u64,
    /// Where in the content that line starts.
    line_start: u64,
    /// The next item's position.
    index: u64,
    started: bool,
    done: bool,
}

impl Items {
    fn new(reader: Bytes) -> Self {
        let window = Window { reader, bytes: Vec::new(), base: 0, complete: false };
        Self { window, at: 0, line: 1, line_start: 0, index: 0, started: false, done: false }
    }

    /// The next byte; there is one unless the content ends here, because blanks have been skipped.
    fn peek(&self) -> Option<u8> {
        self.window.bytes.get(self.at).copied()
    }

    fn place(&self, at: usize) -> u64 {
        self.window.base + at as u64
    }

    /// Moves to `to`, counting lines.
    fn advance(&mut self, to: usize) {
        let passed = self.window.bytes.get(self.at..to).unwrap_or_default();
        self.line += passed.iter().filter(|b| **b == b'\n').count() as u64;
        if let Some(feed) = passed.iter().rposition(|b| *b == b'\n') {
            self.line_start = self.place(self.at + feed + 1);
        }
        self.at = to;
    }

    /// Drops what has been passed, where that is worth the moving.
    fn forget(&mut self) {
        if self.at > self.window.bytes.len() / 2 {
            self.window.bytes.drain(..self.at);
            self.window.base += self.at as u64;
            self.at = 0;
        }
    }

    fn skip_blanks(&mut self) -> io::Result<()> {
        loop {
            let rest = self.window.bytes.get(self.at..).unwrap_or_default();
            let blanks = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
            self.advance(self.at + blanks);
            if self.at < self.window.bytes.len() || self.window.complete {
                return Ok(());
            }
            self.forget();
            self.window.more()?;
        }
    }

    fn row(&mut self, line: u64, fields: Result<Fields, Finding>, from: usize, to: usize) -> RawRow {
        let index = self.index;
        self.index += 1;
        let text = self.window.bytes.get(from..to).unwrap_or_default().to_vec();
        RawRow { index, line: Some(line), fields, text: Some(text), at: self.place(from) }
    }

    /// The last row of a file that does not end where its array ends.
    fn rest(&mut self, finding: Finding) -> io::Result<RawRow> {
        self.window.all()?;
        self.done = true;
        let (from, line) = (self.at, self.line);
        self.advance(self.window.bytes.len());
        Ok(self.row(line, Err(finding), from, self.at))
    }

    /// Where the last item ends: before the bracket that closes the array, if there is one.
    fn last_bracket(&self, start: usize) -> usize {
        let content = self.window.bytes.as_slice();
        let end = content.trim_ascii_end().len().saturating_sub(1);
        if end > start && content.get(end) == Some(&b']') { end } else { content.len() }
    }

    fn parse(&self, start: usize, end: usize, last: bool) -> Result<Fields, Finding> {
        let text = self.window.bytes.get(start..end).unwrap_or_default();
        jsonl::object(text.trim_ascii_end(), last)
    }

    fn item(&mut self) -> io::Result<RawRow> {
        let (start, line) = (self.at, self.line);
        let end = loop {
            match balanced_end(&self.window.bytes, start) {
                End::At(end) => break Some(end),
                End::Beyond if !self.window.complete => self.window.more()?,
                End::Beyond | End::Unmatched => break None,
            }
        };
        let (end, fields) = match end {
            Some(end) => (end, self.parse(start, end, false)),
            None => {
                self.window.all()?;
                let content = self.window.bytes.as_slice();
                let fields = self.parse(start, content.len(), true);
                // Where the next item can be found, only what stands before it is this item.
                match fields.as_ref().err().and_then(|finding| resume(content, start, finding)) {
                    Some(end) => (end, self.parse(start, end, false)),
                    None => (self.last_bracket(start), fields),
                }
            }
        };
        let indent = self.place(start) - self.line_start;
        self.advance(end);
        let text = self.window.bytes.get(start..end).unwrap_or_default().trim_ascii_end().len();
        Ok(self.row(line, fields.map_err(|finding| indented(finding, indent)), start, start + text))
    }

    fn step(&mut self) -> io::Result<Option<RawRow>> {
        if self.done {
            return Ok(None);
        }
        self.forget();
        self.skip_blanks()?;
        if !self.started {
            self.started = true;
            if self.peek() == Some(b'[') {
                self.at += 1;
                self.skip_blanks()?;
            }
        }
        match self.peek() {
            None => self.rest(Finding::new(&rules::TRUNCATED, "the file ends before its array is closed")).map(Some),
            Some(b']') => {
                self.at += 1;
                self.skip_blanks()?;
                self.done = true;
                match self.peek() {
                    None => Ok(None),
                    Some(_) => self.rest(Finding::new(&rules::MALFORMED, "text after the end of the array")).map(Some),
                }
            }
            Some(_) => {
                let row = self.item()?;
                self.skip_blanks()?;
                if self.peek() == Some(b',') {
                    self.at += 1;
                } else if self.peek().is_none()
                    && row.fields.as_ref().is_err_and(|f| f.rule.code == rules::TRUNCATED.code)
                {
                    // That the array is not closed is said already.
                    self.done = true;
                }
                Ok(Some(row))
            }
        }
    }
}

impl Iterator for Items {
    type Item = io::Result<RawRow>;

    fn next(&mut self) -> Option<io::Result<RawRow>> {
        self.step().transpose()
    }
}

/// The parser knows nothing of what stands before the item on its first line.
fn indented(mut finding: Finding, indent: u64) -> Finding {
    finding.within = finding.within.map(|at| Within { indent, ..at });
    finding
}

/// Where an item ends.
enum End {
    /// Before this byte.
    At(usize),
    /// Not in what was looked at.
    Beyond,
    /// Nobody can tell: its brackets do not match, or nest too deep.
    Unmatched,
}

/// Where the item that starts at `start` ends, if its brackets match: before the `,` or `]` that follows it.
fn balanced_end(content: &[u8], start: usize) -> End {
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
            b'{' | b'[' if open.len() == MAX_DEPTH => return End::Unmatched,
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b',' | b']' if open.is_empty() => return End::At(at),
            b'}' | b']' if open.pop() != Some(byte) => return End::Unmatched,
            _ => {}
        }
    }
    End::Beyond
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

    fn read(content: &str) -> Vec<RawRow> {
        Items::new(Box::new(io::Cursor::new(content.as_bytes().to_vec()))).map(Result::unwrap).collect()
    }

    fn summary(content: &str) -> Vec<(u64, String, String)> {
        let describe = |row: RawRow| {
            let what = match row.fields {
                Ok(fields) => format!("{} fields", fields.len()),
                Err(finding) => format!("{}: {}", finding.rule.code, finding.message),
            };
            let text = row.text.unwrap();
            let at = usize::try_from(row.at).unwrap();
            assert_eq!(&content.as_bytes()[at..at + text.len()], text);
            (row.line.unwrap(), what, String::from_utf8_lossy(&text).into_owned())
        };
        read(content).into_iter().map(describe).collect()
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
    fn items_longer_than_what_is_read_at_once() {
        let long = |n: usize| format!("{{\"a\": \"{}\",\n\"b\": [{{}}]}}", "x]}{".repeat(n));
        let items = [long(CHUNK), "{}".to_owned(), long(10), long(CHUNK / 4 - 8), long(CHUNK / 4), long(3 * CHUNK)];
        let content = format!("[ {} \n]", items.join(&format!(",{}\n", " ".repeat(CHUNK))));
        let rows = summary(&content);
        assert_eq!(rows.iter().map(|(.., text)| text).collect::<Vec<_>>(), items.iter().collect::<Vec<_>>());
        assert_eq!(rows.iter().map(|(line, ..)| *line).collect::<Vec<_>>(), [1, 3, 4, 6, 8, 10]);
        // The same with the last one broken: what stands before it is not touched.
        let broken = content.replace("\n]", "");
        assert_eq!(summary(&broken)[..5], rows[..5]);
    }

    #[test]
    fn memory_holds_one_item() {
        let content = format!("[{}]", vec!["{\"a\": \"0123456789\"}"; 100_000].join(","));
        let mut items = Items::new(Box::new(io::Cursor::new(content.into_bytes())));
        let mut most = 0;
        while let Some(row) = items.next() {
            assert!(row.unwrap().fields.is_ok());
            most = most.max(items.window.bytes.len());
        }
        assert!(most <= 2 * CHUNK, "{most}");
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
