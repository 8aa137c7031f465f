//! What goes wrong at the command line, with exit codes and hints.

use std::{fs, io};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::choose::ChooseError;
use crate::append::AppendError;
use crate::config::ConfigError;
use crate::decision::DecisionError;
use crate::diagnostic::Span;
use crate::emit::{EmitError, StoredError};
use crate::fol::tptp::ProblemError;
use crate::hub::HubError;
use crate::ingest::IngestError;
use crate::ingest::rewrite::RewriteError;
use crate::llm::{BatchError, ClientError, JournalError, PromptError};
use crate::pipeline::RunError;
use crate::posed::PosedError;
use crate::prove::cache::CacheError;
use crate::prove::discover::DiscoverError;
use crate::publish::PublishError;
use crate::record::Verdict;
use crate::report::ReportError;
use crate::review::ServeError;
use crate::review::exchange::ExchangeError;
use crate::shard::ShardError;
use crate::synth::SynthError;

/// Exit code for wrong usage or configuration.
pub(super) const USAGE: u8 = 2;
/// Exit code for an input that cannot be read.
pub(super) const INPUT: u8 = 3;
/// Exit code where everything went well, but what was asked for is not there.
const NOTHING: u8 = 1;
const PROVER: u8 = 4;
const OUTPUT: u8 = 5;
/// Exit code where language models cannot be asked, or a replay lacks an answer.
const MODEL: u8 = 6;
/// Exit code where the Hub refuses or cannot be reached.
const HUB: u8 = 7;
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
    Shard(#[from] ShardError),
    #[error(transparent)]
    Synth(#[from] SynthError),
    #[error(transparent)]
    Prover(#[from] DiscoverError),
    #[error(transparent)]
    Stored(#[from] StoredError),
    #[error(transparent)]
    Rewrite(#[from] RewriteError),
    #[error("unknown rule {code:?}{}", .suggestion.map(|s| format!("; did you mean {s}?")).unwrap_or_default())]
    UnknownRule { code: String, suggestion: Option<&'static str> },
    #[error(transparent)]
    UnknownSelector(#[from] crate::lint::UnknownSelector),
    #[error("this refolio was built without its own Vampire")]
    NoBundledVampire,
    #[error(transparent)]
    Choose(#[from] ChooseError),
    #[error("there is no {0} to print: the verdict is {1}")]
    Nothing(&'static str, Verdict),
    #[error("there is nothing to prove")]
    NoQuestion,
    #[error("{0:?} is the name of a file, not a formula")]
    FileAsFormula(String),
    #[error("formulas given as arguments are in FOLIO's notation")]
    TptpArguments,
    #[error("cannot read {name}: {source}")]
    Unreadable { name: String, source: io::Error },
    #[error("{name}: {error}")]
    Posed { name: String, text: String, error: PosedError },
    #[error(transparent)]
    Cache(#[from] CacheError),
    #[error("there is no cache: it is off, or there is no folder for it")]
    NoCache,
    #[error("language models are to be asked, but `llm.model` names none")]
    NoModel,
    #[error("the environment has no key under the name {0}")]
    NoKey(String),
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error(transparent)]
    Prompt(#[from] PromptError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error(transparent)]
    Decisions(#[from] DecisionError),
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error("nobody is named who reviews")]
    NoReviewer,
    #[error(transparent)]
    Audit(#[from] crate::audit::TableError),
    #[error(transparent)]
    Input(#[from] crate::ingest::InvalidInput),
    #[error("cannot count: {0}")]
    Count(#[from] polars::error::PolarsError),
    #[error("cannot make the page: {0}")]
    Page(#[from] minijinja::Error),
    #[error("{} holds no data files", .0.display())]
    NoData(std::path::PathBuf),
    #[error(transparent)]
    Hub(#[from] HubError),
    #[error(transparent)]
    Publish(#[from] PublishError),
    #[error("{0} lies on the Hub and cannot be mended in place")]
    RemoteFix(String),
    #[error("{address} has no split {split}; it has {found}")]
    NoSuchSplit { address: String, split: String, found: String },
    #[error("there is no folder to keep what is fetched from the Hub")]
    NoHubCache,
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{name}: {error}")]
    Batch { name: String, error: BatchError },
    #[error("cannot write {name}: {source}")]
    Unwritable { name: String, source: io::Error },
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
            Self::Hub(error) | Self::Publish(PublishError::Hub(error)) => hub_exit_code(error),
            Self::Publish(error) => match error {
                PublishError::TagTaken { .. } => HUB,
                PublishError::Names(..)
                | PublishError::Occupied(_)
                | PublishError::License(_)
                | PublishError::NoRepo
                | PublishError::Version { .. } => USAGE,
                PublishError::Io { .. } | PublishError::Text { .. } | PublishError::Emit(_) => OUTPUT,
                _ => INPUT,
            },
            Self::RemoteFix(_) | Self::NoHubCache => USAGE,
            Self::Config(_)
            | Self::Input(_)
            | Self::UnknownRule { .. }
            | Self::UnknownSelector(_)
            | Self::Signals(_)
            | Self::Choose(_)
            | Self::NoQuestion
            | Self::FileAsFormula(_)
            | Self::TptpArguments
            | Self::Synth(SynthError::Format(_))
            | Self::NoCache
            | Self::NoModel
            | Self::NoReviewer
            | Self::Serve(_)
            | Self::Decisions(DecisionError::Write(AppendError::Busy(_)))
            | Self::NoKey(_)
            | Self::Client(_)
            | Self::Prompt(_)
            | Self::Journal(JournalError::File(AppendError::Busy(_)))
            | Self::Run(RunError::Config(_) | RunError::NoInputs | RunError::NoAgents | RunError::Threads { .. }) => {
                USAGE
            }
            Self::Run(RunError::NotRecorded(_) | RunError::Unreachable(_)) => MODEL,
            Self::Nothing(..) => NOTHING,
            Self::Journal(JournalError::Line { .. } | JournalError::Recording { .. })
            | Self::Batch { error: BatchError::Line { .. }, .. }
            | Self::Ingest(_)
            | Self::NoSuchSplit { .. }
            | Self::Unreadable { .. }
            | Self::Posed { .. }
            | Self::Decisions(DecisionError::Read { .. } | DecisionError::Line { .. })
            | Self::Report(ReportError::Stored(_) | ReportError::Manifest { .. })
            | Self::Exchange(ExchangeError::Form { .. } | ExchangeError::Entry { .. })
            | Self::Stored(_)
            | Self::NoData(_)
            | Self::Run(
                RunError::Ingest(_) | RunError::Decisions(DecisionError::Read { .. } | DecisionError::Line { .. }),
            )
            | Self::Rewrite(RewriteError::Unsupported { .. } | RewriteError::Ingest(_)) => INPUT,
            Self::Prover(_) | Self::NoBundledVampire | Self::Run(RunError::Prover(_)) => PROVER,
            Self::Rewrite(_)
            | Self::Synth(SynthError::Emit(_))
            | Self::Journal(JournalError::File(AppendError::Io { .. }) | JournalError::Json { .. })
            | Self::Batch { .. }
            | Self::Unwritable { .. }
            | Self::Decisions(DecisionError::Write(AppendError::Io { .. }))
            | Self::Report(ReportError::Write(_) | ReportError::Json(_))
            | Self::Exchange(ExchangeError::Write(_))
            | Self::Audit(_)
            | Self::Count(_)
            | Self::Page(_)
            | Self::Run(
                RunError::Emit(_)
                | RunError::Save(_)
                | RunError::Journal(_)
                | RunError::Decisions(DecisionError::Write(_)),
            )
            | Self::Cache(_)
            | Self::Stdout(_)
            | Self::Toml(_)
            | Self::Json(_) => OUTPUT,
            Self::Run(RunError::Shard(error)) | Self::Shard(error) => match error {
                ShardError::Nothing | ShardError::Occupied { .. } => USAGE,
                ShardError::Emit(_) | ShardError::Io { .. } => OUTPUT,
                ShardError::Interrupted => INTERRUPTED,
                _ => INPUT,
            },
            Self::Run(RunError::Interrupted) | Self::Synth(SynthError::Interrupted) => INTERRUPTED,
        }
    }

    /// The line of the configuration or of a problem that is wrong, in colour; `None` where it is about something else.
    pub(super) fn frame(&self) -> Option<String> {
        if let Self::Posed { name, text, error: PosedError::Tptp(ProblemError { message, span }) } = self {
            return frame(text, name, *span, message);
        }
        let (Self::Config(error) | Self::Run(RunError::Config(error))) = self else { return None };
        let ConfigError::Invalid { path, span: Some(span), message, .. } = error else { return None };
        let text = fs::read_to_string(path).ok()?;
        frame(&text, &path.display().to_string(), *span, message)
    }

    /// What the user could do.
    pub(super) fn hint(&self) -> Option<String> {
        match self {
            Self::Prover(error) => Some(error.hint().to_owned()),
            Self::Hub(error) => error.hint().map(str::to_owned),
            Self::Publish(error) => error.hint().map(str::to_owned),
            Self::NoHubCache => Some("set HOME or XDG_CACHE_HOME".to_owned()),
            Self::Choose(error) => Some(error.hint()),
            Self::NoModel => Some("set llm.model in pipeline.toml to the name that the endpoint knows".to_owned()),
            Self::NoKey(_) => Some("llm.api_key_env names the variable; the key itself belongs into no file".to_owned()),
            Self::Run(RunError::NotRecorded(_)) => Some(
                "a replay needs the inputs, the settings and the refolio that it was recorded with, and a run in which no \
                 question was left without an answer; without --replay the model is asked"
                    .to_owned(),
            ),
            Self::Run(RunError::Unreachable(_)) => {
                Some("see llm.base_url, llm.model and llm.api_key_env in pipeline.toml".to_owned())
            }
            Self::NoReviewer => Some("--by names who reviews".to_owned()),
            Self::NoData(_) => Some(
                "data files end in .jsonl, .json, .csv or .parquet, also packed as .gz or .zst; other files are named one by \
                 one"
                    .to_owned(),
            ),
            Self::NoQuestion => Some("`refolio prove --help` shows how to ask".to_owned()),
            Self::FileAsFormula(_) => Some("--file reads it".to_owned()),
            Self::TptpArguments => Some("put the TPTP into a file and name it with --file".to_owned()),
            Self::Run(RunError::Shard(error)) | Self::Shard(error) => error.hint().map(str::to_owned),
            Self::Run(RunError::Emit(error)) => EmitError::hint(error).map(str::to_owned),
            Self::Run(RunError::NoInputs) => {
                Some("name files with --input, or in dataset.inputs of pipeline.toml".to_owned())
            }
            Self::Run(RunError::Prover(_)) => Some("`refolio doctor` tells which provers there are".to_owned()),
            Self::RemoteFix(_) | Self::Rewrite(RewriteError::Unsupported { .. }) => {
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

/// Of what goes wrong with the Hub, what is not its own doing has the code of its kind.
const fn hub_exit_code(error: &HubError) -> u8 {
    match error {
        HubError::Address(_) | HubError::Endpoint(_) | HubError::Clear(_) | HubError::Token => USAGE,
        HubError::NoData { .. } => INPUT,
        HubError::Io { .. } => OUTPUT,
        HubError::Cancelled => INTERRUPTED,
        _ => HUB,
    }
}

/// A text with a place in it marked.
fn frame(text: &str, name: &str, span: Span, message: &str) -> Option<String> {
    text.get(span.start..span.end)?;
    let place = AnnotationKind::Primary.span(span.start..span.end);
    let snippet = Snippet::source(text).path(name.to_owned()).annotation(place);
    let group = Group::with_title(Level::ERROR.primary_title(message)).element(snippet);
    Some(Renderer::styled().decor_style(DecorStyle::Ascii).render(&[group]))
}
