//! What people decided before, as an input of a run.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::RunError;
use crate::append::whole_lines;
use crate::config::Config;
use crate::decision::{self, DecisionError, Settled};
use crate::emit::DECISIONS_FILE;
use crate::record::sha256_hex;

/// The decisions that a run applies.
#[derive(Debug, Default)]
pub(super) struct Decisions {
    pub(super) settled: Settled,
    /// The file, by name and content; `None` where there is none.
    file: Option<(String, String)>,
    /// Its lines, as they stand beside the splits.
    text: String,
}

/// What became of the decisions of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DecisionsTold {
    /// Records about which something was settled, or reviewers disagree.
    pub records: usize,
    /// Those of them that the inputs do not have, by `record_id`. Empty for a shard, which cannot know.
    pub absent: Vec<String>,
}

/// The file that holds the decisions: the one that is configured, else the one beside the output folder.
#[must_use]
pub fn decisions_path(config: &Config) -> PathBuf {
    if config.review.decisions.as_os_str().is_empty() {
        let mut name = config.output.dir.as_os_str().to_owned();
        name.push(".");
        name.push(DECISIONS_FILE);
        return name.into();
    }
    config.review.decisions.clone()
}

impl Decisions {
    /// Reads the file. Where none is configured and none lies beside the output folder, nobody has decided anything.
    pub(super) fn read(config: &Config) -> Result<Self, RunError> {
        let path = decisions_path(config);
        if !config.review.apply || (config.review.decisions.as_os_str().is_empty() && !path.exists()) {
            return Ok(Self::default());
        }
        let failed = |source| DecisionError::Read { path: path.clone(), source };
        let bytes = std::fs::read(&path).map_err(failed)?;
        let lines = whole_lines(&bytes);
        let settled = decision::settle(&decision::parse(&path, lines)?);
        if settled.records.is_empty() {
            // Remarks, and what was left for later or taken back, change nothing.
            return Ok(Self::default());
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = String::from_utf8_lossy(lines).into_owned();
        Ok(Self { settled, file: Some((name, sha256_hex(lines))), text })
    }

    pub(super) fn are_any(&self) -> bool {
        !self.settled.records.is_empty()
    }

    /// How they stand in the recorded configuration: by name and content, not by place.
    pub(super) fn recorded(&self) -> Option<String> {
        let (name, sha256) = self.file.as_ref()?;
        Some(format!("{name} sha256:{sha256}"))
    }

    /// The lines, to be kept beside the splits; `None` where there is no file.
    pub(super) fn text(&self) -> Option<&str> {
        self.file.as_ref().map(|_| self.text.as_str())
    }

    /// What became of them, once the records that were `met` are known.
    pub(super) fn told(&self, met: &BTreeSet<String>, whole: bool) -> Option<DecisionsTold> {
        self.file.as_ref()?;
        let absent = self.settled.records.keys().filter(|id| whole && !met.contains(*id)).cloned().collect();
        Some(DecisionsTold { records: self.settled.records.len(), absent })
    }
}
