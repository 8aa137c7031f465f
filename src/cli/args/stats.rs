//! The arguments of `refolio stats`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ConfigSource, dialects};

#[derive(Debug, Args)]
pub(in crate::cli) struct StatsArgs {
    /// Files, folders that `run` wrote, or folders of data files; without any, the inputs of the configuration
    #[arg(value_name = "[SPLIT=]FILE|DIR")]
    pub(in crate::cli) inputs: Vec<String>,

    #[command(flatten)]
    pub(in crate::cli) source: ConfigSource,

    /// How columns are named and filled; `auto` recognises it
    #[arg(long, value_name = "NAME", value_parser = dialects())]
    pub(in crate::cli) dialect: Option<String>,

    /// Write the table of what stands there twice to this Parquet file
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) out: Option<PathBuf>,

    /// How to tell it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(in crate::cli) format: StatsFormat,

    /// Exit with 1 if there is such a thing
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(in crate::cli) fail_on: Vec<StatsFailOn>,
}

/// The values of `stats --format`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum StatsFormat {
    /// For a terminal
    Text,
    /// For a page about the dataset
    Markdown,
    /// For programs
    Json,
}

/// The values of `stats --fail-on`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum StatsFailOn {
    /// A story or a record stands in two splits, with the same sentences
    Leakage,
    /// A story or a record has the formulas of one in another split, up to renaming
    FormulaLeakage,
    /// A record stands there twice, with the same sentences
    Duplicates,
    /// A formula does not parse, or a row cannot be read
    Unparsed,
}
