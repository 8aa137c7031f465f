//! Workers: the same findings as processes, whatever was asked before, and nothing believed of one that misbehaves.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use refolio::prove::process::{Command, End, Finished, Limits};
use refolio::prove::vampire::Vampire;
use refolio::prove::worker::{Fault, Question, Reply, Worker, WorkerVampire};
use refolio::prove::{Attempt, Problem, Prover, Reason, Run, Schedule, Szs};
use rustix::process::{Pid, Signal, kill_process};

use crate::vampire::hungry;
use crate::{assert_gone, endless, pids, problem, script};

const MEMORY_MB: u64 = 1024;

fn vampire() -> Vampire {
    Vampire::bundled(Path::new(env!("CARGO_BIN_EXE_refolio"))).unwrap()
}

fn attempt(options: &[&str], time_limit: f64) -> Attempt {
    let options = options.iter().map(|&o| o.to_owned()).collect();
    Attempt { name: "only".to_owned(), options, time_limit }
}

/// Problems of several kinds: theorems, countermodels, contradictions, a refusal.
fn problems() -> Vec<Problem> {
    vec![
        problem(&["p(a)", "! [X] : (p(X) => q(X))"], Some("q(a)")),
        problem(&["p(a)", "! [X] : (p(X) => q(X))"], Some("q(b)")),
        problem(&["p(a)", "~ p(a)"], None),
        problem(&["p(a) | q(a)", "~ p(a)"], None),
        problem(&["! [X] : ? [Y] : r(X,Y)", "! [X,Y] : (r(X,Y) => s(Y))"], Some("? [Z] : s(Z)")),
        problem(&["a = b", "f(a) = c"], Some("f(b) = c")),
        problem(&["p(", "q"], None),
    ]
}

/// What a run came to, with the one word that may differ between a worker and a process taken out of it.
fn outcome(run: &Run) -> String {
    format!("{:?}", run.outcome)
}

#[test]
fn workers_and_processes_find_the_same() {
    let (plain, workers) = (vampire(), WorkerVampire::new(vampire()));
    for attempt in &Schedule::default().attempts {
        for problem in problems() {
            let process = plain.run(&problem, attempt, MEMORY_MB);
            let runs = workers.runs(&problem, attempt, MEMORY_MB);
            assert_eq!(outcome(&runs[0]), outcome(&process), "{}: {}", attempt.name, problem.to_tptp());
            assert_eq!(runs.len(), 1);
        }
    }
}

#[test]
fn a_finding_does_not_depend_on_what_was_asked_before() {
    let workers = WorkerVampire::new(vampire());
    let attempt = attempt(&[], 5.0);
    let ask = |p: &Problem| outcome(&workers.run(p, &attempt, MEMORY_MB));
    let problems = problems();
    let first: Vec<String> = problems.iter().map(ask).collect();
    assert!(first[0].contains("Theorem") && first[1].contains("CounterSatisfiable"), "{first:?}");
    // Many symbols that the others lack: in a process that is used again they would renumber and rename what follows.
    for i in 0..50 {
        ask(&problem(&[&format!("s{i}(c{i})"), &format!("! [X] : (s{i}(X) => ? [Y] : t{i}(X,Y))")], Some("s0(c1)")));
    }
    for (i, problem) in problems.iter().enumerate().rev() {
        assert_eq!(ask(problem), first[i]);
    }
    assert_eq!(ask(&problems[0]), ask(&problems[0]));
}

#[test]
fn limits_hold_in_workers() {
    let workers = WorkerVampire::new(vampire());
    let start = Instant::now();
    let runs = workers.runs(&endless(), &attempt(&[], 0.3), MEMORY_MB);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    assert_eq!(runs.iter().map(|r| r.outcome.clone()).collect::<Vec<_>>(), [Err(Reason::Timeout)]);
    let memory = workers.run(&hungry(), &attempt(&["-sa", "discount"], 20.0), 24);
    assert_eq!(memory.outcome, Err(Reason::MemoryOut));
    // The worker that was held is as good as before.
    let after = workers.runs(&problems()[0], &attempt(&[], 0.3), MEMORY_MB);
    assert_eq!(after.len(), 1);
    assert_eq!(after[0].outcome.as_ref().unwrap().status, Szs::Theorem);
}

#[test]
fn a_command_line_that_vampire_refuses_is_told_as_a_process_tells_it() {
    let workers = WorkerVampire::new(vampire());
    let attempt = attempt(&["--no_such_option", "on"], 1.0);
    for _ in 0..5 {
        let run = workers.run(&problems()[0], &attempt, MEMORY_MB);
        assert_eq!(outcome(&run), outcome(&vampire().run(&problems()[0], &attempt, MEMORY_MB)));
        assert!(run.outcome.is_err());
    }
}

/// A folder for a fake worker, and the prover that starts it.
struct Fake {
    folder: tempfile::TempDir,
}

impl Fake {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A worker that is this script.
    fn worker(&self, body: &str) -> WorkerVampire {
        let program = script(self.folder.path(), "worker", &format!("cd '{}'\n{body}", self.folder.path().display()));
        WorkerVampire::with_program(vampire(), Command { program, args: Vec::new(), env: Vec::new() })
    }

    /// A real one, whose process number is in the file `pids`. It compares all memory of a child that stays with what
    /// it was, after each question, and ends the child if there is a difference.
    fn real(&self) -> WorkerVampire {
        let refolio = env!("CARGO_BIN_EXE_refolio");
        self.worker(&format!("echo $$ >> pids\nREFOLIO_CHECK_REWINDING=1 exec '{refolio}' __worker \"$@\""))
    }

    /// One that sends these bytes, whatever it is asked, and then waits.
    fn sending(&self, bytes: &[u8], then: &str) -> WorkerVampire {
        std::fs::write(self.path("reply"), bytes).unwrap();
        self.worker(&format!("cat reply; {then}"))
    }
}

/// Asks what is decided in no time, and expects the worker's fault first and a process's answer then.
fn asked_again(workers: &WorkerVampire) -> Reason {
    let attempt = attempt(&[], 0.5);
    let runs = workers.runs(&problems()[0], &attempt, MEMORY_MB);
    assert_eq!(runs.len(), 2, "{runs:?}");
    assert_eq!(outcome(&runs[1]), outcome(&vampire().run(&problems()[0], &attempt, MEMORY_MB)));
    runs[0].outcome.clone().unwrap_err()
}

/// A reply of success that no Vampire gave, to a question of that number with that digest.
fn forged(id: u64, question: [u8; 16]) -> Reply {
    let stdout = b"% SZS status CounterSatisfiable for x\n".to_vec();
    let finished = Finished { end: End::Exited(0), stdout, stderr: Vec::new(), wall: Duration::ZERO };
    Reply { id, question, finished }
}

#[test]
fn an_answer_to_another_question_is_not_believed() {
    let stale =
        Question { id: 1, wall: Duration::from_secs(1), output_bytes: 1, problem: b"fof(a, axiom, p).".to_vec() };
    let (_, digest) = stale.encode();
    let reason = asked_again(&Fake::new().sending(&forged(1, digest).encode(), "cat > /dev/null"));
    assert_eq!(reason.to_string(), "worker-garbled (the worker answered another text under number 1)");
    let reason = asked_again(&Fake::new().sending(&forged(7, digest).encode(), "cat > /dev/null"));
    assert_eq!(reason.to_string(), "worker-garbled (the worker answered question 7 instead of 1)");
}

#[test]
fn a_torn_or_damaged_frame_is_not_believed() {
    let whole = forged(1, [0; 16]).encode();
    let cut = &whole[..whole.len() - 5];
    let reason = asked_again(&Fake::new().sending(cut, "exit 0"));
    assert!(matches!(reason, Reason::WorkerLost(_)), "{reason}");
    let start = Instant::now();
    assert_eq!(asked_again(&Fake::new().sending(cut, "cat > /dev/null")), Reason::WorkerStuck);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    let mut flipped = whole.clone();
    flipped[70] ^= 4;
    for (bytes, why) in [
        (flipped, "a damaged frame"),
        ([&whole[..], b"x"].concat(), "the worker sent 1 bytes beyond its reply"),
        (b"% SZS status Theorem for x\n".to_vec(), "no frame of this format: it starts with [25, 20, 53, 5a]"),
    ] {
        let reason = asked_again(&Fake::new().sending(&bytes, "cat > /dev/null"));
        assert_eq!(reason.to_string(), format!("worker-garbled ({why})"));
    }
}

#[test]
fn a_worker_that_ends_or_cannot_start_costs_one_question() {
    assert!(matches!(asked_again(&Fake::new().worker("exit 3")), Reason::WorkerLost(how) if how.contains('3')));
    let nowhere = Command { program: "/nonexistent/worker".into(), args: Vec::new(), env: Vec::new() };
    let reason = asked_again(&WorkerVampire::with_program(vampire(), nowhere));
    assert!(matches!(reason, Reason::WorkerLost(_)), "{reason}");
}

/// Sends a signal to the worker while it works on a question that takes longer than its limit.
fn disturbed(signal: Signal) -> (Vec<String>, Fake) {
    let fake = Fake::new();
    let workers = fake.real();
    let attempt = attempt(&[], 0.6);
    let runs = std::thread::scope(|scope| {
        let asked = scope.spawn(|| workers.runs(&endless(), &attempt, MEMORY_MB));
        let start = Instant::now();
        while !fake.path("pids").exists() || pids(&fake.path("pids")).is_empty() {
            assert!(start.elapsed() < Duration::from_secs(5), "the worker does not start");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(200));
        for pid in pids(&fake.path("pids")) {
            kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), signal).unwrap();
        }
        asked.join().unwrap()
    });
    // The worker after it answers as if nothing had happened, without a process.
    let next = workers.runs(&problems()[0], &attempt, MEMORY_MB);
    assert_eq!(next.len(), 1, "{next:?}");
    assert_eq!(next[0].outcome.as_ref().unwrap().status, Szs::Theorem);
    assert_eq!(pids(&fake.path("pids")).len(), 2, "one worker, and one in its place");
    (runs.into_iter().map(|r| r.outcome.unwrap_err().to_string()).collect(), fake)
}

#[test]
fn a_worker_that_is_killed_costs_one_question() {
    let (outcomes, fake) = disturbed(Signal::KILL);
    assert_eq!(outcomes, ["worker-lost (signal: 9 (SIGKILL))", "timeout"]);
    assert_gone(&pids(&fake.path("pids")));
}

#[test]
fn a_worker_that_is_stopped_costs_one_question() {
    let (outcomes, fake) = disturbed(Signal::STOP);
    assert_eq!(outcomes, ["worker-stuck", "timeout"]);
    assert_gone(&pids(&fake.path("pids")));
}

/// A worker with Vampire's options, and limits that hold for a minute.
fn one_worker(options: &[&str]) -> (Worker, Limits) {
    let args = ["__worker", "0", "--time_limit", "60"].iter().chain(options).map(|&arg| arg.into()).collect();
    let command = Command { program: env!("CARGO_BIN_EXE_refolio").into(), args, env: Vec::new() };
    let limits = Limits {
        wall: Duration::from_secs(60),
        grace: Duration::from_secs(1),
        output_bytes: 1_000_000,
        address_space: None,
    };
    (Worker::start(&command).unwrap(), limits)
}

#[test]
fn a_child_that_prints_without_end_is_stopped_for_that() {
    let (mut worker, limits) = one_worker(&["--show_new", "on"]);
    let mut ask = |problem: &Problem, output_bytes| {
        let limits = Limits { output_bytes, ..limits.clone() };
        worker.ask(problem.to_tptp().as_bytes(), &limits, &AtomicBool::new(false)).unwrap()
    };
    let overflow = ask(&endless(), 1_000_000);
    assert_eq!((overflow.end, overflow.stdout.len()), (End::OutputOverflow, 1_000_000), "cut where the limit is");
    let (start, _) = overflow.stdout.split_at(1000);
    assert!(String::from_utf8_lossy(start).contains("[SA] new: "), "what came first is kept");
    // One that has ended on its own has no more than its share either.
    let small = ask(&problems()[0], 10);
    assert_eq!((small.end, small.stdout.len()), (End::OutputOverflow, 10));
    // The worker is as good as before.
    let whole = ask(&problems()[0], 1_000_000);
    assert_eq!(whole.end, End::Exited(0));
    assert!(String::from_utf8(whole.stdout).unwrap().contains("% SZS status Theorem"));
}

#[test]
fn a_worker_can_be_cancelled() {
    let (mut worker, limits) = one_worker(&[]);
    let cancelled = AtomicBool::new(false);
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            cancelled.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let fault = worker.ask(endless().to_tptp().as_bytes(), &limits, &cancelled).unwrap_err();
        assert!(matches!(fault, Fault::Cancelled), "{fault}");
    });
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

/// Linux takes the thread that starts a process for its parent.
#[test]
fn a_worker_outlives_the_thread_that_first_asked_it() {
    let fake = Fake::new();
    let workers = fake.real();
    let attempt = attempt(&[], 5.0);
    let ask = || workers.runs(&problems()[0], &attempt, MEMORY_MB);
    for _ in 0..3 {
        let runs = std::thread::scope(|scope| scope.spawn(ask).join().unwrap());
        assert_eq!(runs.iter().map(|r| r.outcome.as_ref().unwrap().status).collect::<Vec<_>>(), [Szs::Theorem]);
        // Time for a signal to arrive.
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(pids(&fake.path("pids")).len(), 1, "one worker for all");
}

#[test]
#[cfg(target_os = "linux")]
fn workers_and_their_children_die_with_their_parent() {
    // The parent is a shell that starts a worker, hands it a question, and is killed.
    let question = Question {
        id: 1,
        wall: Duration::from_secs(60),
        output_bytes: 1_000_000,
        problem: endless().to_tptp().into_bytes(),
    };
    let fake = Fake::new();
    std::fs::write(fake.path("question"), question.encode().0).unwrap();
    let body = format!(
        "cd '{}'\n{{ cat question; exec sleep 60; }} | '{}' __worker 0 --time_limit 60 > reply & echo $! > pids\nwait",
        fake.folder.path().display(),
        env!("CARGO_BIN_EXE_refolio")
    );
    let program = script(fake.folder.path(), "parent", &body);
    let mut parent = {
        use std::os::unix::process::CommandExt as _;
        std::process::Command::new(program).process_group(0).spawn().unwrap()
    };
    let start = Instant::now();
    let (worker, child) = loop {
        assert!(start.elapsed() < Duration::from_secs(5), "no child is forked");
        std::thread::sleep(Duration::from_millis(10));
        if let Some(&worker) = pids_if_any(&fake.path("pids")).first()
            && let Some(&child) = children(worker).first()
        {
            break (worker, child);
        }
    };
    let sleeper = children(parent.id()).into_iter().filter(|&p| p != worker).collect::<Vec<_>>();
    parent.kill().unwrap();
    parent.wait().unwrap();
    for pid in sleeper {
        let _ = kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), Signal::KILL);
    }
    assert_gone(&[worker, child]);
}

#[cfg(target_os = "linux")]
fn children(pid: u32) -> Vec<u32> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    text.split_ascii_whitespace().map(|n| n.parse().unwrap()).collect()
}

/// The children of the one worker that was started.
#[cfg(target_os = "linux")]
fn children_of_worker(fake: &Fake) -> Vec<u32> {
    children(pids(&fake.path("pids"))[0])
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn a_child_stays_and_meets_every_question_with_the_memory_it_began_with() {
    let fake = Fake::new();
    let (plain, workers) = (vampire(), fake.real());
    let attempt = attempt(&[], 5.0);
    let problems = problems();
    let mut child = Vec::new();
    for i in 0..60 {
        let strange = problem(&[&format!("s{i}(c{i})"), &format!("! [X] : (s{i}(X) => ? [Y] : t(X,Y))")], Some("q(c)"));
        for problem in [&strange, &problems[i % problems.len()]] {
            let runs = workers.runs(problem, &attempt, MEMORY_MB);
            assert_eq!(runs.len(), 1, "{runs:?}");
            if i < problems.len() {
                assert_eq!(outcome(&runs[0]), outcome(&plain.run(problem, &attempt, MEMORY_MB)));
            }
            if child.is_empty() {
                child = children_of_worker(&fake);
                assert_eq!(child.len(), 1);
            }
            assert_eq!(children_of_worker(&fake), child, "it answered this one, too");
        }
    }
    assert_eq!(pids(&fake.path("pids")).len(), 1);
    drop(workers);
    assert_gone(&child);
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn a_child_that_is_killed_costs_one_question_and_not_the_worker() {
    let fake = Fake::new();
    let workers = fake.real();
    let attempt = attempt(&[], 0.6);
    assert_eq!(workers.runs(&problems()[0], &attempt, MEMORY_MB).len(), 1);
    let child = children_of_worker(&fake);
    let runs = std::thread::scope(|scope| {
        let asked = scope.spawn(|| workers.runs(&endless(), &attempt, MEMORY_MB));
        std::thread::sleep(Duration::from_millis(200));
        kill_process(Pid::from_raw(child[0].cast_signed()).unwrap(), Signal::KILL).unwrap();
        asked.join().unwrap()
    });
    let outcomes: Vec<String> = runs.into_iter().map(|r| r.outcome.unwrap_err().to_string()).collect();
    assert_eq!(outcomes, ["crashed (SIGKILL)", "timeout"]);
    assert_eq!(workers.runs(&problems()[0], &attempt, MEMORY_MB).len(), 1);
    let next = children_of_worker(&fake);
    assert!(next.len() == 1 && next != child, "{next:?} after {child:?}");
    assert_eq!(pids(&fake.path("pids")).len(), 1, "one worker throughout");
}

#[test]
fn questions_and_answers_of_any_length_are_whole() {
    let fake = Fake::new();
    let (plain, workers) = (vampire(), fake.real());
    let attempt = attempt(&[], 20.0);
    // The answer names every one of these: more than a child has room for, and a question of more than that.
    for count in [10, 3000, 16_000] {
        let facts: Vec<String> = (0..count).map(|i| format!("p{}(c{i})", i % 7)).collect();
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        let problem = problem(&facts, None);
        let runs = workers.runs(&problem, &attempt, MEMORY_MB);
        assert_eq!(runs.len(), 1);
        assert_eq!(outcome(&runs[0]), outcome(&plain.run(&problem, &attempt, MEMORY_MB)), "{count}");
        assert!(runs[0].outcome.is_ok());
    }
}

fn pids_if_any(file: &Path) -> Vec<u32> {
    if file.exists() { pids(file) } else { Vec::new() }
}
