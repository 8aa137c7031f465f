//! `refolio publish` without a Hub: the folder, what is told of it, and versions.

use std::fs;
use std::process::Command;

use insta::assert_snapshot;
use serde_json::Value;

use super::{BIRDS, TestEnvironment, exists};

fn run_birds() -> TestEnvironment {
    let env = TestEnvironment::with_birds();
    env.run(&["run", "-q", "-i", "birds_train.jsonl"]).success();
    env
}

/// Changes the dataset and runs again.
fn change(env: &TestEnvironment, from: &str, to: &str) {
    let text = env.text("birds_train.jsonl");
    assert!(text.contains(from));
    env.write("birds_train.jsonl", text.replace(from, to));
    env.run(&["run", "-q", "-i", "birds_train.jsonl"]).success();
}

/// The first line of what is told of a version after the one in `first`.
fn step(env: &TestEnvironment) -> String {
    let output = env.run(&["publish", "out", "--to", "next", "--previous", "first"]);
    assert_eq!(output.code, Some(0), "{output}");
    output.stdout.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_dry_run_tells_what_would_be_pushed() {
    let env = run_birds();
    let output = env.run(&["publish"]);
    let sizes = output.to_string().lines().map(without_bytes).collect::<Vec<_>>().join("\n");
    assert_snapshot!(sizes, @"
    exit code: 0
    ----- stdout
    version 1.0.0, the first

    rows in out-hub
     config             train
     default                3
     compat                 3
     problematic            3
     provenance             6

    files, compared with nothing: 9 added, 0 changed, 0 the same, 0 removed; [n] bytes new
     + CHANGELOG.md ([n] bytes)
     + README.md ([n] bytes)
     + compat/train-00000-of-00001.parquet ([n] bytes)
     + croissant.json ([n] bytes)
     + data/train-00000-of-00001.parquet ([n] bytes)
     + evidence/evidence.parquet ([n] bytes)
     + manifest.json ([n] bytes)
     + problematic/train-00000-of-00001.parquet ([n] bytes)
     + provenance/train-00000-of-00001.parquet ([n] bytes)
    ----- stderr
    nothing was pushed; --push does it
    ");
    assert_eq!(
        env.names("out-hub"),
        [
            "CHANGELOG.md",
            "README.md",
            "compat",
            "croissant.json",
            "data",
            "evidence",
            "manifest.json",
            "problematic",
            "provenance"
        ]
    );
    assert_eq!(env.names("out-hub/data"), ["train-00000-of-00001.parquet"]);
    assert_snapshot!(env.text("out-hub/CHANGELOG.md"));
    let card = env.text("out-hub/README.md");
    assert_snapshot!(card.lines().map(without_hashes).collect::<Vec<_>>().join("\n"));
}

/// Sizes of files depend on how long paths are; numbers of bytes are left out.
fn without_bytes(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for i in 1..words.len() {
        if words[i].starts_with("bytes") {
            words[i - 1] = if words[i - 1].starts_with('(') { "([n]" } else { "[n]" };
        }
    }
    words.join(" ")
}

/// Hashes and sizes change with every change of a column.
fn without_hashes(line: &str) -> String {
    let words = line.split(' ').map(|word| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_hash = bare.len() == 64 && bare.bytes().all(|b| b.is_ascii_hexdigit());
        if is_hash { word.replace(bare, "[hash]") } else { word.to_owned() }
    });
    let line = words.collect::<Vec<_>>().join(" ");
    for key in ["num_bytes: ", "download_size: ", "dataset_size: "] {
        if let Some((before, _)) = line.split_once(key) {
            return format!("{before}{key}[n]");
        }
    }
    line
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let env = run_birds();
    env.run(&["publish", "-q", "--to", "a"]).success();
    env.run(&["publish", "-q", "--to", "b"]).success();
    for name in ["README.md", "manifest.json", "croissant.json", "CHANGELOG.md", "data/train-00000-of-00001.parquet"] {
        assert!(env.bytes(&format!("a/{name}")) == env.bytes(&format!("b/{name}")), "{name}");
    }
    // In its place again.
    env.write("a/data/stale.parquet", "x");
    env.run(&["publish", "-q", "--to", "a"]).success();
    assert!(!exists(&env.path("a/data/stale.parquet")));
}

#[test]
fn another_licence_must_be_asked_for() {
    let env = run_birds();
    env.write("pipeline.toml", "[publish]\nlicense = \"mit\"\n");
    assert_snapshot!(env.run(&["publish", "out"]), @r#"
    exit code: 2
    ----- stderr
    error: the licence "mit" is not that of FOLIO, cc-by-sa-4.0, which what is made of FOLIO must keep
    hint: if none of the data comes from FOLIO, set publish.allow_other_license = true in pipeline.toml
    "#);
    assert!(!exists(&env.path("out-hub")));
    env.write("pipeline.toml", "[publish]\nlicense = \"mit\"\nallow_other_license = true\ncitation = \"\"\n");
    env.run(&["publish", "out", "-q"]).success();
    let card = env.text("out-hub/README.md");
    assert!(card.contains("\nlicense: mit\n") && !card.contains("bibtex"), "{card}");
}

#[test]
fn settings_are_checked() {
    let env = run_birds();
    env.write("pipeline.toml", "[publish]\nlicence = \"mit\"\n");
    assert_snapshot!(env.run(&["publish", "out"]), @r#"
    exit code: 2
    ----- stderr
    error: unknown key `licence`, expected one of `repo`, `private`, `pretty_name`, `license`, `allow_other_license`, `languages`, `tags`, `citation`, `shard_mb`
     --> pipeline.toml:2:1
      |
    2 | licence = "mit"
      | ^^^^^^^
    hint: did you mean `license`? `refolio config --defaults` prints every key with what it does
    "#);
    env.write("pipeline.toml", "[publish]\nshard_mb = 0\n");
    let output = env.run(&["publish", "out"]);
    assert!(output.code == Some(2) && output.stderr.contains("publish.shard_mb: 0 is out of range"), "{output}");
    env.write("pipeline.toml", "");
    let output = env.run(&["publish", "out", "--repo", "no/such/repo"]);
    assert!(output.code == Some(2) && output.stderr.contains("expected ORG/NAME"), "{output}");
    let output = env.run(&["publish", "out", "--push"]);
    assert!(output.code == Some(2) && output.stderr.contains("there is no repository to push to"), "{output}");
}

#[test]
fn what_is_no_run_is_not_published() {
    let env = run_birds();
    let output = env.run(&["publish", "bin"]);
    assert!(output.code == Some(3) && output.stderr.contains("bin holds no output of a run"), "{output}");
    env.write("mine/notes.txt", "x");
    let output = env.run(&["publish", "out", "--to", "mine"]);
    assert!(
        output.code == Some(2) && output.stderr.contains("mine holds something that refolio did not publish"),
        "{output}"
    );
    assert_eq!(env.names("mine"), ["notes.txt"]);
    let mut bytes = env.bytes("out/train.parquet");
    bytes.push(0);
    env.write("out/train.parquet", bytes);
    let output = env.run(&["publish", "out"]);
    assert!(output.code == Some(3) && output.stderr.contains("is not what the manifest beside it lists"), "{output}");
}

#[test]
fn the_version_follows_from_what_changed() {
    let env = run_birds();
    env.run(&["publish", "out", "--to", "first", "-q"]).success();
    assert_eq!(step(&env), "version 1.0.0: nothing changed since first");
    // A formula that says the same.
    change(&env, "∀x (Heron(x) → Eat(x, fish))", "∀x (¬Eat(x, fish) → ¬Heron(x))");
    assert_eq!(step(&env), "version 1.1.0, a minor step from first");
    let changelog = env.text("next/CHANGELOG.md");
    assert!(changelog.contains("## 1.1.0\n\nChanges from 1.0.0.\n"), "{changelog}");
    assert!(changelog.contains("| formulas: equivalent | 2 |"), "{changelog}");
    // A smaller step is refused, a larger one is not.
    let next = |more: &[&str]| {
        env.run(&[&["publish", "out", "--to", "next", "--previous", "first", "--version"], more].concat())
    };
    assert_snapshot!(next(&["1.0.1"]), @"
    exit code: 2
    ----- stderr
    error: version 1.0.1 is a smaller step than what changed since 1.0.0 asks for, which is 1.1.0
    hint: leave out --version, or add --force-version
    ");
    assert!(next(&["1.0.1", "--force-version"]).stdout.starts_with("version 1.0.1, a minor step"));
    assert!(next(&["3.0.0"]).stdout.starts_with("version 3.0.0, a minor step"));
    // A label that was wrong is right: one row more to train with.
    change(&env, "\"¬Loud(sandy)\", \"label\": \"True\"", "\"¬Loud(sandy)\", \"label\": \"False\"");
    assert_eq!(step(&env), "version 2.0.0, a major step from first");
    assert!(env.text("next/manifest.json").contains("\"version\": \"2.0.0\""));
}

#[test]
fn what_is_only_of_provenance_is_a_patch() {
    let env = run_birds();
    env.run(&["publish", "out", "--to", "first", "-q"]).success();
    // A row that is problematic says something else; what is trained with is the same.
    change(&env, "Dot sings.", "Dot sings loudly.");
    assert_eq!(step(&env), "version 1.0.1, a patch step from first");
    // The card alone.
    env.write("birds_train.jsonl", BIRDS);
    env.run(&["run", "-q", "-i", "birds_train.jsonl"]).success();
    env.write("pipeline.toml", "[publish]\npretty_name = \"Birds\"\n");
    assert_eq!(step(&env), "version 1.0.1, a patch step from first");
    // Another name of a split.
    env.write("pipeline.toml", "");
    env.run(&["run", "-q", "-i", "dev=birds_train.jsonl", "-o", "renamed"]).success();
    let output = env.run(&["publish", "renamed", "--previous", "first"]);
    assert!(output.stdout.starts_with("version 2.0.0, a major step from first\n"), "{output}");
}

#[test]
fn a_dataset_that_was_not_published_can_be_the_version_before() {
    let env = run_birds();
    let output = env.run(&["publish", "out", "--previous", "birds_train.jsonl"]);
    assert!(output.stdout.starts_with("version 1.0.0, the first after birds_train.jsonl\n"), "{output}");
    let changelog = env.text("out-hub/CHANGELOG.md");
    assert!(
        changelog.contains("Changes from birds_train.jsonl.") && changelog.contains("| dropped | 3 |"),
        "{changelog}"
    );
}

#[test]
fn decisions_are_copied_and_splits_without_rows_stay() {
    let env = run_birds();
    env.write("out/decisions.jsonl", "{}\n");
    env.write("gone.jsonl", BIRDS.lines().nth(3).unwrap());
    env.run(&["run", "-q", "-i", "birds_train.jsonl", "-i", "test=gone.jsonl", "-o", "out"]).success();
    env.run(&["publish", "-q"]).success();
    assert_eq!(env.text("out-hub/decisions.jsonl"), "{}\n");
    for folder in ["data", "compat", "problematic", "provenance"] {
        assert_eq!(
            env.names(&format!("out-hub/{folder}")),
            ["test-00000-of-00001.parquet", "train-00000-of-00001.parquet"]
        );
    }
    let manifest: Value = serde_json::from_str(&env.text("out-hub/manifest.json")).unwrap();
    let files = manifest["published"]["files"].as_array().unwrap();
    let rows = |name: &str| files.iter().find(|f| f["file"] == name).map(|f| f["rows"].clone());
    assert_eq!(rows("data/test-00000-of-00001.parquet"), Some(0.into()));
    assert_eq!(rows("problematic/test-00000-of-00001.parquet"), Some(1.into()));
    readers(&env, "out-hub");
}

#[test]
fn other_readers_agree_with_the_card() {
    let env = TestEnvironment::new();
    for name in ["train", "validation", "unformalised"] {
        let file = format!("data/sample_{name}.jsonl");
        env.write(&file, fs::read(format!("{}/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap());
    }
    env.run(&[
        "run",
        "-q",
        "-i",
        "data/sample_train.jsonl",
        "-i",
        "data/sample_validation.jsonl",
        "-i",
        "data/sample_unformalised.jsonl",
    ])
    .success();
    env.run(&["publish", "-q", "--previous", "data/sample_train.jsonl"]).success();
    readers(&env, "out-hub");
}

/// Lets Python's readers look at a folder; skips, with the reason, where they are missing.
fn readers(env: &TestEnvironment, folder: &str) {
    let named = std::env::var_os("REFOLIO_PYTHON");
    let python = named.clone().unwrap_or_else(|| "python3".into());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/published.py");
    let mut command = Command::new(&python);
    command.arg(script).arg(env.path(folder)).env("HF_HOME", env.path("hf")).env("HF_HUB_OFFLINE", "1");
    let reason = match command.env("PYTHONDONTWRITEBYTECODE", "1").output() {
        Ok(output) if output.status.code() == Some(77) => String::from_utf8_lossy(&output.stderr).into_owned(),
        Ok(output) => {
            let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(output.status.success() && out.starts_with("equal: "), "{out}{err}");
            report(out.trim());
            return;
        }
        Err(error) => error.to_string(),
    };
    assert!(named.is_none(), "REFOLIO_PYTHON={}: {reason}", python.display());
    report(&format!("skipped: {} cannot check the folder: {}", python.display(), reason.trim()));
}

#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn report(text: &str) {
    eprintln!("{text}");
}
