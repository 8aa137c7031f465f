//! `pipeline.toml`, typed.
//!
//! The defaults are those of the file at the root of the package, which is compiled in: one place for each fact. Unknown
//! keys are errors. Nothing here reads the environment.

mod error;
mod llm;
mod mistake;
mod publish;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fol::QuantifierScope;
use crate::fol::print::tptp::FreeVariables;
use crate::ingest::{ColumnMap, Dialect, Input, OnError, Options};
use crate::lint::Selection;
use crate::prove::discover::Mode;
use crate::prove::{Attempt, Schedule};
use crate::refine::{Prior, SearchOptions};
use crate::verify::{EvidenceLevel, Grounder, Lowering, ReadingOptions, SecondOpinionLevel};

pub use self::error::ConfigError;
pub use self::llm::{BudgetConfig, LlmConfig, RefineConfig};
pub use self::publish::{LICENSE, PublishConfig};

/// The file that holds every default.
pub const DEFAULTS: &str = include_str!("../pipeline.toml");

/// The configuration in force.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What to read.
    pub dataset: DatasetConfig,
    /// How to read it.
    pub ingest: IngestConfig,
    /// How formulas are read.
    pub parse: ParseConfig,
    /// Which rules apply.
    pub lint: LintConfig,
    /// Which fixes are applied.
    pub fixes: FixesConfig,
    /// Bounds of the search for repairs.
    pub search: SearchConfig,
    /// Whether and where language models are asked.
    pub llm: LlmConfig,
    /// What they are asked.
    pub refine: RefineConfig,
    /// Whom to ask, and how long.
    pub prover: ProverConfig,
    /// What is kept of its answers.
    pub cache: CacheConfig,
    /// What is taken for granted.
    pub verify: VerifyConfig,
    /// What people decide.
    pub review: ReviewConfig,
    /// What to write.
    pub output: OutputConfig,
    /// What is published, where, and under which licence; changes no byte of the output.
    pub publish: PublishConfig,
    /// How to work; changes no byte of the output.
    pub run: RunConfig,
}

/// `[dataset]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatasetConfig {
    /// `FILE` or `SPLIT=FILE` each.
    pub inputs: Vec<String>,
    /// A dialect's name, or `auto`.
    pub dialect: String,
    /// Names of columns where they are not the dialect's.
    pub columns: ColumnMap,
}

/// `[ingest]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IngestConfig {
    /// What becomes of a row that cannot be read.
    pub on_error: OnError,
}

/// `[parse]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParseConfig {
    /// What a quantifier binds.
    pub quantifier_scope: QuantifierScope,
    /// What becomes of free variables.
    pub free_variables: FreeVariables,
}

/// `[lint]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LintConfig {
    /// Rules to apply; empty for all.
    pub select: Vec<String>,
    /// Rules not to apply.
    pub ignore: Vec<String>,
    /// Whether rules that need a prover are run.
    pub semantic: bool,
}

/// Which fixes are applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FixLevel {
    /// None: every text is taken as it came.
    None,
    /// Those that keep the meaning or give the only sensible reading.
    Safe,
    /// Those, and then what closes a broken chain and passes every guard.
    Search,
    /// Those, and then what language models propose and every guard lets pass.
    Agents,
}

impl FixLevel {
    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Safe => "safe",
            Self::Search => "search",
            Self::Agents => "agents",
        }
    }

    /// Whether broken chains are searched for repairs.
    #[must_use]
    pub const fn searches(self) -> bool {
        matches!(self, Self::Search | Self::Agents)
    }
}

/// `[fixes]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixesConfig {
    /// Which fixes are applied.
    pub level: FixLevel,
}

/// `[search]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchConfig {
    /// Sets of edits that are looked at for one record, at most.
    pub max_candidates: usize,
    /// Edits of one set, at most.
    pub max_edits: usize,
    /// Two repairs whose costs differ by no more than this are equally near.
    pub margin: f64,
    /// A dataset whose formulas are offered too where their sentences are the same; nothing for none.
    pub prior: PathBuf,
}

impl SearchConfig {
    /// The bounds.
    #[must_use]
    pub fn options(&self, prior: Option<Arc<Prior>>) -> SearchOptions {
        let Self { max_candidates, max_edits, margin, .. } = *self;
        SearchOptions { max_candidates, max_edits, margin, prior }
    }
}

/// `[prover]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProverConfig {
    /// A path, `system`, or nothing.
    pub path: String,
    /// How it is run.
    pub mode: Mode,
    /// Mebibytes for one process.
    pub memory_mb: u64,
    /// Times an attempt is made again after a crash.
    pub retries_after_crash: u32,
    /// In order, until one decides.
    pub attempts: Vec<Attempt>,
}

/// `[cache]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheConfig {
    /// Whether answers are kept and recalled.
    pub enabled: bool,
    /// The file; empty for the one in the user's folder for caches.
    pub path: PathBuf,
    /// Mebibytes that it may hold.
    pub max_mb: u64,
}

/// `[verify]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerifyConfig {
    /// Whether constants of different names are different individuals.
    pub unique_names: bool,
    /// What verdicts have to rest on.
    pub evidence: EvidenceLevel,
    /// Of what another prover is asked.
    pub second_opinion: SecondOpinionLevel,
    /// The path of E; nothing for the one on `PATH`.
    pub second_prover: String,
}

/// `[review]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewConfig {
    /// The file of decisions; nothing for `<output.dir>.decisions.jsonl`.
    pub decisions: PathBuf,
    /// Whether a run applies them.
    pub apply: bool,
}

/// `[output]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputConfig {
    /// The folder for everything that is written.
    pub dir: PathBuf,
    /// Whether to write the five-column CSV.
    pub csv: bool,
    /// Whether to write `timings.parquet`.
    pub timings: bool,
    /// Whether to write `evidence.parquet`.
    pub proofs: bool,
    /// Rows up to which a run writes `report.html`; 0 for never.
    pub report_rows: u64,
}

/// `[run]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// Records worked on at once; 0 for one per core.
    pub jobs: usize,
}

impl Default for Config {
    fn default() -> Self {
        match toml::from_str(DEFAULTS) {
            Ok(config) => config,
            Err(error) => unreachable!("the compiled-in defaults are tested to be valid: {error}"),
        }
    }
}

impl Config {
    /// Reads a file over the defaults: a key that it lacks has its default. Relative paths in it are taken from its
    /// folder.
    ///
    /// # Errors
    /// Where the file cannot be read or is not valid.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = fs::read_to_string(path).map_err(|reason| ConfigError::Io { path: path.to_owned(), reason })?;
        let mut config = Self::parse(&text, path)?;
        if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
            config.rebase(folder);
        }
        Ok(config)
    }

    /// Reads text over the defaults; `path` is for messages.
    ///
    /// # Errors
    /// Where the text is not valid.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        let given: toml::Table = toml::from_str(text).map_err(|e| mistake::invalid(&e, text, path))?;
        let mut merged: toml::Table = toml::from_str(DEFAULTS).map_err(|e| mistake::invalid(&e, DEFAULTS, path))?;
        merge(&mut merged, given);
        let config = Self::deserialize(toml::Value::Table(merged)).map_err(|e| mistake::invalid(&e, text, path))?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), ConfigError> {
        for attempt in &self.prover.attempts {
            if !(attempt.time_limit > 0.0 && attempt.time_limit <= Attempt::MAX_TIME_LIMIT) {
                return Err(ConfigError::Range {
                    key: format!("prover.attempts.{}.time_limit", attempt.name),
                    value: attempt.time_limit.to_string(),
                    expected: "seconds above 0, a day at most",
                });
            }
        }
        if self.prover.memory_mb < 16 {
            return Err(ConfigError::Range {
                key: "prover.memory_mb".to_owned(),
                value: self.prover.memory_mb.to_string(),
                expected: "16 or more mebibytes",
            });
        }
        if self.cache.max_mb == 0 {
            return Err(ConfigError::Range {
                key: "cache.max_mb".to_owned(),
                value: self.cache.max_mb.to_string(),
                expected: "1 or more mebibytes",
            });
        }
        if !(self.search.margin >= 0.0 && self.search.margin.is_finite()) {
            return Err(ConfigError::Range {
                key: "search.margin".to_owned(),
                value: self.search.margin.to_string(),
                expected: "0 or more",
            });
        }
        self.llm.check()?;
        self.refine.check()?;
        self.publish.check()?;
        self.ingest_options()?;
        self.selection()?;
        Ok(())
    }

    fn rebase(&mut self, folder: &Path) {
        if !self.cache.path.as_os_str().is_empty() && self.cache.path.is_relative() {
            self.cache.path = folder.join(&self.cache.path);
        }
        let prior = &self.search.prior;
        if !prior.as_os_str().is_empty() && prior.is_relative() && !Input::new(prior).is_on_hub() {
            self.search.prior = folder.join(&self.search.prior);
        }
        if !self.review.decisions.as_os_str().is_empty() && self.review.decisions.is_relative() {
            self.review.decisions = folder.join(&self.review.decisions);
        }
        self.llm.rebase(folder);
        self.refine.rebase(folder);
        if self.output.dir.is_relative() {
            self.output.dir = folder.join(&self.output.dir);
        }
        for input in &mut self.dataset.inputs {
            let Ok(parsed) = input.parse::<Input>() else { continue };
            if parsed.path.is_relative() && !parsed.is_on_hub() {
                let path = folder.join(&parsed.path).display().to_string();
                *input = parsed.split.map_or_else(|| path.clone(), |split| format!("{split}={path}"));
            }
        }
        if !self.prover.path.is_empty()
            && self.prover.path != crate::prove::discover::SYSTEM
            && Path::new(&self.prover.path).is_relative()
        {
            self.prover.path = folder.join(&self.prover.path).display().to_string();
        }
    }

    /// The files to read.
    ///
    /// # Errors
    /// Where an entry names no file.
    pub fn inputs(&self) -> Result<Vec<Input>, ConfigError> {
        Ok(self.dataset.inputs.iter().map(|i| i.parse()).collect::<Result<_, _>>()?)
    }

    /// How to read them.
    ///
    /// # Errors
    /// Where the dialect has no such name.
    pub fn ingest_options(&self) -> Result<Options, ConfigError> {
        let dialect = match self.dataset.dialect.as_str() {
            "auto" => None,
            name => Some(name.parse::<Dialect>()?),
        };
        Ok(Options { dialect, columns: self.dataset.columns.clone(), on_error: self.ingest.on_error })
    }

    /// Which rules apply.
    ///
    /// # Errors
    /// Where a selector names no rule.
    pub fn selection(&self) -> Result<Selection, ConfigError> {
        Ok(Selection::new(&self.lint.select, &self.lint.ignore)?)
    }

    /// How formulas are read.
    #[must_use]
    pub const fn reading(&self) -> ReadingOptions {
        ReadingOptions { scope: self.parse.quantifier_scope, free: self.parse.free_variables }
    }

    /// How problems are made.
    #[must_use]
    pub const fn lowering(&self) -> Lowering {
        Lowering { free: self.parse.free_variables, unique_names: self.verify.unique_names }
    }

    /// Whether questions are grounded.
    #[must_use]
    pub fn grounder(&self) -> Grounder {
        match self.verify.evidence {
            EvidenceLevel::Full => Grounder::new(),
            EvidenceLevel::Prover => Grounder::off(),
        }
    }

    /// How the prover is asked.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        Schedule {
            attempts: self.prover.attempts.clone(),
            memory_mb: self.prover.memory_mb,
            retries_after_crash: self.prover.retries_after_crash,
        }
    }

    /// The settings that decide the bytes of the output, for provenance: not where things lie, not how many jobs.
    #[must_use]
    pub fn recorded(&self) -> Value {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        if let Some(sections) = value.as_object_mut() {
            sections.remove("run");
            // What is published is made from a run's files, not in it.
            sections.remove("publish");
            if self.fixes.level == FixLevel::Agents {
                if let Some(llm) = sections.get_mut("llm").and_then(Value::as_object_mut) {
                    // What answers depend on; not where they come from, nor how fast. An answer is the same recorded.
                    llm.retain(|key, _| matches!(key.as_str(), "model" | "temperature" | "seed" | "max_tokens"));
                }
                if let Some(refine) = sections.get_mut("refine").and_then(Value::as_object_mut) {
                    // Who reads the prompts puts their versions and hashes here.
                    refine.remove("prompts");
                }
            } else {
                sections.remove("llm");
                sections.remove("refine");
            }
            if let Some(search) = sections.get_mut("search").and_then(Value::as_object_mut) {
                // Who reads it puts its name and hash here: not where it lies.
                search.insert("prior".to_owned(), Value::String(String::new()));
            }
            // Likewise.
            sections.insert("review".to_owned(), serde_json::json!({ "decisions": "" }));
            // An answer is the same whether it was recalled or given.
            sections.remove("cache");
            if let Some(dataset) = sections.get_mut("dataset").and_then(Value::as_object_mut) {
                // The files stand under `inputs` of the manifest, with their hashes.
                dataset.remove("inputs");
            }
            if let Some(output) = sections.get_mut("output").and_then(Value::as_object_mut) {
                output.remove("dir");
                output.remove("timings");
                output.remove("report_rows");
            }
            if let Some(prover) = sections.get_mut("prover").and_then(Value::as_object_mut) {
                // The prover stands under `prover` of the manifest, with its hash.
                prover.remove("path");
                // The answers are the same however it is run.
                prover.remove("mode");
            }
        }
        value
    }

    /// The settings as TOML, without comments.
    ///
    /// # Errors
    /// Where a path is not UTF-8.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string_pretty(self)
    }
}

/// Lays `over` on `base`, table by table; arrays and values are replaced whole. The default names of columns are none,
/// so nothing of them shines through.
fn merge(base: &mut toml::Table, over: toml::Table) {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(toml::Value::Table(below)), toml::Value::Table(above)) => merge(below, above),
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, String> {
        Config::parse(text, Path::new("pipeline.toml")).map_err(|e| e.to_string())
    }

    #[test]
    fn defaults_are_valid_and_are_those_of_the_types() {
        let config = Config::default();
        assert_eq!(config.schedule(), Schedule::default());
        assert_eq!(config.reading(), ReadingOptions::default());
        assert_eq!(config.lowering(), Lowering::default());
        assert_eq!(config.ingest_options().expect("valid"), Options::default());
        assert_eq!(parse(""), Ok(config));
    }

    #[test]
    fn a_file_overrides_what_it_names() {
        let config = parse("[fixes]\nlevel = \"none\"\n[dataset]\ncolumns = { label = \"gold\" }\n").expect("valid");
        assert_eq!(config.fixes.level, FixLevel::None);
        assert_eq!(config.dataset.columns.label.as_deref(), Some("gold"));
        assert_eq!(config.prover, Config::default().prover);
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text| parse(text).expect_err("invalid");
        insta::assert_snapshot!(error("[fixes]\nlevle = 1\n"), @"pipeline.toml:2: unknown key `levle`, expected `level`; did you mean `level`?");
        insta::assert_snapshot!(error("\n[verfy]\n"), @"pipeline.toml:2: unknown key `verfy`, expected one of `dataset`, `ingest`, `parse`, `lint`, `fixes`, `search`, `llm`, `refine`, `prover`, `cache`, `verify`, `review`, `output`, `publish`, `run`; did you mean `verify`?");
        insta::assert_snapshot!(error("[fixes]\nlevel = \"all\"\n"), @"pipeline.toml:2: unknown value `all`, expected one of `none`, `safe`, `search`, `agents`");
        insta::assert_snapshot!(error("[dataset]\ndialect = \"folio\"\n"), @r#"dataset.dialect: unknown dialect "folio"; known are folio-v0, folio-v2, folio-refined, malls, proverqa, custom"#);
        insta::assert_snapshot!(error("[lint]\nselect = [\"Z9\"]\n"), @r#"lint: unknown rule selector "Z9""#);
        insta::assert_snapshot!(error("[prover]\nmemory_mb = 1\n"), @"prover.memory_mb: 1 is out of range; expected 16 or more mebibytes");
        insta::assert_snapshot!(error("[[prover.attempts]]\nname = \"a\"\noptions = []\ntime_limit = 0.0\n"), @"prover.attempts.a.time_limit: 0 is out of range; expected seconds above 0, a day at most");
        insta::assert_snapshot!(error("# c\n[lint]\nsemantic = 3\n"), @"pipeline.toml:3: wrong kind of value: integer `3`, expected a boolean");
        insta::assert_snapshot!(error("[[prover.attempts]]\nname = \"a\"\noptions = [\"b\"]\ntime_limit = \"2\"\n"), @r#"pipeline.toml:4: wrong kind of value: string "2", expected a number"#);
        insta::assert_snapshot!(error("[[prover.attempts]]\nname = \"a\"\n"), @"pipeline.toml:1: missing key `time_limit`");
        insta::assert_snapshot!(error("[fixes]\nlevel = \"saf\"\n"), @"pipeline.toml:2: unknown value `saf`, expected one of `none`, `safe`, `search`, `agents`; did you mean `safe`?");
        insta::assert_snapshot!(error("[fixes\n"), @"pipeline.toml:1: unclosed table, expected `]`");
    }

    #[test]
    fn what_changes_no_byte_is_not_recorded() {
        let mut config = Config::default();
        let recorded = config.recorded();
        config.run.jobs = 7;
        config.prover.mode = Mode::Processes;
        config.cache.enabled = false;
        config.output.dir = "elsewhere".into();
        config.dataset.inputs = vec!["other.jsonl".to_owned()];
        assert_eq!(config.recorded(), recorded);
        config.fixes.level = FixLevel::None;
        assert_ne!(config.recorded(), recorded);
    }

    #[test]
    fn paths_are_relative_to_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipeline.toml");
        fs::write(&path, "[dataset]\ninputs = [\"a.jsonl\", \"train=b.jsonl\"]\n").expect("written");
        let config = Config::read(&path).expect("valid");
        let at = |name: &str| folder.path().join(name).display().to_string();
        assert_eq!(config.dataset.inputs, [at("a.jsonl"), format!("train={}", at("b.jsonl"))]);
        assert_eq!(config.output.dir, folder.path().join("out"));
    }
}
