//! Shards put together are one run, byte for byte; anything else is refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use refolio::config::Config;
use refolio::ingest::Input;
use refolio::pipeline::{self, Provers, ShardRun, Silent};
use refolio::prove::Prover;
use refolio::shard::{Shard, merge};
use tempfile::TempDir;

use crate::determinism::{FAULTY, assert_same_files};
use crate::{Ran, VALIDATION, published, sample, vampire};

fn changed(config: &mut Config) {
    config.output.csv = true;
}

/// Runs one shard into a folder below `dir`; what came of it.
fn shard_of(
    prover: &dyn Prover,
    dir: &Path,
    files: &[PathBuf],
    shard: &str,
    force: bool,
    change: fn(&mut Config),
) -> Result<ShardRun, String> {
    let mut config = Config::default();
    config.output.dir = dir.to_owned();
    change(&mut config);
    let inputs: Vec<Input> = files.iter().map(|f| f.display().to_string().parse().unwrap()).collect();
    let shard: Shard = shard.parse().unwrap();
    pipeline::run_shard(
        &config,
        &inputs,
        Provers { first: prover, second: None, agents: None },
        None,
        &Silent,
        shard,
        force,
    )
    .map_err(|e| e.to_string())
}

fn done(dir: &Path, files: &[PathBuf], shard: &str) -> PathBuf {
    match shard_of(&vampire(), dir, files, shard, false, changed).unwrap() {
        ShardRun::Done(_, folder) => folder,
        ShardRun::Already(folder, _) => panic!("{} is there", folder.display()),
    }
}

/// The sample, a file whose rows have every fault, and one file again under other splits, out of order.
fn inputs(dir: &Path) -> Vec<PathBuf> {
    let faulty = dir.join("faulty.jsonl");
    fs::write(&faulty, FAULTY.join(&b'\n')).unwrap();
    let again = format!("validation={}", sample()[0].display());
    let other = format!("other={}", sample()[1].display());
    sample().into_iter().chain([faulty, again.into(), other.into()]).chain(published(VALIDATION)).collect()
}

fn shards(dir: &Path, files: &[PathBuf], count: u32) -> Vec<PathBuf> {
    (0..count).map(|index| done(dir, files, &format!("{index}/{count}"))).collect()
}

#[test]
fn shards_put_together_are_one_run() {
    let dir = tempfile::tempdir().unwrap();
    let files = inputs(dir.path());
    let parsed: Vec<Input> = files.iter().map(|f| f.display().to_string().parse().unwrap()).collect();
    let whole = dir.path().join("whole");
    let mut config = Config::default();
    config.output.dir.clone_from(&whole);
    changed(&mut config);
    pipeline::run(&config, &parsed, Provers { first: &vampire(), second: None, agents: None }, None, &Silent).unwrap();
    for count in [1, 2, 3, 17] {
        let mut folders = shards(dir.path(), &files, count);
        folders.reverse();
        let out = dir.path().join(format!("merged-{count}"));
        let merged = merge(&out, &folders).unwrap();
        assert_same_files(&whole, &out);
        assert!(merged.stale.is_empty() && out.join("timings.parquet").is_file());
    }
}

struct Two {
    dir: TempDir,
    folders: Vec<PathBuf>,
}

fn two() -> Two {
    let dir = tempfile::tempdir().unwrap();
    let folders = shards(dir.path(), &sample(), 2);
    Two { dir, folders }
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_finished_shard_is_not_run_again() {
    let Two { dir, folders } = two();
    assert_eq!(names(dir.path()), ["shard-0-of-2", "shard-1-of-2"]);
    let manifest = folders[0].join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    assert!(text.contains("\"shard\": {\n    \"index\": 0,\n    \"count\": 2,\n    \"rows\": ["), "{text}");
    let modified = || fs::metadata(&manifest).unwrap().modified().unwrap();
    let before = modified();
    let again = |force, change| shard_of(&vampire(), dir.path(), &sample(), "0/2", force, change);
    assert!(matches!(again(false, changed), Ok(ShardRun::Already(folder, _)) if folder == folders[0]));
    assert_eq!(modified(), before);
    // Of other settings, it is refused, and replaced only by force.
    let other = |config: &mut Config| config.fixes.level = refolio::config::FixLevel::None;
    let error = again(false, other).unwrap_err();
    assert!(error.ends_with("shard-0-of-2 holds a finished shard with another configuration"), "{error}");
    assert!(matches!(again(true, other), Ok(ShardRun::Done(..))));
    assert_ne!(fs::read_to_string(&manifest).unwrap(), text);
    assert!(matches!(again(true, changed), Ok(ShardRun::Done(..))));
    assert_eq!(fs::read_to_string(&manifest).unwrap(), text);
    // One that is damaged, or only begun, is run again.
    fs::write(folders[0].join("train.csv"), "").unwrap();
    fs::remove_file(folders[1].join("manifest.json")).unwrap();
    assert!(matches!(again(false, changed), Ok(ShardRun::Done(..))));
    assert_eq!(fs::read_to_string(&manifest).unwrap(), text);
    done(dir.path(), &sample(), "1/2");
    assert_eq!(names(dir.path()), ["shard-0-of-2", "shard-1-of-2"]);
    merge(&dir.path().join("out"), &folders).unwrap();
}

/// The error of a merge that must not write anything.
fn refused(dir: &Path, folders: &[PathBuf]) -> String {
    let out = dir.join("refused");
    let error = merge(&out, folders).unwrap_err().to_string();
    assert!(!out.join("manifest.json").exists(), "{error}");
    error.replace(&format!("{}/", dir.display()), "")
}

#[test]
fn what_is_not_the_whole_is_refused() {
    let Two { dir, folders } = two();
    let dir = dir.path();
    let refused = |folders: &[PathBuf]| refused(dir, folders);
    let [a, b] = [folders[0].clone(), folders[1].clone()];
    insta::assert_snapshot!(refused(&[]), @"there is nothing to merge: no shard is named");
    insta::assert_snapshot!(refused(std::slice::from_ref(&a)), @"of 2 shards one is missing: 1");
    insta::assert_snapshot!(refused(&[a.clone(), a.clone()]), @"shard 0 is there twice: shard-0-of-2 and shard-0-of-2");
    insta::assert_snapshot!(refused(&[a.clone(), dir.join("none")]), @"none is no finished shard: manifest.json: No such file or directory (os error 2)");
    let three = done(dir, &sample(), "1/3");
    insta::assert_snapshot!(refused(&[a.clone(), three]), @"shard-0-of-2 and shard-1-of-3 differ in their number of shards");
    let other = tempfile::tempdir_in(dir).unwrap();
    let other = done(other.path(), &sample()[..2], "1/2");
    assert!(refused(&[a.clone(), other]).ends_with("differ in their input"));
    let whole = Ran::new(&sample()[..1], |_| ());
    assert!(refused(&[whole.dir.path().to_owned()]).ends_with("is no finished shard: it is a whole run"));

    // A manifest that claims other rows than there are; the hash of the files is right.
    let path = b.join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rows = manifest["shard"]["rows"][0]["rows"].as_str().unwrap().to_owned();
    let claim =
        |claimed: &str| fs::write(&path, text.replacen(&format!("{rows:?}"), &format!("{claimed:?}"), 1)).unwrap();
    claim("");
    assert!(refused(&folders).ends_with("of sample_train.jsonl are in no shard"), "{}", refused(&folders));
    claim("0-56");
    let error = refused(&folders);
    assert!(error.contains("of sample_train.jsonl") && error.ends_with("though another has it"), "{error}");
    claim(&format!("{rows},57"));
    insta::assert_snapshot!(refused(&folders), @"row 57 of sample_train.jsonl stands in shard 1 though the input ends before");
    fs::write(&path, &text).unwrap();

    // Rows changed hands in both manifests: together they cover the whole, but not with the rows that are there.
    let other = a.join("manifest.json");
    let other_text = fs::read_to_string(&other).unwrap();
    let other_manifest: serde_json::Value = serde_json::from_str(&other_text).unwrap();
    let other_rows = other_manifest["shard"]["rows"][0]["rows"].as_str().unwrap();
    claim(other_rows);
    fs::write(&other, other_text.replacen(&format!("{other_rows:?}"), &format!("{rows:?}"), 1)).unwrap();
    let error = refused(&folders);
    assert!(error.contains("is damaged: where row ") && error.ends_with("should be is another"), "{error}");
    fs::write(&other, &other_text).unwrap();
    fs::write(&path, &text).unwrap();

    let parquet = b.join("train.parquet");
    let mut bytes = fs::read(&parquet).unwrap();
    bytes[100] ^= 1;
    fs::write(&parquet, bytes).unwrap();
    insta::assert_snapshot!(refused(&folders), @"shard-1-of-2/train.parquet is damaged: its SHA-256 is not the one recorded");
}

#[test]
fn a_shard_that_is_killed_in_the_middle_is_as_if_it_had_never_begun() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("parts");
    let files: Vec<PathBuf> = sample();
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_refolio"));
        command.args(["--quiet", "run", "--shard", "0/2", "--csv", "--out"]).arg(&out).current_dir(dir.path());
        files.iter().for_each(|file| _ = command.arg("--input").arg(file));
        command.spawn().unwrap()
    };
    let begun = || names(&out).iter().any(|name| name.starts_with(".shard-0-of-2."));
    let mut child = start();
    while !out.is_dir() || !begun() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(begun() && !out.join("shard-0-of-2").exists());
    // A process that was just being started holds what its parent held until it is another program.
    let draft = names(&out).into_iter().find(|name| name.starts_with(".shard-0-of-2.")).unwrap();
    let mark = out.join(draft).join(".refolio-shard.lock");
    let held = || fs::File::open(&mark).is_ok_and(|file| file.try_lock().is_err());
    for _ in 0..2000 {
        if !held() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(start().wait().unwrap().success());
    assert_eq!(names(&out), ["shard-0-of-2"], "what the killed run left is gone");
    let clean = tempfile::tempdir().unwrap();
    assert_same_files(&done(clean.path(), &files, "0/2"), &out.join("shard-0-of-2"));
}
