//! What is wrong with a configuration.

use std::io;
use std::path::PathBuf;

use crate::diagnostic::Span;
use crate::lint::UnknownSelector;

/// Why there is no usable configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration {}: {reason}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The file is no TOML, has a key that does not exist, or a value of the wrong kind.
    #[error("{}:{line}: {message}{}", .path.display(), .suggestion.as_ref().map(|s| format!("; did you mean `{s}`?")).unwrap_or_default())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// 1-based line.
        line: usize,
        /// Where in the text, if that can be told.
        span: Option<Span>,
        /// What is wrong.
        message: String,
        /// The nearest key there is, for an unknown one.
        suggestion: Option<String>,
    },
    /// `dataset.dialect` is no dialect.
    #[error("dataset.dialect: {0}")]
    Dialect(#[from] crate::ingest::UnknownDialect),
    /// An entry of `dataset.inputs` names no file.
    #[error("dataset.inputs: {0}")]
    Input(#[from] crate::ingest::InvalidInput),
    /// `lint.select` or `lint.ignore` names no rule.
    #[error("lint: {0}")]
    Rule(#[from] UnknownSelector),
    /// `refine.prompts` names no agent.
    #[error("refine.prompts: there is no agent `{0}`")]
    Agent(String),
    /// A number out of its range.
    #[error("{key}: {value} is out of range; expected {expected}")]
    Range {
        /// The key.
        key: String,
        /// Its value.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
}
