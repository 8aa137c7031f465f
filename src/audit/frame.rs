//! What changed, counted: everything comes from one frame with a row for each aligned pair.

use std::collections::BTreeMap;

use polars::prelude::{
    DataFrame, ExplodeOptions, IntoLazy as _, NamedFrom as _, PolarsResult, Series, by_name, col, df, lit,
};

use super::align::By;
use super::compare::Audited;
use super::kind::Kind;
use crate::frame::counted;
use crate::record::Label;

/// The word for a label, or for none.
pub(super) fn label(label: Option<Label>) -> &'static str {
    label.map_or("none", Label::as_str)
}

/// The labels of the matrix, in order.
pub(super) const LABELS: [&str; 4] = ["True", "False", "Uncertain", "none"];

/// What changed, counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Totals {
    /// Rows of both versions.
    pub both: usize,
    /// Rows that underwent each kind of change.
    pub kinds: BTreeMap<Kind, usize>,
    /// By relation, formulas that are not the same text.
    pub relations: BTreeMap<String, usize>,
    /// By what rows were aligned.
    pub aligned: BTreeMap<String, usize>,
    /// Rows of both versions by their labels, old and new.
    pub labels: BTreeMap<(String, String), usize>,
}

/// A row for each pair: where it is, by what it was aligned, both labels, its kinds of change and the relations of its
/// formulas, as lists.
fn frame(audited: &[Audited]) -> PolarsResult<DataFrame> {
    let texts = |of: &dyn Fn(&Audited) -> &'static str| audited.iter().map(of).collect::<Vec<_>>();
    let lists = |name: &str, of: &dyn Fn(&Audited) -> Vec<&'static str>| {
        let lists: Vec<Series> = audited.iter().map(|row| Series::new("".into(), of(row))).collect();
        Series::new(name.into(), lists)
    };
    let mut frame = df![
        "side" => texts(&|row| if row.is_in_both() { "both" } else { "one" }),
        "aligned_by" => texts(&|row| row.aligned.by.as_str()),
        "label_old" => texts(&|row| label(row.labels.0)),
        "label_new" => texts(&|row| label(row.labels.1)),
    ]?;
    let kinds = |row: &Audited| Kind::of(row).into_iter().map(Kind::as_str).collect();
    frame.with_column(lists("kinds", &kinds).into())?;
    let relations = |row: &Audited| row.formulas.iter().map(|f| f.relation.as_str()).collect();
    frame.with_column(lists("relations", &relations).into())?;
    Ok(frame)
}

impl Totals {
    /// Counts.
    ///
    /// # Errors
    /// Where the frame cannot be made or asked, as for want of memory.
    pub fn of(audited: &[Audited]) -> PolarsResult<Self> {
        let mut out = Self::default();
        if audited.is_empty() {
            return Ok(out);
        }
        let frame = frame(audited)?.lazy();
        let one = |found: Vec<([String; 1], usize)>| found.into_iter().map(|([key], n)| (key, n));
        let exploded = |column: &str| {
            let options = ExplodeOptions { empty_as_null: false, keep_nulls: false };
            let frame = frame.clone().select([col(column)]).explode(by_name([column], true, false), options);
            PolarsResult::Ok(one(counted(frame, [column])?))
        };
        let both = frame.clone().filter(col("side").eq(lit("both")));
        let kinds: BTreeMap<String, usize> = exploded("kinds")?.collect();
        out.kinds = Kind::ALL.into_iter().filter_map(|kind| Some((kind, *kinds.get(kind.as_str())?))).collect();
        out.relations = exploded("relations")?.collect();
        let aligned = frame.clone().filter(col("aligned_by").neq(lit(By::Nothing.as_str())));
        out.aligned = one(counted(aligned, ["aligned_by"])?).collect();
        out.labels = counted(both, ["label_old", "label_new"])?.into_iter().map(|([a, b], n)| ((a, b), n)).collect();
        out.both = out.labels.values().sum();
        Ok(out)
    }

    /// Rows that underwent a kind of change.
    #[must_use]
    pub fn kind(&self, kind: Kind) -> usize {
        self.kinds.get(&kind).copied().unwrap_or_default()
    }

    /// Every count with its name, in the order of tables.
    pub(super) fn lines(&self) -> Vec<(String, usize)> {
        let mut out = vec![("rows in both".to_owned(), self.both)];
        out.extend(Kind::ALL.map(|kind| (kind.in_words().to_owned(), self.kind(kind))));
        out.extend(self.relations.iter().map(|(name, n)| (format!("formulas: {name}"), *n)));
        out.extend(self.aligned.iter().map(|(name, n)| (format!("aligned by {name}"), *n)));
        out
    }

    /// The labels of rows of both versions: old in rows, new in columns; rows without any are left out.
    pub(super) fn matrix(&self) -> Vec<(&'static str, [usize; 4])> {
        let count =
            |old: &str, new: &str| self.labels.get(&(old.to_owned(), new.to_owned())).copied().unwrap_or_default();
        let rows = LABELS.map(|old| (old, LABELS.map(|new| count(old, new))));
        rows.into_iter().filter(|(_, n)| n.iter().sum::<usize>() > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{Aligned, FormulaChange, Relation};

    fn row(old: bool, new: bool, labels: (Option<Label>, Option<Label>)) -> Audited {
        let at = |is: bool| is.then_some(0);
        let by = if old && new { By::Text } else { By::Nothing };
        Audited::unchanged(Aligned { old: at(old), new: at(new), by, confidence: 1.0 }, labels)
    }

    #[test]
    fn counts() {
        let (yes, no) = (Some(Label::True), Some(Label::False));
        let mut changed = row(true, true, (yes, no));
        (changed.moved, changed.reordered, changed.premise_sentences) = (true, true, 2);
        for relation in [Relation::Equivalent, Relation::Weaker, Relation::Weaker] {
            changed.formulas.push(FormulaChange { target: String::new(), old: None, new: None, relation });
        }
        let all = [changed, row(true, true, (yes, yes)), row(true, true, (None, None)), row(false, true, (None, no))];
        let totals = Totals::of(&all).unwrap();
        assert_eq!(totals.both, 3);
        let kinds = [Kind::Added, Kind::Label, Kind::Split, Kind::Premises, Kind::Order, Kind::Formulas, Kind::Meaning];
        assert_eq!(totals.kinds, kinds.map(|kind| (kind, 1)).into());
        assert_eq!(totals.relations, [("equivalent", 1), ("weaker", 2)].map(|(k, n)| (k.to_owned(), n)).into());
        assert_eq!(totals.aligned, [("text".to_owned(), 3)].into());
        assert_eq!(totals.matrix(), [("True", [1, 1, 0, 0]), ("none", [0, 0, 0, 1])]);
        assert_eq!(Totals::of(&[]).unwrap(), Totals::default());
        let nothing = Totals::of(&all[1..2]).unwrap();
        assert_eq!((nothing.both, nothing.kinds.len(), nothing.relations.len()), (1, 0, 0));
    }
}
