//! A grammar of a JSON schema, in GBNF, the notation of llama.cpp
//! (<https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md>).

use std::fmt::Write as _;

use serde_json::Value;

/// What every grammar has.
const COMMON: &str = r#"ws ::= [ \n]?
string ::= "\"" ([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F]))* "\""
number ::= "-"? ("0" | [1-9] [0-9]*) ("." [0-9]+)?
integer ::= "-"? ("0" | [1-9] [0-9]*)
boolean ::= "true" | "false"
null ::= "null"
"#;

/// The grammar whose texts are the JSON texts that a schema allows, with at most one space or line break between two
/// signs. Schemas are of the kind described at [`Schema`](super::Schema).
#[must_use]
pub(super) fn of(schema: &Value) -> String {
    let mut rules = Vec::new();
    let root = rule(schema, &mut rules);
    let mut out = format!("root ::= ws {root} ws\n");
    for (i, body) in rules.iter().enumerate() {
        let _ = writeln!(out, "r{i} ::= {body}");
    }
    out.push_str(COMMON);
    out
}

/// The name of what a schema allows.
fn rule(schema: &Value, rules: &mut Vec<String>) -> String {
    let body = if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        words.iter().map(|word| literal(&word.to_string())).collect::<Vec<_>>().join(" | ")
    } else if let Some(several) = schema.get("anyOf").and_then(Value::as_array) {
        several.iter().map(|schema| rule(schema, rules)).collect::<Vec<_>>().join(" | ")
    } else {
        match schema.get("type").and_then(Value::as_str) {
            Some("object") => object(schema, rules),
            Some("array") => {
                let item = rule(schema.get("items").unwrap_or(&Value::Null), rules);
                format!("\"[\" ws ({item} (ws \",\" ws {item})*)? ws \"]\"")
            }
            Some(known @ ("string" | "number" | "integer" | "boolean" | "null")) => return known.to_owned(),
            _ => return "string".to_owned(),
        }
    };
    rules.push(body);
    format!("r{}", rules.len() - 1)
}

fn object(schema: &Value, rules: &mut Vec<String>) -> String {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut out = String::from("\"{\" ws");
    for (i, (name, schema)) in properties.into_iter().flatten().enumerate() {
        let value = rule(schema, rules);
        let comma = if i == 0 { "" } else { " \",\" ws" };
        let _ = write!(out, "{comma} {} ws \":\" ws {value} ws", literal(&Value::from(name.as_str()).to_string()));
    }
    out.push_str(" \"}\"");
    out
}

/// A text as a literal.
fn literal(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_grammar_names_every_part_in_order() {
        let schema = json!({
            "type": "object",
            "properties": {
                "kind": {"enum": ["a", "b\"c"]},
                "edits": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
                "why": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            },
        });
        let text = of(&schema);
        insta::assert_snapshot!(text.lines().take(6).collect::<Vec<_>>().join("\n"));
    }
}
