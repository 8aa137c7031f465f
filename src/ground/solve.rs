//! Asking a SAT solver, and reading what it says.

use std::collections::{BTreeMap, BTreeSet};

use batsat::{Lit, SolverInterface as _, lbool};

use super::expand::Expansion;
use super::normal::{Individual, Names, normalise};
use crate::fol::Formula;
use crate::fol::model::{EvaluationError, Model};

/// A formula of the question, or its negation.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'a> {
    /// The formula as it was read.
    pub formula: &'a Formula,
    /// Whether it is negated.
    pub negated: bool,
}

/// What grounding says of a set of statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// They have this model, in which every one was evaluated and found true.
    Model {
        /// The model.
        model: Model,
        /// Whether constants of different names are different individuals in it. Such a model is sought first.
        names_distinct: bool,
    },
    /// They contradict each other; the 0-based statements of a minimal set that does.
    Contradiction(Vec<usize>),
}

/// Why grounding does not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GiveUp {
    /// A function occurs, or an existential quantifier depends on a universal one.
    #[error("needs functions")]
    NeedsFunctions,
    /// Too many individuals for the nesting of the quantifiers.
    #[error("too large to be grounded")]
    TooLarge,
    /// The solver gave no answer.
    #[error("the SAT solver gave no answer")]
    NoAnswer,
    /// The model found does not make a statement true: a defect here, never to be passed over.
    #[error("statement {statement} is not true in the model found")]
    WrongModel {
        /// Its 0-based index.
        statement: usize,
    },
    /// The model found could not be checked.
    #[error("statement {statement} cannot be checked in the model found: {reason}")]
    Unchecked {
        /// Its 0-based index.
        statement: usize,
        /// Why not.
        reason: EvaluationError,
    },
}

/// Decides whether statements have a common model. Free variables of one name are one unknown individual in all.
///
/// # Errors
/// Where the statements are not of the class that grounding decides, or too large for it.
pub fn decide(statements: &[Statement<'_>]) -> Result<Answer, GiveUp> {
    let mut names = Names::default();
    let normal =
        statements.iter().map(|s| normalise(s.formula, !s.negated, &mut names)).collect::<Result<Vec<_>, _>>()?;
    if names.individuals.is_empty() {
        // Domains are not empty.
        names.witness();
    }
    let mut expansion = Expansion::new(names.individuals.len());
    let selectors = normal.iter().map(|f| expansion.selector(f)).collect::<Result<Vec<_>, _>>()?;
    expansion.close_equality(&names)?;

    let mut distinct = selectors.clone();
    distinct.extend(distinct_names(&names, &mut expansion));
    for (assumptions, names_distinct) in [(&distinct, true), (&selectors, false)] {
        let answer = expansion.solver.solve_limited(assumptions);
        if answer == lbool::TRUE {
            let model = read_model(&names, &mut expansion);
            check(&model, statements)?;
            return Ok(Answer::Model { model, names_distinct });
        }
        if answer != lbool::FALSE {
            return Err(GiveUp::NoAnswer);
        }
    }
    minimal_core(&mut expansion, &selectors).map(Answer::Contradiction)
}

/// That no two constants of the author's are the same individual; only for those that an equation speaks of.
fn distinct_names(names: &Names, expansion: &mut Expansion) -> Vec<Lit> {
    if !expansion.has_equalities() {
        return Vec::new();
    }
    let constants: Vec<u32> = (0..)
        .zip(&names.individuals)
        .filter(|(_, i)| matches!(i, Individual::Constant(_)))
        .map(|(number, _)| number)
        .collect();
    let mut out = Vec::new();
    for (i, a) in constants.iter().enumerate() {
        for b in &constants[i + 1..] {
            out.push(!expansion.equality(*a, *b));
        }
    }
    out
}

/// Drops statement after statement from those the solver needed, keeping each without which there is a model.
fn minimal_core(expansion: &mut Expansion, selectors: &[Lit]) -> Result<Vec<usize>, GiveUp> {
    let solver = &mut expansion.solver;
    let mut core: Vec<usize> =
        (0..selectors.len()).filter(|i| solver.unsat_core_contains_var(selectors[*i].var())).collect();
    let mut at = 0;
    while at < core.len() {
        let without: Vec<Lit> = core.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, s)| selectors[*s]).collect();
        let answer = solver.solve_limited(&without);
        if answer == lbool::FALSE {
            core.remove(at);
        } else if answer == lbool::TRUE {
            at += 1;
        } else {
            return Err(GiveUp::NoAnswer);
        }
    }
    Ok(core)
}

/// The individuals that the solver takes to be equal become one.
fn read_model(names: &Names, expansion: &mut Expansion) -> Model {
    let count = u32::try_from(names.individuals.len()).unwrap_or(u32::MAX);
    let has_equalities = expansion.has_equalities();
    let mut class_of: Vec<u32> = Vec::new();
    let mut size = 0;
    for b in 0..count {
        let equal = (0..b).find(|a| {
            has_equalities && {
                let lit = expansion.equality(*a, b);
                expansion.solver.value_lit(lit) == lbool::TRUE
            }
        });
        let class = equal.and_then(|a| class_of.get(a as usize).copied()).unwrap_or_else(|| {
            size += 1;
            size - 1
        });
        class_of.push(class);
    }
    let class = |individual: u32| class_of.get(individual as usize).copied().unwrap_or_default();
    let mut model = Model { size, ..Model::default() };
    for (number, individual) in (0..).zip(&names.individuals) {
        match individual {
            Individual::Constant(name) => model.constants.insert(name.clone(), class(number)),
            Individual::Free(name) => model.free.insert(name.clone(), class(number)),
            Individual::Witness => None,
        };
    }
    let mut tables: BTreeMap<(String, usize), BTreeSet<Vec<u32>>> =
        names.predicates.iter().map(|p| (p.clone(), BTreeSet::new())).collect();
    for ((predicate, args), var) in expansion.atoms() {
        if expansion.solver.value_var(*var) == lbool::TRUE
            && let Some(table) = names.predicates.get(*predicate as usize).and_then(|p| tables.get_mut(p))
        {
            table.insert(args.iter().map(|a| class(*a)).collect());
        }
    }
    model.predicates = tables;
    model
}

/// Evaluates every statement as it was read.
fn check(model: &Model, statements: &[Statement<'_>]) -> Result<(), GiveUp> {
    for (i, statement) in statements.iter().enumerate() {
        match model.holds(statement.formula) {
            Ok(holds) if holds != statement.negated => {}
            Ok(_) => return Err(GiveUp::WrongModel { statement: i }),
            Err(reason) => return Err(GiveUp::Unchecked { statement: i, reason }),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::parse;

    fn answer(texts: &[&str]) -> Result<Answer, GiveUp> {
        let formulas: Vec<Formula> = texts.iter().map(|t| parse(t).reading().expect("a reading").clone()).collect();
        let statements: Vec<_> = formulas.iter().map(|formula| Statement { formula, negated: false }).collect();
        decide(&statements)
    }

    fn contradiction(texts: &[&str]) -> Vec<usize> {
        match answer(texts) {
            Ok(Answer::Contradiction(core)) => core,
            other => panic!("expected a contradiction, got {other:?}"),
        }
    }

    fn is_satisfiable(texts: &[&str]) -> bool {
        match answer(texts) {
            Ok(Answer::Model { names_distinct, .. }) => names_distinct,
            other => panic!("expected a model, got {other:?}"),
        }
    }

    #[test]
    fn chains_are_followed_and_the_core_is_minimal() {
        let core = contradiction(&[
            "∀x (Cat(x) → Animal(x))",
            "∀x (Dog(x) → Animal(x))",
            "∀x (Animal(x) → Mortal(x))",
            "Cat(tom)",
            "Dog(rex)",
            "¬Mortal(rex)",
        ]);
        assert_eq!(core, [1, 2, 4, 5]);
    }

    #[test]
    fn models_are_found_where_there_are_any() {
        assert!(is_satisfiable(&["∀x (Dog(x) → Animal(x))", "Dog(rex)", "¬Animal(tom)"]));
        assert!(is_satisfiable(&["∃x (Dog(x))", "¬Dog(rex)"]));
        assert!(is_satisfiable(&["Rain ⊕ Snow", "Rain ↔ ¬Snow"]));
        assert!(is_satisfiable(&[]));
    }

    #[test]
    fn the_domain_is_not_empty() {
        assert_eq!(contradiction(&["∀x (Dog(x))", "∀x (¬Dog(x))"]), [0, 1]);
    }

    #[test]
    fn equality_is_real_equality() {
        assert_eq!(contradiction(&["a = b", "b = c", "P(a, d)", "¬P(c, d)"]), [0, 1, 2, 3]);
        assert_eq!(contradiction(&["a ≠ a"]), [0]);
        assert!(!is_satisfiable(&["a = b", "P(a)"]), "only with two names for one individual");
        assert!(is_satisfiable(&["∃x ∃y (¬(x = y) ∧ P(x) ∧ P(y))"]));
        assert_eq!(contradiction(&["∀x (P(x) → x = a ⊕ x = b)", "P(c)", "c ≠ a", "c ≠ b"]), [0, 1, 2, 3]);
    }

    #[test]
    fn free_variables_of_one_name_are_one_individual() {
        assert_eq!(contradiction(&["P(x)", "¬P(x)"]), [0, 1]);
        assert!(is_satisfiable(&["P(x)", "¬P(y)"]));
    }

    #[test]
    fn a_witness_is_shared_where_nothing_depends_on_it() {
        assert!(is_satisfiable(&["∀x (P(x) → ∃y (Q(y)))", "P(a)"]));
        assert_eq!(answer(&["∀x ∃y (R(x, y))"]), Err(GiveUp::NeedsFunctions));
        assert_eq!(answer(&["P(mother(a))"]), Err(GiveUp::NeedsFunctions));
    }

    #[test]
    fn what_is_too_large_is_given_up() {
        let constants: String = (0..60).map(|i| format!("P(c{i}) ∧ ")).collect();
        let prefix = "∀x1 ∀x2 ∀x3 ∀x4 ∀x5 ";
        let text = format!("{constants}{prefix}(R(x1, x2) ∨ R(x3, x4) ∨ P(x5))");
        assert_eq!(answer(&[&text]), Err(GiveUp::TooLarge));
    }
}
