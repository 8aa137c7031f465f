//! Verdicts under the other texts that a fix could have given.

use std::collections::BTreeSet;

use serde::Serialize;

use super::questions::Questions;
use super::story::Story;
use crate::diagnostic::Target;
use crate::fol::{reading_of, shape};
use crate::lint::Selection;
use crate::record::{Record, Verdict};
use crate::refine::{Bench, Case, apply_safe_fixes};
use crate::verify::{Reading, ReadingOptions};

/// Another text that a fix could have given, and the verdict with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OtherText {
    /// The annotation.
    #[serde(serialize_with = "super::as_text")]
    pub target: Target,
    /// The rule whose fix it was.
    pub rule: String,
    /// The text that it gave.
    pub taken: String,
    /// The text that it could have given.
    pub text: String,
    /// The verdict with it; null where a bound was reached before it was known.
    pub verdict: Option<Verdict>,
    /// Whether that is the label.
    pub gives_label: bool,
}

/// The verdicts under each text that was possible instead of what a fix gave (`edits.alternatives`), for any record: of
/// texts that say the same only the first counts. At most `limit` of them.
#[must_use]
pub fn alternatives(case: &Case<'_>, options: ReadingOptions, bench: &Bench<'_>, limit: usize) -> Vec<OtherText> {
    let mut questions = Questions::new(bench, 8 * u32::try_from(limit).unwrap_or(u32::MAX / 8), &Story::new(case));
    other_texts(case, options, limit, &mut questions)
}

pub(super) fn other_texts(
    case: &Case<'_>,
    options: ReadingOptions,
    limit: usize,
    questions: &mut Questions<'_>,
) -> Vec<OtherText> {
    let mut out = Vec::new();
    for edit in &case.fixed.edits {
        let mut seen: BTreeSet<String> =
            reading_of(&edit.after, options.scope).map(|f| shape::key(&f, false)).into_iter().collect();
        for text in &edit.alternatives {
            let Some(formula) = reading_of(text, options.scope) else { continue };
            if !seen.insert(shape::key(&formula, false)) {
                continue;
            }
            if out.len() >= limit {
                questions.cut();
                return out;
            }
            let verdict = verdict_with(case, edit.target, text, options, questions);
            out.push(OtherText {
                target: edit.target,
                rule: edit.rule.clone(),
                taken: edit.after.clone(),
                text: text.clone(),
                verdict,
                gives_label: verdict.is_some_and(|v| super::is_label(v, case.record.label)),
            });
        }
    }
    out
}

/// The verdict with another text of one annotation, after the safe fixes of that text.
fn verdict_with(
    case: &Case<'_>,
    target: Target,
    text: &str,
    options: ReadingOptions,
    questions: &mut Questions<'_>,
) -> Option<Verdict> {
    let mut record = Record {
        premises_fol: case.fixed.premises_fol.clone(),
        conclusion_fol: case.fixed.conclusion_fol.clone(),
        ..case.record.clone()
    };
    match target {
        Target::Premise(i) => text.clone_into(record.premises_fol.get_mut(i)?),
        Target::Conclusion => record.conclusion_fol = Some(text.to_owned()),
        Target::PremiseSentence(_) | Target::ConclusionSentence | Target::Row => return None,
    }
    let found = crate::lint::check_record(&crate::lint::ParsedRecord::new(&record, options.scope).context(&record));
    let fixed = apply_safe_fixes(&record, &found, &Selection::everything(), options.scope);
    let reading = Reading::new(&fixed.premises_fol, fixed.conclusion_fol.as_deref(), options);
    let story = Story::of(&record, &reading);
    match story.conclusion().filter(|_| reading.unreadable().is_empty()) {
        Some(conclusion) => questions.verdict(&story.premises(), conclusion),
        None => Some(Verdict::Unparsed),
    }
}
