//! Symbols that never meet.

use serde::Serialize;

use super::story::{Story, kind_word, symbols};
use crate::diagnostic::Target;
use crate::fol::SymbolKind;

/// A symbol, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Loose {
    /// Its name.
    pub name: String,
    /// `predicate`, `function` or `constant`.
    pub kind: &'static str,
    /// How many arguments it takes.
    pub arity: usize,
    /// The annotation that has it.
    #[serde(serialize_with = "super::as_text")]
    pub target: Target,
}

/// Symbols without which nothing can be derived, or from which nothing is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Unmet {
    /// Symbols of the conclusion that no premise has.
    pub conclusion_only: Vec<Loose>,
    /// Predicates that one premise has and nothing else: nothing said with them leads on.
    pub used_once: Vec<Loose>,
}

pub(super) fn unmet(story: &Story<'_>) -> Unmet {
    let mut out = Unmet::default();
    for used in symbols(story) {
        let [only] = used.parts.as_slice() else { continue };
        let Some(part) = story.parts.get(*only) else { continue };
        let loose =
            Loose { name: used.name.to_owned(), kind: kind_word(used.kind), arity: used.arity, target: part.target };
        match (part.target, used.kind) {
            (_, SymbolKind::Free) => {}
            (Target::Conclusion, _) => out.conclusion_only.push(loose),
            // An individual that is spoken of once is nothing unusual.
            (_, SymbolKind::Predicate) => out.used_once.push(loose),
            _ => {}
        }
    }
    out
}
