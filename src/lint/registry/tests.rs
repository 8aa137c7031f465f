//! Every rule's documentation against what the rule does.

use super::*;
use crate::fol::{QuantifierScope, SyntaxIssueKind};
use crate::lint::{Example, ParsedRecord};

/// Reads the small notation of [`Example`].
fn records(text: &str) -> Vec<Record> {
    let mut out = Vec::new();
    for (i, block) in text.split("\n---\n").enumerate() {
        let mut record = Record { record_id: (i + 1).to_string(), ..Record::default() };
        let mut sentences: Vec<Option<String>> = Vec::new();
        for line in block.split('\n') {
            if let Some(label) = line.strip_prefix("label: ") {
                record.label_text = Some(label.to_owned());
                record.label = label.parse().ok();
                continue;
            }
            let (conclusion, line) = line.strip_prefix("∴ ").map_or((false, line), |rest| (true, rest));
            let (sentence, formula) = line.split_once(" ::: ").map_or((None, line), |(s, f)| (Some(s.to_owned()), f));
            if conclusion {
                record.conclusion = sentence.unwrap_or_default();
                record.conclusion_fol = Some(formula.to_owned());
            } else {
                record.premises_fol.push(formula.to_owned());
                sentences.push(sentence);
            }
        }
        // Without any sentence the counts differ, so that no rule takes the empty text for a sentence.
        if sentences.iter().any(Option::is_some) {
            record.premises = sentences.into_iter().map(Option::unwrap_or_default).collect();
        }
        out.push(record);
    }
    out
}

fn found(text: &str) -> Vec<Diagnostic> {
    let records = records(text);
    let mut out: Vec<Diagnostic> = Vec::new();
    for record in &records {
        out.extend(check_record(&ParsedRecord::new(record, QuantifierScope::Tight).context(record)));
    }
    out.extend(check_dataset(&records).into_iter().map(|(_, d)| d));
    out
}

/// Rules whose examples this notation cannot show: those that need a prover, a file or thousands of findings.
fn is_elsewhere(rule: &Rule) -> bool {
    rule.family == Family::Logic || rule.code.starts_with("R1") || rule.code == "R207"
}

#[test]
fn codes_and_names_are_unique_and_follow_their_family() {
    let mut seen = BTreeSet::new();
    for rule in all() {
        assert!(seen.insert(rule.code), "{} twice", rule.code);
        assert!(seen.insert(rule.name), "{} twice", rule.name);
        let (letter, digits) = rule.code.split_at(1);
        assert_eq!(letter, rule.family.letter().to_string(), "{}", rule.code);
        assert!(digits.len() == 3 && digits.bytes().all(|b| b.is_ascii_digit()), "{}", rule.code);
        assert!(rule.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{}", rule.name);
        assert!(!rule.summary.ends_with('.') && !rule.summary.contains('\n'), "{}", rule.code);
        assert!(rule.explanation.ends_with('.') && !rule.explanation.contains('\n'), "{}", rule.code);
        assert!(!rule.examples.is_empty(), "{}", rule.code);
    }
}

#[test]
fn every_example_shows_its_rule() {
    for rule in all().filter(|r| !is_elsewhere(r)) {
        for Example { bad, good } in rule.examples {
            let findings = found(bad);
            let hit = findings.iter().find(|d| d.code == rule.code);
            let Some(hit) = hit else { panic!("{} finds nothing in {bad:?}, but {findings:?}", rule.code) };
            assert_eq!(hit.severity, rule.severity, "{}", rule.code);
            if let Some(good) = good {
                let left: Vec<_> = found(good).into_iter().filter(|d| d.code == rule.code).collect();
                assert!(left.is_empty(), "{} finds {left:?} in {good:?}", rule.code);
            }
        }
    }
}

#[test]
fn every_fix_of_an_example_applies_parses_and_mends() {
    for rule in all().filter(|r| !is_elsewhere(r)) {
        let mut best = None;
        for Example { bad, .. } in rule.examples {
            let records = records(bad);
            for record in &records {
                let parsed = ParsedRecord::new(record, QuantifierScope::Tight);
                for d in check_record(&parsed.context(record)).iter().filter(|d| d.code == rule.code) {
                    let Some(fix) = &d.fix else { continue };
                    let text = record.text(d.target).unwrap();
                    let after = fix.apply(text).unwrap_or_else(|| panic!("{}: edits do not fit {text:?}", rule.code));
                    let reading = crate::fol::parser::parse(&after);
                    assert!(reading.reading().is_some(), "{}: no reading of {after:?}", rule.code);
                    best = best.min(Some(fix.applicability)).or(Some(fix.applicability));
                }
            }
        }
        if rule.family != Family::Syntax {
            assert_eq!(best, rule.fix, "{}: documented fix against that of its examples", rule.code);
        }
    }
}

#[test]
fn good_examples_have_a_reading() {
    for rule in all().filter(|r| !is_elsewhere(r)) {
        for good in rule.examples.iter().filter_map(|e| e.good) {
            for record in records(good) {
                let parsed = ParsedRecord::new(&record, QuantifierScope::Tight);
                for p in parsed.premises.iter().chain(&parsed.conclusion) {
                    let errors: Vec<&SyntaxIssueKind> =
                        p.issues.iter().map(|i| &i.kind).filter(|k| k.is_error()).collect();
                    assert!(errors.is_empty(), "{}: {errors:?} in {good:?}", rule.code);
                }
            }
        }
    }
}

#[test]
fn rules_are_found_by_code_and_name() {
    assert_eq!(find("b101").map(|r| r.name), Some("free-variable"));
    assert_eq!(find("free-variable").map(|r| r.code), Some("B101"));
    assert_eq!(find("Z999"), None);
    assert_eq!(suggest("B110"), Some("B101"));
    assert_eq!(suggest("free-varible"), Some("free-variable"));
    assert_eq!(suggest("something-else-altogether"), None);
}

#[test]
fn the_longer_selector_decides() {
    let has = |select: &[&str], ignore: &[&str], code: &str| Selection::new(select, ignore).unwrap().has(code);
    assert!(has(&[], &[], "B101"));
    assert!(has(&["B"], &[], "B101"));
    assert!(!has(&["B"], &[], "N203"));
    assert!(!has(&["B"], &["B101"], "B101"));
    assert!(has(&["B101"], &["B"], "B101"));
    assert!(!has(&["B1"], &["B1"], "B101"));
    assert!(!has(&[], &["N2"], "N203"));
    assert!(has(&[], &["N2"], "B101"));
    assert!(has(&["binding", "differs-in-case"], &[], "N203"));
    assert!(has(&["ALL"], &["n"], "B101"));
    assert!(!has(&["ALL"], &["n"], "N203"));
}

#[test]
fn unknown_selectors_are_refused_with_a_suggestion() {
    let error = Selection::new(&["Q7"], &[]).unwrap_err();
    assert_eq!(error.to_string(), "unknown rule selector \"Q7\"");
    let error = Selection::new(&[], &["free-variabel"]).unwrap_err();
    assert_eq!(error.to_string(), "unknown rule selector \"free-variabel\"; did you mean \"free-variable\"?");
    assert!(Selection::new(&[""], &[]).is_err());
}

#[test]
fn findings_come_sorted() {
    let findings = found("∃x (Student(x) → Tired(y))\n∴ P(x) ∧ P(x)");
    let keys: Vec<_> = findings.iter().map(|d| (d.target, d.span, d.code)).collect();
    assert!(keys.is_sorted(), "{keys:?}");
    assert!(keys.len() >= 3, "{keys:?}");
}
