//! Finding finite models of a given size, for questions whose individuals depend on others.
//!
//! For one number of individuals every quantifier becomes a conjunction or a disjunction over them, and every function a
//! table of which each cell has exactly one value (`McCune` 1994; Claessen and Sörensson 2003).

use std::collections::{BTreeMap, BTreeSet};

use super::Map;
use batsat::{BasicSolver, Lit, SolverInterface as _, Var, lbool};

use super::GiveUp;
use super::expand::MAX_NODES;
use super::normal::{Arg, Names, Normal};
use super::term::Individual;
use crate::fol::model::Model;

/// Individuals beyond those that have names, for the first attempts.
const EXTRA: u32 = 3;
/// The largest domain in which names are tried in all places.
const MAX_FLEXIBLE: u32 = 6;
/// Cells that a table of a function may have.
const MAX_CELLS: usize = 10_000;

/// Seeks a model: first one in which different names are different individuals, with as few others as will do; then, if
/// `identify`, one in which they may be the same.
///
/// `Ok(None)` says that none was found within the bounds, not that there is none.
pub(super) fn find(names: &Names<'_>, formulas: &[Normal], identify: bool) -> Result<Option<Model>, GiveUp> {
    let is_named = |individual: &&Individual| matches!(individual, Individual::Constant(_));
    let named = names.terms.all().iter().filter(is_named).count();
    let named = u32::try_from(named).unwrap_or(u32::MAX);
    let base = names.terms.all().iter().filter(|i| is_base(i)).count();
    let base = u32::try_from(base).unwrap_or(u32::MAX);
    let sizes = |first: u32| first.max(1)..=first.saturating_add(EXTRA).max(1);
    let mut layouts = vec![(Layout::AllApart, sizes(base)), (Layout::NamesApart, sizes(named))];
    if identify {
        layouts.push((Layout::Flexible, 1..=MAX_FLEXIBLE));
    }
    for (layout, sizes) in layouts {
        for size in sizes {
            match Finder::new(names, layout, size).model(formulas) {
                Ok(None) => {}
                // A larger domain is larger still.
                Err(GiveUp::TooLarge) => break,
                other => return other,
            }
        }
    }
    Ok(None)
}

/// Whether an individual is spoken of before quantifiers are expanded, and not as a function's value.
fn is_base(individual: &Individual) -> bool {
    !matches!(individual, Individual::Function(..))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Everything that is spoken of is an individual of its own.
    AllApart,
    /// Only the author's constants are.
    NamesApart,
    /// Nothing is fixed.
    Flexible,
}

/// What has a value: an individual by number, or a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Symbol {
    Individual(u32),
    Function(u32),
}

struct Finder<'n, 'a> {
    solver: BasicSolver,
    names: &'n Names<'a>,
    size: u32,
    fixed: Map<u32, u32>,
    atoms: Map<(u32, Vec<u32>), Var>,
    cells: BTreeMap<(Symbol, Vec<u32>), Vec<Lit>>,
    truth: Lit,
    nodes: usize,
}

/// A value that a term may have, and the literals under which it has it.
type Alternative = (u32, Vec<Lit>);

/// The values that several terms may have, and the literals under which they do.
type Tuple = (Vec<u32>, Vec<Lit>);

impl<'n, 'a> Finder<'n, 'a> {
    fn new(names: &'n Names<'a>, layout: Layout, size: u32) -> Self {
        let mut solver = BasicSolver::default();
        let truth = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![truth]);
        let apart = |individual: &Individual| match layout {
            Layout::AllApart => is_base(individual),
            Layout::NamesApart => matches!(individual, Individual::Constant(_)),
            Layout::Flexible => false,
        };
        let numbered = (0..).zip(names.terms.all());
        let fixed = numbered.filter(|(_, i)| apart(i)).zip(0..size).map(|((number, _), value)| (number, value));
        let fixed = fixed.collect();
        Self { solver, names, size, fixed, atoms: Map::default(), cells: BTreeMap::new(), truth, nodes: 0 }
    }

    fn model(mut self, formulas: &[Normal]) -> Result<Option<Model>, GiveUp> {
        for formula in formulas {
            let root = self.literal(formula, &mut Vec::new())?;
            self.solver.add_clause_reuse(&mut vec![root]);
        }
        let answer = self.solver.solve_limited(&[]);
        if answer == lbool::TRUE {
            Ok(Some(self.read()?))
        } else if answer == lbool::FALSE {
            Ok(None)
        } else {
            Err(GiveUp::NoAnswer)
        }
    }

    fn literal(&mut self, formula: &Normal, values: &mut Vec<u32>) -> Result<Lit, GiveUp> {
        match formula {
            Normal::Atom { predicate, args, positive } => {
                if let Some(args) = self.certain(args, values)? {
                    let var = self.atom(*predicate, args);
                    return Ok(Lit::new(var, *positive));
                }
                let mut parts = Vec::new();
                for (args, under) in self.tuples(args, values)? {
                    let var = self.atom(*predicate, args);
                    parts.push(self.guarded(under, Lit::new(var, *positive)));
                }
                Ok(self.all(&parts))
            }
            Normal::Equal { left, right, positive } => {
                let mut parts = Vec::new();
                for (sides, under) in self.tuples(&[left.clone(), right.clone()], values)? {
                    let equal = sides.first() == sides.last();
                    let lit = if equal == *positive { self.truth } else { !self.truth };
                    parts.push(self.guarded(under, lit));
                }
                Ok(self.all(&parts))
            }
            Normal::And(parts) => {
                let parts = parts.iter().map(|p| self.literal(p, values)).collect::<Result<Vec<_>, _>>()?;
                Ok(self.all(&parts))
            }
            Normal::Or(parts) => {
                let parts = parts.iter().map(|p| self.literal(p, values)).collect::<Result<Vec<_>, _>>()?;
                Ok(self.any(parts))
            }
            Normal::ForAll(_, body) => {
                let parts = self.each(body, values)?;
                Ok(self.all(&parts))
            }
            Normal::Exists(_, _, body) => {
                let parts = self.each(body, values)?;
                Ok(self.any(parts))
            }
        }
    }

    fn each(&mut self, body: &Normal, values: &mut Vec<u32>) -> Result<Vec<Lit>, GiveUp> {
        let mut parts = Vec::new();
        for individual in 0..self.size {
            values.push(individual);
            let part = self.literal(body, values);
            values.pop();
            parts.push(part?);
        }
        Ok(parts)
    }

    /// The values of terms each of which can have one only, as most do; `None` where one can have several.
    fn certain(&mut self, args: &[Arg], values: &[u32]) -> Result<Option<Vec<u32>>, GiveUp> {
        let value = |arg: &Arg| match arg {
            Arg::Variable(number) => Some(values.get(*number as usize).copied().unwrap_or_default()),
            Arg::Individual(number) => self.fixed.get(number).copied(),
            Arg::Apply(..) => None,
        };
        let Some(tuple) = args.iter().map(value).collect::<Option<Vec<u32>>>() else { return Ok(None) };
        // As many as are counted for the same tuple below.
        self.nodes += tuple.len() + 1;
        if self.nodes > MAX_NODES { Err(GiveUp::TooLarge) } else { Ok(Some(tuple)) }
    }

    /// Every tuple of values that the terms may have, each with the literals under which they do.
    fn tuples(&mut self, args: &[Arg], values: &[u32]) -> Result<Vec<Tuple>, GiveUp> {
        let mut out = vec![(Vec::new(), Vec::new())];
        for arg in args {
            let alternatives = self.alternatives(arg, values)?;
            let mut next = Vec::with_capacity(out.len() * alternatives.len());
            for (tuple, under) in &out {
                for (value, more) in &alternatives {
                    self.nodes += 1;
                    if self.nodes > MAX_NODES {
                        return Err(GiveUp::TooLarge);
                    }
                    next.push(([&tuple[..], &[*value]].concat(), [&under[..], &more[..]].concat()));
                }
            }
            out = next;
        }
        self.nodes += 1;
        if self.nodes > MAX_NODES { Err(GiveUp::TooLarge) } else { Ok(out) }
    }

    fn alternatives(&mut self, arg: &Arg, values: &[u32]) -> Result<Vec<Alternative>, GiveUp> {
        match arg {
            Arg::Variable(number) => Ok(vec![(values.get(*number as usize).copied().unwrap_or_default(), Vec::new())]),
            Arg::Individual(number) => Ok(match self.fixed.get(number) {
                Some(value) => vec![(*value, Vec::new())],
                None => self.cell(Symbol::Individual(*number), Vec::new()),
            }),
            Arg::Apply(function, args) => {
                let mut out = Vec::new();
                for (tuple, under) in self.tuples(args, values)? {
                    for (value, more) in self.cell(Symbol::Function(*function), tuple) {
                        out.push((value, [&under[..], &more[..]].concat()));
                    }
                }
                Ok(out)
            }
        }
    }

    /// The alternatives of a cell; exactly one of them holds.
    fn cell(&mut self, symbol: Symbol, args: Vec<u32>) -> Vec<Alternative> {
        let key = (symbol, args);
        if !self.cells.contains_key(&key) {
            let lits: Vec<Lit> = (0..self.size).map(|_| Lit::new(self.solver.new_var_default(), true)).collect();
            self.solver.add_clause_reuse(&mut lits.clone());
            for (i, a) in lits.iter().enumerate() {
                for b in lits.iter().skip(i + 1) {
                    self.solver.add_clause_reuse(&mut vec![!*a, !*b]);
                }
            }
            self.cells.insert(key.clone(), lits);
        }
        let lits = self.cells.get(&key).into_iter().flatten();
        (0..).zip(lits).map(|(value, lit)| (value, vec![*lit])).collect()
    }

    fn atom(&mut self, predicate: u32, args: Vec<u32>) -> Var {
        let solver = &mut self.solver;
        *self.atoms.entry((predicate, args)).or_insert_with(|| solver.new_var_default())
    }

    fn guarded(&mut self, under: Vec<Lit>, lit: Lit) -> Lit {
        let mut parts: Vec<Lit> = under.into_iter().map(|l| !l).collect();
        parts.push(lit);
        self.any(parts)
    }

    fn all(&mut self, parts: &[Lit]) -> Lit {
        if let [only] = parts {
            return *only;
        }
        let lit = Lit::new(self.solver.new_var_default(), true);
        let mut clause = Vec::with_capacity(2);
        for part in parts {
            clause.clear();
            clause.extend([!lit, *part]);
            self.solver.add_clause_reuse(&mut clause);
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

    fn value(&self, symbol: Symbol, args: &[u32]) -> u32 {
        let lits = self.cells.get(&(symbol, args.to_vec())).into_iter().flatten();
        let chosen = (0..).zip(lits).find(|(_, lit)| self.solver.value_lit(**lit) == lbool::TRUE);
        // A cell that nothing speaks of may hold any value.
        chosen.map_or(0, |(value, _)| value)
    }

    fn read(&self) -> Result<Model, GiveUp> {
        let mut model = Model { size: self.size, ..Model::default() };
        for (number, individual) in (0..).zip(self.names.terms.all()) {
            let value = self.fixed.get(&number).copied();
            let value = value.unwrap_or_else(|| self.value(Symbol::Individual(number), &[]));
            match individual {
                Individual::Constant(name) => model.constants.insert(name.clone(), value),
                Individual::Free(name) => model.free.insert(name.clone(), value),
                Individual::Function(..) | Individual::Witness(..) | Individual::Anyone => None,
            };
        }
        let owned = |(name, arity): &(&str, usize)| ((*name).to_owned(), *arity);
        for predicate in &self.names.predicates {
            model.predicates.insert(owned(predicate), BTreeSet::new());
        }
        for ((predicate, args), var) in &self.atoms {
            if self.solver.value_var(*var) == lbool::TRUE
                && let Some(key) = self.names.predicates.get(*predicate as usize)
            {
                model.predicates.entry(owned(key)).or_default().insert(args.clone());
            }
        }
        for (number, key) in (0..).zip(&self.names.functions) {
            let value = |args: &[u32]| self.value(Symbol::Function(number), args);
            model.functions.insert(owned(key), table(self.size, key.1, value)?);
        }
        Ok(model)
    }
}

/// The whole table of a function.
pub(super) fn table(size: u32, arity: usize, value: impl Fn(&[u32]) -> u32) -> Result<BTreeMap<Vec<u32>, u32>, GiveUp> {
    let mut tuples: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..arity {
        if tuples.len().saturating_mul(size as usize) > MAX_CELLS {
            return Err(GiveUp::TooLarge);
        }
        tuples = tuples.iter().flat_map(|t| (0..size).map(move |v| [&t[..], &[v]].concat())).collect();
    }
    Ok(tuples.into_iter().map(|tuple| (tuple.clone(), value(&tuple))).collect())
}
