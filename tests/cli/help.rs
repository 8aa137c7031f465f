//! `--help` of every command.

use insta::assert_snapshot;

use super::TestEnvironment;

fn help(arguments: &[&str]) -> String {
    TestEnvironment::new().run(arguments).success()
}

#[test]
fn top() {
    assert_snapshot!(help(&["--help"]), @"");
}

#[test]
fn run() {
    assert_snapshot!(help(&["run", "--help"]), @"");
}

#[test]
fn lint() {
    assert_snapshot!(help(&["lint", "--help"]), @"");
}

#[test]
fn rule() {
    assert_snapshot!(help(&["rule", "--help"]), @"");
}

#[test]
fn config() {
    assert_snapshot!(help(&["config", "--help"]), @"");
}

#[test]
fn doctor() {
    assert_snapshot!(help(&["doctor", "--help"]), @"");
}

#[test]
fn version() {
    assert_eq!(help(&["--version"]), format!("refolio {}\n", env!("CARGO_PKG_VERSION")));
}
