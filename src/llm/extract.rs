//! Finding the JSON object in what a model says.

use serde_json::Value;

/// The JSON object of an answer: all of it, or what stands in its first code fence that holds one, or the first one in the
/// text around it. Trailing commas are forgiven, nothing else.
///
/// # Errors
/// What is wrong, in words for the model.
pub fn json_of(text: &str) -> Result<Value, String> {
    let text = without_thoughts(text).trim();
    if text.is_empty() {
        return Err("it is empty".to_owned());
    }
    let fenced = fences(text);
    let mut first_error = None;
    for candidate in std::iter::once(text).chain(fenced) {
        match object(candidate) {
            Ok(value) => return Ok(value),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    // In prose, any `{` may begin it.
    for (at, _) in text.match_indices('{').take(64) {
        let rest = text.get(at..).unwrap_or_default();
        let end = matching(rest).unwrap_or(rest.len());
        if let Ok(value) = object(rest.get(..end).unwrap_or_default()) {
            return Ok(value);
        }
    }
    Err(first_error.unwrap_or_else(|| "it holds no JSON object".to_owned()))
}

/// What comes behind a model's thinking aloud.
fn without_thoughts(text: &str) -> &str {
    match (text.trim_start().starts_with("<think>"), text.find("</think>")) {
        (true, Some(end)) => text.get(end + "</think>".len()..).unwrap_or_default(),
        _ => text,
    }
}

fn object(text: &str) -> Result<Value, String> {
    let text = text.trim();
    let parsed = serde_json::from_str(text).or_else(|error| {
        let forgiven = without_trailing_commas(text);
        if forgiven == text { Err(error) } else { serde_json::from_str(&forgiven).map_err(|_| error) }
    });
    match parsed {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err("it is JSON, but not an object".to_owned()),
        Err(error) => Err(format!("it is not JSON ({error})")),
    }
}

/// What stands between lines of three backticks.
fn fences(text: &str) -> Vec<&str> {
    let parts: Vec<&str> = text.split("```").collect();
    let inside = parts.iter().skip(1).step_by(2);
    inside
        .map(|part| {
            let (first, rest) = part.split_once('\n').unwrap_or(("", part));
            // The language stands behind the opening marks.
            if first.trim().chars().all(char::is_alphanumeric) { rest } else { part }
        })
        .collect()
}

/// The end of the object that a text begins with.
fn matching(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' if !quoted => depth += 1,
            '}' if !quoted => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The text without commas that stand before a closing bracket, but for those in strings.
fn without_trailing_commas(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ',' if !quoted => {
                let next = text.get(at + 1..).and_then(|rest| rest.trim_start().chars().next());
                if matches!(next, Some('}' | ']')) {
                    continue;
                }
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_object_is_found_in_whatever_stands_around_it() {
        for text in [
            r#"{"a": [1, "}"]}"#,
            "```json\n{\"a\": [1, \"}\"]}\n```",
            "```\n{\"a\": [1, \"}\"],}\n```\nI hope this helps!",
            "Sure. Here {it} is: {\"a\": [1, \"}\",],} Anything else?",
            "<think>maybe {\"a\": 2}</think>\n{\"a\": [1, \"}\"]}",
        ] {
            assert_eq!(json_of(text), Ok(json!({"a": [1, "}"]})), "{text}");
        }
        assert_eq!(json_of(r#"{"a": "x,}"}"#), Ok(json!({"a": "x,}"})));
        assert_eq!(json_of(r#"{"a": "\",}",}"#), Ok(json!({"a": "\",}"})));
    }

    #[test]
    fn what_holds_none_is_refused_with_the_reason() {
        assert_eq!(json_of(" "), Err("it is empty".to_owned()));
        assert_eq!(json_of("[1]"), Err("it is JSON, but not an object".to_owned()));
        for text in ["no", r#"{"a": "#, "{a: 1}", "{{{{", "```json\n{\n```"] {
            assert!(json_of(text).is_err_and(|why| why.starts_with("it is not JSON")), "{text}");
        }
    }
}
