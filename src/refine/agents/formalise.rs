//! Formulas for sentences that have none.

use serde::Serialize;

use super::prompts::Agent;
use super::propose::faults;
use super::replies::{self, NewFormula};
use super::view::{Annotation, annotations};
use super::{Attempt, Consultation, Consulted, FORMALISER, Round, faithful, no_prompt};
use crate::diagnostic::Target;
use crate::fol::print::unicode;
use crate::fol::{Formula, SymbolKind};
use crate::llm::Failure;
use crate::record::{Proposal, Symbol};
use crate::refine::bench::Bench;
use crate::refine::case::Case;
use crate::refine::critique;
use crate::refine::guards::Guard;
use crate::refine::step::{Step, edit, read};

#[derive(Serialize)]
struct Data<'a> {
    annotations: &'a [Annotation],
    wanted: Vec<String>,
    symbols: Vec<String>,
    unreadable: Vec<String>,
}

/// One answer that can be read.
struct Candidate {
    texts: Vec<String>,
    formulas: Vec<Formula>,
    /// Answers that mean the same.
    votes: u32,
}

/// Has formulas written for what has none: several answers, of which those that mean the same are one candidate; the one
/// with most answers is taken, and where two have as many, neither.
pub(super) fn formalise(cases: &mut [Case<'_>], index: usize, bench: &Bench<'_>, desk: &Consultation<'_>) -> Consulted {
    let mut out = Consulted::default();
    let Some(case) = cases.get(index) else { return out };
    let missing_premises = case.fixed.premises_fol.is_empty() && !case.record.premises.is_empty();
    // Premises are shared; with several records of a story each would write its own.
    if missing_premises && cases.len() > 1 {
        out.ended = Some("gave-up:the premises of a story with several conclusions have no formulas".to_owned());
        return out;
    }
    let mut wanted: Vec<Target> =
        if missing_premises { (0..case.record.premises.len()).map(Target::Premise).collect() } else { Vec::new() };
    if case.fixed.conclusion_fol.is_none() {
        wanted.push(Target::Conclusion);
    }
    let mut candidates: Vec<Candidate> = Vec::new();
    for sample in 0..desk.options.samples.max(1) {
        match sample_of(case, &wanted, sample, desk, &mut out) {
            Ok(Some((texts, formulas))) => group(&mut candidates, texts, formulas, bench),
            Ok(None) => {}
            Err(failure) => {
                out.failed(&failure);
                return out;
            }
        }
    }
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.votes));
    // What says nothing, or contradicts the premises, is no candidate, however often it was written.
    let (refusals, mut candidates): (Vec<_>, Vec<_>) = candidates
        .into_iter()
        .map(|candidate| (refused(case, &wanted, &candidate, bench), candidate))
        .partition(|(guard, _)| guard.is_some());
    let candidates: Vec<Candidate> = candidates.drain(..).map(|(_, candidate)| candidate).collect();
    let tied = matches!(candidates.as_slice(), [a, b, ..] if a.votes == b.votes);
    let steps = |candidate: &Candidate| -> Vec<Step> {
        let step = |(target, text): (&Target, &String)| Step {
            target: *target,
            before: String::new(),
            after: text.clone(),
            rule: FORMALISER,
            why: format!("{} of {} answers mean this", candidate.votes, desk.options.samples.max(1)),
        };
        wanted.iter().zip(&candidate.texts).map(step).collect()
    };
    for (i, candidate) in candidates.iter().enumerate() {
        let (outcome, reason) = match (tied, i) {
            (true, _) => ("ambiguous", Some("ambiguous".to_owned())),
            (false, 0) => ("accepted", None),
            (false, _) => ("refused", Some("fewer-answers".to_owned())),
        };
        let edits = steps(candidate).into_iter().map(|step| edit(step, 1, None)).collect();
        out.proposals.push(Proposal { rung: "formaliser", edits, cost: 0.0, outcome, reason });
    }
    for (guard, candidate) in &refusals {
        let edits = steps(candidate).into_iter().map(|step| edit(step, 1, None)).collect();
        let reason = guard.map(|guard| guard.as_str().to_owned());
        out.proposals.push(Proposal { rung: "formaliser", edits, cost: 0.0, outcome: "refused", reason });
    }
    out.ambiguous = tied;
    let Some(best) = candidates.first().filter(|_| !tied) else {
        if candidates.is_empty() {
            let why = if refusals.is_empty() {
                "no answer can be read with the story's symbols"
            } else {
                "every answer was refused"
            };
            out.ended = Some(format!("gave-up:{why}"));
        }
        return out;
    };
    let steps = steps(best);
    if let Some(case) = cases.get_mut(index) {
        for step in steps {
            match step.target {
                // In order, from the first.
                Target::Premise(_) => case.fixed.premises_fol.push(step.after.clone()),
                _ => case.fixed.conclusion_fol = Some(step.after.clone()),
            }
            case.fixed.edits.push(edit(step, 1, None));
        }
        case.reading =
            crate::verify::Reading::new(&case.fixed.premises_fol, case.fixed.conclusion_fol.as_deref(), desk.reading);
        case.verdict = crate::refine::quick_verdict(case.record, &case.reading, bench);
    }
    if desk.options.back_translate {
        faithful::compare(cases, index, desk, &mut out);
    }
    out
}

/// Texts and trees, in the order of what was wanted.
type Written = (Vec<String>, Vec<Formula>);

/// One answer, mended in as many rounds as its syntax may take.
fn sample_of(
    case: &Case<'_>,
    wanted: &[Target],
    sample: u32,
    desk: &Consultation<'_>,
    out: &mut Consulted,
) -> Result<Option<Written>, Failure> {
    let symbols = critique::symbols(case);
    let shown = annotations(case);
    let premises = case.record.premises.len().max(case.fixed.premises_fol.len());
    let mut unreadable: Vec<String> = Vec::new();
    out.rounds.push(Round { iteration: sample + 1, findings: Vec::new(), attempts: Vec::new() });
    for _ in 0..=desk.options.syntax_rounds {
        let data = Data {
            annotations: &shown,
            wanted: wanted.iter().map(ToString::to_string).collect(),
            symbols: symbols.iter().map(|s| format!("{} ({}, {} arguments)", s.name, s.kind, s.arity)).collect(),
            unreadable: unreadable.clone(),
        };
        let request = desk.prompts.request(Agent::Formaliser, &data, sample).map_err(|e| no_prompt(&e))?;
        out.used(&request.prompt);
        let texts = desk.oracle.ask(&request, |value| replies::formulas(value, wanted, premises))?;
        let new = wanted.iter().zip(&texts).map(|(target, formula)| NewFormula {
            target: *target,
            formula: formula.clone(),
            why: String::new(),
        });
        let new: Vec<NewFormula> = new.collect();
        let mut wrong = Vec::new();
        let mut formulas = Vec::new();
        for n in &new {
            match read(&n.formula, desk.reading) {
                None => wrong.extend(faults(n.target, &n.formula, desk)),
                Some(formula) => {
                    wrong.extend(unknown(&formula, &symbols).map(|what| format!("{}: {what}", n.target)));
                    formulas.push(formula);
                }
            }
        }
        let edits = new.iter().map(|n| (n.target.to_string(), n.formula.clone())).collect();
        let outcome = if wrong.is_empty() { "accepted" } else { "unreadable" };
        if let Some(round) = out.rounds.last_mut() {
            round.attempts.push(Attempt { edits, outcome, told: wrong.clone() });
        }
        if wrong.is_empty() {
            return Ok(Some((formulas.iter().map(unicode::print).collect(), formulas)));
        }
        unreadable = wrong;
    }
    Ok(None)
}

/// A symbol of a formula that is none of the story's, in words; where the story has none, only variables can be wrong.
fn unknown(formula: &Formula, symbols: &[Symbol]) -> Option<String> {
    formula.symbols().into_iter().find_map(|s| {
        if s.kind == SymbolKind::Free {
            return Some(format!("no quantifier binds `{}`", s.name));
        }
        let kind = match s.kind {
            SymbolKind::Predicate => "predicate",
            SymbolKind::Function => "function",
            SymbolKind::Constant | SymbolKind::Free => "constant",
        };
        let fits = |known: &Symbol| known.name == s.name && known.kind == kind && known.arity as usize == s.arity;
        let is_known = symbols.is_empty() || symbols.iter().any(fits);
        (!is_known).then(|| format!("the story has no symbol `{}` ({kind}, {} arguments)", s.name, s.arity))
    })
}

/// The guard that refuses a formula that was written anew.
fn refused(case: &Case<'_>, wanted: &[Target], candidate: &Candidate, bench: &Bench<'_>) -> Option<Guard> {
    let mut premises: Vec<&Formula> = case.reading.premises.iter().flatten().collect();
    let written = || wanted.iter().zip(&candidate.formulas);
    premises.extend(written().filter(|(t, _)| matches!(t, Target::Premise(_))).map(|(_, formula)| formula));
    if bench.consistent(&premises) != Some(true) {
        return Some(Guard::Inconsistent);
    }
    let trivial = |formula: &Formula| bench.triviality(formula) != Some(None);
    written().find_map(|(target, formula)| match target {
        _ if !trivial(formula) => None,
        Target::Conclusion => Some(Guard::TrivialConclusion),
        _ => Some(Guard::TrivialPremise),
    })
}

/// Adds an answer to the candidate that means the same, or as a new one.
fn group(candidates: &mut Vec<Candidate>, texts: Vec<String>, formulas: Vec<Formula>, bench: &Bench<'_>) {
    let same = |candidate: &&mut Candidate| {
        candidate.formulas.iter().zip(&formulas).all(|(a, b)| bench.equivalent(a, b) == Some(true))
    };
    match candidates.iter_mut().find(same) {
        Some(candidate) => candidate.votes += 1,
        None => candidates.push(Candidate { texts, formulas, votes: 1 }),
    }
}
