//! Problems as files that people read and rerun.

use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::problem::Problem;

/// File names stay below this, for file systems and archives with short limits.
const LONGEST_STEM: usize = 100;

/// Why a problem could not be saved.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct SaveError {
    /// The file.
    pub path: PathBuf,
    /// The system's reason.
    #[source]
    pub source: io::Error,
}

/// Writes `<dir>/<name>.p`, comments included, and returns its path. The folder is made if need be.
///
/// The file appears whole or not at all, and replaces one of the same name. Problems of different names have different
/// files, on file systems that ignore case too.
///
/// # Errors
/// If the folder cannot be made or the file not be written.
pub fn save(dir: &Path, problem: &Problem) -> Result<PathBuf, SaveError> {
    let path = dir.join(format!("{}.p", stem(&problem.name)));
    match write(dir, &path, &problem.to_annotated_tptp()) {
        Ok(()) => Ok(path),
        Err(source) => Err(SaveError { path, source }),
    }
}

fn write(dir: &Path, path: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    // As for any new file, what the user's mask leaves of these permissions.
    let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(dir)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map_err(|e| e.error)?;
    Ok(())
}

/// The name itself if it is short and made of characters that are safe everywhere; else what is safe of it, `~`, which
/// no safe name holds, and part of its hash. So different names have different stems.
fn stem(name: &str) -> String {
    let is_safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '.' | '%');
    let plain = !name.is_empty() && !name.starts_with(['.', '-']) && name.len() <= LONGEST_STEM;
    if plain && name.chars().all(is_safe) {
        return name.to_owned();
    }
    let readable: String = name
        .chars()
        .map(|c| c.to_ascii_lowercase())
        .map(|c| if is_safe(c) { c } else { '_' })
        .take(LONGEST_STEM / 2)
        .collect();
    let hash: String = Sha256::digest(name.as_bytes()).iter().take(16).map(|b| format!("{b:02x}")).collect();
    format!("{}~{hash}", readable.trim_start_matches(['.', '-']))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::prove::{Role, Statement};

    #[test]
    fn stems_are_safe_and_differ() {
        assert_eq!(stem("train-0012-consistency"), "train-0012-consistency");
        assert_eq!(stem("my%2dtrain-0012-consistency"), "my%2dtrain-0012-consistency");
        let long = "x".repeat(300);
        let names = ["a", "A", "a/b", "a_b", "a b", "../a", ".a", "-a", "", "é", "è", &long, "a~b", "ⓐ", "con.p"];
        let stems: BTreeSet<String> = names.iter().map(|n| stem(n)).collect();
        assert_eq!(stems.len(), names.len(), "{stems:?}");
        for s in &stems {
            assert!(!s.is_empty() && s.len() <= LONGEST_STEM && !s.starts_with(['.', '-']), "{s}");
            assert!(s.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.~".contains(c)), "{s}");
        }
    }

    #[test]
    fn a_problem_is_written_whole_and_replaced() {
        let dir = tempfile::tempdir().expect("a folder");
        let below = dir.path().join("problems");
        let statement = |formula: &str| Statement {
            name: "premise_0".into(),
            role: Role::Axiom,
            formula: formula.into(),
            comments: vec!["∀x P(x)".into()],
        };
        let mut problem =
            Problem { name: "Story 1".into(), header: vec!["A story".into()], statements: vec![statement("p(a)")] };
        let path = save(&below, &problem).expect("saved");
        assert_eq!(fs::read_to_string(&path).expect("read"), "% A story\n\n% ∀x P(x)\nfof(premise_0, axiom, p(a)).\n");
        problem.statements = vec![statement("q(a)")];
        assert_eq!(save(&below, &problem).expect("saved again"), path);
        assert!(fs::read_to_string(&path).expect("read").contains("q(a)"));
        assert_eq!(fs::read_dir(&below).expect("listed").count(), 1);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let error = save(file.path(), &Problem { name: "a".into(), ..Problem::default() }).expect_err("not a folder");
        assert!(error.to_string().starts_with("cannot write "), "{error}");
    }
}
