//! How files are to come, and commits.

use axum::extract::{Path, State as Extract};
use axum::http::HeaderMap;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::Shared;
use super::api::json_answer;
use super::state::{Blob, Refusal, Repo, git_blob, refuse};

/// Bytes of a file inside a commit, at most.
const MAX_INLINE: u64 = 10 << 20;

fn told(answer: Result<Response, Refusal>) -> Response {
    answer.unwrap_or_else(|refusal| *refusal)
}

fn is_text(bytes: &[u8], whole: bool) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(text) => !text.contains('\0'),
        // A sample may end inside a character.
        Err(error) => !whole && error.error_len().is_none(),
    }
}

/// Whether the repository's `.gitattributes` give a path to the store.
fn goes_to_store(repo: &Repo, path: &str) -> bool {
    let attributes = repo.content(".gitattributes").map(String::from_utf8_lossy).unwrap_or_default();
    attributes.lines().filter(|line| line.contains("filter=lfs")).any(|line| {
        let pattern = line.split_whitespace().next().unwrap_or_default();
        pattern.strip_prefix('*').map_or(pattern == path, |ending| path.ends_with(ending))
    })
}

/// Whether the repository's `.gitignore` leaves a path out; endings only.
fn is_ignored(repo: &Repo, path: &str) -> bool {
    let ignored = repo.content(".gitignore").map(String::from_utf8_lossy).unwrap_or_default();
    ignored.lines().filter_map(|line| line.strip_prefix('*')).any(|ending| path.ends_with(ending))
}

pub(super) async fn preupload(
    Extract(shared): Extract<Shared>,
    Path((owner, name, revision)): Path<(String, String, String)>,
    headers: HeaderMap,
    body: String,
) -> Response {
    told((|| {
        let mut state = shared.lock().unwrap();
        let all_inline = state.faults.all_inline;
        let repo = state.writable(&format!("{owner}/{name}"), &headers)?;
        let Some(commit) = repo.at(&revision) else { return Err(refuse(404, "RevisionNotFound", "Invalid rev id")) };
        let asked: Value = serde_json::from_str(&body).unwrap_or_default();
        let mut files = Vec::new();
        for file in asked["files"].as_array().into_iter().flatten() {
            let (Some(path), Some(size), Some(sample)) =
                (file["path"].as_str(), file["size"].as_u64(), file["sample"].as_str())
            else {
                return Err(refuse(400, "", "files need path, size and sample"));
            };
            let Ok(sample) = STANDARD.decode(sample) else { return Err(refuse(400, "", "the sample is no base64")) };
            if sample.len() as u64 != size.min(512) {
                return Err(refuse(400, "", "the sample is the first 512 bytes"));
            }
            let large = goes_to_store(repo, path) || size > MAX_INLINE || !is_text(&sample, size <= 512);
            let mode = if large && !all_inline { "lfs" } else { "regular" };
            let oid = commit.tree.get(path).map(|blob| match blob {
                Blob::Regular(bytes) => git_blob(bytes),
                Blob::Large { oid, .. } => oid.clone(),
            });
            files.push(json!({
                "path": path, "uploadMode": mode, "shouldIgnore": is_ignored(repo, path), "oid": oid,
            }));
        }
        Ok(json_answer(&json!({ "files": files, "commitOid": commit.oid })))
    })())
}

/// What is wrong with a card.
fn mistakes(card: &str) -> Vec<String> {
    let Some(rest) = card.strip_prefix("---\n") else { return Vec::new() };
    let Some((yaml, _)) = rest.split_once("\n---") else { return vec!["the metadata has no end".to_owned()] };
    let yaml: Value = match serde_saphyr::from_str(yaml) {
        Ok(yaml) => yaml,
        Err(error) => return vec![error.to_string()],
    };
    let mut wrong = Vec::new();
    for (key, is_right) in [
        ("license", yaml["license"].is_null() || yaml["license"].is_string()),
        ("language", yaml["language"].is_null() || yaml["language"].is_string() || yaml["language"].is_array()),
        ("tags", yaml["tags"].is_null() || yaml["tags"].is_array()),
        ("configs", yaml["configs"].is_null() || yaml["configs"].is_array()),
        ("dataset_info", !yaml["dataset_info"].is_string()),
    ] {
        if !is_right {
            wrong.push(format!("\"{key}\" is of the wrong kind"));
        }
    }
    wrong
}

pub(super) async fn validate(body: String) -> Response {
    let asked: Value = serde_json::from_str(&body).unwrap_or_default();
    let errors: Vec<Value> =
        mistakes(asked["content"].as_str().unwrap_or_default()).iter().map(|m| json!({"message": m})).collect();
    let mut response = json_answer(&json!({"errors": errors, "warnings": []}));
    if !errors.is_empty() {
        *response.status_mut() = axum::http::StatusCode::BAD_REQUEST;
    }
    response
}

pub(super) async fn commit(
    Extract(shared): Extract<Shared>,
    Path((owner, name, revision)): Path<(String, String, String)>,
    headers: HeaderMap,
    body: String,
) -> Response {
    told((|| {
        let name = format!("{owner}/{name}");
        let mut state = shared.lock().unwrap();
        let hub = state.hub();
        let (rival, lost) = (state.faults.rival.take(), std::mem::take(&mut state.faults.lose_commit_answer));
        let repo = state.writable(&name, &headers)?;
        if let Some(path) = rival {
            let mut tree = repo.head().tree.clone();
            tree.insert(path, Blob::Regular(b"somebody was here\n".to_vec()));
            repo.push("a rival", tree);
        }
        if headers.get("content-type").is_none_or(|t| t != "application/x-ndjson") {
            return Err(refuse(415, "", "a commit is application/x-ndjson"));
        }
        if revision != "main" {
            return Err(refuse(404, "RevisionNotFound", "only main here"));
        }
        let oid = apply(repo, &body)?;
        if lost {
            drop(state);
            std::panic::resume_unwind(Box::new("the answer is lost"));
        }
        Ok(json_answer(&json!({
            "success": true, "commitOid": oid, "commitUrl": format!("{hub}/datasets/{name}/commit/{oid}"), "hookOutput": "",
        })))
    })())
}

/// Makes a commit of its lines, or none.
fn apply(repo: &mut Repo, body: &str) -> Result<String, Refusal> {
    let bad = |message: &str| refuse(400, "", message);
    let mut lines = body.lines().map(|line| serde_json::from_str::<Value>(line).unwrap_or_default());
    let header = lines.next().unwrap_or_default();
    let summary = header["value"]["summary"].as_str().unwrap_or_default();
    if header["key"] != "header" || summary.is_empty() {
        return Err(bad("the first line is the header, with a summary"));
    }
    if let Some(parent) = header["value"]["parentCommit"].as_str()
        && parent != repo.head().oid
    {
        return Err(refuse(412, "", "A commit has happened since. Please refresh and try again."));
    }
    let mut tree = repo.head().tree.clone();
    let mut operations = 0;
    for line in lines {
        let value = &line["value"];
        let path = value["path"].as_str().unwrap_or_default();
        if path.is_empty() || path.starts_with('/') || path.split('/').any(|part| part == "..") {
            return Err(bad("no such path"));
        }
        operations += 1;
        match line["key"].as_str() {
            Some("file") => {
                let content = value["content"].as_str().filter(|_| value["encoding"] == "base64");
                let Some(Ok(content)) = content.map(|text| STANDARD.decode(text)) else { return Err(bad("no base64")) };
                if content.len() as u64 > MAX_INLINE {
                    return Err(refuse(413, "", "files over 10 MB go to the store of large files"));
                }
                if !is_text(&content, true) {
                    return Err(bad("binary files go to the store of large files"));
                }
                if path == "README.md"
                    && let Some(mistake) = mistakes(&String::from_utf8_lossy(&content)).first()
                {
                    return Err(bad(mistake));
                }
                tree.insert(path.to_owned(), Blob::Regular(content));
            }
            Some("lfsFile") => {
                let oid = value["oid"].as_str().unwrap_or_default();
                let Some(content) = repo.objects.get(oid) else {
                    return Err(refuse(422, "", &format!("no object {oid} in the store")));
                };
                let size = content.len() as u64;
                if value["algo"] != "sha256" || value["size"].as_u64().is_some_and(|told| told != size) {
                    return Err(bad("the object in the store is of another size"));
                }
                tree.insert(path.to_owned(), Blob::Large { oid: oid.to_owned(), size });
            }
            Some("deletedFile") => {
                if tree.remove(path).is_none() {
                    return Err(refuse(404, "EntryNotFound", "A file with this name doesn't exist"));
                }
            }
            other => return Err(bad(&format!("unknown operation {other:?}"))),
        }
    }
    if operations == 0 {
        return Err(bad("an empty commit"));
    }
    Ok(repo.push(summary, tree))
}
