//! What goes wrong around a run ends in a clear message, the documented exit code, and no lost row.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::fake::fake_vampire;
use crate::rows::{self, OutRow};
use crate::{contents, sample, say};

/// A folder in which the program is run: input, configuration, output, fakes.
struct Place(TempDir);

/// Two stories; the labels are right.
const ROWS: &str = concat!(
    r#"{"story_id": 1, "premises": "All cats purr.\nTom is a cat.", "premises-FOL": "∀x (Cat(x) → Purr(x))\nCat(tom)", "conclusion": "Tom purrs.", "conclusion-FOL": "Purr(tom)", "label": "True", "example_id": 1}"#,
    "\n",
    r#"{"story_id": 1, "premises": "All cats purr.\nTom is a cat.", "premises-FOL": "∀x (Cat(x) → Purr(x))\nCat(tom)", "conclusion": "Tom does not purr.", "conclusion-FOL": "¬Purr(tom)", "label": "False", "example_id": 2}"#,
    "\n",
    r#"{"story_id": 2, "premises": "Rex barks.", "premises-FOL": "Bark(rex)", "conclusion": "Rex bites.", "conclusion-FOL": "Bite(rex)", "label": "Uncertain", "example_id": 3}"#,
    "\n",
);

impl Place {
    /// With [`ROWS`] as its input.
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::write(place.path("train.jsonl"), ROWS).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn out(&self) -> PathBuf {
        self.path("out")
    }

    /// `refolio run` in this folder, on `train.jsonl` and with no Vampire but its own or the configured one.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_refolio"));
        command.current_dir(self.0.path()).env_remove("REFOLIO_VAMPIRE").stdin(Stdio::null());
        command.args(["run", "--input", "train.jsonl", "--out", "out"]).args(args);
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// A configuration whose prover runs this shell script, for a fifth of a second at most.
    fn with_fake(&self, body: &str) {
        let prover = fake_vampire(self.0.path(), body);
        let attempt = "[[prover.attempts]]\nname = \"only\"\ntime_limit = 0.2\n";
        let path = prover.display();
        // Or else the rows would have certificates, whatever the prover does.
        let evidence = "[verify]\nevidence = \"prover\"\n";
        let text = format!("{evidence}[prover]\npath = \"{path}\"\n{attempt}");
        fs::write(self.path("pipeline.toml"), text).unwrap();
    }

    fn rows(&self) -> Vec<OutRow> {
        rows::read(&self.out().join("train.parquet"))
    }

    /// The names of everything in the output folder, temporary files included.
    fn names(&self) -> Vec<String> {
        names(&self.out())
    }
}

fn names(dir: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn assert_code(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
}

/// The run fails with this code and these words, and leaves no file.
#[track_caller]
fn assert_fails(place: &Place, args: &[&str], code: i32, words: &str) {
    let output = place.run(args);
    assert_code(&output, code);
    assert!(said(&output).contains(words), "{words:?} is not in {:?}", said(&output));
    assert!(!said(&output).contains("panicked"), "{}", said(&output));
    assert_eq!(place.names(), [""; 0], "{output:?}");
}

#[test]
fn without_a_fault_the_run_ends_well() {
    let place = Place::new();
    assert_code(&place.run(&["--fail-on", "problematic"]), 0);
    assert!(place.rows().iter().all(|row| row.text("status") == "verified"));
    assert_eq!(
        place.names(),
        ["evidence.parquet", "manifest.json", "report.html", "summary.md", "timings.parquet", "train.parquet"]
    );
}

#[test]
fn a_prover_that_misbehaves_leaves_every_row_undetermined() {
    let satisfiable = "echo '% SZS status Satisfiable for x'";
    let cases = [
        ("sleep 60", "consistency: timeout"),
        ("trap '' TERM; while :; do sleep 60; done", "consistency: timeout"),
        ("exit 0", "consistency: no-status"),
        ("head -c 4000 /dev/urandom", "consistency: no-status"),
        ("echo 'SZS status Satisfiable, surely'", "consistency: no-status"),
        (
            &format!("{satisfiable}; echo '% SZS status Unsatisfiable for x'"),
            "consistency: conflicting-statuses (Satisfiable, Unsatisfiable)",
        ),
        ("kill -SEGV $$", "consistency: crashed (SIGSEGV)"),
        (&format!("{satisfiable}; kill -KILL $$"), "consistency: crashed (SIGKILL)"),
        (&format!("{satisfiable}; exit 1"), "consistency: exited (code 1)"),
        ("echo '% SZS status MemoryOut for x'; exit 1", "consistency: memory-out"),
        ("echo '% SZS status Theorem for x'", "consistency: unfit-status (Theorem for consistency)"),
    ];
    for (body, reason) in cases {
        let place = Place::new();
        place.with_fake(body);
        assert_code(&place.run(&[]), 0);
        assert_undetermined(&place, reason);
        assert_code(&place.run(&["--fail-on", "undetermined"]), 1);
    }
}

#[test]
fn a_prover_that_prints_without_end_is_stopped_for_that() {
    let place = Place::new();
    place.with_fake("yes");
    // Long enough on any machine for more output than is taken.
    let text = fs::read_to_string(place.path("pipeline.toml")).unwrap();
    fs::write(place.path("pipeline.toml"), text.replace("time_limit = 0.2", "time_limit = 60.0")).unwrap();
    assert_code(&place.run(&[]), 0);
    assert_undetermined(&place, "consistency: output-overflow");
}

fn assert_undetermined(place: &Place, reason: &str) {
    let rows = place.rows();
    assert_eq!(rows.iter().map(|r| r.text("record_id")).collect::<Vec<_>>(), ["1", "2", "3"], "{reason}");
    for row in rows {
        for column in ["verdict", "verdict_original"] {
            assert_eq!(row.text(column), "Undetermined", "{reason}");
        }
        for column in ["agreement", "agreement_original"] {
            assert_eq!(row.text(column), "undetermined", "{reason}");
        }
        assert_eq!(row.text("status"), "problematic", "{reason}");
        assert_eq!(row.text("verdict_reason"), format!("undetermined: {reason}"));
        assert!(row.0["used_premises"].is_null(), "{reason}");
    }
}

/// Half an answer is none: *Uncertain* needs a model of the conclusion and one of its negation.
#[test]
fn silence_about_one_question_is_never_uncertain() {
    let by_question = |entails: &str, refutes: &str| {
        format!(
            "problem=$(cat)\ncase $problem in\n*negated_conclusion*) {refutes};;\n*conclusion*) {entails};;\n\
             *) echo '% SZS status Satisfiable for x';;\nesac"
        )
    };
    let countermodel = "echo '% SZS status CounterSatisfiable for x'";
    for (entails, refutes, reason) in [
        ("exit 0", countermodel, "entails: no-status"),
        ("sleep 60", countermodel, "entails: timeout"),
        (countermodel, "kill -SEGV $$", "refutes: crashed (SIGSEGV)"),
        ("exit 0", "echo '% SZS status GaveUp for x'; exit 1", "refutes: gave-up"),
    ] {
        let place = Place::new();
        place.with_fake(&by_question(entails, refutes));
        assert_code(&place.run(&[]), 0);
        assert_undetermined(&place, reason);
    }
    let place = Place::new();
    place.with_fake(&by_question(countermodel, countermodel));
    assert_code(&place.run(&[]), 0);
    assert!(place.rows().iter().all(|row| row.text("verdict") == "Uncertain"), "both questions answered");
}

#[test]
fn a_missing_prover() {
    let place = Place::new();
    fs::write(place.path("pipeline.toml"), "[prover]\npath = \"no/vampire\"\n").unwrap();
    assert_fails(&place, &[], 4, "which is not an executable file");
    fs::remove_file(place.path("pipeline.toml")).unwrap();

    let output = place.command(&[]).env("REFOLIO_VAMPIRE", "/no/vampire").output().unwrap();
    assert_code(&output, 4);
    assert!(said(&output).contains("REFOLIO_VAMPIRE is `/no/vampire`"), "{output:?}");
    assert_eq!(place.names(), [""; 0]);

    place.with_fake("exit 0");
    fs::write(place.path("fake"), "#!/bin/sh\necho 'grep 3.8'\n").unwrap();
    assert_fails(&place, &[], 4, "is not Vampire");
}

#[test]
fn a_prover_that_goes_away_during_the_run() {
    let place = Place::new();
    let vanishing = "rm -f \"$0\"; echo '% SZS status Satisfiable for x'";
    place.with_fake(vanishing);
    assert_fails(&place, &["--jobs", "1"], 4, "the prover cannot be used: not-found");

    // What an earlier run wrote stays.
    fs::remove_file(place.path("pipeline.toml")).unwrap();
    assert_code(&place.run(&[]), 0);
    let before = contents(&place.out());
    place.with_fake(vanishing);
    assert_code(&place.run(&["--jobs", "1"]), 4);
    assert!(contents(&place.out()) == before);
}

#[test]
fn inputs_that_cannot_be_read() {
    let place = Place::new();
    let input = place.path("train.jsonl");
    for (content, words) in [
        (&b""[..], "train.jsonl"),
        (b"\n\n", "train.jsonl"),
        (b"{\"a\": 1, \"b\": 2}\n", "train.jsonl"),
        (b"\x00\x01\x02", "train.jsonl"),
    ] {
        fs::write(&input, content).unwrap();
        assert_fails(&place, &[], 3, words);
    }
    fs::remove_file(&input).unwrap();
    assert_fails(&place, &[], 3, "No such file or directory");
    fs::create_dir(&input).unwrap();
    assert_fails(&place, &[], 3, "train.jsonl");
    fs::remove_dir(&input).unwrap();

    // One that breaks off in the middle of its packing; the file before it is fine.
    let mut packed = zstd::encode_all(ROWS.as_bytes(), 1).unwrap();
    packed.truncate(packed.len() - 10);
    fs::write(place.path("test.jsonl.zst"), packed).unwrap();
    fs::write(&input, ROWS).unwrap();
    assert_fails(&place, &["--input", "test.jsonl.zst"], 3, "test.jsonl.zst");
}

#[test]
fn an_input_without_permission() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    fs::set_permissions(place.path("train.jsonl"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(place.path("train.jsonl")).is_ok() {
        say("skipped: the user of this test may read everything");
        return;
    }
    assert_fails(&place, &[], 3, "Permission denied");
}

/// A row as FOLIO v2 has it, without its last character, and others that are broken in other ways.
#[test]
fn bad_rows_do_not_take_others_with_them() {
    let place = Place::new();
    let rows: Vec<&str> = ROWS.lines().collect();
    let without_formulas =
        r#"{"story_id": 4, "premises": "Rex barks.", "conclusion": "Rex bites.", "label": "True", "example_id": 4}"#;
    let mut invalid = rows[1].as_bytes().to_vec();
    let at = invalid.windows(3).position(|w| w == b"Tom").unwrap();
    invalid[at] = 0xff;
    let truncated = &rows[2][..rows[2].len() - 30];
    let lines: [&[u8]; 5] =
        [rows[0].as_bytes(), &invalid, without_formulas.as_bytes(), rows[2].as_bytes(), truncated.as_bytes()];
    fs::write(place.path("train.jsonl"), lines.join(&b'\n')).unwrap();

    assert_code(&place.run(&[]), 0);
    let found = place.rows();
    assert_eq!(found.len(), 5);
    for (i, label) in [(0, "True"), (3, "Uncertain")] {
        let got = [found[i].text("verdict"), found[i].text("agreement"), found[i].text("status")];
        assert_eq!(got, [label, "agree", "verified"]);
    }
    for (i, code) in [(1, "R104"), (2, "R106"), (4, "R105")] {
        let row = &found[i];
        assert_eq!((row.text("status"), row.text("verdict")), ("problematic", "Unparsed"), "{row:?}");
        assert!(row.text("verdict_reason").starts_with(&format!("unreadable-row: {code} ")), "{row:?}");
        assert_eq!(row.text("source_raw"), refolio::record::hex(lines[i]), "the text is kept");
        assert_eq!(row.0["source_row"], serde_json::json!(i));
    }

    // Each of them alone stops a run that must not go on.
    for (i, line) in [(1, lines[1]), (2, lines[2]), (4, lines[4])] {
        let place = Place::new();
        fs::write(place.path("pipeline.toml"), "[ingest]\non_error = \"fail\"\n").unwrap();
        fs::write(place.path("train.jsonl"), [lines[0], line].join(&b'\n')).unwrap();
        assert_fails(&place, &[], 3, "train.jsonl:2");
        assert!(i > 0);
    }
}

/// A file system of its own in memory, gone with this value.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path, kilobytes: u32) -> Option<Self> {
        if !cfg!(target_os = "linux") {
            say("skipped: a small disk is made on Linux only");
            return None;
        }
        fs::create_dir(at).unwrap();
        let size = format!("size={kilobytes}k");
        let output = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(at).output();
        match output {
            Ok(output) if output.status.success() => Some(Self(at.to_owned())),
            Ok(output) => {
                say(&format!("skipped: no small disk can be made: {}", said(&output).trim()));
                None
            }
            Err(error) => {
                say(&format!("skipped: no small disk can be made: {error}"));
                None
            }
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk() {
    let place = Place::new();
    let Some(_disk) = SmallDisk::mount(&place.out(), 512) else { return };
    assert_code(&place.run(&[]), 0);
    let before = contents(&place.out());
    let names_before = place.names();

    // More rows, and ever less room for them.
    fs::copy(&sample()[0], place.path("train.jsonl")).unwrap();
    for room in [32, 16, 8, 4, 0] {
        let filler = place.out().join("filler");
        let mut size = 512;
        while fs::write(&filler, vec![b'x'; size * 1024]).is_err() {
            size -= 4;
        }
        fs::write(&filler, vec![b'x'; (size - room) * 1024]).unwrap();
        let output = place.run(&[]);
        assert_code(&output, 5);
        assert!(said(&output).contains("the disk is full; cannot write out/"), "{room}: {output:?}");
        assert!(said(&output).contains("free some space"), "{room}: {output:?}");
        fs::remove_file(&filler).unwrap();
        assert!(contents(&place.out()) == before, "{room}");
        assert_eq!(place.names(), names_before, "{room}: nothing temporary is left");
    }
    assert_code(&place.run(&[]), 0);
    assert_eq!(place.rows().len(), 57);
}

/// `refolio run` under a shell that lets no file grow beyond a few kilobytes; `ignored` says whether the signal that
/// then comes is ignored, so that the write fails instead.
fn limited(place: &Place, ignored: bool) -> Output {
    let command = place.command(&[]);
    let trap = if ignored { "trap '' XFSZ; " } else { "" };
    Command::new("sh")
        .args(["-c", &format!("{trap}ulimit -c 0; ulimit -f 8; exec \"$@\""), "sh"])
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(place.0.path())
        .env_remove("REFOLIO_VAMPIRE")
        .output()
        .unwrap()
}

#[test]
fn a_file_that_may_not_grow() {
    let place = Place::new();
    assert_code(&place.run(&[]), 0);
    let before = contents(&place.out());
    let names_before = place.names();
    fs::copy(&sample()[0], place.path("train.jsonl")).unwrap();

    let output = limited(&place, true);
    assert_code(&output, 5);
    assert!(said(&output).contains("cannot write out/"), "{output:?}");
    assert_eq!(place.names(), names_before);
    assert!(contents(&place.out()) == before);

    // The signal kills like any other, or is survived; the files stand either way.
    let output = limited(&place, false);
    assert!(!output.status.success(), "{output:?}");
    for (name, bytes) in &before {
        assert!(fs::read(place.out().join(name)).unwrap() == *bytes, "{name}");
    }
}

fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

fn is_temporary(name: &str) -> bool {
    name.starts_with(".refolio-")
}

#[test]
fn a_killed_run_leaves_no_half_file_and_the_next_one_tidies_up() {
    let clean = Place::new();
    assert_code(&clean.run(&[]), 0);

    let place = Place::new();
    let asked = place.path("asked");
    place.with_fake(&format!("echo x >> '{}'; sleep 2", asked.display()));
    for earlier in [false, true] {
        let before = contents(&place.out_or_empty());
        let _ = fs::remove_file(&asked);
        let child = place.command(&["--jobs", "1"]).stderr(Stdio::null()).spawn().unwrap();
        wait_until("a question is asked", || asked.exists());
        kill(child);
        let left = place.names();
        assert!(left.iter().any(|n| is_temporary(n)), "killed too early or too late: {left:?}");
        let finished: Vec<&String> = left.iter().filter(|n| !is_temporary(n)).collect();
        assert_eq!(finished.is_empty(), !earlier, "{left:?}");
        for (name, bytes) in &before {
            assert!(fs::read(place.out().join(name)).unwrap() == *bytes, "{name}");
        }

        let config = fs::read(place.path("pipeline.toml")).unwrap();
        fs::remove_file(place.path("pipeline.toml")).unwrap();
        assert_code(&place.run(&[]), 0);
        assert_eq!(place.names(), clean.names());
        assert!(contents(&place.out()) == contents(&clean.out()));
        fs::write(place.path("pipeline.toml"), config).unwrap();
    }
}

impl Place {
    /// The output folder, made if it is missing.
    fn out_or_empty(&self) -> PathBuf {
        fs::create_dir_all(self.out()).unwrap();
        self.out()
    }
}

/// Killed at any moment, every file under a final name is whole: the old one or the new one.
#[test]
fn a_run_killed_at_any_moment_leaves_whole_files() {
    let place = Place::new();
    let output_of = |rows: &Path| {
        fs::copy(rows, place.path("train.jsonl")).unwrap();
        let start = Instant::now();
        assert_code(&place.run(&[]), 0);
        (contents(&place.out()), start.elapsed())
    };
    let few = place.path("few.jsonl");
    fs::write(&few, ROWS).unwrap();
    let (long, took) = output_of(&sample()[0]);
    let (short, _) = output_of(&few);
    fs::copy(&sample()[0], place.path("train.jsonl")).unwrap();
    let mut killed = BTreeMap::new();
    for step in 1..=24 {
        let child = place.command(&["--jobs", "1"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(took * step / 20);
        kill(child);
        let mut state = "untouched";
        for (name, bytes) in contents(&place.out()) {
            if is_temporary(&name) {
                continue;
            }
            if bytes == long[&name] && bytes != short[&name] {
                state = "replaced";
            }
            assert!(bytes == long[&name] || bytes == short[&name], "{name} is neither");
        }
        *killed.entry(state).or_insert(0) += 1;
        if state == "replaced" {
            fs::copy(&few, place.path("train.jsonl")).unwrap();
            assert_code(&place.run(&[]), 0);
            fs::copy(&sample()[0], place.path("train.jsonl")).unwrap();
        }
    }
    say(&format!("killed 24 times: {killed:?}"));
    assert!(killed.contains_key("untouched"), "{killed:?}");
    assert_code(&place.run(&[]), 0);
    assert!(contents(&place.out()) == long);
}
