//! Rows for tests: one of every sort of thing that a row can hold.
//!
//! The names come from the parent module, so that tests outside the library can include this file too.

use serde_json::{Value, json};

use super::diagnostic::{Applicability, Diagnostic, EditKind, Fix, Severity, Span, Target, TextEdit};
use super::record::{
    Decided, Edit, Grade, Label, Presupposition, Proof, Proposal, Record, Row, Source, Status, Symbol, Verdict, hex,
};

fn texts(items: &[&str]) -> Vec<String> {
    items.iter().map(|&s| s.to_owned()).collect()
}

/// A plain row that agreed as it came.
pub(crate) fn plain_row(id: &str, split: &str) -> Row {
    let record = Record {
        record_id: id.to_owned(),
        split: split.to_owned(),
        story_id: Some("7".to_owned()),
        example_id: Some(id.to_owned()),
        source: Source { file: format!("{split}.jsonl"), row: 3, line: Some(4), sha256: "ab".repeat(32) },
        premises: texts(&["Every heron wades.", "Ida is a heron."]),
        premises_fol: texts(&["∀x (Heron(x) → Wades(x))", "Heron(ida)"]),
        conclusion: "Ida wades.".to_owned(),
        conclusion_fol: Some("Wades(ida)".to_owned()),
        label: Some(Label::True),
        label_text: Some("True".to_owned()),
        diagnostics: Vec::new(),
        raw: None,
    };
    Row {
        premises_fol: record.premises_fol.clone(),
        conclusion_fol: record.conclusion_fol.clone(),
        label: record.label,
        decision: None,
        status: Status::Verified,
        verdict: Verdict::True,
        agreement: Verdict::True.agreement(record.label),
        verdict_original: Verdict::True,
        agreement_original: Verdict::True.agreement(record.label),
        verdict_reason: None,
        szs_consistency: Some("Satisfiable".to_owned()),
        szs_entails: Some("Theorem".to_owned()),
        szs_refutes: None,
        used_premises: Some(vec![0, 1]),
        models: None,
        evidence: Some(Grade::Certificate),
        proof: None,
        signals: Vec::new(),
        edits: Vec::new(),
        diagnostics: Vec::new(),
        proposals: Vec::new(),
        proposed_label: None,
        critique: None,
        presuppositions: Vec::new(),
        symbols: Vec::new(),
        iterations: 0,
        review_score: None,
        review_reason: None,
        llm_model: None,
        prompt_version: None,
        record,
    }
}

/// A row of split `train` with this label and this verdict, as it came and as it leaves.
pub(crate) fn verdict_row(label: Option<Label>, verdict: Verdict) -> Row {
    let mut row = plain_row("v", "train");
    row.record.label = label;
    row.label = label;
    row.record.label_text = label.map(|l| l.to_string());
    row.verdict = verdict;
    row.verdict_original = verdict;
    row.agreement = verdict.agreement(label);
    row.agreement_original = row.agreement;
    row.status = match (label, verdict) {
        _ if row.agreement.as_str() == "agree" => Status::Verified,
        (None, _) | (_, Verdict::Unformalised) => Status::Unjudged,
        _ => Status::Problematic,
    };
    row
}

/// A finding at bytes 0 to 3 of the conclusion.
pub(crate) fn diagnostic(code: &'static str, severity: Severity) -> Diagnostic {
    Diagnostic::new(code, severity, Target::Conclusion, Span::new(0, 3), format!("a finding of {code}"))
}

/// Repaired: the conclusion lacked a bracket. Two diagnostics, one with a safe fix, one without anything; one edit.
pub(crate) fn repaired_row(id: &str, split: &str) -> Row {
    let mut row = plain_row(id, split);
    let (before, after) = ("Wades(ida", "Wades(ida)");
    row.record.conclusion_fol = Some(before.to_owned());
    row.status = Status::Repaired;
    row.verdict_original = Verdict::Unparsed;
    row.agreement_original = Verdict::Unparsed.agreement(row.record.label);
    row.iterations = 1;
    row.review_score = Some(0.25);
    row.review_reason = Some("ambiguous-bracket: 1 other reading".to_owned());
    let fix = Fix {
        applicability: Applicability::Safe,
        kind: EditKind::Fix,
        title: "append the missing `)`".to_owned(),
        edits: vec![TextEdit { span: Span::at(before.len()), replacement: ")".to_owned() }],
        alternatives: texts(&["Wades(ida) ∧ ⊤"]),
    };
    row.diagnostics = vec![
        Diagnostic::new("S101", Severity::Error, Target::Conclusion, Span::at(before.len()), "missing `)`")
            .hint("the bracket opened at byte 5 is never closed")
            .fix(fix),
        Diagnostic::new("R401", Severity::Info, Target::Row, Span::default(), "duplicate row"),
    ];
    row.edits = vec![Edit {
        target: Target::Conclusion,
        before: before.to_owned(),
        after: after.to_owned(),
        rule: "S101".to_owned(),
        kind: EditKind::Fix,
        iteration: 0,
        alternatives: texts(&["Wades(ida) ∧ ⊤"]),
        asked_by: Some("another".to_owned()),
        why: "the sentence says so".to_owned(),
    }];
    row.proposals = vec![Proposal {
        rung: "search",
        edits: row.edits.clone(),
        cost: 1.5,
        outcome: "refused",
        reason: Some("sibling".to_owned()),
    }];
    row.proposed_label = Some(Label::False);
    row.critique = Some("{\"sentences\":[]}".to_owned());
    row.llm_model = Some("some-model".to_owned());
    row.prompt_version = Some("critique/1 refiner/1".to_owned());
    row.presuppositions = vec![Presupposition {
        target: Target::ConclusionSentence,
        formula: "Bird(ida)".to_owned(),
        sentence: Some("the bird Ida".to_owned()),
    }];
    row.symbols = vec![Symbol {
        name: "Wades".to_owned(),
        kind: "predicate",
        arity: 1,
        used_in: vec![Target::Premise(0), Target::Conclusion],
        gloss: None,
    }];
    row
}

/// Odd content: no ids, empty lists, empty and multi-line texts, letters outside the first plane, quotes, an empty
/// proof, a model, an edit without alternatives.
pub(crate) fn odd_row(id: &str, split: &str) -> Row {
    let mut row = verdict_row(Some(Label::Uncertain), Verdict::Uncertain);
    row.record.record_id = id.to_owned();
    row.record.split = split.to_owned();
    row.record.story_id = None;
    row.record.example_id = None;
    row.record.source.row = 1 << 40;
    row.record.label_text = Some(" Unknown".to_owned());
    row.record.premises = texts(&["Śmigły said \"naïve, 𝔘nicode\"\nand left.", ""]);
    row.record.premises_fol = texts(&["P(Ś)  ⊕ 𝔘(x)"]);
    row.premises_fol = texts(&["P(Ś) ⊕ 𝔘(x)"]);
    row.record.conclusion = String::new();
    row.szs_entails = Some("CounterSatisfiable".to_owned());
    row.szs_refutes = Some("CounterSatisfiable".to_owned());
    row.used_premises = Some(Vec::new());
    row.models = Some("[{\"domain\":2,\"name\":\"𝔘\"}]".to_owned());
    row.signals = texts(&["verdict-needs-identified-names"]);
    row.proof = Some(Box::new(Proof {
        question: "entails",
        status: "Theorem".to_owned(),
        problem: "fof(conclusion, conjecture, $true).\n".to_owned(),
        derivation: None,
        certificate: Some("{}".to_owned()),
        second_opinion: None,
    }));
    row.review_score = Some(1.0);
    row.edits = vec![Edit {
        target: Target::Premise(0),
        before: "P(Ś)  ⊕ 𝔘(x)".to_owned(),
        after: "P(Ś) ⊕ 𝔘(x)".to_owned(),
        rule: "N001".to_owned(),
        kind: EditKind::Normalise,
        iteration: 2,
        alternatives: Vec::new(),
        asked_by: None,
        why: String::new(),
    }];
    row
}

/// A row that could not be read.
pub(crate) fn unreadable_row(id: &str, split: &str) -> Row {
    let mut row = verdict_row(None, Verdict::Unformalised);
    row.record = Record {
        record_id: id.to_owned(),
        split: split.to_owned(),
        source: row.record.source,
        raw: Some(b"{\"premises\": [\xff\x00".to_vec()),
        ..Record::default()
    };
    row.premises_fol = Vec::new();
    row.conclusion_fol = None;
    row.status = Status::Problematic;
    row.verdict_reason = Some("unreadable: invalid UTF-8 at byte 14".to_owned());
    row.szs_consistency = None;
    row.szs_entails = None;
    row.used_premises = None;
    row.diagnostics =
        vec![Diagnostic::new("I001", Severity::Error, Target::Row, Span::new(14, 15), "invalid UTF-8 in the row")];
    row
}

/// A row whose label a person changed.
pub(crate) fn relabelled_row(id: &str, split: &str) -> Row {
    let mut row = verdict_row(Some(Label::False), Verdict::True);
    row.record.record_id = id.to_owned();
    row.record.split = split.to_owned();
    row.label = Some(Label::True);
    row.agreement = Verdict::True.agreement(row.label);
    row.status = Status::Relabelled;
    row.decision = Some(Decided {
        word: "relabel",
        by: vec!["ada".to_owned(), "bob".to_owned()],
        comment: "“every” was meant".to_owned(),
        label: row.label,
    });
    row
}

/// Rows of two splits: every status, every sort of value, several verdicts.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = vec![
        plain_row("1", "train"),
        repaired_row("2", "train"),
        odd_row("3", "train"),
        unreadable_row("4", "train"),
        plain_row("5", "validation"),
        repaired_row("6", "validation"),
    ];
    rows.push(relabelled_row("7", "validation"));
    let conflicts = [
        (Some(Label::True), Verdict::False),
        (Some(Label::False), Verdict::Uncertain),
        (Some(Label::False), Verdict::Inconsistent),
        (None, Verdict::Uncertain),
        (Some(Label::Uncertain), Verdict::Undetermined),
    ];
    for (i, (label, verdict)) in conflicts.into_iter().enumerate() {
        let mut row = verdict_row(label, verdict);
        row.record.record_id = format!("c{i}");
        row.used_premises = matches!(verdict, Verdict::False).then(|| vec![1]);
        rows.push(row);
    }
    rows
}

/// What a reader of the Parquet file must find for a row, column by column; bytes in hexadecimal. Written apart from
/// the code that fills the columns.
pub(crate) fn expected_json(row: &Row) -> Value {
    let record = &row.record;
    let edits: Vec<_> = row
        .edits
        .iter()
        .map(|e| {
            json!({
                "target": e.target.to_string(), "before": e.before, "after": e.after, "rule": e.rule,
                "kind": e.kind.as_str(), "iteration": e.iteration, "alternatives": e.alternatives,
                "asked_by": e.asked_by, "why": e.why,
            })
        })
        .collect();
    let diagnostics: Vec<_> = row
        .diagnostics
        .iter()
        .map(|d| {
            let after = d.fix.as_ref().map(|fix| fix.apply(record.text(d.target).expect("has a text")));
            json!({
                "code": d.code, "severity": d.severity.as_str(), "target": d.target.to_string(), "start": d.span.start,
                "end": d.span.end, "message": d.message, "hint": d.hint,
                "fix_applicability": d.fix.as_ref().map(|fix| fix.applicability.as_str()), "fix_after": after,
            })
        })
        .collect();
    let mut all = json!({
        "record_id": record.record_id, "split": record.split, "story_id": record.story_id,
        "example_id": record.example_id, "source_file": record.source.file, "source_row": record.source.row,
        "source_sha256": record.source.sha256,
        "premises": record.premises, "premises_fol": row.premises_fol,
        "conclusion": if record.raw.is_some() { Value::Null } else { json!(record.conclusion) },
        "conclusion_fol": row.conclusion_fol, "label": row.label.map(Label::as_str),
        "premises_fol_original": record.premises_fol, "conclusion_fol_original": record.conclusion_fol,
        "label_original": record.label_text,
    });
    let edit = |e: &Edit| {
        json!({
            "target": e.target.to_string(), "before": e.before, "after": e.after, "rule": e.rule, "why": e.why,
        })
    };
    let proposals: Vec<_> = row
        .proposals
        .iter()
        .map(|p| {
            let edits: Vec<Value> = p.edits.iter().map(edit).collect();
            json!({
                "rung": p.rung, "cost": p.cost, "outcome": p.outcome, "reason": p.reason,
                "edits": Value::Array(edits).to_string(),
            })
        })
        .collect();
    let presuppositions: Vec<_> = row
        .presuppositions
        .iter()
        .map(|p| json!({ "target": p.target.to_string(), "formula": p.formula, "sentence": p.sentence }))
        .collect();
    let symbols: Vec<_> = row
        .symbols
        .iter()
        .map(|s| {
            let used_in: Vec<String> = s.used_in.iter().map(ToString::to_string).collect();
            json!({ "name": s.name, "kind": s.kind, "arity": s.arity, "used_in": used_in, "gloss": s.gloss })
        })
        .collect();
    let rest = json!({
        "status": row.status.as_str(), "verdict": row.verdict.as_str(), "agreement": row.agreement.as_str(),
        "verdict_original": row.verdict_original.as_str(), "agreement_original": row.agreement_original.as_str(),
        "verdict_reason": row.verdict_reason, "szs_consistency": row.szs_consistency,
        "szs_entails": row.szs_entails, "szs_refutes": row.szs_refutes, "used_premises": row.used_premises,
        "models": row.models, "evidence": row.evidence.map(Grade::as_str),
        "proof_ref": row.proof_ref(), "signals": row.signals, "edits": edits, "diagnostics": diagnostics,
        "proposals": proposals, "proposed_label": row.proposed_label.map(Label::as_str), "decision": row.decision.as_ref().map(|d| d.word),
        "decided_by": row.decision.as_ref().map(|d| d.by.clone()).unwrap_or_default(),
        "decision_comment": row.decision.as_ref().map(|d| d.comment.clone()).filter(|c| !c.is_empty()),
        "iterations": row.iterations,
    "review_score": row.review_score, "review_reason": row.review_reason, "critique": row.critique, "llm_model": row.llm_model,
        "prompt_version": row.prompt_version, "presuppositions": presuppositions, "symbols": symbols, "source_raw": record.raw.as_ref().map(|raw| hex(raw)),
    });
    if let (Some(all), Value::Object(rest)) = (all.as_object_mut(), rest) {
        all.extend(rest);
    }
    all
}
