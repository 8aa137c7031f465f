//! The version before.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use semver::Version;
use serde_json::Value;

use super::changelog::CHANGELOG_FILE;
use super::error::PublishError;
use super::files::{Place, files_of};
use crate::emit::MANIFEST_FILE;
use crate::hub::{self, FileId, Hub, RemoteFile, RepoId};
use crate::ingest::{Input, Origin};

/// A file of the version before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// It lies here.
    Here(FileId),
    /// It lies on the Hub.
    There(RemoteFile),
}

impl Known {
    /// Whether it has this content.
    #[must_use]
    pub fn is(&self, id: &FileId) -> bool {
        match self {
            Self::Here(known) => known == id,
            Self::There(remote) => id.is(remote),
        }
    }
}

/// The version before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Previous {
    /// What it is called in messages.
    pub name: String,
    /// Its version; `None` for a dataset that refolio did not publish.
    pub version: Option<Version>,
    /// Every file; none for a single file of rows.
    pub files: BTreeMap<String, Known>,
    /// The files of rows of its default configuration.
    pub data: Vec<Input>,
    /// The splits of these, those without rows included.
    pub splits: BTreeSet<String>,
    /// What its changelog says.
    pub changelog: String,
}

impl Previous {
    /// A version that lies here: a folder that was published, or a single file of rows.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn here(path: &Path) -> Result<Self, PublishError> {
        let name = path.display().to_string();
        if !path.is_dir() {
            let input = Input::new(path);
            let splits = BTreeSet::from([input.split_name()]);
            let (files, changelog) = (BTreeMap::new(), String::new());
            return Ok(Self { name, version: None, files, data: vec![input], splits, changelog });
        }
        let files = files_of(path)?;
        let text = |name: &str| fs::read_to_string(path.join(name)).unwrap_or_default();
        let (manifest, card, changelog) = (text(MANIFEST_FILE), text("README.md"), text(CHANGELOG_FILE));
        let paths: Vec<String> = files.keys().cloned().collect();
        let mut out = Self {
            name,
            version: version_of(&manifest),
            files: files.into_iter().map(|(path, Place { id, .. })| (path, Known::Here(id))).collect(),
            data: Vec::new(),
            splits: BTreeSet::new(),
            changelog,
        };
        for chosen in hub::choose(&paths, Some(&card), None) {
            out.add(Input { split: Some(chosen.split), ..Input::new(path.join(chosen.path)) });
        }
        Ok(out)
    }

    /// A version on the Hub: of a revision, or of the latest tag that is a version; `None` where there is no such tag.
    ///
    /// # Errors
    /// Where there is no such repository or revision, or the Hub refuses.
    pub fn on_hub(hub: &Hub, repo: &RepoId, revision: Option<&str>) -> Result<Option<Self>, PublishError> {
        let latest = match revision {
            Some(_) => None,
            None => {
                let tags = hub.refs(repo)?.tags;
                let versions = tags.into_iter().filter_map(|tag| Some((version_tag(&tag.name)?, tag)));
                match versions.max_by(|a, b| a.0.cmp(&b.0)) {
                    Some((_, tag)) => Some(tag.name),
                    None => return Ok(None),
                }
            }
        };
        let revision = latest.as_deref().or(revision).unwrap_or(hub::MAIN);
        let commit = hub.revision(repo, revision)?.sha;
        let listed = hub.files(repo, &commit)?;
        let text = |name: &str| -> Result<String, PublishError> {
            let Some(file) = listed.iter().find(|file| file.path == name) else { return Ok(String::new()) };
            let path = hub.fetch(repo, &commit, file)?;
            fs::read_to_string(&path).map_err(|e| PublishError::Unreadable { path, reason: e.to_string() })
        };
        let (manifest, card, changelog) = (text(MANIFEST_FILE)?, text("README.md")?, text(CHANGELOG_FILE)?);
        let paths: Vec<String> = listed.iter().map(|file| file.path.clone()).collect();
        let mut out = Self {
            name: format!("{repo} at {revision}"),
            version: version_of(&manifest).or_else(|| version_tag(revision)),
            files: BTreeMap::new(),
            data: Vec::new(),
            splits: BTreeSet::new(),
            changelog,
        };
        for chosen in hub::choose(&paths, Some(&card), None) {
            let Some(file) = listed.iter().find(|file| file.path == chosen.path) else { continue };
            let path = hub.fetch(repo, &commit, file)?;
            let address = format!("{}datasets/{repo}/{}", Input::HUB, chosen.path);
            let origin = Some(Origin { address, revision: commit.clone() });
            out.add(Input { split: Some(chosen.split), path, origin });
        }
        let ours = listed.into_iter().filter(|file| !is_kept(&file.path));
        out.files = ours.map(|file| (file.path.clone(), Known::There(file))).collect();
        Ok(Some(out))
    }

    fn add(&mut self, input: Input) {
        self.splits.insert(input.split_name());
        // A split without rows is a split, but there is nothing to read.
        if !input.is_empty_table() {
            self.data.push(input);
        }
    }
}

/// Files of a repository that belong to the Hub rather than to the dataset.
pub(super) fn is_kept(path: &str) -> bool {
    path.starts_with('.')
}

/// The version that a manifest tells.
fn version_of(manifest: &str) -> Option<Version> {
    let manifest: Value = serde_json::from_str(manifest).ok()?;
    Version::parse(manifest.pointer("/published/version")?.as_str()?).ok()
}

/// The version that a tag such as `v1.2.3` names.
fn version_tag(tag: &str) -> Option<Version> {
    Version::parse(tag.strip_prefix('v')?).ok().filter(|version| version.pre.is_empty())
}
