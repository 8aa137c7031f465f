//! The client against a server that misbehaves in every way.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use refolio::llm::{
    Budget, Client, Endpoint, Failure, FailureKind, Journal, Limits, Message, Oracle, Parameters, Prices, Request,
    Role, Schema, Secret, Structured, Timeouts, TokensField, Way,
};
use refolio::pipeline::Cores;
use serde_json::{Value, json};

use crate::chat::{Play, Server};

fn endpoint(url: &str) -> Endpoint {
    Endpoint {
        base_url: url.to_owned(),
        key: None,
        structured: Structured::JsonSchema,
        tokens_field: TokensField::MaxTokens,
        timeouts: Timeouts {
            connect: Duration::from_secs(2),
            read: Duration::from_secs(10),
            total: Duration::from_secs(20),
        },
        limits: Limits {
            concurrency: 50,
            requests_per_minute: 0,
            tokens_per_minute: 0,
            retries: 3,
            backoff: Duration::from_millis(5),
            longest_wait: Duration::from_secs(3),
        },
    }
}

fn parameters() -> Parameters {
    Parameters { model: "fake".to_owned(), temperature: 0.0, seed: Some(1), max_tokens: 50 }
}

fn request(text: &str) -> Request {
    let body = json!({
        "type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"], "additionalProperties": false,
    });
    Request {
        agent: "critique",
        prompt: "critique/1".to_owned(),
        messages: vec![Message::new(Role::System, "Say a word."), Message::new(Role::User, text)],
        schema: Schema { name: "word", body },
        sample: 0,
    }
}

fn oracle(endpoint: Endpoint) -> Oracle {
    Oracle::new(parameters(), Way::Live(Box::new(Client::new(endpoint, parameters()).unwrap())))
}

#[expect(clippy::needless_pass_by_value, reason = "what is read is handed over")]
fn word(value: Value) -> Result<String, String> {
    value["word"].as_str().map(str::to_owned).ok_or_else(|| "no `word`".to_owned())
}

/// What comes of one question when the server plays this, call by call; the last goes on.
fn outcome(plays: impl Fn(usize) -> Play + Send + Sync + 'static) -> (Result<String, Failure>, Server) {
    let server = Server::new(move |call| plays(call.number));
    let result = oracle(endpoint(&server.url)).ask(&request("a"), word);
    server.is_content();
    (result, server)
}

fn right() -> Play {
    Play::say(&json!({"word": "heron"}))
}

fn kind(result: Result<String, Failure>) -> FailureKind {
    result.unwrap_err().kind
}

#[test]
fn what_may_pass_is_tried_again() {
    let status = |status| Play::Status(status, Vec::new(), json!({"error": {"message": "busy"}}).to_string());
    type Maker = Box<dyn Fn() -> Play + Send + Sync>;
    let makers: Vec<(&str, Maker)> = vec![
        ("429", Box::new(move || status(429))),
        ("500", Box::new(move || status(500))),
        ("503", Box::new(move || status(503))),
        ("dropped", Box::new(|| Play::Drop)),
        ("half", Box::new(|| Play::Half("x".to_owned()))),
        ("no JSON", Box::new(|| Play::Body("<html>busy</html>".to_owned()))),
        ("no completion", Box::new(|| Play::Body("{}".to_owned()))),
        ("error in place of it", Box::new(|| Play::Body(json!({"error": {"message": "overloaded"}}).to_string()))),
    ];
    for (name, make) in makers {
        let (result, server) = outcome(move |number| if number < 2 { make() } else { right() });
        assert_eq!(result, Ok("heron".to_owned()), "{name}");
        assert_eq!(server.calls().len(), 3, "{name}");
        let calls = server.calls();
        assert!(calls.iter().all(|call| call.body == calls[0].body), "{name}");
    }
}

#[test]
fn what_stays_is_a_failure_of_its_own_kind() {
    let status = |status| move |_| Play::Status(status, Vec::new(), "no".to_owned());
    for (status, expected, calls) in [
        (status(429), FailureKind::RateLimited, 4),
        (status(500), FailureKind::Status, 4),
        (status(400), FailureKind::Status, 1),
        (status(401), FailureKind::Status, 1),
        (status(404), FailureKind::Status, 1),
    ] {
        let (result, server) = outcome(status);
        assert_eq!((kind(result), server.calls().len()), (expected, calls));
    }
    let (result, server) = outcome(|_| Play::Drop);
    assert_eq!((kind(result), server.calls().len()), (FailureKind::Connection, 4));
    let choice = |choice: Value| move |_| Play::Body(json!({"choices": [choice]}).to_string());
    let (result, server) = outcome(choice(json!({"message": {"content": null, "refusal": "I must not"}})));
    assert_eq!(result.clone().unwrap_err().detail, "I must not");
    assert_eq!((kind(result), server.calls().len()), (FailureKind::Refused, 1));
    let (result, _) = outcome(choice(json!({"message": {"content": "{\"word\""}, "finish_reason": "length"})));
    assert_eq!(kind(result), FailureKind::Truncated);
    let (result, _) = outcome(|_| Play::Body(json!({"choices": []}).to_string()));
    assert_eq!(kind(result), FailureKind::Empty);
}

#[test]
fn a_slow_answer_is_a_timeout_however_it_is_slow() {
    let quick = |url: &str| {
        let mut endpoint = endpoint(url);
        endpoint.limits.retries = 1;
        endpoint.timeouts.read = Duration::from_millis(600);
        endpoint.timeouts.total = Duration::from_secs(2);
        oracle(endpoint)
    };
    // Nothing for longer than the bound on silence.
    let server = Server::new(|_| Play::Say(json!({"word": "x"}).to_string(), Duration::from_millis(1500)));
    assert_eq!(kind(quick(&server.url).ask(&request("a"), word)), FailureKind::Timeout);
    assert_eq!(server.calls().len(), 2);
    // Never silent for long, but for ever.
    let server = Server::new(|_| Play::Drip("x".repeat(1000), Duration::from_millis(20)));
    let started = Instant::now();
    assert_eq!(kind(quick(&server.url).ask(&request("a"), word)), FailureKind::Timeout);
    assert!(started.elapsed() >= Duration::from_secs(4));
}

#[test]
fn an_endpoint_that_asks_to_wait_is_left_in_peace() {
    let after = |seconds: &str| vec![("retry-after", seconds.to_owned())];
    let wait = after("1");
    let server = Server::new(move |call| match call.number {
        0 => Play::Status(429, wait.clone(), String::new()),
        _ => right(),
    });
    let oracle_of = |url: &str| oracle(endpoint(url));
    assert!(oracle_of(&server.url).ask(&request("a"), word).is_ok());
    let calls = server.calls();
    assert!(calls[1].at - calls[0].at >= Duration::from_secs(1), "{:?}", calls[1].at - calls[0].at);
    // Longer than anybody wants to wait.
    let wait = after("3600");
    let server = Server::new(move |_| Play::Status(429, wait.clone(), String::new()));
    let failure = oracle_of(&server.url).ask(&request("a"), word).unwrap_err();
    assert_eq!((failure.kind, server.calls().len()), (FailureKind::RateLimited, 1));
    assert!(failure.detail.contains("3600 s"), "{failure}");
}

#[test]
fn an_answer_that_cannot_be_read_is_asked_for_once_more() {
    let (result, server) = outcome(|number| match number {
        0 => Play::Say("I say heron.".to_owned(), Duration::ZERO),
        _ => Play::Say("Sorry! ```json\n{\"word\": \"heron\",}\n```".to_owned(), Duration::ZERO),
    });
    assert_eq!(result, Ok("heron".to_owned()));
    let again = server.calls()[1].text();
    assert!(again.contains("I say heron.") && again.contains("it is not JSON"), "{again}");
    let (result, server) = outcome(|_| Play::say(&json!({"wort": "heron"})));
    assert_eq!(result, Err(Failure::new(FailureKind::Unreadable, "no `word`")));
    assert_eq!(server.calls().len(), 2);
}

#[test]
fn a_key_goes_into_one_header_and_nowhere_else() {
    let key = "sk-very-secret";
    let server = Server::new(move |_| {
        Play::Status(401, Vec::new(), json!({"error": {"message": format!("{} {key}", "x".repeat(390))}}).to_string())
    });
    let secret = Endpoint { key: Some(Secret::new(key.to_owned())), ..endpoint(&server.url) };
    let asking = oracle(secret.clone());
    let failure = asking.ask(&request("a"), word).unwrap_err();
    assert_eq!(server.calls()[0].headers["authorization"], format!("Bearer {key}"));
    assert!(!server.calls()[0].body.to_string().contains(key));
    assert!(!format!("{failure} {failure:?} {asking:?} {secret:?}").contains(&key[..6]), "{failure}");
    // Nobody else gets it.
    let other = Server::new(|_| right());
    let elsewhere = format!("{}/chat/completions", other.url);
    let server = Server::new(move |_| Play::Status(307, vec![("location", elsewhere.clone())], String::new()));
    let moved = Endpoint { key: Some(Secret::new(key.to_owned())), ..endpoint(&server.url) };
    assert_eq!(kind(oracle(moved).ask(&request("a"), word)), FailureKind::Status);
    assert!(other.calls().is_empty());
}

#[test]
fn each_question_is_asked_once_and_never_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let server = Server::new(|_| Play::Say(json!({"word": "heron"}).to_string(), Duration::from_millis(50)));
    let first = Arc::new(oracle(endpoint(&server.url)).with_journal(Journal::open(&path).unwrap()));
    let threads: Vec<_> = (0..20)
        .map(|i| {
            let oracle = Arc::clone(&first);
            thread::spawn(move || oracle.ask(&request(&format!("q{}", i % 5)), word).unwrap())
        })
        .collect();
    threads.into_iter().for_each(|thread| assert_eq!(thread.join().unwrap(), "heron"));
    assert_eq!(server.calls().len(), 5);
    let total = first.tally().total();
    assert_eq!((total.questions, total.calls, total.recalled), (20, 5, 15));
    drop(first);
    let second = oracle(endpoint(&server.url)).with_journal(Journal::open(&path).unwrap());
    assert!(second.ask(&request("q3"), word).is_ok());
    let replay = Oracle::new(parameters(), Way::Replay).with_recorded(Journal::replay(&path).unwrap());
    assert!(replay.ask(&request("q4"), word).is_ok());
    let failure = replay.ask(&request("new"), word).unwrap_err();
    assert_eq!(failure.kind, FailureKind::NotRecorded);
    assert!(failure.detail.contains("critique/1") && replay.missing().is_some(), "{failure}");
    assert_eq!(server.calls().len(), 5);
}

#[test]
fn one_question_of_many_stories_blocks_no_core() {
    let server = Server::new(|_| Play::Say(json!({"word": "heron"}).to_string(), Duration::from_millis(100)));
    let cores = Arc::new(Cores::new(1));
    let shared = Arc::clone(&cores);
    let oracle =
        oracle(endpoint(&server.url)).while_waiting(move |waits| if waits { shared.leave() } else { shared.enter() });
    thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                cores.enter();
                let answer = oracle.ask(&request("same"), word);
                cores.leave();
                assert_eq!(answer, Ok("heron".to_owned()));
            });
        }
    });
    // As Oracle without a journal remembers nothing, each asks after the other.
    assert_eq!((server.calls().len(), server.most()), (6, 1));
}

#[test]
fn a_budget_is_kept_to() {
    let server = Server::new(|_| right());
    let spend = |budget: Budget| {
        let prices = Prices { prompt_per_million: 1e6, completion_per_million: 1e6 };
        let oracle = oracle(endpoint(&server.url)).with_budget(budget, prices);
        let before = server.calls().len();
        let answered = (0..10).filter(|i| oracle.ask(&request(&format!("b{i}")), word).is_ok()).count();
        assert_eq!(server.calls().len() - before, answered);
        (answered, oracle.exhausted())
    };
    assert_eq!(spend(Budget { max_calls: 3, ..Budget::default() }), (3, Some("max_calls")));
    assert_eq!(spend(Budget::default()), (10, None));
    // Each call may take some 55 tokens.
    let (answered, bound) = spend(Budget { max_tokens: 60, ..Budget::default() });
    assert!(answered < 10 && bound == Some("max_tokens"), "{answered}");
    let (answered, bound) = spend(Budget { max_cost: 1.0, ..Budget::default() });
    assert_eq!((answered, bound), (0, Some("max_cost")));
}

#[test]
fn many_questions_wait_at_once_and_no_more_than_allowed() {
    let server = Server::new(|_| Play::Say(json!({"word": "heron"}).to_string(), Duration::from_millis(300)));
    let oracle = Arc::new(oracle(endpoint(&server.url)));
    thread::scope(|scope| {
        for i in 0..300 {
            let oracle = Arc::clone(&oracle);
            scope.spawn(move || oracle.ask(&request(&format!("m{i}")), word).unwrap());
        }
    });
    assert_eq!(server.calls().len(), 300);
    // How near to the bound it comes depends on the machine; `benches/questions.rs` measures that.
    assert!((10..=50).contains(&server.most()), "{}", server.most());
    server.is_content();
}

#[test]
fn schemas_reach_endpoints_in_the_form_they_take() {
    let sent = |structured| {
        let server = Server::new(|_| right());
        let endpoint = Endpoint { structured, tokens_field: TokensField::MaxCompletionTokens, ..endpoint(&server.url) };
        oracle(endpoint).ask(&request("a"), word).unwrap();
        let body = server.calls()[0].body.clone();
        assert_eq!(body["max_completion_tokens"], 50);
        assert_eq!(body["seed"], 1);
        body
    };
    let body = sent(Structured::Grammar);
    assert!(body["grammar"].as_str().unwrap().starts_with("root ::= ws r0 ws"), "{body}");
    assert_eq!(body["response_format"], Value::Null);
    let body = sent(Structured::JsonObject);
    assert_eq!(body["response_format"], json!({"type": "json_object"}));
    assert!(body["messages"][0]["content"].as_str().unwrap().contains("\"word\""));
    let body = sent(Structured::Text);
    assert_eq!(body["response_format"], Value::Null);
    assert!(body["messages"][0]["content"].as_str().unwrap().contains("\"word\""));
}
