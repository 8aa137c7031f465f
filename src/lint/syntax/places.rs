//! Other places for the one bracket that an annotation lacks or has too many.
//!
//! Trying a place means parsing the whole text, and of the many places of a text few can give a reading at all, so most
//! are ruled out by the tokens around them.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::mend::{MAX_TOKENS, delete, insert, surplus};
use crate::diagnostic::apply_edits;
use crate::fol::lexer::{Token, TokenKind};
use crate::fol::{Formula, QuantifierScope, canonical, reading_of};

/// Every text with one bracket more or less that has a reading other than `chosen`, in the order of the text. Readings
/// that leave more variables free than the chosen one are not sensible and left out.
pub(super) fn alternatives(text: &str, tokens: &[Token], chosen: &Formula, scope: QuantifierScope) -> Vec<String> {
    let surplus = surplus(tokens);
    if tokens.len() > MAX_TOKENS || surplus.abs() != 1 {
        return Vec::new();
    }
    let (missing, excess) = if surplus > 0 { (")", TokenKind::Open) } else { ("(", TokenKind::Close) };
    let free = canonical::free_uses(chosen);
    let mut known = Readings::of(chosen);
    let mut places = Places { text, tokens, open: Vec::new() };
    let mut out = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let (place, may_insert) = if surplus > 0 {
            places.pass(i);
            (token.span.end, places.may_close(i))
        } else {
            let may_open = places.may_open(i);
            places.pass(i);
            (token.span.start, may_open)
        };
        let may_delete = token.kind == excess && places.may_delete(i);
        if !(may_insert || may_delete) || !nests(tokens, i, -surplus) {
            continue;
        }
        let inserted = may_insert.then(|| insert(place, missing));
        let deleted = may_delete.then(|| delete(token.span));
        for edit in inserted.into_iter().chain(deleted) {
            let Some(candidate) = apply_edits(text, &[edit]) else { continue };
            let Some(formula) = reading_of(&candidate, scope) else { continue };
            if canonical::free_uses(&formula) <= free && known.is_new(formula) {
                out.push(candidate);
            }
        }
    }
    out
}

/// Formulas that differ in more than brackets and order.
struct Readings<'a> {
    formulas: Vec<Reading<'a>>,
}

struct Reading<'a> {
    fingerprint: u64,
    formula: Cow<'a, Formula>,
    /// Made only where another formula has the fingerprint and is not the same as it stands.
    key: OnceCell<String>,
}

impl<'a> Reading<'a> {
    fn new(formula: Cow<'a, Formula>) -> Self {
        Self { fingerprint: canonical::fingerprint(&formula), formula, key: OnceCell::new() }
    }

    fn key(&self) -> &str {
        self.key.get_or_init(|| canonical::key(&self.formula))
    }

    fn is_same(&self, other: &Reading<'_>) -> bool {
        self.fingerprint == other.fingerprint && (self.formula == other.formula || self.key() == other.key())
    }
}

impl<'a> Readings<'a> {
    fn of(formula: &'a Formula) -> Self {
        Self { formulas: vec![Reading::new(Cow::Borrowed(formula))] }
    }

    /// Adds a formula; whether it was not there before.
    fn is_new(&mut self, formula: Formula) -> bool {
        let reading = Reading::new(Cow::Owned(formula));
        let is_new = !self.formulas.iter().any(|known| known.is_same(&reading));
        if is_new {
            self.formulas.push(reading);
        }
        is_new
    }
}

/// What the tokens say about places, on the way through them.
struct Places<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// The brackets open behind the last token passed, outermost first.
    open: Vec<usize>,
}

impl Places<'_> {
    fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|t| t.kind)
    }

    fn kind_before(&self, at: usize) -> Option<TokenKind> {
        at.checked_sub(1).and_then(|i| self.kind(i))
    }

    fn pass(&mut self, at: usize) {
        match self.kind(at) {
            Some(TokenKind::Open) => self.open.push(at),
            Some(TokenKind::Close) => drop(self.open.pop()),
            _ => {}
        }
    }

    /// Whether a `)` behind the token at `at`, which was passed, can give a reading that no earlier place gives.
    fn may_close(&self, at: usize) -> bool {
        let ends_formula = |kind| matches!(kind, Some(TokenKind::Name | TokenKind::Close | TokenKind::Constant(_)));
        let kind = self.kind(at);
        // `A))` is one text, behind whichever bracket the third is put.
        if !ends_formula(kind) || (kind == Some(TokenKind::Close) && ends_formula(self.kind_before(at))) {
            return false;
        }
        match self.kind(at + 1) {
            // Behind a `)` nothing begins without a connective.
            Some(TokenKind::Open | TokenKind::Not | TokenKind::Quantifier(_) | TokenKind::Constant(_)) => false,
            Some(TokenKind::Name) => self.is_letter_or(at + 1),
            // The comma must stand among arguments still: in a bracket around that which the `)` closes.
            Some(TokenKind::Comma) => {
                let around = self.open.len().checked_sub(2).and_then(|i| self.open.get(i));
                around.is_some_and(|&open| self.kind_before(open) == Some(TokenKind::Name))
            }
            _ => true,
        }
    }

    /// Whether a `(` before the token at `at`, which was not passed yet, can give a reading.
    fn may_open(&self, at: usize) -> bool {
        // A `+` can begin the name of an argument.
        let starts_formula = matches!(
            self.kind(at),
            Some(
                TokenKind::Name
                    | TokenKind::Open
                    | TokenKind::Not
                    | TokenKind::Quantifier(_)
                    | TokenKind::Constant(_)
                    | TokenKind::Plus
            )
        );
        // Behind `)` and constants nothing begins without a connective, and a quantifier needs its variable first.
        let fits =
            !matches!(self.kind_before(at), Some(TokenKind::Close | TokenKind::Constant(_) | TokenKind::Quantifier(_)));
        starts_formula && fits && !self.open.last().is_some_and(|&open| self.holds_arguments(open))
    }

    /// Whether what stands in the bracket at `open` can only be arguments: among these no bracket opens by itself.
    fn holds_arguments(&self, open: usize) -> bool {
        let Some(name) = open.checked_sub(1) else { return false };
        // A name behind a quantifier, or behind a comma, may be a variable with the formula in the bracket.
        let may_be_variable = matches!(self.kind_before(name), Some(TokenKind::Quantifier(_) | TokenKind::Comma));
        self.kind(name) == Some(TokenKind::Name) && !may_be_variable && !self.is_letter_or(name)
    }

    /// `v` is read as a connective in some places.
    fn is_letter_or(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| t.text(self.text) == "v")
    }

    /// Whether the text without the bracket at `at` can have a reading that no earlier place gives.
    fn may_delete(&self, at: usize) -> bool {
        let is_name = |i: usize| self.kind(i) == Some(TokenKind::Name);
        let is_glued = |i: usize, j: usize| matches!((self.tokens.get(i), self.tokens.get(j)), (Some(a), Some(b)) if a.span.end == b.span.start);
        let Some(before) = at.checked_sub(1) else { return true };
        // Without the bracket of `Dog(rex` two names would be one.
        let parts_names = is_name(before) && is_name(at + 1) && is_glued(before, at) && is_glued(at, at + 1);
        // Of `((` either leaves the same text.
        let is_repeated = self.kind(before) == self.kind(at) && is_glued(before, at);
        !parts_names && !is_repeated
    }
}

/// Whether every `)` closes something once there is one bracket more or less at token `at`: `change` is 1 where a `(`
/// comes before it or it is a `)` that goes, and -1 where a `)` comes behind it or it is a `(` that goes.
fn nests(tokens: &[Token], at: usize, change: isize) -> bool {
    let mut depth = 0;
    tokens.iter().enumerate().all(|(i, token)| {
        depth += if i == at { change } else { 0 };
        depth += match token.kind {
            TokenKind::Open => 1,
            TokenKind::Close => -1,
            _ => 0,
        };
        depth >= 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::lexer::tokenize;

    /// With every place tried and every key made.
    fn all(text: &str, tokens: &[Token], chosen: &Formula) -> Vec<String> {
        let surplus = surplus(tokens);
        let mut keys = vec![canonical::key(chosen)];
        let mut out = Vec::new();
        for (i, token) in tokens.iter().enumerate() {
            if !nests(tokens, i, -surplus) {
                continue;
            }
            let glued = |a: usize, b: usize| tokens[a].span.end == tokens[b].span.start;
            let is_name = |i: usize| tokens.get(i).is_some_and(|t| t.kind == TokenKind::Name);
            let parts = i > 0 && is_name(i - 1) && is_name(i + 1) && glued(i - 1, i) && glued(i, i + 1);
            let (edit, excess) = if surplus > 0 {
                (insert(token.span.end, ")"), TokenKind::Open)
            } else {
                (insert(token.span.start, "("), TokenKind::Close)
            };
            let deleted = (token.kind == excess && !parts).then(|| delete(token.span));
            for edit in [edit].into_iter().chain(deleted) {
                let candidate = apply_edits(text, &[edit]).expect("a text");
                let Some(formula) = reading_of(&candidate, QuantifierScope::Tight) else { continue };
                let key = canonical::key(&formula);
                if canonical::free_uses(&formula) <= canonical::free_uses(chosen) && !keys.contains(&key) {
                    keys.push(key);
                    out.push(candidate);
                }
            }
        }
        out
    }

    #[test]
    fn no_place_that_gives_a_reading_is_ruled_out() {
        let whole = [
            "∀x (Dog(x) ∧ Old(x) → (Slow(x) ∨ Owns(f(x, anna), g(x))) ∨ ¬(Wet(x) ∧ (Cold(x))))",
            "((P(a) → Q(b)) → (R(a, b) ∧ ¬(S(c))) ⊕ ( (T(a)) ∧ U(b) ∧ V(c) ) )",
            "∃x,y (Near(x, y) ∧ (x = y v (Likes(x, y)))) ∧ (exists z (Exists(z) ∧ (⊤ ∨ (Near(z, +44)))))",
            "(v(a) v (v(b))) ∧ ((P) ∨ ( Q ∧ (R)))",
            "∀x∃y(P(x)→(Q(y)↔(¬(R(x,y))∧(S(x)∨T(y)))))",
        ];
        let mut tried = 0;
        for text in whole {
            for gone in tokenize(text).iter().filter(|t| matches!(t.kind, TokenKind::Open | TokenKind::Close)) {
                let faulty = apply_edits(text, &[delete(gone.span)]).expect("a text");
                let tokens = tokenize(&faulty);
                let formula = reading_of(text, QuantifierScope::Tight).expect("a reading");
                if surplus(&tokens).abs() == 1 {
                    let told = alternatives(&faulty, &tokens, &formula, QuantifierScope::Tight);
                    assert_eq!(told, all(&faulty, &tokens, &formula), "{faulty}");
                    tried += told.len();
                }
            }
        }
        assert!(tried > 50, "{tried}");
    }
}
