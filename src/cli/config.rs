//! `refolio config`, and how every command comes by its configuration.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::args::{ConfigArgs, ConfigSource};
use super::error::CliError;
use super::output::Output;
use crate::config::{Config, DEFAULTS};
use crate::pipeline::RunError;
use crate::prove::cache::{Cache, Cached};
use crate::prove::discover::{self, Sources};
use crate::prove::eprover::EProver;
use crate::prove::{Prover, cancel};
use crate::refine::Bench;
use crate::verify::{Asker, SecondOpinionLevel};

/// The file that is read from the current folder where none is named.
const FILE: &str = "pipeline.toml";

/// Reads the configuration: the named file, else `pipeline.toml` of the current folder, else the defaults without
/// inputs (the sample lies beside the default file only).
pub(super) fn load(source: &ConfigSource) -> Result<Config, CliError> {
    match &source.config {
        Some(path) => Ok(Config::read(path)?),
        None if Path::new(FILE).exists() => Ok(Config::read(Path::new(FILE))?),
        None => {
            let mut config = Config::default();
            config.dataset.inputs.clear();
            Ok(config)
        }
    }
}

/// Where [`load`] takes it from, in words.
pub(super) fn origin(source: &ConfigSource) -> String {
    match &source.config {
        Some(path) => path.display().to_string(),
        None if Path::new(FILE).exists() => FILE.to_owned(),
        None => format!("the defaults (there is no {FILE} here)"),
    }
}

/// What the choice of a prover depends on: here, and only here, the environment is read.
pub(super) fn prover_sources(config: &Config) -> Sources {
    Sources {
        config: Some(config.prover.path.clone()).filter(|p| !p.is_empty()),
        environment: std::env::var_os("REFOLIO_VAMPIRE"),
        path: std::env::var_os("PATH"),
        executable: std::env::current_exe().ok(),
    }
}

/// The prover for second opinions, where any are asked for.
pub(super) fn second_prover(config: &Config) -> Result<Option<EProver>, CliError> {
    if config.verify.second_opinion == SecondOpinionLevel::Off {
        return Ok(None);
    }
    let path = std::env::var_os("PATH");
    Ok(Some(discover::discover_second(&config.verify.second_prover, path.as_deref())?))
}

/// The file of the cache, unless it is off; `None` also where the user has no folder for caches.
pub(super) fn cache_path(config: &Config) -> Option<PathBuf> {
    if !config.cache.enabled {
        return None;
    }
    if !config.cache.path.as_os_str().is_empty() {
        return Some(config.cache.path.clone());
    }
    Some(caches()?.join("answers.sqlite"))
}

/// refolio's folder in the user's folder for caches; `None` where there is none.
pub(super) fn caches() -> Option<PathBuf> {
    // Relative paths in these are of no meaning (XDG Base Directory Specification).
    let folder = |name| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let caches = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))?;
    Some(caches.join("refolio"))
}

/// Opens the cache. Where it is off, `None`; where it cannot be used, `None` and a remark: a run can do without.
pub(super) fn open_cache(config: &Config, output: &Output) -> Option<Cache> {
    match Cache::open(&cache_path(config)?, config.cache.max_mb) {
        Ok(cache) => Some(cache),
        Err(error) => {
            output.note(&format!("no answers are recalled or kept: {error}"));
            None
        }
    }
}

/// Tells what was wrong with the cache, if anything was.
pub(super) fn tell_cache(cache: Option<&Cache>, output: &Output) {
    let Some(cache) = cache else { return };
    cache.flush();
    let counts = cache.counts();
    if counts.damaged > 0 {
        output.note(&format!("{} damaged answers of the cache were not believed but asked anew", counts.damaged));
    }
    if let Some(reason) = counts.first_failure {
        output.note(&format!("the cache failed {} times, the first time thus: {reason}", counts.failures));
    }
}

/// Does something that asks the prover in passing, without evidence, and says what went wrong meanwhile.
pub(super) fn with_bench<T>(
    config: &Config,
    output: &Output,
    work: impl FnOnce(&Bench<'_>) -> T,
) -> Result<T, CliError> {
    let prover = discover::discover_in(&prover_sources(config), config.prover.mode)?;
    let cache = open_cache(config, output);
    let cached = cache.as_ref().map(|cache| Cached::new(&*prover, cache));
    let asked: &dyn Prover = cached.as_ref().map_or(&*prover, |cached| cached);
    let (schedule, lowering) = (config.schedule(), config.lowering());
    let asker = Asker::new(asked, &schedule, None);
    let done = work(&Bench { lowering: &lowering, asker: &asker });
    tell_cache(cache.as_ref(), output);
    if cancel::is_requested() {
        return Err(RunError::Interrupted.into());
    }
    asker.prover_lost().map_or(Ok(done), |reason| Err(RunError::Prover(reason).into()))
}

pub(super) fn config(args: &ConfigArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let text = if args.defaults { DEFAULTS.to_owned() } else { load(&args.source)?.to_toml()? };
    output.print(&text)?;
    Ok(ExitCode::SUCCESS)
}
