//! From normal form to clauses over the individuals.

use std::collections::BTreeMap;

use batsat::{BasicSolver, Lit, SolverInterface as _, Var};

use super::normal::{Arg, Names, Normal};
use super::solve::GiveUp;

/// Nodes that the expansion of one question may come to.
const MAX_NODES: usize = 2_000_000;

/// The clauses of one question, in the solver as they are made.
pub(super) struct Expansion {
    pub(super) solver: BasicSolver,
    individuals: u32,
    atoms: BTreeMap<(u32, Vec<u32>), Var>,
    equalities: BTreeMap<(u32, u32), Var>,
    /// A literal that is true.
    truth: Lit,
    nodes: usize,
}

impl Expansion {
    pub(super) fn new(individuals: usize) -> Self {
        let mut solver = BasicSolver::default();
        let truth = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![truth]);
        let individuals = u32::try_from(individuals).unwrap_or(u32::MAX);
        Self { solver, individuals, atoms: BTreeMap::new(), equalities: BTreeMap::new(), truth, nodes: 0 }
    }

    /// Whether an equation occurs.
    pub(super) fn has_equalities(&self) -> bool {
        !self.equalities.is_empty()
    }

    /// Every atom that occurs, with its variable.
    pub(super) const fn atoms(&self) -> &BTreeMap<(u32, Vec<u32>), Var> {
        &self.atoms
    }

    /// A fresh literal that, where true, makes the formula true.
    pub(super) fn selector(&mut self, formula: &Normal) -> Result<Lit, GiveUp> {
        let root = self.literal(formula, &mut Vec::new())?;
        let selector = Lit::new(self.solver.new_var_default(), true);
        self.solver.add_clause_reuse(&mut vec![!selector, root]);
        Ok(selector)
    }

    /// A literal that implies the formula under the variables' values. Only this direction is needed: formulas stand
    /// positively (Plaisted and Greenbaum 1986).
    fn literal(&mut self, formula: &Normal, values: &mut Vec<u32>) -> Result<Lit, GiveUp> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(GiveUp::TooLarge);
        }
        match formula {
            Normal::Atom { predicate, args, positive } => {
                let args = args.iter().map(|a| value(*a, values)).collect();
                let var = self.atom(*predicate, args);
                Ok(Lit::new(var, *positive))
            }
            Normal::Equal { left, right, positive } => {
                let equal = self.equality(value(*left, values), value(*right, values));
                Ok(if *positive { equal } else { !equal })
            }
            Normal::And(parts) => {
                let parts = parts.iter().map(|p| self.literal(p, values)).collect::<Result<Vec<_>, _>>()?;
                Ok(self.all(&parts))
            }
            Normal::Or(parts) => {
                let parts = parts.iter().map(|p| self.literal(p, values)).collect::<Result<Vec<_>, _>>()?;
                Ok(self.any(parts))
            }
            Normal::ForAll(variable, body) => {
                let mut parts = Vec::new();
                for individual in 0..self.individuals {
                    // Variables are numbered by nesting, so the values so far are those of the quantifiers around.
                    values.truncate(*variable as usize);
                    values.push(individual);
                    parts.push(self.literal(body, values)?);
                }
                values.truncate(*variable as usize);
                Ok(self.all(&parts))
            }
        }
    }

    fn all(&mut self, parts: &[Lit]) -> Lit {
        if let [only] = parts {
            return *only;
        }
        let lit = Lit::new(self.solver.new_var_default(), true);
        for part in parts {
            self.solver.add_clause_reuse(&mut vec![!lit, *part]);
        }
        lit
    }

    fn any(&mut self, mut parts: Vec<Lit>) -> Lit {
        if let [only] = parts.as_slice() {
            return *only;
        }
        let lit = Lit::new(self.solver.new_var_default(), true);
        parts.push(!lit);
        self.solver.add_clause_reuse(&mut parts);
        lit
    }

    fn atom(&mut self, predicate: u32, args: Vec<u32>) -> Var {
        let solver = &mut self.solver;
        *self.atoms.entry((predicate, args)).or_insert_with(|| solver.new_var_default())
    }

    /// A literal that is true where both are the same individual.
    pub(super) fn equality(&mut self, a: u32, b: u32) -> Lit {
        if a == b {
            return self.truth;
        }
        let solver = &mut self.solver;
        let var = *self.equalities.entry((a.min(b), a.max(b))).or_insert_with(|| solver.new_var_default());
        Lit::new(var, true)
    }

    /// Adds what makes equality an equality: transitivity, and that equal individuals have the same properties. Without
    /// an equation in the question nothing is needed: all individuals may then be different.
    pub(super) fn close_equality(&mut self, names: &Names) -> Result<(), GiveUp> {
        if self.equalities.is_empty() {
            return Ok(());
        }
        let n = self.individuals;
        for a in 0..n {
            for b in 0..n {
                for c in 0..n {
                    if a < c && b != a && b != c {
                        let (ab, bc, ac) = (self.equality(a, b), self.equality(b, c), self.equality(a, c));
                        self.solver.add_clause_reuse(&mut vec![!ab, !bc, ac]);
                    }
                }
            }
        }
        for (number, (_, arity)) in (0..).zip(&names.predicates) {
            self.congruence(number, *arity)?;
        }
        Ok(())
    }

    /// For every tuple, each place and each other individual: equal there means the same truth value.
    fn congruence(&mut self, predicate: u32, arity: usize) -> Result<(), GiveUp> {
        let n = self.individuals as usize;
        let tuples = u32::try_from(arity).ok().and_then(|a| n.checked_pow(a)).filter(|t| t * n * arity <= MAX_NODES);
        let tuples = tuples.ok_or(GiveUp::TooLarge)?;
        for index in 0..tuples {
            let mut rest = index;
            let tuple: Vec<u32> = (0..arity)
                .map(|_| {
                    let digit = u32::try_from(rest % n).unwrap_or_default();
                    rest /= n;
                    digit
                })
                .collect();
            let var = self.atom(predicate, tuple.clone());
            for place in 0..arity {
                for other in 0..self.individuals {
                    if other == tuple[place] {
                        continue;
                    }
                    let mut changed = tuple.clone();
                    changed[place] = other;
                    let same = self.equality(tuple[place], other);
                    let changed = self.atom(predicate, changed);
                    self.solver.add_clause_reuse(&mut vec![!same, Lit::new(var, false), Lit::new(changed, true)]);
                }
            }
        }
        Ok(())
    }
}

fn value(arg: Arg, values: &[u32]) -> u32 {
    match arg {
        Arg::Individual(number) => number,
        Arg::Variable(number) => values.get(number as usize).copied().unwrap_or_default(),
    }
}
