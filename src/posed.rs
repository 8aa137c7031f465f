//! Questions that someone poses, without a dataset: a problem in FOLIO's notation or in TPTP becomes a row like any other.
//!
//! In FOLIO's notation each line is a formula. Empty lines, and lines that start with `#` or `%`, are skipped. The
//! conclusion is the line that starts with `⊢`, `|-`, `∴` or `therefore:`; without such a line it is the last one.

use std::collections::BTreeMap;

use crate::config::Config;
use crate::diagnostic::{EditKind, Severity, Target};
use crate::explain::{Explanation, explain};
use crate::fol::Formula;
use crate::fol::print::tptp::FreeVariables;
use crate::fol::print::unicode;
use crate::fol::tptp::{self, ProblemError};
use crate::lint::{self, Family, ParsedRecord, binding, check_record};
use crate::pipeline::{self, Provers};
use crate::prove::eprover::EProver;
use crate::record::{Record, Row};
use crate::refine::Fixed;
use crate::verify::{Asker, Court, Reading, ReadingOptions, SecondOpinion, judge};

/// What starts the conclusion's line.
const MARKS: [&str; 4] = ["⊢", "|-", "∴", "therefore:"];

/// A question, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posed {
    /// The formulas as a record; it has no id.
    pub record: Record,
    /// Their readings.
    pub reading: Reading,
    /// The 1-based line of each formula, where they came in lines.
    pub lines: BTreeMap<Target, u64>,
    /// Whether findings about the text are of use.
    is_text: bool,
}

/// Why there is no question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PosedError {
    /// No formula at all.
    #[error("there is no formula")]
    Empty,
    /// Two lines are marked as the conclusion.
    #[error("line {second} is marked as the conclusion, and so is line {first}")]
    TwoConclusions {
        /// The 1-based line of the first.
        first: u64,
        /// That of the second.
        second: u64,
    },
    /// A text in TPTP that cannot be read.
    #[error(transparent)]
    Tptp(#[from] ProblemError),
}

/// Premises and a conclusion, each a formula in FOLIO's notation. `name` is where they come from, for messages.
///
/// # Errors
/// Where there is neither.
pub fn formulas(
    premises: Vec<String>,
    conclusion: Option<String>,
    name: &str,
    options: ReadingOptions,
) -> Result<Posed, PosedError> {
    if premises.is_empty() && conclusion.is_none() {
        return Err(PosedError::Empty);
    }
    let reading = Reading::new(&premises, conclusion.as_deref(), options);
    let mut record = Record { premises_fol: premises, conclusion_fol: conclusion, ..Record::default() };
    name.clone_into(&mut record.source.file);
    Ok(Posed { record, reading, lines: BTreeMap::new(), is_text: true })
}

/// A text in FOLIO's notation, as described above. With `consistency` a conclusion is only looked for where it is
/// marked, and is left out.
///
/// # Errors
/// Where there is no formula, or more than one conclusion.
pub fn folio(text: &str, name: &str, options: ReadingOptions, consistency: bool) -> Result<Posed, PosedError> {
    let mut premises: Vec<(u64, &str)> = Vec::new();
    let mut conclusion: Option<(u64, &str)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with(['#', '%']) {
            continue;
        }
        match marked(line) {
            None => premises.push((number, line)),
            Some(formula) => match conclusion {
                Some((first, _)) => return Err(PosedError::TwoConclusions { first, second: number }),
                None => conclusion = Some((number, formula)),
            },
        }
    }
    if consistency {
        conclusion = None;
    } else if conclusion.is_none() {
        conclusion = premises.pop();
    }
    let mut lines: BTreeMap<Target, u64> =
        premises.iter().enumerate().map(|(i, (number, _))| (Target::Premise(i), *number)).collect();
    lines.extend(conclusion.map(|(number, _)| (Target::Conclusion, number)));
    let premises = premises.into_iter().map(|(_, text)| text.to_owned()).collect();
    let mut posed = formulas(premises, conclusion.map(|(_, text)| text.to_owned()), name, options)?;
    posed.lines = lines;
    Ok(posed)
}

/// The formula behind a conclusion's mark.
fn marked(line: &str) -> Option<&str> {
    MARKS.iter().find_map(|mark| {
        let start = line.get(..mark.len())?;
        start.eq_ignore_ascii_case(mark).then(|| line.get(mark.len()..).unwrap_or_default().trim())
    })
}

/// A problem in TPTP; see [`tptp::read_problem`]. Names of statements stand for sentences.
///
/// # Errors
/// Where it cannot be read, or there is no statement.
pub fn tptp(text: &str, name: &str, options: ReadingOptions, consistency: bool) -> Result<Posed, PosedError> {
    let problem = tptp::read_problem(text)?;
    let conclusion = problem.conclusion.filter(|_| !consistency);
    if problem.premises.is_empty() && conclusion.is_none() {
        return Err(PosedError::Empty);
    }
    let mut record = Record {
        premises: problem.premises.iter().map(|(name, _)| name.clone()).collect(),
        premises_fol: problem.premises.iter().map(|(_, f)| unicode::print(f)).collect(),
        conclusion: conclusion.as_ref().map(|(name, _)| name.clone()).unwrap_or_default(),
        conclusion_fol: conclusion.as_ref().map(|(_, f)| unicode::print(f)),
        ..Record::default()
    };
    name.clone_into(&mut record.source.file);
    let close = |formula: Formula| match options.free {
        FreeVariables::Universal => crate::fol::scope::close(formula),
        FreeVariables::Constant | FreeVariables::Error => formula,
    };
    let reading = Reading {
        premises: problem.premises.into_iter().map(|(_, f)| Some(close(f))).collect(),
        conclusion: conclusion.map(|(_, f)| Some(close(f))),
        refused: BTreeMap::new(),
    };
    Ok(Posed { record, reading, lines: BTreeMap::new(), is_text: false })
}

/// Answers a question as a run would. Findings are those of rules about single formulas and names that are more than
/// remarks, or than remarks on how to spell an operator.
#[must_use]
pub fn answer(posed: &Posed, config: &Config, provers: Provers<'_>) -> Row {
    let Posed { record, reading, is_text, .. } = posed;
    let schedule = config.schedule();
    let (lowering, grounder) = (config.lowering(), config.grounder());
    let asker = Asker::new(provers.first, &schedule, None);
    let second = provers.second.map(|prover| {
        SecondOpinion::new(prover, EProver::schedule(pipeline::SECOND_OPINION_SECONDS), config.verify.second_opinion)
    });
    let court = Court { lowering: &lowering, asker: &asker, grounder: &grounder, second: second.as_ref() };
    let judgement = judge(record, "posed", reading, &court);
    let mut found = Vec::new();
    if *is_text {
        found = check_record(&ParsedRecord::new(record, config.parse.quantifier_scope).context(record));
        if config.parse.free_variables == FreeVariables::Error {
            binding::refuse_free_variables(&mut found);
        }
        found.retain(|d| {
            let family = lint::find(d.code).map(|rule| rule.family);
            let respells =
                d.severity < Severity::Error && d.fix.as_ref().is_some_and(|f| f.kind == EditKind::Normalise);
            d.severity > Severity::Info && !respells && !matches!(family, Some(Family::Cue | Family::Row))
        });
    }
    pipeline::row(record, Fixed::untouched(record), &judgement.clone(), judgement, found, None)
}

/// What the answer rests on: findings tell the lines of the text.
#[must_use]
pub fn explanation(posed: &Posed, row: &Row) -> Explanation {
    let mut explanation = explain(row, &posed.reading);
    explanation.record = None;
    for finding in &mut explanation.diagnostics {
        finding.line = posed.lines.get(&finding.diagnostic.target).copied();
    }
    explanation
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, consistency: bool) -> String {
        match folio(text, "here", ReadingOptions::default(), consistency) {
            Err(error) => error.to_string(),
            Ok(posed) => {
                let premises = posed.record.premises_fol.iter().enumerate();
                let mut out: Vec<String> =
                    premises.map(|(i, f)| format!("{} {f}", posed.lines[&Target::Premise(i)])).collect();
                let conclusion = posed.record.conclusion_fol.iter();
                out.extend(conclusion.map(|f| format!("{} ∴ {f}", posed.lines[&Target::Conclusion])));
                out.join("; ")
            }
        }
    }

    #[test]
    fn the_conclusion_is_marked_or_last() {
        assert_eq!(told("# birds\nP(a)\n\n  Q(a)\n", false), "2 P(a); 4 ∴ Q(a)");
        for mark in ["⊢ ", "|-", "∴", "therefore: ", "Therefore:"] {
            assert_eq!(told(&format!("P(a)\n{mark}Q(a)\n% more\nR(a)"), false), "1 P(a); 4 R(a); 2 ∴ Q(a)", "{mark}");
        }
        assert_eq!(told("P ∨ ¬P", false), "1 ∴ P ∨ ¬P");
        assert_eq!(told("P(a)\nQ(a)", true), "1 P(a); 2 Q(a)");
        assert_eq!(told("P(a)\n⊢ Q(a)", true), "1 P(a)");
        assert_eq!(told("# nothing\n", false), "there is no formula");
        assert_eq!(told("⊢ P\n∴ Q", false), "line 2 is marked as the conclusion, and so is line 1");
    }

    #[test]
    fn tptp_keeps_the_names_of_statements() {
        let text = "fof(all, axiom, ! [X] : (p(X) => q(X))). fof(goal, conjecture, q(a)).";
        let posed = tptp(text, "x.p", ReadingOptions::default(), false).expect("a question");
        assert_eq!(posed.record.premises, ["all"]);
        assert_eq!(posed.record.premises_fol, ["∀X (p(X) → q(X))"]);
        assert_eq!((posed.record.conclusion.as_str(), posed.record.conclusion_fol.as_deref()), ("goal", Some("q(a)")));
        let without = tptp(text, "x.p", ReadingOptions::default(), true).expect("a question");
        assert_eq!(without.reading.conclusion, None);
        assert_eq!(tptp("% nothing", "x.p", ReadingOptions::default(), false), Err(PosedError::Empty));
    }
}
