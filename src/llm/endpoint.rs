//! Where and how models are asked.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How an answer is held to its schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Structured {
    /// By `response_format` with the JSON schema (OpenAI, Gemini, vLLM, Ollama, llama.cpp).
    JsonSchema,
    /// By a grammar made of the schema (llama.cpp).
    Grammar,
    /// By `response_format` that asks for some JSON object; the schema stands in the question.
    JsonObject,
    /// Not at all: the schema stands in the question, and the object is looked for in the answer.
    Text,
}

/// Which field holds the bound on an answer's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokensField {
    /// What nearly everybody takes.
    MaxTokens,
    /// What OpenAI's reasoning models take.
    MaxCompletionTokens,
}

/// A secret that no output shows.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Hides a text.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The text, for the one header that needs it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// A text without it.
    pub(crate) fn scrub(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "[key]") }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}

/// How long anything may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Until there is a connection.
    pub connect: Duration,
    /// Without a byte.
    pub read: Duration,
    /// One call in all.
    pub total: Duration,
}

/// How often, and how many at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Calls at once, at least 1.
    pub concurrency: usize,
    /// Calls in every minute, whenever it begins; 0 for no bound.
    pub requests_per_minute: u64,
    /// Tokens in every minute, of questions and answers as far as they can be foreseen; 0 for no bound.
    pub tokens_per_minute: u64,
    /// How often a call is made again that failed in a way that may pass.
    pub retries: usize,
    /// The first wait before that; it doubles with each.
    pub backoff: Duration,
    /// The longest wait that an endpoint may ask for.
    pub longest_wait: Duration,
}

/// Where and how models are asked.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// What stands before `/chat/completions`.
    pub base_url: String,
    /// What identifies the payer; `None` where nothing is asked for.
    pub key: Option<Secret>,
    /// How an answer is held to its schema.
    pub structured: Structured,
    /// Which field holds the bound on tokens.
    pub tokens_field: TokensField,
    /// How long anything may take.
    pub timeouts: Timeouts,
    /// How often.
    pub limits: Limits,
}

/// A base URL that is of no use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// It is none.
    #[error("{0:?} is not the URL of an endpoint; expected http(s)://HOST/…")]
    NoUrl(String),
    /// It holds a name and a password, or a query, in which keys are known to stand.
    #[error("the URL of the endpoint holds a user, a query or a fragment; a key belongs into an environment variable")]
    Secrets,
    /// It is that of the call itself.
    #[error("{0:?} is where calls go; leave out `/chat/completions`")]
    Whole(String),
    /// A key would go over the net in the clear.
    #[error("{0} would get the key unencrypted; use https, or an endpoint on this machine")]
    Clear(String),
}

impl Endpoint {
    /// The URL that questions go to.
    ///
    /// # Errors
    /// Where the base URL is none, or could give away a secret.
    pub fn url(&self) -> Result<reqwest::Url, EndpointError> {
        let none = || EndpointError::NoUrl(self.base_url.clone());
        if self.base_url.trim_end_matches('/').ends_with("/chat/completions") {
            return Err(EndpointError::Whole(self.base_url.clone()));
        }
        let url = format!("{}/chat/completions", self.base_url.trim_end_matches('/'));
        let url = reqwest::Url::parse(&url).map_err(|_| none())?;
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
            return Err(EndpointError::Secrets);
        }
        match (url.scheme(), url.host_str()) {
            ("https", Some(_)) => {}
            ("http", Some(host)) if self.key.is_none() || is_loopback(host) => {}
            ("http", Some(host)) => return Err(EndpointError::Clear(host.to_owned())),
            _ => return Err(none()),
        }
        Ok(url)
    }
}

/// Whether a host is this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::super::tests::endpoint;
    use super::*;

    #[test]
    fn a_url_that_could_give_away_a_secret_is_refused() {
        let url = |base: &str, key: Option<&str>| {
            let key = key.map(|key| Secret::new(key.to_owned()));
            Endpoint { key, ..endpoint(base) }.url().map(|url| url.to_string())
        };
        assert_eq!(url("https://a.example/v1/", Some("k")), Ok("https://a.example/v1/chat/completions".to_owned()));
        assert_eq!(url("http://127.0.0.1:80/v1", Some("k")), Ok("http://127.0.0.1/v1/chat/completions".to_owned()));
        assert_eq!(url("http://[::1]:8/v1", Some("k")), Ok("http://[::1]:8/v1/chat/completions".to_owned()));
        assert_eq!(url("http://a.example/v1", None), Ok("http://a.example/v1/chat/completions".to_owned()));
        assert_eq!(url("http://a.example/v1", Some("k")), Err(EndpointError::Clear("a.example".to_owned())));
        for secret in ["https://me:pw@a.example/v1", "https://a.example/v1?key=x", "https://a.example/v1#x"] {
            assert_eq!(url(secret, None), Err(EndpointError::Secrets), "{secret}");
        }
        for none in ["", "a.example/v1", "ftp://a.example"] {
            assert_eq!(url(none, None), Err(EndpointError::NoUrl(none.to_owned())));
        }
    }

    #[test]
    fn a_secret_is_never_shown() {
        let secret = Secret::new("sk-12".to_owned());
        assert_eq!(format!("{secret:?}"), "[key]");
        assert_eq!(secret.scrub("bad key sk-12!"), "bad key [key]!");
    }
}
