//! Parsing all annotations of a record.

use super::{Annotation, RecordContext};
use crate::diagnostic::Target;
use crate::fol::{Parsed, QuantifierScope, parse_with};
use crate::record::Record;

/// What the parser made of the annotations of one record; keeps what a [`RecordContext`] borrows.
#[derive(Debug, Clone, Default)]
pub struct ParsedRecord {
    /// One for each formula of the premises.
    pub premises: Vec<Parsed>,
    /// For the conclusion, where it has a formula.
    pub conclusion: Option<Parsed>,
    /// How they were read.
    pub scope: QuantifierScope,
}

impl ParsedRecord {
    /// Parses every annotation of a record.
    #[must_use]
    pub fn new(record: &Record, scope: QuantifierScope) -> Self {
        Self {
            premises: record.premises_fol.iter().map(|text| parse_with(text, scope)).collect(),
            conclusion: record.conclusion_fol.as_deref().map(|text| parse_with(text, scope)),
            scope,
        }
    }

    /// What rules see of `record`, which must be the one that was parsed. A premise gets its sentence where there are
    /// as many sentences as formulas.
    #[must_use]
    pub fn context<'a>(&'a self, record: &'a Record) -> RecordContext<'a> {
        let matched = record.premises.len() == record.premises_fol.len();
        let premises =
            record.premises_fol.iter().zip(&self.premises).enumerate().map(|(i, (text, parsed))| Annotation {
                target: Target::Premise(i),
                text,
                parsed,
                sentence: record.premises.get(i).filter(|_| matched).map(String::as_str),
            });
        let conclusion = record.conclusion_fol.as_deref().zip(self.conclusion.as_ref());
        RecordContext {
            record,
            premises: premises.collect(),
            conclusion: conclusion.map(|(text, parsed)| Annotation {
                target: Target::Conclusion,
                text,
                parsed,
                sentence: Some(&record.conclusion),
            }),
            scope: self.scope,
        }
    }
}
