//! What a repository on the Hub lacks, and putting it there.

use std::collections::BTreeMap;

use semver::Version;

use super::error::PublishError;
use super::files::Files;
use super::previous::{Known, is_kept};
use crate::hub::{Add, Change, Committed, Hub, HubError, MAIN, RepoId};

/// How files differ from those of another version.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Difference {
    /// Files that the other does not have.
    pub added: Vec<String>,
    /// Files of another content there.
    pub changed: Vec<String>,
    /// Files that are the same.
    pub same: Vec<String>,
    /// Files that only the other has.
    pub deleted: Vec<String>,
}

impl Difference {
    /// Holds files against those of another version.
    #[must_use]
    pub fn of(files: &Files, other: &BTreeMap<String, Known>) -> Self {
        let mut out = Self::default();
        for (path, place) in files {
            match other.get(path) {
                None => out.added.push(path.clone()),
                Some(known) if known.is(&place.id) => out.same.push(path.clone()),
                Some(_) => out.changed.push(path.clone()),
            }
        }
        out.deleted = other.keys().filter(|path| !files.contains_key(*path)).cloned().collect();
        out
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.deleted.is_empty()
    }
}

/// What there is and what is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The commit that the main branch is at; `None` where there is no repository.
    pub head: Option<String>,
    /// How the files differ from those of the main branch.
    pub difference: Difference,
    /// The commit that has the tag of the version.
    pub tagged: Option<String>,
    /// Whether the version is there already, whole and tagged: then nothing is to be done.
    pub is_there: bool,
}

/// The tag of a version.
fn tag_of(version: &Version) -> String {
    format!("v{version}")
}

impl Plan {
    /// Looks at the repository.
    ///
    /// # Errors
    /// Where the Hub refuses; a repository that is not there is no error.
    pub fn look(hub: &Hub, repo: &RepoId, files: &Files, version: &Version) -> Result<Self, PublishError> {
        let head = match hub.revision(repo, MAIN) {
            Ok(revision) => revision.sha,
            Err(error) if error.is_missing() => {
                let difference = Difference::of(files, &BTreeMap::new());
                return Ok(Self { head: None, difference, tagged: None, is_there: false });
            }
            Err(error) => return Err(error.into()),
        };
        let difference = Difference::of(files, &there(hub, repo, &head)?);
        let tags = hub.refs(repo)?.tags;
        let tagged = tags.into_iter().find(|tag| tag.name == tag_of(version)).map(|tag| tag.commit);
        let is_there = match &tagged {
            Some(commit) if *commit == head => difference.is_none(),
            // Others may have gone on from there.
            Some(commit) => Difference::of(files, &there(hub, repo, commit)?).is_none(),
            None => false,
        };
        Ok(Self { head: Some(head), difference, tagged, is_there })
    }
}

/// The files of a commit that belong to the dataset.
fn there(hub: &Hub, repo: &RepoId, commit: &str) -> Result<BTreeMap<String, Known>, PublishError> {
    let files = hub.files(repo, commit)?.into_iter().filter(|file| !is_kept(&file.path));
    Ok(files.map(|file| (file.path.clone(), Known::There(file))).collect())
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pushed {
    /// Whether the repository was made.
    pub created: bool,
    /// The commit that was made, and what was sent for it; `None` where the files were there already.
    pub commit: Option<Committed>,
    /// The tag that was made; `None` where it was there already.
    pub tag: Option<String>,
}

/// Brings a repository to hold exactly these files, by one commit, and tags it with the version. What is there already, whole
/// or in part, is not done again.
///
/// # Errors
/// Where the tag is taken, someone else pushed meanwhile, or the Hub refuses. Nothing is half done then: either the commit is
/// there, or the main branch is as it was.
pub fn push(hub: &Hub, repo: &RepoId, private: bool, files: &Files, version: &Version) -> Result<Pushed, PublishError> {
    hub.whoami()?;
    let mut plan = Plan::look(hub, repo, files, version)?;
    let mut out = Pushed::default();
    if plan.is_there {
        return Ok(out);
    }
    let tag = tag_of(version);
    if let Some(at) = plan.tagged {
        return Err(PublishError::TagTaken { repo: repo.to_string(), tag, at });
    }
    if plan.head.is_none() {
        out.created = hub.ensure_repo(repo, private)?;
        plan = Plan::look(hub, repo, files, version)?;
    }
    let missing = || HubError::NotFound { what: format!("push to {repo}"), detail: "it is not there".to_owned() };
    let head = plan.head.ok_or_else(missing)?;
    let commit = if plan.difference.is_none() {
        head
    } else {
        let committed = commit(hub, repo, files, &plan.difference, head, version)?;
        let commit = committed.commit.clone();
        out.commit = Some(committed);
        commit
    };
    match hub.tag(repo, &tag, &commit) {
        Ok(()) => out.tag = Some(tag),
        // Someone else, or an answer of ours that was lost.
        Err(HubError::Exists { .. }) => {
            let at = hub.refs(repo)?.tags.into_iter().find(|other| other.name == tag).map(|other| other.commit);
            if at.as_ref() != Some(&commit) {
                return Err(PublishError::TagTaken { repo: repo.to_string(), tag, at: at.unwrap_or_default() });
            }
            out.tag = Some(tag);
        }
        Err(error) => return Err(error.into()),
    }
    Ok(out)
}

fn commit(
    hub: &Hub,
    repo: &RepoId,
    files: &Files,
    difference: &Difference,
    parent: String,
    version: &Version,
) -> Result<Committed, PublishError> {
    let wanted = difference.added.iter().chain(&difference.changed).filter_map(|path| {
        let place = files.get(path)?;
        Some(Add { path: path.clone(), file: place.file.clone(), id: place.id.clone() })
    });
    let change = Change {
        parent,
        add: wanted.collect(),
        delete: difference.deleted.clone(),
        message: format!("Version {version}"),
    };
    match hub.commit(repo, &change) {
        Ok(committed) => Ok(committed),
        // The answer may have been lost on its way, and a second try have found our own commit.
        Err(error @ (HubError::Stale { .. } | HubError::Unreachable { .. } | HubError::Status { .. })) => {
            let head = hub.revision(repo, MAIN).map(|revision| revision.sha).unwrap_or_default();
            let is_ours = head != change.parent
                && !head.is_empty()
                && there(hub, repo, &head).is_ok_and(|there| Difference::of(files, &there).is_none());
            if is_ours { Ok(Committed { commit: head, known: 0, sent: 0 }) } else { Err(error.into()) }
        }
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::FileId;
    use crate::publish::Place;

    #[test]
    fn files_are_held_against_others() {
        let id = |text: &str| FileId::of_bytes(text.as_bytes());
        let place = |path: &str, text: &str| (path.to_owned(), Place { file: path.into(), id: id(text) });
        let known = |path: &str, text: &str| (path.to_owned(), Known::Here(id(text)));
        let files = Files::from([place("a", "1"), place("b", "2"), place("c", "3")]);
        let other = BTreeMap::from([known("a", "1"), known("b", "x"), known("d", "4")]);
        let difference = Difference::of(&files, &other);
        let names = |names: &[String]| names.join(",");
        assert_eq!(names(&difference.added), "c");
        assert_eq!(names(&difference.changed), "b");
        assert_eq!(names(&difference.same), "a");
        assert_eq!(names(&difference.deleted), "d");
        assert!(!difference.is_none());
        assert!(
            Difference::of(&files, &files.iter().map(|(p, f)| (p.clone(), Known::Here(f.id.clone()))).collect())
                .is_none()
        );
    }
}
