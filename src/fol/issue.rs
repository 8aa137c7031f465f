//! What the parser notices.

use crate::diagnostic::Span;

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
    /// A bracket is never closed; the span is where the text ends.
    MissingClose {
        /// The bracket.
        open: Span,
    },
    /// A closing bracket closes nothing.
    ExtraClose,
    /// A connective, quantifier or negation lacks its formula.
    MissingFormula,
    /// Two formulas side by side.
    MissingConnective,
    /// `=` or `≠` lacks its right side.
    MissingTerm,
    /// Two terms side by side.
    MissingComma,
    /// A comma after the last argument, before the first, or next to another.
    ExtraComma,
    /// A comma where a connective should be.
    CommaBetweenFormulas,
    /// A quantifier followed by no variable.
    QuantifierWithoutVariable,
    /// A bracket where a term should be: `P((x)`.
    BracketInArguments,
    /// A connective, quantifier or equality among arguments: a bracket was not closed.
    OperatorInArguments {
        /// The bracket.
        open: Span,
    },
    /// An argument of several words.
    SpaceInName,
    /// `P()` or `()`.
    EmptyBrackets,
    /// A bound variable stands where a formula should.
    VariableAsFormula,
    /// A full stop, colon or comma that belongs to nothing.
    StrayPunctuation,
    /// Words after a complete formula.
    Remark,
    /// A character that no formula has.
    UnknownCharacter,
    /// A sign that cannot stand here.
    Unexpected,
    /// Nested more deeply than is read.
    TooDeep {
        /// The greatest height that is read.
        limit: usize,
    },
    /// Another sign for the usual one; the reading is plain.
    Variant {
        /// The usual sign.
        canonical: &'static str,
    },
    /// `v` or `+` read as ∨.
    LetterAsConnective,
    /// `500,000` read as one number.
    ThousandsComma,
    /// `∀x:` or `∀x.`
    StopAfterQuantifier,
}

impl SyntaxIssueKind {
    /// Whether the annotation has no reading because of it.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        !matches!(
            self,
            Self::Variant { .. } | Self::LetterAsConnective | Self::ThousandsComma | Self::StopAfterQuantifier
        )
    }
}
