//! Answers of earlier runs that could be read, so that no run pays for them again.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::journal::{Entry, Said};
use super::tally::Usage;

/// A file of answers. Several runs may use it at once. Whatever goes wrong with it costs an answer, never a run.
#[derive(Debug)]
pub struct ReplyCache {
    path: PathBuf,
    connection: Mutex<Connection>,
}

impl ReplyCache {
    /// Opens the file, or makes it with the folders above it.
    ///
    /// # Errors
    /// Why it cannot be used, in words.
    pub fn open(path: &Path) -> Result<Self, String> {
        let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| told(&e))?;
        }
        let connection = Connection::open(path).map_err(|e| told(&e))?;
        connection.busy_timeout(Duration::from_secs(5)).map_err(|e| told(&e))?;
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL;
                 CREATE TABLE IF NOT EXISTS replies_1 (
                     request TEXT PRIMARY KEY,
                     response TEXT NOT NULL,
                     prompt_tokens INTEGER NOT NULL,
                     completion_tokens INTEGER NOT NULL
                 ) WITHOUT ROWID;",
            )
            .map_err(|e| told(&e))?;
        Ok(Self { path: path.to_owned(), connection: Mutex::new(connection) })
    }

    /// The answer to a question.
    ///
    /// # Errors
    /// Why the file cannot be read, in words.
    pub fn get(&self, request: &str) -> Result<Option<Entry>, String> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let mut statement = connection
            .prepare("SELECT response, prompt_tokens, completion_tokens FROM replies_1 WHERE request = ?1")
            .map_err(|e| self.told(&e))?;
        let row = statement.query_row(params![request], |row| {
            Ok(Entry {
                request: request.to_owned(),
                said: Said::Text,
                response: row.get(0)?,
                usage: Usage {
                    prompt_tokens: row.get::<_, i64>(1)?.unsigned_abs(),
                    completion_tokens: row.get::<_, i64>(2)?.unsigned_abs(),
                },
            })
        });
        row.optional().map_err(|e| self.told(&e))
    }

    /// Keeps an answer that could be read.
    ///
    /// # Errors
    /// Why it cannot be kept, in words.
    pub fn put(&self, entry: &Entry) -> Result<(), String> {
        let tokens = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let mut statement =
            connection.prepare("INSERT OR IGNORE INTO replies_1 VALUES (?1, ?2, ?3, ?4)").map_err(|e| self.told(&e))?;
        let Entry { request, response, usage, .. } = entry;
        let values = params![request, response, tokens(usage.prompt_tokens), tokens(usage.completion_tokens)];
        statement.execute(values).map(|_| ()).map_err(|e| self.told(&e))
    }

    fn told(&self, error: &rusqlite::Error) -> String {
        format!("{}: {error}", self.path.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_there_for_the_next_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a/replies.sqlite");
        let usage = Usage { prompt_tokens: 5, completion_tokens: 6 };
        let entry = Entry { request: "k".to_owned(), said: Said::Text, response: "∀".to_owned(), usage };
        let cache = ReplyCache::open(&path).expect("new");
        assert_eq!(cache.get("k"), Ok(None));
        cache.put(&entry).expect("kept");
        let other = ReplyCache::open(&path).expect("again");
        assert_eq!(other.get("k"), Ok(Some(entry)));
        std::fs::write(folder.path().join("junk"), "no database, but long enough to be looked at".repeat(9))
            .expect("written");
        assert!(ReplyCache::open(&folder.path().join("junk")).is_err());
    }
}
