//! `refolio run`

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::{FailOn, RunArgs};
use super::config::{load, open_cache, prover_sources, second_prover, tell_cache};
use super::error::CliError;
use super::inputs;
use super::llm;
use super::output::Output;
use super::report;
use crate::config::{Config, FixLevel};
use crate::emit::{Counts, terminal_summary};
use crate::ingest::Input;
use crate::pipeline::{self, Finished, Progress, Provers, ShardRun};
use crate::prove::cache::Cached;
use crate::prove::{Prover, cancel, discover};
use crate::record::{Agreement, Decided, Row, Status};

/// Rows that are named one by one.
const ABSENT: usize = 10;

pub(super) fn run(args: &RunArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let (mut config, inputs) = settings(args)?;
    let inputs = inputs::resolve(&inputs, output)?;
    config.search.prior = inputs::resolve_file(&config.search.prior, output)?;
    // The first Ctrl-C stops the provers and lets the run clean up; the temporary files go with it.
    ctrlc::set_handler(cancel::request)?;
    let prover = discover::discover_in(&prover_sources(&config), config.prover.mode)?;
    let cache = open_cache(&config, output);
    let cached = cache.as_ref().map(|cache| Cached::new(&*prover, cache));
    let asked: &dyn Prover = cached.as_ref().map_or(&*prover, |cached| cached);
    let bar = Bar::new(output.shows_progress());
    let second = second_prover(&config)?;
    let models = llm::models(&config, args.shard, output)?;
    let agents = models.as_ref().map(llm::Models::agents);
    let provers = Provers { first: asked, second: second.as_ref().map(|e| e as &dyn Prover), agents };
    let save_to = args.save_problems.clone();
    let ran = match args.shard {
        None => pipeline::run(&config, &inputs, provers, save_to, &bar).map(|f| (f, config.output.dir.clone())),
        Some(shard) => match pipeline::run_shard(&config, &inputs, provers, save_to, &bar, shard, args.force) {
            Ok(ShardRun::Already(folder, counts)) => {
                output.note(&format!("nothing to do: {} is finished; --force runs it again", folder.display()));
                return Ok(verdict(args, &counts));
            }
            Ok(ShardRun::Done(finished, folder)) => Ok((*finished, folder)),
            Err(error) => Err(error),
        },
    };
    bar.bar.finish_and_clear();
    tell_cache(cache.as_ref(), output);
    let ran = match ran {
        Ok(ran) => Ok(ran),
        // What was paid for before a run ended early was paid for all the same.
        Err(error) => {
            models.as_ref().map_or(Ok(()), |models| llm::tell(models, output))?;
            Err(error)
        }
    };
    let (finished, folder) = ran?;

    if !output.is_quiet() {
        let table = terminal_summary(&finished.emitted.counts, Some(finished.prover_time), output.colour());
        output.print(&table)?;
    }
    models.as_ref().map_or(Ok(()), |models| llm::tell(models, output))?;
    if let Some(models) = &models {
        llm::keep_usage(models, &folder)?;
    }
    let reported = report::after_run(&config, &folder, &finished.emitted.counts, output)?;
    let mut names: Vec<&str> = finished.emitted.outputs.iter().map(|o| o.file.as_str()).collect();
    if config.output.timings {
        names.push("timings.parquet");
    }
    if reported {
        names.push(report::FILE);
    }
    if finished.emitted.counts.splits.values().any(|split| !split.diagnostics.is_empty()) {
        output.note("`refolio rule CODE` explains a diagnostic; `refolio lint FILE` shows where each is");
    }
    output.note(&format!("wrote {} and manifest.json to {}", names.join(", "), folder.display()));
    tell_decisions(&config, &finished, output);
    if !finished.emitted.stale.is_empty() {
        output.note(&format!("left from an earlier run: {}", finished.emitted.stale.join(", ")));
    }
    let undetermined: u64 =
        finished.emitted.counts.splits.values().map(|s| s.leaving.agreement.get(Agreement::Undetermined)).sum();
    if undetermined > 0 {
        output.note(&format!(
            "the prover left {undetermined} rows undetermined; the column verdict_reason says why, and `refolio doctor` \
             whether the prover works"
        ));
    }
    Ok(verdict(args, &finished.emitted.counts))
}

/// What became of the decisions, if there were any.
fn tell_decisions(config: &Config, finished: &Finished, output: &Output) {
    let Some(told) = &finished.decisions else { return };
    let count = |word| finished.emitted.counts.splits.values().map(|split| split.decisions.get(word)).sum::<u64>();
    let parts: Vec<String> = Decided::WORDS
        .into_iter()
        .map(|word| (word, count(word)))
        .filter(|(_, n)| *n > 0)
        .map(|(word, n)| format!("{n} {word}"))
        .collect();
    let parts = if parts.is_empty() { "none of them about these rows".to_owned() } else { parts.join(", ") };
    let path = pipeline::decisions_path(config);
    output.note(&format!("decisions on {} rows from {}: {parts}", told.records, path.display()));
    if !told.absent.is_empty() {
        let shown: Vec<&str> = told.absent.iter().take(ABSENT).map(String::as_str).collect();
        let more = if told.absent.len() > ABSENT { ", …" } else { "" };
        let n = told.absent.len();
        output.note(&format!("{n} decisions are about rows that the inputs do not have: {}{more}", shown.join(", ")));
    }
    if count("refused") + count("disagreement") > 0 {
        output.note("the column decision_comment says why a decision was not applied");
    }
}

/// The exit code for `--fail-on`.
fn verdict(args: &RunArgs, counts: &Counts) -> ExitCode {
    ExitCode::from(u8::from(args.fail_on.iter().any(|condition| is_met(*condition, counts))))
}

/// The configuration with the flags laid over it, and the files to read.
fn settings(args: &RunArgs) -> Result<(Config, Vec<Input>), CliError> {
    let mut config = load(&args.source)?;
    if let Some(fixes) = args.fixes {
        config.fixes.level = fixes.into();
    }
    if let Some(replay) = &args.replay {
        config.llm.replay.clone_from(replay);
        config.fixes.level = FixLevel::Agents;
    }
    if let Some(journal) = &args.journal {
        config.llm.journal.clone_from(journal);
    }
    if let Some(prior) = &args.prior {
        config.search.prior.clone_from(prior);
    }
    if let Some(decisions) = &args.decisions {
        config.review.decisions.clone_from(decisions);
        config.review.apply = true;
    }
    config.review.apply &= !args.no_decisions;
    if let Some(out) = &args.out {
        config.output.dir.clone_from(out);
    }
    if let Some(jobs) = args.jobs {
        config.run.jobs = jobs;
    }
    if let Some(mode) = args.prover_mode {
        config.prover.mode = mode.into();
    }
    args.cache.lay_over(&mut config);
    if let Some(dialect) = &args.dialect {
        config.dataset.dialect.clone_from(dialect);
    }
    if let Some(level) = args.evidence {
        config.verify.evidence = level.into();
    }
    if let Some(level) = args.second_opinion {
        config.verify.second_opinion = level.into();
    }
    if args.no_report || args.shard.is_some() {
        // Parts of a run have one together, once they are merged.
        config.output.report_rows = 0;
    }
    config.output.csv |= args.csv;
    let inputs = if args.input.is_empty() { config.inputs()? } else { args.input.clone() };
    Ok((config, inputs))
}

fn is_met(condition: FailOn, counts: &Counts) -> bool {
    counts.splits.values().any(|split| match condition.agreement() {
        Some(agreement) => split.leaving.agreement.get(agreement) > 0,
        None => split.status.get(Status::Problematic) > 0,
    })
}

/// A bar on stderr, with the time left and how many rows came out how.
struct Bar {
    bar: ProgressBar,
    /// Rows by status, in the order of [`Status::ALL`].
    counts: [AtomicU64; Status::ALL.len()],
}

impl Bar {
    fn new(visible: bool) -> Self {
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} records, {per_sec}, {eta} left  {msg}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Self { bar, counts: Default::default() }
    }

    /// `120 verified, 3 repaired`: what there is of each.
    fn message(&self) -> String {
        let parts = Status::ALL.iter().zip(&self.counts).filter_map(|(status, count)| {
            let count = count.load(Ordering::Relaxed);
            (count > 0).then(|| format!("{count} {status}"))
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

impl Progress for Bar {
    fn start(&self, records: u64) {
        self.bar.set_length(records);
    }

    fn advance(&self, row: &Row) {
        if !self.bar.is_hidden() {
            if let Some(count) = Status::ALL.iter().position(|s| *s == row.status).and_then(|i| self.counts.get(i)) {
                count.fetch_add(1, Ordering::Relaxed);
            }
            self.bar.set_message(self.message());
        }
        self.bar.inc(1);
    }
}
