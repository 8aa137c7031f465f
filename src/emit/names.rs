//! File names for splits. A split is named after its file or by the user, so its name can hold anything.

use std::fmt::Write as _;

use crate::record::sha256_hex;

/// Names that other files of the output folder use.
const RESERVED: [&str; 3] = ["timings", "evidence", "manifest"];

/// File systems allow 255 bytes; the extension and a temporary name's ornaments must fit too.
const LONGEST: usize = 180;

/// The stem of a split's files: the name itself where it consists of ASCII letters, digits, `_`, `-` and inner dots.
/// Every other byte becomes `%` and two hexadecimal digits, the empty name `%`, and overlong names are cut and end
/// in `~` and a hash. Two names never share a stem.
#[must_use]
pub fn file_stem(split: &str) -> String {
    if split.is_empty() {
        return "%".to_owned();
    }
    let last = split.len() - 1;
    let reserved = RESERVED.iter().any(|name| split.eq_ignore_ascii_case(name));
    let mut stem = String::with_capacity(split.len());
    for (i, byte) in split.bytes().enumerate() {
        let plain = match byte {
            b'.' => i != 0 && i != last,
            b'_' | b'-' => true,
            _ => byte.is_ascii_alphanumeric(),
        };
        if plain && !(reserved && i == 0) {
            stem.push(char::from(byte));
        } else {
            let _ = write!(stem, "%{byte:02X}");
        }
    }
    if stem.len() > LONGEST {
        let hash = short_hash(split);
        // ASCII throughout, so every position is between characters.
        stem.truncate(LONGEST - hash.len() - 1);
        stem = format!("{stem}~{hash}");
    }
    stem
}

/// A stem for a split whose plain stem differs from another's only in upper and lower case, which some file systems
/// do not tell apart.
#[must_use]
pub(crate) fn distinct_stem(split: &str) -> String {
    format!("{}~{}", file_stem(split), short_hash(split))
}

fn short_hash(split: &str) -> String {
    sha256_hex(split.as_bytes()).chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn usual_names_are_kept() {
        for name in ["train", "validation", "folio_v2.part-1", "ProverQA"] {
            assert_eq!(file_stem(name), name);
        }
    }

    #[test]
    fn unusual_names_become_harmless() {
        let stems = ["", ".", "..", "../x", "a/b", ".hidden", "a b", "é", "100%", "timings", "Evidence", "x."];
        let stems: Vec<_> = stems.iter().map(|s| file_stem(s)).collect();
        assert_eq!(
            stems,
            [
                "%",
                "%2E",
                "%2E%2E",
                "%2E.%2Fx",
                "a%2Fb",
                "%2Ehidden",
                "a%20b",
                "%C3%A9",
                "100%25",
                "%74imings",
                "%45vidence",
                "x%2E"
            ]
        );
    }

    #[test]
    fn long_names_stay_apart() {
        let (a, b) = ("é".repeat(200), format!("{}x", "é".repeat(199)));
        assert!(file_stem(&a).len() <= LONGEST);
        assert_ne!(file_stem(&a), file_stem(&b));
    }

    proptest! {
        #[test]
        fn no_two_names_share_a_stem(a in "[.%~/aA2E_é]{0,6}", b in "[.%~/aA2E_é]{0,6}") {
            prop_assert_eq!(a == b, file_stem(&a) == file_stem(&b));
        }

        #[test]
        fn stems_are_plain_file_names(name in any::<String>()) {
            let stem = file_stem(&name);
            prop_assert!(!stem.is_empty() && stem.len() <= LONGEST && !stem.starts_with('.'));
            prop_assert!(stem.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.%~".contains(&b)));
        }
    }
}
