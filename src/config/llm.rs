//! `[llm]` and `[refine]`: whether, where and how language models are asked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ConfigError;
use crate::llm::{Budget, Endpoint, Limits, Parameters, Prices, Secret, Structured, Timeouts, TokensField};
use crate::refine::agents::{Agent, AgentOptions};

/// `[llm]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LlmConfig {
    /// What stands before `/chat/completions`.
    pub base_url: String,
    /// The model's name, as the endpoint knows it.
    pub model: String,
    /// The name of the environment variable that holds the key; nothing for none.
    pub api_key_env: String,
    /// From 0 to 2.
    pub temperature: f64,
    /// Below 0 to send none.
    pub seed: i64,
    /// Tokens of an answer, at most.
    pub max_tokens: u32,
    /// Which field holds that bound.
    pub tokens_field: TokensField,
    /// How an answer is held to its schema.
    pub structured: Structured,
    /// Calls at once.
    pub concurrency: usize,
    /// Calls in any minute; 0 for no bound.
    pub requests_per_minute: u64,
    /// Tokens in any minute; 0 for no bound.
    pub tokens_per_minute: u64,
    /// How often a call is made again that failed in a way that may pass.
    pub retries: usize,
    /// Seconds of the first wait before that.
    pub backoff: f64,
    /// Seconds that an endpoint may ask to wait, at most.
    pub longest_wait: f64,
    /// Seconds until there is a connection.
    pub connect_timeout: f64,
    /// Seconds without a byte.
    pub read_timeout: f64,
    /// Seconds of one call in all.
    pub total_timeout: f64,
    /// Recorded answers to be told again, instead of asking anybody; nothing to ask.
    pub replay: PathBuf,
    /// Where this run's answers are recorded; nothing for the file beside the output folder.
    pub journal: PathBuf,
    /// What may be spent.
    pub budget: BudgetConfig,
    /// What a million tokens cost.
    pub prices: Prices,
}

/// `[llm.budget]`
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetConfig {
    /// Calls; 0 for no bound.
    pub max_calls: u64,
    /// Tokens; 0 for no bound.
    pub max_tokens: u64,
    /// Money; 0 for no bound.
    pub max_cost: f64,
}

/// `[refine]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefineConfig {
    /// Times that critique and refiner are asked for one record, at most.
    pub iterations: u32,
    /// Times within one of these that the refiner may mend what cannot be read.
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
    /// A file for each agent whose prompt is another than refolio's.
    pub prompts: BTreeMap<String, PathBuf>,
}

impl LlmConfig {
    /// What answers depend on.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        Parameters {
            model: self.model.clone(),
            temperature: self.temperature,
            seed: u64::try_from(self.seed).ok(),
            max_tokens: self.max_tokens,
        }
    }

    /// Where and how to ask; `key` is what the environment holds.
    #[must_use]
    pub fn endpoint(&self, key: Option<Secret>) -> Endpoint {
        let seconds = |s: f64| Duration::try_from_secs_f64(s).unwrap_or(Duration::ZERO);
        Endpoint {
            base_url: self.base_url.clone(),
            key,
            structured: self.structured,
            tokens_field: self.tokens_field,
            timeouts: Timeouts {
                connect: seconds(self.connect_timeout),
                read: seconds(self.read_timeout),
                total: seconds(self.total_timeout),
            },
            limits: Limits {
                concurrency: self.concurrency,
                requests_per_minute: self.requests_per_minute,
                tokens_per_minute: self.tokens_per_minute,
                retries: self.retries,
                backoff: seconds(self.backoff),
                longest_wait: seconds(self.longest_wait),
            },
        }
    }

    /// What may be spent.
    #[must_use]
    pub const fn budget(&self) -> Budget {
        let BudgetConfig { max_calls, max_tokens, max_cost } = self.budget;
        Budget { max_calls, max_tokens, max_cost }
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let range =
            |key: &str, value: String, expected| Err(ConfigError::Range { key: format!("llm.{key}"), value, expected });
        if !(0.0..=2.0).contains(&self.temperature) {
            return range("temperature", self.temperature.to_string(), "0 to 2");
        }
        if self.max_tokens == 0 {
            return range("max_tokens", "0".to_owned(), "1 or more");
        }
        if !(1..=1024).contains(&self.concurrency) {
            return range("concurrency", self.concurrency.to_string(), "1 to 1024");
        }
        for (key, seconds) in [
            ("connect_timeout", self.connect_timeout),
            ("read_timeout", self.read_timeout),
            ("total_timeout", self.total_timeout),
            ("backoff", self.backoff),
            ("longest_wait", self.longest_wait),
        ] {
            if !(seconds > 0.0 && seconds <= 86_400.0) {
                return range(key, seconds.to_string(), "seconds above 0, a day at most");
            }
        }
        let Prices { prompt_per_million, completion_per_million } = self.prices;
        for (key, amount) in [
            ("prices.prompt_per_million", prompt_per_million),
            ("prices.completion_per_million", completion_per_million),
            ("budget.max_cost", self.budget.max_cost),
        ] {
            if !(amount >= 0.0 && amount.is_finite()) {
                return range(key, amount.to_string(), "0 or more");
            }
        }
        if self.budget.max_cost > 0.0 && prompt_per_million + completion_per_million == 0.0 {
            return range("budget.max_cost", self.budget.max_cost.to_string(), "0 where llm.prices are not set");
        }
        Ok(())
    }

    pub(super) fn rebase(&mut self, folder: &Path) {
        for path in [&mut self.replay, &mut self.journal] {
            if !path.as_os_str().is_empty() && path.is_relative() {
                *path = folder.join(&*path);
            }
        }
    }
}

impl RefineConfig {
    /// The bounds.
    #[must_use]
    pub const fn options(&self) -> AgentOptions {
        AgentOptions {
            iterations: self.iterations,
            syntax_rounds: self.syntax_rounds,
            show_label: self.show_label,
            review_label: self.review_label,
            formalise: self.formalise,
            samples: self.samples,
            back_translate: self.back_translate,
        }
    }

    /// The files of prompts, by agent.
    ///
    /// # Errors
    /// Where there is no such agent.
    pub fn prompt_files(&self) -> Result<BTreeMap<Agent, &Path>, ConfigError> {
        let agent = |name: &String| Agent::ALL.into_iter().find(|agent| agent.as_str() == name);
        self.prompts
            .iter()
            .map(|(name, path)| match agent(name) {
                Some(agent) => Ok((agent, path.as_path())),
                None => Err(ConfigError::Agent(name.clone())),
            })
            .collect()
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let range = |key: &str, value: u32| {
            let (key, value) = (format!("refine.{key}"), value.to_string());
            Err(ConfigError::Range { key, value, expected: "1 to 20" })
        };
        if !(1..=20).contains(&self.iterations) {
            return range("iterations", self.iterations);
        }
        if !(1..=20).contains(&self.samples) {
            return range("samples", self.samples);
        }
        if self.syntax_rounds > 20 {
            return range("syntax_rounds", self.syntax_rounds);
        }
        self.prompt_files().map(|_| ())
    }

    pub(super) fn rebase(&mut self, folder: &Path) {
        for path in self.prompts.values_mut().filter(|path| path.is_relative()) {
            *path = folder.join(&*path);
        }
    }
}
