//! `refolio lint`

use insta::assert_snapshot;

use super::TestEnvironment;

/// One record with a missing bracket and a double negation, one that cannot be read.
const FAULTY: &str = r#"{"premises": "All owls hunt.\nIt is not false that Willow is an owl.", "premises-FOL": "∀x (Owl(x) → Hunt(x)\n¬¬Owl(willow)", "conclusion": "Willow hunts.", "conclusion-FOL": "Hunt(willow)", "label": "True", "example_id": 3}
{"premises": "All owls hunt.", "premises-FOL": 
"#;

fn faulty(arguments: &[&str]) -> super::CommandOutput {
    let env = TestEnvironment::new();
    env.write("faulty.jsonl", FAULTY);
    let mut all = vec!["lint", "faulty.jsonl"];
    all.extend(arguments);
    env.run(&all)
}

#[test]
fn text() {
    assert_snapshot!(faulty(&[]), @"");
}

#[test]
fn json() {
    assert_snapshot!(faulty(&["--format", "json", "--select", "S101"]), @"");
}

#[test]
fn sarif() {
    let output = faulty(&["--format", "sarif"]);
    assert_eq!((output.code, output.stderr.as_str()), (Some(1), ""));
    let log: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let found: Vec<_> = results.iter().map(|r| r["ruleId"].as_str().unwrap()).collect();
    assert_eq!(log["version"], "2.1.0");
    assert_snapshot!(found.join(" "), @"");
}

#[test]
fn github() {
    assert_snapshot!(faulty(&["--format", "github"]), @"");
}

#[test]
fn rules_are_selected_and_ignored() {
    assert_snapshot!(faulty(&["--select", "S", "--ignore", "S101"]), @"");
    assert_snapshot!(faulty(&["--ignore", "syntax,rows,R"]).stdout.lines().last().unwrap(), @"");
    assert_snapshot!(faulty(&["--select", "S999"]), @"");
}

#[test]
fn a_clean_file_has_no_findings() {
    let env = TestEnvironment::new();
    env.write("clean.csv", "NL,FOL\nRex barks.,Bark(rex)\n");
    assert_snapshot!(env.run(&["lint", "clean.csv"]), @"");
}

#[test]
fn warnings_alone_are_no_failure() {
    let env = TestEnvironment::new();
    env.write("warned.csv", "NL,FOL\nRex barks.,\"∃x (Dog(x) → Bark(x))\"\n");
    let output = env.run(&["lint", "warned.csv"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(output.stdout.contains("warning"), "{output}");
}

#[test]
#[cfg(feature = "bundled-vampire")]
fn semantic_rules_ask_the_prover() {
    let env = TestEnvironment::new();
    env.write("tautology.csv", "NL,FOL\nRex barks or not.,\"Bark(rex) ∨ ¬Bark(rex)\"\nRex barks.,Bark(rex)\n");
    assert_snapshot!(env.run(&["lint", "tautology.csv", "--semantic", "--select", "L"]), @"");
    let without = env.run(&["lint", "tautology.csv", "--select", "L"]);
    assert_eq!(without.stdout, "no findings\n");
}
