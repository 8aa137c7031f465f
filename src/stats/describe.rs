//! Distributions and counts, from lazy frames.

use std::collections::BTreeMap;

use polars::prelude::{
    DataFrame, IntoLazy as _, LazyFrame, NamedFrom as _, PolarsResult, QuantileMethod, Series, col, df, lit,
};
use serde::Serialize;

use super::gather::{Measured, OPERATORS, Role, Story};
use crate::frame::{counted, totalled};
use crate::record::{Label, Record};

/// How a whole number is distributed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Distribution {
    /// How many values there are.
    pub count: usize,
    /// The least.
    pub min: f64,
    /// Half of them are at most this; between two, the middle.
    pub median: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// 95 % of them are at most this; between two, the share of the way.
    pub p95: f64,
    /// The greatest.
    pub max: f64,
}

/// Something that is measured, in every split that has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measure {
    /// What, with its unit.
    pub name: &'static str,
    /// By split.
    pub splits: BTreeMap<String, Distribution>,
    /// Over all splits.
    pub all: Distribution,
}

/// How often an operator occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Operator {
    /// Its sign. A quantifier counts once for each variable.
    pub sign: &'static str,
    /// How often.
    pub count: usize,
    /// In how many formulas.
    pub formulas: usize,
}

/// What is counted in a split.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct SplitStats {
    /// Its name.
    pub split: String,
    /// Rows, unreadable ones included.
    pub rows: usize,
    /// Rows that could not be read as records.
    pub unreadable: usize,
    /// Stories: records that share an id of the dataset, where there is one, and all premises. Records without premises are
    /// of none.
    pub stories: usize,
    /// Rows by label, in the order True, False, Uncertain, none.
    pub labels: BTreeMap<&'static str, usize>,
    /// Formulas: those of premises once a story, those of conclusions once a record.
    pub formulas: usize,
    /// Those that have a reading as they came.
    pub formulas_read: usize,
    /// Records that have formulas.
    pub formalised: usize,
    /// Those of them whose formulas all have a reading as they came.
    pub read: usize,
    /// In formulas that have a reading.
    pub operators: Vec<Operator>,
}

/// The words for labels, in the order of tables.
pub(super) const LABELS: [&str; 4] = ["True", "False", "Uncertain", "none"];

/// Frames with a row for each record, sentence, formula and story.
pub(super) struct Frames {
    rows: DataFrame,
    asked: DataFrame,
    sentences: DataFrame,
    formulas: DataFrame,
    stories: DataFrame,
}

impl Frames {
    pub(super) fn of(records: &[Record], stories: &[Story]) -> PolarsResult<Self> {
        let split = |story: &Story| {
            let first = story.records.first().and_then(|asked| records.get(asked.record));
            first.map_or("", |record| record.split.as_str())
        };
        let rows = df![
            "split" => records.iter().map(|r| r.split.as_str()).collect::<Vec<_>>(),
            "label" => records.iter().map(|r| r.label.map_or("none", Label::as_str)).collect::<Vec<_>>(),
            "unreadable" => records.iter().map(|r| !r.is_readable()).collect::<Vec<_>>(),
        ]?;
        let asked = || stories.iter().flat_map(|story| story.records.iter().map(move |asked| (split(story), asked)));
        let asked = df![
            "split" => asked().map(|(split, _)| split).collect::<Vec<_>>(),
            "formalised" => asked().map(|(_, asked)| asked.formalised).collect::<Vec<_>>(),
            "read" => asked().map(|(_, asked)| asked.formalised && asked.read).collect::<Vec<_>>(),
        ]?;
        let said = || stories.iter().flat_map(|story| story.sentences.iter().map(move |said| (split(story), said)));
        let sentences = df![
            "split" => said().map(|(split, _)| split).collect::<Vec<_>>(),
            "role" => said().map(|(_, (role, _))| role.as_str()).collect::<Vec<_>>(),
            "characters" => said().map(|(_, (_, length))| length.characters).collect::<Vec<_>>(),
            "words" => said().map(|(_, (_, length))| length.words).collect::<Vec<_>>(),
        ]?;
        Ok(Self { rows, asked, sentences, formulas: formulas(stories, split)?, stories: of_stories(stories, split)? })
    }

    /// Every measure that something was measured of, in the order of tables.
    pub(super) fn measures(&self) -> PolarsResult<Vec<Measure>> {
        let (sentences, formulas, stories) =
            (self.sentences.clone().lazy(), self.formulas.clone().lazy(), self.stories.clone().lazy());
        let of = |frame: &LazyFrame, role: Role| frame.clone().filter(col("role").eq(lit(role.as_str())));
        let (p, c) = (Role::Premise, Role::Conclusion);
        let all = [
            ("premise sentence, characters", of(&sentences, p), "characters"),
            ("premise sentence, words", of(&sentences, p), "words"),
            ("conclusion sentence, characters", of(&sentences, c), "characters"),
            ("conclusion sentence, words", of(&sentences, c), "words"),
            ("premise formula, characters", of(&formulas, p), "characters"),
            ("premise formula, words", of(&formulas, p), "words"),
            ("conclusion formula, characters", of(&formulas, c), "characters"),
            ("conclusion formula, words", of(&formulas, c), "words"),
            ("quantifier depth of a premise", of(&formulas, p), "depth"),
            ("quantifier depth of a conclusion", of(&formulas, c), "depth"),
            ("quantifiers of a premise", of(&formulas, p), "quantifiers"),
            ("quantifiers of a conclusion", of(&formulas, c), "quantifiers"),
            ("premises of a story", stories.clone(), "premises"),
            ("records of a story", stories.clone(), "records"),
            ("predicates of a story", stories.clone(), "predicates"),
            ("predicates of arity 0", stories.clone(), "arity 0"),
            ("predicates of arity 1", stories.clone(), "arity 1"),
            ("predicates of arity 2", stories.clone(), "arity 2"),
            ("predicates of arity 3 and more", stories.clone(), "arity 3"),
            ("functions of a story", stories.clone(), "functions"),
            ("constants of a story", stories, "constants"),
        ];
        let mut out = Vec::new();
        for (name, frame, column) in all {
            let over_all = distributions(frame.clone().with_column(lit("").alias("split")), column)?;
            let Some(over_all) = over_all.into_values().next() else { continue };
            out.push(Measure { name, splits: distributions(frame, column)?, all: over_all });
        }
        Ok(out)
    }

    /// The counts of every split, by name.
    pub(super) fn splits(&self) -> PolarsResult<Vec<SplitStats>> {
        let mut out: BTreeMap<String, SplitStats> = BTreeMap::new();
        for ([split, label], n) in counted(self.rows.clone().lazy(), ["split", "label"])? {
            let stats = out.entry(split.clone()).or_default();
            stats.split = split;
            stats.rows += n;
            if let Some(label) = LABELS.into_iter().find(|known| *known == label) {
                stats.labels.insert(label, n);
            }
        }
        let mut note = |frame: &DataFrame, value, to: fn(&mut SplitStats) -> &mut usize| -> PolarsResult<()> {
            for ([split], n) in totalled(frame.clone().lazy(), ["split"], value)? {
                if let Some(stats) = out.get_mut(&split) {
                    *to(stats) = n;
                }
            }
            Ok(())
        };
        note(&self.rows, col("unreadable").sum(), |s| &mut s.unreadable)?;
        note(&self.stories, col("premises").count(), |s| &mut s.stories)?;
        note(&self.formulas, col("read").count(), |s| &mut s.formulas)?;
        note(&self.formulas, col("read").sum(), |s| &mut s.formulas_read)?;
        note(&self.asked, col("formalised").sum(), |s| &mut s.formalised)?;
        note(&self.asked, col("read").sum(), |s| &mut s.read)?;
        for sign in OPERATORS {
            let frame = self.formulas.clone().lazy();
            let counts: BTreeMap<String, usize> =
                totalled(frame.clone(), ["split"], col(sign).sum())?.into_iter().map(|([s], n)| (s, n)).collect();
            for ([split], formulas) in totalled(frame, ["split"], col(sign).gt(lit(0)).sum())? {
                let count = counts.get(&split).copied().unwrap_or_default();
                if let Some(stats) = out.get_mut(&split) {
                    stats.operators.push(Operator { sign, count, formulas });
                }
            }
        }
        Ok(out.into_values().collect())
    }
}

fn formulas<'s>(stories: &[Story], split: impl Fn(&Story) -> &'s str + Copy) -> PolarsResult<DataFrame> {
    let all = || stories.iter().flat_map(|story| story.formulas.iter().map(move |formula| (split(story), formula)));
    let numbers = |of: &dyn Fn(&Measured) -> Option<u32>| all().map(|(_, f)| of(f)).collect::<Vec<_>>();
    let mut frame = df![
        "split" => all().map(|(split, _)| split).collect::<Vec<_>>(),
        "role" => all().map(|(_, f)| f.role.as_str()).collect::<Vec<_>>(),
        "characters" => numbers(&|f| Some(f.length.characters)),
        "words" => numbers(&|f| Some(f.length.words)),
        "read" => all().map(|(_, f)| f.tree.is_some()).collect::<Vec<_>>(),
        "depth" => numbers(&|f| f.tree.map(|tree| tree.depth)),
        "quantifiers" => numbers(&|f| f.tree.map(|tree| tree.quantifiers)),
    ]?;
    for (i, sign) in OPERATORS.into_iter().enumerate() {
        let counts = numbers(&|f| f.tree.and_then(|tree| tree.operators.get(i).copied()));
        frame.with_column(Series::new(sign.into(), counts).into())?;
    }
    Ok(frame)
}

fn of_stories<'s>(stories: &[Story], split: impl Fn(&Story) -> &'s str + Copy) -> PolarsResult<DataFrame> {
    let all = || stories.iter().filter(|story| story.premises > 0);
    let numbers = |of: &dyn Fn(&Story) -> Option<u32>| all().map(of).collect::<Vec<_>>();
    let arity = |i: usize| numbers(&|s| s.signature.and_then(|signature| signature.predicates.get(i).copied()));
    df![
        "split" => all().map(split).collect::<Vec<_>>(),
        "premises" => numbers(&|s| Some(s.premises)),
        "records" => numbers(&|s| u32::try_from(s.records.len()).ok()),
        "predicates" => numbers(&|s| Some(s.signature?.predicates.iter().sum())),
        "arity 0" => arity(0),
        "arity 1" => arity(1),
        "arity 2" => arity(2),
        "arity 3" => arity(3),
        "functions" => numbers(&|s| Some(s.signature?.functions)),
        "constants" => numbers(&|s| Some(s.signature?.constants)),
    ]
}

/// The distribution of a column in every split that has a value in it.
fn distributions(frame: LazyFrame, column: &str) -> PolarsResult<BTreeMap<String, Distribution>> {
    let value = || col(column).cast(polars::prelude::DataType::Float64);
    let found = frame
        .filter(col(column).is_not_null())
        .group_by([col("split")])
        .agg([
            value().count().cast(polars::prelude::DataType::UInt64).alias("count"),
            value().min().alias("min"),
            value().median().alias("median"),
            value().mean().alias("mean"),
            value().quantile(lit(0.95), QuantileMethod::Linear).alias("p95"),
            value().max().alias("max"),
        ])
        .collect()?;
    let numbers = |name: &str| found.column(name).and_then(|c| c.f64().cloned());
    let (splits, counts) = (found.column("split")?.str()?, found.column("count")?.u64()?);
    let (min, median, mean, p95, max) =
        (numbers("min")?, numbers("median")?, numbers("mean")?, numbers("p95")?, numbers("max")?);
    let mut out = BTreeMap::new();
    for row in 0..found.height() {
        let (Some(split), Some(count)) = (splits.get(row), counts.get(row)) else { continue };
        let (Some(min), Some(median), Some(mean)) = (min.get(row), median.get(row), mean.get(row)) else { continue };
        let (Some(p95), Some(max)) = (p95.get(row), max.get(row)) else { continue };
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        out.insert(split.to_owned(), Distribution { count, min, median, mean, p95, max });
    }
    Ok(out)
}
