//! A question to a language model.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::record::hex;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// What the model is to be.
    System,
    /// Who asks.
    User,
    /// The model.
    Assistant,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

impl Message {
    /// A message.
    #[must_use]
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self { role, content: content.into() }
    }
}

/// What an answer must look like.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Schema {
    /// A name of letters, digits and `_`.
    pub name: &'static str,
    /// A JSON schema. Only objects of which every property is required and no other allowed, arrays, strings, enumerations,
    /// numbers, integers, booleans and `anyOf` with null occur, which is what endpoints take in strict mode.
    pub body: Value,
}

/// What an answer depends on beside the question itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Parameters {
    /// The model's name, as the endpoint knows it.
    pub model: String,
    /// From 0, the most probable word always, to 2.
    pub temperature: f64,
    /// Where the endpoint takes one, so that it answers the same again; `None` to leave it out.
    pub seed: Option<u64>,
    /// Tokens of an answer, at most.
    pub max_tokens: u32,
}

/// One question.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Whose question it is: what its cost is booked under.
    pub agent: &'static str,
    /// Which version of which prompt it was made from; for people, and no part of the key: the messages hold its text.
    pub prompt: String,
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// What the answer must look like.
    pub schema: Schema,
    /// Which of several answers to the same question this one is, from 0.
    pub sample: u32,
}

impl Request {
    /// Identifies the question: the SHA-256, in lower-case hexadecimal, of model, parameters, messages, schema and sample
    /// as JSON.
    #[must_use]
    pub fn key(&self, parameters: &Parameters) -> String {
        #[derive(Serialize)]
        struct Whole<'a> {
            parameters: &'a Parameters,
            messages: &'a [Message],
            schema: &'a Schema,
            sample: u32,
        }
        let Self { messages, schema, sample, .. } = self;
        // Plain data: it cannot fail.
        let text = serde_json::to_vec(&Whole { parameters, messages, schema, sample: *sample }).unwrap_or_default();
        hex(&Sha256::digest(&text))
    }

    /// The question with what was answered and what is wrong with it, to be asked once more.
    #[must_use]
    pub fn again(&self, answer: &str, wrong: &str) -> Self {
        let mut again = self.clone();
        again.messages.push(Message::new(Role::Assistant, answer));
        again.messages.push(Message::new(
            Role::User,
            format!("That reply cannot be used: {wrong}\nReply again, with one JSON object of the required form and nothing else."),
        ));
        again
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_key_changes_with_all_that_an_answer_depends_on() {
        let parameters = Parameters { model: "m".to_owned(), temperature: 0.0, seed: Some(1), max_tokens: 10 };
        let request = Request {
            agent: "critique",
            prompt: "critique/1".to_owned(),
            messages: vec![Message::new(Role::System, "a"), Message::new(Role::User, "b")],
            schema: Schema { name: "s", body: json!({"type": "object"}) },
            sample: 0,
        };
        let key = request.key(&parameters);
        assert_eq!(key.len(), 64);
        let mut others = vec![request.again("x", "y"), Request { sample: 1, ..request.clone() }];
        others.push(Request { messages: vec![Message::new(Role::System, "ab")], ..request.clone() });
        others.push(Request { schema: Schema { name: "s", body: json!({"type": "array"}) }, ..request.clone() });
        let mut keys: Vec<String> = others.iter().map(|r| r.key(&parameters)).collect();
        for changed in [
            Parameters { model: "n".to_owned(), ..parameters.clone() },
            Parameters { temperature: 0.5, ..parameters.clone() },
            Parameters { seed: None, ..parameters.clone() },
            Parameters { max_tokens: 11, ..parameters.clone() },
        ] {
            keys.push(request.key(&changed));
        }
        keys.push(key.clone());
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 9);
        assert_eq!(Request { agent: "refiner", prompt: "other".to_owned(), ..request }.key(&parameters), key);
    }
}
