//! One program under limits.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use refolio::prove::process::{Command, End, Finished, Limits, ProcessError, run, run_until};

use crate::{assert_gone, pids};

fn sh(body: &str) -> Command {
    Command { program: "/bin/sh".into(), args: vec!["-c".into(), body.into()], env: Vec::new() }
}

fn limits() -> Limits {
    Limits {
        wall: Duration::from_secs(10),
        grace: Duration::from_millis(150),
        output_bytes: 16 * 1024 * 1024,
        address_space: None,
    }
}

fn within(wall_ms: u64) -> Limits {
    Limits { wall: Duration::from_millis(wall_ms), ..limits() }
}

fn finish(body: &str, input: &[u8], limits: &Limits) -> Finished {
    run(&sh(body), input, limits).unwrap()
}

#[test]
fn output_exit_code_and_environment_come_through() {
    let command = Command { env: vec![("WORD".into(), "hello".into())], ..sh("echo $WORD; echo oops >&2; exit 7") };
    let finished = run(&command, b"", &limits()).unwrap();
    assert_eq!(finished.end, End::Exited(7));
    assert_eq!((finished.stdout.as_slice(), finished.stderr.as_slice()), (&b"hello\n"[..], &b"oops\n"[..]));
}

#[test]
fn a_signal_is_told_from_an_exit() {
    assert_eq!(finish("kill -SEGV $$", b"", &limits()).end, End::Signalled(11));
    assert_eq!(finish("kill -KILL $$", b"", &limits()).end, End::Signalled(9));
}

#[test]
fn large_input_and_output_do_not_block_each_other() {
    let input: Vec<u8> = (0..4_000_000_u32).map(|i| b'a' + u8::try_from(i % 26).unwrap()).collect();
    let finished = finish("cat", &input, &limits());
    assert_eq!(finished.end, End::Exited(0));
    assert!(finished.stdout == input);
}

#[test]
fn a_program_that_refuses_its_input_is_no_error() {
    let input = vec![b'x'; 1_000_000];
    let finished = finish("exec <&-; sleep 0.05; echo done", &input, &limits());
    assert_eq!((finished.end, finished.stdout.as_slice()), (End::Exited(0), &b"done\n"[..]));
    assert_eq!(finish("echo done", &input, &limits()).stdout, b"done\n");
}

#[test]
fn a_program_that_closes_its_output_and_works_on_is_waited_for() {
    let finished = finish("exec >&- 2>&- <&-; sleep 0.2; exit 5", b"", &limits());
    assert_eq!(finished.end, End::Exited(5));
    assert!(finished.wall >= Duration::from_millis(200));
}

#[test]
fn the_time_limit_ends_a_program_that_ignores_sigterm_and_all_its_children() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("pids");
    let body = format!(
        "trap '' TERM; echo $$ >> {0}; sh -c 'echo $$ >> {0}; exec sleep 60' & while :; do sleep 60; done",
        file.display()
    );
    let finished = finish(&body, b"", &within(300));
    assert_eq!(finished.end, End::TimedOut);
    assert!(finished.wall >= Duration::from_millis(300) && finished.wall < Duration::from_millis(1500), "{finished:?}");
    assert_eq!(pids(&file).len(), 2);
    assert_gone(&pids(&file));
}

#[test]
fn a_program_that_heeds_sigterm_may_say_a_last_word() {
    let finished = finish("trap 'echo bye; exit 0' TERM; while :; do sleep 0.02; done", b"", &within(200));
    assert_eq!((finished.end, finished.stdout.as_slice()), (End::TimedOut, &b"bye\n"[..]));
}

#[test]
fn a_grandchild_that_holds_the_pipe_does_not_hold_us_and_dies() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("pids");
    let finished = finish(&format!("sleep 60 & echo $! > {}; echo done", file.display()), b"", &limits());
    assert_eq!((finished.end, finished.stdout.as_slice()), (End::Exited(0), &b"done\n"[..]));
    assert!(finished.wall < Duration::from_secs(1), "{finished:?}");
    assert_gone(&pids(&file));
}

#[test]
fn a_flood_is_cut_at_the_cap() {
    for stream in ["", " >&2"] {
        let finished = finish(&format!("yes{stream}"), b"", &Limits { output_bytes: 100_000, ..limits() });
        assert_eq!(finished.end, End::OutputOverflow);
        assert!(finished.stdout.len() <= 100_000 && finished.stderr.len() <= 100_000);
        assert_eq!(finished.stdout.len() + finished.stderr.len(), 100_000);
    }
    // A program that is gone before its last output is read.
    let finished = finish("head -c 50000 /dev/zero", b"", &Limits { output_bytes: 49_999, ..limits() });
    assert_eq!(finished.end, End::OutputOverflow);
    let finished = finish("head -c 50000 /dev/zero", b"", &Limits { output_bytes: 50_000, ..limits() });
    assert_eq!((finished.end, finished.stdout.len()), (End::Exited(0), 50_000));
}

#[test]
fn cancelling_stops_a_run_at_once_and_starts_none() {
    let flag = AtomicBool::new(false);
    let start = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            flag.store(true, Ordering::Relaxed);
        });
        let finished = run_until(&sh("sleep 60"), b"", &limits(), &flag).unwrap();
        assert_eq!(finished.end, End::Cancelled);
    });
    assert!(start.elapsed() < Duration::from_millis(400), "{:?}", start.elapsed());
    let dir = tempfile::tempdir().unwrap();
    let trace = dir.path().join("trace");
    let finished = run_until(&sh(&format!("touch {}", trace.display())), b"", &limits(), &flag).unwrap();
    assert_eq!(finished.end, End::Cancelled);
    assert!(!trace.exists());
}

#[test]
#[cfg(target_os = "linux")]
fn the_address_space_is_limited() {
    let body = "sleep 0.05; ulimit -v";
    let finished = finish(body, b"", &Limits { address_space: Some(512 * 1024 * 1024), ..limits() });
    assert_eq!(String::from_utf8_lossy(&finished.stdout).trim(), (512 * 1024).to_string());
}

#[test]
fn a_program_that_is_not_there_is_told_from_one_that_may_not_run() {
    let command = |program: &Path| Command { program: program.to_owned(), args: Vec::new(), env: Vec::new() };
    let missing = run(&command(Path::new("/nonexistent/prover")), b"", &limits());
    assert!(matches!(missing, Err(ProcessError::NotFound(p)) if p == Path::new("/nonexistent/prover")));
    let file = tempfile::NamedTempFile::new().unwrap();
    assert!(matches!(run(&command(file.path()), b"", &limits()), Err(ProcessError::Start { .. })));
}

#[test]
fn many_threads_at_once_get_their_own_output() {
    thread::scope(|scope| {
        for t in 0..8 {
            scope.spawn(move || {
                for i in 0..25 {
                    let word = format!("{t}-{i}");
                    let finished = finish("cat; exit 3", word.as_bytes(), &limits());
                    assert_eq!((finished.end, finished.stdout.as_slice()), (End::Exited(3), word.as_bytes()));
                }
            });
        }
    });
}
