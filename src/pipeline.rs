//! The main job: a dataset in, refined splits out.
//!
//! Here, at the edge, the stages meet files and cores. Every stage itself takes values and returns values. Records flow
//! through in bounded batches: memory does not grow with the input, but for a few bytes a record while it is read first,
//! and for each of a story whose records are far apart.

mod consult;
mod decided;
mod offered;
mod ordered;
mod stage;
mod stories;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::thread;
use std::time::Duration;

pub use self::consult::{Agents, Cores};
use self::decided::Decisions;
pub use self::decided::{DecisionsTold, decisions_path};
use self::offered::Offered;
use self::ordered::{Stopped, Window, ordered};
use self::stage::Stage;
pub(crate) use self::stage::{point_into_original, row};
use self::stories::{Gathered, Runs, Scattered, Stories};
use crate::config::{Config, ConfigError, FixLevel};
use crate::decision::DecisionError;
use crate::diagnostic::Diagnostic;
use crate::emit::{
    Counts, DECISIONS_FILE, EmitError, EmitOptions, Emitted, Emitter, InputFile, ProverInfo, ProverTime, RunInfo,
    Timing,
};
use crate::ingest::{Dataset, IngestError, Input, Placed, SourceFile, Survey};
use crate::lint::{check_dataset, logic};
use crate::prove::eprover::EProver;
use crate::prove::save::SaveError;
use crate::prove::{Identity, Prover, cancel};
use crate::record::{Record, Row};
use crate::shard::{Claim, Claimed, RowSet, Shard, ShardError, ShardInfo, ShardRows};
use crate::verify::{Asker, SecondOpinion, same_story, unused_premises};

/// How far work may run ahead of writing, in stories and bytes of their text. Rows that wait for an earlier one take some
/// ten times as much memory as their text. Changes no byte of the output.
const WINDOW: Window = Window { items: 2048, weight: 16 << 20 };

/// How long the second prover may take over one question.
pub(crate) const SECOND_OPINION_SECONDS: f64 = 10.0;

/// Why a run ended early. Whatever the reason, nothing half-written is left.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The configuration is of no use.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// No input was named.
    #[error("there is nothing to read: no input is named")]
    NoInputs,
    /// An input cannot be read.
    #[error(transparent)]
    Ingest(#[from] IngestError),
    /// Output cannot be written.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// A problem could not be saved.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The threads cannot be started.
    #[error("cannot start {jobs} threads: {reason}")]
    Threads {
        /// How many were asked for.
        jobs: usize,
        /// Why not.
        reason: String,
    },
    /// The prover has gone or never works: going on would only fill the output with the same failure.
    #[error("the prover cannot be used: {0}")]
    Prover(String),
    /// The part cannot be put in its place.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A replay lacks an answer.
    #[error("the replay is not of this run: {0}")]
    NotRecorded(String),
    /// The endpoint has answered nothing at all: going on would only fill the output with the same failure.
    #[error("the language model cannot be asked: {0}")]
    Unreachable(String),
    /// What models say cannot be put on record.
    #[error("the journal cannot be written: {0}")]
    Journal(String),
    /// What people decided cannot be read.
    #[error(transparent)]
    Decisions(#[from] DecisionError),
    /// Language models are to be asked, and nobody said which.
    #[error("language models are to be asked, but none was set up")]
    NoAgents,
    /// The run was told to stop.
    #[error("interrupted")]
    Interrupted,
}

/// What a caller may want to show while a run goes on.
pub trait Progress: Sync {
    /// How many records there are.
    fn start(&self, records: u64);
    /// One more is done.
    fn advance(&self, row: &Row);
}

/// Shows nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn start(&self, _records: u64) {}
    fn advance(&self, _row: &Row) {}
}

/// What a run came to.
#[derive(Debug)]
pub struct Finished {
    /// What was written.
    pub emitted: Emitted,
    /// The prover's time, for people.
    pub prover_time: ProverTime,
    /// What became of people's decisions; `None` where there were none.
    pub decisions: Option<DecisionsTold>,
}

/// Who is asked.
#[derive(Clone, Copy)]
pub struct Provers<'a> {
    /// The prover.
    pub first: &'a dyn Prover,
    /// Another one, for second opinions; not asked unless the configuration says of what.
    pub second: Option<&'a dyn Prover>,
    /// Language models, for `fixes.level = "agents"`.
    pub agents: Option<Agents<'a>>,
}

/// Runs the main job.
///
/// # Errors
/// Where nothing can be read, asked or written, or where [`cancel::request`] was called. Bad rows and questions that the
/// prover leaves open are no errors: they leave as rows with a reason.
pub fn run(
    config: &Config,
    inputs: &[Input],
    provers: Provers<'_>,
    save_to: Option<PathBuf>,
    progress: &dyn Progress,
) -> Result<Finished, RunError> {
    let decisions = Decisions::read(config)?;
    let mut runs = Runs::new(looks_at_stories(config)? || decisions.are_any());
    let survey = survey(config, inputs, |record| runs.push(record, true))?;
    progress.start(survey.len());
    let prior = Offered::read(config)?;
    let info = run_info(config, &survey, provers, prior.as_ref(), &decisions);
    let job = Job {
        config,
        survey: &survey,
        scattered: &runs.close(),
        prior: prior.as_ref(),
        decisions: &decisions,
        provers,
        progress,
        shard: None,
    };
    execute(&job, save_to, &config.output.dir, info)
}

/// What came of a shard.
#[derive(Debug)]
pub enum ShardRun {
    /// It was run, and lies in this folder.
    Done(Box<Finished>, PathBuf),
    /// It lay there already, of the same inputs and settings, with these counts.
    Already(PathBuf, Counts),
}

/// Runs one shard of the main job into a folder of its own below `output.dir`, which appears whole or not at all. Where it
/// is there already, of the same inputs and settings, nothing is done unless `force` asks for it.
///
/// # Errors
/// Those of [`run`], and a finished shard of other inputs or settings in its place.
pub fn run_shard(
    config: &Config,
    inputs: &[Input],
    provers: Provers<'_>,
    save_to: Option<PathBuf>,
    progress: &dyn Progress,
    shard: Shard,
    force: bool,
) -> Result<ShardRun, RunError> {
    let mut records = 0;
    let decisions = Decisions::read(config)?;
    let mut runs = Runs::new(looks_at_stories(config)? || decisions.are_any());
    let survey = survey(config, inputs, |record| {
        let mine = shard.holds(record.story_key());
        records += u64::from(mine);
        runs.push(record, mine);
    })?;
    let prior = Offered::read(config)?;
    let info = run_info(config, &survey, provers, prior.as_ref(), &decisions);
    let claim = match Claim::stake(&config.output.dir, shard, &info, force)? {
        Claimed::Finished(folder, counts) => return Ok(ShardRun::Already(folder, counts)),
        Claimed::Open(claim) => claim,
    };
    progress.start(records);
    let job = Job {
        config,
        survey: &survey,
        scattered: &runs.close(),
        prior: prior.as_ref(),
        decisions: &decisions,
        provers,
        progress,
        shard: Some(shard),
    };
    let finished = execute(&job, save_to, claim.folder(), info.clone())?;
    Ok(ShardRun::Done(Box::new(finished), claim.publish(shard, &info, force)?))
}

fn survey(config: &Config, inputs: &[Input], see: impl FnMut(&Record)) -> Result<Survey, RunError> {
    if inputs.is_empty() {
        return Err(RunError::NoInputs);
    }
    Ok(Survey::new(inputs, &config.ingest_options()?, see)?)
}

fn run_info(
    config: &Config,
    survey: &Survey,
    provers: Provers<'_>,
    prior: Option<&Offered>,
    decisions: &Decisions,
) -> RunInfo {
    let mut recorded = config.recorded();
    if let Some(prior) = prior {
        recorded["search"]["prior"] = prior.recorded().into();
    }
    recorded["review"]["decisions"] = decisions.recorded().unwrap_or_default().into();
    if let Some(agents) = provers.agents.filter(|_| config.fixes.level == FixLevel::Agents) {
        recorded["refine"]["prompts"] = agents.recorded();
    }
    let mut info = RunInfo::new(
        &recorded,
        config.fixes.level.as_str(),
        survey.files().iter().map(input_file).collect(),
        Some(prover_info(provers.first.identity())),
    );
    info.second_prover = provers.second.map(|prover| prover_info(prover.identity()));
    info
}

/// Whom to ask, where the settings say that anybody is.
fn agents<'a>(config: &Config, provers: Provers<'a>) -> Result<Option<Agents<'a>>, RunError> {
    match (config.fixes.level, provers.agents) {
        (FixLevel::Agents, None) => Err(RunError::NoAgents),
        (FixLevel::Agents, agents) => Ok(agents),
        _ => Ok(None),
    }
}

/// Whether anything is looked at that needs whole stories.
fn looks_at_stories(config: &Config) -> Result<bool, ConfigError> {
    Ok(config.fixes.level.searches() || tells_of_stories(config)?)
}

/// Whether findings about whole stories are wanted.
fn tells_of_stories(config: &Config) -> Result<bool, ConfigError> {
    Ok(config.lint.semantic && config.selection()?.has(logic::UNUSED_PREMISE))
}

/// What is to be done.
struct Job<'a> {
    config: &'a Config,
    survey: &'a Survey,
    scattered: &'a Scattered,
    prior: Option<&'a Offered>,
    decisions: &'a Decisions,
    provers: Provers<'a>,
    progress: &'a dyn Progress,
    shard: Option<Shard>,
}

/// What became of one story, or of some of its records.
struct Done {
    /// The story, if it has other records elsewhere.
    scattered: Option<usize>,
    /// For each row the position of its file among the inputs.
    files: Vec<usize>,
    rows: Vec<Row>,
    timings: Vec<Timing>,
}

fn execute(job: &Job<'_>, save_to: Option<PathBuf>, dir: &Path, mut info: RunInfo) -> Result<Finished, RunError> {
    let Job { config, survey, scattered, prior, decisions, provers, progress, shard } = *job;
    let tells_of_stories = tells_of_stories(config)?;
    let schedule = config.schedule();
    let stage = Stage {
        config,
        selection: config.selection()?,
        lowering: config.lowering(),
        asker: Asker::new(provers.first, &schedule, save_to),
        grounder: config.grounder(),
        second: provers.second.map(|prover| {
            SecondOpinion::new(prover, EProver::schedule(SECOND_OPINION_SECONDS), config.verify.second_opinion)
        }),
        across: Box::new(|index, record| survey.across(index, record)),
        search: config.search.options(prior.map(Offered::prior)),
        settled: &decisions.settled,
        agents: agents(config, provers)?,
        queries: AtomicU64::new(0),
        nanoseconds: AtomicU64::new(0),
    };
    let options = EmitOptions { csv: config.output.csv, timings: config.output.timings, proofs: config.output.proofs };
    let mut emitter = Emitter::create(dir, options)?;
    if let Some(text) = decisions.text() {
        emitter.attach(DECISIONS_FILE, text);
    }
    for file in survey.files() {
        emitter.open_split(&file.split)?;
    }
    let wanted = |placed: &Result<Placed, IngestError>| match (placed, shard) {
        (Ok(placed), Some(shard)) => shard.holds(placed.record.story_key()),
        _ => true,
    };
    let whole_stories = config.fixes.level.searches() || decisions.are_any();
    let held = if whole_stories { scattered.hold(survey.records().filter(wanted))? } else { Vec::new() };
    let tell = |story: Vec<Placed>| {
        let elsewhere = story.first().and_then(|placed| scattered.story(placed.index));
        let mut done = Done { scattered: elsewhere, files: Vec::new(), rows: Vec::new(), timings: Vec::new() };
        let here: Vec<(usize, &Record)> = story.iter().map(|placed| (placed.index, &placed.record)).collect();
        let whole = elsewhere.and_then(|number| held.get(number)).filter(|whole| !whole.is_empty());
        let whole: Vec<(usize, &Record)> = match whole {
            Some(whole) => whole.iter().map(|(index, record)| (*index, record)).collect(),
            None => here.clone(),
        };
        let rows = stage.story(&whole, |index| here.iter().any(|(i, _)| *i == index));
        for (placed, (_, row, timings)) in story.iter().zip(rows) {
            progress.advance(&row);
            done.files.push(placed.file);
            done.rows.push(row);
            done.timings.extend(timings);
        }
        if tells_of_stories && done.scattered.is_none() {
            let found = unused_premises(&done.rows.iter().collect::<Vec<_>>());
            done.rows.iter_mut().for_each(|row| row.diagnostics.extend_from_slice(&found));
        }
        done
    };
    // Where models are asked, more stories are under way than there are cores: most of them wait for an answer.
    let work = |story: Vec<Placed>| match &stage.agents {
        Some(agents) => agents.cores.on_one(|| tell(story)),
        None => tell(story),
    };
    let mut gathered = Gathered::new(scattered);
    let mut met = BTreeSet::new();
    let mut sets = vec![RowSet::default(); survey.files().len()];
    let write = |done: Done| {
        stage.check()?;
        emitter.push(&done.rows)?;
        met.extend(done.rows.iter().filter(|row| row.decision.is_some()).map(|row| row.record.record_id.clone()));
        gathered.add(done.scattered, &done.rows);
        emitter.push_timings(&done.timings)?;
        for (file, row) in done.files.into_iter().zip(&done.rows) {
            sets.get_mut(file).map(|set| set.push(row.record.source.row));
        }
        Ok(())
    };
    let jobs = match config.run.jobs {
        0 => thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    let jobs = stage.agents.as_ref().map_or(jobs, |agents| agents.threads.max(jobs));
    let stories = Stories::new(survey.records().filter(wanted));
    ordered(jobs, WINDOW, stories, work, cancel::is_requested, write).map_err(|stopped| match stopped {
        Stopped::Failed(error) => error,
        Stopped::Threads(reason) => RunError::Threads { jobs, reason: reason.to_string() },
    })?;
    stage.check()?;
    info.shard = shard.map(|shard| {
        let rows = survey.files().iter().zip(sets).enumerate();
        let rows = rows.map(|(input, (file, rows))| ShardRows { input, split: file.split.clone(), rows });
        ShardInfo { index: shard.index(), count: shard.count(), rows: rows.collect() }
    });
    emitter.amend(&gathered, &info)?;
    stage.check()?;
    let emitted = emitter.finish(&info)?;
    let prover_time =
        ProverTime { queries: stage.queries.into_inner(), total: Duration::from_nanos(stage.nanoseconds.into_inner()) };
    Ok(Finished { emitted, prover_time, decisions: decisions.told(&met, shard.is_none()) })
}

/// What [`run`] would make of single records of a dataset, by their indices; nothing is written.
///
/// # Errors
/// Where the prover cannot be used, or where [`cancel::request`] was called.
pub fn examine(
    config: &Config,
    dataset: &Dataset,
    wanted: &[usize],
    provers: Provers<'_>,
) -> Result<Vec<Row>, RunError> {
    let prior = Offered::read(config)?;
    let decisions = Decisions::read(config)?;
    let schedule = config.schedule();
    let mut across: BTreeMap<usize, Vec<Diagnostic>> = BTreeMap::new();
    for (index, diagnostic) in check_dataset(&dataset.records) {
        across.entry(index).or_default().push(diagnostic);
    }
    let stage = Stage {
        config,
        selection: config.selection()?,
        lowering: config.lowering(),
        asker: Asker::new(provers.first, &schedule, None),
        grounder: config.grounder(),
        second: provers.second.map(|prover| {
            SecondOpinion::new(prover, EProver::schedule(SECOND_OPINION_SECONDS), config.verify.second_opinion)
        }),
        across: Box::new(|index, _| across.get(&index).cloned().unwrap_or_default()),
        search: config.search.options(prior.as_ref().map(Offered::prior)),
        settled: &decisions.settled,
        agents: agents(config, provers)?,
        queries: AtomicU64::new(0),
        nanoseconds: AtomicU64::new(0),
    };
    let mut rows: BTreeMap<usize, Row> = BTreeMap::new();
    for (index, record) in wanted.iter().filter_map(|i| Some((*i, dataset.records.get(*i)?))) {
        if rows.contains_key(&index) {
            continue;
        }
        let whole_stories = config.fixes.level.searches() || decisions.are_any();
        let of_story = |other: &Record| whole_stories && same_story(record, other);
        let whole: Vec<(usize, &Record)> =
            dataset.records.iter().enumerate().filter(|(i, other)| *i == index || of_story(other)).collect();
        rows.extend(stage.story(&whole, |i| wanted.contains(&i)).into_iter().map(|(i, row, _)| (i, row)));
        if cancel::is_requested() {
            return Err(RunError::Interrupted);
        }
        if let Some(reason) = stage.asker.prover_lost() {
            return Err(RunError::Prover(reason));
        }
    }
    Ok(wanted.iter().filter_map(|index| rows.get(index).cloned()).collect())
}

fn input_file(file: &SourceFile) -> InputFile {
    InputFile {
        name: file.name.clone(),
        split: file.split.clone(),
        sha256: file.sha256.clone(),
        bytes: file.bytes,
        format: file.format.to_string(),
        compression: file.compression.to_string(),
        dialect: file.dialect.to_string(),
        rows: file.rows,
        origin: file.origin.as_ref().map(|origin| origin.address.clone()),
        revision: file.origin.as_ref().map(|origin| origin.revision.clone()),
    }
}

fn prover_info(identity: &Identity) -> ProverInfo {
    ProverInfo {
        name: identity.name.clone(),
        version: identity.version.clone(),
        sha256: Some(identity.sha256.clone()),
        origin: identity.origin,
    }
}
