//! `refolio cache`, and what `--no-cache` and `--cache` do.

use insta::assert_snapshot;
use rusqlite::Connection;

use super::TestEnvironment;

fn run(env: &TestEnvironment, more: &[&str]) -> Vec<Vec<u8>> {
    let arguments = [&["run", "--input", "birds_train.jsonl", "--quiet"], more].concat();
    let output = env.run(&arguments);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{output}");
    ["out/train.parquet", "out/manifest.json", "out/summary.md"].map(|f| env.bytes(f)).into()
}

#[test]
fn cold_warm_and_none_give_the_same_bytes() {
    let env = TestEnvironment::with_birds();
    let none = run(&env, &["--no-cache"]);
    assert!(!env.path("kept").exists() && !env.path(".cache").exists());
    assert_eq!(run(&env, &["--cache", "kept"]), none, "cold");
    let cold = env.text_of_stats();
    assert_eq!(run(&env, &["--cache", "kept"]), none, "warm");
    assert_eq!(env.text_of_stats(), cold);
    assert_eq!(run(&env, &["--cache", "kept", "--prover-mode", "processes"]), none, "warm, processes");
    assert!(!env.path(".cache").exists());
}

impl TestEnvironment {
    fn text_of_stats(&self) -> String {
        self.run(&["cache", "stats", "--cache", "kept"]).success()
    }
}

#[test]
fn by_default_it_lies_in_the_folder_for_caches() {
    let env = TestEnvironment::with_birds();
    run(&env, &[]);
    assert!(env.path(".cache/refolio/answers.sqlite").is_file());
    let mut command = env.command(&["cache", "stats"]);
    let output = env.finish(command.env("XDG_CACHE_HOME", env.path("elsewhere")));
    assert!(output.success().starts_with("$HOME/elsewhere/refolio/answers.sqlite: 0 answers"));
}

#[test]
fn it_is_verified_and_cleared() {
    let env = TestEnvironment::with_birds();
    run(&env, &["--cache", "kept"]);
    let verify = || env.run(&["cache", "verify", "--all", "--cache", "kept"]);
    let told = verify().success();
    assert!(
        told.contains(" answers: 0 damaged; asked again: ") && told.contains(" 0 different, 0 unanswered;"),
        "{told}"
    );
    assert!(!told.contains(" 0 the same"), "{told}");
    let connection = Connection::open(env.path("kept")).unwrap();
    let count = "SELECT COUNT(*) FROM entry";
    let before: i64 = connection.query_row(count, [], |row| row.get(0)).unwrap();
    let damage =
        "UPDATE entry SET value = CAST(REPLACE(value, 'Theorem', 'Satisfi') AS BLOB) WHERE value LIKE '%\"Theorem\"%'";
    let damaged = connection.execute(damage, []).unwrap();
    assert!(damaged > 0);
    // They are asked anew, not believed.
    let none = run(&env, &["--no-cache"]);
    let output = env.run(&["run", "--input", "birds_train.jsonl", "--cache", "kept"]);
    assert!(output.stderr.contains(&format!("{damaged} damaged answers of the cache were not believed")), "{output}");
    assert_eq!(env.bytes("out/train.parquet"), none[0]);
    assert_eq!(verify().code, Some(0));
    connection.execute(damage, []).unwrap();
    let output = verify();
    assert_eq!(output.code, Some(1), "{output}");
    assert_eq!(output.stdout.matches(": damaged, removed\n").count(), damaged, "{output}");
    assert_eq!(connection.query_row(count, [], |row| row.get::<_, i64>(0)).unwrap(), before - damaged as i64);
    let cleared = env.run(&["cache", "clear", "--cache", "kept"]).success();
    assert_eq!(cleared, format!("removed {} answers\n", before - damaged as i64));
}

#[test]
fn a_file_that_cannot_be_used_is_told_and_not_used() {
    let env = TestEnvironment::with_birds();
    env.write("kept", "no database".repeat(1000));
    let output = env.run(&["run", "--input", "birds_train.jsonl", "--cache", "kept"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(output.stderr.contains("no answers are recalled or kept: kept is no cache of refolio's"), "{output}");
    let stats = env.run(&["cache", "stats", "--cache", "kept"]);
    assert_eq!(stats.code, Some(5), "{stats}");
    assert_snapshot!(stats.stderr, @"error: kept is no cache of refolio's, or damaged beyond reading: file is not a database");
}
