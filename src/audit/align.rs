//! Which row is which.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::Serialize;

use super::likeness::{Words, in_order, normal};
use crate::record::Record;

/// Stories whose words are less alike than this are not held to be one by their place alone.
const STORY: f64 = 0.25;

/// Likewise for conclusions within a story.
const ROW: f64 = 0.25;

/// How alike two stories of one id must be for the id to count by itself: more than words like “is” and “a” make any two.
const CONFIRMED: f64 = 0.25;

/// How alike two stories of one id in different splits must be to be one that was moved.
const ELSEWHERE: f64 = 0.5;

/// Pairs of stories up to which each is held against each.
const MAX_PAIRS: usize = 4_000_000;

/// What an alignment rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The conclusion is the same text.
    Text,
    /// The conclusions are alike, and stand in the same order among those of the story.
    Likeness,
    /// Only the place: the one row of the story that is left on both sides, or as many as are left on the other.
    Place,
    /// There is no other side.
    Nothing,
}

impl By {
    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Likeness => "likeness",
            Self::Place => "place",
            Self::Nothing => "nothing",
        }
    }
}

/// A row of one version and the row of the other that it is, by index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aligned {
    /// In the old version; `None` where the row is new.
    pub old: Option<usize>,
    /// In the new version; `None` where the row was dropped.
    pub new: Option<usize>,
    /// What speaks for it.
    pub by: By,
    /// From 0 (nothing) to 1 (story and conclusion are the same text).
    pub confidence: f64,
}

/// The records of one story, by index.
struct Story<'r> {
    split: &'r str,
    id: Option<&'r str>,
    rows: Vec<usize>,
    words: Words,
    texts: Vec<String>,
}

fn stories(records: &[Record]) -> Vec<Story<'_>> {
    let mut out: Vec<Story<'_>> = Vec::new();
    let mut places: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for (i, record) in records.iter().enumerate() {
        let texts: Vec<String> = record.premises.iter().map(|s| normal(s)).collect();
        let name = record.story_id.clone().unwrap_or_else(|| texts.join("\n"));
        let place = *places.entry((&record.split, name)).or_insert(out.len());
        if let Some(story) = out.get_mut(place) {
            story.rows.push(i);
            continue;
        }
        out.push(Story {
            split: &record.split,
            id: record.story_id.as_deref(),
            rows: vec![i],
            words: Words::of(record.premises.iter().map(String::as_str)),
            texts,
        });
    }
    out
}

/// Aligns the rows of two versions: every row of either stands in exactly one result, in the order of the new version, then
/// those that were dropped in the order of the old one.
///
/// A row that stands in another split is known by the same text, or by the id of its story where the texts confirm it.
#[must_use]
pub fn align(old: &[Record], new: &[Record]) -> Vec<Aligned> {
    let any_split = are_one_split(old, new);
    let mut out = Vec::new();
    let (mut old_done, mut new_done) = (BTreeSet::new(), BTreeSet::new());
    for (i, j) in if any_split { Vec::new() } else { moved(old, new) } {
        old_done.insert(i);
        new_done.insert(j);
        out.push(Aligned { old: Some(i), new: Some(j), by: By::Text, confidence: 1.0 });
    }
    let (mut olds, mut news) = (stories(old), stories(new));
    olds.iter_mut().for_each(|story| story.rows.retain(|i| !old_done.contains(i)));
    news.iter_mut().for_each(|story| story.rows.retain(|j| !new_done.contains(j)));
    for (a, b) in pairs_of_stories(&olds, &news, any_split) {
        let (Some(a), Some(b)) = (olds.get(a), news.get(b)) else { continue };
        let certainty = a.words.likeness(&b.words);
        for (i, j, by, likeness) in pairs_of_rows(old, new, &a.rows, &b.rows) {
            old_done.insert(i);
            new_done.insert(j);
            // What stands in the same story is likelier to be the same row than its own words say.
            let confidence = if by == By::Place { 0.25 * certainty } else { (certainty + 2.0 * likeness) / 3.0 };
            out.push(Aligned { old: Some(i), new: Some(j), by, confidence: (confidence * 100.0).round() / 100.0 });
        }
    }
    let alone = |old, new| Aligned { old, new, by: By::Nothing, confidence: 0.0 };
    out.extend((0..new.len()).filter(|j| !new_done.contains(j)).map(|j| alone(None, Some(j))));
    out.sort_by_key(|pair| pair.new);
    out.extend((0..old.len()).filter(|i| !old_done.contains(i)).map(|i| alone(Some(i), None)));
    out
}

/// Whether either version has at most one split. Files are named as people like; where there is one split on each side,
/// they are the same.
pub(super) fn are_one_split(old: &[Record], new: &[Record]) -> bool {
    let one = |records: &[Record]| records.windows(2).all(|pair| matches!(pair, [a, b] if a.split == b.split));
    one(old) && one(new)
}

/// Rows that stand with the same text in another split: the same premises in whatever order and the same conclusion. Those
/// that stand in their own split as well have not moved.
fn moved(old: &[Record], new: &[Record]) -> Vec<(usize, usize)> {
    let text = |record: &Record| {
        let mut premises: Vec<String> = record.premises.iter().map(|s| normal(s)).collect();
        premises.sort_unstable();
        premises.push(normal(&record.conclusion));
        premises.join("\n")
    };
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (j, record) in new.iter().enumerate() {
        places.entry(text(record)).or_default().push(j);
    }
    let mut left = Vec::new();
    for (i, record) in old.iter().enumerate() {
        let text = text(record);
        let Some(there) = places.get_mut(&text) else { continue };
        match there.iter().position(|j| new.get(*j).is_some_and(|b| b.split == record.split)) {
            Some(at) => _ = there.remove(at),
            // A row that says nothing is like every other.
            None if text.trim().is_empty() => {}
            None => left.push((i, text)),
        }
    }
    let take = |(i, text): (usize, String)| {
        let there = places.get_mut(&text).filter(|there| !there.is_empty())?;
        Some((i, there.remove(0)))
    };
    left.into_iter().filter_map(take).collect()
}

/// By the same text, then by the same id where the texts do not speak against it, then by order and likeness; what is left,
/// by an id in another split that the texts confirm.
fn pairs_of_stories(olds: &[Story<'_>], news: &[Story<'_>], any_split: bool) -> Vec<(usize, usize)> {
    let same_split = |a: &Story<'_>, b: &Story<'_>| any_split || a.split == b.split;
    let mut out: Vec<(usize, usize)> = Vec::new();
    let (mut left, mut right): (Vec<usize>, Vec<usize>) = ((0..olds.len()).collect(), (0..news.len()).collect());
    let take = |left: &mut Vec<usize>, right: &mut Vec<usize>, found: &[(usize, usize)], out: &mut Vec<_>| {
        let (olds, news): (HashSet<usize>, HashSet<usize>) = found.iter().copied().unzip();
        left.retain(|i| !olds.contains(i));
        right.retain(|j| !news.contains(j));
        out.extend_from_slice(found);
    };
    type Same<'s> = Box<dyn Fn(&Story<'_>) -> Option<String> + 's>;
    let by_text: Same<'_> = Box::new(|story| Some(story.texts.join("\n")));
    let by_id: Same<'_> = Box::new(|story| story.id.map(str::to_owned));
    for name in [by_text, by_id] {
        // Where stories of the same text have the same id, an id can be believed of one that was wholly rewritten.
        let least = if ids_are_stable(olds, news, &out) { 0.0 } else { CONFIRMED };
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for j in &right {
            if let Some(name) = news.get(*j).and_then(&name) {
                places.entry(name).or_default().push(*j);
            }
        }
        let mut found = Vec::new();
        for i in &left {
            let Some(a) = olds.get(*i) else { continue };
            let Some(there) = name(a).and_then(|name| places.get_mut(&name)) else { continue };
            let fits =
                |j: &usize| news.get(*j).is_some_and(|b| same_split(a, b) && a.words.likeness(&b.words) >= least);
            if let Some(at) = there.iter().position(fits) {
                found.push((*i, there.remove(at)));
            }
        }
        take(&mut left, &mut right, &found, &mut out);
    }
    if left.len().saturating_mul(right.len()) <= MAX_PAIRS {
        let found: Vec<(usize, usize)> = in_order(left.len(), right.len(), STORY, |i, j| {
            match (left.get(i).and_then(|i| olds.get(*i)), right.get(j).and_then(|j| news.get(*j))) {
                (Some(a), Some(b)) if same_split(a, b) => a.words.likeness(&b.words),
                _ => 0.0,
            }
        })
        .into_iter()
        .filter_map(|(i, j)| Some((*left.get(i)?, *right.get(j)?)))
        .collect();
        take(&mut left, &mut right, &found, &mut out);
    }
    let found = between(&left, &right, &out);
    take(&mut left, &mut right, &found, &mut out);
    if !any_split {
        out.extend(by_id_elsewhere(&left, &right, olds, news));
    }
    out.sort_unstable();
    out
}

/// Of what is left, stories of one id in different splits that are much alike.
fn by_id_elsewhere(left: &[usize], right: &[usize], olds: &[Story<'_>], news: &[Story<'_>]) -> Vec<(usize, usize)> {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for j in right {
        if let Some(id) = news.get(*j).and_then(|story| story.id) {
            places.entry(id).or_default().push(*j);
        }
    }
    let mut out = Vec::new();
    for i in left {
        let Some(a) = olds.get(*i).filter(|story| !story.rows.is_empty()) else { continue };
        let Some(there) = a.id.and_then(|id| places.get_mut(id)) else { continue };
        let fits = |j: &usize| news.get(*j).is_some_and(|b| a.words.likeness(&b.words) >= ELSEWHERE);
        if let Some(at) = there.iter().position(fits) {
            out.push((*i, there.remove(at)));
        }
    }
    out
}

/// Whether the stories that are aligned by what they say nearly all have one id in both versions: then an id can be
/// believed of a story that was wholly rewritten.
fn ids_are_stable(olds: &[Story<'_>], news: &[Story<'_>], aligned: &[(usize, usize)]) -> bool {
    let ids = aligned.iter().filter_map(|(i, j)| Some((olds.get(*i)?.id?, news.get(*j)?.id?)));
    let (same, all) = ids.fold((0, 0), |(same, all), (a, b)| (same + usize::from(a == b), all + 1));
    all >= 5 && same * 10 >= all * 9
}

/// Stories that are left between the same neighbours on both sides, as many on either.
fn between(left: &[usize], right: &[usize], aligned: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut anchors = aligned.to_vec();
    anchors.sort_unstable();
    // Where the order was changed, a neighbour says nothing.
    anchors.dedup_by(|b, a| b.1 < a.1);
    let mut out = Vec::new();
    let ends = anchors.iter().map(|(i, j)| (*i, *j)).chain([(usize::MAX, usize::MAX)]);
    let mut from = (0, 0);
    for to in ends {
        let inside = |all: &[usize], from: usize, to: usize| -> Vec<usize> {
            all.iter().copied().filter(|i| (from..to).contains(i)).collect()
        };
        let (a, b) = (inside(left, from.0, to.0), inside(right, from.1, to.1));
        if a.len() == b.len() {
            out.extend(a.into_iter().zip(b));
        }
        from = to;
    }
    out
}

/// The rows of two stories that are one: by the same conclusion, then by order and likeness, then by what is left.
fn pairs_of_rows(old: &[Record], new: &[Record], olds: &[usize], news: &[usize]) -> Vec<(usize, usize, By, f64)> {
    let words = |records: &[Record], i: usize| Words::of(records.get(i).map(|r| r.conclusion.as_str()));
    let (mut left, mut right) = (olds.to_vec(), news.to_vec());
    let mut out = Vec::new();
    for i in olds {
        let Some(a) = old.get(*i) else { continue };
        let same = |j: &usize| new.get(*j).is_some_and(|b| normal(&a.conclusion) == normal(&b.conclusion));
        if let Some(at) = right.iter().position(same) {
            out.push((*i, right.remove(at), By::Text, 1.0));
            left.retain(|other| other != i);
        }
    }
    let old_words: Vec<Words> = left.iter().map(|i| words(old, *i)).collect();
    let new_words: Vec<Words> = right.iter().map(|j| words(new, *j)).collect();
    let score = |i: usize, j: usize| match (old_words.get(i), new_words.get(j)) {
        (Some(a), Some(b)) => a.likeness(b),
        _ => 0.0,
    };
    let found = in_order(left.len(), right.len(), ROW, score);
    for (i, j) in &found {
        if let (Some(a), Some(b)) = (left.get(*i), right.get(*j)) {
            out.push((*a, *b, By::Likeness, score(*i, *j)));
        }
    }
    let (mut i, mut j) = (0, 0);
    left.retain(|_| {
        i += 1;
        found.iter().all(|(a, _)| *a != i - 1)
    });
    right.retain(|_| {
        j += 1;
        found.iter().all(|(_, b)| *b != j - 1)
    });
    if left.len() == right.len() {
        out.extend(left.into_iter().zip(right).map(|(a, b)| (a, b, By::Place, 0.0)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(story: Option<&str>, premises: &[&str], conclusion: &str) -> Record {
        Record {
            split: "train".to_owned(),
            story_id: story.map(str::to_owned),
            premises: premises.iter().map(|s| (*s).to_owned()).collect(),
            conclusion: conclusion.to_owned(),
            ..Record::default()
        }
    }

    fn pairs(old: &[Record], new: &[Record]) -> Vec<(Option<usize>, Option<usize>, By)> {
        align(old, new).iter().map(|a| (a.old, a.new, a.by)).collect()
    }

    const DOGS: [&str; 2] = ["All dogs bark.", "Rex is a dog."];
    const BIRDS: [&str; 2] = ["No wren is large.", "Dot is a wren."];

    #[test]
    fn a_dropped_row_shifts_nobody() {
        let old = [
            record(None, &DOGS, "Rex barks."),
            record(None, &DOGS, "Rex sings."),
            record(None, &DOGS, "Rex is quiet."),
            record(None, &BIRDS, "Dot is large."),
        ];
        let new = [old[0].clone(), old[2].clone(), old[3].clone()];
        let expected = [
            (Some(0), Some(0), By::Text),
            (Some(2), Some(1), By::Text),
            (Some(3), Some(2), By::Text),
            (Some(1), None, By::Nothing),
        ];
        assert_eq!(pairs(&old, &new), expected);
    }

    #[test]
    fn rewritten_rows_are_found_and_strangers_with_an_id_are_not() {
        let old = [record(Some("1"), &DOGS, "Rex barks."), record(Some("2"), &BIRDS, "Dot is large.")];
        // The ids are exchanged; what the stories say is not.
        let new = [
            record(Some("1"), &["No wren is ever large.", "Dot is a wren."], "Dot is very large."),
            record(Some("2"), &["All dogs bark.", "Rex is a big dog."], "Rex barks loudly."),
        ];
        let found = align(&old, &new);
        let place = |new: usize| found.iter().find(|a| a.new == Some(new)).and_then(|a| a.old);
        // Two stories of one id that have no words in common are not one; in order, only one pair can be.
        assert!(place(0) == Some(1) || place(1) == Some(0), "{found:?}");
        assert!(place(0) != Some(0) && place(1) != Some(1), "{found:?}");
    }

    #[test]
    fn a_story_that_was_wholly_rewritten_is_known_by_its_neighbours() {
        let first = record(None, &DOGS, "Rex barks.");
        let last = record(None, &BIRDS, "Dot is large.");
        let old = [first.clone(), record(None, &["A ship sails."], "It sinks."), last.clone()];
        let new = [first, record(None, &["Every moon shines."], "Io glows."), last];
        let expected = [(Some(0), Some(0), By::Text), (Some(1), Some(1), By::Place), (Some(2), Some(2), By::Text)];
        assert_eq!(pairs(&old, &new), expected);
        // With one more on one side nobody can say which is which.
        let more = [old[0].clone(), old[1].clone(), record(None, &["A bell rings."], "It stops."), old[2].clone()];
        assert_eq!(align(&more, &new).iter().filter(|a| a.by == By::Nothing).count(), 3);
    }

    #[test]
    fn the_one_row_that_is_left_is_the_other_one() {
        let old = [record(None, &DOGS, "Rex barks."), record(None, &DOGS, "Rex sings.")];
        let new = [record(None, &DOGS, "Rex barks."), record(None, &DOGS, "A wholly new thing happens.")];
        assert_eq!(pairs(&old, &new), [(Some(0), Some(0), By::Text), (Some(1), Some(1), By::Place)]);
    }

    #[test]
    fn rows_move_between_splits() {
        let old = [
            record(Some("1"), &DOGS, "Rex barks."),
            record(Some("1"), &DOGS, "Rex sings."),
            record(Some("2"), &BIRDS, "Dot is large."),
            Record { split: "test".to_owned(), ..record(Some("3"), &["A ship sails."], "It sinks.") },
        ];
        let to_test = |record: &Record| Record { split: "test".to_owned(), ..record.clone() };
        // One row of a story, and a whole story that was rewritten a little.
        let mut rewritten = to_test(&old[2]);
        rewritten.premises[0] = "No wren is very large.".to_owned();
        let new = [old[0].clone(), to_test(&old[1]), rewritten, old[3].clone()];
        let expected = [
            (Some(0), Some(0), By::Text),
            (Some(1), Some(1), By::Text),
            (Some(2), Some(2), By::Text),
            (Some(3), Some(3), By::Text),
        ];
        assert_eq!(pairs(&old, &new), expected);
        // What stands in both splits of both versions has not moved, and a copy is new.
        let doubled = [old[0].clone(), old[3].clone(), to_test(&old[0])];
        assert_eq!(pairs(&doubled, &doubled).iter().filter(|(a, b, _)| a == b).count(), 3);
        assert_eq!(pairs(&doubled[..2], &doubled)[2], (None, Some(2), By::Nothing));
    }
}
