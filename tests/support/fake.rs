//! Programs made for a test.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// An executable shell script in the folder.
pub(crate) fn script(dir: &Path, name: &str, body: &str) -> PathBuf {
    let path = dir.join(name);
    fs::write(&path, format!("#!/bin/sh\n{body}\n")).expect("the folder is writable");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    path
}

/// A prover `fake` in the folder that tells its version as Vampire would and else runs the body.
pub(crate) fn fake_vampire(dir: &Path, body: &str) -> PathBuf {
    let version = "[ \"$1\" = --version ] && { echo 'Vampire 0 (fake)'; exit 0; }";
    script(dir, "fake", &format!("{version}\n{body}"))
}
