//! That a proof starts from the formulas that were asked about.
//!
//! A derivation quotes the formulas it starts from. They are read back and compared with the problem's own, so that a
//! prover which misread its input, or a proof that was altered, is found out.

use super::problem::{Problem, Role};
use super::tstp::{self, TstpError};
use crate::fol::shape;
use crate::fol::tptp::{self, TptpError};

/// Why a proof does not start from the problem's formulas.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum LeafError {
    /// The proof cannot be read.
    #[error(transparent)]
    Proof(#[from] TstpError),
    /// A formula it starts from cannot be read, or the problem's own cannot.
    #[error("a formula the proof starts from is unreadable: {0}")]
    Formula(#[from] TptpError),
    /// It starts from a formula that the problem does not have.
    #[error("the proof starts from `{0}`, which the problem lacks")]
    Stranger(String),
    /// It quotes a formula of the problem wrongly.
    #[error("the proof starts from `{name}` as {quoted:?}, which the problem does not say")]
    Different {
        /// The statement's name.
        name: String,
        /// What the proof makes of it.
        quoted: String,
    },
    /// It starts from the conjecture as if that were given.
    #[error("the proof starts from the conjecture `{0}` as if it were an axiom")]
    Assumed(String),
}

/// Compares every formula that a proof takes from the input with the problem's.
///
/// # Errors
/// Where one differs in more than the names of variables, brackets and the order of `&`, `|` and `=`.
pub(super) fn compare(proof: &str, problem: &Problem) -> Result<(), LeafError> {
    for step in tstp::steps(proof)? {
        // A step that is inferred from others, or introduced, quotes nothing.
        let Some(source) = step.source.as_ref().filter(|s| s.name == "file") else { continue };
        let mut names = Vec::new();
        source.inputs(&mut names);
        for name in names {
            let statement = problem.statements.iter().find(|s| s.name == name);
            let statement = statement.ok_or_else(|| LeafError::Stranger(name.to_owned()))?;
            let negated = step.role == "negated_conjecture";
            match (statement.role, step.role.as_str()) {
                (Role::Conjecture, "conjecture" | "negated_conjecture") | (Role::Axiom, _) => {}
                (Role::Conjecture, _) => return Err(LeafError::Assumed(name.to_owned())),
            }
            let asked = tptp::read(&statement.formula)?;
            let quoted = tptp::read(&step.formula)?;
            if shape::key(&quoted, false) != shape::key(&asked, negated) {
                return Err(LeafError::Different { name: name.to_owned(), quoted: step.formula });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::Statement;

    fn problem() -> Problem {
        let statement = |name: &str, role, formula: &str| Statement {
            name: name.to_owned(),
            role,
            formula: formula.to_owned(),
            comments: Vec::new(),
        };
        Problem {
            statements: vec![
                statement("premise_0", Role::Axiom, "! [V_x,V_y] : (p2_R(V_x,V_y) => (p1_P(V_x) <~> p1_P(V_y)))"),
                statement("premise_1", Role::Axiom, "(p1_P(c_a) & p1_Q(c_a) & c_a != c_b)"),
                statement("conclusion", Role::Conjecture, "p1_P(c_b)"),
            ],
            ..Problem::default()
        }
    }

    fn leaf(role: &str, formula: &str, name: &str) -> Result<(), LeafError> {
        compare(&format!("fof(f1,{role},(\n  {formula}),\n  file('/dev/stdin',{name}))."), &problem())
    }

    #[test]
    fn the_same_formula_may_be_quoted_in_other_words() {
        for formula in [
            "! [X0,X1] : (p2_R(X0,X1) => (p1_P(X0) <~> p1_P(X1)))",
            "! [X1] : ! [X0] : (p2_R(X1,X0) => (p1_P(X1) <~> p1_P(X0)))",
            "![X1, X2]:((p2_R(X1,X2)=>~((p1_P(X1)<=>p1_P(X2)))))",
        ] {
            assert_eq!(leaf("axiom", formula, "premise_0"), Ok(()), "{formula}");
        }
        assert_eq!(leaf("axiom", "(c_b != c_a & (p1_Q(c_a) & p1_P(c_a)))", "premise_1"), Ok(()));
        assert_eq!(leaf("conjecture", "p1_P(c_b)", "conclusion"), Ok(()));
        assert_eq!(leaf("negated_conjecture", "~p1_P(c_b)", "conclusion"), Ok(()));
    }

    #[test]
    fn a_doctored_proof_is_found_out() {
        let different = |formula: &str, name: &str| {
            let error = leaf("axiom", formula, name).expect_err("doctored");
            assert!(matches!(error, LeafError::Different { .. }), "{formula}: {error}");
        };
        different("! [X0,X1] : (p2_R(X1,X0) => (p1_P(X0) <=> p1_P(X1)))", "premise_0");
        different("! [X0,X1] : (p2_R(X0,X0) => (p1_P(X0) <~> p1_P(X1)))", "premise_0");
        different("? [X0,X1] : (p2_R(X0,X1) => (p1_P(X0) <~> p1_P(X1)))", "premise_0");
        different("! [X0,X1] : ((p1_P(X0) <~> p1_P(X1)) => p2_R(X0,X1))", "premise_0");
        different("(p1_P(c_a) & p1_Q(c_b) & c_a != c_b)", "premise_1");
        different("(p1_P(c_a) & p1_Q(c_a) & c_a = c_b)", "premise_1");
        different("(p1_P(c_a) | p1_Q(c_a) | c_a != c_b)", "premise_1");
        let stranger = leaf("axiom", "p1_P(c_b)", "premise_7");
        assert_eq!(stranger, Err(LeafError::Stranger("premise_7".to_owned())));
        let assumed = leaf("axiom", "p1_P(c_b)", "conclusion");
        assert_eq!(assumed, Err(LeafError::Assumed("conclusion".to_owned())));
        assert!(matches!(leaf("negated_conjecture", "p1_P(c_b)", "conclusion"), Err(LeafError::Different { .. })));
        assert!(matches!(leaf("axiom", "p1_P(", "premise_1"), Err(LeafError::Proof(_))));
        assert!(matches!(leaf("axiom", "p1_P(c_a) &", "premise_1"), Err(LeafError::Formula(_))));
    }
}
