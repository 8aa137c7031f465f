//! Fetching files.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use super::address::{RepoId, is_plain};
use super::client::Hub;
use super::error::HubError;
use super::wire::RemoteFile;
use super::{FileId, Ids};

impl Hub {
    /// Fetches a file of a commit into the cache; its path there, which ends in the file's own. A file that is there already
    /// is read again for its hash, and fetched anew if it is not what the Hub lists.
    ///
    /// # Errors
    /// Where the Hub refuses, what comes is not what the Hub lists, or the cache cannot be written.
    pub fn fetch(&self, repo: &RepoId, commit: &str, file: &RemoteFile) -> Result<PathBuf, HubError> {
        let protocol = |reason: String| HubError::Protocol { what: format!("fetch {}", file.path), reason };
        if !is_plain(&file.path) || commit.contains(['/', '\\']) || commit.starts_with('.') {
            return Err(protocol("a path that leads out of the repository".to_owned()));
        }
        let folder = self.cache.join("datasets").join(&repo.owner).join(&repo.name).join(commit);
        let target = folder.join(&file.path);
        if FileId::of(&target).is_ok_and(|id| id.is(file)) {
            return Ok(target);
        }
        let parent = target.parent().unwrap_or(&folder);
        let io = |source| HubError::Io { path: target.clone(), source };
        fs::create_dir_all(parent).map_err(io)?;
        let mut parts = vec!["datasets", &repo.owner, &repo.name, "resolve", commit];
        parts.extend(file.path.split('/'));
        let url = self.transport.url(&parts)?;
        let what = format!("fetch {} of {repo}", file.path);
        let mut draft = tempfile::Builder::new().prefix(".refolio-").tempfile_in(parent).map_err(io)?;
        let id = self.block_on(async {
            let mut response = self.transport.follow(&what, url).await?;
            let from = response.url().clone();
            let mut ids = Ids::new(file.size);
            let mut bytes = 0;
            while let Some(chunk) = response.chunk().await.map_err(|e| self.transport.broken(&what, &from, &e))? {
                bytes += chunk.len() as u64;
                if bytes > file.size {
                    break;
                }
                ids.update(&chunk);
                draft.write_all(&chunk).map_err(io)?;
            }
            let id = ids.finish();
            if bytes == file.size && id.is(file) { Ok(id) } else { Err(HubError::Damaged { path: file.path.clone() }) }
        })?;
        debug_assert!(id.is(file), "what is kept is what was listed");
        draft.as_file().sync_all().map_err(io)?;
        draft.persist(&target).map_err(|e| io(e.error))?;
        Ok(target)
    }
}
