//! The kinds of errors that are made.

use std::fmt;
use std::str::FromStr;

/// A kind of error that authors of formulas make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorKind {
    /// A bracket is not there. Half of these are the last closing one of an annotation.
    DroppedBracket,
    /// One use of a predicate, constant or function has a letter swapped with the next, dropped, doubled or replaced.
    Misspelt,
    /// A symbol's name has another letter as a capital, in all its uses in an annotation.
    Case,
    /// A word of a symbol's name has a plural or verb ending more or less, in all its uses in an annotation.
    Inflection,
    /// `∀` for `∃`, or the other way round.
    Quantifier,
    /// `∧` for `→`, or the other way round.
    AndImplies,
    /// `∨` for `⊕`, or the other way round.
    OrXor,
    /// A `¬` is not there.
    LostNegation,
    /// Two different arguments of one atom stand in each other's place.
    SwappedArguments,
    /// A variable that no quantifier binds: in the place of a constant, by another name of one use, or because the
    /// brackets around what its quantifier binds are not there.
    FreeVariable,
    /// `HaveHorseRanch(x)` for `Have(x, horseRanch)`, in one annotation.
    PackedArgument,
}

impl ErrorKind {
    /// Every kind, in the order of tables.
    pub const ALL: [Self; 11] = [
        Self::DroppedBracket,
        Self::Misspelt,
        Self::Case,
        Self::Inflection,
        Self::Quantifier,
        Self::AndImplies,
        Self::OrXor,
        Self::LostNegation,
        Self::SwappedArguments,
        Self::FreeVariable,
        Self::PackedArgument,
    ];

    /// The word used in every output and at the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DroppedBracket => "dropped-bracket",
            Self::Misspelt => "misspelt",
            Self::Case => "case",
            Self::Inflection => "inflection",
            Self::Quantifier => "quantifier",
            Self::AndImplies => "and-implies",
            Self::OrXor => "or-xor",
            Self::LostNegation => "lost-negation",
            Self::SwappedArguments => "swapped-arguments",
            Self::FreeVariable => "free-variable",
            Self::PackedArgument => "packed-argument",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that names no kind of error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind of error {0:?}")]
pub struct UnknownKind(pub String);

impl FromStr for ErrorKind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or_else(|| UnknownKind(text.to_owned()))
    }
}
