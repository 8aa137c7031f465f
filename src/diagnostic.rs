//! What refolio has to say about a piece of text: where, how grave, and what could be done about it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A half-open range of UTF-8 byte offsets into one annotation or sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte; equal to `start` for a position between two characters.
    pub end: usize,
}

impl Span {
    /// The range from `start` (inclusive) to `end` (exclusive).
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// An empty range: a position between two characters.
    #[must_use]
    pub const fn at(offset: usize) -> Self {
        Self { start: offset, end: offset }
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Length in bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the range holds no byte.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The text of this range. Out-of-range or split characters give the empty string rather than a panic.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }
}

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing need be wrong.
    Info,
    /// Probably not what was meant, but it has one reading and that reading was used.
    Warning,
    /// The annotation has no reading: its record's verdict is `Unparsed`.
    Error,
}

impl Severity {
    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which part of a record is meant. Indices are 0-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// The formula of a premise.
    Premise(usize),
    /// The formula of the conclusion.
    Conclusion,
    /// The sentence of a premise.
    PremiseSentence(usize),
    /// The sentence of the conclusion.
    ConclusionSentence,
    /// The record as a whole.
    Row,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Premise(i) => write!(f, "premise[{i}]"),
            Self::Conclusion => f.write_str("conclusion"),
            Self::PremiseSentence(i) => write!(f, "premise_sentence[{i}]"),
            Self::ConclusionSentence => f.write_str("conclusion_sentence"),
            Self::Row => f.write_str("row"),
        }
    }
}

/// A text that names no part of a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names no part of a record; expected `premise[0]`, `conclusion` or the like")]
pub struct UnknownTarget(pub String);

impl std::str::FromStr for Target {
    type Err = UnknownTarget;

    /// Reads what [`Target`] prints.
    fn from_str(text: &str) -> Result<Self, UnknownTarget> {
        let unknown = || UnknownTarget(text.to_owned());
        let index = |name: &str| {
            let digits = text.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']')?;
            let index: usize = digits.parse().ok()?;
            // One spelling for one target.
            (index.to_string() == digits).then_some(index)
        };
        match text {
            "conclusion" => Ok(Self::Conclusion),
            "conclusion_sentence" => Ok(Self::ConclusionSentence),
            "row" => Ok(Self::Row),
            _ => index("premise")
                .map(Self::Premise)
                .or_else(|| index("premise_sentence").map(Self::PremiseSentence))
                .ok_or_else(unknown),
        }
    }
}

/// Whether a fix may be applied without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Applicability {
    /// Keeps the meaning, or gives the only sensible reading.
    Safe,
    /// A guess: may change what the annotation means.
    Unsafe,
    /// Shown to a person, never applied by the program.
    DisplayOnly,
}

impl Applicability {
    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
            Self::DisplayOnly => "display-only",
        }
    }
}

/// What an edit is: the column `edits.kind` of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EditKind {
    /// Another spelling of the same formula: the tree is unchanged.
    Normalise,
    /// A rule's fix that gives a formula to a text that had none, or changes the formula it has.
    Fix,
    /// Found by searching for what closes a broken chain; accepted because every guard let it pass.
    Search,
    /// The formula of another version of the dataset, where that was offered.
    Prior,
    /// Written by a language model; accepted because every guard let it pass.
    Llm,
    /// Made by a person, on record in a file of decisions.
    Human,
}

impl EditKind {
    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Normalise => "normalise",
            Self::Fix => "fix",
            Self::Search => "search",
            Self::Prior => "prior",
            Self::Llm => "llm",
            Self::Human => "human",
        }
    }
}

/// One replacement inside one text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextEdit {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// What stands there afterwards; empty for a deletion.
    pub replacement: String,
}

/// A way to mend what a diagnostic found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// Whether it may be applied without asking.
    pub applicability: Applicability,
    /// Whether it only respells or changes the formula.
    pub kind: EditKind,
    /// A short imperative: "append the missing `)`".
    pub title: String,
    /// Replacements in the text of the diagnostic's target, in order and without overlap.
    pub edits: Vec<TextEdit>,
    /// Whole texts that were possible instead and mean something else. Empty where the fix is the only reading.
    pub alternatives: Vec<String>,
}

impl Fix {
    /// The text after this fix, or `None` where the edits overlap, are out of order or do not fit the text.
    #[must_use]
    pub fn apply(&self, text: &str) -> Option<String> {
        apply_edits(text, &self.edits)
    }
}

/// The texts after fixes that one record is written with: a whole text for each of thousands of findings would be
/// gigabytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FixTexts {
    left: usize,
}

impl FixTexts {
    /// Bytes of all these texts of one record together; a text that would go beyond is left out.
    pub(crate) const LIMIT: usize = 1 << 20;

    /// For one record.
    pub(crate) const fn new() -> Self {
        Self { left: Self::LIMIT }
    }

    /// The text after a fix, while there is room for it.
    pub(crate) fn after(&mut self, fix: &Fix, text: &str) -> Option<String> {
        let added: usize = fix.edits.iter().map(|e| e.replacement.len()).sum();
        let removed: usize = fix.edits.iter().map(|e| e.span.end.saturating_sub(e.span.start)).sum();
        // Whether there is room is known before anything is copied.
        self.has_room((text.len() + added).saturating_sub(removed)).then(|| fix.apply(text)).flatten()
    }

    /// Whether a text of `bytes` has room, which it then takes up.
    pub(crate) const fn has_room(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }
}

/// The gravest of some findings, at most `limit`, in the order in which they stand; among equals the earlier.
pub(crate) fn gravest<T>(findings: &[T], limit: usize, severity: impl Fn(&T) -> Severity) -> Vec<&T> {
    if findings.len() <= limit {
        return findings.iter().collect();
    }
    let mut order: Vec<(usize, &T)> = findings.iter().enumerate().collect();
    order.sort_by_key(|(_, finding)| std::cmp::Reverse(severity(finding)));
    order.truncate(limit);
    order.sort_by_key(|(index, _)| *index);
    order.into_iter().map(|(_, finding)| finding).collect()
}

/// Applies ordered, non-overlapping edits; `None` where they overlap, are out of order or do not fit the text.
#[must_use]
pub fn apply_edits(text: &str, edits: &[TextEdit]) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 8);
    let mut done = 0;
    for edit in edits {
        out.push_str(text.get(done..edit.span.start)?);
        text.get(edit.span.start..edit.span.end)?;
        out.push_str(&edit.replacement);
        done = edit.span.end;
    }
    out.push_str(text.get(done..)?);
    Some(out)
}

/// A finding about one part of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule's code, such as `S101`; explained by `refolio rule S101`.
    pub code: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// The part of the record.
    pub target: Target,
    /// Where in the text of the target as it came.
    pub span: Span,
    /// One line without a final stop, naming the thing found.
    pub message: String,
    /// What the reader could do or should know.
    pub hint: Option<String>,
    /// Other places in the same text that explain the finding.
    pub related: Vec<(Span, String)>,
    /// A way to mend it.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// A finding without hint, related places or fix.
    #[must_use]
    pub fn new(code: &'static str, severity: Severity, target: Target, span: Span, message: impl Into<String>) -> Self {
        Self { code, severity, target, span, message: message.into(), hint: None, related: Vec::new(), fix: None }
    }

    /// With a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// With another place that explains the finding.
    #[must_use]
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push((span, text.into()));
        self
    }

    /// With a fix.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }
}
