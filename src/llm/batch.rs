//! Questions to be answered later and at half the price: the batch files of OpenAI's API, which others take too.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde_json::{Value, json};

use super::endpoint::{Structured, TokensField};
use super::journal::{Entry, Journal, JournalError, Said};
use super::request::{Parameters, Request};
use super::wire;

/// Why a file of results is of no use.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// A line is no result.
    #[error("line {line}: {reason}")]
    Line {
        /// 1-based.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// An answer cannot be put on record.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Writes questions as one call a line, by key.
///
/// # Errors
/// Those of writing.
pub fn export(
    questions: &BTreeMap<String, Request>,
    parameters: &Parameters,
    structured: Structured,
    tokens_field: TokensField,
    out: &mut impl Write,
) -> io::Result<()> {
    for (key, request) in questions {
        let line = json!({
            "custom_id": key,
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": wire::body(request, parameters, structured, tokens_field),
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// What came of reading results.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Imported {
    /// Answers that are in the journal now and were not before.
    pub new: usize,
    /// Of these, refusals, empty and truncated ones: they are on record, and will not be asked again.
    pub unusable: usize,
    /// Answers that it had.
    pub known: usize,
    /// Calls that failed, each with the key and the reason; they will be asked again.
    pub failed: Vec<(String, String)>,
}

/// Puts the results of a batch into a journal, where the next run finds them.
///
/// # Errors
/// Where a line is no result: then nothing is in the journal; or where the journal cannot be written.
pub fn import(text: &str, journal: &Journal) -> Result<Imported, BatchError> {
    let mut out = Imported::default();
    let mut seen = BTreeSet::new();
    // All is read before anything is put on record.
    let mut entries = Vec::new();
    for (i, line) in text.trim_start_matches('\u{feff}').lines().enumerate().filter(|(_, line)| !line.trim().is_empty())
    {
        let wrong = |reason: String| BatchError::Line { line: i + 1, reason };
        let value: Value = serde_json::from_str(line).map_err(|e| wrong(format!("not JSON ({e})")))?;
        let key = value.get("custom_id").and_then(Value::as_str).ok_or_else(|| wrong("no `custom_id`".to_owned()))?;
        if key.len() != 64 || !key.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(wrong(format!("`custom_id` {key:?} is none of ours")));
        }
        if !seen.insert(key.to_owned()) {
            return Err(wrong(format!("a second result for {key}")));
        }
        let status = value.pointer("/response/status_code").and_then(Value::as_u64);
        let failed = match (value.get("error").filter(|error| !error.is_null()), status) {
            (Some(error), _) => Some(wire::message(error)),
            (None, Some(200)) => None,
            (None, Some(status)) => Some(format!("status {status}")),
            (None, None) => return Err(wrong("neither a response nor an error".to_owned())),
        };
        let answer = match failed {
            Some(reason) => Err(reason),
            None => wire::answer(value.pointer("/response/body").unwrap_or(&Value::Null)),
        };
        match answer {
            Err(reason) => out.failed.push((key.to_owned(), reason)),
            Ok((said, response, usage)) => {
                if journal.get(key).is_some() {
                    out.known += 1;
                    continue;
                }
                out.unusable += usize::from(said != Said::Text);
                entries.push(Entry { request: key.to_owned(), said, response, usage });
            }
        }
    }
    out.new = entries.len();
    for entry in entries {
        journal.append(entry)?;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_go_into_the_journal_and_failures_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = Journal::open(&folder.path().join("j")).expect("new");
        let key = |c: char| c.to_string().repeat(64);
        let answered = |c| json!({"custom_id": key(c), "response": {"status_code": 200, "body": {"choices": [{"message": {"content": "x"}}]}}, "error": null});
        let text = format!(
            "{}\n\n{}\n{}\n",
            answered('a'),
            json!({"custom_id": key('b'), "response": {"status_code": 429, "body": {}}}),
            json!({"custom_id": key('c'), "response": null, "error": {"message": "expired"}}),
        );
        let failed = vec![(key('b'), "status 429".to_owned()), (key('c'), "expired".to_owned())];
        assert_eq!(import(&text, &journal).expect("read"), Imported { new: 1, unusable: 0, known: 0, failed });
        assert_eq!(import(&answered('a').to_string(), &journal).expect("read").known, 1);
        assert_eq!(journal.len(), 1);
        let twice = format!("{}\n{}", answered('d'), answered('d'));
        for wrong in ["x", "{}", r#"{"custom_id": "1"}"#, &json!({"custom_id": key('e')}).to_string(), &twice] {
            assert!(matches!(import(wrong, &journal), Err(BatchError::Line { .. })), "{wrong}");
        }
    }
}
