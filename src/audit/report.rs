//! An audit, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::align::By;
use super::compare::{Audited, Relation};
use crate::record::{Label, Record, Verdict};

/// What changed, counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Totals {
    /// Rows of both versions.
    pub both: usize,
    /// Rows that only the old version has.
    pub dropped: usize,
    /// Rows that only the new version has.
    pub added: usize,
    /// Rows of both whose labels differ.
    pub labels: usize,
    /// Rows of both with another sentence of the conclusion.
    pub conclusions: usize,
    /// Rows of both with other sentences of premises.
    pub premises: usize,
    /// Rows of both with other formulas, by whatever relation.
    pub formulas: usize,
    /// Rows of both with formulas that say something else.
    pub meanings: usize,
    /// By relation, formulas that are not the same text.
    pub relations: BTreeMap<&'static str, usize>,
    /// By what rows were aligned.
    pub aligned: BTreeMap<&'static str, usize>,
}

impl Totals {
    /// Counts.
    #[must_use]
    pub fn of(audited: &[Audited]) -> Self {
        let mut out = Self::default();
        for row in audited {
            match (row.aligned.old, row.aligned.new) {
                (Some(_), None) => out.dropped += 1,
                (None, Some(_)) => out.added += 1,
                _ => out.both += 1,
            }
            if row.aligned.by != By::Nothing {
                *out.aligned.entry(row.aligned.by.as_str()).or_default() += 1;
            }
            out.labels += usize::from(row.label_changed());
            out.conclusions += usize::from(row.conclusion_sentence);
            out.premises += usize::from(row.premise_sentences > 0);
            out.formulas += usize::from(!row.formulas.is_empty());
            out.meanings += usize::from(row.formulas.iter().any(|f| f.relation != Relation::Equivalent));
            for formula in &row.formulas {
                *out.relations.entry(formula.relation.as_str()).or_default() += 1;
            }
        }
        out
    }

    fn lines(&self) -> Vec<(String, usize)> {
        let mut out: Vec<(String, usize)> = [
            ("rows in both", self.both),
            ("dropped", self.dropped),
            ("added", self.added),
            ("another label", self.labels),
            ("another conclusion sentence", self.conclusions),
            ("other premise sentences", self.premises),
            ("other formulas", self.formulas),
            ("formulas that say something else", self.meanings),
        ]
        .map(|(name, n)| (name.to_owned(), n))
        .into();
        out.extend(self.relations.iter().map(|(name, n)| (format!("formulas: {name}"), *n)));
        out.extend(self.aligned.iter().map(|(name, n)| (format!("aligned by {name}"), *n)));
        out
    }
}

fn label(label: Option<Label>) -> &'static str {
    label.map_or("none", Label::as_str)
}

fn verdict(verdict: Option<Verdict>) -> &'static str {
    verdict.map_or("", Verdict::as_str)
}

/// The labels of rows of both versions: old in rows, new in columns.
fn matrix(audited: &[Audited]) -> Vec<(&'static str, [usize; 4])> {
    let all = [Some(Label::True), Some(Label::False), Some(Label::Uncertain), None];
    let count = |old, new| audited.iter().filter(|a| a.is_in_both() && a.labels == (old, new)).count();
    all.map(|old| (label(old), all.map(|new| count(old, new))))
        .into_iter()
        .filter(|(_, n)| n.iter().sum::<usize>() > 0)
        .collect()
}

/// How a row is called: by its example id where it has one, else by its place.
fn name(record: &Record) -> String {
    record.example_id.clone().unwrap_or_else(|| format!("row {}", record.source.row))
}

/// In words: what changed, the labels, and each row whose label changed. In Markdown, or for a terminal.
#[must_use]
pub fn text(audited: &[Audited], old: &[Record], new: &[Record], markdown: bool) -> String {
    let mut out = String::new();
    let totals = Totals::of(audited);
    if markdown {
        out.push_str("| what | rows |\n| :-- | --: |\n");
    }
    for (what, n) in totals.lines() {
        let _ = if markdown { writeln!(out, "| {what} | {n} |") } else { writeln!(out, " {what:<34} {n:>8}") };
    }
    let names = ["True", "False", "Uncertain", "none"];
    out.push('\n');
    if markdown {
        let _ = writeln!(out, "| old \\ new | {} |\n| :-- | --: | --: | --: | --: |", names.join(" | "));
    } else {
        let _ = writeln!(out, " {:<12} {:>9} {:>9} {:>9} {:>9}", "old \\ new", names[0], names[1], names[2], names[3]);
    }
    for (old, n) in matrix(audited) {
        let _ = if markdown {
            writeln!(out, "| {old} | {} | {} | {} | {} |", n[0], n[1], n[2], n[3])
        } else {
            writeln!(out, " {old:<12} {:>9} {:>9} {:>9} {:>9}", n[0], n[1], n[2], n[3])
        };
    }
    let changed: Vec<&Audited> = audited.iter().filter(|a| a.label_changed()).collect();
    if changed.is_empty() {
        return out;
    }
    out.push('\n');
    if markdown {
        out.push_str("| row | label | formulas prove | confidence | conclusion |\n| :-- | :-- | :-- | --: | :-- |\n");
    }
    for row in changed {
        let of = |records: &'_ [Record], i: Option<usize>| i.and_then(|i| records.get(i)).map(name).unwrap_or_default();
        let (before, after) = (of(old, row.aligned.old), of(new, row.aligned.new));
        let id = if before == after { after } else { format!("{before} → {after}") };
        let labels = format!("{} → {}", label(row.labels.0), label(row.labels.1));
        let proved = match row.verdicts {
            (None, None) => "–".to_owned(),
            (old, new) => format!("{} → {}", verdict(old), verdict(new)),
        };
        let conclusion = row.aligned.new.and_then(|j| new.get(j)).map_or("", |r| r.conclusion.as_str());
        let confidence = row.aligned.confidence;
        let _ = if markdown {
            let conclusion = conclusion.replace('|', "\\|").replace('\n', " ");
            writeln!(out, "| {id} | {labels} | {proved} | {confidence:.2} | {conclusion} |")
        } else {
            writeln!(out, " {id}: {labels} (proved: {proved}; confidence {confidence:.2})\n   {conclusion}")
        };
    }
    out
}

/// Everything, for programs.
#[must_use]
pub fn json(audited: &[Audited], old: &[Record], new: &[Record]) -> Value {
    let totals = Totals::of(audited);
    let counts: serde_json::Map<String, Value> =
        totals.lines().into_iter().map(|(name, n)| (name.replace(' ', "_").replace(':', ""), json!(n))).collect();
    let rows: Vec<Value> = audited.iter().map(|row| record(row, old, new)).collect();
    json!({ "counts": counts, "rows": rows })
}

/// One row, as in the table.
fn record(row: &Audited, old: &[Record], new: &[Record]) -> Value {
    let side = |records: &'_ [Record], i: Option<usize>| {
        i.and_then(|i| records.get(i)).map(|r| {
            json!({
                "record_id": r.record_id, "example_id": r.example_id, "story_id": r.story_id, "split": r.split,
                "source_file": r.source.file, "source_row": r.source.row, "conclusion": r.conclusion,
            })
        })
    };
    json!({
        "old": side(old, row.aligned.old), "new": side(new, row.aligned.new),
        "aligned_by": row.aligned.by, "confidence": row.aligned.confidence,
        "label_old": row.labels.0, "label_new": row.labels.1, "label_changed": row.label_changed(),
        "verdict_old": row.verdicts.0, "verdict_new": row.verdicts.1,
        "premise_sentences_changed": row.premise_sentences, "conclusion_sentence_changed": row.conclusion_sentence,
        "formulas": row.formulas,
    })
}
