//! Ids of records: unique, made of what the dataset gives, and the same in whatever order its rows come.
//!
//! An id depends on all records, so a [`Ledger`] takes note of each while they pass for the first time. Of what it says,
//! [`Ids`] keeps only what is not plain from the record itself.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::lint::across::{Across, Facts, Groups, Names};
use crate::lint::rows::origin_of;
use crate::record::{Record, hex};

use super::finding::Finding;
use super::rules;

/// How many other rows with the same id a message names.
const NAMED: usize = 3;

/// What is kept of each record until all have been seen: some 70 bytes and its own ids.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    facts: Facts,
    /// The example ids and story ids of all records, one after the other, …
    text: Vec<u8>,
    /// … and where those of each record end.
    ends: Vec<(usize, usize)>,
    /// Whether the record has an example id, and a story id.
    has: Vec<(bool, bool)>,
    files: Vec<FileOf>,
}

/// The file and split of the records from one on.
#[derive(Debug)]
struct FileOf {
    first: usize,
    name: Arc<str>,
    split: Arc<str>,
}

/// What is known of all records together, once all have been seen.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// The ids that are not the dataset's own and not made of the content's hash alone.
    made: BTreeMap<usize, String>,
    /// Records that share an example id.
    duplicates: Groups<Duplicates>,
    /// Findings across records.
    pub(super) across: Across,
}

/// Rows with one example id: the first by their ids, with their origins, and how many there are.
#[derive(Debug)]
struct Duplicates {
    id: String,
    first: Vec<(usize, String)>,
    count: usize,
}

/// The id that a record has if no other has it.
enum Base<'a> {
    Own(&'a [u8]),
    Made([u8; 13]),
}

impl Base<'_> {
    fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Own(id) => id,
            Self::Made(id) => id,
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(self.as_bytes()).into_owned()
    }
}

/// `r` and 12 hexadecimal digits.
fn made(key: [u8; 16]) -> [u8; 13] {
    let mut id = [b'r'; 13];
    let digits = hex(&key);
    id.iter_mut().skip(1).zip(digits.bytes()).for_each(|(to, digit)| *to = digit);
    id
}

impl Ledger {
    /// What follows belongs to this file.
    pub(super) fn file(&mut self, name: &str, split: &str) {
        self.files.push(FileOf { first: self.ends.len(), name: name.into(), split: split.into() });
    }

    /// Takes note of the next record.
    pub(super) fn push(&mut self, record: &Record) {
        self.facts.push(record);
        self.has.push((record.example_id.is_some(), record.story_id.is_some()));
        self.text.extend(record.example_id.iter().flat_map(|id| id.bytes()));
        let middle = self.text.len();
        self.text.extend(record.story_id.iter().flat_map(|id| id.bytes()));
        self.ends.push((middle, self.text.len()));
    }

    fn texts(&self, index: usize) -> (Option<&[u8]>, Option<&[u8]>) {
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |(_, end)| *end);
        let (middle, end) = self.ends.get(index).copied().unwrap_or((start, start));
        let (example, story) = self.has.get(index).copied().unwrap_or_default();
        (self.text.get(start..middle).filter(|_| example), self.text.get(middle..end).filter(|_| story))
    }

    fn base(&self, index: usize) -> Base<'_> {
        match self.texts(index).0 {
            Some(id) => Base::Own(id),
            None => Base::Made(made(self.facts.content(index))),
        }
    }

    /// The file and split of a record, and its position in the file.
    fn place(&self, index: usize) -> (&str, &str, usize) {
        let number = self.files.partition_point(|file| file.first <= index);
        let file = number.checked_sub(1).and_then(|number| self.files.get(number));
        file.map_or(("", "", index), |file| (&file.name, &file.split, index - file.first))
    }

    /// By what rows alike in every word are put in order. Which comes first must not depend on the order of the files.
    fn standing(&self, index: usize) -> (&str, Option<&[u8]>, &str, usize) {
        let (name, split, row) = self.place(index);
        (split, self.texts(index).1, name, row)
    }

    /// Gives every record its id.
    ///
    /// The id is the dataset's own; where it has none, `r` and 12 hexadecimal digits of the content's hash; where that
    /// is not unique, followed by `~` and 8 digits of the hash; and rows alike in every word by `~2`, `~3`, … as well.
    pub(super) fn close(self) -> Ids {
        let mut order: Vec<usize> = (0..self.facts.len()).collect();
        order.sort_by(|a, b| self.base(*a).as_bytes().cmp(self.base(*b).as_bytes()));
        let mut maker = Maker { ledger: &self, order: &order, ids: BTreeMap::new(), taken: BTreeSet::new() };
        let same = |a: &usize, b: &usize| self.base(*a).as_bytes() == self.base(*b).as_bytes();
        let groups = || order.chunk_by(same).filter(|group| group.len() > 1);
        for members in groups() {
            maker.tell_apart(members);
        }
        let made = maker.ids;
        let mut duplicates = Groups::default();
        for members in groups() {
            self.report(members, &made, &mut duplicates);
        }
        duplicates.sort();
        drop(order);
        let across = self.facts.compare(&Known { ledger: &self, made: &made });
        Ids { made, duplicates, across }
    }

    fn id(&self, index: usize, made: &BTreeMap<usize, String>) -> String {
        made.get(&index).cloned().unwrap_or_else(|| self.base(index).text())
    }

    /// R103 for each row whose example id stands in other rows too, which it names by the ids they have now.
    fn report(&self, members: &[usize], made: &BTreeMap<usize, String>, out: &mut Groups<Duplicates>) {
        let own = members.iter().copied().filter(|index| self.texts(*index).0.is_some());
        let mut by_id: Vec<(String, usize)> = own.map(|index| (self.id(index, made), index)).collect();
        if by_id.len() < 2 {
            return;
        }
        by_id.sort_unstable();
        let first = by_id.iter().take(NAMED + 1);
        let first = first.map(|(id, index)| (*index, origin_of(id, self.place(*index).0))).collect();
        let id = by_id.first().map(|(_, index)| self.base(*index).text()).unwrap_or_default();
        let count = by_id.len();
        out.add(by_id.into_iter().map(|(_, index)| index), Duplicates { id, first, count });
    }
}

/// Makes ids for records that cannot have the one they would have alone.
struct Maker<'a> {
    ledger: &'a Ledger,
    /// All records, by that one.
    order: &'a [usize],
    ids: BTreeMap<usize, String>,
    taken: BTreeSet<String>,
}

impl Maker<'_> {
    fn tell_apart(&mut self, members: &[usize]) {
        let ledger = self.ledger;
        let Some(base) = members.first().map(|first| ledger.base(*first).text()) else { return };
        let mut members = members.to_vec();
        members.sort_by(|a, b| {
            let (x, y) = (ledger.facts.content(*a), ledger.facts.content(*b));
            x.cmp(&y).then_with(|| ledger.standing(*a).cmp(&ledger.standing(*b)))
        });
        for alike in members.chunk_by(|a, b| ledger.facts.content(*a) == ledger.facts.content(*b)) {
            let Some(key) = alike.first().map(|first| hex(&ledger.facts.content(*first))) else { continue };
            for (index, id) in alike.iter().zip(self.free_ids(&base, &key, alike.len())) {
                self.taken.insert(id.clone());
                self.ids.insert(*index, id);
            }
        }
    }

    fn is_free(&self, id: &str) -> bool {
        let base = |index: &usize| self.ledger.base(*index).as_bytes().cmp(id.as_bytes());
        !self.taken.contains(id) && self.order.binary_search_by(base).is_err()
    }

    /// `count` ids for rows with this base and content that no other row has: with a longer part of the hash, and then
    /// with a longer mark, where a dataset's own ids happen to look like them.
    fn free_ids(&self, base: &str, key: &str, count: usize) -> Vec<String> {
        let ids = |stem: String| -> Vec<String> {
            (1..=count).map(|n| if n == 1 { stem.clone() } else { format!("{stem}~{n}") }).collect()
        };
        let short = ids(format!("{base}~{}", key.get(..8).unwrap_or(key)));
        if short.iter().all(|id| self.is_free(id)) {
            return short;
        }
        let mut mark = "~".to_owned();
        loop {
            let long = ids(format!("{base}{mark}{key}"));
            if long.iter().all(|id| self.is_free(id)) {
                return long;
            }
            mark.push('~');
        }
    }
}

/// The ids of records, for findings about others.
struct Known<'a> {
    ledger: &'a Ledger,
    made: &'a BTreeMap<usize, String>,
}

impl Names for Known<'_> {
    fn id(&self, index: usize) -> String {
        self.ledger.id(index, self.made)
    }

    fn file(&self, index: usize) -> &str {
        self.ledger.place(index).0
    }
}

impl Ids {
    /// Gives the record with this index its id, and a diagnostic if its own is not its alone.
    pub(super) fn complete(&self, index: usize, record: &mut Record) {
        record.record_id = match (self.made.get(&index), &record.example_id) {
            (Some(id), _) | (None, Some(id)) => id.clone(),
            (None, None) => Base::Made(made(record.content_keys().0)).text(),
        };
        if let Some(Duplicates { id, first, count }) = self.duplicates.of(index) {
            let others = first.iter().filter(|(other, _)| *other != index).take(NAMED);
            let others: Vec<&str> = others.map(|(_, origin)| origin.as_str()).collect();
            let more = (count - 1).saturating_sub(others.len());
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            let message = format!("the id {id:?} is also that of {}{more}", others.join(", "));
            record.diagnostics.push(Finding::new(&rules::DUPLICATE_ID, message).diagnostic());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Source;

    /// As if each record were all of its file.
    fn assign(records: &mut [Record]) {
        let mut ledger = Ledger::default();
        for record in &*records {
            ledger.file(&record.source.file, &record.split);
            ledger.push(record);
        }
        let ids = ledger.close();
        records.iter_mut().enumerate().for_each(|(index, record)| ids.complete(index, record));
    }

    fn row(id: Option<&str>, conclusion: &str, split: &str, at: u64) -> Record {
        Record {
            split: split.to_owned(),
            example_id: id.map(str::to_owned),
            conclusion: conclusion.to_owned(),
            source: Source { file: "f.jsonl".to_owned(), row: at, line: Some(at + 1), ..Source::default() },
            ..Record::default()
        }
    }

    fn ids(mut records: Vec<Record>) -> Vec<String> {
        assign(&mut records);
        records.into_iter().map(|r| r.record_id).collect()
    }

    #[test]
    fn ids_come_from_the_dataset_or_from_the_content() {
        let (a, b) = (row(None, "a", "x", 1), row(None, "b", "x", 2));
        let (key_a, key_b) = (a.content_key(), b.content_key());
        assert_eq!(
            ids(vec![row(Some("7"), "z", "x", 0), a, b]),
            ["7", &format!("r{}", &key_a[..12]), &format!("r{}", &key_b[..12])]
        );
    }

    #[test]
    fn repeated_ids_are_told_apart_by_content_and_then_by_number() {
        let mut rows = vec![
            row(Some("7"), "a", "train", 0),
            row(Some("7"), "b", "train", 1),
            row(Some("7"), "a", "validation", 2),
            row(None, "a", "train", 3),
            row(None, "a", "train", 4),
        ];
        rows[4].source.file = "g.jsonl".to_owned();
        let (a, b) = (rows[0].content_key(), rows[1].content_key());
        let expected = [
            format!("7~{}", &a[..8]),
            format!("7~{}", &b[..8]),
            format!("7~{}~2", &a[..8]),
            format!("r{}~{}", &a[..12], &a[..8]),
            format!("r{}~{}~2", &a[..12], &a[..8]),
        ];
        assert_eq!(ids(rows.clone()), expected);
        let mut reversed = ids(rows.into_iter().rev().collect());
        reversed.reverse();
        assert_eq!(reversed, expected, "whatever the order");
    }

    #[test]
    fn ids_that_look_like_ours_do_not_collide() {
        let key = row(None, "a", "t", 0).content_key();
        let forged = format!("7~{}", &key[..8]);
        let rows = vec![row(Some("7"), "a", "t", 0), row(Some("7"), "b", "t", 1), row(Some(&forged), "c", "t", 2)];
        let ids = ids(rows);
        assert_eq!(ids[2], forged);
        assert_eq!(ids[0], format!("7~{key}"));
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 3);
    }

    #[test]
    fn duplicates_name_the_other_rows() {
        let mut rows: Vec<_> = (0..6).map(|i| row(Some("7"), &i.to_string(), "t", i)).collect();
        rows.push(row(Some("8"), "x", "t", 6));
        let told = |mut rows: Vec<Record>| -> BTreeMap<String, Vec<String>> {
            assign(&mut rows);
            let told = |r: Record| {
                let found = r.diagnostics.into_iter().map(|d| format!("{} {}", d.code, d.message));
                (r.record_id, found.collect())
            };
            rows.into_iter().map(told).collect()
        };
        let forth = told(rows.clone());
        insta::assert_snapshot!(forth.values().flatten().cloned().collect::<Vec<_>>().join("\n"), @r#"
        R103 the id "7" is also that of record 7~77361c95 (f.jsonl), record 7~9c31db09 (f.jsonl), record 7~c6d66745 (f.jsonl) and 2 more
        R103 the id "7" is also that of record 7~6fb8968f (f.jsonl), record 7~9c31db09 (f.jsonl), record 7~c6d66745 (f.jsonl) and 2 more
        R103 the id "7" is also that of record 7~6fb8968f (f.jsonl), record 7~77361c95 (f.jsonl), record 7~c6d66745 (f.jsonl) and 2 more
        R103 the id "7" is also that of record 7~6fb8968f (f.jsonl), record 7~77361c95 (f.jsonl), record 7~9c31db09 (f.jsonl) and 2 more
        R103 the id "7" is also that of record 7~6fb8968f (f.jsonl), record 7~77361c95 (f.jsonl), record 7~9c31db09 (f.jsonl) and 2 more
        R103 the id "7" is also that of record 7~6fb8968f (f.jsonl), record 7~77361c95 (f.jsonl), record 7~9c31db09 (f.jsonl) and 2 more
        "#);
        assert!(forth["8"].is_empty());
        // The same rows, each in another place of the file.
        rows.reverse();
        for (at, row) in (0..).zip(&mut rows) {
            (row.source.row, row.source.line) = (at, Some(at + 1));
        }
        assert_eq!(told(rows), forth);
    }
}
