//! Records with known verdicts, for measuring and for testing provers and parsers.
//!
//! Their forms follow FOLIO's in number and frequency; words and symbols are the generator's own. The verdicts are known by
//! the way the records are made, without asking a prover. The same seed gives the same rows on every machine.

mod formula;
mod output;
mod random;
mod shape;
mod story;
mod words;

use std::collections::HashSet;

use serde::Serialize;
use sha2::{Digest, Sha256};

pub use self::output::{Format, SynthError, UnknownFormat, write};
pub(crate) use self::random::Random;
use self::story::story;
use self::words::Words;
use crate::record::{Label, Verdict};

/// One generated record, in the columns of FOLIO v2 and with its verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SynthRow {
    /// Number of the story, from 0.
    pub story_id: u64,
    /// The sentences of the premises, one a line.
    pub premises: String,
    /// Their formulas, one a line.
    #[serde(rename = "premises-FOL")]
    pub premises_fol: String,
    /// The sentence of the conclusion.
    pub conclusion: String,
    /// Its formula.
    #[serde(rename = "conclusion-FOL")]
    pub conclusion_fol: String,
    /// The label: the verdict, or any of the three where the premises contradict each other.
    #[serde(serialize_with = "as_word")]
    pub label: Label,
    /// Number of the row, from 0.
    pub example_id: u64,
    /// What a prover has to come to: `True`, `False`, `Uncertain` or `Inconsistent`.
    pub verdict: Verdict,
    /// Identifies the row up to the choice of its symbols; not written.
    #[serde(skip)]
    pub form: [u8; 16],
}

fn as_word<S: serde::Serializer>(label: &Label, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(label.as_str())
}

/// Generated rows, story by story, without an end.
#[derive(Debug, Clone)]
pub struct Rows {
    seed: u64,
    story: u64,
    example: u64,
    ready: std::vec::IntoIter<SynthRow>,
    /// Beginnings of the forms so far.
    seen: HashSet<u64>,
}

/// How often a story is drawn again because one of its rows has been there already with other symbols. Beyond that it is
/// taken as it is: of the smallest stories there are not so many.
const DRAFTS: u64 = 12;

impl Rows {
    /// The rows of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, story: 0, example: 0, ready: Vec::new().into_iter(), seen: HashSet::new() }
    }

    fn next_story(&mut self) -> Vec<SynthRow> {
        let short = |form: [u8; 16]| form.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
        let mut draft = 0;
        let (story, forms, mut random) = loop {
            let mut random = Random::of(self.seed, self.story, draft);
            let story = story(&mut random);
            let formulas = |conclusion| story.premises.iter().chain([conclusion]);
            let forms: Vec<_> = story.conclusions.iter().map(|c| formula::form(formulas(&c.formula))).collect();
            draft += 1;
            if draft == DRAFTS || forms.iter().all(|form| !self.seen.contains(&short(*form))) {
                break (story, forms, random);
            }
        };
        self.seen.extend(forms.iter().copied().map(short));
        let words = Words::choose(&story.arities, story.names, &mut random);
        let lines = |texts: Vec<String>| texts.join("\n");
        let premises = lines(story.premises.iter().map(|formula| words.sentence(formula)).collect());
        let premises_fol = lines(story.premises.iter().map(|formula| words.formula(formula)).collect());
        let mut out = Vec::new();
        for (conclusion, form) in story.conclusions.iter().zip(forms) {
            out.push(SynthRow {
                story_id: self.story,
                premises: premises.clone(),
                premises_fol: premises_fol.clone(),
                conclusion: words.sentence(&conclusion.formula),
                conclusion_fol: words.formula(&conclusion.formula),
                label: conclusion.label,
                example_id: self.example,
                verdict: conclusion.verdict,
                form,
            });
            self.example += 1;
        }
        self.story += 1;
        out
    }
}

impl Iterator for Rows {
    type Item = SynthRow;

    fn next(&mut self) -> Option<SynthRow> {
        loop {
            if let Some(row) = self.ready.next() {
                return Some(row);
            }
            self.ready = self.next_story().into_iter();
        }
    }
}

/// What was generated, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows.
    pub rows: u64,
    /// Stories.
    pub stories: u64,
    /// Rows by verdict: True, False, Uncertain, Inconsistent.
    pub verdicts: [u64; 4],
    forms: HashSet<[u8; 16]>,
}

impl Tally {
    /// The verdicts that rows can have, in the order of [`Tally::verdicts`].
    pub const VERDICTS: [Verdict; 4] = [Verdict::True, Verdict::False, Verdict::Uncertain, Verdict::Inconsistent];

    /// Counts one row.
    pub fn add(&mut self, row: &SynthRow) {
        self.rows += 1;
        self.stories = row.story_id + 1;
        for (verdict, count) in Self::VERDICTS.iter().zip(&mut self.verdicts) {
            *count += u64::from(*verdict == row.verdict);
        }
        self.forms.insert(row.form);
    }

    /// Rows that differ from each other in more than the choice of symbols.
    #[must_use]
    pub fn distinct(&self) -> u64 {
        self.forms.len() as u64
    }
}

/// A hash of formulas that does not depend on which predicates and names they use, only on where which of them recurs.
fn hash_form(numbers: &[u8]) -> [u8; 16] {
    let mut form = [0; 16];
    form.iter_mut().zip(Sha256::digest(numbers)).for_each(|(to, from)| *to = from);
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_a_seed_are_fixed() {
        let rows: Vec<SynthRow> = Rows::new(7).take(2000).collect();
        assert_eq!(rows, Rows::new(7).take(2000).collect::<Vec<_>>());
        assert_ne!(rows[..10], Rows::new(8).take(10).collect::<Vec<_>>());
        let text: String = rows.iter().map(|row| serde_json::to_string(row).unwrap() + "\n").collect();
        insta::assert_snapshot!(crate::record::sha256_hex(text.as_bytes()), @"c38576eef085ba8e980ea6397ac028eb27b3f829e671476baaa00edbe092e693");
        let first = &rows[0];
        insta::assert_snapshot!(format!("{}\n{}\n⊢ {}\n  {}\n{}", first.premises, first.premises_fol, first.conclusion, first.conclusion_fol, first.verdict), @r"
        Lonalia fasts or Larilia is a timid otter.
        Ladolen rows.
        If Larilia joins Lonalia, then Lonalia fasts.
        For every X, if Larilia admires X, then Lonalia joins X.
        Larilia joins Lonalia.
        Fasts(lonalia) ∨ TimidOtter(larilia)
        Rows(ladolen)
        Joins(larilia, lonalia) → Fasts(lonalia)
        ∀x (Admires(larilia, x) → Joins(lonalia, x))
        Joins(larilia, lonalia)
        ⊢ Lonalia fasts.
          Fasts(lonalia)
        True
        ");
    }

    #[test]
    fn rows_are_distinct_up_to_their_symbols() {
        let mut tally = Tally::default();
        Rows::new(1).take(20_000).for_each(|row| tally.add(&row));
        assert!(tally.distinct() * 100 >= tally.rows * 97, "{} of {}", tally.distinct(), tally.rows);
        // The other way round: the same formulas in other words are the same form.
        let mut random = Random::of(3, 3, 0);
        let story = story(&mut random);
        let forms: HashSet<_> = (0..5)
            .map(|turn| {
                let turned = |n: usize, of: usize| (n + turn) % of;
                formula::form_with(
                    story.premises.iter(),
                    |p| turned(p, story.arities.len()),
                    |n| turned(n, story.names),
                )
            })
            .collect();
        assert_eq!(forms.len(), 1);
    }

    #[test]
    fn every_verdict_occurs_about_as_often_as_measured() {
        let mut tally = Tally::default();
        Rows::new(2).take(20_000).for_each(|row| tally.add(&row));
        let shares: Vec<u64> = tally.verdicts.iter().map(|count| count * 1000 / tally.rows).collect();
        for (share, measured) in shares.iter().zip([390, 290, 315, 9]) {
            assert!(share.abs_diff(measured) <= 60 && *share > 0, "{shares:?}");
        }
        let per_story = tally.rows * 100 / tally.stories;
        assert!((240..320).contains(&per_story), "{per_story}");
    }
}
