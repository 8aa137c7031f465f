//! What the fake Hub holds.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};
use sha1::Digest as _;

use super::{Faults, READER, WRITER};

/// A file of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Blob {
    /// In git itself.
    Regular(Vec<u8>),
    /// A pointer to the store.
    Large { oid: String, size: u64 },
}

/// A commit of the main branch.
#[derive(Debug, Clone)]
pub(crate) struct Commit {
    pub(crate) oid: String,
    pub(crate) message: String,
    pub(crate) tree: BTreeMap<String, Blob>,
}

/// A repository.
#[derive(Debug, Default)]
pub(crate) struct Repo {
    pub(crate) private: bool,
    /// From the first to the head.
    pub(crate) commits: Vec<Commit>,
    pub(crate) tags: BTreeMap<String, String>,
    /// The store of large files, by SHA-256.
    pub(crate) objects: BTreeMap<String, Vec<u8>>,
    /// Parts of files that are not whole yet, by file and number.
    pub(crate) parts: BTreeMap<(String, u64), Vec<u8>>,
    /// Sizes that were announced, by SHA-256.
    pub(crate) announced: BTreeMap<String, u64>,
    /// What was sent to the store, in order.
    pub(crate) uploads: Vec<String>,
    /// What clients said is whole.
    pub(crate) verified: BTreeSet<String>,
}

impl Repo {
    pub(crate) fn head(&self) -> &Commit {
        self.commits.last().expect("a repository begins with a commit")
    }

    /// The commit that a branch, tag or hash names.
    pub(crate) fn at(&self, revision: &str) -> Option<&Commit> {
        if revision == "main" {
            return self.commits.last();
        }
        let oid = self.tags.get(revision).map_or(revision, String::as_str);
        self.commits.iter().find(|commit| commit.oid == oid)
    }

    /// Puts a tree on top of the main branch.
    pub(crate) fn push(&mut self, message: &str, tree: BTreeMap<String, Blob>) -> String {
        let parent = self.commits.last().map(|commit| commit.oid.clone()).unwrap_or_default();
        let names: Vec<String> = tree.iter().map(|(path, blob)| format!("{path} {}", blob_oid(blob))).collect();
        let text = format!("{parent}\n{message}\n{}\n{}", self.commits.len(), names.join("\n"));
        let oid = refolio::record::hex(&sha1::Sha1::digest(text));
        self.commits.push(Commit { oid: oid.clone(), message: message.to_owned(), tree });
        oid
    }

    /// The content of a file at the head.
    pub(crate) fn content(&self, path: &str) -> Option<&[u8]> {
        match self.head().tree.get(path)? {
            Blob::Regular(bytes) => Some(bytes),
            Blob::Large { oid, .. } => self.objects.get(oid).map(Vec::as_slice),
        }
    }
}

/// The hash of a git blob.
pub(crate) fn git_blob(bytes: &[u8]) -> String {
    let mut hash = sha1::Sha1::new();
    hash.update(format!("blob {}\0", bytes.len()));
    hash.update(bytes);
    refolio::record::hex(&hash.finalize())
}

/// The text that git holds in the place of a large file.
fn pointer(oid: &str, size: u64) -> String {
    format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {size}\n")
}

pub(crate) fn blob_oid(blob: &Blob) -> String {
    match blob {
        Blob::Regular(bytes) => git_blob(bytes),
        Blob::Large { oid, size } => git_blob(pointer(oid, *size).as_bytes()),
    }
}

/// How a listing shows a file.
pub(crate) fn entry(path: &str, blob: &Blob) -> Value {
    match blob {
        Blob::Regular(bytes) => json!({"type": "file", "oid": blob_oid(blob), "size": bytes.len(), "path": path}),
        Blob::Large { oid, size } => json!({
            "type": "file", "oid": blob_oid(blob), "size": size, "path": path,
            "lfs": {"oid": oid, "size": size, "pointerSize": pointer(oid, *size).len()},
        }),
    }
}

/// A call as it came.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) agent: String,
}

/// Everything.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) port: u16,
    pub(crate) repos: BTreeMap<String, Repo>,
    pub(crate) faults: Faults,
    pub(crate) calls: Vec<Call>,
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    Nobody,
    Reader,
    Writer,
}

pub(crate) type Refusal = Box<Response>;

/// An answer that is an error, as the Hub words them.
pub(crate) fn refuse(status: u16, code: &str, message: &str) -> Refusal {
    let status = StatusCode::from_u16(status).unwrap();
    let headers = [("x-error-code", code.to_owned()), ("x-error-message", message.to_owned())];
    Box::new((status, headers, json!({"error": message}).to_string()).into_response())
}

impl State {
    pub(crate) fn new(port: u16) -> Self {
        Self { port, repos: BTreeMap::new(), faults: Faults::default(), calls: Vec::new() }
    }

    /// Where the store is: another host than the Hub, as in life.
    pub(crate) fn store(&self) -> String {
        format!("http://localhost:{}", self.port)
    }

    pub(crate) fn hub(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn repo(&self, name: &str) -> &Repo {
        self.repos.get(name).unwrap_or_else(|| panic!("there is no {name}"))
    }

    /// Calls with a method and something in their path.
    pub(crate) fn count(&self, method: &str, part: &str) -> usize {
        self.calls.iter().filter(|call| call.method == method && call.path.contains(part)).count()
    }

    /// A repository that the caller may see.
    pub(crate) fn seen(&mut self, name: &str, headers: &HeaderMap) -> Result<&mut Repo, Refusal> {
        let who = who(headers)?;
        match self.repos.get_mut(name) {
            Some(repo) if !repo.private || who != Who::Nobody => Ok(repo),
            _ if who == Who::Nobody => Err(refuse(401, "RepoNotFound", "Repository not found")),
            _ => Err(refuse(404, "RepoNotFound", "Repository not found")),
        }
    }

    /// A repository that the caller may change.
    pub(crate) fn writable(&mut self, name: &str, headers: &HeaderMap) -> Result<&mut Repo, Refusal> {
        let who = who(headers)?;
        let repo = self.seen(name, headers)?;
        match who {
            Who::Writer => Ok(repo),
            Who::Reader => Err(refuse(403, "", "Forbidden: pass a token with write access to this repository")),
            Who::Nobody => Err(refuse(401, "", "Invalid username or password.")),
        }
    }
}

/// Who asks, by the token.
pub(crate) fn who(headers: &HeaderMap) -> Result<Who, Refusal> {
    let Some(value) = headers.get("authorization") else { return Ok(Who::Nobody) };
    match value.to_str().unwrap_or_default().strip_prefix("Bearer ") {
        Some(WRITER) => Ok(Who::Writer),
        Some(READER) => Ok(Who::Reader),
        // The real one does not repeat a token. A client must hide it all the same.
        other => Err(refuse(401, "", &format!("Invalid credentials in Authorization header: {}", other.unwrap_or("")))),
    }
}
