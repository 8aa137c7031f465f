//! Whether the label is wrong: asked after everything else, and told to nobody who mends formulas.

use super::evidence;
use super::prompts::Agent;
use super::replies;
use super::view::{LabelData, annotations};
use super::{Consultation, Consulted, LabelReview, no_prompt};
use crate::llm::Failure;
use crate::record::Agreement;
use crate::refine::case::Case;

/// Asks whether the label is what the sentences deserve.
pub(super) fn review(case: &Case<'_>, desk: &Consultation<'_>, out: &mut Consulted) -> Result<(), Failure> {
    let Some(label) = case.record.label else { return Ok(()) };
    let judgement = (desk.judge)(case.record, &case.reading);
    let annotations = annotations(case);
    let data = LabelData::new(&annotations, label, judgement.verdict, evidence::told(&judgement));
    let request = desk.prompts.request(Agent::Label, &data, 0).map_err(|e| no_prompt(&e))?;
    out.used(&request.prompt);
    let (label, why, confidence) = desk.oracle.ask(&request, replies::label)?;
    let proved = judgement.verdict.agreement(Some(label)) == Agreement::Agree;
    out.label = Some(LabelReview { label, why, confidence, proved });
    Ok(())
}
