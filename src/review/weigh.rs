//! Verdicts on texts that a reviewer tries.

use std::time::Instant;

use serde::Serialize;

use crate::config::{Config, ConfigError};
use crate::diagnostic::{Diagnostic, Target};
use crate::fol::print::tptp::FreeVariables;
use crate::lint::report::{self, Colour, Finding};
use crate::lint::{ParsedRecord, Selection, binding, check_record};
use crate::pipeline;
use crate::prove::{Prover, Schedule};
use crate::record::{Decided, Record, Row};
use crate::refine::{Bench, Fixed, quick_verdict};
use crate::verify::{Asker, Court, Grounder, Judgement, Lowering, Reading, ReadingOptions, judge};

/// Columns that code frames may take.
const WIDTH: usize = 90;

/// What is needed for verdicts: the settings of the run that is reviewed, and a prover.
pub struct Scales {
    prover: Box<dyn Prover>,
    schedule: Schedule,
    lowering: Lowering,
    grounder: Grounder,
    selection: Selection,
    reading: ReadingOptions,
}

/// A text that was tried, as a rule or the parser sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// `premise[0]`, `conclusion`, …
    pub target: String,
    /// The rule's code.
    pub code: &'static str,
    /// `info`, `warning` or `error`.
    pub severity: &'static str,
    /// What was found.
    pub message: String,
    /// The text with the place underlined.
    pub frame: String,
}

/// What would become of a row.
#[derive(Debug, Clone)]
pub struct Weighed {
    /// The row, with its verdict and evidence.
    pub row: Row,
    /// What the rules find in the texts as they were tried.
    pub remarks: Vec<Remark>,
    /// Milliseconds that the verdict took.
    pub ms: f64,
}

impl Scales {
    /// For texts read as `config` says.
    ///
    /// # Errors
    /// Where the configuration names rules that do not exist.
    pub fn new(config: &Config, prover: Box<dyn Prover>) -> Result<Self, ConfigError> {
        Ok(Self {
            prover,
            schedule: config.schedule(),
            lowering: config.lowering(),
            grounder: config.grounder(),
            selection: config.selection()?,
            reading: config.reading(),
        })
    }

    /// Judges a row with other texts, with full evidence. What is known of it but its verdict stays.
    #[must_use]
    pub fn weigh(&self, stored: &Row, fixed: Fixed, decided: Option<Decided>) -> Weighed {
        let start = Instant::now();
        let asker = Asker::new(&*self.prover, &self.schedule, None);
        let court = Court { lowering: &self.lowering, asker: &asker, grounder: &self.grounder, second: None };
        let record = &stored.record;
        let reading = Reading::new(&fixed.premises_fol, fixed.conclusion_fol.as_deref(), self.reading);
        let judgement = judge(record, "review", &reading, &court);
        let tried = Record {
            premises_fol: fixed.premises_fol.clone(),
            conclusion_fol: fixed.conclusion_fol.clone(),
            ..record.clone()
        };
        let original = Judgement::without_evidence(stored.verdict_original, None);
        let row = Row {
            proposals: stored.proposals.clone(),
            proposed_label: stored.proposed_label,
            critique: stored.critique.clone(),
            presuppositions: stored.presuppositions.clone(),
            symbols: stored.symbols.clone(),
            iterations: stored.iterations,
            review_score: stored.review_score,
            review_reason: stored.review_reason.clone(),
            llm_model: stored.llm_model.clone(),
            prompt_version: stored.prompt_version.clone(),
            ..pipeline::row(record, fixed, &original, judgement, stored.diagnostics.clone(), decided)
        };
        Weighed { row, remarks: self.remarks(&tried), ms: start.elapsed().as_secs_f64() * 1000.0 }
    }

    /// The verdict alone.
    #[must_use]
    pub fn verdict(&self, record: &Record, fixed: &Fixed) -> crate::record::Verdict {
        let asker = Asker::new(&*self.prover, &self.schedule, None);
        let reading = Reading::new(&fixed.premises_fol, fixed.conclusion_fol.as_deref(), self.reading);
        quick_verdict(record, &reading, &Bench { lowering: &self.lowering, asker: &asker })
    }

    /// How formulas are read.
    #[must_use]
    pub const fn reading(&self) -> ReadingOptions {
        self.reading
    }

    fn remarks(&self, tried: &Record) -> Vec<Remark> {
        let mut found = check_record(&ParsedRecord::new(tried, self.reading.scope).context(tried));
        if self.reading.free == FreeVariables::Error {
            binding::refuse_free_variables(&mut found);
        }
        found.retain(|d| self.selection.has(d.code));
        found.sort_by(|a, b| (a.target, a.span, a.code).cmp(&(b.target, b.span, b.code)));
        let remark = |d: Diagnostic| {
            let finding = Finding::all(tried, [d.clone()]);
            let target = match d.target {
                Target::PremiseSentence(i) => Target::Premise(i),
                Target::ConclusionSentence => Target::Conclusion,
                target => target,
            };
            Remark {
                target: target.to_string(),
                code: d.code,
                severity: d.severity.as_str(),
                frame: report::text(&finding, Colour::Plain, WIDTH).trim_end().to_owned(),
                message: d.message,
            }
        };
        found.into_iter().map(remark).collect()
    }
}
