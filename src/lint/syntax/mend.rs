//! Giving a formula to an annotation that has none, where only one reading is sensible.
//!
//! Small faults that the parser names exactly (a doubled comma, a remark) are mended where they stand. Brackets are
//! mended as a whole: first as arguments that were never opened, then as a quantifier whose bracket was closed too early,
//! else by dropping every `)` that closes nothing and appending those that are missing. Nothing counts unless the mended
//! text has a reading.

use super::glued::{self, Glued};
use super::places::alternatives;
use crate::diagnostic::{Applicability, Span, TextEdit, apply_edits};
use crate::fol::lexer::{Token, TokenKind, tokenize};
use crate::fol::{Connective, Formula, Parsed, QuantifierScope, SymbolKind, SyntaxIssueKind, parse_with};

/// Texts with more tokens than this are not searched for other places of a bracket: that takes quadratic time.
pub(super) const MAX_TOKENS: usize = 300;

/// Annotations with more faults than this are not mended: nobody could say that only one reading is sensible.
const MAX_ISSUES: usize = 60;

/// Words that say something of logic. Text that holds one is part of the formula, in words, and no remark on it.
const LOGICAL_WORDS: &[&str] = &[
    "all",
    "and",
    "any",
    "both",
    "but",
    "each",
    "either",
    "else",
    "every",
    "except",
    "exists",
    "false",
    "if",
    "iff",
    "implies",
    "neither",
    "never",
    "no",
    "none",
    "nor",
    "not",
    "only",
    "or",
    "otherwise",
    "provided",
    "some",
    "then",
    "true",
    "unless",
    "when",
    "whenever",
    "where",
    "xor",
];

/// A way to give an annotation a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mend {
    /// Ordered replacements in the text as it came.
    pub edits: Vec<TextEdit>,
    /// Whether only this reading is sensible.
    pub applicability: Applicability,
    /// Where a quantifier's bracket was closed too early, if that was the fault.
    pub closed_early: Option<Span>,
    /// Where arguments were never opened, if that was the fault.
    pub unopened: Option<Span>,
    /// Texts with one bracket placed otherwise that read differently.
    pub alternatives: Vec<String>,
}

impl Default for Mend {
    fn default() -> Self {
        Self {
            edits: Vec::new(),
            applicability: Applicability::Safe,
            closed_early: None,
            unopened: None,
            alternatives: Vec::new(),
        }
    }
}

/// The mend of `text`, of which `parsed` is the faulty reading. `None` where no reading is plain.
#[must_use]
pub fn mend(text: &str, parsed: &Parsed, scope: QuantifierScope) -> Option<Mend> {
    if parsed.issues.iter().filter(|i| i.kind.is_error()).count() > MAX_ISSUES {
        return None;
    }
    let doubts = match glued::find(text, scope) {
        Glued::Opened(edit) => {
            let at = edit.span;
            return Some(Mend { edits: vec![edit], unopened: Some(at), ..Mend::default() });
        }
        Glued::Doubtful(texts) => Some(texts),
        Glued::No => None,
    };
    let mend = by_dropping(text, parsed, scope)?;
    Some(match doubts {
        Some(texts) => Mend { applicability: Applicability::DisplayOnly, alternatives: texts, ..mend },
        None => mend,
    })
}

/// The mend of small faults where they stand, and of brackets by dropping or appending some.
fn by_dropping(text: &str, parsed: &Parsed, scope: QuantifierScope) -> Option<Mend> {
    let mut patch = Patch::default();
    let mut current = parsed.clone();
    // Mending one fault can lay bare another; three rounds are more than any real annotation has needed.
    for _ in 0..3 {
        let now = patch.apply(text)?;
        let edits = local_edits(&now, &current);
        if edits.is_empty() {
            break;
        }
        patch.add(edits);
        current = parse_with(&patch.apply(text)?, scope);
    }
    let local = patch.apply(text)?;
    if !current.has_error() {
        return Some(Mend { edits: patch.edits, ..Mend::default() });
    }
    let tokens = tokenize(&local);
    let by_quantifier = closed_early(&local, &tokens, scope);
    let (edits, closed_early) = match by_quantifier {
        Some(span) => (vec![delete(span)], Some(patch.span_before(span))),
        None => (balance(&tokens), None),
    };
    if edits.is_empty() {
        return None;
    }
    let mended = apply_edits(&local, &edits)?;
    let reading = parse_with(&mended, scope);
    let formula = reading.reading()?;
    let alternatives = alternatives(&local, &tokens, formula, scope);
    patch.add(edits);
    Some(Mend { edits: patch.edits, closed_early, alternatives, ..Mend::default() })
}

pub(super) fn delete(span: Span) -> TextEdit {
    TextEdit { span, replacement: String::new() }
}

pub(super) fn insert(at: usize, text: &str) -> TextEdit {
    TextEdit { span: Span::at(at), replacement: text.to_owned() }
}

pub(super) fn surplus(tokens: &[Token]) -> isize {
    tokens.iter().fold(0, |n, t| match t.kind {
        TokenKind::Open => n + 1,
        TokenKind::Close => n - 1,
        _ => n,
    })
}

/// Mends for the faults whose place and nature the parser knows.
fn local_edits(text: &str, parsed: &Parsed) -> Vec<TextEdit> {
    let tokens = tokenize(text);
    let surplus = surplus(&tokens);
    let mut edits: Vec<TextEdit> = Vec::new();
    for issue in &parsed.issues {
        match issue.kind {
            SyntaxIssueKind::StrayPunctuation | SyntaxIssueKind::ExtraComma => edits.push(delete(issue.span)),
            SyntaxIssueKind::Remark if is_plain_remark(text, &tokens, issue.span) => {
                let before = text.get(..issue.span.start).map_or(0, |t| t.trim_end().len());
                edits.push(delete(Span::new(before, text.len())));
            }
            SyntaxIssueKind::CommaBetweenFormulas if is_plain_conjunction(&tokens, issue.span) => {
                edits.push(TextEdit { span: issue.span, replacement: " ∧".to_owned() });
            }
            SyntaxIssueKind::BracketInArguments => {
                edits.push(delete(issue.span));
                if surplus <= 0
                    && let Some(close) =
                        tokens.iter().find(|t| t.kind == TokenKind::Close && t.span.start > issue.span.start)
                {
                    edits.push(delete(close.span));
                }
            }
            SyntaxIssueKind::OperatorInArguments { .. } if surplus > 0 => {
                let end = text.get(..issue.span.start).map_or(0, |t| t.trim_end().len());
                edits.push(insert(end, ")"));
            }
            SyntaxIssueKind::QuantifierWithoutVariable if is_followed_by_formula(&tokens, issue.span) => {
                if let Some(name) = parsed.formula.as_ref().and_then(only_free_variable) {
                    let spaced = text.get(issue.span.end..).is_some_and(|t| t.starts_with(char::is_whitespace));
                    // Behind `forall` and `exists` the variable is a word of its own.
                    let before = if issue.span.of(text).ends_with(char::is_alphabetic) { " " } else { "" };
                    let after = if spaced { "" } else { " " };
                    edits.push(insert(issue.span.end, &format!("{before}{name}{after}")));
                }
            }
            _ => {}
        }
    }
    edits.sort_by_key(|e| (e.span.start, e.span.end));
    edits.dedup();
    let overlap = edits.windows(2).any(|w| w[0].span.end > w[1].span.start);
    if overlap { Vec::new() } else { edits }
}

/// Whether words behind a formula are a remark on it: the formula ends with a bracket, so that it is no sentence itself,
/// and no word of logic is among them.
fn is_plain_remark(text: &str, tokens: &[Token], remark: Span) -> bool {
    let mut before = tokens.iter().rev().skip_while(|t| t.span.end > remark.start);
    let is_formula = before.next().is_some_and(|t| t.kind == TokenKind::Close);
    let mut words = tokens.iter().filter(|t| t.kind == TokenKind::Name && t.span.start >= remark.start);
    is_formula && !words.any(|t| LOGICAL_WORDS.contains(&t.text(text).to_lowercase().as_str()))
}

/// Whether a comma between two formulas can only be ∧: what stands before it in its brackets has no operator but ∧, and
/// what stands behind has none up to an arrow, as in `Dog(x), Old(x) → Slow(x)`. In `A → B, C` it might end the whole.
fn is_plain_conjunction(tokens: &[Token], comma: Span) -> bool {
    let Some(at) = tokens.iter().position(|t| t.span == comma) else { return false };
    let mut depth = 0isize;
    for token in tokens[..at].iter().rev() {
        match token.kind {
            TokenKind::Close => depth += 1,
            TokenKind::Open if depth == 0 => break,
            TokenKind::Open => depth -= 1,
            TokenKind::Connective(c) if depth == 0 && c != Connective::And => return false,
            _ => {}
        }
    }
    let mut depth = 0isize;
    for token in &tokens[at + 1..] {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close | TokenKind::Connective(Connective::Implies | Connective::Iff) if depth == 0 => break,
            TokenKind::Close => depth -= 1,
            TokenKind::Connective(c) if depth == 0 && c != Connective::And => return false,
            _ => {}
        }
    }
    true
}

/// Whether a bracket or an atom with arguments follows a quantifier directly, so that its variable is all it lacks.
fn is_followed_by_formula(tokens: &[Token], sign: Span) -> bool {
    let mut rest = tokens.iter().skip_while(|t| t.span.start < sign.end);
    match rest.next().map(|t| t.kind) {
        Some(TokenKind::Open) => true,
        Some(TokenKind::Name) => rest.next().is_some_and(|t| t.kind == TokenKind::Open),
        _ => false,
    }
}

/// The name of the free variable, where a formula has exactly one.
fn only_free_variable(formula: &Formula) -> Option<String> {
    let symbols = formula.symbols();
    let mut names = symbols.iter().filter(|s| s.kind == SymbolKind::Free).map(|s| s.name);
    let first = names.next()?;
    names.all(|n| n == first).then(|| first.to_owned())
}

/// The `)` that closes a quantifier's bracket too early, as in `∀x (P(x)) → Q(x))`: one `)` too many in all, an operator
/// behind the bracket, the quantified variable used behind it, and without that `)` the whole has a reading in which it
/// is bound.
fn closed_early(text: &str, tokens: &[Token], scope: QuantifierScope) -> Option<Span> {
    if surplus(tokens) != -1 || tokens.len() > MAX_TOKENS {
        return None;
    }
    let mut i = 0;
    while i < tokens.len() {
        let TokenKind::Quantifier(_) = tokens[i].kind else {
            i += 1;
            continue;
        };
        // The whole prefix: `∀x ∀y ∃z (`.
        let mut names = Vec::new();
        let mut j = i;
        while j < tokens.len() {
            match tokens[j].kind {
                TokenKind::Name => names.push(tokens[j].text(text)),
                TokenKind::Quantifier(_) | TokenKind::Comma | TokenKind::Stop => {}
                _ => break,
            }
            j += 1;
        }
        i = j.max(i + 1);
        if tokens.get(j).map(|t| t.kind) != Some(TokenKind::Open) {
            continue;
        }
        let Some(close) = closing(tokens, j) else { continue };
        let operator = matches!(tokens.get(close + 1).map(|t| t.kind), Some(TokenKind::Connective(_)));
        let used_behind =
            tokens[close + 1..].iter().any(|t| t.kind == TokenKind::Name && names.contains(&t.text(text)));
        if !operator || !used_behind {
            continue;
        }
        let span = tokens[close].span;
        let Some(without) = apply_edits(text, &[delete(span)]) else { continue };
        let parsed = parse_with(&without, scope);
        let binds = parsed
            .reading()
            .is_some_and(|f| !f.symbols().iter().any(|s| s.kind == SymbolKind::Free && names.contains(&s.name)));
        if binds {
            return Some(span);
        }
    }
    None
}

/// The index of the bracket that closes the one at `open`.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// Drops every `)` that closes nothing and appends the missing ones behind the last token.
fn balance(tokens: &[Token]) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    let mut depth = 0usize;
    for token in tokens {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 0 => edits.push(delete(token.span)),
            TokenKind::Close => depth -= 1,
            _ => {}
        }
    }
    if depth > 0
        && let Some(last) = tokens.last()
    {
        edits.push(insert(last.span.end, &")".repeat(depth)));
    }
    edits
}

/// Edits of a text in several steps, kept in terms of the text as it came.
#[derive(Debug, Default)]
struct Patch {
    edits: Vec<TextEdit>,
}

impl Patch {
    fn apply(&self, text: &str) -> Option<String> {
        apply_edits(text, &self.edits)
    }

    /// The offset before this patch of an offset after it. Offsets inside inserted text map to where it was put.
    fn before(&self, after: usize) -> usize {
        let mut shift = 0isize;
        for edit in &self.edits {
            let start = edit.span.start.saturating_add_signed(shift);
            let end = start + edit.replacement.len();
            if after < end {
                return if after <= start {
                    edit.span.start.min(after.saturating_add_signed(-shift))
                } else {
                    edit.span.end
                };
            }
            shift += edit.replacement.len().cast_signed() - edit.span.len().cast_signed();
        }
        after.saturating_add_signed(-shift)
    }

    fn span_before(&self, span: Span) -> Span {
        let start = self.before(span.start);
        // The end goes with the last byte, not with what follows it: text deleted behind the span stays outside.
        let end = if span.is_empty() { start } else { self.before(span.end - 1) + 1 };
        Span::new(start, end)
    }

    /// Adds edits of the text after this patch.
    fn add(&mut self, edits: Vec<TextEdit>) {
        let moved: Vec<TextEdit> = edits
            .into_iter()
            .map(|e| TextEdit { span: self.span_before(e.span), replacement: e.replacement })
            .collect();
        self.edits.extend(moved);
        // Stable: of two insertions at one place the earlier stays before the later.
        self.edits.sort_by_key(|e| (e.span.start, e.span.end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::parse;

    fn mended(text: &str) -> Option<String> {
        apply_edits(text, &mend(text, &parse(text), QuantifierScope::Tight)?.edits)
    }

    #[test]
    fn words_of_logic_are_no_remark() {
        for text in [
            "Rain or snow",
            "P(a) unless rain falls",
            "(P(a) ∧ Q(b)) iff not true",
            "Rain(a) if it is wet",
            "P(a). Only if Q holds",
            "It rains today heavily",
        ] {
            assert_eq!(mended(text), None, "{text}");
        }
        assert_eq!(mended("Dog(rex) rex is next door").as_deref(), Some("Dog(rex)"));
    }

    #[test]
    fn a_comma_is_a_conjunction_only_where_nothing_else_is_sensible() {
        for text in
            ["P(a) → Q(a), R(a)", "P(a) ∨ Q(a), R(a)", "P(a), Q(a) ∨ R(a)", "P(a) ⊕ Q(a), R(a)", "P(a), Q(a) ⊕ R(a)"]
        {
            assert_eq!(mended(text), None, "{text}");
        }
        assert_eq!(mended("P(a), Q(a)").as_deref(), Some("P(a) ∧ Q(a)"));
        assert_eq!(mended("∀x (P(x), Q(x) → R(x))").as_deref(), Some("∀x (P(x) ∧ Q(x) → R(x))"));
        assert_eq!(mended("(P(a) ∨ Q(a)), R(a)").as_deref(), Some("(P(a) ∨ Q(a)) ∧ R(a)"));
    }

    #[test]
    fn a_sign_that_is_not_read_gets_no_mend() {
        for text in ["∃!x (King(x))", "∃!x P(x)", "∃ !x (King(x))", "∀¬x (King(x))"] {
            assert!(parse(text).has_error(), "{text}");
            assert_eq!(mended(text), None, "{text}");
        }
    }

    #[test]
    fn long_texts_are_mended_in_linear_time() {
        let text = format!("{}P(a))", "∀x (P(x)) ∧ ".repeat(20_000));
        assert!(mend(&text, &parse(&text), QuantifierScope::Tight).is_none_or(|m| m.closed_early.is_none()));
        let text = format!("P({}a{})", "(".repeat(40_000), ")".repeat(40_000));
        assert_eq!(mended(&text), None);
    }

    #[test]
    fn other_completions_keep_every_name() {
        let text = "(Work(hannah, campus) ∧ Need(hannah, money) → ¬(Picky(hannah) ∨ Need(hannah, money))";
        let mend = mend(text, &parse(text), QuantifierScope::Tight).expect("a mend");
        assert_eq!(
            mend.alternatives,
            ["(Work(hannah, campus) ∧ Need(hannah, money) → ¬Picky(hannah) ∨ Need(hannah, money))"]
        );
    }
}
