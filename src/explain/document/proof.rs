//! A proof in words.

use super::{Block, Piece, Step, Tone, code, listed, numbers, words};
use crate::explain::told::{Because, Introduction, ToldEnd, ToldLine, ToldStep};

pub(super) fn conclusion_of(question: &str) -> &'static str {
    match question {
        "entails" => "The conclusion holds wherever the premises do.",
        "refutes" => "The conclusion is false wherever the premises hold.",
        _ => "The premises contradict each other.",
    }
}

pub(super) fn tell(question: &str, suppose: Option<&str>, line: &ToldLine, blocks: &mut Vec<Block>) {
    blocks.push(Block::Heading("Proof"));
    let opening = match suppose {
        Some(formula) => {
            let how = if question == "entails" { "false" } else { "true" };
            vec![words(format!("Suppose that the premises hold and the conclusion is {how}: ")), code(formula)]
        }
        None => vec![words("Suppose that all premises hold")],
    };
    blocks.push(Block::Paragraph([opening, vec![words(".")]].concat()));
    let mut steps = Vec::new();
    told_line(line, 0, &mut steps);
    blocks.push(Block::Steps(steps));
    let so = conclusion_of(question);
    let lower = so.chars().next().map(char::to_lowercase).into_iter().flatten().chain(so.chars().skip(1));
    blocks.push(Block::Paragraph(vec![words(format!("So {}", lower.collect::<String>()))]));
}

fn told_line(line: &ToldLine, depth: usize, out: &mut Vec<Step>) {
    let mut before: Option<&ToldStep> = None;
    for step in &line.steps {
        let mut why = because(&step.because, &step.literal);
        if before.is_some_and(|before| before.because == step.because && before.from == step.from) {
            why = vec![words("likewise")];
        } else if !step.from.is_empty() {
            let joint = if step.because == Because::Equality { " from" } else { ", and" };
            why.push(words(format!("{joint} {}", numbers(&step.from))));
        }
        let own = premise_of(&step.because);
        why.extend(step.names.iter().flat_map(|n| introduction(n, own)));
        out.push(Step { depth, number: Some(step.number), what: vec![code(step.literal.clone())], why });
        before = Some(step);
    }
    match &line.end {
        ToldEnd::Contradiction { because, from, names } => {
            let what = vec![Piece::Strong("contradiction".to_owned(), Tone::Neutral)];
            let mut why = contradicted(because, from);
            let own = premise_of(because);
            why.extend(names.iter().flat_map(|n| introduction(n, own)));
            out.push(Step { depth, number: None, what, why });
        }
        ToldEnd::Cases { first, second } => {
            for (case, more) in [(first, ""), (second, "the other case: ")] {
                let what = vec![words(format!("{more}suppose ")), code(case.suppose.clone())];
                out.push(Step { depth, number: Some(case.number), what, why: Vec::new() });
                told_line(&case.line, depth + 1, out);
            }
        }
    }
}

/// The premise behind a reason; the inner `None` stands for what is supposed of the conclusion.
const fn premise_of(because: &Because) -> Option<Option<usize>> {
    match because {
        Because::Statement { premise, .. } => Some(*premise),
        _ => None,
    }
}

fn named(premise: Option<usize>) -> String {
    premise.map_or_else(|| "the supposition".to_owned(), |i| format!("premise {i}"))
}

fn put_for(with: &[(String, String)]) -> Vec<Piece> {
    let mut out = Vec::new();
    if !with.is_empty() {
        out.push(words(" with "));
        out.extend(listed(with.iter().map(|(v, i)| vec![code(format!("{v} = {i}"))]).collect()));
    }
    out
}

fn because(because: &Because, literal: &str) -> Vec<Piece> {
    match because {
        Because::Statement { premise, with, instance } => {
            let mut out = vec![words(named(*premise))];
            out.extend(put_for(with));
            if instance != literal {
                out.extend([words(": "), code(instance.clone())]);
            }
            out
        }
        Because::Equality => vec![words("by equality")],
        Because::Identity => vec![words("a thing is the same as itself")],
        Because::DistinctNames { names: [a, b] } => {
            vec![code(a.clone()), words(" and "), code(b.clone()), words(" are different individuals")]
        }
    }
}

fn contradicted(because: &Because, from: &[usize]) -> Vec<Piece> {
    let steps = numbers(from);
    match because {
        Because::Statement { premise, with, instance } => {
            let mut out = Vec::new();
            if !from.is_empty() {
                out.push(words(format!("of {steps} with ")));
            }
            out.push(words(named(*premise)));
            out.extend(put_for(with));
            out.extend([words(": "), code(instance.clone())]);
            out
        }
        Because::Equality => vec![words(format!("between {steps}, by equality"))],
        Because::Identity => vec![words(format!("in {steps}: a thing is the same as itself"))],
        Because::DistinctNames { names: [a, b] } => vec![
            words(format!("of {steps}: ")),
            code(a.clone()),
            words(" and "),
            code(b.clone()),
            words(" would be one individual, but different names are taken to name different ones"),
        ],
    }
}

/// `own` is the premise that the step itself speaks of.
fn introduction(new: &Introduction, own: Option<Option<usize>>) -> Vec<Piece> {
    let name = code(new.name.clone());
    let Some(witness) = &new.witness else {
        return vec![words("; call any individual "), name];
    };
    let some = vec![words("some "), code(witness.variable.clone()), words(" with "), code(witness.formula.clone())];
    if witness.certain {
        let by = if own == Some(witness.premise) { String::new() } else { format!("by {} ", named(witness.premise)) };
        let mut out = vec![words(format!("; {by}there is "))];
        out.extend(some);
        out.extend([words(": call one such "), name]);
        out
    } else {
        let mut out = vec![words("; call "), name, words(" ")];
        out.extend(some);
        out.push(words(", if there is one"));
        out
    }
}
