//! A problem for a prover, as TPTP text.

use std::fmt::Write as _;

/// What a statement is to the prover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Taken as given.
    Axiom,
    /// To be proved from the axioms.
    Conjecture,
}

impl Role {
    /// TPTP's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Axiom => "axiom",
            Self::Conjecture => "conjecture",
        }
    }
}

/// One annotated formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its name in the file, a plain lower-case TPTP word such as `premise_0`; proofs refer to it.
    pub name: String,
    /// What it is to the prover.
    pub role: Role,
    /// The closed formula in TPTP's FOF syntax.
    pub formula: String,
    /// Written above it as comments: the author's own formula, the sentence.
    pub comments: Vec<String>,
}

/// Statements about which one question is asked: with a conjecture, whether it follows; without, whether the axioms
/// have a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Problem {
    /// The stem of its file where problems are saved.
    pub name: String,
    /// Written at the top as comments.
    pub header: Vec<String>,
    /// The statements, in order.
    pub statements: Vec<Statement>,
}

impl Problem {
    /// The text that provers read: no comments, so that what is asked depends on the formulas alone.
    #[must_use]
    pub fn to_tptp(&self) -> String {
        let mut out = String::new();
        for s in &self.statements {
            let _ = writeln!(out, "fof({}, {}, {}).", s.name, s.role.as_str(), s.formula);
        }
        out
    }

    /// The text that people read and rerun: the same statements, with comments.
    #[must_use]
    pub fn to_annotated_tptp(&self) -> String {
        let mut out = String::new();
        for line in self.header.iter().flat_map(|h| h.lines()) {
            let _ = writeln!(out, "% {line}");
        }
        for s in &self.statements {
            out.push('\n');
            for line in s.comments.iter().flat_map(|c| c.lines()) {
                let _ = writeln!(out, "% {line}");
            }
            let _ = writeln!(out, "fof({}, {}, {}).", s.name, s.role.as_str(), s.formula);
        }
        out
    }

    /// Whether a conjecture is asked about.
    #[must_use]
    pub fn has_conjecture(&self) -> bool {
        self.statements.iter().any(|s| s.role == Role::Conjecture)
    }
}
