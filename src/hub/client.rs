//! What can be asked of the Hub.

use std::path::PathBuf;

use reqwest::Method;
use reqwest::header::LINK;
use serde_json::{Value, json};

use super::address::RepoId;
use super::error::HubError;
use super::transport::{Transport, unless_cancelled};
use super::wire::{Entry, Refs, RemoteFile, Revision, WhoAmI};
use crate::llm::Secret;

/// Pages of a listing, at most.
const MAX_PAGES: usize = 10_000;

/// Where and as whom the Hub is asked.
#[derive(Debug)]
pub struct Settings {
    /// The Hub's URL.
    pub endpoint: String,
    /// What identifies the user; `None` for what everybody may read.
    pub token: Option<Secret>,
    /// The folder for fetched files.
    pub cache: PathBuf,
}

/// A client of one Hub.
#[derive(Debug)]
pub struct Hub {
    runtime: tokio::runtime::Runtime,
    pub(super) transport: Transport,
    pub(super) cache: PathBuf,
}

impl Hub {
    /// A client. Nothing is asked yet.
    ///
    /// # Errors
    /// Where the endpoint is of no use, or the system refuses what is needed.
    pub fn new(settings: Settings) -> Result<Self, HubError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        Ok(Self {
            runtime: runtime.map_err(|e| HubError::SetUp(e.to_string()))?,
            transport: Transport::new(&settings.endpoint, settings.token)?,
            cache: settings.cache,
        })
    }

    /// Does some work to its end, or to Ctrl-C.
    pub(super) fn block_on<T>(&self, work: impl Future<Output = Result<T, HubError>>) -> Result<T, HubError> {
        self.runtime.block_on(unless_cancelled(work))
    }

    /// The name behind the token.
    ///
    /// # Errors
    /// Where there is no token, or the Hub does not know it.
    pub fn whoami(&self) -> Result<String, HubError> {
        if !self.transport.has_token() {
            return Err(HubError::NoToken);
        }
        let url = self.transport.url(&["api", "whoami-v2"])?;
        let build = || Ok(self.transport.request(Method::GET, &url));
        let who: WhoAmI = self.block_on(self.transport.json("tell whose token it is", build))?;
        Ok(who.name)
    }

    /// Makes a dataset repository where it is missing; whether it was.
    ///
    /// # Errors
    /// Where the Hub refuses.
    pub fn ensure_repo(&self, repo: &RepoId, private: bool) -> Result<bool, HubError> {
        if !self.transport.has_token() {
            return Err(HubError::NoToken);
        }
        let url = self.transport.url(&["api", "repos", "create"])?;
        let visibility = if private { "private" } else { "public" };
        let body = json!({"name": repo.name, "organization": repo.owner, "type": "dataset", "visibility": visibility})
            .to_string();
        let build = || Ok(self.transport.request(Method::POST, &url).header("content-type", JSON).body(body.clone()));
        let made = self.block_on(self.transport.json::<Value>(&format!("make the dataset {repo}"), build));
        match made {
            Ok(_) => Ok(true),
            Err(HubError::Exists { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The commit that a branch, tag or commit names.
    ///
    /// # Errors
    /// Where there is none, or the Hub refuses.
    pub fn revision(&self, repo: &RepoId, revision: &str) -> Result<Revision, HubError> {
        let url = self.transport.url(&["api", "datasets", &repo.owner, &repo.name, "revision", revision])?;
        let what = format!("look up {repo} at {revision}");
        self.block_on(self.transport.json(&what, || Ok(self.transport.request(Method::GET, &url))))
    }

    /// Branches and tags.
    ///
    /// # Errors
    /// Where the Hub refuses.
    pub fn refs(&self, repo: &RepoId) -> Result<Refs, HubError> {
        let url = self.transport.url(&["api", "datasets", &repo.owner, &repo.name, "refs"])?;
        let what = format!("list the tags of {repo}");
        self.block_on(self.transport.json(&what, || Ok(self.transport.request(Method::GET, &url))))
    }

    /// Every file of a revision, by path.
    ///
    /// # Errors
    /// Where there is no such revision, or the Hub refuses.
    pub fn files(&self, repo: &RepoId, revision: &str) -> Result<Vec<RemoteFile>, HubError> {
        let mut url = self.transport.url(&["api", "datasets", &repo.owner, &repo.name, "tree", revision])?;
        url.query_pairs_mut().append_pair("recursive", "true").append_pair("expand", "false");
        let what = format!("list the files of {repo} at {revision}");
        self.block_on(async {
            let mut files = Vec::new();
            for _ in 0..MAX_PAGES {
                let response = self.transport.send(&what, || Ok(self.transport.request(Method::GET, &url))).await?;
                let next = response.headers().get(LINK).and_then(|v| v.to_str().ok()).and_then(next_page);
                let page: Vec<Entry> = self.transport.parsed(&what, response).await?;
                files.extend(page.into_iter().filter_map(|entry| match entry {
                    Entry::File(file) => Some(file),
                    Entry::Other => None,
                }));
                match next {
                    Some(next) => url = self.transport.given(&next, &url, &what)?,
                    None => {
                        files.sort_by(|a, b| a.path.cmp(&b.path));
                        return Ok(files);
                    }
                }
            }
            Err(HubError::Protocol { what: what.clone(), reason: "pages without end".to_owned() })
        })
    }

    /// Gives a commit a tag. A tag that is there already stays where it is.
    ///
    /// # Errors
    /// [`HubError::Exists`] where there is a tag of that name; where the Hub refuses.
    pub fn tag(&self, repo: &RepoId, tag: &str, commit: &str) -> Result<(), HubError> {
        let url = self.transport.url(&["api", "datasets", &repo.owner, &repo.name, "tag", commit])?;
        let body = json!({"tag": tag}).to_string();
        let build = || Ok(self.transport.request(Method::POST, &url).header("content-type", JSON).body(body.clone()));
        let what = format!("tag {repo} as {tag}");
        self.block_on(async { self.transport.send(&what, build).await.map(drop) })
    }
}

/// The media type of JSON.
pub(super) const JSON: &str = "application/json";

/// The address with `rel="next"` of a `Link` header (RFC 8288).
fn next_page(link: &str) -> Option<String> {
    link.split(',').find_map(|part| {
        let (address, parameters) = part.trim().strip_prefix('<')?.split_once('>')?;
        let is_next = |p: &str| matches!(p.trim(), "rel=\"next\"" | "rel=next");
        parameters.split(';').any(is_next).then(|| address.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_found_among_links() {
        let link = "<https://a.example/x?cursor=1>; rel=\"prev\", <https://a.example/x?cursor=2>; rel=\"next\"";
        assert_eq!(next_page(link).as_deref(), Some("https://a.example/x?cursor=2"));
        assert_eq!(next_page("<https://a.example/x>; rel=\"last\""), None);
        assert_eq!(next_page(""), None);
    }
}
