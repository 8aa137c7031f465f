//! What stands in a dataset twice, within a split or in two of them.

use std::collections::HashMap;

use polars::prelude::{IntoLazy as _, JoinArgs, JoinType, PolarsResult, col, df, lit};
use rayon::prelude::*;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::gather::{Story, read};
use super::shape::{Same, Shape};
use crate::fol::{Formula, QuantifierScope};
use crate::frame::totalled;
use crate::record::{Label, Record};

/// What is held to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Stories with the same sentences of premises, in whatever order, but for case, spaces and a full stop.
    StorySentences,
    /// Records with the same sentences of premises and the same sentence of the conclusion, likewise.
    RecordSentences,
    /// Stories whose premises have the same formulas up to one renaming of symbols and of bound variables, in whatever order.
    StoryFormulas,
    /// Records whose premises and conclusion have the same formulas, likewise.
    RecordFormulas,
}

impl Level {
    /// Every level, in the order of tables.
    pub const ALL: [Self; 4] = [Self::StorySentences, Self::RecordSentences, Self::StoryFormulas, Self::RecordFormulas];

    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StorySentences => "story-sentences",
            Self::RecordSentences => "record-sentences",
            Self::StoryFormulas => "story-formulas",
            Self::RecordFormulas => "record-formulas",
        }
    }

    /// Whether stories are compared, not records.
    #[must_use]
    pub const fn is_of_stories(self) -> bool {
        matches!(self, Self::StorySentences | Self::StoryFormulas)
    }

    /// Whether sentences are compared, not formulas.
    #[must_use]
    pub const fn is_of_sentences(self) -> bool {
        matches!(self, Self::StorySentences | Self::RecordSentences)
    }
}

/// One that is the same as another before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// In what they are the same.
    pub level: Level,
    /// The number of the group of all that are the same, from 0 at each level.
    pub group: usize,
    /// The index of the first record of the group; for stories that of their first record.
    pub first: usize,
    /// The index of the other, likewise.
    pub other: usize,
}

/// Of one split, those that are the same as one of another split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Between {
    /// The split.
    pub split: String,
    /// The other split.
    pub other: String,
    /// How many of the first are in the other as well.
    pub count: usize,
}

/// Of one split, those that stand in it before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Within {
    /// The split.
    pub split: String,
    /// How many of it are the same as one before them.
    pub count: usize,
}

/// What was found at one level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Found {
    /// What was held to be the same.
    pub level: Level,
    /// Stories or records that were compared.
    pub compared: usize,
    /// Not compared: there are no sentences, or no formulas of the premises or the conclusion.
    pub absent: usize,
    /// Not compared: some formula has no reading.
    pub unparsed: usize,
    /// Not compared: whether one is the same as another was not found out in the steps allowed.
    pub undecided: usize,
    /// Groups of at least two that are the same.
    pub groups: usize,
    /// Groups of records that are the same and have different labels; 0 for stories.
    pub labels_differ: usize,
    /// By split.
    pub within: Vec<Within>,
    /// By two splits: what leaks from one into the other.
    pub between: Vec<Between>,
}

impl Found {
    /// Those that are the same as one before them in their split, in all splits.
    #[must_use]
    pub fn repeated(&self) -> usize {
        self.within.iter().map(|w| w.count).sum()
    }

    /// Not compared, for whatever reason.
    #[must_use]
    pub const fn not_compared(&self) -> usize {
        self.absent + self.unparsed + self.undecided
    }
}

/// A story or a record, by the index of its first record, and the key under which alike ones are found.
enum Key {
    Known(usize, u128),
    Absent,
    Unparsed,
}

/// What is the same, level by level. A renaming is looked for in at most `bound` steps.
pub(super) fn find(
    records: &[Record],
    stories: &[Story],
    scope: QuantifierScope,
    bound: usize,
) -> PolarsResult<(Vec<Found>, Vec<Pair>)> {
    let (mut found, mut pairs) = (Vec::new(), Vec::new());
    for level in Level::ALL {
        let mut out = Found {
            level,
            compared: 0,
            absent: 0,
            unparsed: 0,
            undecided: 0,
            groups: 0,
            labels_differ: 0,
            within: Vec::new(),
            between: Vec::new(),
        };
        let mut buckets: Vec<Vec<usize>> = Vec::new();
        let mut places: HashMap<u128, usize> = HashMap::new();
        for key in keys(level, records, stories) {
            match key {
                Key::Absent => out.absent += 1,
                Key::Unparsed => out.unparsed += 1,
                Key::Known(item, key) => {
                    out.compared += 1;
                    let place = *places.entry(key).or_insert(buckets.len());
                    match buckets.get_mut(place) {
                        Some(bucket) => bucket.push(item),
                        None => buckets.push(vec![item]),
                    }
                }
            }
        }
        buckets.retain(|bucket| bucket.len() > 1);
        let groups = if level.is_of_sentences() {
            buckets
        } else {
            let parted: Vec<(Vec<Vec<usize>>, usize)> =
                buckets.par_iter().map(|bucket| part(bucket, level, records, scope, bound)).collect();
            out.undecided = parted.iter().map(|(_, undecided)| undecided).sum();
            out.compared -= out.undecided;
            parted.into_iter().flat_map(|(groups, _)| groups).filter(|group| group.len() > 1).collect()
        };
        out.groups = groups.len();
        tell(&mut out, &groups, records)?;
        for (number, group) in groups.iter().enumerate() {
            let Some((first, others)) = group.split_first() else { continue };
            pairs.extend(others.iter().map(|other| Pair { level, group: number, first: *first, other: *other }));
        }
        found.push(out);
    }
    Ok((found, pairs))
}

fn keys(level: Level, records: &[Record], stories: &[Story]) -> Vec<Key> {
    let shape = |item: usize, shape: Option<u64>, is_there: bool| match shape {
        Some(shape) => Key::Known(item, u128::from(shape)),
        None if is_there => Key::Unparsed,
        None => Key::Absent,
    };
    let of_story = |story: &Story| -> Vec<Key> {
        let Some(first) = story.records.first() else { return Vec::new() };
        let Some(record) = records.get(first.record) else { return Vec::new() };
        let sentences = Sentences::of(&record.premises);
        match level {
            Level::StorySentences if record.premises.is_empty() => vec![Key::Absent],
            Level::StorySentences => vec![Key::Known(first.record, sentences.key(None))],
            Level::StoryFormulas => vec![shape(first.record, story.shape, story.formalised)],
            Level::RecordSentences => {
                let of_record = |index: usize| match records.get(index) {
                    Some(record) if !record.conclusion.is_empty() => {
                        Key::Known(index, sentences.key(Some(&record.conclusion)))
                    }
                    _ => Key::Absent,
                };
                story.records.iter().map(|asked| of_record(asked.record)).collect()
            }
            Level::RecordFormulas => {
                let has_conclusion = |index: usize| records.get(index).is_some_and(|r| r.conclusion_fol.is_some());
                let of_record = |index: usize, known| {
                    // A conclusion over premises that have no formulas is not asked about.
                    let is_there = has_conclusion(index) && (story.formalised || story.premises == 0);
                    shape(index, if is_there { known } else { None }, is_there)
                };
                story.records.iter().map(|asked| of_record(asked.record, asked.shape)).collect()
            }
        }
    };
    stories.par_iter().flat_map_iter(of_story).collect()
}

/// Sentences as a set.
struct Sentences(Vec<String>);

impl Sentences {
    fn of(texts: &[String]) -> Self {
        let mut all: Vec<String> = texts.iter().map(|text| normal(text)).collect();
        all.sort_unstable();
        all.dedup();
        Self(all)
    }

    /// Hashed so that two sets share a number only if they are the same.
    fn key(&self, conclusion: Option<&str>) -> u128 {
        let mut hash = Sha256::new();
        for sentence in &self.0 {
            hash.update(sentence.as_bytes());
            // In no sentence, for it is no single blank.
            hash.update(b"\n");
        }
        if let Some(conclusion) = conclusion {
            hash.update(b"\n");
            hash.update(normal(conclusion).as_bytes());
        }
        hash.finalize().iter().take(16).fold(0, |all, byte| all << 8 | u128::from(*byte))
    }
}

/// A sentence without what does not matter: case, the number of spaces, and a full stop at its end.
fn normal(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    text.strip_suffix('.').map(|text| text.trim_end().to_owned()).unwrap_or(text)
}

/// Parts what shares a key into groups of which a renaming is known, and counts those of which nothing is known.
fn part(
    bucket: &[usize],
    level: Level,
    records: &[Record],
    scope: QuantifierScope,
    bound: usize,
) -> (Vec<Vec<usize>>, usize) {
    let mut groups: Vec<(Shape, Vec<usize>)> = Vec::new();
    let mut undecided = 0;
    for item in bucket {
        // What was read once is read again: hardly any share a key, so that nothing was kept.
        let Some(shape) = records.get(*item).and_then(|record| shape_of(record, level, scope)) else {
            undecided += 1;
            continue;
        };
        let mut open = false;
        let place = groups.iter().position(|(first, _)| match first.same(&shape, bound) {
            Same::Yes => true,
            Same::No => false,
            Same::Unknown => {
                open = true;
                false
            }
        });
        match place.and_then(|place| groups.get_mut(place)) {
            Some((_, members)) => members.push(*item),
            None if open => undecided += 1,
            None => groups.push((shape, vec![*item])),
        }
    }
    (groups.into_iter().map(|(_, members)| members).collect(), undecided)
}

fn shape_of(record: &Record, level: Level, scope: QuantifierScope) -> Option<Shape> {
    let premises: Vec<Formula> =
        record.premises_fol.iter().map(|text| read(text, scope)).collect::<Option<Vec<_>>>()?;
    let premises: Vec<&Formula> = premises.iter().collect();
    if level.is_of_stories() {
        return Some(Shape::new(&premises, None));
    }
    let conclusion = read(record.conclusion_fol.as_ref()?, scope)?;
    Some(Shape::new(&premises, Some(&conclusion)))
}

/// Counts by split, from a frame with a row for each that is in a group.
fn tell(out: &mut Found, groups: &[Vec<usize>], records: &[Record]) -> PolarsResult<()> {
    let members = || {
        let of_group = |(number, group): (usize, &Vec<usize>)| -> Vec<(String, &Record)> {
            group.iter().filter_map(|i| Some((number.to_string(), records.get(*i)?))).collect()
        };
        groups.iter().enumerate().flat_map(of_group)
    };
    let frame = df![
        "group" => members().map(|(group, _)| group).collect::<Vec<_>>(),
        "split" => members().map(|(_, record)| record.split.as_str()).collect::<Vec<_>>(),
        "label" => members().map(|(_, record)| record.label.map_or("", Label::as_str)).collect::<Vec<_>>(),
    ]?;
    if frame.height() == 0 {
        return Ok(());
    }
    let frame = frame.lazy();
    let sizes = frame.clone().group_by([col("group"), col("split")]).agg([polars::prelude::len().alias("n")]);
    let more = sizes.clone().filter(col("n").gt(lit(1)));
    out.within = totalled(more, ["split"], (col("n") - lit(1)).sum())?
        .into_iter()
        .map(|([split], count)| Within { split, count })
        .collect();
    out.within.sort_by(|a, b| a.split.cmp(&b.split));
    let both = sizes.clone().join(sizes, [col("group")], [col("group")], JoinArgs::new(JoinType::Inner));
    let both = both.filter(col("split").neq(col("split_right")));
    out.between = totalled(both, ["split", "split_right"], col("n").sum())?
        .into_iter()
        .map(|([split, other], count)| Between { split, other, count })
        .collect();
    out.between.sort_by(|a, b| (&a.split, &a.other).cmp(&(&b.split, &b.other)));
    if !out.level.is_of_stories() {
        let labels = frame.group_by([col("group")]).agg([col("label").n_unique().alias("labels")]);
        let several = labels.filter(col("labels").gt(lit(1)));
        out.labels_differ = several.collect()?.height();
    }
    Ok(())
}
