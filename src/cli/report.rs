//! `refolio report`, and the report at the end of a run.

use std::path::Path;
use std::process::ExitCode;

use super::args::ReportArgs;
use super::error::CliError;
use super::output::Output;
use crate::config::Config;
use crate::emit::Counts;
use crate::report;

/// The file's name.
pub(super) const FILE: &str = report::REPORT_FILE;

pub(super) fn report(args: &ReportArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let reported = report::write(&args.dir, args.max_rows)?;
    output.note(&format!("wrote {}: {} of {} rows", reported.path.display(), reported.listed, reported.rows));
    Ok(ExitCode::SUCCESS)
}

/// Writes the report of a run that has just ended, unless it has too many rows to wait for.
pub(super) fn after_run(config: &Config, dir: &Path, counts: &Counts, output: &Output) -> Result<bool, CliError> {
    let limit = config.output.report_rows;
    let rows: u64 = counts.splits.values().map(|split| split.rows).sum();
    if limit == 0 {
        return Ok(false);
    }
    if rows > limit {
        output.note(&format!(
            "no report of {rows} rows, more than output.report_rows; `refolio report {}` writes one",
            dir.display()
        ));
        return Ok(false);
    }
    report::write(dir, usize::try_from(limit).unwrap_or(usize::MAX))?;
    Ok(true)
}
