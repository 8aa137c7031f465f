//! Chat completions as OpenAI's API has them, and all who are compatible.

use serde_json::{Value, json};

use super::endpoint::{Structured, TokensField};
use super::grammar;
use super::journal::Said;
use super::request::{Parameters, Request};
use super::tally::Usage;

/// The body of a call.
#[must_use]
pub(super) fn body(
    request: &Request,
    parameters: &Parameters,
    structured: Structured,
    tokens_field: TokensField,
) -> Value {
    let mut messages = json!(request.messages);
    let schema = &request.schema;
    let mut out = json!({ "model": parameters.model, "temperature": parameters.temperature });
    let field = match tokens_field {
        TokensField::MaxTokens => "max_tokens",
        TokensField::MaxCompletionTokens => "max_completion_tokens",
    };
    out[field] = json!(parameters.max_tokens);
    if let Some(seed) = parameters.seed {
        // Several answers to one question must be able to differ.
        out["seed"] = json!(seed.wrapping_add(u64::from(request.sample)));
    }
    match structured {
        Structured::JsonSchema => {
            out["response_format"] = json!({
                "type": "json_schema",
                "json_schema": { "name": schema.name, "strict": true, "schema": schema.body },
            });
        }
        Structured::Grammar => out["grammar"] = json!(grammar::of(&schema.body)),
        Structured::JsonObject | Structured::Text => {
            if structured == Structured::JsonObject {
                out["response_format"] = json!({ "type": "json_object" });
            }
            if let Some(Value::String(system)) = messages.pointer_mut("/0/content") {
                *system =
                    format!("{system}\n\nReply with one JSON object of this schema and nothing else:\n{}", schema.body);
            }
        }
    }
    out["messages"] = messages;
    out
}

/// What a completion says.
///
/// # Errors
/// Why it is none, in words.
pub(super) fn answer(body: &Value) -> Result<(Said, String, Usage), String> {
    let tokens = |name: &str| body.pointer(&format!("/usage/{name}")).and_then(Value::as_u64).unwrap_or_default();
    let usage = Usage { prompt_tokens: tokens("prompt_tokens"), completion_tokens: tokens("completion_tokens") };
    if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
        return Err(format!("an error in place of a completion: {}", message(error)));
    }
    let choices = body.get("choices").and_then(Value::as_array).ok_or("no `choices`")?;
    let Some(choice) = choices.first() else { return Ok((Said::Empty, String::new(), usage)) };
    let finish = choice.get("finish_reason").and_then(Value::as_str).unwrap_or_default();
    let message = choice.get("message").ok_or("a choice without a `message`")?;
    if let Some(refusal) = message.get("refusal").and_then(Value::as_str).filter(|text| !text.is_empty()) {
        return Ok((Said::Refused, refusal.to_owned(), usage));
    }
    if finish == "content_filter" {
        return Ok((Said::Refused, "the endpoint's content filter".to_owned(), usage));
    }
    let text = match message.get("content") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        // Some write it in parts.
        Some(Value::Array(parts)) => parts.iter().filter_map(|p| p.get("text").and_then(Value::as_str)).collect(),
        Some(_) => return Err("`content` is no text".to_owned()),
    };
    let said = match finish {
        "length" => Said::Truncated,
        _ if text.trim().is_empty() => Said::Empty,
        _ => Said::Text,
    };
    Ok((said, text, usage))
}

/// What an error object says.
#[must_use]
pub(super) fn message(error: &Value) -> String {
    let text = error.get("message").and_then(Value::as_str).or_else(|| error.as_str());
    text.map_or_else(|| error.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sort_of_answer_is_told_apart() {
        let said = |choice: Value| answer(&json!({"choices": [choice], "usage": {"prompt_tokens": 7}}));
        let usage = Usage { prompt_tokens: 7, completion_tokens: 0 };
        let of = |said, text: &str| Ok((said, text.to_owned(), usage));
        assert_eq!(said(json!({"message": {"content": "x"}, "finish_reason": "stop"})), of(Said::Text, "x"));
        assert_eq!(said(json!({"message": {"content": [{"type": "text", "text": "x"}]}})), of(Said::Text, "x"));
        assert_eq!(said(json!({"message": {"content": "{", }, "finish_reason": "length"})), of(Said::Truncated, "{"));
        assert_eq!(said(json!({"message": {"content": null, "refusal": "no"}})), of(Said::Refused, "no"));
        assert_eq!(said(json!({"message": {"content": null}})), of(Said::Empty, ""));
        assert!(matches!(said(json!({"message": {}, "finish_reason": "content_filter"})), Ok((Said::Refused, ..))));
        assert!(matches!(answer(&json!({"choices": []})), Ok((Said::Empty, ..))));
        for none in [json!({}), json!({"choices": [{}]}), json!({"error": {"message": "overloaded"}}), json!([])] {
            assert!(answer(&none).is_err(), "{none}");
        }
        assert_eq!(said(json!({"message": {"content": 5}})), Err("`content` is no text".to_owned()));
    }
}
