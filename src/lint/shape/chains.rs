//! Chains of connectives.

use super::is;
use super::rules::{ARROWS, COMPLEMENT, DUPLICATE, MIXED, XOR_CHAIN};
use crate::diagnostic::{Applicability, Diagnostic, EditKind, Fix, Span, TextEdit};
use crate::fol::{Connective, Formula, FormulaKind};
use crate::lint::{Annotation, Rule, tree};

/// The longest chain whose "exactly one" is spelt out: six operands give fifteen pairs.
const SPELT_OUT: usize = 6;

/// `A ⊕ B ⊕ C`, whatever its brackets.
pub(super) fn parity(
    annotation: &Annotation<'_>,
    formula: &Formula,
    parent: Option<&Formula>,
    out: &mut Vec<Diagnostic>,
) {
    let operands = tree::flat(formula, Connective::Xor);
    if operands.len() < 3 {
        return;
    }
    let mut found = XOR_CHAIN
        .diagnostic(
            annotation.target,
            formula.span,
            format!("a chain of {} operands with `⊕` holds when an odd number of them hold", operands.len()),
        )
        .hint("“exactly one of them” has to be spelt out");
    if operands.len() <= SPELT_OUT {
        let texts: Vec<String> = operands.iter().map(|o| tree::operand_text(o, annotation.text)).collect();
        let mut parts = vec![format!("({})", texts.join(" ∨ "))];
        for (i, a) in texts.iter().enumerate() {
            parts.extend(texts.iter().skip(i + 1).map(|b| format!("¬({a} ∧ {b})")));
        }
        let all = parts.join(" ∧ ");
        let alone = formula.bracketed || parent.is_none();
        found = found.fix(Fix {
            applicability: Applicability::Unsafe,
            kind: EditKind::Fix,
            title: "say that exactly one of them holds".to_owned(),
            edits: vec![TextEdit { span: formula.span, replacement: if alone { all } else { format!("({all})") } }],
            alternatives: Vec::new(),
        });
    }
    out.push(found);
}

/// `A ∧ B ∨ C` and `A ∨ B ⊕ C`: one finding for everything up to the brackets around.
pub(super) fn mixed(annotation: &Annotation<'_>, formula: &Formula, out: &mut Vec<Diagnostic>) {
    let mut groups = Vec::new();
    gather(formula, &mut groups, |outer, inner| {
        matches!(
            (outer, inner),
            (Connective::Or | Connective::Xor, Connective::And)
                | (Connective::Or, Connective::Xor)
                | (Connective::Xor, Connective::Or)
        )
    });
    report(&MIXED, annotation, &groups, out);
}

/// `A → B → C`, `A ↔ B ↔ C`, `A → B ↔ C`.
pub(super) fn arrows(annotation: &Annotation<'_>, formula: &Formula, out: &mut Vec<Diagnostic>) {
    let mut groups = Vec::new();
    gather(formula, &mut groups, |outer, inner| {
        matches!(outer, Connective::Implies | Connective::Iff) && matches!(inner, Connective::Implies | Connective::Iff)
    });
    report(&ARROWS, annotation, &groups, out);
}

/// Collects what the reading groups together without brackets, where `confusing` says that it could be doubted; each
/// with the formula it stands in.
fn gather<'a>(
    formula: &'a Formula,
    groups: &mut Vec<(&'a Formula, &'a Formula)>,
    confusing: fn(Connective, Connective) -> bool,
) {
    let FormulaKind::Binary(outer, a, b) = &formula.kind else { return };
    for operand in [a, b] {
        if let FormulaKind::Binary(inner, ..) = &operand.kind
            && !operand.bracketed
        {
            if confusing(*outer, *inner) {
                groups.push((formula, operand));
            }
            gather(operand, groups, confusing);
        }
    }
}

fn report(rule: &Rule, annotation: &Annotation<'_>, groups: &[(&Formula, &Formula)], out: &mut Vec<Diagnostic>) {
    let Some((whole, first)) = groups.first() else { return };
    let sign = |f: &Formula| match &f.kind {
        FormulaKind::Binary(c, ..) => c.sign(),
        _ => "",
    };
    let mut found = rule.diagnostic(
        annotation.target,
        whole.span,
        format!("`{}` is read before `{}` here", sign(first), sign(whole)),
    );
    if is(first, Connective::Implies) && is(whole, Connective::Implies) {
        found.message = "a chain of `→` is read from the right here".to_owned();
    } else if is(first, Connective::Iff) && is(whole, Connective::Iff) {
        found.message = "a chain of `↔` is read from the left here".to_owned();
    }
    let mut edits = Vec::new();
    for (_, group) in groups {
        found = found.related(group.span, "read as one operand");
        edits.push(TextEdit { span: Span::at(group.span.start), replacement: "(".to_owned() });
        edits.push(TextEdit { span: Span::at(group.span.end), replacement: ")".to_owned() });
    }
    edits.sort_by_key(|e| e.span);
    out.push(found.hint("brackets would leave no doubt").fix(Fix {
        applicability: Applicability::DisplayOnly,
        kind: EditKind::Normalise,
        title: "put the brackets of this reading".to_owned(),
        edits,
        alternatives: Vec::new(),
    }));
}

/// `A ∧ A` and `A ∧ ¬A`.
pub(super) fn repetitions(annotation: &Annotation<'_>, formula: &Formula, out: &mut Vec<Diagnostic>) {
    let FormulaKind::Binary(connective, a, b) = &formula.kind else { return };
    let operands = match connective {
        Connective::And | Connective::Or => tree::flat(formula, *connective),
        Connective::Xor | Connective::Implies | Connective::Iff => vec![&**a, &**b],
    };
    for (i, operand) in operands.iter().enumerate() {
        let before = operands.get(..i).unwrap_or_default();
        let text = operand.span.of(annotation.text);
        if let Some(same) = before.iter().find(|o| o == &operand) {
            let effect = match connective {
                Connective::And | Connective::Or => "the second adds nothing",
                Connective::Xor => "`A ⊕ A` never holds",
                Connective::Implies => "`A → A` always holds",
                Connective::Iff => "`A ↔ A` always holds",
            };
            out.push(
                DUPLICATE
                    .diagnostic(
                        annotation.target,
                        operand.span,
                        format!("both sides of `{}` are `{text}`: {effect}", connective.sign()),
                    )
                    .related(same.span, "the same")
                    .hint("was one of them meant to be something else?"),
            );
        }
        if !matches!(connective, Connective::And | Connective::Or) {
            continue;
        }
        if let Some(opposite) = before.iter().find(|o| negates(o, operand) || negates(operand, o)) {
            let always = if *connective == Connective::And { "never" } else { "always" };
            out.push(
                COMPLEMENT
                    .diagnostic(
                        annotation.target,
                        operand.span,
                        format!(
                            "`{text}` and its opposite in one chain of `{}`, which {always} holds",
                            connective.sign()
                        ),
                    )
                    .related(opposite.span, "its opposite"),
            );
        }
    }
}

fn negates(a: &Formula, b: &Formula) -> bool {
    match (&a.kind, &b.kind) {
        (FormulaKind::Not(inner), _) => **inner == *b,
        (FormulaKind::NotEqual(s, t), FormulaKind::Equal(x, y)) => (s, t) == (x, y) || (s, t) == (y, x),
        _ => false,
    }
}
