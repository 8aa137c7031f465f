//! How far to trust a row, agreeing ones too: agreement is not faithfulness.

use super::{OtherText, Reason, questions::Questions, story::Story};
use crate::diagnostic::{Diagnostic, EditKind, Severity, Target};
use crate::fol::{Connective, Formula, FormulaKind, Quantifier, QuantifierScope, parse_with};
use crate::record::{Symbol, Verdict};
use crate::refine::{Bench, Case};
use crate::verify::{IDENTIFIED_NAMES, Reading, ReadingOptions};

/// What is known of a row.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The record as it stands.
    pub case: &'a Case<'a>,
    /// How it was read.
    pub options: ReadingOptions,
    /// What was found in it as it came.
    pub diagnostics: &'a [Diagnostic],
    /// 0-based premises that the proof behind the verdict uses; `None` where there is none.
    pub used_premises: Option<&'a [u32]>,
    /// Its symbols.
    pub symbols: &'a [Symbol],
    /// The verdict's own signals.
    pub signals: &'a [String],
    /// Verdicts under the other texts that fixes could have given.
    pub alternatives: &'a [OtherText],
    /// Why its verdict is not its label; `None` where it is.
    pub reason: Option<Reason>,
}

/// How much a person should look at a row, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Suspicion {
    /// Kebab-case words, in the order of [`WEIGHTS`]; the verdict's own are not repeated.
    pub signals: Vec<&'static str>,
    /// From 0 (not at all) to 1. A row whose verdict is its label stays below 0.5, any other has at least 0.5.
    pub review_score: f64,
    /// The weightiest signal or reason; `None` where there is none.
    pub review_reason: Option<&'static str>,
}

/// The reasons and signals with their weights, each from 0 to 1: how likely a row that has it is to deserve a look, taken by
/// itself. Reasons come first; they are why a row's verdict is not its label.
pub const WEIGHTS: &[(&str, f64)] = &[
    ("label-contradicted", 0.9),
    ("inconsistent-premises", 0.8),
    ("broken-chain", 0.6),
    ("undetermined", 0.5),
    ("unparsed", 0.4),
    ("unformalised", 0.2),
    (DEPENDS_ON_FIX, 0.6),
    (REPAIRED_BY_SEARCH, 0.5),
    (DEPENDS_ON_SCOPE, 0.4),
    (DEPENDS_ON_XOR, 0.4),
    (IDENTIFIED_NAMES, 0.4),
    (EMPTY_ANTECEDENT, 0.4),
    (VACUOUS_QUANTIFIER, 0.4),
    (CUE_MISMATCH, 0.35),
    (FLAGGED, 0.25),
    (MENDED, 0.2),
    (NO_GLOSS, 0.15),
    (UNUSED, 0.02),
];

/// What the questions about one row may count.
const MAX_QUESTIONS: u32 = 40;

/// The row agrees since edits that a search found.
const REPAIRED_BY_SEARCH: &str = "repaired-by-search";
/// With another text that a fix could have given, the verdict is another.
const DEPENDS_ON_FIX: &str = "verdict-depends-on-fix";
/// With quantifiers that bind more, or less, the verdict is another.
const DEPENDS_ON_SCOPE: &str = "verdict-depends-on-scope";
/// With chains of `⊕` read as "exactly one", the verdict is another.
const DEPENDS_ON_XOR: &str = "verdict-depends-on-xor";
/// The conclusion is a condition that holds because its `if` never does.
const EMPTY_ANTECEDENT: &str = "antecedent-never-holds";
/// A premise that the verdict rests on, or the conclusion, quantifies a variable and does not use it.
const VACUOUS_QUANTIFIER: &str = "verdict-rests-on-vacuous-quantifier";
/// A sentence has a cue that its formula lacks.
const CUE_MISMATCH: &str = "cue-mismatch";
/// A premise that the verdict rests on, or the conclusion, has another finding that is a warning or worse.
const FLAGGED: &str = "decided-by-flagged-annotation";
/// A premise that the verdict rests on, or the conclusion, was given its formula by a fix.
const MENDED: &str = "decided-by-mended-annotation";
/// A symbol whose words no sentence has.
const NO_GLOSS: &str = "symbol-without-gloss";
/// The proof leaves premises out.
const UNUSED: &str = "unused-premises";

/// How far to trust a row.
///
/// The score: let *s* be 1 − Π (1 − weight) over the row's signals, its reason included. A row whose verdict is its label, or
/// that has no label, gets *s* / 2; any other 1/2 + *s* / 2. It is rounded to three decimals.
///
/// Asks the bench a few questions at most, and most rows none.
#[must_use]
pub fn suspicion(facts: &Facts<'_>, bench: &Bench<'_>) -> Suspicion {
    let mut found: Vec<&'static str> = facts.reason.map(Reason::as_str).into_iter().collect();
    let has = |signal: &str| facts.signals.iter().any(|s| s == signal);
    if has(IDENTIFIED_NAMES) {
        found.push(IDENTIFIED_NAMES);
    }
    texts(facts, &mut found);
    readings(facts, bench, &mut found);
    let weighed: Vec<(&'static str, f64)> = WEIGHTS.iter().filter(|(word, _)| found.contains(word)).copied().collect();
    let rest: f64 = weighed.iter().map(|(_, weight)| 1.0 - weight).product();
    let base = if facts.reason.is_some() { 0.5 } else { 0.0 };
    let score = base + (1.0 - rest) / 2.0;
    let mut weightiest: Option<(&'static str, f64)> = None;
    for (word, weight) in &weighed {
        if weightiest.is_none_or(|(_, w)| *weight > w) {
            weightiest = Some((word, *weight));
        }
    }
    let is_new = |word: &&'static str| facts.reason.is_none_or(|r| r.as_str() != *word) && !has(word);
    Suspicion {
        signals: weighed.iter().map(|(word, _)| *word).filter(is_new).collect(),
        review_score: (score * 1000.0).round() / 1000.0,
        review_reason: weightiest.map(|(word, _)| word),
    }
}

/// What shows in the texts, without a question.
fn texts(facts: &Facts<'_>, found: &mut Vec<&'static str>) {
    let case = facts.case;
    let decides = |target: Target| match target {
        Target::Conclusion => true,
        Target::Premise(i) => facts.used_premises.is_none_or(|used| used.iter().any(|u| *u as usize == i)),
        Target::PremiseSentence(_) | Target::ConclusionSentence | Target::Row => false,
    };
    let edited = |target: Target, kinds: &[EditKind]| {
        case.fixed.edits.iter().any(|e| e.target == target && kinds.contains(&e.kind))
    };
    if case.fixed.edits.iter().any(|e| e.kind == EditKind::Search) {
        found.push(REPAIRED_BY_SEARCH);
    }
    if facts.alternatives.iter().any(|o| o.verdict.is_some_and(|v| v != case.verdict && v != Verdict::Unparsed)) {
        found.push(DEPENDS_ON_FIX);
    }
    if case.fixed.edits.iter().any(|e| e.kind == EditKind::Fix && decides(e.target)) {
        found.push(MENDED);
    }
    for diagnostic in facts.diagnostics {
        if diagnostic.code.starts_with('C') {
            found.push(CUE_MISMATCH);
        } else if !decides(diagnostic.target) || diagnostic.severity < Severity::Warning {
            continue;
        } else if diagnostic.code == "B102" {
            found.push(VACUOUS_QUANTIFIER);
        } else if !edited(diagnostic.target, &[EditKind::Fix, EditKind::Search]) && is_about_text(diagnostic, facts) {
            found.push(FLAGGED);
        }
    }
    if facts.symbols.iter().any(|s| s.gloss.is_none() && s.kind != "free") {
        found.push(NO_GLOSS);
    }
    if facts.used_premises.is_some_and(|used| used.len() < case.reading.premises.len()) {
        found.push(UNUSED);
    }
}

/// Whether a finding is about what the text says now, and not about a spelling that was mended since.
fn is_about_text(diagnostic: &Diagnostic, facts: &Facts<'_>) -> bool {
    let is_syntax = diagnostic.code.starts_with('S');
    !is_syntax || !facts.case.fixed.edits.iter().any(|e| e.target == diagnostic.target)
}

/// What shows under other readings.
fn readings(facts: &Facts<'_>, bench: &Bench<'_>, found: &mut Vec<&'static str>) {
    let case = facts.case;
    if !matches!(case.verdict, Verdict::True | Verdict::False | Verdict::Uncertain) {
        return;
    }
    let story = Story::new(case);
    let Some(conclusion) = story.conclusion() else { return };
    let premises = story.premises();
    let mut questions = Questions::new(bench, MAX_QUESTIONS, &story);
    if let Some(other) = other_scope(case, facts.options)
        && differs(case, &Story::of(case.record, &other), &mut questions)
    {
        found.push(DEPENDS_ON_SCOPE);
    }
    let chained = |f: &&Formula| has_chain(f);
    if premises.iter().chain([&conclusion]).any(chained) {
        let exact: Vec<Formula> = premises.iter().map(|f| exactly_one(f)).collect();
        let verdict = questions.verdict(&exact.iter().collect::<Vec<_>>(), &exactly_one(conclusion));
        if verdict.is_some_and(|v| v != case.verdict) {
            found.push(DEPENDS_ON_XOR);
        }
    }
    if let Some(never) = (case.verdict == Verdict::True).then(|| antecedent_fails(conclusion)).flatten()
        && questions.entails(&premises, &never, false) == Some(true)
    {
        found.push(EMPTY_ANTECEDENT);
    }
}

fn differs(case: &Case<'_>, story: &Story<'_>, questions: &mut Questions<'_>) -> bool {
    let Some(conclusion) = story.conclusion() else { return false };
    questions.verdict(&story.premises(), conclusion).is_some_and(|v| v != case.verdict)
}

/// The record with quantifiers that bind otherwise; `None` where that makes no difference to any tree, or leaves a text
/// without a reading.
fn other_scope(case: &Case<'_>, options: ReadingOptions) -> Option<Reading> {
    let scope = match options.scope {
        QuantifierScope::Tight => QuantifierScope::Wide,
        QuantifierScope::Wide => QuantifierScope::Tight,
    };
    // A quantifier at the front of a bracket that holds all it could bind reads one way: most annotations do.
    let texts = case.fixed.premises_fol.iter().chain(&case.fixed.conclusion_fol);
    let differs = |text: &String| {
        (text.contains(['∀', '∃']) || text.contains("all") || text.contains("ists"))
            && parse_with(text, scope).formula != parse_with(text, options.scope).formula
    };
    if !texts.clone().any(differs) {
        return None;
    }
    let other = ReadingOptions { scope, ..options };
    let reading = Reading::new(&case.fixed.premises_fol, case.fixed.conclusion_fol.as_deref(), other);
    reading.unreadable().is_empty().then_some(reading)
}

fn has_chain(formula: &Formula) -> bool {
    let mut found = false;
    formula.walk(&mut |f| found |= chain(f).len() > 2);
    found
}

/// The operands of a chain of `⊕`; of anything else nothing.
fn chain(formula: &Formula) -> Vec<&Formula> {
    fn into<'a>(formula: &'a Formula, out: &mut Vec<&'a Formula>) {
        match &formula.kind {
            FormulaKind::Binary(Connective::Xor, a, b) => {
                into(a, out);
                into(b, out);
            }
            _ => out.push(formula),
        }
    }
    let mut out = Vec::new();
    if matches!(formula.kind, FormulaKind::Binary(Connective::Xor, ..)) {
        into(formula, &mut out);
    }
    out
}

/// The formula with every chain of three or more `⊕` operands read as "exactly one".
fn exactly_one(formula: &Formula) -> Formula {
    let operands: Vec<Formula> = chain(formula).into_iter().map(exactly_one).collect();
    let like = |kind: FormulaKind| Formula::new(kind, formula.span);
    let both = |c: Connective, a: Formula, b: Formula| like(FormulaKind::Binary(c, Box::new(a), Box::new(b)));
    if operands.len() > 2 {
        let alone = |i: usize| {
            let parts = operands
                .iter()
                .enumerate()
                .map(|(j, f)| if i == j { f.clone() } else { like(FormulaKind::Not(Box::new(f.clone()))) });
            parts.reduce(|a, b| both(Connective::And, a, b))
        };
        let ways = (0..operands.len()).filter_map(alone);
        return ways.reduce(|a, b| both(Connective::Or, a, b)).unwrap_or_else(|| formula.clone());
    }
    match &formula.kind {
        FormulaKind::Not(a) => like(FormulaKind::Not(Box::new(exactly_one(a)))),
        FormulaKind::Quantified(q, vars, a) => {
            like(FormulaKind::Quantified(*q, vars.clone(), Box::new(exactly_one(a))))
        }
        FormulaKind::Binary(c, a, b) => both(*c, exactly_one(a), exactly_one(b)),
        _ => formula.clone(),
    }
}

/// For `∀x (A → B)` or `A → B`, that `A` never holds.
fn antecedent_fails(conclusion: &Formula) -> Option<Formula> {
    match &conclusion.kind {
        FormulaKind::Quantified(Quantifier::ForAll, vars, body) => {
            let inner = Box::new(antecedent_fails(body)?);
            Some(Formula::new(FormulaKind::Quantified(Quantifier::ForAll, vars.clone(), inner), conclusion.span))
        }
        FormulaKind::Binary(Connective::Implies, a, _) => {
            Some(Formula::new(FormulaKind::Not(a.clone()), conclusion.span))
        }
        _ => None,
    }
}
