//! Arguments that were never opened: `Singerrina)` where the story has `Singer` and `rina`.

use super::desk::Desk;
use super::op::Op;
use crate::diagnostic::{Span, TextEdit};
use crate::fol::SymbolKind;
use crate::lint::syntax::glued_names;
use crate::refine::priors;

/// What it costs more where only one of the two names is known.
const ONE_KNOWN: f64 = 0.8;

pub(super) fn candidates(desk: &Desk<'_>, out: &mut Vec<Op>) {
    let is_known = |kind, name: &str| desk.signs.iter().any(|s| s.kind == kind && s.name == name);
    for (at, sheet) in desk.sheets.iter().enumerate().filter(|(_, sheet)| sheet.formula.is_none()) {
        for word in glued_names(sheet.text) {
            let name = word.of(sheet.text);
            for (cut, _) in name.char_indices().skip(1) {
                let (head, tail) = name.split_at(cut);
                let known = (is_known(SymbolKind::Predicate, head), is_known(SymbolKind::Constant, tail));
                let dearer = match known {
                    (true, true) => 0.0,
                    (true, false) | (false, true) => ONE_KNOWN,
                    (false, false) => continue,
                };
                let edit = TextEdit { span: Span::at(word.start + cut), replacement: "(".to_owned() };
                let why = format!("`{name}` is the predicate `{head}` with its argument `{tail}`");
                let class = format!("{at}:open:{}", word.start + cut);
                out.push(Op::new(&priors::OPEN, class, why, vec![(at, vec![edit])]).dearer(dearer));
            }
        }
    }
}
