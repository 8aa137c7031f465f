//! A shard's folder: it appears whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::parts::Part;
use super::{Shard, ShardError};
use crate::emit::{Counts, RunInfo};
use crate::record::hex;

/// What names of folders that are not finished end with.
const SUFFIX: &str = ".tmp";

/// The name of a shard's folder: `shard-0-of-2`.
#[must_use]
pub fn folder_name(shard: Shard) -> String {
    format!("shard-{}-of-{}", shard.index(), shard.count())
}

/// The place of a shard that is to be worked out.
pub(crate) struct Claim {
    target: PathBuf,
    draft: TempDir,
    /// Holds the draft while it lives, so that nobody takes it for one that a killed run left.
    _lock: File,
}

/// What is to be done about a shard.
pub(crate) enum Claimed {
    /// It is to be worked out, in a folder of its own.
    Open(Claim),
    /// It is there already, with these counts.
    Finished(PathBuf, Counts),
}

impl Claim {
    /// Looks for the shard in `dir`, and makes a folder for it where it is not there. `info` is what the run would be,
    /// without the shard's rows. With `force`, a shard that is there is replaced.
    pub(crate) fn stake(dir: &Path, shard: Shard, info: &RunInfo, force: bool) -> Result<Claimed, ShardError> {
        let failed = |path: &Path, reason| ShardError::Io { what: "make", path: path.to_owned(), reason };
        fs::create_dir_all(dir).map_err(|e| failed(dir, e))?;
        let target = dir.join(folder_name(shard));
        if !force && target.exists() {
            match finished(&target, shard, info) {
                Ok(counts) => return Ok(Claimed::Finished(target, counts)),
                Err(error @ ShardError::Occupied { .. }) => return Err(error),
                // What is no finished shard, or is damaged, is worked out again.
                Err(_) => {}
            }
        }
        let prefix = format!(".{}.", folder_name(shard));
        sweep(dir, &prefix);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX);
        #[cfg(unix)]
        {
            // Temporary folders are private by default; this one becomes an ordinary folder, under the user's umask.
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        // Another run may take a folder that has no mark yet for what a killed one left, and remove it.
        for _ in 0..ATTEMPTS {
            let draft = builder.tempdir_in(dir).map_err(|e| failed(&target, e))?;
            // The run itself locks the folder that it writes to; what says that the draft is in use lies beside its files.
            if let Some(lock) = locked(&draft.path().join(MARK)) {
                return Ok(Claimed::Open(Self { target, draft, _lock: lock }));
            }
        }
        Err(failed(&target, io::Error::other("other runs of this shard keep removing its folder")))
    }

    /// Where to write.
    pub(crate) fn folder(&self) -> &Path {
        self.draft.path()
    }

    /// Gives the finished folder its name, in place of what had it. Where another process was faster with the same shard,
    /// that one stays.
    pub(crate) fn publish(self, shard: Shard, info: &RunInfo, force: bool) -> Result<PathBuf, ShardError> {
        let failed = |path: &Path, reason| ShardError::Io { what: "move", path: path.to_owned(), reason };
        let mark = self.draft.path().join(MARK);
        fs::remove_file(&mark).map_err(|reason| ShardError::Io { what: "remove", path: mark.clone(), reason })?;
        if self.target.exists() {
            if !force && finished(&self.target, shard, info).is_ok() {
                return Ok(self.target);
            }
            let parent = self.target.parent().unwrap_or(Path::new("."));
            let aside =
                tempfile::Builder::new().prefix(&format!(".{}.", folder_name(shard))).suffix(SUFFIX).tempdir_in(parent);
            let aside = aside.map_err(|e| failed(&self.target, e))?;
            fs::rename(&self.target, aside.path().join("old")).map_err(|e| failed(&self.target, e))?;
        }
        let draft = self.draft.keep();
        if let Err(reason) = fs::rename(&draft, &self.target) {
            let faster = finished(&self.target, shard, info).is_ok();
            let _ = fs::remove_dir_all(&draft);
            return if faster { Ok(self.target) } else { Err(failed(&self.target, reason)) };
        }
        if let Some(parent) = self.target.parent().and_then(|parent| File::open(parent).ok()) {
            let _ = parent.sync_all();
        }
        Ok(self.target)
    }
}

/// The file that is locked as long as a draft is being written.
const MARK: &str = ".refolio-shard.lock";

/// How often a folder is made that somebody else removes at once.
const ATTEMPTS: usize = 8;

/// The mark of a draft, made if it is missing and locked by this process; `None` where somebody else has it, or where it is
/// gone by then.
fn locked(mark: &Path) -> Option<File> {
    let file = File::options().create(true).truncate(false).write(true).open(mark).ok()?;
    // Whoever removed the folder in between had it locked, and the file that is locked now has no name any more.
    (file.try_lock().is_ok() && mark.exists()).then_some(file)
}

/// Removes what killed runs of this shard left.
fn sweep(dir: &Path, prefix: &str) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(|name| name.starts_with(prefix) && name.ends_with(SUFFIX));
        // A run may have been killed before it had made its mark.
        if ours && let Some(_lock) = locked(&entry.path().join(MARK)) {
            // A leftover that cannot be removed does no harm beyond its size.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// That a folder holds this shard of this run, whole: its counts.
fn finished(folder: &Path, shard: Shard, info: &RunInfo) -> Result<Counts, ShardError> {
    let part = Part::read(folder)?;
    let occupied = |what| ShardError::Occupied { folder: folder.to_owned(), what };
    if (part.shard.index, part.shard.count) != (shard.index(), shard.count()) {
        return Err(occupied("number"));
    }
    if let Some(what) = part.info.difference(info) {
        return Err(occupied(what));
    }
    part.check_files()?;
    Ok(part.counts)
}

/// SHA-256 and size of a file, without holding it in memory.
pub(super) fn hash(path: &Path) -> Result<(String, u64), ShardError> {
    let failed = |reason| ShardError::Io { what: "read", path: path.to_owned(), reason };
    let mut file = File::open(path).map_err(failed)?;
    let (mut hash, mut bytes) = (Sha256::new(), 0);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = match file.read(&mut buffer) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            read => read.map_err(failed)?,
        };
        if read == 0 {
            return Ok((hex(&hash.finalize()), bytes));
        }
        hash.update(buffer.get(..read).unwrap_or_default());
        bytes += read as u64;
    }
}
