//! What a prover's output holds beside its status: proofs and models, in the TPTP world's format.
//!
//! Only as much of the TPTP language is read as it takes to split annotated formulas into their parts and to walk
//! their sources. Formulas themselves are kept as text.

use std::collections::BTreeSet;

/// A part of the output between `SZS output start FORM` and `SZS output end FORM`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The form of data, such as `Proof`, `CNFRefutation`, `FiniteModel`, `Saturation`.
    pub form: String,
    /// The lines between the markers, each with its line feed.
    pub text: String,
}

impl Block {
    /// Whether it is a derivation of a contradiction.
    #[must_use]
    pub fn is_proof(&self) -> bool {
        matches!(self.form.as_str(), "Proof" | "Refutation" | "CNFRefutation" | "Derivation")
    }

    /// Whether it is a model with a finite domain.
    #[must_use]
    pub fn is_finite_model(&self) -> bool {
        self.form == "FiniteModel"
    }
}

/// Why the output or a proof in it cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TstpError {
    /// A block starts and does not end: the output was cut.
    #[error("`SZS output start {0}` without its end")]
    Unterminated(String),
    /// The text is not a sequence of annotated formulas. The byte offset is into the proof's text.
    #[error("proof unreadable at byte {at}: expected {expected}")]
    Syntax {
        /// Where reading stopped.
        at: usize,
        /// What should stand there.
        expected: &'static str,
    },
}

/// The blocks of an output, in order. Markers are whole lines that start with `%` or `#`.
///
/// # Errors
/// If a block has no end.
pub fn blocks(output: &str) -> Result<Vec<Block>, TstpError> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for line in output.split_inclusive('\n') {
        match (marker(line), &mut open) {
            (Some(("start", form)), None) => open = Some(Block { form: form.to_owned(), text: String::new() }),
            (Some(("end", form)), Some(block)) if block.form == form => found.extend(open.take()),
            (_, Some(block)) => block.text.push_str(line),
            _ => {}
        }
    }
    open.map_or(Ok(found), |block| Err(TstpError::Unterminated(block.form)))
}

/// `start` or `end`, and the form, if the line is a marker.
fn marker(line: &str) -> Option<(&str, &str)> {
    let mut words = line.trim_start().strip_prefix(['%', '#'])?.split_whitespace();
    if words.next() != Some("SZS") || words.next() != Some("output") {
        return None;
    }
    // Vampire ends some markers with a full stop.
    Some((words.next()?, words.next()?.trim_end_matches('.')))
}

/// One formula of a derivation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its name in the derivation.
    pub name: String,
    /// Its role, such as `axiom`, `conjecture`, `negated_conjecture`, `plain`.
    pub role: String,
    /// The formula's text.
    pub formula: String,
    /// Where it comes from, if it says.
    pub source: Option<Term>,
}

/// A term of a source: a word, or one applied to arguments. A list is a term named `[]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The word, without quotes.
    pub name: String,
    /// Its arguments. `a: b` is a term named `:`.
    pub args: Vec<Term>,
}

impl Term {
    /// Names of input formulas below this term: the second argument of each `file(…)`.
    pub(super) fn inputs<'a>(&'a self, into: &mut Vec<&'a str>) {
        match (self.name.as_str(), self.args.as_slice()) {
            ("file", [_, name, ..]) => into.push(&name.name),
            (_, args) => args.iter().for_each(|a| a.inputs(into)),
        }
    }
}

/// The formulas of a derivation.
///
/// # Errors
/// If the text is anything but annotated formulas and comments.
pub fn steps(proof: &str) -> Result<Vec<Step>, TstpError> {
    let mut reader = Reader { text: proof, at: 0 };
    let mut found = Vec::new();
    loop {
        reader.skip_blank();
        if reader.rest().is_empty() {
            return Ok(found);
        }
        found.push(reader.annotated()?);
    }
}

/// Names of the input's axioms that a derivation starts from, each once, in the derivation's order. The conjecture is
/// not among them.
///
/// # Errors
/// As [`steps`].
pub fn used_axioms(proof: &str) -> Result<Vec<String>, TstpError> {
    let mut seen = BTreeSet::new();
    let mut used = Vec::new();
    for step in steps(proof)? {
        if matches!(step.role.as_str(), "conjecture" | "negated_conjecture") {
            continue;
        }
        let mut names = Vec::new();
        if let Some(source) = &step.source {
            source.inputs(&mut names);
        }
        for name in names {
            if seen.insert(name.to_owned()) {
                used.push(name.to_owned());
            }
        }
    }
    Ok(used)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn fail<T>(&self, expected: &'static str) -> Result<T, TstpError> {
        Err(TstpError::Syntax { at: self.at, expected })
    }

    /// Passes blanks and comments. `#` opens a comment at the start of a line only: some provers write remarks so.
    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            let line_start = self.at + blank == 0
                || rest.get(..blank).is_some_and(|b| b.contains('\n'))
                || self.text.get(..self.at).is_some_and(|before| before.ends_with('\n'));
            self.at += blank;
            let rest = self.rest();
            if rest.starts_with('%') || (line_start && rest.starts_with('#')) {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.at += rest.find("*/").map_or(rest.len(), |i| i + 2);
            } else {
                return;
            }
        }
    }

    fn eat(&mut self, c: char) -> bool {
        self.skip_blank();
        let found = self.rest().starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn expect(&mut self, c: char, expected: &'static str) -> Result<(), TstpError> {
        if self.eat(c) { Ok(()) } else { self.fail(expected) }
    }

    /// A word or number, or a quoted one without its quotes.
    fn word(&mut self) -> Result<String, TstpError> {
        self.skip_blank();
        match self.peek() {
            Some(q @ ('\'' | '"')) => self.quoted(q),
            _ => {
                let rest = self.rest();
                // `$` opens defined words; `+`, `-`, `.`, `/` occur in numbers, the last two only between characters.
                let mut end = 0;
                for (i, c) in rest.char_indices() {
                    let inside = c.is_alphanumeric() || matches!(c, '_' | '$' | '+' | '-');
                    let joined = matches!(c, '.' | '/')
                        && i > 0
                        && rest.get(i + 1..).is_some_and(|r| r.starts_with(char::is_alphanumeric));
                    if !inside && !joined {
                        break;
                    }
                    end = i + c.len_utf8();
                }
                if end == 0 {
                    return self.fail("a word");
                }
                self.at += end;
                Ok(rest.get(..end).unwrap_or_default().to_owned())
            }
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, TstpError> {
        let mut word = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            match c {
                '\\' => word.extend(chars.next().map(|(_, c)| c)),
                c if c == quote => {
                    self.at += i + c.len_utf8();
                    return Ok(word);
                }
                c => word.push(c),
            }
        }
        self.fail("a closing quote")
    }

    /// `fof(name, role, formula, source, information).`, the last two optional.
    fn annotated(&mut self) -> Result<Step, TstpError> {
        let language = self.word()?;
        if !matches!(language.as_str(), "fof" | "cnf" | "tff" | "tcf" | "thf") {
            return self.fail("an annotated formula");
        }
        self.expect('(', "`(`")?;
        let name = self.word()?;
        self.expect(',', "`,`")?;
        let role = self.word()?;
        self.expect(',', "`,`")?;
        self.skip_blank();
        let start = self.at;
        self.pass_over()?;
        let formula = self.text.get(start..self.at).unwrap_or_default().trim_end().to_owned();
        let mut source = None;
        if self.eat(',') {
            source = Some(self.term(0)?);
            if self.eat(',') {
                self.pass_over()?;
            }
        }
        self.expect(')', "`)`")?;
        self.expect('.', "`.`")?;
        Ok(Step { name, role, formula, source })
    }

    /// Passes everything up to a `,` or `)` that belongs to the enclosing formula.
    fn pass_over(&mut self) -> Result<(), TstpError> {
        // The brackets that are open, as what closes them.
        let mut open = Vec::new();
        loop {
            self.skip_blank();
            match self.peek() {
                None => return self.fail("the rest of a formula"),
                Some(q @ ('\'' | '"')) => {
                    self.quoted(q)?;
                }
                Some(',' | ')') if open.is_empty() => return Ok(()),
                Some(c) => {
                    match c {
                        '(' => open.push(')'),
                        '[' => open.push(']'),
                        '{' => open.push('}'),
                        ')' | ']' | '}' if open.pop() != Some(c) => return self.fail("another bracket"),
                        _ => {}
                    }
                    self.at += c.len_utf8();
                }
            }
        }
    }

    /// A general term. Nesting is bounded: real sources are a few levels deep.
    fn term(&mut self, depth: usize) -> Result<Term, TstpError> {
        if depth > 200 {
            return self.fail("a source nested less deeply");
        }
        self.skip_blank();
        let mut term = match self.peek() {
            Some('[') => {
                self.at += 1;
                Term { name: "[]".to_owned(), args: self.terms(']', depth)? }
            }
            // A formula as data: `$fof(…)`, `(a & b)`. Only its extent matters.
            Some('(') => {
                self.at += 1;
                self.pass_over_list(')')?;
                Term { name: String::new(), args: Vec::new() }
            }
            _ => {
                let name = self.word()?;
                let args = if name.starts_with('$') && self.eat('(') {
                    self.pass_over_list(')')?;
                    Vec::new()
                } else if self.eat('(') {
                    self.terms(')', depth)?
                } else {
                    Vec::new()
                };
                Term { name, args }
            }
        };
        if self.eat(':') {
            let rest = self.term(depth + 1)?;
            term = Term { name: ":".to_owned(), args: vec![term, rest] };
        }
        Ok(term)
    }

    fn terms(&mut self, close: char, depth: usize) -> Result<Vec<Term>, TstpError> {
        let mut terms = Vec::new();
        if self.eat(close) {
            return Ok(terms);
        }
        loop {
            terms.push(self.term(depth + 1)?);
            if self.eat(close) {
                return Ok(terms);
            }
            self.expect(',', "`,` or a closing bracket")?;
        }
    }

    fn pass_over_list(&mut self, close: char) -> Result<(), TstpError> {
        loop {
            self.pass_over()?;
            if self.eat(close) {
                return Ok(());
            }
            self.expect(',', "`,` or a closing bracket")?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_whole_lines_and_may_follow_each_other() {
        let output = "noise\n% SZS output start Proof for x\nfof(a).\n% SZS status Theorem\n% SZS output end Proof for x\n\
                      # SZS output start Saturation\n# SZS output end Saturation\n\
                      % SZS output start Saturation.\ncnf(b).\r\n% SZS output end Saturation.\n";
        let found = blocks(output).expect("blocks");
        let forms: Vec<_> = found.iter().map(|b| (b.form.as_str(), b.text.as_str())).collect();
        assert_eq!(
            forms,
            [("Proof", "fof(a).\n% SZS status Theorem\n"), ("Saturation", ""), ("Saturation", "cnf(b).\r\n")]
        );
        assert!(found[0].is_proof() && !found[1].is_proof());
        assert_eq!(blocks("it says: % SZS output start Proof"), Ok(vec![]));
        assert_eq!(
            blocks("% SZS output start Proof for x\nfof(a).\n% SZS output end Model for x\n"),
            Err(TstpError::Unterminated("Proof".into()))
        );
    }

    #[test]
    fn sources_are_walked_to_the_input() {
        let proof = r#"
% a remark, file(x, not_this)
fof(c1, axiom, ! [X] : (p(X) => file('x', not_this)), file('/p/a.p', premise_1)).
fof(c2, plain, p('it\'s)'), inference(fof_simplification, [status(thm)], [file(unknown, 'premise \'2\'')])).
# a remark of another prover's
cnf(c3, plain, ($false), inference(cn, [status(thm), theory(equality)], [inference(rw, [], [c1, c2:[bind(X, $fot(f(Y, ')')))]]), c1]), ['proof']).
fof(goal, conjecture, q(a) & b != "a,)", file(unknown, goal)).
fof(ng, negated_conjecture, ~q(a), inference(negate, [], [file(unknown, goal)])).
fof(t, axiom, $true, introduced(theory_axiom, [])). /* file(x, nor_that) */
fof(n, plain, p(4.5), premise_1).
fof(bare, axiom, p(a)).
fof(again, axiom, p(a), file(unknown, premise_1, [line(3)])).
"#;
        assert_eq!(used_axioms(proof).expect("readable"), ["premise_1", "premise '2'"]);
        let steps = steps(proof).expect("readable");
        assert_eq!(steps.len(), 9);
        assert_eq!(steps[8].source.as_ref().map(|s| s.name.as_str()), Some("file"));
        assert_eq!(steps[7].source, None);
    }

    #[test]
    fn what_is_no_derivation_is_an_error_with_its_place() {
        for (text, at) in [
            ("fof(a, axiom, p(a), file(x, y))", 31),
            ("fof(a, axiom, p(a]).", 17),
            ("fof(a, axiom", 12),
            ("foo(a, axiom, p).", 3),
            ("fof(a, axiom, p('x), file(x, y)).", 16),
            ("Refutation", 10),
            ("fof(a, axiom, p)).", 16),
        ] {
            match steps(text) {
                Err(TstpError::Syntax { at: found, .. }) => assert_eq!(found, at, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        let deep = format!("fof(a, plain, p, {}x{}).", "f(".repeat(10_000), ")".repeat(10_000));
        assert!(matches!(steps(&deep), Err(TstpError::Syntax { .. })));
        assert_eq!(steps(" % only a remark"), Ok(vec![]));
    }
}
