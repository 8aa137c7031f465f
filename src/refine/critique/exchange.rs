//! One operator exchanged for another.

use serde::Serialize;

use super::questions::{Questions, Said};
use super::story::{Part, Story};
use crate::diagnostic::Target;
use crate::fol::model::Model;
use crate::fol::print::unicode::print;
use crate::fol::{Connective, Formula, FormulaKind, Quantifier, QuantifierScope, parse_with};
use crate::lint::{Annotation, cue};
use crate::record::{Label, Verdict};

/// Operators of one annotation that are looked at, at most.
const MAX_VARIANTS: usize = 40;

/// What is exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operator {
    /// `∀` for `∃`, or the other way; with what belongs to it, `∀x (A → B)` for `∃x (A ∧ B)`.
    Quantifier,
    /// `∧` for `→`, or the other way.
    Condition,
    /// `⊕` for `∨`, or the other way.
    Exclusion,
    /// A `¬` more or less.
    Negation,
}

/// What the sentence says of an exchange, by its cues (the rules `C401` to `C410`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cue {
    /// It has a cue that the formula lacks and the other formula has.
    Asks,
    /// Nothing.
    Silent,
    /// It has a cue that the other formula would lack.
    Denies,
}

/// One annotation with one operator exchanged, with which the verdict is the label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exchange {
    /// The annotation.
    #[serde(serialize_with = "super::as_text")]
    pub target: Target,
    /// What is exchanged.
    pub operator: Operator,
    /// The formula then.
    pub formula: String,
    /// What the sentence says of it.
    pub cue: Cue,
    /// The rules behind that.
    pub rules: Vec<&'static str>,
}

/// Which exchanges may matter.
pub(super) struct Scope {
    /// Premises to be looked at; `None` for all.
    pub(super) premises: Option<Vec<usize>>,
    /// Whether only what the sentence asks for counts.
    pub(super) asked_only: bool,
}

/// Exchanges with which the verdict is the label: first those that a sentence asks for, last those it denies.
pub(super) fn exchanges(
    story: &Story<'_>,
    label: Label,
    scope: &Scope,
    shown: usize,
    reading: QuantifierScope,
    questions: &mut Questions<'_>,
) -> Vec<Exchange> {
    let mut out = Vec::new();
    let mut pool = Pool { models: Vec::new(), label };
    for (at, part) in story.parts.iter().enumerate() {
        let wanted = match (part.target, &scope.premises) {
            (Target::Premise(i), Some(premises)) => premises.contains(&i),
            _ => true,
        };
        let variants = if wanted { variants(part.formula, Place::Top) } else { Vec::new() };
        if variants.len() > MAX_VARIANTS {
            questions.cut();
        }
        let words = CueWords::new(part);
        for variant in variants.into_iter().take(MAX_VARIANTS) {
            let text = print(&variant.formula);
            // Denying the conclusion turns every answer into the other one: that says nothing unless the sentence does.
            let denial = part.target == Target::Conclusion && variant.formula == negation(part.formula);
            let asked_only = scope.asked_only || denial || !words.allow(&variant);
            let known = asked_only.then(|| cues(part, &text, reading));
            if known.as_ref().is_some_and(|(cue, _)| *cue != Cue::Asks)
                || !pool.gives_label(story, at, &variant.formula, questions)
            {
                continue;
            }
            let (cue, rules) = known.unwrap_or_else(|| cues(part, &text, reading));
            out.push(Exchange { target: part.target, operator: variant.operator, formula: text, cue, rules });
        }
    }
    // What sentences deny is worth a word only where nothing else would do.
    if out.iter().any(|e| e.cue != Cue::Denies) {
        out.retain(|e| e.cue != Cue::Denies);
    }
    out.sort_by_key(|e| e.cue);
    out.truncate(shown);
    out
}

/// Models met so far, each of all premises but perhaps one: most exchanges fail in one of them without a question.
struct Pool {
    models: Vec<Model>,
    label: Label,
}

impl Pool {
    /// Whether the verdict is the label with another formula at one place.
    fn gives_label(&mut self, story: &Story<'_>, at: usize, formula: &Formula, questions: &mut Questions<'_>) -> bool {
        let replaced = |i: usize, part: &Part<'_>| -> bool { i == at && part.target != Target::Conclusion };
        let mut premises: Vec<&Formula> = Vec::with_capacity(story.parts.len());
        let mut conclusion = None;
        for (i, part) in story.parts.iter().enumerate() {
            let current = if i == at { formula } else { part.formula };
            if part.target == Target::Conclusion && !replaced(i, part) {
                conclusion = Some(current);
            } else {
                premises.push(current);
            }
        }
        let Some(conclusion) = conclusion else { return false };
        let negated = match self.label {
            Label::True => false,
            Label::False => true,
            Label::Uncertain => {
                return questions.verdict(&premises, conclusion) == Some(Verdict::Uncertain);
            }
        };
        let refutes = |model: &Model| {
            let evaluator = model.evaluator();
            let holds = |f: &Formula| evaluator.holds(f).ok();
            holds(conclusion) == Some(negated) && premises.iter().all(|p| holds(p) == Some(true))
        };
        if self.models.iter().any(refutes) {
            return false;
        }
        match questions.model(&premises, conclusion, !negated) {
            Said::Model(model) => {
                self.models.extend(model.map(|m| *m));
                false
            }
            // Nor may the answer be the same whatever the premises say.
            Said::Contradiction => {
                questions.consistent(&premises) == Some(true)
                    && (story.parts.get(at).is_none_or(|p| p.target != Target::Conclusion)
                        || questions.entails(&[], conclusion, negated) == Some(false))
            }
            Said::Open => false,
        }
    }
}

/// What the cues of the sentence say of another formula in place of the one it has.
fn cues(part: &Part<'_>, text: &str, scope: QuantifierScope) -> (Cue, Vec<&'static str>) {
    let own = print(part.formula);
    let before = findings(part, &own, scope);
    let after = findings(part, text, scope);
    let cured: Vec<&'static str> = before.iter().filter(|c| !after.contains(c)).copied().collect();
    let made: Vec<&'static str> = after.iter().filter(|c| !before.contains(c)).copied().collect();
    match (cured.is_empty(), made.is_empty()) {
        (_, false) => (Cue::Denies, made),
        (false, true) => (Cue::Asks, cured),
        (true, true) => (Cue::Silent, Vec::new()),
    }
}

fn findings(part: &Part<'_>, text: &str, scope: QuantifierScope) -> Vec<&'static str> {
    let parsed = parse_with(text, scope);
    let mut out = Vec::new();
    cue::check(&Annotation { target: part.target, text, parsed: &parsed, sentence: part.sentence }, &mut out);
    out.into_iter().map(|d| d.code).collect()
}

/// What of a sentence tells which exchanges are worth a thought.
struct CueWords {
    /// Negations of the sentence beyond those of the formula; negative where the formula has more.
    negations: Option<isize>,
    /// Whether it has a word for a condition.
    condition: Option<bool>,
}

impl CueWords {
    fn new(part: &Part<'_>) -> Self {
        let Some(sentence) = part.sentence else { return Self { negations: None, condition: None } };
        let (mut negations, mut condition) = (0, false);
        for word in cue::words_of(sentence) {
            let word = &*word.lower;
            negations += isize::from(
                matches!(
                    word,
                    "no" | "not" | "never" | "nobody" | "none" | "nothing" | "cannot" | "neither" | "nor" | "without"
                ) || word.ends_with("n't"),
            );
            condition |= matches!(word, "if" | "when" | "whenever" | "unless" | "only" | "whoever" | "until");
        }
        part.formula.walk(&mut |f| {
            negations -= isize::from(matches!(f.kind, FormulaKind::Not(_) | FormulaKind::NotEqual(..)));
        });
        Self { negations: Some(negations), condition: Some(condition) }
    }

    /// Whether an exchange is one that annotators make, going by the words of the sentence.
    fn allow(&self, variant: &Variant) -> bool {
        match (variant.operator, variant.place) {
            (Operator::Quantifier | Operator::Exclusion, _) => true,
            // `∀` goes with `→` and `∃` with `∧`.
            (Operator::Condition, Place::Under(Quantifier::ForAll)) => variant.adds,
            (Operator::Condition, Place::Under(Quantifier::Exists)) => !variant.adds,
            (Operator::Condition, Place::Top) => self.condition.is_some_and(|c| c == variant.adds),
            (Operator::Condition, Place::Inside) => false,
            (Operator::Negation, _) => self.negations.is_some_and(|n| if variant.adds { n > 0 } else { n < 0 }),
        }
    }
}

/// Where in a formula an operator stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It is the whole of the annotation.
    Top,
    /// It is the whole of what a quantifier binds.
    Under(Quantifier),
    /// Elsewhere.
    Inside,
}

/// A formula with one operator exchanged.
struct Variant {
    operator: Operator,
    place: Place,
    /// Whether there is one more `¬` or `→` than before.
    adds: bool,
    formula: Formula,
}

impl Variant {
    /// The same inside another formula.
    fn within(self, wrap: impl FnOnce(Box<Formula>) -> FormulaKind, outer: &Formula) -> Self {
        let kind = wrap(Box::new(self.formula));
        Self { formula: Formula { kind, span: outer.span, bracketed: outer.bracketed }, ..self }
    }
}

/// The formula with one operator exchanged, in each way.
fn variants(formula: &Formula, place: Place) -> Vec<Variant> {
    let like = |kind: FormulaKind| Formula { kind, span: formula.span, bracketed: formula.bracketed };
    let mut out: Vec<Variant> = Vec::new();
    match &formula.kind {
        FormulaKind::Quantified(q, vars, body) => {
            let other = match q {
                Quantifier::ForAll => Quantifier::Exists,
                Quantifier::Exists => Quantifier::ForAll,
            };
            let exchanged = like(FormulaKind::Quantified(other, vars.clone(), Box::new(fitted(body, *q))));
            out.push(Variant { operator: Operator::Quantifier, place, adds: false, formula: exchanged });
            for variant in variants(body, Place::Under(*q)) {
                out.push(variant.within(|body| FormulaKind::Quantified(*q, vars.clone(), body), formula));
            }
        }
        FormulaKind::Binary(connective, a, b) => {
            let other = match connective {
                Connective::And => Some((Operator::Condition, Connective::Implies)),
                Connective::Implies => Some((Operator::Condition, Connective::And)),
                Connective::Or => Some((Operator::Exclusion, Connective::Xor)),
                Connective::Xor => Some((Operator::Exclusion, Connective::Or)),
                Connective::Iff => None,
            };
            if let Some((operator, other)) = other {
                let adds = other == Connective::Implies;
                let exchanged = like(FormulaKind::Binary(other, a.clone(), b.clone()));
                out.push(Variant { operator, place, adds, formula: exchanged });
            }
            for variant in variants(a, Place::Inside) {
                out.push(variant.within(|a| FormulaKind::Binary(*connective, a, b.clone()), formula));
            }
            for variant in variants(b, Place::Inside) {
                out.push(variant.within(|b| FormulaKind::Binary(*connective, a.clone(), b), formula));
            }
        }
        FormulaKind::Not(a) if matches!(a.kind, FormulaKind::Equal(..)) => {}
        FormulaKind::Not(a) => {
            out.push(Variant { operator: Operator::Negation, place, adds: false, formula: (**a).clone() });
            for variant in variants(a, Place::Inside) {
                // A second negation comes to dropping the first one.
                if !matches!(variant.formula.kind, FormulaKind::Not(_)) {
                    out.push(variant.within(FormulaKind::Not, formula));
                }
            }
        }
        FormulaKind::Atom(_) => {
            out.push(Variant { operator: Operator::Negation, place, adds: true, formula: negation(formula) });
        }
        // That individuals are one, or are not, is hardly ever what a lost `¬` is about.
        FormulaKind::Constant(_) | FormulaKind::Equal(..) | FormulaKind::NotEqual(..) => {}
    }
    if place == Place::Top && matches!(formula.kind, FormulaKind::Quantified(..) | FormulaKind::Binary(..)) {
        out.push(Variant { operator: Operator::Negation, place, adds: true, formula: negation(formula) });
    }
    out
}

fn negation(formula: &Formula) -> Formula {
    Formula::new(FormulaKind::Not(Box::new(formula.clone())), formula.span)
}

/// What a quantifier binds when it becomes the other one: `→` belongs to `∀`, `∧` to `∃`.
fn fitted(body: &Formula, was: Quantifier) -> Formula {
    let mut out = body.clone();
    if let FormulaKind::Binary(connective, ..) = &mut out.kind {
        match (was, *connective) {
            (Quantifier::ForAll, Connective::Implies) => *connective = Connective::And,
            (Quantifier::Exists, Connective::And) => *connective = Connective::Implies,
            _ => {}
        }
    }
    out
}
