//! What changed in a row.

use rayon::prelude::*;
use serde::Serialize;

use super::align::{Aligned, align, are_one_split};
use super::likeness::normal;
use super::pair::Pairs;
use crate::diagnostic::Target;
use crate::fol::Formula;
use crate::lint::{ParsedRecord, Selection, check_record};
use crate::prove::cancel;
use crate::record::{Grade, Label, Record, Verdict};
use crate::refine::{Bench, apply_safe_fixes};
use crate::verify::{Court, Grounder, Judgement, Reading, ReadingOptions, judge};

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

/// A sentence that is not the same text in both versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SentenceChange {
    /// `premise[2]` or `conclusion`, in the new version; in the old one where it was dropped.
    pub target: String,
    /// In the old version; `None` where it was added.
    pub old: Option<String>,
    /// In the new version; `None` where it was dropped.
    pub new: Option<String>,
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

/// What logic says of one side of a row, after safe fixes, and by what evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// Why there is no better one: a kebab-case word, then details after a colon.
    pub reason: Option<String>,
    /// SZS status of the premises alone; `None` where it was not asked or not answered.
    pub szs_consistency: Option<String>,
    /// SZS status of premises ⊢ conclusion, likewise.
    pub szs_entails: Option<String>,
    /// SZS status of premises ⊢ ¬conclusion, likewise.
    pub szs_refutes: Option<String>,
    /// 0-based premises that the contradiction behind the verdict needs; `None` where there is none.
    pub used_premises: Option<Vec<u32>>,
    /// What the verdict rests on; `None` where logic gave none.
    pub evidence: Option<Grade>,
}

impl From<Judgement> for Judged {
    fn from(judgement: Judgement) -> Self {
        let Judgement { verdict, reason, szs_consistency, szs_entails, szs_refutes, used_premises, evidence, .. } =
            judgement;
        Self { verdict, reason, szs_consistency, szs_entails, szs_refutes, used_premises, evidence }
    }
}

/// One row of two versions.
#[derive(Debug, Clone, PartialEq)]
pub struct Audited {
    /// Which rows.
    pub aligned: Aligned,
    /// The labels; `None` where there is no row or no label.
    pub labels: (Option<Label>, Option<Label>),
    /// Whether it stands in another split. Never so where either version has only one.
    pub moved: bool,
    /// Sentences of premises that are not the same in both, added and dropped ones included.
    pub premise_sentences: usize,
    /// Whether the sentence of the conclusion is another.
    pub conclusion_sentence: bool,
    /// Whether premises that both have stand in another order.
    pub reordered: bool,
    /// Sentences that are not the same text, but for case and spaces.
    pub sentences: Vec<SentenceChange>,
    /// Formulas that are not the same text.
    pub formulas: Vec<FormulaChange>,
    /// What logic says of either version; asked where the label or a formula changed, `None` where there are no formulas.
    pub judged: (Option<Judged>, Option<Judged>),
}

impl Audited {
    /// Rows of which nothing is known to have changed but perhaps the label.
    pub(super) const fn unchanged(aligned: Aligned, labels: (Option<Label>, Option<Label>)) -> Self {
        Self {
            aligned,
            labels,
            moved: false,
            premise_sentences: 0,
            conclusion_sentence: false,
            reordered: false,
            sentences: Vec::new(),
            formulas: Vec::new(),
            judged: (None, None),
        }
    }

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

    /// The verdicts on both sides, where they were asked for.
    #[must_use]
    pub fn verdicts(&self) -> (Option<Verdict>, Option<Verdict>) {
        let verdict = |side: &Option<Judged>| side.as_ref().map(|judged| judged.verdict);
        (verdict(&self.judged.0), verdict(&self.judged.1))
    }
}

/// How formulas are read and judged.
#[derive(Clone, Copy)]
pub struct Auditor<'a> {
    /// The rules whose safe fixes are made before a formula is read.
    pub selection: &'a Selection,
    /// How formulas are read.
    pub options: ReadingOptions,
    /// Who is asked.
    pub bench: &'a Bench<'a>,
}

/// Compares two versions, row by row. The rows are in the order of the new version, then those that were dropped. Where
/// [`cancel::request`] was called meanwhile, what is left is not asked about, and nothing of it must be kept.
#[must_use]
pub fn audit(old: &[Record], new: &[Record], auditor: Auditor<'_>) -> Vec<Audited> {
    let Bench { lowering, asker } = *auditor.bench;
    let grounder = Grounder::new();
    let court = Court { lowering, asker, grounder: &grounder, second: None };
    let one_split = are_one_split(old, new);
    let one = |aligned: Aligned| {
        let (a, b) = (aligned.old.and_then(|i| old.get(i)), aligned.new.and_then(|j| new.get(j)));
        let mut out = Audited::unchanged(aligned, (a.and_then(|r| r.label), b.and_then(|r| r.label)));
        let (Some(a), Some(b)) = (a, b) else { return out };
        out.moved = !one_split && a.split != b.split;
        let premises = Pairs::of(&a.premises, &b.premises);
        out.premise_sentences = premises.differing();
        out.conclusion_sentence = normal(&a.conclusion) != normal(&b.conclusion);
        // Without sentences, the formulas tell their order.
        let by_formula = a.premises.is_empty() && b.premises.is_empty();
        out.reordered = if by_formula { pairs_of_formulas(a, b).is_reordered() } else { premises.is_reordered() };
        out.sentences = sentences(a, b, &premises, out.conclusion_sentence);
        let formulas_differ = a.premises_fol != b.premises_fol || a.conclusion_fol != b.conclusion_fol;
        if (!formulas_differ && !out.label_changed()) || cancel::is_requested() {
            return out;
        }
        // A version without formulas has none that changed.
        let sides = [a, b].map(|record| has_formulas(record).then(|| auditor.read(record)));
        if let [Some(x), Some(y)] = &sides {
            out.formulas = formulas((a, x), (b, y), auditor.bench);
        }
        if !out.formulas.is_empty() || out.label_changed() {
            let judged = |record: &Record, side: &Option<Reading>| {
                side.as_ref().map(|reading| Judged::from(judge(record, "audited", reading, &court)))
            };
            let before = judged(a, &sides[0]);
            // The same formulas are judged once.
            let same = sides[0] == sides[1] && a.premises.is_empty() == b.premises.is_empty();
            let after = if same { before.clone() } else { judged(b, &sides[1]) };
            out.judged = (before, after);
        }
        out
    };
    align(old, new).into_par_iter().map(one).collect()
}

impl Auditor<'_> {
    /// The formulas of a record after safe fixes.
    fn read(&self, record: &Record) -> Reading {
        let found = check_record(&ParsedRecord::new(record, self.options.scope).context(record));
        let fixed = apply_safe_fixes(record, &found, self.selection, self.options.scope);
        Reading::new(&fixed.premises_fol, fixed.conclusion_fol.as_deref(), self.options)
    }
}

const fn has_formulas(record: &Record) -> bool {
    !record.premises_fol.is_empty() || record.conclusion_fol.is_some()
}

fn sentences(a: &Record, b: &Record, premises: &Pairs, conclusion: bool) -> Vec<SentenceChange> {
    let change = |target: Target, old: Option<&String>, new: Option<&String>| SentenceChange {
        target: target.to_string(),
        old: old.cloned(),
        new: new.cloned(),
    };
    let mut out = Vec::new();
    for (i, j) in &premises.changed {
        out.push(change(Target::Premise(*j), a.premises.get(*i), b.premises.get(*j)));
    }
    out.extend(premises.dropped.iter().map(|i| change(Target::Premise(*i), a.premises.get(*i), None)));
    out.extend(premises.added.iter().map(|j| change(Target::Premise(*j), None, b.premises.get(*j))));
    if conclusion {
        out.push(change(Target::Conclusion, Some(&a.conclusion), Some(&b.conclusion)));
    }
    out
}

/// Formulas of premises are paired by their sentences, which say what a formula is of; without these by their own text.
fn pairs_of_formulas(a: &Record, b: &Record) -> Pairs {
    let has_sentences = |r: &Record| !r.premises.is_empty() && r.premises.len() == r.premises_fol.len();
    if has_sentences(a) && has_sentences(b) {
        Pairs::of(&a.premises, &b.premises)
    } else {
        Pairs::of(&a.premises_fol, &b.premises_fol)
    }
}

/// A formula's text and its tree, where there are such.
type Side<'s> = Option<(&'s String, Option<&'s Formula>)>;

fn premise<'s>(record: &'s Record, reading: &'s Reading, i: usize) -> Side<'s> {
    Some((record.premises_fol.get(i)?, reading.premises.get(i).and_then(Option::as_ref)))
}

fn conclusion<'s>(record: &'s Record, reading: &'s Reading) -> Side<'s> {
    Some((record.conclusion_fol.as_ref()?, reading.conclusion.as_ref().and_then(Option::as_ref)))
}

fn formulas((a, x): (&Record, &Reading), (b, y): (&Record, &Reading), bench: &Bench<'_>) -> Vec<FormulaChange> {
    let mut out = Vec::new();
    let mut note = |target: Target, old: Side<'_>, new: Side<'_>| {
        let relation = match (old, new) {
            (None, None) => return,
            (Some((x, _)), Some((y, _))) if x == y => return,
            (Some((_, Some(x))), Some((_, Some(y)))) => relation(x, y, bench),
            (Some(_), Some(_)) => Relation::Unreadable,
            _ => Relation::Missing,
        };
        let text = |side: Side<'_>| side.map(|(text, _)| text.clone());
        out.push(FormulaChange { target: target.to_string(), old: text(old), new: text(new), relation });
    };
    let pairs = pairs_of_formulas(a, b);
    let mut both: Vec<(usize, usize)> = pairs.same.iter().chain(&pairs.changed).copied().collect();
    both.sort_unstable_by_key(|(_, j)| *j);
    for (i, j) in both {
        note(Target::Premise(j), premise(a, x, i), premise(b, y, j));
    }
    for i in pairs.dropped {
        note(Target::Premise(i), premise(a, x, i), None);
    }
    for j in pairs.added {
        note(Target::Premise(j), None, premise(b, y, j));
    }
    note(Target::Conclusion, conclusion(a, x), conclusion(b, y));
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
    use crate::audit::Kind;
    use crate::refine::testing::with_bench;

    fn audited(old: &[Record], new: &[Record], bench: &Bench<'_>) -> Vec<Audited> {
        let selection = Selection::everything();
        audit(old, new, Auditor { selection: &selection, options: ReadingOptions::default(), bench })
    }

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
                let all = audited(&old, &new, bench);
                assert!(all[0].label_changed());
                assert_eq!(all[0].verdicts().0, Some(Verdict::True));
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

    #[test]
    fn each_side_of_a_changed_label_has_its_evidence() {
        let old = [record("∀x (Dog(x) → Bark(x))", "Bark(rex)", Label::True)];
        let mut new = [record("∀x (Dog(x) → Bark(x))", "Bark(rex)", Label::False)];
        let judged = with_bench(|bench| audited(&old, &new, bench)).remove(0).judged;
        let (before, after) = (judged.0.unwrap(), judged.1.unwrap());
        assert_eq!((before.verdict, before.evidence), (Verdict::True, Some(Grade::Certificate)));
        assert_eq!(before.used_premises, Some(vec![0, 1]));
        assert_eq!(before, after);
        // A version that has only labels is asked about on the other side.
        new[0].premises_fol.clear();
        new[0].conclusion_fol = None;
        let row = with_bench(|bench| audited(&old, &new, bench)).remove(0);
        assert_eq!(row.verdicts(), (Some(Verdict::True), None));
        assert_eq!(row.formulas, []);
    }

    #[test]
    fn another_order_is_told_as_such() {
        let old = [record("∀x (Dog(x) → Bark(x))", "Bark(rex)", Label::True)];
        let mut new = old.clone();
        new[0].premises.reverse();
        new[0].premises_fol.reverse();
        let row = with_bench(|bench| audited(&old, &new, bench)).remove(0);
        assert_eq!(Kind::of(&row), [Kind::Order]);
        assert_eq!((row.formulas.len(), row.sentences.len(), row.verdicts()), (0, 0, (None, None)));
        // The other formula is still that of its sentence.
        new[0].premises_fol[1] = "∀x (Bark(x))".to_owned();
        let row = with_bench(|bench| audited(&old, &new, bench)).remove(0);
        assert_eq!(Kind::of(&row), [Kind::Order, Kind::Formulas, Kind::Meaning]);
        let told: Vec<_> = row.formulas.iter().map(|f| (f.target.as_str(), f.relation)).collect();
        assert_eq!(told, [("premise[1]", Relation::Stronger)]);
    }

    #[test]
    fn a_row_in_another_split_is_moved_where_there_are_several() {
        let old: Vec<Record> = ["train", "train", "test"]
            .into_iter()
            .enumerate()
            .map(|(i, split)| {
                let mut record = record("Bark(rex)", "Bark(rex)", Label::True);
                record.premises[0] = format!("Story {i} is told at length.");
                record.split = split.to_owned();
                record
            })
            .collect();
        let mut new = old.clone();
        new[1].split = "test".to_owned();
        let kinds = |new: &[Record]| -> Vec<Vec<Kind>> {
            with_bench(|bench| audited(&old, new, bench)).iter().map(Kind::of).collect()
        };
        assert_eq!(kinds(&new), [vec![], vec![Kind::Split], vec![]]);
        // One split on each side is the same whatever it is called.
        let one = |name: &str| -> Vec<Record> {
            old.iter().cloned().map(|r| Record { split: name.to_owned(), ..r }).collect()
        };
        let all = with_bench(|bench| audited(&one("a"), &one("b"), bench));
        assert!(all.iter().all(|row| row.is_in_both() && Kind::of(row).is_empty()));
    }
}
