//! What to read and how.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use serde::{Deserialize, Serialize};

use super::dialect::{ColumnMap, Dialect};
use super::file;

/// A file to read, and the split that its rows belong to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Input {
    /// The split's name; `None` to take it from the file's.
    pub split: Option<String>,
    /// The file.
    pub path: PathBuf,
    /// Where the file was fetched from; `None` for one that lay here.
    pub origin: Option<Origin>,
}

/// Where a file was fetched from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Origin {
    /// Its address, without a revision: `hf://datasets/ORG/NAME/PATH`.
    pub address: String,
    /// The commit, in lower-case hexadecimal.
    pub revision: String,
}

impl Input {
    /// What addresses of files on the Hub begin with.
    pub const HUB: &'static str = "hf://";

    /// A file whose name says which split it is.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { split: None, path: path.into(), origin: None }
    }

    /// Whether the path is an address on the Hub, which is to be fetched before it can be read.
    #[must_use]
    pub fn is_on_hub(&self) -> bool {
        self.path.to_str().is_some_and(|path| path.starts_with(Self::HUB))
    }

    /// Whether the file is Parquet without a row, as a split of a published dataset may be.
    #[must_use]
    pub fn is_empty_table(&self) -> bool {
        let reader = File::open(&self.path).ok().and_then(|file| SerializedFileReader::new(file).ok());
        reader.is_some_and(|reader| reader.metadata().file_metadata().num_rows() == 0)
    }

    /// The split's name: the one given, else the first of `train`, `validation`, `dev` and `test` that the file's stem
    /// contains, else the stem.
    #[must_use]
    pub fn split_name(&self) -> String {
        self.split.clone().unwrap_or_else(|| split_of(&self.path))
    }
}

fn split_of(path: &Path) -> String {
    let stem = file::stem(path);
    let lower = stem.to_lowercase();
    ["train", "validation", "dev", "test"].into_iter().find(|name| lower.contains(name)).map_or(stem, str::to_owned)
}

/// A `[SPLIT=]FILE` that names no file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no file in {0:?}; expected [SPLIT=]FILE")]
pub struct InvalidInput(pub String);

impl FromStr for Input {
    type Err = InvalidInput;

    /// Reads `[SPLIT=]FILE`. What stands before the first `=` is a split only if it is a plain word of letters, digits,
    /// `_` and `-`, and no file has the whole text as its name.
    fn from_str(text: &str) -> Result<Self, InvalidInput> {
        let is_word =
            |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        let input = match text.split_once('=') {
            Some((split, path)) if is_word(split) && !Path::new(text).exists() => {
                Self { split: Some(split.to_owned()), path: path.into(), origin: None }
            }
            _ => Self::new(text),
        };
        if input.path.as_os_str().is_empty() { Err(InvalidInput(text.to_owned())) } else { Ok(input) }
    }
}

/// What to do with a row that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnError {
    /// Keep it with its text and the reason, and read on.
    #[default]
    Keep,
    /// Stop at the first.
    Fail,
}

/// How to read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The dialect of every file; `None` to recognise each file's from its columns and first rows.
    pub dialect: Option<Dialect>,
    /// Names of columns; they win over the dialect's.
    pub columns: ColumnMap,
    /// What to do with a row that cannot be read.
    pub on_error: OnError,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_before_the_equals_sign() {
        let parse = |text: &str| text.parse::<Input>().map(|i| (i.split, i.path.display().to_string()));
        assert_eq!(parse("train=a.jsonl"), Ok((Some("train".into()), "a.jsonl".into())));
        assert_eq!(parse("a=b=c.jsonl"), Ok((Some("a".into()), "b=c.jsonl".into())));
        assert_eq!(parse("a.jsonl"), Ok((None, "a.jsonl".into())));
        assert_eq!(parse("dir/x=1.jsonl"), Ok((None, "dir/x=1.jsonl".into())), "no plain word before `=`");
        assert_eq!(parse("=a.jsonl"), Ok((None, "=a.jsonl".into())));
        assert_eq!(parse("train="), Err(InvalidInput("train=".into())));
        assert_eq!(parse(""), Err(InvalidInput(String::new())));
    }

    #[test]
    fn a_file_with_the_whole_text_as_its_name_is_no_split() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a=b.jsonl");
        std::fs::write(&path, "{}").unwrap();
        let text = path.display().to_string();
        assert_eq!(text.parse::<Input>(), Ok(Input::new(path)));
    }

    #[test]
    fn split_names_come_from_the_stem() {
        let name = |path: &str| Input::new(path).split_name();
        assert_eq!(name("x/folio_v2_train.part.jsonl"), "train");
        assert_eq!(name("folio-Validation.csv.gz"), "validation");
        assert_eq!(name("FOLIO_dev.json"), "dev");
        assert_eq!(name("latest_train.jsonl"), "train", "in the order of the list, not of the name");
        assert_eq!(name("train/malls.jsonl.zst"), "malls", "the folder does not count");
        assert_eq!(name("easy.v1.json"), "easy.v1");
        assert_eq!(Input { split: Some("mine".into()), ..Input::new("train.csv") }.split_name(), "mine");
    }

    #[test]
    fn options_refuse_unknown_keys() {
        let options: Options =
            toml::from_str("dialect = \"folio-v2\"\non_error = \"fail\"\n[columns]\nlabel = \"gold\"").unwrap();
        assert_eq!(options.dialect, Some(Dialect::FolioV2));
        assert_eq!(options.on_error, OnError::Fail);
        assert_eq!(options.columns.label.as_deref(), Some("gold"));
        assert!(toml::from_str::<Options>("dialekt = \"malls\"").is_err());
        assert!(toml::from_str::<Options>("[columns]\nlabels = \"gold\"").is_err());
        assert!(toml::from_str::<Options>("dialect = \"folio\"").is_err());
    }
}
