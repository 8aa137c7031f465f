//! What the pictures of a report show.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::ReportError;
use super::charts::{Chart, bars, columns, flow, stacked};
use crate::emit::{Counts, SplitCounts, each_time};
use crate::lint;
use crate::record::{Agreement, Row};

/// Rules that are drawn, at most.
const RULES: usize = 20;

/// The ways that rows have taken, and how long the prover took.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// Agreement as it came, who mended last, status.
    ladder: BTreeMap<[String; 3], u64>,
    /// Answers of the prover by the power of two of their time in milliseconds.
    times: BTreeMap<i32, u64>,
}

impl Numbers {
    pub(super) fn push(&mut self, row: &Row) {
        let last = row.edits.last().map_or("as it came", |edit| edit.kind.as_str());
        let path = [row.agreement_original.as_str(), last, row.status.as_str()];
        *self.ladder.entry(path.map(str::to_owned)).or_default() += 1;
    }

    /// The times of a run, where it wrote them.
    pub(super) fn read_times(&mut self, dir: &Path) -> Result<(), ReportError> {
        each_time(dir, |ms| {
            #[expect(clippy::cast_possible_truncation, reason = "the logarithm of a time is small")]
            let power = ms.max(0.03125).log2().floor() as i32;
            *self.times.entry(power).or_default() += 1;
        })?;
        Ok(())
    }

    pub(super) fn charts(&self, counts: &Counts, usage: Option<&Value>) -> Vec<Chart> {
        let words = Agreement::ALL.map(Agreement::as_str);
        let numbers = |of: &dyn Fn(Agreement) -> u64| Agreement::ALL.map(of).to_vec();
        let lines: Vec<(String, Vec<u64>)> = counts
            .splits
            .iter()
            .flat_map(|(name, split)| {
                let came = numbers(&|a| split.original.agreement.get(a));
                let leaves = numbers(&|a| split.leaving.agreement.get(a));
                [(format!("{name}, as it came"), came), (format!("{name}, as it leaves"), leaves)]
            })
            .collect();
        let mut out = vec![
            stacked("Agreement of verdict and label", "Rows of each split, before and after repair.", &words, &lines),
            flow(
                "The repair ladder",
                "From the row as it came, by the last rung that changed it, to its status.",
                &self.ladder,
            ),
        ];
        let mut whole = SplitCounts::default();
        counts.splits.values().for_each(|split| whole.merge(split));
        #[expect(clippy::cast_precision_loss, reason = "counts of rows are far below 2^53")]
        let rules: Vec<(String, f64)> =
            whole.top(RULES).into_iter().map(|(code, count)| (rule(code), count.rows as f64)).collect();
        if !rules.is_empty() {
            out.push(bars(
                "Findings by rule",
                "Rows that have the finding; the most frequent rules.",
                "rows",
                &rules,
                whole_number,
            ));
        }
        if let (Some(first), Some(last)) = (self.times.keys().next(), self.times.keys().next_back()) {
            let lines: Vec<(String, u64)> = (*first..=*last)
                .map(|power| (milliseconds(power), self.times.get(&power).copied().unwrap_or_default()))
                .collect();
            let note = "Answers by their time; each column begins at twice the time of the one before.";
            out.push(columns("Prover times", note, ("milliseconds from", "answers"), &lines));
        }
        if let Some(agents) = usage.and_then(|u| u["agents"].as_object()).filter(|agents| !agents.is_empty()) {
            let of = |name: &str| -> Vec<(String, f64)> {
                agents.iter().map(|(agent, took)| (agent.clone(), took[name].as_f64().unwrap_or_default())).collect()
            };
            let costs = of("cost");
            let chart = if costs.iter().any(|(_, cost)| *cost > 0.0) {
                bars("Cost of language models", "By agent, in the currency of the price table.", "cost", &costs, |n| {
                    format!("{n:.4}")
                })
            } else {
                let tokens: Vec<(String, f64)> = of("prompt_tokens")
                    .into_iter()
                    .zip(of("completion_tokens"))
                    .map(|((agent, asked), (_, told))| (agent, asked + told))
                    .collect();
                bars(
                    "Tokens of language models",
                    "By agent; no prices are configured.",
                    "tokens",
                    &tokens,
                    whole_number,
                )
            };
            out.push(chart);
        }
        out
    }
}

fn whole_number(n: f64) -> String {
    format!("{n:.0}")
}

/// A rule's code and name.
fn rule(code: &str) -> String {
    lint::find(code).map_or_else(|| code.to_owned(), |rule| format!("{code} {}", rule.name))
}

/// Two to this power.
fn milliseconds(power: i32) -> String {
    let ms = 2f64.powi(power);
    if ms >= 1.0 { format!("{ms:.0}") } else { format!("{ms:.2}") }
}
