//! `refolio doctor`

use insta::assert_snapshot;

use super::TestEnvironment;

#[test]
#[cfg(feature = "bundled-vampire")]
fn everything_is_there() {
    let output = TestEnvironment::new().run(&["doctor"]);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{output}");
    // What is this machine's own: the program's path and hash, its disk and its cores.
    let hidden = |line: &str| {
        let key = ["  path: ", "  sha256: ", "disk: ", "cores: "].into_iter().find(|key| line.starts_with(key));
        key.map_or_else(|| line.to_owned(), |key| format!("{key}[…]"))
    };
    let (report, config) = output.stdout.split_once("\n[dataset]\n").unwrap();
    let lines: Vec<String> = report.lines().map(hidden).collect();
    assert!(config.contains("[[prover.attempts]]"), "{config}");
    assert_snapshot!(lines.join("\n"), @r"
    vampire (chosen, bundled): Vampire 5.0.0 (Release build, commit )
      path: […]
      asked through: workers
      sha256: […]
      Theorem            ok [time] ms
      CounterSatisfiable ok [time] ms
      Unsatisfiable      ok [time] ms
      Satisfiable        ok [time] ms
    disk: […]
    cores: […]
    cache: $HOME/.cache/refolio/answers.sqlite: not there yet
    ready: `refolio run` can work here

    configuration in force, from the defaults (there is no pipeline.toml here):
    ");
}

#[test]
#[cfg(feature = "bundled-vampire")]
fn the_same_as_json() {
    let report: serde_json::Value =
        serde_json::from_str(&TestEnvironment::new().run(&["doctor", "--json"]).success()).unwrap();
    assert_eq!(report["ok"], true);
    assert_eq!(report["report"]["provers"][0]["origin"], "bundled");
    assert_eq!(report["report"]["provers"][0]["checks"].as_array().unwrap().len(), 4);
    assert_eq!(report["config"]["fixes"]["level"], "search");
}

#[test]
fn a_prover_that_is_not_there() {
    let env = TestEnvironment::new();
    let output = env.finish(env.command(&["doctor"]).env("REFOLIO_VAMPIRE", "/nowhere/vampire"));
    assert_eq!(output.code, Some(4), "{output}");
    let lines: Vec<&str> = output.stdout.lines().take(3).collect();
    assert_snapshot!(lines.join("\n"), @r"
    vampire (chosen): not usable
      error: REFOLIO_VAMPIRE is `/nowhere/vampire`, which is not an executable file
      hint: give the path of a Vampire executable, or `system` for the one on PATH
    ");
}
