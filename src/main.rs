//! The command line of refolio.

use std::process::ExitCode;

use refolio::cli;
use refolio::prove::bundled;

// Trees and findings are many small allocations, and parsing and linting is mostly making and dropping them. (An
// allocator that commits much memory ahead would not do: Vampire bounds its own by RLIMIT_DATA.)
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    // `refolio vampire …` is Vampire: nothing of ours may run before it.
    bundled::dispatch().unwrap_or_else(cli::main)
}
