//! Whether a formula that a model wrote says what its sentence says: told back in words by a model that does not see the
//! sentence, and compared. It is a signal, never a verdict.

use serde::Serialize;
use serde_json::json;

use super::prompts::Agent;
use super::view::quoted;
use super::{Consultation, Consulted, FORMALISER, REFINER, no_prompt, replies};
use crate::diagnostic::Target;
use crate::llm::Failure;
use crate::refine::case::Case;
use crate::refine::search::{NameWords, Wording};
use crate::refine::step::{read, sentence};

/// How one formula reads, told back.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Faithfulness {
    /// `premise[2]` or `conclusion`.
    pub target: String,
    /// The formula in words.
    pub told_back: String,
    /// `same`, `first-says-more` (the sentence), `second-says-more` (the formula), or `different`.
    pub relation: String,
    /// Why, as the model says.
    pub why: String,
    /// Which part of the symbols' words the sentence has, from 0 to 1.
    pub overlap: f64,
}

/// Compares every formula of a record that a model wrote.
pub(super) fn compare(cases: &[Case<'_>], index: usize, desk: &Consultation<'_>, out: &mut Consulted) {
    let Some(case) = cases.get(index) else { return };
    let mut targets: Vec<Target> =
        case.fixed.edits.iter().filter(|e| e.rule == REFINER || e.rule == FORMALISER).map(|e| e.target).collect();
    targets.sort_unstable();
    targets.dedup();
    for target in targets {
        match one(case, target, desk, out) {
            Ok(Some(found)) => out.faithfulness.push(found),
            Ok(None) => {}
            Err(failure) => {
                out.failed(&failure);
                return;
            }
        }
    }
}

fn one(
    case: &Case<'_>,
    target: Target,
    desk: &Consultation<'_>,
    out: &mut Consulted,
) -> Result<Option<Faithfulness>, Failure> {
    let text = match target {
        Target::Premise(i) => case.fixed.premises_fol.get(i).map(String::as_str),
        _ => case.fixed.conclusion_fol.as_deref(),
    };
    let (Some(text), Some(said)) = (text, sentence(case.record, target)) else { return Ok(None) };
    let Some(formula) = read(text, desk.reading) else { return Ok(None) };
    let data = json!({ "formula": quoted(text) });
    let request = desk.prompts.request(Agent::BackTranslation, &data, 0).map_err(|e| no_prompt(&e))?;
    out.used(&request.prompt);
    let told_back = desk.oracle.ask(&request, replies::sentence)?;
    let data = json!({ "first": quoted(said), "second": quoted(&told_back) });
    let request = desk.prompts.request(Agent::Comparison, &data, 0).map_err(|e| no_prompt(&e))?;
    out.used(&request.prompt);
    let (relation, why) = desk.oracle.ask(&request, replies::comparison)?;
    let wording = Wording::of(said);
    let (mut sum, mut count) = (0.0, 0.0);
    for symbol in formula.symbols() {
        sum += wording.support(&NameWords::of(symbol.name));
        count += 1.0;
    }
    let overlap = if count > 0.0 { (sum / count * 100.0_f64).round() / 100.0 } else { 0.0 };
    Ok(Some(Faithfulness { target: target.to_string(), told_back, relation, why, overlap }))
}
