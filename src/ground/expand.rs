//! From normal form to clauses over individuals.

use std::collections::BTreeMap;

use super::Map;
use batsat::{BasicSolver, Lit, SolverInterface as _, Var};

use super::GiveUp;
use super::normal::{Arg, Names, Normal};
use super::term::{Individual, Place};

/// Nodes that the expansion of one question may come to.
pub(super) const MAX_NODES: usize = 400_000;

/// A predicate applied to individuals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Atom {
    /// By number.
    pub(super) predicate: u32,
    /// By number.
    pub(super) args: Vec<u32>,
    /// Whether it holds.
    pub(super) var: Var,
}

/// The clauses of one question, in the solver as they are made. Quantifiers run over the individuals below a number;
/// individuals that depend on those are added to the names as they turn up.
pub(super) struct Expansion<'n, 'a> {
    pub(super) solver: BasicSolver,
    pub(super) names: &'n mut Names<'a>,
    universe: u32,
    /// Every atom that occurs, in the order in which they turned up.
    atoms: Vec<Atom>,
    /// Those of at most two arguments, predicate and arguments packed into one number; the others in full.
    short: Map<(u32, u64), Var>,
    long: Map<(u32, Vec<u32>), Var>,
    equalities: Map<(u32, u32), Var>,
    /// A literal that is true.
    truth: Lit,
    /// Where a clause is put together.
    clause: Vec<Lit>,
    nodes: usize,
}

impl<'n, 'a> Expansion<'n, 'a> {
    pub(super) fn new(names: &'n mut Names<'a>) -> Self {
        let mut solver = BasicSolver::default();
        let truth = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![truth]);
        let universe = u32::try_from(names.terms.len()).unwrap_or(u32::MAX);
        Self {
            solver,
            names,
            universe,
            atoms: Vec::new(),
            short: Map::default(),
            long: Map::default(),
            equalities: Map::default(),
            truth,
            clause: Vec::new(),
            nodes: 0,
        }
    }

    /// Whether quantifiers ran over every individual that turned up: then a model of the clauses is one of the question.
    pub(super) fn is_complete(&self) -> bool {
        self.names.terms.len() == self.universe as usize
    }

    /// Every atom that occurs.
    pub(super) fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    fn count(&mut self) -> Result<(), GiveUp> {
        self.nodes += 1;
        if self.nodes > MAX_NODES { Err(GiveUp::TooLarge) } else { Ok(()) }
    }

    /// A fresh literal that, where true, makes the formula true.
    pub(super) fn selector(&mut self, formula: &Normal) -> Result<Lit, GiveUp> {
        let selector = Lit::new(self.solver.new_var_default(), true);
        self.assert(&mut vec![!selector], formula, &mut Vec::new(), None)?;
        Ok(selector)
    }

    /// A fresh literal that, where true, makes the instance of the formula true.
    pub(super) fn instance(&mut self, formula: &Normal, choices: &BTreeMap<Place, u32>) -> Result<Lit, GiveUp> {
        let selector = Lit::new(self.solver.new_var_default(), true);
        self.assert(&mut vec![!selector], formula, &mut Vec::new(), Some(choices))?;
        Ok(selector)
    }

    /// Adds clauses by which the formula is true unless one of `or` is; most formulas come to one clause for each way to
    /// choose their variables. With `choices`, only for these individuals: what is under a variable that has none is left
    /// out.
    fn assert(
        &mut self,
        or: &mut Vec<Lit>,
        formula: &Normal,
        values: &mut Vec<u32>,
        choices: Option<&BTreeMap<Place, u32>>,
    ) -> Result<(), GiveUp> {
        match formula {
            Normal::Atom { .. } | Normal::Equal { .. } => {
                let lit = self.literal(formula, values, choices)?;
                self.clause(or, Some(lit));
                Ok(())
            }
            Normal::And(parts) => parts.iter().try_for_each(|part| self.assert(or, part, values, choices)),
            Normal::Or(_) => {
                let mut conjunctions = Vec::new();
                let before = or.len();
                self.disjuncts(formula, or, &mut conjunctions, values, choices)?;
                let last = conjunctions.pop();
                for conjunction in conjunctions {
                    let lit = self.literal(conjunction, values, choices)?;
                    or.push(lit);
                }
                let done = match last {
                    Some(conjunction) => self.assert(or, conjunction, values, choices),
                    None => {
                        self.clause(or, None);
                        Ok(())
                    }
                };
                or.truncate(before);
                done
            }
            Normal::ForAll(place, body) => {
                let individuals = match choices.map(|c| c.get(place)) {
                    None => 0..self.universe,
                    Some(Some(chosen)) => *chosen..*chosen + 1,
                    Some(None) => 0..0,
                };
                for individual in individuals {
                    values.push(individual);
                    let done = self.assert(or, body, values, choices);
                    values.pop();
                    done?;
                }
                Ok(())
            }
            Normal::Exists(place, depends_on, body) => {
                let witness = self.witness(*place, depends_on, values);
                values.push(witness);
                let done = self.assert(or, body, values, choices);
                values.pop();
                done
            }
        }
    }

    fn clause(&mut self, or: &[Lit], lit: Option<Lit>) {
        // The solver sorts what it is given and leaves out what is decided.
        let clause = &mut self.clause;
        clause.clear();
        clause.extend_from_slice(or);
        clause.extend(lit);
        self.solver.add_clause_reuse(clause);
    }

    /// The parts of a disjunction, nested ones included: literals, and what is none.
    fn disjuncts<'f>(
        &mut self,
        formula: &'f Normal,
        or: &mut Vec<Lit>,
        others: &mut Vec<&'f Normal>,
        values: &mut Vec<u32>,
        choices: Option<&BTreeMap<Place, u32>>,
    ) -> Result<(), GiveUp> {
        match formula {
            Normal::Or(parts) => parts.iter().try_for_each(|part| self.disjuncts(part, or, others, values, choices)),
            Normal::Atom { .. } | Normal::Equal { .. } => {
                or.push(self.literal(formula, values, choices)?);
                Ok(())
            }
            Normal::And(_) | Normal::ForAll(..) | Normal::Exists(..) => {
                others.push(formula);
                Ok(())
            }
        }
    }

    /// A literal that implies the formula under the variables' values. Only this direction is needed: formulas stand
    /// positively (Plaisted and Greenbaum 1986).
    fn literal(
        &mut self,
        formula: &Normal,
        values: &mut Vec<u32>,
        choices: Option<&BTreeMap<Place, u32>>,
    ) -> Result<Lit, GiveUp> {
        self.count()?;
        match formula {
            Normal::Atom { predicate, args, positive } => {
                let var = match args.as_slice() {
                    [] => self.atom(*predicate, &[]),
                    [a] => {
                        let a = self.value(a, values);
                        self.atom(*predicate, &[a])
                    }
                    [a, b] => {
                        let (a, b) = (self.value(a, values), self.value(b, values));
                        self.atom(*predicate, &[a, b])
                    }
                    _ => {
                        let args: Vec<u32> = args.iter().map(|a| self.value(a, values)).collect();
                        self.atom(*predicate, &args)
                    }
                };
                Ok(Lit::new(var, *positive))
            }
            Normal::Equal { left, right, positive } => {
                let (left, right) = (self.value(left, values), self.value(right, values));
                let equal = self.equality(left, right);
                Ok(if *positive { equal } else { !equal })
            }
            Normal::And(_) | Normal::Or(_) | Normal::ForAll(..) | Normal::Exists(..) => {
                let lit = Lit::new(self.solver.new_var_default(), true);
                self.assert(&mut vec![!lit], formula, values, choices)?;
                Ok(lit)
            }
        }
    }

    /// That no two of the author's constants are the same individual; nothing need be said of it without equations.
    pub(super) fn distinct_names(&mut self) -> Vec<Lit> {
        if !self.names.equations {
            return Vec::new();
        }
        let constants: Vec<u32> = (0..)
            .zip(self.names.terms.all())
            .filter(|(_, i)| matches!(i, Individual::Constant(_)))
            .map(|(number, _)| number)
            .collect();
        let mut out = Vec::new();
        for (i, a) in constants.iter().enumerate() {
            for b in constants.iter().skip(i + 1) {
                out.push(!self.equality(*a, *b));
            }
        }
        out
    }

    /// The individual that an existential quantifier stands for under the variables' values.
    fn witness(&mut self, place: Place, depends_on: &[Arg], values: &[u32]) -> u32 {
        let args = depends_on.iter().map(|a| self.value(a, values)).collect();
        self.names.terms.number(Individual::Witness(place, args))
    }

    fn value(&mut self, arg: &Arg, values: &[u32]) -> u32 {
        match arg {
            Arg::Individual(number) => *number,
            Arg::Variable(number) => values.get(*number as usize).copied().unwrap_or_default(),
            Arg::Apply(function, args) => {
                let args = args.iter().map(|a| self.value(a, values)).collect();
                let name = self.names.functions.get(*function as usize).map(|(name, _)| (*name).to_owned());
                self.names.terms.number(Individual::Function(name.unwrap_or_default(), args))
            }
        }
    }

    fn atom(&mut self, predicate: u32, args: &[u32]) -> Var {
        let packed = match args {
            [] => Some(0),
            [a] => Some(u64::from(*a)),
            [a, b] => Some(u64::from(*a) << 32 | u64::from(*b)),
            _ => None,
        };
        let Self { solver, atoms, short, long, .. } = self;
        let mut new = || {
            let var = solver.new_var_default();
            atoms.push(Atom { predicate, args: args.to_vec(), var });
            var
        };
        match packed {
            Some(packed) => *short.entry((predicate, packed)).or_insert_with(new),
            None => match long.get(&(predicate, args.to_vec())) {
                Some(var) => *var,
                None => *long.entry((predicate, args.to_vec())).or_insert(new()),
            },
        }
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

    /// Adds what makes equality an equality: transitivity, and that equal individuals have the same properties and the
    /// same values under functions. Without an equation in the question nothing is needed: all individuals may then be
    /// different.
    pub(super) fn close_equality(&mut self) -> Result<(), GiveUp> {
        if !self.names.equations {
            return Ok(());
        }
        let n = u32::try_from(self.names.terms.len()).unwrap_or(u32::MAX);
        let mut clause = Vec::with_capacity(3);
        for a in 0..n {
            for c in a + 1..n {
                for b in (0..n).filter(|b| *b != a && *b != c) {
                    self.count()?;
                    let (ab, bc, ac) = (self.equality(a, b), self.equality(b, c), self.equality(a, c));
                    clause.clear();
                    clause.extend([!ab, !bc, ac]);
                    self.solver.add_clause_reuse(&mut clause);
                }
            }
        }
        self.functional_congruence()?;
        for (number, (_, arity)) in (0..).zip(self.names.predicates.clone()) {
            let occurring: Vec<(Vec<u32>, Var)> =
                self.atoms.iter().filter(|a| a.predicate == number).map(|a| (a.args.clone(), a.var)).collect();
            // Either way is enough; which is less depends on how many of the possible atoms occur.
            let pairs = occurring.len().saturating_mul(occurring.len());
            let places = u32::try_from(arity).ok().and_then(|a| (n as usize).checked_pow(a));
            let places = places.map_or(usize::MAX, |p| p.saturating_mul(n as usize).saturating_mul(arity));
            if pairs <= places {
                self.congruence_of_pairs(&occurring)?;
            } else {
                self.congruence(number, arity, n)?;
            }
        }
        Ok(())
    }

    /// For every two atoms of one predicate: equal arguments, equal truth values.
    fn congruence_of_pairs(&mut self, atoms: &[(Vec<u32>, Var)]) -> Result<(), GiveUp> {
        for (i, (args, var)) in atoms.iter().enumerate() {
            for (others, other) in atoms.iter().skip(i + 1) {
                self.count()?;
                let mut clause: Vec<Lit> = Vec::with_capacity(args.len() + 2);
                for (a, b) in args.iter().zip(others).filter(|(a, b)| a != b) {
                    clause.push(!self.equality(*a, *b));
                }
                for (one, two) in [(var, other), (other, var)] {
                    let mut clause = clause.clone();
                    clause.extend([Lit::new(*one, false), Lit::new(*two, true)]);
                    self.solver.add_clause_reuse(&mut clause);
                }
            }
        }
        Ok(())
    }

    /// For any two terms of one function: equal arguments, equal values.
    fn functional_congruence(&mut self) -> Result<(), GiveUp> {
        let applied: Vec<(u32, String, Vec<u32>)> = (0..)
            .zip(self.names.terms.all())
            .filter_map(|(number, individual)| match individual {
                Individual::Function(name, args) => Some((number, name.clone(), args.clone())),
                _ => None,
            })
            .collect();
        for (i, (a, name, args)) in applied.iter().enumerate() {
            for (b, _, others) in applied.iter().skip(i + 1).filter(|(_, n, o)| n == name && o.len() == args.len()) {
                self.count()?;
                let mut clause: Vec<Lit> = args.iter().zip(others).map(|(x, y)| !self.equality(*x, *y)).collect();
                clause.push(self.equality(*a, *b));
                self.solver.add_clause_reuse(&mut clause);
            }
        }
        Ok(())
    }

    /// For every tuple, each place and each other individual: equal there means the same truth value.
    fn congruence(&mut self, predicate: u32, arity: usize, individuals: u32) -> Result<(), GiveUp> {
        let n = individuals as usize;
        let tuples = u32::try_from(arity).ok().and_then(|a| n.checked_pow(a));
        let tuples = tuples.filter(|t| t.saturating_mul(n).saturating_mul(arity) <= MAX_NODES);
        for index in 0..tuples.ok_or(GiveUp::TooLarge)? {
            let mut rest = index;
            let tuple: Vec<u32> = (0..arity)
                .map(|_| {
                    let digit = u32::try_from(rest % n).unwrap_or_default();
                    rest /= n;
                    digit
                })
                .collect();
            let var = self.atom(predicate, &tuple);
            for place in 0..arity {
                for other in 0..individuals {
                    if other == tuple[place] {
                        continue;
                    }
                    self.count()?;
                    let mut changed = tuple.clone();
                    changed[place] = other;
                    let same = self.equality(tuple[place], other);
                    let changed = self.atom(predicate, &changed);
                    self.solver.add_clause_reuse(&mut vec![!same, Lit::new(var, false), Lit::new(changed, true)]);
                }
            }
        }
        Ok(())
    }
}
