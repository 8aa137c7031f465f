//! A file as it lies on disk: hashed and unpacked while it is read, as often as it has to be read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::error::IngestError;
use super::file::{self, BYTE_ORDER_MARK, Compression, Format};
use crate::record::hex;

/// How much of the unpacked content is looked at, at least, to find its format.
const PREFIX: u64 = 1 << 16;

/// Unpacked bytes, in order.
pub(super) type Bytes = Box<dyn BufRead + Send>;

/// A file that can be read more than once. What can be read only once, such as a pipe, is copied to a temporary file.
#[derive(Debug)]
pub(super) struct Stored {
    path: PathBuf,
    spool: Option<File>,
}

/// What a file turned out to be, and its content.
pub(super) struct Content {
    /// How it is packed.
    pub(super) compression: Compression,
    /// How its rows are written.
    pub(super) format: Format,
    /// Whether a byte order mark was passed over.
    pub(super) has_mark: bool,
    /// Its unpacked bytes, or the file itself where it must be read out of order.
    pub(super) bytes: Unpacked,
    /// What is still to be found out when its rows have been read.
    pub(super) seal: Seal,
    /// How failures are told.
    pub(super) fault: Fault,
}

/// Unpacked content.
pub(super) enum Unpacked {
    /// To be read once, from start to end.
    InOrder(Bytes),
    /// A file for a format whose directory stands at its end.
    Seekable(File),
}

/// The hash and the size of a file on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    /// SHA-256 in lower-case hexadecimal.
    pub(super) sha256: String,
    /// Size in bytes.
    pub(super) bytes: u64,
}

impl Stored {
    pub(super) fn new(path: &Path) -> Result<Self, IngestError> {
        let failed = |reason| IngestError::Io { file: path.to_owned(), reason };
        let mut file = File::open(path).map_err(failed)?;
        let spool =
            if file.metadata().map_err(failed)?.is_file() { None } else { Some(spool(&mut file).map_err(failed)?) };
        Ok(Self { path: path.to_owned(), spool })
    }

    fn file(&self) -> io::Result<File> {
        match &self.spool {
            None => File::open(&self.path),
            Some(spool) => {
                let mut file = spool.try_clone()?;
                file.rewind()?;
                Ok(file)
            }
        }
    }

    /// Begins to read the file, and finds its format: by its name, else by its content.
    pub(super) fn open(&self) -> Result<Content, IngestError> {
        let path = self.path.as_path();
        let io = |reason| IngestError::Io { file: path.to_owned(), reason };
        let file = self.file().map_err(io)?;
        let seekable = file.try_clone().map_err(io)?;
        let source = Source(Arc::new(Mutex::new(Hashed::new(file))));
        let mut start = Vec::new();
        (&mut source.clone()).take(4).read_to_end(&mut start).map_err(io)?;
        let compression = file::compression(&start);
        let fault = Fault { file: path.to_owned(), compression, source: source.clone() };
        let packed = Cursor::new(start).chain(source.clone());
        let mut unpacked = unpack(packed, compression).map_err(|e| fault.tell(e))?;
        let (mut prefix, ended) = prefix(&mut unpacked).map_err(|e| fault.tell(e))?;
        let has_mark = prefix.starts_with(BYTE_ORDER_MARK);
        if has_mark {
            prefix.drain(..BYTE_ORDER_MARK.len());
        }
        if prefix.iter().all(u8::is_ascii_whitespace) {
            return Err(IngestError::Empty { file: path.to_owned() });
        }
        let format = file::format(path, &prefix, ended)
            .map_err(|what| IngestError::UnsupportedFormat { file: path.to_owned(), what })?;
        let mut bytes: Bytes = Box::new(Cursor::new(prefix).chain(unpacked));
        let mut seal = Seal { source, before: None, fault: fault.clone() };
        let bytes = if format == Format::Parquet {
            let file = if compression == Compression::None && !has_mark {
                seekable
            } else {
                spool(&mut bytes).map_err(|e| fault.tell(e))?
            };
            // Its rows are not read in order, so that what is hashed here is hashed again when they have been read.
            seal.before = Some(seal.identity()?);
            Unpacked::Seekable(file)
        } else {
            Unpacked::InOrder(bytes)
        };
        Ok(Content { compression, format, has_mark, bytes, seal, fault })
    }
}

/// A copy without a name, which goes when it is closed.
fn spool(from: &mut impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(from, &mut file)?;
    file.rewind()?;
    Ok(file)
}

fn unpack(packed: impl Read + Send + 'static, compression: Compression) -> io::Result<Bytes> {
    const BUFFER: usize = 1 << 16;
    Ok(match compression {
        Compression::None => Box::new(BufReader::with_capacity(BUFFER, packed)),
        Compression::Gz => Box::new(BufReader::with_capacity(BUFFER, flate2::read::MultiGzDecoder::new(packed))),
        Compression::Zst => Box::new(BufReader::with_capacity(BUFFER, zstd::stream::read::Decoder::new(packed)?)),
    })
}

/// The first bytes, as many as it takes to see one that is not blank, and whether that is all.
fn prefix(bytes: &mut Bytes) -> io::Result<(Vec<u8>, bool)> {
    let mut prefix = Vec::new();
    loop {
        let before = prefix.len();
        bytes.take(PREFIX).read_to_end(&mut prefix)?;
        let read = prefix.len() - before;
        if (read as u64) < PREFIX || !prefix.iter().all(u8::is_ascii_whitespace) {
            return Ok((prefix, (read as u64) < PREFIX));
        }
    }
}

/// Bytes of a file, hashed as they pass.
struct Hashed {
    file: File,
    hash: Sha256,
    bytes: u64,
    failed: bool,
}

impl Hashed {
    fn new(file: File) -> Self {
        Self { file, hash: Sha256::new(), bytes: 0, failed: false }
    }
}

impl Read for Hashed {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buf).inspect_err(|e| self.failed = e.kind() != io::ErrorKind::Interrupted)?;
        self.hash.update(buf.get(..read).unwrap_or(buf));
        self.bytes += read as u64;
        Ok(read)
    }
}

/// The one reader of a file, for the unpacker and for who wants the hash.
#[derive(Clone)]
struct Source(Arc<Mutex<Hashed>>);

impl Read for Source {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).read(buf)
    }
}

/// Tells why unpacked bytes cannot be had: because the file cannot be read, or because it cannot be unpacked.
#[derive(Clone)]
pub(super) struct Fault {
    file: PathBuf,
    compression: Compression,
    source: Source,
}

impl Fault {
    pub(super) fn tell(&self, reason: io::Error) -> IngestError {
        let file = self.file.clone();
        let unreadable = self.source.0.lock().unwrap_or_else(PoisonError::into_inner).failed;
        if unreadable || self.compression == Compression::None {
            IngestError::Io { file, reason }
        } else {
            IngestError::CorruptArchive { file, compression: self.compression, reason }
        }
    }

    /// The file.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }
}

/// What is known of a file only when all its rows have been read.
pub(super) struct Seal {
    source: Source,
    /// For a file that was not read in order: what it was before.
    before: Option<Identity>,
    fault: Fault,
}

impl Seal {
    /// Reads what is left and gives the hash of the whole.
    fn identity(&self) -> Result<Identity, IngestError> {
        let mut hashed = self.source.0.lock().unwrap_or_else(PoisonError::into_inner);
        let read = io::copy(&mut *hashed, &mut io::sink());
        let identity = Identity { sha256: hex(&hashed.hash.clone().finalize()), bytes: hashed.bytes };
        drop(hashed);
        read.map(|_| identity).map_err(|e| self.fault.tell(e))
    }

    /// To be called when all rows have been read: the file's hash and size.
    ///
    /// # Errors
    /// The file cannot be read, or it is not any more what it was when its rows were read.
    pub(super) fn check(self) -> Result<Identity, IngestError> {
        let Some(before) = &self.before else { return self.identity() };
        {
            let mut hashed = self.source.0.lock().unwrap_or_else(PoisonError::into_inner);
            hashed.file.rewind().map_err(|reason| IngestError::Io { file: self.fault.file.clone(), reason })?;
            (hashed.hash, hashed.bytes) = (Sha256::new(), 0);
        }
        let after = self.identity()?;
        if after == *before { Ok(after) } else { Err(IngestError::Changed { file: self.fault.file.clone() }) }
    }
}
