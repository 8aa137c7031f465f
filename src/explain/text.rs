//! Explanations for terminals.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::document::{Block, Document, Piece, Statement, Step, Tone};
use crate::lint::report::{self, Colour};

/// Columns that code frames may take.
const WIDTH: usize = 140;
/// Columns that what a step says may take before why it is so stands behind it at once.
const ALIGNED: usize = 44;

/// Prints a document as text.
#[must_use]
pub fn text(document: &Document, colour: Colour) -> String {
    let printer = Printer { colour };
    let mut out = String::new();
    for block in &document.blocks {
        if !out.is_empty() && !out.ends_with("\n\n") {
            out.push('\n');
        }
        printer.block(block, &mut out);
    }
    let end = out.trim_end_matches('\n').len();
    out.truncate(end);
    out.push('\n');
    out
}

struct Printer {
    colour: Colour,
}

impl Printer {
    fn styled(&self, text: &str, style: Style) -> String {
        match self.colour {
            Colour::Plain => text.to_owned(),
            Colour::Ansi => format!("{style}{text}{style:#}"),
        }
    }

    fn bold(&self, text: &str) -> String {
        self.styled(text, Style::new().bold())
    }

    fn formula(&self, text: &str) -> String {
        self.styled(text, AnsiColor::Cyan.on_default())
    }

    fn dim(&self, text: &str) -> String {
        self.styled(text, Style::new().dimmed())
    }

    fn pieces(&self, pieces: &[Piece]) -> String {
        pieces.iter().fold(String::new(), |mut out, piece| {
            out.push_str(&match piece {
                Piece::Words(text) => visible(text),
                Piece::Code(text) => self.formula(&visible(text)),
                Piece::Strong(text, tone) => self.styled(
                    text,
                    match tone {
                        Tone::Good => AnsiColor::Green.on_default().bold(),
                        Tone::Bad => AnsiColor::Red.on_default().bold(),
                        Tone::Neutral => Style::new().bold(),
                    },
                ),
            });
            out
        })
    }

    fn block(&self, block: &Block, out: &mut String) {
        match block {
            Block::Title(pieces) | Block::Paragraph(pieces) => {
                let _ = writeln!(out, "{}", self.pieces(pieces));
            }
            Block::Heading(text) => {
                let _ = writeln!(out, "{}", self.bold(text));
            }
            Block::List(lines) => {
                for line in lines {
                    let _ = writeln!(out, "  {}", self.pieces(line));
                }
            }
            Block::Statements(statements) => self.statements(statements, out),
            Block::Steps(steps) => self.steps(steps, out),
            Block::Table { head, rows } => self.table(head, rows, out),
            Block::Frames(findings) => out.push_str(&report::text(findings, self.colour, WIDTH)),
        }
    }

    fn statements(&self, statements: &[Statement], out: &mut String) {
        let width = statements.iter().map(|s| columns(&s.label)).max().unwrap_or(0);
        for statement in statements {
            let mut lines: Vec<String> = Vec::new();
            lines.extend(statement.sentence.as_deref().map(visible));
            lines.extend(statement.formula.as_ref().map(|f| self.formula(&visible(f))));
            lines.extend(statement.notes.iter().map(|n| self.pieces(n)));
            let mark = if statement.used == Some(false) { "  (not needed)" } else { "" };
            for (i, line) in lines.iter().enumerate() {
                let label = if i == 0 { statement.label.as_str() } else { "" };
                let pad = " ".repeat(width.saturating_sub(columns(label)));
                let mark = if i == 0 { self.dim(mark) } else { String::new() };
                let _ = writeln!(out, "  {pad}{}  {}{mark}", self.bold(label), line);
            }
        }
    }

    fn steps(&self, steps: &[Step], out: &mut String) {
        let digits = steps.iter().filter_map(|s| s.number).max().unwrap_or(0).to_string().len();
        let plain = Self { colour: Colour::Plain };
        let length = |step: &Step| 3 * step.depth + columns(&plain.pieces(&step.what));
        let with_reason = steps.iter().filter(|s| s.number.is_some() && !s.why.is_empty());
        let width = with_reason.map(length).filter(|l| *l <= ALIGNED).max().unwrap_or(0);
        for step in steps {
            let number = step.number.map(|n| format!("{n}.")).unwrap_or_default();
            let _ = write!(out, "  {:>width$} ", number, width = digits + 1);
            out.push_str(&"   ".repeat(step.depth));
            out.push_str(&self.pieces(&step.what));
            if !step.why.is_empty() {
                let gap = if step.number.is_some() { width.saturating_sub(length(step)) + 3 } else { 1 };
                out.push_str(&" ".repeat(gap));
                out.push_str(&self.pieces(&step.why));
            }
            out.push('\n');
        }
    }

    fn table(&self, head: &[String], rows: &[Vec<String>], out: &mut String) {
        let lines = || std::iter::once(head).chain(rows.iter().map(Vec::as_slice));
        let width = |column: usize| lines().filter_map(|l| l.get(column)).map(|c| columns(c)).max().unwrap_or(0);
        let widths: Vec<usize> = (0..head.len()).map(width).collect();
        for (i, line) in lines().enumerate() {
            let cells: Vec<String> = line
                .iter()
                .zip(&widths)
                .map(|(cell, width)| {
                    let pad = " ".repeat(width.saturating_sub(columns(cell)));
                    format!("{}{pad}", if i == 0 { self.bold(cell) } else { cell.clone() })
                })
                .collect();
            let _ = writeln!(out, "  {}", cells.join("  ").trim_end());
        }
    }
}

/// A text on one line, without what would steer a terminal.
fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\r' | '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(shown).collect()
}

/// How many columns a text takes, near enough.
fn columns(text: &str) -> usize {
    text.chars().count()
}
