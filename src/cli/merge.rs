//! `refolio merge`

use std::process::ExitCode;

use super::args::MergeArgs;
use super::error::CliError;
use super::output::Output;
use crate::config::Config;
use crate::emit::terminal_summary;
use crate::prove::cancel;
use crate::shard;

pub(super) fn merge(args: &MergeArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    ctrlc::set_handler(cancel::request)?;
    let emitted = shard::merge(&args.out, &args.shards)?;
    if !output.is_quiet() {
        output.print(&terminal_summary(&emitted.counts, None, output.colour()))?;
    }
    super::report::after_run(&Config::default(), &args.out, &emitted.counts, output)?;
    let parts = args.shards.len();
    let parts = if parts == 1 { "one shard".to_owned() } else { format!("{parts} shards") };
    output.note(&format!("{parts} put together in {}: every row once", args.out.display()));
    if !emitted.stale.is_empty() {
        output.note(&format!("left from an earlier run: {}", emitted.stale.join(", ")));
    }
    Ok(ExitCode::SUCCESS)
}
