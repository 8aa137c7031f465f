//! The published versions of FOLIO against each other: exactly the labels that are known to have changed.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::env;
use std::path::Path;

use refolio::audit::align;
use refolio::ingest::{self, Input, Options};
use refolio::record::Record;

/// The example ids, in the new version or else the old one, of rows whose labels differ; and how many rows are in both,
/// only in the old one, only in the new one.
fn changed(old: &str, new: &str) -> Option<(Vec<u64>, [usize; 3])> {
    let Some(data) = env::var_os("REFOLIO_DATA") else {
        #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
        {
            eprintln!("skipped: REFOLIO_DATA names no folder with published data sets");
        }
        return None;
    };
    let read = |name: &str| -> Vec<Record> {
        ingest::read(&[Input::new(Path::new(&data).join(name))], &Options::default()).unwrap().records
    };
    let (old, new) = (read(old), read(new));
    let (mut ids, mut counts) = (Vec::new(), [0; 3]);
    for pair in align(&old, &new) {
        match (pair.old.and_then(|i| old.get(i)), pair.new.and_then(|j| new.get(j))) {
            (Some(a), Some(b)) => {
                counts[0] += 1;
                if a.label != b.label {
                    let id = b.example_id.as_ref().or(a.example_id.as_ref());
                    ids.push(id.unwrap().parse().unwrap());
                }
            }
            (Some(_), None) => counts[1] += 1,
            (None, _) => counts[2] += 1,
        }
    }
    ids.sort_unstable();
    Some((ids, counts))
}

#[test]
fn train() {
    let Some((ids, counts)) = changed("folio-v0.0/folio-train.jsonl", "folio-v2/folio_v2_train.part.jsonl") else {
        return;
    };
    assert_eq!(ids, [228, 429, 526, 569, 570, 571, 592, 593, 742, 1023, 1073, 1074, 1141, 1333]);
    assert_eq!(counts, [584, 420, 0]);
}

#[test]
fn validation() {
    let files = ("folio-v0.0/folio-validation.jsonl", "folio-v2/folio_v2_validation.jsonl");
    let Some((ids, counts)) = changed(files.0, files.1) else { return };
    assert_eq!(ids, [754, 756, 1301, 1303]);
    assert_eq!(counts, [203, 1, 0]);
}

#[test]
fn refined() {
    let files = ("folio-v2/folio_v2_validation.jsonl", "folio-refined/validation_labels.csv");
    let Some((ids, counts)) = changed(files.0, files.1) else { return };
    assert_eq!(ids, [754, 980, 981]);
    assert_eq!(counts, [203, 0, 0]);
}
