//! What happens to the records of a story between reading and writing.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Agents, RunError};
use crate::config::{Config, FixLevel};
use crate::decision::{self, Settled};
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::emit::Timing;
use crate::fol::print::tptp::FreeVariables;
use crate::lint::{ParsedRecord, Selection, binding, check_record};
use crate::prove::cancel;
use crate::record::{Agreement, Decided, Label, Proposal, Record, Row, Status, Verdict};
use crate::refine::agents::{self, Consultation, Consulted};
use crate::refine::critique::{self, Bounds, Facts, OtherText, Presupposed};
use crate::refine::{Bench, Case, Climbed, Fixed, SearchOptions, apply_safe_fixes, climb};
use crate::verify::{
    Asker, Court, Grounder, Judgement, Lowering, Query, Reading, SecondOpinion, check_alternatives, check_annotations,
    judge,
};

/// Findings about a record, by its index, that need all records.
pub(super) type Across<'a> = dyn Fn(usize, &Record) -> Vec<Diagnostic> + Sync + 'a;

/// What every record needs.
pub(super) struct Stage<'a> {
    pub(super) config: &'a Config,
    pub(super) selection: Selection,
    pub(super) lowering: Lowering,
    pub(super) asker: Asker<'a>,
    pub(super) grounder: Grounder,
    pub(super) second: Option<SecondOpinion<'a>>,
    /// Findings about a record, by its index, that need all records.
    pub(super) across: Box<Across<'a>>,
    /// Bounds of the search, and what it is offered.
    pub(super) search: SearchOptions,
    /// What people decided.
    pub(super) settled: &'a Settled,
    /// Language models, where they are asked.
    pub(super) agents: Option<Agents<'a>>,
    pub(super) queries: AtomicU64,
    pub(super) nanoseconds: AtomicU64,
}

/// A record after the rungs that look at one record alone.
struct Draft<'r> {
    index: usize,
    record: &'r Record,
    found: Vec<Diagnostic>,
    original: Judgement,
    fixed: Fixed,
    reading: Reading,
    judgement: Judgement,
    climbed: Option<Climbed>,
    consulted: Option<Consulted>,
    decided: Option<Decided>,
    timings: Vec<Timing>,
}

impl Stage<'_> {
    /// Why nothing more may be written, if there is a reason.
    pub(super) fn check(&self) -> Result<(), RunError> {
        if cancel::is_requested() {
            return Err(RunError::Interrupted);
        }
        if let Some(agents) = &self.agents {
            if let Some(error) = agents.oracle.journal_error() {
                return Err(RunError::Journal(error));
            }
            if let Some(error) = agents.oracle.unreachable() {
                return Err(RunError::Unreachable(error));
            }
            if let Some(missing) = agents.oracle.missing() {
                return Err(RunError::NotRecorded(missing));
            }
        }
        if let Some(error) = self.asker.take_save_error() {
            return Err(error.into());
        }
        self.asker.prover_lost().map_or(Ok(()), |reason| Err(RunError::Prover(reason)))
    }

    /// Everything that happens to the records of one story, each with its index. Those that `wanted` leaves out are only
    /// looked at for the sake of the others.
    pub(super) fn story(
        &self,
        records: &[(usize, &Record)],
        wanted: impl Fn(usize) -> bool,
    ) -> Vec<(usize, Row, Vec<Timing>)> {
        let readable = |record: &Record| record.is_readable();
        let mut drafts: Vec<Draft<'_>> =
            records.iter().filter(|(_, r)| readable(r)).map(|(index, record)| self.draft(*index, record)).collect();
        if self.config.fixes.level.searches() {
            self.climb(&mut drafts);
        }
        self.decide(&mut drafts);
        let mut out: Vec<(usize, Row, Vec<Timing>)> = records
            .iter()
            .filter(|(index, record)| !readable(record) && wanted(*index))
            .map(|(index, record)| (*index, unreadable(record, &self.selection), Vec::new()))
            .collect();
        out.extend(drafts.into_iter().filter(|draft| wanted(draft.index)).map(|draft| {
            let index = draft.index;
            let (row, timings) = self.finish(draft);
            (index, row, timings)
        }));
        out.sort_by_key(|(index, ..)| *index);
        out
    }

    fn court(&self) -> Court<'_> {
        Court { lowering: &self.lowering, asker: &self.asker, grounder: &self.grounder, second: self.second.as_ref() }
    }

    /// A record as it came, and after the fixes that look at it alone.
    fn draft<'r>(&self, index: usize, record: &'r Record) -> Draft<'r> {
        let options = self.config.reading();
        let court = self.court();
        let parsed = ParsedRecord::new(record, options.scope);
        let found = check_record(&parsed.context(record));
        let original_reading = Reading::new(&record.premises_fol, record.conclusion_fol.as_deref(), options);
        let original = judge(record, "original", &original_reading, &court);
        let mut timings = self.timings(record, &original.queries);
        let fixed = match self.config.fixes.level {
            FixLevel::None => Fixed::untouched(record),
            FixLevel::Safe | FixLevel::Search | FixLevel::Agents => {
                apply_safe_fixes(record, &found, &self.selection, options.scope)
            }
        };
        let (reading, judgement) = if fixed.edits.is_empty() {
            (original_reading, original.clone())
        } else {
            let reading = Reading::new(&fixed.premises_fol, fixed.conclusion_fol.as_deref(), options);
            let judgement = judge(record, "mended", &reading, &court);
            timings.extend(self.timings(record, &judgement.queries));
            (reading, judgement)
        };
        Draft {
            index,
            record,
            found,
            original,
            fixed,
            reading,
            judgement,
            climbed: None,
            consulted: None,
            decided: None,
            timings,
        }
    }

    /// Takes a story up the ladder. Whatever search settles on is judged once more in full; where that does not confirm
    /// it, the whole story stays as it was, and its proposals say so.
    fn climb(&self, drafts: &mut [Draft<'_>]) {
        let options = self.config.reading();
        let bench = Bench { lowering: &self.lowering, asker: &self.asker };
        let cases: Vec<Case<'_>> = drafts
            .iter()
            .map(|draft| Case {
                record: draft.record,
                fixed: draft.fixed.clone(),
                reading: draft.reading.clone(),
                verdict: draft.judgement.verdict,
            })
            .collect();
        let mut climbed = climb(&cases, options, &self.search, &bench);
        let searched = climbed.clone();
        let mut consulted = self.consult(&cases, &mut climbed, &bench);
        let (mut judged, mut confirmed) = self.confirm(drafts, &climbed);
        if !confirmed && consulted.iter().flatten().any(|c| !c.proposals.is_empty()) {
            // What models have proposed goes; what search has found may stand without it.
            for (kept, with) in climbed.iter_mut().zip(&searched) {
                let proposals = std::mem::take(&mut kept.proposals);
                *kept = with.clone();
                kept.proposals = proposals;
                kept.proposals.iter_mut().skip(with.proposals.len()).for_each(unconfirmed);
            }
            for consulted in consulted.iter_mut().flatten().filter(|c| !c.proposals.is_empty()) {
                consulted.ended = Some("failure:unconfirmed: the full judgement did not confirm it".to_owned());
            }
            (judged, confirmed) = self.confirm(drafts, &climbed);
        }
        for (draft, consulted) in drafts.iter_mut().zip(consulted) {
            draft.consulted = consulted;
        }
        for ((draft, mut outcome), judged) in drafts.iter_mut().zip(climbed.drain(..)).zip(judged) {
            if !confirmed {
                outcome.proposals.iter_mut().for_each(unconfirmed);
            } else if let Some((reading, judgement)) = judged {
                draft.fixed = outcome.fixed.clone();
                draft.reading = reading;
                draft.judgement = judgement;
            }
            draft.climbed = Some(outcome);
        }
    }

    /// Applies what people decided to what the rungs below have left. They have the last word: it is judged in full, and
    /// whatever comes of that is the row's verdict.
    fn decide(&self, drafts: &mut [Draft<'_>]) {
        if !drafts.iter().any(|draft| self.settled.records.contains_key(&draft.record.record_id)) {
            return;
        }
        let options = self.config.reading();
        let story: Vec<(&Record, &Fixed)> = drafts.iter().map(|draft| (draft.record, &draft.fixed)).collect();
        let applied = decision::apply(self.settled, &story);
        for (draft, applied) in drafts.iter_mut().zip(applied) {
            draft.decided = applied.decided;
            if applied.fixed == draft.fixed {
                continue;
            }
            draft.reading = Reading::new(&applied.fixed.premises_fol, applied.fixed.conclusion_fol.as_deref(), options);
            draft.judgement = judge(draft.record, "decided", &draft.reading, &self.court());
            draft.timings.extend(self.timings(draft.record, &draft.judgement.queries));
            draft.fixed = applied.fixed;
        }
    }

    /// Judges in full what the rungs have made of a story; and whether that confirms all of it.
    fn confirm(&self, drafts: &mut [Draft<'_>], climbed: &[Climbed]) -> (Vec<Option<(Reading, Judgement)>>, bool) {
        let options = self.config.reading();
        let mut confirmed = true;
        let mut judged = Vec::new();
        for (draft, outcome) in drafts.iter_mut().zip(climbed) {
            if outcome.fixed == draft.fixed {
                judged.push(None);
                continue;
            }
            let reading = Reading::new(&outcome.fixed.premises_fol, outcome.fixed.conclusion_fol.as_deref(), options);
            let judgement = judge(draft.record, "repaired", &reading, &self.court());
            draft.timings.extend(self.timings(draft.record, &judgement.queries));
            confirmed &= outcome.verdict == Some(judgement.verdict);
            judged.push(Some((reading, judgement)));
        }
        (judged, confirmed)
    }

    /// Asks language models about what the rungs below could not settle.
    fn consult<'r>(&self, cases: &[Case<'r>], climbed: &mut [Climbed], bench: &Bench<'_>) -> Vec<Option<Consulted>> {
        let Some(agents) = &self.agents else { return Vec::new() };
        let options = self.config.reading();
        let standing = |(case, outcome): (&Case<'r>, &Climbed)| {
            let Fixed { premises_fol, conclusion_fol, .. } = &outcome.fixed;
            Case {
                record: case.record,
                reading: Reading::new(premises_fol, conclusion_fol.as_deref(), options),
                verdict: outcome.verdict.unwrap_or(case.verdict),
                fixed: outcome.fixed.clone(),
            }
        };
        let mut standing: Vec<Case<'_>> = cases.iter().zip(climbed.iter()).map(standing).collect();
        let desk = Consultation {
            oracle: agents.oracle,
            prompts: agents.prompts,
            options: self.config.refine.options(),
            reading: options,
            judge: &|record, reading| judge(record, "proposed", reading, &self.court()),
        };
        let consulted = agents::consult(&mut standing, bench, &desk);
        for ((outcome, case), consulted) in climbed.iter_mut().zip(standing).zip(&consulted) {
            outcome.fixed = case.fixed;
            outcome.verdict = Some(case.verdict);
            outcome.proposals.extend(consulted.iter().flat_map(|c| c.proposals.iter().cloned()));
        }
        consulted
    }

    /// The row of a record that was judged, with everything that is said of it.
    fn finish(&self, draft: Draft<'_>) -> (Row, Vec<Timing>) {
        let options = self.config.reading();
        let Draft { index, record, mut found, original, mut fixed, reading, judgement, .. } = draft;
        let Draft { climbed, consulted, decided, timings, .. } = draft;
        if self.config.lint.semantic {
            let mut semantic = check_annotations(&reading, &self.lowering, &self.asker);
            semantic.extend(check_alternatives(&mut fixed.edits, options, &self.lowering, &self.asker));
            for diagnostic in &mut semantic {
                point_into_original(diagnostic, record, &fixed);
            }
            found.extend(semantic);
        }
        if options.free == FreeVariables::Error {
            binding::refuse_free_variables(&mut found);
        }
        found.extend(record.diagnostics.iter().cloned());
        found.extend((self.across)(index, record));
        found.retain(|d| self.selection.has(d.code));
        found.sort_by(|a, b| (a.target, a.span, a.code).cmp(&(b.target, b.span, b.code)));
        let mut row = row(record, fixed, &original, judgement, found, decided);
        let set_aside = row.verdict_reason.clone().filter(|_| row.is_set_aside());
        if let Some(climbed) = climbed {
            row.iterations = row.edits.iter().map(|e| e.iteration).max().unwrap_or_default();
            if climbed.ambiguous && row.agreement == Agreement::Conflict {
                row.verdict_reason = row.verdict_reason.map(|why| format!("ambiguous-repair: {why}"));
            }
            row.proposals = climbed.proposals;
            self.diagnose(&mut row, &reading);
        }
        if let (Some(agents), Some(consulted)) = (&self.agents, &consulted) {
            agents.record(&mut row, consulted);
        }
        if set_aside.is_some() {
            // Whatever the rungs have to say, it was a person who put the row aside.
            row.verdict_reason = set_aside;
        }
        (row, timings)
    }

    /// What logic has to say of a row that was taken up the ladder.
    fn diagnose(&self, row: &mut Row, reading: &Reading) {
        let options = self.config.reading();
        let bench = Bench { lowering: &self.lowering, asker: &self.asker };
        let fixed = Fixed {
            premises_fol: row.premises_fol.clone(),
            conclusion_fol: row.conclusion_fol.clone(),
            edits: row.edits.clone(),
        };
        // A label that a person gave is the label from here on.
        let record = Record { label: row.label, ..row.record.clone() };
        let case = Case { record: &record, fixed, reading: reading.clone(), verdict: row.verdict };
        let symbols = critique::symbols(&case);
        let bounds = Bounds::default();
        let unlabelled = row.status == Status::Unjudged;
        let said = if unlabelled { None } else { critique::critique(&case, options, &bench, &bounds) };
        let others = match &said {
            Some(said) => said.alternatives.clone(),
            None => critique::alternatives(&case, options, &bench, bounds.alternatives),
        };
        let suspicion = critique::suspicion(
            &Facts {
                case: &case,
                options,
                diagnostics: &row.diagnostics,
                used_premises: row.used_premises.as_deref(),
                symbols: &symbols,
                signals: &row.signals,
                alternatives: &others,
                reason: said.as_ref().map(|said| said.reason),
            },
            &bench,
        );
        if let Some(said) = &said {
            row.proposed_label = said.proposed_label;
            row.presuppositions = said.presuppositions.found.iter().map(Presupposed::proposal).collect();
            row.critique = Some(said.to_json());
        } else if !others.is_empty() {
            // A row that agrees has only this to be told: what it owes to the place of a bracket.
            let told = |other: &OtherText| {
                let verdict = other.verdict.map_or("not known", Verdict::as_str);
                let OtherText { rule, target, text, .. } = other;
                format!("The fix of {rule} in {target} could also have given `{text}`; the verdict would be {verdict}.")
            };
            let sentences: Vec<String> = others.iter().map(told).collect();
            row.critique = Some(serde_json::json!({ "sentences": sentences, "alternatives": others }).to_string());
        }
        row.signals.extend(suspicion.signals.iter().map(|signal| (*signal).to_owned()));
        row.review_score = Some(suspicion.review_score);
        row.review_reason = suspicion.review_reason.map(str::to_owned);
        row.symbols = symbols;
    }

    fn timings(&self, record: &Record, queries: &[Query]) -> Vec<Timing> {
        let mut out = Vec::new();
        for query in queries {
            for (attempt, run) in (0..).zip(&query.runs) {
                self.queries.fetch_add(1, Ordering::Relaxed);
                let nanoseconds = u64::try_from(run.wall.as_nanos()).unwrap_or(u64::MAX);
                self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
                out.push(Timing {
                    record_id: record.record_id.clone(),
                    query: query.question.clone(),
                    attempt,
                    outcome: run.outcome.clone(),
                    ms: run.wall.as_secs_f64() * 1000.0,
                });
            }
        }
        out
    }
}

/// What was accepted, but not confirmed by the full judgement.
fn unconfirmed(proposal: &mut Proposal) {
    if proposal.outcome == "accepted" {
        proposal.outcome = "refused";
        proposal.reason = Some("unconfirmed".to_owned());
    }
}

/// A finding about mended text points at the whole annotation as it came: the data promises spans of that text.
pub(crate) fn point_into_original(diagnostic: &mut Diagnostic, record: &Record, fixed: &Fixed) {
    if fixed.edits.iter().any(|e| e.target == diagnostic.target)
        && let Some(text) = record.text(diagnostic.target)
    {
        diagnostic.span = Span::new(0, text.len());
    }
}

/// A row that ingest could not read: it leaves with its bytes and the reason.
fn unreadable(record: &Record, selection: &Selection) -> Row {
    let reason = record
        .diagnostics
        .iter()
        .find(|d| d.severity == Severity::Error)
        .map_or_else(|| "no reason recorded".to_owned(), |d| format!("{} {}", d.code, d.message));
    let diagnostics = record.diagnostics.iter().filter(|d| selection.has(d.code)).cloned().collect();
    let judgement = Judgement::without_evidence(Verdict::Unparsed, Some(format!("unreadable-row: {reason}")));
    row(record, Fixed::untouched(record), &judgement.clone(), judgement, diagnostics, None)
}

/// The row of a record that was judged as it came and as it leaves.
pub(crate) fn row(
    record: &Record,
    fixed: Fixed,
    original: &Judgement,
    judgement: Judgement,
    diagnostics: Vec<Diagnostic>,
    decision: Option<Decided>,
) -> Row {
    let label = decision.as_ref().and_then(|d| d.label).or(record.label);
    let agreement = judgement.verdict.agreement(label);
    let agreement_original = original.verdict.agreement(record.label);
    let (status, mut why) = status(record, label, agreement, agreement_original, judgement.verdict);
    let (status, set_aside) = match &decision {
        Some(d) if d.word == Decided::AMBIGUOUS => (Status::Problematic, Some("ambiguous-sentence")),
        Some(d) if d.word == Decided::REJECT => (Status::Problematic, Some("rejected")),
        Some(d) if d.label.is_some() && d.label != record.label && agreement == Agreement::Agree => {
            (Status::Relabelled, None)
        }
        _ => (status, None),
    };
    if let (Some(word), Some(decided)) = (set_aside, &decision) {
        let words = if decided.comment.is_empty() { String::new() } else { format!(" ({})", decided.comment) };
        why = Some(format!("{word}: by {}{words}", decided.by.join(", ")));
    }
    Row {
        record: record.clone(),
        premises_fol: fixed.premises_fol,
        conclusion_fol: fixed.conclusion_fol,
        label,
        decision,
        status,
        verdict: judgement.verdict,
        agreement,
        verdict_original: original.verdict,
        agreement_original,
        verdict_reason: if set_aside.is_some() { why } else { judgement.reason.or(why) },
        szs_consistency: judgement.szs_consistency,
        szs_entails: judgement.szs_entails,
        szs_refutes: judgement.szs_refutes,
        used_premises: judgement.used_premises,
        models: judgement.models,
        evidence: judgement.evidence,
        proof: judgement.proof,
        signals: judgement.signals,
        edits: fixed.edits,
        diagnostics,
        proposals: Vec::new(),
        proposed_label: None,
        critique: None,
        presuppositions: Vec::new(),
        symbols: Vec::new(),
        iterations: 0,
        review_score: None,
        review_reason: None,
        llm_model: None,
        prompt_version: None,
    }
}

/// What becomes of a row, and why where it is problematic.
fn status(
    record: &Record,
    label: Option<Label>,
    agreement: Agreement,
    original: Agreement,
    verdict: Verdict,
) -> (Status, Option<String>) {
    // A label was given and cannot be read: that is not the same as having none.
    if let (None, Some(label)) = (label, &record.label_text)
        && !label.trim().is_empty()
    {
        return (Status::Problematic, Some(format!("unknown-label: {label}")));
    }
    match agreement {
        Agreement::Agree if original == Agreement::Agree => (Status::Verified, None),
        Agreement::Agree => (Status::Repaired, None),
        Agreement::Unlabelled | Agreement::Unformalised => (Status::Unjudged, None),
        Agreement::Conflict => {
            let why = if verdict == Verdict::Uncertain { "broken-chain" } else { "label-contradicted" };
            let label = label.map_or("none", Label::as_str);
            (Status::Problematic, Some(format!("{why}: label {label}, verdict {verdict}")))
        }
        Agreement::Inconsistent | Agreement::Undetermined | Agreement::Unparsed => (Status::Problematic, None),
    }
}
