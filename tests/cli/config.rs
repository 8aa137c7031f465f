//! `refolio config`, and what is said of a configuration that is wrong.

use insta::assert_snapshot;

use super::TestEnvironment;

#[test]
fn what_is_in_force_without_a_file() {
    assert_snapshot!(TestEnvironment::new().run(&["config"]), @"");
}

#[test]
fn the_defaults_are_the_file_of_the_repository() {
    let env = TestEnvironment::new();
    let defaults = env.run(&["config", "--defaults"]).success();
    assert_eq!(defaults, include_str!("../../pipeline.toml"));
    // And it is a configuration.
    env.write("pipeline.toml", &defaults);
    let printed = env.run(&["config"]).success();
    env.write("pipeline.toml", &printed);
    assert_eq!(env.run(&["config"]).success(), printed);
}

#[test]
fn mistakes_are_shown_where_they_stand() {
    let env = TestEnvironment::new();
    let error = |text: &str| {
        env.write("pipeline.toml", text);
        env.run(&["config"]).to_string()
    };
    assert_snapshot!(error("# mine\n[prover]\nmemory = 512\n"), @"");
    assert_snapshot!(error("[fixes]\nlevel = \"all\"\n"), @"");
    assert_snapshot!(error("[run]\njobs = \"four\"\n"), @"");
    assert_snapshot!(error("[run\n"), @"");
    assert_snapshot!(error("[dataset]\ndialect = \"folio\"\n"), @"");
    assert_snapshot!(error("[lint]\nignore = [\"S1O1\"]\n"), @"");
    assert_snapshot!(error("[prover]\nmemory_mb = 1\n"), @"");
}

#[test]
fn a_named_file_must_be_there() {
    assert_snapshot!(TestEnvironment::new().run(&["config", "--config", "mine.toml"]), @"");
}
