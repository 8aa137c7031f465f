//! What sentences take for granted of the individuals they name: "the monitor A-2017" speaks of a monitor.

use std::collections::BTreeSet;

use serde::Serialize;

use super::questions::Questions;
use super::story::{Story, Used, sentence_target, symbols};
use super::wording::{Sentence, Wanted};
use crate::diagnostic::{Span, Target};
use crate::fol::print::unicode::print;
use crate::fol::{Atom, Formula, FormulaKind, SymbolKind, Term, TermKind};
use crate::record::{Presupposition, Verdict};

/// Words before which a noun stands.
const DETERMINERS: &[&str] = &[
    "a", "an", "the", "all", "every", "each", "no", "some", "any", "most", "many", "few", "several", "these", "those",
    "this", "that", "other", "both", "either", "neither", "one", "only",
];

/// Something that a sentence takes for granted and the premises leave open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Presupposed {
    /// The sentence.
    #[serde(serialize_with = "super::as_text")]
    pub target: Target,
    /// What it takes for granted, as a formula.
    pub formula: String,
    /// Its words that say so.
    pub words: String,
    /// The verdict with this formula among the premises; null where a bound was reached before it was known.
    pub verdict: Option<Verdict>,
    /// Whether that is the label.
    pub gives_label: bool,
}

impl Presupposed {
    /// As it stands in a row.
    #[must_use]
    pub fn proposal(&self) -> Presupposition {
        Presupposition { target: self.target, formula: self.formula.clone(), sentence: Some(self.words.clone()) }
    }
}

/// All that the sentences of a record take for granted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Presuppositions {
    /// Each once, in the order of the sentences.
    pub found: Vec<Presupposed>,
    /// The verdict with all of them among the premises; null unless there are several.
    pub together: Option<Verdict>,
    /// Whether that is the label.
    pub together_give_label: bool,
}

/// What the sentences take for granted, with the verdicts it leads to.
pub(super) fn presuppositions(
    story: &Story<'_>,
    limit: usize,
    questions: &mut Questions<'_>,
    is_label: impl Fn(Verdict) -> bool,
) -> Presuppositions {
    let premises = story.premises();
    let mut out = Presuppositions::default();
    let mut formulas: Vec<Formula> = Vec::new();
    for candidate in candidates(story) {
        if out.found.len() >= limit {
            questions.cut();
            break;
        }
        // Names of several spellings stand at one place: if one of them is known to be so, nothing is missing.
        let mut settled = false;
        for spelling in &candidate.formulas {
            settled |= questions.entails(&premises, spelling, false) != Some(false)
                || questions.entails(&premises, spelling, true) != Some(false);
        }
        let Some(formula) = candidate.formulas.into_iter().next().filter(|_| !settled) else { continue };
        let with: Vec<&Formula> = premises.iter().copied().chain([&formula]).collect();
        let verdict = story.conclusion().and_then(|c| questions.verdict(&with, c));
        out.found.push(Presupposed {
            target: sentence_target(candidate.target),
            formula: print(&formula),
            words: candidate.words,
            verdict,
            gives_label: verdict.is_some_and(&is_label),
        });
        formulas.push(formula);
    }
    if formulas.len() > 1 {
        let with: Vec<&Formula> = premises.iter().copied().chain(&formulas).collect();
        out.together = story.conclusion().and_then(|c| questions.verdict(&with, c));
        out.together_give_label = out.together.is_some_and(&is_label);
    }
    out
}

struct Candidate {
    target: Target,
    /// One for each name that stands there.
    formulas: Vec<Formula>,
    words: String,
}

/// Every individual beside a noun that is the name of a property, each pair once.
fn candidates(story: &Story<'_>) -> Vec<Candidate> {
    let symbols = symbols(story);
    let of_kind = |kind: SymbolKind, arity: usize| -> Vec<(&str, Wanted<'_>)> {
        let wanted = |s: &Used<'_>| s.kind == kind && s.arity == arity;
        symbols.iter().filter(|s| wanted(s)).map(|s| (s.name, Wanted::new(s.name))).collect()
    };
    let sentences: Vec<(Target, Sentence<'_>)> =
        story.parts.iter().filter_map(|p| Some((p.target, Sentence::new(p.sentence?)))).collect();
    let nouns: Vec<(&str, Wanted<'_>)> = of_kind(SymbolKind::Predicate, 1)
        .into_iter()
        .filter(|(_, noun)| noun.is_telling() && sentences.iter().any(|(_, s)| is_noun_in(noun, s)))
        .collect();
    let individuals: Vec<(&str, Wanted<'_>)> =
        of_kind(SymbolKind::Constant, 0).into_iter().filter(|(_, name)| name.is_telling()).collect();
    let mut told: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut out: Vec<Candidate> = Vec::new();
    for (target, sentence) in &sentences {
        for (property, noun) in &nouns {
            let mut here: Vec<(String, Vec<&str>)> = Vec::new();
            for (individual, name) in &individuals {
                for place in sentence.places(name) {
                    let Some(words) = beside(sentence, place, name, noun) else { continue };
                    match here.iter_mut().find(|(w, _)| *w == words) {
                        Some((_, names)) => names.push(individual),
                        None => here.push((words, vec![individual])),
                    }
                }
            }
            for (words, mut names) in here {
                names.dedup();
                let fresh = names.iter().filter(|name| told.insert((name, property))).count();
                if fresh == 0 {
                    continue;
                }
                let formulas = names.iter().map(|name| atom(property, name)).collect();
                out.push(Candidate { target: *target, formulas, words });
            }
        }
    }
    out
}

fn atom(property: &str, individual: &str) -> Formula {
    let nowhere = Span::at(0);
    let args = vec![Term { kind: TermKind::Constant(individual.to_owned()), span: nowhere }];
    Formula::new(FormulaKind::Atom(Atom { name: property.to_owned(), name_span: nowhere, args }), nowhere)
}

/// Whether a sentence uses the words of a name as a noun: behind a determiner.
fn is_noun_in(noun: &Wanted<'_>, sentence: &Sentence<'_>) -> bool {
    sentence.places(noun).iter().any(|(first, last)| {
        let before = first.checked_sub(1).and_then(|i| sentence.word(i));
        // "The good are happy": an adjective stands before its noun, so the next word is no help here.
        before.is_some_and(|w| DETERMINERS.contains(&w)) && *last < sentence.len()
    })
}

/// The words of the sentence that call the individual so: the noun directly before the name (`the monitor A-2017`),
/// directly behind it after `the` or a genitive (`the A-2017 monitor`), as an apposition (`Rina, a student,`), or as the
/// end of the name itself (`Windsor Castle`).
fn beside(
    sentence: &Sentence<'_>,
    (first, last): (usize, usize),
    name: &Wanted<'_>,
    noun: &Wanted<'_>,
) -> Option<String> {
    if name.ends_with(noun) {
        return Some(sentence.quote(first, last).to_owned());
    }
    for (start, end) in sentence.places(noun) {
        let is_joined = |i: usize| sentence.gap(i).chars().all(|c| c.is_whitespace() || matches!(c, '"' | '“' | '‘'));
        let before = |i: usize| i.checked_sub(1).and_then(|i| sentence.word(i));
        if end + 1 == first && is_joined(end) && !sentence.is_genitive(end) && is_proper(sentence.quote(first, last)) {
            // Behind a determiner a noun and a name are one phrase; "students love Rina" has none.
            let determined = before(start).is_some_and(|w| DETERMINERS.contains(&w)) || starts_name(sentence, start);
            if determined {
                return Some(sentence.quote(start, last).to_owned());
            }
        }
        if last + 1 == start && is_joined(last) && before(first).is_some_and(|w| w == "the") {
            return Some(sentence.quote(first, end).to_owned());
        }
        let is_article = |i: usize| matches!(sentence.word(i), Some("a" | "an" | "the"));
        if last + 2 == start && sentence.gap(last).trim() == "," && is_article(last + 1) && ends_phrase(sentence, end) {
            return Some(sentence.quote(first, end).to_owned());
        }
    }
    None
}

/// Whether words are a proper name: "most students drive" names nobody, though `drive` may be a constant.
fn is_proper(words: &str) -> bool {
    words.contains(|c: char| c.is_uppercase() || c.is_ascii_digit())
}

/// Whether a word is a title that stands before a name: capitalised, at the start of its clause or after a small word.
fn starts_name(sentence: &Sentence<'_>, start: usize) -> bool {
    let is_capital = sentence.quote(start, start).starts_with(char::is_uppercase);
    is_capital && start > 0
}

/// Whether a comma, another mark or the end of the sentence stands behind a word.
fn ends_phrase(sentence: &Sentence<'_>, end: usize) -> bool {
    let gap = sentence.gap(end).trim();
    gap.starts_with([',', '.', ';', ')']) || end + 1 == sentence.len()
}
