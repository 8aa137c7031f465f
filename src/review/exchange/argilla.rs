//! Argilla's records (version 2, as its `Record.to_dict` and `Record.from_dict` have them).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Answer, Filled, Task, lines};

/// Records, with the formulas as they stand as suggestions for the questions about them. The dataset is to have the
/// questions `decision` (of one label: see `docs/review.md`), `premises_fol`, `conclusion_fol` and `comment` (of text).
pub(super) fn records(tasks: &[Task]) -> Value {
    let record = |task: &Task| {
        let (premises_fol, label) =
            (lines(&task.premises_fol), task.label.map_or("none", crate::record::Label::as_str));
        json!({
            "id": format!("{}/{}", task.split, task.id),
            "fields": {
                "premises": lines(&task.premises), "premises_fol": premises_fol, "conclusion": task.conclusion,
                "conclusion_fol": task.conclusion_fol, "label": label, "verdict": task.verdict,
                "reason": task.reason, "critique": task.critique.join("\n"),
            },
            "metadata": { "record_id": task.id, "split": task.split, "record": task.record, "seen": task.seen },
            "suggestions": {
                "premises_fol": { "value": premises_fol, "agent": "refolio" },
                "conclusion_fol": { "value": task.conclusion_fol, "agent": "refolio" },
            },
            "responses": {},
            "vectors": {},
            "status": "pending",
            "_server_id": null,
        })
    };
    tasks.iter().map(record).collect()
}

/// What the responses to a record say, by who gave them. Drafts and discarded ones say nothing.
pub(super) fn answers(record: &Value) -> Result<Vec<Answer>, String> {
    let text = |part: &str, name: &str| record[part][name].as_str().unwrap_or_default();
    if text("metadata", "record_id").is_empty()
        || text("metadata", "record").is_empty()
        || text("metadata", "seen").is_empty()
    {
        return Err("its metadata lacks `record_id`, `record` or `seen`".to_owned());
    }
    let nothing = Map::new();
    let responses = record["responses"].as_object().unwrap_or(&nothing);
    let mut by_user: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for (question, given) in responses {
        for response in given.as_array().into_iter().flatten() {
            // `Record.to_dict` leaves the status of responses out; then that of the record must do.
            let status =
                response["status"].as_str().or_else(|| record["status"].as_str().filter(|s| *s == "completed"));
            let counts = matches!(status, Some("submitted" | "completed"));
            if let (true, Some(value)) = (counts, response["value"].as_str()) {
                let user = response["user_id"].as_str().unwrap_or_default();
                by_user.entry(user).or_default().insert(question, value);
            }
        }
    }
    let mut out = Vec::new();
    for (user, values) in by_user {
        let filled = Filled {
            id: text("metadata", "record_id"),
            record: text("metadata", "record"),
            seen: text("metadata", "seen"),
            choice: values.get("decision").copied(),
            premises_fol: (text("fields", "premises_fol"), values.get("premises_fol").copied()),
            conclusion_fol: (text("fields", "conclusion_fol"), values.get("conclusion_fol").copied()),
            comment: values.get("comment").copied().unwrap_or_default(),
        };
        out.extend(filled.answer(Some(user.to_owned()).filter(|user| !user.is_empty()), None)?);
    }
    Ok(out)
}
