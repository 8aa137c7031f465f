//! The command line of refolio.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::SUCCESS
}
