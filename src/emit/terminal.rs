//! The closing table of a run, for a terminal.

use std::fmt::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

use super::counts::{Counts, SplitCounts, label_word, labels};
use super::summary::{
    PUBLISHED_LABEL_ERRORS, PUBLISHED_TRAIN_ROWS, SUMMARY_FILE, published, share, shown_verdicts, with_share,
};
use crate::record::{Agreement, Grade, Status};

/// One line below the header and none elsewhere.
const LINES: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// How many diagnostics are shown for each split.
const TOP: usize = 5;

/// Time spent on the prover. Shown to the person who waits, never written to a file of the data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProverTime {
    /// Wall-clock time of all queries, added up over all workers.
    pub total: Duration,
    /// Queries put to the prover, answers from a cache not counted.
    pub queries: u64,
}

/// The counts as tables: what became of the rows, agreement, labels against verdicts, the most frequent diagnostics.
/// With `colour`, words that name an outcome carry terminal colours.
#[must_use]
pub fn terminal_summary(counts: &Counts, time: Option<ProverTime>, colour: bool) -> String {
    let mut out = String::new();
    let mut section = |title: String, table: &Table| {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&bold(&title, colour));
        out.push('\n');
        for line in table.lines() {
            out.push_str(&paint(line.trim_end(), colour));
            out.push('\n');
        }
    };
    section("rows".to_owned(), &outcome(counts));
    section("labels".to_owned(), &conflicts(counts));
    section("agreement of verdict and label (as it came → as it leaves)".to_owned(), &agreement(counts));
    section("what verdicts rest on".to_owned(), &evidence(counts));
    for (name, split) in &counts.splits {
        section(format!("label × verdict, {}", visible(name)), &matrix(split));
    }
    for (name, split) in counts.splits.iter().filter(|(_, split)| !split.diagnostics.is_empty()) {
        section(format!("diagnostics, {}", visible(name)), &diagnostics(split));
    }
    let _ = writeln!(out, "\nhow the published figures are to be read: see {SUMMARY_FILE}");
    if let Some(time) = time {
        out.push_str(&prover_line(time));
        out.push('\n');
    }
    out
}

fn table(header: Vec<String>) -> Table {
    let mut table = Table::new();
    table.load_style(LINES);
    table.set_header(header);
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_cell_alignment(if i == 0 { CellAlignment::Left } else { CellAlignment::Right });
    }
    table
}

/// A first column of words and a column for each split.
fn by_split(counts: &Counts, first: &str, more: &[&str]) -> Table {
    let mut header = vec![first.to_owned()];
    header.extend(counts.splits.keys().map(|name| visible(name)));
    header.extend(more.iter().map(|&s| s.to_owned()));
    table(header)
}

fn outcome(counts: &Counts) -> Table {
    let mut table = by_split(counts, "status", &["published train"]);
    for status in Status::ALL {
        let mut cells = vec![status.as_str().to_owned()];
        cells.extend(counts.splits.values().map(|s| with_share(s.status.get(status), s.rows)));
        cells.push(published(status).map_or_else(|| "–".to_owned(), |n| with_share(n, PUBLISHED_TRAIN_ROWS)));
        table.add_row(cells);
    }
    let mut cells = vec!["all".to_owned()];
    cells.extend(counts.splits.values().map(|s| s.rows.to_string()));
    cells.push(PUBLISHED_TRAIN_ROWS.to_string());
    table.add_row(cells);
    table
}

fn conflicts(counts: &Counts) -> Table {
    let mut table = by_split(counts, "label", &[]);
    let mut row = |name: &str, cell: &dyn Fn(&SplitCounts) -> String| {
        let mut cells = vec![name.to_owned()];
        cells.extend(counts.splits.values().map(cell));
        table.add_row(cells);
    };
    let change = |came: u64, leaves: u64, of: u64| {
        let leaves = share(leaves, of).map_or_else(|| leaves.to_string(), |share| format!("{leaves} ({share})"));
        format!("{came} → {leaves}")
    };
    row("labelled", &|s| s.labelled().to_string());
    row("contradicted", &|s| change(s.original.contradicted(), s.leaving.contradicted(), s.labelled()));
    row("unsupported", &|s| change(s.original.unsupported(), s.leaving.unsupported(), s.labelled()));
    let mut cells = vec!["published errors".to_owned()];
    cells.extend(counts.splits.keys().map(|name| {
        let rate = PUBLISHED_LABEL_ERRORS.into_iter().find(|(split, _)| split == name);
        rate.map_or("–", |(_, rate)| rate).to_owned()
    }));
    table.add_row(cells);
    table
}

fn agreement(counts: &Counts) -> Table {
    let mut table = by_split(counts, "agreement", &[]);
    for agreement in Agreement::ALL {
        let of = |s: &SplitCounts| (s.original.agreement.get(agreement), s.leaving.agreement.get(agreement));
        if counts.splits.values().any(|s| of(s) != (0, 0)) {
            let mut cells = vec![agreement.as_str().to_owned()];
            cells.extend(counts.splits.values().map(|s| {
                let (came, leaves) = of(s);
                format!("{came} → {leaves}")
            }));
            table.add_row(cells);
        }
    }
    table
}

fn evidence(counts: &Counts) -> Table {
    let mut table = by_split(counts, "evidence", &[]);
    for grade in Grade::ALL {
        if counts.splits.values().any(|s| s.evidence.get(grade) > 0) {
            let mut cells = vec![grade.as_str().to_owned()];
            cells.extend(counts.splits.values().map(|s| s.evidence.get(grade).to_string()));
            table.add_row(cells);
        }
    }
    table
}

fn matrix(split: &SplitCounts) -> Table {
    let verdicts = shown_verdicts(&split.leaving);
    let mut header = vec!["label".to_owned()];
    header.extend(verdicts.iter().map(|v| v.as_str().to_owned()));
    let mut table = table(header);
    for label in labels().filter(|label| split.leaving.label(*label) > 0) {
        let mut cells = vec![label_word(label).to_owned()];
        cells.extend(verdicts.iter().map(|v| split.leaving.matrix.get((label, *v)).to_string()));
        table.add_row(cells);
    }
    table
}

fn diagnostics(split: &SplitCounts) -> Table {
    let mut table = table(["severity", "code", "rows", "diagnostics"].map(str::to_owned).into());
    for (code, c) in split.top(TOP) {
        table.add_row(vec![
            c.severity.to_string(),
            code.to_owned(),
            with_share(c.rows, split.rows),
            c.count.to_string(),
        ]);
    }
    table
}

fn prover_line(time: ProverTime) -> String {
    let seconds = time.total.as_secs_f64();
    let queries = time.queries;
    if queries == 0 {
        return "prover: not asked".to_owned();
    }
    #[expect(clippy::cast_precision_loss, reason = "a number of queries beyond 2^52 will not be seen")]
    let each = seconds * 1000.0 / queries as f64;
    format!("prover: {seconds:.2} s in {queries} queries, {each:.2} ms each")
}

/// The style of a word that names an outcome.
fn style(word: &str) -> Option<Style> {
    let colour = match word {
        "verified" | "agree" => AnsiColor::Green,
        "repaired" | "relabelled" => AnsiColor::Cyan,
        "problematic" | "conflict" | "inconsistent" | "contradicted" | "error" => AnsiColor::Red,
        "unparsed" | "undetermined" | "unsupported" | "warning" => AnsiColor::Yellow,
        "unjudged" | "unformalised" | "unlabelled" | "info" => AnsiColor::Blue,
        _ => return None,
    };
    Some(colour.on_default())
}

/// Colours the first word of a line of a table. Done on the finished line, so that colours cannot disturb its widths.
fn paint(line: &str, colour: bool) -> String {
    let text = line.trim_start();
    let word = text.split(' ').next().unwrap_or(text);
    match style(word) {
        Some(style) if colour => {
            let indent = line.get(..line.len() - text.len()).unwrap_or("");
            let rest = text.get(word.len()..).unwrap_or("");
            format!("{indent}{style}{word}{style:#}{rest}")
        }
        _ => line.to_owned(),
    }
}

/// A name from outside, harmless for a terminal.
fn visible(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
}

fn bold(text: &str, colour: bool) -> String {
    let style = Style::new().bold();
    if colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::testing::rows;

    fn counts() -> Counts {
        let mut counts = Counts::default();
        rows().iter().for_each(|row| counts.add(row));
        counts
    }

    #[test]
    fn the_closing_table() {
        let time = ProverTime { total: Duration::from_millis(1234), queries: 20 };
        insta::assert_snapshot!(terminal_summary(&counts(), Some(time), false), @"
        rows
         status             train   validation   published train
        ─────────────────────────────────────────────────────────
         verified      2 (22.2 %)   1 (33.3 %)      674 (67.3 %)
         repaired      1 (11.1 %)   1 (33.3 %)        23 (2.3 %)
         relabelled     0 (0.0 %)   1 (33.3 %)                 –
         problematic   5 (55.6 %)    0 (0.0 %)      304 (30.4 %)
         unjudged      1 (11.1 %)    0 (0.0 %)                 –
         all                    9            3              1001

        labels
         label                       train      validation
        ───────────────────────────────────────────────────
         labelled                        7               3
         contradicted       1 → 1 (14.3 %)   1 → 0 (0.0 %)
         unsupported        1 → 1 (14.3 %)   0 → 0 (0.0 %)
         published errors            3.8 %           1.5 %

        agreement of verdict and label (as it came → as it leaves)
         agreement      train   validation
        ───────────────────────────────────
         agree          2 → 3        1 → 3
         conflict       2 → 2        1 → 0
         inconsistent   1 → 1        0 → 0
         unparsed       1 → 0        1 → 0
         undetermined   1 → 1        0 → 0
         unformalised   1 → 1        0 → 0
         unlabelled     1 → 1        0 → 0

        what verdicts rest on
         evidence      train   validation
        ──────────────────────────────────
         certificate       9            3

        label × verdict, train
         label       True   False   Uncertain   Inconsistent   Unformalised   Undetermined
        ───────────────────────────────────────────────────────────────────────────────────
         True           2       1           0              0              0              0
         False          0       0           1              1              0              0
         Uncertain      0       0           1              0              0              1
         none           0       0           1              0              1              0

        label × verdict, validation
         label   True   False   Uncertain
        ──────────────────────────────────
         True       3       0           0

        diagnostics, train
         severity   code         rows   diagnostics
        ────────────────────────────────────────────
         error      I001   1 (11.1 %)             1
         info       R401   1 (11.1 %)             1
         error      S101   1 (11.1 %)             1

        diagnostics, validation
         severity   code         rows   diagnostics
        ────────────────────────────────────────────
         info       R401   1 (33.3 %)             1
         error      S101   1 (33.3 %)             1

        how the published figures are to be read: see summary.md
        prover: 1.23 s in 20 queries, 61.70 ms each
        ");
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let (plain, coloured) = (terminal_summary(&counts(), None, false), terminal_summary(&counts(), None, true));
        assert!(coloured.contains("\u{1b}[32mverified\u{1b}[0m"), "{coloured:?}");
        assert!(coloured.contains("\u{1b}[31mproblematic\u{1b}[0m"), "{coloured:?}");
        assert!(!plain.contains('\u{1b}'));
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
    }

    #[test]
    fn a_split_cannot_give_orders_to_the_terminal() {
        let mut row = rows().remove(0);
        row.record.split = "a\u{1b}[2Jb".to_owned();
        let mut counts = Counts::default();
        counts.add(&row);
        let text = terminal_summary(&counts, None, false);
        assert!(text.contains("a\u{FFFD}[2Jb") && !text.contains('\u{1b}'), "{text:?}");
    }

    #[test]
    fn no_query_is_not_zero_milliseconds() {
        assert_eq!(prover_line(ProverTime::default()), "prover: not asked");
    }
}
