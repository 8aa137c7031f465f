//! Reading TPTP's FOF notation back into trees, in the author's own names.
//!
//! Words that [`mangle`](super::print::tptp::mangle) made become the symbols they stand for; any other word (a prover's
//! Skolem function, a symbol of a foreign problem) keeps its name. Grammar: TPTP's `fof_formula`, with quantifiers
//! binding one unitary formula and `&`, `|` associating to the left.

use super::ast::{
    Atom, Connective, Formula, FormulaKind, MAX_HEIGHT, Quantifier, SymbolKind, Term, TermKind, Variable,
};
use super::print::tptp::{demangle, demangle_variable};
use crate::diagnostic::Span;

mod problem;

pub use problem::{Problem, ProblemError, ProblemStatement, Role, looks_like_problem, read_problem};

/// A FOF formula that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot read the TPTP formula at byte {offset}: {message} in {text:?}")]
pub struct TptpError {
    /// The formula.
    pub text: String,
    /// Where reading stopped, in bytes.
    pub offset: usize,
    /// What was wrong there.
    pub message: &'static str,
}

/// Reads one FOF formula, without the `fof(…).` around it.
///
/// # Errors
/// Where the text is no FOF formula, or nests more than [`MAX_HEIGHT`] levels deep.
pub fn read(text: &str) -> Result<Formula, TptpError> {
    let mut reader = Reader { text, at: 0, depth: 0, words: Words::Ours };
    let formula = reader.formula()?;
    reader.space();
    if reader.at < text.len() {
        return Err(reader.error("text after the formula"));
    }
    Ok(formula)
}

/// How words become names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Words {
    /// Those that were mangled become what they stand for; others stay.
    Ours,
    /// They stay as they are, but for quotes that are not needed.
    AsWritten,
}

impl Words {
    /// The symbol that a mangled word stands for.
    fn symbol(self, word: &str) -> Option<(SymbolKind, String, usize)> {
        if self == Self::Ours { demangle(word) } else { None }
    }

    fn variable(self, word: &str) -> Option<String> {
        if self == Self::Ours { demangle_variable(word) } else { None }
    }

    /// A word that stands for nothing but itself. In TPTP `'dog'` is `dog`.
    fn other(self, word: &str) -> String {
        let inner = word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        let is_plain = |inner: &&str| {
            inner.starts_with(|c: char| c.is_ascii_lowercase())
                && inner.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        match inner.filter(|inner| self == Self::AsWritten && is_plain(inner)) {
            Some(inner) => inner.to_owned(),
            None => word.to_owned(),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    words: Words,
}

type Read<T> = Result<T, TptpError>;

/// What may stand between two formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plain(Connective),
    /// `<=`
    Implied,
    /// `~&` or `~|`
    Not(Connective),
}

impl<'a> Reader<'a> {
    fn error(&self, message: &'static str) -> TptpError {
        TptpError { text: self.text.to_owned(), offset: self.at, message }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips white space and comments: `%` to the end of the line, and `/* … */`.
    fn space(&mut self) {
        loop {
            let rest = self.rest();
            let text = rest.trim_start();
            let comment = if text.starts_with('%') {
                text.find('\n').unwrap_or(text.len())
            } else if text.starts_with("/*") {
                text.find("*/").map_or(text.len(), |end| end + 2)
            } else {
                0
            };
            self.at += rest.len() - text.len() + comment;
            if comment == 0 {
                return;
            }
        }
    }

    fn eat(&mut self, sign: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn expect(&mut self, sign: &str, message: &'static str) -> Read<()> {
        if self.eat(sign) { Ok(()) } else { Err(self.error(message)) }
    }

    fn deeper(&mut self) -> Read<()> {
        self.depth += 1;
        if self.depth > 2 * MAX_HEIGHT { Err(self.error("nested too deeply")) } else { Ok(()) }
    }

    fn connective(&mut self) -> Option<Sign> {
        self.space();
        // `<=>` before `<=`, `=>` before `=`.
        let (sign, connective) = [
            ("<=>", Sign::Plain(Connective::Iff)),
            ("<~>", Sign::Plain(Connective::Xor)),
            ("=>", Sign::Plain(Connective::Implies)),
            ("<=", Sign::Implied),
            ("~&", Sign::Not(Connective::And)),
            ("~|", Sign::Not(Connective::Or)),
            ("&", Sign::Plain(Connective::And)),
            ("|", Sign::Plain(Connective::Or)),
        ]
        .into_iter()
        .find(|(sign, _)| self.rest().starts_with(sign))?;
        self.at += sign.len();
        Some(connective)
    }

    fn formula(&mut self) -> Read<Formula> {
        self.deeper()?;
        self.space();
        let start = self.at;
        let mut left = self.unitary()?;
        let mut chain: Option<Sign> = None;
        let mut height = 0;
        loop {
            let before = self.at;
            let Some(connective) = self.connective() else { break };
            match chain {
                None => chain = Some(connective),
                Some(c) if c == connective && matches!(c, Sign::Plain(Connective::And | Connective::Or)) => {}
                Some(_) => {
                    self.at = before;
                    return Err(self.error("connectives mixed without brackets"));
                }
            }
            height += 1;
            if height > MAX_HEIGHT {
                return Err(self.error("nested too deeply"));
            }
            let right = self.unitary()?;
            let (connective, left_side, right_side) = match connective {
                Sign::Plain(connective) | Sign::Not(connective) => (connective, left, right),
                Sign::Implied => (Connective::Implies, right, left),
            };
            let span = Span::new(start, self.at);
            left = Formula::new(FormulaKind::Binary(connective, Box::new(left_side), Box::new(right_side)), span);
            if matches!(chain, Some(Sign::Not(_))) {
                left = Formula::new(FormulaKind::Not(Box::new(left)), span);
            }
        }
        self.depth -= 1;
        Ok(left)
    }

    fn unitary(&mut self) -> Read<Formula> {
        self.deeper()?;
        self.space();
        let start = self.at;
        let formula = if self.eat("(") {
            let mut inner = self.formula()?;
            self.expect(")", "a closing bracket is missing")?;
            inner.bracketed = true;
            inner
        } else if self.rest().starts_with('~') {
            self.at += 1;
            let body = self.unitary()?;
            Formula::new(FormulaKind::Not(Box::new(body)), Span::new(start, self.at))
        } else if self.rest().starts_with('?') || (self.rest().starts_with('!') && !self.rest().starts_with("!=")) {
            let quantifier = if self.rest().starts_with('?') { Quantifier::Exists } else { Quantifier::ForAll };
            self.at += 1;
            self.expect("[", "a list of variables is missing")?;
            let mut variables = Vec::new();
            loop {
                self.space();
                let at = self.at;
                let word = self.word()?;
                let name = self.words.variable(word).unwrap_or_else(|| word.to_owned());
                variables.push(Variable { name, span: Span::new(at, self.at) });
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("]", "the list of variables is not closed")?;
            self.expect(":", "a colon is missing behind the variables")?;
            let body = self.unitary()?;
            Formula::new(FormulaKind::Quantified(quantifier, variables, Box::new(body)), Span::new(start, self.at))
        } else {
            self.atom()?
        };
        self.depth -= 1;
        Ok(formula)
    }

    fn atom(&mut self) -> Read<Formula> {
        let start = self.at;
        let left = self.term()?;
        let negated = if self.eat("!=") {
            Some(true)
        } else if !self.rest().starts_with("=>") && self.eat("=") {
            Some(false)
        } else {
            None
        };
        if let Some(negated) = negated {
            self.space();
            let right = self.term()?.into_term(self.words);
            let left = left.into_term(self.words);
            let kind = if negated { FormulaKind::NotEqual(left, right) } else { FormulaKind::Equal(left, right) };
            return Ok(Formula::new(kind, Span::new(start, self.at)));
        }
        let span = Span::new(start, self.at);
        let kind = match left.word {
            "$true" => FormulaKind::Constant(true),
            "$false" => FormulaKind::Constant(false),
            word => {
                let name = match self.words.symbol(word) {
                    Some((SymbolKind::Predicate, name, arity)) if arity == left.args.len() => name,
                    _ => self.words.other(word),
                };
                FormulaKind::Atom(Atom { name, name_span: Span::new(start, start + word.len()), args: left.args })
            }
        };
        Ok(Formula::new(kind, span))
    }

    fn term(&mut self) -> Read<RawTerm<'a>> {
        self.deeper()?;
        self.space();
        let start = self.at;
        let word = self.word()?;
        let mut args = Vec::new();
        if self.eat("(") {
            loop {
                args.push(self.term()?.into_term(self.words));
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")", "the arguments are not closed")?;
        }
        self.depth -= 1;
        Ok(RawTerm { word, args, span: Span::new(start, self.at) })
    }

    /// A plain word, a `$word`, a number, or a word in single quotes (returned with its quotes).
    fn word(&mut self) -> Read<&'a str> {
        let rest = self.rest();
        let len = if rest.starts_with('\'') {
            let mut escaped = false;
            let close = rest.char_indices().skip(1).find(|&(_, c)| {
                let ends = c == '\'' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            close.map_or(0, |(i, _)| i + 1)
        } else {
            let dollars = rest.len() - rest.trim_start_matches('$').len();
            let word = rest[dollars..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            let len = word.unwrap_or(rest.len() - dollars);
            if len == 0 { 0 } else { dollars + len }
        };
        if len == 0 {
            return Err(self.error("a word is missing"));
        }
        self.at += len;
        Ok(&rest[..len])
    }
}

/// A word with arguments, before it is known whether it is a term or an atom.
struct RawTerm<'a> {
    word: &'a str,
    args: Vec<Term>,
    span: Span,
}

impl RawTerm<'_> {
    fn into_term(self, words: Words) -> Term {
        let Self { word, args, span } = self;
        let kind = if args.is_empty() {
            match words.symbol(word) {
                Some((SymbolKind::Constant, name, 0)) => TermKind::Constant(name),
                Some((SymbolKind::Free, name, 0)) => TermKind::Free(name),
                _ => match words.variable(word) {
                    Some(name) => TermKind::Bound(name),
                    // TPTP's variables start upper-case.
                    None if word.starts_with(|c: char| c.is_ascii_uppercase()) => TermKind::Bound(word.to_owned()),
                    None => TermKind::Constant(words.other(word)),
                },
            }
        } else {
            match words.symbol(word) {
                Some((SymbolKind::Function, name, arity)) if arity == args.len() => TermKind::Function(name, args),
                _ => TermKind::Function(words.other(word), args),
            }
        };
        Term { kind, span }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::parse;
    use crate::fol::print::tptp::{FreeVariables, print};

    #[test]
    fn reads_what_the_printer_writes() {
        for text in [
            "∀x (DrinkRegularly(x, coffee) → IsDependentOn(x, caffeine))",
            "¬(Student(rina) ⊕ ¬AwareThatDrug(rina, caffeine))",
            "∃x∃y (Car(x) ∧ Car(y) ∧ (x≠y) ∧ Owns(adam, x))",
            "Rain ↔ (Wet(street) ∧ ¬(mother(anna) = eve))",
            "Knows(x, nameO'Dell) ∨ ⊥",
        ] {
            let formula = parse(text).formula.expect("a formula");
            let tptp = print(&formula, FreeVariables::Constant);
            assert_eq!(read(&tptp).as_ref(), Ok(&formula), "{text} as {tptp}");
        }
    }

    #[test]
    fn keeps_words_that_are_not_ours() {
        let formula = read("! [X0] : (~ p1_Dog(sK0(X0)) | 'a b' = X0)").expect("a formula");
        assert_eq!(crate::fol::print::unicode::print(&formula), "∀X0 (¬Dog(sK0(X0)) ∨ 'a b' = X0)");
    }

    #[test]
    fn refuses_what_is_no_formula() {
        for text in ["", "p &", "p & q | r", "(p", "! [X] p", "p q", "! X : p", "p(", "p => q => r"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn refuses_deep_input_without_overflowing() {
        assert!(read(&"(".repeat(100_000)).is_err());
        assert!(read(&"~".repeat(100_000)).is_err());
        assert!(read(&format!("p{}", " & p".repeat(100_000))).is_err());
        assert!(read(&"f(".repeat(100_000)).is_err());
    }
}
