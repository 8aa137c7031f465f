//! Signals in the middle of a run: what ends with it, and what is left.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::json;

use super::TestEnvironment;

/// Two questions that are decided in no time, and one on which Vampire goes on for ever: every model is infinite.
const ENDLESS: &[(&[&str], &str)] = &[
    (&["∀x (Gull(x) → Loud(x))", "Gull(sandy)"], "Loud(sandy)"),
    (&["∀x (Gull(x) → Loud(x))", "Gull(sandy)"], "¬Loud(sandy)"),
    (
        &[
            "∀x ¬Before(x, x)",
            "∀x ∀y ∀z (Before(x, y) ∧ Before(y, z) → Before(x, z))",
            "∀x ∃y Before(x, y)",
            "∀x ∀y (Before(x, y) → ∃z (Before(x, z) ∧ Before(z, y)))",
        ],
        "∃x ∀y ¬Before(y, x)",
    ),
];

/// The records as `endless_train.jsonl`, the first two as `gulls_train.jsonl`, and one attempt of so many seconds.
fn environment(seconds: f64) -> TestEnvironment {
    let env = TestEnvironment::new();
    let lines: Vec<String> = ENDLESS
        .iter()
        .enumerate()
        .map(|(id, (premises, conclusion))| {
            let row = json!({
                "story_id": premises.len(), "example_id": id, "premises": vec!["A sentence."; premises.len()],
                "premises-FOL": premises, "conclusion": "A sentence.", "conclusion-FOL": conclusion, "label": "True",
            });
            format!("{row}\n")
        })
        .collect();
    env.write("endless_train.jsonl", lines.concat());
    env.write("gulls_train.jsonl", lines[..2].concat());
    let attempt =
        format!("[prover]\nretries_after_crash = 0\n[[prover.attempts]]\nname = \"only\"\ntime_limit = {seconds:?}\n");
    env.write("pipeline.toml", format!("[fixes]\nlevel = \"safe\"\n[verify]\nevidence = \"prover\"\n{attempt}"));
    env
}

const RUN: &[&str] = &["run", "--quiet", "--input", "endless_train.jsonl", "--jobs", "1", "--cache", "kept"];

fn start(command: &mut Command) -> Child {
    command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn children(pid: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let texts = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    texts.flat_map(|t| t.split_ascii_whitespace().map(|n| n.parse().unwrap()).collect::<Vec<u32>>()).collect()
}

/// Everything below a process.
fn descendants(pid: u32) -> BTreeSet<u32> {
    children(pid).into_iter().flat_map(|child| descendants(child).into_iter().chain([child])).collect()
}

/// The processes below a run once they have been the same for a while: those that work on the endless question.
fn working(run: &mut Child, expected: usize) -> BTreeSet<u32> {
    let start = Instant::now();
    let (mut last, mut since) = (BTreeSet::new(), Instant::now());
    loop {
        assert!(run.try_wait().unwrap().is_none(), "it ended before its time");
        assert!(start.elapsed() < Duration::from_secs(30), "{last:?} are below it");
        let now = descendants(run.id());
        if now != last {
            (last, since) = (now, Instant::now());
        } else if last.len() >= expected && since.elapsed() > Duration::from_millis(400) {
            return last;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn send(pids: impl IntoIterator<Item = u32>, signal: Signal) {
    pids.into_iter().for_each(|pid| kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), signal).unwrap());
}

/// That none of them runs; one that only waits to be reaped does not.
fn assert_gone(pids: &BTreeSet<u32>) {
    assert!(!pids.is_empty());
    let start = Instant::now();
    let runs = |pid: &u32| {
        // `pid (name) state …`
        fs::read_to_string(format!("/proc/{pid}/stat"))
            .is_ok_and(|s| !s.rsplit(')').next().unwrap_or_default().trim_start().starts_with(['Z', 'X']))
    };
    while pids.iter().any(runs) {
        assert!(start.elapsed() < Duration::from_secs(5), "{pids:?} are still there");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What a run over the two gulls writes; it has to end well.
fn gulls(env: &TestEnvironment, out: &str, more: &[&str]) -> Vec<Vec<u8>> {
    let arguments = [&["run", "--quiet", "--input", "gulls_train.jsonl", "--out", out], more].concat();
    assert_eq!(env.run(&arguments).success(), "");
    ["train.parquet", "manifest.json", "summary.md"].map(|file| env.bytes(&format!("{out}/{file}"))).into()
}

#[test]
fn an_interrupt_in_the_middle_of_a_question_leaves_nothing_but_the_cache() {
    for (mode, processes) in [("workers", 2), ("processes", 1)] {
        let env = environment(60.0);
        let before = gulls(&env, "out", &["--no-cache"]);
        let names = env.names("out");
        let mut run = start(&mut env.command(&[RUN, &["--prover-mode", mode]].concat()));
        let below = working(&mut run, processes);
        // As a terminal does it: to the whole group.
        kill_process_group(Pid::from_child(&run), Signal::INT).unwrap();
        let interrupted = Instant::now();
        let output = run.wait_with_output().unwrap();
        assert!(interrupted.elapsed() < Duration::from_secs(5), "{:?}", interrupted.elapsed());
        assert_eq!(output.status.code(), Some(130), "{mode}: {output:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "error: interrupted\n");
        assert_gone(&below);
        // What an earlier run wrote is as it was, and nothing half-written lies beside it.
        assert_eq!(env.names("out"), names);
        assert!(env.bytes("out/train.parquet") == before[0]);
        // What was answered before is kept and sound; the question that was broken off is not.
        let stats = env.run(&["cache", "stats", "--cache", "kept"]).success();
        assert!(!stats.contains(" 0 answers"), "{stats}");
        let verified = env.run(&["cache", "verify", "--all", "--cache", "kept"]).success();
        assert!(
            verified.contains(" answers: 0 damaged;") && verified.contains(" 0 different, 0 unanswered;"),
            "{verified}"
        );
        assert!(gulls(&env, "recalled", &["--cache", "kept"]) == before, "{mode}");
        assert_eq!(env.run(&["cache", "stats", "--cache", "kept"]).success(), stats, "both were recalled");
    }
}

#[test]
fn even_stopped_workers_die_with_a_run_that_is_killed() {
    let env = environment(60.0);
    // Whoever adopts them is in their session, as in many a container: else the system itself would end stopped processes
    // that nobody is left to wake.
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).unwrap();
    let mut run = start(&mut env.command(RUN));
    let below = working(&mut run, 2);
    send(below.iter().copied(), Signal::STOP);
    run.kill().unwrap();
    run.wait().unwrap();
    assert_gone(&below);
    // The next run is as if there had been none before.
    let after = gulls(&env, "out", &["--cache", "kept"]);
    assert_eq!(
        env.names("out"),
        ["evidence.parquet", "manifest.json", "report.html", "summary.md", "timings.parquet", "train.parquet"]
    );
    assert!(gulls(&env, "other", &["--no-cache"]) == after);
}

#[test]
fn a_stopped_worker_or_child_costs_its_time_and_no_row() {
    for whole in [true, false] {
        let env = environment(1.5);
        let mut run = start(&mut env.command(RUN));
        let below = working(&mut run, 2);
        let worker = children(run.id());
        assert_eq!(worker.len(), 1);
        let stopped = if whole { worker } else { children(worker[0]) };
        send(stopped, Signal::STOP);
        let output = run.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()), "{whole}");
        assert_gone(&below);
        let summary = env.text("out/summary.md");
        assert!(summary.contains("| train | 3 | 1 "), "{summary}");
        let manifest: serde_json::Value = serde_json::from_slice(&env.bytes("out/manifest.json")).unwrap();
        let verdicts = &manifest["counts"]["train"]["leaving"]["verdict"];
        assert_eq!(
            (&verdicts["True"], &verdicts["False"], &verdicts["Undetermined"]),
            (&json!(1), &json!(1), &json!(1))
        );
    }
}
