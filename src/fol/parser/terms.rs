//! Atoms, equations and terms.

use super::{Node, Parser};
use crate::diagnostic::Span;
use crate::fol::ast::{Atom, FormulaKind, Term, TermKind};
use crate::fol::issue::SyntaxIssueKind;
use crate::fol::lexer::{Token, TokenKind};

/// The atom that a term of this name, read where a formula stands, turns out to be.
fn atom(name: Token, term: Term, height: usize) -> Node {
    let outer = term.span;
    let (word, args) = match term.kind {
        TermKind::Function(word, args) => (word, args),
        TermKind::Bound(word) | TermKind::Free(word) | TermKind::Constant(word) => (word, Vec::new()),
    };
    let atom = Atom { name: word, name_span: name.span, args };
    Node::new(FormulaKind::Atom(atom), outer, height + 1)
}

impl Parser<'_> {
    pub(super) fn atom_or_equation(&mut self) -> Option<Node> {
        let start = self.at;
        let name = self.peek()?;
        // `+44` is an argument and nothing else: where a formula begins, `+` is a sign without its left side.
        if self.word(name).starts_with('+') {
            self.issue(SyntaxIssueKind::Unexpected, Span::new(name.span.start, name.span.start + 1));
        }
        let (left, height) = self.term(true)?;
        let comparison = match self.kind() {
            Some(TokenKind::Equal) => Some(false),
            Some(TokenKind::NotEqual) => Some(true),
            _ => None,
        };
        if let Some(negated) = comparison {
            self.at += 1;
            if self.kind() != Some(TokenKind::Name) {
                self.issue(SyntaxIssueKind::MissingTerm, self.gap());
                return Some(atom(name, left, height));
            }
            let (right, right_height) = self.term(true)?;
            let outer = left.span.to(right.span);
            let kind = if negated { FormulaKind::NotEqual(left, right) } else { FormulaKind::Equal(left, right) };
            return Some(Node::new(kind, outer, height.max(right_height) + 1));
        }
        if matches!(left.kind, TermKind::Bound(_)) && self.at == start + 1 {
            self.issue(SyntaxIssueKind::VariableAsFormula, name.span);
        }
        Some(atom(name, left, height))
    }

    /// A name with or without arguments. In a formula (`outermost`) two names side by side are two formulas; among
    /// arguments they are one name with a space in it.
    fn term(&mut self, outermost: bool) -> Option<(Term, usize)> {
        let name = self.peek()?;
        self.at += 1;
        let mut span = name.span;
        if !outermost && self.kind() == Some(TokenKind::Name) {
            while let Some(next) = self.peek().filter(|t| t.kind == TokenKind::Name) {
                span = span.to(next.span);
                self.at += 1;
            }
            self.issue(SyntaxIssueKind::SpaceInName, span);
        }
        let word = span.of(self.text);
        let bound = self.bound.get(word).is_some_and(|n| *n > 0);
        match self.peek() {
            Some(open) if open.kind == TokenKind::Open => {
                let (args, height) = self.arguments(open);
                let span = span.to(self.gap());
                if args.is_empty() {
                    return Some((Term { kind: TermKind::Constant(word.to_owned()), span }, 1));
                }
                Some((Term { kind: TermKind::Function(word.to_owned(), args), span }, height + 1))
            }
            _ => {
                let kind = if bound { TermKind::Bound(word.to_owned()) } else { TermKind::Constant(word.to_owned()) };
                Some((Term { kind, span }, 1))
            }
        }
    }

    /// What stands between the brackets of an atom or a function term, and the greatest height in it.
    fn arguments(&mut self, open: Token) -> (Vec<Term>, usize) {
        self.at += 1;
        let mut args = Vec::new();
        let mut height = 0;
        if self.enter() {
            self.leave();
            return (args, height);
        }
        let mut after_comma: Option<Token> = None;
        // Brackets opened in the place of a term: `P((x))`.
        let mut inner = 0usize;
        loop {
            let Some(token) = self.peek() else {
                self.issue(SyntaxIssueKind::MissingClose { open: open.span }, self.gap());
                break;
            };
            match token.kind {
                TokenKind::Close => {
                    if let Some(comma) = after_comma {
                        self.issue(SyntaxIssueKind::ExtraComma, comma.span);
                    } else if args.is_empty() {
                        self.issue(SyntaxIssueKind::EmptyBrackets, open.span.to(token.span));
                    }
                    self.at += 1;
                    if inner > 0 && self.surplus <= 0 && self.kind() == Some(TokenKind::Close) {
                        inner -= 1;
                        after_comma = None;
                        continue;
                    }
                    break;
                }
                TokenKind::Comma => {
                    if after_comma.is_some() || args.is_empty() {
                        self.issue(SyntaxIssueKind::ExtraComma, token.span);
                    }
                    after_comma = Some(token);
                    self.at += 1;
                }
                TokenKind::Name => {
                    if !args.is_empty() && after_comma.is_none() {
                        self.issue(SyntaxIssueKind::MissingComma, self.gap());
                    }
                    let Some((term, h)) = self.term(false) else { break };
                    height = height.max(h);
                    args.push(term);
                    after_comma = None;
                }
                TokenKind::Open => {
                    self.issue(SyntaxIssueKind::BracketInArguments, token.span);
                    inner += 1;
                    self.at += 1;
                }
                TokenKind::Stop | TokenKind::Unknown | TokenKind::Plus | TokenKind::Constant(_) => {
                    self.issue(SyntaxIssueKind::UnknownCharacter, token.span);
                    self.at += 1;
                }
                TokenKind::Not
                | TokenKind::Connective(_)
                | TokenKind::Quantifier(_)
                | TokenKind::Equal
                | TokenKind::NotEqual => {
                    // Formulas are no arguments: the bracket should have been closed before this.
                    self.issue(SyntaxIssueKind::OperatorInArguments { open: open.span }, token.span);
                    break;
                }
            }
        }
        self.leave();
        (args, height)
    }
}
