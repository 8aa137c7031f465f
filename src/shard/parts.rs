//! What a shard's manifest says, read back.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::folder::hash;
use super::{ShardError, ShardInfo};
use crate::emit::{Counts, InputFile, MANIFEST_FILE, OutputFile, ProverInfo, RunInfo, SCHEMA_VERSION};

#[derive(Deserialize)]
struct Manifest {
    refolio_version: String,
    schema_version: u32,
    fixes: String,
    prover: Option<ProverInfo>,
    second_prover: Option<ProverInfo>,
    inputs: Vec<InputFile>,
    outputs: Vec<OutputFile>,
    counts: Value,
    config_sha256: String,
    config: Value,
    shard: Option<ShardInfo>,
}

/// One finished shard.
pub(super) struct Part {
    pub(super) folder: PathBuf,
    pub(super) info: RunInfo,
    pub(super) shard: ShardInfo,
    pub(super) outputs: Vec<OutputFile>,
    pub(super) counts: Counts,
}

impl Part {
    pub(super) fn read(folder: &Path) -> Result<Self, ShardError> {
        let not = |reason: String| ShardError::NotAShard { folder: folder.to_owned(), reason };
        let text = fs::read_to_string(folder.join(MANIFEST_FILE)).map_err(|e| not(format!("{MANIFEST_FILE}: {e}")))?;
        let manifest: Manifest = serde_json::from_str(&text).map_err(|e| not(format!("{MANIFEST_FILE}: {e}")))?;
        let Manifest { refolio_version, schema_version, fixes, prover, second_prover, inputs, .. } = manifest;
        if schema_version != SCHEMA_VERSION {
            return Err(not(format!("its schema version is {schema_version}, not {SCHEMA_VERSION}")));
        }
        let shard = manifest.shard.ok_or_else(|| not("it is a whole run".to_owned()))?;
        let counts = Counts::from_json(&manifest.counts)
            .ok_or_else(|| not(format!("{MANIFEST_FILE}: its counts are not those of this version")))?;
        let plain = |file: &OutputFile| Path::new(&file.file).file_name().is_some_and(|name| *name == *file.file);
        if let Some(file) = manifest.outputs.iter().find(|file| !plain(file)) {
            return Err(not(format!("{:?} is no name of a file", file.file)));
        }
        let info = RunInfo {
            refolio_version,
            config: manifest.config,
            config_sha256: manifest.config_sha256,
            fixes,
            inputs,
            prover,
            second_prover,
            shard: None,
        };
        Ok(Self { folder: folder.to_owned(), info, shard, outputs: manifest.outputs, counts })
    }

    /// Compares every file with its hash.
    pub(super) fn check_files(&self) -> Result<(), ShardError> {
        for output in &self.outputs {
            let file = self.folder.join(&output.file);
            let damaged = |reason: String| ShardError::Damaged { file: file.clone(), reason };
            let (sha256, bytes) = hash(&file).map_err(|e| damaged(e.to_string()))?;
            if bytes != output.bytes {
                return Err(damaged(format!("it has {bytes} bytes, {} are recorded", output.bytes)));
            }
            if sha256 != output.sha256 {
                return Err(damaged("its SHA-256 is not the one recorded".to_owned()));
            }
        }
        Ok(())
    }

    /// The path of the file of a split with this ending.
    pub(super) fn file(&self, split: &str, ending: &str) -> Result<PathBuf, ShardError> {
        let found = self.outputs.iter().find(|o| o.split.as_deref() == Some(split) && o.file.ends_with(ending));
        found.map(|output| self.folder.join(&output.file)).ok_or_else(|| ShardError::NotAShard {
            folder: self.folder.clone(),
            reason: format!("it has no file {ending} of the split {split:?}"),
        })
    }
}

impl RunInfo {
    /// What two runs differ in, if they do in anything that decides bytes.
    pub(super) fn difference(&self, other: &Self) -> Option<&'static str> {
        if self.refolio_version != other.refolio_version {
            Some("version of refolio")
        } else if self.inputs != other.inputs {
            Some("input")
        } else if self.config_sha256 != other.config_sha256 || self.fixes != other.fixes {
            Some("configuration")
        } else if (&self.prover, &self.second_prover) != (&other.prover, &other.second_prover) {
            Some("prover")
        } else {
            None
        }
    }
}
