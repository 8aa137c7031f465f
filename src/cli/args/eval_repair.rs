//! The arguments of `refolio eval-repair`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::{CacheFlags, ConfigSource, dialects};
use crate::evaluate::ErrorKind;
use crate::ingest::Input;

#[derive(Debug, Args)]
pub(in crate::cli) struct EvalRepairArgs {
    #[command(flatten)]
    pub(in crate::cli) source: ConfigSource,

    /// A file to read, instead of `dataset.inputs`; may be given several times
    #[arg(short, long, value_name = "[SPLIT=]FILE")]
    pub(in crate::cli) input: Vec<Input>,

    /// Which errors are made: the same number gives the same errors everywhere
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(in crate::cli) seed: u64,

    /// The kinds of errors, with commas between; all by default
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = error_kinds())]
    pub(in crate::cli) kinds: Vec<ErrorKind>,

    /// How many different errors of each kind in a record, at most
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(in crate::cli) per_record: usize,

    /// Give rows that agree wrong labels instead, and tell how often formulas are bent to them
    #[arg(long, conflicts_with_all = ["seed", "kinds", "per_record", "by_rule", "list_missed"])]
    pub(in crate::cli) wrong_labels: bool,

    /// Tell too how often each rule of the search was right
    #[arg(long)]
    pub(in crate::cli) by_rule: bool,

    /// Print each repair that went wrong, with its texts
    #[arg(long)]
    pub(in crate::cli) list: bool,

    /// Print each error that was not mended, likewise
    #[arg(long)]
    pub(in crate::cli) list_missed: bool,

    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(in crate::cli) format: EvalFormat,

    /// Threads, instead of `run.jobs`; 0 for one per core. Changes no byte of what is printed
    #[arg(short, long, value_name = "N")]
    pub(in crate::cli) jobs: Option<usize>,

    #[command(flatten)]
    pub(in crate::cli) cache: CacheFlags,

    /// How columns are named and filled; `auto` recognises it
    #[arg(long, value_name = "NAME", value_parser = dialects())]
    pub(in crate::cli) dialect: Option<String>,
}

/// What `--kinds` may hold.
fn error_kinds() -> impl TypedValueParser<Value = ErrorKind> {
    PossibleValuesParser::new(ErrorKind::ALL.map(ErrorKind::as_str)).try_map(|kind| kind.parse::<ErrorKind>())
}

/// The values of `eval-repair --format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum EvalFormat {
    /// Tables
    Text,
    /// An object
    Json,
}
