//! Findings as workflow commands of GitHub Actions, which shows them beside the changed lines.

use std::fmt::Write as _;

use super::Finding;
use crate::diagnostic::Severity;
use crate::lint::registry;

/// One command a line.
#[must_use]
pub fn github(findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        let diagnostic = &finding.diagnostic;
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let name = registry::find(diagnostic.code).map_or("", |r| r.name);
        let title = format!("{} {name}", diagnostic.code);
        let _ = write!(out, "::{command} file={}", property(&finding.file));
        if let Some(line) = finding.line {
            let _ = write!(out, ",line={line}");
        }
        let hint = diagnostic.hint.as_deref().map(|h| format!("\nhelp: {h}")).unwrap_or_default();
        let text = finding.text.as_deref().map(|t| format!("\n{t}")).unwrap_or_default();
        let message =
            format!("{} of record {}: {}{text}{hint}", diagnostic.target, finding.record_id, diagnostic.message);
        let _ = writeln!(out, ",title={}::{}", property(title.trim_end()), data(&message));
    }
    out
}

/// Escapes a message.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::report::tests::samples;

    #[test]
    fn commands() {
        let mut findings = samples();
        findings[1].file = "data, 100%:a.csv".to_owned();
        insta::assert_snapshot!(github(&findings), @r"
        ::warning file=train.jsonl,line=12,title=B101 free-variable::premise[3] of record 981: `x` is used outside the scope of the quantifier that binds it%0A∀x (Painter(x)) → Patient(x)%0Ahelp: a quantifier binds only the one formula after it
        ::notice file=data%2C 100%25%3Aa.csv,title=R201 duplicate-record::row of record 50%25: this is record 7 once more
        ");
    }
}
