//! Asking a SAT solver, and reading what it says.

use std::collections::{BTreeMap, BTreeSet};

use batsat::{Lit, SolverInterface as _, lbool};

use super::certificate::{self, Certificate};
use super::check::{CheckError, Refutation, check};
use super::expand::Expansion;
use super::finder::{self, table};
use super::normal::{Names, Normal, normalise};
use super::term::Individual;
use crate::fol::Formula;
use crate::fol::model::{EvaluationError, Model};

/// How often the individuals that depend on others are added to those that quantifiers run over.
const ROUNDS: usize = 3;

/// A formula of the question, or its negation.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'a> {
    /// The formula as it was read.
    pub formula: &'a Formula,
    /// Whether it is negated.
    pub negated: bool,
}

/// What grounding says of a set of statements.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// They have this model, in which every one was evaluated and found true.
    Model(Model),
    /// They contradict each other, as this certificate shows, which was checked; with the course of the check.
    Contradiction(Certificate, Refutation),
}

/// Why grounding does not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GiveUp {
    /// Individuals depend on others, and neither a contradiction nor a model was found within the bounds.
    #[error("no small model and no contradiction among small instances")]
    OutOfBounds,
    /// Too many individuals for the nesting of the quantifiers.
    #[error("too large to be grounded")]
    TooLarge,
    /// The solver gave no answer.
    #[error("the SAT solver gave no answer")]
    NoAnswer,
    /// A variable stands outside every quantifier that binds it, which no reading has.
    #[error("the variable `{0}` is not bound")]
    Unbound(String),
    /// There is a contradiction, but no list of single instances shows it.
    #[error("no list of instances shows the contradiction")]
    NoCertificate,
    /// The certificate does not stand its check: a defect here, never to be passed over.
    #[error("the certificate is wrong: {0}")]
    WrongCertificate(#[from] CheckError),
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

impl GiveUp {
    /// Whether this tells of a defect rather than of a bound.
    #[must_use]
    pub const fn is_defect(&self) -> bool {
        match self {
            Self::WrongCertificate(_) | Self::WrongModel { .. } | Self::Unbound(_) => true,
            Self::OutOfBounds | Self::TooLarge | Self::NoAnswer | Self::NoCertificate | Self::Unchecked { .. } => false,
        }
    }
}

/// Decides whether statements have a common model. Free variables of one name are one unknown individual in all. With
/// `unique_names`, constants of different names are different individuals; without, a model in which they are is
/// still sought first.
///
/// # Errors
/// Where the bounds do not suffice.
pub fn decide(statements: &[Statement<'_>], unique_names: bool) -> Result<Answer, GiveUp> {
    match search(statements, unique_names, true)? {
        Found::Model(model) => Ok(Answer::Model(model)),
        Found::Contradiction(Some((certificate, refutation))) => Ok(Answer::Contradiction(certificate, refutation)),
        Found::Contradiction(None) => Err(GiveUp::NoCertificate),
    }
}

/// Like [`decide`], but a contradiction is taken from the solver without a certificate: for those who try many sets of
/// statements and have what they settle on decided once more.
///
/// # Errors
/// Those of [`decide`].
pub fn satisfiable(statements: &[Statement<'_>], unique_names: bool) -> Result<bool, GiveUp> {
    Ok(matches!(search(statements, unique_names, false)?, Found::Model(_)))
}

/// Like [`satisfiable`], with the model where there is one: what does not hold in it need not be tried any more.
///
/// # Errors
/// Those of [`decide`].
pub fn model(statements: &[Statement<'_>], unique_names: bool) -> Result<Option<Model>, GiveUp> {
    match search(statements, unique_names, false)? {
        Found::Model(model) => Ok(Some(model)),
        Found::Contradiction(_) => Ok(None),
    }
}

enum Found {
    Model(Model),
    /// With what shows it, if that was wanted.
    Contradiction(Option<(Certificate, Refutation)>),
}

fn search(statements: &[Statement<'_>], unique_names: bool, certify: bool) -> Result<Found, GiveUp> {
    let mut names = Names::default();
    let numbered = (0..).zip(statements);
    let normal = numbered.map(|(i, s)| normalise(i, s.formula, !s.negated, &mut names));
    let normal = normal.collect::<Result<Vec<_>, _>>()?;
    if names.terms.len() == 0 {
        names.terms.number(Individual::Anyone);
    }
    let base = names.terms.clone();
    for round in 0..ROUNDS {
        let universe = u32::try_from(names.terms.len()).unwrap_or(u32::MAX);
        match ground(&mut names, &normal, unique_names, certify) {
            Ok(Ground::Model(model)) => return checked(model, statements).map(Found::Model),
            Ok(Ground::Contradiction(_)) if !certify => return Ok(Found::Contradiction(None)),
            Ok(Ground::Contradiction(core)) => {
                let chosen: Vec<(usize, &Normal)> =
                    core.into_iter().filter_map(|i| Some((i, normal.get(i)?))).collect();
                let certificate = certificate::build(&mut names, &chosen, universe, unique_names)?;
                let refutation = check(&certificate, statements)?;
                return Ok(Found::Contradiction(Some((certificate, refutation))));
            }
            Ok(Ground::Open) => {}
            // What is too large to be decided may still have a small model.
            Err(GiveUp::TooLarge) => break,
            Err(other) => return Err(other),
        }
        if round == 0 {
            let grown = std::mem::replace(&mut names.terms, base.clone());
            if let Some(model) = finder::find(&names, &normal, false)? {
                return checked(model, statements).map(Found::Model);
            }
            names.terms = grown;
        }
    }
    names.terms = base;
    match finder::find(&names, &normal, !unique_names)? {
        Some(model) => checked(model, statements).map(Found::Model),
        None => Err(GiveUp::OutOfBounds),
    }
}

/// What the clauses over the individuals that are known so far come to.
enum Ground {
    Model(Model),
    /// With a smallest list of statements that contradict each other, empty if that was not wanted.
    Contradiction(Vec<usize>),
    /// They have a model, but quantifiers did not run over all individuals.
    Open,
}

fn ground(names: &mut Names<'_>, normal: &[Normal], unique_names: bool, certify: bool) -> Result<Ground, GiveUp> {
    let mut expansion = Expansion::new(names);
    let selectors = normal.iter().map(|f| expansion.selector(f)).collect::<Result<Vec<_>, _>>()?;
    expansion.close_equality()?;
    let distinct = expansion.distinct_names();
    let preferred: Vec<Lit> = selectors.iter().chain(&distinct).copied().collect();
    let mut attempts = vec![&preferred];
    if !unique_names && !distinct.is_empty() {
        attempts.push(&selectors);
    }
    for assumptions in attempts {
        let answer = expansion.solver.solve_limited(assumptions);
        if answer == lbool::TRUE {
            return Ok(if expansion.is_complete() { Ground::Model(read_model(&mut expansion)?) } else { Ground::Open });
        }
        if answer != lbool::FALSE {
            return Err(GiveUp::NoAnswer);
        }
    }
    if !certify {
        return Ok(Ground::Contradiction(Vec::new()));
    }
    let hard = if unique_names { distinct } else { Vec::new() };
    let core = certificate::minimal_core(&mut expansion, &selectors, &hard)?;
    core.map(Ground::Contradiction).ok_or(GiveUp::NoAnswer)
}

/// The individuals that the solver takes to be equal become one.
fn read_model(expansion: &mut Expansion<'_, '_>) -> Result<Model, GiveUp> {
    let count = u32::try_from(expansion.names.terms.len()).unwrap_or(u32::MAX);
    let mut class_of: Vec<u32> = Vec::new();
    let mut size = 0;
    for b in 0..count {
        let equal = (0..b).find(|a| {
            expansion.names.equations && {
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
    let names = &*expansion.names;
    let mut model = Model { size, ..Model::default() };
    let mut values: BTreeMap<(&str, Vec<u32>), u32> = BTreeMap::new();
    for (number, individual) in (0..).zip(names.terms.all()) {
        match individual {
            Individual::Constant(name) => {
                model.constants.insert(name.clone(), class(number));
            }
            Individual::Free(name) => {
                model.free.insert(name.clone(), class(number));
            }
            Individual::Function(name, args) => {
                values.insert((name, args.iter().map(|a| class(*a)).collect()), class(number));
            }
            Individual::Witness(..) | Individual::Anyone => {}
        }
    }
    for (name, arity) in &names.functions {
        // Where nothing speaks of a value it may be any.
        let value = |args: &[u32]| values.get(&(*name, args.to_vec())).copied().unwrap_or(0);
        model.functions.insert(((*name).to_owned(), *arity), table(size, *arity, value)?);
    }
    let mut tables: Vec<BTreeSet<Vec<u32>>> = vec![BTreeSet::new(); names.predicates.len()];
    for atom in expansion.atoms() {
        if expansion.solver.value_var(atom.var) == lbool::TRUE
            && let Some(table) = tables.get_mut(atom.predicate as usize)
        {
            table.insert(atom.args.iter().map(|a| class(*a)).collect());
        }
    }
    let named = names.predicates.iter().map(|(name, arity)| ((*name).to_owned(), *arity));
    model.predicates = named.zip(tables).collect();
    Ok(model)
}

/// Evaluates every statement as it was read.
fn checked(model: Model, statements: &[Statement<'_>]) -> Result<Model, GiveUp> {
    let evaluator = model.evaluator();
    for (i, statement) in statements.iter().enumerate() {
        match evaluator.holds(statement.formula) {
            Ok(holds) if holds != statement.negated => {}
            Ok(_) => return Err(GiveUp::WrongModel { statement: i }),
            Err(reason) => return Err(GiveUp::Unchecked { statement: i, reason }),
        }
    }
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::parse;

    fn answer(texts: &[&str]) -> Result<Answer, GiveUp> {
        let formulas: Vec<Formula> = texts.iter().map(|t| parse(t).reading().expect("a reading").clone()).collect();
        let statements: Vec<_> = formulas.iter().map(|formula| Statement { formula, negated: false }).collect();
        decide(&statements, false)
    }

    fn contradiction(texts: &[&str]) -> Vec<usize> {
        match answer(texts) {
            Ok(Answer::Contradiction(certificate, _)) => certificate.statements(),
            other => panic!("expected a contradiction, got {other:?}"),
        }
    }

    fn is_satisfiable(texts: &[&str]) -> bool {
        match answer(texts) {
            Ok(Answer::Model(model)) => model.names_distinct(),
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
    }

    #[test]
    fn what_is_too_large_is_given_up() {
        let all = "∀x1 ∀x2 ∀x3 ∀x4 ∀x5 ∀x6 ∀x7 (R(x1, x2) ∨ R(x3, x4) ∨ R(x5, x6) ∨ P(x7))";
        let named: Vec<String> = (0..8).map(|i| format!("P(c{i})")).collect();
        assert!(!is_satisfiable(&[all, &named.join(" ∧ ")]), "a small model, if names may be the same individual's");
        let apart: Vec<String> = (1..8).flat_map(|b| (0..b).map(move |a| format!("c{a} ≠ c{b}"))).collect();
        assert_eq!(answer(&[all, &apart.join(" ∧ ")]), Err(GiveUp::OutOfBounds), "more individuals than are tried");
    }

    #[test]
    fn individuals_that_depend_on_others() {
        assert!(is_satisfiable(&["∀x ∃y (R(x, y))", "∀x ¬R(x, x)"]));
        assert!(is_satisfiable(&["P(mother(a))", "¬P(a)"]));
        assert_eq!(contradiction(&["∀x (P(x) → P(next(x)))", "P(zero)", "Q(zero)", "¬P(next(next(zero)))"]), [0, 1, 3]);
        // Only infinite models.
        let infinite = ["∀x ∃y (Less(x, y))", "∀x ¬Less(x, x)", "∀x ∀y ∀z (Less(x, y) ∧ Less(y, z) → Less(x, z))"];
        assert_eq!(answer(&infinite), Err(GiveUp::OutOfBounds));
    }

    #[test]
    fn names_that_must_be_different() {
        let read = |t: &str| parse(t).reading().expect("a reading").clone();
        let formulas = [read("∀x (P(x) → x = a ∨ x = b)"), read("P(c)"), read("c ≠ a")];
        let statements: Vec<_> = formulas.iter().map(|formula| Statement { formula, negated: false }).collect();
        assert!(matches!(decide(&statements, false), Ok(Answer::Model(model)) if !model.names_distinct()));
        assert!(matches!(decide(&statements, true), Ok(Answer::Contradiction(c, _)) if c.statements() == [0, 1]));
    }
}
