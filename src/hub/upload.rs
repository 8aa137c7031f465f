//! Putting files there: small text inside the commit, everything else into the store of large files, and then one commit.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use reqwest::header::{ACCEPT, CONTENT_TYPE, ETAG};
use reqwest::{Method, Url};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::address::RepoId;
use super::client::{Hub, JSON};
use super::error::HubError;
use super::wire::{Action, Batch, CommitAnswer, Object, Preupload};
use super::{FileId, MAIN};

/// Files that one call tells of, at most.
const FILES_A_CALL: usize = 256;
/// Bytes of a file that the Hub is shown before it says how the file is to come.
const SAMPLE: u64 = 512;
/// Files that are sent at once.
const AT_ONCE: usize = 4;
/// Bytes that are read of a file at once.
const PIECE: usize = 64 << 10;
/// The media type of the store of large files.
const LFS: &str = "application/vnd.git-lfs+json";

/// A file that is to be in the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Add {
    /// Its path there.
    pub path: String,
    /// Where it lies here.
    pub file: PathBuf,
    /// What it holds.
    pub id: FileId,
}

/// What one commit changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The commit that the branch must still be at.
    pub parent: String,
    /// Files to put there.
    pub add: Vec<Add>,
    /// Paths of files to remove.
    pub delete: Vec<String>,
    /// One line that says why.
    pub message: String,
}

/// What came of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Committed {
    /// The commit.
    pub commit: String,
    /// Files that the store of large files had already.
    pub known: usize,
    /// Files that were sent to it.
    pub sent: usize,
}

/// How a file travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Inline,
    Store,
}

impl Hub {
    /// Sends what the Hub does not have and changes the main branch by one commit, or not at all. What was sent stays there
    /// if it ends early, so that the same call goes on from there.
    ///
    /// # Errors
    /// [`HubError::Stale`] where the branch has moved; where the Hub refuses or a file cannot be read.
    pub fn commit(&self, repo: &RepoId, change: &Change) -> Result<Committed, HubError> {
        if !self.transport.has_token() {
            return Err(HubError::NoToken);
        }
        self.block_on(async {
            let ways = self.ways(repo, &change.add).await?;
            let large: Vec<&Add> = change.add.iter().filter(|add| ways.get(&add.path) == Some(&Way::Store)).collect();
            let (known, sent) = self.store(repo, &large).await?;
            let commit = self.send_commit(repo, change, &ways).await?;
            Ok(Committed { commit, known, sent })
        })
    }

    /// How each file is to come, as the Hub says; except that Parquet always goes to the store.
    async fn ways(&self, repo: &RepoId, add: &[Add]) -> Result<BTreeMap<String, Way>, HubError> {
        let url = self.transport.url(&["api", "datasets", &repo.owner, &repo.name, "preupload", MAIN])?;
        let what = format!("say how files for {repo} are to come");
        let mut ways = BTreeMap::new();
        for some in add.chunks(FILES_A_CALL) {
            let mut files = Vec::new();
            for add in some {
                files.push(
                    json!({"path": add.path, "sample": STANDARD.encode(sample(&add.file)?), "size": add.id.bytes}),
                );
            }
            let body = json!({ "files": files }).to_string();
            let build = || Ok(self.transport.request(Method::POST, &url).header(CONTENT_TYPE, JSON).body(body.clone()));
            let told: Preupload = self.transport.json(&what, build).await?;
            for add in some {
                let reason = || format!("nothing is said of {}", add.path);
                let file = told.files.iter().find(|file| file.path == add.path);
                let file = file.ok_or_else(|| HubError::Protocol { what: what.clone(), reason: reason() })?;
                if file.should_ignore {
                    return Err(HubError::Ignored { path: add.path.clone() });
                }
                let way = match file.upload_mode.as_str() {
                    // The store takes no empty file.
                    _ if add.id.bytes == 0 => Way::Inline,
                    "lfs" => Way::Store,
                    "regular"
                        if Path::new(&add.path).extension().is_some_and(|e| e.eq_ignore_ascii_case("parquet")) =>
                    {
                        return Err(HubError::Inline { path: add.path.clone() });
                    }
                    "regular" => Way::Inline,
                    other => {
                        let reason = format!("{} is to come as {other:?}", add.path);
                        return Err(HubError::Protocol { what, reason });
                    }
                };
                ways.insert(add.path.clone(), way);
            }
        }
        Ok(ways)
    }

    /// Sends files to the store that are not there; how many were, and how many were sent.
    async fn store(&self, repo: &RepoId, large: &[&Add]) -> Result<(usize, usize), HubError> {
        // One content may lie under several paths.
        let mut by_oid: BTreeMap<&str, &Add> = BTreeMap::new();
        for add in large {
            by_oid.entry(&add.id.sha256).or_insert(add);
        }
        let adds: Vec<&Add> = by_oid.into_values().collect();
        let slots = Arc::new(Semaphore::new(AT_ONCE));
        let (mut known, mut sent) = (0, 0);
        for some in adds.chunks(FILES_A_CALL) {
            let mut uploads = Vec::new();
            for object in self.batch(repo, some).await? {
                let Some(add) = some.iter().find(|add| add.id.sha256 == object.oid) else { continue };
                match object.actions.and_then(|actions| Some((actions.upload?, actions.verify))) {
                    None => known += 1,
                    Some((upload, verify)) => uploads.push((*add, upload, verify)),
                }
            }
            sent += uploads.len();
            let work = uploads.iter().map(|(add, upload, verify)| {
                let slots = Arc::clone(&slots);
                async move {
                    // The semaphore is never closed.
                    let _slot = slots.acquire().await;
                    self.put(repo, add, upload, verify.as_ref()).await
                }
            });
            all(work.collect()).await?;
        }
        Ok((known, sent))
    }

    /// What is to be done for each file so that the store has it.
    async fn batch(&self, repo: &RepoId, adds: &[&Add]) -> Result<Vec<Object>, HubError> {
        let name = format!("{}.git", repo.name);
        let url = self.transport.url(&["datasets", &repo.owner, &name, "info", "lfs", "objects", "batch"])?;
        let what = format!("take files for {repo}");
        let objects: Vec<Value> = adds.iter().map(|add| json!({"oid": add.id.sha256, "size": add.id.bytes})).collect();
        let body = json!({
            "operation": "upload", "transfers": ["basic", "multipart"], "hash_algo": "sha256",
            "ref": {"name": MAIN}, "objects": objects,
        })
        .to_string();
        let build = || {
            let request = self.transport.request(Method::POST, &url).header(ACCEPT, LFS).header(CONTENT_TYPE, LFS);
            Ok(request.body(body.clone()))
        };
        let told: Batch = self.transport.json(&what, build).await?;
        for add in adds {
            let object = told.objects.iter().find(|object| object.oid == add.id.sha256);
            let object = object.ok_or_else(|| HubError::Protocol {
                what: what.clone(),
                reason: format!("nothing is said of {}", add.path),
            })?;
            if let Some(error) = &object.error {
                return Err(HubError::Refused { path: add.path.clone(), reason: error.message.clone() });
            }
        }
        Ok(told.objects)
    }

    /// Sends one file.
    async fn put(&self, repo: &RepoId, add: &Add, upload: &Action, verify: Option<&Action>) -> Result<(), HubError> {
        let what = format!("take {}", add.path);
        let base = self.transport.url(&["datasets", &repo.owner, &repo.name])?;
        let url = self.transport.given(&upload.href, &base, &what)?;
        match upload.header.get("chunk_size") {
            None => {
                let build = || {
                    let mut request = self.transport.request(Method::PUT, &url);
                    for (name, value) in &upload.header {
                        if let Some(value) = value.as_str() {
                            request = request.header(name, value);
                        }
                    }
                    Ok(request.body(reqwest::Body::wrap(Piece::of(&add.file, 0, add.id.bytes)?)))
                };
                self.transport.send(&what, build).await?;
            }
            Some(size) => self.put_in_parts(add, upload, size, &url, &what).await?,
        }
        if let Some(verify) = verify {
            let url = self.transport.given(&verify.href, &base, &what)?;
            let body = json!({"oid": add.id.sha256, "size": add.id.bytes}).to_string();
            let build = || Ok(self.transport.request(Method::POST, &url).header(CONTENT_TYPE, JSON).body(body.clone()));
            self.transport.send(&format!("confirm {}", add.path), build).await?;
        }
        Ok(())
    }

    /// Sends one file in parts, each to an address of its own, and says that these are all.
    async fn put_in_parts(
        &self,
        add: &Add,
        upload: &Action,
        size: &Value,
        done: &Url,
        what: &str,
    ) -> Result<(), HubError> {
        let protocol = |reason: String| HubError::Protocol { what: what.to_owned(), reason };
        // It comes as a number or as the text of one.
        let size = size.as_u64().or_else(|| size.as_str()?.parse().ok()).filter(|size| *size > 0);
        let size = size.ok_or_else(|| protocol("parts of no size".to_owned()))?;
        let mut parts: BTreeMap<u64, &str> = BTreeMap::new();
        for (name, value) in &upload.header {
            if let (Ok(number), Some(href)) = (name.parse(), value.as_str()) {
                parts.insert(number, href);
            }
        }
        if parts.len() as u64 != add.id.bytes.div_ceil(size) {
            return Err(protocol(format!("{} parts of {size} bytes for {} bytes", parts.len(), add.id.bytes)));
        }
        let mut finished = Vec::new();
        for (i, href) in parts.values().enumerate() {
            let url = self.transport.given(href, done, what)?;
            let start = i as u64 * size;
            let length = size.min(add.id.bytes - start);
            let build = || {
                let piece = Piece::of(&add.file, start, length)?;
                Ok(self.transport.request(Method::PUT, &url).body(reqwest::Body::wrap(piece)))
            };
            let response = self.transport.send(what, build).await?;
            let tag = response.headers().get(ETAG).and_then(|v| v.to_str().ok()).filter(|tag| !tag.is_empty());
            let tag = tag.ok_or_else(|| protocol(format!("part {} has no ETag", i + 1)))?;
            finished.push(json!({"partNumber": i + 1, "etag": tag}));
        }
        let body = json!({"oid": add.id.sha256, "parts": finished}).to_string();
        let build = || {
            let request = self.transport.request(Method::POST, done).header(ACCEPT, LFS).header(CONTENT_TYPE, LFS);
            Ok(request.body(body.clone()))
        };
        self.transport.send(what, build).await.map(drop)
    }

    /// The commit itself: a line of JSON for each operation. It may be sent twice, because the second finds the branch
    /// where the first has put it, and is refused.
    async fn send_commit(
        &self,
        repo: &RepoId,
        change: &Change,
        ways: &BTreeMap<String, Way>,
    ) -> Result<String, HubError> {
        let mut lines = vec![json!({
            "key": "header",
            "value": {"summary": change.message, "description": "", "parentCommit": change.parent},
        })];
        for path in &change.delete {
            lines.push(json!({"key": "deletedFile", "value": {"path": path}}));
        }
        for add in &change.add {
            lines.push(match ways.get(&add.path) {
                Some(Way::Store) => json!({
                    "key": "lfsFile",
                    "value": {"path": add.path, "algo": "sha256", "oid": add.id.sha256, "size": add.id.bytes},
                }),
                _ => {
                    let io = |source| HubError::Io { path: add.file.clone(), source };
                    let content = std::fs::read(&add.file).map_err(io)?;
                    if FileId::of_bytes(&content) != add.id {
                        let changed = io::Error::new(io::ErrorKind::InvalidData, "the file has changed");
                        return Err(io(changed));
                    }
                    json!({
                        "key": "file",
                        "value": {"path": add.path, "encoding": "base64", "content": STANDARD.encode(content)},
                    })
                }
            });
        }
        let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let url = self.transport.url(&["api", "datasets", &repo.owner, &repo.name, "commit", MAIN])?;
        let what = format!("commit to {repo}");
        let build = || {
            let request = self.transport.request(Method::POST, &url).header(CONTENT_TYPE, "application/x-ndjson");
            Ok(request.body(body.clone()))
        };
        match self.transport.json::<CommitAnswer>(&what, build).await {
            Ok(answer) => Ok(answer.commit_oid),
            Err(HubError::Status { status: 412, .. }) => Err(HubError::Stale { repo: repo.to_string() }),
            Err(error) => Err(error),
        }
    }
}

/// The first bytes of a file.
fn sample(path: &Path) -> Result<Vec<u8>, HubError> {
    let io = |source| HubError::Io { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    File::open(path).map_err(io)?.take(SAMPLE).read_to_end(&mut bytes).map_err(io)?;
    Ok(bytes)
}

/// Does all of these at once, to the first error.
async fn all<F: Future<Output = Result<(), HubError>>>(work: Vec<F>) -> Result<(), HubError> {
    let mut work: Vec<Option<Pin<Box<F>>>> = work.into_iter().map(|one| Some(Box::pin(one))).collect();
    std::future::poll_fn(|context| {
        let mut pending = false;
        for one in &mut work {
            let Some(future) = one else { continue };
            match future.as_mut().poll(context) {
                Poll::Ready(Ok(())) => *one = None,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => pending = true,
            }
        }
        if pending { Poll::Pending } else { Poll::Ready(Ok(())) }
    })
    .await
}

/// A part of a file as the body of a request: of known length, as stores ask for, and not held in memory.
struct Piece {
    file: File,
    left: u64,
}

impl Piece {
    fn of(path: &Path, start: u64, length: u64) -> Result<Self, HubError> {
        let io = |source| HubError::Io { path: path.to_owned(), source };
        let mut file = File::open(path).map_err(io)?;
        file.seek(SeekFrom::Start(start)).map_err(io)?;
        Ok(Self { file, left: length })
    }
}

impl Body for Piece {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        let wanted = usize::try_from(self.left).unwrap_or(PIECE).min(PIECE);
        let mut buffer = vec![0; wanted];
        match self.file.read(&mut buffer) {
            Ok(0) => Poll::Ready(Some(Err(io::ErrorKind::UnexpectedEof.into()))),
            Ok(n) => {
                buffer.truncate(n);
                self.left -= n as u64;
                Poll::Ready(Some(Ok(Frame::data(buffer.into()))))
            }
            Err(error) => Poll::Ready(Some(Err(error))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
