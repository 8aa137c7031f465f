//! First-order logic as text and as trees.

pub mod ast;
pub mod canonical;
pub mod issue;
pub mod lexer;
pub mod model;
pub mod parser;
pub mod print;
pub mod sample;
pub mod scope;
pub mod shape;
pub mod tptp;

pub use ast::{Atom, Connective, Formula, FormulaKind, Quantifier, SymbolKind, SymbolUse, Term, TermKind, Variable};
pub use issue::{SyntaxIssue, SyntaxIssueKind};
pub use parser::{Parsed, QuantifierScope, parse, parse_with, reading_of};
