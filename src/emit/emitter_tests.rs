use serde_json::Value;

use super::*;
use crate::diagnostic::{Diagnostic, Span, Target};
use crate::emit::testing::{plain_row, rows};
use crate::emit::testing_run::run_info;
use crate::lint::logic;
use crate::record::sha256_hex;

const ALL: EmitOptions = EmitOptions { csv: true, timings: true, proofs: true };

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    names(dir).into_iter().map(|name| (name.clone(), fs::read(dir.join(name)).unwrap())).collect()
}

fn emit(dir: &Path, options: EmitOptions, rows: &[Row]) -> Emitted {
    let mut emitter = Emitter::create(dir, options).unwrap();
    emitter.push(rows).unwrap();
    emitter.finish(&run_info()).unwrap()
}

fn timing(ms: f64) -> Timing {
    Timing { record_id: "1".to_owned(), query: "entails".to_owned(), attempt: 0, outcome: "Theorem".to_owned(), ms }
}

#[test]
fn a_run_leaves_its_files_and_a_manifest_that_fits_them() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("new/out");
    let emitted = emit(&out, ALL, &rows());
    assert_eq!(
        names(&out),
        [
            "evidence.parquet",
            "manifest.json",
            "summary.md",
            "timings.parquet",
            "train.csv",
            "train.parquet",
            "validation.csv",
            "validation.parquet"
        ]
    );
    assert!(emitted.stale.is_empty());
    let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    let outputs = manifest["outputs"].as_array().unwrap();
    let listed: Vec<_> = outputs.iter().map(|o| o["file"].as_str().unwrap()).collect();
    assert_eq!(
        listed,
        ["train.parquet", "train.csv", "validation.parquet", "validation.csv", "evidence.parquet", "summary.md"]
    );
    for output in outputs {
        let bytes = fs::read(out.join(output["file"].as_str().unwrap())).unwrap();
        assert_eq!(output["sha256"], sha256_hex(&bytes), "{output}");
        assert_eq!(output["bytes"], bytes.len(), "{output}");
    }
    assert_eq!(manifest["counts"], emitted.counts.json());
    assert_eq!(outputs[0]["rows"].as_u64().unwrap() + outputs[2]["rows"].as_u64().unwrap(), rows().len() as u64);
}

#[test]
fn the_same_rows_give_the_same_files_whatever_the_times_and_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let run = |name: &str, pieces: usize, ms: f64| {
        let out = dir.path().join(name);
        let mut emitter = Emitter::create(&out, ALL).unwrap();
        rows().chunks(pieces).for_each(|piece| emitter.push(piece).unwrap());
        emitter.push_timings(&[timing(ms)]).unwrap();
        emitter.finish(&run_info()).unwrap();
        contents(&out)
    };
    let (mut a, mut b) = (run("a", 1, 1.5), run("b", 100, 2.5));
    assert_ne!(a.remove("timings.parquet").unwrap(), b.remove("timings.parquet").unwrap());
    assert!(a == b);
    assert_eq!(a.len(), 7);
}

#[test]
fn an_unfinished_run_leaves_an_earlier_one_alone() {
    let dir = tempfile::tempdir().unwrap();
    emit(dir.path(), ALL, &rows());
    let before = contents(dir.path());
    let mut emitter = Emitter::create(dir.path(), ALL).unwrap();
    emitter.push(&rows()[..3]).unwrap();
    assert!(matches!(Emitter::create(dir.path(), ALL).err(), Some(EmitError::Busy { .. })));
    drop(emitter);
    assert!(contents(dir.path()) == before);
    assert!(Emitter::create(dir.path(), ALL).is_ok());
}

#[test]
fn files_that_a_run_does_not_replace_are_named_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    emit(dir.path(), ALL, &rows());
    let mine = [("notes.csv", "mine"), ("other.parquet", "not even Parquet"), ("train.txt", "")];
    mine.iter().for_each(|(name, text)| fs::write(dir.path().join(name), text).unwrap());
    let old = fs::read(dir.path().join("validation.parquet")).unwrap();

    let emitted = emit(dir.path(), EmitOptions::default(), &[plain_row("1", "train")]);
    assert_eq!(
        emitted.stale,
        ["evidence.parquet", "timings.parquet", "train.csv", "validation.csv", "validation.parquet"]
    );
    assert_eq!(fs::read(dir.path().join("validation.parquet")).unwrap(), old);
    mine.iter().for_each(|(name, text)| assert_eq!(fs::read(dir.path().join(name)).unwrap(), text.as_bytes()));

    // Without the older manifest, Parquet files are still known by their metadata.
    fs::remove_file(dir.path().join("manifest.json")).unwrap();
    let emitted = emit(dir.path(), EmitOptions::default(), &[plain_row("1", "train")]);
    assert_eq!(emitted.stale, ["evidence.parquet", "timings.parquet", "validation.parquet"]);
}

#[test]
fn a_name_that_cannot_be_taken_leaves_the_older_manifest() {
    let dir = tempfile::tempdir().unwrap();
    emit(dir.path(), EmitOptions::default(), &rows());
    let manifest = fs::read(dir.path().join("manifest.json")).unwrap();
    fs::remove_file(dir.path().join("validation.parquet")).unwrap();
    fs::create_dir_all(dir.path().join("validation.parquet/full")).unwrap();
    let mut emitter = Emitter::create(dir.path(), EmitOptions::default()).unwrap();
    emitter.push(&[plain_row("1", "train"), plain_row("2", "validation")]).unwrap();
    let error = emitter.finish(&run_info()).unwrap_err();
    assert!(matches!(&error, EmitError::Rename { path, .. } if path.ends_with("validation.parquet")), "{error:?}");
    assert_eq!(fs::read(dir.path().join("manifest.json")).unwrap(), manifest);
    assert_eq!(names(dir.path()), ["manifest.json", "summary.md", "train.parquet", "validation.parquet"]);
}

#[test]
fn splits_whose_names_differ_only_in_case_get_files_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let rows = ["Dev", "dev", "a/b", "timings", "evidence"].map(|split| plain_row(split, split));
    let emitted = emit(dir.path(), ALL, &rows);
    let files: BTreeSet<_> = emitted.outputs.iter().map(|o| o.file.to_lowercase()).collect();
    assert_eq!(files.len(), 2 * rows.len() + 2);
    assert!(files.contains("a%2fb.parquet") && files.contains("%74imings.parquet") && files.contains("dev.parquet"));
    assert_eq!(names(dir.path()).len(), files.len() + 2);
}

#[test]
fn a_split_without_rows_has_a_file_without_rows() {
    let dir = tempfile::tempdir().unwrap();
    let mut emitter = Emitter::create(dir.path(), EmitOptions::default()).unwrap();
    emitter.open_split("validation").unwrap();
    let emitted = emitter.finish(&run_info()).unwrap();
    assert_eq!(emitted.outputs[0].rows, Some(0));
    let file = SerializedFileReader::new(File::open(dir.path().join("validation.parquet")).unwrap()).unwrap();
    assert_eq!(file.metadata().file_metadata().num_rows(), 0);
}

/// Premises of rows of `train` that no verdict needs.
struct Unused(BTreeMap<u64, Vec<usize>>);

impl Unused {
    fn of(&self, row: u64, length: impl Fn(usize) -> usize) -> Vec<Diagnostic> {
        let premises = self.0.get(&row).into_iter().flatten();
        premises.map(|i| logic::unused_premise(Target::Premise(*i), Span::new(0, length(*i)), 2)).collect()
    }
}

impl Late for Unused {
    fn concerns(&self, split: &str) -> bool {
        split == "train" && !self.0.is_empty()
    }

    fn of(&self, split: &str, row: u64, length: &dyn Fn(usize) -> usize) -> Vec<Diagnostic> {
        assert_eq!(split, "train", "no other split is looked at");
        self.of(row, length)
    }
}

#[test]
fn late_findings_leave_the_bytes_of_findings_in_time() {
    let mut rows: Vec<Row> = (0..200).flat_map(|_| rows()).collect();
    // More findings than are written, and a size at which batches end.
    rows[1].diagnostics = vec![rows[1].diagnostics[0].clone(); 1500];
    rows[2].record.conclusion = "long ".repeat(1 << 20);
    let dir = tempfile::tempdir().unwrap();
    let late = |unused: Unused| {
        let in_time = dir.path().join("in time");
        let mut earlier = rows.clone();
        for (row, at) in earlier.iter_mut().filter(|row| row.record.split == "train").zip(0..) {
            let found = unused.of(at, |i| row.record.premises_fol[i].len());
            row.diagnostics.extend(found);
        }
        let expected = emit(&in_time, ALL, &earlier);
        let mut emitter = Emitter::create(&dir.path().join("late"), ALL).unwrap();
        emitter.push(&rows).unwrap();
        emitter.amend(&unused, &run_info()).unwrap();
        assert_eq!(emitter.finish(&run_info()).unwrap().counts, expected.counts);
        let (late, in_time) = (contents(&dir.path().join("late")), contents(&in_time));
        assert!(late.keys().eq(in_time.keys()), "{:?} and {:?}", late.keys(), in_time.keys());
        for (name, bytes) in late {
            assert!(bytes == in_time[&name], "{name} differs");
        }
        expected.counts.splits["train"].diagnostics.get("L504").map(|c| (c.rows, c.count))
    };
    let train = rows.iter().filter(|row| row.record.split == "train").count() as u64;
    assert_eq!(train, 1800);
    // The first rows, of which one has an edit and one has too many findings; the ends of batches; the last.
    let some = [(0, vec![0]), (1, vec![0, 1]), (2, vec![0]), (1023, vec![1]), (1024, vec![0, 1]), (1799, vec![1])];
    assert_eq!(late(Unused(some.into())), Some((6, 8)));
    assert_eq!(late(Unused(BTreeMap::new())), None);
}
