//! `refolio explain`

use insta::assert_snapshot;

use super::{TestEnvironment, exists};

fn explain(arguments: &[&str]) -> super::CommandOutput {
    let env = TestEnvironment::with_birds();
    env.run(&[&["explain", "-i", "birds_train.jsonl"], arguments].concat())
}

#[test]
fn a_proof_that_needs_a_fix() {
    assert_snapshot!(explain(&["3"]), @"
    exit code: 0
    ----- stdout
    Record 3: True, labelled True (agree, repaired)

      birds_train.jsonl row 2 (line 3), split train, story 2
      As it came the verdict was Unparsed.
      It rests on instances of the statements that contradict each other, which were checked.
      Signals: decided-by-mended-annotation.

    Premises and conclusion

      0  All owls hunt at night.
         ∀x (Owl(x) → HuntAt(x, night))
         as it came: ∀x (Owl(x) → HuntAt(x, night) (changed by S101)
      1  Willow is an owl.
         Owl(willow)
      ∴  Willow hunts at night.
         HuntAt(willow, night)

    Premises 0 and 1 are needed.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬HuntAt(willow, night).

      1. Owl(willow)             premise 1
      2. HuntAt(willow, night)   premise 0 with x = willow: Owl(willow) → HuntAt(willow, night), and 1
         contradiction of 2 with the supposition: ¬HuntAt(willow, night)

    So the conclusion holds wherever the premises do.

    Findings

    error[S101]: this bracket is never closed
     --> birds_train.jsonl:3 premise[0] of record 3
      |
    3 | ∀x (Owl(x) → HuntAt(x, night)
      |    - opened here             ^
      |
    help: append the missing `)` (safe fix)
      |
    3 | ∀x (Owl(x) → HuntAt(x, night))
      |                              +

    History

      premise[0] (S101 missing-close-bracket, fix): ∀x (Owl(x) → HuntAt(x, night) became ∀x (Owl(x) → HuntAt(x, night))

    Symbols

      symbol  kind            where                   gloss
      Owl     predicate of 1  premise[0], premise[1]  owl
      HuntAt  predicate of 2  premise[0], conclusion  hunt at
      night   constant        premise[0], conclusion  night
      willow  constant        premise[1], conclusion  Willow
    ");
}

#[test]
fn fixes_none_shows_the_text_as_it_came() {
    assert_snapshot!(explain(&["3", "--fixes", "none"]), @r"
    exit code: 0
    ----- stdout
    Record 3: Unparsed, labelled True (unparsed, problematic)

      birds_train.jsonl row 2 (line 3), split train, story 2

    Reason: unparsed: premise[0]

    Premises and conclusion

      0  All owls hunt at night.
         ∀x (Owl(x) → HuntAt(x, night)
      1  Willow is an owl.
         Owl(willow)
      ∴  Willow hunts at night.
         HuntAt(willow, night)

    Findings

    error[S101]: this bracket is never closed
     --> birds_train.jsonl:3 premise[0] of record 3
      |
    3 | ∀x (Owl(x) → HuntAt(x, night)
      |    - opened here             ^
      |
    help: append the missing `)` (safe fix)
      |
    3 | ∀x (Owl(x) → HuntAt(x, night))
      |                              +
    ");
}

#[test]
fn a_wrong_label() {
    assert_snapshot!(explain(&["4"]), @"
    exit code: 0
    ----- stdout
    Record 4: False, labelled True (conflict, problematic)

      birds_train.jsonl row 3 (line 4), split train, story 3
      It rests on instances of the statements that contradict each other, which were checked.

    Reason: label-contradicted: label True, verdict False

    Premises and conclusion

      0  Every gull is loud.
         ∀x (Gull(x) → Loud(x))
      1  Sandy is a gull.
         Gull(sandy)
      ∴  Sandy is not loud.
         ¬Loud(sandy)

    Premises 0 and 1 are needed.

    Proof

    Suppose that the premises hold and the conclusion is true: ¬Loud(sandy).

      1. Gull(sandy)   premise 1
      2. Loud(sandy)   premise 0 with x = sandy: Gull(sandy) → Loud(sandy), and 1
         contradiction of 2 with the supposition: ¬Loud(sandy)

    So the conclusion is false wherever the premises hold.

    What logic says

      The label is True, but the premises prove the conclusion's negation: the label should be False.

    Logic proves False: if the formulas say what the sentences say, the label should be False.

    Symbols

      symbol  kind            where                   gloss
      Gull    predicate of 1  premise[0], premise[1]  gull
      Loud    predicate of 1  premise[0], conclusion  loud
      sandy   constant        premise[1], conclusion  Sandy
    ");
}

#[test]
fn two_worlds() {
    assert_snapshot!(explain(&["2"]), @"
    exit code: 0
    ----- stdout
    Record 2: Uncertain, labelled Uncertain (agree, verified)

      birds_train.jsonl row 1 (line 2), split train, story 1
      It rests on finite models in which every formula was evaluated.

    Premises and conclusion

      0  All herons eat fish.
         ∀x (Heron(x) → Eat(x, fish))
      1  Grey is a heron.
         Heron(grey)
      ∴  Grey eats snails.
         Eat(grey, snail)

    Two worlds

    A world in which every premise holds and the conclusion holds, and one in which every premise holds and it does not. In the first, Eat(grey, snail); in the second, not.

    The first world, in which the conclusion holds:

             fish  grey  snail
      Heron  –     yes   –

      Eat holds of (grey, fish) and (grey, snail)

    The second world, in which the conclusion does not hold:

             fish  grey  snail
      Heron  –     yes   –

      Eat holds of (grey, fish)

    Findings

    info[N208]: no premise mentions the individual `snail`
     --> birds_train.jsonl:2 conclusion of record 2
      |
    2 | Eat(grey, snail)
      |           ^^^^^
      |
      = help: nothing can be derived about it unless the conclusion holds or fails for every meaning of it

    Symbols

      symbol  kind            where                   gloss
      Heron   predicate of 1  premise[0], premise[1]  heron
      Eat     predicate of 2  premise[0], conclusion  eat
      fish    constant        premise[0]              fish
      grey    constant        premise[1], conclusion  Grey
      snail   constant        conclusion              snails
    ");
}

#[test]
fn premises_that_contradict_each_other() {
    assert_snapshot!(explain(&["5"]), @"
    exit code: 0
    ----- stdout
    Record 5: Inconsistent, labelled Uncertain (inconsistent, problematic)

      birds_train.jsonl row 4 (line 5), split train, story 4
      It rests on instances of the statements that contradict each other, which were checked.

    Reason: inconsistent-premises

    Premises and conclusion

      0  No wren is large.
         ∀x (Wren(x) → ¬Large(x))
      1  Dot is a wren.
         Wren(dot)
      2  Dot is large.
         Large(dot)
      ∴  Dot sings.
         Sing(dot)

    Premises 0, 1 and 2 are needed.

    Proof

    Suppose that all premises hold.

      1. Wren(dot)     premise 1
      2. ¬Large(dot)   premise 0 with x = dot: Wren(dot) → ¬Large(dot), and 1
         contradiction of 2 with premise 2: Large(dot)

    So the premises contradict each other.

    Findings

    info[N208]: no premise mentions the predicate `Sing`
     --> birds_train.jsonl:5 conclusion of record 5
      |
    5 | Sing(dot)
      | ^^^^
      |
      = help: nothing can be derived about it unless the conclusion holds or fails for every meaning of it

    What logic says

      The premises contradict each other, so nothing said of the conclusion would mean anything.
      The conclusion uses what no premise has: `Sing`/1.
      These contradict each other, and none can be left out: premise[0], premise[1], premise[2].
      Without premise[0] the rest would be consistent; the verdict would be Uncertain, the label.
      Without premise[1] the rest would be consistent; the verdict would be Uncertain, the label.
      Without premise[2] the rest would be consistent; the verdict would be Uncertain, the label.

    Symbols

      symbol  kind            where                               gloss
      Wren    predicate of 1  premise[0], premise[1]              wren
      Large   predicate of 1  premise[0], premise[2]              large
      dot     constant        premise[1], premise[2], conclusion  Dot
      Sing    predicate of 1  conclusion                          sings
    ");
}

#[test]
fn a_conclusion_without_a_reading() {
    assert_snapshot!(explain(&["6"]), @"
    exit code: 0
    ----- stdout
    Record 6: Unparsed, labelled True (unparsed, problematic)

      birds_train.jsonl row 5 (line 6), split train, story 3
      Signals: decided-by-flagged-annotation.

    Reason: unparsed: conclusion

    Premises and conclusion

      0  Every gull is loud.
         ∀x (Gull(x) → Loud(x))
      1  Sandy is a gull.
         Gull(sandy)
      ∴  If Sandy is a gull, then she is loud.
         Gull(sandy) → → Loud(sandy)

    Findings

    error[S117]: a formula is missing here
     --> birds_train.jsonl:6 conclusion of record 6
      |
    6 | Gull(sandy) → → Loud(sandy)
      |              ^

    What logic says

      These annotations have no reading: conclusion.

    Symbols

      symbol  kind            where                   gloss
      Gull    predicate of 1  premise[0], premise[1]  gull
      Loud    predicate of 1  premise[0]              loud
      sandy   constant        premise[1]              Sandy
    ");
}

#[test]
fn by_place() {
    let env = TestEnvironment::with_birds();
    let by_id = env.run(&["explain", "-i", "birds_train.jsonl", "5"]).success();
    for arguments in [
        &["-i", "birds_train.jsonl", "birds_train.jsonl:4"][..],
        &["birds_train.jsonl:4"],
        &["--file", "birds_train.jsonl", "--row", "4"],
        &["--file", "birds_train.jsonl", "--line", "5"],
        &["-i", "birds_train.jsonl", "--file", "birds_train.jsonl", "--line", "5"],
    ] {
        assert_eq!(env.run(&[&["explain"], arguments].concat()).success(), by_id, "{arguments:?}");
    }
    assert_snapshot!(env.run(&["explain", "birds_train.jsonl:6"]), @r"
    exit code: 2
    ----- stderr
    error: birds_train.jsonl has no row 6; its rows are 0 to 5
    hint: rows count from 0, as in the column `source_row`; --line counts lines from 1, as `lint` does
    ");
    assert_snapshot!(env.run(&["explain", "--file", "birds_train.jsonl", "--line", "9"]), @r"
    exit code: 2
    ----- stderr
    error: birds_train.jsonl has no record that starts on line 9; it has 6 records
    hint: rows count from 0, as in the column `source_row`; --line counts lines from 1, as `lint` does
    ");
}

#[test]
fn inputs_of_the_configuration() {
    let env = TestEnvironment::with_birds();
    env.write("pipeline.toml", "[dataset]\ninputs = [\"birds_train.jsonl\"]\n");
    assert!(env.run(&["explain", "1"]).success().starts_with("Record 1: True, labelled True (agree, verified)\n"));
}

#[test]
fn an_id_that_is_not_there() {
    assert_snapshot!(explain(&["12"]), @r#"
    exit code: 2
    ----- stderr
    error: no record has the id "12", and there is no such place
    hint: ids like it: 1, 2
    "#);
    assert_snapshot!(explain(&["nothing-like-it"]), @r#"
    exit code: 2
    ----- stderr
    error: no record has the id "nothing-like-it", and there is no such place
    hint: name a record by its id, its example id, or FILE:ROW with rows from 0
    "#);
    assert_snapshot!(TestEnvironment::new().run(&["explain", "1"]), @r"
    exit code: 2
    ----- stderr
    error: there is nothing to read: no input is named
    hint: name files with --input, or in dataset.inputs of pipeline.toml
    ");
}

#[test]
fn an_id_that_several_records_have() {
    let env = TestEnvironment::with_birds();
    env.write("birds_validation.jsonl", env.bytes("birds_train.jsonl"));
    let output = env.run(&["explain", "-i", "birds_train.jsonl", "-i", "birds_validation.jsonl", "1"]);
    assert_snapshot!(output, @r#"
    exit code: 2
    ----- stderr
    error: 2 records are meant by "1":
      1~06f308bb    train, birds_train.jsonl row 0
      1~06f308bb~2  validation, birds_validation.jsonl row 0
    hint: name one by the id that starts its line, or by FILE:ROW; --input narrows down the files
    "#);
    // As the hint says.
    let id = output.stderr.lines().nth(2).and_then(|line| line.split_whitespace().next()).unwrap();
    let one = env.run(&["explain", "-i", "birds_train.jsonl", "-i", "birds_validation.jsonl", id]).success();
    assert!(one.contains("birds_validation.jsonl row 0"), "{one}");
}

#[test]
fn a_premise_that_no_record_of_the_story_needs() {
    let env = TestEnvironment::new();
    env.write(
        "rain_train.jsonl",
        r#"{"story_id": 1, "premises": "It rains.\nIf it rains, the street is wet.\nAda sings.", "premises-FOL": "Rain\nRain → Wet(street)\nSings(ada)", "conclusion": "The street is wet.", "conclusion-FOL": "Wet(street)", "label": "True", "example_id": 1}
{"story_id": 1, "premises": "It rains.\nIf it rains, the street is wet.\nAda sings.", "premises-FOL": "Rain\nRain → Wet(street)\nSings(ada)", "conclusion": "It does not rain.", "conclusion-FOL": "¬Rain", "label": "False", "example_id": 2}
"#,
    );
    let told = |more: &[&str]| {
        let output = env.run(&[&["explain", "-i", "rain_train.jsonl", "2"], more].concat()).success();
        output.lines().skip_while(|l| !l.contains("L504")).take(5).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(told(&[]), @r"
    info[L504]: no verdict on the story's 2 records needs this premise
     --> rain_train.jsonl:2 premise[2] of record 2
      |
    2 | Sings(ada)
      | ^^^^^^^^^^
    ");
    env.write("pipeline.toml", "[lint]\nignore = [\"L504\"]\n");
    assert_eq!(told(&[]), "");
}

#[test]
fn other_formats_and_files() {
    let env = TestEnvironment::with_birds();
    let run = |more: &[&str]| env.run(&[&["explain", "-i", "birds_train.jsonl", "1"], more].concat()).success();
    let json: serde_json::Value = serde_json::from_str(&run(&["--format", "json"])).unwrap();
    assert_eq!((&json["verdict"], &json["account"]["kind"]), (&"True".into(), &"proof".into()));
    assert_eq!(json["used_premises"], serde_json::json!([0, 1]));
    assert!(run(&["--format", "markdown"]).starts_with("# Record `1`: **True**, labelled True"));
    assert_eq!(run(&["--format", "html", "--output", "pages/one.html"]), "");
    assert!(env.text("pages/one.html").starts_with("<!doctype html>\n"));
    assert_eq!(env.names("pages"), ["one.html"]);
    env.write("file", "");
    let blocked = env.run(&["explain", "-i", "birds_train.jsonl", "1", "--output", "file/one.txt"]);
    assert_eq!(blocked.code, Some(5), "{blocked}");
    assert!(!exists(&env.path("file/one.txt")));
}

#[test]
#[cfg(feature = "bundled-vampire")]
fn the_problem_and_the_derivation() {
    assert_snapshot!(explain(&["4", "--tptp"]), @r"
    exit code: 0
    ----- stdout
    % record 4 (birds_train.jsonl, row 3)
    % verdict False
    % To ask again: refolio vampire THIS_FILE

    % Every gull is loud.
    % ∀x (Gull(x) → Loud(x))
    fof(premise_0, axiom, ! [V_x] : (p1_Gull(V_x) => p1_Loud(V_x))).

    % Sandy is a gull.
    % Gull(sandy)
    fof(premise_1, axiom, p1_Gull(c_sandy)).

    % Sandy is not loud.
    % ¬Loud(sandy)
    fof(negated_conclusion, conjecture, ~ (~ p1_Loud(c_sandy))).
    ");
    let proof = explain(&["4", "--proof"]).success();
    assert!(proof.contains("fof(") && proof.contains("premise_0") && proof.contains("$false"), "{proof}");
    assert_snapshot!(explain(&["2", "--proof"]), @r"
    exit code: 1
    ----- stderr
    error: there is no derivation to print: the verdict is Uncertain
    ");
    assert_snapshot!(explain(&["6", "--tptp"]), @r"
    exit code: 1
    ----- stderr
    error: there is no problem to print: the verdict is Unparsed
    ");
}
