//! An audit, for people and for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::compare::{Audited, Judged};
use super::frame::{LABELS, Totals, label};
use super::kind::Kind;
use crate::record::{Grade, Record};

/// A verdict with what it rests on; why there is no better one, where it rests on nothing.
fn proved(side: Option<&Judged>) -> String {
    let Some(side) = side else { return "nothing to ask".to_owned() };
    let behind = side.evidence.map(Grade::as_str).or(side.reason.as_deref());
    behind.map_or_else(|| side.verdict.to_string(), |behind| format!("{} ({behind})", side.verdict))
}

/// How a row is called: by its example id where it has one, else by its place.
pub(super) fn name(record: &Record) -> String {
    record.example_id.clone().unwrap_or_else(|| format!("row {}", record.source.row))
}

/// In words: what changed, the labels, and each row whose label changed. In Markdown, or for a terminal.
#[must_use]
pub fn text(audited: &[Audited], totals: &Totals, old: &[Record], new: &[Record], markdown: bool) -> String {
    let mut out = String::new();
    if markdown {
        out.push_str("| what | rows |\n| :-- | --: |\n");
    }
    for (what, n) in totals.lines() {
        let _ = if markdown { writeln!(out, "| {what} | {n} |") } else { writeln!(out, " {what:<34} {n:>8}") };
    }
    let names = LABELS;
    out.push('\n');
    if markdown {
        let _ = writeln!(out, "| old \\ new | {} |\n| :-- | --: | --: | --: | --: |", names.join(" | "));
    } else {
        let _ = writeln!(out, " {:<12} {:>9} {:>9} {:>9} {:>9}", "old \\ new", names[0], names[1], names[2], names[3]);
    }
    for (old, n) in totals.matrix() {
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
        let proved = match &row.judged {
            (None, None) => "–".to_owned(),
            (old, new) => format!("{} → {}", proved(old.as_ref()), proved(new.as_ref())),
        };
        // Harmless for a terminal, whatever the data says.
        let visible = |text: &str| -> String {
            text.chars().map(|c| if c.is_control() && c != '\n' { char::REPLACEMENT_CHARACTER } else { c }).collect()
        };
        let conclusion = row.aligned.new.and_then(|j| new.get(j)).map_or("", |r| r.conclusion.as_str());
        let (id, conclusion) = (visible(&id), visible(conclusion));
        let confidence = row.aligned.confidence;
        let _ = if markdown {
            let cell = |text: &str| text.replace('|', "\\|").replace('<', "&lt;").replace('\n', " ");
            let (id, proved, conclusion) = (cell(&id), cell(&proved), cell(&conclusion));
            writeln!(out, "| {id} | {labels} | {proved} | {confidence:.2} | {conclusion} |")
        } else {
            writeln!(out, " {id}: {labels} (proved: {proved}; confidence {confidence:.2})\n   {conclusion}")
        };
    }
    out
}

/// Everything, for programs.
#[must_use]
pub fn json(audited: &[Audited], totals: &Totals, old: &[Record], new: &[Record]) -> Value {
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
        "kinds": Kind::of(row), "judged_old": row.judged.0, "judged_new": row.judged.1,
        "verdict_old": row.verdicts().0, "verdict_new": row.verdicts().1,
        "premise_sentences_changed": row.premise_sentences, "conclusion_sentence_changed": row.conclusion_sentence,
        "premises_reordered": row.reordered, "split_changed": row.moved, "sentences": row.sentences,
        "formulas": row.formulas,
    })
}
