//! Two names for one thing.

use super::desk::{Desk, Sign};
use super::op::Op;
use super::wording::{Likeness, Packing, is_packed, likeness};
use crate::diagnostic::{Span, TextEdit};
use crate::fol::{SymbolKind, TermKind};
use crate::lint::words::same_word;
use crate::refine::priors;

/// Symbols of a record up to which each is held against each. Annotated stories have some dozens.
const MAX_SIGNS: usize = 300;

/// Letters from which two names that stand side by side in one formula may still be one name and a slip.
const LONG: usize = 10;

pub(super) fn candidates(desk: &Desk<'_>, out: &mut Vec<Op>) {
    if desk.signs.len() > MAX_SIGNS {
        return;
    }
    for odd in &desk.signs {
        for usual in &desk.signs {
            let comparable = odd.kind == usual.kind && odd.arity == usual.arity && odd.name != usual.name;
            if comparable && odd.kind != SymbolKind::Free {
                merge(desk, odd, usual, out);
            }
        }
        if odd.kind == SymbolKind::Predicate {
            passive(desk, odd, out);
            unpack(desk, odd, out);
        }
    }
}

/// `odd` written as `usual`.
fn merge(desk: &Desk<'_>, odd: &Sign<'_>, usual: &Sign<'_>, out: &mut Vec<Op>) {
    let likeness = likeness(odd.name, usual.name);
    let rule = match likeness {
        Likeness::Case => &priors::CASE,
        Likeness::Punctuation => &priors::PUNCTUATION,
        Likeness::Number => &priors::NUMBER,
        Likeness::Inflection => &priors::INFLECTION,
        Likeness::FunctionWords => &priors::FUNCTION_WORDS,
        Likeness::Letters => &priors::LETTERS,
        Likeness::Abbreviation => &priors::ABBREVIATION,
        Likeness::Part | Likeness::Unlike => {
            by_sentence(desk, odd, usual, likeness, out);
            return;
        }
    };
    let sheets = odd.sheets();
    let meets = sheets.iter().any(|s| usual.is_in(*s));
    let supports = |sheet: &usize| desk.support(*sheet, &usual.words) >= desk.support(*sheet, &odd.words);
    match likeness {
        Likeness::Letters => {
            let better = |sheet: &usize| desk.support(*sheet, &usual.words) > desk.support(*sheet, &odd.words);
            let may_meet = odd.name.chars().count() >= LONG && sheets.iter().any(better);
            if !sheets.iter().all(supports) || (meets && !may_meet) {
                return;
            }
        }
        Likeness::FunctionWords | Likeness::Abbreviation if meets || !sheets.iter().all(supports) => return,
        _ => {}
    }
    if sheets.iter().any(|sheet| loses_word(desk, *sheet, odd, usual)) {
        return;
    }
    let why = format!("`{}` and `{}` are one {}", odd.name, usual.name, noun(odd.kind));
    let against = against(odd, usual);
    out.push(Op::new(rule, pair(odd, usual), why, renames(odd, usual.name, |_| true)).dearer(against));
}

/// What it costs more to write the one as the other than the other way round: the spelling of fewer uses in the story gives
/// way, among equals the one that is no predicate's or no individual's usual one, then the one that came later.
fn against(odd: &Sign<'_>, usual: &Sign<'_>) -> f64 {
    let unusual = |sign: &Sign<'_>| {
        let upper = sign.name.chars().next().is_some_and(char::is_uppercase);
        upper != (sign.kind == SymbolKind::Predicate)
    };
    match odd.total().cmp(&usual.total()) {
        std::cmp::Ordering::Greater => 0.6,
        std::cmp::Ordering::Less => 0.0,
        std::cmp::Ordering::Equal if unusual(odd) != unusual(usual) => {
            if unusual(usual) {
                0.3
            } else {
                0.0
            }
        }
        std::cmp::Ordering::Equal => {
            let first = |sign: &Sign<'_>| sign.uses.first().map(|u| (u.sheet, u.span.start));
            if first(odd) < first(usual) { 0.1 } else { 0.0 }
        }
    }
}

/// A name of which the sentence lacks words, for one whose words it has.
fn by_sentence(desk: &Desk<'_>, odd: &Sign<'_>, usual: &Sign<'_>, likeness: Likeness, out: &mut Vec<Op>) {
    if usual.words.content.is_empty() || odd.words.content.is_empty() || odd.kind == SymbolKind::Function {
        return;
    }
    let part = likeness == Likeness::Part;
    let fits = |sheet: usize| {
        let (now, then) = (desk.support(sheet, &odd.words), desk.support(sheet, &usual.words));
        // A shorter name whose words are all there may be what is meant; a longer one says more.
        let longer = usual.words.content.len() > odd.words.content.len();
        let ordered = odd.kind == SymbolKind::Constant
            || desk.sheets.get(sheet).is_some_and(|s| s.wording.in_order(&usual.words));
        let better = then >= 1.0 && ordered && (now < 1.0 || (part && longer));
        let beside = usual.is_in(sheet) && odd.kind == SymbolKind::Predicate;
        better && !beside && !loses_word(desk, sheet, odd, usual)
    };
    let sheets = odd.sheets();
    let fitting: Vec<usize> = sheets.iter().copied().filter(|s| fits(*s)).collect();
    if fitting.is_empty() {
        return;
    }
    let everywhere = fitting.len() == sheets.len();
    // A predicate that other sentences speak for is a symbol of its own.
    if !everywhere && odd.kind == SymbolKind::Predicate && !part {
        return;
    }
    if odd.kind == SymbolKind::Constant && !alike_in_use(odd, usual) {
        return;
    }
    let rule = if part { &priors::PART } else { &priors::SENTENCE };
    let why = format!("the sentence speaks of `{}`, not of `{}`", usual.name, odd.name);
    let apart = if everywhere { 0.0 } else { 0.4 };
    out.push(Op::new(rule, pair(odd, usual), why, renames(odd, usual.name, |s| fitting.contains(&s))).dearer(apart));
}

/// Whether two constants are arguments of one predicate at one place somewhere.
fn alike_in_use(a: &Sign<'_>, b: &Sign<'_>) -> bool {
    let places = |sign: &Sign<'_>| -> Vec<(String, usize)> {
        let atoms = sign.uses.iter().filter_map(|u| Some((u.atom?.0.name.clone(), u.position?)));
        atoms.collect()
    };
    let theirs = places(b);
    places(a).iter().any(|(name, position)| {
        theirs.iter().any(|(other, at)| at == position && (other == name || likeness(other, name) < Likeness::Part))
            || *position == 0 && theirs.iter().any(|(_, at)| *at == 0)
    })
}

/// Whether the sentence has a word of `odd` that neither `usual` nor any other name of the formula has.
fn loses_word(desk: &Desk<'_>, sheet: usize, odd: &Sign<'_>, usual: &Sign<'_>) -> bool {
    let Some(on) = desk.sheets.get(sheet) else { return true };
    let kept = |word: &String| {
        let has = |sign: &Sign<'_>| sign.words.all.iter().any(|w| same_word(w, word));
        let run = usual.words.all.concat();
        has(usual)
            || run.contains(word.as_str())
            || desk.signs.iter().any(|s| s.name != odd.name && s.is_in(sheet) && has(s))
    };
    on.wording.shared(&odd.words).any(|word| !kept(word))
}

/// `Writtenby(a, b)` for `Write(b, a)`.
fn passive(desk: &Desk<'_>, odd: &Sign<'_>, out: &mut Vec<Op>) {
    let stem = |sign: &Sign<'_>| {
        let whole = sign.words.all.concat();
        whole.strip_suffix("by").filter(|w| w.chars().count() > 2).map(str::to_owned)
    };
    if odd.arity != 2 {
        return;
    }
    for usual in desk.signs.iter().filter(|s| s.kind == SymbolKind::Predicate && s.arity == 2 && s.name != odd.name) {
        let active = |sign: &Sign<'_>| sign.words.content.concat();
        let is_pair = match (stem(odd), stem(usual)) {
            (Some(passive), None) => is_participle(&passive, &active(usual)),
            (None, Some(passive)) => is_participle(&passive, &active(odd)),
            _ => false,
        };
        if !is_pair {
            continue;
        }
        let mut edits: Vec<(usize, Vec<TextEdit>)> = Vec::new();
        for u in &odd.uses {
            let (Some((atom, _)), Some(sheet)) = (u.atom, desk.sheets.get(u.sheet)) else { return };
            let [a, b] = atom.args.as_slice() else { return };
            add(
                &mut edits,
                u.sheet,
                [
                    replace(u.span, usual.name),
                    replace(a.span, b.span.of(sheet.text)),
                    replace(b.span, a.span.of(sheet.text)),
                ],
            );
        }
        let why = format!("`{}` is `{}` with its arguments the other way round", odd.name, usual.name);
        out.push(Op::new(&priors::PASSIVE, pair(odd, usual), why, edits));
    }
}

/// Whether one word is the past participle of another, irregular ones by their first letters.
fn is_participle(participle: &str, verb: &str) -> bool {
    same_word(participle, verb)
        || (participle.ends_with('n') && {
            let common = participle.chars().zip(verb.chars()).take_while(|(a, b)| a == b).count();
            common >= 3 && common + 2 >= verb.trim_end_matches('e').chars().count()
        })
}

/// `HaveHorseRanch(x)` for `Have(x, horseRanch)`, and `FIFASeries(x)` for `In(x, fIFASeries)`.
fn unpack(desk: &Desk<'_>, odd: &Sign<'_>, out: &mut Vec<Op>) {
    if odd.arity == 0 {
        return;
    }
    let plain = |s: &&Sign<'_>| s.kind == SymbolKind::Predicate && s.arity == odd.arity + 1;
    for usual in desk.signs.iter().filter(plain) {
        let mut constants: Vec<&str> = Vec::new();
        for u in &usual.uses {
            let last = u.atom.and_then(|(atom, _)| atom.args.last());
            if let Some(TermKind::Constant(name)) = last.map(|t| &t.kind)
                && !constants.contains(&name.as_str())
            {
                constants.push(name);
            }
        }
        for constant in constants {
            let Some(sign) = desk.signs.iter().find(|s| s.kind == SymbolKind::Constant && s.name == constant) else {
                continue;
            };
            let Some(packing) = is_packed(&odd.words, &usual.words, &sign.words) else { continue };
            let mut edits: Vec<(usize, Vec<TextEdit>)> = Vec::new();
            let mut whole = true;
            for u in &odd.uses {
                let Some((_, span)) = u.atom else { continue };
                let closes = desk.sheets.get(u.sheet).is_some_and(|s| span.of(s.text).ends_with(')'));
                whole &= closes;
                add(
                    &mut edits,
                    u.sheet,
                    [
                        replace(u.span, usual.name),
                        replace(Span::at(span.end.saturating_sub(1)), &format!(", {constant}")),
                    ],
                );
            }
            if !whole {
                continue;
            }
            let why =
                format!("`{}` holds in its name what is written `{}(…, {constant})` elsewhere", odd.name, usual.name);
            let class = format!("{}/{} {}", pair(odd, usual), constant, "unpack");
            let bare = if packing == Packing::Bare { 0.4 } else { 0.0 };
            out.push(Op::new(&priors::UNPACK, class, why, edits).dearer(bare));
        }
    }
}

fn renames(odd: &Sign<'_>, to: &str, on: impl Fn(usize) -> bool) -> Vec<(usize, Vec<TextEdit>)> {
    let mut edits = Vec::new();
    for u in odd.uses.iter().filter(|u| on(u.sheet)) {
        add(&mut edits, u.sheet, [replace(u.span, to)]);
    }
    edits
}

pub(super) fn add(edits: &mut Vec<(usize, Vec<TextEdit>)>, sheet: usize, more: impl IntoIterator<Item = TextEdit>) {
    match edits.iter_mut().find(|(s, _)| *s == sheet) {
        Some((_, list)) => list.extend(more),
        None => edits.push((sheet, more.into_iter().collect())),
    }
}

pub(super) fn replace(span: Span, text: &str) -> TextEdit {
    TextEdit { span, replacement: text.to_owned() }
}

fn pair(a: &Sign<'_>, b: &Sign<'_>) -> String {
    let (x, y) = if a.name < b.name { (a, b) } else { (b, a) };
    format!("{}/{}={}/{}", x.name, x.arity, y.name, y.arity)
}

const fn noun(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Predicate => "predicate",
        SymbolKind::Function => "function",
        SymbolKind::Constant => "individual",
        SymbolKind::Free => "variable",
    }
}
