//! The texts of one record, laid out for search.

use std::collections::BTreeMap;

use super::wording::{NameWords, Wording};
use crate::diagnostic::{Span, Target};
use crate::fol::{Atom, Formula, FormulaKind, SymbolKind, Term, TermKind};
use crate::record::Record;

/// One annotation with what search needs of it.
pub(in crate::refine) struct Sheet<'a> {
    pub(in crate::refine) target: Target,
    pub(in crate::refine) text: &'a str,
    /// `None` where the text has no reading.
    pub(in crate::refine) formula: Option<&'a Formula>,
    /// `None` where no sentence can be matched.
    pub(in crate::refine) sentence: Option<&'a str>,
    pub(in crate::refine) wording: Wording,
}

/// One use of a symbol.
#[derive(Clone, Copy)]
pub(in crate::refine) struct Use<'a> {
    /// Index into [`Desk::sheets`].
    pub(in crate::refine) sheet: usize,
    /// Where the name stands.
    pub(in crate::refine) span: Span,
    /// For a predicate, its atom and the atom's place; for a term, the atom it is an argument of, if it is one.
    pub(in crate::refine) atom: Option<(&'a Atom, Span)>,
    /// For a term, which argument it is.
    pub(in crate::refine) position: Option<usize>,
}

/// A symbol and all its uses.
pub(in crate::refine) struct Sign<'a> {
    pub(in crate::refine) kind: SymbolKind,
    pub(in crate::refine) name: &'a str,
    pub(in crate::refine) arity: usize,
    pub(in crate::refine) words: NameWords,
    /// In the order of the record; never empty.
    pub(in crate::refine) uses: Vec<Use<'a>>,
    /// Uses in the conclusions of the story's other records.
    pub(in crate::refine) elsewhere: usize,
}

impl Sign<'_> {
    /// Uses in the whole story.
    pub(in crate::refine) fn total(&self) -> usize {
        self.uses.len() + self.elsewhere
    }

    pub(in crate::refine) fn is_in(&self, sheet: usize) -> bool {
        self.uses.iter().any(|u| u.sheet == sheet)
    }

    /// The sheets it stands on, each once.
    pub(in crate::refine) fn sheets(&self) -> Vec<usize> {
        let mut out: Vec<usize> = self.uses.iter().map(|u| u.sheet).collect();
        out.dedup();
        out
    }
}

/// The premises and the conclusion of a record, with their symbols.
pub(in crate::refine) struct Desk<'a> {
    /// The premises in order, then the conclusion.
    pub(in crate::refine) sheets: Vec<Sheet<'a>>,
    /// Predicates, constants, functions and free variables, in the order of first use.
    pub(in crate::refine) signs: Vec<Sign<'a>>,
}

impl<'a> Desk<'a> {
    pub(in crate::refine) fn new(
        record: &'a Record,
        premises: &'a [String],
        conclusion: &'a str,
        formulas: &[Option<&'a Formula>],
        others: &[&Formula],
    ) -> Self {
        let matched = record.premises.len() == premises.len();
        let sentences = record.premises.iter().map(|s| matched.then_some(s.as_str()));
        let sentences = sentences.chain(std::iter::repeat(None)).take(premises.len());
        let texts = premises.iter().map(String::as_str).zip(sentences).enumerate();
        let texts = texts.map(|(i, (text, sentence))| (Target::Premise(i), text, sentence)).chain([(
            Target::Conclusion,
            conclusion,
            Some(record.conclusion.as_str()),
        )]);
        let sheets: Vec<Sheet<'a>> = texts
            .zip(formulas)
            .map(|((target, text, sentence), formula)| Sheet {
                target,
                text,
                formula: *formula,
                sentence,
                wording: sentence.map(Wording::of).unwrap_or_default(),
            })
            .collect();
        let mut signs = signs(&sheets);
        for other in others {
            other.each_symbol(&mut |symbol| {
                let same =
                    |s: &&mut Sign<'_>| s.kind == symbol.kind && s.name == symbol.name && s.arity == symbol.arity;
                if let Some(sign) = signs.iter_mut().find(same) {
                    sign.elsewhere += 1;
                }
            });
        }
        Self { sheets, signs }
    }

    /// Index of the conclusion.
    pub(in crate::refine) fn conclusion(&self) -> usize {
        self.sheets.len().saturating_sub(1)
    }

    /// Whether a quantifier of an annotation binds a variable of this name.
    pub(in crate::refine) fn binds(&self, sheet: usize, name: &str) -> bool {
        let mut bound = false;
        if let Some(formula) = self.sheets.get(sheet).and_then(|s| s.formula) {
            formula.walk(&mut |part| {
                if let FormulaKind::Quantified(_, variables, _) = &part.kind {
                    bound |= variables.iter().any(|v| v.name == name);
                }
            });
        }
        bound
    }

    /// Which part of a name's words the sentence of a sheet has; 0.5 where there is no sentence to say.
    pub(in crate::refine) fn support(&self, sheet: usize, words: &NameWords) -> f64 {
        match self.sheets.get(sheet) {
            Some(sheet) if sheet.sentence.is_some() => sheet.wording.support(words),
            _ => 0.5,
        }
    }
}

fn signs<'a>(sheets: &[Sheet<'a>]) -> Vec<Sign<'a>> {
    let mut places: BTreeMap<(SymbolKind, &'a str, usize), usize> = BTreeMap::new();
    let mut out: Vec<Sign<'a>> = Vec::new();
    let mut add = |kind, name: &'a str, arity, u: Use<'a>| {
        let place = *places.entry((kind, name, arity)).or_insert(out.len());
        if let Some(sign) = out.get_mut(place) {
            sign.uses.push(u);
        } else {
            out.push(Sign { kind, name, arity, words: NameWords::of(name), uses: vec![u], elsewhere: 0 });
        }
    };
    for (index, sheet) in sheets.iter().enumerate() {
        let Some(formula) = sheet.formula else { continue };
        formula.walk(&mut |part| {
            let atom = match &part.kind {
                FormulaKind::Atom(atom) => {
                    let u = Use { sheet: index, span: atom.name_span, atom: Some((atom, part.span)), position: None };
                    add(SymbolKind::Predicate, &atom.name, atom.args.len(), u);
                    Some((atom, part.span))
                }
                _ => None,
            };
            for (position, term) in part.terms().enumerate() {
                terms(term, index, atom, Some(position), &mut add);
            }
        });
    }
    out
}

fn terms<'a>(
    term: &'a Term,
    sheet: usize,
    atom: Option<(&'a Atom, Span)>,
    position: Option<usize>,
    add: &mut impl FnMut(SymbolKind, &'a str, usize, Use<'a>),
) {
    let (kind, name, args): (_, &'a str, &'a [Term]) = match &term.kind {
        TermKind::Bound(_) => return,
        TermKind::Free(name) => (SymbolKind::Free, name, &[]),
        TermKind::Constant(name) => (SymbolKind::Constant, name, &[]),
        TermKind::Function(name, args) => (SymbolKind::Function, name, args),
    };
    let span = Span::new(term.span.start, (term.span.start + name.len()).min(term.span.end));
    add(kind, name, args.len(), Use { sheet, span, atom, position });
    for arg in args {
        terms(arg, sheet, None, None, add);
    }
}
