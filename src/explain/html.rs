//! Explanations as a page that needs nothing else: no script, no font, no picture.

use std::fmt::Write as _;

use super::document::{Block, Document, Piece, Statement, Step, Tone};
use crate::lint::report::{self, Colour};

/// Columns that code frames may take.
const WIDTH: usize = 120;

/// Colours come from the reader's setting, light or dark.
const STYLE: &str = "\
:root { color-scheme: light dark; --fg: #1d2330; --bg: #fbfbfa; --dim: #5d6675; --line: #d9dce2; --code: #0b5c7a;
  --good: #17692f; --bad: #a52323; --box: #f1f2f4; }
@media (prefers-color-scheme: dark) { :root { --fg: #e3e6ec; --bg: #14171d; --dim: #9aa3b2; --line: #333a46;
  --code: #7cc7e6; --good: #79cf8f; --bad: #f19090; --box: #1d2129; } }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; color: var(--fg); background: var(--bg);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; border-bottom: 1px solid var(--line); }
code { color: var(--code); font-family: ui-monospace, monospace; font-size: .95em; overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
pre { background: var(--box); padding: .8rem; overflow-x: auto; font-family: ui-monospace, monospace; font-size: .85rem; }
ul.lines { list-style: none; padding: 0; color: var(--dim); }
ol.steps { list-style: none; padding: 0; }
ol.steps li { display: flex; flex-wrap: wrap; gap: 0 .8rem; padding: .15rem 0 .15rem calc(var(--depth) * 1.6rem); }
.why { flex: 1 1 20rem; }
.number { color: var(--dim); min-width: 2rem; text-align: right; } .why, .unneeded, .note { color: var(--dim); }
.good { color: var(--good); } .bad { color: var(--bad); }
";

/// Prints a document as an HTML page.
#[must_use]
pub fn html(document: &Document) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escaped(&document.name)
    );
    for block in &document.blocks {
        print(block, &mut out);
    }
    out.push_str("</body>\n</html>\n");
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
            out.push_str("<table>\n<thead><tr>");
            for cell in head {
                let _ = write!(out, "<th scope=\"col\">{}</th>", code(cell));
            }
            out.push_str("</tr></thead>\n<tbody>\n");
            for row in rows {
                out.push_str("<tr>");
                for (i, cell) in row.iter().enumerate() {
                    let _ = match i {
                        0 => write!(out, "<th scope=\"row\">{}</th>", code(cell)),
                        _ => write!(out, "<td>{}</td>", escaped(cell)),
                    };
                }
                out.push_str("</tr>\n");
            }
            out.push_str("</tbody>\n</table>\n");
        }
        Block::Frames(findings) => {
            let frames = report::text(findings, Colour::Plain, WIDTH);
            let _ = writeln!(out, "<pre>{}</pre>", escaped(frames.trim_end()));
        }
    }
}

fn statements(statements: &[Statement], out: &mut String) {
    out.push_str("<table>\n<tbody>\n");
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
            "<li style=\"--depth: {}\"><span class=\"number\">{number}</span><span>{}</span>",
            step.depth,
            pieces(&step.what)
        );
        if !step.why.is_empty() {
            let _ = write!(out, "<span class=\"why\">{}</span>", pieces(&step.why));
        }
        out.push_str("</li>\n");
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

/// Text in which nothing is taken for markup, neither between tags nor within an attribute.
fn escaped(text: &str) -> String {
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
