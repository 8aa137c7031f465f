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
        let variants = if wanted { variants(part.formula, true) } else { Vec::new() };
        if variants.len() > MAX_VARIANTS {
            questions.cut();
        }
        for (operator, formula) in variants.into_iter().take(MAX_VARIANTS) {
            let text = print(&formula);
            // Asked last where every answer takes a question, first where cues alone decide whether it is put.
            let known = scope.asked_only.then(|| cues(part, &text, reading));
            if known.as_ref().is_some_and(|(cue, _)| *cue != Cue::Asks)
                || !pool.gives_label(story, at, &formula, questions)
            {
                continue;
            }
            let (cue, rules) = known.unwrap_or_else(|| cues(part, &text, reading));
            // Denying the conclusion turns every answer into the other one: that says nothing unless the sentence does.
            let denial = part.target == Target::Conclusion && formula == negation(part.formula);
            if denial && cue != Cue::Asks {
                continue;
            }
            out.push(Exchange { target: part.target, operator, formula: text, cue, rules });
        }
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
        match questions.model(&premises, Some((conclusion, !negated))) {
            Said::Model(model) => {
                self.models.extend(model.map(|m| *m));
                false
            }
            // Nor may the answer be the same whatever the premises say.
            Said::Contradiction(_) => {
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

/// The formula with one operator exchanged, in each way; `top` for the whole annotation.
fn variants(formula: &Formula, top: bool) -> Vec<(Operator, Formula)> {
    let like = |kind: FormulaKind| Formula { kind, span: formula.span, bracketed: formula.bracketed };
    let mut out: Vec<(Operator, Formula)> = Vec::new();
    match &formula.kind {
        FormulaKind::Quantified(q, vars, body) => {
            let other = match q {
                Quantifier::ForAll => Quantifier::Exists,
                Quantifier::Exists => Quantifier::ForAll,
            };
            out.push((
                Operator::Quantifier,
                like(FormulaKind::Quantified(other, vars.clone(), Box::new(guard(body, *q)))),
            ));
            out.extend(
                variants(body, false)
                    .into_iter()
                    .map(|(op, body)| (op, like(FormulaKind::Quantified(*q, vars.clone(), Box::new(body))))),
            );
        }
        FormulaKind::Binary(connective, a, b) => {
            let other = match connective {
                Connective::And => Some((Operator::Condition, Connective::Implies)),
                Connective::Implies => Some((Operator::Condition, Connective::And)),
                Connective::Or => Some((Operator::Exclusion, Connective::Xor)),
                Connective::Xor => Some((Operator::Exclusion, Connective::Or)),
                Connective::Iff => None,
            };
            out.extend(other.map(|(op, c)| (op, like(FormulaKind::Binary(c, a.clone(), b.clone())))));
            let left = variants(a, false).into_iter();
            out.extend(left.map(|(op, a)| (op, like(FormulaKind::Binary(*connective, Box::new(a), b.clone())))));
            let right = variants(b, false).into_iter();
            out.extend(right.map(|(op, b)| (op, like(FormulaKind::Binary(*connective, a.clone(), Box::new(b))))));
        }
        FormulaKind::Not(a) => {
            out.push((Operator::Negation, (**a).clone()));
            let inner = variants(a, false).into_iter();
            // A negation of what is negated already changes nothing that dropping it would not.
            out.extend(
                inner
                    .filter(|(_, a)| !matches!(a.kind, FormulaKind::Not(_)))
                    .map(|(op, a)| (op, like(FormulaKind::Not(Box::new(a))))),
            );
        }
        FormulaKind::Atom(_) | FormulaKind::Equal(..) | FormulaKind::NotEqual(..) => {
            out.push((Operator::Negation, negation(formula)));
            return out;
        }
        FormulaKind::Constant(_) => return out,
    }
    if top && !matches!(formula.kind, FormulaKind::Not(_)) {
        out.push((Operator::Negation, negation(formula)));
    }
    out
}

fn negation(formula: &Formula) -> Formula {
    Formula::new(FormulaKind::Not(Box::new(formula.clone())), formula.span)
}

/// What a quantifier binds when it becomes the other one: `→` belongs to `∀`, `∧` to `∃`.
fn guard(body: &Formula, was: Quantifier) -> Formula {
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
