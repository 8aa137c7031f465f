//! The annotations of a record as trees, or why there are none.

use std::collections::BTreeMap;

use crate::diagnostic::Target;
use crate::fol::print::tptp::FreeVariables;
use crate::fol::{Formula, QuantifierScope, SymbolKind, parse_with, scope};

/// How annotations are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadingOptions {
    /// How much a quantifier binds.
    pub scope: QuantifierScope,
    /// What becomes of free variables.
    pub free: FreeVariables,
}

/// The annotations of one record, each with its tree where it has a reading: closed, if free variables are to be universal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The premises, in order.
    pub premises: Vec<Option<Formula>>,
    /// The conclusion: outer `None` where the record has no formula for it, inner `None` where that has no reading.
    pub conclusion: Option<Option<Formula>>,
    /// The free variables, sorted, of each annotation that has no reading only because such are refused.
    pub refused: BTreeMap<Target, Vec<String>>,
}

impl Reading {
    /// Reads texts.
    #[must_use]
    pub fn new(premises: &[String], conclusion: Option<&str>, options: ReadingOptions) -> Self {
        let mut refused = BTreeMap::new();
        let mut read = |target: Target, text: &str| {
            let parsed = parse_with(text, options.scope);
            if parsed.has_error() {
                return None;
            }
            let formula = parsed.formula?;
            let free = if options.free == FreeVariables::Error { free_variables(&formula) } else { Vec::new() };
            if free.is_empty() {
                Some(if options.free == FreeVariables::Universal { scope::close(formula) } else { formula })
            } else {
                refused.insert(target, free);
                None
            }
        };
        let premises = premises.iter().enumerate().map(|(i, text)| read(Target::Premise(i), text)).collect();
        let conclusion = conclusion.map(|text| read(Target::Conclusion, text));
        Self { premises, conclusion, refused }
    }

    /// The annotations that have no reading, premises first.
    #[must_use]
    pub fn unreadable(&self) -> Vec<Target> {
        let premises = self.premises.iter().enumerate().filter(|(_, f)| f.is_none()).map(|(i, _)| Target::Premise(i));
        let conclusion = matches!(self.conclusion, Some(None)).then_some(Target::Conclusion);
        premises.chain(conclusion).collect()
    }
}

/// The free variables of a formula, each once, sorted.
fn free_variables(formula: &Formula) -> Vec<String> {
    let symbols = formula.symbols();
    let mut names: Vec<String> =
        symbols.iter().filter(|s| s.kind == SymbolKind::Free).map(|s| s.name.to_owned()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_annotations_name_their_free_variables() {
        let premises = ["∀x P(x)", "P(x) ∧ R(y, x)", "P(a"].map(str::to_owned);
        let read = |free| Reading::new(&premises, Some("Q(z)"), ReadingOptions { free, ..ReadingOptions::default() });
        let strict = read(FreeVariables::Error);
        assert_eq!(strict.unreadable(), [Target::Premise(1), Target::Premise(2), Target::Conclusion]);
        let names = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect::<Vec<_>>();
        assert_eq!(
            strict.refused,
            BTreeMap::from([(Target::Premise(1), names(&["x", "y"])), (Target::Conclusion, names(&["z"]))])
        );
        let lenient = read(FreeVariables::Constant);
        assert_eq!((lenient.unreadable(), lenient.refused), (vec![Target::Premise(2)], BTreeMap::new()));
    }
}
