//! Records of a dataset, in every format.

use super::*;

/// A record with sentences, a label and a bracket missing.
fn record() -> Record {
    let texts = |texts: &[&str]| texts.iter().map(|&t| t.to_owned()).collect();
    let mut record = Record {
        record_id: "7".to_owned(),
        split: "train".to_owned(),
        story_id: Some("3".to_owned()),
        premises: texts(&["All owls hunt at night.", "Willow | “Will” is an owl.", "Willow is <b>grey</b>."]),
        premises_fol: texts(&["∀x (Owl(x) → HuntAt(x, night)", "Owl(willow)", "Grey(willow)"]),
        conclusion: "Willow hunts at night.".to_owned(),
        conclusion_fol: Some("HuntAt(willow, night)".to_owned()),
        label: Some(Label::True),
        label_text: Some("True".to_owned()),
        ..Record::default()
    };
    record.source.file = "owls_train.jsonl".to_owned();
    record.source.row = 6;
    record.source.line = Some(7);
    record
}

fn full(record: Record) -> Explanation {
    let mut config = Config::default();
    config.lint.semantic = false;
    let dataset = Dataset { files: Vec::new(), records: vec![record] };
    let rows: Vec<Row> =
        examine(&config, &dataset, &[0], Provers { first: &Silent::new(), second: None, agents: None }).expect("rows");
    let row = rows.first().expect("a row");
    let reading = Reading::new(&row.premises_fol, row.conclusion_fol.as_deref(), config.reading());
    explain(row, &reading)
}

#[test]
fn a_record_in_full() {
    let explanation = full(record());
    insta::assert_snapshot!(text(&document(&explanation, Detail::Full), Colour::Plain), @"
    Record 7: True, labelled True (agree, repaired)

      owls_train.jsonl row 6 (line 7), split train, story 3
      As it came the verdict was Unparsed.
      It rests on instances of the statements that contradict each other, which were checked.
      Signals: decided-by-mended-annotation, unused-premises.

    Premises and conclusion

      0  All owls hunt at night.
         ∀x (Owl(x) → HuntAt(x, night))
         as it came: ∀x (Owl(x) → HuntAt(x, night) (changed by S101)
      1  Willow | “Will” is an owl.
         Owl(willow)
      2  Willow is <b>grey</b>.  (not needed)
         Grey(willow)
      ∴  Willow hunts at night.
         HuntAt(willow, night)

    Premises 0 and 1 are needed; 2 is not.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬HuntAt(willow, night).

      1. Owl(willow)             premise 1
      2. HuntAt(willow, night)   premise 0 with x = willow: Owl(willow) → HuntAt(willow, night), and 1
         contradiction of 2 with the supposition: ¬HuntAt(willow, night)

    So the conclusion holds wherever the premises do.

    Findings

    error[S101]: this bracket is never closed
     --> owls_train.jsonl:7 premise[0] of record 7
      |
    7 | ∀x (Owl(x) → HuntAt(x, night)
      |    - opened here             ^
      |
    help: append the missing `)` (safe fix)
      |
    7 | ∀x (Owl(x) → HuntAt(x, night))
      |                              +

    History

      premise[0] (S101 missing-close-bracket, fix): ∀x (Owl(x) → HuntAt(x, night) became ∀x (Owl(x) → HuntAt(x, night))

    Symbols

      symbol  kind            where                               gloss
      Owl     predicate of 1  premise[0], premise[1]              owl
      HuntAt  predicate of 2  premise[0], conclusion              hunt at
      night   constant        premise[0], conclusion              night
      willow  constant        premise[1], premise[2], conclusion  Willow
      Grey    predicate of 1  premise[2]                          grey
    ");
    insta::assert_snapshot!(markdown(&document(&explanation, Detail::Full)), @r"
    # Record `7`: **True**, labelled True (agree, repaired)

    - `owls_train.jsonl` row 6 (line 7), split train, story 3
    - As it came the verdict was Unparsed.
    - It rests on instances of the statements that contradict each other, which were checked.
    - Signals: decided-by-mended-annotation, unused-premises.

    ## Premises and conclusion

    |  | sentence | formula | needed |
    | --- | --- | --- | --- |
    | 0 | All owls hunt at night. | `∀x (Owl(x) → HuntAt(x, night))`<br>as it came: `∀x (Owl(x) → HuntAt(x, night)` (changed by S101) | yes |
    | 1 | Willow \| “Will” is an owl. | `Owl(willow)` | yes |
    | 2 | Willow is &lt;b>grey&lt;/b>. | `Grey(willow)` | no |
    | ∴ | Willow hunts at night. | `HuntAt(willow, night)` |  |

    Premises 0 and 1 are needed; 2 is not.

    ## Proof

    Suppose that the premises hold and the conclusion is false: `¬HuntAt(willow, night)`.

    - (1) `Owl(willow)` — premise 1
    - (2) `HuntAt(willow, night)` — premise 0 with `x = willow`: `Owl(willow) → HuntAt(willow, night)`, and 1
    - **contradiction** of 2 with the supposition: `¬HuntAt(willow, night)`

    So the conclusion holds wherever the premises do.

    ## Findings

    ```text
    error[S101]: this bracket is never closed
     --> owls_train.jsonl:7 premise[0] of record 7
      |
    7 | ∀x (Owl(x) → HuntAt(x, night)
      |    - opened here             ^
      |
    help: append the missing `)` (safe fix)
      |
    7 | ∀x (Owl(x) → HuntAt(x, night))
      |                              +
    ```

    ## History

    - premise\[0\] (S101 missing-close-bracket, fix): `∀x (Owl(x) → HuntAt(x, night)` became `∀x (Owl(x) → HuntAt(x, night))`

    ## Symbols

    | `symbol` | `kind` | `where` | `gloss` |
    | --- | --- | --- | --- |
    | `Owl` | predicate of 1 | premise\[0\], premise\[1\] | owl |
    | `HuntAt` | predicate of 2 | premise\[0\], conclusion | hunt at |
    | `night` | constant | premise\[0\], conclusion | night |
    | `willow` | constant | premise\[1\], premise\[2\], conclusion | Willow |
    | `Grey` | predicate of 1 | premise\[2\] | grey |
    ");
}

#[test]
fn a_record_as_json() {
    let mut explanation = full(record());
    explanation.diagnostics.clear();
    insta::assert_snapshot!(json(&explanation), @r#"
    {
      "record": {
        "record_id": "7",
        "example_id": null,
        "story_id": "3",
        "split": "train",
        "file": "owls_train.jsonl",
        "row": 6,
        "line": 7,
        "label": "True",
        "label_text": "True",
        "agreement": "agree",
        "status": "repaired",
        "verdict_original": "Unparsed",
        "decision": null
      },
      "verdict": "True",
      "szs": "Theorem",
      "reason": null,
      "evidence": "certificate",
      "signals": [
        "decided-by-mended-annotation",
        "unused-premises"
      ],
      "premises": [
        {
          "sentence": "All owls hunt at night.",
          "formula": "∀x (Owl(x) → HuntAt(x, night))",
          "original": "∀x (Owl(x) → HuntAt(x, night)",
          "rules": [
            "S101"
          ],
          "used": true
        },
        {
          "sentence": "Willow | “Will” is an owl.",
          "formula": "Owl(willow)",
          "original": null,
          "rules": [],
          "used": true
        },
        {
          "sentence": "Willow is <b>grey</b>.",
          "formula": "Grey(willow)",
          "original": null,
          "rules": [],
          "used": false
        }
      ],
      "sentences": [],
      "conclusion": {
        "sentence": "Willow hunts at night.",
        "formula": "HuntAt(willow, night)",
        "original": null,
        "rules": [],
        "used": null
      },
      "used_premises": [
        0,
        1
      ],
      "unneeded_premises": [
        2
      ],
      "account": {
        "kind": "proof",
        "question": "entails",
        "suppose": "¬HuntAt(willow, night)",
        "line": {
          "steps": [
            {
              "number": 1,
              "literal": "Owl(willow)",
              "because": {
                "by": "statement",
                "premise": 1,
                "with": [],
                "instance": "Owl(willow)"
              },
              "from": [],
              "names": []
            },
            {
              "number": 2,
              "literal": "HuntAt(willow, night)",
              "because": {
                "by": "statement",
                "premise": 0,
                "with": [
                  [
                    "x",
                    "willow"
                  ]
                ],
                "instance": "Owl(willow) → HuntAt(willow, night)"
              },
              "from": [
                1
              ],
              "names": []
            }
          ],
          "end": {
            "end": "contradiction",
            "because": {
              "by": "statement",
              "premise": null,
              "with": [],
              "instance": "¬HuntAt(willow, night)"
            },
            "from": [
              2
            ],
            "names": []
          }
        }
      },
      "diagnostics": [],
      "history": [
        {
          "target": "premise[0]",
          "rule": "S101",
          "name": "missing-close-bracket",
          "kind": "fix",
          "before": "∀x (Owl(x) → HuntAt(x, night)",
          "after": "∀x (Owl(x) → HuntAt(x, night))",
          "alternatives": [],
          "asked_by": null,
          "why": ""
        }
      ],
      "proposals": [],
      "proposed_label": null,
      "critique": [],
      "presuppositions": [],
      "symbols": [
        {
          "name": "Owl",
          "kind": "predicate",
          "arity": 1,
          "used_in": [
            "premise[0]",
            "premise[1]"
          ],
          "gloss": "owl"
        },
        {
          "name": "HuntAt",
          "kind": "predicate",
          "arity": 2,
          "used_in": [
            "premise[0]",
            "conclusion"
          ],
          "gloss": "hunt at"
        },
        {
          "name": "night",
          "kind": "constant",
          "arity": 0,
          "used_in": [
            "premise[0]",
            "conclusion"
          ],
          "gloss": "night"
        },
        {
          "name": "willow",
          "kind": "constant",
          "arity": 0,
          "used_in": [
            "premise[1]",
            "premise[2]",
            "conclusion"
          ],
          "gloss": "Willow"
        },
        {
          "name": "Grey",
          "kind": "predicate",
          "arity": 1,
          "used_in": [
            "premise[2]"
          ],
          "gloss": "grey"
        }
      ]
    }
    "#);
}

#[test]
fn a_record_as_a_page() {
    let page = html(&document(&full(record()), Detail::Full));
    let (head, body) = page.split_once("</style>").expect("a style");
    assert!(
        head.contains("prefers-color-scheme: dark") && head.contains("<title>record 7: True · refolio</title>"),
        "{head}"
    );
    assert!(!page.contains("<script") && !page.contains("://"), "nothing is run or loaded");
    assert!(
        head.contains("Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline';"),
        "{head}"
    );
    insta::assert_snapshot!(body, @r#"

    </head>
    <body>
    <h1>Record <code>7</code>: <strong class="good">True</strong>, labelled True (agree, repaired)</h1>
    <ul class="lines">
    <li><code>owls_train.jsonl</code> row 6 (line 7), split train, story 3</li>
    <li>As it came the verdict was Unparsed.</li>
    <li>It rests on instances of the statements that contradict each other, which were checked.</li>
    <li>Signals: decided-by-mended-annotation, unused-premises.</li>
    </ul>
    <h2>Premises and conclusion</h2>
    <table class="statements">
    <tbody>
    <tr><th scope="row">0</th><td>All owls hunt at night.<br><code>∀x (Owl(x) → HuntAt(x, night))</code><br><span class="note">as it came: <code>∀x (Owl(x) → HuntAt(x, night)</code> (changed by S101)</span></td></tr>
    <tr><th scope="row">1</th><td>Willow | “Will” is an owl.<br><code>Owl(willow)</code></td></tr>
    <tr class="unneeded"><th scope="row">2</th><td>Willow is &lt;b&gt;grey&lt;/b&gt;.<br><code>Grey(willow)</code><br><span class="note">not needed</span></td></tr>
    <tr><th scope="row">∴</th><td>Willow hunts at night.<br><code>HuntAt(willow, night)</code></td></tr>
    </tbody>
    </table>
    <p>Premises 0 and 1 are needed; 2 is not.</p>
    <h2>Proof</h2>
    <p>Suppose that the premises hold and the conclusion is false: <code>¬HuntAt(willow, night)</code>.</p>
    <ol class="steps">
    <li style="--depth: 0"><span class="number">1.</span><span class="step"><span><code>Owl(willow)</code></span><span class="why">premise 1</span></span></li>
    <li style="--depth: 0"><span class="number">2.</span><span class="step"><span><code>HuntAt(willow, night)</code></span><span class="why">premise 0 with <code>x = willow</code>: <code>Owl(willow) → HuntAt(willow, night)</code>, and 1</span></span></li>
    <li style="--depth: 0"><span class="number"></span><span class="step"><span><strong>contradiction</strong></span><span class="why">of 2 with the supposition: <code>¬HuntAt(willow, night)</code></span></span></li>
    </ol>
    <p>So the conclusion holds wherever the premises do.</p>
    <h2>Findings</h2>
    <pre tabindex="0">error[S101]: this bracket is never closed
     --&gt; owls_train.jsonl:7 premise[0] of record 7
      |
    7 | ∀x (Owl(x) → HuntAt(x, night)
      |    - opened here             ^
      |
    help: append the missing `)` (safe fix)
      |
    7 | ∀x (Owl(x) → HuntAt(x, night))
      |                              +</pre>
    <h2>History</h2>
    <ul class="lines">
    <li>premise[0] (S101 missing-close-bracket, fix): <code>∀x (Owl(x) → HuntAt(x, night)</code> became <code>∀x (Owl(x) → HuntAt(x, night))</code></li>
    </ul>
    <h2>Symbols</h2>
    <div class="scroll" tabindex="0">
    <table>
    <thead><tr><th scope="col"><code>symbol</code></th><th scope="col"><code>kind</code></th><th scope="col"><code>where</code></th><th scope="col"><code>gloss</code></th></tr></thead>
    <tbody>
    <tr><th scope="row"><code>Owl</code></th><td>predicate of 1</td><td>premise[0], premise[1]</td><td>owl</td></tr>
    <tr><th scope="row"><code>Hunt<wbr>At</code></th><td>predicate of 2</td><td>premise[0], conclusion</td><td>hunt at</td></tr>
    <tr><th scope="row"><code>night</code></th><td>constant</td><td>premise[0], conclusion</td><td>night</td></tr>
    <tr><th scope="row"><code>willow</code></th><td>constant</td><td>premise[1], premise[2], conclusion</td><td>Willow</td></tr>
    <tr><th scope="row"><code>Grey</code></th><td>predicate of 1</td><td>premise[2]</td><td>grey</td></tr>
    </tbody>
    </table>
    </div>
    </body>
    </html>
    "#);
}

#[test]
fn nothing_in_a_text_is_taken_for_markup() {
    let mut record = record();
    record.premises[2] = "</code><script>alert('&')</script> `a` *b* [c](d)".to_owned();
    record.conclusion_fol = Some("Lies(<i>x`)".to_owned());
    let said = document(&full(record), Detail::Full);
    let page = html(&said);
    assert!(!page.contains("<script") && !page.contains("<i>"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"), "{page}");
    let markdown = markdown(&said);
    assert!(markdown.contains(r"\`a\` \*b\* \[c\](d)"), "{markdown}");
    assert!(markdown.contains("``Lies(<i>x`)``"), "{markdown}");
}

#[test]
fn nothing_in_a_text_steers_a_terminal() {
    let mut record = record();
    record.premises[2] = "Willow\u{1b}[2J is\ngrey.".to_owned();
    let told = text(&document(&full(record), Detail::Full), Colour::Plain);
    assert!(told.contains("  2  Willow\u{fffd}[2J is grey.  (not needed)\n"), "{told}");
}

#[test]
fn a_certificate_that_does_not_hold_is_told_as_such() {
    let config = Config::default();
    let posed = posed::folio(CHAIN, "question", config.reading(), false).expect("a question");
    let mut row = posed::answer(&posed, &config, Provers { first: &Silent::new(), second: None, agents: None });
    let proof = row.proof.as_mut().expect("a proof");
    proof.certificate =
        proof.certificate.as_ref().map(|text| text.replace("\"unique_names\":false", "\"unique_names\":0"));
    let account = |row: &Row| match explain(row, &posed.reading).account {
        Account::Derivation { why, .. } => why,
        other => panic!("{other:?}"),
    };
    assert!(account(&row).starts_with("the certificate cannot be read: "), "{}", account(&row));
    if let Some(proof) = row.proof.as_mut() {
        proof.certificate = Some(r#"{"individuals":[],"instances":[],"unique_names":false}"#.to_owned());
    }
    assert_eq!(account(&row), "the certificate does not hold: the instances do not contradict each other");
}

#[test]
fn the_problem_in_tptp() {
    let config = Config::default();
    let posed = posed::folio(CHAIN, "question", config.reading(), false).expect("a question");
    let row = posed::answer(&posed, &config, Provers { first: &Silent::new(), second: None, agents: None });
    let problem = problem(&row, &posed.reading, &config.lowering()).expect("a problem");
    insta::assert_snapshot!(problem.to_annotated_tptp(), @r"
    % verdict True
    % To ask again: refolio vampire THIS_FILE

    % ∀x (Drinks(x, coffee) → Dependent(x))
    fof(premise_0, axiom, ! [V_x] : (p2_Drinks(V_x,c_coffee) => p1_Dependent(V_x))).

    % ∀x (Dependent(x) → ¬Calm(x))
    fof(premise_1, axiom, ! [V_x] : (p1_Dependent(V_x) => ~ p1_Calm(V_x))).

    % Tall(rina)
    fof(premise_2, axiom, p1_Tall(c_rina)).

    % Drinks(rina, coffee)
    fof(premise_3, axiom, p2_Drinks(c_rina,c_coffee)).

    % ¬Calm(rina)
    fof(conclusion, conjecture, ~ p1_Calm(c_rina)).
    ");
}
