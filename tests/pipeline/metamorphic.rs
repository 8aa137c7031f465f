//! What must not matter to a verdict: the spelling of symbols, the order of premises, ids, and the label.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use refolio::fol::print::unicode;
use refolio::fol::{Formula, FormulaKind, SymbolKind, Term, TermKind, parse};
use serde_json::json;
use tempfile::TempDir;

use crate::rows::OutRow;
use crate::{Ran, VALIDATION, published, strict};

/// What a row says.
#[derive(Debug, Clone, PartialEq)]
struct Item {
    story: String,
    id: String,
    premises: Vec<String>,
    premises_fol: Vec<String>,
    conclusion: String,
    conclusion_fol: String,
    label: String,
}

impl Item {
    /// A row with its formulas as they came.
    fn original(row: &OutRow) -> Self {
        Self {
            story: row.text("story_id").to_owned(),
            id: row.text("record_id").to_owned(),
            premises: row.texts("premises"),
            premises_fol: row.texts("premises_fol_original"),
            conclusion: row.text("conclusion").to_owned(),
            conclusion_fol: row.text("conclusion_fol_original").to_owned(),
            label: row.text("label").to_owned(),
        }
    }

    /// A row with its formulas as they leave.
    fn mended(row: &OutRow) -> Self {
        let conclusion_fol = row.text("conclusion_fol").to_owned();
        Self { premises_fol: row.texts("premises_fol"), conclusion_fol, ..Self::original(row) }
    }
}

/// Writes items as FOLIO v0.0 does: in lists, so that no text is trimmed or split.
fn write(items: &[Item]) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("validation.jsonl");
    let lines: Vec<String> = items
        .iter()
        .map(|item| {
            let row = json!({
                "story_id": item.story, "example_id": item.id, "premises": item.premises,
                "premises-FOL": item.premises_fol, "conclusion": item.conclusion,
                "conclusion-FOL": item.conclusion_fol, "label": item.label,
            });
            format!("{row}\n")
        })
        .collect();
    fs::write(&path, lines.concat()).unwrap();
    (dir, path)
}

fn run(items: &[Item]) -> Vec<OutRow> {
    let (_dir, path) = write(items);
    Ran::new(&[path], |_| ()).rows("validation")
}

fn run_strictly(items: &[Item]) -> Vec<OutRow> {
    let (_dir, path) = write(items);
    Ran::new(&[path], strict).rows("validation")
}

/// The validation split as it comes out, or `None` where it is not at hand.
fn base() -> Option<Vec<OutRow>> {
    let rows = Ran::new(&[published(VALIDATION)?], |_| ()).rows("validation");
    assert_eq!(rows.len(), 203);
    Some(rows)
}

fn verdicts(rows: &[OutRow], column: &str) -> Vec<String> {
    rows.iter().map(|row| row.text(column).to_owned()).collect()
}

fn assert_same_verdicts(rows: &[OutRow], base: &[OutRow], columns: &[(&str, &str)]) {
    assert_eq!(rows.len(), base.len());
    for (ours, theirs) in columns {
        for (a, b) in rows.iter().zip(base) {
            assert_eq!(
                a.text(ours),
                b.text(theirs),
                "{}: {:#?} became {:#?}",
                b.text("record_id"),
                b.texts("premises_fol"),
                a.texts("premises_fol")
            );
        }
    }
}

const BOTH: &[(&str, &str)] = &[("verdict_original", "verdict_original"), ("verdict", "verdict")];

/// New names for the symbols of a story, one for one. Variables keep theirs.
#[derive(Default)]
struct Renamer(BTreeMap<(SymbolKind, String, usize), String>);

impl Renamer {
    fn name(&mut self, kind: SymbolKind, name: &str, arity: usize) -> String {
        // Multiples of a number modulo a prime: different, and in another order than they were met in.
        let number = (self.0.len() + 1) * 7919 % 10_007;
        let new = match kind {
            SymbolKind::Predicate => format!("Rel{number}é"),
            SymbolKind::Function => format!("fun{number}"),
            SymbolKind::Constant | SymbolKind::Free => format!("k-{number}ß"),
        };
        self.0.entry((kind, name.to_owned(), arity)).or_insert(new).clone()
    }

    fn formula(&mut self, formula: &mut Formula) {
        match &mut formula.kind {
            FormulaKind::Constant(_) => {}
            FormulaKind::Atom(atom) => {
                atom.name = self.name(SymbolKind::Predicate, &atom.name, atom.args.len());
                atom.args.iter_mut().for_each(|term| self.term(term));
            }
            FormulaKind::Equal(a, b) | FormulaKind::NotEqual(a, b) => {
                self.term(a);
                self.term(b);
            }
            FormulaKind::Not(a) | FormulaKind::Quantified(_, _, a) => self.formula(a),
            FormulaKind::Binary(_, a, b) => {
                self.formula(a);
                self.formula(b);
            }
        }
    }

    fn term(&mut self, term: &mut Term) {
        match &mut term.kind {
            TermKind::Bound(_) | TermKind::Free(_) => {}
            TermKind::Constant(name) => *name = self.name(SymbolKind::Constant, name, 0),
            TermKind::Function(name, args) => {
                *name = self.name(SymbolKind::Function, name, args.len());
                args.iter_mut().for_each(|term| self.term(term));
            }
        }
    }

    /// The text with new names; what has no reading stays as it is.
    fn text(&mut self, text: &str) -> String {
        let Some(formula) = parse(text).reading().cloned() else { return text.to_owned() };
        let mut renamed = formula;
        self.formula(&mut renamed);
        let text = unicode::print(&renamed);
        assert_eq!(parse(&text).reading(), Some(&renamed), "{text}");
        text
    }
}

fn renamed(items: &[Item]) -> Vec<Item> {
    let mut stories: BTreeMap<&str, Renamer> = BTreeMap::new();
    let renamed: Vec<Item> = items
        .iter()
        .map(|item| {
            let renamer = stories.entry(&item.story).or_default();
            Item {
                premises_fol: item.premises_fol.iter().map(|text| renamer.text(text)).collect(),
                conclusion_fol: renamer.text(&item.conclusion_fol),
                ..item.clone()
            }
        })
        .collect();
    for renamer in stories.into_values() {
        let mut names: Vec<String> = renamer.0.into_values().collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "one for one");
    }
    renamed
}

#[test]
fn the_spelling_of_symbols() {
    let Some(base) = base() else { return };
    for (items, column) in [
        (base.iter().map(Item::original).collect::<Vec<_>>(), "verdict_original"),
        (base.iter().map(Item::mended).collect(), "verdict"),
    ] {
        let new = renamed(&items);
        let touched = items.iter().zip(&new).filter(|(a, b)| a.conclusion_fol != b.conclusion_fol).count();
        assert!(touched > 180, "only {touched} conclusions have new names");
        assert_same_verdicts(&run_strictly(&new), &base, &[("verdict", column)]);
    }
}

/// A permutation that depends on the seed alone.
fn permutation(n: usize, seed: u64) -> Vec<usize> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        // xorshift64
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let j = usize::try_from(state % (i as u64 + 1)).unwrap();
        order.swap(i, j);
    }
    order
}

#[test]
fn the_order_of_premises() {
    let Some(base) = base() else { return };
    for seed in [1, 2] {
        let mut moved = 0;
        let items: Vec<Item> = base
            .iter()
            .zip(0..)
            .map(|(row, i)| {
                let mut item = Item::original(row);
                assert_eq!(item.premises.len(), item.premises_fol.len());
                let order = permutation(item.premises.len(), seed * 1000 + i);
                moved += usize::from(!order.is_sorted());
                item.premises = order.iter().map(|&p| item.premises[p].clone()).collect();
                item.premises_fol = order.iter().map(|&p| item.premises_fol[p].clone()).collect();
                item
            })
            .collect();
        assert!(moved > 150, "only {moved} records have their premises in another order");
        assert_same_verdicts(&run(&items), &base, BOTH);
    }
}

#[test]
fn ids() {
    let Some(base) = base() else { return };
    let items: Vec<Item> = base
        .iter()
        .enumerate()
        .map(|(i, row)| Item { story: format!("s{}", i % 7), id: format!("ü/{}", 5000 - i), ..Item::original(row) })
        .collect();
    let rows = run(&items);
    assert_same_verdicts(&rows, &base, BOTH);
    assert_eq!(verdicts(&rows, "record_id"), items.iter().map(|i| i.id.clone()).collect::<Vec<_>>());
    for column in ["agreement", "agreement_original", "status"] {
        assert_eq!(verdicts(&rows, column), verdicts(&base, column));
    }
}

#[test]
fn the_label() {
    let Some(base) = base() else { return };
    for label in ["True", "False", "Uncertain"] {
        let items: Vec<Item> = base.iter().map(|row| Item { label: label.to_owned(), ..Item::original(row) }).collect();
        let rows = run(&items);
        assert_same_verdicts(&rows, &base, BOTH);
        for row in &rows {
            let follows = |verdict: &str| match verdict {
                verdict if verdict == label => "agree",
                "True" | "False" | "Uncertain" => "conflict",
                "Inconsistent" => "inconsistent",
                "Unparsed" => "unparsed",
                other => panic!("{other}"),
            };
            let [now, before] = ["verdict", "verdict_original"].map(|column| follows(row.text(column)));
            assert_eq!((row.text("agreement"), row.text("agreement_original")), (now, before));
            let status = match (now, before) {
                ("agree", "agree") => "verified",
                ("agree", _) => "repaired",
                _ => "problematic",
            };
            assert_eq!(row.text("status"), status, "{}", row.text("record_id"));
        }
    }
}
