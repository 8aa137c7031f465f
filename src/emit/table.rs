//! Parquet files with settings that give the same bytes for the same batches.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};

use super::draft::{Draft, Sealed};
use super::error::EmitError;

/// Higher levels gain a few per cent on such text and cost several times as long.
const ZSTD_LEVEL: i32 = 3;

/// Everything that a default of the Parquet crate could change under us is set here.
fn properties() -> Result<WriterProperties, ParquetError> {
    Ok(WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by(concat!("refolio version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_statistics_truncate_length(Some(64))
        .set_dictionary_enabled(true)
        .set_data_page_size_limit(1 << 20)
        .set_dictionary_page_size_limit(1 << 20)
        .set_data_page_row_count_limit(20_000)
        .set_write_batch_size(1024)
        // Row groups end where the caller says.
        .set_max_row_group_row_count(None)
        .set_max_row_group_bytes(None)
        .build())
}

/// A Parquet file on its way to any sink. `path` only names it in errors.
pub(crate) struct TableWriter<W: Write + Send> {
    writer: ArrowWriter<W>,
    path: PathBuf,
}

impl<W: Write + Send> TableWriter<W> {
    pub(crate) fn new(sink: W, path: &Path, schema: SchemaRef) -> Result<Self, EmitError> {
        let writer = properties().and_then(|properties| ArrowWriter::try_new(sink, schema, Some(properties)));
        Ok(Self { writer: writer.map_err(|e| EmitError::parquet(path, e))?, path: path.to_owned() })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Encodes a batch into the row group that is open.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), EmitError> {
        self.writer.write(batch).map_err(|e| EmitError::parquet(&self.path, e))
    }

    /// Bytes so far, those of the row group that is open by estimate.
    pub(crate) fn bytes(&self) -> usize {
        self.writer.bytes_written() + self.writer.in_progress_size()
    }

    /// Rows of the row group that is open.
    pub(crate) fn open_rows(&self) -> usize {
        self.writer.in_progress_rows()
    }

    /// Ends the row group that is open, if any, and writes it.
    pub(crate) fn end_row_group(&mut self) -> Result<(), EmitError> {
        self.writer.flush().map_err(|e| EmitError::parquet(&self.path, e))
    }

    /// Writes what is left and the footer, with this metadata. Nothing may be written afterwards.
    pub(crate) fn close(&mut self, metadata: Vec<(String, String)>) -> Result<(), EmitError> {
        for (key, value) in metadata {
            self.writer.append_key_value_metadata(KeyValue::new(key, value));
        }
        self.writer.finish().map(drop).map_err(|e| EmitError::parquet(&self.path, e))
    }
}

/// A draft that can be taken back out of the writer that fills it. (The writer's own `into_inner` turns a failed
/// write into a text, and with it a full disk into an unknown failure.)
pub(crate) struct Slot(Option<Draft>);

impl Write for Slot {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.0.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), Draft::flush)
    }
}

impl TableWriter<Slot> {
    /// A Parquet file in a folder, under a temporary name.
    pub(crate) fn create(dir: &Path, name: &str, schema: SchemaRef) -> Result<Self, EmitError> {
        let draft = Draft::create(dir, name)?;
        let path = draft.target().to_owned();
        Self::new(Slot(Some(draft)), &path, schema)
    }

    /// After [`Self::close`]: the file, complete and on the disk.
    pub(crate) fn seal(mut self) -> Result<Sealed, EmitError> {
        match self.writer.inner_mut().0.take() {
            Some(draft) => draft.seal(),
            None => Err(EmitError::write(&self.path, io::ErrorKind::BrokenPipe.into())),
        }
    }
}
