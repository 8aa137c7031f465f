use std::path::Path;

use super::settle::Settlement;
use super::*;
use crate::diagnostic::EditKind;
use crate::refine::Fixed;

fn record(id: &str, conclusion: &str) -> Record {
    Record {
        record_id: id.to_owned(),
        split: "train".to_owned(),
        premises: vec!["All cats purr.".to_owned(), "Tom is a cat.".to_owned()],
        premises_fol: vec!["∀x (Cat(x) → Purr(x))".to_owned(), "Cat(tom)".to_owned()],
        conclusion: "Tom purrs.".to_owned(),
        conclusion_fol: Some(conclusion.to_owned()),
        label: Some(Label::True),
        label_text: Some("True".to_owned()),
        ..Record::default()
    }
}

fn decision(record: &Record, by: &str, action: Action) -> Decision {
    Decision {
        version: VERSION,
        id: String::new(),
        at: "2026-11-30T10:00:00.000Z".to_owned(),
        by: by.to_owned(),
        record_id: record.record_id.clone(),
        split: record.split.clone(),
        record: record.content_key(),
        found: leaving_key(&record.premises_fol, record.conclusion_fol.as_deref(), record.label),
        seen: leaving_key(&record.premises_fol, record.conclusion_fol.as_deref(), record.label),
        action,
        edits: Vec::new(),
        label: None,
        comment: String::new(),
        undoes: None,
    }
    .with_id()
}

fn edited(record: &Record, by: &str, target: Target, after: &str) -> Decision {
    let before = record.text(target).map(str::to_owned);
    let edits = vec![TextChange { target, before, after: after.to_owned() }];
    Decision { edits, ..decision(record, by, Action::Accept) }.with_id()
}

fn relabelled(record: &Record, by: &str, after: Label) -> Decision {
    Decision { label: Some(LabelChange { before: record.label, after }), ..decision(record, by, Action::Relabel) }
        .with_id()
}

fn undo(of: &Decision, by: &str) -> Decision {
    let mut undo = of.clone();
    undo.by = by.to_owned();
    undo.action = Action::Undo;
    undo.edits.clear();
    undo.label = None;
    undo.undoes = Some(of.id.clone());
    undo.at = "2026-11-30T11:00:00.000Z".to_owned();
    undo.with_id()
}

fn applied(decisions: &[Decision], records: &[&Record]) -> Vec<Applied> {
    let fixed: Vec<Fixed> = records.iter().map(|r| Fixed::untouched(r)).collect();
    let story: Vec<(&Record, &Fixed)> = records.iter().copied().zip(&fixed).collect();
    apply(&settle(decisions), &story)
}

fn word(applied: &Applied) -> &'static str {
    applied.decided.as_ref().map_or("", |d| d.word)
}

#[test]
fn a_line_reads_back_as_it_was_written() {
    let row = record("1", "Purr(tom)");
    let decisions = [
        edited(&row, "ada", Target::Premise(1), "Cat(tom) ∧ \"\n"),
        relabelled(&row, "ada", Label::False),
        undo(&decision(&row, "ada", Action::Reject), "ada"),
        Decision { comment: "why?".to_owned(), ..decision(&row, "bob", Action::Comment) }.with_id(),
    ];
    let text: Vec<String> = decisions.iter().map(|d| serde_json::to_string(d).expect("plain") + "\n").collect();
    assert!(text[0].contains(r#""edits":[{"target":"premise[1]","before":"Cat(tom)""#), "{}", text[0]);
    assert_eq!(parse(Path::new("d"), text.concat().as_bytes()).expect("whole"), decisions);
}

#[test]
fn what_makes_no_sense_is_refused_with_its_line() {
    let row = record("1", "Purr(tom)");
    let good = decision(&row, "ada", Action::Accept);
    let cases: [(&str, Decision); 7] = [
        ("version", Decision { version: 2, ..good.clone() }),
        ("by, id", Decision { by: " ".to_owned(), ..good.clone() }),
        ("`label`", Decision { action: Action::Relabel, ..good.clone() }),
        ("`undoes`", Decision { undoes: Some("x".to_owned()), ..good.clone() }),
        ("changes no text", Decision { action: Action::Reject, ..edited(&row, "ada", Target::Conclusion, "P") }),
        ("no formula", edited(&row, "ada", Target::PremiseSentence(0), "P")),
        ("twice", {
            let mut twice = edited(&row, "ada", Target::Conclusion, "P");
            twice.edits.extend(twice.edits.clone());
            twice
        }),
    ];
    for (expected, case) in cases {
        let text = format!("\n{}\n", serde_json::to_string(&case).expect("plain"));
        let error = parse(Path::new("d.jsonl"), text.as_bytes()).expect_err(expected).to_string();
        assert!(error.starts_with("d.jsonl:2: no decision: ") && error.contains(expected), "{error}");
    }
    let error = parse(Path::new("d.jsonl"), b"{}\n").expect_err("no fields").to_string();
    assert_eq!(error, "d.jsonl:1: no decision: missing field `version`");
}

#[test]
fn a_ledger_keeps_what_it_was_given_and_cuts_what_is_torn() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("d.jsonl");
    let row = record("1", "Purr(tom)");
    let (a, b) = (decision(&row, "ada", Action::Accept), decision(&row, "bob", Action::Reject));
    let mut ledger = Ledger::open(&path).expect("new");
    assert!(matches!(Ledger::open(&path), Err(DecisionError::Write(_))), "held");
    ledger.append(a.clone()).expect("written");
    ledger.append(b.clone()).expect("written");
    ledger.append(a.clone()).expect("there already");
    assert!(ledger.append(Decision { version: 9, ..a.clone() }.with_id()).is_err());
    drop(ledger);
    let whole = std::fs::read(&path).expect("there");
    for cut in 0..=whole.len() {
        std::fs::write(&path, &whole[..cut]).expect("written");
        let lines = whole[..cut].iter().filter(|b| **b == b'\n').count();
        let expected: Vec<Decision> = [a.clone(), b.clone()].into_iter().take(lines).collect();
        assert_eq!(read(&path).expect("whole lines"), expected, "{cut}");
        assert_eq!(Ledger::open(&path).expect("mended").decisions(), expected, "{cut}");
    }
}

#[test]
fn files_merge_to_each_decision_once() {
    let row = record("1", "Purr(tom)");
    let early = decision(&row, "ada", Action::Accept);
    let late = undo(&early, "ada");
    let other = decision(&row, "bob", Action::Reject);
    let merged = merge([vec![late.clone(), early.clone()], vec![early.clone(), other.clone()]]);
    assert_eq!(merged, [early, other, late]);
}

#[test]
fn the_last_word_of_each_reviewer_counts() {
    let row = record("1", "Purr(tom)");
    let accept = decision(&row, "ada", Action::Accept);
    let reject = decision(&row, "ada", Action::Reject);
    let skip = decision(&row, "ada", Action::Skip);
    let what = |decisions: &[Decision]| match settle(decisions).records.get("1") {
        Some(Settlement::Agreed { decision, by }) => format!("{} by {}", decision.action.as_str(), by.join("+")),
        Some(Settlement::Disagreed(d)) => format!("{} disagree", d.len()),
        None => "nothing".to_owned(),
    };
    assert_eq!(what(&[accept.clone(), reject.clone(), skip.clone()]), "reject by ada");
    assert_eq!(what(&[accept.clone(), reject.clone(), undo(&reject, "ada")]), "accept by ada");
    assert_eq!(what(&[accept.clone(), undo(&accept, "bob")]), "accept by ada", "nobody else can take it back");
    assert_eq!(what(&[accept.clone(), undo(&accept, "ada"), skip]), "nothing");
    assert_eq!(what(&[accept.clone(), decision(&row, "bob", Action::Accept)]), "accept by ada+bob");
    assert_eq!(what(&[accept.clone(), decision(&row, "bob", Action::Reject)]), "2 disagree");
    let same = |by| edited(&row, by, Target::Conclusion, "Purr(tom) ∨ Cat(tom)");
    assert_eq!(what(&[same("ada"), same("bob")]), "accept by ada+bob");
    assert_eq!(what(&[same("ada"), edited(&row, "bob", Target::Conclusion, "Cat(tom)")]), "2 disagree");
}

#[test]
fn what_is_older_does_not_count_because_it_was_merged_later() {
    let row = record("1", "Purr(tom)");
    let later =
        Decision { at: "2026-11-30T12:30:00+01:00".to_owned(), ..decision(&row, "ada", Action::Accept) }.with_id();
    let earlier = decision(&row, "ada", Action::Reject);
    let settled = settle(&[later.clone(), earlier]);
    assert!(matches!(&settled.records["1"], Settlement::Agreed { decision, .. } if **decision == later));
    // Of a row that is of no use it does not matter by which formulas that was seen.
    let other = Decision { seen: "0".repeat(32), ..decision(&row, "bob", Action::Reject) }.with_id();
    let settled = settle(&[decision(&row, "ada", Action::Reject), other]);
    assert!(matches!(&settled.records["1"], Settlement::Agreed { by, .. } if by.len() == 2));
    // Who spoke of the row when it was another one has no say.
    let old = Record { conclusion: "Tom purred.".to_owned(), ..row.clone() };
    let new = Decision { at: "2026-12-01T00:00:00Z".to_owned(), ..decision(&row, "bob", Action::Accept) }.with_id();
    let settled = settle(&[decision(&old, "ada", Action::Reject), new]);
    assert!(matches!(&settled.records["1"], Settlement::Agreed { by, .. } if by == &["bob"]));
}

#[test]
fn an_edit_of_a_premise_is_made_in_the_whole_story() {
    let (a, b) = (record("1", "Purr(tom)"), record("2", "¬Purr(tom)"));
    let out = applied(&[edited(&a, "ada", Target::Premise(1), "Cat(thomas)")], &[&a, &b]);
    for one in &out {
        assert_eq!(one.fixed.premises_fol, ["∀x (Cat(x) → Purr(x))", "Cat(thomas)"]);
        assert_eq!(one.fixed.edits.len(), 1);
        assert_eq!((one.fixed.edits[0].kind, one.fixed.edits[0].before.as_str()), (EditKind::Human, "Cat(tom)"));
    }
    assert_eq!(out.iter().map(|o| o.fixed.edits[0].asked_by.as_deref()).collect::<Vec<_>>(), [None, Some("1")]);
    assert_eq!(out.iter().map(word).collect::<Vec<_>>(), ["accept", ""]);
    let out = applied(&[edited(&a, "ada", Target::Conclusion, "Cat(tom)")], &[&a, &b]);
    assert_eq!(out[0].fixed.conclusion_fol.as_deref(), Some("Cat(tom)"));
    assert_eq!(out[1].fixed, Fixed::untouched(&b), "a conclusion is its record's own");
}

#[test]
fn decisions_on_rows_that_have_changed_are_refused() {
    let row = record("1", "Purr(tom)");
    let decisions = [edited(&row, "ada", Target::Premise(1), "Cat(thomas)")];
    for change in [
        Record { conclusion: "Tom does purr.".to_owned(), ..row.clone() },
        Record { premises_fol: vec!["P".to_owned(), "Cat(tom)".to_owned()], ..row.clone() },
        Record { label_text: Some("False".to_owned()), label: Some(Label::False), ..row.clone() },
    ] {
        let out = applied(&decisions, &[&change]);
        assert_eq!((word(&out[0]), &out[0].fixed), ("refused", &Fixed::untouched(&change)));
    }
    // The rungs below give another text now than the reviewer saw.
    let mended =
        Fixed { premises_fol: vec![row.premises_fol[0].clone(), "Cat(tim)".to_owned()], ..Fixed::untouched(&row) };
    let out = apply(&settle(&decisions), &[(&row, &mended)]);
    assert_eq!((word(&out[0]), &out[0].fixed), ("refused", &mended));
    let why = "its formulas are not those that were looked at";
    assert_eq!(out[0].decided.as_ref().map(|d| d.comment.as_str()), Some(why));
    // Likewise where it is another text that they have made something else of.
    let elsewhere = Fixed { conclusion_fol: Some("Cat(tim)".to_owned()), ..Fixed::untouched(&row) };
    assert_eq!(word(&apply(&settle(&decisions), &[(&row, &elsewhere)])[0]), "refused");
    // That what was seen is right says nothing about what was not.
    let out = apply(&settle(&[decision(&row, "ada", Action::Accept)]), &[(&row, &mended)]);
    assert_eq!(word(&out[0]), "refused");
    let out = apply(&settle(&[decision(&row, "ada", Action::Reject)]), &[(&row, &mended)]);
    assert_eq!(word(&out[0]), "reject", "of a row that is of no use no formula matters");
}

#[test]
fn two_texts_for_one_premise_are_both_refused() {
    let (a, b) = (record("1", "Purr(tom)"), record("2", "¬Purr(tom)"));
    let one = edited(&a, "ada", Target::Premise(1), "Cat(thomas)");
    let other = edited(&b, "ada", Target::Premise(1), "Cat(tim)");
    let out = applied(&[one.clone(), other], &[&a, &b]);
    assert_eq!(out.iter().map(word).collect::<Vec<_>>(), ["refused", "refused"]);
    assert!(out.iter().all(|o| o.fixed.edits.is_empty()));
    let same = edited(&b, "bob", Target::Premise(1), "Cat(thomas)");
    let out = applied(&[one, same], &[&a, &b]);
    assert_eq!(out.iter().map(word).collect::<Vec<_>>(), ["accept", "accept"]);
    assert!(out.iter().all(|o| o.fixed.edits.len() == 1), "made once");
}

#[test]
fn formulas_can_be_given_where_there_were_none() {
    let row =
        Record { premises_fol: vec!["∀x (Cat(x) → Purr(x))".to_owned()], conclusion_fol: None, ..record("1", "") };
    let out = applied(&[edited(&row, "ada", Target::Premise(1), "Cat(tom)")], &[&row]);
    assert_eq!(out[0].fixed.premises_fol.len(), 2);
    let out = applied(&[edited(&row, "ada", Target::Conclusion, "Purr(tom)")], &[&row]);
    assert_eq!(out[0].fixed.conclusion_fol.as_deref(), Some("Purr(tom)"));
    let out = applied(&[edited(&row, "ada", Target::Premise(2), "Cat(tom)")], &[&row]);
    assert_eq!(word(&out[0]), "refused", "not beyond the next");
}

#[test]
fn who_disagrees_is_told_apart() {
    let row = record("1", "Purr(tom)");
    let out = applied(&[relabelled(&row, "bob", Label::False), decision(&row, "ada", Action::Accept)], &[&row]);
    let decided = out[0].decided.as_ref().expect("decided");
    assert_eq!((decided.word, decided.by.join("+"), decided.label), ("disagreement", "ada+bob".to_owned(), None));
    assert_eq!(decided.comment, "ada: accept | bob: relabel False");
    let pairs = agreement(&[relabelled(&row, "bob", Label::False), decision(&row, "ada", Action::Accept)]);
    assert_eq!((pairs[0].first.as_str(), pairs[0].rows, pairs[0].same), ("ada", 1, 0));
}
