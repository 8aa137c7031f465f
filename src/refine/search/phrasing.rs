//! Operators that the sentence asks for.

use super::desk::{Desk, Sheet};
use super::names::replace;
use super::op::Op;
use crate::diagnostic::{Diagnostic, Span, TextEdit};
use crate::fol::{Connective, Formula, FormulaKind, Parsed};
use crate::lint::tree::{self, Operators};
use crate::lint::{Annotation, cue};
use crate::refine::priors;

pub(super) fn candidates(desk: &Desk<'_>, out: &mut Vec<Op>) {
    for (index, sheet) in desk.sheets.iter().enumerate() {
        let Some(formula) = sheet.formula else { continue };
        if sheet.sentence.is_none() {
            continue;
        }
        let found = cues(sheet, formula);
        let has = |code: &str| found.iter().any(|d| d.code == code);
        if has("C406") || has("C402") {
            negate(index, sheet, formula, out);
        } else if !denies(sheet) {
            affirm(index, sheet, formula, out);
        }
        if has("C401") {
            exclude(index, sheet, formula, out);
        }
        restrict(index, sheet, formula, out);
    }
}

/// What the rules about cues find in a pair of sentence and formula.
pub(in crate::refine) fn cues_of(
    sentence: &str,
    text: &str,
    target: crate::diagnostic::Target,
    formula: &Formula,
) -> Vec<Diagnostic> {
    let parsed = Parsed { formula: Some(formula.clone()), issues: Vec::new() };
    let mut out = Vec::new();
    cue::check(&Annotation { target, text, parsed: &parsed, sentence: Some(sentence) }, &mut out);
    out
}

fn cues(sheet: &Sheet<'_>, formula: &Formula) -> Vec<Diagnostic> {
    cues_of(sheet.sentence.unwrap_or_default(), sheet.text, sheet.target, formula)
}

/// Whether the sentence denies anything, in any word.
fn denies(sheet: &Sheet<'_>) -> bool {
    const DENYING: &[&str] = &[
        "no",
        "not",
        "never",
        "neither",
        "nor",
        "none",
        "nobody",
        "nothing",
        "cannot",
        "without",
        "unless",
        "only",
        "few",
        "little",
        "fail",
        "lack",
        "except",
        "either",
        "if",
        "low",
        "lower",
        "other",
        "different",
        "than",
        "false",
        "bad",
        "instead",
        "rather",
        "hardly",
        "rarely",
        "out",
        "before",
        "after",
        "less",
    ];
    let words = cue::words_of(sheet.sentence.unwrap_or_default());
    words.iter().any(|w| {
        DENYING.contains(&&*w.lower)
            || w.lower.ends_with("n't")
            || crate::lint::words::NEGATING
                .iter()
                .any(|p| w.lower.len() > p.len() + 3 && w.lower.starts_with(p) && *p != "in")
    })
}

/// The sentence denies; the formula does not. Under `∀` with `→` it is the right side that is denied; a whole is denied
/// where it is one atom, or where the sentence says so of all that follows.
fn negate(index: usize, sheet: &Sheet<'_>, formula: &Formula, out: &mut Vec<Op>) {
    let text = sheet.text;
    let (_, body) = tree::prefix(formula, crate::fol::Quantifier::ForAll);
    let (what, at): (&str, &Formula) = match &body.kind {
        FormulaKind::Binary(Connective::Implies, _, right) => ("the right side of `→`", right),
        _ => ("the whole", formula),
    };
    let words: Vec<String> =
        cue::words_of(sheet.sentence.unwrap_or_default()).iter().map(|w| w.lower.to_string()).collect();
    let begins = |phrase: &[&str]| words.iter().map(String::as_str).take(phrase.len()).eq(phrase.iter().copied());
    let of_all = begins(&["it", "is", "not"]) || begins(&["it", "isn't"]) || begins(&["it", "is", "false"]);
    let universal = matches!(words.first().map(String::as_str), Some("no" | "none" | "nobody" | "nothing"));
    let allowed = match &body.kind {
        FormulaKind::Binary(Connective::Implies, ..) => universal,
        FormulaKind::Atom(_) => true,
        _ => of_all,
    };
    if !allowed {
        return;
    }
    let span = tree::outer(at, text);
    // What is denied under another quantifier may be all of it or what it speaks of.
    if matches!(at.kind, FormulaKind::Quantified(crate::fol::Quantifier::ForAll, ..)) {
        return;
    }
    let bare = matches!(at.kind, FormulaKind::Atom(_)) || span != at.span;
    let edits: Vec<TextEdit> = if bare {
        vec![replace(Span::at(span.start), "¬")]
    } else {
        vec![replace(Span::at(span.start), "¬("), replace(Span::at(span.end), ")")]
    };
    let why = format!("the sentence denies, and the formula has no negation: {what} is denied");
    out.push(Op::new(&priors::NEGATION, format!("{index}:negation"), why, vec![(index, edits)]));
}

/// The formula denies one atom as a whole; the sentence does not.
fn affirm(index: usize, sheet: &Sheet<'_>, formula: &Formula, out: &mut Vec<Op>) {
    let FormulaKind::Not(inner) = &formula.kind else { return };
    if !matches!(inner.kind, FormulaKind::Atom(_)) {
        return;
    }
    let Some(sign) = Span::new(formula.span.start, inner.span.start).of(sheet.text).chars().next() else { return };
    let sign = Span::new(formula.span.start, formula.span.start + sign.len_utf8());
    let why = "the formula denies, and the sentence has no negation".to_owned();
    out.push(Op::new(&priors::NEGATION, format!("{index}:negation"), why, vec![(index, vec![replace(sign, "")])]));
}

/// “All A that are B are C” with nothing but `∧` under `∀`: each `∧` of the chain may be the `→`, which of them nobody can
/// tell but the verdict, and where it tells of two they are ambiguous.
fn restrict(index: usize, sheet: &Sheet<'_>, formula: &Formula, out: &mut Vec<Op>) {
    const ALL: &[&str] =
        &["all", "every", "each", "any", "everyone", "everything", "anyone", "if", "no", "none", "when"];
    let (variables, body) = tree::prefix(formula, crate::fol::Quantifier::ForAll);
    let words = cue::words_of(sheet.sentence.unwrap_or_default());
    if variables.is_empty() || !words.iter().any(|w| ALL.contains(&&*w.lower)) {
        return;
    }
    let mut left = body;
    let mut signs = Vec::new();
    while let FormulaKind::Binary(Connective::And, a, b) = &left.kind {
        signs.extend(tree::operator(a, b, sheet.text));
        if a.bracketed {
            break;
        }
        left = a;
    }
    // Two formulas that hold of everything side by side are no condition with a kind and what is said of it.
    let kind = matches!(&left.kind, FormulaKind::Atom(_))
        || matches!(&left.kind, FormulaKind::Binary(_, a, _) if matches!(a.kind, FormulaKind::Atom(_)));
    if !kind {
        return;
    }
    for sign in signs {
        let why = "the sentence speaks of all of a kind, and the formula says so of everything".to_owned();
        let class = format!("{index}:restrict:{}", sign.start);
        out.push(Op::new(&priors::RESTRICT, class, why, vec![(index, vec![replace(sign, "→")])]));
    }
}

/// “Either … or” with the formula's only `∨`.
fn exclude(index: usize, sheet: &Sheet<'_>, formula: &Formula, out: &mut Vec<Op>) {
    let mut signs = Vec::new();
    formula.walk(&mut |part| {
        if let FormulaKind::Binary(Connective::Or, a, b) = &part.kind {
            signs.extend(tree::operator(a, b, sheet.text));
        }
    });
    if let [sign] = signs.as_slice()
        && !Operators::of(formula).xor
    {
        let why = "the sentence says “either … or”, and the formula does not exclude both".to_owned();
        let edits = vec![(index, vec![replace(*sign, Connective::Xor.sign())])];
        out.push(Op::new(&priors::EITHER, format!("{index}:either"), why, edits));
    }
}
