//! What ProverQA does its own way: the conclusion inside a question, the label as a letter.

use super::value::{Fields, Value};

/// The sentence in "Based on the above information, is the following statement true, false, or uncertain? …";
/// the whole text where it has no such opening.
pub(super) fn statement(question: &str) -> &str {
    match question.split_once('?') {
        Some((opening, rest)) if opening.contains("following statement") && !rest.trim().is_empty() => rest.trim(),
        _ => question,
    }
}

/// The option that `answer` stands for: by its own letter (`B) False`), else by its place.
pub(super) fn option<'a>(answer: &str, options: &'a [String]) -> Option<&'a str> {
    let mut letters = answer.trim().trim_end_matches([')', '.', ':']).chars();
    let letter = letters.next().filter(char::is_ascii_uppercase)?;
    if letters.next().is_some() {
        return None;
    }
    let lettered: Vec<_> = options.iter().map(|option| lettered(option)).collect();
    if lettered.iter().any(Option::is_some) {
        return lettered.into_iter().flatten().find(|(own, _)| *own == letter).map(|(_, text)| text);
    }
    let place = usize::try_from(u32::from(letter) - u32::from('A')).ok()?;
    options.get(place).map(|option| option.trim())
}

/// Takes `B) False` apart.
fn lettered(option: &str) -> Option<(char, &str)> {
    let mut rest = option.trim().chars();
    let letter = rest.next().filter(char::is_ascii_uppercase)?;
    rest.next().filter(|mark| [')', '.', ':'].contains(mark))?;
    Some((letter, rest.as_str().trim()))
}

/// An object or list that stands as JSON text in a cell that can only hold text.
pub(super) fn from_text(text: &str) -> Option<Value> {
    let value = serde_json::from_str(text).ok()?;
    matches!(value, Value::Object(_) | Value::List(_)).then_some(value)
}

/// The texts of the options, whichever way they are written.
pub(super) fn options(fields: &Fields, column: &str) -> Vec<String> {
    let texts = |items: &[Value]| {
        items.iter().filter_map(|item| if let Value::Text(text) = item { Some(text.clone()) } else { None }).collect()
    };
    match super::value::field(fields, column) {
        Some(Value::List(items)) => texts(items),
        Some(Value::Text(text)) => match from_text(text) {
            Some(Value::List(items)) => texts(&items),
            _ => text.lines().map(str::to_owned).collect(),
        },
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statement_follows_the_opening() {
        let opening = "Based on the above information, is the following statement true, false, or uncertain?";
        assert_eq!(statement(&format!("{opening} Does Tom purr? He does.")), "Does Tom purr? He does.");
        assert_eq!(statement(opening), opening);
        assert_eq!(statement("Does Tom purr? He does."), "Does Tom purr? He does.");
    }

    #[test]
    fn letters_are_looked_up_in_the_options() {
        let options = |texts: [&str; 3]| texts.map(str::to_owned);
        let usual = options(["A) True", "B) False", "C) Uncertain"]);
        assert_eq!(option("B", &usual), Some("False"));
        assert_eq!(option("C)", &usual), Some("Uncertain"));
        assert_eq!(option("D", &usual), None);
        assert_eq!(option("True", &usual), None);
        assert_eq!(
            option("A", &options(["C) True", "A) False", "B) Uncertain"])),
            Some("False"),
            "by letter, not by place"
        );
        assert_eq!(option("B", &options(["True", "False", "Uncertain"])), Some("False"));
    }
}
