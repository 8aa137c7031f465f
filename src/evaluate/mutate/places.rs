//! Where in an annotation an error of a kind can be made, and how.

use std::collections::BTreeMap;

use super::kind::ErrorKind;
use super::spelling;
use crate::diagnostic::{Span, TextEdit};
use crate::fol::lexer::{Token, TokenKind, tokenize};
use crate::fol::scope::is_variable_name;
use crate::fol::{Atom, Connective, Formula, FormulaKind, Quantifier, SymbolKind, Term, TermKind};
use crate::lint::tree;
use crate::synth::Random;

/// One way to make an error.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    /// What is replaced, in order.
    pub(super) edits: Vec<TextEdit>,
    /// The name that comes of it, which the record must not have already.
    pub(super) new_name: Option<String>,
    /// The formula that must come of it, where a sign exchanged could change how the rest is read.
    pub(super) expected: Option<Formula>,
}

impl Place {
    fn new(edits: Vec<TextEdit>) -> Self {
        Self { edits, ..Self::default() }
    }

    /// A symbol by another name.
    fn renamed(spans: &[Span], name: String) -> Self {
        let edits = spans.iter().map(|span| replace(*span, name.clone())).collect();
        Self { edits, new_name: Some(name), ..Self::default() }
    }
}

fn replace(span: Span, replacement: impl Into<String>) -> TextEdit {
    TextEdit { span, replacement: replacement.into() }
}

/// Every place for this kind of error, in the order of the text.
pub(super) fn all(kind: ErrorKind, text: &str, formula: &Formula, random: &mut Random) -> Vec<Place> {
    match kind {
        ErrorKind::DroppedBracket => brackets(text),
        ErrorKind::Misspelt => {
            let uses = uses(formula);
            let each = uses.iter().flat_map(|((_, name), spans)| spans.iter().map(move |span| (*name, *span)));
            each.flat_map(|(name, span)| {
                let slips = spelling::misspellings(name, random);
                slips.into_iter().map(move |slip| Place::renamed(&[span], slip))
            })
            .collect()
        }
        ErrorKind::Case => renamed(formula, spelling::cases),
        ErrorKind::Inflection => renamed(formula, spelling::inflections),
        ErrorKind::Quantifier => quantifiers(text, formula),
        ErrorKind::AndImplies => connectives(text, formula, [Connective::And, Connective::Implies]),
        ErrorKind::OrXor => connectives(text, formula, [Connective::Or, Connective::Xor]),
        ErrorKind::LostNegation => negations(text, formula),
        ErrorKind::SwappedArguments => arguments(text, formula),
        ErrorKind::FreeVariable => free_variables(text, formula),
        ErrorKind::PackedArgument => packed(text, formula),
    }
}

/// Every bracket, and the last closing one as often as all others together.
fn brackets(text: &str) -> Vec<Place> {
    let tokens: Vec<Token> = tokenize(text);
    let is_bracket = |token: &&Token| matches!(token.kind, TokenKind::Open | TokenKind::Close);
    let spans: Vec<Span> = tokens.iter().filter(is_bracket).map(|t| t.span).collect();
    let others = spans.len().saturating_sub(2);
    let last = spans.last().into_iter().flat_map(|last| std::iter::repeat_n(last, others));
    spans.iter().chain(last).map(|span| Place::new(vec![replace(*span, "")])).collect()
}

/// Where each symbol but free variables is used.
fn uses(formula: &Formula) -> BTreeMap<((SymbolKind, usize), &str), Vec<Span>> {
    let mut out: BTreeMap<_, Vec<Span>> = BTreeMap::new();
    formula.each_symbol(&mut |symbol| {
        if symbol.kind != SymbolKind::Free {
            out.entry(((symbol.kind, symbol.arity), symbol.name)).or_default().push(symbol.span);
        }
    });
    out
}

/// Each symbol by each other name, in all its uses.
fn renamed(formula: &Formula, others: impl Fn(&str) -> Vec<String>) -> Vec<Place> {
    let uses = uses(formula);
    let each = uses.iter().flat_map(|((_, name), spans)| others(name).into_iter().map(move |other| (spans, other)));
    each.map(|(spans, other)| Place::renamed(spans, other)).collect()
}

fn quantifiers(text: &str, formula: &Formula) -> Vec<Place> {
    let tokens = tokenize(text);
    let mut out = Vec::new();
    formula.walk(&mut |part| {
        let FormulaKind::Quantified(quantifier, ..) = &part.kind else { return };
        let other = match quantifier {
            Quantifier::ForAll => Quantifier::Exists,
            Quantifier::Exists => Quantifier::ForAll,
        };
        let sign =
            tokens.iter().find(|t| t.span.start == part.span.start && matches!(t.kind, TokenKind::Quantifier(_)));
        if let Some(sign) = sign {
            let kept = exchanged(formula, part.span, &mut |kind| {
                if let FormulaKind::Quantified(quantifier, ..) = kind {
                    *quantifier = other;
                }
            });
            let edits = vec![replace(sign.span, other.sign())];
            out.push(Place { edits, expected: Some(kept), ..Place::default() });
        }
    });
    out
}

fn connectives(text: &str, formula: &Formula, pair: [Connective; 2]) -> Vec<Place> {
    let mut out = Vec::new();
    formula.walk(&mut |part| {
        let FormulaKind::Binary(connective, left, right) = &part.kind else { return };
        let other = match pair {
            [a, b] if a == *connective => b,
            [a, b] if b == *connective => a,
            _ => return,
        };
        if let Some(sign) = tree::operator(left, right, text) {
            let kept = exchanged(formula, part.span, &mut |kind| {
                if let FormulaKind::Binary(connective, ..) = kind {
                    *connective = other;
                }
            });
            let edits = vec![replace(sign, other.sign())];
            out.push(Place { edits, expected: Some(kept), ..Place::default() });
        }
    });
    out
}

/// The formula with the outermost part that stands at this place changed.
fn exchanged(formula: &Formula, at: Span, change: &mut impl FnMut(&mut FormulaKind)) -> Formula {
    let mut formula = formula.clone();
    visit(&mut formula, at, change);
    formula
}

/// Whether the part was met. A part and what it consists of never stand at the same place but for a formula in brackets,
/// whose brackets are no part of its place.
fn visit(formula: &mut Formula, at: Span, change: &mut impl FnMut(&mut FormulaKind)) -> bool {
    if formula.span == at {
        change(&mut formula.kind);
        return true;
    }
    match &mut formula.kind {
        FormulaKind::Not(a) | FormulaKind::Quantified(_, _, a) => visit(a, at, change),
        FormulaKind::Binary(_, a, b) => visit(a, at, change) || visit(b, at, change),
        FormulaKind::Constant(_) | FormulaKind::Atom(_) | FormulaKind::Equal(..) | FormulaKind::NotEqual(..) => false,
    }
}

fn negations(text: &str, formula: &Formula) -> Vec<Place> {
    let tokens = tokenize(text);
    let mut out = Vec::new();
    formula.walk(&mut |part| {
        let FormulaKind::Not(inner) = &part.kind else { return };
        let sign = tokens.iter().position(|t| t.span.start == part.span.start && t.kind == TokenKind::Not);
        if let Some([sign, next]) = sign.and_then(|i| tokens.get(i..i + 2)) {
            let kept = exchanged(formula, part.span, &mut |kind| *kind = inner.kind.clone());
            let edits = vec![replace(Span::new(sign.span.start, next.span.start), "")];
            out.push(Place { edits, expected: Some(kept), ..Place::default() });
        }
    });
    out
}

fn each_atom<'a>(formula: &'a Formula, f: &mut impl FnMut(&'a Atom, Span)) {
    formula.walk(&mut |part| {
        if let FormulaKind::Atom(atom) = &part.kind {
            f(atom, part.span);
        }
    });
}

fn arguments(text: &str, formula: &Formula) -> Vec<Place> {
    let mut out = Vec::new();
    each_atom(formula, &mut |atom, _| {
        for (i, a) in atom.args.iter().enumerate() {
            for b in atom.args.iter().skip(i + 1).filter(|b| *b != a) {
                out.push(Place::new(vec![replace(a.span, b.span.of(text)), replace(b.span, a.span.of(text))]));
            }
        }
    });
    out
}

/// The first letter that authors call a variable and that is not in the text.
fn fresh_variable(formula: &Formula) -> Option<&'static str> {
    let mut used: Vec<&str> = Vec::new();
    formula.walk(&mut |part| {
        if let FormulaKind::Quantified(_, variables, _) = &part.kind {
            used.extend(variables.iter().map(|v| v.name.as_str()));
        }
    });
    each_term(formula, &mut |term| match &term.kind {
        TermKind::Bound(name) | TermKind::Free(name) | TermKind::Constant(name) | TermKind::Function(name, _) => {
            used.push(name);
        }
    });
    ["x", "y", "z", "w", "u", "v"].into_iter().find(|name| is_variable_name(name) && !used.contains(name))
}

fn each_term<'a>(formula: &'a Formula, f: &mut impl FnMut(&'a Term)) {
    formula.walk(&mut |part| {
        for term in part.terms() {
            term.walk(f);
        }
    });
}

fn free_variables(text: &str, formula: &Formula) -> Vec<Place> {
    let mut out = Vec::new();
    if let Some(variable) = fresh_variable(formula) {
        // Whoever writes a variable for a constant does so throughout.
        for (((kind, _), _), spans) in uses(formula) {
            if kind == SymbolKind::Constant {
                out.push(Place::new(spans.into_iter().map(|span| replace(span, variable)).collect()));
            }
        }
        each_term(formula, &mut |term| {
            if matches!(term.kind, TermKind::Bound(_)) {
                out.push(Place::new(vec![replace(term.span, variable)]));
            }
        });
    }
    formula.walk(&mut |part| {
        if let FormulaKind::Quantified(_, _, body) = &part.kind
            && body.bracketed
            && matches!(body.kind, FormulaKind::Binary(..))
        {
            let outer = tree::outer(body, text);
            let glued = text.get(..outer.start).is_some_and(|before| !before.ends_with(char::is_whitespace));
            out.push(Place::new(vec![
                // `∀x(Dog(x) → …)` must not become `∀xDog(x) → …`.
                replace(Span::new(outer.start, body.span.start), if glued { " " } else { "" }),
                replace(Span::new(body.span.end, outer.end), ""),
            ]));
        }
    });
    out
}

/// A predicate with one of its constants in its name, in all its uses with that constant at that place.
fn packed(text: &str, formula: &Formula) -> Vec<Place> {
    let mut found: BTreeMap<(&str, usize, usize, &str), Vec<TextEdit>> = BTreeMap::new();
    each_atom(formula, &mut |atom, span| {
        if atom.args.len() < 2 {
            return;
        }
        for (i, arg) in atom.args.iter().enumerate() {
            let TermKind::Constant(constant) = &arg.kind else { continue };
            let others = atom.args.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, a)| a.span.of(text));
            let written = format!("{}({})", pack(&atom.name, constant), others.collect::<Vec<_>>().join(", "));
            found.entry((&atom.name, atom.args.len(), i, constant)).or_default().push(replace(span, written));
        }
    });
    let place = |((name, _, _, constant), edits)| Place { edits, new_name: Some(pack(name, constant)), expected: None };
    found.into_iter().map(place).collect()
}

fn pack(predicate: &str, constant: &str) -> String {
    let mut chars = constant.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    predicate.chars().chain(first).chain(chars).collect()
}
