//! What is wrong with a configuration and where it stands in the text.

use std::path::Path;

use toml::de::{DeTable, DeValue, Error};

use super::ConfigError;
use crate::diagnostic::Span;

/// The error for `text`, which `error` is about.
pub(super) fn invalid(error: &Error, text: &str, path: &Path) -> ConfigError {
    let message = error.message();
    let span = error.span().map(|s| Span::new(s.start, s.end)).or_else(|| locate(error, text));
    let before = text.get(..span.map_or(0, |s| s.start)).unwrap_or_default();
    ConfigError::Invalid {
        path: path.to_owned(),
        line: before.matches('\n').count() + 1,
        span,
        message: in_plain_words(message),
        suggestion: suggestion(message),
    }
}

/// A message of the reader without the names of its own types.
fn in_plain_words(message: &str) -> String {
    let words = [
        ("unknown field", "unknown key"),
        ("unknown variant", "unknown value"),
        ("missing field", "missing key"),
        ("invalid type: ", "wrong kind of value: "),
        ("expected usize", "expected a whole number"),
        ("expected u64", "expected a whole number"),
        ("expected u32", "expected a whole number"),
        ("expected f64", "expected a number"),
        ("expected a sequence", "expected a list"),
    ];
    words.into_iter().fold(message.to_owned(), |text, (from, to)| text.replacen(from, to, 1))
}

/// Finds the key or value that an error about a tree without places is about.
fn locate(error: &Error, text: &str) -> Option<Span> {
    let table = DeTable::parse(text).ok()?;
    let table = table.get_ref();
    if let Some(key) = unknown_key(error.message()) {
        return key_anywhere(table, &key);
    }
    // The path is in no field of the error, only in its text.
    let shown = error.to_string();
    let path = shown.lines().last()?.strip_prefix("in `")?.strip_suffix('`')?;
    value_at(table, &path.split('.').collect::<Vec<_>>())
}

/// The first place where a key of that name is set or a table of that name begins.
fn key_anywhere(table: &DeTable<'_>, name: &str) -> Option<Span> {
    let here = table.iter().filter(|(key, _)| key.get_ref() == name).map(|(key, _)| span(key.span()));
    let below = table.values().filter_map(|value| tables(value.get_ref()).find_map(|t| key_anywhere(t, name)));
    here.chain(below).min()
}

/// The value at the end of a path; in an array of tables, that of the first that has one.
fn value_at(table: &DeTable<'_>, path: &[&str]) -> Option<Span> {
    let (first, rest) = path.split_first()?;
    let (_, value) = table.iter().find(|(key, _)| key.get_ref() == first)?;
    if rest.is_empty() {
        return Some(span(value.span()));
    }
    tables(value.get_ref()).find_map(|t| value_at(t, rest))
}

/// The tables that a value is or holds.
fn tables<'a, 'i>(value: &'a DeValue<'i>) -> impl Iterator<Item = &'a DeTable<'i>> {
    let items = value.as_array().into_iter().flat_map(|items| items.iter().filter_map(|i| i.get_ref().as_table()));
    value.as_table().into_iter().chain(items)
}

fn span(range: std::ops::Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

/// The key in "unknown field `KEY`, expected …".
fn unknown_key(message: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown field `")?;
    rest.split('`').next().map(str::to_owned)
}

/// The nearest of the names in "unknown field `KEY`, expected one of `A`, `B`", or of the values likewise.
fn suggestion(message: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown field `").or_else(|| message.strip_prefix("unknown variant `"))?;
    let given = rest.split('`').next()?;
    let known = rest.split('`').skip(2).step_by(2);
    known
        .map(|name| (strsim::damerau_levenshtein(name, given), name))
        .filter(|(distance, name)| *distance <= name.len().div_ceil(3))
        .min()
        .map(|(_, name)| name.to_owned())
}
