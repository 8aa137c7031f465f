//! Files to which lines are appended, each on disk before anything is made of it.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

/// Why a file cannot be appended to.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// It cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process holds it.
    #[error("{}: another process is writing to it", .0.display())]
    Busy(PathBuf),
}

/// A file that is open for more lines. Nobody else can open it so until this one is dropped.
#[derive(Debug)]
pub struct AppendFile {
    path: PathBuf,
    file: File,
}

impl AppendFile {
    /// Opens a file, or makes a new one, and gives what it holds. A last line that a killed process left torn is cut off:
    /// nobody was told that it had been written.
    ///
    /// # Errors
    /// Where the file cannot be used, or another process uses it.
    pub fn open(path: &Path) -> Result<(Self, Vec<u8>), AppendError> {
        let io = |source| AppendError::Io { path: path.to_owned(), source };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => return Err(AppendError::Busy(path.to_owned())),
            Err(error) => return Err(io(error.into())),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let whole = whole_lines(&bytes).len();
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(io)?;
            file.seek(SeekFrom::End(0)).map_err(io)?;
            file.sync_data().map_err(io)?;
            bytes.truncate(whole);
        }
        if whole == 0 {
            // That the file is there must last too.
            File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all()).map_err(io)?;
        }
        Ok((Self { path: path.to_owned(), file }, bytes))
    }

    /// Puts a line, given without its end, on disk. Where that fails the file is as before.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn append(&mut self, line: &[u8]) -> Result<(), AppendError> {
        let io = |source| AppendError::Io { path: self.path.clone(), source };
        let end = self.file.metadata().map_err(io)?.len();
        let line = [line, b"\n"].concat();
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // Half a line in the middle would make all that stands there useless.
            let _ = self.file.set_len(end);
            return Err(io(error));
        }
        Ok(())
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// What stands before the end of the last whole line.
#[must_use]
pub fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    bytes.get(..end).unwrap_or_default()
}
