//! Vampire inside this executable: `refolio vampire ARGS…` is Vampire's whole command line.

use std::ffi::OsString;
use std::process::ExitCode;

/// The first argument that turns this program into Vampire.
pub const COMMAND: &str = "vampire";

/// Becomes Vampire if the first argument is [`COMMAND`], and returns its exit code; `None` otherwise.
///
/// The very first thing `main` does: before threads, signal handlers and argument parsing, because Vampire installs
/// its own handlers, forks, and reads its arguments itself. Vampire mostly ends the process by itself; where it
/// returns, the caller should return the code from `main`.
#[must_use]
pub fn dispatch() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    (args.next()? == COMMAND).then(|| exit_code(run_or_explain(&args.collect::<Vec<_>>())))
}

/// Whether Vampire was compiled in.
#[must_use]
pub const fn is_available() -> bool {
    cfg!(feature = "bundled-vampire")
}

/// Vampire's codes are 0 to 4; anything that does not fit an exit code is a failure.
fn exit_code(code: i32) -> ExitCode {
    u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from)
}

#[cfg(feature = "bundled-vampire")]
fn run_or_explain(args: &[OsString]) -> i32 {
    run(args)
}

#[cfg(not(feature = "bundled-vampire"))]
fn run_or_explain(_: &[OsString]) -> i32 {
    use std::io::Write as _;
    // The one place outside the command line that may speak: there is no caller left to do it.
    let _ = writeln!(std::io::stderr(), "error: this build of refolio carries no Vampire (feature `bundled-vampire`)");
    1
}

/// Runs Vampire in this process on the given arguments (without a program name) and returns its exit code.
///
/// At most once a process: Vampire keeps global state and usually ends the process itself. An argument with a NUL
/// byte inside, which no command line can carry, ends in code 1.
#[cfg(feature = "bundled-vampire")]
#[must_use]
pub fn run(args: &[OsString]) -> i32 {
    use std::ffi::{CString, c_char, c_int};
    use std::os::unix::ffi::OsStrExt as _;

    // Links the library that the command line below needs.
    use vampire_sys as _;

    unsafe extern "C" {
        fn refolio_vampire_run(argc: c_int, argv: *mut *mut c_char) -> c_int;
    }

    let names = std::iter::once(COMMAND.as_bytes()).chain(args.iter().map(|a| a.as_bytes()));
    let Ok(owned) = names.map(CString::new).collect::<Result<Vec<_>, _>>() else { return 1 };
    let Ok(count) = c_int::try_from(owned.len()) else { return 1 };
    let mut pointers: Vec<*mut c_char> = owned.into_iter().map(CString::into_raw).collect();
    pointers.push(std::ptr::null_mut());
    // SAFETY: `pointers` holds `count` NUL-terminated strings and a final null, as a C `main` expects; they are leaked
    // above and so outlive every use, also by Vampire's exit handlers.
    unsafe { refolio_vampire_run(count, pointers.as_mut_ptr()) }
}
