//! Evaluating formulas in small finite interpretations drawn by hashing.
//!
//! Two formulas that differ in one interpretation are not equivalent, and a formula that is true in one and false in
//! another is neither valid nor unsatisfiable. A handful of interpretations settles nearly every such question without
//! a prover; what they do not settle is not decided here.

use std::collections::HashMap;

use super::ast::{Connective, Formula, FormulaKind, Quantifier, Term, TermKind};

/// How many interpretations [`signature`] evaluates.
pub const INTERPRETATIONS: u32 = 48;

/// Evaluations that one formula may cost in one interpretation, so that deep quantifier prefixes end.
const BUDGET: u32 = 20_000;

/// The truth values of a formula in [`INTERPRETATIONS`] fixed interpretations over domains of one to three individuals:
/// bit *i* is its value in interpretation *i*, `None` where evaluating it would take too long. Free variables stand for
/// unknown individuals, as constants do.
///
/// The interpretations depend on the symbols' names alone, so signatures of different formulas can be compared.
#[must_use]
pub fn signature(formula: &Formula) -> Option<u64> {
    let mut bits = 0u64;
    for seed in 0..INTERPRETATIONS {
        let mut world = World { seed, domain: 1 + seed % 3, budget: BUDGET, bound: HashMap::new() };
        if world.holds(formula)? {
            bits |= 1 << seed;
        }
    }
    Some(bits)
}

/// The signature of a formula that holds in every interpretation.
pub const ALL: u64 = (1 << INTERPRETATIONS) - 1;

struct World<'a> {
    seed: u32,
    domain: u32,
    budget: u32,
    bound: HashMap<&'a str, Vec<u32>>,
}

impl<'a> World<'a> {
    fn holds(&mut self, formula: &'a Formula) -> Option<bool> {
        self.budget = self.budget.checked_sub(1)?;
        Some(match &formula.kind {
            FormulaKind::Constant(value) => *value,
            FormulaKind::Atom(atom) => {
                let args: Vec<u32> = atom.args.iter().map(|t| self.value(t)).collect();
                // Every fourth interpretation has few true atoms and every fourth many, which chains of → need.
                let threshold = match self.seed / 3 % 4 {
                    0 => 50,
                    1 => 200,
                    _ => 128,
                };
                self.draw(b'p', &atom.name, &args) % 256 < threshold
            }
            FormulaKind::Equal(a, b) => self.value(a) == self.value(b),
            FormulaKind::NotEqual(a, b) => self.value(a) != self.value(b),
            FormulaKind::Not(a) => !self.holds(a)?,
            FormulaKind::Binary(connective, a, b) => {
                let a = self.holds(a)?;
                match (connective, a) {
                    (Connective::And, false) => false,
                    (Connective::Or, true) | (Connective::Implies, false) => true,
                    (Connective::And | Connective::Or | Connective::Implies, _) => self.holds(b)?,
                    (Connective::Xor, a) => a != self.holds(b)?,
                    (Connective::Iff, a) => a == self.holds(b)?,
                }
            }
            FormulaKind::Quantified(quantifier, variables, body) => {
                let names: Vec<&str> = variables.iter().map(|v| v.name.as_str()).collect();
                self.quantified(*quantifier, &names, body)?
            }
        })
    }

    fn quantified(&mut self, quantifier: Quantifier, names: &[&'a str], body: &'a Formula) -> Option<bool> {
        let Some((first, rest)) = names.split_first() else { return self.holds(body) };
        let decided_by = quantifier == Quantifier::Exists;
        for individual in 0..self.domain {
            self.bound.entry(first).or_default().push(individual);
            let value = self.quantified(quantifier, rest, body);
            if let Some(values) = self.bound.get_mut(first) {
                values.pop();
            }
            if value? == decided_by {
                return Some(decided_by);
            }
        }
        Some(!decided_by)
    }

    fn value(&self, term: &Term) -> u32 {
        match &term.kind {
            TermKind::Bound(name) => self.bound.get(name.as_str()).and_then(|v| v.last()).copied().unwrap_or_default(),
            TermKind::Free(name) => self.draw(b'u', name, &[]) % self.domain,
            TermKind::Constant(name) => self.draw(b'c', name, &[]) % self.domain,
            TermKind::Function(name, args) => {
                let args: Vec<u32> = args.iter().map(|t| self.value(t)).collect();
                self.draw(b'f', name, &args) % self.domain
            }
        }
    }

    /// FNV-1a over the symbol and its arguments, stirred so that neighbouring seeds share nothing.
    fn draw(&self, kind: u8, name: &str, args: &[u32]) -> u32 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ u64::from(self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let arity = u8::try_from(args.len()).unwrap_or(u8::MAX);
        let args = args.iter().flat_map(|a| a.to_le_bytes());
        for byte in name.bytes().chain([0, kind, arity]).chain(args) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        hash ^= hash >> 32;
        hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
        u32::try_from(hash >> 40).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::parse;

    fn of(text: &str) -> u64 {
        signature(parse(text).reading().expect("a reading")).expect("a small formula")
    }

    #[test]
    fn valid_and_unsatisfiable_formulas_are_the_same_everywhere() {
        for text in ["P(a) ∨ ¬P(a)", "∀x (P(x) → ∃y P(y))", "∃x (P(x) → ∀y P(y))", "a = a", "⊤"] {
            assert_eq!(of(text), ALL, "{text}");
            assert_eq!(of(&format!("¬({text})")), 0, "{text}");
        }
    }

    #[test]
    fn ordinary_formulas_are_true_here_and_false_there() {
        for text in ["P(a)", "∀x (P(x) → Q(x))", "∃x (P(x) ∧ ¬(x = a))", "P(a) ⊕ Q(b, f(a))", "∀x ∀y (R(x, y))"]
        {
            let bits = of(text);
            assert!(bits != 0 && bits != ALL, "{text}: {bits:b}");
        }
    }

    #[test]
    fn equivalent_formulas_agree() {
        assert_eq!(of("∀x (P(x) → Q(x))"), of("¬∃y (P(y) ∧ ¬Q(y))"));
        assert_eq!(of("A ⊕ B"), of("¬(A ↔ B)"));
        assert_ne!(of("(A ∧ B) ∨ C"), of("A ∧ (B ∨ C)"));
    }

    #[test]
    fn long_prefixes_are_given_up() {
        let prefix: String = (0..30).map(|i| format!("∀x{i} ")).collect();
        assert_eq!(signature(parse(&format!("{prefix}(x0 = x0)")).reading().expect("a reading")), None);
    }
}
