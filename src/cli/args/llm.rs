//! The arguments of `refolio llm`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};

use super::ConfigSource;
use crate::ingest::Input;

/// `refolio llm`
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum LlmCommand {
    /// Write the questions that have no answer yet, one call a line, as batch interfaces take them
    Export(LlmExportArgs),
    /// Put the results of a batch into the journal, where `run` and the next `export` find them
    Import(LlmImportArgs),
    /// Print the prompt that an agent is given
    Prompt(LlmPromptArgs),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct LlmExportArgs {
    /// Where to write the questions
    #[arg(value_name = "FILE")]
    pub(in crate::cli) file: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) source: ConfigSource,
    /// A file to read, as FILE or SPLIT=FILE, instead of `dataset.inputs`; may be given several times
    #[arg(long, value_name = "[SPLIT=]FILE")]
    pub(in crate::cli) input: Vec<Input>,
    /// The journal that holds the answers so far, instead of `llm.journal`
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) journal: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct LlmImportArgs {
    /// The results, as the batch interface gave them
    #[arg(value_name = "FILE")]
    pub(in crate::cli) file: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) source: ConfigSource,
    /// The journal to put them into, instead of `llm.journal`
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) journal: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct LlmPromptArgs {
    /// The agent
    #[arg(value_parser = PossibleValuesParser::new(crate::refine::agents::Agent::ALL.map(crate::refine::agents::Agent::as_str)))]
    pub(in crate::cli) agent: String,
}
