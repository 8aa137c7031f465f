//! Stopping every running prover, for Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Asks all prover runs of this program, running and to come, to stop. May be called from a signal-handling thread.
pub fn request() {
    REQUESTED.store(true, Ordering::Relaxed);
}

/// Whether [`request`] was called.
#[must_use]
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// The flag itself, for [`super::process::run_until`].
pub(crate) fn flag() -> &'static AtomicBool {
    &REQUESTED
}
