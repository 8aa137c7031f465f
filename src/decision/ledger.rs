//! Decisions in files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::Decision;
use crate::append::{AppendError, AppendFile, whole_lines};

/// Why a file of decisions is of no use.
#[derive(Debug, thiserror::Error)]
pub enum DecisionError {
    /// It cannot be read.
    #[error("cannot read the decisions {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// It cannot be written, or somebody else writes to it.
    #[error(transparent)]
    Write(#[from] AppendError),
    /// A line is no decision.
    #[error("{}:{line}: no decision: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// 1-based.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// The decisions of a file, in the order made. A torn last line counts for nothing: nobody was told that it was kept.
///
/// # Errors
/// Where the file cannot be read, or a line is no decision.
pub fn read(path: &Path) -> Result<Vec<Decision>, DecisionError> {
    let bytes = std::fs::read(path).map_err(|source| DecisionError::Read { path: path.to_owned(), source })?;
    parse(path, whole_lines(&bytes))
}

/// The decisions that lines hold; `path` is for messages.
///
/// # Errors
/// Where a line is no decision.
pub fn parse(path: &Path, bytes: &[u8]) -> Result<Vec<Decision>, DecisionError> {
    let mut out = Vec::new();
    for (i, line) in bytes.split(|b| *b == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let failed = |reason: String| DecisionError::Line { path: path.to_owned(), line: i + 1, reason };
        // The parser only ever sees one line.
        let decision: Decision = serde_json::from_slice(line)
            .map_err(|e| failed(e.to_string().split(" at line ").next().unwrap_or_default().to_owned()))?;
        if let Some(flaw) = decision.flaw() {
            return Err(failed(flaw));
        }
        out.push(decision);
    }
    Ok(out)
}

/// The decisions of several files: each once, in the order of their times. Decisions of one time stay in the order of the
/// files.
#[must_use]
pub fn merge(files: impl IntoIterator<Item = Vec<Decision>>) -> Vec<Decision> {
    let mut seen = HashSet::new();
    let mut out: Vec<Decision> = files.into_iter().flatten().filter(|d| seen.insert(d.id.clone())).collect();
    out.sort_by_key(Decision::time);
    out
}

/// A file of decisions that is open for more.
#[derive(Debug)]
pub struct Ledger {
    file: AppendFile,
    decisions: Vec<Decision>,
}

impl Ledger {
    /// Opens a file, or makes a new one; nobody else can until this one is dropped.
    ///
    /// # Errors
    /// Where the file cannot be used, or a line of it is no decision.
    pub fn open(path: &Path) -> Result<Self, DecisionError> {
        let (file, bytes) = AppendFile::open(path)?;
        Ok(Self { decisions: parse(path, &bytes)?, file })
    }

    /// Every decision, in the order made.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Puts a decision on disk. One that is there already, by its id, is not put there again.
    ///
    /// # Errors
    /// Where it cannot be written: then it does not count.
    pub fn append(&mut self, decision: Decision) -> Result<(), DecisionError> {
        if self.decisions.iter().any(|d| d.id == decision.id) {
            return Ok(());
        }
        let failed =
            |reason| DecisionError::Line { path: self.file.path().to_owned(), line: self.decisions.len() + 1, reason };
        if let Some(flaw) = decision.flaw() {
            return Err(failed(flaw));
        }
        let line = serde_json::to_vec(&decision).map_err(|e| failed(e.to_string()))?;
        self.file.append(&line)?;
        self.decisions.push(decision);
        Ok(())
    }
}
