//! Label Studio's tasks and annotations (its JSON format: a task is `{"data": …, "annotations": […]}`).

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Answer, CHOICES, Filled, Task, lines};

/// Tasks, with the formulas as they stand where they are to be edited.
pub(super) fn tasks(tasks: &[Task]) -> Value {
    let task = |task: &Task| {
        json!({ "data": {
            "record_id": task.id, "split": task.split, "record": task.record, "seen": task.seen,
            "premises": lines(&task.premises), "premises_fol": lines(&task.premises_fol),
            "conclusion": task.conclusion, "conclusion_fol": task.conclusion_fol,
            "label": task.label, "verdict": task.verdict, "reason": task.reason, "critique": task.critique.join("\n"),
        } })
    };
    tasks.iter().map(task).collect()
}

/// The labelling configuration that the tasks are made for.
pub(super) fn config() -> String {
    let mut out = String::from("<View>\n");
    let fields = [
        ("record_id", "Row"),
        ("label", "Label"),
        ("verdict", "Verdict"),
        ("reason", "Why to look"),
        ("premises", "Premises"),
        ("conclusion", "Conclusion"),
        ("critique", "What logic says"),
    ];
    for (field, title) in fields {
        let _ =
            writeln!(out, "  <Header value=\"{title}\" size=\"5\"/>\n  <Text name=\"{field}\" value=\"${field}\"/>");
    }
    let area = |out: &mut String, name: &str, title: &str, value: &str, rows: u8| {
        let _ = writeln!(
            out,
            "  <Header value=\"{title}\" size=\"5\"/>\n  <TextArea name=\"{name}\" toName=\"record_id\" {value}rows=\"{rows}\" \
             maxSubmissions=\"1\" editable=\"true\"/>"
        );
    };
    area(&mut out, "premises_fol", "Formulas of the premises, one a line", "value=\"$premises_fol\" ", 8);
    area(&mut out, "conclusion_fol", "Formula of the conclusion", "value=\"$conclusion_fol\" ", 2);
    out.push_str("  <Choices name=\"decision\" toName=\"record_id\" choice=\"single\" required=\"true\">\n");
    for choice in CHOICES {
        let _ = writeln!(out, "    <Choice value=\"{choice}\"/>");
    }
    out.push_str("  </Choices>\n");
    area(&mut out, "comment", "Comment", "", 2);
    out.push_str("</View>\n");
    out
}

/// What the annotations of a task say. Those that were cancelled say nothing.
pub(super) fn answers(task: &Value) -> Result<Vec<Answer>, String> {
    let data = |name: &str| task["data"][name].as_str().unwrap_or_default();
    if data("record_id").is_empty() || data("record").is_empty() || data("seen").is_empty() {
        return Err("its data lacks `record_id`, `record` or `seen`".to_owned());
    }
    let mut out = Vec::new();
    for annotation in task["annotations"].as_array().into_iter().flatten() {
        if annotation["was_cancelled"].as_bool() == Some(true) {
            continue;
        }
        let result = annotation["result"].as_array().ok_or("an annotation has no `result`")?;
        let value = |name: &str| result.iter().find(|r| r["from_name"] == name).map(|r| &r["value"]);
        let text = |name: &str| match value(name).map(|v| &v["text"]) {
            Some(Value::Array(texts)) => texts.first().and_then(Value::as_str),
            Some(Value::String(text)) => Some(text.as_str()),
            _ => None,
        };
        let choice = value("decision").and_then(|v| v["choices"].as_array()?.first()?.as_str());
        let by = match &annotation["completed_by"] {
            Value::Object(user) => user.get("email").or_else(|| user.get("id")).map(plain),
            Value::Null => None,
            user => Some(plain(user)),
        };
        let filled = Filled {
            id: data("record_id"),
            record: data("record"),
            seen: data("seen"),
            choice,
            premises_fol: (data("premises_fol"), text("premises_fol")),
            conclusion_fol: (data("conclusion_fol"), text("conclusion_fol")),
            comment: text("comment").unwrap_or_default(),
        };
        out.extend(filled.answer(
            by,
            annotation["updated_at"].as_str().or_else(|| annotation["created_at"].as_str()).map(str::to_owned),
        )?);
    }
    Ok(out)
}

/// A text as it is, a number as its digits.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
