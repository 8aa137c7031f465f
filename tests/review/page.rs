//! The page in a real browser.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Reviewed, row};

/// The Python and the Chromium that drive the page; `None`, with the reason on the terminal, where one is missing.
pub(crate) fn browser() -> Option<(String, String)> {
    let python = std::env::var("REFOLIO_PYTHON");
    let named = python.is_ok();
    let python = python.unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&python).args(["-c", "import playwright"]).stderr(Stdio::null()).status();
    let has = has.is_ok_and(|status| status.success());
    assert!(has || !named, "REFOLIO_PYTHON={python} has no playwright");
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let chromium = std::env::var("REFOLIO_CHROMIUM").ok();
    let chromium = chromium.or_else(|| names.iter().find_map(|n| Some(which::which(n).ok()?.display().to_string())));
    if let (true, Some(chromium)) = (has, chromium) {
        return Some((python, chromium));
    }
    #[expect(clippy::print_stderr, reason = "a test that does not run has to say so")]
    {
        eprintln!("skipped: no Python with playwright, or no Chromium; see REFOLIO_PYTHON and REFOLIO_CHROMIUM");
    }
    None
}

#[test]
fn a_person_edits_accepts_reloads_and_finds_it_kept() {
    let Some((python, chromium)) = browser() else { return };
    let reviewed = Reviewed::new();
    let server = reviewed.serve();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages/review.py");
    let output = Command::new(python).arg(script).arg(&server.url).arg(chromium).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    drop(server);
    let actions: Vec<String> =
        reviewed.decisions().iter().map(|d| format!("{} {}", d.record_id, d.action.as_str())).collect();
    assert_eq!(actions, ["1 accept", "3 relabel", "3 undo", "2 skip", "<b>4</b> ambiguous"]);
    let rows = reviewed.run();
    assert_eq!(row(&rows, "1").text("status"), "repaired");
    assert_eq!(row(&rows, "1").maybe("decision_comment"), Some("one bird"));
}
