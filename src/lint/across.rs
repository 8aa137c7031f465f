//! Findings across records: duplicates and conflicting labels.
//!
//! They need all records, but of each only a few bytes: [`Facts`] are gathered while the records pass, [`Across`] keeps of
//! them what concerns more than one record, and tells the findings of each record when it comes by again.

use std::collections::BTreeMap;

use super::rows::{DUPLICATE, TWO_LABELS, origin_of};
use crate::diagnostic::{Diagnostic, Span, Target};
use crate::record::{Label, Record};

type Key = [u8; 16];

/// What is kept of each record until all have been seen: some 40 bytes.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    content: Vec<Key>,
    question: Vec<Key>,
    /// `None` for a record that cannot be read, which is compared with no other.
    labels: Vec<Option<Option<Label>>>,
    /// Texts of labels that cannot be read, by the record's index.
    unknown: BTreeMap<usize, String>,
}

/// Who a record is, in findings about others.
pub(crate) trait Names {
    /// Its id.
    fn id(&self, index: usize) -> String;
    /// The name of its file, without the folder.
    fn file(&self, index: usize) -> &str;
}

/// Groups of records, and the group of each record that is in one.
#[derive(Debug)]
pub(crate) struct Groups<T> {
    groups: Vec<T>,
    /// Index of a record, and that of its group; sorted once all are there.
    members: Vec<(usize, usize)>,
}

impl<T> Default for Groups<T> {
    fn default() -> Self {
        Self { groups: Vec::new(), members: Vec::new() }
    }
}

impl<T> Groups<T> {
    pub(crate) fn add(&mut self, members: impl IntoIterator<Item = usize>, group: T) {
        let number = self.groups.len();
        self.members.extend(members.into_iter().map(|index| (index, number)));
        self.groups.push(group);
    }

    /// To be called when all groups are there.
    pub(crate) fn sort(&mut self) {
        self.members.sort_unstable();
    }

    /// The group of a record.
    pub(crate) fn of(&self, index: usize) -> Option<&T> {
        let at = self.members.binary_search_by_key(&index, |(member, _)| *member).ok()?;
        self.groups.get(self.members.get(at)?.1)
    }
}

/// Records that are the same: the two of the least ids, with their origins, and how many there are.
#[derive(Debug)]
struct Same {
    first: usize,
    names: [String; 2],
    count: usize,
}

/// What is known across the records of a run.
#[derive(Debug, Default)]
pub(crate) struct Across {
    same: Groups<Same>,
    /// Records that ask the same under several labels: for each label that of the least id, in words.
    labels: Groups<BTreeMap<Option<Label>, (String, String)>>,
}

impl Facts {
    /// Takes note of the next record.
    pub(crate) fn push(&mut self, record: &Record) {
        let (content, question) = record.content_keys();
        if let (None, Some(text)) = (record.label, &record.label_text) {
            self.unknown.insert(self.labels.len(), text.clone());
        }
        self.content.push(content);
        self.question.push(question);
        self.labels.push(record.is_readable().then_some(record.label));
    }

    /// How many records there are.
    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// The hash of a record's content.
    pub(crate) fn content(&self, index: usize) -> Key {
        self.content.get(index).copied().unwrap_or_default()
    }

    fn label(&self, index: usize) -> String {
        let label = self.labels.get(index).copied().flatten().flatten();
        label_words(label, self.unknown.get(&index).map(String::as_str))
    }

    /// Compares all records.
    pub(crate) fn compare(&self, names: &impl Names) -> Across {
        let mut across = Across::default();
        self.each_group(&self.content, |members| {
            let mut least: Vec<(String, usize)> = members.iter().map(|i| (names.id(*i), *i)).collect();
            least.sort_unstable();
            if let [(a, first), (b, second), ..] = least.as_slice() {
                let names = [origin_of(a, names.file(*first)), origin_of(b, names.file(*second))];
                across.same.add(members.iter().copied(), Same { first: *first, names, count: members.len() });
            }
        });
        self.each_group(&self.question, |members| {
            let mut least: BTreeMap<Option<Label>, (String, usize)> = BTreeMap::new();
            for index in members {
                let label = self.labels.get(*index).copied().flatten().flatten();
                let id = names.id(*index);
                if least.get(&label).is_none_or(|(other, _)| id < *other) {
                    least.insert(label, (id, *index));
                }
            }
            if least.len() > 1 {
                let words = |(id, index): (String, usize)| (self.label(index), origin_of(&id, names.file(index)));
                let group = least.into_iter().map(|(label, one)| (label, words(one))).collect();
                across.labels.add(members.iter().copied(), group);
            }
        });
        across.same.sort();
        across.labels.sort();
        across
    }

    /// Groups of two and more readable records with the same key, each in the order of the records.
    fn each_group(&self, keys: &[Key], mut found: impl FnMut(&[usize])) {
        let key = |index: &usize| keys.get(*index);
        let readable = self.labels.iter().enumerate().filter(|(_, label)| label.is_some());
        let mut order: Vec<usize> = readable.map(|(index, _)| index).collect();
        order.sort_unstable_by_key(|index| (key(index), *index));
        order.chunk_by(|a, b| key(a) == key(b)).filter(|group| group.len() > 1).for_each(&mut found);
    }
}

impl Across {
    /// The findings of one record: the `index`-th of those whose facts were compared.
    pub(crate) fn of(&self, index: usize, record: &Record) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        if let Some(Same { first, names: [one, other], count }) = self.same.of(index) {
            let named = if *first == index { other } else { one };
            let message = match count - 2 {
                0 => format!("{named} is the same"),
                more => format!("{named} and {more} more are the same"),
            };
            out.push(DUPLICATE.diagnostic(Target::Row, Span::default(), message));
        }
        let mut labels = self.labels.of(index).into_iter().flatten();
        if let Some((_, (label, origin))) = labels.find(|(label, _)| **label != record.label) {
            let here = label_words(record.label, record.label_text.as_deref());
            let message = format!("{here} here and {label} in {origin}");
            out.push(TWO_LABELS.diagnostic(Target::Row, Span::default(), message));
        }
        out
    }
}

fn label_words(label: Option<Label>, text: Option<&str>) -> String {
    match (label, text) {
        (Some(label), _) => format!("labelled {label}"),
        (None, Some(text)) => format!("labelled `{text}`"),
        (None, None) => "without a label".to_owned(),
    }
}

/// Looks over all records of a run: duplicates and conflicting labels. Each finding comes with the 0-based index of its
/// record, in the order of the records.
///
/// Each of the records concerned has its finding, and which of the others it names does not depend on their order.
pub(super) fn check_all(records: &[Record]) -> Vec<(usize, Diagnostic)> {
    let mut facts = Facts::default();
    records.iter().for_each(|record| facts.push(record));
    let across = facts.compare(&Borrowed(records));
    let found = records.iter().enumerate().map(|(index, record)| (index, across.of(index, record)));
    found.flat_map(|(index, found)| found.into_iter().map(move |diagnostic| (index, diagnostic))).collect()
}

/// Records in memory tell their names themselves.
struct Borrowed<'a>(&'a [Record]);

impl Names for Borrowed<'_> {
    fn id(&self, index: usize) -> String {
        self.0.get(index).map(|record| record.record_id.clone()).unwrap_or_default()
    }

    fn file(&self, index: usize) -> &str {
        self.0.get(index).map_or("", |record| record.source.file.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str, conclusion: &str, label: Label) -> Record {
        let mut record = Record { record_id: id.to_owned(), conclusion: conclusion.to_owned(), ..Record::default() };
        record.label = Some(label);
        record.label_text = Some(label.to_string());
        record
    }

    fn told(records: &[Record]) -> Vec<String> {
        let mut lines: Vec<String> = check_all(records)
            .into_iter()
            .map(|(i, d)| format!("{}: {} {}", records[i].record_id, d.code, d.message))
            .collect();
        lines.sort();
        lines
    }

    #[test]
    fn every_record_of_a_group_is_told_whatever_the_order() {
        let mut records = vec![
            record("b", "Ida bakes.", Label::True),
            record("a", "Ida bakes.", Label::True),
            record("d", "Ida bakes.", Label::False),
            record("c", "Ida bakes.", Label::True),
            record("e", "Ida is tall.", Label::True),
        ];
        let lines = told(&records);
        insta::assert_snapshot!(lines.join("\n"), @r"
        a: R201 record b and 1 more are the same
        a: R202 labelled True here and labelled False in record d
        b: R201 record a and 1 more are the same
        b: R202 labelled True here and labelled False in record d
        c: R201 record a and 1 more are the same
        c: R202 labelled True here and labelled False in record d
        d: R202 labelled False here and labelled True in record a
        ");
        records.reverse();
        assert_eq!(told(&records), lines);
        records.swap(0, 3);
        assert_eq!(told(&records), lines);
    }

    #[test]
    fn rows_that_cannot_be_read_are_compared_with_none() {
        let bad = Record { raw: Some(b"{".to_vec()), ..record("a", "", Label::True) };
        let unknown = |id: &str, text: &str| Record {
            label: None,
            label_text: Some(text.to_owned()),
            ..record(id, "Ida bakes.", Label::True)
        };
        assert!(told(&[bad.clone(), bad]).is_empty());
        let lines = told(&[unknown("a", "Yes"), record("b", "Ida bakes.", Label::True), unknown("c", "No")]);
        insta::assert_snapshot!(lines.join("\n"), @r"
        a: R202 labelled `Yes` here and labelled True in record b
        b: R202 labelled True here and labelled `Yes` in record a
        c: R202 labelled `No` here and labelled True in record b
        ");
    }
}
