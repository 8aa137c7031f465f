//! How every command comes by the Hub: here, and only here, the environment is read for it.

use std::fs;
use std::path::PathBuf;

use super::config::caches;
use super::error::CliError;
use crate::hub::{Hub, Settings};
use crate::llm::Secret;

/// The Hub that is asked where the environment names none.
const ENDPOINT: &str = "https://huggingface.co";

/// A client of the Hub that the environment names.
pub(super) fn hub() -> Result<Hub, CliError> {
    let text = |name: &str| std::env::var(name).ok().map(|v| v.trim().to_owned()).filter(|v| !v.is_empty());
    let endpoint = text("HF_ENDPOINT").unwrap_or_else(|| ENDPOINT.to_owned());
    let cache = caches().ok_or(CliError::NoHubCache)?.join("hub");
    Ok(Hub::new(Settings { endpoint, token: text("HF_TOKEN").or_else(stored).map(Secret::new), cache })?)
}

/// The token that a log-in has left.
fn stored() -> Option<String> {
    let path = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let home = || Some(path("XDG_CACHE_HOME").or_else(|| Some(path("HOME")?.join(".cache")))?.join("huggingface"));
    let file = path("HF_TOKEN_PATH").or_else(|| Some(path("HF_HOME").or_else(home)?.join("token")))?;
    let token = fs::read_to_string(file).ok()?.trim().to_owned();
    (!token.is_empty()).then_some(token)
}
