//! What was not mended, and what logic has to say of it.

use super::{Block, Piece, change_lines, code, words};
use crate::explain::Explanation;

/// Symbols up to which the table is shown in full.
const MAX_SYMBOLS: usize = 60;

pub(super) fn tell(explanation: &Explanation, blocks: &mut Vec<Block>) {
    if !explanation.critique.is_empty() {
        blocks.push(Block::Heading("What logic says"));
        blocks.push(Block::List(explanation.critique.iter().map(|s| vec![words(s.clone())]).collect()));
    }
    if let Some(label) = explanation.proposed_label {
        blocks.push(Block::Paragraph(vec![words(format!(
            "Logic proves {label}: if the formulas say what the sentences say, the label should be {label}."
        ))]));
    }
    if !explanation.presuppositions.is_empty() {
        blocks.push(Block::Heading("Taken for granted"));
        let lines = explanation.presuppositions.iter().map(|p| {
            let mut line = vec![words(format!("{}: ", p.target)), code(p.formula.clone())];
            if let Some(sentence) = &p.sentence {
                line.push(words(format!(", by “{sentence}”")));
            }
            line
        });
        blocks.push(Block::List(lines.collect()));
    }
    proposals(explanation, blocks);
    symbols(explanation, blocks);
}

fn proposals(explanation: &Explanation, blocks: &mut Vec<Block>) {
    if explanation.proposals.is_empty() {
        return;
    }
    blocks.push(Block::Heading("Repairs that were not made"));
    let mut lines: Vec<Vec<Piece>> = Vec::new();
    for proposal in &explanation.proposals {
        let why = match (proposal.outcome, proposal.reason.as_deref()) {
            ("ambiguous", _) => "another repair is as near and means something else".to_owned(),
            (_, Some(reason)) => guard(reason),
            (outcome, None) => outcome.to_owned(),
        };
        lines.push(vec![words(format!("Not made, because {why}:"))]);
        lines.extend(proposal.edits.iter().flat_map(change_lines));
    }
    blocks.push(Block::List(lines));
}

/// What a guard's word says.
fn guard(word: &str) -> String {
    match word {
        "inconsistent" => "the premises would contradict each other",
        "sibling" => "another record of the story would lose its verdict",
        "sibling-contradicted" => "another record of the story would be proved to have another label",
        "trivial-conclusion" => "the conclusion would hold, or fail, whatever its symbols mean",
        "trivial-premise" => "a premise would say nothing",
        "lost-word" => "a word of the sentence would be in no name any more",
        "lost-cue" => "an operator that the sentence asks for would be missing",
        "collapsed" => "two different things would be said to be one",
        "new-symbol" => "the story has no such symbol",
        "unconfirmed" => "the prover did not confirm it",
        other => return format!("of the guard `{other}`"),
    }
    .to_owned()
}

fn symbols(explanation: &Explanation, blocks: &mut Vec<Block>) {
    if explanation.symbols.is_empty() {
        return;
    }
    blocks.push(Block::Heading("Symbols"));
    let rows = explanation.symbols.iter().take(MAX_SYMBOLS).map(|s| {
        let kind = match s.arity {
            0 => s.kind.to_owned(),
            n => format!("{} of {n}", s.kind),
        };
        vec![s.name.clone(), kind, s.used_in.join(", "), s.gloss.clone().unwrap_or_else(|| "–".to_owned())]
    });
    let head = ["symbol", "kind", "where", "gloss"].map(str::to_owned).to_vec();
    blocks.push(Block::Table { head, rows: rows.collect() });
    if explanation.symbols.len() > MAX_SYMBOLS {
        let more = explanation.symbols.len() - MAX_SYMBOLS;
        blocks.push(Block::Paragraph(vec![words(format!("{more} more symbols are not shown."))]));
    }
}
