//! Vampire in warm workers: no process started from nothing for a question.
//!
//! A worker is this executable, started again as `refolio __worker`. It becomes Vampire up to the point where the
//! command line is read and the problem is not, and waits there. Questions are answered by a child that it forks: the
//! child goes on from that point as if nothing had happened. Each question meets the same fresh state, so neither a
//! verdict nor a proof can depend on what was asked before. That is so for a child of its own (`server`), and for one that
//! answers question after question and puts back all of its memory in between (`lasting`): on Linux with glibc, where the
//! command line is for one strategy, that is what is done. A worker serves one command line; [`WorkerVampire`] keeps
//! some for each.
//!
//! Problems and answers pass through pipes in frames that carry a number, a digest of the question and a digest of
//! themselves. Limits are enforced from outside: the worker's own on its child, and the caller's on the worker. A
//! worker that dies, stalls or answers anything but what it was asked is killed and replaced; its question is asked
//! again of a plain process. Each run is recorded with its own reason. No worker outlives its caller: on Linux even one
//! that is stopped is killed when the caller is.

mod client;
mod frame;
#[cfg(all(feature = "bundled-vampire", target_os = "linux"))]
mod lasting;
#[cfg(feature = "bundled-vampire")]
mod server;
#[cfg(all(feature = "bundled-vampire", target_os = "linux"))]
mod text;
mod vampire;

pub use client::{Fault, Worker};
pub use frame::{FrameError, MAX_FRAME, Question, Reply};
pub use vampire::WorkerVampire;

#[cfg(feature = "bundled-vampire")]
pub(super) use server::serve;

/// The first argument that turns this program into a worker. The second is the limit of address space in bytes, 0 for
/// none; the others are Vampire's.
pub const COMMAND: &str = "__worker";
