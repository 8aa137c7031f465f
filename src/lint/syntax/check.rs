//! What the parser noticed, as diagnostics with fixes.

use super::mend::{Mend, mend};
use crate::diagnostic::{Applicability, Diagnostic, EditKind, Fix, Severity, Span, Target, TextEdit};
use crate::fol::{Parsed, QuantifierScope, SyntaxIssue, SyntaxIssueKind};
use crate::lint::Annotation;

/// Reports what the parser noticed in one annotation.
pub fn check(annotation: &Annotation<'_>, scope: QuantifierScope, out: &mut Vec<Diagnostic>) {
    check_text(annotation.target, annotation.text, annotation.parsed, scope, out);
}

/// Reports what the parser noticed in one text.
pub fn check_text(target: Target, text: &str, parsed: &Parsed, scope: QuantifierScope, out: &mut Vec<Diagnostic>) {
    let mended = if parsed.has_error() { mend(text, parsed, scope) } else { None };
    let mut mended = mended.as_ref();
    for issue in &parsed.issues {
        let mut diagnostic = describe(target, text, issue);
        if issue.kind.is_error() {
            // The mend is of the whole annotation and stands at its first fault.
            if let Some(mend) = mended.take() {
                attach(&mut diagnostic, mend);
            }
        }
        out.push(diagnostic);
    }
}

fn attach(diagnostic: &mut Diagnostic, mend: &Mend) {
    let mut title = None;
    if let Some(early) = mend.closed_early {
        diagnostic.code = "S103";
        diagnostic.message = "the quantifier's bracket is closed too early".to_owned();
        let surplus = diagnostic.span;
        diagnostic.related.push((surplus, "so that this bracket closes nothing".to_owned()));
        diagnostic.span = early;
        title = Some("close the quantifier's bracket at the end".to_owned());
    }
    if let Some(at) = mend.unopened {
        diagnostic.code = "S107";
        diagnostic.message = "the bracket that opens the arguments is missing".to_owned();
        let surplus = diagnostic.span;
        diagnostic.related.push((surplus, "so that this is out of place".to_owned()));
        diagnostic.span = at;
    }
    diagnostic.fix = Some(Fix {
        applicability: mend.applicability,
        kind: EditKind::Fix,
        // One bracket more or less has a name; several faults at once are mended together.
        title: title.unwrap_or_else(|| {
            let title = if mend.edits.len() > 1 { "mend the formula" } else { title_of(diagnostic.code) };
            title.to_owned()
        }),
        edits: mend.edits.clone(),
        alternatives: mend.alternatives.clone(),
    });
    if mend.applicability == Applicability::DisplayOnly {
        diagnostic.hint = Some("or is a `(` missing between a predicate and its argument?".to_owned());
    } else if !mend.alternatives.is_empty() {
        let n = mend.alternatives.len();
        let other = if n == 1 { "another place".to_owned() } else { format!("{n} other places") };
        diagnostic.hint = Some(format!("with the bracket at {other} the formula reads differently"));
    }
}

fn title_of(code: &str) -> &'static str {
    match code {
        "S101" => "append the missing `)`",
        "S102" => "drop the `)` that closes nothing",
        "S104" => "close the bracket before the operator",
        "S105" => "drop the doubled bracket",
        "S107" => "open the arguments",
        "S110" => "drop the comma",
        "S111" => "read the comma as `∧`",
        "S113" => "drop the punctuation",
        "S114" => "drop the remark",
        "S119" => "name the variable",
        _ => "mend the formula",
    }
}

/// The replacement of one span, as a fix of its own.
fn single(applicability: Applicability, kind: EditKind, title: String, span: Span, replacement: String) -> Fix {
    Fix { applicability, kind, title, edits: vec![TextEdit { span, replacement }], alternatives: Vec::new() }
}

fn describe(target: Target, text: &str, issue: &SyntaxIssue) -> Diagnostic {
    let span = issue.span;
    let found = span.of(text);
    let error = |code, message: String| Diagnostic::new(code, Severity::Error, target, span, message);
    let note = |code, message: String| Diagnostic::new(code, Severity::Warning, target, span, message);
    match &issue.kind {
        SyntaxIssueKind::MissingClose { open } => {
            error("S101", "this bracket is never closed".to_owned()).related(*open, "opened here")
        }
        SyntaxIssueKind::ExtraClose => error("S102", "this bracket closes nothing".to_owned()),
        SyntaxIssueKind::OperatorInArguments { open } => {
            error("S104", format!("`{found}` among the arguments of an atom")).related(*open, "arguments begin here")
        }
        SyntaxIssueKind::BracketInArguments => error("S105", "a bracket where a term should be".to_owned()),
        SyntaxIssueKind::EmptyBrackets => error("S106", "nothing between the brackets".to_owned()),
        SyntaxIssueKind::ExtraComma => error("S110", "this comma separates nothing".to_owned()),
        SyntaxIssueKind::CommaBetweenFormulas => error("S111", "a comma between two formulas".to_owned()),
        SyntaxIssueKind::MissingComma => error("S112", "a comma is missing between two terms".to_owned()).fix(single(
            Applicability::Unsafe,
            EditKind::Fix,
            "insert the comma".to_owned(),
            span,
            ",".to_owned(),
        )),
        SyntaxIssueKind::StrayPunctuation => error("S113", format!("`{found}` belongs to nothing")),
        SyntaxIssueKind::Remark => error("S114", "words after the formula".to_owned()),
        SyntaxIssueKind::SpaceInName => {
            error("S115", format!("`{found}` is more than one word")).hint("or is a comma missing?").fix(single(
                Applicability::Unsafe,
                EditKind::Fix,
                "write it as one word".to_owned(),
                span,
                camel_case(found),
            ))
        }
        SyntaxIssueKind::MissingConnective => error("S116", "a connective is missing between two formulas".to_owned()),
        SyntaxIssueKind::MissingFormula => error("S117", "a formula is missing here".to_owned()),
        SyntaxIssueKind::MissingTerm => error("S118", "the right side of the equation is missing".to_owned()),
        SyntaxIssueKind::QuantifierWithoutVariable => error("S119", format!("`{found}` binds no variable")),
        SyntaxIssueKind::VariableAsFormula => error("S120", format!("the variable `{found}` stands for a formula")),
        SyntaxIssueKind::UnknownCharacter => error("S121", format!("`{found}` is no part of a formula")),
        SyntaxIssueKind::Unexpected => error("S122", format!("`{found}` cannot stand here")),
        SyntaxIssueKind::Empty => error("S123", "the formula is empty".to_owned()),
        SyntaxIssueKind::TooDeep { limit } => {
            error("S124", format!("nested more than {limit} levels deep; the rest is not read"))
        }
        SyntaxIssueKind::Variant { canonical } => {
            note("S130", format!("`{found}` is read as `{canonical}`")).fix(single(
                Applicability::Safe,
                EditKind::Normalise,
                format!("write `{canonical}`"),
                span,
                (*canonical).to_owned(),
            ))
        }
        SyntaxIssueKind::LetterAsConnective => note("S131", format!("`{found}` is read as `∨`")).fix(single(
            Applicability::Safe,
            EditKind::Normalise,
            "write `∨`".to_owned(),
            span,
            "∨".to_owned(),
        )),
        SyntaxIssueKind::ThousandsComma => {
            note("S132", format!("`{found}` is read as one number, not as several arguments")).fix(single(
                Applicability::Unsafe,
                EditKind::Fix,
                "drop the commas".to_owned(),
                span,
                found.replace(',', ""),
            ))
        }
        SyntaxIssueKind::StopAfterQuantifier => {
            note("S133", format!("`{found}` after a quantifier does not widen its scope")).fix(single(
                Applicability::Safe,
                EditKind::Normalise,
                "drop it".to_owned(),
                span,
                if text.get(span.end..).is_some_and(|t| t.starts_with(char::is_whitespace)) {
                    String::new()
                } else {
                    " ".to_owned()
                },
            ))
        }
    }
}

/// `captain america` becomes `captainAmerica`.
fn camel_case(words: &str) -> String {
    let mut out = String::new();
    for (i, word) in words.split_whitespace().enumerate() {
        let mut chars = word.chars();
        match chars.next() {
            Some(first) if i > 0 => out.extend(first.to_uppercase().chain(chars)),
            _ => out.push_str(word),
        }
    }
    out
}
