//! A critique in sentences.

use super::{
    Critique, Cue, Exchange, Inconsistency, Loose, NearNames, Operator, OtherText, Presuppositions, Reason, Unmet,
};
use crate::diagnostic::Target;
use crate::record::{Label, Verdict};

/// Names in one sentence, at most.
const MAX_NAMES: usize = 8;

/// What a critique says, for people and for language models.
pub(super) fn sentences(critique: &Critique) -> Vec<String> {
    let mut out = vec![gap(critique)];
    unmet(critique, &mut out);
    presuppositions(critique, &mut out);
    inconsistency(critique, &mut out);
    out.extend(critique.near_names.iter().map(|n| near_names(n, critique)));
    out.extend(critique.exchanges.iter().map(|e| exchange(e, critique)));
    abduction(critique, &mut out);
    out.extend(critique.alternatives.iter().map(|o| other_text(o, critique)));
    if !critique.cut_short.is_empty() {
        let parts: Vec<String> = critique.cut_short.iter().map(|p| p.replace('_', " ")).collect();
        out.push(format!("Not everything was tried; bounds were reached in: {}.", parts.join(", ")));
    }
    out
}

/// What can be said whatever the label is.
pub(super) fn without_label(
    verdict: Verdict,
    loose: &Unmet,
    granted: &Presuppositions,
    contradiction: Option<&Inconsistency>,
    near: &[NearNames],
) -> Vec<String> {
    let mut out = Vec::new();
    if !loose.conclusion_only.is_empty() {
        out.push(format!("The conclusion uses what no premise has: {}.", names(&loose.conclusion_only, false)));
    }
    if !loose.used_once.is_empty() {
        out.push(format!("Used in one premise only: {}.", names(&loose.used_once, true)));
    }
    let would = |then: Option<Verdict>| match then {
        None => "What would follow then was not asked.".to_owned(),
        Some(then) if then == verdict => "That would not change what follows.".to_owned(),
        Some(Verdict::True) => "With it the conclusion would follow.".to_owned(),
        Some(Verdict::False) => "With it the negation of the conclusion would follow.".to_owned(),
        Some(then) => format!("With it the verdict would be {then}."),
    };
    for p in &granted.found {
        out.push(format!(
            "{} says “{}”, which takes `{}` for granted; no premise says so. {}",
            p.target,
            p.words,
            p.formula,
            would(p.verdict)
        ));
    }
    if let Some(found) = contradiction {
        cores(found, &mut out);
    }
    for n in near {
        out.push(format!("The names `{}` and `{}` are nearly equal. {}", n.from, n.to, would(Some(n.verdict))));
    }
    out
}

fn label(critique: &Critique) -> &'static str {
    critique.label.map_or("none", Label::as_str)
}

fn gap(critique: &Critique) -> String {
    let label = label(critique);
    match critique.reason {
        Reason::BrokenChain => format!(
            "The label is {label}, but the premises prove neither the conclusion nor its negation: a link of the chain is \
             missing."
        ),
        Reason::LabelContradicted => {
            let proved = if critique.verdict == Verdict::True { "the conclusion" } else { "the conclusion's negation" };
            format!("The label is {label}, but the premises prove {proved}: the label should be {}.", critique.verdict)
        }
        Reason::InconsistentPremises => {
            "The premises contradict each other, so nothing said of the conclusion would mean anything.".to_owned()
        }
        Reason::Unparsed => format!("These annotations have no reading: {}.", critique.unread.join(", ")),
        Reason::Unformalised => "The conclusion has no formula, or no premise has one.".to_owned(),
        Reason::Undetermined => "Nobody could say what follows from the premises.".to_owned(),
    }
}

fn names(loose: &[Loose], place: bool) -> String {
    let name = |l: &Loose| {
        let arity = if l.kind == "predicate" { format!("/{}", l.arity) } else { String::new() };
        let place = if place { format!(" ({})", l.target) } else { String::new() };
        format!("`{}`{arity}{place}", l.name)
    };
    let more = loose.len().saturating_sub(MAX_NAMES);
    let mut names: Vec<String> = loose.iter().take(MAX_NAMES).map(name).collect();
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    names.join(", ")
}

fn unmet(critique: &Critique, out: &mut Vec<String>) {
    let unmet = &critique.unmet;
    if !unmet.conclusion_only.is_empty() {
        out.push(format!("The conclusion uses what no premise has: {}.", names(&unmet.conclusion_only, false)));
    }
    if critique.reason == Reason::BrokenChain && !unmet.used_once.is_empty() {
        out.push(format!("Used in one premise only, so leading nowhere: {}.", names(&unmet.used_once, true)));
    }
}

fn presuppositions(critique: &Critique, out: &mut Vec<String>) {
    for p in &critique.presuppositions.found {
        let then = then(p.verdict, p.gives_label, critique);
        out.push(format!(
            "{} says “{}”, which takes `{}` for granted; no premise says so. {then}",
            p.target, p.words, p.formula
        ));
    }
    let all = &critique.presuppositions;
    if all.together.is_some() && !all.found.iter().any(|p| p.gives_label) {
        let then = then(all.together, all.together_give_label, critique);
        out.push(format!("All of what is taken for granted together: {}", lower(&then)));
    }
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// What the verdict would be, against what it is.
fn then(verdict: Option<Verdict>, gives_label: bool, critique: &Critique) -> String {
    match verdict {
        None => "What the verdict would be was not asked.".to_owned(),
        Some(verdict) if gives_label => format!("With it the verdict would be {verdict}, the label."),
        Some(verdict) if verdict == critique.verdict => format!("With it the verdict would still be {verdict}."),
        Some(verdict) => format!("With it the verdict would be {verdict}."),
    }
}

fn inconsistency(critique: &Critique, out: &mut Vec<String>) {
    let Some(inconsistency) = &critique.inconsistency else { return };
    cores(inconsistency, out);
    for removal in &inconsistency.removals {
        let verdict = match removal.verdict {
            Some(verdict) if removal.gives_label => format!("the verdict would be {verdict}, the label"),
            Some(verdict) => format!("the verdict would be {verdict}"),
            None => "the verdict was not asked".to_owned(),
        };
        out.push(format!("Without {} the rest would be consistent; {verdict}.", Target::Premise(removal.premise)));
    }
    if inconsistency.removals.is_empty() && critique.cut_short.iter().all(|p| *p != "inconsistency") {
        out.push("Dropping one premise does not end it.".to_owned());
    }
}

/// Which premises contradict each other.
fn cores(inconsistency: &Inconsistency, out: &mut Vec<String>) {
    let premises = |core: &[usize]| core.iter().map(|i| Target::Premise(*i).to_string()).collect::<Vec<_>>().join(", ");
    for core in &inconsistency.cores {
        out.push(match core.as_slice() {
            [only] => format!("{} contradicts itself.", Target::Premise(*only)),
            _ => format!("These contradict each other, and none can be left out: {}.", premises(core)),
        });
    }
}

fn near_names(near: &NearNames, critique: &Critique) -> String {
    let how = match near.difference {
        "case" => "only in upper and lower case",
        "punctuation" => "only in punctuation",
        "ending" => "only in a plural or verb ending",
        "packed" => "in that one packs an argument into its name",
        _ => "in few letters",
    };
    let then = then(Some(near.verdict), near.gives_label, critique).replacen("With it", "Taken for one,", 1);
    format!("The names `{}` and `{}` differ {how}. {then}", near.from, near.to)
}

fn exchange(exchange: &Exchange, critique: &Critique) -> String {
    let what = match exchange.operator {
        Operator::Quantifier => "the other quantifier",
        Operator::Condition => "`∧` and `→` exchanged",
        Operator::Exclusion => "`∨` and `⊕` exchanged",
        Operator::Negation => "one `¬` more or less",
    };
    let rules = exchange.rules.join(", ");
    let cue = match exchange.cue {
        Cue::Asks => format!("the sentence asks for it ({rules})"),
        Cue::Silent => "the sentence has no cue for or against it".to_owned(),
        Cue::Denies => format!("the sentence speaks against it ({rules})"),
    };
    format!(
        "With {what} in {} (`{}`) the verdict would be {}; {cue}.",
        exchange.target,
        exchange.formula,
        label(critique)
    )
}

fn abduction(critique: &Critique, out: &mut Vec<String>) {
    let abduction = &critique.abduction;
    for set in &abduction.sets {
        let formulas: Vec<String> = set.formulas.iter().map(|f| format!("`{f}`")).collect();
        let mut sources: Vec<String> = set.sentences.iter().flatten().map(ToString::to_string).collect();
        sources.dedup();
        let sources = if sources.is_empty() { String::new() } else { format!(" (words of {})", sources.join(" and ")) };
        out.push(format!("The label would follow if the premises also said {}{sources}.", formulas.join(" and ")));
    }
    let more = abduction.found.saturating_sub(abduction.sets.len());
    if more > 0 {
        out.push(format!("At least {more} other such additions would do as well."));
    }
}

fn other_text(other: &OtherText, critique: &Critique) -> String {
    let then = then(other.verdict, other.gives_label, critique);
    format!("The fix of {} in {} could also have given `{}`. {then}", other.rule, other.target, other.text)
}
