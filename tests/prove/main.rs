//! Provers, real and misbehaving, as processes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[cfg(feature = "bundled-vampire")]
mod bundled;
mod cache;
mod doctor;
mod eprover;
#[path = "../support/fake.rs"]
mod fake;
mod misbehaviour;
mod process;
#[cfg(feature = "bundled-vampire")]
mod vampire;
#[cfg(feature = "bundled-vampire")]
mod worker;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use fake::script;
use refolio::prove::{Attempt, Problem, Role, Schedule, Statement};

/// A problem of axioms `premise_0`, `premise_1`, … and perhaps a conjecture `goal`.
fn problem(axioms: &[&str], conjecture: Option<&str>) -> Problem {
    let statement =
        |name: String, role, formula: &str| Statement { name, role, formula: formula.to_owned(), comments: Vec::new() };
    let axioms = axioms.iter().enumerate().map(|(i, f)| statement(format!("premise_{i}"), Role::Axiom, f));
    let goal = conjecture.map(|f| statement("goal".to_owned(), Role::Conjecture, f));
    Problem { statements: axioms.chain(goal).collect(), ..Problem::default() }
}

/// A problem on which saturation goes on for ever and which has infinite models only.
fn endless() -> Problem {
    problem(
        &[
            "! [X] : ~ lt(X,X)",
            "! [X,Y,Z] : ((lt(X,Y) & lt(Y,Z)) => lt(X,Z))",
            "! [X] : ? [Y] : lt(X,Y)",
            "! [X,Y] : (lt(X,Y) => ? [Z] : (lt(X,Z) & lt(Z,Y)))",
        ],
        Some("? [X] : ! [Y] : ~ lt(Y,X)"),
    )
}

fn schedule(options: &[&str], time_limit: f64) -> Schedule {
    let options = options.iter().map(|&o| o.to_owned()).collect();
    Schedule { attempts: vec![Attempt { name: "only".to_owned(), options, time_limit }], ..Schedule::default() }
}

/// The process numbers that a script has left in a file, one a line.
fn pids(file: &Path) -> Vec<u32> {
    fs::read_to_string(file).unwrap().lines().map(|l| l.trim().parse().unwrap()).collect()
}

/// Whether a process still runs. One that is dead and only waits to be reaped by whoever adopted it does not.
fn runs(pid: u32) -> bool {
    if cfg!(target_os = "linux") {
        // `pid (name) state …`; the name may hold brackets and blanks.
        return fs::read_to_string(format!("/proc/{pid}/stat"))
            .is_ok_and(|s| !s.rsplit(')').next().unwrap_or_default().trim_start().starts_with(['Z', 'X']));
    }
    std::process::Command::new("kill").args(["-0", &pid.to_string()]).output().is_ok_and(|o| o.status.success())
}

/// Death by SIGKILL takes a moment to be seen.
fn assert_gone(pids: &[u32]) {
    assert!(!pids.is_empty());
    let start = Instant::now();
    while pids.iter().any(|&p| runs(p)) {
        assert!(start.elapsed() < Duration::from_secs(2), "still running: {pids:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
