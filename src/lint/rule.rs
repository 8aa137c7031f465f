//! What a rule is.

use std::fmt;

use crate::diagnostic::{Applicability, Diagnostic, Severity, Span, Target};

/// What a rule is about; the first letter of its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// `S`: brackets, glyphs, punctuation.
    Syntax,
    /// `B`: quantifiers and variables.
    Binding,
    /// `N`: names across a story.
    Names,
    /// `P`: the shape of a formula.
    Shape,
    /// `C`: cues of the sentence against operators of the formula.
    Cue,
    /// `R`: rows and files.
    Row,
    /// `L`: findings that need a prover.
    Logic,
}

impl Family {
    /// Every family, in the order of the documentation.
    pub const ALL: [Self; 7] =
        [Self::Syntax, Self::Binding, Self::Names, Self::Shape, Self::Cue, Self::Row, Self::Logic];

    /// The letter that starts its rules' codes.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Syntax => 'S',
            Self::Binding => 'B',
            Self::Names => 'N',
            Self::Shape => 'P',
            Self::Cue => 'C',
            Self::Row => 'R',
            Self::Logic => 'L',
        }
    }

    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Binding => "binding",
            Self::Names => "names",
            Self::Shape => "shape",
            Self::Cue => "cue",
            Self::Row => "row",
            Self::Logic => "logic",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A formula (or row) that a rule finds fault with, and what it becomes.
///
/// Both texts have one formula a line; each line is a premise, and a line that starts with `∴` is the conclusion.
/// `sentence ::: formula` gives a line its sentence. A line `label: True` gives the record a label, and a line `---`
/// starts another record. A text without any of these is simply the formula of one premise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// What the rule finds.
    pub bad: &'static str,
    /// What it should be, where that is plain.
    pub good: Option<&'static str>,
}

/// A rule: its documentation. What it does is in the module of its family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The family's letter and three digits; never reused.
    pub code: &'static str,
    /// Kebab-case name.
    pub name: &'static str,
    /// What it is about.
    pub family: Family,
    /// The severity of its diagnostics.
    pub severity: Severity,
    /// One line without a final stop.
    pub summary: &'static str,
    /// One paragraph of Markdown: what is found, why it matters, what the fix does.
    pub explanation: &'static str,
    /// At least one.
    pub examples: &'static [Example],
    /// The best its fixes can be; `None` where it has none.
    pub fix: Option<Applicability>,
}

impl Rule {
    /// A finding of this rule, without hint, related places or fix.
    #[must_use]
    pub fn diagnostic(&self, target: Target, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.code, self.severity, target, span, message)
    }
}
