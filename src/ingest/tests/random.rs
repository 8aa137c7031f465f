//! Whatever bytes a file holds, reading it ends, and every row is accounted for.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// Lines of a JSONL file, from good rows to rubbish.
fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(V2.lines().next().unwrap_or_default().as_bytes().to_vec()),
        Just(b"{\"NL\": \"A.\", \"FOL\": \"P(a)\"}".to_vec()),
        Just(b" \t".to_vec()),
        r#"\{("(NL|FOL|premises|label|example_id)": (null|1|0.5|"[a-z\\]*"|\[("a",)*"b"\]|\{\})(, )?){0,4}\}?"#
            .prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(|mut bytes| {
            bytes.retain(|b| *b != b'\n');
            bytes
        }),
    ]
}

/// Bytes in which quotation marks, brackets and separators are common.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let byte =
        prop_oneof![4 => prop::sample::select(b"{}[]\",:\n\r\\ ,,\"\"".to_vec()), 2 => b'a'..=b'e', 1 => any::<u8>()];
    prop::collection::vec(byte, 0..200)
}

fn check_ids(dataset: &Dataset) -> Result<(), TestCaseError> {
    let ids: BTreeSet<_> = dataset.records.iter().map(|r| &r.record_id).collect();
    prop_assert_eq!(ids.len(), dataset.records.len(), "ids are unique");
    prop_assert!(dataset.records.iter().all(|r| r.is_readable() || !r.diagnostics.is_empty()), "a reason for each");
    Ok(())
}

proptest! {
    #[test]
    fn jsonl_accounts_for_every_line(lines in prop::collection::vec(line(), 1..12), last_feed in any::<bool>()) {
        let mut content = lines.join(&b'\n');
        if last_feed {
            content.push(b'\n');
        }
        // A first line that reads normally keeps the file from being refused as a whole, or as another format.
        let content = [b"{\"NL\": \"A.\", \"FOL\": \"P(a)\"}\n".as_slice(), &content].concat();
        let dataset = read_one("x.jsonl", &content, &with_dialect(Dialect::Malls)).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let expected: Vec<_> = content.split(|b| *b == b'\n').filter(|l| !l.iter().all(u8::is_ascii_whitespace)).collect();
        prop_assert_eq!(dataset.records.len(), expected.len());
        for (record, line) in dataset.records.iter().zip(expected) {
            if let Some(raw) = &record.raw {
                prop_assert_eq!(raw.as_slice(), line, "an unreadable row keeps its text");
            }
        }
        check_ids(&dataset)?;
    }

    #[test]
    fn csv_never_panics(content in soup(), header in prop_oneof![Just("NL,FOL\n"), Just("")]) {
        let content = [header.as_bytes(), &content].concat();
        if let Ok(dataset) = read_one("x.csv", &content, &with_dialect(Dialect::Malls)) {
            check_ids(&dataset)?;
            for raw in dataset.records.iter().filter_map(|r| r.raw.as_deref()) {
                prop_assert!(!raw.is_empty() && content.windows(raw.len()).any(|w| w == raw), "text of the file");
            }
        }
    }

    #[test]
    fn json_arrays_never_panic_and_lose_nothing(content in soup()) {
        let content = [b"[{\"NL\": \"A.\", \"FOL\": \"P(a)\"},".as_slice(), &content].concat();
        let dataset = read_one("x.json", &content, &with_dialect(Dialect::Malls)).map_err(|e| TestCaseError::fail(e.to_string()))?;
        check_ids(&dataset)?;
        prop_assert!(dataset.records[0].is_readable());
        // Between the rows there is only what separates them.
        let kept: usize = dataset.records.iter().filter_map(|r| r.raw.as_ref()).map(|raw| raw.iter().filter(|b| is_content(**b)).count()).sum();
        let first = content.iter().take(28).filter(|b| is_content(**b)).count();
        prop_assert_eq!(kept + first, content.iter().filter(|b| is_content(**b)).count());
    }

    #[test]
    fn damaged_parquet_never_panics(damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4), cut in any::<prop::sample::Index>(), cuts in any::<bool>()) {
        let mut content = formats::v2_parquet();
        for (at, byte) in damage {
            let at = at.index(content.len());
            content[at] = byte;
        }
        if cuts {
            content.truncate(cut.index(content.len()));
        }
        if let Ok(dataset) = read_one("x.parquet", &content, &Options::default()) {
            check_ids(&dataset)?;
        }
    }

    #[test]
    fn any_bytes_under_any_name(content in soup(), name in prop::sample::select(vec!["x", "x.jsonl", "x.json", "x.csv", "x.parquet", "x.gz"])) {
        if let Ok(dataset) = read_one(name, &content, &Options::default()) {
            check_ids(&dataset)?;
        }
    }
}

/// Bytes that never stand between the rows of an array.
fn is_content(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && byte != b',' && byte != b']'
}
