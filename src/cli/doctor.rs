//! `refolio doctor`

use std::path::Path;
use std::process::ExitCode;

use super::args::DoctorArgs;
use super::cache::told;
use super::config::{cache_path, load, origin, prover_sources};
use super::error::CliError;
use super::output::Output;
use crate::config::Config;
use crate::prove::cache::Cache;
use crate::prove::doctor::examine;

pub(super) fn doctor(args: &DoctorArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let config = load(&args.source)?;
    // The output folder need not be there yet; its disk is that of the nearest folder above it that is.
    let folder = config.output.dir.ancestors().find(|p| p.is_dir()).unwrap_or_else(|| Path::new("."));
    let report = examine(&prover_sources(&config), config.prover.mode, &config.schedule(), folder);
    let cache = cache(&config);
    if args.json {
        let value = serde_json::json!({ "ok": report.ok(), "report": report, "cache": cache, "config": config });
        output.print(&serde_json::to_string_pretty(&value)?)?;
    } else {
        output.print(&report.to_string())?;
        output.print(&format!("cache: {cache}"))?;
        let ready = if report.ok() {
            "ready: `refolio run` can work here"
        } else {
            "not ready: `refolio run` cannot work here"
        };
        output.print(&format!(
            "{ready}\n\nconfiguration in force, from {}:\n\n{}",
            origin(&args.source),
            config.to_toml()?
        ))?;
    }
    Ok(ExitCode::from(if report.ok() { 0 } else { 4 }))
}

/// What the cache holds, or why there is none. Of no weight for whether a run can work.
fn cache(config: &Config) -> String {
    match cache_path(config) {
        None if config.cache.enabled => "none: the user has no folder for caches".to_owned(),
        None => "off".to_owned(),
        // Looking makes no file.
        Some(path) if !path.exists() => format!("{}: not there yet", path.display()),
        Some(path) => match Cache::open(&path, config.cache.max_mb).and_then(|cache| cache.stats()) {
            Ok(stats) => told(&stats),
            Err(error) => error.to_string(),
        },
    }
}
