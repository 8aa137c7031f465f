//! Individuals: a variable, or another individual, where the sentence names one.

use super::desk::{Desk, Sign, Use};
use super::names::{add, replace};
use super::op::Op;
use crate::diagnostic::TextEdit;
use crate::fol::{SymbolKind, Term, TermKind};
use crate::refine::priors;

pub(super) fn candidates(desk: &Desk<'_>, out: &mut Vec<Op>) {
    for sign in desk.signs.iter().filter(|s| s.kind == SymbolKind::Free) {
        for sheet in sign.sheets() {
            free(desk, sign, sheet, out);
        }
    }
    repeated(desk, out);
    swapped(desk, out);
}

/// `Likes(tea, ida)` where `tea` stands second and `ida` first everywhere else.
fn swapped(desk: &Desk<'_>, out: &mut Vec<Op>) {
    for predicate in desk.signs.iter().filter(|s| s.kind == SymbolKind::Predicate && s.arity == 2 && s.uses.len() > 1) {
        for u in &predicate.uses {
            let (Some((atom, _)), Some(sheet)) = (u.atom, desk.sheets.get(u.sheet)) else { continue };
            let [a, b] = atom.args.as_slice() else { continue };
            let others = || {
                let elsewhere = predicate.uses.iter().filter(|v| !(v.sheet == u.sheet && v.span == u.span));
                elsewhere.filter_map(|v| v.atom).map(|(atom, _)| atom)
            };
            let stands = |term: &Term, at: usize| others().any(|atom| atom.args.get(at) == Some(term));
            let constant = |term: &Term| matches!(term.kind, TermKind::Constant(_));
            // One of the two at least is seen to stand the other way round, and neither as it stands here.
            let other_way = (constant(a) && stands(a, 1)) || (constant(b) && stands(b, 0));
            let this_way = (constant(a) && stands(a, 0)) || (constant(b) && stands(b, 1));
            if !other_way || this_way || a == b || !sheet.wording.names_in_order(b, a) {
                continue;
            }
            let why = format!("everywhere else the arguments of `{}` stand the other way round", predicate.name);
            let class = format!("{}:{}:swap", u.sheet, u.span.start);
            let edits = vec![replace(a.span, b.span.of(sheet.text)), replace(b.span, a.span.of(sheet.text))];
            out.push(Op::new(&priors::SWAP, class, why, vec![(u.sheet, edits)]));
        }
    }
}

/// A free variable of one annotation as each individual that its sentence may name there.
fn free(desk: &Desk<'_>, variable: &Sign<'_>, sheet: usize, out: &mut Vec<Op>) {
    // What a quantifier of the annotation binds elsewhere is no name of anybody: there the quantifier binds too little.
    if desk.binds(sheet, variable.name) {
        return;
    }
    let uses: Vec<&Use<'_>> = variable.uses.iter().filter(|u| u.sheet == sheet).collect();
    for individual in individuals(desk) {
        let supported = desk.support(sheet, &individual.words) >= 1.0;
        let beside = individual.is_in(sheet) && leads(individual, Some(sheet));
        if !supported && !beside {
            continue;
        }
        // A thing spoken of (`coffee`) is no individual that things are said of, unless nothing else is there.
        let dearer = match (beside, leads(individual, None)) {
            (true, _) => 0.0,
            (false, true) => 0.4,
            (false, false) => continue,
        };
        let mut edits: Vec<(usize, Vec<TextEdit>)> = Vec::new();
        for u in &uses {
            add(&mut edits, sheet, [replace(u.span, individual.name)]);
        }
        let why = format!("the sentence speaks of `{}`, and nothing binds `{}`", individual.name, variable.name);
        // Two individuals for one variable are two repairs, so the class has both names.
        let class = format!("{sheet}:{}:={}", variable.name, individual.name);
        out.push(Op::new(&priors::CAPTURE, class, why, edits).dearer(dearer));
    }
}

fn individuals<'d, 'a>(desk: &'d Desk<'a>) -> impl Iterator<Item = &'d Sign<'a>> {
    desk.signs.iter().filter(|s| s.kind == SymbolKind::Constant)
}

/// Whether something is said of an individual: it is the first argument of an atom.
fn leads(individual: &Sign<'_>, sheet: Option<usize>) -> bool {
    individual.uses.iter().any(|u| u.position == Some(0) && sheet.is_none_or(|s| s == u.sheet))
}

/// `Failed(james, james)` where the sentence names what other formulas write there.
fn repeated(desk: &Desk<'_>, out: &mut Vec<Op>) {
    for predicate in desk.signs.iter().filter(|s| s.kind == SymbolKind::Predicate && s.arity >= 2) {
        for u in &predicate.uses {
            let Some((atom, _)) = u.atom else { continue };
            for (position, term) in atom.args.iter().enumerate().skip(1) {
                if !atom.args.iter().take(position).any(|other| other == term) {
                    continue;
                }
                for individual in individuals(desk) {
                    let used_so = |v: &Use<'_>| {
                        v.position == Some(position)
                            && v.atom.is_some_and(|(a, _)| a.name == atom.name && !std::ptr::eq(a, atom))
                    };
                    if desk.support(u.sheet, &individual.words) < 1.0 || !individual.uses.iter().any(used_so) {
                        continue;
                    }
                    let why = format!("the sentence names `{}`, which stands there elsewhere", individual.name);
                    let class = format!("{}:{}:={}", u.sheet, term.span.start, individual.name);
                    let edits = vec![(u.sheet, vec![replace(term.span, individual.name)])];
                    out.push(Op::new(&priors::ARGUMENT, class, why, edits));
                }
            }
        }
    }
}
