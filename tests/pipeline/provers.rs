//! What is asked is understood by other programs, and they answer the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use rayon::prelude::*;
use refolio::prove::eprover::EProver;
use refolio::prove::szs::parse_status;
use refolio::prove::vampire::Vampire;
use refolio::prove::{Answer, Attempt, Identity, Origin, Outcome, Problem, Prover, Run, ask, question};
use tptp::TPTPIterator;

use crate::{Ran, VALIDATION, published, sample, say, vampire};

/// Vampire, and every question it was asked with its last answer.
struct Recorder {
    vampire: Vampire,
    asked: Mutex<BTreeMap<String, (Problem, Run)>>,
}

impl Prover for Recorder {
    fn identity(&self) -> &Identity {
        self.vampire.identity()
    }

    fn run(&self, problem: &Problem, attempt: &Attempt, memory_mb: u64) -> Run {
        let run = self.vampire.run(problem, attempt, memory_mb);
        self.asked.lock().unwrap().insert(problem.to_tptp(), (problem.clone(), run.clone()));
        run
    }
}

fn eprover() -> Option<(PathBuf, EProver)> {
    let Ok(path) = which::which("eprover") else {
        say("skipped: no `eprover` on PATH");
        return None;
    };
    let prover = EProver::new(&path, Origin::System).unwrap();
    Some((path, prover))
}

/// The sample and, where it is at hand, FOLIO's validation split.
fn inputs() -> Vec<PathBuf> {
    sample().into_iter().chain(published(VALIDATION)).collect()
}

fn assert_tptp_crate_accepts(text: &str, name: &str) {
    let mut items = 0;
    for item in TPTPIterator::<()>::new(text.as_bytes()) {
        assert!(item.is_ok(), "{name}: item {items} of {text}");
        items += 1;
    }
    let statements = text.lines().filter(|line| line.starts_with("fof(")).count();
    assert_eq!(items, statements, "{name}: {text}");
}

/// What a program says of a file, as an SZS status.
fn status(command: &mut Command, file: &Path) -> String {
    let output = command.arg(file).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let status = parse_status(&text).unwrap_or_else(|e| panic!("{}: {e}: {text}", file.display()));
    assert!(status.is_success(), "{}: {status}: {text}", file.display());
    status.to_string()
}

#[test]
fn every_question_is_understood_and_answered_alike() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = Recorder { vampire: vampire(), asked: Mutex::default() };
    let ran = Ran::with(&recorder, Some(folder.path().to_owned()), &inputs(), |_| ());
    let asked = recorder.asked.into_inner().unwrap();

    for (text, (_, run)) in &asked {
        assert_tptp_crate_accepts(text, "a question");
        assert!(run.outcome.is_ok(), "{:?}: {text}", run.outcome);
    }

    // The files that a person can rerun hold what was asked, every judged question among them.
    let files: Vec<PathBuf> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path()).collect();
    let judged = ran.rows("validation").iter().filter(|row| row.maybe("szs_consistency").is_some()).count();
    assert!(files.len() > judged, "{} files", files.len());
    let e = eprover();
    let saved: Mutex<BTreeSet<String>> = Mutex::default();
    let differing: BTreeSet<String> = files
        .par_iter()
        .filter_map(|file| {
            let text = fs::read_to_string(file).unwrap();
            assert_tptp_crate_accepts(&text, &file.display().to_string());
            let bare: String = text.lines().filter(|l| l.starts_with("fof(")).map(|l| format!("{l}\n")).collect();
            assert!(asked.contains_key(&bare), "{}: not what was asked: {text}", file.display());
            // The same question of a story's next record.
            if !saved.lock().unwrap().insert(bare) {
                return None;
            }
            assert!(text.starts_with("% ") && text.contains("\n% "), "no comments in {text}");
            let mut vampire = Command::new(env!("CARGO_BIN_EXE_refolio"));
            let ours = status(vampire.args(["vampire", "--output_mode", "szs", "--time_limit", "20"]), file);
            let (path, _) = e.as_ref()?;
            let theirs = status(Command::new(path).args(["--auto", "--silent", "--cpu-limit=20"]), file);
            (ours != theirs).then(|| format!("{}: {ours}, E says {theirs}", file.display()))
        })
        .collect();
    assert_eq!(differing, BTreeSet::new());
    say(&format!("{} questions, {} files", asked.len(), files.len()));

    let Some((_, e)) = e else { return };
    let schedule = EProver::schedule(20.0);
    let decision = |answer: Answer| match answer.outcome {
        Outcome::Decided { decision, .. } => decision,
        Outcome::Undecided { reason } => panic!("{reason}"),
    };
    let saved = saved.into_inner().unwrap();
    // Those of rules are not saved.
    let rest: Vec<_> = asked.iter().filter(|(text, _)| !saved.contains(*text)).collect();
    assert!(!rest.is_empty());
    rest.par_iter().for_each(|(text, (problem, run))| {
        let ours = run.outcome.as_ref().unwrap().status.decision(question(problem));
        assert_eq!(ours, Some(decision(ask(&e, problem, &schedule))), "{text}");
    });
}

#[test]
fn another_prover_comes_to_every_verdict() {
    let Some((_, e)) = eprover() else { return };
    let files = inputs();
    let ours = Ran::new(&files, |_| ());
    let theirs = Ran::with(&e, None, &files, |config| config.prover.attempts = EProver::schedule(20.0).attempts);
    for split in ["train", "validation", "sample_unformalised"] {
        let (ours, theirs) = (ours.rows(split), theirs.rows(split));
        assert_eq!(ours.len(), theirs.len());
        for (a, b) in ours.iter().zip(&theirs) {
            for column in ["verdict", "verdict_original", "agreement", "status", "szs_consistency"] {
                assert_eq!(a.0[column], b.0[column], "{column} of {}", a.text("record_id"));
            }
            let codes = |row: &crate::rows::OutRow| -> Vec<String> {
                row.list("diagnostics").iter().map(|d| d["code"].to_string()).collect()
            };
            assert_eq!(codes(a), codes(b), "{}", a.text("record_id"));
        }
    }
}
