//! Sentences held against names, word by word and by the stems of the words.

use std::borrow::Cow;

use crate::lint::cue::words_of;
use crate::lint::words::{split, stem_key};

/// Words that carry little: a name with others besides is known by those.
const LIGHT: &[&str] = &[
    "is", "be", "are", "was", "were", "a", "an", "the", "of", "in", "on", "at", "to", "by", "for", "from", "with",
    "has", "have", "had", "as", "and", "or", "that", "than", "do", "does", "can", "num", "year", "number",
];

/// A word as others are compared with it.
#[derive(Debug, Clone)]
struct Word<'a> {
    lower: Cow<'a, str>,
    key: u64,
}

impl<'a> Word<'a> {
    fn new(lower: Cow<'a, str>) -> Self {
        let key = stem_key(&lower);
        Self { lower, key }
    }

    /// Whether both are forms of one word, or one is built on the other (`create` and `creative`).
    fn is_like(&self, other: &Self) -> bool {
        self.key == other.key || is_built_on(&self.lower, &other.lower) || is_built_on(&other.lower, &self.lower)
    }
}

/// Whether `long` begins like `short`, of which the last letter may be missing, and is not much longer.
fn is_built_on(long: &str, short: &str) -> bool {
    let mut end = short.char_indices().rev();
    let Some((last, _)) = end.next() else { return false };
    let base = short.get(..last).filter(|base| base.len() >= 4).unwrap_or(short);
    base.len() >= 4 && long.len() > base.len() && long.len() <= base.len() + 5 && long.starts_with(base)
}

/// One word of a sentence and where it stands.
struct Token<'a> {
    word: Word<'a>,
    start: usize,
    end: usize,
}

/// A sentence as words.
pub(super) struct Sentence<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
}

impl<'a> Sentence<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let words = words_of(text);
        let mut tokens = Vec::with_capacity(words.len());
        let mut start = text.find(char::is_alphanumeric).unwrap_or(text.len());
        for word in words {
            // Gaps are parts of the text; the last one may be missing.
            let at = (word.gap.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
            let end = if word.gap.is_empty() { text.len() } else { at.min(text.len()) };
            tokens.push(Token { word: Word::new(plain(word.lower)), start, end });
            start = end + word.gap.len();
        }
        Self { text, tokens }
    }

    /// How many words it has.
    pub(super) const fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The word at this position, in lower case and without `'s`.
    pub(super) fn word(&self, index: usize) -> Option<&str> {
        self.tokens.get(index).map(|t| &*t.word.lower)
    }

    /// Whether the word at this position stands in the genitive.
    pub(super) fn is_genitive(&self, index: usize) -> bool {
        let own = self.tokens.get(index).and_then(|t| self.text.get(t.start..t.end));
        own.is_some_and(|w| {
            w.ends_with("'s") || w.ends_with("’s") || w.ends_with("s'") || self.gap(index).starts_with(['\'', '’'])
        })
    }

    /// What stands between the word at this position and the next one.
    pub(super) fn gap(&self, index: usize) -> &'a str {
        let start = self.tokens.get(index).map_or(self.text.len(), |t| t.end);
        let end = self.tokens.get(index + 1).map_or(self.text.len(), |t| t.start);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The text from one word to another, both included.
    pub(super) fn quote(&self, first: usize, last: usize) -> &'a str {
        let start = self.tokens.get(first).map_or(0, |t| t.start);
        let end = self.tokens.get(last).map_or(start, |t| t.end);
        self.text.get(start..end).unwrap_or_default()
    }

    /// Where the words of a name stand side by side: the first and the last of them.
    pub(super) fn places(&self, name: &Wanted<'_>) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        for first in 0..self.tokens.len() {
            if let Some(last) = self.spelt_at(first, name) {
                out.push((first, last));
            }
        }
        out
    }

    /// The last of the words that spell a name from this one on: each of its words in turn, in whatever form, or the
    /// same letters split in another way.
    fn spelt_at(&self, first: usize, name: &Wanted<'_>) -> Option<usize> {
        let words = name.all();
        if words.is_empty() {
            return None;
        }
        let by_word = words.iter().enumerate().all(|(k, w)| {
            self.tokens.get(first + k).is_some_and(|t| t.word.key == w.key && (k == 0 || !self.is_stop(first + k - 1)))
        });
        if by_word {
            return Some(first + words.len() - 1);
        }
        let mut rest = name.fold.as_str();
        for (index, token) in self.tokens.iter().enumerate().skip(first) {
            rest = rest.strip_prefix(&*token.word.lower)?;
            if rest.is_empty() {
                return Some(index);
            }
        }
        None
    }

    /// Whether a clause ends behind this word.
    fn is_stop(&self, index: usize) -> bool {
        self.gap(index).contains([',', ';', ':', '.', '?', '!'])
    }

    /// The shortest run of words that has all of a name's, or at least half of them where no sentence has more; with how
    /// many it has.
    pub(super) fn window(&self, name: &Wanted<'_>) -> Option<(usize, &'a str)> {
        if let Some((first, last)) = self.places(name).first() {
            return Some((name.weighty.len().max(1), self.quote(*first, *last)));
        }
        let wanted = &name.weighty;
        // Which of the wanted words each token is: at most 32 of them count.
        let is: Vec<u32> = self
            .tokens
            .iter()
            .map(|t| {
                let like = wanted.iter().take(32).enumerate().filter(|(_, w)| w.is_like(&t.word));
                like.fold(0, |set, (k, _)| set | 1 << k)
            })
            .collect();
        let all = is.iter().fold(0, |set, k| set | k);
        let found = all.count_ones() as usize;
        if found == 0 || 2 * found < wanted.len() {
            return None;
        }
        let mut best: Option<(usize, usize)> = None;
        for first in (0..is.len()).filter(|i| is.get(*i).is_some_and(|k| *k != 0)) {
            let mut have = 0;
            for (last, k) in is.iter().enumerate().skip(first) {
                have |= k;
                if have == all {
                    if best.is_none_or(|(a, b)| last - first < b - a) {
                        best = Some((first, last));
                    }
                    break;
                }
            }
        }
        best.map(|(first, last)| (found, self.quote(first, last)))
    }
}

/// A word without what an apostrophe adds.
fn plain(lower: Cow<'_, str>) -> Cow<'_, str> {
    if !lower.contains('\'') {
        return lower;
    }
    match lower.strip_suffix("'s") {
        Some(base) => Cow::Owned(base.replace('\'', "")),
        None => Cow::Owned(lower.replace('\'', "")),
    }
}

/// A name to be found in sentences.
pub(super) struct Wanted<'a> {
    /// Its words in lower case, as they stand.
    words: Vec<Word<'a>>,
    /// Those that carry meaning; all where none does.
    weighty: Vec<Word<'a>>,
    /// All words as one.
    fold: String,
}

impl Wanted<'_> {
    pub(super) fn new(name: &str) -> Self {
        let words: Vec<Word<'_>> = split(name).iter().map(|w| Word::new(Cow::Owned(w.to_owned()))).collect();
        let fold = words.iter().map(|w| &*w.lower).collect();
        let is_light = |w: &&Word<'_>| LIGHT.contains(&&*w.lower);
        let weighty: Vec<Word<'_>> = words.iter().filter(|w| !is_light(w)).cloned().collect();
        let weighty = if weighty.is_empty() { words.clone() } else { weighty };
        Self { words, weighty, fold }
    }

    fn all(&self) -> &[Word<'_>] {
        &self.words
    }

    /// Whether it has a word that carries meaning and is long enough to be known by it.
    pub(super) fn is_telling(&self) -> bool {
        self.weighty.iter().any(|w| w.lower.chars().count() > 2 && !LIGHT.contains(&&*w.lower))
    }

    /// Whether two names share a word that carries meaning.
    pub(super) fn shares_word(&self, other: &Self) -> bool {
        self.weighty.iter().any(|a| a.lower.len() > 2 && other.weighty.iter().any(|b| a.key == b.key))
    }

    /// Whether this name ends with all the words of another, shorter one.
    pub(super) fn ends_with(&self, other: &Self) -> bool {
        let (mine, theirs) = (self.words.len(), other.words.len());
        mine > theirs
            && theirs > 0
            && self.words.iter().skip(mine - theirs).zip(&other.words).all(|(a, b)| a.key == b.key)
    }

    /// Whether a sentence has every word of it that carries meaning.
    pub(super) fn is_in(&self, sentence: &Sentence<'_>) -> bool {
        self.weighty.iter().all(|w| sentence.tokens.iter().any(|t| t.word.is_like(w)))
            || !sentence.places(self).is_empty()
    }
}
