//! Findings as JSON.

use serde::{Serialize, Serializer};

use super::{Finding, with_room};
use crate::diagnostic::{Fix, FixTexts, Span, TextEdit};
use crate::lint::registry;

/// One finding.
#[derive(Serialize)]
struct Entry<'a> {
    code: &'a str,
    /// The rule's name; null for a code that the registry does not have.
    name: Option<&'a str>,
    severity: &'a str,
    file: &'a str,
    row: u64,
    line: Option<u64>,
    record_id: &'a str,
    target: String,
    span: Span,
    message: &'a str,
    hint: Option<&'a str>,
    related: Vec<Related<'a>>,
    fix: Option<FixEntry<'a>>,
}

#[derive(Serialize)]
struct Related<'a> {
    span: Span,
    message: &'a str,
}

#[derive(Serialize)]
struct FixEntry<'a> {
    applicability: &'a str,
    kind: &'a str,
    title: &'a str,
    edits: &'a [TextEdit],
    /// The whole text after the fix; null where the fix does not fit the text, or the text the room of its record.
    after: Option<String>,
    alternatives: &'a [String],
}

/// Findings as one JSON array, indented, with a final newline.
///
/// Each object has `code`, `name`, `severity` (`info`, `warning`, `error`), `file`, `row` (0-based position in the file),
/// `line` (1-based, null where the format has none), `record_id`, `target` (`premise[3]`, `conclusion`,
/// `premise_sentence[3]`, `conclusion_sentence`, `row`), `span` (`start`, `end`: UTF-8 byte offsets into the target's
/// text as it came), `message`, `hint`, `related` (`span`, `message`), and `fix` (`applicability`, `kind`, `title`,
/// `edits` with `span` and `replacement`, `after`: the whole text afterwards, `alternatives`: whole texts that were
/// possible instead). What there is not is null or an empty array; so is `after` where these texts of one record would
/// be larger than 1 MiB together.
#[must_use]
pub fn json(findings: &[Finding]) -> String {
    let entries: Vec<Entry<'_>> = with_room(findings, entry);
    // Strings, numbers and arrays only: there is nothing that cannot be written.
    let mut out = serde_json::to_string_pretty(&entries).unwrap_or_default();
    out.push('\n');
    out
}

/// Findings as the objects of [`json`].
pub(crate) fn serialize_findings<S: Serializer>(findings: &[Finding], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(with_room(findings, entry))
}

fn entry<'a>(finding: &'a Finding, texts: &mut FixTexts) -> Entry<'a> {
    let diagnostic = &finding.diagnostic;
    Entry {
        code: diagnostic.code,
        name: registry::find(diagnostic.code).map(|r| r.name),
        severity: diagnostic.severity.as_str(),
        file: &finding.file,
        row: finding.row,
        line: finding.line,
        record_id: &finding.record_id,
        target: diagnostic.target.to_string(),
        span: diagnostic.span,
        message: &diagnostic.message,
        hint: diagnostic.hint.as_deref(),
        related: diagnostic.related.iter().map(|(span, message)| Related { span: *span, message }).collect(),
        fix: diagnostic.fix.as_ref().map(|fix| fix_entry(fix, finding.text.as_deref(), texts)),
    }
}

fn fix_entry<'a>(fix: &'a Fix, text: Option<&str>, texts: &mut FixTexts) -> FixEntry<'a> {
    FixEntry {
        applicability: fix.applicability.as_str(),
        kind: fix.kind.as_str(),
        title: &fix.title,
        edits: &fix.edits,
        after: text.and_then(|t| texts.after(fix, t)),
        alternatives: &fix.alternatives,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::report::tests::samples;

    #[test]
    fn objects() {
        insta::assert_snapshot!(json(&samples()), @r#"
        [
          {
            "code": "B101",
            "name": "free-variable",
            "severity": "warning",
            "file": "train.jsonl",
            "row": 11,
            "line": 12,
            "record_id": "981",
            "target": "premise[3]",
            "span": {
              "start": 30,
              "end": 31
            },
            "message": "`x` is used outside the scope of the quantifier that binds it",
            "hint": "a quantifier binds only the one formula after it",
            "related": [
              {
                "span": {
                  "start": 3,
                  "end": 4
                },
                "message": "bound here"
              }
            ],
            "fix": {
              "applicability": "unsafe",
              "kind": "fix",
              "title": "put brackets around it",
              "edits": [
                {
                  "span": {
                    "start": 5,
                    "end": 5
                  },
                  "replacement": "("
                },
                {
                  "span": {
                    "start": 32,
                    "end": 32
                  },
                  "replacement": ")"
                }
              ],
              "after": "∀x ((Painter(x)) → Patient(x))",
              "alternatives": []
            }
          },
          {
            "code": "R201",
            "name": "duplicate-record",
            "severity": "info",
            "file": "train.parquet",
            "row": 4,
            "line": null,
            "record_id": "50%",
            "target": "row",
            "span": {
              "start": 0,
              "end": 0
            },
            "message": "this is record 7 once more",
            "hint": null,
            "related": [],
            "fix": null
          }
        ]
        "#);
        assert_eq!(json(&[]), "[]\n");
    }
}
