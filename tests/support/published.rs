//! Published datasets, which are not part of the package.

use std::path::{Path, PathBuf};

/// A published dataset beside the checkout, or in the folder that `REFOLIO_DATA` names; `None`, with the reason on the
/// terminal, where it is absent.
pub(crate) fn published(file: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("REFOLIO_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"), PathBuf::from);
    let path = folder.join(file);
    if path.is_file() {
        return Some(path);
    }
    #[expect(clippy::print_stderr, reason = "a test that does not run has to say so")]
    {
        eprintln!("skipped: no {}; REFOLIO_DATA names the folder of published datasets", path.display());
    }
    None
}
