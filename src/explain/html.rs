//! Explanations as a page that needs nothing else: no script, no font, no picture.

use std::fmt::Write as _;

use super::document::{Block, Document, Piece, Statement, Step, Tone};
use crate::lint::report::{self, Colour};
use crate::page::STYLE;

/// Columns that code frames may take: what fits the page at its full width.
const WIDTH: usize = 120;

/// Nothing is loaded and nothing is run, whatever the texts hold.
pub(crate) const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Prints a document as an HTML page.
#[must_use]
pub fn html(document: &Document) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{} · refolio</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escaped(&document.name)
    );
    for block in &document.blocks {
        print(block, &mut out);
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// Prints the blocks of a document alone, for a page that has the style of [`html`].
#[must_use]
pub fn html_fragment(document: &Document) -> String {
    let mut out = String::new();
    document.blocks.iter().for_each(|block| print(block, &mut out));
    out
}

fn print(block: &Block, out: &mut String) {
    match block {
        Block::Title(line) => {
            let _ = writeln!(out, "<h1>{}</h1>", pieces(line));
        }
        Block::Heading(text) => {
            let _ = writeln!(out, "<h2>{}</h2>", escaped(text));
        }
        Block::Paragraph(line) => {
            let _ = writeln!(out, "<p>{}</p>", pieces(line));
        }
        Block::List(lines) => {
            out.push_str("<ul class=\"lines\">\n");
            for line in lines {
                let _ = writeln!(out, "<li>{}</li>", pieces(line));
            }
            out.push_str("</ul>\n");
        }
        Block::Statements(list) => statements(list, out),
        Block::Steps(list) => steps(list, out),
        Block::Table { head, rows } => {
            out.push_str("<div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead><tr>");
            for cell in head {
                let _ = write!(out, "<th scope=\"col\">{}</th>", name(cell));
            }
            out.push_str("</tr></thead>\n<tbody>\n");
            for row in rows {
                out.push_str("<tr>");
                for (i, cell) in row.iter().enumerate() {
                    let _ = match i {
                        0 => write!(out, "<th scope=\"row\">{}</th>", name(cell)),
                        _ => write!(out, "<td>{}</td>", escaped(cell)),
                    };
                }
                out.push_str("</tr>\n");
            }
            out.push_str("</tbody>\n</table>\n</div>\n");
        }
        Block::Frames(findings) => {
            let frames = report::text(findings, Colour::Plain, WIDTH);
            let _ = writeln!(out, "<pre tabindex=\"0\">{}</pre>", escaped(frames.trim_end()));
        }
    }
}

fn statements(statements: &[Statement], out: &mut String) {
    out.push_str("<table class=\"statements\">\n<tbody>\n");
    for s in statements {
        let class = if s.used == Some(false) { " class=\"unneeded\"" } else { "" };
        let _ = write!(out, "<tr{class}><th scope=\"row\">{}</th><td>", escaped(&s.label));
        let mut lines: Vec<String> = Vec::new();
        lines.extend(s.sentence.as_ref().map(|s| escaped(s)));
        lines.extend(s.formula.as_ref().map(|f| code(f)));
        lines.extend(s.notes.iter().map(|n| format!("<span class=\"note\">{}</span>", pieces(n))));
        lines.extend((s.used == Some(false)).then(|| "<span class=\"note\">not needed</span>".to_owned()));
        let _ = writeln!(out, "{}</td></tr>", lines.join("<br>"));
    }
    out.push_str("</tbody>\n</table>\n");
}

fn steps(steps: &[Step], out: &mut String) {
    out.push_str("<ol class=\"steps\">\n");
    for step in steps {
        let number = step.number.map(|n| format!("{n}.")).unwrap_or_default();
        let _ = write!(
            out,
            "<li style=\"--depth: {}\"><span class=\"number\">{number}</span><span class=\"step\"><span>{}</span>",
            step.depth,
            pieces(&step.what)
        );
        if !step.why.is_empty() {
            let _ = write!(out, "<span class=\"why\">{}</span>", pieces(&step.why));
        }
        out.push_str("</span></li>\n");
    }
    out.push_str("</ol>\n");
}

fn pieces(pieces: &[Piece]) -> String {
    pieces.iter().fold(String::new(), |mut out, piece| {
        match piece {
            Piece::Words(text) => out.push_str(&escaped(text)),
            Piece::Code(text) => out.push_str(&code(text)),
            Piece::Strong(text, tone) => {
                let class = match tone {
                    Tone::Good => " class=\"good\"",
                    Tone::Bad => " class=\"bad\"",
                    Tone::Neutral => "",
                };
                let _ = write!(out, "<strong{class}>{}</strong>", escaped(text));
            }
        }
        out
    })
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<code>{}</code>", escaped(text)) }
}

/// A name that heads a column or a row: long ones may be broken between their words, `schoolTalentShow` before `Talent`.
fn name(text: &str) -> String {
    let mut before = None;
    let starts = text.char_indices().filter(|(at, c)| {
        let small = |c: char| c.is_lowercase() || c.is_numeric();
        let next_small =
            text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next()).is_some_and(char::is_lowercase);
        match before.replace(*c) {
            Some('_') => *c != '_',
            before => before.is_some_and(small) && c.is_uppercase() && next_small,
        }
    });
    let ends = starts.map(|(at, _)| at).chain([text.len()]);
    let mut start = 0;
    let words: Vec<String> =
        ends.map(|end| escaped(text.get(std::mem::replace(&mut start, end)..end).unwrap_or_default())).collect();
    if text.is_empty() { String::new() } else { format!("<code>{}</code>", words.join("<wbr>")) }
}

/// Text in which nothing is taken for markup, neither between tags nor within an attribute.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // HTML has no way to write them.
            c if c.is_control() && !c.is_ascii_whitespace() => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_broken_between_words() {
        for (text, expected) in [
            ("", ""),
            ("bonnie", "bonnie"),
            ("schoolTalentShow", "school<wbr>Talent<wbr>Show"),
            ("2008SummerOlympics", "2008<wbr>Summer<wbr>Olympics"),
            ("gRE", "gRE"),
            ("GRETest", "GRETest"),
            ("one_two__three", "one_<wbr>two__<wbr>three"),
            ("élanVital<b>", "élan<wbr>Vital&lt;b&gt;"),
        ] {
            assert_eq!(name(text), if text.is_empty() { String::new() } else { format!("<code>{expected}</code>") });
        }
    }
}
