//! Which source rows a shard holds, as its manifest tells.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The part that a folder holds, as it stands in its manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardInfo {
    /// Which part, from 0.
    pub index: u32,
    /// Of how many.
    pub count: u32,
    /// The rows it holds, for each input in their order.
    pub rows: Vec<ShardRows>,
}

/// The rows of one input that a shard holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardRows {
    /// 0-based position of the file among the inputs.
    pub input: usize,
    /// The split of its rows.
    pub split: String,
    /// 0-based positions in the file: `0-3,8,12-14`.
    pub rows: RowSet,
}

/// Numbers of rows, rising, as ranges.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct RowSet {
    /// First and last of each range.
    ranges: Vec<(u64, u64)>,
}

/// A text that is no set of rows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no rising list of rows and ranges: {0:?}")]
pub struct InvalidRows(String);

impl RowSet {
    /// Adds a row behind all others; whether it was.
    pub fn push(&mut self, row: u64) -> bool {
        match self.ranges.last_mut() {
            Some((_, last)) if *last >= row => return false,
            Some((_, last)) if *last + 1 == row => *last = row,
            _ => self.ranges.push((row, row)),
        }
        true
    }

    /// First and last row of each range.
    pub fn ranges(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.ranges.iter().copied()
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.ranges.iter().map(|(first, last)| last - first + 1).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

impl fmt::Display for RowSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (first, last)) in self.ranges.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            if first == last { write!(f, "{comma}{first}")? } else { write!(f, "{comma}{first}-{last}")? }
        }
        Ok(())
    }
}

impl FromStr for RowSet {
    type Err = InvalidRows;

    fn from_str(text: &str) -> Result<Self, InvalidRows> {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            Some((first.parse().ok()?, last.parse().ok()?))
        };
        for part in text.split(',').filter(|_| !text.is_empty()) {
            match (range(part), ranges.last()) {
                (Some((first, last)), before) if first <= last && before.is_none_or(|(_, end)| *end < first) => {
                    ranges.push((first, last));
                }
                _ => return Err(InvalidRows(part.chars().take(40).collect())),
            }
        }
        Ok(Self { ranges })
    }
}

impl From<RowSet> for String {
    fn from(rows: RowSet) -> Self {
        rows.to_string()
    }
}

impl TryFrom<String> for RowSet {
    type Error = InvalidRows;

    fn try_from(text: String) -> Result<Self, InvalidRows> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_written_as_ranges_and_read_back() {
        let mut rows = RowSet::default();
        assert_eq!(rows.to_string(), "");
        for row in [0, 1, 2, 5, 7, 8] {
            assert!(rows.push(row));
        }
        assert!(!rows.push(8) && !rows.push(3), "only upwards");
        assert_eq!(rows.to_string(), "0-2,5,7-8");
        assert_eq!(rows.len(), 6);
        assert_eq!(rows.to_string().parse(), Ok(rows));
        assert_eq!("".parse::<RowSet>().map(|r| r.is_empty()), Ok(true));
        for text in ["2-1", "1,1", "1-3,3", "a", "1,,2", "-", "5,1"] {
            assert!(text.parse::<RowSet>().is_err(), "{text}");
        }
    }
}
