//! The arguments of `refolio audit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ConfigSource;

#[derive(Debug, Args)]
pub(in crate::cli) struct AuditArgs {
    /// The old version: a file, several with commas between, a folder that `run` wrote, or a folder of data files
    #[arg(value_name = "OLD")]
    pub(in crate::cli) old: String,
    /// The new version, likewise; `SPLIT=` before a file or folder names its split
    #[arg(value_name = "NEW")]
    pub(in crate::cli) new: String,
    #[command(flatten)]
    pub(in crate::cli) source: ConfigSource,
    /// Write the table of all rows to this Parquet file
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// How to tell it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(in crate::cli) format: AuditFormat,
    /// Exit with 1 if anything changed so
    #[arg(long, value_name = "CHANGE", value_delimiter = ',')]
    pub(in crate::cli) fail_on: Vec<AuditFailOn>,
}

/// The values of `audit --format`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum AuditFormat {
    /// For a terminal
    Text,
    /// For a changelog
    Markdown,
    /// Every row, for programs
    Json,
    /// A page that needs nothing else, with every change marked
    Html,
}

/// The values of `audit --fail-on`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum AuditFailOn {
    /// A row of both has another label
    #[value(name = "label-change")]
    Label,
    /// A formula says something else
    #[value(name = "formula-change")]
    Formula,
    /// A sentence is another
    #[value(name = "sentence-change")]
    Sentence,
    /// Premises stand in another order
    #[value(name = "order-change")]
    Order,
    /// A row stands in another split
    #[value(name = "split-change")]
    Split,
    /// A row was added or dropped
    #[value(name = "row-change")]
    Row,
}
