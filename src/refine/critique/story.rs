//! The annotations of a case side by side, and what their symbols are.

use std::collections::BTreeMap;

use crate::diagnostic::Target;
use crate::fol::{Formula, FormulaKind, SymbolKind, Term, TermKind};
use crate::record::Record;
use crate::refine::Case;
use crate::verify::Reading;

/// One annotation that has a reading.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    /// Which it is.
    pub(super) target: Target,
    /// Its sentence, where it is known to belong to the formula.
    pub(super) sentence: Option<&'a str>,
    /// Its formula.
    pub(super) formula: &'a Formula,
}

/// The annotations of a case that have a reading: premises in order, then the conclusion.
pub(super) struct Story<'a> {
    pub(super) parts: Vec<Part<'a>>,
}

impl<'a> Story<'a> {
    pub(super) fn new(case: &'a Case<'a>) -> Self {
        Self::of(case.record, &case.reading)
    }

    pub(super) fn of(record: &'a Record, reading: &'a Reading) -> Self {
        let premises = reading.premises.iter().enumerate().filter_map(|(i, f)| {
            let target = Target::Premise(i);
            Some(Part { target, sentence: sentence(record, reading, target), formula: f.as_ref()? })
        });
        let conclusion = reading.conclusion.as_ref().and_then(Option::as_ref).map(|formula| Part {
            target: Target::Conclusion,
            sentence: sentence(record, reading, Target::Conclusion),
            formula,
        });
        Self { parts: premises.chain(conclusion).collect() }
    }

    /// The formulas of the premises.
    pub(super) fn premises(&self) -> Vec<&'a Formula> {
        self.parts.iter().filter(|p| p.target != Target::Conclusion).map(|p| p.formula).collect()
    }

    /// The formula of the conclusion.
    pub(super) fn conclusion(&self) -> Option<&'a Formula> {
        self.parts.iter().find(|p| p.target == Target::Conclusion).map(|p| p.formula)
    }
}

/// The sentence of an annotation, where it is known to belong to it.
fn sentence<'a>(record: &'a Record, reading: &Reading, target: Target) -> Option<&'a str> {
    match target {
        Target::Premise(i) if record.premises.len() == reading.premises.len() => {
            record.premises.get(i).map(String::as_str)
        }
        Target::Conclusion => Some(record.conclusion.as_str()).filter(|s| !s.is_empty()),
        _ => None,
    }
}

/// What the sentence of an annotation is called.
pub(super) const fn sentence_target(target: Target) -> Target {
    match target {
        Target::Premise(i) => Target::PremiseSentence(i),
        Target::Conclusion => Target::ConclusionSentence,
        other => other,
    }
}

/// A symbol and the annotations that use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Used<'a> {
    pub(super) name: &'a str,
    pub(super) kind: SymbolKind,
    pub(super) arity: usize,
    /// How often it is used.
    pub(super) uses: usize,
    /// Indices into [`Story::parts`], each once.
    pub(super) parts: Vec<usize>,
}

/// Every symbol, one for each kind and arity, in the order of first use.
pub(super) fn symbols<'a>(story: &Story<'a>) -> Vec<Used<'a>> {
    let mut out: Vec<Used<'a>> = Vec::new();
    let mut places: BTreeMap<(SymbolKind, &'a str, usize), usize> = BTreeMap::new();
    for (index, part) in story.parts.iter().enumerate() {
        part.formula.each_symbol(&mut |symbol| {
            let place = *places.entry((symbol.kind, symbol.name, symbol.arity)).or_insert(out.len());
            match out.get_mut(place) {
                Some(used) => {
                    used.uses += 1;
                    if used.parts.last() != Some(&index) {
                        used.parts.push(index);
                    }
                }
                None => out.push(Used {
                    name: symbol.name,
                    kind: symbol.kind,
                    arity: symbol.arity,
                    uses: 1,
                    parts: vec![index],
                }),
            }
        });
    }
    out
}

/// The word for a kind of symbol.
pub(super) const fn kind_word(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Predicate => "predicate",
        SymbolKind::Function => "function",
        SymbolKind::Constant => "constant",
        SymbolKind::Free => "free",
    }
}

/// The formula with every use of one symbol under another name.
pub(super) fn renamed(formula: &Formula, kind: SymbolKind, from: &str, to: &str) -> Formula {
    let mut out = formula.clone();
    rename(&mut out, kind, from, to);
    out
}

fn rename(formula: &mut Formula, kind: SymbolKind, from: &str, to: &str) {
    match &mut formula.kind {
        FormulaKind::Constant(_) => {}
        FormulaKind::Atom(atom) => {
            if kind == SymbolKind::Predicate && atom.name == from {
                to.clone_into(&mut atom.name);
            }
            atom.args.iter_mut().for_each(|t| rename_term(t, kind, from, to));
        }
        FormulaKind::Equal(a, b) | FormulaKind::NotEqual(a, b) => {
            rename_term(a, kind, from, to);
            rename_term(b, kind, from, to);
        }
        FormulaKind::Not(a) | FormulaKind::Quantified(_, _, a) => rename(a, kind, from, to),
        FormulaKind::Binary(_, a, b) => {
            rename(a, kind, from, to);
            rename(b, kind, from, to);
        }
    }
}

fn rename_term(term: &mut Term, kind: SymbolKind, from: &str, to: &str) {
    match &mut term.kind {
        TermKind::Constant(name) if kind == SymbolKind::Constant && name == from => to.clone_into(name),
        TermKind::Function(name, args) => {
            if kind == SymbolKind::Function && name == from {
                to.clone_into(name);
            }
            args.iter_mut().for_each(|t| rename_term(t, kind, from, to));
        }
        TermKind::Bound(_) | TermKind::Free(_) | TermKind::Constant(_) => {}
    }
}
