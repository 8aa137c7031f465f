//! Which version comes next.

use std::collections::BTreeSet;

use semver::Version;

use super::error::PublishError;
use super::files::Files;
use super::previous::Previous;
use crate::audit::Totals;

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
    let rows = totals.labels + totals.added + totals.dropped + totals.premises + totals.conclusions;
    if rows > 0 || old != new {
        Step::Major
    } else if totals.formulas > 0 {
        Step::Minor
    } else {
        Step::None
    }
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
        let totals = |change: fn(&mut Totals)| {
            let mut totals = Totals { both: 3, ..Totals::default() };
            change(&mut totals);
            totals
        };
        assert_eq!(of_audit(&totals(|_| {}), &one, &one), Step::None);
        assert_eq!(of_audit(&totals(|_| {}), &one, &two), Step::Major);
        assert_eq!(of_audit(&totals(|t| t.formulas = 1), &one, &one), Step::Minor);
        for change in [
            (|t| t.labels = 1) as fn(&mut Totals),
            |t| t.added = 1,
            |t| t.dropped = 1,
            |t| t.premises = 1,
            |t| t.conclusions = 1,
        ] {
            assert_eq!(of_audit(&totals(change), &one, &one), Step::Major);
        }
    }
}
