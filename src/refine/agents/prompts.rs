//! Which prompt each agent uses.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::llm::{Message, Prompt, PromptError, Request};

use super::replies;

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agent {
    /// Says what is wrong with formulas.
    Critique,
    /// Mends them.
    Refiner,
    /// Says whether the label is wrong.
    Label,
    /// Writes formulas where there are none.
    Formaliser,
    /// Tells a formula in words.
    BackTranslation,
    /// Compares those words with the sentence.
    Comparison,
}

impl Agent {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Critique, Self::Refiner, Self::Label, Self::Formaliser, Self::BackTranslation, Self::Comparison];

    /// The word used in every output, and the name of its folder.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Critique => "critique",
            Self::Refiner => "refiner",
            Self::Label => "label",
            Self::Formaliser => "formaliser",
            Self::BackTranslation => "backtranslation",
            Self::Comparison => "comparison",
        }
    }

    /// The prompt that comes with refolio.
    #[must_use]
    pub const fn default_prompt(self) -> &'static str {
        match self {
            Self::Critique => include_str!("../../../prompts/critique/1.md"),
            Self::Refiner => include_str!("../../../prompts/refiner/1.md"),
            Self::Label => include_str!("../../../prompts/label/1.md"),
            Self::Formaliser => include_str!("../../../prompts/formaliser/1.md"),
            Self::BackTranslation => include_str!("../../../prompts/backtranslation/1.md"),
            Self::Comparison => include_str!("../../../prompts/comparison/1.md"),
        }
    }
}

/// A prompt for each agent.
#[derive(Debug)]
pub struct Prompts(BTreeMap<Agent, Prompt>);

impl Prompts {
    /// Those of `texts` (each with the name of its file), and for the other agents those that come with refolio.
    ///
    /// # Errors
    /// Where a text is no prompt of its agent.
    pub fn new(texts: &BTreeMap<Agent, (String, String)>) -> Result<Self, PromptError> {
        let mut out = BTreeMap::new();
        for agent in Agent::ALL {
            let prompt = match texts.get(&agent) {
                Some((file, text)) => Prompt::parse(text, agent.as_str(), file)?,
                None => Prompt::parse(agent.default_prompt(), agent.as_str(), agent.as_str())?,
            };
            // What asks for something that there never is must not come out when the first row is asked about.
            prompt.messages(&sample(agent))?;
            out.insert(agent, prompt);
        }
        Ok(Self(out))
    }

    /// The names and hashes of all of them, for provenance.
    pub fn recorded(&self) -> impl Iterator<Item = (&'static str, &str, &str)> {
        self.0.iter().map(|(agent, prompt)| (agent.as_str(), prompt.name(), prompt.sha256()))
    }

    /// A question of an agent.
    pub(super) fn request(
        &self,
        agent: Agent,
        data: &impl serde::Serialize,
        sample: u32,
    ) -> Result<Request, PromptError> {
        let missing = || PromptError::Form { name: agent.as_str().to_owned(), reason: "there is none".to_owned() };
        let prompt = self.0.get(&agent).ok_or_else(missing)?;
        let messages: Vec<Message> = prompt.messages(data)?;
        Ok(Request {
            agent: agent.as_str(),
            prompt: prompt.name().to_owned(),
            messages,
            schema: replies::schema(agent),
            sample,
        })
    }
}

/// Everything that a prompt of an agent may ask for.
fn sample(agent: Agent) -> Value {
    let annotation = json!({"target": "conclusion", "sentence": "\"s\"", "formula": "\"f\"", "readable": true});
    let told = json!({"edits": ["e"], "told": ["t"]});
    let view = json!({
        "annotations": [annotation], "counts_match": false, "diagnostics": ["d"], "critique": ["c"], "evidence": ["e"],
        "symbols": [{"name": "n", "kind": "predicate", "arity": 1, "used_in": ["conclusion"]}],
        "siblings": [{"sentence": "\"s\"", "formula": "\"f\"", "verdict": "True"}], "label": "True",
    });
    match agent {
        Agent::Critique => json!({"view": view, "kinds": ["k"], "rounds": [told]}),
        Agent::Refiner => json!({"view": view, "findings": ["f"], "rounds": [told], "unreadable": [told]}),
        Agent::Label => json!({"annotations": [annotation], "label": "True", "verdict": "True", "evidence": ["e"]}),
        Agent::Formaliser => {
            json!({"annotations": [annotation], "wanted": ["conclusion"], "symbols": ["s"], "unreadable": ["u"]})
        }
        Agent::BackTranslation => json!({"formula": "\"f\""}),
        Agent::Comparison => json!({"first": "\"a\"", "second": "\"b\""}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_has_a_prompt() {
        let prompts = Prompts::new(&BTreeMap::new()).expect("the prompts are whole");
        assert_eq!(prompts.recorded().count(), Agent::ALL.len());
        let own = "---\nagent: label\nversion: mine\n---\n# system\na\n# user\nb\n".to_owned();
        let texts = BTreeMap::from([(Agent::Label, ("mine.md".to_owned(), own.clone()))]);
        let prompts = Prompts::new(&texts).expect("a prompt");
        assert!(prompts.recorded().any(|(_, name, _)| name == "label/mine"));
        let texts = BTreeMap::from([(Agent::Refiner, ("mine.md".to_owned(), own))]);
        assert!(Prompts::new(&texts).is_err());
        let unknown = "---\nagent: label\nversion: 2\n---\n# system\na\n# user\n{{ labell }}\n".to_owned();
        let texts = BTreeMap::from([(Agent::Label, ("mine.md".to_owned(), unknown))]);
        assert!(matches!(Prompts::new(&texts), Err(PromptError::Template { .. })));
    }
}
