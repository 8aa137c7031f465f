//! Which version comes next.

use std::collections::BTreeSet;

use semver::Version;

use super::error::PublishError;
use super::files::Files;
use super::previous::Previous;
use crate::audit::{Kind, Totals};

/// How much changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Nothing.
    None,
    /// Neither rows nor what they ask: provenance, or the texts beside the data.
    Patch,
    /// Formulas.
    Minor,
    /// Labels, sentences, rows or splits.
    Major,
}

impl Step {
    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "nothing",
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }

    fn after(self, version: &Version) -> Version {
        let Version { major, minor, patch, .. } = *version;
        match self {
            Self::None => version.clone(),
            Self::Patch => Version::new(major, minor, patch + 1),
            Self::Minor => Version::new(major, minor + 1, 0),
            Self::Major => Version::new(major + 1, 0, 0),
        }
    }
}

/// How much an audit of the rows of the default configuration found.
#[must_use]
pub fn of_audit(totals: &Totals, old: &BTreeSet<String>, new: &BTreeSet<String>) -> Step {
    let step = |kind: &Kind| match kind {
        Kind::Dropped | Kind::Added | Kind::Label | Kind::Split | Kind::Conclusion | Kind::Premises => Step::Major,
        Kind::Order | Kind::Formulas | Kind::Meaning => Step::Minor,
    };
    let found = totals.kinds.iter().filter(|(_, rows)| **rows > 0).map(|(kind, _)| step(kind)).max();
    let splits = if old == new { Step::None } else { Step::Major };
    found.unwrap_or(Step::None).max(splits)
}

/// Whether a version holds exactly these files.
#[must_use]
pub fn is_same(previous: &Previous, files: &Files) -> bool {
    previous.files.len() == files.len()
        && previous.files.iter().all(|(path, known)| files.get(path).is_some_and(|place| known.is(&place.id)))
}

/// The version: the one that is asked for, if it says enough or `force` lets it, else the one that what changed asks for.
/// The first is 1.0.0.
///
/// # Errors
/// Where the one that is asked for is a smaller step.
pub fn choose(
    previous: Option<&Version>,
    step: Step,
    given: Option<&Version>,
    force: bool,
) -> Result<Version, PublishError> {
    let proposed = previous.map_or_else(|| Version::new(1, 0, 0), |previous| step.after(previous));
    match (given, previous) {
        (Some(given), Some(previous)) if *given < proposed && !force => Err(PublishError::Version {
            given: given.to_string(),
            previous: previous.to_string(),
            proposed: proposed.to_string(),
        }),
        (Some(given), _) => Ok(given.clone()),
        (None, _) => Ok(proposed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_says_what_changed() {
        let previous = Version::new(1, 2, 3);
        let chosen = |step, given: Option<&str>, force| {
            let given = given.map(|text| Version::parse(text).unwrap());
            choose(Some(&previous), step, given.as_ref(), force).map(|v| v.to_string()).ok()
        };
        assert_eq!(chosen(Step::None, None, false).as_deref(), Some("1.2.3"));
        assert_eq!(chosen(Step::Patch, None, false).as_deref(), Some("1.2.4"));
        assert_eq!(chosen(Step::Minor, None, false).as_deref(), Some("1.3.0"));
        assert_eq!(chosen(Step::Major, None, false).as_deref(), Some("2.0.0"));
        assert_eq!(chosen(Step::Minor, Some("1.2.4"), false), None);
        assert_eq!(chosen(Step::Minor, Some("1.2.4"), true).as_deref(), Some("1.2.4"));
        assert_eq!(chosen(Step::Minor, Some("3.0.0"), false).as_deref(), Some("3.0.0"));
        assert_eq!(choose(None, Step::Major, None, false).unwrap(), Version::new(1, 0, 0));
        assert_eq!(choose(None, Step::Major, Some(&Version::new(0, 1, 0)), false).unwrap(), Version::new(0, 1, 0));
    }

    #[test]
    fn labels_weigh_more_than_formulas() {
        let splits = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<BTreeSet<_>>();
        let (one, two) = (splits(&["train"]), splits(&["train", "test"]));
        let of = |kinds: &[Kind], new| {
            let kinds = kinds.iter().map(|kind| (*kind, 1)).collect();
            of_audit(&Totals { both: 3, kinds, ..Totals::default() }, &one, new)
        };
        assert_eq!(of(&[], &one), Step::None);
        assert_eq!(of(&[], &two), Step::Major);
        for kind in [Kind::Formulas, Kind::Meaning, Kind::Order] {
            assert_eq!(of(&[kind], &one), Step::Minor);
        }
        for kind in [Kind::Label, Kind::Added, Kind::Dropped, Kind::Premises, Kind::Conclusion, Kind::Split] {
            assert_eq!(of(&[kind, Kind::Formulas], &one), Step::Major);
        }
    }
}
