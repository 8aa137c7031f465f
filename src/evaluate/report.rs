//! The measurements as tables for people and as JSON for programs.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use serde_json::{Map, Value, json};

use super::control::{Bent, ControlReport, PairCounts};
use super::measure::{KindCounts, Report, RuleCounts};
use super::trial::{Changed, Outcome, Rung, Trial};
use crate::diagnostic::Target;

/// One line below the header and none elsewhere.
const LINES: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// What is shown beside the main table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shown {
    /// The table by rule.
    pub by_rule: bool,
    /// Every repair that went wrong.
    pub wrong: bool,
    /// Every error that was not mended.
    pub missed: bool,
}

impl Report {
    /// Tables for people.
    #[must_use]
    pub fn text(&self, shown: Shown) -> String {
        let mut out = format!(
            "{} records, {} agree; seed {}, up to {} of each kind in a record\n\n",
            self.records, self.agreeing, self.errors.seed, self.errors.per_record
        );
        let header = [
            "error",
            "mutated",
            "n/a",
            "un-\nchanged",
            "restored\nby fixes",
            "by\nsearch",
            "wrong\nby fixes",
            "by\nsearch",
            "un-\ndecided",
            "ambi-\nguous",
            "un-\ntouched",
            "un-\nreadable",
            "precision",
            "recall",
        ];
        let mut rows: Vec<Vec<String>> =
            self.kinds.iter().map(|(kind, counts)| kind_row(kind.as_str(), counts)).collect();
        rows.push(kind_row("all", &self.total()));
        out += &table(&header, rows);
        if shown.by_rule {
            let rows = self.rules.iter().map(|(rule, c)| {
                let numbers = [c.right, c.wrong, c.undecided].map(|n| n.to_string());
                [rule.clone()].into_iter().chain(numbers).chain([percent(c.precision())]).collect()
            });
            out.push('\n');
            out += &match self.rules.is_empty() {
                true => "no edit of search was accepted\n".to_owned(),
                false => table(&["rule", "right", "wrong", "undecided", "precision"], rows.collect()),
            };
        }
        if shown.wrong {
            self.wrong.iter().for_each(|trial| list_trial(trial, &mut out));
        }
        if shown.missed {
            self.missed.iter().for_each(|trial| list_trial(trial, &mut out));
        }
        out
    }

    /// The same for programs. Shares are numbers from 0 to 1, `null` of nothing.
    #[must_use]
    pub fn json(&self, shown: Shown) -> Value {
        let kinds = self.kinds.iter().map(|(kind, c)| (kind.as_str().to_owned(), kind_json(c)));
        let mut out = json!({
            "seed": self.errors.seed,
            "per_record": self.errors.per_record,
            "records": self.records,
            "agreeing": self.agreeing,
            "kinds": Map::from_iter(kinds),
            "total": kind_json(&self.total()),
        });
        if shown.by_rule {
            let rules = self.rules.iter().map(|(rule, counts)| (rule.clone(), rule_json(counts)));
            out["rules"] = Value::Object(rules.collect());
        }
        if shown.wrong {
            out["wrong"] = self.wrong.iter().map(trial_json).collect();
        }
        if shown.missed {
            out["missed"] = self.missed.iter().map(trial_json).collect();
        }
        out
    }
}

impl ControlReport {
    /// Tables for people.
    #[must_use]
    pub fn text(&self, shown: Shown) -> String {
        let mut out = format!("{} records, {} agree\n\n", self.records, self.agreeing);
        let header = [
            "verdict → label",
            "wrong\nlabels",
            "bent",
            "rate",
            "real\nconflicts",
            "closed",
            "rate",
            "share of\nchance",
        ];
        let mut rows: Vec<Vec<String>> = self
            .pairs
            .iter()
            .map(|(pair, counts)| pair_row(format!("{} → {}", pair.verdict, pair.label), counts))
            .collect();
        rows.push(pair_row("all".to_owned(), &self.total()));
        out += &table(&header, rows);
        if shown.wrong {
            self.bent.iter().for_each(|bent| list_bent(bent, &mut out));
        }
        out
    }

    /// The same for programs. Shares are numbers from 0 to 1, `null` of nothing.
    #[must_use]
    pub fn json(&self, shown: Shown) -> Value {
        let pairs: Vec<Value> = self
            .pairs
            .iter()
            .map(|(pair, counts)| {
                let mut out = pair_json(counts);
                out["verdict"] = pair.verdict.as_str().into();
                out["label"] = pair.label.as_str().into();
                out
            })
            .collect();
        let mut out = json!({
            "records": self.records,
            "agreeing": self.agreeing,
            "pairs": pairs,
            "total": pair_json(&self.total()),
        });
        if shown.wrong {
            out["bent"] = self.bent.iter().map(bent_json).collect();
        }
        out
    }
}

fn table(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(LINES);
    table.set_header(header);
    table.add_rows(rows);
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_cell_alignment(if i == 0 { CellAlignment::Left } else { CellAlignment::Right });
    }
    table.lines().fold(String::new(), |mut out, line| {
        out += line.trim_end();
        out.push('\n');
        out
    })
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

fn kind_row(name: &str, counts: &KindCounts) -> Vec<String> {
    let c = counts;
    let numbers = [
        c.mutated,
        c.not_applicable,
        c.unchanged,
        c.restored_by_fixes,
        c.restored_by_search,
        c.wrong_by_fixes,
        c.wrong_by_search,
        c.undecided,
        c.ambiguous,
        c.untouched,
        c.unreadable,
    ];
    let shares = [c.precision(), c.recall()].map(percent);
    [name.to_owned()].into_iter().chain(numbers.map(|n| n.to_string())).chain(shares).collect()
}

fn kind_json(counts: &KindCounts) -> Value {
    json!({
        "mutated": counts.mutated,
        "not_applicable": counts.not_applicable,
        "unchanged": counts.unchanged,
        "restored_by_fixes": counts.restored_by_fixes,
        "restored_by_search": counts.restored_by_search,
        "wrong_by_fixes": counts.wrong_by_fixes,
        "wrong_by_search": counts.wrong_by_search,
        "undecided": counts.undecided,
        "ambiguous": counts.ambiguous,
        "untouched": counts.untouched,
        "unreadable": counts.unreadable,
        "precision": counts.precision(),
        "precision_of_search": counts.precision_of_search(),
        "recall": counts.recall(),
    })
}

fn rule_json(counts: &RuleCounts) -> Value {
    json!({
        "right": counts.right,
        "wrong": counts.wrong,
        "undecided": counts.undecided,
        "precision": counts.precision(),
    })
}

fn pair_row(name: String, counts: &PairCounts) -> Vec<String> {
    let c = counts;
    vec![
        name,
        c.controls.to_string(),
        c.bent.to_string(),
        percent(c.rate_of_control()),
        c.conflicts.to_string(),
        c.closed.to_string(),
        percent(c.rate_of_conflicts()),
        percent(c.chance()),
    ]
}

fn pair_json(counts: &PairCounts) -> Value {
    json!({
        "controls": counts.controls,
        "bent": counts.bent,
        "rate_of_control": counts.rate_of_control(),
        "conflicts": counts.conflicts,
        "closed": counts.closed,
        "rate_of_conflicts": counts.rate_of_conflicts(),
        "chance": counts.chance(),
    })
}

/// What happened, and by which rung.
const fn words(outcome: Outcome) -> (&'static str, Option<&'static str>) {
    const fn by(rung: Rung) -> Option<&'static str> {
        Some(match rung {
            Rung::Fixes => "fixes",
            Rung::Search => "search",
        })
    }
    match outcome {
        Outcome::Unchanged => ("unchanged", None),
        Outcome::Restored(rung) => ("restored", by(rung)),
        Outcome::Wrong(rung) => ("wrong", by(rung)),
        Outcome::Undecided(rung) => ("undecided", by(rung)),
        Outcome::Ambiguous => ("ambiguous", None),
        Outcome::Untouched => ("untouched", None),
        Outcome::Unreadable => ("unreadable", None),
    }
}

/// The annotation with the error first, then whatever else repair has changed.
fn list_trial(trial: &Trial, out: &mut String) {
    let mutation = &trial.mutation;
    let (word, rung) = words(trial.outcome);
    let by = rung.map(|rung| format!(" by {rung}")).unwrap_or_default();
    let rules = if trial.rules.is_empty() { String::new() } else { format!(" ({})", trial.rules.join(", ")) };
    line(out, &format!("\n{}: {}, {}; {word}{by}{rules}", trial.record_id, mutation.kind, mutation.target));
    line(out, &format!("  original  {}", mutation.before));
    line(out, &format!("  mutated   {}", mutation.after));
    let own = |changed: &&Changed| changed.target == mutation.target && changed.record_id.is_none();
    let repaired = trial.changed.iter().find(own).map_or(&mutation.before, |changed| &changed.repaired);
    if *repaired != mutation.after {
        line(out, &format!("  repaired  {repaired}"));
    }
    for changed in trial.changed.iter().filter(|changed| !own(changed)) {
        line(out, &format!("  {}", place(changed.target, changed.record_id.as_deref())));
        line(out, &format!("    original  {}", changed.original));
        line(out, &format!("    repaired  {}", changed.repaired));
    }
}

fn list_bent(bent: &Bent, out: &mut String) {
    line(out, &format!("\n{}: {} → {}", bent.record_id, bent.pair.verdict, bent.pair.label));
    for edit in &bent.edits {
        line(out, &format!("  {} {}", edit.rule, place(edit.target, edit.asked_by.as_deref())));
        line(out, &format!("    before  {}", edit.before));
        line(out, &format!("    after   {}", edit.after));
    }
}

fn place(target: Target, record_id: Option<&str>) -> String {
    record_id.map_or_else(|| target.to_string(), |id| format!("{target} of {id}"))
}

/// Adds a line, without characters that give orders to a terminal.
fn line(out: &mut String, text: &str) {
    let is_order = |c: char| c.is_control() && c != '\n';
    let _ = writeln!(out, "{}", text.replace(is_order, "\u{FFFD}"));
}

fn trial_json(trial: &Trial) -> Value {
    let mutation = &trial.mutation;
    let (outcome, rung) = words(trial.outcome);
    let changed: Vec<Value> = trial
        .changed
        .iter()
        .map(|c| {
            json!({
                "target": c.target.to_string(),
                "record_id": c.record_id,
                "original": c.original,
                "repaired": c.repaired,
            })
        })
        .collect();
    json!({
        "record_id": trial.record_id,
        "kind": mutation.kind.as_str(),
        "target": mutation.target.to_string(),
        "original": mutation.before,
        "mutated": mutation.after,
        "outcome": outcome,
        "rung": rung,
        "rules": trial.rules,
        "changed": changed,
    })
}

fn bent_json(bent: &Bent) -> Value {
    let edits: Vec<Value> = bent
        .edits
        .iter()
        .map(|edit| {
            json!({
                "target": edit.target.to_string(),
                "before": edit.before,
                "after": edit.after,
                "rule": edit.rule,
                "asked_by": edit.asked_by,
            })
        })
        .collect();
    json!({
        "record_id": bent.record_id,
        "verdict": bent.pair.verdict.as_str(),
        "label": bent.pair.label.as_str(),
        "edits": edits,
    })
}
