//! `CHANGELOG.md`: a section for each version, the latest first.

use std::fmt::Write as _;

use semver::Version;

/// The file's name.
pub(super) const CHANGELOG_FILE: &str = "CHANGELOG.md";

const HEAD: &str = "# Changelog\n\nVersions follow [Semantic Versioning](https://semver.org/): another label, sentence, row or \
                    split is a major step, another formula a minor one, and what is only of provenance a patch. Rows are \
                    those of the configuration `default`.\n";

/// The changelog with a section for this version put on top of what the previous one said. `told` is what changed, in
/// Markdown; `previous` names what it changed from.
pub(super) fn changelog(before: &str, version: &Version, previous: Option<&str>, told: &str) -> String {
    let old = before.strip_prefix(HEAD).unwrap_or(before).trim();
    let mut out = format!("{HEAD}\n## {version}\n\n");
    match previous {
        Some(previous) => {
            let _ = write!(out, "Changes from {previous}.\n\n{}\n", told.trim_end());
        }
        None => out.push_str("The first version.\n"),
    }
    // A section of the same version is of an attempt that was not tagged.
    if !old.is_empty() {
        let _ = write!(out, "\n{old}\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_put_on_top() {
        let first = changelog("", &Version::new(1, 0, 0), None, "");
        let second = changelog(&first, &Version::new(1, 1, 0), Some("1.0.0"), "| what | rows |\n\n");
        assert!(second.starts_with(HEAD));
        let sections: Vec<&str> = second.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(sections, ["## 1.1.0", "## 1.0.0"]);
        assert_eq!(second.matches("# Changelog").count(), 1);
        assert!(second.ends_with("\n\n## 1.0.0\n\nThe first version.\n"), "{second}");
    }
}
