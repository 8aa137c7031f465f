//! The `(` that opens arguments and is not there: `Songx)` for `Song(x)`.
//!
//! Without it, a predicate and its first argument are one word, and what closed the arguments closes something else or
//! nothing. To drop a `)` would give a reading in which the word stands for a proposition: almost never what was meant.

use super::mend::{MAX_TOKENS, insert, surplus};
use crate::diagnostic::{Span, TextEdit, apply_edits};
use crate::fol::lexer::{Token, TokenKind, tokenize};
use crate::fol::{QuantifierScope, SymbolKind, reading_of, shape};

/// What the names of a text with one `)` too many say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Glued {
    /// None of them looks like a predicate with its argument.
    No,
    /// One of them is a name and a variable that is bound there, and no other reading of this kind makes sense.
    Opened(TextEdit),
    /// Some name may be a predicate with its argument; the texts that this could mean, as far as the text alone can tell.
    Doubtful(Vec<String>),
}

pub(super) fn find(text: &str, scope: QuantifierScope) -> Glued {
    let tokens = tokenize(text);
    if tokens.len() > MAX_TOKENS || surplus(&tokens) != -1 {
        return Glued::No;
    }
    let Words { variables, suspects, is_propositional } = words(text, &tokens);
    let mut found: Vec<(TextEdit, String, String)> = Vec::new();
    for suspect in &suspects {
        for variable in &variables {
            let Some(head) = suspect.of(text).strip_suffix(variable) else { continue };
            if !head.starts_with(char::is_alphabetic) {
                continue;
            }
            let edit = insert(suspect.start + head.len(), "(");
            let Some(opened) = apply_edits(text, std::slice::from_ref(&edit)) else { continue };
            let Some(formula) = reading_of(&opened, scope) else { continue };
            let key = shape::key(&formula, false);
            let is_free = formula.symbols().iter().any(|s| s.kind == SymbolKind::Free && s.name == *variable);
            if !is_free && !found.iter().any(|(_, _, other)| *other == key) {
                found.push((edit, opened, key));
            }
        }
    }
    match found.as_slice() {
        [(edit, ..)] => Glued::Opened(edit.clone()),
        [] if is_propositional || suspects.is_empty() => Glued::No,
        _ => Glued::Doubtful(found.into_iter().map(|(_, opened, _)| opened).collect()),
    }
}

/// Names of a text with one `)` too many that may be a predicate and its first argument, in order.
#[must_use]
pub fn glued_names(text: &str) -> Vec<Span> {
    let tokens = tokenize(text);
    if tokens.len() > MAX_TOKENS || surplus(&tokens) != -1 {
        return Vec::new();
    }
    words(text, &tokens).suspects
}

struct Words<'t> {
    /// Names behind quantifiers, each once.
    variables: Vec<&'t str>,
    /// Names before a `)` or a comma that are neither variables of a quantifier nor among arguments.
    suspects: Vec<Span>,
    /// Whether another name stands for a proposition, so that a suspect may do so too.
    is_propositional: bool,
}

fn words<'t>(text: &'t str, tokens: &[Token]) -> Words<'t> {
    let mut out = Words { variables: Vec::new(), suspects: Vec::new(), is_propositional: false };
    // For each open bracket, whether it holds arguments.
    let mut open: Vec<bool> = Vec::new();
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        let kind = |at: usize| tokens.get(at).map(|t| t.kind);
        match token.kind {
            TokenKind::Quantifier(_) => {
                while kind(i + 1) == Some(TokenKind::Name) {
                    let name = tokens.get(i + 1).map_or("", |t| t.text(text));
                    if !out.variables.contains(&name) {
                        out.variables.push(name);
                    }
                    i += if kind(i + 2) == Some(TokenKind::Comma) { 2 } else { 1 };
                    if kind(i) != Some(TokenKind::Comma) {
                        break;
                    }
                }
            }
            TokenKind::Open => {
                let before = i.checked_sub(1).and_then(|at| tokens.get(at));
                open.push(before.is_some_and(|t| t.kind == TokenKind::Name && t.span.end == token.span.start));
            }
            TokenKind::Close => {
                open.pop();
            }
            // What an equation says is a term, and no predicate.
            TokenKind::Name
                if matches!(i.checked_sub(1).and_then(kind), Some(TokenKind::Equal | TokenKind::NotEqual)) => {}
            TokenKind::Name if open.last() != Some(&true) => match kind(i + 1) {
                Some(TokenKind::Close | TokenKind::Comma) => out.suspects.push(token.span),
                Some(TokenKind::Connective(_)) | None => out.is_propositional = true,
                _ => {}
            },
            _ => {}
        }
        i += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Glued {
        find(text, QuantifierScope::Tight)
    }

    fn opened(text: &str) -> Option<String> {
        let Glued::Opened(edit) = found(text) else { return None };
        apply_edits(text, &[edit])
    }

    #[test]
    fn a_variable_behind_its_predicate_is_told_from_it() {
        for (text, whole) in [
            ("∀x (Songx) → Visual(x))", "∀x (Song(x) → Visual(x))"),
            ("∀x (Song(x) → Visualx))", "∀x (Song(x) → Visual(x))"),
            ("∀x ∀y (Likesx, y) → Likes(y, x))", "∀x ∀y (Likes(x, y) → Likes(y, x))"),
            ("∀x, y (Likes(x, y) → (Oldx) ∧ Wise(y)))", "∀x, y (Likes(x, y) → (Old(x) ∧ Wise(y)))"),
            ("∃y ¬Doory)", "∃y ¬Door(y)"),
        ] {
            assert_eq!(opened(text).as_deref(), Some(whole));
        }
    }

    #[test]
    fn what_only_the_story_could_tell_is_doubtful() {
        for text in ["Singerrina)", "Likesrina, tom)", "Tall(rina) ∧ Singerrina)", "¬(Tall(rina) ∧ Singerrina))"] {
            assert_eq!(found(text), Glued::Doubtful(Vec::new()), "{text}");
        }
        let both = found("∀x ∀ex (Boxex) → Near(x, ex))");
        assert!(matches!(&both, Glued::Doubtful(texts) if texts.len() == 2), "{both:?}");
    }

    #[test]
    fn propositions_and_arguments_are_left_alone() {
        for text in [
            "(Rain → Snow))",
            "P(a) ∧ Q(b))",
            "∀x (Dog(x)) → Old(x))",
            "Rain ∧ (Snow))",
            "∀x (Song(x) → Nearx)",
            "P(ax))",
            "∀x (Music(x) → ¬(x=punkx)))",
        ] {
            assert_eq!(found(text), Glued::No, "{text}");
        }
        assert_eq!(glued_names("∀x (Songx) → Visual(x))").len(), 1);
        assert!(glued_names("∀x (Songx → Visual(x))").is_empty());
    }
}
