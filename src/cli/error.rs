//! What goes wrong at the command line, with exit codes and hints.

use std::io;

use crate::config::ConfigError;
use crate::emit::EmitError;
use crate::ingest::IngestError;
use crate::pipeline::RunError;
use crate::prove::discover::DiscoverError;

/// Exit code for wrong usage or configuration.
pub(super) const USAGE: u8 = 2;
const INPUT: u8 = 3;
const PROVER: u8 = 4;
const OUTPUT: u8 = 5;
const INTERRUPTED: u8 = 130;

/// Why a command ended without doing its work.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Ingest(#[from] IngestError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Prover(#[from] DiscoverError),
    #[error("unknown rule {code:?}{}", .suggestion.map(|s| format!("; did you mean {s}?")).unwrap_or_default())]
    UnknownRule { code: String, suggestion: Option<&'static str> },
    #[error(transparent)]
    UnknownSelector(#[from] crate::lint::UnknownSelector),
    #[error("this refolio was built without its own Vampire")]
    NoBundledVampire,
    #[error("cannot handle Ctrl-C: {0}")]
    Signals(#[from] ctrlc::Error),
    #[error("cannot print: {0}")]
    Stdout(#[from] io::Error),
    #[error("cannot print the configuration: {0}")]
    Toml(#[from] toml::ser::Error),
    #[error("cannot print JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl CliError {
    /// As documented in `refolio --help` and the README.
    pub(super) const fn exit_code(&self) -> u8 {
        match self {
            Self::Config(_) | Self::UnknownRule { .. } | Self::UnknownSelector(_) => USAGE,
            Self::Run(RunError::Config(_) | RunError::NoInputs | RunError::Threads { .. }) => USAGE,
            Self::Ingest(_) | Self::Run(RunError::Ingest(_)) => INPUT,
            Self::Prover(_) | Self::NoBundledVampire | Self::Run(RunError::Prover(_)) => PROVER,
            Self::Run(RunError::Emit(_) | RunError::Save(_)) => OUTPUT,
            Self::Stdout(_) | Self::Toml(_) | Self::Json(_) => OUTPUT,
            Self::Run(RunError::Interrupted) => INTERRUPTED,
            Self::Signals(_) => USAGE,
        }
    }

    /// What the user could do.
    pub(super) fn hint(&self) -> Option<String> {
        match self {
            Self::Prover(error) => Some(error.hint().to_owned()),
            Self::Run(RunError::Emit(error)) => EmitError::hint(error).map(str::to_owned),
            Self::Run(RunError::NoInputs) => {
                Some("name files with --input, or in dataset.inputs of pipeline.toml".to_owned())
            }
            Self::Run(RunError::Prover(_)) => Some("`refolio doctor` tells which provers there are".to_owned()),
            Self::NoBundledVampire => {
                Some("build with the default features, or call the program `vampire` itself".to_owned())
            }
            Self::UnknownRule { .. } => Some("`refolio rule --list` lists them".to_owned()),
            Self::Config(ConfigError::Invalid { .. }) => {
                Some("`refolio config --defaults` prints every key with what it does".to_owned())
            }
            Self::Ingest(IngestError::UnrecognisedDialect { .. })
            | Self::Run(RunError::Ingest(IngestError::UnrecognisedDialect { .. })) => {
                Some("name the dialect with --dialect, or the columns in [dataset.columns]".to_owned())
            }
            _ => None,
        }
    }
}
