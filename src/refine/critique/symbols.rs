//! The signature of a case: its symbols, where they are used, and what they stand for.

use super::story::{Story, Used, kind_word, symbols as used_symbols};
use super::wording::{Sentence, Wanted};
use crate::record::Symbol;
use crate::refine::Case;

/// The symbols of a record's formulas as they leave, by first use.
///
/// A symbol's gloss is the shortest run of words of a sentence that has the words of its name, whatever their forms;
/// words such as `is`, `of` and `the` in a name need not be there. Only sentences whose formulas use the symbol are looked
/// at, premises first; where none has all its words, one that has at least half of them.
#[must_use]
pub fn symbols(case: &Case<'_>) -> Vec<Symbol> {
    let story = Story::new(case);
    let sentences: Vec<Option<Sentence<'_>>> = story.parts.iter().map(|p| p.sentence.map(Sentence::new)).collect();
    let symbol = |used: Used<'_>| Symbol {
        name: used.name.to_owned(),
        kind: kind_word(used.kind),
        arity: u32::try_from(used.arity).unwrap_or(u32::MAX),
        used_in: used.parts.iter().filter_map(|i| story.parts.get(*i)).map(|p| p.target).collect(),
        gloss: gloss(&used, &sentences),
    };
    used_symbols(&story).into_iter().map(symbol).collect()
}

fn gloss(used: &Used<'_>, sentences: &[Option<Sentence<'_>>]) -> Option<String> {
    let wanted = Wanted::new(used.name);
    let mut best: Option<(usize, &str)> = None;
    for sentence in used.parts.iter().filter_map(|i| sentences.get(*i)?.as_ref()) {
        let Some((words, text)) = sentence.window(&wanted) else { continue };
        let is_better = best.is_none_or(|(w, t)| words > w || (words == w && text.len() < t.len()));
        if is_better {
            best = Some((words, text));
        }
    }
    best.map(|(_, text)| text.to_owned())
}
