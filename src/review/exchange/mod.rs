//! Rows for other tools to review, and what comes back.
//!
//! Label Studio and Argilla are given tasks in their own JSON, a spreadsheet a table. Each task carries the key of its row,
//! so that what comes back about a row that has changed since is refused.

mod argilla;
mod label_studio;
mod table;

#[cfg(test)]
mod tests;

use serde_json::Value;

use super::desk::Asked;
use super::texts::Wanted;
use crate::decision::Action;
use crate::record::Label;

/// Another tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exchange {
    /// Label Studio: a list of tasks as JSON, and a labelling configuration as XML.
    LabelStudio,
    /// Argilla: a list of records as JSON, as its `to_json` and `from_json` have them.
    Argilla,
    /// A table with columns to fill in.
    Csv,
}

/// One row for another tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The row.
    pub id: String,
    /// Its split.
    pub split: String,
    /// Its [`Record::content_key`](crate::record::Record::content_key).
    pub record: String,
    /// [`leaving_key`](crate::decision::leaving_key) of its formulas as they stand and the label that came.
    pub seen: String,
    /// The sentences of its premises.
    pub premises: Vec<String>,
    /// Their formulas, as they stand.
    pub premises_fol: Vec<String>,
    /// The sentence of its conclusion.
    pub conclusion: String,
    /// Its formula, as it stands; empty where there is none.
    pub conclusion_fol: String,
    /// Its label.
    pub label: Option<Label>,
    /// Its verdict.
    pub verdict: String,
    /// Why a person should look at it.
    pub reason: String,
    /// What logic says of it, in sentences.
    pub critique: Vec<String>,
}

/// What came back for one row.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What is to be put on record.
    pub asked: Asked,
    /// Who said so; `None` where the tool does not tell.
    pub by: Option<String>,
    /// When, in RFC 3339; `None` where the tool does not tell.
    pub at: Option<String>,
    /// The row's key when it was exported.
    pub record: String,
}

/// Why what came back cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    /// It is neither a list of tasks or records in JSON nor a table.
    #[error("{name}: {reason}")]
    Form {
        /// The file.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// One entry makes no sense.
    #[error("{name}: entry {entry}: {reason}")]
    Entry {
        /// The file.
        name: String,
        /// 1-based.
        entry: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// It cannot be written.
    #[error("cannot write the rows: {0}")]
    Write(String),
}

/// What is chosen in other tools, `relabel` to each label by itself.
pub(super) const CHOICES: [&str; 7] =
    ["accept", "relabel True", "relabel False", "relabel Uncertain", "ambiguous", "reject", "skip"];

/// Texts to be written; each with the extension of its file, or none for the one that was named.
///
/// # Errors
/// Where they cannot be put into the tool's form.
pub fn export(format: Exchange, tasks: &[Task]) -> Result<Vec<(Option<&'static str>, String)>, ExchangeError> {
    let failed = |e: serde_json::Error| ExchangeError::Write(e.to_string());
    Ok(match format {
        Exchange::LabelStudio => vec![
            (None, serde_json::to_string_pretty(&label_studio::tasks(tasks)).map_err(failed)? + "\n"),
            (Some("config.xml"), label_studio::config()),
        ],
        Exchange::Argilla => {
            vec![(None, serde_json::to_string_pretty(&argilla::records(tasks)).map_err(failed)? + "\n")]
        }
        Exchange::Csv => vec![(None, table::write(tasks)?)],
    })
}

/// What came back.
#[derive(Debug, Default)]
pub struct Imported {
    /// For each row that somebody decided.
    pub answers: Vec<Answer>,
    /// Entries that make no sense, and why.
    pub refused: Vec<ExchangeError>,
}

/// What came back; rows that nobody decided are not among it, and entries that make no sense are told apart. Which tool wrote
/// it is told by its form. `name` is for messages.
///
/// # Errors
/// Where the whole cannot be read: then nothing of it counts.
pub fn import(text: &str, name: &str) -> Result<Imported, ExchangeError> {
    // Some editors begin files with a mark of their own.
    let text = text.trim_start_matches('\u{feff}');
    let form = |reason: &str| ExchangeError::Form { name: name.to_owned(), reason: reason.to_owned() };
    if !text.trim_start().starts_with(['[', '{']) {
        return table::read(text, name);
    }
    let value: Value = serde_json::from_str(text).map_err(|e| form(&e.to_string()))?;
    let entries = value.as_array().ok_or_else(|| form("it is no list of tasks or records"))?;
    let mut out = Imported::default();
    for (i, entry) in entries.iter().enumerate() {
        let read = match entry {
            entry if entry.get("data").is_some() => label_studio::answers(entry),
            entry if entry.get("fields").is_some() => argilla::answers(entry),
            _ => Err("it is neither a task of Label Studio nor a record of Argilla".to_owned()),
        };
        out.add(name, i, read);
    }
    Ok(out)
}

impl Imported {
    /// Adds what an entry says, by its place from 0.
    fn add(&mut self, name: &str, place: usize, read: Result<impl IntoIterator<Item = Answer>, String>) {
        match read {
            Ok(answers) => self.answers.extend(answers),
            Err(reason) => {
                self.refused.push(ExchangeError::Entry { name: name.to_owned(), entry: place + 1, reason });
            }
        }
    }
}

/// What the fields of a tool's form come to; `None` where nobody chose anything.
struct Filled<'a> {
    id: &'a str,
    record: &'a str,
    seen: &'a str,
    choice: Option<&'a str>,
    /// The formulas, one a line, as they were given and as they came back; `None` where the tool has none.
    premises_fol: (&'a str, Option<&'a str>),
    conclusion_fol: (&'a str, Option<&'a str>),
    comment: &'a str,
}

impl Filled<'_> {
    fn answer(&self, by: Option<String>, at: Option<String>) -> Result<Option<Answer>, String> {
        let Some(choice) = self.choice.map(str::trim).filter(|choice| !choice.is_empty()) else { return Ok(None) };
        let (action, label) = match choice.split_once(' ') {
            Some(("relabel", label)) => (Action::Relabel, Some(label.parse::<Label>().map_err(|e| e.to_string())?)),
            _ => {
                let known = Action::ALL.into_iter().find(|a| a.as_str() == choice && CHOICES.contains(&choice));
                let unknown = || format!("{choice:?} is no choice; expected one of {}", CHOICES.join(", "));
                (known.ok_or_else(unknown)?, None)
            }
        };
        let edits = if matches!(action, Action::Accept | Action::Relabel) { self.edits()? } else { Vec::new() };
        let asked = Asked {
            id: self.id.to_owned(),
            action,
            edits,
            label,
            comment: self.comment.trim().to_owned(),
            seen: Some(self.seen.to_owned()),
        };
        Ok(Some(Answer { asked, by, at, record: self.record.to_owned() }))
    }

    fn edits(&self) -> Result<Vec<Wanted>, String> {
        let mut out = Vec::new();
        if let (given, Some(back)) = self.premises_fol {
            let (given, back): (Vec<&str>, Vec<&str>) = (given.lines().collect(), back.trim_end().lines().collect());
            if given.len() != back.len() {
                return Err(format!("{} formulas of premises were given, {} came back", given.len(), back.len()));
            }
            let changed = given.iter().zip(&back).enumerate().filter(|(_, (given, back))| given.trim() != back.trim());
            out.extend(
                changed.map(|(i, (_, back))| Wanted { target: format!("premise[{i}]"), after: back.trim().to_owned() }),
            );
        }
        if let (given, Some(back)) = self.conclusion_fol
            && given.trim() != back.trim()
        {
            out.push(Wanted { target: "conclusion".to_owned(), after: back.trim().to_owned() });
        }
        Ok(out)
    }
}

/// Texts one a line; a line break within one would make two of it.
fn lines(texts: &[String]) -> String {
    texts.iter().map(|text| text.replace(['\n', '\r'], " ")).collect::<Vec<_>>().join("\n")
}
