//! Files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, TempPath};

use super::error::EmitError;
use crate::record::hex;

/// What temporary names begin and end with; [`sweep`] knows them by it.
const PREFIX: &str = ".refolio-";
const SUFFIX: &str = ".tmp";

/// A file being written under a temporary name in its final folder. Dropping it removes it.
pub(crate) struct Draft {
    temp: NamedTempFile,
    target: PathBuf,
    hash: Sha256,
    bytes: u64,
}

impl Draft {
    /// Begins the file that will be `dir/name`; makes the folder if it is missing.
    pub(crate) fn create(dir: &Path, name: &str) -> Result<Self, EmitError> {
        make_folder(dir)?;
        let target = dir.join(name);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        {
            // Temporary files are private by default; this one becomes an ordinary file, under the user's umask.
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let temp = builder.tempfile_in(dir).map_err(|e| EmitError::write(&target, e))?;
        Ok(Self { temp, target, hash: Sha256::new(), bytes: 0 })
    }

    /// The final path.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Ends the writing: everything is on the disk when this returns, still under the temporary name.
    pub(crate) fn seal(mut self) -> Result<Sealed, EmitError> {
        let done = self.temp.flush().and_then(|()| self.temp.as_file().sync_all());
        done.map_err(|e| EmitError::write(&self.target, e))?;
        Ok(Sealed {
            temp: self.temp.into_temp_path(),
            target: self.target,
            sha256: hex(&self.hash.finalize()),
            bytes: self.bytes,
        })
    }
}

impl Write for Draft {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let written = self.temp.write(buf)?;
        self.hash.update(buf.get(..written).unwrap_or(buf));
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temp.flush()
    }
}

/// A complete file that waits for its final name. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct Sealed {
    temp: TempPath,
    target: PathBuf,
    /// SHA-256 of the content in lower-case hexadecimal.
    pub(crate) sha256: String,
    /// Size in bytes.
    pub(crate) bytes: u64,
}

impl Sealed {
    /// Where it lies until then.
    pub(crate) fn temporary_path(&self) -> &Path {
        &self.temp
    }

    /// Gives the file another final name in the same folder.
    pub(crate) fn publish_as(mut self, name: &str) -> Result<PathBuf, EmitError> {
        self.target.set_file_name(name);
        self.publish()
    }

    /// Gives the file its final name, in place of whatever had it.
    pub(crate) fn publish(self) -> Result<PathBuf, EmitError> {
        let Self { temp, target, .. } = self;
        temp.persist(&target).map_err(|e| EmitError::Rename { path: target.clone(), source: e.error })?;
        if let Some(dir) = target.parent() {
            sync_folder(dir);
        }
        Ok(target)
    }
}

/// Writes one small file in one go.
pub(crate) fn seal_text(dir: &Path, name: &str, text: &str) -> Result<Sealed, EmitError> {
    let mut draft = Draft::create(dir, name)?;
    draft.write_all(text.as_bytes()).map_err(|e| EmitError::write(draft.target(), e))?;
    draft.seal()
}

/// Makes the folder and its parents where they are missing.
pub(crate) fn make_folder(dir: &Path) -> Result<(), EmitError> {
    fs::create_dir_all(dir).map_err(|source| match EmitError::write(dir, source) {
        EmitError::Write { path, source } => EmitError::Folder { path, source },
        full => full,
    })
}

/// Claims the folder for this process while the result lives. `None` where the system cannot lock folders.
pub(crate) fn lock_folder(dir: &Path) -> Result<Option<File>, EmitError> {
    let Ok(folder) = File::open(dir) else { return Ok(None) };
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(fs::TryLockError::WouldBlock) => Err(EmitError::Busy { path: dir.to_owned() }),
        Err(fs::TryLockError::Error(_)) => Ok(None),
    }
}

/// Removes temporary files that a killed run left. To be called only while the folder is locked.
pub(crate) fn sweep(dir: &Path) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(|n| n.starts_with(PREFIX) && n.ends_with(SUFFIX));
        if ours && entry.file_type().is_ok_and(|t| t.is_file()) {
            // A leftover that cannot be removed does no harm beyond its size.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes a rename survive a power cut where the system can; the rename itself has already happened.
fn sync_folder(dir: &Path) {
    if let Ok(folder) = File::open(dir) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sha256_hex;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_only_when_published() {
        let dir = tempfile::tempdir().unwrap();
        let sealed = seal_text(&dir.path().join("a/b"), "x.txt", "hällo").unwrap();
        assert_eq!(sealed.sha256, sha256_hex("hällo".as_bytes()));
        assert_eq!(sealed.bytes, 6);
        let inner = dir.path().join("a/b");
        assert!(!inner.join("x.txt").exists());
        assert_eq!(names(&inner).len(), 1);
        let path = sealed.publish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "hällo");
        assert_eq!(names(&inner), ["x.txt"]);
    }

    #[test]
    fn a_dropped_draft_leaves_the_older_file_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("x.txt"), "old").unwrap();
        drop(seal_text(dir.path(), "x.txt", "new").unwrap());
        let mut draft = Draft::create(dir.path(), "x.txt").unwrap();
        draft.write_all(b"new").unwrap();
        drop(draft);
        assert_eq!(names(dir.path()), ["x.txt"]);
        assert_eq!(fs::read_to_string(dir.path().join("x.txt")).unwrap(), "old");
    }

    #[test]
    #[cfg(unix)]
    fn published_files_have_ordinary_permissions() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = seal_text(dir.path(), "x.txt", "").unwrap().publish().unwrap();
        let plain = dir.path().join("plain");
        fs::write(&plain, "").unwrap();
        let mode = |p: &Path| fs::metadata(p).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&plain));
    }

    #[test]
    fn a_file_in_place_of_the_folder_is_an_error_that_names_it() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("out");
        fs::write(&file, "").unwrap();
        let error = Draft::create(&file, "x").err().unwrap();
        assert!(matches!(&error, EmitError::Folder { path, .. } if *path == file), "{error:?}");
    }

    #[test]
    fn a_folder_in_place_of_the_file_is_an_error_and_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("x.txt/inner")).unwrap();
        let error = seal_text(dir.path(), "x.txt", "new").unwrap().publish().unwrap_err();
        assert!(matches!(error, EmitError::Rename { .. }), "{error:?}");
        assert_eq!(names(dir.path()), ["x.txt"]);
    }

    #[test]
    #[cfg(unix)]
    fn a_locked_folder_is_busy_and_leftovers_are_swept() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(".refolio-dead.tmp"), "half").unwrap();
        fs::write(dir.path().join("kept.tmp"), "").unwrap();
        let lock = lock_folder(dir.path()).unwrap().unwrap();
        assert!(matches!(lock_folder(dir.path()), Err(EmitError::Busy { .. })));
        sweep(dir.path());
        assert_eq!(names(dir.path()), ["kept.tmp"]);
        drop(lock);
        assert!(lock_folder(dir.path()).unwrap().is_some());
    }
}
