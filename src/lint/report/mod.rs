//! Findings as text, JSON, SARIF and GitHub commands: pure functions from findings to a string.

mod github;
mod json;
mod sarif;
mod summary;
mod text;

use crate::diagnostic::Diagnostic;
use crate::record::Record;

pub use github::github;
pub use json::json;
pub use sarif::sarif;
pub use summary::summary;
pub use text::{Colour, text};

/// A diagnostic with the place of its record and the text it points into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file, as outputs name it.
    pub file: String,
    /// The record's 0-based position in the file.
    pub row: u64,
    /// The 1-based line on which the record starts, for formats that have lines.
    pub line: Option<u64>,
    /// The record's id.
    pub record_id: String,
    /// The text of the diagnostic's target as it came; `None` where the row as a whole is meant.
    pub text: Option<String>,
    /// What was found.
    pub diagnostic: Diagnostic,
}

impl Finding {
    /// A finding about a record.
    #[must_use]
    pub fn new(record: &Record, diagnostic: Diagnostic) -> Self {
        Self {
            file: record.source.file.clone(),
            row: record.source.row,
            line: record.source.line,
            record_id: record.record_id.clone(),
            text: record.text(diagnostic.target).map(str::to_owned),
            diagnostic,
        }
    }

    /// The file, with the line where it is known and else the 0-based row.
    fn place(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", self.file),
            None => format!("{} row {}", self.file, self.row),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::Finding;
    use crate::diagnostic::{Applicability, Diagnostic, EditKind, Fix, Severity, Span, Target, TextEdit};

    /// Two findings: one with everything a diagnostic can have, one about a whole row.
    pub(crate) fn samples() -> Vec<Finding> {
        let text = "∀x (Painter(x)) → Patient(x)";
        let first = text.rfind("x)").unwrap();
        let fix = Fix {
            applicability: Applicability::Unsafe,
            kind: EditKind::Fix,
            title: "put brackets around it".to_owned(),
            edits: vec![
                TextEdit { span: Span::at(5), replacement: "(".to_owned() },
                TextEdit { span: Span::at(text.len()), replacement: ")".to_owned() },
            ],
            alternatives: Vec::new(),
        };
        let free = Diagnostic::new(
            "B101",
            Severity::Warning,
            Target::Premise(3),
            Span::new(first, first + 1),
            "`x` is used outside the scope of the quantifier that binds it",
        )
        .hint("a quantifier binds only the one formula after it")
        .related(Span::new(3, 4), "bound here")
        .fix(fix);
        let row = Diagnostic::new("R201", Severity::Info, Target::Row, Span::default(), "this is record 7 once more");
        vec![
            Finding {
                file: "train.jsonl".to_owned(),
                row: 11,
                line: Some(12),
                record_id: "981".to_owned(),
                text: Some(text.to_owned()),
                diagnostic: free,
            },
            Finding {
                file: "train.parquet".to_owned(),
                row: 4,
                line: None,
                record_id: "50%".to_owned(),
                text: None,
                diagnostic: row,
            },
        ]
    }
}
