//! All files of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use rayon::prelude::*;

use super::counts::Counts;
use super::csv::CsvWriter;
use super::draft::{Sealed, lock_folder, make_folder, seal_text, sweep};
use super::error::EmitError;
use super::evidence::EvidenceWriter;
use super::info::RunInfo;
use super::late::Late;
use super::manifest::{MANIFEST_FILE, OutputFile, listed_files, manifest_json};
use super::names::{distinct_stem, file_stem};
use super::parquet::SplitWriter;
use super::summary::{SUMMARY_FILE, summary_markdown};
use super::timings::{Timing, TimingsWriter};
use crate::record::Row;

/// Which files to write beside the Parquet splits, the summary and the manifest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EmitOptions {
    /// `<split>.csv` for each split.
    pub csv: bool,
    /// `timings.parquet`.
    pub timings: bool,
    /// `evidence.parquet`.
    pub proofs: bool,
}

/// What a run has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Emitted {
    /// The files that the manifest lists, in its order.
    pub outputs: Vec<OutputFile>,
    /// Counts of all rows.
    pub counts: Counts,
    /// Names of files of an earlier run that this one did not replace. They were left alone.
    pub stale: Vec<String>,
}

/// Writes all files of a run into one folder.
///
/// Until [`Emitter::finish`] everything lies under temporary names. Then every file is completed first, and only when
/// all of them are safely on the disk do they take their names, one by one, the manifest last; so a full disk or a
/// kill leaves an earlier run's files as they were. Dropping the emitter removes what it wrote.
pub struct Emitter {
    dir: PathBuf,
    options: EmitOptions,
    splits: Vec<Split>,
    by_name: BTreeMap<String, usize>,
    timings: Option<TimingsWriter>,
    evidence: Option<EvidenceWriter>,
    /// Texts to be kept beside the splits, by name.
    attached: Vec<(String, String)>,
    /// Holds the folder while it lives; unlocked last.
    _lock: Option<File>,
}

struct Split {
    name: String,
    stem: String,
    parquet: SplitWriter,
    csv: Option<CsvWriter>,
}

impl Emitter {
    /// Claims the folder, which is made if it is missing, and removes temporary files that a killed run left there.
    ///
    /// # Errors
    /// The folder cannot be made, another run is writing to it, or nothing can be written to it.
    pub fn create(dir: &Path, options: EmitOptions) -> Result<Self, EmitError> {
        make_folder(dir)?;
        let lock = lock_folder(dir)?;
        if lock.is_some() {
            sweep(dir);
        }
        let timings = options.timings.then(|| TimingsWriter::create(dir)).transpose()?;
        let evidence = options.proofs.then(|| EvidenceWriter::create(dir)).transpose()?;
        Ok(Self {
            dir: dir.to_owned(),
            options,
            splits: Vec::new(),
            by_name: BTreeMap::new(),
            timings,
            evidence,
            attached: Vec::new(),
            _lock: lock,
        })
    }

    /// Keeps a text beside the splits, under this name.
    pub fn attach(&mut self, name: &str, text: &str) {
        self.attached.push((name.to_owned(), text.to_owned()));
    }

    /// Makes sure that a split has its files even if it has no row.
    ///
    /// # Errors
    /// Nothing can be written to the folder.
    pub fn open_split(&mut self, name: &str) -> Result<(), EmitError> {
        self.split(name).map(drop)
    }

    fn split(&mut self, name: &str) -> Result<Option<&mut Split>, EmitError> {
        let index = match self.by_name.get(name) {
            Some(index) => *index,
            None => self.add_split(name)?,
        };
        Ok(self.splits.get_mut(index))
    }

    fn add_split(&mut self, name: &str) -> Result<usize, EmitError> {
        let mut stem = file_stem(name);
        if self.splits.iter().any(|other| other.stem.eq_ignore_ascii_case(&stem)) {
            stem = distinct_stem(name);
        }
        let parquet = SplitWriter::create_as(&self.dir, name, &stem)?;
        let csv = self.options.csv.then(|| CsvWriter::create(&self.dir, &stem)).transpose()?;
        self.splits.push(Split { name: name.to_owned(), stem, parquet, csv });
        let index = self.splits.len() - 1;
        self.by_name.insert(name.to_owned(), index);
        Ok(index)
    }

    /// Adds rows, each to its split; a split's rows stay in the order in which they are pushed.
    ///
    /// # Errors
    /// A row beyond the size limit, a full disk, any other failed write. The emitter is then of no further use.
    pub fn push(&mut self, rows: &[Row]) -> Result<(), EmitError> {
        for run in rows.chunk_by(|a, b| a.record.split == b.record.split) {
            let Some(first) = run.first() else { continue };
            if let Some(split) = self.split(&first.record.split)? {
                split.parquet.push(run)?;
                if let Some(csv) = &mut split.csv {
                    csv.push(run)?;
                }
            }
            if let Some(evidence) = &mut self.evidence {
                evidence.push(run)?;
            }
        }
        Ok(())
    }

    /// Adds times of queries; ignored where no timings are asked for.
    ///
    /// # Errors
    /// A full disk or any other failed write.
    pub fn push_timings(&mut self, timings: &[Timing]) -> Result<(), EmitError> {
        self.timings.as_mut().map_or(Ok(()), |writer| writer.push(timings))
    }

    /// Adds rows of a file of this split that an emitter has written. They are not counted.
    pub(crate) fn append(&mut self, split: &str, rows: &RecordBatch) -> Result<(), EmitError> {
        self.split(split)?.map_or(Ok(()), |split| split.parquet.append(rows))
    }

    /// The same for the CSV, where there is one.
    pub(crate) fn append_csv(&mut self, split: &str, row: &::csv::ByteRecord) -> Result<(), EmitError> {
        let csv = self.split(split)?.and_then(|split| split.csv.as_mut());
        csv.map_or(Ok(()), |csv| csv.append(row))
    }

    /// The same for the table of times, where there is one.
    pub(crate) fn append_timings(&mut self, rows: &RecordBatch) -> Result<(), EmitError> {
        self.timings.as_mut().map_or(Ok(()), |writer| writer.append(rows))
    }

    /// The same for the proofs, where they are written.
    pub(crate) fn append_evidence(&mut self, rows: &RecordBatch) -> Result<(), EmitError> {
        self.evidence.as_mut().map_or(Ok(()), |writer| writer.append(rows))
    }

    /// Sets the counts, in place of those of the rows that were pushed.
    pub(crate) fn count(&mut self, counts: &Counts) -> Result<(), EmitError> {
        for (name, counts) in &counts.splits {
            if let Some(split) = self.split(name)? {
                split.parquet.set_counts(counts.clone());
            }
        }
        Ok(())
    }

    /// Gives rows that were pushed findings that are known only now. Splits that have none are left as they are; the others
    /// are written once more, with a batch of rows in memory.
    pub(crate) fn amend(&mut self, late: &dyn Late, info: &RunInfo) -> Result<(), EmitError> {
        for split in std::mem::take(&mut self.splits) {
            let Split { name, stem, parquet, csv } = split;
            let parquet = if late.concerns(&name) { parquet.amended(&self.dir, &stem, late, info)? } else { parquet };
            self.splits.push(Split { name, stem, parquet, csv });
        }
        Ok(())
    }

    /// The counts of the rows so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts { splits: self.splits.iter().map(|s| (s.name.clone(), s.parquet.counts().clone())).collect() }
    }

    /// Completes all files and gives them their names.
    ///
    /// # Errors
    /// A full disk or any other failed write: no file of an earlier run was touched. A name that cannot be taken:
    /// the files before it were replaced, the old manifest was not.
    pub fn finish(self, info: &RunInfo) -> Result<Emitted, EmitError> {
        let counts = self.counts();
        let Self { dir, splits, timings, evidence, attached, _lock: lock, .. } = self;

        let mut outputs = Vec::new();
        let mut sealed = Vec::new();
        let mut add = |file: Sealed, name: String, split: Option<&str>, rows: Option<u64>| {
            outputs.push(OutputFile {
                file: name,
                split: split.map(str::to_owned),
                rows,
                bytes: file.bytes,
                sha256: file.sha256.clone(),
            });
            sealed.push(file);
        };
        // The last rows of each are compressed, and the disk is waited for, at the same time.
        let (splits, evidence) = rayon::join(
            || {
                let seal = |Split { name, stem, parquet, csv }: Split| {
                    let rows = parquet.counts().rows;
                    let parquet = parquet.seal(info)?;
                    Ok((name, stem, rows, parquet, csv.map(CsvWriter::seal).transpose()?))
                };
                splits.into_par_iter().map(seal).collect::<Vec<Result<_, EmitError>>>()
            },
            || evidence.map(|evidence| (evidence.rows(), evidence.seal(info))),
        );
        for split in splits {
            let (name, stem, rows, parquet, csv) = split?;
            add(parquet, format!("{stem}.parquet"), Some(&name), Some(rows));
            if let Some(csv) = csv {
                add(csv, format!("{stem}.csv"), Some(&name), Some(rows));
            }
        }
        if let Some((rows, file)) = evidence {
            add(file?, EvidenceWriter::FILE.to_owned(), None, Some(rows));
        }
        for (name, text) in attached {
            let rows = text.lines().count() as u64;
            add(seal_text(&dir, &name, &text)?, name, None, Some(rows));
        }
        let summary = seal_text(&dir, SUMMARY_FILE, &summary_markdown(info, &counts))?;
        add(summary, SUMMARY_FILE.to_owned(), None, None);
        let mut names: BTreeSet<_> = outputs.iter().map(|output| output.file.clone()).collect();
        if let Some(timings) = timings {
            sealed.push(timings.seal()?);
            names.insert(TimingsWriter::FILE.to_owned());
        }
        let manifest = manifest_json(info, &outputs, &counts)
            .map_err(|source| EmitError::Json { path: dir.join(MANIFEST_FILE), source })?;
        sealed.push(seal_text(&dir, MANIFEST_FILE, &manifest)?);

        // While the old manifest still stands.
        let stale = stale_files(&dir, &names);
        for file in sealed {
            file.publish()?;
        }
        drop(lock);
        Ok(Emitted { outputs, counts, stale })
    }
}

/// Files of an earlier run that are not among `names`: those its manifest lists, and Parquet files that refolio wrote.
fn stale_files(dir: &Path, names: &BTreeSet<String>) -> Vec<String> {
    let listed = fs::read_to_string(dir.join(MANIFEST_FILE)).map(|text| listed_files(&text)).unwrap_or_default();
    let mut found: BTreeSet<String> = listed.into_iter().filter(|name| dir.join(name).is_file()).collect();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if let Ok(name) = entry.file_name().into_string()
            && name.ends_with(".parquet")
            && (name == TimingsWriter::FILE || is_ours(&entry.path()))
        {
            found.insert(name);
        }
    }
    found.into_iter().filter(|name| !names.contains(name)).collect()
}

/// Whether a Parquet file carries refolio's metadata.
fn is_ours(path: &Path) -> bool {
    let Ok(reader) = File::open(path).map_err(drop).and_then(|file| SerializedFileReader::new(file).map_err(drop))
    else {
        return false;
    };
    let entries = reader.metadata().file_metadata().key_value_metadata();
    entries.is_some_and(|entries| entries.iter().any(|entry| entry.key == "refolio.schema_version"))
}

#[cfg(test)]
#[path = "emitter_tests.rs"]
mod tests;
