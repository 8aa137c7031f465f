//! The arguments of `refolio explain` and `refolio prove`, which tell things alike.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ConfigSource, Fixes, dialects};
use crate::ingest::Input;

#[derive(Debug, Args)]
pub(in crate::cli) struct ExplainArgs {
    /// A record's id, its example id, or `FILE:ROW` with rows from 0
    #[arg(value_name = "ID", required_unless_present = "file", conflicts_with = "file")]
    pub(in crate::cli) id: Option<String>,

    /// The record's file: one of the inputs, or another one
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) file: Option<PathBuf>,

    /// The record's place in --file, from 0
    #[arg(long, value_name = "N", requires = "file", required_unless_present_any = ["id", "line"])]
    pub(in crate::cli) row: Option<u64>,

    /// The line of --file on which the record starts, from 1
    #[arg(long, value_name = "N", requires = "file", conflicts_with = "row")]
    pub(in crate::cli) line: Option<u64>,

    #[command(flatten)]
    pub(in crate::cli) source: ConfigSource,

    /// A file to read, instead of `dataset.inputs`; may be given several times
    #[arg(short, long, value_name = "[SPLIT=]FILE")]
    pub(in crate::cli) input: Vec<Input>,

    /// Which fixes to apply before the final verdict, instead of `fixes.level`
    #[arg(long, value_name = "LEVEL")]
    pub(in crate::cli) fixes: Option<Fixes>,

    /// How columns are named and filled; `auto` recognises it
    #[arg(long, value_name = "NAME", value_parser = dialects())]
    pub(in crate::cli) dialect: Option<String>,

    #[command(flatten)]
    pub(in crate::cli) output: ExplainOutput,
}

/// How an explanation is printed, and where.
#[derive(Debug, Args)]
pub(in crate::cli) struct ExplainOutput {
    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(in crate::cli) format: ExplainFormat,

    /// Write it to this file
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,

    /// Print the problem in TPTP instead
    #[arg(long, conflicts_with_all = ["format", "proof"])]
    pub(in crate::cli) tptp: bool,

    /// Print Vampire's derivation (TSTP) instead
    #[arg(long, conflicts_with = "format")]
    pub(in crate::cli) proof: bool,
}

/// The values of `--format` of `explain` and `prove`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ExplainFormat {
    /// For the terminal
    Text,
    /// For issues and reviews
    Markdown,
    /// A page that needs nothing else
    Html,
    /// For programs
    Json,
}

pub(super) const PROVE_HELP: &str = "\
The premises and the conclusion are given as arguments, or as lines of a file or of standard input.
The conclusion is the line that starts with ⊢, |-, ∴ or `therefore:`, else the last one; lines that
start with # or % are comments. TPTP (`fof` and `cnf` statements) is recognised by itself.

  refolio prove -p '∀x (Cat(x) → Animal(x))' -p 'Cat(tom)' 'Animal(tom)'
  refolio prove --file problem.p
  printf '%s\\n' 'P ∨ Q' '¬P' '⊢ Q' | refolio prove

Exit codes: 0 for True, False, Uncertain, Consistent and Inconsistent, 1 for Undetermined, 2 for wrong
usage, 3 for an input that cannot be read, a formula among it.";

#[derive(Debug, Args)]
pub(in crate::cli) struct ProveArgs {
    /// The formula that may follow
    #[arg(value_name = "CONCLUSION")]
    pub(in crate::cli) conclusion: Option<String>,

    /// A premise; may be given several times
    #[arg(short, long, value_name = "FORMULA")]
    pub(in crate::cli) premise: Vec<String>,

    /// A file with the question; - is standard input
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["conclusion", "premise"])]
    pub(in crate::cli) file: Option<PathBuf>,

    /// Ask only whether the premises are consistent
    #[arg(long)]
    pub(in crate::cli) consistency: bool,

    /// How a file or standard input is written, where it is not to be recognised
    #[arg(long, value_name = "SYNTAX")]
    pub(in crate::cli) syntax: Option<Syntax>,

    #[command(flatten)]
    pub(in crate::cli) source: ConfigSource,

    #[command(flatten)]
    pub(in crate::cli) output: ExplainOutput,
}

/// The values of `--syntax`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Syntax {
    /// FOLIO's notation, a formula a line
    Folio,
    /// TPTP, `fof` and `cnf` statements
    Tptp,
}
