//! Splits an annotation into tokens. Every byte of the text is either white space or part of exactly one token.

use super::ast::{Connective, Quantifier};
use crate::diagnostic::Span;

/// A token and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// `(`, also written `[` or `{`.
    Open,
    /// `)`, also written `]` or `}`.
    Close,
    /// `,`
    Comma,
    /// `:` or a full stop that is no part of a name.
    Stop,
    /// `¬` and its variants.
    Not,
    /// A binary connective.
    Connective(Connective),
    /// A quantifier.
    Quantifier(Quantifier),
    /// `=`
    Equal,
    /// `≠`
    NotEqual,
    /// `⊤` or `⊥`
    Constant(bool),
    /// A name: predicate, function, constant, variable or number.
    Name,
    /// A `+` that is no part of a name.
    Plus,
    /// Anything else, one character at a time.
    Unknown,
}

impl Token {
    /// The token's text.
    #[must_use]
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        self.span.of(source)
    }

    /// The sign FOLIO uses for this token where the text has a variant of it.
    #[must_use]
    pub fn canonical(&self, source: &str) -> Option<&'static str> {
        let sign = match self.kind {
            TokenKind::Open => "(",
            TokenKind::Close => ")",
            TokenKind::Not => "¬",
            TokenKind::Connective(c) => c.sign(),
            TokenKind::Quantifier(q) => q.sign(),
            TokenKind::Equal => "=",
            TokenKind::NotEqual => "≠",
            TokenKind::Constant(true) => "⊤",
            TokenKind::Constant(false) => "⊥",
            _ => return None,
        };
        // Every token is asked, and bytes need no look at where characters begin.
        let found = source.as_bytes().get(self.span.start..self.span.end).unwrap_or_default();
        (found.len() != sign.len() || !found.iter().eq(sign.as_bytes())).then_some(sign)
    }
}

/// Signs of more than one character, longest first.
const LONG_SIGNS: &[(&str, TokenKind)] = &[
    ("<=>", TokenKind::Connective(Connective::Iff)),
    ("<->", TokenKind::Connective(Connective::Iff)),
    ("<~>", TokenKind::Connective(Connective::Xor)),
    ("-->", TokenKind::Connective(Connective::Implies)),
    ("==>", TokenKind::Connective(Connective::Implies)),
    ("->", TokenKind::Connective(Connective::Implies)),
    ("=>", TokenKind::Connective(Connective::Implies)),
    ("—>", TokenKind::Connective(Connective::Implies)),
    ("–>", TokenKind::Connective(Connective::Implies)),
    ("−>", TokenKind::Connective(Connective::Implies)),
    ("!=", TokenKind::NotEqual),
    ("==", TokenKind::Equal),
    ("&&", TokenKind::Connective(Connective::And)),
    ("||", TokenKind::Connective(Connective::Or)),
    ("/\\", TokenKind::Connective(Connective::And)),
    ("\\/", TokenKind::Connective(Connective::Or)),
];

/// Signs of one character.
const fn short_sign(c: char) -> Option<TokenKind> {
    Some(match c {
        '(' | '[' | '{' => TokenKind::Open,
        ')' | ']' | '}' => TokenKind::Close,
        ',' => TokenKind::Comma,
        ':' | '.' => TokenKind::Stop,
        '¬' | '~' | '!' | '∼' | '￢' => TokenKind::Not,
        '∧' | '⋀' | '&' | '^' => TokenKind::Connective(Connective::And),
        '∨' | '⋁' | '|' => TokenKind::Connective(Connective::Or),
        '⊕' | '⊻' => TokenKind::Connective(Connective::Xor),
        '→' | '⇒' | '⟶' | '⟹' | '⊃' => TokenKind::Connective(Connective::Implies),
        '↔' | '⟷' | '⇔' | '⟺' | '≡' => TokenKind::Connective(Connective::Iff),
        '=' => TokenKind::Equal,
        '≠' => TokenKind::NotEqual,
        '∀' => TokenKind::Quantifier(Quantifier::ForAll),
        '∃' => TokenKind::Quantifier(Quantifier::Exists),
        '⊤' => TokenKind::Constant(true),
        '⊥' => TokenKind::Constant(false),
        '+' => TokenKind::Plus,
        _ => return None,
    })
}

/// Splits `text` into tokens, in linear time.
#[must_use]
pub fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 3);
    let mut at = 0;
    let mut prefix = Prefix::Outside;
    while let Some(c) = text[at..].chars().next() {
        if is_space(c) {
            at += c.len_utf8();
            continue;
        }
        if c == '∃'
            && let Some(len) = unique_existence(&text[at..])
        {
            // One token: read as `∃` and `¬` it would say the opposite.
            tokens.push(Token { kind: TokenKind::Unknown, span: Span::new(at, at + len) });
            at += len;
            prefix = Prefix::Outside;
            continue;
        }
        // Most characters are letters, which start no sign.
        let sign = if c.is_ascii_alphanumeric() { None } else { sign_at(&text[at..], c) };
        let name = match sign {
            Some(_) if c != '+' => None,
            _ => name_length(&text[at..], tokens.last().map(|t| t.kind))
                .map(|len| if prefix == Prefix::Variable { variable_length(&text[at..at + len]) } else { len }),
        };
        let (kind, len) = if let Some(len) = name {
            let kind = match &text[at..at + len] {
                "forall" | "Forall" | "FORALL" => TokenKind::Quantifier(Quantifier::ForAll),
                word if is_quantifier_word(word) && !opens_arguments(&text[at + len..]) => {
                    TokenKind::Quantifier(Quantifier::Exists)
                }
                _ => TokenKind::Name,
            };
            (kind, len)
        } else {
            sign.unwrap_or((TokenKind::Unknown, c.len_utf8()))
        };
        prefix = match (prefix, kind) {
            (_, TokenKind::Quantifier(_)) | (Prefix::Between, TokenKind::Comma) => Prefix::Variable,
            (Prefix::Variable, TokenKind::Name) => Prefix::Between,
            _ => Prefix::Outside,
        };
        tokens.push(Token { kind, span: Span::new(at, at + len) });
        at += len;
    }
    tokens
}

/// Where a token stands to a quantifier's list of variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Prefix {
    Outside,
    /// A variable comes next.
    Variable,
    /// A variable came; a comma and another one may follow.
    Between,
}

/// Length of `∃!`, the quantifier “exactly one”, which is not read.
fn unique_existence(rest: &str) -> Option<usize> {
    let behind = rest.strip_prefix('∃')?;
    let bang = behind.trim_start();
    (bang.starts_with('!') && !bang.starts_with("!=")).then(|| rest.len() - bang.len() + 1)
}

/// Length of a variable in the text of a name: in `∀x.Dog(x)` the full stop ends it.
fn variable_length(name: &str) -> usize {
    match name.split_once('.') {
        Some((variable, _)) if super::scope::is_letter_with_digits(variable) => variable.len(),
        _ => name.len(),
    }
}

/// White space, and characters without width that word processors leave behind.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// The sign that starts here, if one does, and its length in bytes; `first` is the first character. No sign starts
/// with a character of names.
fn sign_at(rest: &str, first: char) -> Option<(TokenKind, usize)> {
    let long = match first {
        '<' | '-' | '=' | '—' | '–' | '−' | '!' | '&' | '|' | '/' | '\\' => {
            LONG_SIGNS.iter().find(|(sign, _)| rest.starts_with(sign))
        }
        _ => None,
    };
    match long {
        Some((sign, kind)) => Some((*kind, sign.len())),
        None => short_sign(first).map(|kind| (kind, first.len_utf8())),
    }
}

/// Whether a name would be read as a quantifier if no arguments followed it.
pub(super) fn is_quantifier_word(name: &str) -> bool {
    matches!(name, "exists" | "Exists" | "EXISTS")
}

/// `Exists(x)` is a predicate of that name; `exists x` is a quantifier.
fn opens_arguments(rest: &str) -> bool {
    rest.starts_with('(')
}

/// Length in bytes of the name that starts here, if one does.
///
/// Names hold letters and digits of any script, `_`, apostrophes and `+`, and hyphens, full stops and slashes between two
/// of these (`l-2021`, `mr.smith`, `0.08`). A number may hold thousands commas (`500,000`).
fn name_length(rest: &str, before: Option<TokenKind>) -> Option<usize> {
    let mut chars = rest.chars();
    let first = chars.next()?;
    // `+44` as an argument; elsewhere a leading `+` is a connective of sorts.
    let signed = first == '+' && matches!(before, Some(TokenKind::Open | TokenKind::Comma));
    if !(is_name_char(first) || signed) || (signed && !chars.next().is_some_and(char::is_alphanumeric)) {
        return None;
    }
    let mut end = first.len_utf8();
    loop {
        // Most of most names.
        end += rest.as_bytes()[end..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        let mut chars = rest[end..].chars();
        let Some(c) = chars.next() else { break };
        let inside = match c {
            '\'' | '’' | '‘' | '`' | '´' | '+' | '%' | '€' | '£' | '°' | 'º' => true,
            '-' | '‑' | '.' | '/' | '@' | '#' | '*' => chars.next().is_some_and(is_name_char),
            _ => is_name_char(c),
        };
        if !inside {
            break;
        }
        end += c.len_utf8();
    }
    if rest[end..].starts_with(',') && (1..=3).contains(&end) && rest.as_bytes()[..end].iter().all(u8::is_ascii_digit) {
        end += thousands(&rest[end..]);
    }
    Some(end)
}

/// Length of the longest run of `,ddd` groups that no further digit or letter follows.
fn thousands(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut len = 0;
    while bytes.len() >= len + 4 && bytes[len] == b',' && bytes[len + 1..len + 4].iter().all(u8::is_ascii_digit) {
        len += 4;
    }
    if rest[len..].chars().next().is_some_and(is_name_char) { 0 } else { len }
}

fn is_name_char(c: char) -> bool {
    // `ª` and friends are alphabetic; combining marks are not, but belong to the letter before them.
    c.is_alphanumeric() || c == '_' || c == '$' || matches!(c, '\u{300}'..='\u{36f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        tokenize(source).iter().map(|t| t.text(source)).collect()
    }

    #[test]
    fn names_keep_what_real_annotations_put_in_them() {
        for name in [
            "2008SummerOlympics",
            "l-2021",
            "mr.smith",
            "0.08",
            "pSOJ318.5-22",
            "nameO'Dell",
            "nica’sMarket",
            "dani_Shapiro",
            "rudaŚląska",
            "Five-Story",
            "franco-ChinaDiplomaticConference",
            "500,000",
            "1,500,000",
            "c++",
            "a+",
        ] {
            assert_eq!(texts(&format!("P({name})")), ["P", "(", name, ")"], "{name}");
        }
    }

    #[test]
    fn a_comma_between_arguments_is_no_thousands_comma() {
        assert_eq!(texts("P(1,2)"), ["P", "(", "1", ",", "2", ")"]);
        assert_eq!(texts("P(500, 000)"), ["P", "(", "500", ",", "000", ")"]);
        assert_eq!(texts("P(1234,000)"), ["P", "(", "1234", ",", "000", ")"]);
        assert_eq!(texts("P(500,0001)"), ["P", "(", "500", ",", "0001", ")"]);
        assert_eq!(texts("P(500,000é)"), ["P", "(", "500", ",", "000é", ")"]);
    }

    #[test]
    fn a_thousands_comma_is_one_whatever_sign_follows() {
        for sign in ["→", "∧", "∨", "⊕", "↔", "≠", "=", "=>", ")"] {
            let source = format!("500,000{sign}P");
            assert_eq!(texts(&source).first(), Some(&"500,000"), "{source}");
        }
    }

    #[test]
    fn a_full_stop_ends_a_variable_behind_its_quantifier() {
        assert_eq!(texts("∀x.Dog(x)"), ["∀", "x", ".", "Dog", "(", "x", ")"]);
        assert_eq!(texts("∀x1,y.Likes(x1,y)")[..5], ["∀", "x1", ",", "y", "."]);
        assert_eq!(texts("∀x.∀y.P")[..6], ["∀", "x", ".", "∀", "y", "."]);
        assert_eq!(texts("P(mr.smith, x.y)"), ["P", "(", "mr.smith", ",", "x.y", ")"]);
    }

    #[test]
    fn exactly_one_is_a_sign_of_its_own() {
        assert_eq!(texts("∃!x P(x)")[0], "∃!");
        assert_eq!(texts("∃ !x P(x)")[0], "∃ !");
        assert_eq!(tokenize("∃!x")[0].kind, TokenKind::Unknown);
    }

    #[test]
    fn a_full_stop_at_the_end_is_no_part_of_a_name() {
        assert_eq!(texts("P(a)."), ["P", "(", "a", ")", "."]);
        assert_eq!(texts("Rain."), ["Rain", "."]);
    }

    #[test]
    fn arrows_are_not_hyphens() {
        assert_eq!(texts("A->B"), ["A", "->", "B"]);
        assert_eq!(texts("A —> B"), ["A", "—>", "B"]);
        assert_eq!(texts("A<->B"), ["A", "<->", "B"]);
        assert_eq!(texts("x!=y"), ["x", "!=", "y"]);
        assert_eq!(texts("!P(x)"), ["!", "P", "(", "x", ")"]);
    }

    #[test]
    fn words_for_quantifiers() {
        let source = "forall x exists y Exists(x)";
        let kinds: Vec<_> = tokenize(source).iter().map(|t| t.kind).collect();
        assert_eq!(kinds[0], TokenKind::Quantifier(Quantifier::ForAll));
        assert_eq!(kinds[2], TokenKind::Quantifier(Quantifier::Exists));
        assert_eq!(kinds[4], TokenKind::Name);
    }

    #[test]
    fn variants_name_the_usual_sign() {
        let source = "⟷ ⇔ ≡ ⇒ -> => —> <-> & ^ | ~ ! ∼ != ∀ ∧ =";
        let signs: Vec<_> = tokenize(source).iter().map(|t| t.canonical(source)).collect();
        let iff = Some("↔");
        let implies = Some("→");
        let expected = [iff, iff, iff, implies, implies, implies, implies, iff, Some("∧"), Some("∧"), Some("∨")]
            .into_iter()
            .chain([Some("¬"), Some("¬"), Some("¬"), Some("≠"), None, None, None]);
        assert_eq!(signs, expected.collect::<Vec<_>>());
    }
}
