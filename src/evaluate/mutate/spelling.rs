//! Wrong spellings of names.

use std::ops::Range;

use crate::synth::Random;

/// Names of fewer letters have no misspelling that could be told from another name.
const MISSPELT_LETTERS: usize = 4;

/// Words of fewer letters take no ending.
const INFLECTED_LETTERS: usize = 3;

/// The slips of a pen in one name: a letter swapped with the next, one dropped, one doubled, one replaced; each at a place
/// that is drawn. First letters stay: authors seldom get them wrong.
pub(super) fn misspellings(name: &str, random: &mut Random) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let is_letter = |i: usize| chars.get(i).is_some_and(char::is_ascii_alphabetic);
    if (0..chars.len()).filter(|i| is_letter(*i)).count() < MISSPELT_LETTERS {
        return Vec::new();
    }
    let letters: Vec<usize> = (1..chars.len()).filter(|i| is_letter(*i)).collect();
    let pairs: Vec<usize> =
        letters.iter().copied().filter(|i| is_letter(i + 1) && chars.get(*i) != chars.get(i + 1)).collect();
    let mut out = Vec::with_capacity(4);
    let mut with = |change: &dyn Fn(&mut Vec<char>)| {
        let mut changed = chars.clone();
        change(&mut changed);
        out.push(changed.into_iter().collect());
    };
    if let Some(&at) = random.pick(&pairs) {
        with(&|name| name.swap(at, at + 1));
    }
    if let Some(&at) = random.pick(&letters) {
        with(&|name| {
            name.remove(at);
        });
    }
    if let Some((&at, letter)) = random.pick(&letters).and_then(|at| Some((at, *chars.get(*at)?))) {
        with(&|name| name.insert(at, letter));
    }
    if let Some((&at, letter)) = random.pick(&letters).and_then(|at| Some((at, *chars.get(*at)?))) {
        let base = if letter.is_ascii_uppercase() { b'A' } else { b'a' };
        let others: Vec<char> = (base..base + 26).map(char::from).filter(|c| *c != letter).collect();
        if let Some(&other) = random.pick(&others) {
            with(&|name| name.iter_mut().skip(at).take(1).for_each(|c| *c = other));
        }
    }
    out
}

/// The name with its first letter, or the first letter of a later word, as a capital or not.
pub(super) fn cases(name: &str) -> Vec<String> {
    let toggled = |word: Range<usize>| {
        let first = name.get(word.clone())?.chars().next()?;
        let other = if first.is_ascii_uppercase() {
            first.to_ascii_lowercase()
        } else if first.is_ascii_lowercase() {
            first.to_ascii_uppercase()
        } else {
            return None;
        };
        Some(format!("{}{other}{}", name.get(..word.start)?, name.get(word.start + first.len_utf8()..)?))
    };
    words(name).into_iter().filter_map(toggled).collect()
}

/// The name with one of its words in another form: a plural or verb ending more or less.
pub(super) fn inflections(name: &str) -> Vec<String> {
    let mut out = Vec::new();
    for range in words(name) {
        let word = name.get(range.clone()).unwrap_or_default();
        if word.len() < INFLECTED_LETTERS || !word.bytes().all(|b| b.is_ascii_alphabetic()) {
            continue;
        }
        // Words that are all capitals are abbreviations.
        if word.bytes().skip(1).all(|b| b.is_ascii_uppercase()) {
            continue;
        }
        let (before, after) = (name.get(..range.start).unwrap_or_default(), name.get(range.end..).unwrap_or_default());
        out.extend(forms(word).into_iter().map(|form| format!("{before}{form}{after}")));
    }
    out
}

/// Other forms of a word, by its ending.
fn forms(word: &str) -> Vec<String> {
    let long = |stem: &&str| stem.len() >= INFLECTED_LETTERS && stem.bytes().any(|b| b"aeiouyAEIOUY".contains(&b));
    let sibilant = |stem: &str| ["s", "x", "z", "ch", "sh"].iter().any(|end| stem.ends_with(end));
    if let Some(stem) = word.strip_suffix("es").filter(long).filter(|stem| sibilant(stem)) {
        return vec![stem.to_owned()];
    }
    if let Some(stem) = word.strip_suffix('s').filter(long).filter(|stem| !stem.ends_with(['s', 'u', 'i'])) {
        return vec![stem.to_owned()];
    }
    if let Some(stem) = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed")).filter(long) {
        return vec![stem.to_owned()];
    }
    let plural = if sibilant(word) { format!("{word}es") } else { format!("{word}s") };
    let stem = word.strip_suffix('e').unwrap_or(word);
    vec![plural, format!("{stem}ing"), format!("{stem}ed")]
}

/// Where the words of a name stand: they start at capitals, and behind digits and signs.
fn words(name: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut before: Option<char> = None;
    for (at, c) in name.char_indices() {
        let end = at + c.len_utf8();
        let goes_on = before.is_some_and(|p| p.is_alphabetic() && (!c.is_uppercase() || p.is_uppercase()));
        match out.last_mut() {
            _ if !c.is_alphabetic() => {}
            Some(word) if goes_on => word.end = end,
            _ => out.push(at..end),
        }
        before = Some(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_names() {
        let of = |name: &str| words(name).into_iter().map(|w| name[w].to_owned()).collect::<Vec<_>>();
        assert_eq!(of("HaveHorseRanch"), ["Have", "Horse", "Ranch"]);
        assert_eq!(of("playStation2Games"), ["play", "Station", "Games"]);
        assert_eq!(of("well-trained_dog"), ["well", "trained", "dog"]);
        assert_eq!(of("2008"), Vec::<String>::new());
    }

    #[test]
    fn cases_of_names() {
        assert_eq!(cases("HaveRanch"), ["haveRanch", "Haveranch"]);
        assert_eq!(cases("theLegendofZelda"), ["TheLegendofZelda", "thelegendofZelda", "theLegendofzelda"]);
        assert_eq!(cases("42"), Vec::<String>::new());
    }

    #[test]
    fn forms_of_words() {
        assert_eq!(inflections("Dog"), ["Dogs", "Doging", "Doged"]);
        assert_eq!(inflections("make"), ["makes", "making", "maked"]);
        assert_eq!(inflections("Box"), ["Boxes", "Boxing", "Boxed"]);
        assert_eq!(inflections("EatsFish"), ["EatFish", "EatsFishes", "EatsFishing", "EatsFished"]);
        assert_eq!(inflections("Performing"), ["Perform"]);
        assert_eq!(inflections("ring"), ["rings", "ringing", "ringed"]);
        assert_eq!(inflections("class"), ["classes", "classing", "classed"]);
        assert_eq!(inflections("USA"), Vec::<String>::new());
    }

    #[test]
    fn slips() {
        let mut random = Random::of(1, 2, 3);
        insta::assert_debug_snapshot!(misspellings("horseRanch", &mut random), @r#"
        [
            "horseRacnh",
            "horeRanch",
            "horsseRanch",
            "horssRanch",
        ]
        "#);
        assert_eq!(misspellings("rex", &mut random), Vec::<String>::new());
        for _ in 0..200 {
            for slip in misspellings("Eat2Fish", &mut random) {
                assert!(slip.starts_with('E') && slip != "Eat2Fish" && slip.contains('2'), "{slip}");
            }
        }
    }
}
