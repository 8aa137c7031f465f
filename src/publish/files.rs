//! The files of a dataset repository, in a folder.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::error::PublishError;
use crate::emit::MANIFEST_FILE;
use crate::hub::FileId;

/// A file here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Where it lies.
    pub file: PathBuf,
    /// What it holds.
    pub id: FileId,
}

/// Files by their path in the repository.
pub type Files = BTreeMap<String, Place>;

/// Every file below a folder; hidden ones, such as those of git, do not count.
pub(super) fn files_of(dir: &Path) -> Result<Files, PublishError> {
    let mut files = Files::new();
    let mut folders = vec![(dir.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        let failed = |e: io::Error| PublishError::Unreadable { path: folder.clone(), reason: e.to_string() };
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            let Some(name) = file.file_name().and_then(|name| name.to_str()) else { continue };
            if name.starts_with('.') {
                continue;
            }
            let path = format!("{prefix}{name}");
            if file.is_dir() {
                folders.push((file, format!("{path}/")));
            } else {
                let unreadable = |e: io::Error| PublishError::Unreadable { path: file.clone(), reason: e.to_string() };
                let id = FileId::of(&file).map_err(unreadable)?;
                files.insert(path, Place { file, id });
            }
        }
    }
    Ok(files)
}

/// Whether something may be put in the place of a folder: nothing is there, or what this program published before.
pub(super) fn is_free(dir: &Path) -> bool {
    let is_ours = || {
        let text = fs::read_to_string(dir.join(MANIFEST_FILE)).unwrap_or_default();
        serde_json::from_str::<Value>(&text).is_ok_and(|manifest| manifest.get("published").is_some())
    };
    !dir.exists() || fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none()) || is_ours()
}

/// A folder that is made aside and takes its place at once.
#[derive(Debug)]
pub(super) struct Aside {
    temp: tempfile::TempDir,
    target: PathBuf,
}

impl Aside {
    pub(super) fn new(target: &Path) -> Result<Self, PublishError> {
        if !is_free(target) {
            return Err(PublishError::Occupied(target.to_owned()));
        }
        let io = |source| PublishError::Io { path: target.to_owned(), source };
        let parent = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
        fs::create_dir_all(parent).map_err(io)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".refolio-").suffix(".tmp");
        #[cfg(unix)]
        {
            // Temporary folders are private by default; this one becomes an ordinary folder.
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        Ok(Self { temp: builder.tempdir_in(parent).map_err(io)?, target: target.to_owned() })
    }

    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    pub(super) fn dir(&self) -> &Path {
        self.temp.path()
    }

    /// Puts it in the place of the target.
    pub(super) fn take_place(self) -> Result<(), PublishError> {
        let io = |source| PublishError::Io { path: self.target.clone(), source };
        if self.target.exists() {
            let old = self.temp.path().with_extension("old");
            fs::rename(&self.target, &old).map_err(io)?;
            fs::rename(self.temp.path(), &self.target).map_err(io)?;
            fs::remove_dir_all(&old).map_err(io)?;
        } else {
            fs::rename(self.temp.path(), &self.target).map_err(io)?;
        }
        Ok(())
    }
}
