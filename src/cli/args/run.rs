//! The arguments of `refolio run`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{CacheFlags, ConfigSource, dialects};
use crate::config::FixLevel;
use crate::ingest::Input;
use crate::prove::discover::Mode;
use crate::record::Agreement;
use crate::shard::Shard;
use crate::verify::{EvidenceLevel, SecondOpinionLevel};

#[derive(Debug, Args)]
pub(in crate::cli) struct RunArgs {
    #[command(flatten)]
    pub(in crate::cli) source: ConfigSource,

    /// A file to read, instead of `dataset.inputs`; may be given several times
    #[arg(short, long, value_name = "[SPLIT=]FILE")]
    pub(in crate::cli) input: Vec<Input>,

    /// The folder for everything that is written, instead of `output.dir`
    #[arg(short, long, value_name = "DIR")]
    pub(in crate::cli) out: Option<PathBuf>,

    /// Which fixes to apply before the final verdict, instead of `fixes.level`
    #[arg(long, value_name = "LEVEL")]
    pub(in crate::cli) fixes: Option<Fixes>,

    /// A dataset, such as another version of this one, whose formulas are offered as repairs where their
    /// sentences are the same; instead of `search.prior`
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) prior: Option<PathBuf>,

    /// A file of decisions to apply, as `refolio review` writes them, instead of `review.decisions`
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) decisions: Option<PathBuf>,

    /// Apply no decisions
    #[arg(long, conflicts_with = "decisions")]
    pub(in crate::cli) no_decisions: bool,

    /// Records worked on at once, instead of `run.jobs`; 0 for one per core
    #[arg(short, long, value_name = "N")]
    pub(in crate::cli) jobs: Option<usize>,

    /// How Vampire is run, instead of `prover.mode`; changes no answer
    #[arg(long, value_name = "MODE")]
    pub(in crate::cli) prover_mode: Option<ProverMode>,

    /// How columns are named and filled; `auto` recognises it
    #[arg(long, value_name = "NAME", value_parser = dialects())]
    pub(in crate::cli) dialect: Option<String>,

    /// What verdicts have to rest on, instead of `verify.evidence`
    #[arg(long, value_name = "LEVEL")]
    pub(in crate::cli) evidence: Option<Evidence>,

    /// Of which contradictions E is asked too, instead of `verify.second_opinion`
    #[arg(long, value_name = "LEVEL")]
    pub(in crate::cli) second_opinion: Option<SecondOpinion>,

    /// Write <split>.csv in the five columns of folio-refined as well
    #[arg(long)]
    pub(in crate::cli) csv: bool,

    /// Write no report.html, however few rows there are
    #[arg(long)]
    pub(in crate::cli) no_report: bool,

    /// Keep every question as a TPTP file in this folder, to read and rerun by hand
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) save_problems: Option<PathBuf>,

    /// Run only one part of N, for I from 0 to N-1, into shard-I-of-N below the output folder; records of one
    /// story are in one part. A part that is finished is not run again
    #[arg(long, value_name = "I/N")]
    pub(in crate::cli) shard: Option<Shard>,

    /// Run a part again and replace it, even if it is finished or of other inputs or settings
    #[arg(long, requires = "shard")]
    pub(in crate::cli) force: bool,

    #[command(flatten)]
    pub(in crate::cli) cache: CacheFlags,

    /// Exit with 1 if any row ends so; may be given several times
    #[arg(long, value_name = "OUTCOME")]
    pub(in crate::cli) fail_on: Vec<FailOn>,

    /// Tell the answers of this journal again instead of asking a language model; implies --fixes agents
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) replay: Option<PathBuf>,

    /// Where the answers of language models are recorded, instead of `llm.journal`
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub(in crate::cli) journal: Option<PathBuf>,
}

/// The values of `--fixes`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum Fixes {
    /// Take every text as it came
    None,
    /// Those that keep the meaning or give the only sensible reading
    Safe,
    /// Those, and then what closes a broken chain and passes every guard
    Search,
    /// Those, and then what language models propose and every guard lets pass (see [llm] of the configuration)
    Agents,
}

impl From<Fixes> for FixLevel {
    fn from(fixes: Fixes) -> Self {
        match fixes {
            Fixes::None => Self::None,
            Fixes::Safe => Self::Safe,
            Fixes::Search => Self::Search,
            Fixes::Agents => Self::Agents,
        }
    }
}

/// The values of `--evidence`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum Evidence {
    /// Ground certificates and evaluated models beside what the prover says
    Full,
    /// What the prover says
    Prover,
}

impl From<Evidence> for EvidenceLevel {
    fn from(level: Evidence) -> Self {
        match level {
            Evidence::Full => Self::Full,
            Evidence::Prover => Self::Prover,
        }
    }
}

/// The values of `--second-opinion`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum SecondOpinion {
    /// Of none
    Off,
    /// Of those without a certificate, and of one in 32 of the others
    Sample,
    /// Of all
    All,
}

impl From<SecondOpinion> for SecondOpinionLevel {
    fn from(level: SecondOpinion) -> Self {
        match level {
            SecondOpinion::Off => Self::Off,
            SecondOpinion::Sample => Self::Sample,
            SecondOpinion::All => Self::All,
        }
    }
}

/// The values of `--prover-mode`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum ProverMode {
    /// In processes that are kept, each question in the same fresh state
    Workers,
    /// Started anew for each question
    Processes,
}

impl From<ProverMode> for Mode {
    fn from(mode: ProverMode) -> Self {
        match mode {
            ProverMode::Workers => Self::Workers,
            ProverMode::Processes => Self::Processes,
        }
    }
}

/// The values of `--fail-on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum FailOn {
    /// A row that goes to review, for whatever reason
    Problematic,
    /// A verdict that is not the label
    Conflict,
    /// Premises that contradict each other
    Inconsistent,
    /// A formula without a reading, or a row that cannot be read
    Unparsed,
    /// A question the prover left open
    Undetermined,
}

impl FailOn {
    /// The agreement that the condition names; `None` for the status `problematic`.
    pub(in crate::cli) const fn agreement(self) -> Option<Agreement> {
        match self {
            Self::Problematic => None,
            Self::Conflict => Some(Agreement::Conflict),
            Self::Inconsistent => Some(Agreement::Inconsistent),
            Self::Unparsed => Some(Agreement::Unparsed),
            Self::Undetermined => Some(Agreement::Undetermined),
        }
    }
}
