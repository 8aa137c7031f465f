//! Shards on Ray, on this machine: what comes out is one run, even if a shard is killed in the middle.

#![cfg(all(unix, feature = "bundled-vampire"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

/// The Python that has Ray, or `None` with the reason on the terminal.
fn python() -> Option<OsString> {
    let python = std::env::var_os("REFOLIO_RAY_PYTHON");
    #[expect(clippy::print_stderr, reason = "a test that does not run has to say so")]
    if python.is_none() {
        eprintln!("skipped: REFOLIO_RAY_PYTHON names no Python with Ray; see scripts/distributed/README.md");
    }
    python
}

fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    let named = files.map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap()));
    named.filter(|(name, _)| !["timings.parquet", "report.html"].contains(&name.as_str())).collect()
}

#[test]
fn a_shard_that_is_lost_is_run_again_and_no_row_is_twice() {
    let Some(python) = python() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let input = format!("train={}", root.join("data/sample_train.jsonl").display());
    let refolio = env!("CARGO_BIN_EXE_refolio");
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole");
    let run = Command::new(refolio)
        .args(["--quiet", "run", "--input", &input, "--out"])
        .arg(&whole)
        .current_dir(dir.path())
        .status();
    assert!(run.unwrap().success());

    // As refolio, but the first attempt at shard 1 is killed as soon as it has begun to write.
    let flaky = dir.path().join("flaky");
    let parts = dir.path().join("merged.shards");
    let body = format!(
        "#!/bin/sh\ncase \"$*\" in *--shard\\ 1/3*) if mkdir {killed:?} 2>/dev/null; then\n\
         {refolio:?} \"$@\" & pid=$!\n\
         until ls -d {parts:?}/.shard-1-of-3.* >/dev/null 2>&1; do sleep 0.01; done\n\
         kill -9 $pid; wait $pid; exit 137\nfi;; esac\nexec {refolio:?} \"$@\"\n",
        killed = dir.path().join("killed"),
    );
    fs::write(&flaky, body).unwrap();
    fs::set_permissions(&flaky, fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new(python)
        .arg(root.join("scripts/distributed/ray_shards.py"))
        .args(["--shards", "3", "--refolio"])
        .arg(&flaky)
        .arg("--out")
        .arg(dir.path().join("merged"))
        .args(["--", "--input", &input])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains("shard 1/3 ended with 137"), "{errors}");
    assert!(contents(&whole) == contents(&dir.path().join("merged")), "{errors}");
    assert!(contents(&whole).len() >= 3);
    let mut left: Vec<_> = fs::read_dir(&parts).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["shard-0-of-3", "shard-1-of-3", "shard-2-of-3"]);
}
