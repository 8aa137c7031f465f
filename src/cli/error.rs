//! What goes wrong at the command line, with exit codes and hints.

use std::{fs, io};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::config::ConfigError;
use crate::emit::EmitError;
use crate::ingest::IngestError;
use crate::ingest::rewrite::RewriteError;
use crate::pipeline::RunError;
use crate::prove::cache::CacheError;
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
    #[error(transparent)]
    Rewrite(#[from] RewriteError),
    #[error("unknown rule {code:?}{}", .suggestion.map(|s| format!("; did you mean {s}?")).unwrap_or_default())]
    UnknownRule { code: String, suggestion: Option<&'static str> },
    #[error(transparent)]
    UnknownSelector(#[from] crate::lint::UnknownSelector),
    #[error("this refolio was built without its own Vampire")]
    NoBundledVampire,
    #[error(transparent)]
    Cache(#[from] CacheError),
    #[error("there is no cache: it is off, or there is no folder for it")]
    NoCache,
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
            Self::Config(_)
            | Self::UnknownRule { .. }
            | Self::UnknownSelector(_)
            | Self::Signals(_)
            | Self::NoCache
            | Self::Run(RunError::Config(_) | RunError::NoInputs | RunError::Threads { .. }) => USAGE,
            Self::Ingest(_)
            | Self::Run(RunError::Ingest(_))
            | Self::Rewrite(RewriteError::Unsupported { .. } | RewriteError::Ingest(_)) => INPUT,
            Self::Prover(_) | Self::NoBundledVampire | Self::Run(RunError::Prover(_)) => PROVER,
            Self::Rewrite(_)
            | Self::Run(RunError::Emit(_) | RunError::Save(_))
            | Self::Cache(_)
            | Self::Stdout(_)
            | Self::Toml(_)
            | Self::Json(_) => OUTPUT,
            Self::Run(RunError::Interrupted) => INTERRUPTED,
        }
    }

    /// The line of the configuration that is wrong, in colour; `None` where it is about something else.
    pub(super) fn frame(&self) -> Option<String> {
        let (Self::Config(error) | Self::Run(RunError::Config(error))) = self else { return None };
        let ConfigError::Invalid { path, span: Some(span), message, .. } = error else { return None };
        let text = fs::read_to_string(path).ok()?;
        text.get(span.start..span.end)?;
        let place = AnnotationKind::Primary.span(span.start..span.end);
        let snippet = Snippet::source(text.as_str()).path(path.display().to_string()).annotation(place);
        let group = Group::with_title(Level::ERROR.primary_title(message.as_str())).element(snippet);
        Some(Renderer::styled().decor_style(DecorStyle::Ascii).render(&[group]))
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
            Self::Rewrite(RewriteError::Unsupported { .. }) => {
                Some("`refolio run --fixes safe` writes a mended copy as Parquet, with every edit on record".to_owned())
            }
            Self::NoBundledVampire => {
                Some("build with the default features, or call the program `vampire` itself".to_owned())
            }
            Self::UnknownRule { .. } | Self::UnknownSelector(_) => Some("`refolio rule --list` lists them".to_owned()),
            Self::Config(ConfigError::Invalid { suggestion, span, .. }) => {
                // Without a frame the message says it.
                let meant = suggestion.as_ref().filter(|_| span.is_some());
                let did_you_mean = meant.map(|s| format!("did you mean `{s}`? ")).unwrap_or_default();
                Some(did_you_mean + "`refolio config --defaults` prints every key with what it does")
            }
            Self::Ingest(IngestError::UnrecognisedDialect { .. })
            | Self::Run(RunError::Ingest(IngestError::UnrecognisedDialect { .. })) => Some(
                "--dialect says which of them it is; `refolio config --defaults` shows how to name columns".to_owned(),
            ),
            _ => None,
        }
    }
}
