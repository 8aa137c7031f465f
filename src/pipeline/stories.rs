//! The records of a story: worked on together where they stand together, and found again where they do not.
//!
//! Rows are written in the order of the input and as soon as they are done, so a finding about a whole story comes too late
//! for the rows of one whose records are far apart. Which stories these are is known before the work begins ([`Runs`]);
//! what their verdicts need is gathered while their rows are written ([`Gathered`]), and the findings are added to the
//! finished file.

use std::collections::BTreeMap;
use std::iter::Peekable;

use super::RunError;
use crate::diagnostic::Diagnostic;
use crate::emit::Late;
use crate::ingest::{IngestError, Placed};
use crate::record::{Record, Row};
use crate::verify::{Needs, story_of};

/// How many consecutive records of one story are worked on by one thread. Changes no byte of the output.
const STORY: usize = 32;

/// Consecutive records with the same premises and id of the story, one after the other, so that what they share is worked
/// out once and by no two threads at the same time. Each comes with the bytes of its text.
pub(super) struct Stories<I: Iterator> {
    records: Peekable<I>,
}

impl<I: Iterator<Item = Result<Placed, IngestError>>> Stories<I> {
    pub(super) fn new(records: I) -> Self {
        Self { records: records.peekable() }
    }
}

impl<I: Iterator<Item = Result<Placed, IngestError>>> Iterator for Stories<I> {
    type Item = Result<(Vec<Placed>, usize), RunError>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = match self.records.next()? {
            Ok(first) => first,
            Err(error) => return Some(Err(error.into())),
        };
        let mut story = vec![first];
        while story.len() < STORY {
            let goes_on = |next: &Result<Placed, IngestError>| {
                let same = |a: &Record, b: &Record| a.story_id == b.story_id && a.same_story(b);
                matches!((next, story.first()), (Ok(next), Some(first)) if same(&first.record, &next.record))
            };
            match self.records.next_if(goes_on) {
                Some(Ok(next)) => story.push(next),
                _ => break,
            }
        }
        let weight = story.iter().map(|placed| placed.record.text_bytes()).sum();
        Some(Ok((story, weight)))
    }
}

/// Records of one story that follow each other.
#[derive(Debug, Clone, Copy)]
struct Run {
    story: [u8; 16],
    /// The first and the last of them, by their places among all records.
    first: usize,
    last: usize,
    records: usize,
}

/// Where the records of each story stand, gathered while they pass. Some 40 bytes for each story.
#[derive(Debug)]
pub(super) struct Runs {
    wanted: bool,
    runs: Vec<Run>,
    /// The story of the record before, if it is of one.
    before: Option<[u8; 16]>,
    next: usize,
}

impl Runs {
    /// Where findings about stories are not `wanted`, nothing is gathered.
    pub(super) fn new(wanted: bool) -> Self {
        Self { wanted, runs: Vec::new(), before: None, next: 0 }
    }

    /// Takes note of the next of all records. One that is not `mine` is as if it were not there, but for its place.
    pub(super) fn push(&mut self, record: &Record, mine: bool) {
        let index = self.next;
        self.next += 1;
        if !self.wanted || !mine {
            return;
        }
        let before = std::mem::replace(&mut self.before, story_of(record));
        match (self.before, self.runs.last_mut()) {
            (Some(story), Some(run)) if before == Some(story) => {
                run.last = index;
                run.records += 1;
            }
            (Some(story), _) => self.runs.push(Run { story, first: index, last: index, records: 1 }),
            (None, _) => {}
        }
    }

    /// The stories whose records are not all worked on together.
    pub(super) fn close(self) -> Scattered {
        let mut runs = self.runs;
        runs.sort_unstable_by_key(|run| (run.story, run.first));
        let mut scattered = Scattered { places: Vec::new(), stories: 0 };
        for story in runs.chunk_by(|a, b| a.story == b.story) {
            if story.len() > 1 || story.iter().any(|run| run.records > STORY) {
                let number = scattered.stories;
                scattered.places.extend(story.iter().map(|run| (run.first, run.last, number)));
                scattered.stories += 1;
            }
        }
        scattered.places.sort_unstable();
        scattered.places.shrink_to_fit();
        scattered
    }
}

/// Stories whose records are not all worked on together.
#[derive(Debug)]
pub(super) struct Scattered {
    /// First and last place of each run of records, and the number of its story; in order.
    places: Vec<(usize, usize, usize)>,
    stories: usize,
}

impl Scattered {
    /// The story of the record at this place among all, if it is such a one.
    pub(super) fn story(&self, index: usize) -> Option<usize> {
        let after = self.places.partition_point(|(first, ..)| *first <= index);
        let (_, last, story) = self.places.get(after.checked_sub(1)?)?;
        (index <= *last).then_some(*story)
    }
}

impl Scattered {
    /// The records of each of these stories, by its number: a story is mended as a whole, wherever its records stand.
    pub(super) fn hold(
        &self,
        records: impl Iterator<Item = Result<Placed, IngestError>>,
    ) -> Result<Vec<Vec<(usize, Record)>>, RunError> {
        let mut held = vec![Vec::new(); self.stories];
        if held.is_empty() {
            return Ok(held);
        }
        for placed in records {
            let placed = placed?;
            if let Some(story) = self.story(placed.index).and_then(|story| held.get_mut(story)) {
                story.push((placed.index, placed.record));
            }
        }
        Ok(held)
    }
}

/// What the verdicts on scattered stories need, and which rows are theirs. Some 16 bytes for each of these rows.
#[derive(Debug)]
pub(super) struct Gathered {
    needs: Vec<Needs>,
    /// For each split the rows so far, and those of scattered stories with the number of the story.
    splits: BTreeMap<String, (u64, Vec<(u64, usize)>)>,
}

impl Gathered {
    pub(super) fn new(scattered: &Scattered) -> Self {
        Self { needs: vec![Needs::default(); scattered.stories], splits: BTreeMap::new() }
    }

    /// Takes note of rows in the order in which they are written. They are of this scattered story, or of none.
    pub(super) fn add(&mut self, story: Option<usize>, rows: &[Row]) {
        if self.needs.is_empty() {
            return;
        }
        for row in rows {
            if !self.splits.contains_key(&row.record.split) {
                self.splits.insert(row.record.split.clone(), (0, Vec::new()));
            }
            let Some((count, of_stories)) = self.splits.get_mut(&row.record.split) else { continue };
            if let Some((story, needs)) = story.and_then(|story| Some((story, self.needs.get_mut(story)?))) {
                needs.add(row);
                of_stories.push((*count, story));
            }
            *count += 1;
        }
    }

    fn needs(&self, story: usize) -> Option<&Needs> {
        self.needs.get(story)
    }
}

impl Late for Gathered {
    fn concerns(&self, split: &str) -> bool {
        let of_stories = self.splits.get(split).map(|(_, rows)| rows.iter());
        of_stories.into_iter().flatten().any(|(_, story)| self.needs(*story).is_some_and(Needs::is_any_unused))
    }

    fn of(&self, split: &str, row: u64, length: &dyn Fn(usize) -> usize) -> Vec<Diagnostic> {
        let found = || {
            let (_, of_stories) = self.splits.get(split)?;
            let at = of_stories.binary_search_by_key(&row, |(row, _)| *row).ok()?;
            Some(self.needs(of_stories.get(at)?.1)?.unused_premises(length))
        };
        found().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: Option<&str>, premises: &[&str]) -> Record {
        Record {
            story_id: id.map(str::to_owned),
            premises_fol: premises.iter().map(|&p| p.to_owned()).collect(),
            ..Record::default()
        }
    }

    /// For each record the story that [`Scattered`] gives it, and the sizes of what is worked on together.
    fn told(records: &[(Record, bool)]) -> (Vec<Option<usize>>, Vec<usize>) {
        let mut runs = Runs::new(true);
        records.iter().for_each(|(record, mine)| runs.push(record, *mine));
        let scattered = runs.close();
        let mine = || records.iter().enumerate().filter(|(_, (_, mine))| *mine);
        let placed = mine().map(|(index, (record, _))| Ok(Placed { file: 0, index, record: record.clone() }));
        let together = Stories::new(placed).map(|story| story.unwrap().0.len()).collect();
        (mine().map(|(index, _)| scattered.story(index)).collect(), together)
    }

    fn mine(record: &Record) -> (Record, bool) {
        (record.clone(), true)
    }

    #[test]
    fn stories_that_stand_together_are_worked_on_together() {
        let (a, b, none) = (record(Some("1"), &["P(a)"]), record(Some("2"), &["P(a)"]), record(None, &[]));
        let (stories, together) = told(&[&a, &a, &b, &none, &none].map(mine));
        assert_eq!((stories, together), (vec![None; 5], vec![2, 1, 2]));
    }

    #[test]
    fn stories_that_are_torn_are_known() {
        let (a, b, c) = (record(Some("1"), &["P(a)"]), record(Some("2"), &["P(a)"]), record(None, &["P(a)"]));
        let none = record(None, &[]);
        let (stories, _) = told(&[&a, &b, &c, &a, &none, &none, &b, &none].map(mine));
        let number = stories[0].unwrap();
        let other = stories[1].unwrap();
        assert_ne!(number, other);
        let expected = [Some(number), Some(other), None, Some(number), None, None, Some(other), None];
        assert_eq!(stories, expected);
        // One record more than are worked on together.
        let long = |n| told(&vec![mine(&a); n]);
        assert_eq!(long(STORY), (vec![None; STORY], vec![STORY]));
        assert_eq!(long(STORY + 1), (vec![Some(0); STORY + 1], vec![STORY, 1]));
    }

    #[test]
    fn what_is_not_mine_tears_no_story() {
        let (a, b) = (record(Some("1"), &["P(a)"]), record(None, &["P(b)"]));
        let (stories, together) = told(&[mine(&a), (b.clone(), false), mine(&a), mine(&b)]);
        assert_eq!((stories, together), (vec![None; 3], vec![2, 1]));
    }
}
