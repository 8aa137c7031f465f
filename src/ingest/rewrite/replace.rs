//! Putting a file in the place of another, with a record of what was done.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::error::RewriteError;
use super::{Change, remove};

/// One edit, as the record beside the file has it.
#[derive(Serialize)]
struct Line<'a> {
    /// The record's 0-based position in the file.
    row: u64,
    record_id: &'a str,
    target: String,
    rule: &'a str,
    kind: &'a str,
    before: &'a str,
    after: &'a str,
}

/// Lines that were appended to a file. Dropping this takes them away again, unless it is told to keep them.
pub(super) struct Appended {
    path: PathBuf,
    /// The length before; `None` where there was no such file.
    before: Option<u64>,
    keep: bool,
}

impl Drop for Appended {
    fn drop(&mut self) {
        if self.keep {
            return;
        }
        match self.before {
            None => remove(&self.path),
            // What cannot be undone stays: a line too many in a record does no harm to the data.
            Some(length) => drop(OpenOptions::new().write(true).open(&self.path).and_then(|f| f.set_len(length))),
        }
    }
}

/// Appends every edit to the record at `path`, safely on the disk when this returns.
pub(super) fn append_record(path: &Path, changes: &[&Change<'_>]) -> Result<Appended, RewriteError> {
    let failed = |source| RewriteError::write(path, source);
    let mut text = Vec::new();
    for change in changes {
        for edit in &change.edits {
            let line = Line {
                row: change.record.source.row,
                record_id: &change.record.record_id,
                target: edit.target.to_string(),
                rule: &edit.rule,
                kind: edit.kind.as_str(),
                before: &edit.before,
                after: &edit.after,
            };
            serde_json::to_writer(&mut text, &line).map_err(|e| failed(e.into()))?;
            text.push(b'\n');
        }
    }
    let before = path.metadata().ok().map(|m| m.len());
    let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
    let appended = Appended { path: path.to_owned(), before, keep: false };
    file.write_all(&text).and_then(|()| file.sync_all()).map_err(failed)?;
    Ok(appended)
}

/// Writes `content` beside the file, lets `before` look at the finished draft, and then puts it in the file's place.
pub(super) fn replace(
    path: &Path,
    content: &[u8],
    before: impl FnOnce(&Path) -> Result<Appended, RewriteError>,
) -> Result<(), RewriteError> {
    let failed = |source| RewriteError::write(path, source);
    // A link keeps pointing where it does: what it points to is replaced.
    let target = path.canonicalize().map_err(failed)?;
    let permissions = target.metadata().map_err(failed)?.permissions();
    if permissions.readonly() {
        return Err(RewriteError::ReadOnly { file: path.to_owned() });
    }
    let folder = target.parent().unwrap_or(Path::new("."));
    // The ending tells the format to whoever reads the draft.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut draft =
        tempfile::Builder::new().prefix(".refolio-").suffix(&format!("-{name}")).tempfile_in(folder).map_err(failed)?;
    let written = draft.write_all(content).and_then(|()| fs::set_permissions(draft.path(), permissions));
    written.and_then(|()| draft.as_file().sync_all()).map_err(failed)?;
    let mut record = before(draft.path())?;
    draft.persist(&target).map_err(|e| failed(e.error))?;
    record.keep = true;
    sync_folder(folder);
    Ok(())
}

/// Makes a rename survive a power cut where the system can; the rename itself has already happened.
fn sync_folder(folder: &Path) {
    let _: io::Result<()> = File::open(folder).and_then(|f| f.sync_all());
}
