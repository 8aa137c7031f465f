use super::*;
use crate::ingest::{ColumnMap, OnError};
use crate::record::{Label, Record};

fn v2(fields: &str) -> String {
    format!("{{\"premises\": \"A.\", \"premises-FOL\": \"P(a)\", {fields}}}\n")
}

const GOOD: &str = r#""conclusion": "C.", "conclusion-FOL": "Q(a)", "label": "True""#;

#[test]
fn one_bad_row_does_not_lose_the_others() {
    let mut content = Vec::new();
    content.extend(v2(GOOD).bytes());
    content.extend(v2(r#""conclusion": "C." "conclusion-FOL": "Q(a)""#).bytes());
    content.extend(b"\n{\"premises\": \"caf\xe9\"}\n");
    content.extend(v2(r#""conclusion": null, "conclusion-FOL": "Q(a)", "label": "True""#).bytes());
    content.extend(v2(r#""conclusion": "C.", "label": "True""#).bytes());
    content.extend(v2(r#""conclusion": 5, "conclusion-FOL": "Q(a)", "label": "True""#).bytes());
    content.extend(b"[1, 2]\n");
    content.extend(v2(&GOOD.replace("C.", "D.")).bytes());
    content.extend(b"{\"premises\": \"A.\", \"concl");
    let dataset = read_plain("train.jsonl", &content);
    insta::assert_snapshot!(diagnostics(&dataset), @r"
    train.jsonl:2 error R107: not valid JSON: expected `,` or `}` (byte 63 of the row)
    train.jsonl:4 error R104: not valid UTF-8 at byte 18 of the row
    train.jsonl:5 error R106: the field `conclusion` is null
    train.jsonl:6 error R106: the field `conclusion-FOL` is missing
    train.jsonl:7 error R106: the field `conclusion` is a number, expected a text
    train.jsonl:8 error R107: expected a JSON object, found a list
    train.jsonl:10 error R105: the file ends in the middle of this row (byte 25 of the row)
    ");
    let readable: Vec<_> =
        dataset.records.iter().filter(|r| r.is_readable()).map(|r| (r.source.row, r.source.line)).collect();
    assert_eq!(readable, [(0, Some(1)), (7, Some(9))]);
    assert_eq!(dataset.files[0].rows, 9);
    let raw: Vec<&[u8]> = dataset.records.iter().filter_map(|r| r.raw.as_deref()).collect();
    let lines: Vec<&[u8]> = content.split(|b| *b == b'\n').collect();
    assert_eq!(raw, [lines[1], lines[3], lines[4], lines[5], lines[6], lines[7], lines[9]], "text as it came");
    for record in dataset.records.iter().filter(|r| !r.is_readable()) {
        assert!(record.premises.is_empty() && record.conclusion.is_empty() && record.conclusion_fol.is_none());
        assert!(record.label_text.is_none() && !record.record_id.is_empty());
    }
}

#[test]
fn what_a_field_may_be() {
    let rows = [
        r#""premises": ["A.", null], "premises-FOL": ["P(a)"], "example_id": "e1""#,
        r#""premises": [["A."]], "premises-FOL": ["P(a)"]"#,
        r#""premises": {"A.": "P(a)"}, "premises-FOL": ["P(a)"]"#,
        r#""premises": ["A."], "premises-FOL": true"#,
        r#""premises": ["A."], "premises-FOL": ["P(a)"], "example_id": [1]"#,
        r#""premises": ["A."], "premises-FOL": ["P(a)"], "example_id": 123456789012345678901"#,
        r#""premises": ["A."], "premises-FOL": ["P(a)"], "example_id": 1, "example_id": 2"#,
        r#""premises": ["A."], "premises-FOL": ["P(a)"], "example_id": 7.0, "story_id": "s 1""#,
        r#""premises": ["A."], "premises-FOL": ["P(a)"], "example_id": "", "story_id": null"#,
    ];
    let content: String = rows.iter().map(|row| format!("{{{row}, {GOOD}}}\n")).collect();
    let dataset = read_plain("x.jsonl", content);
    insta::assert_snapshot!(diagnostics(&dataset), @r"
    x.jsonl:1 error R106: item 1 of the field `premises` is null, expected a text
    x.jsonl:2 error R106: item 0 of the field `premises` is a list, expected a text
    x.jsonl:3 error R106: the field `premises` is an object, expected a list of texts or one text
    x.jsonl:4 error R106: the field `premises-FOL` is a truth value, expected a list of texts or one text
    x.jsonl:5 error R106: the field `example_id` is a list, expected a text or a number
    x.jsonl:6 error R106: the id in `example_id` is a number too large to be kept exactly
    x.jsonl:7 error R107: the field `example_id` stands twice in this object
    ");
    assert_eq!(dataset.records[0].record_id, "e1", "an id that can be read is kept");
    let ids = |i: usize| (dataset.records[i].example_id.as_deref(), dataset.records[i].story_id.as_deref());
    assert_eq!((ids(7), ids(8)), ((Some("7.0"), Some("s 1")), (None, None)));
}

#[test]
fn labels() {
    let label = |text: &str| v2(&GOOD.replace("\"True\"", text));
    let content: String = [" \"true \"", "\"Unknown\"", "\"Maybe\"", "null", "\"\"", "1", "false"].map(label).concat()
        + &v2(r#""conclusion": "C.", "conclusion-FOL": "Q(a)""#);
    let dataset = read_plain("x.jsonl", content);
    insta::assert_snapshot!(diagnostics(&dataset), @r#"
    x.jsonl:3 error R102: unknown label "Maybe"; expected True, False, Uncertain or Unknown
    x.jsonl:4 warning R108: no label in the field `label`
    x.jsonl:5 warning R108: no label in the field `label`
    x.jsonl:6 error R102: unknown label "1"; expected True, False, Uncertain or Unknown
    x.jsonl:8 warning R108: no label in the field `label`
    "#);
    let labels: Vec<_> =
        dataset.records.iter().map(|r| (r.label.map(Label::as_str), r.label_text.as_deref())).collect();
    assert_eq!(
        labels,
        [
            (Some("True"), Some("true ")),
            (Some("Uncertain"), Some("Unknown")),
            (None, Some("Maybe")),
            (None, None),
            (None, Some("")),
            (None, Some("1")),
            (Some("False"), Some("false")),
            (None, None),
        ]
    );
    assert!(dataset.records.iter().all(Record::is_readable), "a bad label does not cost the row");
}

#[test]
fn empty_formulas_behind_the_last_sentence_are_left_out_with_a_word() {
    let row = |formulas: &str| {
        format!(
            r#"{{"premises": ["All cats purr."], "premises-FOL": [{formulas}], "conclusion": "Tom purrs.", "label": "True"}}"#
        )
    };
    let dataset = read_plain("x.jsonl", row(r#""∀x (Cat(x) → Purr(x))", "", " ""#));
    assert_eq!(dataset.records[0].premises_fol, ["∀x (Cat(x) → Purr(x))"]);
    insta::assert_snapshot!(diagnostics(&dataset), @"x.jsonl:1 warning R101: the premises have 1 sentence but 3 formulas, 2 of them empty and at the end");
    // One that a sentence misses stays.
    let dataset = read_plain("x.jsonl", row(r#""""#));
    assert_eq!(dataset.records[0].premises_fol, [""]);
    assert_eq!(diagnostics(&dataset), "");
}

#[test]
fn unequal_counts_are_said_and_verified_all_the_same() {
    let content = format!(r#"{{"premises": ["A.", "B."], "premises-FOL": ["P(a)"], {GOOD}}}"#);
    let dataset = read_plain("x.jsonl", content);
    insta::assert_snapshot!(diagnostics(&dataset), @"x.jsonl:1 warning R101: the premises have 2 sentences but 1 formula");
    assert!(dataset.records[0].is_readable());
}

#[test]
fn premises_without_any_formula_are_told_of() {
    let content = format!(r#"{{"premises": ["A.", "B."], "premises-FOL": [], {GOOD}}}"#);
    insta::assert_snapshot!(diagnostics(&read_plain("x.jsonl", content)), @"x.jsonl:1 warning R101: the premises have 2 sentences but 0 formulas");
    // A file whose columns of formulas leave the premises' out.
    let content = "p,c,f,label\nA.,C.,Q(a),True\n";
    let columns = ColumnMap {
        premises: Some("p".to_owned()),
        conclusion: Some("c".to_owned()),
        conclusion_fol: Some("f".to_owned()),
        label: Some("label".to_owned()),
        ..ColumnMap::default()
    };
    let options = Options { dialect: Some(Dialect::Custom), columns, ..Options::default() };
    let folder = Folder::new();
    let dataset = read(&[folder.write("x.csv", content)], &options).unwrap();
    insta::assert_snapshot!(diagnostics(&dataset), @"x.csv:2 warning R101: the premises have 1 sentence but 0 formulas");
}

#[test]
fn duplicate_ids_across_splits() {
    let folder = Folder::new();
    let inputs = [folder.write("train.jsonl", V2), folder.write("test.jsonl", V2.lines().next().unwrap())];
    let dataset = read(&inputs, &Options::default()).unwrap();
    let key = &dataset.records[0].content_key()[..8];
    insta::assert_snapshot!(diagnostics(&dataset).replace(&format!("11~{key}"), "KEY"), @r#"
    train.jsonl:1 warning R103: the id "11" is also that of record KEY (test.jsonl)
    test.jsonl:1 warning R103: the id "11" is also that of record KEY~2 (train.jsonl)
    "#);
    let ids: Vec<_> = dataset.records.iter().map(|r| r.record_id.clone()).collect();
    assert_eq!(
        ids,
        [format!("11~{key}~2"), "12".to_owned(), format!("11~{key}")],
        "numbered by split, not by order of files"
    );
}

#[test]
fn csv_rows() {
    let mut content = b"\n\nNL,FOL\r\n\"A, b\",P(a)\r\n\r\nA, b,P(a)\r\n\"C \"\"d\"\"\nE\",P(c)\r\nF\r\n".to_vec();
    content.extend(b"caf\xe9,P(g)\r\nH,\r\nI,\"P(i)\r\n");
    let dataset = read_plain("m.csv", &content);
    insta::assert_snapshot!(diagnostics(&dataset), @r"
    m.csv:6 error R107: 2 fields expected, 3 found
    m.csv:9 error R107: 2 fields expected, 1 found
    m.csv:10 error R104: not valid UTF-8 at byte 4 of the field `NL`
    m.csv:12 error R105: the file ends inside a quoted field of this row
    ");
    let lines: Vec<_> = dataset.records.iter().map(|r| r.source.line.unwrap()).collect();
    assert_eq!(lines, [4, 6, 7, 9, 10, 11, 12]);
    assert_eq!(dataset.records[2].conclusion, "C \"d\"\nE", "a quoted line feed is text");
    assert_eq!(dataset.records[5].conclusion_fol, None, "an empty cell is no formula");
    let raw = |i: usize| String::from_utf8_lossy(dataset.records[i].raw.as_deref().unwrap()).into_owned();
    assert_eq!((raw(1).as_str(), raw(6).as_str()), ("A, b,P(a)", "I,\"P(i)\r\n"));
}

#[test]
fn a_csv_cut_off_between_fields() {
    let dataset = read_plain("m.csv", "NL,FOL\nA,P(a)\nB");
    insta::assert_snapshot!(
        diagnostics(&dataset),
        @"m.csv:3 error R105: the file ends in the middle of this row: 2 fields expected, 1 found"
    );
}

#[test]
fn json_array_rows_say_their_line() {
    let content = "[\n  {\"NL\": \"A.\",\n   \"FOL\": \"P(a)\"},\n  {\"NL\": \"B.\",\n   \"FOL\" \"P(b)\"},\n  {\"NL\": \"C.\"},\n  {\"NL\": \"D";
    let dataset = read_plain("m.json", content);
    insta::assert_snapshot!(diagnostics(&dataset), @r"
    m.json:4 error R107: not valid JSON: expected `:` (line 2 of the row, byte 10)
    m.json:6 error R106: the field `FOL` is missing
    m.json:7 error R105: the file ends in the middle of this row (byte 9 of the row)
    ");
    assert_eq!(dataset.records[1].raw.as_deref(), Some("{\"NL\": \"B.\",\n   \"FOL\" \"P(b)\"}".as_bytes()));
    let options = Options { on_error: OnError::Fail, ..Options::default() };
    insta::assert_snapshot!(error_of("m.json", content, &options), @"m.json:5:10: not valid JSON: expected `:` (R107)");
}

#[test]
fn what_is_said_of_an_item_does_not_depend_on_where_it_stands() {
    let items = [
        r#"{"NL": "A.", "FOL": "P(a)"}"#,
        r#"{"NL": "B." "FOL": "P(b)"}"#,
        "{\"NL\": \"C.\",\n  \"FOL\": nul}",
        "{\"NL\": \"D\nE\"}",
        r#"{"NL": null}"#,
        "",
        r#"{"NL": "F.", "FOL": "P(f)"}"#,
        "5",
    ];
    let told = |items: &[&str], between: &str| {
        let mut records = read_plain("m.json", format!("[{between}{}]", items.join(&format!(",{between}")))).records;
        records.sort_by(|a, b| a.record_id.cmp(&b.record_id));
        let told = records.iter().flat_map(|r| &r.diagnostics).map(|d| format!("{}: {}", d.code, d.message));
        told.collect::<Vec<_>>()
    };
    let forth = told(&items, "");
    let mut sorted = forth.clone();
    sorted.sort();
    insta::assert_snapshot!(sorted.join("\n"), @r"
    R106: the field `NL` is null
    R107: expected a JSON object, found a number
    R107: not valid JSON: EOF while parsing a value (start of the row)
    R107: not valid JSON: control character (\u0000-\u001F) found while parsing a string (start of line 2 of the row)
    R107: not valid JSON: expected `,` or `}` (byte 13 of the row)
    R107: not valid JSON: expected ident (line 2 of the row, byte 13)
    ");
    let mut back = items;
    back.reverse();
    assert_eq!(told(&back, ""), forth);
    assert_eq!(told(&back, "\n    "), forth);

    // The error that stops everything says where to look.
    let options = Options { on_error: OnError::Fail, ..Options::default() };
    let content = format!("[{}, {}]", items[0], items[1]);
    insta::assert_snapshot!(error_of("m.json", content, &options), @"m.json:1:43: not valid JSON: expected `,` or `}` (R107)");
}

#[test]
fn proverqa_answers_that_are_no_option() {
    let row = |answer: &str| {
        format!(
            r#"{{"nl2fol": {{"A.": "p(A)"}}, "question": "B.", "conclusion_fol": "q(A)", "options": ["A) True", "B) False"], "answer": "{answer}"}}"#
        )
    };
    let null = r#"{"nl2fol": {"A.": null}, "question": "B.", "conclusion_fol": "q(A)", "answer": "A"}"#;
    let dataset = read_plain("easy.jsonl", format!("{}\n{}\n{null}\n", row("True"), row("C")));
    insta::assert_snapshot!(diagnostics(&dataset), @r#"
    easy.jsonl:2 error R102: unknown label "C"; expected True, False, Uncertain or Unknown
    easy.jsonl:3 error R106: the formula of the sentence "A." is null
    "#);
}

#[test]
fn fail_stops_at_the_first_bad_row_but_not_at_an_odd_one() {
    let options = Options { on_error: OnError::Fail, ..Options::default() };
    let odd = format!("{{\"premises\": [\"A.\", \"B.\"], \"premises-FOL\": [\"P(a)\"], {GOOD}}}\n");
    assert!(read_one("x.jsonl", &odd, &options).is_ok());
    let bad = format!("{odd}{{\"premises\": }}\n{{\n");
    let error = read_one("x.jsonl", &bad, &options).unwrap_err();
    insta::assert_snapshot!(error, @"x.jsonl:2:14: not valid JSON: expected value (R107)");
    assert!(matches!(error, IngestError::RowFailed { line: Some(2), row: 1, code: "R107", .. }));
    insta::assert_snapshot!(
        error_of("x.jsonl", v2(&GOOD.replace("True", "Yes")), &options),
        @r#"x.jsonl:1: unknown label "Yes"; expected True, False, Uncertain or Unknown (R102)"#
    );
}
