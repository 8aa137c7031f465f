//! What the page has of every row: enough to list, search and filter it. Everything else is in pieces that it unpacks when a
//! row is opened.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;

use crate::record::{Label, Row};

/// Words by their numbers.
#[derive(Debug, Default)]
struct Words {
    words: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Words {
    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.words.push(word.to_owned());
        self.numbers.insert(word.to_owned(), number);
        number
    }
}

/// A column of words.
#[derive(Debug, Default)]
struct Column {
    words: Words,
    values: Vec<u32>,
}

impl Column {
    fn push(&mut self, word: &str) {
        self.values.push(self.words.number(word));
    }

    fn told(self) -> ToldColumn {
        ToldColumn { words: self.words.words, values: self.values }
    }
}

#[derive(Debug, Serialize)]
struct ToldColumn {
    words: Vec<String>,
    values: Vec<u32>,
}

/// Columns of sets of words.
#[derive(Debug, Default)]
struct Sets {
    words: Words,
    values: Vec<Vec<u32>>,
}

impl Sets {
    fn push<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        let words: BTreeSet<&str> = words.collect();
        self.values.push(words.into_iter().map(|word| self.words.number(word)).collect());
    }
}

#[derive(Debug, Serialize)]
struct ToldSets {
    words: Vec<String>,
    values: Vec<Vec<u32>>,
}

/// The rows of a report, as they are gathered.
#[derive(Debug, Default)]
pub(super) struct Index {
    ids: Vec<String>,
    conclusions: Vec<String>,
    formulas: Vec<String>,
    reasons: Vec<String>,
    scores: Vec<Option<f64>>,
    proposals: Vec<u32>,
    stories: Column,
    split: Column,
    label: Column,
    verdict: Column,
    agreement: Column,
    came: Column,
    status: Column,
    decision: Column,
    rules: Sets,
    kinds: Sets,
}

/// The form that the page reads.
#[derive(Debug, Serialize)]
struct Told {
    ids: Vec<String>,
    conclusions: Vec<String>,
    formulas: Vec<String>,
    reasons: Vec<String>,
    scores: Vec<Option<f64>>,
    proposals: Vec<u32>,
    stories: ToldColumn,
    split: ToldColumn,
    label: ToldColumn,
    verdict: ToldColumn,
    agreement: ToldColumn,
    came: ToldColumn,
    status: ToldColumn,
    decision: ToldColumn,
    rules: ToldSets,
    kinds: ToldSets,
    /// Rows in each piece but the last.
    piece: usize,
}

impl Index {
    pub(super) fn push(&mut self, row: &Row) {
        let record = &row.record;
        self.ids.push(record.record_id.clone());
        self.conclusions.push(if record.is_readable() { record.conclusion.clone() } else { String::new() });
        self.formulas.push(row.conclusion_fol.clone().unwrap_or_default());
        let reasons = [row.verdict_reason.as_deref(), row.review_reason.as_deref()];
        self.reasons.push(reasons.into_iter().flatten().collect::<Vec<_>>().join("; "));
        self.scores.push(row.review_score);
        self.proposals.push(u32::try_from(row.proposals.len()).unwrap_or(u32::MAX));
        // What all records of a story share is there once.
        let story: Vec<&str> = record.premises.iter().chain(&row.premises_fol).map(String::as_str).collect();
        self.stories.push(&story.join("\n"));
        self.split.push(&record.split);
        self.label.push(row.label.map_or("none", Label::as_str));
        self.verdict.push(row.verdict.as_str());
        self.agreement.push(row.agreement.as_str());
        self.came.push(row.agreement_original.as_str());
        self.status.push(row.status.as_str());
        self.decision.push(row.decision.as_ref().map_or("none", |d| d.word));
        self.rules.push(row.diagnostics.iter().map(|d| d.code).chain(row.edits.iter().map(|e| e.rule.as_str())));
        self.kinds.push(row.edits.iter().map(|e| e.kind.as_str()));
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// As JSON.
    pub(super) fn json(self, piece: usize) -> Result<Vec<u8>, serde_json::Error> {
        let sets = |sets: Sets| ToldSets { words: sets.words.words, values: sets.values };
        serde_json::to_vec(&Told {
            ids: self.ids,
            conclusions: self.conclusions,
            formulas: self.formulas,
            reasons: self.reasons,
            scores: self.scores,
            proposals: self.proposals,
            stories: self.stories.told(),
            split: self.split.told(),
            label: self.label.told(),
            verdict: self.verdict.told(),
            agreement: self.agreement.told(),
            came: self.came.told(),
            status: self.status.told(),
            decision: self.decision.told(),
            rules: sets(self.rules),
            kinds: sets(self.kinds),
            piece,
        })
    }
}
