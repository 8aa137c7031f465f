//! The report in a real browser, and what it is made of.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Reviewed;
use crate::page::browser;

#[test]
fn a_maintainer_searches_filters_and_opens_rows() {
    let Some((python, chromium)) = browser() else { return };
    let reviewed = Reviewed::new();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages/report.py");
    let output = Command::new(python).arg(script).arg(reviewed.path("out/report.html")).arg(chromium).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
}

#[test]
fn the_page_needs_nothing_else_and_holds_no_markup_of_the_data() {
    let reviewed = Reviewed::new();
    let page = fs::read_to_string(reviewed.path("out/report.html")).unwrap();
    assert!(page.contains("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-"));
    for word in ["http://", "https://", "onerror", "<img", "src=", "href=\"http"] {
        let found =
            page.match_indices(word).map(|(at, _)| page.get(at..).unwrap().chars().take(60).collect::<String>());
        // The name space of SVG is an address that nobody visits.
        let found: Vec<String> = found.filter(|text| !text.starts_with("http://www.w3.org/")).collect();
        assert!(found.is_empty(), "{found:?}");
    }
    let scripts = page.matches("<script>").count();
    assert_eq!(scripts, 1, "its own");
}

#[test]
fn the_same_folder_gives_the_same_page_and_few_rows_are_said_to_be_few() {
    let reviewed = Reviewed::new();
    let first = fs::read(reviewed.path("out/report.html")).unwrap();
    fs::remove_file(reviewed.path("out/report.html")).unwrap();
    reviewed.succeed(&["report"]);
    assert!(fs::read(reviewed.path("out/report.html")).unwrap() == first);
    let output = reviewed.output(&["report", "out", "--max-rows", "3"]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "wrote out/report.html: 3 of 5 rows\n");
    let page = fs::read_to_string(reviewed.path("out/report.html")).unwrap();
    assert!(page.contains("Of 5 rows only 3 are listed here: those that are not verified"));
    // Nothing to report on.
    assert_eq!(reviewed.output(&["report", "nowhere"]).status.code(), Some(3));
}

#[test]
fn a_run_writes_it_unless_it_is_told_not_to() {
    let reviewed = Reviewed::new();
    fs::remove_file(reviewed.path("out/report.html")).unwrap();
    fs::write(reviewed.path("few.toml"), "[output]\nreport_rows = 4\n").unwrap();
    let run = ["run", "--input", "birds_train.jsonl", "--fixes", "safe", "--config", "few.toml"];
    let output = reviewed.output(&run);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.contains("no report of 5 rows, more than output.report_rows; `refolio report out` writes one"),
        "{stderr}"
    );
    assert!(!reviewed.path("out/report.html").exists());
    let manifest = fs::read_to_string(reviewed.path("out/manifest.json")).unwrap();
    assert!(!manifest.contains("report_rows"), "it changes nothing of the data");
}
