//! `refolio llm`, and setting up whoever answers questions.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::{fs, io, thread};

use super::args::{LlmCommand, LlmExportArgs, LlmImportArgs, LlmPromptArgs};
use super::config::{cache_path, load, open_cache, prover_sources, second_prover};
use super::error::CliError;
use super::inputs;
use super::output::Output;
use crate::config::{Config, FixLevel};
use crate::emit::{Sealed, seal_text};
use crate::llm::{AgentTally, Client, Journal, Oracle, ReplyCache, Secret, Way, export, import};
use crate::pipeline::{self, Agents, Cores, Provers, Silent};
use crate::prove::cache::Cached;
use crate::prove::{Prover, cancel, discover};
use crate::refine::agents::{Agent, Prompts};
use crate::report::USAGE_FILE;
use crate::shard::Shard;

/// Whoever answers questions, and how many stories may wait for it.
pub(super) struct Models {
    pub(super) oracle: Oracle,
    prompts: Prompts,
    cores: Arc<Cores>,
    threads: usize,
}

impl Models {
    /// For the pipeline.
    pub(super) fn agents(&self) -> Agents<'_> {
        Agents { oracle: &self.oracle, prompts: &self.prompts, cores: &self.cores, threads: self.threads }
    }
}

/// Sets up what `fixes.level = "agents"` needs; `None` for every other level.
///
/// A part of a run has a journal of its own, and is told what the journal of the whole holds, which is where the results of
/// batches go.
pub(super) fn models(config: &Config, shard: Option<Shard>, output: &Output) -> Result<Option<Models>, CliError> {
    if config.fixes.level != FixLevel::Agents {
        return Ok(None);
    }
    let llm = &config.llm;
    if !llm.replay.as_os_str().is_empty() {
        named(config)?;
        let recorded = Journal::replay(&llm.replay)?;
        let oracle = Oracle::new(llm.parameters(), Way::Replay).with_recorded(recorded);
        return set_up(config, oracle, 0).map(Some);
    }
    named(config)?;
    let client = Client::new(llm.endpoint(key(&llm.api_key_env)?), llm.parameters())?;
    let oracle = Oracle::new(llm.parameters(), Way::Live(Box::new(client)))
        .with_journal(Journal::open(&shard.map_or_else(|| journal_path(config), |s| shard_journal_path(config, s)))?)
        .with_cache(replies(config, output))
        .with_budget(llm.budget(), llm.prices);
    let whole = journal_path(config);
    let oracle =
        if shard.is_some() && whole.exists() { oracle.with_recorded(Journal::replay(&whole)?) } else { oracle };
    set_up(config, oracle, llm.concurrency).map(Some)
}

/// Without a model's name, answers of one could be told as another's.
fn named(config: &Config) -> Result<(), CliError> {
    if config.llm.model.trim().is_empty() { Err(CliError::NoModel) } else { Ok(()) }
}

fn set_up(config: &Config, oracle: Oracle, waiting: usize) -> Result<Models, CliError> {
    let jobs = match config.run.jobs {
        0 => thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    let cores = Arc::new(Cores::new(jobs));
    let shared = Arc::clone(&cores);
    let oracle = oracle.while_waiting(move |waits| if waits { shared.leave() } else { shared.enter() });
    Ok(Models { oracle, prompts: prompts(config)?, cores, threads: jobs + waiting })
}

fn prompts(config: &Config) -> Result<Prompts, CliError> {
    let mut texts: BTreeMap<Agent, (String, String)> = BTreeMap::new();
    for (agent, path) in config.refine.prompt_files()? {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|source| CliError::Unreadable { name: name.clone(), source })?;
        texts.insert(agent, (name, text));
    }
    Ok(Prompts::new(&texts)?)
}

/// What the environment holds under this name: the only place where a key is read.
fn key(name: &str) -> Result<Option<Secret>, CliError> {
    if name.is_empty() {
        return Ok(None);
    }
    match std::env::var(name) {
        Ok(key) if !key.trim().is_empty() => Ok(Some(Secret::new(key.trim().to_owned()))),
        _ => Err(CliError::NoKey(name.to_owned())),
    }
}

/// The journal of a run.
pub(super) fn journal_path(config: &Config) -> PathBuf {
    if !config.llm.journal.as_os_str().is_empty() {
        return config.llm.journal.clone();
    }
    let mut name = config.output.dir.file_name().unwrap_or_default().to_owned();
    name.push(".llm.jsonl");
    config.output.dir.with_file_name(name)
}

/// The journal of one part of a run.
fn shard_journal_path(config: &Config, shard: Shard) -> PathBuf {
    let whole = journal_path(config);
    let mut name = whole.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".shard-{}-of-{}.jsonl", shard.index(), shard.count()));
    whole.with_file_name(name)
}

/// The answers of earlier runs, beside those of the prover.
fn replies(config: &Config, output: &Output) -> Option<ReplyCache> {
    let path = cache_path(config)?.with_file_name("replies.sqlite");
    match ReplyCache::open(&path) {
        Ok(cache) => Some(cache),
        Err(error) => {
            output.note(&format!("no replies of language models are recalled or kept: {error}"));
            None
        }
    }
}

/// Tells what asking took.
pub(super) fn tell(models: &Models, output: &mut Output) -> Result<(), CliError> {
    let tally = models.oracle.tally();
    if !output.is_quiet() && !tally.agents.is_empty() {
        let mut text = String::from(
            "\nlanguage model   questions   calls  recalled  cached  failed   tokens in      out   seconds     cost\n",
        );
        for (name, agent) in &tally.agents {
            line(&mut text, name, agent);
        }
        let total = tally.total();
        line(&mut text, "together", &total);
        let repaired = models.oracle.repaired();
        if let Some(tokens) = (total.prompt_tokens + total.completion_tokens).checked_div(repaired) {
            #[expect(clippy::cast_precision_loss, reason = "rows are few")]
            let each = |sum: f64| sum / repaired as f64;
            #[expect(clippy::cast_precision_loss, reason = "questions are few")]
            let questions = total.questions as f64;
            let _ = writeln!(
                text,
                "for each of {repaired} rows repaired so: {:.1} questions, {tokens} tokens, {:.1} seconds, {:.4}",
                each(questions),
                each(total.seconds),
                each(total.cost)
            );
        }
        output.print(&text)?;
    }
    if let Some(bound) = models.oracle.exhausted() {
        output.note(&format!(
            "llm.budget.{bound} is reached: what was not asked is left as problematic, with that reason"
        ));
    }
    if let Some(error) = models.oracle.cache_error() {
        output.note(&format!("replies of language models are not all recalled or kept: {error}"));
    }
    Ok(())
}

/// Keeps what asking took beside the data, for the report. Like times, it differs from run to run.
pub(super) fn keep_usage(models: &Models, folder: &Path) -> Result<(), CliError> {
    let text = serde_json::to_string_pretty(&models.oracle.tally())? + "\n";
    seal_text(folder, USAGE_FILE, &text).and_then(Sealed::publish).map_err(pipeline::RunError::from)?;
    Ok(())
}

fn line(text: &mut String, name: &str, agent: &AgentTally) {
    let AgentTally { questions, calls, recalled, cached, failed, prompt_tokens, completion_tokens, .. } = agent;
    let _ = writeln!(
        text,
        "{name:<16} {questions:>9} {calls:>7} {recalled:>9} {cached:>7} {failed:>7} {prompt_tokens:>11} \
         {completion_tokens:>8} {:>9.1} {:>8.4}",
        agent.seconds, agent.cost
    );
}

pub(super) fn llm(command: &LlmCommand, output: &mut Output) -> Result<ExitCode, CliError> {
    match command {
        LlmCommand::Export(args) => run_export(args, output),
        LlmCommand::Import(args) => run_import(args, output),
        LlmCommand::Prompt(args) => prompt(args, output),
    }
}

/// Goes through the pipeline with the answers there are, and writes down what is asked beyond them.
fn run_export(args: &LlmExportArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let mut config = load(&args.source)?;
    config.fixes.level = FixLevel::Agents;
    named(&config)?;
    if let Some(journal) = &args.journal {
        config.llm.journal.clone_from(journal);
    }
    let inputs = if args.input.is_empty() { config.inputs()? } else { args.input.clone() };
    let inputs = inputs::resolve(&inputs, output)?;
    config.search.prior = inputs::resolve_file(&config.search.prior, output)?;
    ctrlc::set_handler(cancel::request)?;
    let prover = discover::discover_in(&prover_sources(&config), config.prover.mode)?;
    let cache = open_cache(&config, output);
    let cached = cache.as_ref().map(|cache| Cached::new(&*prover, cache));
    let asked: &dyn Prover = cached.as_ref().map_or(&*prover, |cached| cached);
    let oracle = Oracle::new(config.llm.parameters(), Way::Batch)
        .with_journal(Journal::open(&journal_path(&config))?)
        .with_cache(replies(&config, output));
    let models = set_up(&config, oracle, 0)?;
    // What a run would write is of no use before all answers are there.
    let folder = tempfile::tempdir().map_err(|e| unreadable(Path::new("a temporary folder"), e))?;
    config.output.dir = folder.path().join("out");
    // A second opinion can change a verdict, and with it what is asked.
    let second = second_prover(&config)?;
    let second = second.as_ref().map(|e| e as &dyn Prover);
    let provers = Provers { first: asked, second, agents: Some(models.agents()) };
    pipeline::run(&config, &inputs, provers, None, &Silent)?;
    let questions = models.oracle.pending();
    let written = File::create(&args.file).and_then(|file| {
        let mut file = BufWriter::new(file);
        export(&questions, models.oracle.parameters(), config.llm.structured, config.llm.tokens_field, &mut file)?;
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    });
    written.map_err(|source| CliError::Unwritable { name: args.file.display().to_string(), source })?;
    output.note(&format!("wrote {} questions to {}", questions.len(), args.file.display()));
    if questions.is_empty() {
        output.note("every question has its answer: `refolio run --fixes agents` asks nobody any more");
    }
    Ok(ExitCode::SUCCESS)
}

fn unreadable(path: &Path, source: io::Error) -> CliError {
    CliError::Unreadable { name: path.display().to_string(), source }
}

fn run_import(args: &LlmImportArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let mut config = load(&args.source)?;
    if let Some(journal) = &args.journal {
        config.llm.journal.clone_from(journal);
    }
    let text = fs::read_to_string(&args.file).map_err(|source| unreadable(&args.file, source))?;
    let path = journal_path(&config);
    let journal = Journal::open(&path)?;
    let imported =
        import(&text, &journal).map_err(|error| CliError::Batch { name: args.file.display().to_string(), error })?;
    output.note(&format!(
        "{} answers are new in {} ({} of them refusals, empty or cut off), {} were there already, {} calls failed",
        imported.new,
        path.display(),
        imported.unusable,
        imported.known,
        imported.failed.len()
    ));
    for (key, reason) in &imported.failed {
        output.note(&format!("failed: {key}: {reason}"));
    }
    Ok(ExitCode::from(u8::from(!imported.failed.is_empty())))
}

fn prompt(args: &LlmPromptArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    if let Some(agent) = Agent::ALL.into_iter().find(|agent| agent.as_str() == args.agent) {
        output.print(agent.default_prompt())?;
    }
    Ok(ExitCode::SUCCESS)
}
