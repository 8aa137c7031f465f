//! The main job: a dataset in, refined splits out.
//!
//! Here, at the edge, the stages meet files and cores. Every stage itself takes values and returns values. Records flow
//! through in bounded batches: memory does not grow with the input, but for a few bytes a record while it is read first.

mod ordered;
mod scattered;
mod stage;

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::thread;
use std::time::Duration;

use self::ordered::{Stopped, Window, ordered};
use self::scattered::{Runs, Scattered};
use self::stage::Stage;
pub(crate) use self::stage::{point_into_original, row};
use crate::config::{Config, ConfigError, FixLevel};
use crate::diagnostic::Diagnostic;
use crate::emit::{
    Counts, EmitError, EmitOptions, Emitted, Emitter, InputFile, ProverInfo, ProverTime, RunInfo, Timing,
};
use crate::ingest::{Dataset, IngestError, Input, Placed, SourceFile, Survey};
use crate::lint::check_dataset;
use crate::prove::eprover::EProver;
use crate::prove::save::SaveError;
use crate::prove::{Identity, Prover, cancel};
use crate::record::{Record, Row};
use crate::shard::{Claim, Claimed, RowSet, Shard, ShardError, ShardInfo, ShardRows};
use crate::verify::{Asker, SecondOpinion, same_story};

/// How far work may run ahead of writing, in stories and bytes of their text. Rows that wait for an earlier one take some
/// ten times as much memory as their text. Changes no byte of the output.
const WINDOW: Window = Window { items: 2048, weight: 16 << 20 };

/// How many consecutive records of one story are worked on by one thread. Changes no byte of the output.
const STORY: usize = 32;

/// Likewise where a story is mended as a whole. Longer ones are treated as if their records lay apart.
const WHOLE_STORY: usize = 256;

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
}

/// Who is asked.
#[derive(Clone, Copy)]
pub struct Provers<'a> {
    /// The prover.
    pub first: &'a dyn Prover,
    /// Another one, for second opinions; not asked unless the configuration says of what.
    pub second: Option<&'a dyn Prover>,
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
    let mut runs = Runs::default();
    let searches = config.fixes.level == FixLevel::Search;
    let survey = survey(config, inputs, |record| {
        if searches {
            runs.see(record);
        }
    })?;
    progress.start(survey.len());
    let info = run_info(config, &survey, provers);
    execute(
        &Job { config, survey: &survey, runs: &runs, provers, progress, shard: None },
        save_to,
        &config.output.dir,
        info,
    )
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
    let mut runs = Runs::default();
    let searches = config.fixes.level == FixLevel::Search;
    let survey = survey(config, inputs, |record| {
        let held = shard.holds(record.story_key());
        records += u64::from(held);
        // Where records of other shards stand between them, the others of the story do not stand less together.
        if searches && held {
            runs.see(record);
        }
    })?;
    let info = run_info(config, &survey, provers);
    let claim = match Claim::stake(&config.output.dir, shard, &info, force)? {
        Claimed::Finished(folder, counts) => return Ok(ShardRun::Already(folder, counts)),
        Claimed::Open(claim) => claim,
    };
    progress.start(records);
    let job = Job { config, survey: &survey, runs: &runs, provers, progress, shard: Some(shard) };
    let finished = execute(&job, save_to, claim.folder(), info.clone())?;
    Ok(ShardRun::Done(Box::new(finished), claim.publish(shard, &info, force)?))
}

fn survey(config: &Config, inputs: &[Input], see: impl FnMut(&Record)) -> Result<Survey, RunError> {
    if inputs.is_empty() {
        return Err(RunError::NoInputs);
    }
    Ok(Survey::new(inputs, &config.ingest_options()?, see)?)
}

fn run_info(config: &Config, survey: &Survey, provers: Provers<'_>) -> RunInfo {
    let mut info = RunInfo::new(
        &config.recorded(),
        config.fixes.level.as_str(),
        survey.files().iter().map(input_file).collect(),
        Some(prover_info(provers.first.identity())),
    );
    info.second_prover = provers.second.map(|prover| prover_info(prover.identity()));
    info
}

/// What is to be done.
struct Job<'a> {
    config: &'a Config,
    survey: &'a Survey,
    runs: &'a Runs,
    provers: Provers<'a>,
    progress: &'a dyn Progress,
    shard: Option<Shard>,
}

/// What became of one story.
struct Done {
    /// For each row the position of its file among the inputs.
    files: Vec<usize>,
    rows: Vec<Row>,
    timings: Vec<Timing>,
}

fn execute(job: &Job<'_>, save_to: Option<PathBuf>, dir: &Path, mut info: RunInfo) -> Result<Finished, RunError> {
    let Job { config, survey, runs, provers, progress, shard } = *job;
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
        queries: AtomicU64::new(0),
        nanoseconds: AtomicU64::new(0),
    };
    let options = EmitOptions { csv: config.output.csv, timings: config.output.timings, proofs: config.output.proofs };
    let mut emitter = Emitter::create(dir, options)?;
    for file in survey.files() {
        emitter.open_split(&file.split)?;
    }
    let scattered = match config.fixes.level {
        FixLevel::Search => Scattered::gather(survey, runs)?,
        FixLevel::None | FixLevel::Safe => Scattered::default(),
    };
    let work = |story: Vec<Placed>| {
        let mut done = Done { files: Vec::new(), rows: Vec::new(), timings: Vec::new() };
        let here: Vec<(usize, &Record)> = story.iter().map(|placed| (placed.index, &placed.record)).collect();
        let elsewhere = here.first().map(|(_, record)| scattered.story_of(record)).unwrap_or_default();
        let whole = if elsewhere.is_empty() { &here } else { &elsewhere };
        for (placed, (_, row, timings)) in
            story.iter().zip(stage.story(whole, |index| here.iter().any(|(i, _)| *i == index)))
        {
            progress.advance(&row);
            done.files.push(placed.file);
            done.rows.push(row);
            done.timings.extend(timings);
        }
        done
    };
    let mut sets = vec![RowSet::default(); survey.files().len()];
    let write = |done: Done| {
        stage.check()?;
        emitter.push(&done.rows)?;
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
    let wanted = |placed: &Result<Placed, IngestError>| match (placed, shard) {
        (Ok(placed), Some(shard)) => shard.holds(placed.record.story_key()),
        _ => true,
    };
    let longest = if config.fixes.level == FixLevel::Search { WHOLE_STORY } else { STORY };
    let stories = Stories { records: survey.records().filter(wanted).peekable(), longest };
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
    let emitted = emitter.finish(&info)?;
    let prover_time =
        ProverTime { queries: stage.queries.into_inner(), total: Duration::from_nanos(stage.nanoseconds.into_inner()) };
    Ok(Finished { emitted, prover_time })
}

/// Consecutive records with the same premises, one after the other, so that what they share is worked out once and by no
/// two threads at the same time. Each comes with the bytes of its text.
struct Stories<I: Iterator> {
    records: Peekable<I>,
    /// Records of one item, at most.
    longest: usize,
}

impl<I: Iterator<Item = Result<Placed, IngestError>>> Iterator for Stories<I> {
    type Item = Result<(Vec<Placed>, usize), RunError>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = match self.records.next()? {
            Ok(first) => first,
            Err(error) => return Some(Err(error.into())),
        };
        let mut story = vec![first];
        while story.len() < self.longest {
            let goes_on = |next: &Result<Placed, IngestError>| {
                let same = |first: &Placed, next: &Placed| {
                    let (first, next) = (&first.record, &next.record);
                    first.split == next.split && first.story_id == next.story_id && first.same_story(next)
                };
                matches!((next, story.first()), (Ok(next), Some(first)) if same(first, next))
            };
            match self.records.next_if(goes_on) {
                Some(Ok(next)) => story.push(next),
                _ => break,
            }
        }
        let weight = story.iter().map(|placed| placed.record.text_bytes()).sum();
        Some(Ok((story, weight)))
    }
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
        queries: AtomicU64::new(0),
        nanoseconds: AtomicU64::new(0),
    };
    let mut rows = Vec::with_capacity(wanted.len());
    for (index, record) in wanted.iter().filter_map(|i| Some((*i, dataset.records.get(*i)?))) {
        let of_story = |other: &Record| {
            config.fixes.level == FixLevel::Search && other.split == record.split && same_story(record, other)
        };
        let whole: Vec<(usize, &Record)> =
            dataset.records.iter().enumerate().filter(|(i, other)| *i == index || of_story(other)).collect();
        rows.extend(stage.story(&whole, |i| i == index).into_iter().map(|(_, row, _)| row));
        if cancel::is_requested() {
            return Err(RunError::Interrupted);
        }
        if let Some(reason) = stage.asker.prover_lost() {
            return Err(RunError::Prover(reason));
        }
    }
    Ok(rows)
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
