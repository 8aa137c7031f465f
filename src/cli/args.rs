//! The arguments of every command.

mod audit;
mod cache;
mod eval_repair;
mod explain;
mod lint;
mod llm;
mod publish;
mod review;
mod run;
mod stats;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};

pub(super) use self::audit::{AuditArgs, AuditFailOn, AuditFormat};
pub(super) use self::cache::{CacheArgs, CacheCommand, CacheFlags, CacheVerifyArgs};
pub(super) use self::eval_repair::{EvalFormat, EvalRepairArgs};
use self::explain::PROVE_HELP;
pub(super) use self::explain::{ExplainArgs, ExplainFormat, ExplainOutput, ProveArgs, Syntax};
pub(super) use self::lint::{LintArgs, LintFormat, RuleArgs};
pub(super) use self::llm::{LlmCommand, LlmExportArgs, LlmImportArgs, LlmPromptArgs};
pub(super) use self::publish::PublishArgs;
pub(super) use self::review::{ExchangeFormat, ReviewArgs};
pub(super) use self::run::{FailOn, Fixes, RunArgs};
pub(super) use self::stats::{StatsArgs, StatsFailOn, StatsFormat};
use crate::ingest::Dialect;

/// Verifies, repairs and traces natural-language / first-order-logic datasets.
#[derive(Debug, Parser)]
#[command(name = "refolio", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,

    /// Print no progress and no closing table; errors are still printed
    #[arg(short, long, global = true, display_order = 998)]
    pub(super) quiet: bool,
}

const EXIT_CODES: &str = "\
Exit codes:
    0  completed, whatever the verdicts
    1  completed, and a condition of --fail-on is met, `lint` found errors, `check` a verdict that
       does not hold, `prove` no verdict, or there is no --tptp or --proof to print
    2  wrong usage or configuration
    3  an input that cannot be read
    4  the prover is missing or unusable
    5  output that cannot be written, as on a full disk
    6  language models cannot be asked, or a replay lacks an answer
    7  the Hugging Face Hub refuses or cannot be reached
  130  interrupted";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Read, parse, lint, verify, and write refined Parquet splits; flags override the configuration
    Run(RunArgs),
    /// Put shards together that `run --shard` has written, once it is shown that they are the whole
    Merge(MergeArgs),
    /// Show what the rules find in files, with the place in the formula underlined
    Lint(LintArgs),
    /// Check again what a run wrote, from its files alone: certificates, models and which premises are used
    Check(CheckArgs),
    /// Tell what the verdict on one record rests on: a proof in steps, or worlds as small tables
    Explain(ExplainArgs),
    /// Answer a question that is typed or piped in, and tell what the answer rests on
    #[command(after_help = PROVE_HELP)]
    Prove(ProveArgs),
    /// Explain a rule
    Rule(RuleArgs),
    /// Write one page with the numbers, pictures and rows of a run
    Report(ReportArgs),
    /// Look at what is left by hand: a page on which formulas can be tried and decisions are kept
    Review(ReviewArgs),
    /// Compare two versions of a dataset row by row: labels, sentences, and what formulas say
    Audit(AuditArgs),
    /// Tell what a dataset is like: labels, lengths, sizes, operators, and what stands in it twice
    Stats(StatsArgs),
    /// Make a dataset repository of a run's output folder, and with --push put it on the Hugging Face Hub
    Publish(PublishArgs),
    /// Questions to language models as batch files, and the prompts
    #[command(subcommand)]
    Llm(LlmCommand),
    /// Print the configuration in force
    Config(ConfigArgs),
    /// Write generated records with known verdicts, to measure with and to test provers and parsers
    Synth(SynthArgs),
    /// Measure repair on rows that agree: by errors made in them, or by wrong labels
    EvalRepair(EvalRepairArgs),
    /// Tell whether everything is there that `run` needs
    Doctor(DoctorArgs),
    /// Look after the answers that are kept from run to run
    #[command(subcommand)]
    Cache(CacheCommand),
    /// Run Vampire itself, with its whole command line
    #[command(disable_help_flag = true)]
    Vampire(VampireArgs),
}

/// What `--dialect` and `dataset.dialect` may be.
fn dialects() -> PossibleValuesParser {
    PossibleValuesParser::new(["auto"].into_iter().chain(Dialect::ALL.map(Dialect::as_str)))
}

/// Where settings come from.
#[derive(Debug, Args)]
pub(super) struct ConfigSource {
    /// The configuration; by default pipeline.toml of the current folder, if there is one
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The folder that a run wrote
    #[arg(value_name = "DIR", default_value = "out")]
    pub(super) dir: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// The folder that a run wrote
    #[arg(value_name = "DIR", default_value = "out")]
    pub(super) dir: PathBuf,

    /// Rows that are listed at most; of more only those that are not verified are
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(super) max_rows: usize,
}

#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// The folder for the whole
    #[arg(value_name = "OUT")]
    pub(super) out: PathBuf,

    /// The folders of all shards
    #[arg(required = true, value_name = "SHARD_DIR")]
    pub(super) shards: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    #[command(flatten)]
    pub(super) source: ConfigSource,

    /// Print the defaults, with a comment on every key
    #[arg(long)]
    pub(super) defaults: bool,
}

#[derive(Debug, Args)]
pub(super) struct SynthArgs {
    /// How many rows
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(super) rows: u64,

    /// Which rows: the same number gives the same rows everywhere
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,

    /// The file to write, ending in .jsonl, .jsonl.gz, .jsonl.zst or .parquet
    #[arg(short, long, value_name = "FILE")]
    pub(super) out: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    #[command(flatten)]
    pub(super) source: ConfigSource,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct VampireArgs {
    /// Vampire's own arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(super) _args: Vec<OsString>,
}
