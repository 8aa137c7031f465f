//! A sentence as words.

/// A word of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    /// In lower case, with plain apostrophes.
    pub(crate) lower: String,
    /// What stands between it and the next word.
    pub(crate) gap: &'a str,
}

/// The words of a text: letters and digits with the apostrophes, hyphens, dots and commas inside them.
pub(crate) fn words_of(text: &str) -> Vec<Word<'_>> {
    // English has six bytes to a word.
    let mut out: Vec<Word<'_>> = Vec::with_capacity(text.len() / 6 + 1);
    let mut chars = text.char_indices().peekable();
    let mut before: Option<char> = None;
    // Where the gap behind the last word begins, once that word is over.
    let mut gap: Option<usize> = Some(0);
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|&(_, c)| c);
        let between = |f: fn(char) -> bool| before.is_some_and(f) && after.is_some_and(f);
        let inside = c.is_alphanumeric()
            || (matches!(c, '\'' | '’') && between(char::is_alphanumeric))
            || (matches!(c, '.' | ',') && between(|x| x.is_ascii_digit()));
        before = Some(c);
        if inside {
            if gap.take().is_some() {
                out.push(Word { lower: String::new(), gap: "" });
            }
            if let Some(word) = out.last_mut() {
                push(&mut word.lower, c);
            }
        } else {
            let start = *gap.get_or_insert(at);
            if let Some(word) = out.last_mut() {
                word.gap = text.get(start..at + c.len_utf8()).unwrap_or_default();
            }
        }
    }
    out
}

fn push(word: &mut String, c: char) {
    match c {
        '’' => word.push('\''),
        _ if c.is_ascii() => word.push(c.to_ascii_lowercase()),
        _ => word.extend(c.to_lowercase()),
    }
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
        self.words.get(index).map(|w| w.lower.as_str())
    }

    pub(super) fn is(&self, index: usize, word: &str) -> bool {
        self.word(index) == Some(word)
    }

    /// Whether a word stands anywhere.
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|w| w.lower == word)
    }

    /// Where a word stands.
    pub(super) fn positions(&self, word: &str) -> Vec<usize> {
        self.words.iter().enumerate().filter(|(_, w)| w.lower == word).map(|(i, _)| i).collect()
    }

    /// Whether these words stand side by side.
    pub(super) fn has_phrase(&self, phrase: &[&str]) -> bool {
        (0..self.words.len()).any(|i| self.phrase_at(i, phrase))
    }

    /// Whether these words stand side by side from this position.
    pub(super) fn phrase_at(&self, index: usize, phrase: &[&str]) -> bool {
        phrase.iter().enumerate().all(|(k, w)| self.is(index + k, w))
    }

    /// Whether the word at this position is a negation.
    pub(super) fn is_negation(&self, index: usize) -> bool {
        self.word(index).is_some_and(|w| {
            matches!(w, "no" | "not" | "never" | "nobody" | "none" | "nothing" | "cannot" | "nor") || w.ends_with("n't")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_what_is_inside_them() {
        let words: Vec<String> =
            words_of("It’s $42.3 billion, no. 1,000—isn't it?").into_iter().map(|w| w.lower).collect();
        assert_eq!(words, ["it's", "42.3", "billion", "no", "1,000", "isn't", "it"]);
    }

    #[test]
    fn phrases() {
        let s = Sentence::new("There is a dog, or both.");
        assert!(s.has_phrase(&["there", "is", "a"]));
        assert!(s.has_phrase(&["or", "both"]));
        assert!(!s.has_phrase(&["both", "or"]));
        assert_eq!(s.positions("a"), [2]);
    }
}
