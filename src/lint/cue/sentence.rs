//! A sentence as words.

/// A word of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// In lower case, with plain apostrophes.
    pub(crate) lower: String,
    /// What stands between it and the next word.
    pub(crate) gap: String,
}

/// The words of a text: letters and digits with the apostrophes, hyphens, dots and commas inside them.
pub(crate) fn words_of(text: &str) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::new();
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied();
    for (i, &c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).and_then(at);
        let after = at(i + 1);
        let between = |f: fn(char) -> bool| before.is_some_and(f) && after.is_some_and(f);
        let inside = c.is_alphanumeric()
            || (matches!(c, '\'' | '’') && between(char::is_alphanumeric))
            || (matches!(c, '.' | ',') && between(|x| x.is_ascii_digit()));
        match out.last_mut() {
            Some(word) if inside && word.gap.is_empty() => push(&mut word.lower, c),
            _ if inside => {
                let mut lower = String::new();
                push(&mut lower, c);
                out.push(Word { lower, gap: String::new() });
            }
            Some(word) => word.gap.push(c),
            None => {}
        }
    }
    out
}

fn push(word: &mut String, c: char) {
    if c == '’' {
        word.push('\'');
    } else {
        word.extend(c.to_lowercase());
    }
}

/// A sentence taken apart.
#[derive(Debug)]
pub(super) struct Sentence {
    /// Its words.
    pub(super) words: Vec<Word>,
}

impl Sentence {
    pub(super) fn new(text: &str) -> Self {
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
