//! Findings as text, JSON, SARIF and GitHub commands: pure functions from findings to a string.

mod github;
mod json;
mod sarif;
mod summary;
mod text;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, FixTexts, Target};
use crate::record::Record;

pub use github::github;
pub use json::json;
pub(crate) use json::serialize_findings;
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
    /// The record's id; empty for a text that is no record.
    pub record_id: String,
    /// The text of the diagnostic's target as it came; `None` where the row as a whole is meant.
    pub text: Option<Arc<str>>,
    /// What was found.
    pub diagnostic: Diagnostic,
}

impl Finding {
    /// The findings about a record. Those about one text share it.
    pub fn all(record: &Record, diagnostics: impl IntoIterator<Item = Diagnostic>) -> Vec<Self> {
        let mut texts: BTreeMap<Target, Option<Arc<str>>> = BTreeMap::new();
        let mut of = |target| texts.entry(target).or_insert_with(|| record.text(target).map(Arc::from)).clone();
        diagnostics.into_iter().map(|diagnostic| Self::new(record, of(diagnostic.target), diagnostic)).collect()
    }

    fn new(record: &Record, text: Option<Arc<str>>, diagnostic: Diagnostic) -> Self {
        Self {
            file: record.source.file.clone(),
            row: record.source.row,
            line: record.source.line,
            record_id: record.record_id.clone(),
            text,
            diagnostic,
        }
    }

    /// Whether another finding is about the same record.
    fn shares_record(&self, other: &Self) -> bool {
        self.row == other.row && self.record_id == other.record_id && self.file == other.file
    }

    /// The file, with the line where it is known and else the 0-based row; a text that is no record has none.
    fn place(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", self.file),
            None if self.record_id.is_empty() => self.file.clone(),
            None => format!("{} row {}", self.file, self.row),
        }
    }
}

/// Each finding with the room that is left for texts after fixes in its record.
fn with_room<'a, T>(findings: &'a [Finding], mut make: impl FnMut(&'a Finding, &mut FixTexts) -> T) -> Vec<T> {
    let records = findings.chunk_by(Finding::shares_record);
    let mut out = Vec::with_capacity(findings.len());
    for record in records {
        let mut texts = FixTexts::new();
        out.extend(record.iter().map(|finding| make(finding, &mut texts)));
    }
    out
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::diagnostic::{Applicability, EditKind, Fix, Severity, Span, TextEdit};

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
                text: Some(Arc::from(text)),
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

    /// Findings about two long texts of one record, each with a fix.
    pub(crate) fn many(count: usize) -> Vec<Finding> {
        let record = Record {
            premises_fol: vec!["p → ".repeat(20_000), "q".to_owned()],
            record_id: "1".to_owned(),
            ..Record::default()
        };
        let fix = |target: Target| Fix {
            applicability: Applicability::Unsafe,
            kind: EditKind::Fix,
            title: "append `)`".to_owned(),
            edits: vec![TextEdit { span: Span::at(record.text(target).unwrap().len()), replacement: ")".to_owned() }],
            alternatives: Vec::new(),
        };
        let found = (0..2 * count).map(|i| {
            let target = Target::Premise(i / count);
            let severity = if i == count - 1 { Severity::Error } else { Severity::Warning };
            Diagnostic::new("S101", severity, target, Span::at(0), format!("finding {i}")).fix(fix(target))
        });
        Finding::all(&record, found)
    }

    #[test]
    fn findings_about_one_text_share_it() {
        let findings = many(40_000);
        let (first, second) = findings.split_at(40_000);
        for same in [first, second] {
            let text = same[0].text.as_ref().unwrap();
            assert!(same.iter().all(|f| f.text.as_ref().is_some_and(|t| Arc::ptr_eq(t, text))));
        }
        assert_ne!(first[0].text, second[0].text);
        assert_eq!(first[0].text.as_ref().unwrap().len(), 120_000);
        assert_eq!(second[0].text.as_deref(), Some("q"));
    }

    #[test]
    fn machine_formats_have_every_finding_and_few_megabytes() {
        let findings = many(1000);
        for (format, out) in [("json", json(&findings)), ("sarif", sarif(&findings))] {
            assert_eq!(out.matches("\"finding ").count(), 2000, "{format}");
            assert!(out.len() < 4 << 20, "{format}: {} bytes", out.len());
            assert!(out.contains("p → )\""), "{format}: the first texts are there");
        }
    }
}
