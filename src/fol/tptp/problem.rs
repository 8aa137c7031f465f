//! Whole problems in TPTP: `fof` and `cnf` statements with their roles.

use super::{Reader, TptpError, Words};
use crate::diagnostic::Span;
use crate::fol::ast::{Connective, Formula, FormulaKind, Quantifier, SymbolKind, Term, TermKind, Variable};
use crate::fol::print::tptp::{demangle, demangle_variable};

/// What a statement is to the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Taken as given: `axiom`, `hypothesis`, `definition`, `assumption`, `lemma`, `theorem`, `corollary`.
    Axiom,
    /// To be proved.
    Conjecture,
    /// The negation of what is to be proved, or a part of it.
    NegatedConjecture,
}

/// One statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemStatement {
    /// Its name, without quotes.
    pub name: String,
    /// What it is to the question.
    pub role: Role,
    /// The formula, closed but for free variables of our own making; a clause with `∀` before it.
    pub formula: Formula,
    /// Where the statement stands in the text.
    pub span: Span,
}

/// A problem as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The axioms with their names, in order.
    pub premises: Vec<(String, Formula)>,
    /// What is to be proved: the conjecture, or the negation of all that is said to be its negation.
    pub conclusion: Option<(String, Formula)>,
}

/// Why a text is no problem that can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProblemError {
    /// What is wrong.
    pub message: String,
    /// Where it is.
    pub span: Span,
}

/// Words that start a statement of TPTP, read here or not.
const KEYWORDS: [&str; 7] = ["fof", "cnf", "tff", "tcf", "thf", "tpi", "include"];

/// Whether a text is meant as a TPTP problem: what first stands in it, but for comments, is the start of a statement, and
/// one ends somewhere. An atom `fof(a)` alone is no statement.
#[must_use]
pub fn looks_like_problem(text: &str) -> bool {
    let mut reader = Reader { text, at: 0, depth: 0, words: Words::AsWritten };
    reader.space();
    let rest = reader.rest();
    let starts = |keyword: &str| rest.strip_prefix(keyword).is_some_and(|rest| rest.trim_start().starts_with('('));
    let ends =
        text.match_indices(')').any(|(at, _)| text.get(at + 1..).is_some_and(|r| r.trim_start().starts_with('.')));
    KEYWORDS.iter().any(|keyword| starts(keyword)) && ends
}

/// Reads a problem: `fof` and `cnf` statements, with comments. Where every word of it is one that this program writes,
/// the symbols are read back as the author wrote them.
///
/// # Errors
/// At the first thing that is not understood. Nothing is passed over: `include`, types, numbers and other things that
/// have a meaning of their own in TPTP are errors.
pub fn read_problem(text: &str) -> Result<Problem, ProblemError> {
    let as_written = statements(text, Words::AsWritten)?;
    let ours = !as_written.is_empty() && as_written.iter().all(|s| is_ours(&s.formula));
    collect(if ours { statements(text, Words::Ours)? } else { as_written })
}

fn collect(statements: Vec<ProblemStatement>) -> Result<Problem, ProblemError> {
    let mut premises = Vec::new();
    let mut conjecture: Option<(String, Formula, Span)> = None;
    let mut negated: Option<(String, Formula, Span)> = None;
    for ProblemStatement { name, role, formula, span } in statements {
        match role {
            Role::Axiom => premises.push((name, formula)),
            Role::Conjecture if conjecture.is_some() => return Err(error("a second conjecture", span)),
            Role::Conjecture => conjecture = Some((name, formula, span)),
            Role::NegatedConjecture => {
                negated = Some(match negated {
                    None => (name, formula, span),
                    Some((names, all, first)) => {
                        let both = FormulaKind::Binary(Connective::And, Box::new(all), Box::new(formula));
                        (format!("{names}, {name}"), Formula::new(both, first.to(span)), first)
                    }
                });
            }
        }
    }
    let conclusion = match (conjecture, negated) {
        (Some(_), Some((_, _, span))) => return Err(error("a negated conjecture beside a conjecture", span)),
        (Some((name, formula, _)), None) => Some((name, formula)),
        (None, Some((name, formula, span))) => {
            let formula = match formula.kind {
                FormulaKind::Not(inner) => *inner,
                kind => Formula::new(FormulaKind::Not(Box::new(Formula::new(kind, span))), span),
            };
            Some((name, formula))
        }
        (None, None) => None,
    };
    Ok(Problem { premises, conclusion })
}

fn error(message: impl Into<String>, span: Span) -> ProblemError {
    ProblemError { message: message.into(), span }
}

fn at(failed: &TptpError) -> ProblemError {
    error(failed.message, Span::at(failed.offset))
}

fn statements(text: &str, words: Words) -> Result<Vec<ProblemStatement>, ProblemError> {
    let mut reader = Reader { text, at: 0, depth: 0, words };
    let mut out = Vec::new();
    loop {
        reader.space();
        if reader.at >= text.len() {
            return Ok(out);
        }
        reader.depth = 0;
        out.push(statement(&mut reader)?);
    }
}

fn statement(reader: &mut Reader<'_>) -> Result<ProblemStatement, ProblemError> {
    let start = reader.at;
    let keyword =
        reader.word().map_err(|_| error("a statement such as `fof(name, axiom, …).` is missing", Span::at(start)))?;
    let span = Span::new(start, reader.at);
    let is_clause = match keyword {
        "fof" => false,
        "cnf" => true,
        "include" => {
            return Err(error("`include` is not followed: put the statements of the file in its place", span));
        }
        "tff" | "tcf" | "thf" | "tpi" => {
            return Err(error(format!("`{keyword}` is not read: only `fof` and `cnf` are"), span));
        }
        _ => return Err(error("a statement such as `fof(name, axiom, …).` is missing", span)),
    };
    let read = |reader: &mut Reader<'_>, sign, message| reader.expect(sign, message).map_err(|e| at(&e));
    read(reader, "(", "an opening bracket is missing")?;
    reader.space();
    let name = reader.word().map_err(|_| error("the statement's name is missing", Span::at(reader.at)))?;
    let name = name.trim_matches('\'').to_owned();
    read(reader, ",", "a comma is missing behind the name")?;
    reader.space();
    let place = reader.at;
    let role = reader.word().map_err(|_| error("the statement's role is missing", Span::at(place)))?;
    let role = match role {
        "axiom" | "hypothesis" | "definition" | "assumption" | "lemma" | "theorem" | "corollary" => Role::Axiom,
        "conjecture" => Role::Conjecture,
        "negated_conjecture" => Role::NegatedConjecture,
        other => {
            let known = "axiom, hypothesis, conjecture or negated_conjecture";
            return Err(error(
                format!("the role `{other}` is not read; expected {known}"),
                Span::new(place, reader.at),
            ));
        }
    };
    read(reader, ",", "a comma is missing behind the role")?;
    let formula = reader.formula().map_err(|e| at(&e))?;
    if reader.eat(",") {
        skip_annotations(reader)?;
    }
    read(reader, ")", "a closing bracket is missing")?;
    read(reader, ".", "the full stop behind the statement is missing")?;
    let mut unbound = Vec::new();
    check(&formula, &mut Vec::new(), reader.words, &mut unbound)?;
    let formula = if is_clause {
        clause(&formula)?;
        close(formula, &unbound)
    } else {
        if let Some(variable) = unbound.first() {
            return Err(error(format!("no quantifier binds `{}`", variable.name), variable.span));
        }
        formula
    };
    Ok(ProblemStatement { name, role, formula, span: Span::new(start, reader.at) })
}

/// Skips sources and other information behind a formula, up to the bracket that ends the statement.
fn skip_annotations(reader: &mut Reader<'_>) -> Result<(), ProblemError> {
    let start = reader.at;
    let mut open = 0_usize;
    loop {
        reader.space();
        let rest = reader.rest();
        let Some(c) = rest.chars().next() else { return Err(error("the statement is not closed", Span::at(start))) };
        match c {
            ')' | ']' if open == 0 => return Ok(()),
            ')' | ']' => open -= 1,
            '(' | '[' => open += 1,
            '\'' => {
                reader.word().map_err(|_| error("the quotes are not closed", Span::at(reader.at)))?;
                continue;
            }
            _ => {}
        }
        reader.at += c.len_utf8();
    }
}

/// Refuses what has a meaning of its own in TPTP, and lists the variables that nothing binds, each once.
fn check<'a>(
    formula: &'a Formula,
    scope: &mut Vec<&'a str>,
    words: Words,
    unbound: &mut Vec<Variable>,
) -> Result<(), ProblemError> {
    if let FormulaKind::Atom(atom) = &formula.kind {
        word(&atom.name, atom.name_span, words)?;
        if words == Words::AsWritten && atom.name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_') {
            return Err(error("a predicate starts with a lower-case letter", atom.name_span));
        }
    }
    for term in formula.terms() {
        check_term(term, scope, words, unbound)?;
    }
    let outside = scope.len();
    if let FormulaKind::Quantified(_, variables, _) = &formula.kind {
        let lower = |v: &&Variable| words == Words::AsWritten && !v.name.starts_with(|c: char| c.is_ascii_uppercase());
        if let Some(variable) = variables.iter().find(lower) {
            return Err(error("a variable starts with an upper-case letter", variable.span));
        }
        scope.extend(variables.iter().map(|v| v.name.as_str()));
    }
    for child in formula.children() {
        check(child, scope, words, unbound)?;
    }
    scope.truncate(outside);
    Ok(())
}

fn check_term(term: &Term, scope: &[&str], words: Words, unbound: &mut Vec<Variable>) -> Result<(), ProblemError> {
    match &term.kind {
        TermKind::Bound(name) => {
            if !scope.contains(&name.as_str()) && unbound.iter().all(|v| v.name != *name) {
                unbound.push(Variable { name: name.clone(), span: term.span });
            }
        }
        TermKind::Free(_) => {}
        TermKind::Constant(name) => word(name, term.span, words)?,
        TermKind::Function(name, args) => {
            word(name, Span::new(term.span.start, term.span.start + name.len()), words)?;
            if words == Words::AsWritten && name.starts_with(|c: char| c.is_ascii_uppercase()) {
                return Err(error("a function starts with a lower-case letter", term.span));
            }
            for arg in args {
                check_term(arg, scope, words, unbound)?;
            }
        }
    }
    Ok(())
}

fn word(name: &str, span: Span, words: Words) -> Result<(), ProblemError> {
    match name.chars().next() {
        Some('$') => Err(error(format!("`{name}` has a meaning of its own in TPTP, which is not known here"), span)),
        Some(c) if c.is_ascii_digit() && words == Words::AsWritten => Err(error(
            format!("the number `{name}`: numbers are different from each other in TPTP, which is not known here"),
            span,
        )),
        _ => Ok(()),
    }
}

/// Refuses what is no disjunction of literals.
fn clause(formula: &Formula) -> Result<(), ProblemError> {
    match &formula.kind {
        FormulaKind::Binary(Connective::Or, a, b) => {
            clause(a)?;
            clause(b)
        }
        FormulaKind::Not(a) if !matches!(a.kind, FormulaKind::Not(_) | FormulaKind::Binary(..)) => clause(a),
        FormulaKind::Constant(_) | FormulaKind::Atom(_) | FormulaKind::Equal(..) | FormulaKind::NotEqual(..) => Ok(()),
        _ => Err(error("a clause is a disjunction of literals", formula.span)),
    }
}

fn close(formula: Formula, variables: &[Variable]) -> Formula {
    if variables.is_empty() {
        return formula;
    }
    let span = formula.span;
    Formula::new(FormulaKind::Quantified(Quantifier::ForAll, variables.to_vec(), Box::new(formula)), span)
}

/// Whether every word of a formula is one that this program writes, as what it writes it for.
fn is_ours(formula: &Formula) -> bool {
    let fits = |name: &str, kind: SymbolKind, arity: usize| match demangle(name) {
        Some((found, _, of)) => {
            of == arity && (found == kind || (found == SymbolKind::Free && kind == SymbolKind::Constant))
        }
        None => false,
    };
    let symbols = formula.symbols().iter().all(|s| fits(s.name, s.kind, s.arity));
    let mut variables = true;
    formula.walk(&mut |f| {
        if let FormulaKind::Quantified(_, bound, _) = &f.kind {
            variables &= bound.iter().all(|v| demangle_variable(&v.name).is_some());
        }
    });
    symbols && variables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::print::unicode;

    fn told(text: &str) -> String {
        let Problem { premises, conclusion } = read_problem(text).expect("a problem");
        let premises = premises.iter().map(|(name, f)| format!("{name}: {}", unicode::print(f)));
        let conclusion = conclusion.iter().map(|(name, f)| format!("{name} ∴ {}", unicode::print(f)));
        premises.chain(conclusion).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn statements_of_all_sorts() {
        insta::assert_snapshot!(told("% A problem\n\
            fof(all_cats, axiom, ! [X] : ( cat(X) => ? [Y] : (mouse(Y) & likes(X, Y)) )).\n\
            /* over\n lines */ fof('a name', hypothesis, ( 'cat'(tom) & tom != 'Rex' ), file('x.p', n), [a(']')]).\n\
            cnf(c1, axiom, ( ~ dog(X) | X = f(Y) )).\n\
            fof(nor, axiom, p ~| q). fof(back, axiom, p <= q).\n\
            fof(goal, conjecture, ~ ! [X] : ~ mouse(X)).\n"), @r"
        all_cats: ∀X (cat(X) → ∃Y (mouse(Y) ∧ likes(X, Y)))
        a name: cat(tom) ∧ tom ≠ 'Rex'
        c1: ∀X,Y (¬dog(X) ∨ X = f(Y))
        nor: ¬(p ∨ q)
        back: q → p
        goal ∴ ¬∀X (¬mouse(X))
        ");
    }

    #[test]
    fn negated_conjectures_are_turned_round() {
        assert_eq!(told("fof(g, negated_conjecture, ~ p(a))."), "g ∴ p(a)");
        assert_eq!(
            told("cnf(g1, negated_conjecture, p(X)). cnf(g2, negated_conjecture, ~ q(X))."),
            "g1, g2 ∴ ¬(∀X (p(X)) ∧ ∀X (¬q(X)))"
        );
    }

    #[test]
    fn what_this_program_writes_is_read_back() {
        let ours = "fof(premise_0, axiom, ! [V_x] : (p1_Dog(V_x) => p2_Has(V_x,c_tail))).\n\
            fof(conclusion, conjecture, p1_Dog(u_y)).\n";
        insta::assert_snapshot!(told(ours), @r"
        premise_0: ∀x (Dog(x) → Has(x, tail))
        conclusion ∴ Dog(y)
        ");
        // With one foreign word none is read so: `c_a` and `a` are different constants.
        assert_eq!(told("fof(a, axiom, p(c_a) & ~ p(a))."), "a: p(c_a) ∧ ¬p(a)");
    }

    #[test]
    fn what_is_not_understood_is_refused_where_it_stands() {
        let refused = |text: &str| {
            let error = read_problem(text).expect_err(text);
            format!("{:?}: {}", error.span.of(text), error.message)
        };
        insta::assert_snapshot!(refused("include('Axioms/SET001-0.ax')."), @r#""include": `include` is not followed: put the statements of the file in its place"#);
        insta::assert_snapshot!(refused("tff(a, type, p: $i > $o)."), @r#""tff": `tff` is not read: only `fof` and `cnf` are"#);
        insta::assert_snapshot!(refused("fof(a, plain, p)."), @r#""plain": the role `plain` is not read; expected axiom, hypothesis, conjecture or negated_conjecture"#);
        insta::assert_snapshot!(refused("fof(a, axiom, p(X))."), @r#""X": no quantifier binds `X`"#);
        insta::assert_snapshot!(refused("fof(a, axiom, $less(b, c))."), @r#""$less": `$less` has a meaning of its own in TPTP, which is not known here"#);
        insta::assert_snapshot!(refused("fof(a, axiom, p(1))."), @r#""1": the number `1`: numbers are different from each other in TPTP, which is not known here"#);
        insta::assert_snapshot!(refused("cnf(a, axiom, p & q)."), @r#""p & q": a clause is a disjunction of literals"#);
        insta::assert_snapshot!(refused("fof(a, axiom, Dog(x))."), @r#""Dog": a predicate starts with a lower-case letter"#);
        insta::assert_snapshot!(refused("fof(a, axiom, ! [x] : p(x))."), @r#""x": a variable starts with an upper-case letter"#);
        insta::assert_snapshot!(refused("fof(a, axiom, p & q | r)."), @r#""": connectives mixed without brackets"#);
        insta::assert_snapshot!(refused("fof(a, axiom, p)"), @r#""": the full stop behind the statement is missing"#);
        insta::assert_snapshot!(refused("fof(a, conjecture, p). fof(b, conjecture, q)."), @r#""fof(b, conjecture, q).": a second conjecture"#);
        insta::assert_snapshot!(refused("fof(a, conjecture, p). cnf(b, negated_conjecture, q)."), @r#""cnf(b, negated_conjecture, q).": a negated conjecture beside a conjecture"#);
        insta::assert_snapshot!(refused("Dog(rex)"), @r#""Dog": a statement such as `fof(name, axiom, …).` is missing"#);
        insta::assert_snapshot!(refused("fof(a, axiom, p, file('x"), @r#""": the quotes are not closed"#);
        insta::assert_snapshot!(refused("fof(a, axiom, p(\"x\"))."), @r#""": a word is missing"#);
    }

    #[test]
    fn problems_are_told_from_formulas() {
        assert!(looks_like_problem("% c\n/* c */ fof(a, axiom, p)."));
        assert!(looks_like_problem("include('a')."));
        assert!(!looks_like_problem("fof(a)"));
        assert!(!looks_like_problem("Dog(rex) → Fof(rex)"));
        assert!(!looks_like_problem("format(x)."));
        assert!(!looks_like_problem(""));
    }
}
