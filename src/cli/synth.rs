//! `refolio synth`

use std::process::ExitCode;

use super::args::SynthArgs;
use super::error::CliError;
use super::output::Output;
use crate::prove::cancel;
use crate::synth;

pub(super) fn synth(args: &SynthArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    ctrlc::set_handler(cancel::request)?;
    let tally = synth::write(&args.out, args.seed, args.rows)?;
    output.print(&tally.to_string())?;
    output.note(&format!("wrote {}", args.out.display()));
    Ok(ExitCode::SUCCESS)
}
