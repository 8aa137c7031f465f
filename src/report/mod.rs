//! The report of a run: one page that needs nothing else, made of the files of the output folder alone.
//!
//! The page holds the numbers and pictures that a maintainer looks at first, and every row: a compact index to list, search and
//! filter by, and what else there is to show of a row in pieces, packed, which the page unpacks when one of its rows is
//! opened. Rows are read one after the other; memory holds the index and one piece at a time.

mod charts;
mod index;
mod numbers;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use rayon::prelude::*;
use serde_json::Value;

use self::charts::Chart;
use self::index::Index;
use self::numbers::Numbers;
use crate::emit::{Counts, Draft, EmitError, MANIFEST_FILE, SplitCounts, StoredError, label_word, labels, read_rows};
use crate::explain::escaped;
use crate::page::{self, RowView};
use crate::record::{Row, Status, Verdict};
use crate::verify::{Reading, ReadingOptions};

/// The file's name.
pub const REPORT_FILE: &str = "report.html";

/// The file that holds what asking language models took.
pub const USAGE_FILE: &str = "usage.json";

/// Rows of which the details are packed together.
const PIECE: usize = 128;

const TEMPLATE: &str = include_str!("assets/report.html");
const STYLE: &str = include_str!("assets/report.css");
const SCRIPT: &str = include_str!("assets/report.js");

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file of the run cannot be read.
    #[error(transparent)]
    Stored(#[from] StoredError),
    /// The manifest cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The page cannot be written.
    #[error(transparent)]
    Write(#[from] EmitError),
    /// A row cannot be put into the page.
    #[error("cannot put a row into the page: {0}")]
    Json(#[from] serde_json::Error),
}

/// What a report holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported {
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// Rows that are listed.
    pub listed: usize,
    /// Rows of the run.
    pub rows: u64,
}

/// Writes `report.html` into an output folder. Of more than `max_rows` rows only those that are not `verified` are listed, and
/// of these at most as many; the page says so.
///
/// # Errors
/// Where a file of the run cannot be read or the page cannot be written; then an earlier report stays as it was.
pub fn write(dir: &Path, max_rows: usize) -> Result<Reported, ReportError> {
    let path = dir.join(MANIFEST_FILE);
    let failed = |reason: String| ReportError::Manifest { path: path.clone(), reason };
    let manifest: Value = serde_json::from_str(&fs::read_to_string(&path).map_err(|e| failed(e.to_string()))?)
        .map_err(|e| failed(e.to_string()))?;
    let counts = Counts::from_json(&manifest["counts"]).ok_or_else(|| failed("its counts are none".to_owned()))?;
    let options = reading(&manifest).ok_or_else(|| failed("it does not say how formulas are read".to_owned()))?;
    let total: u64 = counts.splits.values().map(|split| split.rows).sum();
    let all = total <= max_rows as u64;

    let mut draft = Draft::create(dir, REPORT_FILE)?;
    let target = draft.target().to_owned();
    let io = |source| ReportError::Write(EmitError::write(&target, source));
    let mut index = Index::default();
    let mut numbers = Numbers::default();
    numbers.read_times(dir)?;
    // What stands before the rows needs numbers of all rows, so the pieces come first, in a file of their own.
    let mut pieces = tempfile::tempfile().map_err(io)?;
    let mut waiting: Vec<Row> = Vec::with_capacity(PIECE);
    let mut count = 0_usize;
    let mut outcome = Ok(());
    read_rows(dir, |row| {
        numbers.push(&row);
        if outcome.is_err() || index.len() >= max_rows || !(all || row.status != Status::Verified) {
            return;
        }
        index.push(&row);
        waiting.push(row);
        if waiting.len() == PIECE {
            outcome = piece(&waiting, options, count, &mut pieces, io);
            waiting.clear();
            count += 1;
        }
    })?;
    outcome?;
    if !waiting.is_empty() {
        piece(&waiting, options, count, &mut pieces, io)?;
    }
    let listed = index.len();
    let usage = usage(dir, &manifest);
    let script = format!("{}\n{SCRIPT}", page::ROW_SCRIPT);
    let style = format!("{}\n{}\n{STYLE}", page::STYLE, page::ROW_STYLE);
    let charts = numbers.charts(&counts, usage.as_ref());
    let (before, after) = TEMPLATE.split_once("{{ pieces }}").unwrap_or((TEMPLATE, ""));
    let before = before
        .replace("{{ policy }}", &policy(&script))
        .replace("{{ style }}", &style)
        .replace("{{ run }}", &run(&manifest, &counts))
        .replace("{{ matrices }}", &matrices(&counts))
        .replace("{{ charts }}", &charts.iter().map(figure).collect::<String>())
        .replace("{{ listed }}", &told(listed, total, all));
    draft.write_all(before.as_bytes()).map_err(io)?;
    draft.write_all(packed("index", &index.json(PIECE)?).map_err(io)?.as_bytes()).map_err(io)?;
    std::io::Seek::rewind(&mut pieces).map_err(io)?;
    std::io::copy(&mut pieces, &mut draft).map_err(io)?;
    draft.write_all(after.replace("{{ script }}", &script).as_bytes()).map_err(io)?;
    let sealed = draft.seal()?;
    let bytes = sealed.bytes;
    sealed.publish()?;
    Ok(Reported { path: dir.join(REPORT_FILE), bytes, listed, rows: total })
}

/// How the run read formulas.
fn reading(manifest: &Value) -> Option<ReadingOptions> {
    let read = |key: &str| manifest["config"]["parse"][key].clone();
    Some(ReadingOptions {
        scope: serde_json::from_value(read("quantifier_scope")).ok()?,
        free: serde_json::from_value(read("free_variables")).ok()?,
    })
}

/// What asking language models took, where this run asked any.
fn usage(dir: &Path, manifest: &Value) -> Option<Value> {
    let asked = manifest["fixes"] == "agents";
    asked.then(|| fs::read_to_string(dir.join(USAGE_FILE)).ok())?.and_then(|text| serde_json::from_str(&text).ok())
}

/// The policy of the page: its own script and nothing from anywhere.
fn policy(script: &str) -> String {
    let hash = page::script_hash(script);
    format!("default-src 'none'; style-src 'unsafe-inline'; script-src '{hash}'; base-uri 'none'; form-action 'none'")
}

/// The details of some rows.
fn piece(
    rows: &[Row],
    options: ReadingOptions,
    number: usize,
    to: &mut fs::File,
    io: impl Fn(std::io::Error) -> ReportError,
) -> Result<(), ReportError> {
    let view = |row: &Row| {
        let reading = Reading::new(&row.premises_fol, row.conclusion_fol.as_deref(), options);
        RowView::new(row, &reading)
    };
    let views: Vec<RowView> = rows.par_iter().map(view).collect();
    let text = packed(&format!("p{number}"), &serde_json::to_vec(&views)?).map_err(&io)?;
    to.write_all(text.as_bytes()).map_err(io)
}

/// Data that lies in the page and is nothing to a browser until the script asks for it.
fn packed(id: &str, bytes: &[u8]) -> std::io::Result<String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    let text = STANDARD.encode(encoder.finish()?);
    Ok(format!("<script type=\"application/octet-stream\" id=\"{id}\">{text}</script>\n"))
}

/// What was run, and what became of its rows.
fn run(manifest: &Value, counts: &Counts) -> String {
    let mut out = String::new();
    let mut whole = SplitCounts::default();
    counts.splits.values().for_each(|split| whole.merge(split));
    let tile = |out: &mut String, number: u64, name: &str| {
        let _ = write!(out, "<li class=\"{name}\"><strong>{number}</strong> {name}</li>");
    };
    out.push_str("<ul class=\"tiles\">");
    tile(&mut out, whole.rows, "rows");
    for status in Status::ALL {
        if whole.status.get(status) > 0 {
            tile(&mut out, whole.status.get(status), status.as_str());
        }
    }
    out.push_str("</ul>\n<p class=\"made\">");
    let text = |value: &Value| escaped(value.as_str().unwrap_or_default());
    let inputs = manifest["inputs"].as_array().map(Vec::as_slice).unwrap_or_default();
    let inputs: Vec<String> = inputs
        .iter()
        .map(|input| {
            format!("<code>{}</code> ({} rows)", text(&input["name"]), input["rows"].as_u64().unwrap_or_default())
        })
        .collect();
    let _ = writeln!(
        out,
        "{} · refolio {} · {} {} · fixes {} · configuration <code>{}</code></p>",
        inputs.join(", "),
        text(&manifest["refolio_version"]),
        text(&manifest["prover"]["name"]),
        text(&manifest["prover"]["version"]),
        text(&manifest["fixes"]),
        text(&manifest["config_sha256"]).chars().take(12).collect::<String>()
    );
    out
}

/// Labels against verdicts, of all splits, before and after.
fn matrices(counts: &Counts) -> String {
    let mut whole = SplitCounts::default();
    counts.splits.values().for_each(|split| whole.merge(split));
    let mut out = String::new();
    for (title, judgements) in [("as it came", &whole.original), ("as it leaves", &whole.leaving)] {
        let shown: Vec<Verdict> = Verdict::ALL.into_iter().filter(|v| judgements.verdict(*v) > 0).collect();
        let _ =
            write!(out, "<table class=\"matrix\"><caption>{title}</caption><thead><tr><th scope=\"col\">label</th>");
        for verdict in &shown {
            let _ = write!(out, "<th scope=\"col\">{verdict}</th>");
        }
        out.push_str("</tr></thead><tbody>");
        for label in labels().filter(|label| judgements.label(*label) > 0) {
            let all = judgements.label(label);
            let _ = write!(out, "<tr><th scope=\"row\">{}</th>", label_word(label));
            for verdict in &shown {
                let n = judgements.matrix.get((label, *verdict));
                let share = (n * 100).checked_div(all).unwrap_or_default();
                let kind = match verdict.agreement(label) {
                    crate::record::Agreement::Agree => "same",
                    crate::record::Agreement::Conflict => "other",
                    _ => "none",
                };
                let _ = write!(out, "<td class=\"{kind}\" style=\"--share: {share}%\">{n}</td>");
            }
            out.push_str("</tr>");
        }
        out.push_str("</tbody></table>\n");
    }
    out
}

fn figure(chart: &Chart) -> String {
    let cells = |tag: &str, cells: &[String]| {
        cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect::<String>()
    };
    let rows: String = chart.rows.iter().map(|row| format!("<tr>{}</tr>", cells("td", row))).collect();
    format!(
        "<figure><figcaption><h2>{}</h2><p>{}</p></figcaption>\n{}\n<details><summary>The numbers</summary><div class=\"scroll\" \
         tabindex=\"0\"><table><thead><tr>{}</tr></thead><tbody>{rows}</tbody></table></div></details></figure>\n",
        escaped(&chart.title),
        escaped(chart.note),
        chart.svg,
        cells("th", &chart.head),
    )
}

/// Which rows are listed.
fn told(listed: usize, total: u64, all: bool) -> String {
    match (all, listed as u64 == total) {
        (true, _) | (_, true) => String::new(),
        _ => format!(
            "Of {total} rows only {listed} are listed here: those that are not verified, as far as there is room. The Parquet \
             files have all of them."
        ),
    }
}
