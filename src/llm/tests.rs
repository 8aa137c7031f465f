//! What the tests of this module share.

use std::time::Duration;

use super::{Endpoint, Limits, Structured, Timeouts, TokensField};

/// An endpoint that is patient for no longer than a test is.
pub(super) fn endpoint(base_url: &str) -> Endpoint {
    let second = Duration::from_secs(1);
    Endpoint {
        base_url: base_url.to_owned(),
        key: None,
        structured: Structured::JsonSchema,
        tokens_field: TokensField::MaxTokens,
        timeouts: Timeouts { connect: second, read: second, total: 2 * second },
        limits: Limits {
            concurrency: 4,
            requests_per_minute: 0,
            tokens_per_minute: 0,
            retries: 3,
            backoff: Duration::from_millis(10),
            longest_wait: 5 * second,
        },
    }
}
