//! The annotations of a record as trees, or why there are none.

use crate::diagnostic::Target;
use crate::fol::print::tptp::FreeVariables;
use crate::fol::{Formula, Parsed, QuantifierScope, SymbolKind, parse_with};

/// How annotations are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadingOptions {
    /// How much a quantifier binds.
    pub scope: QuantifierScope,
    /// What becomes of free variables.
    pub free: FreeVariables,
}

/// The annotations of one record, each with its tree where it has a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The premises, in order.
    pub premises: Vec<Option<Formula>>,
    /// The conclusion: outer `None` where the record has no formula for it, inner `None` where that has no reading.
    pub conclusion: Option<Option<Formula>>,
}

impl Reading {
    /// Reads texts.
    #[must_use]
    pub fn new(premises: &[String], conclusion: Option<&str>, options: ReadingOptions) -> Self {
        let read = |text: &str| reading_of(parse_with(text, options.scope), options.free);
        Self { premises: premises.iter().map(|t| read(t)).collect(), conclusion: conclusion.map(read) }
    }

    /// The annotations that have no reading, premises first.
    #[must_use]
    pub fn unreadable(&self) -> Vec<Target> {
        let premises = self.premises.iter().enumerate().filter(|(_, f)| f.is_none()).map(|(i, _)| Target::Premise(i));
        let conclusion = matches!(self.conclusion, Some(None)).then_some(Target::Conclusion);
        premises.chain(conclusion).collect()
    }
}

/// The tree of an annotation that has a reading under this policy on free variables.
fn reading_of(parsed: Parsed, free: FreeVariables) -> Option<Formula> {
    if parsed.has_error() {
        return None;
    }
    let formula = parsed.formula?;
    let refused = free == FreeVariables::Error && formula.symbols().iter().any(|s| s.kind == SymbolKind::Free);
    (!refused).then_some(formula)
}
