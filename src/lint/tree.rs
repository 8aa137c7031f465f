//! Small questions about trees and the text they were read from, shared by the rules.

use std::collections::BTreeSet;

use crate::diagnostic::Span;
use crate::fol::{Connective, Formula, FormulaKind, Quantifier, Term, TermKind, Variable};

/// A formula's span with all the brackets directly around it.
pub(crate) fn outer(formula: &Formula, text: &str) -> Span {
    let mut span = formula.span;
    if !formula.bracketed {
        return span;
    }
    loop {
        let before = text.get(..span.start).unwrap_or("").trim_end();
        let after = text.get(span.end..).unwrap_or("");
        let gap = after.len() - after.trim_start().len();
        if !(before.ends_with('(') && after.trim_start().starts_with(')')) {
            return span;
        }
        span = Span::new(before.len() - 1, span.end + gap + 1);
    }
}

/// Where the sign of the connective between two operands stands.
pub(crate) fn operator(left: &Formula, right: &Formula, text: &str) -> Option<Span> {
    let start = outer(left, text).end;
    let between = text.get(start..outer(right, text).start)?;
    let sign = between.trim_matches(|c: char| c.is_whitespace() || c == '(' || c == ')');
    if sign.is_empty() {
        return None;
    }
    let at = start + (sign.as_ptr() as usize - between.as_ptr() as usize);
    Some(Span::new(at, at + sign.len()))
}

/// The formula's text, in brackets where it could not stand beside an operator without them.
pub(crate) fn operand_text(formula: &Formula, text: &str) -> String {
    let own = outer(formula, text).of(text);
    if !formula.bracketed && matches!(formula.kind, FormulaKind::Binary(..)) {
        format!("({own})")
    } else {
        own.to_owned()
    }
}

/// The formula's text as an operand of a chain of `∧`: in brackets where another connective stands in it without.
pub(crate) fn conjunct_text(formula: &Formula, text: &str) -> String {
    match formula.kind {
        FormulaKind::Binary(Connective::And, ..) => outer(formula, text).of(text).to_owned(),
        _ => operand_text(formula, text),
    }
}

/// The operands of a chain of one connective, whatever brackets stand inside it.
pub(crate) fn flat(formula: &Formula, connective: Connective) -> Vec<&Formula> {
    match &formula.kind {
        FormulaKind::Binary(c, a, b) if *c == connective => {
            let mut out = flat(a, connective);
            out.extend(flat(b, connective));
            out
        }
        _ => vec![formula],
    }
}

/// Whether a variable of this name, bound or free, occurs in the formula.
pub(crate) fn mentions(formula: &Formula, name: &str) -> bool {
    let mut found = false;
    variables(formula, &mut |term, n| found |= n == name && !term.span.is_empty());
    found
}

/// Calls `f` on every occurrence of a bound or free variable as a term.
pub(crate) fn variables<'a>(formula: &'a Formula, f: &mut impl FnMut(&'a Term, &'a str)) {
    formula.walk(&mut |part| {
        for term in part.terms() {
            term.walk(&mut |t| {
                if let TermKind::Bound(name) | TermKind::Free(name) = &t.kind {
                    f(t, name);
                }
            });
        }
    });
}

/// The names of the constants and functions in a formula.
pub(crate) fn individuals(formula: &Formula) -> BTreeSet<&str> {
    let mut out = BTreeSet::new();
    formula.walk(&mut |part| {
        for term in part.terms() {
            term.walk(&mut |t| {
                if let TermKind::Constant(name) | TermKind::Function(name, _) = &t.kind {
                    out.insert(name.as_str());
                }
            });
        }
    });
    out
}

/// Strips the quantifiers of this kind from the front: all their variables and what they bind together.
pub(crate) fn prefix(formula: &Formula, quantifier: Quantifier) -> (Vec<&Variable>, &Formula) {
    let mut variables = Vec::new();
    let mut body = formula;
    while let FormulaKind::Quantified(q, vars, inner) = &body.kind {
        if *q != quantifier {
            break;
        }
        variables.extend(vars);
        body = inner;
    }
    (variables, body)
}

/// Which operators a formula has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Operators {
    /// `¬`, `≠` or `⊥`.
    pub(crate) negation: bool,
    /// `∧`
    pub(crate) and: bool,
    /// `∨`
    pub(crate) or: bool,
    /// `⊕`
    pub(crate) xor: bool,
    /// `→`
    pub(crate) implies: bool,
    /// `↔`
    pub(crate) iff: bool,
    /// `∀`, or `∃` under a negation.
    pub(crate) universal: bool,
    /// `∃`, or `∀` under a negation.
    pub(crate) existential: bool,
    /// An equation, negated or not.
    pub(crate) equality: bool,
}

impl Operators {
    /// Looks through a formula.
    pub(crate) fn of(formula: &Formula) -> Self {
        let mut out = Self::default();
        out.add(formula, false);
        out
    }

    fn add(&mut self, formula: &Formula, under_negation: bool) {
        let mut negated = under_negation;
        match &formula.kind {
            FormulaKind::Atom(_) | FormulaKind::Constant(true) => {}
            FormulaKind::Constant(false) => self.negation = true,
            FormulaKind::Equal(..) => self.equality = true,
            FormulaKind::NotEqual(..) => {
                self.equality = true;
                self.negation = true;
            }
            FormulaKind::Not(_) => {
                self.negation = true;
                negated = true;
            }
            FormulaKind::Binary(connective, ..) => match connective {
                Connective::And => self.and = true,
                Connective::Or => self.or = true,
                Connective::Xor => self.xor = true,
                Connective::Implies => self.implies = true,
                Connective::Iff => self.iff = true,
            },
            FormulaKind::Quantified(q, ..) => {
                self.universal |= *q == Quantifier::ForAll || under_negation;
                self.existential |= *q == Quantifier::Exists || under_negation;
            }
        }
        for child in formula.children() {
            self.add(child, negated);
        }
    }
}
