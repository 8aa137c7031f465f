//! Explanations as Markdown, for issues and reviews.

use std::fmt::Write as _;

use super::document::{Block, Document, Piece, Statement, Step};
use crate::lint::report::{self, Colour};

/// Columns that code frames may take.
const WIDTH: usize = 120;

/// Prints a document as Markdown.
#[must_use]
pub fn markdown(document: &Document) -> String {
    let mut out = String::new();
    for block in &document.blocks {
        if !out.is_empty() {
            out.push('\n');
        }
        print(block, &mut out);
    }
    out
}

fn print(block: &Block, out: &mut String) {
    match block {
        Block::Title(line) => {
            let _ = writeln!(out, "# {}", pieces(line));
        }
        Block::Heading(text) => {
            let _ = writeln!(out, "## {text}");
        }
        Block::Paragraph(line) => {
            let _ = writeln!(out, "{}", pieces(line));
        }
        Block::List(lines) => {
            for line in lines {
                let _ = writeln!(out, "- {}", pieces(line));
            }
        }
        Block::Statements(statements) => table_of_statements(statements, out),
        Block::Steps(steps) => list_of_steps(steps, out),
        Block::Table { head, rows } => {
            let head: Vec<String> = head.iter().map(|c| cell_code(c)).collect();
            let rows: Vec<Vec<String>> = rows
                .iter()
                .map(|row| row.iter().enumerate().map(|(i, c)| if i == 0 { cell_code(c) } else { cell(c) }).collect())
                .collect();
            table(&head, &rows, out);
        }
        Block::Frames(findings) => {
            let frames = report::text(findings, Colour::Plain, WIDTH);
            let frames = frames.trim_end();
            let fence = "`".repeat(longest_run(frames).max(2) + 1);
            let _ = writeln!(out, "{fence}text\n{frames}\n{fence}");
        }
    }
}

fn table_of_statements(statements: &[Statement], out: &mut String) {
    let sentences = statements.iter().any(|s| s.sentence.is_some());
    let used = statements.iter().any(|s| s.used.is_some());
    let mut head = vec![String::new()];
    head.extend(sentences.then(|| "sentence".to_owned()));
    head.push("formula".to_owned());
    head.extend(used.then(|| "needed".to_owned()));
    let rows: Vec<Vec<String>> = statements
        .iter()
        .map(|s| {
            let mut row = vec![s.label.clone()];
            row.extend(sentences.then(|| cell(s.sentence.as_deref().unwrap_or_default())));
            let mut lines: Vec<String> = s.formula.iter().map(|f| cell_code(f)).collect();
            lines.extend(s.notes.iter().map(|n| pieces(n).replace('|', "\\|")));
            row.push(lines.join("<br>"));
            row.extend(used.then(|| match s.used {
                Some(true) => "yes".to_owned(),
                Some(false) => "no".to_owned(),
                None => String::new(),
            }));
            row
        })
        .collect();
    table(&head, &rows, out);
}

fn table(head: &[String], rows: &[Vec<String>], out: &mut String) {
    let _ = writeln!(out, "| {} |", head.join(" | "));
    let _ = writeln!(out, "|{}", " --- |".repeat(head.len()));
    for row in rows {
        let _ = writeln!(out, "| {} |", row.join(" | "));
    }
}

fn list_of_steps(steps: &[Step], out: &mut String) {
    for step in steps {
        out.push_str(&"   ".repeat(step.depth));
        match step.number {
            // A numbered list would count anew in each case.
            Some(number) => {
                let _ = write!(out, "- ({number}) ");
            }
            None => out.push_str("- "),
        }
        out.push_str(&pieces(&step.what));
        if !step.why.is_empty() {
            out.push_str(if step.number.is_some() { " — " } else { " " });
            out.push_str(&pieces(&step.why));
        }
        out.push('\n');
    }
}

fn pieces(pieces: &[Piece]) -> String {
    pieces.iter().fold(String::new(), |mut out, piece| {
        match piece {
            Piece::Words(text) => out.push_str(&escaped(text)),
            Piece::Code(text) => out.push_str(&code(text)),
            Piece::Strong(text, _) => {
                let _ = write!(out, "**{}**", escaped(text));
            }
        }
        out
    })
}

/// A code span that no backtick of the text ends, nor a line.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    if text.is_empty() { String::new() } else { format!("{fence}{pad}{text}{pad}{fence}") }
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Words in which nothing is taken for markup.
fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            '\n' | '\r' => out.push(' '),
            '<' => out.push_str("&lt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
        out
    })
}

fn cell(text: &str) -> String {
    escaped(text)
}

/// In a table a bar ends the cell even within code.
fn cell_code(text: &str) -> String {
    code(text).replace('|', "\\|")
}
