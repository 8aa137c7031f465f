//! What models said, appended line by line, so that an interrupted run goes on at the very question and a finished one
//! can be told again.
//!
//! A line is `{"request": KEY, "said": WHAT, "response": TEXT, "prompt_tokens": N, "completion_tokens": N}`. It is on disk
//! before anything is made of it. A line that a killed process left torn is cut off when the file is opened again.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::tally::Usage;
use crate::append::{AppendError, AppendFile, whole_lines};

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
    /// The file cannot be read or written, or another run writes to it.
    #[error(transparent)]
    File(#[from] AppendError),
    /// An answer cannot be written as JSON.
    #[error("{}: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// A recording cannot be read.
    #[error("cannot read the recording {}: {source}", path.display())]
    Recording {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
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
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    file: AppendFile,
    entries: HashMap<String, Entry>,
}

impl Journal {
    /// Opens a journal, or makes a new one; nobody else can until this one is dropped.
    ///
    /// # Errors
    /// Where the file cannot be used, or another run uses it.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let (file, bytes) = AppendFile::open(path)?;
        let entries = read(path, &bytes)?;
        Ok(Self { inner: Mutex::new(Inner { file, entries }) })
    }

    /// All entries of a file, to be told again; it is not changed.
    ///
    /// # Errors
    /// Where the file cannot be read, or a line is none of a journal's. A torn last line counts for nothing.
    pub fn replay(path: &Path) -> Result<HashMap<String, Entry>, JournalError> {
        let bytes = std::fs::read(path).map_err(|source| JournalError::Recording { path: path.to_owned(), source })?;
        read(path, whole_lines(&bytes))
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
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.entries.contains_key(&entry.request) {
            return Ok(());
        }
        let line = serde_json::to_vec(&entry)
            .map_err(|source| JournalError::Json { path: inner.file.path().to_owned(), source })?;
        inner.file.append(&line)?;
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
        assert!(matches!(Journal::open(&path), Err(JournalError::File(AppendError::Busy(_)))));
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
