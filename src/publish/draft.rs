//! The folder of a version, from the tables to its place.

use std::fs;
use std::path::{Path, PathBuf};

use semver::Version;

use super::changelog::changelog;
use super::error::PublishError;
use super::files::{Aside, Files, Place, files_of};
use super::previous::Previous;
use super::source::Source;
use super::tables::Tables;
use super::texts::{Facts, texts};
use super::version::{Step, choose, is_same};
use super::view::View;
use crate::config::{LICENSE, PublishConfig};
use crate::emit::EVIDENCE_FILE;
use crate::hub::FileId;
use crate::ingest::Input;

/// A version whose tables are written, aside, and whose texts are not: they tell which version it is.
#[derive(Debug)]
pub struct Draft {
    source: Source,
    tables: Tables,
    aside: Aside,
    data: Files,
    copied: Vec<(String, u64, String)>,
}

/// How the version is to be chosen.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// The version that is asked for.
    pub version: Option<Version>,
    /// Whether it may be a smaller step than what changed asks for.
    pub force: bool,
}

/// What an audit found between the previous version and this one.
#[derive(Debug, Clone)]
pub struct Found {
    /// How much changed.
    pub step: Step,
    /// What, in Markdown.
    pub told: String,
}

/// A version, in its place.
#[derive(Debug)]
pub struct Release {
    /// The version.
    pub version: Version,
    /// How much changed since the previous one; a major step where there is none.
    pub step: Step,
    /// All files.
    pub files: Files,
    /// The tables.
    pub tables: Tables,
}

/// Fails for a licence that the data may not have.
///
/// # Errors
/// Where it is another than FOLIO's and the settings do not say that it may be.
pub fn check_license(config: &PublishConfig) -> Result<(), PublishError> {
    let same = config.license.eq_ignore_ascii_case(LICENSE);
    if same || config.allow_other_license { Ok(()) } else { Err(PublishError::License(config.license.clone())) }
}

impl Draft {
    /// Reads a run's folder and writes the tables beside the place of the version, which they take in [`Draft::finish`].
    ///
    /// # Errors
    /// Where the folder is none of a run, the licence may not be used, or something cannot be written.
    pub fn new(dir: &Path, to: &Path, config: &PublishConfig) -> Result<Self, PublishError> {
        check_license(config)?;
        let source = Source::open(dir)?;
        let aside = Aside::new(to)?;
        let tables = Tables::write(&source, aside.dir(), config.shard_mb * 1_000_000)?;
        let mut copied = Vec::new();
        let also = [
            (&source.evidence, format!("evidence/{EVIDENCE_FILE}")),
            (&source.decisions, "decisions.jsonl".to_owned()),
        ];
        for (file, path) in also {
            let Some(file) = file else { continue };
            let target = aside.dir().join(&path);
            let io = |source| PublishError::Io { path: target.clone(), source };
            fs::create_dir_all(target.parent().unwrap_or(&target)).map_err(io)?;
            fs::copy(file, &target).map_err(io)?;
            let FileId { bytes, sha256, .. } = FileId::of(&target).map_err(io)?;
            copied.push((path, bytes, sha256));
        }
        let data = files_of(aside.dir())?;
        Ok(Self { source, tables, aside, data, copied })
    }

    /// The splits.
    pub fn splits(&self) -> impl Iterator<Item = &str> {
        self.source.splits.iter().map(|split| split.name.as_str())
    }

    /// The files of the default configuration that have rows.
    #[must_use]
    pub fn rows(&self) -> Vec<Input> {
        let splits = self.tables.of(View::Default).iter();
        let files = splits.flat_map(|split| {
            let tables = split.tables.iter().filter(|table| table.rows > 0);
            tables.map(|table| Input {
                split: Some(split.split.clone()),
                ..Input::new(self.aside.dir().join(&table.path))
            })
        });
        files.collect()
    }

    /// Chooses the version, writes the texts and puts the folder in its place.
    ///
    /// # Errors
    /// Where the version that is asked for says too little, or something cannot be written.
    pub fn finish(
        self,
        config: &PublishConfig,
        previous: Option<&Previous>,
        found: Option<&Found>,
        wish: &Wish,
    ) -> Result<Release, PublishError> {
        let before = previous.and_then(|previous| previous.version.as_ref());
        let mut step = found.map_or(Step::Major, |found| found.step);
        if let (Some(previous), Some(before), true) = (previous, before, step < Step::Patch) {
            // With the version and the changelog of the previous one it must come out the same to be the same.
            let texts = self.texts(config, before, &previous.changelog)?;
            let mut files = self.data.clone();
            files.extend(texts.iter().map(|(path, text)| {
                (path.clone(), Place { file: PathBuf::new(), id: FileId::of_bytes(text.as_bytes()) })
            }));
            step = if is_same(previous, &files) { Step::None } else { Step::Patch };
        }
        let version = choose(before, step, wish.version.as_ref(), wish.force)?;
        let changes = match previous {
            Some(previous) if before == Some(&version) && step == Step::None => previous.changelog.clone(),
            previous => {
                let from = previous.map(|p| before.map_or_else(|| p.name.clone(), ToString::to_string));
                let old = previous.map_or("", |previous| previous.changelog.as_str());
                changelog(old, &version, from.as_deref(), found.map_or("", |found| found.told.as_str()))
            }
        };
        for (path, text) in self.texts(config, &version, &changes)? {
            let target = self.aside.dir().join(path);
            fs::write(&target, text).map_err(|source| PublishError::Io { path: target.clone(), source })?;
        }
        let to = self.aside.target().to_owned();
        self.aside.take_place()?;
        Ok(Release { version, step, files: files_of(&to)?, tables: self.tables })
    }

    fn texts(
        &self,
        config: &PublishConfig,
        version: &Version,
        changelog: &str,
    ) -> Result<std::collections::BTreeMap<String, String>, PublishError> {
        let Self { source, tables, copied, .. } = self;
        texts(&Facts { source, tables, config, version, copied, changelog })
    }
}
