//! A sentence as words.

use std::borrow::Cow;

/// A word of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    /// In lower case, with plain apostrophes. Most words of a sentence are so as they stand.
    pub(crate) lower: Cow<'a, str>,
    /// What stands between it and the next word.
    pub(crate) gap: &'a str,
}

/// The words of a text: letters and digits with the apostrophes, hyphens, dots and commas inside them.
pub(crate) fn words_of(text: &str) -> Vec<Word<'_>> {
    // English has six bytes to a word.
    let mut out: Vec<Word<'_>> = Vec::with_capacity(text.len() / 6 + 1);
    let mut chars = text.char_indices().peekable();
    let mut before: Option<char> = None;
    // Where the word or the gap begins that the current place is in.
    let mut start = 0;
    let mut in_word = false;
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|&(_, c)| c);
        let between = |f: fn(char) -> bool| before.is_some_and(f) && after.is_some_and(f);
        let inside = c.is_alphanumeric()
            || (matches!(c, '\'' | '’') && between(char::is_alphanumeric))
            || (matches!(c, '.' | ',') && between(|x| x.is_ascii_digit()));
        before = Some(c);
        if inside != in_word {
            end_part(&mut out, in_word, text.get(start..at).unwrap_or_default());
            start = at;
            in_word = inside;
        }
    }
    end_part(&mut out, in_word, text.get(start..).unwrap_or_default());
    out
}

/// Adds a word, or the gap behind the last one.
fn end_part<'a>(out: &mut Vec<Word<'a>>, is_word: bool, part: &'a str) {
    if is_word {
        out.push(Word { lower: lower(part), gap: "" });
    } else if let Some(word) = out.last_mut() {
        word.gap = part;
    }
}

fn lower(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
        return Cow::Borrowed(word);
    }
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            '’' => out.push('\''),
            _ if c.is_ascii() => out.push(c.to_ascii_lowercase()),
            _ => out.extend(c.to_lowercase()),
        }
    }
    Cow::Owned(out)
}

/// A sentence taken apart.
#[derive(Debug)]
pub(super) struct Sentence<'a> {
    /// Its words.
    pub(super) words: Vec<Word<'a>>,
}

impl<'a> Sentence<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { words: words_of(text) }
    }

    /// The word at this position, in lower case.
    pub(super) fn word(&self, index: usize) -> Option<&str> {
        self.words.get(index).map(|w| &*w.lower)
    }

    pub(super) fn is(&self, index: usize, word: &str) -> bool {
        self.word(index) == Some(word)
    }

    /// Whether a word stands anywhere.
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|w| w.lower == word)
    }

    /// Where a word stands.
    pub(super) fn positions(&self, word: &str) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().filter(move |(_, w)| w.lower == word).map(|(i, _)| i)
    }

    /// Whether these words stand side by side.
    pub(super) fn has_phrase(&self, phrase: &[&str]) -> bool {
        (0..self.words.len()).any(|i| self.phrase_at(i, phrase))
    }

    /// Whether these words stand side by side from this position.
    pub(super) fn phrase_at(&self, index: usize, phrase: &[&str]) -> bool {
        phrase.iter().enumerate().all(|(k, w)| self.is(index + k, w))
    }

    /// Whether any word is a negation.
    pub(super) fn has_negation(&self) -> bool {
        (0..self.words.len()).any(|i| self.is_negation(i))
    }

    /// Whether the word at this position is a negation.
    pub(super) fn is_negation(&self, index: usize) -> bool {
        self.word(index).is_some_and(|w| {
            // Every one of them has an `n`; this spares most words the comparisons.
            w.as_bytes().contains(&b'n') && is_negation(w)
        })
    }
}

fn is_negation(word: &str) -> bool {
    matches!(word, "no" | "not" | "never" | "nobody" | "none" | "nothing" | "cannot" | "nor") || word.ends_with("n't")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_what_is_inside_them() {
        let words: Vec<String> =
            words_of("It’s $42.3 billion, no. 1,000—isn't it?").into_iter().map(|w| w.lower.into_owned()).collect();
        assert_eq!(words, ["it's", "42.3", "billion", "no", "1,000", "isn't", "it"]);
    }

    #[test]
    fn phrases() {
        let s = Sentence::new("There is a dog, or both.");
        assert!(s.has_phrase(&["there", "is", "a"]));
        assert!(s.has_phrase(&["or", "both"]));
        assert!(!s.has_phrase(&["both", "or"]));
        assert_eq!(s.positions("a").collect::<Vec<_>>(), [2]);
    }
}
