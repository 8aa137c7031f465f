//! The closing table: how often each rule was met.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Finding;
use crate::diagnostic::{Applicability, Severity};
use crate::lint::registry;

#[derive(Default)]
struct Tally {
    findings: usize,
    safe: usize,
    r#unsafe: usize,
}

/// One line for each rule that was met, the most frequent first, and a line of totals. Without findings, one line that
/// says so.
#[must_use]
pub fn summary(findings: &[Finding]) -> String {
    if findings.is_empty() {
        return "no findings\n".to_owned();
    }
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut severities: BTreeMap<Severity, usize> = BTreeMap::new();
    for finding in findings {
        let tally = tallies.entry(finding.diagnostic.code).or_default();
        tally.findings += 1;
        match finding.diagnostic.fix.as_ref().map(|f| f.applicability) {
            Some(Applicability::Safe) => tally.safe += 1,
            Some(Applicability::Unsafe) => tally.r#unsafe += 1,
            Some(Applicability::DisplayOnly) | None => {}
        }
        *severities.entry(finding.diagnostic.severity).or_default() += 1;
    }
    let mut rows: Vec<(&str, Tally)> = tallies.into_iter().collect();
    rows.sort_by(|(a, x), (b, y)| y.findings.cmp(&x.findings).then(a.cmp(b)));
    let width = rows.iter().map(|(_, t)| t.findings.to_string().len()).max().unwrap_or(1);
    let mut out = String::new();
    for (code, tally) in &rows {
        let rule = registry::find(code);
        let name = rule.map_or("", |r| r.name);
        let _ = write!(out, "{:>width$}  {code}  {name}", tally.findings);
        let fixable: Vec<String> = [(tally.safe, "safe"), (tally.r#unsafe, "unsafe")]
            .into_iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, how)| format!("{n} {how}"))
            .collect();
        if !fixable.is_empty() {
            let _ = write!(out, "  (fixable: {})", fixable.join(", "));
        }
        out.push('\n');
    }
    let counts: Vec<String> = severities.iter().rev().map(|(severity, n)| counted(*severity, *n)).collect();
    let _ = writeln!(out, "found {}; `refolio rule CODE` explains a rule", counts.join(", "));
    out
}

fn counted(severity: Severity, n: usize) -> String {
    match (severity, n) {
        (Severity::Info, _) => format!("{n} info"),
        (_, 1) => format!("1 {severity}"),
        _ => format!("{n} {severity}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::report::tests::samples;

    #[test]
    fn most_frequent_first_with_totals() {
        let mut findings = samples();
        findings.extend(samples().into_iter().skip(1));
        insta::assert_snapshot!(summary(&findings), @r"
        2  R201  duplicate-record
        1  B101  free-variable  (fixable: 1 unsafe)
        found 1 warning, 2 info; `refolio rule CODE` explains a rule
        ");
        assert_eq!(summary(&[]), "no findings\n");
    }
}
