//! What a dataset is like, for people and for programs.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use serde_json::{Value, json};

use super::Stats;
use super::describe::{Distribution, LABELS, SplitStats};
use super::duplicates::Found;
use super::gather::OPERATORS;

/// One line below the header and none elsewhere.
const LINES: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// A table under a title: the first column holds words, the others numbers.
struct Grid {
    title: String,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// For a terminal.
#[must_use]
pub fn text(stats: &Stats) -> String {
    let mut out = String::new();
    for grid in grids(stats) {
        let mut table = Table::new();
        table.load_style(LINES);
        table.set_header(grid.head.iter().map(|cell| visible(cell)));
        for row in &grid.rows {
            table.add_row(row.iter().map(|cell| visible(cell)));
        }
        for (i, column) in table.column_iter_mut().enumerate() {
            column.set_cell_alignment(if i == 0 { CellAlignment::Left } else { CellAlignment::Right });
        }
        let _ = writeln!(out, "{}{}", if out.is_empty() { "" } else { "\n" }, visible(&grid.title));
        for line in table.lines() {
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
    out
}

/// For a page about the dataset.
#[must_use]
pub fn markdown(stats: &Stats) -> String {
    let mut out = String::new();
    let cell = |text: &str| visible(text).replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;");
    for grid in grids(stats) {
        let _ = writeln!(out, "{}## {}\n", if out.is_empty() { "" } else { "\n" }, cell(&grid.title));
        let mut line = |cells: Vec<String>| {
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        };
        line(grid.head.iter().map(|text| cell(text)).collect());
        line((0..grid.head.len()).map(|i| if i == 0 { ":--" } else { "--:" }.to_owned()).collect());
        grid.rows.iter().for_each(|row| line(row.iter().map(|text| cell(text)).collect()));
    }
    out
}

/// For programs.
#[must_use]
pub fn json(stats: &Stats) -> Value {
    json!({ "splits": stats.splits, "measures": stats.measures, "duplicates": stats.duplicates })
}

fn grids(stats: &Stats) -> Vec<Grid> {
    let mut out = vec![counts(stats), labels(stats), operators(stats)];
    for split in &stats.splits {
        out.push(measures(stats, &split.split));
    }
    out.push(duplicates(stats));
    out.extend(between(stats));
    out.retain(|grid| !grid.rows.is_empty());
    out
}

fn by_split(stats: &Stats, title: &str, first: &str) -> Grid {
    let mut head = vec![first.to_owned()];
    head.extend(stats.splits.iter().map(|split| split.split.clone()));
    Grid { title: title.to_owned(), head, rows: Vec::new() }
}

impl Grid {
    fn row(&mut self, stats: &Stats, name: &str, cell: impl Fn(&SplitStats) -> String) {
        let mut cells = vec![name.to_owned()];
        cells.extend(stats.splits.iter().map(cell));
        self.rows.push(cells);
    }
}

fn counts(stats: &Stats) -> Grid {
    let mut grid = by_split(stats, "rows and formulas", "what");
    grid.row(stats, "rows", |s| s.rows.to_string());
    if stats.splits.iter().any(|s| s.unreadable > 0) {
        grid.row(stats, "rows that cannot be read", |s| s.unreadable.to_string());
    }
    grid.row(stats, "stories", |s| s.stories.to_string());
    grid.row(stats, "rows with formulas", |s| s.formalised.to_string());
    grid.row(stats, "of which all formulas parse", |s| with_share(s.read, s.formalised));
    grid.row(stats, "formulas", |s| s.formulas.to_string());
    grid.row(stats, "of which parse", |s| with_share(s.formulas_read, s.formulas));
    grid
}

fn labels(stats: &Stats) -> Grid {
    let mut grid = by_split(stats, "labels", "label");
    for label in LABELS {
        let count = |s: &SplitStats| s.labels.get(label).copied().unwrap_or_default();
        if stats.splits.iter().any(|s| count(s) > 0) {
            grid.row(stats, label, |s| with_share(count(s), s.rows));
        }
    }
    grid
}

fn operators(stats: &Stats) -> Grid {
    let mut grid = by_split(stats, "operators (share of the formulas that parse which have it)", "operator");
    for sign in OPERATORS {
        let of = |s: &SplitStats| s.operators.iter().find(|o| o.sign == sign).map_or((0, 0), |o| (o.count, o.formulas));
        if stats.splits.iter().any(|s| of(s).0 > 0) {
            grid.row(stats, sign, |s| match (of(s), share(of(s).1, s.formulas_read)) {
                ((count, _), Some(share)) => format!("{count} ({share})"),
                ((count, _), None) => count.to_string(),
            });
        }
    }
    grid
}

fn measures(stats: &Stats, split: &str) -> Grid {
    let head = ["what", "count", "min", "median", "mean", "p95", "max"].map(str::to_owned).into();
    let mut rows = Vec::new();
    for measure in &stats.measures {
        let Some(found) = measure.splits.get(split) else { continue };
        let Distribution { count, min, median, mean, p95, max } = found;
        let number = |n: &f64| if n.fract() == 0.0 { format!("{n}") } else { format!("{n:.1}") };
        let mut cells = vec![measure.name.to_owned(), count.to_string()];
        cells.extend([number(min), number(median), format!("{mean:.2}"), number(p95), number(max)]);
        rows.push(cells);
    }
    Grid { title: format!("lengths and sizes, {split}"), head, rows }
}

fn duplicates(stats: &Stats) -> Grid {
    let head =
        ["the same", "compared", "groups", "again in their split", "in another split", "labels differ", "not compared"];
    let row = |found: &Found| {
        let leaked: usize = found.between.iter().map(|b| b.count).sum();
        let differ = if found.level.is_of_stories() { "–".to_owned() } else { found.labels_differ.to_string() };
        let reasons = [(found.absent, "absent"), (found.unparsed, "unparsed"), (found.undecided, "undecided")];
        let reasons: Vec<String> =
            reasons.into_iter().filter(|(n, _)| *n > 0).map(|(n, why)| format!("{n} {why}")).collect();
        let not_compared = if reasons.is_empty() { "0".to_owned() } else { reasons.join(", ") };
        let numbers = [found.compared, found.groups, found.repeated(), leaked].map(|n| n.to_string());
        let name = found.level.as_str().to_owned();
        [name].into_iter().chain(numbers).chain([differ, not_compared]).collect()
    };
    Grid {
        title: "duplicates".to_owned(),
        head: head.map(str::to_owned).into(),
        rows: stats.duplicates.iter().map(row).collect(),
    }
}

fn between(stats: &Stats) -> Option<Grid> {
    let rows: Vec<Vec<String>> = stats
        .duplicates
        .iter()
        .flat_map(|found| {
            found.between.iter().map(|b| {
                let size = |s: &&SplitStats| s.split == b.split;
                let split = stats.splits.iter().find(size);
                let all = split.map_or(0, |s| if found.level.is_of_stories() { s.stories } else { s.rows });
                vec![format!("{}: {} in {}", found.level.as_str(), b.split, b.other), with_share(b.count, all)]
            })
        })
        .collect();
    let head = vec!["the same".to_owned(), "stories or records".to_owned()];
    (!rows.is_empty()).then(|| Grid { title: "what stands in two splits".to_owned(), head, rows })
}

fn with_share(n: usize, of: usize) -> String {
    share(n, of).map_or_else(|| n.to_string(), |share| format!("{n} ({share})"))
}

fn share(n: usize, of: usize) -> Option<String> {
    #[expect(clippy::cast_precision_loss, reason = "no dataset has 2^52 rows")]
    (of > 0).then(|| format!("{:.1} %", 100.0 * n as f64 / of as f64))
}

/// A name from outside, harmless for a terminal.
fn visible(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}
