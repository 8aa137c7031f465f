//! What goes wrong when a dataset is published.

use std::io;
use std::path::PathBuf;

use crate::config::LICENSE;
use crate::emit::EmitError;
use crate::hub::HubError;
use crate::ingest::IngestError;

/// Why nothing was published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The folder is none that a run wrote.
    #[error("{} holds no output of a run: {reason}", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// What is missing or wrong.
        reason: String,
    },
    /// A file of the run is not the one that its manifest lists.
    #[error("{} is not what the manifest beside it lists", .0.display())]
    Changed(PathBuf),
    /// A file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Splits have different columns.
    #[error("the splits {0} and {1} have different columns")]
    Schemas(String, String),
    /// Two splits would have one name.
    #[error("the splits {0:?} and {1:?} would both be called {2:?} on the Hub")]
    Names(String, String, String),
    /// A folder of something else is in the way.
    #[error("{} holds something that refolio did not publish", .0.display())]
    Occupied(PathBuf),
    /// The licence is another than that of FOLIO.
    #[error("the licence {0:?} is not that of FOLIO, {LICENSE}, which what is made of FOLIO must keep")]
    License(String),
    /// There is no repository to push to.
    #[error("there is no repository to push to")]
    NoRepo,
    /// The version that is asked for says less than what changed.
    #[error("version {given} is a smaller step than what changed since {previous} asks for, which is {proposed}")]
    Version {
        /// The version that was asked for.
        given: String,
        /// The previous version.
        previous: String,
        /// The version that would do.
        proposed: String,
    },
    /// The tag of this version is on another commit.
    #[error("{repo} has the tag {tag} already, on commit {at}, which holds something else; a tag is never moved")]
    TagTaken {
        /// The repository.
        repo: String,
        /// The tag.
        tag: String,
        /// Where it is.
        at: String,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A text cannot be made.
    #[error("cannot make {file}: {reason}")]
    Text {
        /// The file.
        file: &'static str,
        /// Why not.
        reason: String,
    },
    /// The rows of a version cannot be read.
    #[error(transparent)]
    Ingest(#[from] IngestError),
    /// A file cannot be written.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// The Hub is of no use.
    #[error(transparent)]
    Hub(#[from] HubError),
}

impl PublishError {
    /// What the user can do about it, where that is not plain from the message.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoRun { .. } => Some("name a folder that `refolio run` or `refolio merge` wrote"),
            Self::Changed(_) => Some("run again, or put back the file that the run wrote"),
            Self::Names(..) => Some("name splits by letters, digits and `_` with --input SPLIT=FILE"),
            Self::Occupied(_) => Some("name another folder with --to"),
            Self::License(_) => {
                Some("if none of the data comes from FOLIO, set publish.allow_other_license = true in pipeline.toml")
            }
            Self::NoRepo => Some("name it with --repo ORG/NAME, or in publish.repo of pipeline.toml"),
            Self::Version { .. } => Some("leave out --version, or add --force-version"),
            Self::TagTaken { .. } => Some("leave out --version, or name a version that is not taken"),
            Self::Emit(error) => error.hint(),
            Self::Hub(error) => error.hint(),
            _ => None,
        }
    }
}
