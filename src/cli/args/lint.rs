//! The arguments of `refolio lint` and `refolio rule`.

use clap::{Args, ValueEnum};

use super::{CacheFlags, ConfigSource, dialects};
use crate::ingest::Input;

#[derive(Debug, Args)]
pub(in crate::cli) struct LintArgs {
    /// The files to look at
    #[arg(required = true, value_name = "[SPLIT=]FILE")]
    pub(in crate::cli) files: Vec<Input>,

    #[command(flatten)]
    pub(in crate::cli) source: ConfigSource,

    /// Rules to apply, with commas between: codes (S101), beginnings of codes (S), or names
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(in crate::cli) select: Vec<String>,

    /// Rules not to apply, likewise
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(in crate::cli) ignore: Vec<String>,

    /// How to print findings
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(in crate::cli) format: LintFormat,

    /// Apply safe fixes to the files, in place; every edit is recorded in FILE.fixes
    #[arg(long)]
    pub(in crate::cli) fix: bool,

    /// Apply unsafe fixes as well
    #[arg(long, requires = "fix")]
    pub(in crate::cli) unsafe_fixes: bool,

    /// Run the rules that need the prover as well
    #[arg(long)]
    pub(in crate::cli) semantic: bool,

    #[command(flatten)]
    pub(in crate::cli) cache: CacheFlags,

    /// How columns are named and filled; `auto` recognises it
    #[arg(long, value_name = "NAME", value_parser = dialects())]
    pub(in crate::cli) dialect: Option<String>,
}

/// The values of `lint --format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum LintFormat {
    /// Code frames, and a summary per rule
    Text,
    /// An array of objects
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RuleArgs {
    /// A code such as S101, or a name such as missing-close-bracket
    #[arg(required_unless_present_any = ["all", "list"], value_name = "CODE")]
    pub(in crate::cli) rule: Option<String>,

    /// Print the page of all rules, as it stands in docs/rules.md
    #[arg(long, conflicts_with = "rule")]
    pub(in crate::cli) all: bool,

    /// List codes and names
    #[arg(long, conflicts_with_all = ["rule", "all"])]
    pub(in crate::cli) list: bool,
}
