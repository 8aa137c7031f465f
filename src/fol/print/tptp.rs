//! TPTP's FOF notation.
//!
//! Symbols are mangled to plain TPTP words by [`mangle`], which is injective and can be undone by [`demangle`], so that
//! no quoting is needed, no prover sees one symbol at two arities or as predicate and term, and every proof and model
//! can be told in the author's own names. Every binary formula is bracketed.

use std::fmt::Write as _;

use crate::fol::ast::{Connective, Formula, FormulaKind, Quantifier, SymbolKind, Term, TermKind};

/// What becomes of free variables, which no prover is left to decide: Vampire 5 rejects them, older versions and E
/// close them universally without a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FreeVariables {
    /// One unknown individual per name, apart from the author's constants.
    #[default]
    Constant,
    /// `∀` around the annotation.
    Universal,
    /// A free variable leaves the annotation without a reading.
    Error,
}

/// Prints a closed FOF formula: free variables become constants of their own, or are bound by `!` around the whole.
///
/// [`FreeVariables::Error`] prints as [`FreeVariables::Constant`]; refusing such annotations is the caller's part.
#[must_use]
pub fn print(formula: &Formula, free: FreeVariables) -> String {
    let mut out = String::new();
    let universal = free == FreeVariables::Universal;
    if universal {
        let mut names: Vec<&str> =
            formula.symbols().into_iter().filter(|s| s.kind == SymbolKind::Free).map(|s| s.name).collect();
        names.sort_unstable();
        names.dedup();
        if !names.is_empty() {
            let variables: Vec<String> = names.iter().map(|n| mangle_variable(n)).collect();
            let _ = write!(out, "! [{}] : ", variables.join(","));
        }
    }
    write(formula, universal, &mut out);
    out
}

fn write(formula: &Formula, universal: bool, out: &mut String) {
    match &formula.kind {
        FormulaKind::Constant(true) => out.push_str("$true"),
        FormulaKind::Constant(false) => out.push_str("$false"),
        FormulaKind::Atom(atom) => {
            out.push_str(&mangle(SymbolKind::Predicate, &atom.name, atom.args.len()));
            write_args(&atom.args, universal, out);
        }
        FormulaKind::Equal(a, b) => write_equation(a, "=", b, universal, out),
        FormulaKind::NotEqual(a, b) => write_equation(a, "!=", b, universal, out),
        FormulaKind::Not(a) => {
            out.push_str("~ ");
            // `~ a = b` reads differently from parser to parser.
            let brackets = matches!(a.kind, FormulaKind::Equal(..) | FormulaKind::NotEqual(..));
            if brackets {
                out.push('(');
            }
            write(a, universal, out);
            if brackets {
                out.push(')');
            }
        }
        FormulaKind::Binary(connective, a, b) => {
            out.push('(');
            write(a, universal, out);
            out.push_str(match connective {
                Connective::And => " & ",
                Connective::Or => " | ",
                Connective::Xor => " <~> ",
                Connective::Implies => " => ",
                Connective::Iff => " <=> ",
            });
            write(b, universal, out);
            out.push(')');
        }
        FormulaKind::Quantified(quantifier, variables, body) => {
            out.push_str(match quantifier {
                Quantifier::ForAll => "! [",
                Quantifier::Exists => "? [",
            });
            for (i, variable) in variables.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                out.push_str(&mangle_variable(&variable.name));
            }
            out.push_str("] : ");
            let brackets = matches!(body.kind, FormulaKind::Equal(..) | FormulaKind::NotEqual(..));
            if brackets {
                out.push('(');
            }
            write(body, universal, out);
            if brackets {
                out.push(')');
            }
        }
    }
}

fn write_equation(a: &Term, sign: &str, b: &Term, universal: bool, out: &mut String) {
    write_term(a, universal, out);
    let _ = write!(out, " {sign} ");
    write_term(b, universal, out);
}

fn write_args(args: &[Term], universal: bool, out: &mut String) {
    if args.is_empty() {
        return;
    }
    out.push('(');
    for (i, arg) in args.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_term(arg, universal, out);
    }
    out.push(')');
}

fn write_term(term: &Term, universal: bool, out: &mut String) {
    match &term.kind {
        TermKind::Bound(name) => out.push_str(&mangle_variable(name)),
        TermKind::Free(name) if universal => out.push_str(&mangle_variable(name)),
        TermKind::Free(name) => out.push_str(&mangle(SymbolKind::Free, name, 0)),
        TermKind::Constant(name) => out.push_str(&mangle(SymbolKind::Constant, name, 0)),
        TermKind::Function(name, args) => {
            out.push_str(&mangle(SymbolKind::Function, name, args.len()));
            write_args(args, universal, out);
        }
    }
}

/// A symbol as a plain TPTP word: `p2_Have` for the predicate `Have` of two arguments, `f1_father` for a function,
/// `c_rina` for a constant, `u_x` for a free variable. ASCII letters and digits stay, `_` is doubled, every other
/// character becomes `_uHEX_`.
#[must_use]
pub fn mangle(kind: SymbolKind, name: &str, arity: usize) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    match kind {
        SymbolKind::Predicate => {
            let _ = write!(out, "p{arity}_");
        }
        SymbolKind::Function => {
            let _ = write!(out, "f{arity}_");
        }
        SymbolKind::Constant => out.push_str("c_"),
        SymbolKind::Free => out.push_str("u_"),
    }
    escape(name, &mut out);
    out
}

/// A variable as a TPTP variable: `V_x`.
#[must_use]
pub fn mangle_variable(name: &str) -> String {
    let mut out = String::from("V_");
    escape(name, &mut out);
    out
}

fn escape(name: &str, out: &mut String) {
    for c in name.chars() {
        match c {
            '_' => out.push_str("__"),
            c if c.is_ascii_alphanumeric() => out.push(c),
            c => {
                let _ = write!(out, "_u{:x}_", u32::from(c));
            }
        }
    }
}

/// The symbol behind a mangled word: its kind, the author's name, and the arity. `None` for words that [`mangle`] never
/// makes (a prover's Skolem functions, for one).
#[must_use]
pub fn demangle(word: &str) -> Option<(SymbolKind, String, usize)> {
    let (prefix, rest) = word.split_once('_')?;
    let (kind, digits) = match prefix.as_bytes().first()? {
        b'p' => (SymbolKind::Predicate, &prefix[1..]),
        b'f' => (SymbolKind::Function, &prefix[1..]),
        b'c' if prefix.len() == 1 => (SymbolKind::Constant, "0"),
        b'u' if prefix.len() == 1 => (SymbolKind::Free, "0"),
        _ => return None,
    };
    let arity: usize = digits.parse().ok()?;
    // `p02_x` and `p+2_x` parse as numbers but are not what `mangle` writes.
    if digits != arity.to_string() || (kind == SymbolKind::Function && arity == 0) {
        return None;
    }
    Some((kind, unescape(rest)?, arity))
}

/// The author's name of a mangled variable.
#[must_use]
pub fn demangle_variable(word: &str) -> Option<String> {
    unescape(word.strip_prefix("V_")?)
}

fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('_') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('_') {
            out.push('_');
            rest = after;
        } else {
            let (hex, after) = rest.strip_prefix('u')?.split_once('_')?;
            out.push(char::from_u32(u32::from_str_radix(hex, 16).ok()?)?);
            rest = after;
        }
    }
    out.push_str(rest);
    Some(out)
}
