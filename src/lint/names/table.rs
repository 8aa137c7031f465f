//! The symbols of a record.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Span, Target};
use crate::fol::{FormulaKind, SymbolKind, TermKind};
use crate::lint::words::Name;
use crate::lint::{Annotation, RecordContext};

/// One use of a symbol.
#[derive(Debug, Clone)]
pub(super) struct Use<'a> {
    /// Index into [`Table::annotations`].
    pub(super) annotation: usize,
    /// Where the name stands.
    pub(super) span: Span,
    /// How many arguments it has.
    pub(super) arity: usize,
    /// For a predicate, the span of the atom with its arguments; else the name's.
    pub(super) whole: Span,
    /// For a predicate, its constant arguments and their 0-based positions.
    pub(super) constants: Vec<(usize, &'a str)>,
}

/// A symbol and its uses, in the order of the record. Never without a use.
#[derive(Debug, Clone)]
pub(super) struct Entry<'a> {
    /// Its name.
    pub(super) name: Name,
    /// Its rank by first use among all symbols of the record.
    pub(super) rank: usize,
    /// Its uses.
    pub(super) uses: Vec<Use<'a>>,
}

impl Entry<'_> {
    /// Whether this spelling is the one to keep: that of more uses, then the one used first.
    pub(super) const fn wins_over(&self, other: &Self) -> bool {
        let (mine, theirs) = (self.uses.len(), other.uses.len());
        mine > theirs || (mine == theirs && self.rank < other.rank)
    }

    /// Whether some annotation uses both.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.uses.iter().any(|u| other.uses.iter().any(|v| u.annotation == v.annotation))
    }
}

/// All symbols of a record.
pub(super) struct Table<'a> {
    /// The premises, then the conclusion.
    pub(super) annotations: Vec<Annotation<'a>>,
    /// Predicates by first use.
    pub(super) predicates: Vec<Entry<'a>>,
    /// Constants and functions by first use.
    pub(super) terms: Vec<Entry<'a>>,
}

impl<'a> Table<'a> {
    pub(super) fn new(context: &RecordContext<'a>) -> Self {
        let annotations: Vec<Annotation<'a>> = context.annotations().copied().collect();
        let mut predicates: BTreeMap<&'a str, Entry<'a>> = BTreeMap::new();
        let mut terms: BTreeMap<&'a str, Entry<'a>> = BTreeMap::new();
        let mut rank = 0;
        for (index, annotation) in annotations.iter().enumerate() {
            let Some(formula) = &annotation.parsed.formula else { continue };
            // In the order in which `symbols` gives the predicates.
            let mut atoms: Vec<(Span, Vec<(usize, &'a str)>)> = Vec::new();
            formula.walk(&mut |part| {
                if let FormulaKind::Atom(atom) = &part.kind {
                    let constants = atom.args.iter().enumerate().filter_map(|(i, term)| match &term.kind {
                        TermKind::Constant(name) => Some((i, name.as_str())),
                        _ => None,
                    });
                    atoms.push((part.span, constants.collect()));
                }
            });
            let mut atoms = atoms.into_iter();
            for symbol in formula.symbols() {
                let map = match symbol.kind {
                    SymbolKind::Predicate => &mut predicates,
                    SymbolKind::Function | SymbolKind::Constant => &mut terms,
                    SymbolKind::Free => continue,
                };
                let (whole, constants) = match symbol.kind {
                    SymbolKind::Predicate => atoms.next().unwrap_or((symbol.span, Vec::new())),
                    _ => (symbol.span, Vec::new()),
                };
                rank += 1;
                map.entry(symbol.name)
                    .or_insert_with(|| Entry { name: Name::new(symbol.name), rank, uses: Vec::new() })
                    .uses
                    .push(Use { annotation: index, span: symbol.span, arity: symbol.arity, whole, constants });
            }
        }
        let ranked = |map: BTreeMap<&'a str, Entry<'a>>| {
            let mut entries: Vec<Entry<'a>> = map.into_values().collect();
            entries.sort_by_key(|e| e.rank);
            entries
        };
        Self { annotations, predicates: ranked(predicates), terms: ranked(terms) }
    }

    /// The first use in each annotation.
    pub(super) fn first_per_annotation<'e>(&self, entry: &'e Entry<'a>) -> Vec<&'e Use<'a>> {
        let mut seen = BTreeSet::new();
        entry.uses.iter().filter(|u| u.annotation < self.annotations.len() && seen.insert(u.annotation)).collect()
    }

    /// The name of the annotation that a use stands in.
    pub(super) fn place(&self, u: &Use<'_>) -> String {
        self.annotations.get(u.annotation).map_or(Target::Row, |a| a.target).to_string()
    }
}
