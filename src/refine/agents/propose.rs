//! Putting what a model wrote before the guards.

use super::replies::NewFormula;
use super::{Consultation, REFINER, evidence};
use crate::diagnostic::{Severity, Target};
use crate::fol::print::unicode;
use crate::fol::{Formula, parse_with};
use crate::lint::syntax;
use crate::record::Proposal;
use crate::refine::bench::Bench;
use crate::refine::case::Case;
use crate::refine::guards::{Change, Guard, Sibling, check_unlabelled, gives_label};
use crate::refine::step::{Step, edit, read, sentence};
use crate::verify::Reading;

/// What became of a proposal.
pub(super) enum Judged {
    /// Every guard lets it pass.
    Accepted(Vec<Step>),
    /// A formula cannot be read, or nothing is changed.
    Unreadable(Vec<String>),
    /// A guard refuses it: which, and what the model is told.
    Refused(Guard, Vec<Step>, Vec<String>),
}

/// The steps of a proposal, with the trees after them.
///
/// # Errors
/// In words for the model: where a formula cannot be read, or nothing is changed.
pub(super) fn steps(
    case: &Case<'_>,
    edits: &[NewFormula],
    desk: &Consultation<'_>,
) -> Result<Vec<(Step, Formula)>, Vec<String>> {
    let (mut out, mut wrong) = (Vec::new(), Vec::new());
    for new in edits {
        let now = match new.target {
            Target::Premise(i) => case.fixed.premises_fol.get(i),
            _ => case.fixed.conclusion_fol.as_ref(),
        };
        let Some(now) = now else {
            wrong.push(format!("{} has no formula to be mended", new.target));
            continue;
        };
        let Some(formula) = read(&new.formula, desk.reading) else {
            wrong.extend(faults(new.target, &new.formula, desk));
            continue;
        };
        let after = unicode::print(&formula);
        if after == *now {
            continue;
        }
        let step =
            Step { target: new.target, before: now.clone(), after, rule: REFINER, why: new.why.trim().to_owned() };
        out.push((step, formula));
    }
    if wrong.is_empty() && out.is_empty() {
        wrong.push("the new formulas are those that stand there already".to_owned());
    }
    if wrong.is_empty() { Ok(out) } else { Err(wrong) }
}

/// Why a text has no reading, in words.
pub(super) fn faults(target: Target, text: &str, desk: &Consultation<'_>) -> Vec<String> {
    let parsed = parse_with(text, desk.reading.scope);
    let mut found = Vec::new();
    syntax::check_text(target, text, &parsed, desk.reading.scope, &mut found);
    let errors = found.iter().filter(|d| d.severity == Severity::Error);
    let mut out: Vec<String> = errors
        .map(|d| {
            let before = text.get(..d.span.start).map_or(0, |t| t.chars().count());
            format!("{target}, character {before}: {} ({})", d.message, d.code)
        })
        .collect();
    if out.is_empty() {
        out.push(format!("{target}: the settings of this dataset give it no reading; has it a free variable?"));
    }
    out
}

/// Puts a proposal of the refiner before the guards.
///
/// The guards that know nothing of the label come first, and what they say is told by name. Whether the label comes out is
/// asked last, and a refusal for that reads “not settled” and no more.
pub(super) fn judge(
    cases: &[Case<'_>],
    index: usize,
    edits: &[NewFormula],
    bench: &Bench<'_>,
    desk: &Consultation<'_>,
) -> Judged {
    let Some(case) = cases.get(index) else { return Judged::Unreadable(Vec::new()) };
    let made = match steps(case, edits, desk) {
        Ok(made) => made,
        Err(wrong) => return Judged::Unreadable(wrong),
    };
    let (mut premises_fol, mut conclusion_fol) = (case.fixed.premises_fol.clone(), case.fixed.conclusion_fol.clone());
    for (step, _) in &made {
        match step.target {
            Target::Premise(i) => {
                if let Some(text) = premises_fol.get_mut(i) {
                    text.clone_from(&step.after);
                }
            }
            _ => conclusion_fol = Some(step.after.clone()),
        }
    }
    let reading = Reading::new(&premises_fol, conclusion_fol.as_deref(), desk.reading);
    let steps = || made.iter().map(|(step, _)| step.clone()).collect::<Vec<_>>();
    let unread = reading.unreadable();
    let premises: Option<Vec<&Formula>> = reading.premises.iter().map(Option::as_ref).collect();
    let conclusion = reading.conclusion.as_ref().and_then(Option::as_ref);
    let (Some(premises), Some(conclusion), Some(label)) = (premises, conclusion, case.record.label) else {
        let names: Vec<String> = unread.iter().map(ToString::to_string).collect();
        let told = format!("still no reading: {}; every formula of the story must be readable", names.join(", "));
        return Judged::Refused(Guard::Unparsed, steps(), vec![told]);
    };
    let tree = |target: Target| match target {
        Target::Premise(i) => case.reading.premises.get(i).and_then(Option::as_ref),
        _ => case.reading.conclusion.as_ref().and_then(Option::as_ref),
    };
    let changed = |target: Target| match target {
        Target::Premise(i) => premises.get(i).copied(),
        _ => Some(conclusion),
    };
    let changes: Vec<Change<'_>> = made
        .iter()
        .filter_map(|(step, _)| {
            Some(Change {
                target: step.target,
                sentence: sentence(case.record, step.target),
                before: tree(step.target),
                before_text: &step.before,
                after: changed(step.target)?,
                after_text: &step.after,
            })
        })
        .collect();
    let siblings = Sibling::of(cases, index);
    if let Err(guard) = check_unlabelled(&premises, conclusion, &changes, &siblings, bench) {
        return Judged::Refused(guard, steps(), vec![reason(guard).to_owned()]);
    }
    if gives_label(&premises, conclusion, label, bench) {
        return Judged::Accepted(steps());
    }
    let mut told = vec![reason(Guard::Label).to_owned()];
    // What is proved now and was refused would tell which label is not wanted.
    if desk.options.show_label {
        told.extend(evidence::told(&(desk.judge)(case.record, &reading)));
    }
    Judged::Refused(Guard::Label, steps(), told)
}

/// What a model is told of a refusal. Nothing of it depends on the record's label.
const fn reason(guard: Guard) -> &'static str {
    match guard {
        Guard::Unparsed => "A formula of the story has no reading.",
        Guard::Inconsistent => "With it the premises contradict each other.",
        Guard::Label => "Not settled.",
        Guard::Sibling | Guard::SiblingContradicted => {
            "With the changed premise another conclusion of the story would come out differently."
        }
        Guard::TrivialConclusion => "The conclusion would hold, or fail, whatever its symbols mean.",
        Guard::TrivialPremise => "A premise would say nothing, or nothing could fulfil it.",
        Guard::LostWord => "A word of the sentence that the formula had in a name would be gone.",
        Guard::LostCue => {
            "An operator that the sentence asks for (for `not`, `all`, `some`, `either … or`, `if`, `only`) would be missing."
        }
        Guard::Collapsed => "What the formula says of two things it would say of one twice, or of a thing and itself.",
        Guard::ForeignSymbol => "A symbol would appear in a formula whose sentence has no word for it.",
        Guard::NewSymbol => "A symbol would appear that the story does not have; only the symbols listed may be used.",
    }
}

/// A proposal as it is put on record.
pub(super) fn proposal(steps: Vec<Step>, iteration: u32, refused: Option<&str>) -> Proposal {
    Proposal {
        rung: "refiner",
        edits: steps.into_iter().map(|step| edit(step, iteration, None)).collect(),
        cost: 0.0,
        outcome: if refused.is_some() { "refused" } else { "accepted" },
        reason: refused.map(str::to_owned),
    }
}
