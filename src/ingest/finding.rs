//! Something wrong with one row, before it is a diagnostic or an error.

use std::fmt;
use std::path::Path;

use crate::diagnostic::{Diagnostic, Severity, Span, Target};
use crate::lint::Rule;
use crate::record::Source;

use super::error::IngestError;

/// Where inside its row a fault is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Within {
    /// The line, counted from 1 at the row's first.
    pub(super) line: u64,
    /// The byte of that line, counted from 1; on the row's first line from where the row starts. 0 is before the first.
    pub(super) byte: u64,
    /// How many bytes stand before the row on its first line.
    pub(super) indent: u64,
}

impl Within {
    /// The 1-based line of the file, for a row that starts on `first`.
    fn line_of_file(self, first: u64) -> u64 {
        first + self.line.saturating_sub(1)
    }

    /// The byte of that line of the file.
    fn column(self) -> u64 {
        if self.line == 1 { self.byte + self.indent } else { self.byte }
    }
}

impl fmt::Display for Within {
    /// Without anything that depends on where the row stands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.byte) {
            (..=1, 0) => f.write_str("start of the row"),
            (..=1, byte) => write!(f, "byte {byte} of the row"),
            (line, 0) => write!(f, "start of line {line} of the row"),
            (line, byte) => write!(f, "line {line} of the row, byte {byte}"),
        }
    }
}

/// What is wrong with one row, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// The rule.
    pub(super) rule: &'static Rule,
    /// Where inside the row, if that is known.
    pub(super) within: Option<Within>,
    /// A fragment that names the thing found.
    pub(super) message: String,
    /// What the reader could do.
    pub(super) hint: Option<String>,
}

impl Finding {
    /// A finding about the row as a whole.
    pub(super) fn new(rule: &'static Rule, message: impl Into<String>) -> Self {
        Self { rule, within: None, message: message.into(), hint: None }
    }

    /// With a hint.
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What the JSON parser has to say about the text of a row.
    pub(super) fn json(rule: &'static Rule, error: &serde_json::Error) -> Self {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let text = error.to_string();
        Self {
            rule,
            within: Some(Within { line: error.line() as u64, byte: error.column() as u64, indent: 0 }),
            message: format!("not valid JSON: {}", text.strip_suffix(&place).unwrap_or(&text)),
            hint: None,
        }
    }

    /// Whether the row is bad, rather than merely odd.
    pub(super) fn is_error(&self) -> bool {
        self.rule.severity == Severity::Error
    }

    /// File, line and column: `train.jsonl:12:34`, or `train.parquet row 12` where there are no lines.
    pub(super) fn place(&self, source: &Source) -> String {
        match (source.line, self.within) {
            (Some(first), Some(at)) => format!("{}:{}:{}", source.file, at.line_of_file(first), at.column()),
            (Some(line), None) => format!("{}:{line}", source.file),
            (None, _) => format!("{} row {}", source.file, source.row),
        }
    }

    /// As a diagnostic of its record. File and line are the record's to tell: in the message they would make a row's
    /// content depend on the order of rows.
    pub(super) fn diagnostic(&self) -> Diagnostic {
        let message = match self.within {
            Some(at) => format!("{} ({at})", self.message),
            None => self.message.clone(),
        };
        let mut diagnostic = Diagnostic::new(self.rule.code, self.rule.severity, Target::Row, Span::default(), message);
        diagnostic.hint.clone_from(&self.hint);
        diagnostic
    }

    /// As the error that stops everything.
    pub(super) fn failure(self, file: &Path, source: &Source) -> IngestError {
        IngestError::RowFailed {
            file: file.to_owned(),
            line: source.line.map(|first| self.within.map_or(first, |at| at.line_of_file(first))),
            row: source.row,
            place: self.place(source),
            code: self.rule.code,
            message: self.message,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::rules;

    fn found(line: u64, byte: u64) -> Finding {
        Finding {
            within: Some(Within { line, byte, indent: 4 }),
            ..Finding::new(&rules::MALFORMED, "not valid JSON: expected `:`")
        }
    }

    fn source(line: Option<u64>) -> Source {
        Source { file: "a.json".to_owned(), row: 6, line, ..Source::default() }
    }

    #[test]
    fn a_diagnostic_says_where_in_its_row() {
        let message = |line, byte| found(line, byte).diagnostic().message;
        assert_eq!(message(1, 12), "not valid JSON: expected `:` (byte 12 of the row)");
        assert_eq!(message(3, 12), "not valid JSON: expected `:` (line 3 of the row, byte 12)");
        assert_eq!(message(1, 0), "not valid JSON: expected `:` (start of the row)");
        assert_eq!(message(2, 0), "not valid JSON: expected `:` (start of line 2 of the row)");
        assert_eq!(Finding::new(&rules::BAD_FIELD, "no").diagnostic().message, "no");
    }

    #[test]
    fn an_error_says_where_in_the_file() {
        let place = |finding: Finding, line| match finding.failure(Path::new("d/a.json"), &source(line)) {
            IngestError::RowFailed { line, place, message, .. } => (line, place, message),
            other => panic!("{other}"),
        };
        let message = || "not valid JSON: expected `:`".to_owned();
        assert_eq!(place(found(1, 12), Some(7)), (Some(7), "a.json:7:16".to_owned(), message()));
        assert_eq!(place(found(3, 12), Some(7)), (Some(9), "a.json:9:12".to_owned(), message()));
        let whole = |line| place(Finding::new(&rules::BAD_FIELD, "no"), line);
        assert_eq!(whole(Some(7)), (Some(7), "a.json:7".to_owned(), "no".to_owned()));
        assert_eq!(whole(None), (None, "a.json row 6".to_owned(), "no".to_owned()));
    }
}
