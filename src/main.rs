//! The command line of refolio.

use std::process::ExitCode;

use refolio::prove::bundled;

fn main() -> ExitCode {
    if let Some(code) = bundled::dispatch() {
        return code;
    }
    ExitCode::SUCCESS
}
