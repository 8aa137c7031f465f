//! Names held against the sentences they stand for.

use std::collections::BTreeSet;

use crate::fol::{Term, TermKind};
use crate::lint::cue::words_of;
use crate::lint::words::{Difference, Name, same_word, split};

/// Words that carry no meaning of their own in a name: names that differ only in them are mostly one.
const FUNCTION_WORDS: &[&str] = &[
    "a", "an", "the", "is", "are", "be", "was", "were", "has", "have", "had", "do", "does", "of", "in", "on", "at",
    "to", "for", "by", "with", "from", "as", "and", "or", "that", "this", "it", "its",
];

/// Numbers as words.
const NUMBERS: &[&str] =
    &["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// What authors put before a number to make a name of it.
const NUMBER_PREFIXES: &[&str] = &["num", "number", "no", "year", "yr", "y", "n"];

/// The words of a sentence, in lower case, with numbers in digits.
#[derive(Debug, Clone, Default)]
pub(in crate::refine) struct Wording {
    words: Vec<String>,
}

impl Wording {
    pub(in crate::refine) fn of(sentence: &str) -> Self {
        let mut words = Vec::new();
        for word in words_of(sentence) {
            // `l-2021` is two words of the sentence and may be one of a name; `Michael's` is `michael` too.
            let plain = word.lower.trim_end_matches("'s").trim_end_matches('\'');
            words.push(number(plain).unwrap_or_else(|| plain.replace(',', "")));
        }
        Self { words }
    }

    /// Whether the sentence has a word in any of its forms.
    pub(super) fn has(&self, word: &str) -> bool {
        // A human being is no form of `be`.
        let alike = |w: &String| if word == "being" { w == word } else { same_word(w, word) };
        self.words.iter().any(alike)
            // Names write `lG`, `iBM`, `twosum` and `yevgenykurochkin` as they like: letters count, not where words end.
            || (word.chars().count() >= 4 && self.runs(word))
    }

    /// Whether neighbouring words of the sentence, written together, are this word.
    fn runs(&self, word: &str) -> bool {
        (0..self.words.len()).any(|start| self.run_from(start, word).is_some())
    }

    /// Where two words or more from here on end that, written together, are this word.
    fn run_from(&self, start: usize, word: &str) -> Option<usize> {
        let mut rest = word;
        for (count, w) in self.words.iter().skip(start).enumerate() {
            rest = rest.strip_prefix(w.as_str())?;
            if rest.is_empty() {
                return (count > 0).then_some(start + count + 1);
            }
        }
        None
    }

    /// Which part of a name's words the sentence has, from 0 to 1.
    pub(in crate::refine) fn support(&self, words: &NameWords) -> f64 {
        if words.all.is_empty() {
            return 0.0;
        }
        if self.runs(&words.all.concat()) || self.has(&words.all.concat()) {
            return 1.0;
        }
        let of = if words.content.is_empty() { &words.all } else { &words.content };
        #[expect(clippy::cast_precision_loss, reason = "names have few words")]
        let part = of.iter().filter(|w| self.has(w)).count() as f64 / of.len() as f64;
        part
    }

    /// Whether the sentence has the words that carry meaning in this order, other words between them.
    pub(super) fn in_order(&self, words: &NameWords) -> bool {
        let mut rest = self.words.iter();
        words.content.iter().all(|word| rest.any(|w| same_word(w, word)))
    }

    /// Whether the sentence names two individuals, the first one first.
    pub(super) fn names_in_order(&self, first: &Term, second: &Term) -> bool {
        let place = |term: &Term| match &term.kind {
            TermKind::Constant(name) => self.covered(&NameWords::of(name)).first().copied(),
            _ => None,
        };
        matches!((place(first), place(second)), (Some(a), Some(b)) if a < b)
    }

    /// Places in the sentence of the words that a name holds, however it writes them.
    pub(in crate::refine) fn covered(&self, words: &NameWords) -> BTreeSet<usize> {
        let mut out = BTreeSet::new();
        let whole = words.all.concat();
        for word in words.content.iter().chain([&whole]) {
            let same = self.words.iter().enumerate().filter(|(_, w)| same_word(w, word)).map(|(i, _)| i);
            out.extend(same);
            for start in 0..self.words.len() {
                if let Some(end) = self.run_from(start, word) {
                    out.extend(start..end);
                }
            }
        }
        out.retain(|i| self.words.get(*i).is_some_and(|w| !FUNCTION_WORDS.contains(&w.as_str())));
        out
    }

    /// The words of a name that the sentence has.
    pub(super) fn shared<'w>(&'w self, words: &'w NameWords) -> impl Iterator<Item = &'w String> {
        words.content.iter().filter(|w| self.has(w))
    }
}

/// A number in digits for one in words.
fn number(word: &str) -> Option<String> {
    NUMBERS.iter().position(|n| *n == word).map(|n| n.to_string())
}

/// A name as the words that stand in sentences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::refine) struct NameWords {
    /// All words, numbers in digits and without what is put before them.
    pub(super) all: Vec<String>,
    /// Those that carry meaning.
    pub(super) content: Vec<String>,
}

impl NameWords {
    pub(in crate::refine) fn of(name: &str) -> Self {
        let mut all: Vec<String> = split(name).iter().map(|w| number(w).unwrap_or_else(|| w.to_owned())).collect();
        let is_number = |w: &String| w.bytes().all(|b| b.is_ascii_digit());
        if let [prefix, rest, ..] = all.as_slice()
            && NUMBER_PREFIXES.contains(&prefix.as_str())
            && is_number(rest)
        {
            all.remove(0);
        }
        // The `A` of `planA` is no article.
        let last = all.len().saturating_sub(1);
        let carries = |(i, w): &(usize, &String)| {
            !FUNCTION_WORDS.contains(&w.as_str()) || (*i == last && last > 0 && w.len() == 1)
        };
        let content = all.iter().enumerate().filter(carries).map(|(_, w)| w.clone()).collect();
        Self { all, content }
    }

    /// Whether both have the same words, in any of their forms.
    fn same(a: &[String], b: &[String]) -> bool {
        !a.is_empty() && a.len() == b.len() && a.iter().zip(b).all(|(x, y)| same_word(x, y))
    }

    /// Whether each word of `self` is one of `other`, in order.
    fn within(&self, other: &Self) -> bool {
        let mut rest = other.content.iter();
        !self.content.is_empty() && self.content.iter().all(|w| rest.any(|x| same_word(x, w)))
    }
}

/// How two names that may be one symbol's are alike, the closest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// Upper and lower case.
    Case,
    /// Hyphens, underscores, dots, apostrophes.
    Punctuation,
    /// A number in words or digits, with or without `num` or `year` before it.
    Number,
    /// A plural or verb ending.
    Inflection,
    /// Words such as `is`, `the`, `of`.
    FunctionWords,
    /// One or two letters.
    Letters,
    /// Initials, or a word cut short.
    Abbreviation,
    /// All words of one are words of the other.
    Part,
    /// In nothing but their use.
    Unlike,
}

/// How alike two different names are.
pub(super) fn likeness(a: &str, b: &str) -> Likeness {
    let (x, y) = (Name::new(a), Name::new(b));
    match x.difference(&y) {
        Some(Difference::Case) => return Likeness::Case,
        Some(Difference::Punctuation) => return Likeness::Punctuation,
        Some(Difference::Inflection) => return Likeness::Inflection,
        Some(Difference::Letters(_)) => return Likeness::Letters,
        None => {}
    }
    let (x, y) = (NameWords::of(a), NameWords::of(b));
    if x.all == y.all {
        Likeness::Number
    } else if NameWords::same(&x.content, &y.content) || x.content.concat() == y.content.concat() {
        Likeness::FunctionWords
    } else if is_initials(&x, &y) || is_initials(&y, &x) || is_cut_short(&x, &y) {
        Likeness::Abbreviation
    } else if x.within(&y) || y.within(&x) {
        Likeness::Part
    } else {
        Likeness::Unlike
    }
}

/// `usa` and `unitedStatesOfAmerica`.
fn is_initials(short: &NameWords, long: &NameWords) -> bool {
    let short = short.all.concat();
    let initials = |words: &[String]| words.iter().filter_map(|w| w.chars().next()).collect::<String>();
    short.chars().count() >= 2
        && long.content.len() >= 2
        && (initials(&long.content) == short || initials(&long.all) == short)
}

/// `regentSt` and `regentStreet`: one word cut short, the others the same.
fn is_cut_short(a: &NameWords, b: &NameWords) -> bool {
    if a.all.len() != b.all.len() || a.all.len() < 2 {
        return false;
    }
    let mut cut = 0;
    for (x, y) in a.all.iter().zip(&b.all) {
        if same_word(x, y) {
            continue;
        }
        let (short, long) = if x.len() < y.len() { (x, y) } else { (y, x) };
        if short.len() < 2 || !long.starts_with(short.as_str()) || short.bytes().any(|c| c.is_ascii_digit()) {
            return false;
        }
        cut += 1;
    }
    cut == 1
}

/// Whether a name of words is another name and a term's, side by side: `HaveAHorseRanch` is `Have` and `horseRanch`.
/// With `bare`, the term's words alone will do.
pub(super) fn is_packed(packed: &NameWords, plain: &NameWords, constant: &NameWords) -> Option<Packing> {
    let join = |parts: [&[String]; 2]| parts.concat();
    let content = |words: &[String]| -> Vec<String> {
        words.iter().filter(|w| !matches!(w.as_str(), "a" | "an" | "the")).cloned().collect()
    };
    let (whole, both) = (content(&packed.all), content(&join([&plain.all, &constant.all])));
    // Where words end is each author's own: `fIFASeries`.
    let same = |a: &[String], b: &[String]| NameWords::same(a, b) || same_word(&a.concat(), &b.concat());
    if same(&whole, &both) {
        return Some(Packing::Both);
    }
    // `FIFASeries(x)` for `In(x, fIFASeries)`: nothing but a preposition is missing.
    (plain.content.is_empty() && same(&whole, &content(&constant.all))).then_some(Packing::Bare)
}

/// How a term is packed into a predicate's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    /// With the other predicate's name.
    Both,
    /// Without it, which is a preposition or the like.
    Bare,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_their_sentences() {
        let sentence =
            Wording::of("The L-2021 monitor isn't in Yevgeny Kurochkin's library; seven people own 1,000 books.");
        let support = |name| sentence.support(&NameWords::of(name));
        assert_eq!(support("l-2021"), 1.0);
        assert_eq!(support("yevgenykurochkin"), 1.0);
        assert_eq!(support("YevgenyKurochkin"), 1.0);
        assert_eq!(support("num7"), 1.0);
        assert_eq!(support("num1000"), 1.0);
        assert_eq!(support("In"), 1.0);
        assert_eq!(support("At"), 0.0);
        assert_eq!(support("OwnsBook"), 1.0);
        assert_eq!(support("OwnCar"), 0.5);
    }

    #[test]
    fn likenesses() {
        for (a, b, expected) in [
            ("theLegendofZelda", "thelegendofzelda", Likeness::Case),
            ("num7", "seven", Likeness::Number),
            ("yr1946", "year1946", Likeness::Number),
            ("twoSum", "2Sum", Likeness::Number),
            ("Sleep", "Sleeps", Likeness::Inflection),
            ("InTop10", "Top10", Likeness::FunctionWords),
            ("IsNovel", "Novel", Likeness::FunctionWords),
            ("theArmy", "army", Likeness::FunctionWords),
            ("Grow", "GrowIn", Likeness::FunctionWords),
            ("horseRank", "horseRanch", Likeness::Letters),
            ("usa", "unitedStatesOfAmerica", Likeness::Abbreviation),
            ("regentSt", "regentStreet", Likeness::Abbreviation),
            ("Human", "HumanBeing", Likeness::Part),
            ("Perform", "PerformOftenIn", Likeness::Part),
            ("ConstructedIn", "BuiltIn", Likeness::Unlike),
            ("planA", "planB", Likeness::Unlike),
        ] {
            assert_eq!(likeness(a, b), expected, "{a} {b}");
            assert_eq!(likeness(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn packed_names() {
        let packed = |a, b, c| is_packed(&NameWords::of(a), &NameWords::of(b), &NameWords::of(c));
        assert_eq!(packed("HaveAHorseRanch", "Have", "horseRanch"), Some(Packing::Both));
        assert_eq!(packed("PracticeCodingQuestions", "Practice", "codingQuestion"), Some(Packing::Both));
        assert_eq!(packed("FIFASeries", "In", "fIFASeries"), Some(Packing::Bare));
        assert_eq!(packed("FIFASeries", "Play", "fIFASeries"), None);
        assert_eq!(packed("HaveAHorse", "Have", "horseRanch"), None);
    }
}
