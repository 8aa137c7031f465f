//! The sample does what its README promises, and shows all that there is to show.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use refolio::config::Config;
use refolio::lint::{self, Family};
use refolio::record::Verdict;

use crate::rows::OutRow;
use crate::{Ran, sample, say};

const SPLITS: [&str; 3] = ["train", "validation", "sample_unformalised"];

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("data/README.md")).unwrap()
}

/// The cells of every row of the tables that have these headings.
fn table(readme: &str, headings: &[&str]) -> Vec<Vec<Vec<String>>> {
    let cells = |line: &str| -> Option<Vec<String>> {
        let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        Some(inner.split('|').map(|cell| cell.trim().to_owned()).collect())
    };
    let lines: Vec<&str> = readme.lines().collect();
    let starts = (0..lines.len()).filter(|&i| cells(lines[i]).is_some_and(|row| row == headings));
    starts.map(|i| lines[i + 2..].iter().map_while(|line| cells(line)).collect()).collect()
}

fn all_rows() -> Vec<OutRow> {
    let ran = Ran::new(&sample(), |_| ());
    SPLITS.iter().flat_map(|split| ran.rows(split)).collect()
}

#[test]
fn the_default_configuration_reads_the_sample() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = Config::read(&package.join("pipeline.toml")).unwrap();
    let files: Vec<_> = config.inputs().unwrap().into_iter().map(|input| input.path).collect();
    assert_eq!(files, sample());
}

#[test]
fn each_record_is_as_the_readme_says() {
    let readme = readme();
    let rows: BTreeMap<String, OutRow> =
        all_rows().into_iter().map(|row| (row.text("record_id").to_owned(), row)).collect();
    let mut wrong = Vec::new();
    let mut told = 0;
    let tables = table(&readme, &["example", "story", "label", "verdict", "agreement", "after", "found"]);
    assert_eq!(tables.len(), 1);
    for line in &tables[0] {
        told += 1;
        let [id, story, label, verdict, agreement, after, found] = line.as_slice() else { panic!("{line:?}") };
        let row = &rows[id];
        let (mended, mended_agreement) = after.split_once(", ").unwrap_or((verdict, agreement));
        let expected = [story, label, verdict, agreement, mended, mended_agreement];
        let columns = ["story_id", "label", "verdict_original", "agreement_original", "verdict", "agreement"];
        let got = columns.map(|column| row.text(column));
        if got != expected {
            wrong.push(format!("{id}: expected {expected:?}, got {got:?}"));
        }
        // That premises contradict each other is a verdict, not a rule's finding.
        let silent = row.list("diagnostics").is_empty() && row.text("verdict") != "Inconsistent";
        if found.is_empty() != silent {
            let codes: Vec<_> =
                row.list("diagnostics").iter().map(|d| format!("{} {}", d["code"], d["message"])).collect();
            wrong.push(format!("{id}: {found:?} is told of, and found are {codes:?}"));
        }
    }
    let tables = table(&readme, &["example", "story", "label", "premises", "found"]);
    assert_eq!(tables.len(), 1);
    for line in &tables[0] {
        told += 1;
        let [id, story, label, premises, _] = line.as_slice() else { panic!("{line:?}") };
        let row = &rows[id];
        let consistency = match row.maybe("szs_consistency") {
            Some("Satisfiable") => "consistent",
            Some("Unsatisfiable") => "inconsistent",
            None => "unparsed",
            other => panic!("{id}: {other:?}"),
        };
        let got = [row.text("story_id"), row.text("label_original"), consistency, row.text("verdict")];
        let expected = [story, label, premises, "Unformalised"];
        if got != expected {
            wrong.push(format!("{id}: expected {expected:?}, got {got:?}"));
        }
    }
    assert_eq!(told, rows.len(), "every record is told of");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_sums_are_as_the_readme_says() {
    let ran = Ran::new(&sample(), |_| ());
    let tables = table(&readme(), &["split", "agree", "conflict", "inconsistent", "unparsed"]);
    assert_eq!(tables.len(), 2);
    for (lines, column) in tables.iter().zip(["agreement_original", "agreement"]) {
        assert_eq!(lines.len(), 2);
        for line in lines {
            let rows = ran.rows(&line[0]);
            let count = |word: &str| rows.iter().filter(|row| row.text(column) == word).count().to_string();
            assert_eq!(line[1..], ["agree", "conflict", "inconsistent", "unparsed"].map(count), "{column} {}", line[0]);
        }
    }
}

#[test]
fn every_verdict_and_every_family_of_rules_is_there() {
    let rows = all_rows();
    assert!(rows.len() >= 40);
    let verdicts: BTreeSet<&str> =
        rows.iter().flat_map(|row| [row.text("verdict"), row.text("verdict_original")]).collect();
    let expected: BTreeSet<&str> =
        Verdict::ALL.iter().filter(|v| **v != Verdict::Undetermined).map(|v| v.as_str()).collect();
    assert_eq!(verdicts, expected);

    let codes: BTreeSet<String> = rows
        .iter()
        .flat_map(|row| row.list("diagnostics").iter().map(|d| d["code"].as_str().unwrap().to_owned()))
        .collect();
    for family in Family::ALL {
        assert!(codes.iter().any(|code| code.starts_with(family.letter())), "nothing of the family {family}");
    }
    assert!(codes.iter().all(|code| lint::find(code).is_some()), "{codes:?}");
    let never: Vec<String> =
        lint::all().filter(|r| !codes.contains(r.code)).map(|r| format!("{} {}", r.code, r.name)).collect();
    say(&format!("{} rules show in the sample; these do not: {}", codes.len(), never.join(", ")));
}
