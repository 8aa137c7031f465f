//! Counting rows as they leave.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::diagnostic::{Diagnostic, Severity};
use crate::record::{Agreement, Decided, Grade, Label, Row, Status, Verdict};

/// How often each of a few things occurred.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally<K: Ord>(BTreeMap<K, u64>);

impl<K: Ord> Default for Tally<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord + Copy> Tally<K> {
    fn add(&mut self, key: K) {
        *self.0.entry(key).or_default() += 1;
    }

    fn merge(&mut self, other: &Self) {
        for (key, n) in &other.0 {
            *self.0.entry(*key).or_default() += n;
        }
    }

    /// How often `key` occurred.
    #[must_use]
    pub fn get(&self, key: K) -> u64 {
        self.0.get(&key).copied().unwrap_or(0)
    }

    fn from_json<'a>(value: &Value, keys: &[K], name: impl Fn(K) -> &'a str) -> Option<Self> {
        let mut tally = Self::default();
        for key in keys {
            let n = value.get(name(*key))?.as_u64()?;
            if n > 0 {
                tally.0.insert(*key, n);
            }
        }
        Some(tally)
    }

    fn json<'a>(&self, keys: &[K], name: impl Fn(K) -> &'a str) -> Value {
        Value::Object(keys.iter().map(|key| (name(*key).to_owned(), json!(self.get(*key)))).collect::<Map<_, _>>())
    }
}

/// What logic made of the rows, either as they came or as they leave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judgements {
    /// Rows by agreement of verdict and label.
    pub agreement: Tally<Agreement>,
    /// Rows by label and verdict; `None` stands for no label that can be read.
    pub matrix: Tally<(Option<Label>, Verdict)>,
}

impl Judgements {
    fn add(&mut self, label: Option<Label>, verdict: Verdict, agreement: Agreement) {
        self.agreement.add(agreement);
        self.matrix.add((label, verdict));
    }

    fn merge(&mut self, other: &Self) {
        self.agreement.merge(&other.agreement);
        self.matrix.merge(&other.matrix);
    }

    /// Rows with this verdict, whatever their label.
    #[must_use]
    pub fn verdict(&self, verdict: Verdict) -> u64 {
        labels().map(|label| self.matrix.get((label, verdict))).sum()
    }

    /// Rows with this label, whatever their verdict.
    #[must_use]
    pub fn label(&self, label: Option<Label>) -> u64 {
        Verdict::ALL.iter().map(|verdict| self.matrix.get((label, *verdict))).sum()
    }

    /// Rows whose label is contradicted by a proof: labelled `True` or `False` where the opposite is proved, or
    /// `Uncertain` where either is proved.
    #[must_use]
    pub fn contradicted(&self) -> u64 {
        [
            (Label::True, Verdict::False),
            (Label::False, Verdict::True),
            (Label::Uncertain, Verdict::True),
            (Label::Uncertain, Verdict::False),
        ]
        .into_iter()
        .map(|(label, verdict)| self.matrix.get((Some(label), verdict)))
        .sum()
    }

    /// The weaker conflict: rows labelled `True` or `False` of which it was shown that neither follows. A link missing
    /// from the formulas does that as easily as a wrong label.
    #[must_use]
    pub fn unsupported(&self) -> u64 {
        [Label::True, Label::False].into_iter().map(|label| self.matrix.get((Some(label), Verdict::Uncertain))).sum()
    }

    fn from_json(value: &Value) -> Option<Self> {
        let mut matrix = Tally::default();
        for label in labels() {
            let row = value.get("label_verdict")?.get(label_word(label))?;
            let row = Tally::from_json(row, &Verdict::ALL, Verdict::as_str)?;
            matrix.0.extend(row.0.into_iter().map(|(verdict, n)| ((label, verdict), n)));
        }
        Some(Self { agreement: Tally::from_json(value.get("agreement")?, &Agreement::ALL, Agreement::as_str)?, matrix })
    }

    fn json(&self) -> Value {
        let verdicts = Verdict::ALL.iter().map(|v| (v.as_str().to_owned(), json!(self.verdict(*v))));
        let matrix = labels().map(|label| {
            let row = Verdict::ALL.iter().map(|v| (v.as_str().to_owned(), json!(self.matrix.get((label, *v)))));
            (label_word(label).to_owned(), Value::Object(row.collect::<Map<_, _>>()))
        });
        json!({
            "agreement": self.agreement.json(&Agreement::ALL, Agreement::as_str),
            "verdict": Value::Object(verdicts.collect::<Map<_, _>>()),
            "label_verdict": Value::Object(matrix.collect::<Map<_, _>>()),
            "contradicted_labels": self.contradicted(),
            "unsupported_labels": self.unsupported(),
        })
    }
}

/// Every label, and `None` for rows without one, in the order of tables.
pub(crate) fn labels() -> impl Iterator<Item = Option<Label>> {
    Label::ALL.into_iter().map(Some).chain([None])
}

/// The label's word, or `none`.
pub(crate) const fn label_word(label: Option<Label>) -> &'static str {
    match label {
        Some(label) => label.as_str(),
        None => "none",
    }
}

/// How often one rule spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeCount {
    /// Diagnostics with this code.
    pub count: u64,
    /// Rows that have at least one.
    pub rows: u64,
    /// The gravest severity it came with.
    pub severity: Severity,
}

/// The counts of one split.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SplitCounts {
    /// All rows.
    pub rows: u64,
    /// Rows that could not be read as records.
    pub unreadable: u64,
    /// Rows with at least one edit.
    pub edited: u64,
    /// Rows by what became of them.
    pub status: Tally<Status>,
    /// The rows as they came, strictly read.
    pub original: Judgements,
    /// The rows as they leave.
    pub leaving: Judgements,
    /// Rows by what their verdict rests on.
    pub evidence: Tally<Grade>,
    /// Rows by what people decided about them.
    pub decisions: Tally<&'static str>,
    /// Diagnostics by code.
    pub diagnostics: BTreeMap<&'static str, CodeCount>,
}

impl SplitCounts {
    /// Counts one row.
    pub fn add(&mut self, row: &Row) {
        self.rows += 1;
        self.unreadable += u64::from(!row.record.is_readable());
        self.edited += u64::from(!row.edits.is_empty());
        self.status.add(row.status);
        self.original.add(row.record.label, row.verdict_original, row.agreement_original);
        self.leaving.add(row.label, row.verdict, row.agreement);
        if let Some(grade) = row.evidence {
            self.evidence.add(grade);
        }
        if let Some(decided) = &row.decision {
            self.decisions.add(decided.word);
        }
        self.add_diagnostics(&row.diagnostics);
    }

    /// Counts findings of one row; those with one code must come together.
    pub(crate) fn add_diagnostics(&mut self, found: &[Diagnostic]) {
        let mut seen = BTreeSet::new();
        for diagnostic in found {
            let first = seen.insert(diagnostic.code);
            let one = CodeCount { count: 1, rows: u64::from(first), severity: diagnostic.severity };
            self.add_code(diagnostic.code, one);
        }
    }

    fn add_code(&mut self, code: &'static str, more: CodeCount) {
        self.diagnostics
            .entry(code)
            .and_modify(|c| {
                c.count += more.count;
                c.rows += more.rows;
                c.severity = c.severity.max(more.severity);
            })
            .or_insert(more);
    }

    /// Adds the counts of other rows of the same split.
    pub fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        self.unreadable += other.unreadable;
        self.edited += other.edited;
        self.status.merge(&other.status);
        self.original.merge(&other.original);
        self.leaving.merge(&other.leaving);
        self.evidence.merge(&other.evidence);
        self.decisions.merge(&other.decisions);
        for (code, more) in &other.diagnostics {
            self.add_code(code, *more);
        }
    }

    /// Rows whose label can be read.
    #[must_use]
    pub fn labelled(&self) -> u64 {
        self.rows - self.leaving.label(None)
    }

    /// The most frequent codes, at most `n`: by rows, then diagnostics, then code.
    #[must_use]
    pub fn top(&self, n: usize) -> Vec<(&'static str, CodeCount)> {
        let mut all: Vec<_> = self.diagnostics.iter().map(|(code, count)| (*code, *count)).collect();
        all.sort_by(|(a, x), (b, y)| (y.rows, y.count).cmp(&(x.rows, x.count)).then(a.cmp(b)));
        all.truncate(n);
        all
    }

    fn from_json(value: &Value) -> Option<Self> {
        let number = |name: &str| value.get(name)?.as_u64();
        let mut diagnostics = BTreeMap::new();
        for (code, count) in value.get("diagnostics")?.as_object()? {
            let severity = count.get("severity")?.as_str()?;
            let severity =
                [Severity::Info, Severity::Warning, Severity::Error].into_iter().find(|s| s.as_str() == severity)?;
            let count =
                CodeCount { count: count.get("count")?.as_u64()?, rows: count.get("rows")?.as_u64()?, severity };
            diagnostics.insert(crate::lint::find(code)?.code, count);
        }
        Some(Self {
            rows: number("rows")?,
            unreadable: number("unreadable")?,
            edited: number("edited")?,
            status: Tally::from_json(value.get("status")?, &Status::ALL, Status::as_str)?,
            original: Judgements::from_json(value.get("original")?)?,
            leaving: Judgements::from_json(value.get("leaving")?)?,
            evidence: Tally::from_json(value.get("evidence")?, &Grade::ALL, Grade::as_str)?,
            decisions: Tally::from_json(value.get("decisions")?, &Decided::WORDS, |word| word)?,
            diagnostics,
        })
    }

    /// The counts as JSON, with every word present and in a fixed order.
    #[must_use]
    pub fn json(&self) -> Value {
        let diagnostics = self.diagnostics.iter().map(|(code, c)| {
            ((*code).to_owned(), json!({"severity": c.severity.as_str(), "count": c.count, "rows": c.rows}))
        });
        json!({
            "rows": self.rows,
            "unreadable": self.unreadable,
            "labelled": self.labelled(),
            "edited": self.edited,
            "status": self.status.json(&Status::ALL, Status::as_str),
            "original": self.original.json(),
            "leaving": self.leaving.json(),
            "evidence": self.evidence.json(&Grade::ALL, Grade::as_str),
            "decisions": self.decisions.json(&Decided::WORDS, |word| word),
            "diagnostics": Value::Object(diagnostics.collect::<Map<_, _>>()),
        })
    }
}

/// The counts of a run, by split.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// The splits, by name.
    pub splits: BTreeMap<String, SplitCounts>,
}

impl Counts {
    /// Counts one row under its split.
    pub fn add(&mut self, row: &Row) {
        match self.splits.get_mut(&row.record.split) {
            Some(split) => split.add(row),
            None => self.splits.entry(row.record.split.clone()).or_default().add(row),
        }
    }

    /// Adds the counts of other rows.
    pub fn merge(&mut self, other: &Self) {
        for (name, split) in &other.splits {
            self.splits.entry(name.clone()).or_default().merge(split);
        }
    }

    /// Counts as [`Counts::json`] writes them; `None` where the value is none of these, to the last number.
    #[must_use]
    pub fn from_json(value: &Value) -> Option<Self> {
        let splits =
            value.as_object()?.iter().map(|(name, split)| Some((name.clone(), SplitCounts::from_json(split)?)));
        let counts = Self { splits: splits.collect::<Option<_>>()? };
        (counts.json() == *value).then_some(counts)
    }

    /// The counts as JSON: an object of splits, by name.
    #[must_use]
    pub fn json(&self) -> Value {
        Value::Object(self.splits.iter().map(|(name, split)| (name.clone(), split.json())).collect::<Map<_, _>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::testing::{diagnostic, rows, verdict_row};

    #[test]
    fn counting_in_parts_is_counting_at_once() {
        let rows = rows();
        let mut whole = Counts::default();
        rows.iter().for_each(|row| whole.add(row));
        for cut in 0..=rows.len() {
            let (mut a, mut b) = (Counts::default(), Counts::default());
            rows[..cut].iter().for_each(|row| a.add(row));
            rows[cut..].iter().for_each(|row| b.add(row));
            b.merge(&a);
            assert_eq!(b, whole, "cut at {cut}");
        }
        let sum = |tally: &dyn Fn(&SplitCounts) -> u64| whole.splits.values().map(tally).sum::<u64>();
        assert_eq!(sum(&|s| s.rows), rows.len() as u64);
        assert_eq!(sum(&|s| Status::ALL.iter().map(|k| s.status.get(*k)).sum()), rows.len() as u64);
        assert_eq!(sum(&|s| Verdict::ALL.iter().map(|k| s.leaving.verdict(*k)).sum()), rows.len() as u64);
        assert_eq!(sum(&|s| labels().map(|l| s.original.label(l)).sum()), rows.len() as u64);
    }

    #[test]
    fn contradicted_and_unsupported_labels_are_told_apart() {
        let all = [Some(Label::True), Some(Label::False), Some(Label::Uncertain), None];
        let judge = |label, verdict| {
            let mut counts = SplitCounts::default();
            counts.add(&verdict_row(label, verdict));
            (counts.leaving.contradicted(), counts.leaving.unsupported())
        };
        let mut found = Vec::new();
        for label in all {
            for verdict in Verdict::ALL {
                match judge(label, verdict) {
                    (0, 0) => {}
                    (1, 0) => found.push((label_word(label), verdict.as_str(), "contradicted")),
                    (0, 1) => found.push((label_word(label), verdict.as_str(), "unsupported")),
                    both => panic!("{label:?} {verdict:?}: {both:?}"),
                }
            }
        }
        assert_eq!(
            found,
            [
                ("True", "False", "contradicted"),
                ("True", "Uncertain", "unsupported"),
                ("False", "True", "contradicted"),
                ("False", "Uncertain", "unsupported"),
                ("Uncertain", "True", "contradicted"),
                ("Uncertain", "False", "contradicted"),
            ]
        );
    }

    #[test]
    fn a_row_counts_once_for_each_code() {
        let mut row = verdict_row(Some(Label::True), Verdict::True);
        row.diagnostics = vec![
            diagnostic("S101", Severity::Warning),
            diagnostic("S101", Severity::Error),
            diagnostic("N208", Severity::Info),
        ];
        let mut counts = SplitCounts::default();
        counts.add(&row);
        counts.add(&row);
        let s101 = CodeCount { count: 4, rows: 2, severity: Severity::Error };
        let n208 = CodeCount { count: 2, rows: 2, severity: Severity::Info };
        assert_eq!(counts.top(5), [("S101", s101), ("N208", n208)]);
        assert_eq!(counts.top(1).len(), 1);
        let counts = Counts { splits: [("train".to_owned(), counts)].into() };
        assert_eq!(Counts::from_json(&counts.json()), Some(counts.clone()));
        let mut other = counts.json();
        other["train"]["labelled"] = json!(1);
        assert_eq!(Counts::from_json(&other), None, "what does not add up");
    }

    #[test]
    fn json_names_every_word_in_a_fixed_order() {
        let json = SplitCounts::default().json();
        let keys = |v: &Value| v.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&json["status"]), ["verified", "repaired", "relabelled", "problematic", "unjudged"]);
        assert_eq!(keys(&json["leaving"]["label_verdict"]), ["True", "False", "Uncertain", "none"]);
        assert_eq!(keys(&json["leaving"]["verdict"]).len(), 7);
        assert_eq!(keys(&json["original"]["agreement"]).len(), 7);
    }
}
