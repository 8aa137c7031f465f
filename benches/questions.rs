//! How well a language model's limits are used, against a server on loopback:
//!
//! ```sh
//! cargo bench --profile release --bench questions
//! ```
//!
//! 300 questions at 50 in flight to a server that takes a second over each, beside the least that could take; then 180
//! questions under a limit of 60 a minute, with the fullest window of 60 seconds that the server saw.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on has failed")]

#[path = "../tests/support/chat.rs"]
#[expect(dead_code, reason = "the tests play more than is needed here")]
mod chat;

use std::thread;
use std::time::{Duration, Instant};

use refolio::llm::{
    Client, Endpoint, Limits, Message, Oracle, Parameters, Request, Role, Schema, Structured, Timeouts, TokensField,
    Way,
};
use serde_json::json;

use crate::chat::{Play, Server};

fn oracle(url: &str, concurrency: usize, requests_per_minute: u64) -> Oracle {
    let parameters = Parameters { model: "fake".to_owned(), temperature: 0.0, seed: None, max_tokens: 10 };
    let second = Duration::from_secs(1);
    let endpoint = Endpoint {
        base_url: url.to_owned(),
        key: None,
        structured: Structured::JsonSchema,
        tokens_field: TokensField::MaxTokens,
        timeouts: Timeouts { connect: 5 * second, read: 10 * second, total: 20 * second },
        limits: Limits {
            concurrency,
            requests_per_minute,
            tokens_per_minute: 0,
            retries: 0,
            backoff: second,
            longest_wait: second,
        },
    };
    Oracle::new(parameters.clone(), Way::Live(Box::new(Client::new(endpoint, parameters).unwrap())))
}

/// Asks so many different questions at once, and says how long that took.
fn ask(oracle: &Oracle, count: usize) -> Duration {
    let request = |i: usize| Request {
        agent: "critique",
        prompt: "none/1".to_owned(),
        messages: vec![Message::new(Role::System, "s"), Message::new(Role::User, format!("question {i}"))],
        schema: Schema {
            name: "any",
            body: json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false}),
        },
        sample: 0,
    };
    let started = Instant::now();
    thread::scope(|scope| {
        for i in 0..count {
            scope.spawn(move || oracle.ask(&request(i), Ok).unwrap());
        }
    });
    started.elapsed()
}

fn main() {
    let server = Server::new(|_| Play::Say("{}".to_owned(), Duration::from_secs(1)));
    let took = ask(&oracle(&server.url, 50, 0), 300).as_secs_f64();
    println!(
        "300 questions, 50 in flight, 1 s each: {took:.2} s, {:.2} times the ideal 6 s; {} at once",
        took / 6.0,
        server.most()
    );

    let server = Server::new(|_| Play::Say("{}".to_owned(), Duration::ZERO));
    let took = ask(&oracle(&server.url, 50, 60), 180).as_secs_f64();
    let at: Vec<f64> = server.calls().iter().map(|call| call.at.as_secs_f64()).collect();
    let fullest = at.iter().map(|start| at.iter().filter(|t| (*start..*start + 60.0).contains(*t)).count()).max();
    println!(
        "180 questions, 60 a minute: {took:.1} s, {:.1} % over the ideal 120 s; at most {} in any 60 s",
        (took / 120.0 - 1.0) * 100.0,
        fullest.unwrap_or_default()
    );
}
