//! What an explanation says, as headings, sentences, lists and tables: the printers only differ in how these look.

mod proof;
mod repairs;
mod worlds;

use super::{About, Account, Change, Explanation, Part};
use crate::lint::report::Finding;
use crate::record::{Agreement, Grade};
use crate::verify::IDENTIFIED_NAMES;

/// A run of words of one sort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Plain words.
    Words(String),
    /// A formula, a name or a code.
    Code(String),
    /// What should catch the eye.
    Strong(String, Tone),
}

/// How good the news is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// As it should be.
    Good,
    /// Not as it should be.
    Bad,
    /// Neither.
    Neutral,
}

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// The verdict and what shows it.
    Short,
    /// The whole record, with findings and history.
    Full,
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// The first line.
    Title(Vec<Piece>),
    /// The start of a section.
    Heading(&'static str),
    /// Sentences.
    Paragraph(Vec<Piece>),
    /// A line for each.
    List(Vec<Vec<Piece>>),
    /// Sentences beside formulas.
    Statements(Vec<Statement>),
    /// The steps of a proof.
    Steps(Vec<Step>),
    /// A table.
    Table {
        /// The first line.
        head: Vec<String>,
        /// The others, each as long.
        rows: Vec<Vec<String>>,
    },
    /// Code frames.
    Frames(Vec<Finding>),
}

/// A premise or the conclusion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The premise's number, or `∴`.
    pub label: String,
    /// Whether the contradiction needs it; `None` where there is none.
    pub used: Option<bool>,
    /// The sentence.
    pub sentence: Option<String>,
    /// The formula.
    pub formula: Option<String>,
    /// What became of it.
    pub notes: Vec<Vec<Piece>>,
}

/// A line of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// In how many cases it stands.
    pub depth: usize,
    /// Its number; `None` for an end.
    pub number: Option<usize>,
    /// What is so.
    pub what: Vec<Piece>,
    /// Why.
    pub why: Vec<Piece>,
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// A line that names it, as for a window.
    pub name: String,
    /// In order.
    pub blocks: Vec<Block>,
}

fn words(text: impl Into<String>) -> Piece {
    Piece::Words(text.into())
}

fn code(text: impl Into<String>) -> Piece {
    Piece::Code(text.into())
}

/// `1, 2 and 3`.
fn numbers<N: ToString>(numbers: &[N]) -> String {
    let all: Vec<String> = numbers.iter().map(N::to_string).collect();
    match all.split_last() {
        None => "none".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// Pieces with commas between, and `and` before the last.
fn listed(items: Vec<Vec<Piece>>) -> Vec<Piece> {
    let count = items.len();
    let mut out = Vec::new();
    for (i, item) in items.into_iter().enumerate() {
        match i {
            0 => {}
            _ if i + 1 == count => out.push(words(" and ")),
            _ => out.push(words(", ")),
        }
        out.extend(item);
    }
    out
}

/// Says an explanation.
#[must_use]
pub fn document(explanation: &Explanation, detail: Detail) -> Document {
    let mut blocks = Vec::new();
    let name = match &explanation.record {
        Some(about) => {
            title_of_record(about, explanation, &mut blocks);
            format!("record {}: {}", about.record_id, headline(explanation))
        }
        None => {
            let title = vec![
                Piece::Strong(headline(explanation).to_owned(), Tone::Neutral),
                words(format!("  (SZS status {})", explanation.szs)),
            ];
            blocks.push(Block::Title(title));
            headline(explanation).to_owned()
        }
    };
    let said = |reason: &&String| detail == Detail::Full || *reason != "inconsistent-premises";
    if let Some(reason) = explanation.reason.as_ref().filter(said) {
        blocks.push(Block::Paragraph(vec![words("Reason: "), words(reason.clone())]));
    }
    statements(explanation, detail, &mut blocks);
    account(explanation, &mut blocks);
    if !explanation.diagnostics.is_empty() {
        if detail == Detail::Full {
            blocks.push(Block::Heading("Findings"));
        }
        blocks.push(Block::Frames(explanation.diagnostics.clone()));
    }
    history(explanation, &mut blocks);
    repairs::tell(explanation, &mut blocks);
    Document { name, blocks }
}

/// Says only what shows the verdict.
#[must_use]
pub fn account_document(explanation: &Explanation) -> Document {
    let mut blocks = Vec::new();
    account(explanation, &mut blocks);
    Document { name: headline(explanation).to_owned(), blocks }
}

/// The verdict in a word; premises without a conclusion are consistent or not.
fn headline(explanation: &Explanation) -> &'static str {
    match (explanation.record.is_none(), explanation.szs) {
        (true, "Satisfiable") => "Consistent",
        (true, "Unsatisfiable") => "Inconsistent",
        (true, "Unknown") => "Undetermined",
        _ => explanation.verdict.as_str(),
    }
}

fn title_of_record(about: &About, explanation: &Explanation, blocks: &mut Vec<Block>) {
    let tone = match about.agreement {
        Agreement::Agree => Tone::Good,
        Agreement::Unlabelled | Agreement::Unformalised => Tone::Neutral,
        _ => Tone::Bad,
    };
    let mut title = vec![words("Record "), code(about.record_id.clone()), words(": ")];
    title.push(Piece::Strong(explanation.verdict.to_string(), tone));
    match (about.label, &about.label_text) {
        (Some(label), _) => title.push(words(format!(", labelled {label}"))),
        (None, Some(text)) if !text.trim().is_empty() => {
            title.extend([words(", labelled "), code(text.clone())]);
        }
        _ => title.push(words(", without a label")),
    }
    title.push(words(format!(" ({}, {})", about.agreement, about.status)));
    blocks.push(Block::Title(title));

    let mut place = vec![code(about.file.clone()), words(format!(" row {}", about.row))];
    if let Some(line) = about.line {
        place.push(words(format!(" (line {line})")));
    }
    place.push(words(format!(", split {}", about.split)));
    if let Some(story) = &about.story_id {
        place.push(words(format!(", story {story}")));
    }
    if let Some(example) = about.example_id.as_ref().filter(|id| **id != about.record_id) {
        place.push(words(format!(", example {example}")));
    }
    let mut lines = vec![place];
    if let Some(decision) = &about.decision {
        let comment = if decision.comment.is_empty() { String::new() } else { format!(": {}", decision.comment) };
        lines.push(vec![words(format!("Decided by {}: {}{comment}", decision.by.join(", "), decision.word))]);
    }
    if about.verdict_original != explanation.verdict {
        lines.push(vec![words(format!("As it came the verdict was {}.", about.verdict_original))]);
    }
    if let Some(evidence) = explanation.evidence {
        lines.push(vec![words("It rests on "), words(grade(evidence)), words(".")]);
    }
    let (identified, others): (Vec<&String>, Vec<&String>) =
        explanation.signals.iter().partition(|signal| *signal == IDENTIFIED_NAMES);
    if !identified.is_empty() {
        lines.push(vec![words("Two names have to be one individual's for it: see below which.")]);
    }
    if !others.is_empty() {
        let all = others.iter().map(|s| s.as_str()).collect::<Vec<_>>().join(", ");
        lines.push(vec![words(format!("Signals: {all}."))]);
    }
    blocks.push(Block::List(lines));
}

const fn grade(evidence: Grade) -> &'static str {
    match evidence {
        Grade::Certificate => "instances of the statements that contradict each other, which were checked",
        Grade::Models => "finite models in which every formula was evaluated",
        Grade::ConfirmedProof => "Vampire's proof, confirmed by E",
        Grade::Proof => "Vampire's proof",
        Grade::Saturation => "Vampire's word that there is nothing more to derive",
    }
}

fn statements(explanation: &Explanation, detail: Detail, blocks: &mut Vec<Block>) {
    if detail == Detail::Full {
        blocks.push(Block::Heading("Premises and conclusion"));
    }
    let mut shown: Vec<Statement> = explanation
        .premises
        .iter()
        .enumerate()
        .filter(|(_, part)| detail == Detail::Full || part.used != Some(false))
        .map(|(i, part)| statement(i.to_string(), part))
        .collect();
    shown.extend(explanation.conclusion.as_ref().map(|part| statement("∴".to_owned(), part)));
    if !shown.is_empty() {
        blocks.push(Block::Statements(shown));
    }
    if !explanation.sentences.is_empty() {
        let sentences = explanation.sentences.iter().map(|s| vec![words(s.clone())]).collect();
        blocks.push(Block::Paragraph(vec![words("Sentences, which are not as many as formulas:")]));
        blocks.push(Block::List(sentences));
    }
    if let (Some(used), Some(unneeded), false) =
        (&explanation.used_premises, &explanation.unneeded_premises, explanation.premises.is_empty())
    {
        let needed = match used.as_slice() {
            [] => "No premise is needed".to_owned(),
            [one] => format!("Premise {one} is needed"),
            many => format!("Premises {} are needed", numbers(many)),
        };
        let spare = match unneeded.as_slice() {
            [] => String::new(),
            [one] => format!("; {one} is not"),
            many => format!("; {} are not", numbers(many)),
        };
        blocks.push(Block::Paragraph(vec![words(format!("{needed}{spare}."))]));
    }
}

fn statement(label: String, part: &Part) -> Statement {
    let mut notes = Vec::new();
    if let Some(original) = &part.original {
        let mut note = vec![words("as it came: "), code(original.clone())];
        if !part.rules.is_empty() {
            note.push(words(format!(" (changed by {})", part.rules.join(", "))));
        }
        notes.push(note);
    }
    if part.formula.is_none() {
        notes.push(vec![words("without a formula")]);
    }
    Statement { label, used: part.used, sentence: part.sentence.clone(), formula: part.formula.clone(), notes }
}

fn account(explanation: &Explanation, blocks: &mut Vec<Block>) {
    match &explanation.account {
        Account::Nothing => {}
        Account::Proof { question, suppose, line } => proof::tell(question, suppose.as_deref(), line, blocks),
        Account::Derivation { question, why, derivation } => {
            blocks.push(Block::Heading("Proof"));
            let mut text = format!("{} There are no steps to tell: {why}.", proof::conclusion_of(question));
            text.push_str(match derivation {
                Some(_) => " Vampire's derivation is printed by --proof.",
                None => " Vampire printed no derivation.",
            });
            blocks.push(Block::Paragraph(vec![words(text)]));
        }
        Account::Worlds { worlds, differences, shown_by, missing } => {
            worlds::tell(explanation.verdict, worlds, differences, shown_by, missing, blocks);
        }
    }
}

fn history(explanation: &Explanation, blocks: &mut Vec<Block>) {
    if explanation.history.is_empty() {
        return;
    }
    blocks.push(Block::Heading("History"));
    blocks.push(Block::List(explanation.history.iter().flat_map(change_lines).collect()));
}

/// A change, and what it could have been instead.
fn change_lines(change: &Change) -> Vec<Vec<Piece>> {
    let name = change.name.map(|n| format!(" {n}")).unwrap_or_default();
    let mut first = vec![
        words(format!("{} ({}{name}, {}): ", change.target, change.rule, change.kind)),
        code(change.before.clone()),
        words(" became "),
        code(change.after.clone()),
    ];
    if !change.why.is_empty() {
        first.push(words(format!(", because {}", change.why)));
    }
    if let Some(record) = &change.asked_by {
        first.push(words(format!(" (for the sake of record {record})")));
    }
    let mut lines = vec![first];
    for alternative in &change.alternatives {
        lines.push(vec![words("it could also have become "), code(alternative.clone())]);
    }
    lines
}
