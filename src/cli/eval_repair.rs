//! `refolio eval-repair`

use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::{EvalFormat, EvalRepairArgs};
use super::config::{load, with_bench};
use super::error::CliError;
use super::inputs;
use super::output::Output;
use crate::config::Config;
use crate::evaluate::{ErrorKind, Errors, Settings, Shown, control, measure, stories};
use crate::ingest::{self, Input};
use crate::pipeline::RunError;
use crate::prove::cancel;
use crate::refine::{Bench, SearchOptions};

pub(super) fn eval_repair(args: &EvalRepairArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let (config, inputs) = settings(args)?;
    if inputs.is_empty() {
        return Err(RunError::NoInputs.into());
    }
    let jobs = config.run.jobs;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let pool = pool.map_err(|e| RunError::Threads { jobs, reason: e.to_string() })?;
    ctrlc::set_handler(cancel::request)?;
    let inputs = inputs::resolve(&inputs, output)?;
    let dataset = ingest::read(&inputs, &config.ingest_options()?)?;
    let settings =
        Settings { selection: config.selection()?, reading: config.reading(), search: SearchOptions::default() };

    let bar = bar(stories(&dataset.records).len(), output);
    let advance = || bar.inc(1);
    let shown = Shown { by_rule: args.by_rule, wrong: args.list, missed: args.list_missed };
    let measured = |bench: &Bench<'_>| {
        if args.wrong_labels {
            let report = control(&dataset.records, &settings, bench, &advance);
            (report.text(shown), report.json(shown))
        } else {
            let kinds = wanted(&args.kinds);
            let errors = Errors { seed: args.seed, kinds, per_record: args.per_record };
            let report = measure(&dataset.records, &errors, &settings, bench, &advance);
            (report.text(shown), report.json(shown))
        }
    };
    let (text, json) = with_bench(&config, output, |bench| {
        let measured = pool.install(|| measured(bench));
        bar.finish_and_clear();
        measured
    })?;
    output.print(&match args.format {
        EvalFormat::Text => text,
        EvalFormat::Json => serde_json::to_string_pretty(&json)?,
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Each kind that is asked for, once; all where none is.
fn wanted(kinds: &[ErrorKind]) -> Vec<ErrorKind> {
    let mut out: Vec<ErrorKind> = Vec::new();
    for kind in if kinds.is_empty() { &ErrorKind::ALL[..] } else { kinds } {
        if !out.contains(kind) {
            out.push(*kind);
        }
    }
    out
}

/// The configuration with the flags laid over it, and the files to read.
fn settings(args: &EvalRepairArgs) -> Result<(Config, Vec<Input>), CliError> {
    let mut config = load(&args.source)?;
    if let Some(jobs) = args.jobs {
        config.run.jobs = jobs;
    }
    if let Some(dialect) = &args.dialect {
        config.dataset.dialect.clone_from(dialect);
    }
    args.cache.lay_over(&mut config);
    let inputs = if args.input.is_empty() { config.inputs()? } else { args.input.clone() };
    Ok((config, inputs))
}

fn bar(stories: usize, output: &Output) -> ProgressBar {
    let target = if output.shows_progress() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(u64::try_from(stories).ok(), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} stories, {eta} left") {
        bar.set_style(style);
    }
    bar
}
