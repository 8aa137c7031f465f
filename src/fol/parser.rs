//! placeholder
use super::ast::Formula;
use crate::diagnostic::Span;

/// What the parser made of one annotation.
#[derive(Debug, Clone, Default)]
pub struct Parsed {
    /// The tree of what could be read. Where [`Parsed::has_error`] holds it is a best effort, good for symbol tables
    /// but never for verdicts.
    pub formula: Option<Formula>,
    /// What the parser noticed, in the order of the text.
    pub issues: Vec<SyntaxIssue>,
}

impl Parsed {
    /// Whether the annotation has no reading.
    #[must_use]
    pub fn has_error(&self) -> bool {
        self.issues.iter().any(|i| i.kind.is_error())
    }

    /// The tree, only where the annotation has a reading.
    #[must_use]
    pub fn reading(&self) -> Option<&Formula> {
        if self.has_error() { None } else { self.formula.as_ref() }
    }
}

/// Something the parser noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxIssue {
    /// What.
    pub kind: SyntaxIssueKind,
    /// Where.
    pub span: Span,
}

/// The kinds of things the parser notices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyntaxIssueKind {
    /// Nothing but white space.
    Empty,
}

impl SyntaxIssueKind {
    /// Whether the annotation has no reading because of it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        true
    }
}

/// Reads one annotation.
#[must_use]
pub fn parse(_text: &str) -> Parsed {
    Parsed::default()
}
