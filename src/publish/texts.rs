//! The texts beside the tables.

use std::collections::BTreeMap;

use semver::Version;
use serde_json::{Value, json};

use super::changelog::CHANGELOG_FILE;
use super::error::PublishError;
use super::source::Source;
use super::tables::Tables;
use super::{card, croissant};
use crate::config::PublishConfig;
use crate::emit::MANIFEST_FILE;
use crate::record::sha256_hex;

/// Everything that the texts tell of.
pub struct Facts<'a> {
    /// The run.
    pub source: &'a Source,
    /// The tables.
    pub tables: &'a Tables,
    /// `[publish]`
    pub config: &'a PublishConfig,
    /// The version.
    pub version: &'a Version,
    /// What is copied beside the tables: path, bytes and SHA-256.
    pub copied: &'a [(String, u64, String)],
    /// The text of the changelog.
    pub changelog: &'a str,
}

impl Facts<'_> {
    /// The name for people.
    pub(super) fn pretty_name(&self) -> &str {
        let name = self.config.repo.rsplit('/').next().unwrap_or_default();
        match (self.config.pretty_name.as_str(), name) {
            ("", "") => "Refined data set",
            ("", name) => name,
            (pretty, _) => pretty,
        }
    }
}

/// `README.md`, `manifest.json`, `CHANGELOG.md` and `croissant.json`, by path.
///
/// # Errors
/// Where a text cannot be made.
pub fn texts(facts: &Facts<'_>) -> Result<BTreeMap<String, String>, PublishError> {
    let mut out = BTreeMap::new();
    out.insert(CHANGELOG_FILE.to_owned(), facts.changelog.to_owned());
    out.insert("croissant.json".to_owned(), croissant::croissant(facts)?);
    out.insert("README.md".to_owned(), card::card(facts)?);
    let manifest = manifest(facts, &out)?;
    out.insert(MANIFEST_FILE.to_owned(), manifest);
    Ok(out)
}

/// The manifest of the run, and what was published of it.
fn manifest(facts: &Facts<'_>, texts: &BTreeMap<String, String>) -> Result<String, PublishError> {
    let mut files: Vec<Value> = facts
        .tables
        .all()
        .map(|(view, split, table)| {
            json!({
                "file": table.path, "config": view.name(), "split": split, "rows": table.rows, "bytes": table.bytes,
                "sha256": table.sha256,
            })
        })
        .collect();
    let copied =
        facts.copied.iter().map(|(path, bytes, sha256)| json!({"file": path, "bytes": bytes, "sha256": sha256}));
    let told = texts
        .iter()
        .map(|(path, text)| json!({"file": path, "bytes": text.len(), "sha256": sha256_hex(text.as_bytes())}));
    files.extend(copied.chain(told));
    let mut manifest = facts.source.manifest.clone();
    if let Some(entries) = manifest.as_object_mut() {
        let published = json!({
            "version": facts.version.to_string(), "license": facts.config.license,
            "refolio_version": env!("CARGO_PKG_VERSION"), "files": files,
        });
        entries.insert("published".to_owned(), published);
    }
    let text = serde_json::to_string_pretty(&manifest);
    text.map(|text| text + "\n").map_err(|e| PublishError::Text { file: MANIFEST_FILE, reason: e.to_string() })
}
