//! Quantifiers over the wrong connective.

use super::rules::{EXISTS_IMPLIES, FORALL_AND, NEGATED_IMPLICATION};
use crate::diagnostic::{Applicability, Diagnostic, EditKind, Fix, Span, TextEdit};
use crate::fol::{Connective, Formula, FormulaKind, Quantifier, Variable};
use crate::lint::cue::words_of;
use crate::lint::{Annotation, tree};

/// Looks at the first quantifier of a prefix.
pub(super) fn check(
    annotation: &Annotation<'_>,
    formula: &Formula,
    parent: Option<&Formula>,
    out: &mut Vec<Diagnostic>,
) {
    let negated = parent.is_some_and(|p| matches!(p.kind, FormulaKind::Not(_)));
    let FormulaKind::Quantified(quantifier, ..) = &formula.kind else { return };
    let (variables, body) = tree::prefix(formula, *quantifier);
    match (quantifier, &body.kind) {
        (Quantifier::Exists, FormulaKind::Binary(Connective::Implies, a, b))
            if variables.iter().any(|v| tree::mentions(a, &v.name)) =>
        {
            let under = parent.is_some_and(|p| matches!(p.kind, FormulaKind::Quantified(Quantifier::ForAll, ..)));
            exists_implies(annotation, formula, under, &variables, (a, b), out);
        }
        (Quantifier::ForAll, FormulaKind::Binary(Connective::And, a, b)) if !negated => {
            forall_and(annotation, &variables, a, b, out);
        }
        (Quantifier::ForAll, FormulaKind::Not(inner)) => {
            if let FormulaKind::Binary(Connective::Implies, a, b) = &inner.kind {
                negated_implication(annotation, body, a, b, out);
            }
        }
        _ => {}
    }
}

fn exists_implies(
    annotation: &Annotation<'_>,
    formula: &Formula,
    under_forall: bool,
    variables: &[&Variable],
    (a, b): (&Formula, &Formula),
    out: &mut Vec<Diagnostic>,
) {
    let text = annotation.text;
    let Some(sign) = tree::operator(a, b, text) else { return };
    let universal = under_forall
        || annotation.sentence.is_some_and(|s| {
            let words = words_of(s);
            ["all", "every", "each", "any", "if", "when", "whenever", "everyone", "anyone", "only", "no", "none"]
                .iter()
                .any(|cue| words.iter().any(|w| w.lower == *cue))
        });
    let every = every_edits(formula, variables, text);
    let some = vec![
        TextEdit { span: tree::outer(a, text), replacement: tree::conjunct_text(a, text) },
        TextEdit { span: sign, replacement: "∧".to_owned() },
        TextEdit { span: tree::outer(b, text), replacement: tree::conjunct_text(b, text) },
    ];
    // An operand that needs no brackets need not be touched.
    let some: Vec<TextEdit> = some.into_iter().filter(|e| e.span.of(text) != e.replacement).collect();
    let (edits, other, title) = match (universal, every) {
        (true, Some(every)) => (every, Some(some), "say it of every one: `∀`"),
        (false, Some(every)) => (some, Some(every), "say it of some: `∧`"),
        (_, None) => (some, None, "say it of some: `∧`"),
    };
    let alternatives = other.and_then(|e| crate::diagnostic::apply_edits(text, &e)).into_iter().collect();
    out.push(
        EXISTS_IMPLIES
            .diagnostic(
                annotation.target,
                sign,
                "`→` directly under `∃` holds as soon as the left side fails for anything",
            )
            .related(
                Span::new(formula.span.start, variables.last().map_or(formula.span.start, |v| v.span.end)),
                "under this",
            )
            .fix(Fix {
                applicability: Applicability::Unsafe,
                kind: EditKind::Fix,
                title: title.to_owned(),
                edits,
                alternatives,
            }),
    );
}

/// `∀` for every `∃` of the prefix, where each is one sign.
fn every_edits(formula: &Formula, variables: &[&Variable], text: &str) -> Option<Vec<TextEdit>> {
    let end = variables.last()?.span.start;
    let front = text.get(formula.span.start..end)?;
    let edits: Vec<TextEdit> = front
        .match_indices('∃')
        .map(|(i, sign)| {
            let start = formula.span.start + i;
            TextEdit { span: Span::new(start, start + sign.len()), replacement: "∀".to_owned() }
        })
        .collect();
    (!edits.is_empty()).then_some(edits)
}

fn forall_and(
    annotation: &Annotation<'_>,
    variables: &[&Variable],
    a: &Formula,
    b: &Formula,
    out: &mut Vec<Diagnostic>,
) {
    // The first operand of the chain and what stands to its right.
    let (mut first, mut second) = (a, b);
    while let FormulaKind::Binary(Connective::And, x, y) = &first.kind {
        if first.bracketed {
            break;
        }
        (first, second) = (x, y);
    }
    let restricts =
        matches!(&first.kind, FormulaKind::Atom(_)) && variables.iter().any(|v| tree::mentions(first, &v.name));
    let Some(sign) = tree::operator(first, second, annotation.text) else { return };
    if !restricts {
        return;
    }
    let said = first.span.of(annotation.text);
    out.push(
        FORALL_AND
            .diagnostic(
                annotation.target,
                sign,
                format!("`∧` directly under `∀`: this says `{said}` of everything there is"),
            )
            .related(first.span, "said of everything")
            .hint(format!("to speak only of what `{said}` holds of, write `→` after it"))
            .fix(Fix {
                applicability: Applicability::Unsafe,
                kind: EditKind::Fix,
                title: format!("let `{said}` restrict the variable"),
                // `→` is weaker than `∧`, so the rest of the chain stays together without brackets.
                edits: vec![TextEdit { span: sign, replacement: "→".to_owned() }],
                alternatives: Vec::new(),
            }),
    );
}

fn negated_implication(
    annotation: &Annotation<'_>,
    body: &Formula,
    a: &Formula,
    b: &Formula,
    out: &mut Vec<Diagnostic>,
) {
    let text = annotation.text;
    let (left, right) = (tree::outer(a, text).of(text), tree::operand_text(b, text));
    let all = format!("{left} → ¬{right}");
    out.push(
        NEGATED_IMPLICATION
            .diagnostic(
                annotation.target,
                body.span,
                "a negated implication under `∀` says that its left side holds of everything",
            )
            .hint("“no P is Q” is `∀x (P(x) → ¬Q(x))`")
            .fix(Fix {
                applicability: Applicability::Unsafe,
                kind: EditKind::Fix,
                title: "negate the right side only".to_owned(),
                edits: vec![TextEdit {
                    span: body.span,
                    replacement: if body.bracketed { all } else { format!("({all})") },
                }],
                alternatives: Vec::new(),
            }),
    );
}
