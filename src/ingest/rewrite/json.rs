//! Places in the text of a JSON value that is known to be valid.

use std::ops::Range;

/// A string of a JSON text with its characters' places.
pub(super) struct Decoded {
    /// The string itself.
    pub(super) text: String,
    /// For each byte of `text` and its end, where in the JSON text its character starts.
    places: Vec<usize>,
}

impl Decoded {
    /// Where in the JSON text a range of the string stands.
    pub(super) fn place(&self, range: Range<usize>) -> Option<Range<usize>> {
        Some(*self.places.get(range.start)?..*self.places.get(range.end)?)
    }
}

/// Reads the string whose opening quotation mark is at `value.start`.
pub(super) fn decode(json: &str, value: Range<usize>) -> Option<Decoded> {
    let inner = json.get(value.start + 1..value.end.checked_sub(1)?)?;
    let base = value.start + 1;
    let mut out = Decoded { text: String::with_capacity(inner.len()), places: Vec::with_capacity(inner.len()) };
    let mut at = 0;
    while let Some(c) = inner.get(at..)?.chars().next() {
        let (decoded, length) = if c == '\\' { escape(inner.get(at..)?)? } else { (c, c.len_utf8()) };
        out.places.extend(std::iter::repeat_n(base + at, decoded.len_utf8()));
        out.text.push(decoded);
        at += length;
    }
    out.places.push(base + at);
    Some(out)
}

/// The character that the escape at the start of `text` stands for, and the escape's length.
fn escape(text: &str) -> Option<(char, usize)> {
    let simple = match text.as_bytes().get(1)? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'u' => {
            let unit = |at: usize| u16::from_str_radix(text.get(at..at + 4)?, 16).ok();
            let high = unit(2)?;
            if let Some(c) = char::from_u32(u32::from(high)) {
                return Some((c, 6));
            }
            let low = text.get(6..8).filter(|t| *t == "\\u").and_then(|_| unit(8))?;
            return char::decode_utf16([high, low]).next()?.ok().map(|c| (c, 12));
        }
        other => char::from(*other),
    };
    Some((simple, 2))
}

/// The inside of a JSON string for `text`, with `\u` escapes for everything beyond ASCII if `ascii`.
pub(super) fn encode(text: &str, ascii: bool) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if u32::from(c) < 0x20 || (ascii && !c.is_ascii()) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out
}

/// The place of the value of `name` in the object that `json` is.
pub(super) fn member(json: &str, name: &str) -> Option<Range<usize>> {
    let start = skip_blanks(json, 0);
    members(json, start)?.into_iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// The members of the object at `start`, in order.
pub(super) fn members(json: &str, start: usize) -> Option<Vec<(String, Range<usize>)>> {
    let mut out = Vec::new();
    let mut at = enter(json, start, b'{')?;
    while json.as_bytes().get(at)? != &b'}' {
        let end = value_end(json, at)?;
        let key = decode(json, at..end)?.text;
        at = skip_blanks(json, end);
        at = skip_blanks(json, at.checked_add(1).filter(|_| json.as_bytes().get(at) == Some(&b':'))?);
        let end = value_end(json, at)?;
        out.push((key, at..end));
        at = past_comma(json, end);
    }
    Some(out)
}

/// The items of the array at `start`, in order.
pub(super) fn items(json: &str, start: usize) -> Option<Vec<Range<usize>>> {
    let mut out = Vec::new();
    let mut at = enter(json, start, b'[')?;
    while json.as_bytes().get(at)? != &b']' {
        let end = value_end(json, at)?;
        out.push(at..end);
        at = past_comma(json, end);
    }
    Some(out)
}

fn enter(json: &str, start: usize, bracket: u8) -> Option<usize> {
    (json.as_bytes().get(start)? == &bracket).then(|| skip_blanks(json, start + 1))
}

fn past_comma(json: &str, at: usize) -> usize {
    let at = skip_blanks(json, at);
    if json.as_bytes().get(at) == Some(&b',') { skip_blanks(json, at + 1) } else { at }
}

fn skip_blanks(json: &str, at: usize) -> usize {
    let blanks = json.as_bytes().iter().skip(at).take_while(|b| b.is_ascii_whitespace()).count();
    at + blanks
}

/// Where the value that starts at `start` ends.
fn value_end(json: &str, start: usize) -> Option<usize> {
    let bytes = json.as_bytes();
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b'"' => at = string_end(bytes, at)?,
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            b if depth == 0 => {
                // A number or a word; at this depth nothing else is met.
                let rest = bytes.iter().skip(at);
                let length = rest.take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)).count();
                return (length > 0).then_some(at + length).filter(|_| !b.is_ascii_whitespace());
            }
            _ => at += 1,
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// A JSON text with `\u` escapes for everything beyond ASCII.
#[cfg(test)]
pub(super) fn encode_all(json: &str) -> String {
    json.chars().map(|c| if c.is_ascii() { c.to_string() } else { encode(&c.to_string(), true) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_items_are_found_whatever_stands_around_them() {
        let json = r#" { "a" : [1, "],", {"b": "}"}] ,"\u0062":-1.5e+3,"c":"x\"y", "d": null}"#;
        let at = |name: &str| member(json, name).map(|range| &json[range]);
        assert_eq!(at("a"), Some(r#"[1, "],", {"b": "}"}]"#));
        assert_eq!(at("b"), Some("-1.5e+3"), "the key is written with an escape");
        assert_eq!(at("c"), Some(r#""x\"y""#));
        assert_eq!(at("d"), Some("null"));
        assert_eq!(at("e"), None);
        let list: Vec<_> = items(json, member(json, "a").unwrap().start).unwrap();
        assert_eq!(list.into_iter().map(|r| &json[r]).collect::<Vec<_>>(), ["1", "\"],\"", "{\"b\": \"}\"}"]);
        assert_eq!(items("[ ]", 0), Some(Vec::new()));
    }

    #[test]
    fn strings_keep_the_places_of_their_characters() {
        let json = r#""a\u2200\ud83d\ude00\n\/é""#;
        let decoded = decode(json, 0..json.len()).unwrap();
        assert_eq!(decoded.text, "a∀😀\n/é");
        let place = |text: &str| {
            let start = decoded.text.find(text).unwrap();
            &json[decoded.place(start..start + text.len()).unwrap()]
        };
        assert_eq!(place("∀"), r"\u2200");
        assert_eq!(place("😀"), r"\ud83d\ude00");
        assert_eq!(place("\n/"), r"\n\/");
        assert_eq!(place("é"), "é");
        let whole = decoded.place(0..decoded.text.len()).unwrap();
        assert_eq!(whole, 1..json.len() - 1);
    }

    #[test]
    fn what_is_encoded_decodes_to_itself() {
        for ascii in [false, true] {
            let text = "∀x \"q\" \\ \n\t\r\u{1} 😀";
            let json = format!("\"{}\"", encode(text, ascii));
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
            assert_eq!(decode(&json, 0..json.len()).unwrap().text, text);
            assert_eq!(json.is_ascii(), ascii);
        }
    }
}
