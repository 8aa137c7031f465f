//! What a rule sees.

use crate::diagnostic::Target;
use crate::fol::{Parsed, QuantifierScope};
use crate::record::Record;

/// One annotation: its text, what the parser made of it, and the sentence it stands for.
#[derive(Debug, Clone, Copy)]
pub struct Annotation<'a> {
    /// [`Target::Premise`] or [`Target::Conclusion`].
    pub target: Target,
    /// The formula's text.
    pub text: &'a str,
    /// What the parser made of it.
    pub parsed: &'a Parsed,
    /// The sentence; `None` where the counts of sentences and formulas differ, so that none can be matched.
    pub sentence: Option<&'a str>,
}

/// One record with all its annotations parsed.
#[derive(Debug, Clone)]
pub struct RecordContext<'a> {
    /// The record as it came.
    pub record: &'a Record,
    /// Its premises, in order.
    pub premises: Vec<Annotation<'a>>,
    /// Its conclusion, where it has a formula.
    pub conclusion: Option<Annotation<'a>>,
    /// How the annotations were read.
    pub scope: QuantifierScope,
}

impl<'a> RecordContext<'a> {
    /// All annotations: premises in order, then the conclusion.
    pub fn annotations(&self) -> impl Iterator<Item = &Annotation<'a>> {
        self.premises.iter().chain(&self.conclusion)
    }
}
