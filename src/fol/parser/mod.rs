//! A recovering recursive-descent parser.
//!
//! It always returns a tree of what it could read, and an issue with a span for everything it could not. Each step
//! consumes a token or returns, so time is linear in the text; height is bounded by [`MAX_HEIGHT`] and recursion by
//! [`MAX_DEPTH`].

mod terms;

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::ast::{Connective, Formula, FormulaKind, MAX_HEIGHT, Quantifier, Variable};
use super::issue::{SyntaxIssue, SyntaxIssueKind};
use super::lexer::{Token, TokenKind, is_quantifier_word, tokenize};
use super::scope;
use crate::diagnostic::Span;

/// How deep the parser goes down: each bracket and each operator's right side is a level. Twice the greatest height,
/// because printing a tree puts at most one pair of brackets around each of its formulas, and what was printed can be
/// read.
pub const MAX_DEPTH: usize = 2 * MAX_HEIGHT;

/// How much of what follows a quantifier it binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QuantifierScope {
    /// One unitary formula, as in TPTP: `∀x P(x) → Q(x)` reads `(∀x P(x)) → Q(x)`.
    #[default]
    Tight,
    /// As far as possible: `∀x P(x) → Q(x)` reads `∀x (P(x) → Q(x))`.
    Wide,
}

/// What the parser made of one annotation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The tree of what could be read. Where [`Parsed::has_error`] holds it is a best effort, good for symbol tables
    /// but never for verdicts.
    pub formula: Option<Formula>,
    /// What the parser noticed, in the order of the text.
    pub issues: Vec<SyntaxIssue>,
}

impl Parsed {
    /// Whether the annotation has no reading.
    #[must_use]
    pub fn has_error(&self) -> bool {
        self.issues.iter().any(|i| i.kind.is_error())
    }

    /// The tree, only where the annotation has a reading.
    #[must_use]
    pub fn reading(&self) -> Option<&Formula> {
        if self.has_error() { None } else { self.formula.as_ref() }
    }
}

/// Reads one annotation with tight quantifier scope.
#[must_use]
pub fn parse(text: &str) -> Parsed {
    parse_with(text, QuantifierScope::Tight)
}

/// Reads one annotation.
#[must_use]
pub fn parse_with(text: &str, scope: QuantifierScope) -> Parsed {
    let (formula, mut issues) = read(text, scope, false);
    issues.sort_by_key(|i| (i.span.start, i.span.end));
    Parsed { formula, issues }
}

/// The tree of one annotation, only where it has a reading: what [`Parsed::reading`] gives, but without notes and only
/// as far as the first error, for those who try many texts most of which have no reading.
#[must_use]
pub fn reading_of(text: &str, scope: QuantifierScope) -> Option<Formula> {
    let (formula, errors) = read(text, scope, true);
    formula.filter(|_| errors.is_empty())
}

/// The tree of what could be read and what was noticed; with `strict` nothing behind the first error and no notes.
fn read(text: &str, scope: QuantifierScope, strict: bool) -> (Option<Formula>, Vec<SyntaxIssue>) {
    let tokens = tokenize(text);
    let surplus = tokens.iter().fold(0isize, |n, t| match t.kind {
        TokenKind::Open => n + 1,
        TokenKind::Close => n - 1,
        _ => n,
    });
    let after = |i: usize| i + 1;
    let logic_until = (0..tokens.len()).rfind(|i| is_logic(&tokens, *i)).map_or(0, after);
    let words_until = (0..tokens.len()).rev().filter(|i| tokens[*i].kind == TokenKind::Name).nth(1).map_or(0, after);
    let mut parser = Parser {
        text,
        tokens,
        logic_until,
        words_until,
        at: 0,
        depth: 0,
        surplus,
        stopped: false,
        strict,
        wide: scope == QuantifierScope::Wide,
        bound: HashMap::default(),
        quantified: HashSet::default(),
        issues: Vec::new(),
    };
    if parser.tokens.is_empty() {
        parser.issue(SyntaxIssueKind::Empty, Span::new(0, text.len()));
        return (None, parser.issues);
    }
    if !strict {
        parser.note_variants();
    }
    let mut formula = parser.sequence(None).map(|n| *n.formula);
    let Parser { issues, quantified, .. } = parser;
    if let Some(formula) = &mut formula {
        scope::resolve(formula, &quantified);
    }
    (formula, issues)
}

/// Whether a token is an operator, a quantifier, or the name of an atom with arguments.
fn is_logic(tokens: &[Token], at: usize) -> bool {
    let token = tokens[at];
    match token.kind {
        TokenKind::Connective(_)
        | TokenKind::Quantifier(_)
        | TokenKind::Not
        | TokenKind::Equal
        | TokenKind::NotEqual => true,
        TokenKind::Name => {
            tokens.get(at + 1).is_some_and(|n| n.kind == TokenKind::Open && n.span.start == token.span.end)
        }
        _ => false,
    }
}

/// A formula with the place it takes up, brackets included, and the height of its tree.
struct Node {
    /// Boxed from the start: it will mostly be part of another one, and frames of the recursion stay small.
    formula: Box<Formula>,
    outer: Span,
    height: usize,
}

impl Node {
    /// A formula without brackets.
    fn new(kind: FormulaKind, outer: Span, height: usize) -> Self {
        Self { formula: Box::new(Formula::new(kind, outer)), outer, height }
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// Opening less closing brackets of the whole text.
    surplus: isize,
    /// Set once the height limit is passed, or at the first error of a strict parser: the rest is not read.
    stopped: bool,
    /// Whether only a text without errors is wanted.
    strict: bool,
    wide: bool,
    /// The first token from which on no token is logic rather than prose.
    logic_until: usize,
    /// The first token from which on there are fewer than two names.
    words_until: usize,
    /// Variables of the quantifiers around the current place, and how many of these bind each.
    bound: HashMap<&'a str, u32, RandomState>,
    /// Variables of every quantifier seen.
    quantified: HashSet<&'a str, RandomState>,
    issues: Vec<SyntaxIssue>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<Token> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Option<Token> {
        if self.stopped { None } else { self.tokens.get(self.at + ahead).copied() }
    }

    fn kind(&self) -> Option<TokenKind> {
        self.peek().map(|t| t.kind)
    }

    fn word(&self, token: Token) -> &'a str {
        token.span.of(self.text)
    }

    /// Where something missing should have stood: right behind the last token read.
    fn gap(&self) -> Span {
        let end = self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(0, |t| t.span.end);
        Span::at(end)
    }

    fn issue(&mut self, kind: SyntaxIssueKind, span: Span) {
        if self.stopped || (self.strict && !kind.is_error()) {
            return;
        }
        self.stopped |= self.strict;
        self.issues.push(SyntaxIssue { kind, span });
    }

    fn note_variants(&mut self) {
        for i in 0..self.tokens.len() {
            let token = self.tokens[i];
            if let Some(canonical) = token.canonical(self.text) {
                self.issue(SyntaxIssueKind::Variant { canonical }, token.span);
            }
            if token.kind == TokenKind::Name && self.word(token).as_bytes().contains(&b',') {
                self.issue(SyntaxIssueKind::ThousandsComma, token.span);
            }
        }
    }

    /// Whether a tree is too high; notes it once and stops reading where it is.
    fn too_high(&mut self, height: usize) -> bool {
        self.exceeds(height, MAX_HEIGHT)
    }

    fn exceeds(&mut self, level: usize, limit: usize) -> bool {
        if level <= limit {
            return false;
        }
        if !self.stopped {
            let span = self.peek().map_or_else(|| self.gap(), |t| t.span);
            self.issue(SyntaxIssueKind::TooDeep { limit }, span);
            self.stopped = true;
        }
        true
    }

    /// Formulas up to the end of the text, or up to the bracket that closes `open` (which is consumed).
    fn sequence(&mut self, open: Option<Token>) -> Option<Node> {
        let mut node = self.expression(0);
        loop {
            let Some(token) = self.peek() else {
                if let Some(open) = open {
                    self.issue(SyntaxIssueKind::MissingClose { open: open.span }, self.gap());
                }
                return node;
            };
            match token.kind {
                TokenKind::Close if open.is_some() => {
                    self.at += 1;
                    return node;
                }
                TokenKind::Close => {
                    self.issue(SyntaxIssueKind::ExtraClose, token.span);
                    self.at += 1;
                    node = self.resume(node);
                }
                _ if open.is_none() && node.is_some() && self.is_prose_from(self.at) => {
                    let end = self.tokens.last().map_or(token.span.end, |t| t.span.end);
                    self.issue(SyntaxIssueKind::Remark, Span::new(token.span.start, end));
                    self.at = self.tokens.len();
                }
                TokenKind::Comma if node.is_some() && self.starts_formula(1) => {
                    self.issue(SyntaxIssueKind::CommaBetweenFormulas, token.span);
                    self.at += 1;
                    node = self.join(node);
                }
                TokenKind::Stop | TokenKind::Comma => {
                    self.issue(SyntaxIssueKind::StrayPunctuation, token.span);
                    self.at += 1;
                    node = self.resume(node);
                }
                TokenKind::Unknown => {
                    self.issue(SyntaxIssueKind::UnknownCharacter, token.span);
                    self.at += 1;
                    node = self.resume(node);
                }
                _ if self.starts_formula(0) => {
                    if node.is_some() {
                        self.issue(SyntaxIssueKind::MissingConnective, self.gap());
                    }
                    node = self.join(node);
                }
                _ => {
                    self.issue(SyntaxIssueKind::Unexpected, token.span);
                    self.at += 1;
                    node = self.resume(node);
                }
            }
        }
    }

    /// Goes on after something skipped: with the operators that follow, or with a first formula.
    fn resume(&mut self, node: Option<Node>) -> Option<Node> {
        match node {
            Some(node) => Some(self.operators(node, 0)),
            None => self.expression(0),
        }
    }

    /// Joins a further formula to what was read, so that its symbols are known. Only ever after an error.
    fn join(&mut self, node: Option<Node>) -> Option<Node> {
        let next = self.expression(0);
        match (node, next) {
            (Some(a), Some(b)) => Some(self.binary(Connective::And, a, b)),
            (a, b) => a.or(b),
        }
    }

    /// A formula whose operators bind at least as tightly as `level`.
    fn expression(&mut self, level: u8) -> Option<Node> {
        let left = self.unary()?;
        Some(self.operators(left, level))
    }

    fn operators(&mut self, mut left: Node, level: u8) -> Node {
        while let Some((connective, token)) = self.connective() {
            if connective.level() < level {
                break;
            }
            self.at += 1;
            let next = if connective.is_right_associative() { connective.level() } else { connective.level() + 1 };
            if self.enter() {
                self.leave();
                break;
            }
            let right = self.expression(next);
            self.leave();
            let Some(right) = right else {
                // What stands here instead was reported by `unary`; keep what was read.
                left.outer = left.outer.to(token.span);
                continue;
            };
            left = self.binary(connective, left, right);
        }
        left
    }

    /// The binary connective at the current place; `v` and `+` count where a formula follows.
    fn connective(&mut self) -> Option<(Connective, Token)> {
        let token = self.peek()?;
        match token.kind {
            TokenKind::Connective(c) => Some((c, token)),
            TokenKind::Plus if self.starts_formula(1) => {
                self.issue(SyntaxIssueKind::LetterAsConnective, token.span);
                Some((Connective::Or, token))
            }
            TokenKind::Name if self.word(token) == "v" && self.starts_formula(1) && !self.opens_arguments(1) => {
                self.issue(SyntaxIssueKind::LetterAsConnective, token.span);
                Some((Connective::Or, token))
            }
            _ => None,
        }
    }

    /// Whether the token `ahead` is a bracket glued to the name before it: `v(a)` is an atom.
    fn opens_arguments(&self, ahead: usize) -> bool {
        match (self.peek_at(ahead.saturating_sub(1)), self.peek_at(ahead)) {
            (Some(name), Some(open)) => open.kind == TokenKind::Open && open.span.start == name.span.end,
            _ => false,
        }
    }

    fn starts_formula(&self, ahead: usize) -> bool {
        matches!(
            self.peek_at(ahead).map(|t| t.kind),
            Some(
                TokenKind::Name | TokenKind::Not | TokenKind::Open | TokenKind::Quantifier(_) | TokenKind::Constant(_)
            )
        )
    }

    /// Whether everything from token `from` on is words rather than logic: no operator, no quantifier, no atom with
    /// arguments, and at least two words.
    fn is_prose_from(&self, from: usize) -> bool {
        (self.logic_until..self.words_until).contains(&from)
    }

    fn binary(&mut self, connective: Connective, a: Node, b: Node) -> Node {
        let outer = a.outer.to(b.outer);
        let height = a.height.max(b.height) + 1;
        self.too_high(height);
        Node::new(FormulaKind::Binary(connective, a.formula, b.formula), outer, height)
    }

    /// One more level of nesting. `true` where there are too many; [`Parser::leave`] must follow either way.
    fn enter(&mut self) -> bool {
        self.depth += 1;
        self.exceeds(self.depth, MAX_DEPTH)
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// A formula that no binary connective takes apart.
    fn unary(&mut self) -> Option<Node> {
        let nested = self.enter();
        let node = if nested { None } else { self.unary_inner() };
        self.leave();
        node
    }

    fn unary_inner(&mut self) -> Option<Node> {
        loop {
            let Some(token) = self.peek() else {
                self.issue(SyntaxIssueKind::MissingFormula, self.gap());
                return None;
            };
            return match token.kind {
                TokenKind::Not => {
                    self.at += 1;
                    let body = self.unary()?;
                    let outer = token.span.to(body.outer);
                    let height = body.height + 1;
                    self.too_high(height);
                    Some(Node::new(FormulaKind::Not(body.formula), outer, height))
                }
                TokenKind::Quantifier(quantifier) => self.quantified(token, quantifier),
                TokenKind::Open => self.bracketed(token),
                TokenKind::Constant(value) => {
                    self.at += 1;
                    Some(Node::new(FormulaKind::Constant(value), token.span, 1))
                }
                TokenKind::Name => self.atom_or_equation(),
                TokenKind::Connective(_) => {
                    self.issue(SyntaxIssueKind::MissingFormula, self.gap());
                    // An operator without its left side: read on behind it.
                    self.at += 1;
                    continue;
                }
                TokenKind::Unknown => {
                    self.issue(SyntaxIssueKind::UnknownCharacter, token.span);
                    self.at += 1;
                    continue;
                }
                TokenKind::Equal | TokenKind::NotEqual | TokenKind::Plus => {
                    self.issue(SyntaxIssueKind::Unexpected, token.span);
                    self.at += 1;
                    continue;
                }
                TokenKind::Close | TokenKind::Comma | TokenKind::Stop => {
                    // Left to the sequence around, which knows whether a bracket is open.
                    self.issue(SyntaxIssueKind::MissingFormula, self.gap());
                    None
                }
            };
        }
    }

    fn bracketed(&mut self, open: Token) -> Option<Node> {
        self.at += 1;
        if let Some(close) = self.peek().filter(|t| t.kind == TokenKind::Close) {
            self.issue(SyntaxIssueKind::EmptyBrackets, open.span.to(close.span));
            self.at += 1;
            return None;
        }
        let mut node = self.sequence(Some(open))?;
        node.formula.bracketed = true;
        node.outer = open.span.to(node.outer).to(self.gap());
        // `(f(a)) = b` and `(a) = b` would be terms in brackets, which no dialect writes.
        Some(node)
    }

    fn quantified(&mut self, sign: Token, quantifier: Quantifier) -> Option<Node> {
        self.at += 1;
        let mut variables: Vec<Variable> = Vec::new();
        loop {
            match self.peek() {
                Some(t) if t.kind == TokenKind::Name && !(self.opens_arguments(1) && self.is_predicate_like(t)) => {
                    variables.push(Variable { name: self.word(t).to_owned(), span: t.span });
                    self.quantified.insert(self.word(t));
                    self.at += 1;
                }
                _ if variables.is_empty() => {
                    self.issue(SyntaxIssueKind::QuantifierWithoutVariable, sign.span);
                    break;
                }
                _ => break,
            }
            let Some(comma) = self.peek().filter(|t| t.kind == TokenKind::Comma) else { break };
            self.at += 1;
            if self.kind() != Some(TokenKind::Name) || self.opens_arguments(1) {
                self.issue(SyntaxIssueKind::StrayPunctuation, comma.span);
                break;
            }
        }
        if let Some(stop) = self.peek().filter(|t| t.kind == TokenKind::Stop && !variables.is_empty()) {
            self.issue(SyntaxIssueKind::StopAfterQuantifier, stop.span);
            self.at += 1;
        }
        for variable in &variables {
            *self.bound.entry(variable.span.of(self.text)).or_default() += 1;
        }
        let body = if self.wide { self.expression(0) } else { self.unary() };
        for variable in &variables {
            if let Some(n) = self.bound.get_mut(variable.span.of(self.text)) {
                *n -= 1;
            }
        }
        let body = body?;
        if variables.is_empty() {
            return Some(body);
        }
        let outer = sign.span.to(body.outer);
        let height = body.height + 1;
        self.too_high(height);
        Some(Node::new(FormulaKind::Quantified(quantifier, variables, body.formula), outer, height))
    }

    /// `∀Dog(x)` lacks its variable; `∀x(Dog(x))` does not. A name glued to a bracket is a predicate when it is no
    /// single letter with digits and what the brackets hold are plainly arguments.
    fn is_predicate_like(&self, name: Token) -> bool {
        let word = self.word(name);
        // The word for a quantifier is a name only where arguments follow it.
        if is_quantifier_word(word) {
            return true;
        }
        if scope::is_letter_with_digits(word) {
            return false;
        }
        let mut i = self.at + 2;
        while let Some(t) = self.tokens.get(i) {
            match t.kind {
                TokenKind::Name | TokenKind::Comma => i += 1,
                TokenKind::Close => return i > self.at + 2,
                _ => return false,
            }
        }
        false
    }
}
