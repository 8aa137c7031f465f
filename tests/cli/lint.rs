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
    assert_snapshot!(faulty(&[]), @r"
    exit code: 1
    ----- stdout
    error[S101]: this bracket is never closed
     --> faulty.jsonl:1 premise[0] of record 3
      |
    1 | ∀x (Owl(x) → Hunt(x)
      |    - opened here    ^
      |
    help: append the missing `)` (safe fix)
      |
    1 | ∀x (Owl(x) → Hunt(x))
      |                     +

    info[P308]: two negations cancel each other
     --> faulty.jsonl:1 premise[1] of record 3
      |
    1 | ¬¬Owl(willow)
      | ^^^^^^^^^^^^^
      |
    help: drop both negations (not applied by the program)
      |
    1 - ¬¬Owl(willow)
    1 + Owl(willow)
      |

    error[R107]: not valid JSON: EOF while parsing a value (byte 47 of the row)
    --> faulty.jsonl:2 record r640711df5954

    1  P308  double-negation
    1  R107  malformed-row
    1  S101  missing-close-bracket  (fixable: 1 safe)
    found 2 errors, 1 info; `refolio rule CODE` explains a rule
    ");
}

#[test]
fn json() {
    assert_snapshot!(faulty(&["--format", "json", "--select", "S101"]), @r#"
    exit code: 1
    ----- stdout
    [
      {
        "code": "S101",
        "name": "missing-close-bracket",
        "severity": "error",
        "file": "faulty.jsonl",
        "row": 0,
        "line": 1,
        "record_id": "3",
        "target": "premise[0]",
        "span": {
          "start": 24,
          "end": 24
        },
        "message": "this bracket is never closed",
        "hint": null,
        "related": [
          {
            "span": {
              "start": 5,
              "end": 6
            },
            "message": "opened here"
          }
        ],
        "fix": {
          "applicability": "safe",
          "kind": "fix",
          "title": "append the missing `)`",
          "edits": [
            {
              "span": {
                "start": 24,
                "end": 24
              },
              "replacement": ")"
            }
          ],
          "after": "∀x (Owl(x) → Hunt(x))",
          "alternatives": []
        }
      }
    ]
    "#);
}

#[test]
fn sarif() {
    let output = faulty(&["--format", "sarif"]);
    assert_eq!((output.code, output.stderr.as_str()), (Some(1), ""));
    let log: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let found: Vec<_> = results.iter().map(|r| r["ruleId"].as_str().unwrap()).collect();
    assert_eq!(log["version"], "2.1.0");
    assert_snapshot!(found.join(" "), @"S101 P308 R107");
}

#[test]
fn github() {
    assert_snapshot!(faulty(&["--format", "github"]), @r"
    exit code: 1
    ----- stdout
    ::error file=faulty.jsonl,line=1,title=S101 missing-close-bracket::premise[0] of record 3: this bracket is never closed%0A∀x (Owl(x) → Hunt(x)
    ::notice file=faulty.jsonl,line=1,title=P308 double-negation::premise[1] of record 3: two negations cancel each other%0A¬¬Owl(willow)
    ::error file=faulty.jsonl,line=2,title=R107 malformed-row::row of record r640711df5954: not valid JSON: EOF while parsing a value (byte 47 of the row)
    ");
}

#[test]
fn rules_are_selected_and_ignored() {
    assert_snapshot!(faulty(&["--select", "S", "--ignore", "S101"]), @r"
    exit code: 0
    ----- stdout
    no findings
    ");
    assert_snapshot!(faulty(&["--ignore", "syntax,R1"]).stdout.lines().last().unwrap_or_default(), @"found 1 info; `refolio rule CODE` explains a rule");
    assert_snapshot!(faulty(&["--select", "S999"]), @r#"
    exit code: 2
    ----- stderr
    error: unknown rule selector "S999"
    hint: `refolio rule --list` lists them
    "#);
}

#[test]
fn a_clean_file_has_no_findings() {
    let env = TestEnvironment::new();
    env.write("clean.csv", "NL,FOL\nRex barks.,Bark(rex)\n");
    assert_snapshot!(env.run(&["lint", "clean.csv"]), @r"
    exit code: 0
    ----- stdout
    no findings
    ");
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
    assert_snapshot!(env.run(&["lint", "tautology.csv", "--semantic", "--select", "L"]), @r"
    exit code: 0
    ----- stdout
    warning[L501]: this formula always holds: as a conclusion it follows from anything
     --> tautology.csv:2 conclusion of record r985e569f7187
      |
    2 | Bark(rex) ∨ ¬Bark(rex)
      | ^^^^^^^^^^^^^^^^^^^^^^

    1  L501  tautologous-annotation
    found 1 warning; `refolio rule CODE` explains a rule
    ");
    let without = env.run(&["lint", "tautology.csv", "--select", "L"]);
    assert_eq!(without.stdout, "no findings\n");
}

#[test]
#[cfg(feature = "bundled-vampire")]
fn semantic_rules_look_at_the_safe_fixes_that_are_offered() {
    let env = TestEnvironment::new();
    env.write(
        "bracket.csv",
        "NL,FOL\nIf Ida bakes she is neither tall nor old.,\"(Baker(ida) → ¬(Tall(ida) ∨ Old(ida))\"\n",
    );
    let output = env.run(&["lint", "bracket.csv", "--semantic", "--select", "S,L"]);
    assert!(output.stdout.contains("L503"), "{output}");
    let output = env.run(&["lint", "bracket.csv", "--semantic", "--select", "L"]);
    assert_eq!(output.stdout, "no findings\n", "the fix of a rule that is not wanted is not offered");
}
