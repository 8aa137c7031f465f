//! What differs between two texts, word by word.

use serde::Serialize;

use crate::page::{Piece, diff};

/// Bytes of a text up to which it is held against another; longer ones are shown whole.
const MOST: usize = 1 << 16;

/// Texts of which less than this share is common are shown whole: what is left of them is no help.
const LEAST_COMMON: f64 = 0.3;

/// A stretch of text, in one version or both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Stretch {
    /// `same`, `old` or `new`.
    pub(super) side: &'static str,
    pub(super) text: String,
}

/// The stretches that make both texts: without `new` the old one, without `old` the new one. They are those of [`diff`], with
/// phrases told as one, and texts that have little in common as wholes.
pub(super) fn stretches(old: &str, new: &str) -> Vec<Stretch> {
    if old.len().max(new.len()) > MOST {
        return whole(old, new);
    }
    // (old, new) of each stretch; both the same where nothing changed.
    let mut parts: Vec<(String, String, bool)> = Vec::new();
    let mut common = 0;
    for Piece(tag, text) in diff(old, new) {
        match tag {
            '-' => parts.push((text, String::new(), false)),
            '+' => parts.push((String::new(), text, false)),
            _ => {
                common += text.trim().chars().count();
                parts.push((text.clone(), text, true));
            }
        }
    }
    let longest = old.chars().count().max(new.chars().count());
    #[expect(clippy::cast_precision_loss, reason = "texts are short")]
    let share = common as f64 / longest.max(1) as f64;
    if share < LEAST_COMMON {
        return whole(old, new);
    }
    // A blank between two changed words is changed with them, so that a phrase is told as one.
    for i in 1..parts.len().saturating_sub(1) {
        let between = |i: usize| parts.get(i).is_some_and(|(.., same)| !same);
        if between(i - 1)
            && between(i + 1)
            && let Some((text, _, same)) = parts.get_mut(i)
            && text.trim().is_empty()
        {
            *same = false;
        }
    }
    let mut out = Vec::new();
    let (mut before, mut after) = (String::new(), String::new());
    let flush = |before: &mut String, after: &mut String, out: &mut Vec<Stretch>| {
        push(out, "old", std::mem::take(before));
        push(out, "new", std::mem::take(after));
    };
    for (x, y, same) in parts {
        if same {
            flush(&mut before, &mut after, &mut out);
            push(&mut out, "same", x);
        } else {
            before.push_str(&x);
            after.push_str(&y);
        }
    }
    flush(&mut before, &mut after, &mut out);
    out
}

fn whole(old: &str, new: &str) -> Vec<Stretch> {
    let mut out = Vec::new();
    push(&mut out, "old", old.to_owned());
    push(&mut out, "new", new.to_owned());
    out
}

fn push(out: &mut Vec<Stretch>, side: &'static str, text: String) {
    if !text.is_empty() {
        out.push(Stretch { side, text });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn told(old: &str, new: &str) -> String {
        let mark = |s: Stretch| match s.side {
            "old" => format!("[-{}-]", s.text),
            "new" => format!("[+{}+]", s.text),
            _ => s.text,
        };
        stretches(old, new).into_iter().map(mark).collect()
    }

    #[test]
    fn words_are_told_one_by_one_and_phrases_whole() {
        assert_eq!(told("All dogs bark.", "All big dogs bark."), "All [+big +]dogs bark.");
        assert_eq!(told("All dogs bark loudly.", "All dogs sing well."), "All dogs [-bark loudly-][+sing well+].");
        assert_eq!(told("∀x (Dog(x) → Bark(x))", "∀x (Dog(x) ∧ Bark(x))"), "∀x (Dog(x) [-→-][+∧+] Bark(x))");
        assert_eq!(
            told("A ship sails.", "Every moon shines brightly!"),
            "[-A ship sails.-][+Every moon shines brightly!+]"
        );
        assert_eq!(told("", "a"), "[+a+]");
        assert_eq!(told("a b", "a b"), "a b");
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_back(old in "[a-c ().∀]{0,24}", new in "[a-c ().∀]{0,24}") {
            let all = stretches(&old, &new);
            let side = |not: &str| all.iter().filter(|s| s.side != not).map(|s| s.text.as_str()).collect::<String>();
            prop_assert_eq!(side("new"), old);
            prop_assert_eq!(side("old"), new);
        }
    }
}
