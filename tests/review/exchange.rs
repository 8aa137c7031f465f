//! Rows for other tools, and what comes back.

use std::fs;

use serde_json::{Value, json};

use crate::{Reviewed, row};

#[test]
fn a_table_goes_out_and_comes_back() {
    let reviewed = Reviewed::new();
    reviewed.succeed(&["review", "--export", "csv", "--output", "todo.csv"]);
    let mut reader = csv::Reader::from_path(reviewed.path("todo.csv")).unwrap();
    let header = reader.headers().unwrap().clone();
    let mut writer = csv::Writer::from_path(reviewed.path("done.csv")).unwrap();
    writer.write_record(&header).unwrap();
    for record in reader.records() {
        let record = record.unwrap();
        let id = record.get(0).unwrap().to_owned();
        let cells = header.iter().zip(&record).map(|(name, cell)| match (id.as_str(), name) {
            ("1", "premises_fol") => cell.replace("gray", "grey"),
            ("1", "decision") => "accept".to_owned(),
            ("3", "decision") => "relabel False".to_owned(),
            ("3", "comment") => "gulls are".to_owned(),
            ("1" | "3", "by") => "cleo".to_owned(),
            _ => cell.to_owned(),
        });
        writer.write_record(cells).unwrap();
    }
    writer.flush().unwrap();
    reviewed.succeed(&["review", "--import", "done.csv"]);
    let rows = reviewed.run();
    assert_eq!((row(&rows, "1").text("status"), row(&rows, "2").text("status")), ("repaired", "repaired"));
    let third = row(&rows, "3");
    assert_eq!((third.text("status"), third.maybe("decision_comment")), ("relabelled", Some("gulls are")));
    assert_eq!(third.texts("decided_by"), ["cleo"]);
}

#[test]
fn tasks_come_back_unless_their_rows_have_changed() {
    let reviewed = Reviewed::new();
    reviewed.succeed(&["review", "--export", "label-studio", "--output", "tasks.json"]);
    assert!(fs::read_to_string(reviewed.path("tasks.config.xml")).unwrap().starts_with("<View>\n"));
    let mut tasks: Value = serde_json::from_slice(&fs::read(reviewed.path("tasks.json")).unwrap()).unwrap();
    for task in tasks.as_array_mut().unwrap() {
        task["annotations"] = json!([{
            "completed_by": 1, "created_at": "2026-11-30T10:00:00Z",
            "result": [{ "from_name": "decision", "to_name": "record_id", "type": "choices", "value": { "choices": ["reject"] } }],
        }]);
        if task["data"]["record_id"] == "3" {
            task["data"]["record"] = json!("0");
        }
    }
    fs::write(reviewed.path("done.json"), tasks.to_string()).unwrap();
    let output = reviewed.output(&["review", "--import", "done.json"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("3 decisions taken in, 1 refused\n  3: the row has changed since it was exported"),
        "{stderr}"
    );
    let decisions = reviewed.decisions();
    assert!(decisions.iter().all(|d| d.by == "1" && d.at == "2026-11-30T10:00:00Z"));
}

#[test]
fn records_of_argilla_come_back_by_their_users() {
    let reviewed = Reviewed::new();
    reviewed.succeed(&["review", "--export", "argilla", "--output", "records.json"]);
    let mut records: Value = serde_json::from_slice(&fs::read(reviewed.path("records.json")).unwrap()).unwrap();
    let of = records.as_array_mut().unwrap().iter_mut().find(|r| r["metadata"]["record_id"] == "3").unwrap();
    of["status"] = json!("completed");
    of["responses"] = json!({ "decision": [{ "value": "ambiguous", "user_id": "u-1" }] });
    fs::write(reviewed.path("done.json"), records.to_string()).unwrap();
    reviewed.succeed(&["review", "--import", "done.json"]);
    let rows = reviewed.run();
    assert_eq!(row(&rows, "3").maybe("verdict_reason"), Some("ambiguous-sentence: by u-1"));
}
