//! Provers that do what no prover should: each ends in a reason of its own, and nothing of them is left.

use std::path::Path;
use std::time::{Duration, Instant};

use refolio::prove::vampire::Vampire;
use refolio::prove::{Answer, Decision, Origin, Outcome, Reason, Schedule, Szs, ask};

use crate::fake::fake_vampire;
use crate::{assert_gone, pids, problem, schedule, script};

fn fake(dir: &Path, body: &str) -> Vampire {
    Vampire::standalone(&fake_vampire(dir, body), Origin::Given).unwrap()
}

fn ask_fake(body: &str, schedule: &Schedule) -> Answer {
    let dir = tempfile::tempdir().unwrap();
    ask(&fake(dir.path(), body), &problem(&["p(a)"], Some("q(a)")), schedule)
}

/// The reason that one attempt with this limit ends in, and the number of runs it took.
fn reason(body: &str, seconds: f64) -> (Reason, usize) {
    let answer = ask_fake(body, &schedule(&[], seconds));
    let Outcome::Undecided { reason } = answer.outcome else { panic!("decided: {answer:?}") };
    assert!(answer.runs.iter().all(|r| r.attempt == "only" && r.outcome == reason.to_string()), "{:?}", answer.runs);
    (reason, answer.runs.len())
}

/// A limit that nothing reaches which ends, or overflows, by itself: not even on a machine that is busy with other things.
const LONG: f64 = 120.0;

#[test]
fn each_misbehaviour_is_a_reason() {
    let cases = [
        ("exit 0", "no-status", 2),
        ("exit 3", "crashed (interrupted by a signal)", 2),
        ("exit 9", "exited (code 9)", 2),
        ("echo Theorem; echo 'SZS status Theorem for x'", "no-status", 2),
        ("head -c 4000 /dev/urandom", "no-status", 2),
        ("echo '% SZS status Perhaps for x'", "unknown-status (\"Perhaps\")", 2),
        (
            "echo '% SZS status Theorem for x'; echo '% SZS status CounterSatisfiable for x'",
            "conflicting-statuses (Theorem, CounterSatisfiable)",
            2,
        ),
        ("echo '% SZS status Theorem for x'; exit 1", "exited (code 1)", 2),
        (
            "echo '% SZS status Theorem for x'; echo '% SZS output start Proof for x'",
            "broken-evidence (`SZS output start Proof` without its end)",
            2,
        ),
        ("kill -SEGV $$", "crashed (SIGSEGV)", 2),
        ("kill -KILL $$", "crashed (SIGKILL)", 2),
        ("echo '% SZS status Theorem for x'; kill -ABRT $$", "crashed (SIGABRT)", 2),
        ("echo '% SZS status Satisfiable for x'", "unfit-status (Satisfiable for entailment)", 1),
        ("echo '% SZS status GaveUp for x'; exit 1", "gave-up", 1),
        ("echo '% SZS status Timeout for x'; exit 1", "timeout", 1),
        ("echo '% SZS status MemoryOut for x'; exit 1", "memory-out", 1),
        ("echo '% SZS status TypeError for x'; exit 1", "failed (TypeError)", 1),
        ("echo 'User error: no'; exit 4", "input-error (no)", 1),
        ("yes", "output-overflow", 1),
    ];
    for (body, expected, runs) in cases {
        let start = Instant::now();
        let (reason, n) = reason(body, LONG);
        assert!(start.elapsed().as_secs_f64() < LONG / 2.0, "{body}: {:?}", start.elapsed());
        assert_eq!((reason.to_string().as_str(), n), (expected, runs), "{body}");
        assert!(expected.starts_with(reason.word()));
    }
}

#[test]
fn a_prover_that_sleeps_for_ever_and_ignores_sigterm_is_a_timeout_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("pids");
    let body = format!(
        "trap '' TERM; echo '% SZS status Theorem for x'; echo $$ >> {0}; sleep 60 & echo $! >> {0}; while :; do sleep 60; done",
        file.display()
    );
    let start = Instant::now();
    // Long enough to have written its number down, also under load.
    assert_eq!(reason(&body, 1.0), (Reason::Timeout, 1));
    assert!(start.elapsed() < Duration::from_secs(10), "it sleeps for a minute: {:?}", start.elapsed());
    assert_eq!(pids(&file).len(), 2);
    assert_gone(&pids(&file));
}

#[test]
fn a_grandchild_that_holds_the_output_open_does_not_delay_the_answer() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("pids");
    let body = format!("sleep 60 & echo $! > {}; echo '% SZS status Theorem for x'", file.display());
    let start = Instant::now();
    let answer = ask_fake(&body, &schedule(&[], 30.0));
    assert!(matches!(answer.outcome, Outcome::Decided { status: Szs::Theorem, decision: Decision::Follows, .. }));
    assert!(start.elapsed() < Duration::from_secs(2));
    assert_gone(&pids(&file));
}

#[test]
fn a_prover_that_does_not_read_the_problem_may_still_answer() {
    let dir = tempfile::tempdir().unwrap();
    let vampire = fake(dir.path(), "exec <&-; echo '% SZS status CounterSatisfiable for x'");
    let wide = format!("p({})", "a".repeat(1_000_000));
    let answer = ask(&vampire, &problem(&[&wide], Some("q(a)")), &schedule(&[], 5.0));
    assert!(matches!(answer.outcome, Outcome::Decided { decision: Decision::DoesNotFollow, .. }), "{answer:?}");
}

#[test]
fn a_crash_is_tried_again_once_and_then_the_next_attempt_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state");
    let body = format!(
        "echo x >> {0}; [ $(wc -l < {0}) -ge 2 ] || kill -SEGV $$; echo '% SZS status Theorem for x'",
        state.display()
    );
    let answer = ask_fake(&body, &schedule(&[], 5.0));
    assert!(matches!(answer.outcome, Outcome::Decided { .. }));
    assert_eq!(answer.runs.iter().map(|r| r.outcome.as_str()).collect::<Vec<_>>(), ["crashed (SIGSEGV)", "Theorem"]);

    let mut two = schedule(&["--first"], 5.0);
    let mut second = two.attempts[0].clone();
    second.name = "second".into();
    second.options = vec!["--second".into()];
    two.attempts.push(second);
    let body =
        "case \"$*\" in *--first) kill -SEGV $$;; *--second) echo '% SZS status CounterSatisfiable for x';; esac";
    let answer = ask_fake(body, &two);
    assert!(matches!(answer.outcome, Outcome::Decided { .. }));
    let runs: Vec<_> = answer.runs.iter().map(|r| (r.attempt.as_str(), r.outcome.as_str())).collect();
    assert_eq!(runs, [("only", "crashed (SIGSEGV)"), ("only", "crashed (SIGSEGV)"), ("second", "CounterSatisfiable")]);
    two.retries_after_crash = 0;
    assert_eq!(ask_fake(body, &two).runs.len(), 2);
}

#[test]
fn the_last_reason_stands_and_every_run_is_kept() {
    let mut two = schedule(&["--first"], 5.0);
    let mut second = two.attempts[0].clone();
    second.options = vec!["--second".into()];
    two.attempts.push(second);
    let body = "case \"$*\" in *--first) exit 0;; *) echo '% SZS status GaveUp for x';; esac";
    let answer = ask_fake(body, &two);
    assert_eq!(answer.outcome, Outcome::Undecided { reason: Reason::GaveUp });
    let outcomes: Vec<_> = answer.runs.iter().map(|r| r.outcome.as_str()).collect();
    assert_eq!(outcomes, ["no-status", "no-status", "gave-up"]);
}

#[test]
fn a_prover_that_vanishes_ends_the_schedule() {
    let dir = tempfile::tempdir().unwrap();
    let vampire = fake(dir.path(), "exit 0");
    std::fs::remove_file(dir.path().join("fake")).unwrap();
    let answer = ask(&vampire, &problem(&["p(a)"], None), &Schedule::default());
    assert!(matches!(answer.outcome, Outcome::Undecided { reason: Reason::NotFound(_) }));
    assert_eq!(answer.runs.len(), 1);
}

#[test]
fn a_schedule_without_attempts_says_so() {
    let none = Schedule { attempts: Vec::new(), ..Schedule::default() };
    assert_eq!(ask_fake("exit 0", &none).outcome, Outcome::Undecided { reason: Reason::NoAttempts });
}

#[test]
fn what_is_not_vampire_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (body, expected) in [
        ("echo 'grep 3.8'", "is not Vampire: its version is `grep 3.8`"),
        ("exit 2", "does not tell its version: exited (code 2)"),
        ("exit 0", "does not tell its version: no-status"),
    ] {
        let error = Vampire::standalone(&script(dir.path(), "other", body), Origin::Given).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
    }
}
