//! What the doctor says.

use std::path::Path;

use refolio::prove::Schedule;
use refolio::prove::discover::{Mode, Sources};
use refolio::prove::doctor::examine;

use crate::script;

/// Nothing on `PATH` but what the test puts there.
fn sources(dir: &Path) -> Sources {
    Sources { path: Some(dir.into()), executable: Some(env!("CARGO_BIN_EXE_refolio").into()), ..Sources::default() }
}

#[test]
#[cfg(feature = "bundled-vampire")]
fn the_bundled_vampire_is_well() {
    let dir = tempfile::tempdir().unwrap();
    let report =
        examine(&sources(dir.path()), Mode::Processes, &Schedule::default(), &dir.path().join("not/yet/there"));
    assert!(report.ok(), "{report}");
    assert_eq!(report.folder, dir.path());
    assert!(report.cores.unwrap() > 0 && report.free_bytes.unwrap() > 0);
    assert_eq!(report.provers.len(), 1);
    let words: Vec<_> = report.provers[0].checks.iter().map(|c| (c.expected, c.outcome.as_str())).collect();
    let known = ["Theorem", "CounterSatisfiable", "Unsatisfiable", "Satisfiable"];
    assert_eq!(words, known.map(|w| (w, w)));
    let text = report.to_string();
    assert!(text.starts_with("vampire (chosen, bundled): Vampire 5.0.0"), "{text}");
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["provers"][0]["usage"], "chosen");
}

#[test]
fn a_prover_that_answers_wrongly_is_not_well() {
    let dir = tempfile::tempdir().unwrap();
    let liar = script(
        dir.path(),
        "liar",
        "[ \"$1\" = --version ] && { echo 'Vampire 1'; exit 0; }; echo '% SZS status Theorem for x'",
    );
    let with_liar = Sources { config: liar.to_str().map(Into::into), ..sources(dir.path()) };
    let report = examine(&with_liar, Mode::Processes, &Schedule::default(), dir.path());
    assert!(!report.ok());
    let checks = &report.provers[0].checks;
    assert_eq!(checks.iter().map(|c| c.ok).collect::<Vec<_>>(), [false; 4]);
    assert_eq!(checks[0].outcome, "Theorem without a proof");
    assert_eq!(checks[2].outcome, "unfit-status (Theorem for consistency)");
    assert!(report.to_string().contains("WRONG"), "{report}");
}

#[test]
fn a_missing_prover_is_told_with_a_hint() {
    let dir = tempfile::tempdir().unwrap();
    let missing = Sources { config: Some("/nonexistent/vampire".into()), ..sources(dir.path()) };
    let report = examine(&missing, Mode::Processes, &Schedule::default(), dir.path());
    assert!(!report.ok());
    let text = report.provers[0].to_string();
    insta::assert_snapshot!(text, @r"
    vampire (chosen): not usable
      error: prover.path is `/nonexistent/vampire`, which is not an executable file
      hint: give the path of a Vampire executable, or `system` for the one on PATH
    ");
}

#[test]
#[cfg(feature = "bundled-vampire")]
fn others_on_path_are_listed_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    script(dir.path(), "vampire", "echo 'something else'");
    let report = examine(&sources(dir.path()), Mode::Processes, &Schedule::default(), dir.path());
    assert!(report.ok(), "{report}");
    assert_eq!(report.provers[1].usage, refolio::prove::doctor::Use::Unused);
    assert!(report.provers[1].error.as_deref().unwrap().contains("is not Vampire"));
}
