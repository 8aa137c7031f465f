//! Which files of a repository hold the rows of which split.

use globset::{GlobBuilder, GlobMatcher};
use serde_json::Value;

use crate::ingest::Input;

/// A file of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The split's name.
    pub split: String,
    /// The file's path in the repository.
    pub path: String,
}

/// Endings of files of rows, in the order in which they are preferred where a repository has several kinds.
const KINDS: [&[&str]; 4] = [&["parquet"], &["jsonl", "ndjson"], &["csv"], &["json"]];

/// Files that are JSON and no rows, by name.
const NO_ROWS: [&str; 4] = ["manifest.json", "croissant.json", "dataset_info.json", "dataset_infos.json"];

/// The files of rows among `paths`, by split in the order of the card or of the names: those that the card's `configs` name
/// for the default configuration, else all of one kind, by their names. `within` is a file or folder; where it is given the
/// card does not count.
#[must_use]
pub fn choose(paths: &[String], card: Option<&str>, within: Option<&str>) -> Vec<Chosen> {
    let within_it = |path: &&String| match within {
        Some(place) => *path == place || path.strip_prefix(place).is_some_and(|rest| rest.starts_with('/')),
        None => true,
    };
    let paths: Vec<&String> = paths.iter().filter(within_it).collect();
    if within.is_none()
        && let Some(patterns) = card.and_then(front_matter).as_ref().and_then(default_files)
    {
        let found = by_patterns(&paths, &patterns);
        if !found.is_empty() {
            return found;
        }
    }
    // A file that is named is meant, whatever it is called.
    if let (Some(place), [only]) = (within, paths.as_slice())
        && *only == place
    {
        return vec![Chosen { split: split_of(only), path: (*only).clone() }];
    }
    KINDS
        .iter()
        .map(|kind| paths.iter().filter(|path| is_of(path, kind)).map(|path| (*path).clone()).collect::<Vec<_>>())
        .find(|found| !found.is_empty())
        .unwrap_or_default()
        .into_iter()
        .map(|path| Chosen { split: split_of(&path), path })
        .collect()
}

/// The YAML between the first two lines of dashes of a card.
pub(crate) fn front_matter(card: &str) -> Option<Value> {
    let rest = card.trim_start_matches('\u{feff}').strip_prefix("---")?;
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'))?;
    let end = rest.find("\n---")?;
    serde_saphyr::from_str(rest.get(..=end)?).ok()
}

/// The patterns of each split of the default configuration: that which says so, else that of the name, else the only one.
fn default_files(card: &Value) -> Option<Vec<(Option<String>, Vec<String>)>> {
    let configs = card.get("configs")?.as_array()?;
    let says_so = |config: &&Value| config.get("default").and_then(Value::as_bool) == Some(true);
    let is_named = |config: &&Value| config.get("config_name").and_then(Value::as_str) == Some("default");
    let config = configs.iter().find(says_so).or_else(|| configs.iter().find(is_named)).or_else(|| configs.first())?;
    let folder = config.get("data_dir").and_then(Value::as_str).map(|dir| dir.trim_matches('/'));
    let patterns = |value: &Value| -> Vec<String> {
        let texts: Vec<&str> = match value {
            Value::String(text) => vec![text],
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let inside = |text: &str| folder.map_or_else(|| text.to_owned(), |folder| format!("{folder}/{text}"));
        texts.into_iter().map(|text| inside(text.trim_start_matches("./"))).collect()
    };
    match config.get("data_files") {
        None => folder.map(|folder| vec![(None, vec![format!("{folder}/**")])]),
        Some(Value::Array(items)) if items.iter().any(Value::is_object) => Some(
            items
                .iter()
                .filter_map(|item| {
                    let split = item.get("split").and_then(Value::as_str).map(str::to_owned);
                    Some((split, patterns(item.get("path")?)))
                })
                .collect(),
        ),
        Some(files) => Some(vec![(None, patterns(files))]),
    }
}

fn by_patterns(paths: &[&String], splits: &[(Option<String>, Vec<String>)]) -> Vec<Chosen> {
    let mut out: Vec<Chosen> = Vec::new();
    for (split, patterns) in splits {
        let matchers: Vec<GlobMatcher> = patterns.iter().filter_map(|pattern| matcher(pattern)).collect();
        for path in paths {
            if KINDS.iter().any(|kind| is_of(path, kind)) && matchers.iter().any(|matcher| matcher.is_match(path)) {
                out.push(Chosen { split: split.clone().unwrap_or_else(|| split_of(path)), path: (*path).clone() });
            }
        }
    }
    out
}

fn matcher(pattern: &str) -> Option<GlobMatcher> {
    GlobBuilder::new(pattern).literal_separator(true).build().ok().map(|glob| glob.compile_matcher())
}

fn is_of(path: &str, kind: &[&str]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let unpacked = [".gz", ".zst", ".zstd"].iter().find_map(|packed| name.strip_suffix(packed)).unwrap_or(&name);
    !name.starts_with('.')
        && !NO_ROWS.contains(&unpacked)
        && unpacked.rsplit_once('.').is_some_and(|(_, ending)| kind.contains(&ending))
}

/// The split that a file's name tells, without what counts its parts.
fn split_of(path: &str) -> String {
    let name = Input::new(path).split_name();
    let is_number = |text: &str| text.len() == 5 && text.bytes().all(|b| b.is_ascii_digit());
    let parted = name.rsplit_once("-of-").and_then(|(rest, count)| {
        let (stem, number) = rest.rsplit_once('-')?;
        (is_number(count) && is_number(number)).then(|| stem.to_owned())
    });
    parted.unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(paths: &[&str], card: Option<&str>, within: Option<&str>) -> Vec<(String, String)> {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        choose(&paths, card, within).into_iter().map(|c| (c.split, c.path)).collect()
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    }

    const PATHS: [&str; 6] = [
        "README.md",
        "compat/train-00000-of-00001.parquet",
        "data/odd-00000-of-00002.parquet",
        "data/odd-00001-of-00002.parquet",
        "data/train-00000-of-00001.parquet",
        "manifest.json",
    ];

    #[test]
    fn the_card_says_which() {
        let card = "---\nlicense: mit\nconfigs:\n- config_name: compat\n  data_files:\n  - split: train\n    path: compat/train-*\n\
                    - config_name: default\n  data_files:\n  - split: train\n    path: data/train-*\n  - split: odd\n    path:\n    - \
                    data/odd-*\n---\n# x\n";
        let expected = [
            ("train", "data/train-00000-of-00001.parquet"),
            ("odd", "data/odd-00000-of-00002.parquet"),
            ("odd", "data/odd-00001-of-00002.parquet"),
        ];
        assert_eq!(chosen(&PATHS, Some(card), None), pairs(&expected));
        let card = "---\nconfigs:\n- config_name: a\n  data_dir: compat\n- config_name: b\n  default: true\n  data_files: \
                    \"data/*.parquet\"\n---\n";
        assert_eq!(chosen(&PATHS, Some(card), None).len(), 3);
        let card = "---\nconfigs:\n- config_name: a\n  data_dir: compat\n---\n";
        assert_eq!(chosen(&PATHS, Some(card), None), pairs(&[("train", "compat/train-00000-of-00001.parquet")]));
    }

    #[test]
    fn without_a_card_names_say_which() {
        let paths = ["a_train.jsonl", "a_validation.jsonl.gz", "dataset_infos.json", "notes.csv", ".hidden.jsonl"];
        let expected = [("train", "a_train.jsonl"), ("validation", "a_validation.jsonl.gz")];
        assert_eq!(chosen(&paths, Some("no card"), None), pairs(&expected));
        assert_eq!(chosen(&["croissant.json", "rows.json"], None, None), pairs(&[("rows", "rows.json")]));
        assert_eq!(chosen(&["x.txt"], None, None), []);
    }

    #[test]
    fn a_place_is_taken_as_it_is() {
        let odd = [("odd", "data/odd-00001-of-00002.parquet")];
        assert_eq!(chosen(&PATHS, None, Some("data/odd-00001-of-00002.parquet")), pairs(&odd));
        assert_eq!(chosen(&PATHS, None, Some("data")).len(), 3);
        assert_eq!(chosen(&PATHS, None, Some("dat")), []);
        assert_eq!(chosen(&["a.txt"], None, Some("a.txt")), pairs(&[("a.txt", "a.txt")]));
    }
}
