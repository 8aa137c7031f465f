//! `refolio run`

use insta::assert_snapshot;

use super::{BIRDS, TestEnvironment, exists};

/// What has to be the same whenever the same is run; `timings.parquet` holds times and is not.
const SAME: [&str; 3] = ["train.parquet", "manifest.json", "summary.md"];

fn run_birds(more: &[&str]) -> (TestEnvironment, super::CommandOutput) {
    let env = TestEnvironment::with_birds();
    let mut arguments = vec!["run", "--input", "birds_train.jsonl"];
    arguments.extend(more);
    let output = env.run(&arguments);
    (env, output)
}

#[test]
fn the_closing_table() {
    let (env, output) = run_birds(&[]);
    assert_snapshot!(output, @"
    exit code: 0
    ----- stdout
    rows
     status             train   published train
    ────────────────────────────────────────────
     verified      2 (33.3 %)      674 (67.3 %)
     repaired      1 (16.7 %)        23 (2.3 %)
     relabelled     0 (0.0 %)                 –
     problematic   3 (50.0 %)      304 (30.4 %)
     unjudged       0 (0.0 %)                 –
     all                    6              1001

    labels
     label                       train
    ───────────────────────────────────
     labelled                        6
     contradicted       1 → 1 (16.7 %)
     unsupported         0 → 0 (0.0 %)
     published errors            3.8 %

    agreement of verdict and label (as it came → as it leaves)
     agreement      train
    ──────────────────────
     agree          2 → 3
     conflict       1 → 1
     inconsistent   1 → 1
     unparsed       2 → 1

    what verdicts rest on
     evidence      train
    ─────────────────────
     certificate       4
     models            1

    label × verdict, train
     label       True   False   Uncertain   Inconsistent   Unparsed
    ────────────────────────────────────────────────────────────────
     True           2       1           0              0          1
     Uncertain      0       0           1              1          0

    diagnostics, train
     severity   code         rows   diagnostics
    ────────────────────────────────────────────
     info       N208   2 (33.3 %)             2
     error      S101   1 (16.7 %)             1
     error      S117   1 (16.7 %)             1

    how the published figures are to be read: see summary.md
    prover: [time] s in 10 queries, [time] ms each
    ----- stderr
    `refolio rule CODE` explains a diagnostic; `refolio lint FILE` shows where each is
    wrote train.parquet, evidence.parquet, summary.md, timings.parquet, report.html and manifest.json to out
    ");
    assert_eq!(
        env.names("out"),
        ["evidence.parquet", "manifest.json", "report.html", "summary.md", "timings.parquet", "train.parquet"]
    );
}

#[test]
fn fixes_none_takes_every_text_as_it_came() {
    let (_, output) = run_birds(&["--fixes", "none"]);
    let status: Vec<&str> = output.stdout.lines().take(8).collect();
    assert_snapshot!(status.join("\n"), @r"
    rows
     status             train   published train
    ────────────────────────────────────────────
     verified      2 (33.3 %)      674 (67.3 %)
     repaired       0 (0.0 %)        23 (2.3 %)
     relabelled     0 (0.0 %)                 –
     problematic   4 (66.7 %)      304 (30.4 %)
     unjudged       0 (0.0 %)                 –
    ");
}

#[test]
fn a_second_run_writes_the_same_bytes() {
    let (env, first) = run_birds(&[]);
    let before = SAME.map(|name| env.bytes(&format!("out/{name}")));
    let second = env.run(&["run", "--input", "birds_train.jsonl", "--jobs", "1", "--no-cache"]);
    assert_eq!((second.code, &second.stdout), (Some(0), &first.stdout));
    let after = SAME.map(|name| env.bytes(&format!("out/{name}")));
    assert!(before == after, "a file differs");
}

#[test]
fn quiet_prints_nothing() {
    let (env, output) = run_birds(&["--quiet"]);
    assert_eq!(output.success(), "");
    assert!(exists(&env.path("out/train.parquet")));
}

#[test]
fn csv_in_the_columns_of_folio_refined() {
    let (env, output) = run_birds(&["--quiet", "--csv"]);
    output.success();
    let text = env.text("out/train.csv");
    let lines: Vec<&str> = text.lines().take(7).collect();
    assert_snapshot!(lines.join("\n"), @r#"
    nl premises,fol premises,nl conclusion,fol conclusion,label
    "All herons eat fish.
    Grey is a heron.","∀x (Heron(x) → Eat(x, fish))
    Heron(grey)",Grey eats fish.,"Eat(grey, fish)",True
    "All herons eat fish.
    Grey is a heron.","∀x (Heron(x) → Eat(x, fish))
    Heron(grey)",Grey eats snails.,"Eat(grey, snail)",Uncertain
    "#);
}

#[test]
#[cfg(feature = "bundled-vampire")]
fn saved_problems_can_be_rerun() {
    let (env, output) = run_birds(&["--quiet", "--save-problems", "problems"]);
    output.success();
    let names = env.names("problems");
    assert_snapshot!(names.join("\n"), @r"
    train-1-original-consistency.p
    train-1-original-entails.p
    train-2-original-consistency.p
    train-2-original-entails.p
    train-2-original-refutes.p
    train-3-mended-consistency.p
    train-3-mended-entails.p
    train-4-original-consistency.p
    train-4-original-entails.p
    train-4-original-refutes.p
    train-5-original-consistency.p
    ");
    let name = names.iter().find(|name| name.contains("entails")).unwrap();
    assert_snapshot!(env.text(&format!("problems/{name}")), @r"
    % entails of record 1 (birds_train.jsonl, row 0), text original
    % To ask again: refolio vampire THIS_FILE

    % All herons eat fish.
    % ∀x (Heron(x) → Eat(x, fish))
    fof(premise_0, axiom, ! [V_x] : (p1_Heron(V_x) => p2_Eat(V_x,c_fish))).

    % Grey is a heron.
    % Heron(grey)
    fof(premise_1, axiom, p1_Heron(c_grey)).

    % Grey eats fish.
    % Eat(grey, fish)
    fof(conclusion, conjecture, p2_Eat(c_grey,c_fish)).
    ");
    // By the hand of the user: what the table says of each record.
    let status = |name: &String| {
        let output = env.run(&["vampire", &format!("problems/{name}")]);
        let line = output.stdout.lines().find_map(|line| line.strip_prefix("% SZS status ")).map(str::to_owned);
        format!("{name}: {}", line.unwrap_or_else(|| output.to_string()))
    };
    assert_snapshot!(names.iter().map(status).collect::<Vec<_>>().join("\n"), @r"
    train-1-original-consistency.p: Satisfiable for train-1-original-consistency
    train-1-original-entails.p: Theorem for train-1-original-entails
    train-2-original-consistency.p: Satisfiable for train-2-original-consistency
    train-2-original-entails.p: CounterSatisfiable for train-2-original-entails
    train-2-original-refutes.p: CounterSatisfiable for train-2-original-refutes
    train-3-mended-consistency.p: Satisfiable for train-3-mended-consistency
    train-3-mended-entails.p: Theorem for train-3-mended-entails
    train-4-original-consistency.p: Satisfiable for train-4-original-consistency
    train-4-original-entails.p: CounterSatisfiable for train-4-original-entails
    train-4-original-refutes.p: Theorem for train-4-original-refutes
    train-5-original-consistency.p: Unsatisfiable for train-5-original-consistency
    ");
}

#[test]
fn fail_on_is_for_continuous_integration() {
    let (env, output) = run_birds(&["--quiet", "--fail-on", "conflict"]);
    assert_eq!(output.code, Some(1), "{output}");
    let code = |condition: &str| env.run(&["run", "-q", "-i", "birds_train.jsonl", "--fail-on", condition]).code;
    assert_eq!(code("undetermined"), Some(0));
    assert_eq!(code("inconsistent"), Some(1));
    assert_eq!(code("problematic"), Some(1));
}

#[test]
fn the_split_can_be_named() {
    let env = TestEnvironment::with_birds();
    let output = env.run(&["run", "--input", "spring=birds_train.jsonl", "--out", "there"]);
    assert!(
        output.stderr.ends_with(
            "wrote spring.parquet, evidence.parquet, summary.md, timings.parquet, report.html and manifest.json to there\n"
        ),
        "{output}"
    );
    assert!(output.stdout.contains("label × verdict, spring"), "{output}");
    assert!(!exists(&env.path("out")));
}

#[test]
fn paths_of_the_configuration_are_relative_to_it() {
    let env = TestEnvironment::new();
    env.write("project/data/birds.jsonl", BIRDS);
    env.write(
        "project/my.toml",
        "[dataset]\ninputs = [\"dev=data/birds.jsonl\"]\n[output]\ndir = \"results\"\ncsv = true\n",
    );
    env.run(&["run", "--quiet", "--config", "project/my.toml"]).success();
    assert_eq!(
        env.names("project/results"),
        ["dev.csv", "dev.parquet", "evidence.parquet", "manifest.json", "report.html", "summary.md", "timings.parquet"]
    );
}

#[test]
fn flags_override_the_configuration() {
    let env = TestEnvironment::with_birds();
    env.write(
        "pipeline.toml",
        "[dataset]\ninputs = [\"missing.jsonl\"]\n[output]\ndir = \"results\"\n[fixes]\nlevel = \"safe\"\n",
    );
    let output = env.run(&["run", "-i", "birds_train.jsonl", "-o", "mine", "--fixes", "none"]);
    assert!(output.stderr.ends_with(" to mine\n"), "{output}");
    let manifest: serde_json::Value = serde_json::from_str(&env.text("mine/manifest.json")).unwrap();
    assert_eq!(manifest["config"]["fixes"]["level"], "none", "{manifest:#}");
    assert!(!exists(&env.path("results")));
}

#[test]
fn files_of_an_earlier_run_are_named() {
    let (env, _) = run_birds(&["--quiet", "--csv"]);
    let output = env.run(&["run", "--input", "dev=birds_train.jsonl"]);
    assert_snapshot!(output.stderr, @"error: cannot read out/evidence.parquet: it holds no proof under train/1/entails, or not where it should");
}
