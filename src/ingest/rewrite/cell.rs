//! Replacing formulas inside one cell of a row, whichever way the cell holds them.

use std::ops::Range;

use super::json::{self, Decoded};
use crate::diagnostic::{Span, TextEdit};

/// What to replace in `json` so that the formulas of the value at `value` change: `formulas` are indices with new texts.
///
/// The value is one text with a formula on each line that is not blank, a list of texts, or an object from sentences to
/// formulas; with `single`, one text that is a formula as a whole. `None` where it is none of these.
pub(super) fn formula_edits(
    json: &str,
    value: Range<usize>,
    formulas: &[(usize, &str)],
    single: bool,
    ascii: bool,
) -> Option<Vec<TextEdit>> {
    let strings: Vec<Range<usize>> = match json.as_bytes().get(value.start)? {
        b'"' => {
            let decoded = json::decode(json, value)?;
            let lines = if single { vec![0..decoded.text.len()] } else { lines(&decoded.text) };
            let edits = formulas.iter().map(|(i, new)| in_string(&decoded, lines.get(*i)?.clone(), new, ascii));
            return edits.collect();
        }
        b'[' => json::items(json, value.start)?,
        b'{' => json::members(json, value.start)?.into_iter().map(|(_, value)| value).collect(),
        _ => return None,
    };
    let whole = |(i, new): &(usize, &str)| {
        let decoded = json::decode(json, strings.get(*i)?.clone())?;
        in_string(&decoded, 0..decoded.text.len(), new, ascii)
    };
    formulas.iter().map(whole).collect()
}

fn in_string(decoded: &Decoded, range: Range<usize>, new: &str, ascii: bool) -> Option<TextEdit> {
    let (range, new) = difference(&decoded.text, range, new)?;
    let place = decoded.place(range)?;
    Some(TextEdit { span: Span::new(place.start, place.end), replacement: json::encode(new, ascii) })
}

/// Narrows a replacement to what differs, so that characters that stay are written as they were.
fn difference<'a>(text: &str, range: Range<usize>, new: &'a str) -> Option<(Range<usize>, &'a str)> {
    let old = text.get(range.clone())?;
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
    };
    let front = same(&mut old.chars().zip(new.chars()));
    let (old, new) = (old.get(front..)?, new.get(front..)?);
    let back = same(&mut old.chars().rev().zip(new.chars().rev()));
    Some((range.start + front..range.end - back, new.get(..new.len() - back)?))
}

/// The places of the lines that ingest takes for formulas: trimmed, without blank ones.
fn lines(block: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    for line in block.split('\n') {
        let trimmed = line.trim();
        if !trimmed.is_empty() {
            let from = start + (line.len() - line.trim_start().len());
            out.push(from..from + trimmed.len());
        }
        start += line.len() + 1;
    }
    out
}

/// What to replace in the text of a CSV row so that the formulas of its cell number `index` change. With `objects`, the
/// cell may hold an object or a list as JSON text.
pub(super) fn in_csv(
    row: &str,
    index: usize,
    formulas: &[(usize, &str)],
    single: bool,
    objects: bool,
) -> Option<Vec<TextEdit>> {
    let cell = csv_cells(row).into_iter().nth(index)?;
    let text = &cell.text;
    let inside = objects
        && !single
        && text.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<serde_json::Value>(text).is_ok();
    let edits = if inside {
        let start = text.len() - text.trim_start().len();
        let end = text.trim_end().len();
        let ascii = text.is_ascii() && text.contains("\\u");
        formula_edits(text, start..end, formulas, single, ascii)?
    } else {
        let lines = if single { vec![0..text.len()] } else { lines(text) };
        let edit = |(i, new): &(usize, &str)| {
            let (range, new) = difference(text, lines.get(*i)?.clone(), new)?;
            Some(TextEdit { span: Span::new(range.start, range.end), replacement: new.to_owned() })
        };
        formulas.iter().map(edit).collect::<Option<Vec<_>>>()?
    };
    if !cell.quoted && edits.iter().any(|e| e.replacement.contains([',', '"', '\n', '\r'])) {
        let text = crate::diagnostic::apply_edits(text, &edits)?;
        let span = Span::new(cell.place.start, cell.place.end);
        return Some(vec![TextEdit { span, replacement: format!("\"{}\"", text.replace('"', "\"\"")) }]);
    }
    let edit = |e: TextEdit| {
        let (start, end) = (*cell.places.get(e.span.start)?, *cell.places.get(e.span.end)?);
        let replacement = if cell.quoted { e.replacement.replace('"', "\"\"") } else { e.replacement };
        Some(TextEdit { span: Span::new(start, end), replacement })
    };
    edits.into_iter().map(edit).collect()
}

/// One cell of a CSV row.
struct CsvCell {
    /// Its text without quotation marks.
    text: String,
    /// For each byte of `text` and its end, where in the row it stands.
    places: Vec<usize>,
    /// Where it stands in the row, with its quotation marks.
    place: Range<usize>,
    quoted: bool,
}

/// The cells of a row, read as the CSV reader does: a quotation mark counts only at the start of a cell, a doubled one
/// inside quotation marks is one, and what follows the closing one belongs to the cell as it stands.
fn csv_cells(row: &str) -> Vec<CsvCell> {
    let mut cells = Vec::new();
    let mut start = 0;
    loop {
        let rest = row.get(start..).unwrap_or_default();
        let quoted = rest.starts_with('"');
        let mut cell = CsvCell { text: String::new(), places: Vec::new(), place: start..row.len(), quoted };
        let mut inside = quoted;
        let mut chars = rest.char_indices().skip(usize::from(quoted)).peekable();
        let mut text_end = row.len();
        let mut next = None;
        while let Some((at, c)) = chars.next() {
            let at = start + at;
            match c {
                '"' if inside => {
                    if chars.next_if(|(_, c)| *c == '"').is_none() {
                        inside = false;
                        text_end = at;
                        continue;
                    }
                }
                ',' if !inside => {
                    next = Some(at);
                    break;
                }
                _ => {}
            }
            cell.places.extend(std::iter::repeat_n(at, c.len_utf8()));
            cell.text.push(c);
            if !inside && quoted {
                text_end = at + c.len_utf8();
            }
        }
        if let Some(comma) = next {
            cell.place.end = comma;
        }
        cell.places.push(if quoted { text_end } else { cell.place.end });
        cells.push(cell);
        match next {
            Some(comma) => start = comma + 1,
            None => return cells,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::apply_edits;

    fn csv(row: &str, index: usize, formulas: &[(usize, &str)], single: bool) -> String {
        apply_edits(row, &in_csv(row, index, formulas, single, true).unwrap()).unwrap()
    }

    #[test]
    fn a_line_of_a_block_changes_and_no_other() {
        let json = r#"" P(a)\r\n\n  Q(b \nR(c)\n""#;
        let edits = formula_edits(json, 0..json.len(), &[(1, "Q(b)")], false, true).unwrap();
        assert_eq!(apply_edits(json, &edits).unwrap(), r#"" P(a)\r\n\n  Q(b) \nR(c)\n""#);
    }

    #[test]
    fn lists_and_objects_keep_their_other_elements() {
        let json = r#"[ "P(a)","Q(b" ]"#;
        let edits = formula_edits(json, 0..json.len(), &[(1, "Q(b)")], false, true).unwrap();
        assert_eq!(apply_edits(json, &edits).unwrap(), r#"[ "P(a)","Q(b)" ]"#);
        let json = r#"{"It is.": "Q(b", "It was.": "P(a)"}"#;
        let edits = formula_edits(json, 0..json.len(), &[(0, "Q(b) ∧ P(a)")], false, true).unwrap();
        assert_eq!(apply_edits(json, &edits).unwrap(), r#"{"It is.": "Q(b) \u2227 P(a)", "It was.": "P(a)"}"#);
    }

    #[test]
    fn what_stays_is_written_as_it_was() {
        let json = r#""\u2200x P\u0028x""#;
        let edits = formula_edits(json, 0..json.len(), &[(0, "∀x P(x)")], true, false).unwrap();
        assert_eq!(apply_edits(json, &edits).unwrap(), r#""\u2200x P\u0028x)""#);
    }

    #[test]
    fn csv_cells_keep_their_quotation_marks() {
        assert_eq!(csv("a,\"P(x, \"\"b\"\"\",c", 1, &[(0, "P(x, \"b\")")], true), "a,\"P(x, \"\"b\"\")\",c");
        assert_eq!(csv("a,P(x,c", 1, &[(0, "P(x)")], true), "a,P(x),c");
        assert_eq!(csv("P(x y),c", 0, &[(0, "P(x, y)")], true), "\"P(x, y)\",c", "a comma needs quotation marks");
        assert_eq!(csv("a,\"P(x\n\nQ(y)\"", 1, &[(0, "P(x)")], false), "a,\"P(x)\n\nQ(y)\"");
        assert_eq!(csv("é,\"P(x\"", 1, &[(0, "P(x)")], true), "é,\"P(x)\"");
    }

    #[test]
    fn json_inside_csv_changes_too() {
        let row = r#"1,"{""It is."": ""P(x""}""#;
        assert_eq!(csv(row, 1, &[(0, "P(x)")], false), r#"1,"{""It is."": ""P(x)""}""#);
    }
}
