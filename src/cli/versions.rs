//! What is meant where a whole dataset is named: a file, several, or a folder.

use std::path::{Path, PathBuf};

use super::error::CliError;
use crate::emit::{StoredError, splits};
use crate::ingest::Input;

/// How data files end, without `.gz` and `.zst`.
const ENDINGS: [&str; 4] = [".jsonl", ".json", ".csv", ".parquet"];

/// The files of a version of a dataset: a folder that refolio wrote stands for its splits, any other folder for the data
/// files in it, and a text with commas for several of either. A file that has the whole text as its name is that file.
///
/// # Errors
/// If a part names no file, or a folder cannot be read or holds no data.
pub(super) fn versions(text: &str) -> Result<Vec<Input>, CliError> {
    if Path::new(text).exists() {
        return of_part(text);
    }
    let mut out = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        out.extend(of_part(part)?);
    }
    if out.is_empty() { of_part(text) } else { Ok(out) }
}

fn of_part(text: &str) -> Result<Vec<Input>, CliError> {
    let input: Input = text.parse()?;
    if !input.path.is_dir() {
        return Ok(vec![input]);
    }
    let mut files = match splits(&input.path) {
        // Each is named after its split, whatever words the name holds.
        Ok(paths) => paths
            .into_iter()
            .map(|path| {
                let split = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                Input { split, path, origin: None }
            })
            .collect(),
        Err(StoredError::NoSplits(_)) => data_files(&input.path)?.into_iter().map(Input::new).collect::<Vec<_>>(),
        Err(error) => return Err(error.into()),
    };
    if files.is_empty() {
        return Err(CliError::NoData(input.path));
    }
    if input.split.is_some() {
        files.iter_mut().for_each(|file| file.split.clone_from(&input.split));
    }
    Ok(files)
}

/// The data files of a folder and its folders, sorted; what is hidden is passed over, and so are links to folders.
fn data_files(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let failed = |source| CliError::Unreadable { name: folder.display().to_string(), source };
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if name.starts_with('.') {
            continue;
        }
        let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
        if entry.file_type().map_err(failed)?.is_dir() {
            out.extend(data_files(&entry.path())?);
        } else if ENDINGS.iter().any(|ending| plain.ends_with(ending)) {
            out.push(entry.path());
        }
    }
    out.sort();
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name).display().to_string();
        std::fs::create_dir_all(dir.path().join("data/deep")).unwrap();
        std::fs::create_dir(dir.path().join("empty")).unwrap();
        for name in ["data/train.jsonl", "data/deep/test.csv.gz", "data/README.md", "data/.hidden.jsonl", "a,b.jsonl"] {
            std::fs::write(dir.path().join(name), "{}").unwrap();
        }
        let names = |text: &str| -> Vec<(Option<String>, String)> {
            let inputs = versions(text).unwrap();
            inputs.into_iter().map(|i| (i.split, i.path.display().to_string())).collect()
        };
        assert_eq!(names(&at("data")), [(None, at("data/deep/test.csv.gz")), (None, at("data/train.jsonl"))]);
        assert_eq!(names(&at("a,b.jsonl")), [(None, at("a,b.jsonl"))], "a file of that name");
        let two = format!("mine={}, {}", at("data/train.jsonl"), at("no.csv"));
        assert_eq!(names(&two), [(Some("mine".to_owned()), at("data/train.jsonl")), (None, at("no.csv"))]);
        assert_eq!(
            names(&format!("all={}", at("data"))).iter().filter(|(s, _)| s.as_deref() == Some("all")).count(),
            2
        );
        assert!(matches!(versions(&at("empty")), Err(CliError::NoData(_))));
        assert!(versions("").is_err());
    }
}
