//! Ids of records: unique, made of what the dataset gives, and the same in whatever order its rows come.

use std::collections::{BTreeMap, BTreeSet};

use crate::lint::rows::origin;
use crate::record::Record;

use super::finding::Finding;
use super::rules;

/// How many other rows with the same id a message names.
const NAMED: usize = 3;

/// Gives every record its `record_id`, and a diagnostic to those whose own id is not theirs alone.
///
/// The id is the dataset's own; where it has none, `r` and 12 hexadecimal digits of the content's hash; where that
/// is not unique, followed by `~` and 8 digits of the hash; and rows alike in every word by `~2`, `~3`, … as well.
pub(super) fn assign(records: &mut [Record]) {
    let keys: Vec<String> = records.iter().map(Record::content_key).collect();
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (i, (record, key)) in records.iter().zip(&keys).enumerate() {
        let base = record.example_id.clone().unwrap_or_else(|| format!("r{}", prefix(key, 12)));
        groups.entry(base).or_default().push(i);
    }
    let mut taken: BTreeSet<String> = groups.keys().cloned().collect();
    for (base, members) in groups {
        if let [only] = members.as_slice() {
            set_id(records, *only, base);
            continue;
        }
        let mut alike: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for i in members {
            alike.entry(keys.get(i).map_or("", String::as_str)).or_default().push(i);
        }
        for (key, mut members) in alike {
            // Which of them comes first must not depend on the order of the files.
            members.sort_by(|a, b| standing(records, *a).cmp(&standing(records, *b)));
            let ids = free_ids(&base, key, members.len(), &taken);
            for (i, id) in members.into_iter().zip(ids) {
                taken.insert(id.clone());
                set_id(records, i, id);
            }
        }
    }
    report_duplicates(records);
}

fn set_id(records: &mut [Record], i: usize, id: String) {
    if let Some(record) = records.get_mut(i) {
        record.record_id = id;
    }
}

fn standing(records: &[Record], i: usize) -> Option<(&str, Option<&str>, &str, u64)> {
    let record = records.get(i)?;
    Some((&record.split, record.story_id.as_deref(), &record.source.file, record.source.row))
}

fn prefix(key: &str, digits: usize) -> &str {
    key.get(..digits).unwrap_or(key)
}

/// `count` ids for rows with this base and content that no other row has: with a longer part of the hash, and then with
/// a longer mark, where a dataset's own ids happen to look like them.
fn free_ids(base: &str, key: &str, count: usize, taken: &BTreeSet<String>) -> Vec<String> {
    let ids = |stem: String| -> Vec<String> {
        (1..=count).map(|n| if n == 1 { stem.clone() } else { format!("{stem}~{n}") }).collect()
    };
    let is_free = |ids: &Vec<String>| ids.iter().all(|id| !taken.contains(id));
    let short = ids(format!("{base}~{}", prefix(key, 8)));
    if is_free(&short) {
        return short;
    }
    let mut mark = "~".to_owned();
    loop {
        let long = ids(format!("{base}{mark}{key}"));
        if is_free(&long) {
            return long;
        }
        mark.push('~');
    }
}

/// R103 for each row whose example id stands in other rows too, which it names by the ids they have now.
fn report_duplicates(records: &mut [Record]) {
    let mut rows: BTreeMap<&str, Vec<(usize, &Record)>> = BTreeMap::new();
    for (i, record) in records.iter().enumerate() {
        if let Some(id) = &record.example_id {
            rows.entry(id).or_default().push((i, record));
        }
    }
    let mut found = Vec::new();
    for (id, mut members) in rows.into_iter().filter(|(_, members)| members.len() > 1) {
        members.sort_by(|(_, a), (_, b)| a.record_id.cmp(&b.record_id));
        for (i, _) in &members {
            let others = members.iter().filter(|(other, _)| other != i).take(NAMED);
            let others: Vec<_> = others.map(|(_, record)| origin(record)).collect();
            let more = (members.len() - 1).saturating_sub(others.len());
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            found.push((*i, format!("the id {id:?} is also that of {}{more}", others.join(", "))));
        }
    }
    for (i, message) in found {
        if let Some(record) = records.get_mut(i) {
            record.diagnostics.push(Finding::new(&rules::DUPLICATE_ID, message).diagnostic());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Source;

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
        let rows = vec![
            row(Some("7"), "a", "train", 0),
            row(Some("7"), "b", "train", 1),
            row(Some("7"), "a", "validation", 2),
            row(None, "a", "train", 3),
            row(None, "a", "train", 4),
        ];
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
