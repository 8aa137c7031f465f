//! Findings as SARIF 2.1.0, the exchange format of static analysis tools (OASIS standard).

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Finding, with_room};
use crate::diagnostic::{Applicability, FixTexts, Severity};
use crate::lint::{Rule, docs, registry};

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    /// Offsets and columns of this log count UTF-16 units, as the standard's default; byte offsets into annotations are
    /// among the properties.
    column_kind: &'static str,
    results: Vec<Outcome<'a>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    name: &'static str,
    short_description: Message,
    full_description: Message,
    help: Help,
    default_configuration: Configuration,
    properties: DescriptorProperties,
}

#[derive(Serialize)]
struct DescriptorProperties {
    family: &'static str,
    fix: Option<&'static str>,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome<'a> {
    rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    properties: Properties<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    logical_locations: [LogicalLocation; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
    kind: &'static str,
}

/// What SARIF has no place for: where in the annotation, and the fix. SARIF's own `fixes` replace regions of the file,
/// but an annotation is a value inside a serialised row (escaped, compressed or columnar), so a replacement in the
/// annotation is none in the file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Properties<'a> {
    row: u64,
    record_id: &'a str,
    target: String,
    byte_start: usize,
    byte_end: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<FixProperties<'a>>,
}

#[derive(Serialize)]
struct FixProperties<'a> {
    applicability: &'static str,
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
}

/// Findings as one SARIF log with one run, indented, with a final newline. Every rule of the registry is described, met
/// or not. A location has the line on which the record starts, where the format has lines; the place inside the
/// annotation stands in the result's properties as UTF-8 byte offsets, with the annotation's text and the fix; texts
/// that would be larger than 1 MiB together in one record are left out.
#[must_use]
pub fn sarif(findings: &[Finding]) -> String {
    let rules: Vec<&Rule> = registry::all().collect();
    let index: BTreeMap<&str, usize> = rules.iter().enumerate().map(|(i, r)| (r.code, i)).collect();
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "refolio",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: rules.into_iter().map(descriptor).collect(),
                },
            },
            column_kind: "utf16CodeUnits",
            results: with_room(findings, |f, texts| outcome(f, &index, texts)),
        }],
    };
    // Strings, numbers and arrays only: there is nothing that cannot be written.
    let mut out = serde_json::to_string_pretty(&log).unwrap_or_default();
    out.push('\n');
    out
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn descriptor(rule: &Rule) -> Descriptor {
    Descriptor {
        id: rule.code,
        name: rule.name,
        short_description: Message { text: rule.summary.to_owned() },
        full_description: Message { text: rule.explanation.to_owned() },
        help: Help { text: rule.explanation.to_owned(), markdown: docs::rule_markdown(rule) },
        default_configuration: Configuration { level: level(rule.severity) },
        properties: DescriptorProperties { family: rule.family.as_str(), fix: rule.fix.map(Applicability::as_str) },
    }
}

fn outcome<'a>(finding: &'a Finding, index: &BTreeMap<&str, usize>, texts: &mut FixTexts) -> Outcome<'a> {
    let diagnostic = &finding.diagnostic;
    let text = match &diagnostic.hint {
        Some(hint) => format!("{}\n{hint}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    Outcome {
        rule_id: diagnostic.code,
        rule_index: index.get(diagnostic.code).copied(),
        level: level(diagnostic.severity),
        message: Message { text },
        locations: [Location {
            physical_location: PhysicalLocation {
                artifact_location: Artifact { uri: uri(&finding.file) },
                region: finding.line.map(|start_line| Region { start_line }),
            },
            logical_locations: [LogicalLocation {
                fully_qualified_name: format!("{}.{}", finding.record_id, diagnostic.target),
                kind: "element",
            }],
        }],
        properties: Properties {
            row: finding.row,
            record_id: &finding.record_id,
            target: diagnostic.target.to_string(),
            byte_start: diagnostic.span.start,
            byte_end: diagnostic.span.end,
            text: finding.text.as_deref().filter(|text| texts.has_room(text.len())),
            fix: diagnostic.fix.as_ref().map(|fix| FixProperties {
                applicability: fix.applicability.as_str(),
                title: &fix.title,
                after: finding.text.as_deref().and_then(|t| texts.after(fix, t)),
            }),
        },
    }
}

/// A path as a relative or absolute URI reference: everything but unreserved characters and `/` as percent codes.
fn uri(path: &str) -> String {
    use std::fmt::Write as _;
    path.bytes().fold(String::with_capacity(path.len()), |mut out, b| {
        match b {
            b'/' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(b)),
            _ if b.is_ascii_alphanumeric() => out.push(char::from(b)),
            _ => {
                let _ = write!(out, "%{b:02X}");
            }
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::report::tests::samples;

    #[test]
    fn results() {
        let log: serde_json::Value = serde_json::from_str(&sarif(&samples())).unwrap();
        insta::assert_snapshot!(serde_json::to_string_pretty(&log["runs"][0]["results"]).unwrap(), @r#"
        [
          {
            "ruleId": "B101",
            "ruleIndex": 26,
            "level": "warning",
            "message": {
              "text": "`x` is used outside the scope of the quantifier that binds it\na quantifier binds only the one formula after it"
            },
            "locations": [
              {
                "physicalLocation": {
                  "artifactLocation": {
                    "uri": "train.jsonl"
                  },
                  "region": {
                    "startLine": 12
                  }
                },
                "logicalLocations": [
                  {
                    "fullyQualifiedName": "981.premise[3]",
                    "kind": "element"
                  }
                ]
              }
            ],
            "properties": {
              "row": 11,
              "recordId": "981",
              "target": "premise[3]",
              "byteStart": 30,
              "byteEnd": 31,
              "text": "∀x (Painter(x)) → Patient(x)",
              "fix": {
                "applicability": "unsafe",
                "title": "put brackets around it",
                "after": "∀x ((Painter(x)) → Patient(x))"
              }
            }
          },
          {
            "ruleId": "R201",
            "ruleIndex": 66,
            "level": "note",
            "message": {
              "text": "this is record 7 once more"
            },
            "locations": [
              {
                "physicalLocation": {
                  "artifactLocation": {
                    "uri": "train.parquet"
                  }
                },
                "logicalLocations": [
                  {
                    "fullyQualifiedName": "50%.row",
                    "kind": "element"
                  }
                ]
              }
            ],
            "properties": {
              "row": 4,
              "recordId": "50%",
              "target": "row",
              "byteStart": 0,
              "byteEnd": 0
            }
          }
        ]
        "#);
    }

    #[test]
    fn every_rule_is_described_and_indexed() {
        let log: serde_json::Value = serde_json::from_str(&sarif(&samples())).unwrap();
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        assert_eq!(rules.len(), registry::all().count());
        for result in run["results"].as_array().unwrap() {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"]);
        }
        assert_eq!(log["version"], "2.1.0");
    }

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("data dir/a#1.jsonl"), "data%20dir/a%231.jsonl");
    }
}
