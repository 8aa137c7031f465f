//! Stories whose records do not stand together.
//!
//! A story is mended as a whole, so that the order of the input changes nothing but the order of the output. Where its
//! records lie apart, all of them are held in memory; where they stand together, as in published data, nothing is.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::{RunError, WHOLE_STORY};
use crate::ingest::Survey;
use crate::record::{Record, sha256_hex};
use crate::verify::same_story;

type Key = [u8; 16];

/// Which stories stand together, learnt while the records pass by for the first time. Some 40 bytes a story.
#[derive(Debug, Default)]
pub(super) struct Runs {
    seen: HashMap<Key, bool, RandomState>,
    /// The story of the last record, and how many of its records stood there.
    last: Option<(Key, usize)>,
}

impl Runs {
    pub(super) fn see(&mut self, record: &Record) {
        if !record.is_readable() || record.premises_fol.is_empty() {
            self.last = None;
            return;
        }
        let key = key(record);
        if let Some((last, count)) = &mut self.last
            && *last == key
        {
            *count += 1;
            if *count > WHOLE_STORY {
                self.seen.insert(key, true);
            }
            return;
        }
        self.last = Some((key, 1));
        self.seen.entry(key).and_modify(|apart| *apart = true).or_insert(false);
    }

    fn lie_apart(&self) -> bool {
        self.seen.values().any(|apart| *apart)
    }
}

/// The story of a record within its split.
fn key(record: &Record) -> Key {
    let story = record.story_key();
    let id = record.story_id.as_deref().unwrap_or_default();
    if id.is_empty() && record.split.is_empty() {
        return story;
    }
    let whole = sha256_hex(&[&story[..], record.split.as_bytes(), &[0], id.as_bytes()].concat());
    let mut out = [0; 16];
    out.iter_mut().zip(whole.bytes()).for_each(|(to, from)| *to = from);
    out
}

/// All records of the stories that lie apart.
#[derive(Debug, Default)]
pub(super) struct Scattered {
    stories: HashMap<Key, Vec<(usize, Record)>, RandomState>,
}

impl Scattered {
    /// Reads the files once more, if any story lies apart.
    pub(super) fn gather(survey: &Survey, runs: &Runs) -> Result<Self, RunError> {
        let mut out = Self::default();
        if !runs.lie_apart() {
            return Ok(out);
        }
        for placed in survey.records() {
            let placed = placed?;
            if !placed.record.is_readable() || placed.record.premises_fol.is_empty() {
                continue;
            }
            let key = key(&placed.record);
            if runs.seen.get(&key) == Some(&true) {
                out.stories.entry(key).or_default().push((placed.index, placed.record));
            }
        }
        Ok(out)
    }

    /// All records of a record's story, with their indices; empty where they stand together.
    pub(super) fn story_of(&self, record: &Record) -> Vec<(usize, &Record)> {
        if self.stories.is_empty() {
            return Vec::new();
        }
        let story = self.stories.get(&key(record)).map(Vec::as_slice).unwrap_or_default();
        story.iter().filter(|(_, other)| same_story(record, other)).map(|(index, other)| (*index, other)).collect()
    }
}
