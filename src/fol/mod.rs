//! First-order logic as text and as trees.

pub mod ast;
pub mod parser;

pub use ast::{Atom, Connective, Formula, FormulaKind, Quantifier, SymbolKind, SymbolUse, Term, TermKind, Variable};
pub use parser::{Parsed, SyntaxIssue, SyntaxIssueKind};
