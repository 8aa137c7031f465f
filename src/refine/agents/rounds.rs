//! Critique and refiner in turn, until the guards let something pass or a bound is reached.

use super::prompts::Agent;
use super::propose::{Judged, judge, proposal};
use super::replies;
use super::view::{CritiqueData, RefinerData, Told, View, quoted};
use super::{Attempt, Consultation, Consulted, Finding, Round, faithful, label, no_prompt};
use crate::llm::Failure;
use crate::record::Presupposition;
use crate::refine::bench::Bench;
use crate::refine::case::Case;
use crate::refine::ladder::MAX_PROPOSALS;
use crate::refine::step::apply;

/// Asks about one record.
pub(super) fn refine(cases: &mut [Case<'_>], index: usize, bench: &Bench<'_>, desk: &Consultation<'_>) -> Consulted {
    let mut out = Consulted { label_shown: desk.options.show_label, ..Consulted::default() };
    for iteration in 1..=desk.options.iterations {
        match one(cases, index, iteration, bench, desk, &mut out) {
            Ok(Next::Again) => {}
            Ok(Next::Settled) => {
                if desk.options.back_translate {
                    faithful::compare(cases, index, desk, &mut out);
                }
                return out;
            }
            Ok(Next::GaveUp(why)) => {
                out.ended = Some(format!("gave-up:{why}"));
                break;
            }
            Err(failure) => {
                out.failed(&failure);
                // Without an answer nobody can say what is wrong, the label included.
                return out;
            }
        }
    }
    if desk.options.review_label
        && let Some(case) = cases.get(index)
        && let Err(failure) = label::review(case, desk, &mut out)
    {
        out.failed(&failure);
    }
    out
}

enum Next {
    Settled,
    Again,
    GaveUp(String),
}

/// One iteration: a critique, and the refiner until it writes what can be read.
fn one(
    cases: &mut [Case<'_>],
    index: usize,
    iteration: u32,
    bench: &Bench<'_>,
    desk: &Consultation<'_>,
    out: &mut Consulted,
) -> Result<Next, Failure> {
    let Some(view) = View::new(cases, index, bench, desk) else { return Ok(Next::GaveUp(String::new())) };
    let premises = cases.get(index).map_or(0, |case| case.fixed.premises_fol.len());
    let findings = critique(&view, premises, desk, out)?;
    out.rounds.push(Round { iteration, findings: findings.clone(), attempts: Vec::new() });
    let mut unreadable: Vec<Attempt> = Vec::new();
    for _ in 0..=desk.options.syntax_rounds {
        let data = RefinerData {
            view: &view,
            findings: findings
                .iter()
                .map(|f| format!("{} in {}: {}", f.kind, f.target, quoted(&f.explanation)))
                .collect(),
            rounds: Told::all(&out.rounds),
            unreadable: unreadable.iter().map(Told::of).collect(),
        };
        let request = desk.prompts.request(Agent::Refiner, &data, 0).map_err(|e| no_prompt(&e))?;
        out.used(&request.prompt);
        let reply = desk.oracle.ask(&request, |value| replies::refinement(value, premises))?;
        for (target, words, formula) in reply.presuppositions {
            // What cannot be read is no presupposition.
            if crate::refine::step::read(&formula, desk.reading).is_some()
                && !out.presuppositions.iter().any(|p| p.target == target && p.formula == formula)
            {
                out.presuppositions.push(Presupposition { target, formula, sentence: Some(words) });
            }
        }
        if reply.edits.is_empty() {
            return Ok(Next::GaveUp(reply.nothing_to_mend.trim().to_owned()));
        }
        let edits: Vec<(String, String)> =
            reply.edits.iter().map(|e| (e.target.to_string(), e.formula.clone())).collect();
        let mut note = |attempt: Attempt| {
            if let Some(round) = out.rounds.last_mut() {
                round.attempts.push(attempt);
            }
        };
        match judge(cases, index, &reply.edits, bench, desk) {
            Judged::Accepted(steps) => {
                note(Attempt { edits, outcome: "accepted", told: Vec::new() });
                out.proposals.push(proposal(steps.clone(), iteration, None));
                apply(cases, index, &steps, iteration, desk.reading, bench);
                return Ok(Next::Settled);
            }
            Judged::Unreadable(told) => {
                let attempt = Attempt { edits, outcome: "unreadable", told };
                note(attempt.clone());
                unreadable.push(attempt);
            }
            Judged::Refused(guard, steps, told) => {
                note(Attempt { edits, outcome: "refused", told });
                if out.proposals.len() < MAX_PROPOSALS {
                    out.proposals.push(proposal(steps, iteration, Some(guard.as_str())));
                }
                return Ok(Next::Again);
            }
        }
    }
    Ok(Next::Again)
}

fn critique(
    view: &View,
    premises: usize,
    desk: &Consultation<'_>,
    out: &mut Consulted,
) -> Result<Vec<Finding>, Failure> {
    let data = CritiqueData { view, kinds: replies::KINDS, rounds: Told::all(&out.rounds) };
    let request = desk.prompts.request(Agent::Critique, &data, 0).map_err(|e| no_prompt(&e))?;
    out.used(&request.prompt);
    desk.oracle.ask(&request, |value| replies::findings(value, premises))
}
