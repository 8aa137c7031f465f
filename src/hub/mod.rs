//! The Hugging Face Hub, as far as datasets need it: which files a repository has, fetching them, and putting others there.
//!
//! A [`Hub`] is a thin client of the Hub's HTTP interface. It is asynchronous inside and blocking at its edge. The crate
//! `hf-hub` was looked at and is not used: where a server does not choose its own store (Xet) for a file, that crate sends the
//! file inside the commit, as base64, and a Parquet file must never be sent so. Here a file goes either into the commit, if
//! the Hub says so and it is small text, or to the store of large files, by the two transfers that every such server knows
//! (`basic` and `multipart`); what is there already is not sent again.
//!
//! Nothing here reads the environment, and no output shows the token.

mod address;
mod choose;
mod client;
mod download;
mod error;
mod transport;
mod upload;
mod wire;

pub use self::address::{Address, AddressError, RepoId};
pub use self::choose::{Chosen, choose};
pub use self::client::{Hub, Settings};
pub use self::error::HubError;
pub use self::upload::{Add, Change, Committed};
pub use self::wire::{Ref, Refs, RemoteFile, Revision};

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::record::hex;

/// The branch that is read and written where no other is named.
pub const MAIN: &str = "main";

/// What identifies a file's content on the Hub.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId {
    /// Bytes.
    pub bytes: u64,
    /// SHA-256 of the content, in lower-case hexadecimal: how large files are known.
    pub sha256: String,
    /// SHA-1 of the content as a git blob, likewise: how the others are known.
    pub git: String,
}

impl FileId {
    /// Reads a file for its id.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn of(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let bytes = file.metadata()?.len();
        let mut ids = Ids::new(bytes);
        let mut buffer = vec![0; 1 << 16];
        let mut read = 0;
        loop {
            let n = file.read(&mut buffer)?;
            if n == 0 {
                break;
            }
            read += n as u64;
            ids.update(buffer.get(..n).unwrap_or_default());
        }
        if read != bytes {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the file has changed while it was being read"));
        }
        Ok(ids.finish())
    }

    /// The id of bytes at hand.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let mut ids = Ids::new(bytes.len() as u64);
        ids.update(bytes);
        ids.finish()
    }

    /// Whether a file of the Hub has this content.
    #[must_use]
    pub fn is(&self, remote: &RemoteFile) -> bool {
        match &remote.lfs {
            Some(lfs) => lfs.oid == self.sha256,
            None => remote.oid == self.git,
        }
    }
}

/// Both hashes of a content that comes in pieces.
struct Ids {
    bytes: u64,
    sha256: Sha256,
    git: sha1::Sha1,
}

impl Ids {
    fn new(bytes: u64) -> Self {
        let mut git = sha1::Sha1::new();
        git.update(format!("blob {bytes}\0").as_bytes());
        Self { bytes, sha256: Sha256::new(), git }
    }

    fn update(&mut self, piece: &[u8]) {
        self.sha256.update(piece);
        self.git.update(piece);
    }

    fn finish(self) -> FileId {
        FileId { bytes: self.bytes, sha256: hex(&self.sha256.finalize()), git: hex(&self.git.finalize()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_git_and_of_the_store() {
        // `printf 'hello\n' | git hash-object --stdin` and `sha256sum`.
        let id = FileId::of_bytes(b"hello\n");
        assert_eq!(id.git, "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(id.sha256, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a"), "hello\n").unwrap();
        assert_eq!(FileId::of(&dir.path().join("a")).unwrap(), id);
    }
}
