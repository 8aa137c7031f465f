//! What asking took.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Tokens of one question and its answer, as the endpoint counted them; 0 where it does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Of the question.
    pub prompt_tokens: u64,
    /// Of the answer.
    pub completion_tokens: u64,
}

/// What the questions of one agent took.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct AgentTally {
    /// Questions that were put, wherever the answer came from; one that is put again after an answer that cannot be read
    /// counts again.
    pub questions: u64,
    /// Answers by the endpoint in this run.
    pub calls: u64,
    /// Answers out of the journal or the replay.
    pub recalled: u64,
    /// Answers out of the cache of earlier runs.
    pub cached: u64,
    /// Questions without an answer.
    pub failed: u64,
    /// Answers that could not be read.
    pub unreadable: u64,
    /// Tokens of all answered questions, whenever they were paid for.
    pub prompt_tokens: u64,
    /// Tokens of all answers, whenever they were paid for.
    pub completion_tokens: u64,
    /// Money for `calls`, in the currency of the price table; 0 where it has no prices.
    pub cost: f64,
    /// Seconds that `calls` took from question to answer, waiting for a turn included.
    pub seconds: f64,
}

/// What all questions of a run took, by agent.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Tally {
    /// By the agent's name.
    pub agents: BTreeMap<&'static str, AgentTally>,
}

impl Tally {
    /// All agents together.
    #[must_use]
    pub fn total(&self) -> AgentTally {
        self.agents.values().fold(AgentTally::default(), |sum, agent| AgentTally {
            questions: sum.questions + agent.questions,
            calls: sum.calls + agent.calls,
            recalled: sum.recalled + agent.recalled,
            cached: sum.cached + agent.cached,
            failed: sum.failed + agent.failed,
            unreadable: sum.unreadable + agent.unreadable,
            prompt_tokens: sum.prompt_tokens + agent.prompt_tokens,
            completion_tokens: sum.completion_tokens + agent.completion_tokens,
            cost: sum.cost + agent.cost,
            seconds: sum.seconds + agent.seconds,
        })
    }
}
