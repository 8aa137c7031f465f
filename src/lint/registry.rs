//! All rules, and running them.

use std::collections::BTreeSet;

use super::{Family, RecordContext, Rule, across, binding, cue, logic, names, rows, shape, syntax};
use crate::diagnostic::Diagnostic;
use crate::record::Record;

/// The rules of every family, in the order of the documentation.
const FAMILIES: &[&[Rule]] = &[
    syntax::RULES,
    binding::RULES,
    names::RULES,
    shape::RULES,
    cue::RULES,
    crate::ingest::RULES,
    rows::RULES,
    logic::RULES,
];

/// Every rule, in the order of the documentation.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().copied().flatten()
}

/// The rule of this code or name. Codes are taken in either case.
#[must_use]
pub fn find(code_or_name: &str) -> Option<&'static Rule> {
    let wanted = code_or_name.trim();
    all().find(|r| r.code.eq_ignore_ascii_case(wanted) || r.name == wanted)
}

/// The code or name nearest to one that does not exist, where one is near enough to be meant.
#[must_use]
pub fn suggest(unknown: &str) -> Option<&'static str> {
    let unknown = unknown.trim();
    let upper = unknown.to_uppercase();
    all()
        .flat_map(|r| {
            [
                (r.code, strsim::damerau_levenshtein(&upper, r.code), 1),
                (r.name, strsim::damerau_levenshtein(unknown, r.name), 3),
            ]
        })
        .filter(|(_, distance, allowed)| distance <= allowed)
        .min_by_key(|(word, distance, _)| (*distance, *word))
        .map(|(word, ..)| word)
}

/// Everything the rules find in one record, without what ingest found in it before; sorted by target, place and code.
/// Rules that need a prover are not run.
#[must_use]
pub fn check_record(context: &RecordContext<'_>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for annotation in context.annotations() {
        syntax::check(annotation, context.scope, &mut out);
        binding::check(annotation, &mut out);
        shape::check(annotation, &mut out);
        cue::check(annotation, &mut out);
    }
    names::check(context, &mut out);
    rows::check(context, &mut out);
    out.sort_by(|a, b| (a.target, a.span, a.code, &a.message).cmp(&(b.target, b.span, b.code, &b.message)));
    out
}

/// What the rules find across records: each finding with the 0-based index of its record, in the order of the records.
#[must_use]
pub fn check_dataset(records: &[Record]) -> Vec<(usize, Diagnostic)> {
    across::check_all(records)
}

/// A selector that is no rule and no beginning of a code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule selector {selector:?}{}", .suggestion.map(|s| format!("; did you mean {s:?}?")).unwrap_or_default())]
pub struct UnknownSelector {
    /// As it was given.
    pub selector: String,
    /// A code or name that may have been meant.
    pub suggestion: Option<&'static str>,
}

/// Which rules are wanted.
///
/// A selector is a code (`B101`), the beginning of one (`B`, `B1`), a rule's name (`free-variable`), a family's name
/// (`binding`) or `ALL`. Where selectors of both lists fit a rule the longer one decides, and between equals `ignore`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    codes: Option<BTreeSet<&'static str>>,
}

impl Selection {
    /// Every rule.
    #[must_use]
    pub const fn everything() -> Self {
        Self { codes: None }
    }

    /// The rules that `select` names (all of them where it is empty), without those that `ignore` names.
    ///
    /// # Errors
    ///
    /// The first selector that fits no rule.
    pub fn new<S: AsRef<str>>(select: &[S], ignore: &[S]) -> Result<Self, UnknownSelector> {
        let select = select.iter().map(|s| prefix(s.as_ref())).collect::<Result<Vec<_>, _>>()?;
        let ignore = ignore.iter().map(|s| prefix(s.as_ref())).collect::<Result<Vec<_>, _>>()?;
        if select.is_empty() && ignore.is_empty() {
            return Ok(Self::everything());
        }
        let longest =
            |list: &[String], code: &str| list.iter().filter(|p| code.starts_with(p.as_str())).map(String::len).max();
        let wanted = all().map(|r| r.code).filter(|code| {
            let selected = if select.is_empty() { Some(0) } else { longest(&select, code) };
            match (selected, longest(&ignore, code)) {
                (Some(s), Some(i)) => s > i,
                (Some(_), None) => true,
                (None, _) => false,
            }
        });
        Ok(Self { codes: Some(wanted.collect()) })
    }

    /// Whether the rule of this code is wanted. A code that the registry does not have is wanted only where everything
    /// is.
    #[must_use]
    pub fn has(&self, code: &str) -> bool {
        self.codes.as_ref().is_none_or(|codes| codes.contains(code))
    }
}

/// The beginning of codes that a selector stands for.
fn prefix(selector: &str) -> Result<String, UnknownSelector> {
    let wanted = selector.trim();
    if wanted.eq_ignore_ascii_case("all") {
        return Ok(String::new());
    }
    if let Some(rule) = find(wanted) {
        return Ok(rule.code.to_owned());
    }
    if let Some(family) = Family::ALL.iter().find(|f| f.as_str() == wanted) {
        return Ok(family.letter().to_string());
    }
    let upper = wanted.to_uppercase();
    if !upper.is_empty() && all().any(|r| r.code.starts_with(&upper)) {
        return Ok(upper);
    }
    Err(UnknownSelector { selector: selector.to_owned(), suggestion: suggest(wanted) })
}

#[cfg(test)]
mod tests;
