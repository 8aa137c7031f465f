//! What changed in a row.

use serde::Serialize;

use super::align::{Aligned, align};
use super::likeness::{Words, in_order, normal};
use crate::diagnostic::Target;
use crate::fol::Formula;
use crate::record::{Label, Record, Verdict};
use crate::refine::{Bench, Case};

/// How the formulas of one sentence stand to each other in two versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// Only the text differs.
    Equivalent,
    /// The new one says more.
    Stronger,
    /// The new one says less.
    Weaker,
    /// Neither follows from the other.
    Unrelated,
    /// One of them cannot be read.
    Unreadable,
    /// One of them is not there.
    Missing,
    /// The prover does not say.
    Unknown,
}

impl Relation {
    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Equivalent => "equivalent",
            Self::Stronger => "stronger",
            Self::Weaker => "weaker",
            Self::Unrelated => "unrelated",
            Self::Unreadable => "unreadable",
            Self::Missing => "missing",
            Self::Unknown => "unknown",
        }
    }
}

/// A formula that is not the same text in both versions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FormulaChange {
    /// `premise[2]` or `conclusion`, in the new version; in the old one where it was dropped.
    pub target: String,
    /// In the old version.
    pub old: Option<String>,
    /// In the new version.
    pub new: Option<String>,
    /// How the new one stands to the old one.
    pub relation: Relation,
}

/// One row of two versions.
#[derive(Debug, Clone, PartialEq)]
pub struct Audited {
    /// Which rows.
    pub aligned: Aligned,
    /// The labels; `None` where there is no row or no label.
    pub labels: (Option<Label>, Option<Label>),
    /// Sentences of premises that are not the same in both, added and dropped ones included.
    pub premise_sentences: usize,
    /// Whether the sentence of the conclusion is another.
    pub conclusion_sentence: bool,
    /// Formulas that are not the same text.
    pub formulas: Vec<FormulaChange>,
    /// What the formulas prove, after safe fixes, in either version; asked where label or formulas changed.
    pub verdicts: (Option<Verdict>, Option<Verdict>),
}

impl Audited {
    /// Whether both versions have the row, with labels that differ.
    #[must_use]
    pub fn label_changed(&self) -> bool {
        self.is_in_both() && self.labels.0 != self.labels.1
    }

    /// Whether both versions have the row.
    #[must_use]
    pub const fn is_in_both(&self) -> bool {
        self.aligned.old.is_some() && self.aligned.new.is_some()
    }
}

/// Compares two versions, row by row. `read` makes a record's case: its formulas after safe fixes, with their verdict.
#[must_use]
pub fn audit<'r>(
    old: &'r [Record],
    new: &'r [Record],
    bench: &Bench<'_>,
    read: impl Fn(&'r Record) -> Case<'r>,
) -> Vec<Audited> {
    let one = |aligned: Aligned| {
        let (a, b) = (aligned.old.and_then(|i| old.get(i)), aligned.new.and_then(|j| new.get(j)));
        let mut out = Audited {
            aligned,
            labels: (a.and_then(|r| r.label), b.and_then(|r| r.label)),
            premise_sentences: 0,
            conclusion_sentence: false,
            formulas: Vec::new(),
            verdicts: (None, None),
        };
        let (Some(a), Some(b)) = (a, b) else { return out };
        out.premise_sentences = differing(&a.premises, &b.premises);
        out.conclusion_sentence = normal(&a.conclusion) != normal(&b.conclusion);
        // A version without formulas has none that changed.
        let has_formulas = |r: &Record| !r.premises_fol.is_empty() || r.conclusion_fol.is_some();
        let formulas_differ = a.premises_fol != b.premises_fol || a.conclusion_fol != b.conclusion_fol;
        if has_formulas(a) && has_formulas(b) && (formulas_differ || out.labels.0 != out.labels.1) {
            let (x, y) = (read(a), read(b));
            out.verdicts = (Some(x.verdict), Some(y.verdict));
            out.formulas = formulas(&x, &y, bench);
        }
        out
    };
    align(old, new).into_iter().map(one).collect()
}

/// How many sentences have no equal on the other side, on the side that has more of them.
fn differing(old: &[String], new: &[String]) -> usize {
    let mut rest: Vec<String> = new.iter().map(|s| normal(s)).collect();
    let mut alone = 0;
    for sentence in old {
        match rest.iter().position(|other| *other == normal(sentence)) {
            Some(at) => {
                rest.remove(at);
            }
            None => alone += 1,
        }
    }
    alone.max(rest.len())
}

fn formulas(a: &Case<'_>, b: &Case<'_>, bench: &Bench<'_>) -> Vec<FormulaChange> {
    let mut out = Vec::new();
    let (old, new) = (&a.record.premises_fol, &b.record.premises_fol);
    // Premises are paired by their sentences, which say what a formula is of; without these by their own text.
    let words = |case: &Case<'_>| -> Vec<Words> {
        let record = case.record;
        let texts =
            if record.premises.len() == record.premises_fol.len() { &record.premises } else { &record.premises_fol };
        texts.iter().map(|text| Words::of([text.as_str()])).collect()
    };
    let (old_words, new_words) = (words(a), words(b));
    let score = |i: usize, j: usize| match (old_words.get(i), new_words.get(j)) {
        (Some(x), Some(y)) => x.likeness(y),
        _ => 0.0,
    };
    let pairs = in_order(old.len(), new.len(), 0.2, score);
    let mut note =
        |target: Target, old: Option<(&String, Option<&Formula>)>, new: Option<(&String, Option<&Formula>)>| {
            let relation = match (old, new) {
                (Some((x, _)), Some((y, _))) if x == y => return,
                (Some((_, Some(x))), Some((_, Some(y)))) => relation(x, y, bench),
                (Some(_), Some(_)) => Relation::Unreadable,
                _ => Relation::Missing,
            };
            let text = |side: Option<(&String, Option<&Formula>)>| side.map(|(text, _)| text.clone());
            out.push(FormulaChange { target: target.to_string(), old: text(old), new: text(new), relation });
        };
    let of = |case: &'_ Case<'_>, i: usize| case.reading.premises.get(i).cloned().flatten();
    for (i, j) in &pairs {
        let (x, y) = (of(a, *i), of(b, *j));
        note(Target::Premise(*j), old.get(*i).map(|t| (t, x.as_ref())), new.get(*j).map(|t| (t, y.as_ref())));
    }
    for (i, text) in old.iter().enumerate().filter(|(i, _)| pairs.iter().all(|(a, _)| a != i)) {
        note(Target::Premise(i), Some((text, None)), None);
    }
    for (j, text) in new.iter().enumerate().filter(|(j, _)| pairs.iter().all(|(_, b)| b != j)) {
        note(Target::Premise(j), None, Some((text, None)));
    }
    let (x, y) = (a.reading.conclusion.clone().flatten(), b.reading.conclusion.clone().flatten());
    let side = |case: &'_ Case<'_>| case.record.conclusion_fol.clone();
    let (old, new) = (side(a), side(b));
    if old.is_some() || new.is_some() {
        note(Target::Conclusion, old.as_ref().map(|t| (t, x.as_ref())), new.as_ref().map(|t| (t, y.as_ref())));
    }
    out
}

fn relation(old: &Formula, new: &Formula, bench: &Bench<'_>) -> Relation {
    match (bench.entails(&[new], old, false), bench.entails(&[old], new, false)) {
        (Some(true), Some(true)) => Relation::Equivalent,
        (Some(true), Some(false)) => Relation::Stronger,
        (Some(false), Some(true)) => Relation::Weaker,
        (Some(false), Some(false)) => Relation::Unrelated,
        _ => Relation::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::Selection;
    use crate::refine::testing::with_bench;
    use crate::verify::ReadingOptions;

    fn record(premise: &str, conclusion: &str, label: Label) -> Record {
        Record {
            premises: vec!["All dogs bark.".to_owned(), "Rex is a dog.".to_owned()],
            premises_fol: vec![premise.to_owned(), "Dog(rex)".to_owned()],
            conclusion: "Rex barks.".to_owned(),
            conclusion_fol: Some(conclusion.to_owned()),
            label: Some(label),
            ..Record::default()
        }
    }

    #[test]
    fn formulas_are_compared_by_what_they_say() {
        let old = [record("∀x (Dog(x) → Bark(x))", "Bark(rex)", Label::True)];
        let relation_to = |premise: &str, conclusion: &str| {
            let new = [record(premise, conclusion, Label::False)];
            with_bench(|bench| {
                let read = |r| Case::new(r, &Selection::everything(), ReadingOptions::default(), bench);
                let all = audit(&old, &new, bench, read);
                assert!(all[0].label_changed());
                assert_eq!(all[0].verdicts.0, Some(Verdict::True));
                all[0].formulas.iter().map(|f| (f.target.clone(), f.relation)).collect::<Vec<_>>()
            })
        };
        let premise = |relation| vec![("premise[0]".to_owned(), relation)];
        assert_eq!(relation_to("∀x (¬Bark(x) → ¬Dog(x))", "Bark(rex)"), premise(Relation::Equivalent));
        assert_eq!(relation_to("∀x (Bark(x))", "Bark(rex)"), premise(Relation::Stronger));
        assert_eq!(relation_to("∀x (Dog(x) ∧ Old(x) → Bark(x))", "Bark(rex)"), premise(Relation::Weaker));
        assert_eq!(relation_to("∀x (Bark(x) → Dog(x))", "Bark(rex)"), premise(Relation::Unrelated));
        assert_eq!(relation_to("∀x (Dog(x) → → Bark(x))", "Bark(rex)"), premise(Relation::Unreadable));
        let both = relation_to("∀x (Bark(x) → Dog(x))", "¬Bark(rex)");
        assert_eq!(both.len(), 2);
    }
}
