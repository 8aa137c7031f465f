//! Every documented exit code, with what stands on the terminal then.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use insta::assert_snapshot;

use super::{TestEnvironment, exists};

#[test]
fn wrong_usage_is_2() {
    assert_snapshot!(TestEnvironment::new().run(&["run", "--inputs", "a.jsonl"]), @r"
    exit code: 2
    ----- stderr
    error: unexpected argument '--inputs' found

      tip: a similar argument exists: '--input'

    Usage: refolio run --input <[SPLIT=]FILE>

    For more information, try '--help'.
    ");
    assert_snapshot!(TestEnvironment::new().run(&["run", "--dialect", "folio", "-i", "a.jsonl"]), @r"
    exit code: 2
    ----- stderr
    error: invalid value 'folio' for '--dialect <NAME>'
      [possible values: auto, folio-v0, folio-v2, folio-refined, malls, proverqa, custom]

      tip: a similar value exists: 'folio-v2'

    For more information, try '--help'.
    ");
    assert_snapshot!(TestEnvironment::new().run(&["run"]), @r"
    exit code: 2
    ----- stderr
    error: there is nothing to read: no input is named
    hint: name files with --input, or in dataset.inputs of pipeline.toml
    ");
    assert_snapshot!(TestEnvironment::new().run(&["lint"]), @r"
    exit code: 2
    ----- stderr
    error: the following required arguments were not provided:
      <[SPLIT=]FILE>...

    Usage: refolio lint <[SPLIT=]FILE>...

    For more information, try '--help'.
    ");
    assert_snapshot!(TestEnvironment::new().run(&["frob"]), @r"
    exit code: 2
    ----- stderr
    error: unrecognized subcommand 'frob'

    Usage: refolio [OPTIONS] <COMMAND>

    For more information, try '--help'.
    ");
}

#[test]
fn a_wrong_configuration_is_2() {
    let env = TestEnvironment::with_birds();
    env.write("pipeline.toml", "[ouput]\ndir = \"x\"\n");
    assert_snapshot!(env.run(&["run", "-i", "birds_train.jsonl"]), @"
    exit code: 2
    ----- stderr
    error: unknown key `ouput`, expected one of `dataset`, `ingest`, `parse`, `lint`, `fixes`, `search`, `llm`, `refine`, `prover`, `cache`, `verify`, `review`, `output`, `publish`, `run`
     --> pipeline.toml:1:2
      |
    1 | [ouput]
      |  ^^^^^
    hint: did you mean `output`? `refolio config --defaults` prints every key with what it does
    ");
}

#[test]
fn an_unreadable_input_is_3() {
    let env = TestEnvironment::new();
    env.write("empty.jsonl", "");
    env.write("other.jsonl", "{\"text\": \"a\", \"target\": 1}\n");
    env.write("cut.jsonl.gz", [0x1f, 0x8b, 8, 0]);
    assert_snapshot!(env.run(&["run", "-i", "missing.jsonl"]), @r"
    exit code: 3
    ----- stderr
    error: missing.jsonl: cannot be read: No such file or directory (os error 2)
    ");
    assert_snapshot!(env.run(&["run", "-i", "empty.jsonl"]), @r"
    exit code: 3
    ----- stderr
    error: empty.jsonl: the file holds no rows
    ");
    assert_snapshot!(env.run(&["run", "-i", "other.jsonl"]), @r"
    exit code: 3
    ----- stderr
    error: other.jsonl: unrecognised dialect with the columns `text`, `target`; known are `folio-v0`, `folio-v2`, `folio-refined`, `malls`, `proverqa`, `custom`, or name the columns in `dataset.columns`
    hint: --dialect says which of them it is; `refolio config --defaults` shows how to name columns
    ");
    assert_snapshot!(env.run(&["lint", "cut.jsonl.gz"]), @r"
    exit code: 3
    ----- stderr
    error: cut.jsonl.gz: corrupt or truncated gz data: unexpected end of file
    ");
    assert!(!exists(&env.path("out")), "nothing is written");
}

#[test]
fn a_missing_prover_is_4() {
    let env = TestEnvironment::with_birds();
    let run = ["run", "-i", "birds_train.jsonl"];
    assert_snapshot!(env.finish(env.command(&run).env("REFOLIO_VAMPIRE", "/nowhere/vampire")), @r"
    exit code: 4
    ----- stderr
    error: REFOLIO_VAMPIRE is `/nowhere/vampire`, which is not an executable file
    hint: give the path of a Vampire executable, or `system` for the one on PATH
    ");
    env.write("pipeline.toml", "[prover]\npath = \"system\"\n");
    assert_snapshot!(env.run(&run), @r"
    exit code: 4
    ----- stderr
    error: no `vampire` on PATH
    hint: leave `prover.path` and REFOLIO_VAMPIRE unset to use the bundled Vampire, or give the path of one
    ");
    let fake = env.script("fake", "echo I am no prover");
    env.write("pipeline.toml", "");
    assert_snapshot!(env.finish(env.command(&run).env("REFOLIO_VAMPIRE", fake)), @r"
    exit code: 4
    ----- stderr
    error: $HOME/fake is not Vampire: its version is `I am no prover`
    hint: run it with `--version` by hand to see what it says
    ");
}

#[test]
fn an_output_that_cannot_be_written_is_5() {
    let env = TestEnvironment::with_birds();
    env.write("out", "a file where the folder should be");
    assert_snapshot!(env.run(&["run", "-i", "birds_train.jsonl"]), @r"
    exit code: 5
    ----- stderr
    error: cannot make the output folder out: File exists (os error 17)
    hint: name a folder that exists or can be made
    ");
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
