//! `refolio vampire` is the whole Vampire.

use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use refolio::prove::process::{self, End, Limits};

use crate::endless;

const THEOREM: &str = "fof(a, axiom, ! [X] : (p(X) => q(X))).\nfof(b, axiom, p(c)).\nfof(g, conjecture, q(c)).\n";
const NO_THEOREM: &str = "fof(a, axiom, ! [X] : (p(X) => q(X))).\nfof(g, conjecture, q(c)).\n";

fn vampire(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_refolio"))
        .arg("vampire")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn it_tells_its_version_and_options() {
    let version = vampire(&["--version"], "");
    assert!(said(&version).starts_with("Vampire 5.0.0"), "{version:?}");
    assert_eq!(version.status.code(), Some(0));
    let help = vampire(&["--help"], "");
    assert!(said(&help).contains("Usage"), "{}", said(&help));
}

#[test]
fn every_mode_works() {
    let portfolio = ["--mode", "casc", "-t", "20"];
    let two_cores = ["--mode", "casc", "--cores", "2", "-t", "20"];
    let models = ["--mode", "casc", "--intent", "sat", "-t", "20"];
    for (args, input, status) in [
        (&[][..], THEOREM, "Theorem"),
        (&["-sa", "fmb"], NO_THEOREM, "CounterSatisfiable"),
        (&portfolio, THEOREM, "Theorem"),
        (&two_cores, THEOREM, "Theorem"),
        (&models, NO_THEOREM, "CounterSatisfiable"),
    ] {
        let output = vampire(args, input);
        assert_eq!(output.status.code(), Some(0), "{args:?} {output:?}");
        assert!(
            said(&output).lines().any(|l| l.starts_with(&format!("% SZS status {status} for"))),
            "{args:?} {output:?}"
        );
    }
    let clauses = vampire(&["--mode", "clausify"], THEOREM);
    assert!(said(&clauses).contains("cnf("), "{clauses:?}");
}

#[test]
fn it_reads_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.p");
    std::fs::write(&file, THEOREM).unwrap();
    let output = vampire(&[file.to_str().unwrap()], "");
    assert!(said(&output).contains("% SZS status Theorem for a"), "{output:?}");
}

#[test]
fn errors_have_vampires_exit_code() {
    let output = vampire(&[], "fof(a, axiom, p( ).\n");
    assert_eq!(output.status.code(), Some(4));
    assert!(said(&output).contains("parse error"), "{output:?}");
    assert_eq!(vampire(&["--no_such_option", "on"], "").status.code(), Some(4));
}

#[test]
fn it_stops_by_itself_when_its_time_is_up() {
    for options in [&["-sa", "discount"][..], &["-sa", "fmb", "-updr", "off"]] {
        let command = process::Command {
            program: env!("CARGO_BIN_EXE_refolio").into(),
            args: ["vampire", "-t", "0.3"].iter().chain(options).map(Into::into).collect(),
            env: Vec::new(),
        };
        let limits = Limits {
            wall: Duration::from_secs(10),
            grace: Duration::ZERO,
            output_bytes: 1024 * 1024,
            address_space: None,
        };
        let finished = process::run(&command, endless().to_tptp().as_bytes(), &limits).unwrap();
        assert_eq!(finished.end, End::Exited(1), "{options:?}");
        assert!(String::from_utf8_lossy(&finished.stdout).lines().any(|l| l.trim() == "% Time limit reached!"));
    }
}

/// Starts a portfolio on a problem without end.
fn start() -> std::process::Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_refolio"))
        .args(["vampire", "--mode", "casc", "--intent", "sat", "-t", "30"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(endless().to_tptp().as_bytes()).unwrap();
    child
}

#[test]
fn sigterm_stops_it_with_vampires_code() {
    let mut child = start();
    std::thread::sleep(Duration::from_millis(300));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let start = Instant::now();
    let status = child.wait().unwrap();
    assert!(start.elapsed() < Duration::from_secs(2));
    assert_eq!(status.code(), Some(3), "{status:?}");
}

#[test]
fn a_reader_that_goes_away_stops_it() {
    let (reader, writer) = std::io::pipe().unwrap();
    // Gone before anything is written: what it prints would fit into a pipe.
    drop(reader);
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_refolio")).args(["vampire", "--help"]).stdout(writer).spawn().unwrap();
    let status = child.wait().unwrap();
    // By SIGPIPE, as any program would be; Rust's own programs have it ignored.
    assert_eq!(status.signal(), Some(13), "{status:?}");
}
