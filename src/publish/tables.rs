//! The Parquet files of all configurations.

use std::path::Path;

use arrow::array::{Array as _, RecordBatch};
use arrow::datatypes::SchemaRef;

use super::error::PublishError;
use super::source::{Source, SourceSplit};
use super::view::View;
use crate::emit::{EmitError, Sealed, Slot, TableWriter};

/// Rows of a row group, at most.
const GROUP_ROWS: usize = 8192;

/// One Parquet file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its path in the repository.
    pub path: String,
    /// Rows in it.
    pub rows: u64,
    /// Bytes of it.
    pub bytes: u64,
    /// SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

/// The files of one split of one configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitTables {
    /// The split.
    pub split: String,
    /// Its files, in the order of the rows; one at least.
    pub tables: Vec<Table>,
    /// Bytes of the rows in memory, as Arrow holds them.
    pub memory: u64,
}

impl SplitTables {
    /// Rows in all files.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }

    /// Bytes of all files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.tables.iter().map(|table| table.bytes).sum()
    }
}

/// The files of all configurations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tables {
    /// For each of [`View::ALL`] its columns and splits.
    pub views: Vec<(View, SchemaRef, Vec<SplitTables>)>,
}

impl Tables {
    /// Writes them into a folder. A file ends once it holds `shard_bytes` or more.
    ///
    /// # Errors
    /// Where a row cannot be read or a file cannot be written.
    pub fn write(source: &Source, dir: &Path, shard_bytes: u64) -> Result<Self, PublishError> {
        let mut views = Vec::new();
        for view in View::ALL {
            let schema = view.schema(&source.schema);
            let mut splits = Vec::new();
            for split in &source.splits {
                splits.push(write_split(source, view, &schema, split, dir, shard_bytes)?);
            }
            views.push((view, schema, splits));
        }
        Ok(Self { views })
    }

    /// Every file with its configuration and split.
    pub fn all(&self) -> impl Iterator<Item = (View, &str, &Table)> {
        self.views.iter().flat_map(|(view, _, splits)| {
            splits.iter().flat_map(|split| split.tables.iter().map(|table| (*view, split.split.as_str(), table)))
        })
    }

    /// The splits of a configuration.
    #[must_use]
    pub fn of(&self, view: View) -> &[SplitTables] {
        self.views.iter().find(|(other, ..)| *other == view).map_or(&[], |(_, _, splits)| splits)
    }
}

/// One file after the other.
struct Shards<'a> {
    dir: std::path::PathBuf,
    split: &'a str,
    schema: &'a SchemaRef,
    metadata: Vec<(String, String)>,
    shard_bytes: u64,
    open: Option<(TableWriter<Slot>, u64)>,
    done: Vec<(Sealed, u64)>,
}

impl Shards<'_> {
    fn push(&mut self, batch: &RecordBatch) -> Result<(), EmitError> {
        if self.open.is_none() {
            let name = format!("{}-{:05}.parquet", self.split, self.done.len());
            self.open = Some((TableWriter::create(&self.dir, &name, self.schema.clone())?, 0));
        }
        let Some((writer, rows)) = &mut self.open else { return Ok(()) };
        if batch.num_rows() > 0 {
            writer.write(batch)?;
            *rows += batch.num_rows() as u64;
        }
        let full = writer.bytes() as u64 >= self.shard_bytes;
        if full || writer.open_rows() >= GROUP_ROWS {
            writer.end_row_group()?;
        }
        // By estimate it may have been full and be not: what is compressed is smaller.
        if full && writer.bytes() as u64 >= self.shard_bytes {
            self.end()?;
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), EmitError> {
        let Some((mut writer, rows)) = self.open.take() else { return Ok(()) };
        writer.close(self.metadata.clone())?;
        self.done.push((writer.seal()?, rows));
        Ok(())
    }
}

fn write_split(
    source: &Source,
    view: View,
    schema: &SchemaRef,
    split: &SourceSplit,
    dir: &Path,
    shard_bytes: u64,
) -> Result<SplitTables, PublishError> {
    let fact = |key: &str| {
        let value = source.manifest.get(key)?;
        Some((format!("refolio.{key}"), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
    };
    let metadata = ["refolio_version", "schema_version", "config_sha256"].into_iter().filter_map(fact).collect();
    let mut shards = Shards {
        dir: dir.join(view.folder()),
        split: &split.name,
        schema,
        metadata,
        shard_bytes,
        open: None,
        done: Vec::new(),
    };
    let mut memory = 0;
    Source::read(split, |batch| {
        let arrow = |e| EmitError::arrow(&split.path, e);
        let rows = view.rows(batch).map_err(arrow)?;
        if rows.num_rows() == 0 {
            return Ok(());
        }
        for column in rows.columns() {
            memory += column.to_data().get_slice_memory_size().map_err(arrow)? as u64;
        }
        Ok(shards.push(&rows)?)
    })?;
    if shards.open.is_none() && shards.done.is_empty() {
        // A split without rows has a file with its columns all the same.
        shards.push(&RecordBatch::new_empty(schema.clone()))?;
    }
    shards.end()?;
    let count = shards.done.len();
    let mut tables = Vec::new();
    for (i, (sealed, rows)) in shards.done.into_iter().enumerate() {
        let name = format!("{}-{i:05}-of-{count:05}.parquet", split.name);
        let (bytes, sha256) = (sealed.bytes, sealed.sha256.clone());
        sealed.publish_as(&name)?;
        tables.push(Table { path: format!("{}/{name}", view.folder()), rows, bytes, sha256 });
    }
    Ok(SplitTables { split: split.name.clone(), tables, memory })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::testing::{plain_row, unreadable_row};
    use crate::emit::testing_run::run_info;
    use crate::emit::{EmitOptions, Emitter};

    const ROWS: u64 = 3000;

    fn source(dir: &Path) -> Source {
        let mut emitter = Emitter::create(dir, EmitOptions::default()).unwrap();
        let rows: Vec<_> = (0..ROWS).map(|i| plain_row(&i.to_string(), "train")).collect();
        emitter.push(&rows).unwrap();
        emitter.push(&[unreadable_row("x", "test")]).unwrap();
        emitter.finish(&run_info()).unwrap();
        Source::open(dir).unwrap()
    }

    #[test]
    fn files_end_where_they_are_full_and_lose_no_row() {
        let dir = tempfile::tempdir().unwrap();
        let source = source(&dir.path().join("run"));
        let write = |name: &str, bytes| Tables::write(&source, &dir.path().join(name), bytes).unwrap();
        let (whole, parts) = (write("whole", 1 << 40), write("parts", 1));
        for view in View::ALL {
            let files = |tables: &Tables, split: usize| tables.of(view)[split].tables.len();
            let rows = |tables: &Tables, split: usize| tables.of(view)[split].rows();
            let expected = if view == View::Problematic { (0, 1) } else { (ROWS, u64::from(view == View::Provenance)) };
            assert_eq!((rows(&whole, 0), rows(&whole, 1)), expected, "{view:?}");
            assert_eq!((rows(&parts, 0), rows(&parts, 1)), expected, "{view:?}");
            assert_eq!((files(&whole, 0), files(&whole, 1)), (1, 1), "one at least");
            assert_eq!(files(&parts, 0), if view == View::Problematic { 1 } else { 3 });
            assert_eq!(whole.of(view)[0].memory, parts.of(view)[0].memory);
        }
        let names: Vec<&str> = parts.of(View::Default)[0].tables.iter().map(|table| table.path.as_str()).collect();
        let expected = [
            "data/train-00000-of-00003.parquet",
            "data/train-00001-of-00003.parquet",
            "data/train-00002-of-00003.parquet",
        ];
        assert_eq!(names, expected);
        assert_eq!(write("again", 1), parts, "the same bytes");
    }
}
