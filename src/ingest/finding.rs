//! Something wrong with one row, before it is a diagnostic or an error.

use std::path::Path;

use crate::diagnostic::{Diagnostic, Severity, Span, Target};
use crate::lint::Rule;
use crate::record::Source;

use super::error::IngestError;

/// What is wrong with one row, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// The rule.
    pub(super) rule: &'static Rule,
    /// The 1-based line of the fault where it is not the row's own.
    pub(super) line: Option<u64>,
    /// The 1-based byte in that line.
    pub(super) column: Option<u64>,
    /// A fragment that names the thing found.
    pub(super) message: String,
    /// What the reader could do.
    pub(super) hint: Option<String>,
}

impl Finding {
    /// A finding about the row as a whole.
    pub(super) fn new(rule: &'static Rule, message: impl Into<String>) -> Self {
        Self { rule, line: None, column: None, message: message.into(), hint: None }
    }

    /// With a hint.
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What the JSON parser has to say about a row that starts on `line`.
    pub(super) fn json(rule: &'static Rule, error: &serde_json::Error, line: u64) -> Self {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let text = error.to_string();
        Self {
            rule,
            line: Some(line + (error.line() as u64).saturating_sub(1)),
            column: Some(error.column() as u64),
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
        match (self.line.or(source.line), self.column) {
            (Some(line), Some(column)) => format!("{}:{line}:{column}", source.file),
            _ => place(source),
        }
    }

    /// As a diagnostic of its record.
    pub(super) fn diagnostic(&self, source: &Source) -> Diagnostic {
        let message = format!("{}: {}", self.place(source), self.message);
        let mut diagnostic = Diagnostic::new(self.rule.code, self.rule.severity, Target::Row, Span::default(), message);
        diagnostic.hint.clone_from(&self.hint);
        diagnostic
    }

    /// As the error that stops everything.
    pub(super) fn failure(self, file: &Path, source: &Source) -> IngestError {
        IngestError::RowFailed {
            file: file.to_owned(),
            line: self.line.or(source.line),
            row: source.row,
            place: self.place(source),
            code: self.rule.code,
            message: self.message,
        }
    }
}

/// Where a row stands: `train.jsonl:12`, or `train.parquet row 12` where there are no lines.
pub(super) fn place(source: &Source) -> String {
    match source.line {
        Some(line) => format!("{}:{line}", source.file),
        None => format!("{} row {}", source.file, source.row),
    }
}
