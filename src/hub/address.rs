//! `hf://datasets/ORG/NAME[@REVISION][/PATH]`.

use std::fmt;
use std::str::FromStr;

use percent_encoding::percent_decode_str;

/// A dataset repository: `ORG/NAME`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoId {
    /// The user or organisation.
    pub owner: String,
    /// Its name there.
    pub name: String,
}

impl fmt::Display for RepoId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

/// A text that is no address, or no `ORG/NAME`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is not of the form.
    #[error("{0:?} is no address of a dataset on the Hub; expected hf://datasets/ORG/NAME[@REVISION][/PATH]")]
    Form(String),
    /// The repository has a name that no repository can have.
    #[error("{0:?} names no repository on the Hub; expected ORG/NAME of letters, digits, `-`, `_` and `.`")]
    Repo(String),
}

/// What the Hub allows in names, and nothing that could lead out of a folder.
fn is_name(text: &str) -> bool {
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    let ends = |c: char| matches!(c, '-' | '.');
    plain
        && (1..=96).contains(&text.len())
        && !text.starts_with(ends)
        && !text.ends_with(ends)
        && !text.contains("--")
        && !text.contains("..")
        && !text.to_ascii_lowercase().ends_with(".git")
}

impl FromStr for RepoId {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        match text.split_once('/') {
            Some((owner, name)) if is_name(owner) && is_name(name) => {
                Ok(Self { owner: owner.to_owned(), name: name.to_owned() })
            }
            _ => Err(AddressError::Repo(text.to_owned())),
        }
    }
}

/// A dataset, or a part of one, on the Hub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The repository.
    pub repo: RepoId,
    /// A branch, tag or commit; `None` for the main branch.
    pub revision: Option<String>,
    /// A file or folder in it; `None` for the dataset.
    pub path: Option<String>,
}

impl FromStr for Address {
    type Err = AddressError;

    /// A slash inside a revision is written `%2F`.
    fn from_str(text: &str) -> Result<Self, AddressError> {
        let form = || AddressError::Form(text.to_owned());
        let rest = text.strip_prefix("hf://datasets/").ok_or_else(form)?;
        let mut parts = rest.trim_end_matches('/').splitn(3, '/');
        let (owner, name) = (parts.next().unwrap_or_default(), parts.next().ok_or_else(form)?);
        let (name, revision) = match name.split_once('@') {
            Some((name, revision)) => {
                let revision = percent_decode_str(revision).decode_utf8().map_err(|_| form())?;
                if revision.is_empty() || revision.contains("..") {
                    return Err(form());
                }
                (name, Some(revision.into_owned()))
            }
            None => (name, None),
        };
        let path = parts.next().map(str::to_owned);
        if path.as_deref().is_some_and(|path| !is_plain(path)) {
            return Err(form());
        }
        Ok(Self { repo: format!("{owner}/{name}").parse()?, revision, path })
    }
}

/// Whether a path leads nowhere but down.
pub(super) fn is_plain(path: &str) -> bool {
    !path.is_empty()
        && !path.contains(['\\', '\0'])
        && path.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let read = |text: &str| {
            let address: Address = text.parse().unwrap();
            (address.repo.to_string(), address.revision, address.path)
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(read("hf://datasets/a/b"), ("a/b".to_owned(), None, None));
        assert_eq!(read("hf://datasets/a/b@v1.0.0"), ("a/b".to_owned(), some("v1.0.0"), None));
        assert_eq!(read("hf://datasets/a/b/data/x.csv"), ("a/b".to_owned(), None, some("data/x.csv")));
        let converted = read("hf://datasets/a/b@refs%2Fconvert%2Fparquet/default/");
        assert_eq!(converted, ("a/b".to_owned(), some("refs/convert/parquet"), some("default")));
    }

    #[test]
    fn what_is_none_is_refused() {
        for text in ["", "hf://a/b", "hf://datasets/a", "hf://datasets/a/b@", "hf://datasets/a/b/../c", "a/b"] {
            assert_eq!(text.parse::<Address>(), Err(AddressError::Form(text.to_owned())), "{text}");
        }
        for text in ["a", "a/b/c", "../b", "a/..", "a/b.git", "a/-b", "a b/c", "a/b--c", "/b"] {
            assert_eq!(text.parse::<RepoId>(), Err(AddressError::Repo(text.to_owned())), "{text}");
        }
    }
}
