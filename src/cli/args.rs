//! The arguments of every command.

mod eval_repair;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub(super) use self::eval_repair::{EvalFormat, EvalRepairArgs};
use crate::config::{Config, FixLevel};
use crate::ingest::{Dialect, Input};
use crate::prove::discover::Mode;
use crate::record::Agreement;
use crate::shard::Shard;
use crate::verify::{EvidenceLevel, SecondOpinionLevel};

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
    /// Compare two versions of a dataset row by row: labels, sentences, and what formulas say
    Audit(AuditArgs),
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
pub(super) struct RunArgs {
    #[command(flatten)]
    pub(super) source: ConfigSource,

    /// A file to read, instead of `dataset.inputs`; may be given several times
    #[arg(short, long, value_name = "[SPLIT=]FILE")]
    pub(super) input: Vec<Input>,

    /// The folder for everything that is written, instead of `output.dir`
    #[arg(short, long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,

    /// Which fixes to apply before the final verdict, instead of `fixes.level`
    #[arg(long, value_name = "LEVEL")]
    pub(super) fixes: Option<Fixes>,

    /// A dataset, such as another version of this one, whose formulas are offered as repairs where their
    /// sentences are the same; instead of `search.prior`
    #[arg(long, value_name = "FILE")]
    pub(super) prior: Option<PathBuf>,

    /// Records worked on at once, instead of `run.jobs`; 0 for one per core
    #[arg(short, long, value_name = "N")]
    pub(super) jobs: Option<usize>,

    /// How Vampire is run, instead of `prover.mode`; changes no answer
    #[arg(long, value_name = "MODE")]
    pub(super) prover_mode: Option<ProverMode>,

    /// How columns are named and filled; `auto` recognises it
    #[arg(long, value_name = "NAME", value_parser = dialects())]
    pub(super) dialect: Option<String>,

    /// What verdicts have to rest on, instead of `verify.evidence`
    #[arg(long, value_name = "LEVEL")]
    pub(super) evidence: Option<Evidence>,

    /// Of which contradictions E is asked too, instead of `verify.second_opinion`
    #[arg(long, value_name = "LEVEL")]
    pub(super) second_opinion: Option<SecondOpinion>,

    /// Write <split>.csv in the five columns of folio-refined as well
    #[arg(long)]
    pub(super) csv: bool,

    /// Keep every question as a TPTP file in this folder, to read and rerun by hand
    #[arg(long, value_name = "DIR")]
    pub(super) save_problems: Option<PathBuf>,

    /// Run only one part of N, for I from 0 to N-1, into shard-I-of-N below the output folder; records of one
    /// story are in one part. A part that is finished is not run again
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,

    /// Run a part again and replace it, even if it is finished or of other inputs or settings
    #[arg(long, requires = "shard")]
    pub(super) force: bool,

    #[command(flatten)]
    pub(super) cache: CacheFlags,

    /// Exit with 1 if any row ends so; may be given several times
    #[arg(long, value_name = "OUTCOME")]
    pub(super) fail_on: Vec<FailOn>,

    /// Tell the answers of this journal again instead of asking a language model; implies --fixes agents
    #[arg(long, value_name = "FILE")]
    pub(super) replay: Option<PathBuf>,

    /// Where the answers of language models are recorded, instead of `llm.journal`
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub(super) journal: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct AuditArgs {
    /// The old version
    #[arg(value_name = "[SPLIT=]OLD")]
    pub(super) old: Input,
    /// The new version
    #[arg(value_name = "[SPLIT=]NEW")]
    pub(super) new: Input,
    #[command(flatten)]
    pub(super) source: ConfigSource,
    /// Write the table of all rows to this Parquet file
    #[arg(short, long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// How to tell it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: AuditFormat,
    /// Exit with 1 if anything changed so
    #[arg(long, value_name = "CHANGE", value_delimiter = ',')]
    pub(super) fail_on: Vec<AuditFailOn>,
}

/// The values of `audit --format`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum AuditFormat {
    /// For a terminal
    Text,
    /// For a changelog
    Markdown,
    /// Every row, for programs
    Json,
}

/// The values of `audit --fail-on`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum AuditFailOn {
    /// A row of both has another label
    #[value(name = "label-change")]
    Label,
    /// A formula says something else
    #[value(name = "formula-change")]
    Formula,
    /// A sentence is another
    #[value(name = "sentence-change")]
    Sentence,
    /// A row was added or dropped
    #[value(name = "row-change")]
    Row,
}

/// `refolio llm`
#[derive(Debug, Subcommand)]
pub(super) enum LlmCommand {
    /// Write the questions that have no answer yet, one call a line, as batch interfaces take them
    Export(LlmExportArgs),
    /// Put the results of a batch into the journal, where `run` and the next `export` find them
    Import(LlmImportArgs),
    /// Print the prompt that an agent is given
    Prompt(LlmPromptArgs),
}

#[derive(Debug, Args)]
pub(super) struct LlmExportArgs {
    /// Where to write the questions
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) source: ConfigSource,
    /// A file to read, as FILE or SPLIT=FILE, instead of `dataset.inputs`; may be given several times
    #[arg(long, value_name = "[SPLIT=]FILE")]
    pub(super) input: Vec<Input>,
    /// The journal that holds the answers so far, instead of `llm.journal`
    #[arg(long, value_name = "FILE")]
    pub(super) journal: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct LlmImportArgs {
    /// The results, as the batch interface gave them
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) source: ConfigSource,
    /// The journal to put them into, instead of `llm.journal`
    #[arg(long, value_name = "FILE")]
    pub(super) journal: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct LlmPromptArgs {
    /// The agent
    #[arg(value_parser = PossibleValuesParser::new(crate::refine::agents::Agent::ALL.map(crate::refine::agents::Agent::as_str)))]
    pub(super) agent: String,
}

/// The values of `--fixes`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Fixes {
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

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The folder that a run wrote
    #[arg(value_name = "DIR", default_value = "out")]
    pub(super) dir: PathBuf,
}

/// The values of `--evidence`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Evidence {
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

/// Which cache to use.
#[derive(Debug, Args)]
pub(super) struct CacheFlags {
    /// Ask every question anew and keep no answer; changes no byte of the data
    #[arg(long)]
    no_cache: bool,

    /// The file of kept answers, instead of `cache.path`
    #[arg(long = "cache", value_name = "FILE", conflicts_with = "no_cache")]
    file: Option<PathBuf>,
}

impl CacheFlags {
    pub(super) fn lay_over(&self, config: &mut Config) {
        if self.no_cache {
            config.cache.enabled = false;
        }
        if let Some(file) = &self.file {
            config.cache.enabled = true;
            config.cache.path.clone_from(file);
        }
    }
}

/// The values of `--second-opinion`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum SecondOpinion {
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

#[derive(Debug, Subcommand)]
pub(super) enum CacheCommand {
    /// Tell how many answers there are and how much room they take
    Stats(CacheStatsArgs),
    /// Remove all answers
    Clear(CacheArgs),
    /// Remove damaged answers, ask others again and compare; exit with 1 if any was damaged or differs
    Verify(CacheVerifyArgs),
}

#[derive(Debug, Args)]
pub(super) struct CacheArgs {
    #[command(flatten)]
    pub(super) source: ConfigSource,

    /// The file of kept answers, instead of `cache.path`
    #[arg(long, value_name = "FILE")]
    pub(super) cache: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct CacheStatsArgs {
    #[command(flatten)]
    pub(super) which: CacheArgs,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct CacheVerifyArgs {
    #[command(flatten)]
    pub(super) which: CacheArgs,

    /// Ask all again, not a hundred of them
    #[arg(long)]
    pub(super) all: bool,
}

/// The values of `--prover-mode`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum ProverMode {
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
pub(super) enum FailOn {
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
    pub(super) const fn agreement(self) -> Option<Agreement> {
        match self {
            Self::Problematic => None,
            Self::Conflict => Some(Agreement::Conflict),
            Self::Inconsistent => Some(Agreement::Inconsistent),
            Self::Unparsed => Some(Agreement::Unparsed),
            Self::Undetermined => Some(Agreement::Undetermined),
        }
    }
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
pub(super) struct LintArgs {
    /// The files to look at
    #[arg(required = true, value_name = "[SPLIT=]FILE")]
    pub(super) files: Vec<Input>,

    #[command(flatten)]
    pub(super) source: ConfigSource,

    /// Rules to apply, with commas between: codes (S101), beginnings of codes (S), or names
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(super) select: Vec<String>,

    /// Rules not to apply, likewise
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(super) ignore: Vec<String>,

    /// How to print findings
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: LintFormat,

    /// Apply safe fixes to the files, in place; every edit is recorded in FILE.fixes
    #[arg(long)]
    pub(super) fix: bool,

    /// Apply unsafe fixes as well
    #[arg(long, requires = "fix")]
    pub(super) unsafe_fixes: bool,

    /// Run the rules that need the prover as well
    #[arg(long)]
    pub(super) semantic: bool,

    #[command(flatten)]
    pub(super) cache: CacheFlags,

    /// How columns are named and filled; `auto` recognises it
    #[arg(long, value_name = "NAME", value_parser = dialects())]
    pub(super) dialect: Option<String>,
}

/// The values of `lint --format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LintFormat {
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
pub(super) struct ExplainArgs {
    /// A record's id, its example id, or `FILE:ROW` with rows from 0
    #[arg(value_name = "ID", required_unless_present = "file", conflicts_with = "file")]
    pub(super) id: Option<String>,

    /// The record's file: one of the inputs, or another one
    #[arg(long, value_name = "FILE")]
    pub(super) file: Option<PathBuf>,

    /// The record's place in --file, from 0
    #[arg(long, value_name = "N", requires = "file", required_unless_present_any = ["id", "line"])]
    pub(super) row: Option<u64>,

    /// The line of --file on which the record starts, from 1
    #[arg(long, value_name = "N", requires = "file", conflicts_with = "row")]
    pub(super) line: Option<u64>,

    #[command(flatten)]
    pub(super) source: ConfigSource,

    /// A file to read, instead of `dataset.inputs`; may be given several times
    #[arg(short, long, value_name = "[SPLIT=]FILE")]
    pub(super) input: Vec<Input>,

    /// Which fixes to apply before the final verdict, instead of `fixes.level`
    #[arg(long, value_name = "LEVEL")]
    pub(super) fixes: Option<Fixes>,

    /// How columns are named and filled; `auto` recognises it
    #[arg(long, value_name = "NAME", value_parser = dialects())]
    pub(super) dialect: Option<String>,

    #[command(flatten)]
    pub(super) output: ExplainOutput,
}

/// How an explanation is printed, and where.
#[derive(Debug, Args)]
pub(super) struct ExplainOutput {
    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: ExplainFormat,

    /// Write it to this file
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Print the problem in TPTP instead
    #[arg(long, conflicts_with_all = ["format", "proof"])]
    pub(super) tptp: bool,

    /// Print Vampire's derivation (TSTP) instead
    #[arg(long, conflicts_with = "format")]
    pub(super) proof: bool,
}

/// The values of `--format` of `explain` and `prove`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ExplainFormat {
    /// For the terminal
    Text,
    /// For issues and reviews
    Markdown,
    /// A page that needs nothing else
    Html,
    /// For programs
    Json,
}

const PROVE_HELP: &str = "\
The premises and the conclusion are given as arguments, or as lines of a file or of standard input.
The conclusion is the line that starts with ⊢, |-, ∴ or `therefore:`, else the last one; lines that
start with # or % are comments. TPTP (`fof` and `cnf` statements) is recognised by itself.

  refolio prove -p '∀x (Cat(x) → Animal(x))' -p 'Cat(tom)' 'Animal(tom)'
  refolio prove --file problem.p
  printf '%s\\n' 'P ∨ Q' '¬P' '⊢ Q' | refolio prove

Exit codes: 0 for True, False, Uncertain, Consistent and Inconsistent, 1 for Undetermined, 2 for wrong
usage, 3 for an input that cannot be read, a formula among it.";

#[derive(Debug, Args)]
pub(super) struct ProveArgs {
    /// The formula that may follow
    #[arg(value_name = "CONCLUSION")]
    pub(super) conclusion: Option<String>,

    /// A premise; may be given several times
    #[arg(short, long, value_name = "FORMULA")]
    pub(super) premise: Vec<String>,

    /// A file with the question; - is standard input
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["conclusion", "premise"])]
    pub(super) file: Option<PathBuf>,

    /// Ask only whether the premises are consistent
    #[arg(long)]
    pub(super) consistency: bool,

    /// How a file or standard input is written, where it is not to be recognised
    #[arg(long, value_name = "SYNTAX")]
    pub(super) syntax: Option<Syntax>,

    #[command(flatten)]
    pub(super) source: ConfigSource,

    #[command(flatten)]
    pub(super) output: ExplainOutput,
}

/// The values of `--syntax`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Syntax {
    /// FOLIO's notation, a formula a line
    Folio,
    /// TPTP, `fof` and `cnf` statements
    Tptp,
}

#[derive(Debug, Args)]
pub(super) struct RuleArgs {
    /// A code such as S101, or a name such as missing-close-bracket
    #[arg(required_unless_present_any = ["all", "list"], value_name = "CODE")]
    pub(super) rule: Option<String>,

    /// Print the page of all rules, as it stands in docs/rules.md
    #[arg(long, conflicts_with = "rule")]
    pub(super) all: bool,

    /// List codes and names
    #[arg(long, conflicts_with_all = ["rule", "all"])]
    pub(super) list: bool,
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
