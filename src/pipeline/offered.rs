//! Another version of the dataset, whose formulas are offered as repairs.

use std::sync::Arc;

use super::RunError;
use crate::config::Config;
use crate::ingest::{self, Input};
use crate::refine::Prior;

/// What was read, and from where.
pub(super) struct Offered {
    prior: Arc<Prior>,
    name: String,
    sha256: String,
}

impl Offered {
    /// Reads the file that the configuration names, if it names one and anything is searched at all.
    pub(super) fn read(config: &Config) -> Result<Option<Self>, RunError> {
        let path = &config.search.prior;
        if path.as_os_str().is_empty() || !config.fixes.level.searches() {
            return Ok(None);
        }
        let dataset = ingest::read(&[Input::new(path)], &config.ingest_options()?)?;
        let file = dataset.files.first();
        Ok(Some(Self {
            prior: Arc::new(Prior::new(&dataset.records)),
            name: file.map(|file| file.name.clone()).unwrap_or_default(),
            sha256: file.map(|file| file.sha256.clone()).unwrap_or_default(),
        }))
    }

    pub(super) fn prior(&self) -> Arc<Prior> {
        Arc::clone(&self.prior)
    }

    /// How it stands in the recorded configuration: by name and content, not by place.
    pub(super) fn recorded(&self) -> String {
        format!("{} sha256:{}", self.name, self.sha256)
    }
}
