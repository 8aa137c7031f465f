//! Realistic errors in formulas that are right.

mod kind;
mod places;
mod spelling;

use std::collections::BTreeSet;

use sha2::{Digest as _, Sha256};

pub use self::kind::{ErrorKind, UnknownKind};
use self::places::Place;
use crate::diagnostic::{Target, apply_edits};
use crate::fol::{Formula, QuantifierScope, parser, shape};
use crate::record::Record;
use crate::synth::Random;

/// One error in one annotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutation {
    /// Its kind.
    pub kind: ErrorKind,
    /// The annotation.
    pub target: Target,
    /// Its whole text before.
    pub before: String,
    /// Its whole text with the error.
    pub after: String,
}

impl Mutation {
    /// The record with the error in it: in a record of the same story, only if it is one of a premise.
    #[must_use]
    pub fn apply(&self, record: &Record) -> Record {
        let mut record = record.clone();
        let text = match self.target {
            Target::Premise(i) => record.premises_fol.get_mut(i),
            Target::Conclusion => record.conclusion_fol.as_mut(),
            Target::PremiseSentence(_) | Target::ConclusionSentence | Target::Row => None,
        };
        if let Some(text) = text {
            text.clone_from(&self.after);
        }
        record
    }
}

/// Different errors of one kind in a record of which every annotation can be read, `count` at most; none where the record
/// lacks what this kind of error needs.
///
/// Every possible place in the record is as likely as any other (see [`ErrorKind`] for the exception). What is drawn depends
/// on the seed, the record's id and formulas, and the kind alone. Apart from the error the text stays as its author
/// wrote it. But for a dropped bracket, the text can be read and is not the same formula.
#[must_use]
pub fn mutations(record: &Record, kind: ErrorKind, seed: u64, count: usize, scope: QuantifierScope) -> Vec<Mutation> {
    let mut annotations = Vec::new();
    let targets = (0..record.premises_fol.len()).map(Target::Premise).chain([Target::Conclusion]);
    for (target, text) in targets.filter_map(|target| Some((target, record.text(target)?))) {
        let Some(formula) = parser::reading_of(text, scope) else { return Vec::new() };
        annotations.push((target, text, formula));
    }
    let taken: BTreeSet<&str> = annotations.iter().flat_map(|(_, _, f)| names(f)).collect();
    let mut random = random(record, kind, seed);
    let mut places: Vec<(usize, Place)> = Vec::new();
    for (i, (_, text, formula)) in annotations.iter().enumerate() {
        places.extend(places::all(kind, text, formula, &mut random).into_iter().map(|place| (i, place)));
    }
    random.shuffle(&mut places);
    let mut out: Vec<Mutation> = Vec::new();
    for (i, place) in places {
        if out.len() >= count {
            break;
        }
        let Some((target, text, formula)) = annotations.get(i) else { continue };
        let Some(after) = apply_edits(text, &place.edits) else { continue };
        let known = out.iter().any(|m| m.target == *target && m.after == after);
        if !known && is_error(kind, &place, formula, &after, &taken, scope) {
            out.push(Mutation { kind, target: *target, before: (*text).to_owned(), after });
        }
    }
    out
}

/// Whether a text has the error that was to be made and no other.
fn is_error(
    kind: ErrorKind,
    place: &Place,
    before: &Formula,
    after: &str,
    taken: &BTreeSet<&str>,
    scope: QuantifierScope,
) -> bool {
    let Some(formula) = parser::reading_of(after, scope) else { return kind == ErrorKind::DroppedBracket };
    // A name that the record has would say something else instead of nothing.
    let is_new = |name: &String| !taken.contains(name.as_str()) && names(&formula).any(|n| n == name);
    kind != ErrorKind::DroppedBracket
        && place.new_name.as_ref().is_none_or(is_new)
        && place.expected.as_ref().is_none_or(|expected| *expected == formula)
        && (kind == ErrorKind::FreeVariable) == (free_uses(&formula) > free_uses(before))
        && shape::key(&formula, false) != shape::key(before, false)
}

fn free_uses(formula: &Formula) -> usize {
    crate::fol::canonical::free_uses(formula)
}

fn names(formula: &Formula) -> impl Iterator<Item = &str> {
    formula.symbols().into_iter().map(|symbol| symbol.name)
}

/// The numbers for one record and kind, whatever stands beside it in the file.
fn random(record: &Record, kind: ErrorKind, seed: u64) -> Random {
    let mut hash = Sha256::new();
    hash.update(kind.as_str());
    hash.update([0]);
    hash.update(&record.record_id);
    let stream = hash.finalize().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
    Random::of(seed, stream, 0)
}

#[cfg(test)]
mod tests;
