//! The command line of refolio.

use std::process::ExitCode;

use refolio::cli;
use refolio::prove::bundled;

fn main() -> ExitCode {
    // `refolio vampire …` is Vampire: nothing of ours may run before it.
    bundled::dispatch().unwrap_or_else(cli::main)
}
