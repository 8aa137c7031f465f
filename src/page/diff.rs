//! What changed between two texts.

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

/// A piece of a text that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece(
    /// `=` (in both), `-` (taken out) or `+` (put in).
    pub char,
    /// The text.
    pub String,
);

/// Texts longer than this, in bytes, are compared word by word.
const LONG: usize = 4096;

/// The pieces of both texts, in order: names, operators and brackets of formulas, and words of sentences, are taken out and
/// put in as wholes.
#[must_use]
pub fn diff(before: &str, after: &str) -> Vec<Piece> {
    let (old, new) = (tokens(before), tokens(after));
    let mut out: Vec<Piece> = Vec::new();
    for change in TextDiff::from_slices(&old, &new).iter_all_changes() {
        let tag = match change.tag() {
            ChangeTag::Equal => '=',
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        };
        match out.last_mut() {
            Some(last) if last.0 == tag => last.1.push_str(change.value()),
            _ => out.push(Piece(tag, change.value().to_owned())),
        }
    }
    out
}

/// Names and numbers, runs of spaces, and every other character by itself.
fn tokens(text: &str) -> Vec<&str> {
    if text.len() > LONG {
        return text.split_inclusive(char::is_whitespace).collect();
    }
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut out = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in text.char_indices() {
        let now = class(c);
        if before.is_some_and(|before| before != now || now == 2) {
            out.extend(text.get(start..at));
            start = at;
        }
        before = Some(now);
    }
    out.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(before: &str, after: &str) -> String {
        diff(before, after).iter().map(|Piece(tag, text)| format!("{tag}{text}|")).collect()
    }

    #[test]
    fn names_change_as_wholes() {
        assert_eq!(told("Heron(gray)", "Heron(grey)"), "=Heron(|-gray|+grey|=)|");
        assert_eq!(told("∀x (P(x) → Q(x)", "∀x (P(x) → Q(x))"), "=∀x (P(x) → Q(x)|+)|");
        assert_eq!(told("", "P"), "+P|");
        assert_eq!(told("P", "P"), "=P|");
    }

    proptest! {
        #[test]
        fn both_texts_can_be_put_together_again(before in "[∀xPQ() →a_1é]{0,24}", after in "[∀xPQ() →a_1é]{0,24}") {
            let pieces = diff(&before, &after);
            let side = |not: char| pieces.iter().filter(|p| p.0 != not).map(|p| p.1.as_str()).collect::<String>();
            prop_assert_eq!(side('+'), before);
            prop_assert_eq!(side('-'), after);
        }
    }
}
