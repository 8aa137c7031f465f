//! `[publish]`, typed.

use serde::{Deserialize, Serialize};

use super::ConfigError;

/// The licence of FOLIO, and so of what is made of it.
pub const LICENSE: &str = "cc-by-sa-4.0";

/// `[publish]`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishConfig {
    /// `ORG/NAME` of the dataset repository; nothing where there is none.
    pub repo: String,
    /// Whether a repository that is made is private.
    pub private: bool,
    /// The name for people; nothing for the last part of `repo`.
    pub pretty_name: String,
    /// The licence, as the Hub spells it.
    pub license: String,
    /// Whether another licence than [`LICENSE`] may be used.
    pub allow_other_license: bool,
    /// Languages of the sentences, as the Hub spells them.
    pub languages: Vec<String>,
    /// Tags beside refolio's own.
    pub tags: Vec<String>,
    /// BibTeX of what the dataset is made from.
    pub citation: String,
    /// Megabytes (of 1 000 000 bytes) after which a Parquet file ends and the next begins.
    pub shard_mb: u64,
}

impl PublishConfig {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let range = |key: &str, value: &str, expected| {
            Err(ConfigError::Range { key: format!("publish.{key}"), value: value.to_owned(), expected })
        };
        if !self.repo.is_empty() && self.repo.parse::<crate::hub::RepoId>().is_err() {
            return range("repo", &self.repo, "ORG/NAME");
        }
        if self.license.trim().is_empty() {
            return range("license", &self.license, "the licence's name on the Hub, such as cc-by-sa-4.0");
        }
        if !(1..=50_000).contains(&self.shard_mb) {
            return range("shard_mb", &self.shard_mb.to_string(), "1 to 50000 megabytes");
        }
        Ok(())
    }
}
