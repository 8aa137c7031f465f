//! Parts of a run: which records are in one, and how parts become the whole again.
//!
//! A shard takes the records whose story falls in it, whatever their place, so that records of one story are never torn
//! apart. Each shard looks at all records first, so that ids and findings across records are those of one run.

mod cursor;
mod error;
mod folder;
mod merge;
mod parts;
mod rows;

use std::fmt;
use std::str::FromStr;

pub use error::ShardError;
pub use folder::folder_name;
pub(crate) use folder::{Claim, Claimed};
pub use merge::merge;
pub use rows::{RowSet, ShardInfo, ShardRows};

/// One part of so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    index: u32,
    count: u32,
}

/// A text that is no shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no shard; expected I/N with I from 0 to N-1, such as 0/2")]
pub struct InvalidShard(pub String);

impl Shard {
    /// The `index`-th (from 0) of `count` parts, if there is such a part.
    #[must_use]
    pub const fn new(index: u32, count: u32) -> Option<Self> {
        if index < count { Some(Self { index, count }) } else { None }
    }

    /// Which it is, from 0.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How many there are.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.count
    }

    /// Whether a story with this hash belongs to it: each story does to exactly one of all.
    #[must_use]
    pub fn holds(self, story: [u8; 16]) -> bool {
        u128::from_be_bytes(story) % u128::from(self.count) == u128::from(self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = InvalidShard;

    fn from_str(text: &str) -> Result<Self, InvalidShard> {
        let parts = text.split_once('/').and_then(|(index, count)| Self::new(index.parse().ok()?, count.parse().ok()?));
        parts.ok_or_else(|| InvalidShard(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_counted_from_zero() {
        assert_eq!("1/3".parse::<Shard>().map(|s| (s.index(), s.count(), s.to_string())), Ok((1, 3, "1/3".to_owned())));
        for text in ["3/3", "0/0", "-1/2", "1", "a/b", "1/2/3", ""] {
            assert_eq!(text.parse::<Shard>(), Err(InvalidShard(text.to_owned())));
        }
    }

    #[test]
    fn every_story_is_in_one_shard() {
        for count in 1..6 {
            let shards: Vec<Shard> = (0..count).filter_map(|index| Shard::new(index, count)).collect();
            let mut sizes = vec![0; shards.len()];
            for i in 0_u32..600 {
                let record = crate::record::Record { premises: vec![i.to_string()], ..Default::default() };
                let holders: Vec<usize> = (0..shards.len()).filter(|s| shards[*s].holds(record.story_key())).collect();
                assert_eq!(holders.len(), 1);
                sizes[holders[0]] += 1;
            }
            assert!(sizes.iter().all(|size| *size * shards.len() > 400), "{sizes:?}");
        }
    }
}
