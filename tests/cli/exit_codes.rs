//! Every documented exit code, with what stands on the terminal then.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use insta::assert_snapshot;

use super::{TestEnvironment, exists};

#[test]
fn wrong_usage_is_2() {
    assert_snapshot!(TestEnvironment::new().run(&["run", "--inputs", "a.jsonl"]), @"");
    assert_snapshot!(TestEnvironment::new().run(&["run", "--dialect", "folio", "-i", "a.jsonl"]), @"");
    assert_snapshot!(TestEnvironment::new().run(&["run"]), @"");
    assert_snapshot!(TestEnvironment::new().run(&["lint"]), @"");
    assert_snapshot!(TestEnvironment::new().run(&["frob"]), @"");
}

#[test]
fn a_wrong_configuration_is_2() {
    let env = TestEnvironment::with_birds();
    env.write("pipeline.toml", "[ouput]\ndir = \"x\"\n");
    assert_snapshot!(env.run(&["run", "-i", "birds_train.jsonl"]), @"");
}

#[test]
fn an_unreadable_input_is_3() {
    let env = TestEnvironment::new();
    env.write("empty.jsonl", "");
    env.write("other.jsonl", "{\"text\": \"a\", \"target\": 1}\n");
    env.write("cut.jsonl.gz", [0x1f, 0x8b, 8, 0]);
    assert_snapshot!(env.run(&["run", "-i", "missing.jsonl"]), @"");
    assert_snapshot!(env.run(&["run", "-i", "empty.jsonl"]), @"");
    assert_snapshot!(env.run(&["run", "-i", "other.jsonl"]), @"");
    assert_snapshot!(env.run(&["lint", "cut.jsonl.gz"]), @"");
    assert!(!exists(&env.path("out")), "nothing is written");
}

#[test]
fn a_missing_prover_is_4() {
    let env = TestEnvironment::with_birds();
    let run = ["run", "-i", "birds_train.jsonl"];
    assert_snapshot!(env.finish(env.command(&run).env("REFOLIO_VAMPIRE", "/nowhere/vampire")), @"");
    env.write("pipeline.toml", "[prover]\npath = \"system\"\n");
    assert_snapshot!(env.run(&run), @"");
    let fake = env.script("fake", "echo I am no prover");
    env.write("pipeline.toml", "");
    assert_snapshot!(env.finish(env.command(&run).env("REFOLIO_VAMPIRE", fake)), @"");
}

#[test]
fn an_output_that_cannot_be_written_is_5() {
    let env = TestEnvironment::with_birds();
    env.write("out", "a file where the folder should be");
    assert_snapshot!(env.run(&["run", "-i", "birds_train.jsonl"]), @"");
    assert_eq!(env.text("out"), "a file where the folder should be");
}

#[test]
fn an_interrupted_run_is_130_and_leaves_nothing() {
    let env = TestEnvironment::with_birds();
    env.write("tautology.csv", "NL,FOL\nIt barks or not.,Bark(rex) ∨ ¬Bark(rex)\n");
    let started = env.path("started").display().to_string();
    let fake = env.script(
        "fake",
        &format!(
            "[ \"$1\" = --version ] && {{ echo 'Vampire 0 (fake)'; exit 0; }}\n: > '{started}'\nexec /bin/sleep 60"
        ),
    );
    for arguments in [&["run", "-i", "birds_train.jsonl"][..], &["lint", "tautology.csv", "--semantic"]] {
        let _ = fs::remove_file(env.path("started"));
        let mut command = env.command(arguments);
        let child =
            command.env("REFOLIO_VAMPIRE", &fake).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let start = Instant::now();
        while !exists(&env.path("started")) {
            assert!(start.elapsed() < Duration::from_secs(20), "the prover was never asked");
            std::thread::sleep(Duration::from_millis(10));
        }
        let pid = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let interrupted = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(interrupted.elapsed() < Duration::from_secs(3), "{:?}", interrupted.elapsed());
        assert_eq!(output.status.code(), Some(130));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "error: interrupted\n");
    }
    assert_eq!(env.names("out"), [""; 0]);
}
