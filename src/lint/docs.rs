//! The rules as Markdown, for `docs/rules.md` and for explaining one rule.

use std::fmt::Write as _;

use super::{Family, Rule, registry};
use crate::diagnostic::Applicability;

/// What the families are about, as headings.
const fn heading(family: Family) -> &'static str {
    match family {
        Family::Syntax => "Syntax",
        Family::Binding => "Quantifiers and variables",
        Family::Names => "Names across a record",
        Family::Shape => "Shapes of formulas",
        Family::Cue => "Sentence against formula",
        Family::Row => "Rows and files",
        Family::Logic => "Logic (needs a prover)",
    }
}

const fn fix(rule: &Rule) -> &'static str {
    match rule.fix {
        None => "none",
        Some(Applicability::Safe) => "safe",
        Some(Applicability::Unsafe) => "unsafe",
        Some(Applicability::DisplayOnly) => "shown, never applied",
    }
}

/// The page of all rules: a table, then each rule.
#[must_use]
pub fn rules_markdown() -> String {
    let mut out = String::from(
        "# Rules\n\n\
         Generated from the rules themselves; do not edit by hand.\n\n\
         Every finding has a code, a severity and a place. `error` means that the annotation has no reading, so its \
         record's verdict is `Unparsed`; `warning` that it is probably not what was meant; `info` that it is worth \
         knowing. A *safe* fix keeps the meaning or gives the only sensible reading, an *unsafe* one is a guess.\n\n\
         In the examples a line is a premise and `∴` starts the conclusion; `sentence ::: formula` gives the sentence; \
         `---` stands between records.\n",
    );
    for family in Family::ALL {
        let rules: Vec<&Rule> = registry::all().filter(|r| r.family == family).collect();
        if rules.is_empty() {
            continue;
        }
        let _ = write!(
            out,
            "\n## {}\n\n| code | name | severity | fix | what |\n| --- | --- | --- | --- | --- |\n",
            heading(family)
        );
        for r in rules {
            let summary = capital(r.summary).replace('|', "\\|");
            let _ = writeln!(
                out,
                "| [{code}](#{anchor}) | `{name}` | {severity} | {fix} | {summary} |",
                code = r.code,
                anchor = anchor(r),
                name = r.name,
                severity = r.severity,
                fix = fix(r),
            );
        }
    }
    for rule in registry::all() {
        let _ = write!(out, "\n{}", rule_markdown(rule));
    }
    out
}

/// The anchor that a Markdown reader makes of a rule's heading.
fn anchor(rule: &Rule) -> String {
    format!("{}-{}", rule.code.to_lowercase(), rule.name)
}

/// What a reader wants to see of an example: the one for a formula nested too deeply is as long as it says.
fn shortened(text: &str) -> String {
    const LIMIT: usize = 400;
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

/// With a capital, as a sentence starts.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// One rule: summary, severity, fix, explanation, examples.
#[must_use]
pub fn rule_markdown(rule: &Rule) -> String {
    let mut out = format!(
        "## {code} {name}\n\n{summary}.\n\nFamily: {family}. Severity: {severity}. Fix: {fix}.\n\n{explanation}\n",
        code = rule.code,
        name = rule.name,
        summary = capital(rule.summary),
        family = rule.family,
        severity = rule.severity,
        fix = fix(rule),
        explanation = rule.explanation,
    );
    for example in rule.examples {
        let _ = write!(out, "\nFound:\n\n```text\n{}\n```\n", shortened(example.bad));
        if let Some(good) = example.good {
            let _ = write!(out, "\nBetter:\n\n```text\n{good}\n```\n");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_rules_is_up_to_date() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules.md");
        let generated = rules_markdown();
        if std::env::var_os("REFOLIO_BLESS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &generated).unwrap();
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            stored == generated,
            "docs/rules.md is out of date; run the tests with REFOLIO_BLESS=1 to write it anew"
        );
    }

    #[test]
    fn one_rule_as_markdown() {
        let text = rule_markdown(registry::find("B102").unwrap());
        assert!(
            text.starts_with("## B102 vacuous-quantifier\n\nA quantified variable that is never used.\n"),
            "{text}"
        );
        assert!(text.contains("Severity: warning. Fix: none."), "{text}");
        assert!(text.ends_with("Better:\n\n```text\nOpens(museum, monday)\n```\n"), "{text}");
    }
}
