//! Calls over HTTP, with patience.

use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBuilder};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{StatusCode, Url};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, sleep_until};

use super::endpoint::{Endpoint, EndpointError, is_loopback};
use super::failure::{Failure, FailureKind};
use super::limit::SlidingWindow;
use super::oracle::{Answer, Answers, Keep};
use super::request::{Parameters, Request};
use super::wire;
use crate::prove::cancel;

/// Bytes of an answer, at most.
const MAX_BYTES: usize = 16 << 20;

/// How much of what an endpoint says of an error is kept, in characters.
const MAX_DETAIL: usize = 400;

/// How often a wait looks whether the run is to stop.
const TICK: Duration = Duration::from_millis(50);

/// Characters of one token, by experience with English; only for foreseeing how many a question has.
const CHARACTERS_PER_TOKEN: usize = 3;

/// Why there is no client.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The endpoint is of no use.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The key cannot stand in a header.
    #[error("the key holds characters that no key has")]
    Key,
    /// The system gives no threads or no TLS.
    #[error("cannot set up the client: {0}")]
    SetUp(String),
}

/// Asks one endpoint, never faster than it allows. Any number of threads may ask at once; each waits for its answer.
#[derive(Debug)]
pub struct Client {
    runtime: tokio::runtime::Runtime,
    http: reqwest::Client,
    url: Url,
    endpoint: Endpoint,
    parameters: Parameters,
    slots: Semaphore,
    requests: Option<SlidingWindow>,
    tokens: Option<SlidingWindow>,
    /// Until when the endpoint has asked for quiet.
    quiet: Mutex<Option<Instant>>,
}

/// A call that failed.
struct Problem {
    failure: Failure,
    /// Whether it may pass.
    passing: bool,
    /// How long the endpoint asks to wait.
    after: Option<Duration>,
}

impl Client {
    /// A client of an endpoint.
    ///
    /// # Errors
    /// Where the endpoint is of no use, or the system refuses what it needs.
    pub fn new(endpoint: Endpoint, parameters: Parameters) -> Result<Self, ClientError> {
        let url = endpoint.url()?;
        let set_up = |error: &dyn std::fmt::Display| ClientError::SetUp(error.to_string());
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(key) = &endpoint.key {
            let mut value = HeaderValue::from_str(&format!("Bearer {}", key.reveal())).map_err(|_| ClientError::Key)?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let mut http = reqwest::Client::builder()
            .default_headers(headers)
            // Where a question goes is for the settings to say alone.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(endpoint.timeouts.connect)
            .read_timeout(endpoint.timeouts.read)
            .timeout(endpoint.timeouts.total)
            .user_agent(concat!("refolio/", env!("CARGO_PKG_VERSION")));
        if url.host_str().is_some_and(is_loopback) {
            http = http.no_proxy();
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let window = |amount| (amount > 0).then(|| SlidingWindow::new(amount, Duration::from_secs(60)));
        Ok(Self {
            runtime: runtime.map_err(|e| set_up(&e))?,
            http: http.build().map_err(|e| set_up(&e))?,
            url,
            parameters,
            slots: Semaphore::new(endpoint.limits.concurrency.max(1)),
            requests: window(endpoint.limits.requests_per_minute),
            tokens: window(endpoint.limits.tokens_per_minute),
            quiet: Mutex::new(None),
            endpoint,
        })
    }

    async fn patiently(&self, request: &Request, keep: Keep<'_>) -> Result<Answer, Failure> {
        let Endpoint { structured, tokens_field, limits, .. } = &self.endpoint;
        let body = wire::body(request, &self.parameters, *structured, *tokens_field).to_string();
        let characters: usize = request.messages.iter().map(|m| m.content.chars().count()).sum();
        let foreseen = (characters / CHARACTERS_PER_TOKEN) as u64 + u64::from(self.parameters.max_tokens);
        let mut waits = ExponentialBuilder::new()
            .with_min_delay(limits.backoff)
            .with_max_delay(limits.longest_wait)
            .with_max_times(limits.retries)
            .with_jitter()
            .build();
        loop {
            let slot = unless_cancelled(self.slots.acquire()).await?;
            unless_cancelled(self.quiet()).await?;
            // Last, so that what is noted as passed leaves at once.
            if let Some(window) = &self.tokens {
                unless_cancelled(window.pass(foreseen)).await?;
            }
            if let Some(window) = &self.requests {
                unless_cancelled(window.pass(1)).await?;
            }
            let problem = match self.once(body.clone()).await {
                Ok(answer) => {
                    keep(&answer)?;
                    return Ok(answer);
                }
                Err(problem) => problem,
            };
            drop(slot);
            let Some(wait) = problem.passing.then(|| waits.next()).flatten() else { return Err(problem.failure) };
            let wait = match problem.after {
                Some(after) if after > limits.longest_wait => {
                    let detail = format!("{}; it asks to wait {} s", problem.failure.detail, after.as_secs());
                    return Err(Failure::new(problem.failure.kind, detail));
                }
                Some(after) => {
                    self.keep_quiet(after);
                    after
                }
                None => wait,
            };
            unless_cancelled(sleep(wait)).await?;
        }
    }
    /// One call.
    async fn once(&self, body: String) -> Result<Answer, Problem> {
        let mut response = self.http.post(self.url.clone()).body(body).send().await.map_err(|e| self.broken(&e))?;
        let status = response.status();
        let after = response.headers().get(RETRY_AFTER).and_then(|v| v.to_str().ok()).and_then(seconds);
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|e| self.broken(&e))? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > MAX_BYTES {
                return Err(self.problem(FailureKind::Protocol, "an answer without end", false, None));
            }
        }
        if !status.is_success() {
            let kind = match status {
                StatusCode::TOO_MANY_REQUESTS => FailureKind::RateLimited,
                StatusCode::REQUEST_TIMEOUT | StatusCode::GATEWAY_TIMEOUT => FailureKind::Timeout,
                _ => FailureKind::Status,
            };
            let passing = status.is_server_error()
                || matches!(
                    status,
                    StatusCode::TOO_MANY_REQUESTS
                        | StatusCode::REQUEST_TIMEOUT
                        | StatusCode::CONFLICT
                        | StatusCode::TOO_EARLY
                );
            return Err(self.problem(kind, &format!("{status}: {}", said_of_error(&bytes)), passing, after));
        }
        let protocol = |why: String| self.problem(FailureKind::Protocol, &why, true, None);
        let value: Value =
            serde_json::from_slice(&bytes).map_err(|e| protocol(format!("the answer is not JSON ({e})")))?;
        wire::answer(&value).map_err(protocol)
    }

    fn broken(&self, error: &reqwest::Error) -> Problem {
        let kind = if error.is_timeout() { FailureKind::Timeout } else { FailureKind::Connection };
        // The cause says more than the error itself, which names the URL.
        let mut cause: &dyn std::error::Error = error;
        while let Some(source) = cause.source() {
            cause = source;
        }
        let host = self.url.host_str().unwrap_or_default();
        let port = self.url.port_or_known_default().unwrap_or_default();
        self.problem(kind, &format!("{host}:{port}: {cause}"), true, None)
    }

    fn problem(&self, kind: FailureKind, detail: &str, passing: bool, after: Option<Duration>) -> Problem {
        let whole = self.endpoint.key.as_ref().map_or_else(|| detail.to_owned(), |key| key.scrub(detail));
        let detail: String = whole.chars().take(MAX_DETAIL).collect();
        Problem { failure: Failure::new(kind, detail), passing, after }
    }

    /// Waits for as long as the endpoint has asked for quiet.
    async fn quiet(&self) {
        loop {
            let until = *self.quiet.lock().unwrap_or_else(PoisonError::into_inner);
            match until {
                Some(until) if until > Instant::now() => sleep_until(until).await,
                _ => return,
            }
        }
    }

    fn keep_quiet(&self, after: Duration) {
        let until = Instant::now() + after;
        let mut quiet = self.quiet.lock().unwrap_or_else(PoisonError::into_inner);
        *quiet = quiet.map_or(Some(until), |old| Some(old.max(until)));
    }
}

impl Answers for Client {
    /// Once the run is told to stop no call is begun any more; one that is under way is waited for, since it is paid for.
    fn ask(&self, request: &Request, keep: Keep<'_>) -> Result<Answer, Failure> {
        self.runtime.block_on(self.patiently(request, keep))
    }
}

/// What `Retry-After` says, as far as it says it in seconds. A date is of another clock, and left to the own patience.
fn seconds(text: &str) -> Option<Duration> {
    text.trim()
        .parse::<f64>()
        .ok()
        .filter(|s| s.is_finite() && *s >= 0.0)
        .and_then(|s| Duration::try_from_secs_f64(s).ok())
}

fn said_of_error(bytes: &[u8]) -> String {
    let value: Option<Value> = serde_json::from_slice(bytes).ok();
    match value.as_ref().and_then(|value| value.get("error")) {
        Some(error) => wire::message(error),
        None => String::from_utf8_lossy(bytes).trim().to_owned(),
    }
}

/// What comes of waiting, unless the run is to stop.
async fn unless_cancelled<F: Future>(wait: F) -> Result<F::Output, Failure> {
    // What need not wait at all must not begin either.
    if cancel::is_requested() {
        return Err(Failure::new(FailureKind::Cancelled, "the run was told to stop"));
    }
    let stop = async {
        while !cancel::is_requested() {
            sleep(TICK).await;
        }
    };
    let (wait, stop) = (std::pin::pin!(wait), std::pin::pin!(stop));
    match either(wait, stop).await {
        Some(done) => Ok(done),
        None => Err(Failure::new(FailureKind::Cancelled, "the run was told to stop")),
    }
}

/// The output of the first, or `None` where the second ends before it.
async fn either<A: Future + Unpin, B: Future + Unpin>(mut first: A, mut second: B) -> Option<A::Output> {
    std::future::poll_fn(|context| {
        use std::task::Poll;
        if let Poll::Ready(done) = std::pin::Pin::new(&mut first).poll(context) {
            return Poll::Ready(Some(done));
        }
        std::pin::Pin::new(&mut second).poll(context).map(|_| None)
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_read_in_seconds() {
        assert_eq!(seconds(" 2 "), Some(Duration::from_secs(2)));
        assert_eq!(seconds("0.5"), Some(Duration::from_millis(500)));
        for none in ["", "-1", "NaN", "1e300", "Wed, 21 Oct 2026 07:28:00 GMT"] {
            assert_eq!(seconds(none), None, "{none}");
        }
    }
}
