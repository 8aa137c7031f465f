//! Names as words: how two spellings of one symbol resemble each other.

use std::borrow::Cow;

use strsim::damerau_levenshtein;

/// Words whose exchange changes the meaning however alike they look.
const CONTRASTS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "first",
    "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "north", "south", "east",
    "west", "northern", "southern", "eastern", "western", "male", "female", "man", "woman", "men", "women", "his",
    "her", "more", "most", "less", "least", "low", "high", "lower", "higher", "upper", "inner", "outer", "over",
    "under", "into", "onto", "from", "with", "without", "within", "inside", "outside", "before", "after", "early",
    "late", "day", "days", "this", "that", "these", "those", "here", "there", "mother", "father", "brother", "never",
    "ever", "now", "not", "non", "best", "worst", "rest", "like", "live", "love", "make", "take", "bake", "want",
    "went", "word", "work", "hour", "four", "form",
];

/// Prefixes that turn a word into its opposite.
pub(crate) const NEGATING: &[&str] = &["un", "in", "im", "ir", "il", "dis", "non", "mis", "anti", "not", "no"];

/// Irregular forms and what they are forms of.
const IRREGULAR: &[(&str, &str)] = &[
    ("has", "have"),
    ("had", "have"),
    ("having", "have"),
    ("is", "be"),
    ("are", "be"),
    ("was", "be"),
    ("were", "be"),
    ("being", "be"),
    ("does", "do"),
    ("did", "do"),
    ("goes", "go"),
    ("went", "go"),
    ("men", "man"),
    ("women", "woman"),
    ("children", "child"),
    ("people", "person"),
    ("made", "make"),
    ("won", "win"),
    ("led", "lead"),
];

/// A name with everything that comparisons need. Every symbol of every record becomes one, so it borrows what it can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name<'a> {
    /// As the author wrote it.
    pub(crate) text: &'a str,
    /// In lower case.
    lower: Cow<'a, str>,
    /// In lower case and without `_ - . ' ’` and spaces, where that is less than `lower`.
    shorter: Option<String>,
    /// Its words in lower case: split at capitals, digits, punctuation and spaces.
    pub(crate) words: Words,
    /// How many characters its fold has.
    length: usize,
    /// Which of the letters `a` to `z` it has, one bit each.
    letters: u32,
}

/// The words of a name, in lower case, in one text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Words {
    text: String,
    ends: Vec<usize>,
}

impl Words {
    /// How many there are.
    pub(crate) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Each of them, from left to right.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let word = self.text.get(start..end).unwrap_or_default();
            start = end;
            word
        })
    }

    fn end_word(&mut self) {
        if self.text.len() > self.ends.last().copied().unwrap_or(0) {
            self.ends.push(self.text.len());
        }
    }
}

/// How two names that look alike differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Difference {
    /// Only in upper and lower case.
    Case,
    /// Only in `_ - . ' ’` and spaces (and case).
    Punctuation,
    /// Only in a plural or verb ending (and the above).
    Inflection,
    /// In this many letters.
    Letters(usize),
}

const fn is_punctuation(c: char) -> bool {
    matches!(c, '_' | '-' | '.' | '\'' | '’' | ' ' | '\u{a0}' | '\t')
}

impl<'a> Name<'a> {
    /// Takes a name apart.
    pub(crate) fn new(text: &'a str) -> Self {
        let is_lower = text.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase());
        let lower = if is_lower { Cow::Borrowed(text) } else { Cow::Owned(text.to_lowercase()) };
        let shorter =
            lower.contains(is_punctuation).then(|| lower.chars().filter(|&c| !is_punctuation(c)).collect::<String>());
        let fold = shorter.as_deref().unwrap_or(&lower);
        let length = fold.chars().count();
        let letters = fold.bytes().filter(u8::is_ascii_lowercase).fold(0, |set, letter| set | 1 << (letter - b'a'));
        Self { text, shorter, words: split(text), length, letters, lower }
    }

    /// In lower case and without `_ - . ' ’` and spaces.
    pub(crate) fn fold(&self) -> &str {
        self.shorter.as_deref().unwrap_or(&self.lower)
    }

    /// Whether two names are equal in lower case.
    pub(crate) fn same_letters(&self, other: &Self) -> bool {
        self.lower == other.lower
    }

    /// How two different names resemble each other, if they do.
    pub(crate) fn difference(&self, other: &Self) -> Option<Difference> {
        if self.text == other.text {
            return None;
        }
        if self.lower == other.lower {
            return Some(Difference::Case);
        }
        if self.fold() == other.fold() {
            return Some(Difference::Punctuation);
        }
        if !self.digits().eq(other.digits()) {
            return None;
        }
        if self.is_inflection(other) {
            return Some(Difference::Inflection);
        }
        self.slip(other).map(Difference::Letters)
    }

    /// What two names have in common that [`Difference::Inflection`] tells apart word by word. Others may have it too.
    pub(crate) fn word_key(&self) -> u64 {
        self.words.iter().fold(self.digits_key(), |key, w| stem(w).hash(key))
    }

    /// Likewise for names whose words are split in different ways; `None` for those too short to be compared so.
    pub(crate) fn fold_key(&self) -> Option<u64> {
        (self.length >= 4).then(|| stem(self.fold()).hash(self.digits_key()))
    }

    fn digits(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter(|w| w.starts_with(|c: char| c.is_ascii_digit()))
    }

    fn digits_key(&self) -> u64 {
        self.digits().fold(HASH_START, hash_word)
    }

    fn is_inflection(&self, other: &Self) -> bool {
        let by_word = self.words.len() == other.words.len()
            && self.words.iter().zip(other.words.iter()).all(|(a, b)| same_word(a, b));
        by_word || (self.length >= 4 && other.length >= 4 && same_word(self.fold(), other.fold()))
    }

    /// In how many letters this name and one of `shorter` letters, or more, may differ by a slip of the pen.
    const fn allowed(shorter: usize) -> usize {
        match shorter {
            0..=4 => 0,
            5..=7 => 1,
            _ => 2,
        }
    }

    /// Whether two names are near enough to differ by a slip of the pen. It takes a few instructions, and almost all
    /// pairs fail it.
    pub(crate) const fn may_slip(&self, other: &Self) -> bool {
        let (a, b) = (self.length, other.length);
        let allowed = Self::allowed(if a < b { a } else { b });
        // Each letter that only one of the names has costs at least one change.
        allowed > 0
            && a.abs_diff(b) <= allowed
            && (self.letters & !other.letters).count_ones() as usize <= allowed
            && (other.letters & !self.letters).count_ones() as usize <= allowed
    }

    /// The number of letters in which two names differ, where it is small enough for a slip of the pen.
    fn slip(&self, other: &Self) -> Option<usize> {
        if !self.may_slip(other) || is_opposite(self.fold(), other.fold()) {
            return None;
        }
        let distance = damerau_levenshtein(self.fold(), other.fold());
        if distance == 0 || distance > Self::allowed(self.length.min(other.length)) {
            return None;
        }
        if self.words.len() == other.words.len() {
            for (x, y) in self.words.iter().zip(other.words.iter()).filter(|(x, y)| x != y) {
                if !is_slip(x, y) {
                    return None;
                }
            }
        } else if is_subsequence(&self.words, &other.words) || is_subsequence(&other.words, &self.words) {
            return None;
        }
        Some(distance)
    }
}

/// Whether two different words at the same place of two names can be one word and a slip.
fn is_slip(a: &str, b: &str) -> bool {
    if CONTRASTS.contains(&a) || CONTRASTS.contains(&b) || is_opposite(a, b) {
        return false;
    }
    match a.chars().count().min(b.chars().count()) {
        0..=3 => false,
        // Short words that start differently are mostly different words: cook and book, cat and bat.
        4..=6 => a.chars().next() == b.chars().next(),
        _ => true,
    }
}

/// Whether one word is the other behind a negating prefix.
fn is_opposite(a: &str, b: &str) -> bool {
    NEGATING.iter().any(|p| a.strip_prefix(p) == Some(b) || b.strip_prefix(p) == Some(a))
}

fn is_subsequence(short: &Words, long: &Words) -> bool {
    let mut rest = long.iter();
    short.iter().all(|w| rest.any(|x| x == w))
}

/// The words of a name, in lower case. Apostrophes do not split.
pub(crate) fn split(name: &str) -> Words {
    let mut words = Words { text: String::with_capacity(name.len()), ends: Vec::with_capacity(8) };
    let mut chars = name.chars().filter(|c| !matches!(c, '\'' | '’')).peekable();
    let mut before: Option<char> = None;
    while let Some(c) = chars.next() {
        let starts = before.is_some_and(|p| {
            (c.is_uppercase() && (!p.is_uppercase() || chars.peek().is_some_and(|a| a.is_lowercase())))
                || c.is_numeric() != p.is_numeric()
        });
        if starts || !c.is_alphanumeric() {
            words.end_word();
        }
        if c.is_ascii_alphanumeric() {
            words.text.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() {
            words.text.extend(c.to_lowercase());
        }
        before = Some(c);
    }
    words.end_word();
    words
}

/// Whether two lower-case words are forms of one word. A participle in `-ing` and one in `-ed` are not: what is
/// interesting need not be interested.
pub(crate) fn same_word(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let participles = (a.ends_with("ing") && b.ends_with("ed")) || (a.ends_with("ed") && b.ends_with("ing"));
    !participles && stem(a) == stem(b)
}

/// A lower-case word without its plural or verb ending. Forms of one word mostly share it; it need not be a word.
fn stem(word: &str) -> Stem<'_> {
    // The first letter tells almost every other word apart without a call.
    let first = word.bytes().next();
    if let Some((_, base)) = IRREGULAR.iter().find(|(form, _)| form.bytes().next() == first && *form == word) {
        return Stem { base: bare(base), y: false };
    }
    let is_vowel = |b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let enough = |base: &&str| base.chars().nth(2).is_some() && base.bytes().any(is_vowel);
    for ending in ["ies", "ied"] {
        if let Some(base) = word.strip_suffix(ending).filter(|b| b.chars().nth(1).is_some()) {
            return Stem { base, y: true };
        }
    }
    // The plural first: `siblings`, and then the `ing` that `sibling` ends in as well.
    let es = word.strip_suffix("es").filter(enough).filter(|b| b.ends_with(['s', 'x', 'z', 'h', 'o']));
    let s = word.strip_suffix('s').filter(enough).filter(|b| !b.ends_with(['s', 'u', 'i']));
    let singular = es.or(s).unwrap_or(word);
    let base = ["ing", "ed"].iter().find_map(|ending| singular.strip_suffix(ending).filter(enough));
    Stem { base: bare(base.unwrap_or(singular)), y: false }
}

/// The offset basis of FNV-1a, with which keys of words are made (Fowler, Noll and Vo; RFC 9923). Keys only gather what is
/// then compared in full, so words that share one by chance do no harm.
const HASH_START: u64 = 0xcbf2_9ce4_8422_2325;

/// Stands in no word.
const WORD_END: u8 = b' ';

fn hash_bytes(before: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(before, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}

fn hash_word(before: u64, word: &str) -> u64 {
    hash_bytes(before, word.bytes().chain([WORD_END]))
}

/// A number that texts share which are equal, and hardly any others.
pub(crate) fn text_key(text: &str) -> u64 {
    hash_word(HASH_START, text)
}

/// A number that words share which are forms of one word.
pub(crate) fn stem_key(word: &str) -> u64 {
    stem(word).hash(HASH_START)
}

/// For each word the number that lists of words share which are forms of those up to it.
pub(crate) fn stem_keys(words: &Words) -> impl Iterator<Item = u64> {
    words.iter().scan(HASH_START, |key, word| {
        *key = stem(word).hash(*key);
        Some(*key)
    })
}

/// What is left of a word. Words are compared by the thousand, so this holds no text of its own.
#[derive(Clone, Copy)]
struct Stem<'a> {
    base: &'a str,
    /// Whether a `y` belongs behind it, in whose place the ending stood.
    y: bool,
}

impl Stem<'_> {
    /// `before` and this stem in one number: the same for equal stems.
    fn hash(self, before: u64) -> u64 {
        let base = hash_bytes(before, self.base.bytes());
        hash_bytes(base, self.y.then_some(b'y').into_iter().chain([WORD_END]))
    }
}

impl PartialEq for Stem<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.y, other.y) {
            (true, false) => other.base.strip_suffix('y') == Some(self.base),
            (false, true) => self.base.strip_suffix('y') == Some(other.base),
            _ => self.base == other.base,
        }
    }
}

/// Without a final `e` and with a final double consonant made single, so that `made`, `plan` and `call` meet their
/// longer forms.
fn bare(word: &str) -> &str {
    let word = word.strip_suffix('e').filter(|b| b.chars().nth(1).is_some()).unwrap_or(word);
    let mut end = word.chars().rev();
    match (end.next(), end.next()) {
        (Some(a), Some(b)) if a == b && !matches!(a, 'a' | 'e' | 'i' | 'o' | 'u') => {
            word.strip_suffix(a).unwrap_or(word)
        }
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(a: &str, b: &str) -> Option<Difference> {
        let forward = Name::new(a).difference(&Name::new(b));
        assert_eq!(forward, Name::new(b).difference(&Name::new(a)), "{a} and {b}");
        forward
    }

    #[test]
    fn names_split_at_capitals_digits_and_punctuation() {
        let split = |name: &str| split(name).iter().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(split("HaveAHorseRanch"), ["have", "a", "horse", "ranch"]);
        assert_eq!(split("AtRolandGarros2022"), ["at", "roland", "garros", "2022"]);
        assert_eq!(split("PRCNational"), ["prc", "national"]);
        assert_eq!(split("well_trained"), ["well", "trained"]);
        assert_eq!(split("nica'sMarket"), ["nicas", "market"]);
        assert_eq!(split("Świątek"), ["świątek"]);
        assert_eq!(split("--"), Vec::<String>::new());
    }

    #[test]
    fn case_and_punctuation() {
        assert_eq!(difference("theLegendofZelda", "thelegendofzelda"), Some(Difference::Case));
        assert_eq!(difference("Event-relatedDesign", "EventRelatedDesign"), Some(Difference::Punctuation));
        assert_eq!(difference("o'neil", "oneil"), Some(Difference::Punctuation));
    }

    #[test]
    fn endings() {
        for (a, b) in [
            ("Sleep", "Sleeps"),
            ("Mammal", "Mammals"),
            ("PerformIn", "PerformsIn"),
            ("highSchoolDance", "highSchoolDances"),
            ("Party", "Parties"),
            ("Plan", "Planned"),
            ("Make", "Making"),
            ("Call", "Called"),
            ("HasPet", "HavePet"),
            ("Box", "Boxes"),
            ("sibling", "siblings"),
        ] {
            assert_eq!(difference(a, b), Some(Difference::Inflection), "{a} {b}");
        }
        assert_eq!(difference("Interesting", "Interested"), None);
        assert_eq!(difference("Teach", "Teacher"), None);
    }

    #[test]
    fn forms_of_one_word_have_one_key() {
        let names = [
            "Party",
            "Parties",
            "Partied",
            "Plan",
            "Planned",
            "Make",
            "Making",
            "Sleep",
            "Sleeps",
            "has",
            "HavePet",
            "HasPet",
            "highSchool2",
            "highschools2",
            "Box",
            "boxes",
            "Interesting",
            "Interested",
            "Calls",
            "call3",
        ];
        for a in names.map(Name::new) {
            for b in names.map(Name::new) {
                if a.difference(&b) == Some(Difference::Inflection) {
                    let folded = a.fold_key().is_some() && a.fold_key() == b.fold_key();
                    assert!(a.word_key() == b.word_key() || folded, "{} {}", a.text, b.text);
                }
            }
        }
        assert_ne!(Name::new("Sleep2").word_key(), Name::new("Sleeps3").word_key());
    }

    #[test]
    fn slips_of_the_pen() {
        assert_eq!(difference("horseRank", "horseRanch"), Some(Difference::Letters(2)));
        assert_eq!(difference("bonnie", "bonne"), Some(Difference::Letters(1)));
        assert_eq!(difference("BerkeleyCollege", "BerkleyCollege"), Some(Difference::Letters(1)));
        assert_eq!(difference("Delectable", "Delectabl"), Some(Difference::Inflection));
        for (a, b) in [
            ("twoYellowCard", "oneYellowCard"),
            ("playStation2", "playStation3"),
            ("planA", "planB"),
            ("Aware", "Unaware"),
            ("LegalAct", "IllegalAct"),
            ("WorkIn", "WorkOn"),
            ("Cook", "Book"),
            ("BookShop", "CookShop"),
            ("Located", "LocatedIn"),
            ("maleStudent", "femaleStudent"),
            ("Cat", "Cut"),
        ] {
            assert_eq!(difference(a, b), None, "{a} {b}");
        }
    }
}
