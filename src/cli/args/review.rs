//! The arguments of `refolio review`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ConfigSource;

#[derive(Debug, Args)]
#[command(after_help = REVIEW_HELP)]
pub(in crate::cli) struct ReviewArgs {
    #[command(flatten)]
    pub(in crate::cli) source: ConfigSource,

    /// The folder that a run wrote, instead of `output.dir`
    #[arg(value_name = "DIR")]
    pub(in crate::cli) dir: Option<PathBuf>,

    /// The file of decisions, instead of `review.decisions`
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) decisions: Option<PathBuf>,

    /// Who reviews; by default the user's name
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) by: Option<String>,

    /// The port of the page; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(in crate::cli) port: u16,

    /// The interface of the page; another than the default lets other machines in, who need the token all the same
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(in crate::cli) host: IpAddr,

    /// Write the rows to review for another tool to --output, instead of serving the page
    #[arg(long, value_name = "FORMAT", requires = "output", group = "job")]
    pub(in crate::cli) export: Option<ExchangeFormat>,

    /// Where --export writes
    #[arg(short, long, value_name = "FILE", requires = "export")]
    pub(in crate::cli) output: Option<PathBuf>,

    /// Take decisions from a file that another tool wrote, as --export gave it the rows
    #[arg(long, value_name = "FILE", group = "job")]
    pub(in crate::cli) import: Option<PathBuf>,

    /// Take the decisions of other reviewers' files in; may be given several times
    #[arg(long, value_name = "FILE", group = "job")]
    pub(in crate::cli) merge: Vec<PathBuf>,

    /// Tell how far reviewers agree, and on which rows they do not
    #[arg(long, group = "job")]
    pub(in crate::cli) agreement: bool,
}

const REVIEW_HELP: &str = "\
The page is served until Ctrl-C. What is decided there is on disk before the page says so, in
<output.dir>.decisions.jsonl; the next `refolio run` applies it.";

/// The values of `review --export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ExchangeFormat {
    /// Tasks for Label Studio, and its labelling configuration beside them
    LabelStudio,
    /// Records for Argilla
    Argilla,
    /// A table with columns to fill in
    Csv,
}
