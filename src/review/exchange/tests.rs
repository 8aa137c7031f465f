use serde_json::{Value, json};

use super::*;

fn task() -> Task {
    Task {
        id: "7".to_owned(),
        split: "train".to_owned(),
        record: "ab".repeat(16),
        seen: "cd".repeat(16),
        premises: vec!["All cats, \"purr\".".to_owned(), "Tom is a cat.".to_owned()],
        premises_fol: vec!["∀x (Cat(x) → Purr(x))".to_owned(), "Cat(tom)".to_owned()],
        conclusion: "Tom purrs.".to_owned(),
        conclusion_fol: "Purr(tim)".to_owned(),
        label: Some(Label::True),
        verdict: "Uncertain".to_owned(),
        reason: "broken-chain".to_owned(),
        critique: vec!["`tim` is nowhere else.".to_owned()],
    }
}

fn written(format: Exchange) -> String {
    export(format, &[task()]).expect("written").swap_remove(0).1
}

fn told(answers: &[Answer]) -> Vec<String> {
    let one = |a: &Answer| {
        let edits: Vec<String> = a.asked.edits.iter().map(|e| format!("{}={}", e.target, e.after)).collect();
        let label = a.asked.label.map(|l| format!(" {l}")).unwrap_or_default();
        let by = a.by.as_deref().unwrap_or("?");
        format!("{} {}{label} by {by} [{}] {}", a.asked.id, a.asked.action.as_str(), edits.join("; "), a.asked.comment)
    };
    answers.iter().map(one).collect()
}

/// Why the only entry of a table is refused.
fn refused(text: &str) -> String {
    let imported = import(text, "f.csv").expect("a table");
    assert!(imported.answers.is_empty());
    imported.refused.iter().map(ToString::to_string).collect()
}

#[test]
fn what_nobody_filled_in_says_nothing() {
    for format in [Exchange::LabelStudio, Exchange::Argilla, Exchange::Csv] {
        assert_eq!(told(&import(&written(format), "f").expect("read").answers), [""; 0], "{format:?}");
    }
}

#[test]
fn a_task_of_label_studio_comes_back() {
    let mut tasks: Value = serde_json::from_str(&written(Exchange::LabelStudio)).expect("JSON");
    let area = |name: &str, text: &str| json!({ "from_name": name, "to_name": "record_id", "type": "textarea", "value": { "text": [text] } });
    let choice = |word: &str| json!({ "from_name": "decision", "to_name": "record_id", "type": "choices", "value": { "choices": [word] } });
    tasks[0]["annotations"] = json!([
        { "completed_by": { "email": "ada@example.org" }, "created_at": "2026-11-30T10:00:00Z",
          "result": [choice("accept"), area("conclusion_fol", "Purr(tom)"), area("premises_fol", "∀x (Cat(x) → Purr(x))\nCat(tom)"), area("comment", " a name ")] },
        { "completed_by": 3, "result": [choice("relabel Uncertain")] },
        { "completed_by": 4, "was_cancelled": true, "result": [choice("reject")] },
    ]);
    let answers = import(&tasks.to_string(), "f").expect("read").answers;
    assert_eq!(
        told(&answers),
        ["7 accept by ada@example.org [conclusion=Purr(tom)] a name", "7 relabel Uncertain by 3 [] "]
    );
    assert_eq!(answers[0].at.as_deref(), Some("2026-11-30T10:00:00Z"));
    assert_eq!(answers[0].record, task().record);
    let config = label_studio::config();
    for name in ["premises_fol", "conclusion_fol", "decision", "comment"] {
        assert!(config.contains(&format!("name=\"{name}\" toName=\"record_id\"")), "{config}");
    }
}

#[test]
fn a_record_of_argilla_comes_back() {
    let mut records: Value = serde_json::from_str(&written(Exchange::Argilla)).expect("JSON");
    records[0]["status"] = json!("completed");
    records[0]["responses"] = json!({
        "decision": [{ "value": "ambiguous", "user_id": "u1" }, { "value": "accept", "user_id": "u2" }, { "value": "reject", "user_id": "u3", "status": "discarded" }],
        "premises_fol": [{ "value": "∀x (Cat(x) → Purr(x))\nCat(tim)", "user_id": "u2" }],
        "comment": [{ "value": "which?", "user_id": "u1" }],
    });
    let answers = import(&records.to_string(), "f").expect("read").answers;
    assert_eq!(told(&answers), ["7 ambiguous by u1 [] which?", "7 accept by u2 [premise[1]=Cat(tim)] "]);
}

#[test]
fn a_table_comes_back() {
    let text = written(Exchange::Csv);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let row = reader.records().next().expect("a row").expect("read");
    let filled = |values: &[(&str, &str)]| {
        let mut writer = csv::Writer::from_writer(b"\xef\xbb\xbf".to_vec());
        writer.write_record(&header).expect("written");
        let cells =
            header.iter().zip(&row).map(|(name, old)| values.iter().find(|(n, _)| *n == name).map_or(old, |(_, v)| v));
        writer.write_record(cells).expect("written");
        String::from_utf8(writer.into_inner().expect("written")).expect("text")
    };
    let text = filled(&[("decision", "accept"), ("conclusion_fol", "Purr(tom)"), ("by", "ada")]);
    assert_eq!(told(&import(&text, "f").expect("read").answers), ["7 accept by ada [conclusion=Purr(tom)] "]);
    let text = filled(&[("decision", "maybe")]);
    assert_eq!(
        refused(&text),
        "f.csv: entry 1: \"maybe\" is no choice; expected one of accept, relabel True, relabel False, relabel Uncertain, ambiguous, reject, skip"
    );
    let text = filled(&[("decision", "accept"), ("premises_fol", "Cat(tom)")]);
    let error = refused(&text);
    assert_eq!(error, "f.csv: entry 1: 2 formulas of premises were given, 1 came back");
}

#[test]
fn what_is_of_no_tool_is_refused() {
    for (text, expected) in [
        ("{}", "f: it is no list of tasks or records"),
        ("[1]", "f: entry 1: it is neither a task of Label Studio nor a record of Argilla"),
        ("[{\"data\": {}}]", "f: entry 1: its data lacks `record_id`, `record` or `seen`"),
        ("[{\"fields\": {}}]", "f: entry 1: its metadata lacks `record_id`, `record` or `seen`"),
        ("a,b\n1,2\n", "f: it has no column `record_id`"),
    ] {
        let said = match import(text, "f") {
            Ok(imported) => imported.refused.iter().map(ToString::to_string).collect(),
            Err(error) => error.to_string(),
        };
        assert_eq!(said, expected);
    }
}
