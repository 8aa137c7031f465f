//! Whether repaired formulas say the same as the originals, whatever their symbols are called.

use std::collections::{BTreeMap, BTreeSet};

use crate::fol::{Formula, FormulaKind, SymbolKind, Term, TermKind};
use crate::refine::Bench;

/// A symbol: two uses are of one symbol where kind, name and number of arguments are the same.
type Symbol = (SymbolKind, String, usize);

/// New names of symbols.
type Renaming = BTreeMap<Symbol, String>;

/// Whether one renaming of symbols, which keeps different symbols different, makes each repaired formula equivalent to its
/// original. The pairs are those of a whole story: an original and what it became.
///
/// Formulas are compared as they stand; then under the renaming that is read off those pairs whose trees are the same but for
/// names. `None` where neither shows that they are equivalent and the prover did not say that they are not.
#[must_use]
pub fn equivalent_up_to_renaming(pairs: &[(&Formula, &Formula)], bench: &Bench<'_>) -> Option<bool> {
    let direct = all_equivalent(pairs.iter().map(|(original, repaired)| bench.equivalent(original, repaired)));
    if direct == Some(true) {
        return direct;
    }
    let Some(renaming) = renaming(pairs) else { return direct };
    let renamed = all_equivalent(
        pairs.iter().map(|(original, repaired)| bench.equivalent(original, &rename(repaired, &renaming))),
    );
    match (direct, renamed) {
        (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

/// Stops at the first pair that differs.
fn all_equivalent(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for answer in answers {
        match answer {
            Some(true) => {}
            Some(false) => return answer,
            None => all = None,
        }
    }
    all
}

/// The renaming of repaired symbols that makes originals of them, read off trees of the same shape; `None` where there is
/// none, where it would make two symbols one, and where every name stays.
fn renaming(pairs: &[(&Formula, &Formula)]) -> Option<Renaming> {
    let mut renaming = Renaming::new();
    for (original, repaired) in pairs {
        let mut found = Vec::new();
        if align(original, repaired, &mut found) {
            for (symbol, name) in found {
                if renaming.entry(symbol).or_insert_with(|| name.clone()) != &name {
                    return None;
                }
            }
        }
    }
    let symbols: BTreeSet<Symbol> = pairs
        .iter()
        .flat_map(|(_, repaired)| repaired.symbols())
        .map(|symbol| (symbol.kind, symbol.name.to_owned(), symbol.arity))
        .collect();
    let renamed: BTreeSet<(SymbolKind, &str, usize)> =
        symbols.iter().map(|symbol| (symbol.0, renaming.get(symbol).unwrap_or(&symbol.1).as_str(), symbol.2)).collect();
    let changes = renaming.iter().any(|(symbol, name)| symbol.1 != *name);
    (changes && renamed.len() == symbols.len()).then_some(renaming)
}

/// Whether two trees are the same but for names; what stands for what is put into `found`.
fn align(original: &Formula, repaired: &Formula, found: &mut Vec<(Symbol, String)>) -> bool {
    match (&original.kind, &repaired.kind) {
        (FormulaKind::Constant(a), FormulaKind::Constant(b)) => a == b,
        (FormulaKind::Atom(a), FormulaKind::Atom(b)) => {
            found.push(((SymbolKind::Predicate, b.name.clone(), b.args.len()), a.name.clone()));
            align_terms(&a.args, &b.args, found)
        }
        (FormulaKind::Equal(a, b), FormulaKind::Equal(c, d))
        | (FormulaKind::NotEqual(a, b), FormulaKind::NotEqual(c, d)) => {
            align_term(a, c, found) && align_term(b, d, found)
        }
        (FormulaKind::Not(a), FormulaKind::Not(b)) => align(a, b, found),
        (FormulaKind::Binary(x, a, b), FormulaKind::Binary(y, c, d)) => {
            x == y && align(a, c, found) && align(b, d, found)
        }
        (FormulaKind::Quantified(x, a, b), FormulaKind::Quantified(y, c, d)) => {
            x == y && a.len() == c.len() && align(b, d, found)
        }
        _ => false,
    }
}

fn align_terms(original: &[Term], repaired: &[Term], found: &mut Vec<(Symbol, String)>) -> bool {
    original.len() == repaired.len() && original.iter().zip(repaired).all(|(a, b)| align_term(a, b, found))
}

fn align_term(original: &Term, repaired: &Term, found: &mut Vec<(Symbol, String)>) -> bool {
    let mut stands_for = |kind, repaired: &str, arity, original: &str| {
        found.push(((kind, repaired.to_owned(), arity), original.to_owned()));
    };
    match (&original.kind, &repaired.kind) {
        // Whether they are bound alike shows when the formulas are compared.
        (TermKind::Bound(_), TermKind::Bound(_)) => true,
        (TermKind::Free(a), TermKind::Free(b)) => {
            stands_for(SymbolKind::Free, b, 0, a);
            true
        }
        (TermKind::Constant(a), TermKind::Constant(b)) => {
            stands_for(SymbolKind::Constant, b, 0, a);
            true
        }
        (TermKind::Function(a, originals), TermKind::Function(b, args)) => {
            stands_for(SymbolKind::Function, b, args.len(), a);
            align_terms(originals, args, found)
        }
        _ => false,
    }
}

fn rename(formula: &Formula, renaming: &Renaming) -> Formula {
    let mut formula = formula.clone();
    rename_in(&mut formula, renaming);
    formula
}

fn rename_in(formula: &mut Formula, renaming: &Renaming) {
    match &mut formula.kind {
        FormulaKind::Constant(_) => {}
        FormulaKind::Atom(atom) => {
            rename_name(SymbolKind::Predicate, &mut atom.name, atom.args.len(), renaming);
            atom.args.iter_mut().for_each(|t| rename_term(t, renaming));
        }
        FormulaKind::Equal(a, b) | FormulaKind::NotEqual(a, b) => {
            rename_term(a, renaming);
            rename_term(b, renaming);
        }
        FormulaKind::Not(a) | FormulaKind::Quantified(_, _, a) => rename_in(a, renaming),
        FormulaKind::Binary(_, a, b) => {
            rename_in(a, renaming);
            rename_in(b, renaming);
        }
    }
}

fn rename_term(term: &mut Term, renaming: &Renaming) {
    match &mut term.kind {
        TermKind::Bound(_) => {}
        TermKind::Free(name) => rename_name(SymbolKind::Free, name, 0, renaming),
        TermKind::Constant(name) => rename_name(SymbolKind::Constant, name, 0, renaming),
        TermKind::Function(name, args) => {
            rename_name(SymbolKind::Function, name, args.len(), renaming);
            args.iter_mut().for_each(|t| rename_term(t, renaming));
        }
    }
}

fn rename_name(kind: SymbolKind, name: &mut String, arity: usize, renaming: &Renaming) {
    if let Some(new) = renaming.get(&(kind, name.clone(), arity)) {
        name.clone_from(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::testing::with_bench;
    use crate::fol::parse;

    fn compared(originals: &[&str], repaired: &[&str]) -> Option<bool> {
        let read = |texts: &[&str]| -> Vec<Formula> {
            texts.iter().map(|text| parse(text).reading().expect("a reading").clone()).collect()
        };
        let (originals, repaired) = (read(originals), read(repaired));
        let pairs: Vec<(&Formula, &Formula)> = originals.iter().zip(&repaired).collect();
        with_bench(|bench| equivalent_up_to_renaming(&pairs, bench))
    }

    const STORY: [&str; 3] = ["∀x (Heron(x) → Eat(x, fish))", "Heron(grey)", "Eat(grey, fish)"];

    #[test]
    fn other_ways_of_writing_are_the_same() {
        assert_eq!(compared(&STORY, &STORY), Some(true));
        assert_eq!(compared(&STORY, &["¬∃y (Heron(y) ∧ ¬Eat(y, fish))", "Heron(grey)", "Eat(grey, fish)"]), Some(true));
    }

    #[test]
    fn a_renaming_of_the_whole_story_is_the_same() {
        assert_eq!(compared(&STORY, &["∀x (Herons(x) → Eat(x, fsh))", "Herons(grey)", "Eat(grey, fsh)"]), Some(true));
        // Names may change places.
        assert_eq!(compared(&["P(a)", "Q(b)"], &["Q(b)", "P(a)"]), Some(true));
        // A formula in another form is compared under the renaming that the others give.
        assert_eq!(
            compared(&STORY, &["¬∃y (Herons(y) ∧ ¬Eat(y, fish))", "Herons(grey)", "Eat(grey, fish)"]),
            Some(true)
        );
        // One name is two symbols at two numbers of arguments.
        assert_eq!(compared(&["P(a)", "R(a, b)"], &["Q(a)", "Q(a, b)"]), Some(true));
    }

    #[test]
    fn two_symbols_merged_into_one_are_not_the_same() {
        assert_eq!(compared(&["P(a)", "Q(a)"], &["P(a)", "P(a)"]), Some(false));
        assert_eq!(compared(&["P(a)", "P(b)"], &["P(a)", "P(a)"]), Some(false));
        // The other way round: one symbol taken apart.
        assert_eq!(compared(&["P(a)", "P(b)"], &["P(a)", "Q(b)"]), Some(false));
        // Under the renaming that the first two give, the third would use a name twice.
        assert_eq!(compared(&["P(a)", "Q(a)", "Q(a) ∧ P(a)"], &["R(a)", "Q(a)", "Q(a) ∧ P(a)"]), Some(false));
    }

    #[test]
    fn another_formula_is_not_the_same() {
        for other in ["∀x (Heron(x) ∧ Eat(x, fish))", "∃x (Heron(x) → Eat(x, fish))", "∀x (Heron(x) → Eat(fish, x))"]
        {
            assert_eq!(compared(&STORY, &[other, "Heron(grey)", "Eat(grey, fish)"]), Some(false), "{other}");
        }
        // A free variable is no constant.
        assert_eq!(compared(&STORY, &[STORY[0], "Heron(x)", STORY[2]]), Some(false));
    }
}
