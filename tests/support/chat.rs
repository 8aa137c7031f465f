//! A server that plays the endpoint of a language model over real HTTP: it checks every call, keeps it, and does what the
//! test says.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// One call as it came.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// How many came before it.
    pub(crate) number: usize,
    /// Since the server was started.
    pub(crate) at: Duration,
    /// The path asked for.
    pub(crate) path: String,
    /// Headers, in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    /// The body.
    pub(crate) body: Value,
}

impl Call {
    /// The name of the schema, which tells who asks.
    #[cfg(all(feature = "bundled-vampire", target_os = "linux"))]
    pub(crate) fn schema(&self) -> &str {
        self.body.pointer("/response_format/json_schema/name").and_then(Value::as_str).unwrap_or_default()
    }

    /// All that was said so far.
    pub(crate) fn text(&self) -> String {
        self.body["messages"].as_array().unwrap().iter().map(|m| m["content"].as_str().unwrap()).collect()
    }
}

/// What the server does with a call.
pub(crate) enum Play {
    /// Says this, after a while.
    Say(String, Duration),
    /// Answers with a status, headers and a body.
    Status(u16, Vec<(&'static str, String)>, String),
    /// Answers with this body, whatever it is.
    Body(String),
    /// Breaks off before it says anything.
    Drop,
    /// Breaks off in the middle of the body.
    Half(String),
    /// Says this, a byte at a time.
    Drip(String, Duration),
}

impl Play {
    pub(crate) fn say(value: &Value) -> Self {
        Self::Say(value.to_string(), Duration::ZERO)
    }
}

/// A chat completion that says a text.
pub(crate) fn completion(text: &str, number: usize) -> String {
    json!({
        "id": format!("c{number}"),
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        // Tells which call an answer in a journal came from.
        "usage": {"prompt_tokens": number, "completion_tokens": 1},
    })
    .to_string()
}

type Player = dyn Fn(&Call) -> Play + Send + Sync;

struct Shared {
    started: Instant,
    calls: Mutex<Vec<Call>>,
    inside: AtomicUsize,
    most: AtomicUsize,
    over: AtomicBool,
    /// What was wrong with calls.
    complaints: Mutex<Vec<String>>,
    play: Box<Player>,
}

/// The server; it ends when this is dropped.
pub(crate) struct Server {
    pub(crate) url: String,
    shared: Arc<Shared>,
}

impl Server {
    pub(crate) fn new(play: impl Fn(&Call) -> Play + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            started: Instant::now(),
            calls: Mutex::default(),
            inside: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            complaints: Mutex::default(),
            play: Box::new(play),
        });
        let serving = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if serving.over.load(Ordering::SeqCst) {
                    return;
                }
                let (Ok(stream), serving) = (stream, Arc::clone(&serving)) else { continue };
                thread::spawn(move || serve(&stream, &serving));
            }
        });
        Self { url, shared }
    }

    /// Every call so far.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.shared.calls.lock().unwrap().clone()
    }

    /// How many there were at once, at most.
    pub(crate) fn most(&self) -> usize {
        self.shared.most.load(Ordering::SeqCst)
    }

    /// Fails where a call was not what it should be.
    #[track_caller]
    pub(crate) fn is_content(&self) {
        assert_eq!(*self.shared.complaints.lock().unwrap(), [""; 0]);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        // Wakes the thread that listens.
        let _ = TcpStream::connect(self.url.trim_start_matches("http://").trim_end_matches("/v1"));
    }
}

/// Answers calls on one connection until it ends.
fn serve(stream: &TcpStream, shared: &Shared) {
    let _ = stream.set_nodelay(true);
    let mut reader = BufReader::new(stream);
    while let Some(call) = read(&mut reader, shared) {
        let now = shared.inside.fetch_add(1, Ordering::SeqCst) + 1;
        shared.most.fetch_max(now, Ordering::SeqCst);
        let play = (shared.play)(&call);
        if let Play::Say(_, after) = &play {
            thread::sleep(*after);
        }
        // Before the answer: who has it may call again at once.
        shared.inside.fetch_sub(1, Ordering::SeqCst);
        if !answer(stream, &call, play) {
            let _ = stream.shutdown(std::net::Shutdown::Both);
            return;
        }
    }
}

fn read(reader: &mut BufReader<&TcpStream>, shared: &Shared) -> Option<Call> {
    let mut line = String::new();
    if reader.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let mut bytes = vec![0; headers.get("content-length")?.parse().ok()?];
    reader.read_exact(&mut bytes).ok()?;
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let mut calls = shared.calls.lock().unwrap();
    let call = Call { number: calls.len(), at: shared.started.elapsed(), path, headers, body };
    calls.push(call.clone());
    drop(calls);
    let wrong = complaints(&call);
    shared.complaints.lock().unwrap().extend(wrong);
    Some(call)
}

/// What is wrong with a call, if it asks for answers by schema.
fn complaints(call: &Call) -> Vec<String> {
    fn strict(schema: &Value, wrong: &mut Vec<String>) {
        if schema["type"] == "object" {
            let names: Vec<&String> = schema["properties"].as_object().into_iter().flatten().map(|(k, _)| k).collect();
            if schema["required"] != json!(names) || schema["additionalProperties"] != false {
                wrong.push(format!("not strict: {schema}"));
            }
            schema["properties"].as_object().into_iter().flatten().for_each(|(_, s)| strict(s, wrong));
        }
        if schema["type"] == "array" {
            strict(&schema["items"], wrong);
        }
    }
    let mut wrong = Vec::new();
    if call.path != "/v1/chat/completions" {
        wrong.push(format!("asked for {}", call.path));
    }
    if call.headers.get("content-type").is_none_or(|t| t != "application/json") {
        wrong.push("no JSON".to_owned());
    }
    let format = &call.body["response_format"];
    if format["type"] != "json_schema" || format["json_schema"]["strict"] != true {
        wrong.push(format!("no schema: {format}"));
    }
    strict(&format["json_schema"]["schema"], &mut wrong);
    let messages = call.body["messages"].as_array().cloned().unwrap_or_default();
    let roles: Vec<&str> = messages.iter().filter_map(|m| m["role"].as_str()).collect();
    if !matches!(roles.as_slice(), ["system", "user"] | ["system", "user", "assistant", "user"]) {
        wrong.push(format!("roles {roles:?}"));
    }
    for (key, is_right) in [
        ("model", call.body["model"].is_string()),
        ("temperature", call.body["temperature"].is_number()),
        ("max_tokens", call.body["max_tokens"].is_u64()),
    ] {
        if !is_right {
            wrong.push(format!("{key}: {}", call.body[key]));
        }
    }
    wrong
}

/// Whether the connection can be used again.
fn answer(mut stream: &TcpStream, call: &Call, play: Play) -> bool {
    let head = |status: u16, length: usize, more: &[(&str, String)]| {
        let more: String = more.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!("HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{more}\r\n")
    };
    match play {
        Play::Say(text, _) => {
            let body = completion(&text, call.number);
            stream.write_all((head(200, body.len(), &[]) + &body).as_bytes()).is_ok()
        }
        Play::Body(body) => stream.write_all((head(200, body.len(), &[]) + &body).as_bytes()).is_ok(),
        Play::Status(status, headers, body) => {
            stream.write_all((head(status, body.len(), &headers) + &body).as_bytes()).is_ok()
        }
        Play::Drop => false,
        Play::Half(text) => {
            let body = completion(&text, call.number);
            let half = body.get(..body.len() / 2).unwrap_or_default();
            let _ = stream.write_all((head(200, body.len(), &[]) + half).as_bytes());
            false
        }
        Play::Drip(text, each) => {
            let body = completion(&text, call.number);
            let _ = stream.write_all(head(200, body.len(), &[]).as_bytes());
            for byte in body.as_bytes() {
                if stream.write_all(&[*byte]).is_err() {
                    return false;
                }
                thread::sleep(each);
            }
            true
        }
    }
}
