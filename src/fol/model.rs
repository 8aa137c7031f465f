//! Finite models, and what holds in them.
//!
//! Evaluation works on the syntax tree as it was read and on nothing else, so that a model which makes a formula true is
//! evidence that depends neither on a prover nor on how the formula was lowered for one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use foldhash::fast::RandomState;

use super::ast::{Atom, Connective, Formula, FormulaKind, Quantifier, Term, TermKind};

/// Steps that evaluating one formula may take; nested quantifiers over a large domain end here.
const BUDGET: u64 = 5_000_000;

/// A finite interpretation: individuals are the numbers below [`Model::size`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Model {
    /// How many individuals there are; at least one.
    pub size: u32,
    /// The individual that each constant names.
    pub constants: BTreeMap<String, u32>,
    /// The unknown individual that each free variable stands for.
    pub free: BTreeMap<String, u32>,
    /// For each predicate, by name and arity, the tuples of which it holds. A predicate that is listed holds of no other
    /// tuple; one that is not listed has no meaning here.
    pub predicates: BTreeMap<(String, usize), BTreeSet<Vec<u32>>>,
    /// For each function, by name and arity, its value for each tuple.
    pub functions: BTreeMap<(String, usize), BTreeMap<Vec<u32>, u32>>,
}

/// Why a formula has no truth value in a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// A symbol has no meaning in the model.
    #[error("the model gives no meaning to `{0}`")]
    Unknown(String),
    /// A number that is no individual of the model.
    #[error("`{0}` does not name an individual of the model")]
    OutOfDomain(String),
    /// Too many steps.
    #[error("evaluating takes more than {BUDGET} steps")]
    TooLong,
}

impl Model {
    /// Whether constants of different names are different individuals.
    #[must_use]
    pub fn names_distinct(&self) -> bool {
        self.constants.values().collect::<BTreeSet<_>>().len() == self.constants.len()
    }

    /// Whether a formula holds. Free variables stand for the individuals that the model gives them.
    ///
    /// # Errors
    /// Where the model gives a symbol no meaning, or evaluation takes too long.
    pub fn holds(&self, formula: &Formula) -> Result<bool, EvaluationError> {
        self.evaluator().holds(formula)
    }

    /// For evaluating more than one formula: names are looked up faster.
    #[must_use]
    pub fn evaluator(&self) -> Evaluator<'_> {
        Evaluator {
            size: self.size,
            constants: self.constants.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
            free: self.free.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
            predicates: self.predicates.iter().map(|((name, arity), t)| ((name.as_str(), *arity), t)).collect(),
            functions: self.functions.iter().map(|((name, arity), t)| ((name.as_str(), *arity), t)).collect(),
        }
    }
}

/// A map with a fast hash.
type Map<K, V> = HashMap<K, V, RandomState>;

/// A model in which formulas are evaluated.
#[derive(Debug)]
pub struct Evaluator<'m> {
    size: u32,
    constants: Map<&'m str, u32>,
    free: Map<&'m str, u32>,
    predicates: Map<(&'m str, usize), &'m BTreeSet<Vec<u32>>>,
    functions: Map<(&'m str, usize), &'m BTreeMap<Vec<u32>, u32>>,
}

impl Evaluator<'_> {
    /// As [`Model::holds`].
    ///
    /// # Errors
    /// As [`Model::holds`].
    pub fn holds(&self, formula: &Formula) -> Result<bool, EvaluationError> {
        Evaluation { model: self, bound: Vec::new(), steps: 0 }.formula(formula)
    }
}

struct Evaluation<'a> {
    model: &'a Evaluator<'a>,
    /// Variables of the quantifiers around the current place, innermost last.
    bound: Vec<(&'a str, u32)>,
    steps: u64,
}

impl<'a> Evaluation<'a> {
    fn formula(&mut self, formula: &'a Formula) -> Result<bool, EvaluationError> {
        self.steps += 1;
        if self.steps > BUDGET {
            return Err(EvaluationError::TooLong);
        }
        Ok(match &formula.kind {
            FormulaKind::Constant(value) => *value,
            FormulaKind::Atom(atom) => self.atom(atom)?,
            FormulaKind::Equal(a, b) => self.term(a)? == self.term(b)?,
            FormulaKind::NotEqual(a, b) => self.term(a)? != self.term(b)?,
            FormulaKind::Not(a) => !self.formula(a)?,
            // Both sides are looked at, so that a symbol without meaning is an error wherever it stands.
            FormulaKind::Binary(connective, a, b) => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                match connective {
                    Connective::And => a && b,
                    Connective::Or => a || b,
                    Connective::Xor => a != b,
                    Connective::Implies => !a || b,
                    Connective::Iff => a == b,
                }
            }
            FormulaKind::Quantified(quantifier, variables, body) => {
                let names: Vec<&str> = variables.iter().map(|v| v.name.as_str()).collect();
                self.quantified(*quantifier, &names, body)?
            }
        })
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        names: &[&'a str],
        body: &'a Formula,
    ) -> Result<bool, EvaluationError> {
        let Some((first, rest)) = names.split_first() else { return self.formula(body) };
        let mut any = false;
        let mut all = true;
        for individual in 0..self.model.size {
            self.bound.push((first, individual));
            let value = self.quantified(quantifier, rest, body);
            self.bound.pop();
            let value = value?;
            any |= value;
            all &= value;
        }
        Ok(match quantifier {
            Quantifier::ForAll => all,
            Quantifier::Exists => any,
        })
    }

    fn atom(&self, atom: &Atom) -> Result<bool, EvaluationError> {
        let args = atom.args.iter().map(|t| self.term(t)).collect::<Result<Vec<u32>, _>>()?;
        let tuples = self
            .model
            .predicates
            .get(&(atom.name.as_str(), args.len()))
            .ok_or_else(|| EvaluationError::Unknown(atom.name.clone()))?;
        Ok(tuples.contains(&args))
    }

    fn term(&self, term: &Term) -> Result<u32, EvaluationError> {
        let (name, value) = match &term.kind {
            TermKind::Bound(name) => (name, self.bound.iter().rev().find(|(n, _)| n == name).map(|(_, v)| *v)),
            TermKind::Free(name) => (name, self.model.free.get(name.as_str()).copied()),
            TermKind::Constant(name) => (name, self.model.constants.get(name.as_str()).copied()),
            TermKind::Function(name, args) => {
                let args = args.iter().map(|t| self.term(t)).collect::<Result<Vec<u32>, _>>()?;
                let table = self.model.functions.get(&(name.as_str(), args.len()));
                (name, table.and_then(|t| t.get(&args)).copied())
            }
        };
        let value = value.ok_or_else(|| EvaluationError::Unknown(name.clone()))?;
        if value < self.model.size { Ok(value) } else { Err(EvaluationError::OutOfDomain(name.clone())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::parse;

    fn model() -> Model {
        let tuples = |tuples: &[&[u32]]| tuples.iter().map(|t| t.to_vec()).collect::<BTreeSet<_>>();
        Model {
            size: 2,
            constants: [("rex".to_owned(), 0), ("tom".to_owned(), 1), ("hund".to_owned(), 0)].into(),
            free: [("x".to_owned(), 1)].into(),
            predicates: [
                (("Dog".to_owned(), 1), tuples(&[&[0]])),
                (("Chases".to_owned(), 2), tuples(&[&[0, 1]])),
                (("Rain".to_owned(), 0), tuples(&[&[]])),
            ]
            .into(),
            functions: [(("owner".to_owned(), 1), [(vec![0], 1), (vec![1], 0)].into())].into(),
        }
    }

    fn holds(text: &str) -> Result<bool, EvaluationError> {
        model().holds(parse(text).reading().expect("a reading"))
    }

    #[test]
    fn truth_is_that_of_the_tables() {
        for text in [
            "Dog(rex) ∧ ¬Dog(tom)",
            "∃y (Dog(y) ∧ Chases(y, tom))",
            "∀y (Dog(y) → ∃z (Chases(y, z)))",
            "rex = hund ∧ rex ≠ tom",
            "Rain ⊕ Dog(tom)",
            "Dog(tom) ↔ ¬Rain",
            "Dog(owner(tom)) ∧ owner(owner(tom)) = tom",
            "∀y,z (Chases(y, z) → ¬(y = z))",
            "∀y (∃y (Dog(y)) ∨ Dog(y))",
        ] {
            assert_eq!(holds(text), Ok(true), "{text}");
            assert_eq!(holds(&format!("¬({text})")), Ok(false), "{text}");
        }
        assert_eq!(holds("Dog(x)"), Ok(false), "the free x is tom");
    }

    #[test]
    fn what_has_no_meaning_has_no_truth_value() {
        assert_eq!(holds("Cat(rex) ∨ Rain"), Err(EvaluationError::Unknown("Cat".to_owned())));
        assert_eq!(holds("Dog(rex, rex)"), Err(EvaluationError::Unknown("Dog".to_owned())));
        assert_eq!(holds("Dog(anna)"), Err(EvaluationError::Unknown("anna".to_owned())));
        assert_eq!(holds("Dog(mother(rex))"), Err(EvaluationError::Unknown("mother".to_owned())));
        assert_eq!(holds("Dog(owner(rex, rex))"), Err(EvaluationError::Unknown("owner".to_owned())));
    }

    #[test]
    fn long_evaluations_end() {
        let prefix: String = (0..40).map(|i| format!("∀y{i} ")).collect();
        assert_eq!(holds(&format!("{prefix}(y0 = y0)")), Err(EvaluationError::TooLong));
    }
}
