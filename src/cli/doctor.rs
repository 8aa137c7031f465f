//! `refolio doctor`

use std::path::Path;
use std::process::ExitCode;

use super::args::DoctorArgs;
use super::config::{load, origin, prover_sources};
use super::error::CliError;
use super::output::Output;
use crate::prove::doctor::examine;

pub(super) fn doctor(args: &DoctorArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let config = load(&args.source)?;
    // The output folder need not be there yet; its disk is that of the nearest folder above it that is.
    let folder = config.output.dir.ancestors().find(|p| p.is_dir()).unwrap_or_else(|| Path::new("."));
    let report = examine(&prover_sources(&config), &config.schedule(), folder);
    if args.json {
        let value = serde_json::json!({ "ok": report.ok(), "report": report, "config": config });
        output.print(&serde_json::to_string_pretty(&value)?)?;
    } else {
        output.print(&report.to_string())?;
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
