//! A table to fill in: columns that tell, and columns for what is decided.

use super::{ExchangeError, Filled, Imported, Task, lines};

/// What tells, then what is filled in. `premises_fol` and `conclusion_fol` can be edited where they stand; what they were
/// is in the columns before.
const COLUMNS: [&str; 17] = [
    "record_id",
    "split",
    "record",
    "seen",
    "label",
    "verdict",
    "reason",
    "critique",
    "premises",
    "premises_fol_before",
    "conclusion",
    "conclusion_fol_before",
    "premises_fol",
    "conclusion_fol",
    "decision",
    "comment",
    "by",
];

pub(super) fn write(tasks: &[Task]) -> Result<String, ExchangeError> {
    let failed = |e: &dyn std::fmt::Display| ExchangeError::Write(e.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).map_err(|e| failed(&e))?;
    for task in tasks {
        let premises_fol = lines(&task.premises_fol);
        let critique = task.critique.join("\n");
        let premises = lines(&task.premises);
        let row = [
            task.id.as_str(),
            &task.split,
            &task.record,
            &task.seen,
            task.label.map_or("", crate::record::Label::as_str),
            &task.verdict,
            &task.reason,
            &critique,
            &premises,
            &premises_fol,
            &task.conclusion,
            &task.conclusion_fol,
            &premises_fol,
            &task.conclusion_fol,
            "",
            "",
            "",
        ];
        writer.write_record(row).map_err(|e| failed(&e))?;
    }
    let bytes = writer.into_inner().map_err(|e| failed(&e))?;
    String::from_utf8(bytes).map_err(|e| failed(&e))
}

pub(super) fn read(text: &str, name: &str) -> Result<Imported, ExchangeError> {
    let form = |reason: String| ExchangeError::Form { name: name.to_owned(), reason };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|e| form(e.to_string()))?.clone();
    let column = |name: &str| header.iter().position(|h| h.trim() == name);
    if let Some(missing) = ["record_id", "record", "seen", "decision"].into_iter().find(|name| column(name).is_none()) {
        return Err(form(format!("it has no column `{missing}`")));
    }
    let mut out = Imported::default();
    for (i, record) in reader.records().enumerate() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                out.add(name, i, Err::<Option<_>, _>(error.to_string()));
                continue;
            }
        };
        let maybe = |name: &str| column(name).and_then(|at| record.get(at));
        let value = |name: &str| maybe(name).unwrap_or_default();
        let both = |before: &str, after: &str| match (maybe(before), maybe(after)) {
            (Some(_), after) => after,
            // Without what they were nobody knows what was changed.
            (None, _) => None,
        };
        let filled = Filled {
            id: value("record_id"),
            record: value("record"),
            seen: value("seen"),
            choice: Some(value("decision")),
            premises_fol: (value("premises_fol_before"), both("premises_fol_before", "premises_fol")),
            conclusion_fol: (value("conclusion_fol_before"), both("conclusion_fol_before", "conclusion_fol")),
            comment: value("comment"),
        };
        let by = Some(value("by").trim().to_owned()).filter(|by| !by.is_empty());
        out.add(name, i, filled.answer(by, None));
    }
    Ok(out)
}
