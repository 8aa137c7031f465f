//! Vampire inside this executable: `refolio vampire ARGS…` is Vampire's whole command line, and `refolio __worker …`
//! a worker (see [`super::worker`]).

use std::ffi::OsString;
#[cfg(feature = "bundled-vampire")]
use std::ffi::{CString, c_char, c_int};
use std::process::ExitCode;

use super::worker;

/// The first argument that turns this program into Vampire.
pub const COMMAND: &str = "vampire";

/// Becomes Vampire if the first argument is [`COMMAND`], and returns its exit code; becomes a worker if it is
/// [`worker::COMMAND`]; `None` otherwise.
///
/// The very first thing `main` does: before threads, signal handlers and argument parsing, because Vampire installs
/// its own handlers, forks, and reads its arguments itself. Vampire mostly ends the process by itself; where it
/// returns, the caller should return the code from `main`.
#[must_use]
pub fn dispatch() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    let command = args.next()?;
    if command != COMMAND && command != worker::COMMAND {
        return None;
    }
    let args: Vec<OsString> = args.collect();
    Some(exit_code(if command == COMMAND { run_or_explain(&args) } else { work_or_explain(&args) }))
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

#[cfg(feature = "bundled-vampire")]
fn work_or_explain(args: &[OsString]) -> i32 {
    worker::serve(args)
}

#[cfg(not(feature = "bundled-vampire"))]
fn work_or_explain(args: &[OsString]) -> i32 {
    run_or_explain(args)
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
    // SAFETY: the function is given what a C `main` expects.
    with_arguments(args, |count, pointers| unsafe { refolio_vampire_run(count, pointers) })
}

/// Runs Vampire in this process as a worker: its command line is read once, and each question is a child's.
///
/// Returns only if an argument has a NUL byte inside, with code 1.
#[cfg(feature = "bundled-vampire")]
pub(super) fn work(args: &[OsString]) -> i32 {
    with_arguments(args, |count, pointers| {
        // SAFETY: the function is given what a C `main` expects.
        unsafe { refolio_vampire_work(count, pointers) };
        1
    })
}

#[cfg(feature = "bundled-vampire")]
unsafe extern "C" {
    fn refolio_vampire_run(argc: c_int, argv: *mut *mut c_char) -> c_int;
    fn refolio_vampire_work(argc: c_int, argv: *mut *mut c_char);
}

/// Calls with `argc` and `argv`: NUL-terminated strings and a final null, as a C `main` expects. They are leaked and so
/// outlive every use, also by Vampire's exit handlers.
#[cfg(feature = "bundled-vampire")]
fn with_arguments(args: &[OsString], call: impl FnOnce(c_int, *mut *mut c_char) -> c_int) -> i32 {
    use std::os::unix::ffi::OsStrExt as _;

    // Links the library that the command line needs.
    use vampire_sys as _;

    let names = std::iter::once(COMMAND.as_bytes()).chain(args.iter().map(|a| a.as_bytes()));
    let Ok(owned) = names.map(CString::new).collect::<Result<Vec<_>, _>>() else { return 1 };
    let Ok(count) = c_int::try_from(owned.len()) else { return 1 };
    let mut pointers: Vec<*mut c_char> = owned.into_iter().map(CString::into_raw).collect();
    pointers.push(std::ptr::null_mut());
    call(count, pointers.leak().as_mut_ptr())
}
