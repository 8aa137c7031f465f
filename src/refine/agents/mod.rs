//! The rungs that ask language models: critique and refiner, in bounded rounds.
//!
//! What a model proposes is a proposal like any other: it re-enters at the parser and must pass every guard. Unless the
//! settings say otherwise, no question to critique or refiner depends on the row's label: a formula is to be mended from
//! its sentence. Whether the label is wrong is asked in the end, in a question of its own whose answer never comes back to
//! the refiner.

mod evidence;
mod faithful;
mod formalise;
mod label;
mod prompts;
mod propose;
mod replies;
mod rounds;
mod view;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::bench::Bench;
use super::case::Case;
use crate::llm::{Failure, FailureKind, Oracle};
use crate::record::{Agreement, Label, Presupposition, Proposal, Record, Verdict};
use crate::verify::{Judgement, Reading, ReadingOptions};

pub use faithful::Faithfulness;
pub use prompts::{Agent, Prompts};

/// The rule of edits that the refiner made.
pub const REFINER: &str = "refiner";

/// The rule of formulas that the formaliser wrote.
pub const FORMALISER: &str = "formaliser";

/// `[refine]`: bounds of the rungs that ask language models.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentOptions {
    /// Times that critique and refiner are asked for one record, at most.
    pub iterations: u32,
    /// Times within one of these that the refiner may mend what it wrote because it cannot be read.
    pub syntax_rounds: u32,
    /// Whether critique and refiner are told the label.
    pub show_label: bool,
    /// Whether to ask in the end if the label is wrong.
    pub review_label: bool,
    /// Whether to have formulas written where there are none.
    pub formalise: bool,
    /// Answers for each formula that is to be written.
    pub samples: u32,
    /// Whether what models wrote is told back in words and compared with the sentence.
    pub back_translate: bool,
}

/// What the agents work with.
pub struct Consultation<'a> {
    /// Whom they ask.
    pub oracle: &'a Oracle,
    /// What they say.
    pub prompts: &'a Prompts,
    /// How far they go.
    pub options: AgentOptions,
    /// How formulas are read.
    pub reading: ReadingOptions,
    /// Judges a record by formulas, with evidence.
    pub judge: &'a (dyn Fn(&Record, &Reading) -> Judgement + 'a),
}

/// What came of asking about one record.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Consulted {
    /// What was said and done, in order.
    pub rounds: Vec<Round>,
    /// Whether the label was shown to critique and refiner.
    pub label_shown: bool,
    /// What was said of the label in the end.
    pub label: Option<LabelReview>,
    /// How what models wrote reads, told back.
    pub faithfulness: Vec<Faithfulness>,
    /// Why it ended before the bounds, if it did: `failure:` and the sort, or `gave-up:` and the refiner's reason.
    pub ended: Option<String>,
    /// The prompts that were used, `agent/version` each.
    pub prompts: Vec<String>,
    /// Questions that were put.
    pub questions: u64,
    /// Put on record elsewhere.
    #[serde(skip)]
    pub proposals: Vec<Proposal>,
    /// Put on record elsewhere.
    #[serde(skip)]
    pub presuppositions: Vec<Presupposition>,
    /// Two groups of formulas were equally large.
    #[serde(skip)]
    pub ambiguous: bool,
}

impl Consulted {
    fn failed(&mut self, failure: &Failure) {
        self.ended = Some(format!("failure:{failure}"));
    }

    /// Adds what came of asking further about the same record.
    fn go_on(&mut self, further: Self) {
        self.rounds.extend(further.rounds);
        self.label_shown |= further.label_shown;
        self.label = further.label;
        self.faithfulness.extend(further.faithfulness);
        self.ended = further.ended;
        for prompt in further.prompts {
            if !self.prompts.contains(&prompt) {
                self.prompts.push(prompt);
            }
        }
        self.questions += further.questions;
        self.proposals.extend(further.proposals);
        self.presuppositions.extend(further.presuppositions);
    }

    fn used(&mut self, prompt: &str) {
        self.questions += 1;
        if !self.prompts.iter().any(|known| known == prompt) {
            self.prompts.push(prompt.to_owned());
        }
    }
}

/// One iteration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Round {
    /// From 1.
    pub iteration: u32,
    /// What the critique found.
    pub findings: Vec<Finding>,
    /// What the refiner proposed, each with what became of it.
    pub attempts: Vec<Attempt>,
}

/// One thing that the critique found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// `premise[2]` or `conclusion`.
    pub target: String,
    /// Out of the taxonomy of `docs/agents.md`.
    pub kind: String,
    /// In words.
    pub explanation: String,
    /// From 0 to 1, as the model says.
    pub confidence: f64,
}

/// One proposal of the refiner.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Attempt {
    /// Target and formula of each edit.
    pub edits: Vec<(String, String)>,
    /// What became of it: `accepted`, `unreadable` or `refused`.
    pub outcome: &'static str,
    /// What the refiner was told of it.
    pub told: Vec<String>,
}

/// What was said of a label.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelReview {
    /// The label that the sentences deserve.
    pub label: Label,
    /// Why.
    pub why: String,
    /// From 0 to 1, as the model says.
    pub confidence: f64,
    /// Whether that is what the formulas prove.
    pub proved: bool,
}

/// Asks about every record of a story that the rungs below could not settle. Accepted edits are made in the cases.
///
/// The results stand in the order of the cases; `None` where nothing was asked.
pub fn consult(cases: &mut [Case<'_>], bench: &Bench<'_>, desk: &Consultation<'_>) -> Vec<Option<Consulted>> {
    let mut out: Vec<Option<Consulted>> = vec![None; cases.len()];
    // Whose turn it is does not depend on where the records stand.
    let mut turns: Vec<usize> = (0..cases.len()).collect();
    // Nor on a label, as an id made from the content may.
    turns.sort_by_cached_key(|i| cases.get(*i).map(|case| case.record.content_keys().1));
    for index in turns {
        let Some(case) = cases.get(index) else { continue };
        let consulted = match case.verdict {
            Verdict::Unformalised if desk.options.formalise => {
                let mut consulted = formalise::formalise(cases, index, bench, desk);
                // What was written is a formula like any other.
                if cases.get(index).is_some_and(is_open) {
                    consulted.go_on(rounds::refine(cases, index, bench, desk));
                }
                Some(consulted)
            }
            _ if is_open(case) => Some(rounds::refine(cases, index, bench, desk)),
            _ => None,
        };
        if let Some(slot) = out.get_mut(index) {
            *slot = consulted;
        }
    }
    out
}

/// Whether there is something to mend: a label, and formulas that do not give it.
fn is_open(case: &Case<'_>) -> bool {
    matches!(
        case.verdict.agreement(case.record.label),
        Agreement::Conflict | Agreement::Unparsed | Agreement::Inconsistent
    ) && case.record.label.is_some()
}

/// A prompt that cannot be filled in is a mistake of its author, and an outcome like any other.
fn no_prompt(error: &crate::llm::PromptError) -> Failure {
    Failure::new(FailureKind::Protocol, error.to_string())
}
