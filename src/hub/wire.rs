//! What goes over the wire.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// The state of a repository that a branch, tag or commit names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Revision {
    /// The commit, in lower-case hexadecimal.
    pub sha: String,
}

/// A file of a revision.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RemoteFile {
    /// Its path in the repository.
    pub path: String,
    /// SHA-1 of the git blob: of the content, or of the pointer of a large file.
    pub oid: String,
    /// Bytes of the content.
    pub size: u64,
    /// What a large file is known by; `None` for those that lie in git itself.
    #[serde(default)]
    pub lfs: Option<Lfs>,
}

/// A file in the store of large files.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Lfs {
    /// SHA-256 of the content.
    #[serde(alias = "sha256")]
    pub oid: String,
}

/// An entry of a tree; folders are passed over.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Entry {
    File(RemoteFile),
    #[serde(other)]
    Other,
}

/// Branches and tags.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Refs {
    /// Branches.
    pub branches: Vec<Ref>,
    /// Tags.
    pub tags: Vec<Ref>,
}

/// A branch or tag.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Ref {
    /// Its name.
    pub name: String,
    /// The commit that it points to.
    #[serde(rename = "targetCommit")]
    pub commit: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct WhoAmI {
    pub(super) name: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Preupload {
    pub(super) files: Vec<PreuploadFile>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PreuploadFile {
    pub(super) path: String,
    pub(super) upload_mode: String,
    #[serde(default)]
    pub(super) should_ignore: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct Batch {
    pub(super) objects: Vec<Object>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Object {
    pub(super) oid: String,
    #[serde(default)]
    pub(super) actions: Option<Actions>,
    #[serde(default)]
    pub(super) error: Option<ObjectError>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ObjectError {
    pub(super) message: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Actions {
    #[serde(default)]
    pub(super) upload: Option<Action>,
    #[serde(default)]
    pub(super) verify: Option<Action>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Action {
    pub(super) href: String,
    #[serde(default)]
    pub(super) header: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CommitAnswer {
    pub(super) commit_oid: String,
}

/// What an answer that is an error says, in one line.
pub(super) fn said(bytes: &[u8]) -> String {
    let value: Option<Value> = serde_json::from_slice(bytes).ok();
    let text = value.as_ref().and_then(|value| {
        let error = value.get("error").or_else(|| value.get("message"))?;
        Some(error.as_str().map_or_else(|| error.to_string(), str::to_owned))
    });
    let text = text.unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned());
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() { "it does not say why".to_owned() } else { line.chars().take(400).collect() }
}
