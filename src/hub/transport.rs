//! Calls over HTTP, with patience.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBuilder};
use reqwest::header::{AUTHORIZATION, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::{Method, RequestBuilder, Response, StatusCode, Url};
use serde::de::DeserializeOwned;
use tokio::time::sleep;

use super::error::HubError;
use super::wire;
use crate::llm::{Secret, is_loopback};
use crate::prove::cancel;

/// Bytes of an answer that is held in memory, at most.
const MAX_BYTES: usize = 64 << 20;

/// How often a call is made again that failed in a way that may pass.
const RETRIES: usize = 4;
/// The first wait before that; it doubles with each.
const BACKOFF: Duration = Duration::from_millis(500);
/// The longest wait that the Hub may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// Until there is a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// Without a byte.
const READ: Duration = Duration::from_secs(60);
/// How often a redirect is followed.
const REDIRECTS: usize = 5;
/// How often a wait looks whether the program is to stop.
const TICK: Duration = Duration::from_millis(50);

/// Where addresses in the Hub's answers point to, whatever the endpoint.
const HOME: &str = "https://huggingface.co/";

/// Asks one endpoint.
#[derive(Debug)]
pub(super) struct Transport {
    http: reqwest::Client,
    endpoint: Url,
    token: Option<Secret>,
    authorization: Option<HeaderValue>,
}

impl Transport {
    pub(super) fn new(endpoint: &str, token: Option<Secret>) -> Result<Self, HubError> {
        let none = || HubError::Endpoint(endpoint.to_owned());
        let url = Url::parse(&format!("{}/", endpoint.trim_end_matches('/'))).map_err(|_| none())?;
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return Err(none());
        }
        let loopback = match (url.scheme(), url.host_str()) {
            ("https" | "http", Some(host)) if is_loopback(host) => true,
            ("http", Some(host)) if token.is_some() => return Err(HubError::Clear(host.to_owned())),
            ("http" | "https", Some(_)) => false,
            _ => return Err(none()),
        };
        let authorization = match &token {
            Some(token) => {
                let value = HeaderValue::from_str(&format!("Bearer {}", token.reveal()));
                let mut value = value.map_err(|_| HubError::Token)?;
                value.set_sensitive(true);
                Some(value)
            }
            None => None,
        };
        let mut http = reqwest::Client::builder()
            // The token goes to the endpoint alone; redirects lead elsewhere.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            .read_timeout(READ)
            .user_agent(concat!("refolio/", env!("CARGO_PKG_VERSION")));
        if loopback {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|e| HubError::SetUp(e.to_string()))?;
        Ok(Self { http, endpoint: url, token, authorization })
    }

    pub(super) const fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// The URL of a path below the endpoint, whose parts are encoded.
    pub(super) fn url(&self, parts: &[&str]) -> Result<Url, HubError> {
        let mut url = self.endpoint.clone();
        match url.path_segments_mut() {
            Ok(mut path) => path.pop_if_empty().extend(parts),
            Err(()) => return Err(HubError::Endpoint(self.endpoint.to_string())),
        };
        Ok(url)
    }

    /// A URL out of the Hub's answers, which may be relative to `base` or name the Hub by its usual name.
    pub(super) fn given(&self, text: &str, base: &Url, what: &str) -> Result<Url, HubError> {
        let url = match text.strip_prefix(HOME) {
            Some(path) => self.endpoint.join(path),
            None => base.join(text),
        };
        let url = url
            .map_err(|_| HubError::Protocol { what: what.to_owned(), reason: "an address that is none".to_owned() })?;
        // What is fetched over a safe line must not come over another.
        if url.scheme() == "https" || (url.scheme() == "http" && self.endpoint.scheme() == "http") {
            return Ok(url);
        }
        Err(HubError::Protocol { what: what.to_owned(), reason: format!("an address by {}", url.scheme()) })
    }

    /// A request, which carries the token only to the endpoint itself.
    pub(super) fn request(&self, method: Method, url: &Url) -> RequestBuilder {
        let request = self.http.request(method, url.clone());
        match &self.authorization {
            Some(value) if url.origin() == self.endpoint.origin() => request.header(AUTHORIZATION, value.clone()),
            _ => request,
        }
    }

    /// Sends a request until there is an answer that stands. `build` is called for each time.
    pub(super) async fn send(
        &self,
        what: &str,
        build: impl Fn() -> Result<RequestBuilder, HubError>,
    ) -> Result<Response, HubError> {
        let waits = ExponentialBuilder::new().with_min_delay(BACKOFF).with_max_times(RETRIES).with_jitter();
        let mut waits = waits.build();
        loop {
            let request = build()?.build().map_err(|e| HubError::SetUp(e.to_string()))?;
            let url = request.url().clone();
            let (error, passing, after) = match self.http.execute(request).await {
                Ok(response) if response.status().is_success() || response.status().is_redirection() => {
                    return Ok(response);
                }
                Ok(response) => self.refusal(what, response).await,
                Err(error) => (self.broken(what, &url, &error), true, None),
            };
            let Some(wait) = passing.then(|| waits.next()).flatten() else { return Err(error) };
            match after {
                Some(after) if after > LONGEST_WAIT => return Err(error),
                Some(after) => sleep(after).await,
                None => sleep(wait).await,
            }
        }
    }

    /// Sends a request that gives JSON.
    pub(super) async fn json<T: DeserializeOwned>(
        &self,
        what: &str,
        build: impl Fn() -> Result<RequestBuilder, HubError>,
    ) -> Result<T, HubError> {
        let response = self.send(what, build).await?;
        self.parsed(what, response).await
    }

    /// What an answer holds.
    pub(super) async fn parsed<T: DeserializeOwned>(&self, what: &str, response: Response) -> Result<T, HubError> {
        let protocol = |reason: String| HubError::Protocol { what: what.to_owned(), reason };
        if response.status().is_redirection() {
            let to = response.headers().get(LOCATION).and_then(|v| v.to_str().ok()).unwrap_or("elsewhere");
            return Err(protocol(self.scrub(&format!("it points to {to}"))));
        }
        let bytes = self.bytes(what, response).await?;
        serde_json::from_slice(&bytes).map_err(|e| protocol(e.to_string()))
    }

    /// The body of an answer that is small.
    pub(super) async fn bytes(&self, what: &str, mut response: Response) -> Result<Vec<u8>, HubError> {
        let url = response.url().clone();
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|e| self.broken(what, &url, &e))? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > MAX_BYTES {
                let reason = "an answer without end".to_owned();
                return Err(HubError::Protocol { what: what.to_owned(), reason });
            }
        }
        Ok(bytes)
    }

    /// Fetches a URL wherever it leads; the token stays behind where it leads to another server.
    pub(super) async fn follow(&self, what: &str, url: Url) -> Result<Response, HubError> {
        let mut url = url;
        for _ in 0..=REDIRECTS {
            let response = self.send(what, || Ok(self.request(Method::GET, &url))).await?;
            if !response.status().is_redirection() {
                return Ok(response);
            }
            let to = response.headers().get(LOCATION).and_then(|v| v.to_str().ok()).map(str::to_owned);
            let Some(to) = to else {
                let reason = "a redirect to nowhere".to_owned();
                return Err(HubError::Protocol { what: what.to_owned(), reason });
            };
            url = self.given(&to, &url, what)?;
        }
        Err(HubError::Protocol { what: what.to_owned(), reason: "redirects without end".to_owned() })
    }

    /// An answer that is an error; whether it may pass, and how long the Hub asks to wait.
    async fn refusal(&self, what: &str, response: Response) -> (HubError, bool, Option<Duration>) {
        let status = response.status();
        let header = |name: &str| response.headers().get(name).and_then(|v| v.to_str().ok()).map(str::to_owned);
        let after = header(RETRY_AFTER.as_str()).and_then(|text| seconds(&text));
        let told = header("x-error-message");
        let detail = match self.bytes(what, response).await {
            Ok(bytes) if bytes.is_empty() => told.unwrap_or_else(|| wire::said(&bytes)),
            Ok(bytes) => wire::said(&bytes),
            Err(_) => told.unwrap_or_else(|| "it does not say why".to_owned()),
        };
        let (what, detail) = (what.to_owned(), self.scrub(&detail));
        let passing = matches!(status.as_u16(), 408 | 429 | 500 | 502..=504);
        let error = match status {
            StatusCode::UNAUTHORIZED => HubError::Unauthorized { what, detail },
            StatusCode::FORBIDDEN => HubError::Forbidden { what, detail },
            StatusCode::NOT_FOUND => HubError::NotFound { what, detail },
            StatusCode::CONFLICT => HubError::Exists { what, detail },
            StatusCode::TOO_MANY_REQUESTS => {
                let detail = after.map_or(detail, |after| format!("for {} s", after.as_secs()));
                HubError::RateLimited { what, detail }
            }
            _ => HubError::Status { what, status: status.as_u16(), detail },
        };
        (error, passing, after)
    }

    /// A call without an answer. The address may be signed, so only its host is told.
    pub(super) fn broken(&self, what: &str, url: &Url, error: &reqwest::Error) -> HubError {
        // The cause says more than the error itself.
        let mut cause: &dyn std::error::Error = error;
        while let Some(source) = cause.source() {
            cause = source;
        }
        let host = url.host_str().unwrap_or_default();
        let host = url.port_or_known_default().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        HubError::Unreachable { what: what.to_owned(), host, reason: self.scrub(&cause.to_string()) }
    }

    /// A text without the token.
    fn scrub(&self, text: &str) -> String {
        self.token.as_ref().map_or_else(|| text.to_owned(), |token| token.scrub(text))
    }
}

/// What `Retry-After` says, as far as it says it in seconds.
fn seconds(text: &str) -> Option<Duration> {
    let seconds = text.trim().parse::<f64>().ok().filter(|s| s.is_finite() && *s >= 0.0)?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// What comes of some work, unless the program is told to stop meanwhile.
pub(super) async fn unless_cancelled<T>(work: impl Future<Output = Result<T, HubError>>) -> Result<T, HubError> {
    let stop = async {
        while !cancel::is_requested() {
            sleep(TICK).await;
        }
    };
    let (mut work, mut stop) = (pin!(work), pin!(stop));
    std::future::poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(done),
        Poll::Pending => stop.as_mut().poll(context).map(|()| Err(HubError::Cancelled)),
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_that_could_give_away_the_token_are_refused() {
        let new =
            |endpoint: &str, token: Option<&str>| Transport::new(endpoint, token.map(|t| Secret::new(t.to_owned())));
        assert!(new("https://huggingface.co", Some("hf_x")).is_ok());
        assert!(new("http://127.0.0.1:1/", Some("hf_x")).is_ok());
        assert!(new("http://a.example", None).is_ok());
        assert!(matches!(new("http://a.example", Some("hf_x")), Err(HubError::Clear(_))));
        assert!(matches!(new("https://me:pw@a.example", None), Err(HubError::Endpoint(_))));
        assert!(matches!(new("a.example", None), Err(HubError::Endpoint(_))));
        assert!(matches!(new("https://a.example", Some("a\nb")), Err(HubError::Token)));
    }

    #[test]
    fn the_token_goes_to_the_endpoint_alone() {
        let transport = Transport::new("http://127.0.0.1:1", Some(Secret::new("hf_x".to_owned()))).unwrap();
        let carries = |url: &str| {
            let request = transport.request(Method::GET, &Url::parse(url).unwrap()).build().unwrap();
            request.headers().contains_key(AUTHORIZATION)
        };
        assert!(carries("http://127.0.0.1:1/api/x"));
        assert!(!carries("http://127.0.0.1:2/api/x"));
        assert!(!carries("http://localhost:1/api/x"));
    }

    #[test]
    fn paths_are_encoded_and_addresses_lead_to_the_endpoint() {
        let transport = Transport::new("http://127.0.0.1:1/hub/", None).unwrap();
        let url = transport.url(&["api", "tree", "refs/convert/parquet", "a b"]).unwrap();
        assert_eq!(url.as_str(), "http://127.0.0.1:1/hub/api/tree/refs%2Fconvert%2Fparquet/a%20b");
        let given = |text: &str| transport.given(text, &url, "x").map(|url| url.to_string()).ok();
        assert_eq!(given("https://huggingface.co/api/y").as_deref(), Some("http://127.0.0.1:1/hub/api/y"));
        assert_eq!(given("https://cdn.example/z").as_deref(), Some("https://cdn.example/z"));
        assert_eq!(given("file:///etc/passwd"), None);
    }
}
