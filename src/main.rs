//! The command line of refolio.

use std::process::ExitCode;

use refolio::cli;
use refolio::prove::bundled;

// Trees and findings are many small allocations, and parsing and linting is mostly making and dropping them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // `refolio vampire …` is Vampire: nothing of ours may run before it.
    bundled::dispatch().unwrap_or_else(cli::main)
}
