//! The command line: the only place that prints. One file per command.

mod args;
mod audit;
mod cache;
mod check;
mod choose;
mod config;
mod doctor;
mod error;
mod eval_repair;
mod explain;
mod fix;
mod hub;
mod inputs;
mod lint;
mod llm;
mod merge;
mod output;
mod prove;
mod publish;
mod report;
mod review;
mod rule;
mod run;
mod stats;
mod synth;
mod versions;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

use self::args::{Cli, Command};
use self::error::CliError;
use self::output::Output;

/// Parses the arguments of the process, does what they say, prints, and returns the exit code.
#[must_use]
pub fn main() -> ExitCode {
    start(std::env::args_os())
}

fn start(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Clap prints help and version to stdout, mistakes to stderr, with its own exit codes 0 and 2.
            let code = error.exit_code();
            let _ = error.print();
            return ExitCode::from(u8::try_from(code).unwrap_or(error::USAGE));
        }
    };
    let mut output = Output::new(cli.quiet);
    let result = match &cli.command {
        Command::Run(args) => run::run(args, &mut output),
        Command::Merge(args) => merge::merge(args, &mut output),
        Command::Lint(args) => lint::lint(args, &mut output),
        Command::Check(args) => check::check(args, &mut output),
        Command::Explain(args) => explain::explain(args, &mut output),
        Command::Prove(args) => prove::prove(args, &mut output),
        Command::Report(args) => report::report(args, &mut output),
        Command::Review(args) => review::review(args, &mut output),
        Command::Audit(args) => audit::audit(args, &mut output),
        Command::Stats(args) => stats::stats(args, &mut output),
        Command::Publish(args) => publish::publish(args, &mut output),
        Command::Llm(command) => llm::llm(command, &mut output),
        Command::Rule(args) => rule::rule(args, &mut output),
        Command::Config(args) => config::config(args, &mut output),
        Command::Synth(args) => synth::synth(args, &mut output),
        Command::EvalRepair(args) => eval_repair::eval_repair(args, &mut output),
        Command::Doctor(args) => doctor::doctor(args, &mut output),
        Command::Cache(command) => cache::cache(command, &mut output),
        Command::Vampire(_) => Err(CliError::NoBundledVampire),
    };
    match result {
        Ok(code) => code,
        // Whoever reads our output has had enough, as with `| head`.
        Err(CliError::Stdout(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            output.error(&error);
            ExitCode::from(error.exit_code())
        }
    }
}
