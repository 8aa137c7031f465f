//! The store of large files: the batch interface of git's, and the signed addresses behind it.

use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State as Extract};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Shared;
use super::api::json_answer;
use super::state::{Refusal, State, git_blob, refuse};

/// An address with a signature that allows one method.
pub(super) fn signed(url: &str, method: &str) -> String {
    let path = url.splitn(4, '/').nth(3).unwrap_or_default();
    format!("{url}?signature={}", git_blob(format!("secret {method} /{path}").as_bytes()))
}

#[derive(Deserialize)]
pub(super) struct Signature {
    signature: Option<String>,
}

/// Whether a call to the store is signed. A store refuses a call that shows a token too, as the real one does.
fn check(path: &str, method: &str, signature: &Signature, headers: &HeaderMap) -> Result<(), Refusal> {
    if headers.contains_key("authorization") {
        return Err(refuse(400, "", "Only one auth mechanism allowed"));
    }
    if signature.signature.as_deref() != Some(&git_blob(format!("secret {method} {path}").as_bytes())) {
        return Err(refuse(403, "", "SignatureDoesNotMatch"));
    }
    Ok(())
}

fn told(answer: Result<Response, Refusal>) -> Response {
    answer.unwrap_or_else(|refusal| *refusal)
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

pub(super) async fn batch(
    Extract(shared): Extract<Shared>,
    Path((owner, name)): Path<(String, String)>,
    headers: HeaderMap,
    body: String,
) -> Response {
    told((|| {
        let Some(name) = name.strip_suffix(".git") else { return Err(refuse(404, "", "Not found")) };
        let name = format!("{owner}/{name}");
        let mut state = shared.lock().unwrap();
        let (store, hub, part_bytes) = (state.store(), state.hub(), state.faults.part_bytes);
        let repo = state.writable(&name, &headers)?;
        let header = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or_default();
        if !header("content-type").contains("vnd.git-lfs+json") || !header("accept").contains("vnd.git-lfs+json") {
            return Err(refuse(415, "", "the batch interface speaks application/vnd.git-lfs+json"));
        }
        let asked: Value = serde_json::from_str(&body).unwrap_or_default();
        if asked["operation"] != "upload" || asked["hash_algo"] != "sha256" {
            return Err(refuse(422, "", "only uploads by sha256"));
        }
        let multipart = asked["transfers"].as_array().is_some_and(|all| all.contains(&json!("multipart")));
        let mut objects = Vec::new();
        for object in asked["objects"].as_array().into_iter().flatten() {
            let (oid, size) = (object["oid"].as_str().unwrap_or_default(), object["size"].as_u64().unwrap_or_default());
            if !is_sha256(oid) || size == 0 {
                objects.push(json!({"oid": oid, "size": size, "error": {"code": 422, "message": "wrong oid or size"}}));
                continue;
            }
            if let Some(stored) = repo.objects.get(oid) {
                objects.push(if stored.len() as u64 == size {
                    json!({"oid": oid, "size": size})
                } else {
                    json!({"oid": oid, "size": size, "error": {"code": 422, "message": "wrong size"}})
                });
                continue;
            }
            repo.announced.insert(oid.to_owned(), size);
            let verify = json!({"href": format!("{hub}/datasets/{name}.git/info/lfs/verify")});
            let upload = match part_bytes.filter(|bytes| multipart && size > *bytes) {
                None => json!({"href": signed(&format!("{store}/store/{name}/{oid}"), "put")}),
                Some(bytes) => {
                    let mut header = Map::from_iter([("chunk_size".to_owned(), json!(bytes.to_string()))]);
                    for part in 1..=size.div_ceil(bytes) {
                        let href = signed(&format!("{store}/store/{name}/{oid}/{part}"), "put");
                        header.insert(format!("{part:05}"), json!(href));
                    }
                    json!({"href": signed(&format!("{hub}/complete/{name}/{oid}"), "post"), "header": header})
                }
            };
            objects.push(json!({
                "oid": oid, "size": size, "authenticated": true, "actions": {"upload": upload, "verify": verify},
            }));
        }
        let transfer = if multipart && part_bytes.is_some() { "multipart" } else { "basic" };
        Ok(json_answer(&json!({"transfer": transfer, "objects": objects})))
    })())
}

/// Lets the faults of uploads happen.
async fn maybe_fail(shared: &Shared) {
    let spent = |left: &mut Option<usize>| match left {
        Some(0) => true,
        Some(left) => {
            *left -= 1;
            false
        }
        None => false,
    };
    let (breaks, hangs) = {
        let faults = &mut shared.lock().unwrap().faults;
        (spent(&mut faults.uploads_until_break), spent(&mut faults.uploads_until_hang))
    };
    if breaks {
        // Ends the task of the connection without a word, and with it the connection.
        std::panic::resume_unwind(Box::new("the connection breaks"));
    }
    if hangs {
        std::future::pending::<()>().await;
    }
}

pub(super) async fn upload(
    Extract(shared): Extract<Shared>,
    Path((owner, name, oid)): Path<(String, String, String)>,
    signature: Query<Signature>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    maybe_fail(&shared).await;
    told((|| {
        let name = format!("{owner}/{name}");
        check(&format!("/store/{name}/{oid}"), "put", &signature, &headers)?;
        if !headers.contains_key("content-length") {
            return Err(refuse(411, "", "MissingContentLength"));
        }
        keep(&mut shared.lock().unwrap(), &name, &oid, body.to_vec())
    })())
}

/// Puts a file into the store, if it is what was announced.
fn keep(state: &mut State, name: &str, oid: &str, content: Vec<u8>) -> Result<Response, Refusal> {
    let repo = state.repos.get_mut(name).expect("the address was given out by it");
    if repo.announced.get(oid) != Some(&(content.len() as u64)) {
        return Err(refuse(400, "", "EntityTooSmall"));
    }
    if refolio::record::sha256_hex(&content) != oid {
        return Err(refuse(400, "", "XAmzContentSHA256Mismatch"));
    }
    repo.uploads.push(oid.to_owned());
    repo.objects.insert(oid.to_owned(), content);
    Ok(StatusCode::OK.into_response())
}

pub(super) async fn upload_part(
    Extract(shared): Extract<Shared>,
    Path((owner, name, oid, part)): Path<(String, String, String, u64)>,
    signature: Query<Signature>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    maybe_fail(&shared).await;
    told((|| {
        let name = format!("{owner}/{name}");
        check(&format!("/store/{name}/{oid}/{part}"), "put", &signature, &headers)?;
        if !headers.contains_key("content-length") {
            return Err(refuse(411, "", "MissingContentLength"));
        }
        let mut state = shared.lock().unwrap();
        let repo = state.repos.get_mut(&name).expect("the address was given out by it");
        let etag = format!("\"{}\"", git_blob(&body));
        repo.parts.insert((oid, part), body.to_vec());
        Ok((StatusCode::OK, [("etag", etag)]).into_response())
    })())
}

pub(super) async fn complete(
    Extract(shared): Extract<Shared>,
    Path((owner, name, oid)): Path<(String, String, String)>,
    signature: Query<Signature>,
    body: String,
) -> Response {
    told((|| {
        let name = format!("{owner}/{name}");
        check(&format!("/complete/{name}/{oid}"), "post", &signature, &HeaderMap::new())?;
        let told: Value = serde_json::from_str(&body).unwrap_or_default();
        if told["oid"] != json!(oid) {
            return Err(refuse(422, "", "another oid"));
        }
        let mut state = shared.lock().unwrap();
        let repo = state.repos.get_mut(&name).expect("the address was given out by it");
        let mut content = Vec::new();
        for (i, part) in told["parts"].as_array().into_iter().flatten().enumerate() {
            let number = i as u64 + 1;
            let stored = repo.parts.get(&(oid.clone(), number));
            let known = stored.filter(|bytes| part["etag"] == json!(format!("\"{}\"", git_blob(bytes))));
            match known.filter(|_| part["partNumber"] == json!(number)) {
                Some(bytes) => content.extend_from_slice(bytes),
                None => return Err(refuse(400, "", "InvalidPart")),
            }
        }
        keep(&mut state, &name, &oid, content)
    })())
}

pub(super) async fn verify(
    Extract(shared): Extract<Shared>,
    Path((owner, name)): Path<(String, String)>,
    headers: HeaderMap,
    body: String,
) -> Response {
    told((|| {
        let name = format!("{owner}/{}", name.trim_end_matches(".git"));
        let mut state = shared.lock().unwrap();
        let repo = state.writable(&name, &headers)?;
        let told: Value = serde_json::from_str(&body).unwrap_or_default();
        let oid = told["oid"].as_str().unwrap_or_default();
        match repo.objects.get(oid) {
            Some(content) if told["size"] == json!(content.len()) => {
                repo.verified.insert(oid.to_owned());
                Ok(StatusCode::OK.into_response())
            }
            _ => Err(refuse(404, "", "not there, or of another size")),
        }
    })())
}

pub(super) async fn fetch(
    Extract(shared): Extract<Shared>,
    Path((owner, name, oid)): Path<(String, String, String)>,
    signature: Query<Signature>,
    headers: HeaderMap,
) -> Response {
    told((|| {
        let name = format!("{owner}/{name}");
        check(&format!("/store/{name}/{oid}"), "get", &signature, &headers)?;
        let state = shared.lock().unwrap();
        let mut content = state.repos.get(&name).and_then(|repo| repo.objects.get(&oid)).cloned();
        if let Some(content) = content.as_mut().filter(|_| state.faults.damage) {
            content.reverse();
        }
        let content = content.ok_or_else(|| refuse(404, "", "NoSuchKey"))?;
        let length = content.len();
        Ok(Response::builder().header("content-length", length).body(Body::from(content)).unwrap())
    })())
}
