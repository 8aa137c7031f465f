//! An audit as a page that needs nothing else: no script, no font, no picture.

use minijinja::{AutoEscape, Environment, Error, Value};
use serde::Serialize;

use super::compare::{Audited, Judged};
use super::frame::{LABELS, Totals, label};
use super::kind::Kind;
use super::report::name;
use super::words::{Stretch, stretches};
use crate::explain::{POLICY, escaped};
use crate::page::STYLE;
use crate::record::{Grade, Record};

/// Rows that are listed one by one; a browser would not open a page of very many more.
const LISTED: usize = 2000;

const TEMPLATE: &str = include_str!("page.html");

/// The data of the page.
#[derive(Serialize)]
struct Page {
    old: String,
    new: String,
    counts: Vec<(String, usize)>,
    labels: [&'static str; 4],
    matrix: Vec<(&'static str, [usize; 4])>,
    sections: Vec<Section>,
    listed: usize,
    unlisted: usize,
    table: Option<String>,
}

/// Rows under one heading.
#[derive(Serialize)]
struct Section {
    heading: &'static str,
    count: usize,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    id: String,
    split: String,
    kinds: Vec<&'static str>,
    label_changed: bool,
    labels: (&'static str, &'static str),
    conclusion: String,
    confidence: String,
    aligned_by: &'static str,
    sentences: Vec<Change>,
    formulas: Vec<Change>,
    logic: Vec<(&'static str, String, String)>,
}

#[derive(Serialize)]
struct Change {
    target: String,
    relation: Option<&'static str>,
    stretches: Vec<Stretch>,
}

/// The page: counts, the matrix of labels, and every changed row with what changed in it, those with another label first.
/// `old` and `new` name the versions, `table` the file with all rows if one was written.
///
/// # Errors
/// Only where the page cannot be made for want of memory: what the data holds is no reason.
pub fn html(
    audited: &[Audited],
    totals: &Totals,
    (old_name, old): (&str, &[Record]),
    (new_name, new): (&str, &[Record]),
    table: Option<&str>,
) -> Result<String, Error> {
    let changed: Vec<(Vec<Kind>, &Audited)> =
        audited.iter().map(|row| (Kind::of(row), row)).filter(|(kinds, _)| !kinds.is_empty()).collect();
    let mut left = LISTED;
    type Belongs = fn(&[Kind]) -> bool;
    let groups: [(&'static str, Belongs); 3] = [
        ("Rows with another label", |kinds| kinds.contains(&Kind::Label)),
        ("Rows with formulas that say something else", |kinds| {
            kinds.contains(&Kind::Meaning) && !kinds.contains(&Kind::Label)
        }),
        ("Other changed rows", |kinds| !kinds.contains(&Kind::Meaning) && !kinds.contains(&Kind::Label)),
    ];
    let mut sections = Vec::new();
    for (heading, belongs) in groups {
        let all: Vec<&(Vec<Kind>, &Audited)> = changed.iter().filter(|(kinds, _)| belongs(kinds)).collect();
        if all.is_empty() {
            continue;
        }
        let rows: Vec<Row> = all.iter().take(left).map(|(kinds, audited)| row(kinds, audited, old, new)).collect();
        left -= rows.len();
        sections.push(Section { heading, count: all.len(), rows });
    }
    let page = Page {
        old: old_name.to_owned(),
        new: new_name.to_owned(),
        counts: totals.lines(),
        labels: LABELS,
        matrix: totals.matrix(),
        listed: LISTED,
        unlisted: changed.len().saturating_sub(LISTED),
        sections,
        table: table.map(str::to_owned),
    };
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    // The one way of escaping that every page shares.
    environment.set_formatter(|out, _, value| {
        let text = value.to_string();
        Ok(out.write_str(&if value.is_safe() { text } else { escaped(&text) })?)
    });
    environment.add_global("style", Value::from_safe_string(STYLE.to_owned()));
    environment.add_global("policy", Value::from_safe_string(POLICY.to_owned()));
    environment.add_template("page", TEMPLATE)?;
    environment.get_template("page")?.render(minijinja::value::Serde(page))
}

fn row(kinds: &[Kind], row: &Audited, old: &[Record], new: &[Record]) -> Row {
    let before = row.aligned.old.and_then(|i| old.get(i));
    let after = row.aligned.new.and_then(|j| new.get(j));
    let both = |of: &dyn Fn(&Record) -> String| match (before.map(of), after.map(of)) {
        (Some(a), Some(b)) if a != b => format!("{a} → {b}"),
        (a, b) => b.or(a).unwrap_or_default(),
    };
    let change = |target: &str, old: Option<&str>, new: Option<&str>, relation| Change {
        target: target.to_owned(),
        relation,
        stretches: stretches(old.unwrap_or_default(), new.unwrap_or_default()),
    };
    Row {
        id: both(&name),
        split: both(&|r| r.split.clone()),
        kinds: kinds.iter().map(|kind| kind.in_words()).collect(),
        label_changed: row.label_changed(),
        labels: (label(row.labels.0), label(row.labels.1)),
        conclusion: after.or(before).map(|r| r.conclusion.clone()).unwrap_or_default(),
        confidence: format!("{:.2}", row.aligned.confidence),
        aligned_by: row.aligned.by.as_str(),
        sentences: row.sentences.iter().map(|s| change(&s.target, s.old.as_deref(), s.new.as_deref(), None)).collect(),
        formulas: row
            .formulas
            .iter()
            .map(|f| change(&f.target, f.old.as_deref(), f.new.as_deref(), Some(f.relation.as_str())))
            .collect(),
        logic: logic(row.judged.0.as_ref(), row.judged.1.as_ref()),
    }
}

/// What logic says on both sides, line by line; lines that say nothing on either are left out.
fn logic(old: Option<&Judged>, new: Option<&Judged>) -> Vec<(&'static str, String, String)> {
    let used = |j: &Judged| {
        j.used_premises.as_ref().map(|used| used.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))
    };
    type Of<'a> = &'a dyn Fn(&Judged) -> Option<String>;
    let lines: [(&'static str, Of<'_>); 7] = [
        ("verdict", &|j| Some(j.verdict.to_string())),
        ("rests on", &|j| j.evidence.map(Grade::as_str).map(str::to_owned)),
        ("premises used", &used),
        ("premises alone", &|j| j.szs_consistency.clone()),
        ("premises ⊢ conclusion", &|j| j.szs_entails.clone()),
        ("premises ⊢ ¬conclusion", &|j| j.szs_refutes.clone()),
        ("reason", &|j| j.reason.clone()),
    ];
    let side = |side: Option<&Judged>, of: Of<'_>| match side {
        None => "no formulas".to_owned(),
        Some(judged) => of(judged).unwrap_or_else(|| "–".to_owned()),
    };
    lines
        .into_iter()
        .filter(|(_, of)| [old, new].into_iter().flatten().any(|judged| of(judged).is_some()))
        .map(|(name, of)| (name, side(old, of), side(new, of)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{Aligned, By};

    #[test]
    fn very_many_rows_are_not_all_listed() {
        let records: Vec<Record> =
            (0..LISTED + 2).map(|i| Record { conclusion: format!("<{i}>"), ..Record::default() }).collect();
        let aligned = |i| Aligned { old: Some(i), new: None, by: By::Nothing, confidence: 0.0 };
        let row = |i| Audited::unchanged(aligned(i), (None, None));
        let audited: Vec<Audited> = (0..records.len()).map(row).collect();
        let totals = Totals::of(&audited).unwrap();
        let page = |table| html(&audited, &totals, ("a & b", &records), ("c", &[]), table).unwrap();
        let told = page(Some("all.parquet"));
        assert_eq!(told.matches("<details").count(), LISTED);
        assert!(told.contains("There are 2 more: all of them stand in <code>all.parquet</code>."));
        assert!(told.contains("&lt;1999&gt;") && !told.contains("&lt;2000&gt;"));
        assert!(told.contains("<title>a &amp; b → c · refolio audit</title>"));
        assert!(told.contains("<h2>Other changed rows (2002)</h2>"));
        assert!(page(None).contains("<code>--out FILE.parquet</code> writes the table of all rows."));
    }
}
