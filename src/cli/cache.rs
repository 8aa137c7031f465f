//! `refolio cache`

use std::fmt::Write as _;
use std::process::ExitCode;

use rayon::prelude::*;

use super::args::{CacheArgs, CacheCommand, CacheVerifyArgs};
use super::config::{cache_path, load, prover_sources};
use super::error::CliError;
use super::output::Output;
use crate::config::Config;
use crate::pipeline::RunError;
use crate::prove::cache::{Cache, Checked, Keys, Stats, check};
use crate::prove::{cancel, discover};

/// How many answers are asked again, unless all are.
const SAMPLE: usize = 100;
const MIB: f64 = 1_048_576.0;

pub(super) fn cache(command: &CacheCommand, output: &mut Output) -> Result<ExitCode, CliError> {
    match command {
        CacheCommand::Stats(args) => {
            let stats = open(&args.which)?.1.stats()?;
            output.print(&if args.json { serde_json::to_string_pretty(&stats)? } else { told(&stats) })?;
            Ok(ExitCode::SUCCESS)
        }
        CacheCommand::Clear(args) => {
            let removed = open(args)?.1.clear()?;
            output.print(&format!("removed {removed} answers"))?;
            Ok(ExitCode::SUCCESS)
        }
        CacheCommand::Verify(args) => verify(args, output),
    }
}

fn open(args: &CacheArgs) -> Result<(Config, Cache), CliError> {
    let mut config = load(&args.source)?;
    config.cache.enabled = true;
    if let Some(file) = &args.cache {
        config.cache.path.clone_from(file);
    }
    let path = cache_path(&config).ok_or(CliError::NoCache)?;
    let cache = Cache::open(&path, config.cache.max_mb)?;
    Ok((config, cache))
}

/// What a cache holds, in a line.
#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
pub(super) fn told(stats: &Stats) -> String {
    let mib = |bytes: u64| bytes as f64 / MIB;
    let Stats { path, entries, bytes, max_bytes } = stats;
    format!("{}: {entries} answers, {:.1} of {:.0} MiB", path.display(), mib(*bytes), mib(*max_bytes))
}

fn verify(args: &CacheVerifyArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let (config, cache) = open(&args.which)?;
    ctrlc::set_handler(cancel::request)?;
    let prover = discover::discover_in(&prover_sources(&config), config.prover.mode)?;
    let schedule = config.schedule();
    let keys = Keys::new(prover.identity(), &schedule);
    let all = cache.keys()?;
    // Evenly spread: keys are digests, so that this is as good as drawn by lot, and the same each time.
    let step = if args.all { 1 } else { all.len().div_ceil(SAMPLE).max(1) };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(config.run.jobs)
        .build()
        .map_err(|e| RunError::Threads { jobs: config.run.jobs, reason: e.to_string() })?;
    let look =
        |(i, key): (usize, &Vec<u8>)| check(&cache, key, (i % step == 0).then_some((&*prover, &schedule, &keys)));
    let checked: Vec<Checked> = pool.install(|| all.par_iter().enumerate().map(look).collect::<Result<_, _>>())?;
    if cancel::is_requested() {
        return Err(RunError::Interrupted.into());
    }
    let mut text = String::new();
    let mut count = [0_usize; 6];
    for (key, checked) in all.iter().zip(&checked) {
        let kind = match checked {
            Checked::Intact => 0,
            Checked::Same => 1,
            Checked::OtherProver => 2,
            Checked::Damaged => 3,
            Checked::Different { .. } => 4,
            Checked::Unanswered => 5,
        };
        if let Some(n) = count.get_mut(kind) {
            *n += 1;
        }
        let name: String = key.iter().map(|b| format!("{b:02x}")).collect();
        let _ = match checked {
            Checked::Damaged => writeln!(text, "{name}: damaged, removed"),
            Checked::Different { kept, now } => writeln!(text, "{name}: kept {kept}, now {now}; removed"),
            Checked::Intact | Checked::Same | Checked::OtherProver | Checked::Unanswered => Ok(()),
        };
    }
    let [intact, same, other, damaged, different, unanswered] = count;
    let _ = writeln!(
        text,
        "{} answers: {damaged} damaged; asked again: {same} the same, {different} different, {unanswered} unanswered; not \
         asked again: {intact}, and {other} of another prover or schedule",
        all.len()
    );
    output.print(&text)?;
    Ok(ExitCode::from(u8::from(damaged + different > 0)))
}
