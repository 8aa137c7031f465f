//! Which Vampire answers: a choice that a program lying about on `PATH` cannot change unasked.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::bundled;
use super::eprover::{EProver, EProverError};
use super::prover::{Origin, Prover};
use super::vampire::{Vampire, VampireError};
use super::worker::WorkerVampire;

/// The word that stands for "the `vampire` on `PATH`" where a path is expected.
pub const SYSTEM: &str = "system";

/// How Vampire is run. Changes no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// In workers, each of which forks a child per question. Only for the bundled Vampire; any other is run as with
    /// [`Mode::Processes`].
    Workers,
    /// As a process per question.
    Processes,
}

impl Mode {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Workers => "workers",
            Self::Processes => "processes",
        }
    }

    /// The mode in which a Vampire that comes from there is run.
    #[must_use]
    pub const fn for_origin(self, origin: Origin) -> Self {
        match origin {
            Origin::Bundled => self,
            Origin::Given | Origin::System => Self::Processes,
        }
    }
}

/// What the choice depends on. Nothing else is looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// `prover.path` of the configuration: a path, or [`SYSTEM`]. An empty one counts as not set.
    pub config: Option<String>,
    /// The value of `REFOLIO_VAMPIRE`, likewise.
    pub environment: Option<OsString>,
    /// The value of `PATH`.
    pub path: Option<OsString>,
    /// This executable, which holds the bundled Vampire.
    pub executable: Option<PathBuf>,
}

/// Where a chosen executable lies and why it was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The executable; this one for [`Origin::Bundled`].
    pub path: PathBuf,
    /// Where it comes from.
    pub origin: Origin,
}

/// Why there is no Vampire to use.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// The path that was given leads to nothing that can be run.
    #[error("{setting} is `{}`, which is not an executable file", path.display())]
    NotExecutable {
        /// `prover.path` or `REFOLIO_VAMPIRE`.
        setting: &'static str,
        /// Its value.
        path: PathBuf,
    },
    /// The one on `PATH` was asked for, or is the only one there could be, and there is none.
    #[error("no `vampire` on PATH")]
    NotOnPath,
    /// The path of this executable is not known.
    #[error("the path of this program, which holds the bundled Vampire, is not known")]
    NoExecutable,
    /// It is there and is of no use.
    #[error(transparent)]
    Unusable(#[from] VampireError),
    /// A second opinion is asked for, and there is nobody to give it.
    #[error("no `eprover` on PATH for second opinions")]
    NoSecond,
    /// It is there and is of no use.
    #[error(transparent)]
    UnusableSecond(#[from] EProverError),
}

impl DiscoverError {
    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::NotOnPath if bundled::is_available() => {
                "leave `prover.path` and REFOLIO_VAMPIRE unset to use the bundled Vampire, or give the path of one"
            }
            Self::NotOnPath => {
                "build refolio with the feature `bundled-vampire`, or set `prover.path` to a Vampire executable"
            }
            Self::NotExecutable { .. } => "give the path of a Vampire executable, or `system` for the one on PATH",
            Self::NoExecutable => "set `prover.path` to a Vampire executable",
            Self::NoSecond => {
                "install E, set `verify.second_prover` to its path, or `verify.second_opinion` to \"off\""
            }
            Self::Unusable(_) | Self::UnusableSecond(_) => "run it with `--version` by hand to see what it says",
        }
    }
}

/// Chooses an executable: the configuration's, the environment's, the bundled one; the one on `PATH` only where it is
/// asked for or where none is bundled. A setting that leads nowhere is an error, never passed over.
///
/// # Errors
/// If the first of these that applies leads to no executable.
pub fn choose(sources: &Sources) -> Result<Choice, DiscoverError> {
    let settings = [
        ("prover.path", sources.config.as_deref().map(OsStr::new)),
        ("REFOLIO_VAMPIRE", sources.environment.as_deref()),
    ];
    for (setting, value) in settings {
        match value {
            Some(value) if value.is_empty() => {}
            Some(value) if value == SYSTEM => return on_path(sources),
            Some(value) => {
                // Absolute, or else a bare name would be looked up on `PATH` when it is run.
                let path = std::path::absolute(value).unwrap_or_else(|_| value.into());
                return if is_executable(&path) {
                    Ok(Choice { path, origin: Origin::Given })
                } else {
                    Err(DiscoverError::NotExecutable { setting, path })
                };
            }
            None => {}
        }
    }
    if bundled::is_available() {
        let path = sources.executable.clone().ok_or(DiscoverError::NoExecutable)?;
        return Ok(Choice { path, origin: Origin::Bundled });
    }
    on_path(sources)
}

/// Chooses an executable and asks it what it is.
///
/// # Errors
/// As [`choose`], or if it does not answer as Vampire.
pub fn discover(sources: &Sources) -> Result<Vampire, DiscoverError> {
    let Choice { path, origin } = choose(sources)?;
    Ok(match origin {
        Origin::Bundled => Vampire::bundled(&path)?,
        Origin::Given | Origin::System => Vampire::standalone(&path, origin)?,
    })
}

/// E, for second opinions: at `setting`, or where that is empty the `eprover` on `PATH`.
///
/// # Errors
/// If there is none, or what is there does not answer as E.
pub fn discover_second(setting: &str, path: Option<&OsStr>) -> Result<EProver, DiscoverError> {
    if setting.is_empty() {
        let found = which("eprover", path).ok_or(DiscoverError::NoSecond)?;
        return Ok(EProver::new(&found, Origin::System)?);
    }
    let path = std::path::absolute(setting).unwrap_or_else(|_| setting.into());
    if !is_executable(&path) {
        return Err(DiscoverError::NotExecutable { setting: "verify.second_prover", path });
    }
    Ok(EProver::new(&path, Origin::Given)?)
}

/// As [`discover`], to be run in this mode.
///
/// # Errors
/// As [`discover`].
pub fn discover_in(sources: &Sources, mode: Mode) -> Result<Box<dyn Prover>, DiscoverError> {
    let vampire = discover(sources)?;
    Ok(match mode.for_origin(vampire.identity().origin) {
        Mode::Workers => Box::new(WorkerVampire::new(vampire)),
        Mode::Processes => Box::new(vampire),
    })
}

fn on_path(sources: &Sources) -> Result<Choice, DiscoverError> {
    let path = which("vampire", sources.path.as_deref()).ok_or(DiscoverError::NotOnPath)?;
    Ok(Choice { path, origin: Origin::System })
}

/// The first executable of that name in the folders of `path`. Relative folders are passed over.
pub(super) fn which(name: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    which_all(name, path).into_iter().next()
}

/// Every executable of that name in the folders of `path`, in order, each file once.
pub(super) fn which_all(name: &str, path: Option<&OsStr>) -> Vec<PathBuf> {
    let Ok(found) = which::which_in_global(name, path) else { return Vec::new() };
    let mut seen = Vec::new();
    let mut all = Vec::new();
    for candidate in found.filter(|p| p.is_absolute()) {
        let file = candidate.canonicalize().unwrap_or_else(|_| candidate.clone());
        if !seen.contains(&file) {
            seen.push(file);
            all.push(candidate);
        }
    }
    all
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// A folder with an executable `vampire` and a plain file `notes`.
    fn folder() -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a folder");
        for (name, mode) in [("vampire", 0o755), ("notes", 0o644)] {
            fs::write(dir.path().join(name), "#!/bin/sh\n").expect("a file");
            fs::set_permissions(dir.path().join(name), fs::Permissions::from_mode(mode)).expect("its mode");
        }
        dir
    }

    fn sources(dir: &Path) -> Sources {
        Sources { path: Some(dir.into()), executable: Some("/opt/refolio".into()), ..Sources::default() }
    }

    #[test]
    fn settings_come_first_and_in_order() {
        let dir = folder();
        let file = dir.path().join("vampire");
        let given = Choice { path: file.clone(), origin: Origin::Given };
        let both = Sources {
            config: file.to_str().map(Into::into),
            environment: Some("/nowhere".into()),
            ..sources(dir.path())
        };
        assert_eq!(choose(&both).expect("the configuration's"), given);
        let environment =
            Sources { config: Some(String::new()), environment: Some(file.clone().into()), ..sources(dir.path()) };
        assert_eq!(choose(&environment).expect("the environment's"), given);
    }

    #[test]
    fn a_setting_that_leads_nowhere_is_an_error() {
        let dir = folder();
        for name in ["notes", "missing"] {
            let path = dir.path().join(name);
            let s = Sources { config: path.to_str().map(Into::into), ..sources(dir.path()) };
            let error = choose(&s).expect_err("no executable");
            assert!(matches!(&error, DiscoverError::NotExecutable { setting: "prover.path", path: p } if *p == path));
            assert!(!error.hint().is_empty());
        }
    }

    #[test]
    fn the_one_on_path_is_used_only_when_asked_for() {
        let dir = folder();
        let system = Sources { config: Some(SYSTEM.into()), ..sources(dir.path()) };
        let choice = choose(&system).expect("the one on PATH");
        assert_eq!(choice, Choice { path: dir.path().join("vampire"), origin: Origin::System });
        let unasked = choose(&sources(dir.path())).expect("some choice");
        assert_eq!(unasked.origin, if bundled::is_available() { Origin::Bundled } else { Origin::System });
        let nowhere = Sources { path: Some("/nonexistent".into()), ..system };
        assert!(matches!(choose(&nowhere), Err(DiscoverError::NotOnPath)));
    }

    #[test]
    fn relative_folders_of_path_are_passed_over() {
        assert_eq!(which_all("vampire", Some(OsStr::new(".:target:"))), Vec::<PathBuf>::new());
    }
}
