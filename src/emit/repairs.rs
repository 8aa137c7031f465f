//! The columns about repairs: `proposals`, `presuppositions`, `symbols`.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Builder, Int32Builder, StringBuilder};
use arrow::error::ArrowError;
use serde_json::{Value, json};

use super::batch::{Texts, int32, structs};
use super::schema::{presupposition_fields, proposal_fields, symbol_fields};
use crate::record::{Edit, Presupposition, Proposal, Symbol};

/// The column `proposals`.
#[derive(Default)]
pub(super) struct Proposals {
    lengths: Vec<usize>,
    rung: StringBuilder,
    cost: Float64Builder,
    outcome: StringBuilder,
    reason: StringBuilder,
    edits: StringBuilder,
}

impl Proposals {
    pub(super) fn push(&mut self, proposals: &[Proposal]) {
        for proposal in proposals {
            self.rung.append_value(proposal.rung);
            self.cost.append_value(proposal.cost);
            self.outcome.append_value(proposal.outcome);
            self.reason.append_option(proposal.reason.as_deref());
            self.edits.append_value(Value::Array(proposal.edits.iter().map(edit).collect()).to_string());
        }
        self.lengths.push(proposals.len());
    }

    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.rung.finish()),
            Arc::new(self.cost.finish()),
            Arc::new(self.outcome.finish()),
            Arc::new(self.reason.finish()),
            Arc::new(self.edits.finish()),
        ];
        structs(proposal_fields(), std::mem::take(&mut self.lengths), columns)
    }

    pub(super) const fn texts(&self) -> [&StringBuilder; 4] {
        [&self.rung, &self.outcome, &self.reason, &self.edits]
    }
}

/// An edit of a proposal, as JSON.
fn edit(edit: &Edit) -> Value {
    json!({
        "target": edit.target.to_string(),
        "before": edit.before,
        "after": edit.after,
        "rule": edit.rule,
        "why": edit.why,
    })
}

/// The column `presuppositions`.
#[derive(Default)]
pub(super) struct Presuppositions {
    lengths: Vec<usize>,
    target: StringBuilder,
    formula: StringBuilder,
    sentence: StringBuilder,
}

impl Presuppositions {
    pub(super) fn push(&mut self, presuppositions: &[Presupposition]) {
        for presupposition in presuppositions {
            self.target.append_value(presupposition.target.to_string());
            self.formula.append_value(&presupposition.formula);
            self.sentence.append_option(presupposition.sentence.as_deref());
        }
        self.lengths.push(presuppositions.len());
    }

    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let columns: Vec<ArrayRef> =
            vec![Arc::new(self.target.finish()), Arc::new(self.formula.finish()), Arc::new(self.sentence.finish())];
        structs(presupposition_fields(), std::mem::take(&mut self.lengths), columns)
    }

    pub(super) const fn texts(&self) -> [&StringBuilder; 3] {
        [&self.target, &self.formula, &self.sentence]
    }
}

/// The column `symbols`.
#[derive(Default)]
pub(super) struct Symbols {
    lengths: Vec<usize>,
    name: StringBuilder,
    kind: StringBuilder,
    arity: Int32Builder,
    used_in: Texts,
    gloss: StringBuilder,
}

impl Symbols {
    pub(super) fn push(&mut self, symbols: &[Symbol]) -> Result<(), ArrowError> {
        for symbol in symbols {
            self.name.append_value(&symbol.name);
            self.kind.append_value(symbol.kind);
            self.arity.append_value(int32(symbol.arity)?);
            self.used_in.push(&symbol.used_in.iter().map(ToString::to_string).collect::<Vec<_>>());
            self.gloss.append_option(symbol.gloss.as_deref());
        }
        self.lengths.push(symbols.len());
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.name.finish()),
            Arc::new(self.kind.finish()),
            Arc::new(self.arity.finish()),
            self.used_in.finish()?,
            Arc::new(self.gloss.finish()),
        ];
        structs(symbol_fields(), std::mem::take(&mut self.lengths), columns)
    }

    pub(super) const fn texts(&self) -> [&StringBuilder; 4] {
        [&self.name, &self.kind, &self.used_in.values, &self.gloss]
    }
}

/// The bytes of texts that these add to a row's weight.
pub(super) fn weight(proposals: &[Proposal], presuppositions: &[Presupposition], symbols: &[Symbol]) -> usize {
    // As JSON every text may take up to six times its bytes; most take what they are.
    let of_edit = |e: &Edit| 2 * (e.before.len() + e.after.len() + e.rule.len() + e.why.len()) + 96;
    let proposals = proposals.iter().map(|p| p.edits.iter().map(of_edit).sum::<usize>() + 64).sum::<usize>();
    let presuppositions = presuppositions
        .iter()
        .map(|p| p.formula.len() + p.sentence.as_ref().map_or(0, String::len) + 64)
        .sum::<usize>();
    let symbols = symbols
        .iter()
        .map(|s| s.name.len() + s.gloss.as_ref().map_or(0, String::len) + 32 * s.used_in.len() + 64)
        .sum::<usize>();
    proposals + presuppositions + symbols
}
