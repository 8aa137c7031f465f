//! What every reader of a format gives: rows, one after the other.

use super::error::IngestError;
use super::finding::Finding;
use super::value::Fields;

/// One row as its format gives it, before anyone asks what its fields mean.
#[derive(Debug)]
pub(super) struct RawRow {
    /// The 0-based position among the rows of the file.
    pub(super) index: u64,
    /// The 1-based line on which it starts, for formats that have lines.
    pub(super) line: Option<u64>,
    /// Its cells by name, or why there are none.
    pub(super) fields: Result<Fields, Finding>,
    /// Its own text; `None` for formats that have no text.
    pub(super) text: Option<Vec<u8>>,
    /// Where in the unpacked content that text starts, in bytes.
    pub(super) at: u64,
}

impl RawRow {
    /// The bytes that stand for a row that cannot be read: its own text, or its cells as JSON.
    pub(super) fn raw(&self) -> Vec<u8> {
        match (&self.text, &self.fields) {
            (Some(text), _) => text.clone(),
            (None, Ok(fields)) => serde_json::to_vec(&super::value::Value::Object(fields.clone())).unwrap_or_default(),
            (None, Err(_)) => Vec::new(),
        }
    }
}

/// The rows of a file. An error ends them: nothing after it can be read.
pub(super) type Rows = Box<dyn Iterator<Item = Result<RawRow, IngestError>> + Send>;

/// A file opened for its rows.
pub(super) struct Opened {
    /// The columns, for formats whose header names them.
    pub(super) header: Option<Vec<String>>,
    /// The rows.
    pub(super) rows: Rows,
}
