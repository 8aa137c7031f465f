//! Whoever has a question asks here.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cache::ReplyCache;
use super::extract::json_of;
use super::failure::{Failure, FailureKind};
use super::journal::{Entry, Journal, Said};
use super::request::{Parameters, Request};
use super::tally::{AgentTally, Tally, Usage};

/// Where answers come from that are not known yet.
pub enum Way {
    /// From an endpoint.
    Live(Box<dyn Answers>),
    /// From nowhere: what is not recorded is a failure that names the prompt.
    Replay,
    /// From a batch that is made up of what is asked now, and answered later.
    Batch,
}

/// Whoever answers a question that is put for the first time.
pub trait Answers: Send + Sync {
    /// Answers, however long it takes. An answer is handed to `keep` before room is made for another call, so that no more
    /// are unrecorded at any time than may be under way.
    ///
    /// # Errors
    /// Where there is no answer, and what `keep` says.
    fn ask(&self, request: &Request, keep: Keep<'_>) -> Result<Answer, Failure>;
}

/// What sort of answer it is, its text, and what it took.
pub type Answer = (Said, String, Usage);

/// Puts an answer on record.
pub type Keep<'a> = &'a mut dyn FnMut(&Answer) -> Result<(), Failure>;

/// Calls that fail for good while none has ever succeeded, until the endpoint is given up.
const HOPELESS: u32 = 4;

/// Bounds on what a run may spend. 0 is no bound.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Budget {
    /// Calls.
    pub max_calls: u64,
    /// Tokens of questions and answers.
    pub max_tokens: u64,
    /// Money, in the currency of the price table.
    pub max_cost: f64,
}

/// What a million tokens cost.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// Of questions.
    pub prompt_per_million: f64,
    /// Of answers.
    pub completion_per_million: f64,
}

impl Prices {
    /// What a question and its answer cost.
    #[must_use]
    pub fn cost(&self, usage: Usage) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "nobody pays for 2^53 tokens")]
        let millions = |tokens: u64| tokens as f64 / 1e6;
        millions(usage.prompt_tokens) * self.prompt_per_million
            + millions(usage.completion_tokens) * self.completion_per_million
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The key of the question.
    pub key: String,
    /// Its text.
    pub text: String,
    /// Its tokens.
    pub usage: Usage,
}

/// What a run has spent, and what calls under way may come to.
#[derive(Debug, Default)]
struct Spent {
    tally: Tally,
    calls: u64,
    tokens: u64,
    cost: f64,
    /// A bound that was reached.
    exhausted: Option<&'static str>,
    /// What went wrong with the cache, once.
    cache_error: Option<String>,
    /// The journal could not be written: an answer that may be lost must not be built on.
    journal_error: Option<String>,
    /// The first question to which a replay has no answer.
    missing: Option<String>,
    /// Calls that the endpoint never answered, while it has answered none at all.
    hopeless: u32,
    /// Why the endpoint is of no use.
    unreachable: Option<String>,
}

/// Called with `true` before a thread waits for an endpoint, and with `false` after.
type Waiting = Box<dyn Fn(bool) + Send + Sync>;

/// Answers questions out of the journal, the cache, or from an endpoint: each distinct question once.
pub struct Oracle {
    parameters: Parameters,
    way: Way,
    journal: Option<Journal>,
    recorded: HashMap<String, Entry>,
    cache: Option<ReplyCache>,
    budget: Budget,
    prices: Prices,
    waiting: Option<Waiting>,
    /// Keys of questions under way.
    under_way: Mutex<HashSet<String>>,
    one_done: Condvar,
    /// For a batch: what was asked and has no answer, by key.
    pending: Mutex<BTreeMap<String, Request>>,
    spent: Mutex<Spent>,
    /// What failed for good in this run: every record that asks the same meets the same.
    failed: Mutex<HashMap<String, Failure>>,
    repaired: AtomicU64,
}

impl fmt::Debug for Oracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Oracle").field("parameters", &self.parameters).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Oracle {
    /// One that knows nothing yet.
    #[must_use]
    pub fn new(parameters: Parameters, way: Way) -> Self {
        Self {
            parameters,
            way,
            journal: None,
            recorded: HashMap::new(),
            cache: None,
            budget: Budget::default(),
            prices: Prices::default(),
            waiting: None,
            under_way: Mutex::default(),
            one_done: Condvar::new(),
            pending: Mutex::default(),
            spent: Mutex::default(),
            failed: Mutex::default(),
            repaired: AtomicU64::new(0),
        }
    }

    /// With the journal of this run: what it holds is not asked, and every answer goes into it.
    #[must_use]
    pub fn with_journal(mut self, journal: Journal) -> Self {
        self.journal = Some(journal);
        self
    }

    /// With recorded answers.
    #[must_use]
    pub fn with_recorded(mut self, recorded: HashMap<String, Entry>) -> Self {
        self.recorded = recorded;
        self
    }

    /// With the answers of earlier runs.
    #[must_use]
    pub fn with_cache(mut self, cache: Option<ReplyCache>) -> Self {
        self.cache = cache;
        self
    }

    /// With bounds on what may be spent. What the journal holds was paid for under the same bounds, so it counts.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget, prices: Prices) -> Self {
        self.budget = budget;
        self.prices = prices;
        if let Some(journal) = &self.journal {
            let mut spent = lock(&self.spent);
            let (calls, usage) = journal.spent();
            spent.calls = calls;
            spent.tokens = usage.prompt_tokens + usage.completion_tokens;
            spent.cost = prices.cost(usage);
        }
        self
    }

    /// Notes that a row was repaired by what was answered.
    pub fn count_repaired(&self) {
        self.repaired.fetch_add(1, Ordering::Relaxed);
    }

    /// Rows that were repaired by what was answered.
    #[must_use]
    pub fn repaired(&self) -> u64 {
        self.repaired.load(Ordering::Relaxed)
    }

    /// Tells a function when a thread begins and ends to wait for an endpoint, so that another can use its core.
    #[must_use]
    pub fn while_waiting(mut self, tell: impl Fn(bool) + Send + Sync + 'static) -> Self {
        self.waiting = Some(Box::new(tell));
        self
    }

    /// What answers depend on.
    #[must_use]
    pub const fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// What was spent so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        lock(&self.spent).tally.clone()
    }

    /// The bound that ended the asking, if one did: `max_calls`, `max_tokens` or `max_cost`.
    #[must_use]
    pub fn exhausted(&self) -> Option<&'static str> {
        lock(&self.spent).exhausted
    }

    /// What went wrong with the cache, if anything did.
    #[must_use]
    pub fn cache_error(&self) -> Option<String> {
        lock(&self.spent).cache_error.clone()
    }

    /// Why the journal could not be written, if it could not.
    #[must_use]
    pub fn journal_error(&self) -> Option<String> {
        lock(&self.spent).journal_error.clone()
    }

    /// The first question to which a replay has no answer, if there was one.
    #[must_use]
    pub fn missing(&self) -> Option<String> {
        lock(&self.spent).missing.clone()
    }

    /// Why the endpoint is of no use, where it has answered nothing at all and several calls have failed for good.
    #[must_use]
    pub fn unreachable(&self) -> Option<String> {
        lock(&self.spent).unreachable.clone()
    }

    /// The questions that wait for a batch, by key.
    #[must_use]
    pub fn pending(&self) -> BTreeMap<String, Request> {
        lock(&self.pending).clone()
    }

    /// Puts a question and reads its answer. One that cannot be read is put once more, with what is wrong.
    ///
    /// # Errors
    /// Where there is no answer, or twice none that can be read.
    pub fn ask<T>(&self, request: &Request, read: impl Fn(Value) -> Result<T, String>) -> Result<T, Failure> {
        let read = |text: &str| json_of(text).and_then(&read);
        let first = self.answer(request)?;
        let wrong = match read(&first.text) {
            Ok(value) => {
                self.keep(&first);
                return Ok(value);
            }
            Err(wrong) => wrong,
        };
        self.book(request.agent, |agent| agent.unreadable += 1);
        let again = request.again(&first.text, &wrong);
        let second = self.answer(&again)?;
        match read(&second.text) {
            Ok(value) => {
                self.keep(&second);
                Ok(value)
            }
            Err(wrong) => {
                self.book(request.agent, |agent| {
                    agent.unreadable += 1;
                    agent.failed += 1;
                });
                Err(Failure::new(FailureKind::Unreadable, wrong))
            }
        }
    }

    /// The text that answers a question.
    ///
    /// # Errors
    /// Where there is none.
    pub fn answer(&self, request: &Request) -> Result<Asked, Failure> {
        let key = request.key(&self.parameters);
        let mut under_way = lock(&self.under_way);
        let mut waits = false;
        while under_way.contains(&key) {
            // Who is answered needs a core to go on: it must not be the one of who waits for that.
            if !waits {
                self.tell_waiting(true);
            }
            waits = true;
            under_way = self.one_done.wait(under_way).unwrap_or_else(PoisonError::into_inner);
        }
        under_way.insert(key.clone());
        drop(under_way);
        if waits {
            self.tell_waiting(false);
        }
        let _leaving = Leaving { oracle: self, key: &key };
        self.book(request.agent, |agent| agent.questions += 1);
        let entry = self.entry(request, &key);
        let outcome = entry.and_then(|entry| {
            self.book(request.agent, |agent| {
                agent.prompt_tokens += entry.usage.prompt_tokens;
                agent.completion_tokens += entry.usage.completion_tokens;
            });
            match entry.said {
                Said::Text => Ok(Asked { key: key.clone(), text: entry.response, usage: entry.usage }),
                Said::Refused => Err(Failure::new(FailureKind::Refused, entry.response)),
                Said::Empty => Err(Failure::new(FailureKind::Empty, "the answer has no text")),
                Said::Truncated => {
                    Err(Failure::new(FailureKind::Truncated, "the answer ends in the middle; see llm.max_tokens"))
                }
            }
        });
        if outcome.is_err() {
            self.book(request.agent, |agent| agent.failed += 1);
        }
        outcome
    }

    fn tell_waiting(&self, waits: bool) {
        if let Some(tell) = &self.waiting {
            tell(waits);
        }
    }

    fn book(&self, agent: &'static str, change: impl FnOnce(&mut AgentTally)) {
        change(lock(&self.spent).tally.agents.entry(agent).or_default());
    }

    /// What is known of a question, or what the endpoint says.
    fn entry(&self, request: &Request, key: &str) -> Result<Entry, Failure> {
        let known = self.recorded.get(key).cloned().or_else(|| self.journal.as_ref().and_then(|j| j.get(key)));
        if let Some(entry) = known {
            self.book(request.agent, |agent| agent.recalled += 1);
            return Ok(entry);
        }
        if let Some(entry) = self.cached(key) {
            self.book(request.agent, |agent| agent.cached += 1);
            self.record(&entry)?;
            return Ok(entry);
        }
        let client = match &self.way {
            Way::Live(client) => client,
            Way::Replay => {
                let detail = format!("the recording has no answer to {} {key}", request.prompt);
                lock(&self.spent).missing.get_or_insert(detail.clone());
                return Err(Failure::new(FailureKind::NotRecorded, detail));
            }
            Way::Batch => {
                lock(&self.pending).insert(key.to_owned(), request.clone());
                return Err(Failure::new(FailureKind::Pending, format!("waits for a batch: {} {key}", request.prompt)));
            }
        };
        if let Some(failure) = lock(&self.failed).get(key) {
            return Err(failure.clone());
        }
        if let Some(error) = self.unreachable() {
            return Err(Failure::new(FailureKind::Connection, error));
        }
        let foreseen = self.reserve(request)?;
        self.tell_waiting(true);
        let began = Instant::now();
        let said = client.ask(request, &mut |(said, response, usage)| {
            self.record(&Entry { request: key.to_owned(), said: *said, response: response.clone(), usage: *usage })
        });
        let seconds = began.elapsed().as_secs_f64();
        self.tell_waiting(false);
        if let Err(failure) = &said
            && failure.speaks_against_the_endpoint()
        {
            let mut spent = lock(&self.spent);
            if spent.tally.total().calls == 0 && self.journal.as_ref().is_none_or(Journal::is_empty) {
                spent.hopeless += 1;
                if spent.hopeless >= HOPELESS {
                    spent.unreachable.get_or_insert(failure.to_string());
                }
            }
        }
        let usage = match &said {
            // Who does not count its tokens is believed to have used what was foreseen.
            Ok((_, _, usage)) if *usage == Usage::default() => foreseen,
            Ok((_, _, usage)) => *usage,
            // What breaks off or takes too long may be charged all the same.
            Err(failure) if failure.kind == FailureKind::Timeout => foreseen,
            Err(_) => Usage::default(),
        };
        self.settle(request.agent, said.is_ok(), foreseen, usage, seconds);
        if let Err(failure) = &said
            && failure.kind != FailureKind::Cancelled
        {
            lock(&self.failed).insert(key.to_owned(), failure.clone());
        }
        let (said, response, usage) = said?;
        Ok(Entry { request: key.to_owned(), said, response, usage })
    }

    fn cached(&self, key: &str) -> Option<Entry> {
        match self.cache.as_ref()?.get(key) {
            Ok(entry) => entry,
            Err(error) => {
                lock(&self.spent).cache_error.get_or_insert(error);
                None
            }
        }
    }

    fn record(&self, entry: &Entry) -> Result<(), Failure> {
        let Some(journal) = &self.journal else { return Ok(()) };
        journal.append(entry.clone()).map_err(|error| {
            let error = error.to_string();
            lock(&self.spent).journal_error.get_or_insert(error.clone());
            Failure::new(FailureKind::Cancelled, error)
        })
    }

    /// Keeps an answer that could be read for later runs.
    fn keep(&self, asked: &Asked) {
        let Some(cache) = &self.cache else { return };
        let entry =
            Entry { request: asked.key.clone(), said: Said::Text, response: asked.text.clone(), usage: asked.usage };
        if let Err(error) = cache.put(&entry) {
            lock(&self.spent).cache_error.get_or_insert(error);
        }
    }

    /// Sets aside what a call may come to.
    fn reserve(&self, request: &Request) -> Result<Usage, Failure> {
        let characters: usize = request.messages.iter().map(|m| m.content.chars().count()).sum();
        let foreseen =
            Usage { prompt_tokens: (characters / 3) as u64, completion_tokens: u64::from(self.parameters.max_tokens) };
        let Budget { max_calls, max_tokens, max_cost } = self.budget;
        let mut spent = lock(&self.spent);
        let tokens = spent.tokens + foreseen.prompt_tokens + foreseen.completion_tokens;
        let cost = spent.cost + self.prices.cost(foreseen);
        let over = if max_calls > 0 && spent.calls >= max_calls {
            Some("max_calls")
        } else if max_tokens > 0 && tokens > max_tokens {
            Some("max_tokens")
        } else if max_cost > 0.0 && cost > max_cost {
            Some("max_cost")
        } else {
            None
        };
        if let Some(bound) = over {
            spent.exhausted.get_or_insert(bound);
            return Err(Failure::new(FailureKind::Budget, format!("llm.budget.{bound} is reached")));
        }
        spent.calls += 1;
        spent.tokens = tokens;
        spent.cost = cost;
        Ok(foreseen)
    }

    /// Books what a call came to in place of what was set aside for it.
    fn settle(&self, agent: &'static str, answered: bool, foreseen: Usage, usage: Usage, seconds: f64) {
        let cost = self.prices.cost(usage);
        let mut spent = lock(&self.spent);
        spent.calls -= u64::from(!answered);
        spent.tokens = spent.tokens.saturating_sub(foreseen.prompt_tokens + foreseen.completion_tokens)
            + usage.prompt_tokens
            + usage.completion_tokens;
        spent.cost += cost - self.prices.cost(foreseen);
        let tally = spent.tally.agents.entry(agent).or_default();
        tally.calls += u64::from(answered);
        tally.cost += cost;
        tally.seconds += seconds;
    }
}

/// Lets the next one ask the same question.
struct Leaving<'a> {
    oracle: &'a Oracle,
    key: &'a str,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        lock(&self.oracle.under_way).remove(self.key);
        self.oracle.one_done.notify_all();
    }
}
