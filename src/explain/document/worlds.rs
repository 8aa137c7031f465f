//! Worlds in words and tables.

use super::{Block, Piece, code, listed, words};
use crate::explain::worlds::{Difference, Showing, World};
use crate::record::Verdict;

pub(super) fn tell(
    verdict: Verdict,
    worlds: &[World],
    differences: &[Difference],
    shown_by: &[Showing],
    missing: &[&'static str],
    blocks: &mut Vec<Block>,
) {
    blocks.push(Block::Heading(if worlds.len() > 1 { "Two worlds" } else { "A world" }));
    let mut text = vec![words(what_worlds_show(verdict, worlds))];
    if !differences.is_empty() {
        let so = |first: bool| {
            let items = differences.iter().map(|d| match d.first == first {
                true => vec![code(d.atom.clone())],
                false => vec![words("not "), code(d.atom.clone())],
            });
            listed(items.collect())
        };
        text.push(words(" In the first, "));
        text.extend(so(true));
        text.push(words("; in the second, "));
        match differences {
            [Difference { first: true, .. }] => text.push(words("not")),
            _ => text.extend(so(false)),
        }
        text.push(words("."));
    }
    for showing in shown_by {
        text.extend(shows(showing, worlds.len()));
    }
    blocks.push(Block::Paragraph(text));
    for question in missing {
        blocks.push(Block::Paragraph(vec![words(unmodelled(question))]));
    }
    for (i, world) in worlds.iter().enumerate() {
        tables(world, i, worlds.len(), blocks);
    }
}

fn what_worlds_show(verdict: Verdict, worlds: &[World]) -> String {
    let conclusion = |world: &World| world.question == "refutes";
    match (verdict, worlds) {
        (_, [_, _]) => "A world in which every premise holds and the conclusion holds, and one in which every premise \
            holds and it does not."
            .to_owned(),
        (Verdict::Uncertain, [one]) if conclusion(one) => {
            "A world in which every premise holds and the conclusion holds.".to_owned()
        }
        (Verdict::Uncertain, [_]) => "A world in which every premise holds and the conclusion does not.".to_owned(),
        (_, [_]) => "A world in which every premise holds.".to_owned(),
        _ => "There are no worlds to show.".to_owned(),
    }
}

fn unmodelled(question: &str) -> &'static str {
    match question {
        "refutes" => {
            "No finite world was found in which the premises and the conclusion hold; Vampire found nothing more to \
             derive from them, and no contradiction."
        }
        "entails" => {
            "No finite world was found in which the premises hold and the conclusion does not; Vampire found nothing \
             more to derive from them, and no contradiction."
        }
        _ => {
            "No finite world was found in which the premises hold; Vampire found nothing more to derive from them, and \
             no contradiction."
        }
    }
}

fn shows(showing: &Showing, worlds: usize) -> Vec<Piece> {
    let place = match (worlds, showing.world) {
        (0 | 1, _) => " ",
        (_, 0) => " In the first, ",
        _ => " In the second, ",
    };
    let with = listed(showing.with.iter().map(|(v, i)| vec![code(format!("{v} = {i}"))]).collect());
    let literals = listed(showing.literals.iter().map(|l| vec![code(l.clone())]).collect());
    let what = if showing.holds { " shows it to hold" } else { " shows it to fail" };
    let mut out = vec![words(place)];
    out.extend(with);
    out.push(words(what));
    if !literals.is_empty() {
        out.push(words(": "));
        out.extend(literals);
    }
    out.push(words("."));
    out
}

fn tables(world: &World, number: usize, count: usize, blocks: &mut Vec<Block>) {
    let which = match (count, number) {
        (0 | 1, _) => "The world",
        (_, 0) => "The first world",
        _ => "The second world",
    };
    let holds = match world.conclusion {
        Some(true) => ", in which the conclusion holds",
        Some(false) => ", in which the conclusion does not hold",
        None => "",
    };
    let mut notes = vec![words(format!("{which}{holds}:"))];
    let made_up: Vec<Vec<Piece>> = world
        .individuals
        .iter()
        .filter(|i| !i.named)
        .filter_map(|i| i.names.first())
        .map(|name| vec![code(name.clone())])
        .collect();
    let shared = world.individuals.iter().filter(|i| i.names.len() > 1);
    let shared: Vec<Vec<Piece>> = shared.map(|i| vec![code(i.names.join(" = "))]).collect();
    if !shared.is_empty() {
        notes.push(words(" "));
        notes.extend(listed(shared));
        notes.push(words(", one individual under several names."));
    }
    if !made_up.is_empty() {
        notes.push(words(" "));
        let verb = if made_up.len() == 1 { " has no name of its own." } else { " have no names of their own." };
        notes.extend(listed(made_up));
        notes.push(words(verb));
    }
    blocks.push(Block::Paragraph(notes));
    let names: Vec<String> = world.individuals.iter().filter_map(|i| i.names.first()).cloned().collect();
    if !world.properties.is_empty() {
        let head = std::iter::once(String::new()).chain(names.iter().cloned()).collect();
        let rows = world.properties.iter().map(|p| {
            let marks = p.holds.iter().map(|h| if *h { "yes" } else { "–" }.to_owned());
            std::iter::once(p.predicate.clone()).chain(marks).collect()
        });
        blocks.push(Block::Table { head, rows: rows.collect() });
    } else if !names.is_empty() {
        let individuals = listed(names.into_iter().map(|n| vec![code(n)]).collect());
        blocks.push(Block::Paragraph([vec![words("individuals: ")], individuals].concat()));
    }
    let mut lines: Vec<Vec<Piece>> = Vec::new();
    for relation in &world.relations {
        let mut line = vec![code(relation.predicate.clone())];
        if relation.holds_of.is_empty() {
            line.push(words(" holds of nothing"));
        } else {
            line.push(words(" holds of "));
            line.extend(listed(relation.holds_of.iter().map(|t| vec![code(format!("({})", t.join(", ")))]).collect()));
        }
        lines.push(line);
    }
    for proposition in &world.propositions {
        let holds = if proposition.holds { " holds" } else { " does not hold" };
        lines.push(vec![code(proposition.predicate.clone()), words(holds)]);
    }
    for value in &world.values {
        lines.push(vec![code(format!("{} = {}", value.term, value.value))]);
    }
    if !lines.is_empty() {
        blocks.push(Block::List(lines));
    }
}
