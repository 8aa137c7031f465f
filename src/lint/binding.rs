//! Rules about quantifiers and variables.

use std::collections::{BTreeMap, BTreeSet};

use super::tree;
use super::{Annotation, Example, Family, Rule};
use crate::diagnostic::{Applicability, Diagnostic, EditKind, Fix, Severity, Span, TextEdit};
use crate::fol::{Formula, FormulaKind, Term, TermKind, Variable};

const FREE: Rule = Rule {
    code: "B101",
    name: "free-variable",
    family: Family::Binding,
    severity: Severity::Warning,
    summary: "A variable that no quantifier binds",
    explanation: "A lower-case single letter from `u` to `z` (digits may follow) is read as a variable, and so is a \
        name that a quantifier of the same annotation binds elsewhere. Where no quantifier around it binds it, the \
        formula says nothing definite: provers disagree on what such a formula means, so refolio closes it by its own \
        policy (one unknown individual per name and record, unless set otherwise) and says so here. Two slips are \
        common: the variable stands where a named individual was meant, or a quantifier binds less than was meant, \
        because it binds only the one formula after it. For the second the fix puts brackets around the whole formula that \
        the quantifier stands at the front of; it is unsafe, because it changes what the formula says.",
    examples: &[
        Example { bad: "∀x (Painter(x)) → Patient(x)", good: Some("∀x (Painter(x) → Patient(x))") },
        Example { bad: "Tall(x) ∨ Short(x)", good: Some("Tall(ida) ∨ Short(ida)") },
    ],
    fix: Some(Applicability::Unsafe),
};

const VACUOUS: Rule = Rule {
    code: "B102",
    name: "vacuous-quantifier",
    family: Family::Binding,
    severity: Severity::Warning,
    summary: "A quantified variable that is never used",
    explanation: "The quantifier binds a variable that does not occur in its scope, so it says nothing. Mostly a named \
        individual stands where the variable was meant, or the quantifier closes before the formula that uses the \
        variable.",
    examples: &[Example { bad: "∀x (Opens(museum, monday))", good: Some("Opens(museum, monday)") }],
    fix: None,
};

const REPEATED: Rule = Rule {
    code: "B103",
    name: "repeated-variable",
    family: Family::Binding,
    severity: Severity::Warning,
    summary: "A variable quantified twice in one prefix",
    explanation: "Of two quantifiers in a row over one variable the first binds nothing. Mostly the second was meant to \
        introduce another variable. Where exactly one variable of the formula is free, the fix quantifies that one; it \
        is unsafe, because it is a guess.",
    examples: &[Example {
        bad: "∃x ∃x (Twin(x, y) ∧ Tall(x))", good: Some("∃x ∃y (Twin(x, y) ∧ Tall(x))")
    }],
    fix: Some(Applicability::Unsafe),
};

const SHADOWED: Rule = Rule {
    code: "B104",
    name: "shadowed-variable",
    family: Family::Binding,
    severity: Severity::Warning,
    summary: "A quantifier inside the scope of another one over the same variable",
    explanation: "Inside the inner quantifier the name no longer means the outer variable. The formula has one reading, \
        but where both were meant to speak of one individual the inner quantifier breaks the link.",
    examples: &[Example {
        bad: "∀x (Baker(x) → ∃x (Bread(x) ∧ Bakes(x, x)))",
        good: Some("∀x (Baker(x) → ∃y (Bread(y) ∧ Bakes(x, y)))"),
    }],
    fix: None,
};

/// The rules of this family.
pub static RULES: &[Rule] = &[FREE, VACUOUS, REPEATED, SHADOWED];

/// Looks at one annotation. Annotations without a reading are left to the syntax rules.
pub fn check(annotation: &Annotation<'_>, out: &mut Vec<Diagnostic>) {
    let Some(formula) = annotation.parsed.reading() else { return };
    let mut free = BTreeSet::new();
    tree::variables(formula, &mut |term, name| {
        if matches!(term.kind, TermKind::Free(_)) {
            free.insert(name);
        }
    });
    if !free.is_empty() {
        free_variables(annotation, formula, out);
    }
    quantifiers(annotation, formula, &free, &mut Vec::new(), out);
}

/// Raises findings of free variables to errors, for a run that takes an annotation with one to have no reading.
pub fn refuse_free_variables(found: &mut [Diagnostic]) {
    for diagnostic in found.iter_mut().filter(|d| d.code == FREE.code) {
        diagnostic.severity = Severity::Error;
        if diagnostic.fix.is_none() {
            diagnostic.hint = Some("free variables are refused here, so this annotation has no reading".to_owned());
        }
    }
}

fn free_variables(annotation: &Annotation<'_>, formula: &Formula, out: &mut Vec<Diagnostic>) {
    let mut uses: BTreeMap<&str, Vec<&Term>> = BTreeMap::new();
    tree::variables(formula, &mut |term, name| {
        if matches!(term.kind, TermKind::Free(_)) {
            uses.entry(name).or_default().push(term);
        }
    });
    let mut binders: BTreeMap<&str, Vec<&Variable>> = BTreeMap::new();
    formula.walk(&mut |part| {
        if let FormulaKind::Quantified(_, variables, _) = &part.kind {
            for variable in variables {
                binders.entry(&variable.name).or_default().push(variable);
            }
        }
    });
    for (name, terms) in uses {
        let Some((first, rest)) = terms.split_first() else { continue };
        let bound = binders.get(name).map(Vec::as_slice).unwrap_or_default();
        let message = if bound.is_empty() {
            format!("no quantifier binds the variable `{name}`")
        } else {
            format!("`{name}` is used outside the scope of the quantifier that binds it")
        };
        let mut found = FREE.diagnostic(annotation.target, first.span, message);
        for variable in bound {
            found = found.related(variable.span, "bound here");
        }
        for term in rest {
            found = found.related(term.span, "also free here");
        }
        found = match widen(formula, name, annotation.text) {
            Some(fix) => found.fix(fix).hint("a quantifier binds only the one formula after it"),
            None if bound.is_empty() => found.hint(format!(
                "name an individual, or quantify `{name}`; until then it is read as one unknown individual"
            )),
            None => found.hint(format!("until mended, `{name}` is read here as one unknown individual")),
        };
        out.push(found);
    }
}

/// Brackets that let the quantifier over `name` reach its free uses: from what the quantifier binds to the end of the
/// formula it stands at the front of.
fn widen(formula: &Formula, name: &str, text: &str) -> Option<Fix> {
    // The largest formula that starts with the quantifier and is not split by brackets, on the way down.
    fn find<'a>(whole: &'a Formula, part: &'a Formula, name: &str) -> Option<(&'a Formula, &'a Formula)> {
        match &part.kind {
            FormulaKind::Quantified(_, variables, body) => {
                if variables.iter().any(|v| v.name == name) {
                    return Some((whole, innermost(part)));
                }
                let continued = matches!(body.kind, FormulaKind::Quantified(..)) && !body.bracketed;
                find(if continued { whole } else { body }, body, name)
            }
            FormulaKind::Binary(_, left, right) => {
                let whole_left = if left.bracketed { left } else { whole };
                find(whole_left, left, name).or_else(|| find(right, right, name))
            }
            FormulaKind::Not(inner) => find(if inner.bracketed { inner } else { whole }, inner, name),
            _ => None,
        }
    }
    let (whole, body) = find(formula, formula, name)?;
    if !matches!(whole.kind, FormulaKind::Binary(..)) || !covers(whole, formula, name) {
        return None;
    }
    let edits = vec![
        TextEdit { span: Span::at(tree::outer(body, text).start), replacement: "(".to_owned() },
        TextEdit { span: Span::at(whole.span.end), replacement: ")".to_owned() },
    ];
    Some(Fix {
        applicability: Applicability::Unsafe,
        kind: EditKind::Fix,
        title: format!("put brackets around what the quantifier over `{name}` should bind"),
        edits,
        alternatives: Vec::new(),
    })
}

/// What a prefix of quantifiers binds.
fn innermost(formula: &Formula) -> &Formula {
    match &formula.kind {
        FormulaKind::Quantified(_, _, body) if matches!(body.kind, FormulaKind::Quantified(..)) && !body.bracketed => {
            innermost(body)
        }
        FormulaKind::Quantified(_, _, body) => body,
        _ => formula,
    }
}

/// Whether every free use of `name` in `formula` stands inside `part`.
fn covers(part: &Formula, formula: &Formula, name: &str) -> bool {
    let mut all = true;
    tree::variables(formula, &mut |term, n| {
        if n == name && matches!(term.kind, TermKind::Free(_)) {
            all &= part.span.start <= term.span.start && term.span.end <= part.span.end;
        }
    });
    all
}

/// Vacuous, repeated and shadowing quantifiers. `free` holds the free variables of the annotation, `scope` the variables bound around `formula`, outermost first.
fn quantifiers<'a>(
    annotation: &Annotation<'_>,
    formula: &'a Formula,
    free: &BTreeSet<&str>,
    scope: &mut Vec<&'a Variable>,
    out: &mut Vec<Diagnostic>,
) {
    if !matches!(formula.kind, FormulaKind::Quantified(..)) {
        for child in formula.children() {
            quantifiers(annotation, child, free, scope, out);
        }
        return;
    }
    let mut prefix: Vec<&Variable> = Vec::new();
    let mut body = formula;
    while let FormulaKind::Quantified(_, variables, inner) = &body.kind {
        prefix.extend(variables);
        body = inner;
    }
    for (i, variable) in prefix.iter().enumerate() {
        if let Some(first) = prefix.iter().take(i).find(|v| v.name == variable.name) {
            let mut found = REPEATED
                .diagnostic(
                    annotation.target,
                    variable.span,
                    format!("`{}` is quantified twice in a row", variable.name),
                )
                .related(first.span, "quantified here already");
            if let Some(unbound) = only_free_variable(body) {
                found = found.fix(Fix {
                    applicability: Applicability::Unsafe,
                    kind: EditKind::Fix,
                    title: format!("quantify `{unbound}`, which nothing binds"),
                    edits: vec![TextEdit { span: variable.span, replacement: unbound.to_owned() }],
                    alternatives: Vec::new(),
                });
            }
            out.push(found);
            continue;
        }
        if let Some(around) = scope.iter().rev().find(|v| v.name == variable.name) {
            out.push(
                SHADOWED
                    .diagnostic(annotation.target, variable.span, format!("`{}` is bound already", variable.name))
                    .related(around.span, "bound here")
                    .hint("use another variable, or drop the inner quantifier where one individual is meant"),
            );
        }
        // Where the name is free elsewhere, `free-variable` says what is wrong.
        if !tree::mentions(body, &variable.name) && !free.contains(variable.name.as_str()) {
            out.push(
                VACUOUS
                    .diagnostic(annotation.target, variable.span, format!("`{}` is never used", variable.name))
                    .hint(
                        "a quantifier without a use of its variable says nothing: was a name meant to be the variable?",
                    ),
            );
        }
    }
    let depth = scope.len();
    scope.extend(prefix);
    quantifiers(annotation, body, free, scope, out);
    scope.truncate(depth);
}

fn only_free_variable(formula: &Formula) -> Option<&str> {
    let mut names = BTreeSet::new();
    tree::variables(formula, &mut |term, name| {
        if matches!(term.kind, TermKind::Free(_)) {
            names.insert(name);
        }
    });
    if names.len() == 1 { names.into_iter().next() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Target;
    use crate::fol::parse;

    fn found(text: &str) -> Vec<Diagnostic> {
        let parsed = parse(text);
        let mut out = Vec::new();
        check(&Annotation { target: Target::Conclusion, text, parsed: &parsed, sentence: None }, &mut out);
        out
    }

    fn after(text: &str) -> Vec<(&'static str, Option<String>)> {
        found(text).into_iter().map(|d| (d.code, d.fix.and_then(|f| f.apply(text)))).collect()
    }

    #[test]
    fn well_bound_formulas_are_no_finding() {
        assert_eq!(after("∀x (Dog(x) → ∃y (Owns(y, x) ∧ Kind(y))) ∧ ∃y Cat(y)"), []);
    }

    #[test]
    fn a_quantifier_is_widened_to_what_it_stands_in_front_of() {
        assert_eq!(
            after("∀x (Orchestra(x) → (∃y Conductor(y) ∧ Lead(y, x)))"),
            [("B101", Some("∀x (Orchestra(x) → (∃y (Conductor(y) ∧ Lead(y, x))))".to_owned()))]
        );
        let wide = Some("∃x ∃y ((Tall(x) ∧ Shy(x)) ∧ ¬(x = y) ∧ Tall(y))".to_owned());
        assert_eq!(after("∃x ∃y (Tall(x) ∧ Shy(x)) ∧ ¬(x = y) ∧ Tall(y)"), [("B101", wide.clone()), ("B101", wide)]);
    }

    #[test]
    fn refused_free_variables_are_errors_and_nothing_else_is() {
        let mut diagnostics = found("∀y (Tall(x) ∧ ∃x Shy(x))");
        refuse_free_variables(&mut diagnostics);
        let said: Vec<_> = diagnostics.iter().map(|d| (d.code, d.severity)).collect();
        assert_eq!(said, [("B101", Severity::Error), ("B102", Severity::Warning)]);
        assert!(diagnostics[0].hint.as_ref().is_some_and(|h| h.contains("no reading")));
    }

    #[test]
    fn no_fix_where_the_quantifier_stands_behind_the_free_use() {
        assert_eq!(after("Tall(x) ∧ ∃x Shy(x)"), [("B101", None)]);
    }

    #[test]
    fn a_repeated_variable_takes_the_only_free_one() {
        assert_eq!(after("∃x ∃y ∃y (Likes(x, y) ∧ Likes(y, z))").first(), Some(&("B101", None)),);
        assert_eq!(
            after("∃x ∃y ∃y (Likes(x, y) ∧ Likes(y, z))").last(),
            Some(&("B103", Some("∃x ∃y ∃z (Likes(x, y) ∧ Likes(y, z))".to_owned())))
        );
    }

    #[test]
    fn annotations_without_a_reading_are_left_alone() {
        assert_eq!(after("∀x (Dog(x)) → Old(x))"), []);
    }
}
