//! Nearly equal names taken for one.

use std::collections::BTreeMap;

use serde::Serialize;

use super::questions::Questions;
use super::story::{Story, Used, kind_word, renamed, symbols};
use crate::fol::{Formula, SymbolKind};
use crate::lint::words::{Difference, Name};
use crate::lint::{ParsedRecord, names};
use crate::record::{Record, Verdict};
use crate::refine::Case;
use crate::verify::{Reading, ReadingOptions};

/// Two names that, taken for one, change the verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NearNames {
    /// The name of fewer uses; where one name is packed, that one.
    pub from: String,
    /// The name that takes its place.
    pub to: String,
    /// `predicate`, `function` or `constant`.
    pub kind: &'static str,
    /// How they differ: `case`, `punctuation`, `ending`, `letters` or `packed`.
    pub difference: &'static str,
    /// The verdict then.
    pub verdict: Verdict,
    /// Whether that is the label.
    pub gives_label: bool,
}

/// Pairs of names of one sort that look alike and that change the verdict when they are one.
pub(super) fn near_names(
    case: &Case<'_>,
    options: ReadingOptions,
    limit: usize,
    questions: &mut Questions<'_>,
    is_label: impl Fn(Verdict) -> bool,
) -> Vec<NearNames> {
    let story = Story::new(case);
    let mut out = Vec::new();
    let pairs = pairs(&story);
    if pairs.len() > limit {
        questions.cut();
    }
    for (from, to, difference) in pairs.into_iter().take(limit) {
        let premises: Vec<Formula> =
            story.premises().into_iter().map(|f| renamed(f, from.kind, from.name, to.name)).collect();
        let Some(conclusion) = story.conclusion().map(|f| renamed(f, from.kind, from.name, to.name)) else { break };
        let verdict = questions.verdict(&premises.iter().collect::<Vec<_>>(), &conclusion);
        if let Some(verdict) = verdict.filter(|v| *v != case.verdict) {
            out.push(NearNames {
                from: from.name.to_owned(),
                to: to.name.to_owned(),
                kind: kind_word(from.kind),
                difference: word(difference),
                verdict,
                gives_label: is_label(verdict),
            });
        }
    }
    out.extend(packed(case, options, limit, questions, is_label));
    // Those that give the label first.
    out.sort_by_key(|n| !n.gives_label);
    out
}

const fn word(difference: Difference) -> &'static str {
    match difference {
        Difference::Case => "case",
        Difference::Punctuation => "punctuation",
        Difference::Inflection => "ending",
        Difference::Letters(_) => "letters",
    }
}

/// Pairs of names that look alike, each with the one of fewer uses first; the most alike pairs first.
fn pairs<'a>(story: &Story<'a>) -> Vec<(Used<'a>, Used<'a>, Difference)> {
    let all = symbols(story);
    let named: Vec<(&Used<'a>, Name<'_>)> =
        all.iter().filter(|u| u.kind != SymbolKind::Free).map(|u| (u, Name::new(u.name))).collect();
    let mut out = Vec::new();
    for (i, (a, a_name)) in named.iter().enumerate() {
        for (b, b_name) in named.iter().skip(i + 1) {
            if a.kind != b.kind || a.arity != b.arity {
                continue;
            }
            let Some(difference) = a_name.difference(b_name) else { continue };
            let (from, to) = if a.uses < b.uses { (*a, *b) } else { (*b, *a) };
            out.push((from.clone(), to.clone(), difference));
        }
    }
    out.sort_by_key(|(_, _, difference)| *difference);
    out
}

/// Names that hold what is an argument elsewhere, written apart.
fn packed(
    case: &Case<'_>,
    options: ReadingOptions,
    limit: usize,
    questions: &mut Questions<'_>,
    is_label: impl Fn(Verdict) -> bool,
) -> Vec<NearNames> {
    let current = Record {
        premises_fol: case.fixed.premises_fol.clone(),
        conclusion_fol: case.fixed.conclusion_fol.clone(),
        ..case.record.clone()
    };
    let parsed = ParsedRecord::new(&current, options.scope);
    let mut found = Vec::new();
    names::check(&parsed.context(&current), &mut found);
    // Each packed name once, with what becomes of every annotation that has it.
    let mut by_name: BTreeMap<String, (String, Record)> = BTreeMap::new();
    for diagnostic in found.iter().filter(|d| d.code == names::PACKED_CODE) {
        let (Some(fix), Some(text)) = (&diagnostic.fix, current.text(diagnostic.target)) else { continue };
        let (Some(after), Some(edit)) = (fix.apply(text), fix.edits.first()) else { continue };
        let name = diagnostic.span.of(text).to_owned();
        let (_, record) = by_name.entry(name).or_insert_with(|| (edit.replacement.clone(), current.clone()));
        match diagnostic.target {
            crate::diagnostic::Target::Premise(i) => {
                if let Some(premise) = record.premises_fol.get_mut(i) {
                    *premise = after;
                }
            }
            _ => record.conclusion_fol = Some(after),
        }
    }
    if by_name.len() > limit {
        questions.cut();
    }
    let mut out = Vec::new();
    for (from, (to, record)) in by_name.into_iter().take(limit) {
        let reading = Reading::new(&record.premises_fol, record.conclusion_fol.as_deref(), options);
        let story = Story::of(&record, &reading);
        let Some(conclusion) = story.conclusion().filter(|_| reading.unreadable().is_empty()) else { continue };
        let verdict = questions.verdict(&story.premises(), conclusion);
        if let Some(verdict) = verdict.filter(|v| *v != case.verdict) {
            let gives_label = is_label(verdict);
            out.push(NearNames { from, to, kind: "predicate", difference: "packed", verdict, gives_label });
        }
    }
    out
}
