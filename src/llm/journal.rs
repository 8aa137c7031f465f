//! What models said, appended line by line, so that an interrupted run goes on at the very question and a finished one
//! can be told again.
//!
//! A line is `{"request": KEY, "said": WHAT, "response": TEXT, "prompt_tokens": N, "completion_tokens": N}`. It is on disk
//! before anything is made of it. A line that a killed process left torn is cut off when the file is opened again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

use super::tally::Usage;

/// What sort of answer a model gave. All of these are paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Said {
    /// A text.
    Text,
    /// That it declines; the response is its reason.
    Refused,
    /// Nothing.
    Empty,
    /// A text that ends in the middle, for want of tokens.
    Truncated,
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The key of the question.
    pub request: String,
    /// What sort of answer it is.
    pub said: Said,
    /// Its text.
    pub response: String,
    /// What it took.
    #[serde(flatten)]
    pub usage: Usage,
}

/// Why a journal is of no use.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A recording cannot be read.
    #[error("cannot read the recording {}: {source}", path.display())]
    Recording {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another run writes to it.
    #[error("{}: another run is writing to it", .0.display())]
    Busy(PathBuf),
    /// A line is none of a journal's.
    #[error("{}:{line}: no answer as a journal holds them: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// 1-based.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// A journal that is open for more.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    file: File,
    entries: HashMap<String, Entry>,
}

impl Journal {
    /// Opens a journal, or makes a new one; nobody else can until this one is dropped.
    ///
    /// # Errors
    /// Where the file cannot be used, or another run uses it.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let io = |source| JournalError::Io { path: path.to_owned(), source };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => return Err(JournalError::Busy(path.to_owned())),
            Err(error) => return Err(io(error.into())),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        if whole < bytes.len() {
            // What was being written when a run was killed: nothing was made of it.
            file.set_len(whole as u64).map_err(io)?;
            file.seek(SeekFrom::End(0)).map_err(io)?;
            file.sync_data().map_err(io)?;
        }
        bytes.truncate(whole);
        let entries = read(path, &bytes)?;
        if whole == 0
            && let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty())
        {
            // That the file is there must last too.
            File::open(folder).and_then(|folder| folder.sync_all()).map_err(io)?;
        }
        Ok(Self { path: path.to_owned(), inner: Mutex::new(Inner { file, entries }) })
    }

    /// All entries of a file, to be told again; it is not changed.
    ///
    /// # Errors
    /// Where the file cannot be read, or a line is none of a journal's. A torn last line counts for nothing.
    pub fn replay(path: &Path) -> Result<HashMap<String, Entry>, JournalError> {
        let mut bytes =
            std::fs::read(path).map_err(|source| JournalError::Recording { path: path.to_owned(), source })?;
        bytes.truncate(bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1));
        read(path, &bytes)
    }

    /// The answer to a question.
    #[must_use]
    pub fn get(&self, request: &str) -> Option<Entry> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).entries.get(request).cloned()
    }

    /// Puts an answer on disk. A question that has one keeps it.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn append(&self, entry: Entry) -> Result<(), JournalError> {
        let io = |source| JournalError::Io { path: self.path.clone(), source };
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.entries.contains_key(&entry.request) {
            return Ok(());
        }
        let mut line = serde_json::to_vec(&entry).map_err(|error| io(error.into()))?;
        line.push(b'\n');
        let end = inner.file.metadata().map_err(io)?.len();
        let written = inner.file.write_all(&line).and_then(|()| inner.file.sync_data());
        if let Err(error) = written {
            // Half a line in the middle would make all that stands there useless.
            let _ = inner.file.set_len(end);
            return Err(io(error));
        }
        inner.entries.insert(entry.request.clone(), entry);
        Ok(())
    }

    /// How many answers it has, and their tokens.
    #[must_use]
    pub fn spent(&self) -> (u64, Usage) {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let sum = inner.entries.values().fold(Usage::default(), |sum, entry| Usage {
            prompt_tokens: sum.prompt_tokens + entry.usage.prompt_tokens,
            completion_tokens: sum.completion_tokens + entry.usage.completion_tokens,
        });
        (inner.entries.len() as u64, sum)
    }

    /// How many answers it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).entries.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn read(path: &Path, bytes: &[u8]) -> Result<HashMap<String, Entry>, JournalError> {
    let mut out = HashMap::new();
    for (i, line) in bytes.split(|b| *b == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        let entry: Entry = serde_json::from_slice(line).map_err(|error| JournalError::Line {
            path: path.to_owned(),
            line: i + 1,
            // The parser only ever sees one line.
            reason: error.to_string().split(" at line ").next().unwrap_or_default().to_owned(),
        })?;
        // The first answer is the one that was made use of.
        out.entry(entry.request.clone()).or_insert(entry);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(request: &str, response: &str) -> Entry {
        let usage = Usage { prompt_tokens: 3, completion_tokens: 4 };
        Entry { request: request.to_owned(), said: Said::Text, response: response.to_owned(), usage }
    }

    #[test]
    fn what_was_appended_is_there_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("j.jsonl");
        let journal = Journal::open(&path).expect("new");
        assert!(matches!(Journal::open(&path), Err(JournalError::Busy(_))));
        journal.append(entry("a", "one\n∀")).expect("written");
        journal.append(entry("b", "two")).expect("written");
        journal.append(entry("a", "other")).expect("ignored");
        drop(journal);
        let journal = Journal::open(&path).expect("again");
        assert_eq!((journal.len(), journal.get("a")), (2, Some(entry("a", "one\n∀"))));
        assert_eq!(Journal::replay(&path).expect("whole")["b"], entry("b", "two"));
    }

    #[test]
    fn a_torn_line_is_cut_off_wherever_it_was_torn() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("j.jsonl");
        let journal = Journal::open(&path).expect("new");
        journal.append(entry("a", "∀x")).expect("written");
        journal.append(entry("b", "∃y")).expect("written");
        drop(journal);
        let whole = std::fs::read(&path).expect("there");
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).expect("written");
            let journal = Journal::open(&path).expect("mended");
            journal.append(entry("c", "c")).expect("written");
            let lines = whole[..cut].iter().filter(|b| **b == b'\n').count();
            drop(journal);
            assert_eq!(Journal::replay(&path).expect("whole").len(), lines + 1, "{cut}");
        }
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("j.jsonl");
        std::fs::write(&path, "{}\n").expect("written");
        let error = Journal::open(&path).expect_err("no entry").to_string();
        assert!(error.contains("j.jsonl:1: no answer as a journal holds them: missing field"), "{error}");
        assert!(matches!(Journal::replay(&folder.path().join("no")), Err(JournalError::Recording { .. })));
    }
}
