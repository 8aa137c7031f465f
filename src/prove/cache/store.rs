//! The file: SQLite, which several processes may use at once.
//!
//! Reads happen where the question is asked; writes are gathered and made in the background. The file never fails a run:
//! what cannot be read is asked anew, what cannot be written is not kept, and both are told.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use std::{fs, io};

use rusqlite::{Connection, ErrorCode, OptionalExtension as _, Transaction, params};
use serde::Serialize;

use super::entry::{Entry, Key, checksum};

/// The version of the file's format, as in SQLite's `user_version`.
pub const FORMAT: i32 = 2;
/// SQLite's `application_id`: `rfol`.
const APPLICATION: i32 = 0x7266_6f6c;
/// How long to wait for another process that writes.
const BUSY: Duration = Duration::from_secs(5);
/// Entries written in one transaction.
const BATCH: usize = 512;
const MIB: u64 = 1024 * 1024;

/// Why a cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// Its folder cannot be made.
    #[error("cannot make the folder of the cache {}: {source}", path.display())]
    Folder {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It is of a later version of refolio.
    #[error("the cache {} has format {found}; this refolio knows {FORMAT}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i32,
    },
    /// It is a database of another program's, or no database.
    #[error("{} is no cache of refolio's, or damaged beyond reading: {reason}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is, or what SQLite says.
        reason: String,
    },
    /// SQLite failed.
    #[error("cannot use the cache {}: {reason}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// In SQLite's words.
        reason: String,
    },
}

/// What came of looking for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recalled {
    /// It is there.
    Entry(Entry),
    /// It is not.
    Missing,
    /// What is there is not what was written.
    Damaged,
}

/// What happened since the cache was opened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Answers that were found.
    pub hits: u64,
    /// Answers that were not.
    pub misses: u64,
    /// Entries that were not what had been written; asked anew.
    pub damaged: u64,
    /// Reads and writes that failed, and the first reason.
    pub failures: u64,
    /// The first reason.
    pub first_failure: Option<String>,
}

/// What the file holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// The file.
    pub path: PathBuf,
    /// Entries.
    pub entries: u64,
    /// Bytes in use; the file may be larger by what it holds free.
    pub bytes: u64,
    /// The bound on them.
    pub max_bytes: u64,
}

/// A cache that is open. Dropping it writes what has not been written.
#[derive(Debug)]
pub struct Cache {
    path: PathBuf,
    max_bytes: u64,
    reader: Mutex<Connection>,
    writes: Option<Sender<Write>>,
    writer: Option<JoinHandle<()>>,
    shared: std::sync::Arc<Shared>,
    /// One more than that of the process before: which entries were used when, without a clock.
    generation: i64,
}

#[derive(Debug, Default)]
struct Shared {
    hits: AtomicU64,
    misses: AtomicU64,
    damaged: AtomicU64,
    failures: AtomicU64,
    first_failure: OnceLock<String>,
}

impl Shared {
    fn failed(&self, reason: &dyn std::fmt::Display) {
        self.failures.fetch_add(1, Ordering::Relaxed);
        let _ = self.first_failure.set(reason.to_string());
    }
}

enum Write {
    Put(Key, Vec<u8>),
    Used(Key),
    Flush(Sender<()>),
}

impl Cache {
    /// Opens the file, or makes it. It may grow to about `max_mb` mebibytes; then the answers that were not used for
    /// longest make room.
    ///
    /// # Errors
    /// If it cannot be made or is not a cache that this version can use. It is left as it is then.
    pub fn open(path: &Path, max_mb: u64) -> Result<Self, CacheError> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|source| CacheError::Folder { path: path.to_owned(), source })?;
        }
        let told = |e: rusqlite::Error| told(path, &e);
        let mut reader = Connection::open(path).map_err(told)?;
        let generation = prepare(&mut reader, path)?;
        let writing = Connection::open(path).map_err(told)?;
        settle(&writing).map_err(told)?;
        let shared = std::sync::Arc::new(Shared::default());
        let (writes, queue) = channel();
        let max_bytes = max_mb.saturating_mul(MIB);
        let writer = Writer { connection: writing, max_bytes, generation, shared: std::sync::Arc::clone(&shared) };
        let thread = std::thread::Builder::new()
            .name("refolio-cache".to_owned())
            .spawn(move || writer.work(&queue))
            .map_err(|e| CacheError::Sqlite { path: path.to_owned(), reason: e.to_string() })?;
        Ok(Self {
            path: path.to_owned(),
            max_bytes,
            reader: Mutex::new(reader),
            writes: Some(writes),
            writer: Some(thread),
            shared,
            generation,
        })
    }

    /// Looks for an answer.
    #[must_use]
    pub fn get(&self, key: &Key) -> Recalled {
        let found = {
            let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
            let sql = "SELECT value, checksum, COALESCE(used, 0) FROM entry LEFT JOIN last_use USING (key)
                       WHERE entry.key = ?1";
            reader
                .query_row(sql, [key.as_slice()], |row| {
                    Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Vec<u8>>(1)?, row.get::<_, i64>(2)?))
                })
                .optional()
        };
        match found {
            Ok(Some((value, sum, used))) => match intact(key, &value, &sum) {
                Some(entry) => {
                    self.shared.hits.fetch_add(1, Ordering::Relaxed);
                    if used != self.generation {
                        self.send(Write::Used(*key));
                    }
                    Recalled::Entry(entry)
                }
                None => {
                    self.shared.damaged.fetch_add(1, Ordering::Relaxed);
                    Recalled::Damaged
                }
            },
            Ok(None) => {
                self.shared.misses.fetch_add(1, Ordering::Relaxed);
                Recalled::Missing
            }
            Err(rusqlite::Error::InvalidColumnType(..)) => {
                self.shared.damaged.fetch_add(1, Ordering::Relaxed);
                Recalled::Damaged
            }
            Err(error) => {
                self.shared.failed(&error);
                Recalled::Missing
            }
        }
    }

    /// Keeps an answer; it is written soon, at the latest when the cache is dropped.
    pub fn put(&self, key: Key, entry: &Entry) {
        if let Some(value) = entry.encode() {
            self.send(Write::Put(key, value));
        }
    }

    fn send(&self, write: Write) {
        if let Some(writes) = &self.writes {
            // Fails only if the writer is gone, which it has told.
            let _ = writes.send(write);
        }
    }

    /// Waits until all that was put is written.
    pub fn flush(&self) {
        let (done, wait) = channel();
        self.send(Write::Flush(done));
        let _ = wait.recv();
    }

    /// What happened so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let count = |n: &AtomicU64| n.load(Ordering::Relaxed);
        Counts {
            hits: count(&self.shared.hits),
            misses: count(&self.shared.misses),
            damaged: count(&self.shared.damaged),
            failures: count(&self.shared.failures),
            first_failure: self.shared.first_failure.get().cloned(),
        }
    }

    /// What the file holds.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn stats(&self) -> Result<Stats, CacheError> {
        self.read(|reader| {
            let entries: i64 = reader.query_row("SELECT COUNT(*) FROM entry", [], |row| row.get(0))?;
            let (path, max_bytes) = (self.path.clone(), self.max_bytes);
            Ok(Stats { path, entries: entries.cast_unsigned(), bytes: bytes_in_use(reader)?, max_bytes })
        })
    }

    /// Removes every entry and gives the room back; how many there were.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn clear(&self) -> Result<u64, CacheError> {
        self.flush();
        self.read(|connection| {
            let removed = connection.execute("DELETE FROM entry", [])?;
            connection.execute_batch("DELETE FROM last_use; VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")?;
            Ok(removed as u64)
        })
    }

    /// The keys of all entries, in order.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn keys(&self) -> Result<Vec<Vec<u8>>, CacheError> {
        self.read(|reader| {
            let mut statement = reader.prepare("SELECT key FROM entry ORDER BY key")?;
            statement.query_map([], |row| row.get(0))?.collect()
        })
    }

    /// Removes an entry.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn remove(&self, key: &[u8]) -> Result<(), CacheError> {
        self.read(|connection| {
            connection.execute("DELETE FROM entry WHERE key = ?1", [key])?;
            connection.execute("DELETE FROM last_use WHERE key = ?1", [key]).map(|_| ())
        })
    }

    fn read<T>(&self, act: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, CacheError> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        act(&reader).map_err(|e| told(&self.path, &e))
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        self.writes = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

fn told(path: &Path, error: &rusqlite::Error) -> CacheError {
    let (path, reason) = (path.to_owned(), error.to_string());
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => CacheError::Foreign { path, reason },
        _ => CacheError::Sqlite { path, reason },
    }
}

/// The entry, if key and value are those that the checksum was made of.
fn intact(key: &[u8], value: &[u8], sum: &[u8]) -> Option<Entry> {
    if checksum(key, value) == sum { Entry::decode(value) } else { None }
}

fn settle(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    // A power cut may cost the last entries, never the file.
    connection.pragma_update(None, "synchronous", "normal")
}

/// Makes the tables, or checks that they are ours; the generation that begins.
fn prepare(connection: &mut Connection, path: &Path) -> Result<i64, CacheError> {
    let told = |e: rusqlite::Error| told(path, &e);
    connection.busy_timeout(BUSY).map_err(told)?;
    // All in one transaction: another process may be making the tables at this very time.
    let look = |t: &Transaction<'_>| {
        let number = |name: &str| t.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let tables: i64 = t.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get(0))?;
        rusqlite::Result::Ok((number("user_version")?, number("application_id")?, tables))
    };
    let seen = connection.transaction().map_err(told)?;
    let (version, application, tables) = look(&seen).map_err(told)?;
    seen.finish().map_err(told)?;
    if application != APPLICATION && (application != 0 || version != 0 || tables != 0) {
        return Err(CacheError::Foreign { path: path.to_owned(), reason: "a database of another program".to_owned() });
    }
    if version > FORMAT {
        return Err(CacheError::Newer { path: path.to_owned(), found: version });
    }
    settle(connection).map_err(told)?;
    let begin = |t: &Transaction<'_>| {
        // Looked at again: another process may have been here in between.
        let version: i32 = t.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if (1..FORMAT).contains(&version) {
            // What an earlier version kept is asked anew.
            t.execute_batch("DROP TABLE IF EXISTS entry;")?;
        }
        // When an entry was used stands apart: what changes with every run is short, and the answers are not written again.
        t.execute_batch(&format!(
            "CREATE TABLE IF NOT EXISTS entry (key BLOB PRIMARY KEY, value BLOB NOT NULL, checksum BLOB NOT NULL);
             CREATE TABLE IF NOT EXISTS last_use (key BLOB PRIMARY KEY, used INTEGER NOT NULL) WITHOUT ROWID;
             CREATE TABLE IF NOT EXISTS generation (number INTEGER NOT NULL);
             INSERT INTO generation SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM generation);
             UPDATE generation SET number = number + 1;
             PRAGMA application_id = {APPLICATION};
             PRAGMA user_version = {FORMAT};"
        ))?;
        t.query_row("SELECT MAX(number) FROM generation", [], |row| row.get(0))
    };
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).map_err(told)?;
    let generation = begin(&transaction).map_err(told)?;
    transaction.commit().map_err(told)?;
    Ok(generation)
}

fn bytes_in_use(connection: &Connection) -> rusqlite::Result<u64> {
    let pages = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let used = pages("page_count")? - pages("freelist_count")?;
    Ok((used * pages("page_size")?).cast_unsigned())
}

/// The thread that writes.
struct Writer {
    connection: Connection,
    max_bytes: u64,
    generation: i64,
    shared: std::sync::Arc<Shared>,
}

impl Writer {
    fn work(mut self, queue: &Receiver<Write>) {
        let mut batch = Vec::new();
        while let Ok(write) = queue.recv() {
            let mut waiting = Vec::new();
            let mut take = |write| match write {
                Write::Flush(done) => waiting.push(done),
                write => batch.push(write),
            };
            take(write);
            queue.try_iter().for_each(take);
            if batch.len() >= BATCH || !waiting.is_empty() {
                self.write(&mut batch);
            }
            for done in waiting {
                let _ = done.send(());
            }
        }
        self.write(&mut batch);
    }

    fn write(&mut self, batch: &mut Vec<Write>) {
        if batch.is_empty() {
            return;
        }
        if let Err(error) = self.try_write(batch) {
            self.shared.failed(&error);
        }
        batch.clear();
    }

    fn try_write(&mut self, batch: &[Write]) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        {
            let mut put =
                transaction.prepare("INSERT OR REPLACE INTO entry (key, value, checksum) VALUES (?1, ?2, ?3)")?;
            let mut used = transaction.prepare("INSERT OR REPLACE INTO last_use (key, used) VALUES (?1, ?2)")?;
            for write in batch {
                match write {
                    Write::Put(key, value) => {
                        let sum = checksum(key, value);
                        put.execute(params![key.as_slice(), value, sum.as_slice()])?;
                        used.execute(params![key.as_slice(), self.generation])?;
                    }
                    Write::Used(key) => {
                        used.execute(params![key.as_slice(), self.generation])?;
                    }
                    Write::Flush(_) => {}
                }
            }
        }
        make_room(&transaction, self.max_bytes)?;
        transaction.commit()
    }
}

/// Removes what was not used for longest until a tenth of the room is free, if there is too little.
fn make_room(transaction: &Transaction<'_>, max_bytes: u64) -> rusqlite::Result<()> {
    if bytes_in_use(transaction)? <= max_bytes {
        return Ok(());
    }
    let entries: i64 = transaction.query_row("SELECT COUNT(*) FROM entry", [], |row| row.get(0))?;
    let some = (entries / 20).max(1);
    while bytes_in_use(transaction)? > max_bytes / 10 * 9 {
        let removed = transaction.execute(
            "DELETE FROM entry WHERE rowid IN (SELECT entry.rowid FROM entry LEFT JOIN last_use USING (key)
                 ORDER BY COALESCE(used, 0), entry.rowid LIMIT ?1)",
            [some],
        )?;
        if removed == 0 {
            break;
        }
    }
    transaction.execute("DELETE FROM last_use WHERE key NOT IN (SELECT key FROM entry)", []).map(|_| ())
}
