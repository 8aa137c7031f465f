//! What is measured in records and stories.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use super::shape::Shape;
use crate::fol::{Connective, Formula, FormulaKind, Quantifier, QuantifierScope, SymbolKind, parse_with};
use crate::record::{Label, Record};

/// The operators that are counted, in the order of tables. `≠` is one of its own.
pub(super) const OPERATORS: [&str; 10] = ["∀", "∃", "¬", "∧", "∨", "⊕", "→", "↔", "=", "≠"];

/// Which part of a record a text is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Premise,
    Conclusion,
}

impl Role {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Premise => "premise",
            Self::Conclusion => "conclusion",
        }
    }
}

/// Characters and words of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Length {
    pub(super) characters: u32,
    pub(super) words: u32,
}

/// A formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Measured {
    pub(super) role: Role,
    pub(super) length: Length,
    /// `None` where it has no reading.
    pub(super) tree: Option<Tree>,
}

/// What a formula that was read is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tree {
    /// Quantified variables within each other, at most.
    pub(super) depth: u32,
    /// Quantified variables.
    pub(super) quantifiers: u32,
    /// By the order of [`OPERATORS`].
    pub(super) operators: [u32; OPERATORS.len()],
}

/// Different symbols of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Signature {
    /// By number of arguments: 0, 1, 2, more.
    pub(super) predicates: [u32; 4],
    pub(super) functions: u32,
    pub(super) constants: u32,
}

/// A record, as far as its formulas go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) record: usize,
    pub(super) label: Option<Label>,
    /// Whether it has a formula of its conclusion, or of a premise.
    pub(super) formalised: bool,
    /// Whether every formula has a reading.
    pub(super) read: bool,
    /// The same for records of one shape, premises and conclusion; `None` where it is not known.
    pub(super) shape: Option<u64>,
}

/// The records of one split that share a story: the id of the dataset, if any, and premises, sentences and formulas.
#[derive(Debug, Clone)]
pub(super) struct Story {
    pub(super) records: Vec<Asked>,
    /// Premises: sentences, or formulas where there are no sentences.
    pub(super) premises: u32,
    /// The lengths of sentences.
    pub(super) sentences: Vec<(Role, Length)>,
    pub(super) formulas: Vec<Measured>,
    /// `None` where a formula of it has no reading, or there is none.
    pub(super) signature: Option<Signature>,
    /// Whether it has formulas of premises.
    pub(super) formalised: bool,
    /// The same for stories whose premises are of one shape; `None` where it is not known.
    pub(super) shape: Option<u64>,
}

/// The stories of records that could be read, by the place of their first record.
pub(super) fn stories(records: &[Record], scope: QuantifierScope) -> Vec<Story> {
    let mut members: Vec<Vec<usize>> = Vec::new();
    let mut places: HashMap<(&str, [u8; 16]), usize> = HashMap::new();
    for (i, record) in records.iter().enumerate().filter(|(_, record)| record.is_readable()) {
        let bare = record.premises.is_empty() && record.premises_fol.is_empty();
        // What has no premises is of no story, and stands alone.
        let place = if bare {
            members.len()
        } else {
            *places.entry((&record.split, record.named_story_key())).or_insert(members.len())
        };
        match members.get_mut(place) {
            Some(story) => story.push(i),
            None => members.push(vec![i]),
        }
    }
    members.par_iter().filter_map(|members| story(records, members, scope)).collect()
}

/// A formula, if the text has a reading.
pub(super) fn read(text: &str, scope: QuantifierScope) -> Option<Formula> {
    let parsed = parse_with(text, scope);
    if parsed.has_error() { None } else { parsed.formula }
}

fn story(records: &[Record], members: &[usize], scope: QuantifierScope) -> Option<Story> {
    let first = records.get(*members.first()?)?;
    let premises: Vec<Option<Formula>> = first.premises_fol.iter().map(|text| read(text, scope)).collect();
    let all: Option<Vec<&Formula>> = premises.iter().map(Option::as_ref).collect();
    let mut sentences: Vec<(Role, Length)> = first.premises.iter().map(|s| (Role::Premise, length(s))).collect();
    let mut formulas: Vec<Measured> = first
        .premises_fol
        .iter()
        .zip(&premises)
        .map(|(text, formula)| measured(Role::Premise, text, formula.as_ref()))
        .collect();
    let mut symbols = BTreeSet::new();
    all.iter().flatten().for_each(|formula| note_symbols(formula, &mut symbols));
    let (mut whole, mut asked) = (all.is_some(), Vec::new());
    for record in members {
        let index = *record;
        let Some(record) = records.get(index) else { continue };
        // A sentence that is not there has no length.
        if !record.conclusion.is_empty() {
            sentences.push((Role::Conclusion, length(&record.conclusion)));
        }
        let conclusion = record.conclusion_fol.as_ref().map(|text| {
            let formula = read(text, scope);
            formulas.push(measured(Role::Conclusion, text, formula.as_ref()));
            formula
        });
        if let Some(Some(formula)) = &conclusion {
            note_symbols(formula, &mut symbols);
        }
        whole &= !matches!(conclusion, Some(None));
        let shape = match (&all, &conclusion) {
            (Some(premises), Some(Some(conclusion))) => Some(Shape::new(premises, Some(conclusion)).key()),
            _ => None,
        };
        asked.push(Asked {
            record: index,
            label: record.label,
            formalised: conclusion.is_some() || !premises.is_empty(),
            read: all.is_some() && !matches!(conclusion, Some(None)),
            shape,
        });
    }
    let is_any = !formulas.is_empty();
    Some(Story {
        records: asked,
        premises: count(if first.premises.is_empty() { premises.len() } else { first.premises.len() }),
        sentences,
        formulas,
        signature: (whole && is_any).then(|| signature(&symbols)),
        formalised: !premises.is_empty(),
        shape: all.filter(|all| !all.is_empty()).map(|all| Shape::new(&all, None).key()),
    })
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn length(text: &str) -> Length {
    Length { characters: count(text.chars().count()), words: count(text.split_whitespace().count()) }
}

fn measured(role: Role, text: &str, formula: Option<&Formula>) -> Measured {
    Measured { role, length: length(text), tree: formula.map(tree) }
}

fn tree(formula: &Formula) -> Tree {
    let mut out = Tree { depth: depth(formula), ..Tree::default() };
    let mut note = |place: usize, n: u32| {
        if let Some(operator) = out.operators.get_mut(place) {
            *operator += n;
        }
    };
    formula.walk(&mut |part| match &part.kind {
        FormulaKind::Quantified(quantifier, variables, _) => {
            note(usize::from(*quantifier == Quantifier::Exists), count(variables.len()));
        }
        FormulaKind::Not(_) => note(2, 1),
        FormulaKind::Binary(connective, ..) => note(
            match connective {
                Connective::And => 3,
                Connective::Or => 4,
                Connective::Xor => 5,
                Connective::Implies => 6,
                Connective::Iff => 7,
            },
            1,
        ),
        FormulaKind::Equal(..) => note(8, 1),
        FormulaKind::NotEqual(..) => note(9, 1),
        FormulaKind::Constant(_) | FormulaKind::Atom(_) => {}
    });
    out.quantifiers = out.operators.iter().take(2).sum();
    out
}

fn depth(formula: &Formula) -> u32 {
    let below = formula.children().map(depth).max().unwrap_or(0);
    match &formula.kind {
        FormulaKind::Quantified(_, variables, _) => below + count(variables.len()),
        _ => below,
    }
}

type Symbols = BTreeSet<(SymbolKind, String, usize)>;

fn note_symbols(formula: &Formula, symbols: &mut Symbols) {
    formula.each_symbol(&mut |symbol| {
        symbols.insert((symbol.kind, symbol.name.to_owned(), symbol.arity));
    });
}

fn signature(symbols: &Symbols) -> Signature {
    let mut out = Signature::default();
    for (kind, _, arity) in symbols {
        match kind {
            SymbolKind::Predicate => {
                if let Some(n) = out.predicates.get_mut((*arity).min(3)) {
                    *n += 1;
                }
            }
            SymbolKind::Function => out.functions += 1,
            SymbolKind::Constant => out.constants += 1,
            SymbolKind::Free => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_measured() {
        let formula = |text: &str| read(text, QuantifierScope::default()).unwrap();
        let all = tree(&formula("∀x ∃y (P(x) ∧ ¬Q(y) → (R(x, y) ⊕ x = y) ∨ ∀z (z ≠ a ↔ S(z)))"));
        assert_eq!((all.depth, all.quantifiers), (3, 3));
        assert_eq!(all.operators, [2, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        let beside = tree(&formula("∀x,y R(x, y) ∧ ∃z P(z)"));
        assert_eq!((beside.depth, beside.quantifiers), (2, 3));
        assert_eq!(tree(&formula("P(a)")), Tree::default());
    }

    #[test]
    fn stories_are_measured() {
        let record = |conclusion: &str, formula: &str, id: &str| Record {
            split: "train".to_owned(),
            story_id: Some(id.to_owned()),
            premises: vec!["All dogs bark.".to_owned(), "Rex  is a dog.".to_owned()],
            premises_fol: vec!["∀x (Dog(x) → Bark(x))".to_owned(), "Dog(rex)".to_owned()],
            conclusion: conclusion.to_owned(),
            conclusion_fol: Some(formula.to_owned()),
            label: Some(Label::True),
            ..Record::default()
        };
        let bare = Record { conclusion: "Alone.".to_owned(), ..Record::default() };
        let records = [
            record("Rex barks.", "Bark(rex)", "1"),
            bare.clone(),
            record("Älter.", "Older(father(rex), rex) ∧ Rain ∧ Between(rex, rex, tom)", "1"),
            record("Rex sings.", "Sing(rex", "2"),
            bare,
            Record { raw: Some(vec![1]), ..Record::default() },
        ];
        let all = stories(&records, QuantifierScope::default());
        let indices: Vec<Vec<usize>> = all.iter().map(|s| s.records.iter().map(|r| r.record).collect()).collect();
        assert_eq!(indices, [vec![0, 2], vec![1], vec![3], vec![4]]);
        let first = &all[0];
        assert_eq!((first.premises, first.sentences.len(), first.formulas.len()), (2, 4, 4));
        assert_eq!(first.sentences[1].1, Length { characters: 14, words: 4 });
        assert_eq!(first.sentences[3], (Role::Conclusion, Length { characters: 6, words: 1 }));
        let signature = Signature { predicates: [1, 2, 1, 1], functions: 1, constants: 2 };
        assert_eq!(first.signature, Some(signature));
        assert!(first.records.iter().all(|r| r.read && r.formalised && r.shape.is_some()));
        // One that does not parse has no shape, but its story has.
        let third = &all[2];
        assert_eq!((third.signature, third.shape), (None, first.shape));
        assert_eq!((third.records[0].read, third.records[0].shape, third.records[0].formalised), (false, None, true));
        assert_eq!((all[1].premises, all[1].shape, all[1].records[0].formalised), (0, None, false));
    }
}
