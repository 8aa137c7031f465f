//! The symbols of a record.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::diagnostic::{Span, Target};
use crate::fol::{Atom, FormulaKind, SymbolKind, SymbolUse, TermKind};
use crate::lint::words::Name;
use crate::lint::{Annotation, RecordContext};

/// One use of a symbol.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use<'a> {
    /// Index into [`Table::annotations`].
    pub(super) annotation: usize,
    /// Where the name stands.
    pub(super) span: Span,
    /// How many arguments it has.
    pub(super) arity: usize,
    /// For a predicate, the span of the atom with its arguments; else the name's.
    pub(super) whole: Span,
    /// For a predicate, the atom.
    atom: Option<&'a Atom>,
}

impl<'a> Use<'a> {
    /// For a predicate, its constant arguments and their 0-based positions.
    pub(super) fn constants(&self) -> impl Iterator<Item = (usize, &'a str)> + use<'a> {
        let args = self.atom.map_or(&[][..], |atom| &atom.args);
        args.iter().enumerate().filter_map(|(i, term)| match &term.kind {
            TermKind::Constant(name) => Some((i, name.as_str())),
            _ => None,
        })
    }
}

/// A symbol and its uses, in the order of the record. Never without a use.
#[derive(Debug, Clone)]
pub(super) struct Entry<'a> {
    /// Its name.
    pub(super) name: Name<'a>,
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

/// Entries by first use, and where each name's is.
#[derive(Default)]
struct Entries<'a> {
    entries: Vec<Entry<'a>>,
    places: HashMap<&'a str, usize, RandomState>,
}

impl<'a> Entries<'a> {
    fn add(&mut self, name: &'a str, rank: usize, u: Use<'a>) {
        let place = *self.places.entry(name).or_insert(self.entries.len());
        match self.entries.get_mut(place) {
            Some(entry) => entry.uses.push(u),
            None => {
                // Most symbols are used a few times: a `vec!` would grow at the second use.
                let mut uses = Vec::with_capacity(4);
                uses.push(u);
                self.entries.push(Entry { name: Name::new(name), rank, uses });
            }
        }
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
    term_places: HashMap<&'a str, usize, RandomState>,
}

impl<'a> Table<'a> {
    pub(super) fn new(context: &RecordContext<'a>) -> Self {
        let annotations: Vec<Annotation<'a>> = context.annotations().copied().collect();
        let mut predicates = Entries::default();
        let mut terms = Entries::default();
        let mut rank = 0;
        for (index, annotation) in annotations.iter().enumerate() {
            let Some(formula) = &annotation.parsed.formula else { continue };
            let mut add_term = |symbol: SymbolUse<'a>, rank: usize| {
                let SymbolUse { name, arity, span, .. } = symbol;
                terms.add(name, rank, Use { annotation: index, span, arity, whole: span, atom: None });
            };
            formula.walk(&mut |part| {
                if let FormulaKind::Atom(atom) = &part.kind {
                    rank += 1;
                    let (span, arity) = (atom.name_span, atom.args.len());
                    let u = Use { annotation: index, span, arity, whole: part.span, atom: Some(atom) };
                    predicates.add(&atom.name, rank, u);
                }
                for term in part.terms() {
                    term.each_symbol(&mut |symbol| {
                        if symbol.kind != SymbolKind::Free {
                            rank += 1;
                            add_term(symbol, rank);
                        }
                    });
                }
            });
        }
        let (predicates, Entries { entries: terms, places: term_places }) = (predicates.entries, terms);
        Self { annotations, predicates, terms, term_places }
    }

    /// The constant or function of this name.
    pub(super) fn term(&self, name: &str) -> Option<&Entry<'a>> {
        self.term_places.get(name).and_then(|&place| self.terms.get(place))
    }

    /// The first use in each annotation.
    pub(super) fn first_per_annotation<'e>(entry: &'e Entry<'a>) -> Vec<&'e Use<'a>> {
        // The uses stand in the order of the annotations.
        let mut last = None;
        let first = |u: &&Use<'a>| last.replace(u.annotation) != Some(u.annotation);
        entry.uses.iter().filter(first).collect()
    }

    /// The name of the annotation that a use stands in.
    pub(super) fn place(&self, u: &Use<'_>) -> String {
        self.annotations.get(u.annotation).map_or(Target::Row, |a| a.target).to_string()
    }
}
