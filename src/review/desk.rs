//! What a reviewer has before them: the rows to look at, and what was decided about them so far.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::exchange::{Answer, Task};
use super::texts::{Candidate, Wanted, candidates, changes, own_edits, set, targets, texts, undecided, unread};
use super::weigh::{Remark, Scales, Weighed};
use crate::decision::{
    self, Action, Decision, DecisionError, LabelChange, Ledger, Settled, VERSION, leaving_key, settle, standing,
};
use crate::diagnostic::Target;
use crate::explain::critique_sentences;
use crate::record::{Decided, Label, Record, Row, Status, Verdict};
use crate::refine::Fixed;
use crate::verify::{ReadingOptions, same_story};

/// Why a request came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// There is no such row.
    #[error("there is no row {0:?}")]
    NoRow(String),
    /// What was asked for makes no sense.
    #[error("{0}")]
    Senseless(String),
    /// It could not be put on disk: it does not count.
    #[error("the decision was not kept: {0}")]
    NotKept(#[from] DecisionError),
    /// What was looked at is not what stands now.
    #[error("the row has changed since it was shown: look again")]
    Changed,
    /// Nothing of this reviewer's is left to take back.
    #[error("there is nothing to undo")]
    NothingToUndo,
}

/// What a reviewer asks to be put on record.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The row.
    pub id: String,
    /// What is done with it.
    pub action: Action,
    /// Texts that are changed.
    #[serde(default)]
    pub edits: Vec<Wanted>,
    /// The label that is given.
    #[serde(default)]
    pub label: Option<Label>,
    /// Why.
    #[serde(default)]
    pub comment: String,
    /// [`leaving_key`] of the formulas that were shown; where it is given and they are others now, nothing is decided.
    #[serde(default)]
    pub seen: Option<String>,
}

/// A line of the queue.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// The row.
    pub id: String,
    /// Its split.
    pub split: String,
    /// Its conclusion, as a sentence.
    pub conclusion: String,
    /// Its label as it leaves.
    pub label: Option<Label>,
    /// Its verdict.
    pub verdict: Verdict,
    /// What became of it.
    pub status: Status,
    /// How much a person should look at it, from 0 to 1; null where nothing scored it.
    pub score: Option<f64>,
    /// Why.
    pub reason: Option<String>,
    /// This reviewer's last word, `skip` included; null where there is none.
    pub mine: Option<Action>,
    /// What all reviewers' come to: a word of the column `decision`; null where nobody decided.
    pub decision: Option<&'static str>,
}

/// How far the review has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Rows of the queue.
    pub rows: usize,
    /// Those that this reviewer has decided.
    pub decided: usize,
    /// Those that this reviewer has left for later.
    pub skipped: usize,
    /// Those on which reviewers disagree.
    pub disagreements: usize,
}

/// Another record of the story, and what the texts that are tried make of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sibling {
    /// The record.
    pub id: String,
    /// Its conclusion.
    pub conclusion: String,
    /// Its label.
    pub label: Option<Label>,
    /// Its verdict as it stands.
    pub before: Verdict,
    /// Its verdict with the premises that are tried.
    pub after: Verdict,
}

/// What would become of a row.
#[derive(Debug, Clone)]
pub struct Preview {
    /// The row and what the rules find.
    pub weighed: Weighed,
    /// The other records of its story; empty where no premise is changed.
    pub siblings: Vec<Sibling>,
}

/// A row as the reviewer sees it now.
#[derive(Debug, Clone)]
pub struct Shown {
    /// With every decision so far.
    pub row: Row,
    /// Repairs to choose from.
    pub candidates: Vec<Candidate>,
    /// What was said about it, in the order said.
    pub history: Vec<Decision>,
    /// Records of its story, by their ids.
    pub story: Vec<String>,
    /// What the rules find in its texts as they are.
    pub remarks: Vec<Remark>,
    /// [`leaving_key`] of its formulas as they are and the label that came.
    pub seen: String,
}

/// Rows, their stories, and the decisions.
pub struct Desk {
    rows: Vec<Row>,
    by_id: HashMap<String, usize>,
    /// The rows of each story, and for each row its story.
    stories: Vec<Vec<usize>>,
    story_of: Vec<usize>,
    /// Rows to look at, in order.
    queue: Vec<usize>,
    scales: Scales,
    by: String,
    ledger: Mutex<Ledger>,
}

impl Desk {
    /// A desk for one reviewer. The queue holds the rows that are problematic and those with a reason to look at them, by
    /// `review_score`, the highest first.
    #[must_use]
    pub fn new(rows: Vec<Row>, scales: Scales, ledger: Ledger, by: &str) -> Self {
        let decided: HashSet<&str> = ledger.decisions().iter().map(|d| d.record_id.as_str()).collect();
        let by_id = rows.iter().enumerate().map(|(i, row)| (row.record.record_id.clone(), i)).collect();
        let mut stories: Vec<Vec<usize>> = Vec::new();
        let mut story_of = Vec::new();
        let mut known: HashMap<[u8; 16], Vec<usize>> = HashMap::new();
        for (i, row) in rows.iter().enumerate() {
            let of_key = known.entry(row.record.named_story_key()).or_default();
            let first = |n: &&usize| stories.get(**n).and_then(|s| s.first()).and_then(|i| rows.get(*i));
            let same = of_key.iter().find(|n| first(n).is_some_and(|other| same_story(&other.record, &row.record)));
            let number = same.copied().unwrap_or_else(|| {
                of_key.push(stories.len());
                stories.push(Vec::new());
                stories.len() - 1
            });
            story_of.push(number);
            if let Some(story) = stories.get_mut(number) {
                story.push(i);
            }
        }
        let wants = |row: &Row| {
            let asks = row.status == Status::Problematic || row.review_reason.is_some();
            row.record.is_readable() && (asks || decided.contains(row.record.record_id.as_str()))
        };
        let mut queue: Vec<usize> = (0..rows.len()).filter(|i| rows.get(*i).is_some_and(wants)).collect();
        let score = |i: &usize| rows.get(*i).and_then(|row| row.review_score).unwrap_or(-1.0);
        queue.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.cmp(b)));
        Self { rows, by_id, stories, story_of, queue, scales, by: by.to_owned(), ledger: Mutex::new(ledger) }
    }

    /// Who reviews.
    #[must_use]
    pub fn reviewer(&self) -> &str {
        &self.by
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn row(&self, id: &str) -> Result<(usize, &Row), DeskError> {
        let found = self.by_id.get(id).and_then(|i| Some((*i, self.rows.get(*i)?)));
        found.ok_or_else(|| DeskError::NoRow(id.to_owned()))
    }

    /// This reviewer's last word on each row.
    fn mine(&self, decisions: &[Decision]) -> BTreeMap<String, Action> {
        let undone: HashSet<&str> =
            decisions.iter().filter(|d| d.by == self.by).filter_map(|d| d.undoes.as_deref()).collect();
        let skipped = decisions
            .iter()
            .filter(|d| d.by == self.by && d.action == Action::Skip && !undone.contains(d.id.as_str()))
            .map(|d| (d.record_id.clone(), d.action));
        let mut out: BTreeMap<String, Action> = skipped.collect();
        // What was decided stands, though the row was left for later since.
        let decided =
            standing(decisions).into_iter().filter_map(|(id, by)| Some((id.to_owned(), by.get(&*self.by)?.action)));
        out.extend(decided);
        out
    }

    /// The rows to look at, in order, and how far the review has come.
    #[must_use]
    pub fn queue(&self) -> (Vec<Item>, Progress) {
        let ledger = self.ledger();
        let settled = settle(ledger.decisions());
        let mine = self.mine(ledger.decisions());
        drop(ledger);
        let items: Vec<Item> = self.queue.iter().filter_map(|i| self.item(*i, &settled, &mine)).collect();
        let count = |what: &dyn Fn(&Item) -> bool| items.iter().filter(|item| what(item)).count();
        let progress = Progress {
            rows: items.len(),
            decided: count(&|item| item.mine.is_some_and(Action::settles) && item.decision != Some(Decided::REFUSED)),
            skipped: count(&|item| item.mine == Some(Action::Skip)),
            disagreements: count(&|item| item.decision == Some(Decided::DISAGREEMENT)),
        };
        (items, progress)
    }

    fn item(&self, index: usize, settled: &Settled, mine: &BTreeMap<String, Action>) -> Option<Item> {
        let row = self.rows.get(index)?;
        let id = &row.record.record_id;
        // A decision can have lost its ground by one about another record of the story.
        let decided = settled.records.contains_key(id).then(|| self.applied(index, settled).decided);
        let decision = decided.flatten().map(|decided| decided.word);
        Some(Item {
            id: id.clone(),
            split: row.record.split.clone(),
            conclusion: row.record.conclusion.clone(),
            label: row.label,
            verdict: row.verdict,
            status: row.status,
            score: row.review_score,
            reason: row.review_reason.clone(),
            mine: mine.get(id).copied(),
            decision,
        })
    }

    /// A row with every decision so far, and what there is to choose from.
    ///
    /// # Errors
    /// Where there is no such row.
    pub fn show(&self, id: &str) -> Result<Shown, DeskError> {
        let (index, stored) = self.row(id)?;
        let ledger = self.ledger();
        let settled = settle(ledger.decisions());
        let history: Vec<Decision> = ledger.decisions().iter().filter(|d| d.record_id == id).cloned().collect();
        drop(ledger);
        let applied = self.applied(index, &settled);
        let weighed = self.scales.weigh(stored, applied.fixed.clone(), applied.decided);
        // The verdict of the run has its evidence with it; it is only another text or label that is weighed anew.
        let as_stored = texts(stored) == (&applied.fixed.premises_fol[..], applied.fixed.conclusion_fol.as_deref());
        let row = match (as_stored, &weighed.row.decision) {
            (true, decided) if *decided == stored.decision => stored.clone(),
            _ => weighed.row,
        };
        let story = self.story(index).filter(|i| *i != index).filter_map(|i| self.rows.get(i));
        Ok(Shown {
            candidates: candidates(stored),
            history,
            story: story.map(|row| row.record.record_id.clone()).collect(),
            remarks: weighed.remarks,
            seen: key(&applied.fixed, stored),
            row,
        })
    }

    /// How formulas are read.
    pub(super) const fn reading(&self) -> ReadingOptions {
        self.scales.reading()
    }

    /// The records of a record's story, itself included.
    pub(super) fn story_ids(&self, id: &str) -> BTreeSet<String> {
        let index = self.by_id.get(id).copied();
        let rows = index.into_iter().flat_map(|i| self.story(i)).filter_map(|i| self.rows.get(i));
        rows.map(|row| row.record.record_id.clone()).collect()
    }

    fn story(&self, index: usize) -> impl Iterator<Item = usize> {
        let story = self.story_of.get(index).and_then(|number| self.stories.get(*number));
        story.into_iter().flatten().copied()
    }

    /// A row with what was settled.
    fn applied(&self, index: usize, settled: &Settled) -> decision::Applied {
        let story: Vec<(usize, &Record, Fixed)> =
            self.story(index).filter_map(|i| self.rows.get(i).map(|row| (i, &row.record, undecided(row)))).collect();
        let parts: Vec<(&Record, &Fixed)> = story.iter().map(|(_, record, fixed)| (*record, fixed)).collect();
        let applied = decision::apply(settled, &parts);
        let own = story.iter().zip(applied).find_map(|((i, ..), applied)| (*i == index).then_some(applied));
        own.unwrap_or_else(|| decision::Applied { fixed: Fixed::default(), decided: None })
    }

    /// What would become of a row with other texts.
    ///
    /// # Errors
    /// Where there is no such row or text.
    pub fn preview(&self, id: &str, wanted: &[Wanted], label: Option<Label>) -> Result<Preview, DeskError> {
        let (index, stored) = self.row(id)?;
        let settled = settle(self.ledger().decisions());
        let decision::Applied { mut fixed, decided } = self.applied(index, &settled);
        let mut premises = false;
        for (target, after) in targets(wanted)? {
            premises |= matches!(target, Target::Premise(_));
            set(&mut fixed, target, after)?;
        }
        let given = label.map(|label| Decided {
            word: "relabel",
            by: vec![self.by.clone()],
            comment: String::new(),
            label: Some(label),
        });
        let given = given.or(decided);
        let mut siblings = Vec::new();
        if premises {
            for i in self.story(index).filter(|i| *i != index) {
                let Some(other) = self.rows.get(i) else { continue };
                let now = self.applied(i, &settled).fixed;
                let then = Fixed { premises_fol: fixed.premises_fol.clone(), ..now.clone() };
                siblings.push(Sibling {
                    id: other.record.record_id.clone(),
                    conclusion: other.record.conclusion.clone(),
                    label: other.label,
                    before: self.scales.verdict(&other.record, &now),
                    after: self.scales.verdict(&other.record, &then),
                });
            }
        }
        Ok(Preview { weighed: self.scales.weigh(stored, fixed, given), siblings })
    }

    /// Puts a decision on disk. When this returns it is kept, whatever happens next.
    ///
    /// # Errors
    /// Where there is no such row, the decision makes no sense, or it cannot be kept.
    pub fn decide(&self, asked: &Asked) -> Result<Decision, DeskError> {
        self.record(asked, &self.by, decision::now())
    }

    fn record(&self, asked: &Asked, by: &str, at: String) -> Result<Decision, DeskError> {
        let (index, stored) = self.row(&asked.id)?;
        if asked.action == Action::Undo {
            return Err(DeskError::Senseless("taking back is asked for by itself".to_owned()));
        }
        let mut ledger = self.ledger();
        let settled = settle(ledger.decisions());
        let before = undecided(stored);
        let now = self.applied(index, &settled).fixed;
        if asked.seen.as_ref().is_some_and(|seen| *seen != key(&now, stored)) {
            return Err(DeskError::Changed);
        }
        let mut after = now.clone();
        let changes_texts = matches!(asked.action, Action::Accept | Action::Relabel);
        if !changes_texts && !asked.edits.is_empty() {
            return Err(DeskError::Senseless(format!("`{}` changes no formula", asked.action.as_str())));
        }
        for (target, text) in targets(&asked.edits)? {
            set(&mut after, target, text)?;
        }
        if changes_texts && unread(&after, self.scales.reading()) {
            return Err(DeskError::Senseless("a formula has no reading: mend it, or mark the sentence".to_owned()));
        }
        let label = match (asked.action, asked.label) {
            (Action::Relabel, Some(after)) => Some(LabelChange { before: stored.record.label, after }),
            (Action::Relabel, None) => return Err(DeskError::Senseless("which label?".to_owned())),
            _ => None,
        };
        let decision = Decision {
            version: VERSION,
            id: String::new(),
            at,
            by: by.to_owned(),
            record_id: stored.record.record_id.clone(),
            split: stored.record.split.clone(),
            record: stored.record.content_key(),
            found: key(&before, stored),
            seen: key(&after, stored),
            action: asked.action,
            edits: if changes_texts {
                changes(&before, &after, &now, &own_edits(&ledger, by, &asked.id))
            } else {
                Vec::new()
            },
            label,
            comment: asked.comment.trim().to_owned(),
            undoes: None,
        }
        .with_id();
        ledger.append(decision.clone())?;
        Ok(decision)
    }

    /// Rows for another tool, in order.
    #[must_use]
    pub fn tasks(&self) -> Vec<Task> {
        let settled = settle(self.ledger().decisions());
        let task = |index: &usize| {
            let row = self.rows.get(*index)?;
            let record = &row.record;
            let fixed = self.applied(*index, &settled).fixed;
            Some(Task {
                id: record.record_id.clone(),
                split: record.split.clone(),
                record: record.content_key(),
                seen: key(&fixed, row),
                premises: record.premises.clone(),
                premises_fol: fixed.premises_fol,
                conclusion: record.conclusion.clone(),
                conclusion_fol: fixed.conclusion_fol.unwrap_or_default(),
                label: row.label,
                verdict: row.verdict.to_string(),
                reason: [row.review_reason.as_deref(), row.verdict_reason.as_deref()]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join("; "),
                critique: row.critique.as_deref().map(critique_sentences).unwrap_or_default(),
            })
        };
        self.queue.iter().filter_map(task).collect()
    }

    /// Puts on disk what came back from another tool, under the name and the time that it gives.
    ///
    /// # Errors
    /// As [`Desk::decide`]; and where the row is not the one that was exported.
    pub fn take(&self, answer: &Answer) -> Result<Decision, DeskError> {
        let (_, stored) = self.row(&answer.asked.id)?;
        if stored.record.content_key() != answer.record {
            return Err(DeskError::Senseless("the row has changed since it was exported".to_owned()));
        }
        let by = answer.by.as_deref().unwrap_or(&self.by);
        let at = answer.at.clone().unwrap_or_else(decision::now);
        self.record(&answer.asked, by, at)
    }

    /// Takes back this reviewer's last decision that was not taken back.
    ///
    /// # Errors
    /// Where there is none, or it cannot be kept.
    pub fn undo(&self) -> Result<Decision, DeskError> {
        let mut ledger = self.ledger();
        let undone: Vec<&str> = ledger.decisions().iter().filter_map(|d| d.undoes.as_deref()).collect();
        let last = ledger.decisions().iter().rev();
        let mut last = last.filter(|d| d.by == self.by && d.action != Action::Undo && !undone.contains(&d.id.as_str()));
        let last = last.next().ok_or(DeskError::NothingToUndo)?.clone();
        let undo = Decision {
            at: decision::now(),
            action: Action::Undo,
            edits: Vec::new(),
            label: None,
            comment: String::new(),
            undoes: Some(last.id.clone()),
            ..last
        }
        .with_id();
        ledger.append(undo.clone())?;
        Ok(undo)
    }
}

/// Identifies the formulas of a row, with the label that came.
fn key(fixed: &Fixed, row: &Row) -> String {
    leaving_key(&fixed.premises_fol, fixed.conclusion_fol.as_deref(), row.record.label)
}
