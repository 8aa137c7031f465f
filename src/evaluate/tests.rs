//! The measurements over a few invented stories, and their tables.

use std::collections::BTreeMap;

use super::testing::{record, settings, with_bench};
use super::*;
use crate::diagnostic::{EditKind, Target};
use crate::record::{Edit, Label};

const ALL: Shown = Shown { by_rule: true, wrong: true, missed: true };

/// Two stories that agree, of which one needs a bracket, and one that does not.
fn records() -> Vec<Record> {
    let herons = ["∀x (Heron(x) → Eat(x, fish))", "Heron(grey) ∧ ¬Heron(willow)", "Sleep(willow) ∨ ¬Eat(grey, fish)"];
    let owls = ["∀x (Owl(x) → Hunt(x, night)", "Owl(willow)"];
    vec![
        record("1", &herons, "Eat(grey, fish)", Label::True),
        record("2", &herons, "Sleep(willow)", Label::True),
        record("3", &herons, "Eat(willow, fish)", Label::Uncertain),
        record("4", &herons, "Heron(willow)", Label::True),
        record("5", &owls, "Hunt(willow, night)", Label::True),
        record("6", &["Gull(sandy)"], "¬Gull(sandy)", Label::True),
    ]
}

fn all_errors(per_record: usize) -> Errors {
    Errors { seed: 7, kinds: ErrorKind::ALL.to_vec(), per_record }
}

fn measured(errors: &Errors) -> Report {
    with_bench(|bench| measure(&records(), errors, &settings(), bench, &|| ()))
}

#[test]
fn every_error_has_one_outcome() {
    let report = measured(&all_errors(2));
    assert_eq!((report.records, report.agreeing), (6, 4));
    for (kind, c) in &report.kinds {
        let outcomes = [
            c.unchanged,
            c.restored(),
            c.wrong_by_fixes,
            c.wrong_by_search,
            c.undecided,
            c.ambiguous,
            c.untouched,
            c.unreadable,
        ];
        assert_eq!(outcomes.iter().sum::<u64>(), c.mutated, "{kind}");
        assert!(c.mutated <= 2 * report.agreeing && c.mutated + c.not_applicable >= report.agreeing, "{kind}");
    }
    let total = report.total();
    assert_eq!(total.mutated, report.kinds.iter().map(|(_, c)| c.mutated).sum::<u64>());
    assert!(total.unchanged > 0 && total.mutated > total.unchanged);
    assert_eq!(report.wrong.len() as u64, total.wrong_by_fixes + total.wrong_by_search + total.undecided);
    assert_eq!(report.missed.len() as u64, total.ambiguous + total.untouched + total.unreadable);
}

#[test]
fn brackets_come_back_by_safe_fixes() {
    let report = measured(&Errors { seed: 7, kinds: vec![ErrorKind::DroppedBracket], per_record: 3 });
    let counts = report.total();
    assert_eq!((counts.mutated, counts.unchanged), (12, 0));
    assert!(counts.restored_by_fixes > 0, "{counts:?}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let control = with_bench(|bench| control(&records(), &settings(), bench, &|| ()));
            (measured(&all_errors(2)), control)
        })
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn errors_do_not_depend_on_neighbours() {
    let errors = all_errors(1);
    let one = |records: &[Record]| with_bench(|bench| measure(records, &errors, &settings(), bench, &|| ()));
    let all = records();
    let parts = [one(&all[..4]), one(&all[4..])];
    let total = one(&all);
    for (i, (kind, counts)) in total.kinds.iter().enumerate() {
        let sum: u64 = parts.iter().map(|part| part.kinds[i].1.mutated).sum();
        assert_eq!(counts.mutated, sum, "{kind}");
    }
}

#[test]
fn wrong_labels_are_given_to_agreeing_rows_only() {
    let report = with_bench(|bench| control(&records(), &settings(), bench, &|| ()));
    assert_eq!((report.records, report.agreeing), (6, 4));
    assert_eq!(report.pairs.len(), 6);
    let of = |verdict, label| report.pairs[&Pair { verdict, label }];
    // Three rows are true and one is uncertain.
    assert_eq!(of(Label::True, Label::False).controls, 3);
    assert_eq!(of(Label::True, Label::Uncertain).controls, 3);
    assert_eq!(of(Label::Uncertain, Label::True).controls, 1);
    assert_eq!(of(Label::False, Label::True).controls, 0);
    // Two conflicts: logic says false, the labels say true.
    assert_eq!(of(Label::False, Label::True).conflicts, 2);
    assert_eq!(report.total().controls, 8);
    assert_eq!(report.total().conflicts, 2);
    assert_eq!(report.total().bent, report.bent.len() as u64);
}

/// A report as it may look, whatever search can do.
fn report() -> Report {
    let misspelt = KindCounts {
        mutated: 120,
        not_applicable: 3,
        unchanged: 60,
        restored_by_search: 48,
        wrong_by_search: 1,
        undecided: 1,
        ambiguous: 2,
        untouched: 8,
        ..KindCounts::default()
    };
    let brackets = KindCounts {
        mutated: 123,
        restored_by_fixes: 100,
        restored_by_search: 3,
        wrong_by_fixes: 5,
        untouched: 9,
        unreadable: 6,
        ..KindCounts::default()
    };
    let wrong = Trial {
        record_id: "17".to_owned(),
        mutation: Mutation {
            kind: ErrorKind::Misspelt,
            target: Target::Premise(1),
            before: "Heron(grey)".to_owned(),
            after: "Herom(grey)".to_owned(),
        },
        outcome: Outcome::Wrong(Rung::Search),
        rules: vec!["N203".to_owned()],
        faithful: Some(false),
        changed: vec![
            Changed {
                target: Target::Premise(1),
                record_id: None,
                original: "Heron(grey)".to_owned(),
                repaired: "Hero(grey)".to_owned(),
            },
            Changed {
                target: Target::Conclusion,
                record_id: Some("18".to_owned()),
                original: "Eat(grey)".to_owned(),
                repaired: "Eat\u{1b}(grey)".to_owned(),
            },
        ],
    };
    let missed = Trial {
        record_id: "19".to_owned(),
        outcome: Outcome::Ambiguous,
        rules: Vec::new(),
        faithful: None,
        changed: vec![Changed {
            target: Target::Premise(1),
            record_id: None,
            original: "Heron(grey)".to_owned(),
            repaired: "Herom(grey)".to_owned(),
        }],
        ..wrong.clone()
    };
    let counts = |right, wrong, undecided| RuleCounts { right, wrong, undecided };
    Report {
        errors: Errors { seed: 7, kinds: vec![ErrorKind::DroppedBracket, ErrorKind::Misspelt], per_record: 1 },
        records: 200,
        agreeing: 123,
        kinds: vec![
            (ErrorKind::DroppedBracket, brackets),
            (ErrorKind::Misspelt, misspelt),
            (ErrorKind::Case, KindCounts { not_applicable: 123, ..KindCounts::default() }),
        ],
        rules: BTreeMap::from([("N201".to_owned(), counts(48, 0, 1)), ("N203".to_owned(), counts(3, 1, 0))]),
        wrong: vec![wrong],
        missed: vec![missed],
    }
}

#[test]
fn a_report_as_text() {
    insta::assert_snapshot!(report().text(ALL), @"
    200 records, 123 agree; seed 7, up to 1 of each kind in a record

     error             mutated   n/a       un-   restored       by      wrong       by       un-   ambi-       un-        un-   precision   recall
                                       changed   by fixes   search   by fixes   search   decided   guous   touched   readable
    ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
     dropped-bracket       123     0         0        100        3          5        0         0       0         9          6      95.4 %   83.7 %
     misspelt              120     3        60          0       48          0        1         1       2         8          0      96.0 %   80.0 %
     case                    0   123         0          0        0          0        0         0       0         0          0           –        –
     all                   243   126        60        100       51          5        1         1       2        17          6      95.6 %   82.5 %

     rule   right   wrong   undecided   precision
    ──────────────────────────────────────────────
     N201      48       0           1      98.0 %
     N203       3       1           0      75.0 %

    17: misspelt, premise[1]; wrong by search (N203)
      original  Heron(grey)
      mutated   Herom(grey)
      repaired  Hero(grey)
      conclusion of 18
        original  Eat(grey)
        repaired  Eat�(grey)

    19: misspelt, premise[1]; ambiguous
      original  Heron(grey)
      mutated   Herom(grey)
    ");
    let short = report().text(Shown::default());
    assert!(report().text(ALL).starts_with(&short));
}

#[test]
fn a_report_as_json() {
    let json = |shown| serde_json::to_string_pretty(&report().json(shown)).expect("JSON");
    insta::assert_snapshot!(json(ALL), @r#"
    {
      "seed": 7,
      "per_record": 1,
      "records": 200,
      "agreeing": 123,
      "kinds": {
        "dropped-bracket": {
          "mutated": 123,
          "not_applicable": 0,
          "unchanged": 0,
          "restored_by_fixes": 100,
          "restored_by_search": 3,
          "wrong_by_fixes": 5,
          "wrong_by_search": 0,
          "undecided": 0,
          "ambiguous": 0,
          "untouched": 9,
          "unreadable": 6,
          "precision": 0.9537037037037037,
          "precision_of_search": 1.0,
          "recall": 0.8373983739837398
        },
        "misspelt": {
          "mutated": 120,
          "not_applicable": 3,
          "unchanged": 60,
          "restored_by_fixes": 0,
          "restored_by_search": 48,
          "wrong_by_fixes": 0,
          "wrong_by_search": 1,
          "undecided": 1,
          "ambiguous": 2,
          "untouched": 8,
          "unreadable": 0,
          "precision": 0.96,
          "precision_of_search": 0.96,
          "recall": 0.8
        },
        "case": {
          "mutated": 0,
          "not_applicable": 123,
          "unchanged": 0,
          "restored_by_fixes": 0,
          "restored_by_search": 0,
          "wrong_by_fixes": 0,
          "wrong_by_search": 0,
          "undecided": 0,
          "ambiguous": 0,
          "untouched": 0,
          "unreadable": 0,
          "precision": null,
          "precision_of_search": null,
          "recall": null
        }
      },
      "total": {
        "mutated": 243,
        "not_applicable": 126,
        "unchanged": 60,
        "restored_by_fixes": 100,
        "restored_by_search": 51,
        "wrong_by_fixes": 5,
        "wrong_by_search": 1,
        "undecided": 1,
        "ambiguous": 2,
        "untouched": 17,
        "unreadable": 6,
        "precision": 0.9556962025316456,
        "precision_of_search": 0.9622641509433962,
        "recall": 0.825136612021858
      },
      "rules": {
        "N201": {
          "right": 48,
          "wrong": 0,
          "undecided": 1,
          "precision": 0.9795918367346939
        },
        "N203": {
          "right": 3,
          "wrong": 1,
          "undecided": 0,
          "precision": 0.75
        }
      },
      "wrong": [
        {
          "record_id": "17",
          "kind": "misspelt",
          "target": "premise[1]",
          "original": "Heron(grey)",
          "mutated": "Herom(grey)",
          "outcome": "wrong",
          "rung": "search",
          "rules": [
            "N203"
          ],
          "changed": [
            {
              "target": "premise[1]",
              "record_id": null,
              "original": "Heron(grey)",
              "repaired": "Hero(grey)"
            },
            {
              "target": "conclusion",
              "record_id": "18",
              "original": "Eat(grey)",
              "repaired": "Eat\u001b(grey)"
            }
          ]
        }
      ],
      "missed": [
        {
          "record_id": "19",
          "kind": "misspelt",
          "target": "premise[1]",
          "original": "Heron(grey)",
          "mutated": "Herom(grey)",
          "outcome": "ambiguous",
          "rung": null,
          "rules": [],
          "changed": [
            {
              "target": "premise[1]",
              "record_id": null,
              "original": "Heron(grey)",
              "repaired": "Herom(grey)"
            }
          ]
        }
      ]
    }
    "#);
    let short = report().json(Shown::default());
    assert_eq!((short.get("rules"), short.get("wrong"), short.get("missed")), (None, None, None));
}

fn control_report() -> ControlReport {
    let counts = |controls, bent, conflicts, closed| PairCounts { controls, bent, conflicts, closed };
    let all = [(150, 0, 4, 0), (150, 3, 20, 6), (90, 0, 0, 0), (90, 1, 12, 1), (120, 2, 60, 20), (120, 0, 31, 12)];
    let edit = Edit {
        target: Target::Premise(0),
        before: "∀x (Heron(x) → Eat(x, fish))".to_owned(),
        after: "∃x (Heron(x) → Eat(x, fish))".to_owned(),
        rule: "Q301".to_owned(),
        kind: EditKind::Search,
        iteration: 1,
        alternatives: Vec::new(),
        asked_by: None,
        why: String::new(),
    };
    ControlReport {
        records: 500,
        agreeing: 360,
        pairs: Pair::all().zip(all.map(|(a, b, c, d)| counts(a, b, c, d))).collect(),
        bent: vec![Bent {
            record_id: "17".to_owned(),
            pair: Pair { verdict: Label::True, label: Label::Uncertain },
            edits: vec![edit],
        }],
    }
}

#[test]
fn a_control_as_text() {
    insta::assert_snapshot!(control_report().text(ALL), @"
    500 records, 360 agree

     verdict → label      wrong   bent    rate        real   closed     rate   share of
                         labels                  conflicts                       chance
    ────────────────────────────────────────────────────────────────────────────────────
     True → False           150      0   0.0 %           4        0    0.0 %          –
     True → Uncertain       150      3   2.0 %          20        6   30.0 %      6.7 %
     False → True            90      0   0.0 %           0        0        –          –
     False → Uncertain       90      1   1.1 %          12        1    8.3 %     13.3 %
     Uncertain → True       120      2   1.7 %          60       20   33.3 %      5.0 %
     Uncertain → False      120      0   0.0 %          31       12   38.7 %      0.0 %
     all                    720      6   0.8 %         127       39   30.7 %      2.7 %

    17: True → Uncertain
      Q301 premise[0]
        before  ∀x (Heron(x) → Eat(x, fish))
        after   ∃x (Heron(x) → Eat(x, fish))
    ");
}

#[test]
fn a_control_as_json() {
    let report = control_report();
    let json = report.json(ALL);
    assert_eq!(json["pairs"].as_array().map(Vec::len), Some(6));
    insta::assert_snapshot!(serde_json::to_string_pretty(&json["pairs"][1]).expect("JSON"), @r#"
    {
      "controls": 150,
      "bent": 3,
      "rate_of_control": 0.02,
      "conflicts": 20,
      "closed": 6,
      "rate_of_conflicts": 0.3,
      "chance": 0.06666666666666667,
      "verdict": "True",
      "label": "Uncertain"
    }
    "#);
    insta::assert_snapshot!(serde_json::to_string(&json["bent"]).expect("JSON"), @r#"[{"record_id":"17","verdict":"True","label":"Uncertain","edits":[{"target":"premise[0]","before":"∀x (Heron(x) → Eat(x, fish))","after":"∃x (Heron(x) → Eat(x, fish))","rule":"Q301","asked_by":null}]}]"#);
    assert_eq!(json["total"]["controls"], 720);
    assert_eq!(json["total"]["closed"], 39);
}
