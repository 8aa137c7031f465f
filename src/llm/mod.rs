//! Asking language models, so that nothing is paid for twice and everything can be told again.
//!
//! A question is a value ([`Request`]) with a key that depends on all that its answer depends on. Who asks goes through an
//! [`Oracle`]: it looks into the journal of this run, then into the cache of earlier ones, and only then asks an endpoint,
//! or, in a replay, says that the answer is missing, or, for a batch, notes the question down. Nothing here knows what is
//! asked, or any logic.

mod batch;
mod cache;
mod client;
mod endpoint;
mod extract;
mod failure;
mod grammar;
mod journal;
mod limit;
mod oracle;
mod prompt;
mod request;
mod tally;
mod wire;

#[cfg(test)]
mod tests;

pub use batch::{BatchError, Imported, export, import};
pub use cache::ReplyCache;
pub use client::{Client, ClientError};
pub(crate) use endpoint::is_loopback;
pub use endpoint::{Endpoint, EndpointError, Limits, Secret, Structured, Timeouts, TokensField};
pub use extract::json_of;
pub use failure::{Failure, FailureKind};
pub use journal::{Entry, Journal, JournalError, Said};
pub use limit::SlidingWindow;
pub use oracle::{Answer, Answers, Asked, Budget, Keep, Oracle, Prices, Way};
pub use prompt::{Prompt, PromptError};
pub use request::{Message, Parameters, Request, Role, Schema};
pub use tally::{AgentTally, Tally, Usage};
