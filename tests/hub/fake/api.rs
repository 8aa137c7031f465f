//! Repositories, revisions, listings, tags, and fetching.

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Body;
use axum::extract::{Path, Query, Request, State as Extract};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::state::{Blob, Call, Refusal, Repo, Who, blob_oid, entry, git_blob, refuse, who};
use super::{Shared, large};

type Answer = Result<Response, Refusal>;

/// Entries of a page, few enough that every listing has several.
const PAGE: usize = 4;

fn told(answer: Answer) -> Response {
    answer.unwrap_or_else(|refusal| *refusal)
}

pub(super) fn json_answer(value: &Value) -> Response {
    ([("content-type", "application/json")], value.to_string()).into_response()
}

/// Notes every call, and lets the faults of all calls happen.
pub(super) async fn gate(Extract(shared): Extract<Shared>, request: Request, next: Next) -> Response {
    {
        let mut state = shared.lock().unwrap();
        let header =
            |name: &str| request.headers().get(name).and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned();
        let call = Call {
            method: request.method().to_string(),
            path: request.uri().path().to_owned(),
            agent: header("user-agent"),
        };
        state.calls.push(call);
        if state.faults.too_many > 0 {
            state.faults.too_many -= 1;
            return (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "1")], "slow down").into_response();
        }
        if state.faults.unavailable > 0 {
            state.faults.unavailable -= 1;
            return (StatusCode::SERVICE_UNAVAILABLE, "back soon").into_response();
        }
    }
    next.run(request).await
}

pub(super) async fn whoami(headers: HeaderMap) -> Response {
    told(who(&headers).and_then(|who| match who {
        Who::Nobody => Err(refuse(401, "", "Invalid username or password.")),
        Who::Reader | Who::Writer => Ok(json_answer(&json!({
            "type": "user", "id": "1", "name": "refolio", "fullname": "Refolio", "orgs": [{"name": "birds", "type": "org"}],
        }))),
    }))
}

#[derive(Deserialize)]
pub(super) struct Create {
    name: String,
    organization: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    visibility: Option<String>,
    private: Option<bool>,
}

pub(super) async fn create(Extract(shared): Extract<Shared>, headers: HeaderMap, body: String) -> Response {
    told((|| {
        let Ok(asked) = serde_json::from_str::<Create>(&body) else { return Err(refuse(400, "", "no JSON")) };
        match who(&headers)? {
            Who::Writer => {}
            Who::Reader => return Err(refuse(403, "", "You don't have the rights to create a dataset here")),
            Who::Nobody => return Err(refuse(401, "", "Invalid username or password.")),
        }
        let owner = asked.organization.unwrap_or_else(|| "refolio".to_owned());
        if !["refolio", "birds"].contains(&owner.as_str()) {
            return Err(refuse(403, "", &format!("You don't have the rights to create a dataset under {owner:?}")));
        }
        if asked.kind.as_deref() != Some("dataset") {
            return Err(refuse(400, "", "only datasets here"));
        }
        let name = format!("{owner}/{}", asked.name);
        let mut state = shared.lock().unwrap();
        let url = format!("{}/datasets/{name}", state.hub());
        if state.repos.contains_key(&name) {
            let body = json!({"error": "You already created this dataset repo", "url": url}).to_string();
            return Err(Box::new((StatusCode::CONFLICT, body).into_response()));
        }
        let private = asked.private == Some(true) || asked.visibility.as_deref() == Some("private");
        let mut repo = Repo { private, ..Repo::default() };
        let attributes = "*.parquet filter=lfs diff=lfs merge=lfs -text\n*.zip filter=lfs diff=lfs merge=lfs -text\n";
        let tree = BTreeMap::from([(".gitattributes".to_owned(), Blob::Regular(attributes.as_bytes().to_vec()))]);
        repo.push("initial commit", tree);
        state.repos.insert(name.clone(), repo);
        Ok(json_answer(&json!({"url": url, "name": name, "id": "1"})))
    })())
}

fn described(name: &str, repo: &Repo, revision: &str) -> Answer {
    let Some(commit) = repo.at(revision) else {
        return Err(refuse(404, "RevisionNotFound", &format!("Invalid rev id: {revision}")));
    };
    let siblings: Vec<Value> = commit.tree.keys().map(|path| json!({"rfilename": path})).collect();
    let author = name.split('/').next();
    Ok(json_answer(&json!({
        "_id": "1", "id": name, "author": author, "sha": commit.oid, "private": repo.private, "gated": false,
        "disabled": false, "downloads": 0, "likes": 0, "tags": [], "siblings": siblings,
        "lastModified": "2026-01-01T00:00:00.000Z", "createdAt": "2026-01-01T00:00:00.000Z",
    })))
}

pub(super) async fn info(
    Extract(shared): Extract<Shared>,
    Path((owner, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let name = format!("{owner}/{name}");
    told(shared.lock().unwrap().seen(&name, &headers).and_then(|repo| described(&name, repo, "main")))
}

pub(super) async fn info_at(
    Extract(shared): Extract<Shared>,
    Path((owner, name, revision)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Response {
    let name = format!("{owner}/{name}");
    told(shared.lock().unwrap().seen(&name, &headers).and_then(|repo| described(&name, repo, &revision)))
}

pub(super) async fn refs(
    Extract(shared): Extract<Shared>,
    Path((owner, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    told(shared.lock().unwrap().seen(&format!("{owner}/{name}"), &headers).map(|repo| {
        let tag = |(name, oid): (&String, &String)| json!({"name": name, "ref": format!("refs/tags/{name}"), "targetCommit": oid});
        json_answer(&json!({
            "branches": [{"name": "main", "ref": "refs/heads/main", "targetCommit": repo.head().oid}],
            "converts": [],
            "tags": repo.tags.iter().map(tag).collect::<Vec<_>>(),
        }))
    }))
}

#[derive(Deserialize)]
pub(super) struct Listing {
    recursive: Option<String>,
    cursor: Option<usize>,
}

pub(super) async fn tree(
    shared: Extract<Shared>,
    Path((owner, name, revision)): Path<(String, String, String)>,
    query: Query<Listing>,
    headers: HeaderMap,
) -> Response {
    told(listing(&shared, &format!("{owner}/{name}"), &revision, "", &query, &headers))
}

pub(super) async fn tree_below(
    shared: Extract<Shared>,
    Path((owner, name, revision, path)): Path<(String, String, String, String)>,
    query: Query<Listing>,
    headers: HeaderMap,
) -> Response {
    told(listing(&shared, &format!("{owner}/{name}"), &revision, &path, &query, &headers))
}

fn listing(shared: &Shared, name: &str, revision: &str, below: &str, query: &Listing, headers: &HeaderMap) -> Answer {
    let mut state = shared.lock().unwrap();
    let hub = state.hub();
    let repo = state.seen(name, headers)?;
    let Some(commit) = repo.at(revision) else {
        return Err(refuse(404, "RevisionNotFound", &format!("Invalid rev id: {revision}")));
    };
    let recursive = query.recursive.as_deref().is_some_and(|text| text.eq_ignore_ascii_case("true"));
    let prefix = if below.is_empty() { String::new() } else { format!("{below}/") };
    let mut folders = BTreeSet::new();
    let mut entries: BTreeMap<String, Value> = BTreeMap::new();
    for (path, blob) in &commit.tree {
        let Some(rest) = path.strip_prefix(&prefix) else { continue };
        let parts: Vec<&str> = rest.split('/').collect();
        for end in 1..parts.len() {
            if recursive || end == 1 {
                folders.insert(format!("{prefix}{}", parts[..end].join("/")));
            }
        }
        if recursive || parts.len() == 1 {
            entries.insert(path.clone(), entry(path, blob));
        }
    }
    if entries.is_empty() && folders.is_empty() {
        return Err(refuse(404, "EntryNotFound", &format!("{below} does not exist")));
    }
    for folder in folders {
        let oid = git_blob(folder.as_bytes());
        entries.insert(folder.clone(), json!({"type": "directory", "oid": oid, "size": 0, "path": folder}));
    }
    let start = query.cursor.unwrap_or_default();
    let page: Vec<&Value> = entries.values().skip(start).take(PAGE).collect();
    let mut response = json_answer(&json!(page));
    if start + PAGE < entries.len() {
        let path = if below.is_empty() { String::new() } else { format!("/{below}") };
        let next = format!(
            "<{hub}/api/datasets/{name}/tree/{revision}{path}?recursive={recursive}&cursor={}>; rel=\"next\"",
            start + PAGE
        );
        response.headers_mut().insert("link", next.parse().unwrap());
    }
    Ok(response)
}

pub(super) async fn tag(
    Extract(shared): Extract<Shared>,
    Path((owner, name, revision)): Path<(String, String, String)>,
    headers: HeaderMap,
    body: String,
) -> Response {
    told((|| {
        let mut state = shared.lock().unwrap();
        if state.faults.refuse_tags {
            return Err(refuse(400, "", "no tags today"));
        }
        let repo = state.writable(&format!("{owner}/{name}"), &headers)?;
        let body: Value = serde_json::from_str(&body).unwrap_or_default();
        let Some(tag) = body["tag"].as_str().filter(|tag| !tag.is_empty()) else {
            return Err(refuse(400, "", "\"tag\" is required"));
        };
        let Some(oid) = repo.at(&revision).map(|commit| commit.oid.clone()) else {
            return Err(refuse(404, "RevisionNotFound", &format!("Invalid rev id: {revision}")));
        };
        if repo.tags.contains_key(tag) {
            return Err(refuse(409, "", "Tag reference exists already"));
        }
        repo.tags.insert(tag.to_owned(), oid);
        Ok(StatusCode::OK.into_response())
    })())
}

pub(super) async fn resolve(
    Extract(shared): Extract<Shared>,
    Path((owner, name, revision, path)): Path<(String, String, String, String)>,
    headers: HeaderMap,
) -> Response {
    told((|| {
        let name = format!("{owner}/{name}");
        let mut state = shared.lock().unwrap();
        let store = state.store();
        let repo = state.seen(&name, &headers)?;
        let Some(commit) = repo.at(&revision) else {
            return Err(refuse(404, "RevisionNotFound", &format!("Invalid rev id: {revision}")));
        };
        let Some(blob) = commit.tree.get(&path) else {
            let mut refusal = refuse(404, "EntryNotFound", "Entry not found");
            refusal.headers_mut().insert("x-repo-commit", commit.oid.parse().unwrap());
            return Err(refusal);
        };
        let etag = format!("\"{}\"", blob_oid(blob));
        let response = Response::builder().header("x-repo-commit", &commit.oid).header("etag", etag);
        Ok(match blob {
            Blob::Regular(bytes) => response
                .header("content-length", bytes.len())
                .header("content-type", "text/plain; charset=utf-8")
                .body(Body::from(bytes.clone())),
            Blob::Large { oid, size } => response
                .status(302)
                .header("location", large::signed(&format!("{store}/store/{name}/{oid}"), "get"))
                .header("x-linked-etag", format!("\"{oid}\""))
                .header("x-linked-size", *size)
                .body(Body::empty()),
        }
        .unwrap())
    })())
}
