//! From a row's cells to a record.

use crate::record::{Label, Record, Source};

use super::dialect::Field;
use super::finding::Finding;
use super::layout::Layout;
use super::proverqa;
use super::row::RawRow;
use super::rules;
use super::value::{Fields, Value, field};

/// Whole numbers from here on (2⁵³) are not told apart by a float.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The record of a row, without its `record_id`, and what is wrong with it. A row that cannot be read keeps its text.
pub(super) fn record(row: &RawRow, layout: &Layout, split: &str, source: Source) -> (Record, Vec<Finding>) {
    let mut record = Record { split: split.to_owned(), source, ..Record::default() };
    let mut findings = Vec::new();
    let outcome = match &row.fields {
        Ok(fields) => Reading { fields, layout, record: &mut record, findings: &mut findings }.run(),
        Err(finding) => Err(finding.clone()),
    };
    if let Err(finding) = outcome {
        // Ids are no content: where they can be read they help to find the row.
        let Record { split, source, story_id, example_id, .. } = record;
        record = Record { split, source, story_id, example_id, raw: Some(row.raw()), ..Record::default() };
        findings = vec![finding];
    }
    (record, findings)
}

struct Reading<'a> {
    fields: &'a Fields,
    layout: &'a Layout,
    record: &'a mut Record,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Reading<'a> {
    fn run(mut self) -> Result<(), Finding> {
        self.record.example_id = self.id(Field::ExampleId)?;
        self.record.story_id = self.id(Field::StoryId)?;
        self.record.premises = self.premises(Field::Premises, |(sentence, _)| Ok(sentence))?;
        self.record.premises_fol = self.premises(Field::PremisesFol, |(sentence, formula)| match formula {
            Value::Text(formula) => Ok(formula),
            other => Err(format!("the formula of the sentence {sentence:?} is {}", other.kind())),
        })?;
        self.record.conclusion = self.conclusion()?;
        self.record.conclusion_fol = self.conclusion_fol()?;
        self.label()?;
        self.compare_counts();
        Ok(())
    }

    /// The column that holds a field, and its cell in this row.
    fn cell(&self, which: Field) -> Option<(&'a str, Option<&'a Value>)> {
        let column = self.layout.columns.get(which)?;
        Some((column, field(self.fields, column)))
    }

    /// An id as it came; blank is none.
    fn id(&self, which: Field) -> Result<Option<String>, Finding> {
        let Some((column, Some(value))) = self.cell(which) else { return Ok(None) };
        match value {
            Value::Null => Ok(None),
            Value::Text(text) if text.trim().is_empty() => Ok(None),
            Value::Text(text) | Value::Whole(text) => Ok(Some(text.clone())),
            Value::Float(number) if number.abs() < EXACT => Ok(Some(format!("{number:?}"))),
            Value::Float(_) => Err(bad(format!("the id in `{column}` is a number too large to be kept exactly"))
                .hint("give ids of this size as text")),
            other => Err(wrong_type(column, other, "a text or a number")),
        }
    }

    /// Premises or their formulas: a list as it stands, a text split into lines, or one side of an object.
    fn premises(
        &self,
        which: Field,
        side: impl Fn((String, Value)) -> Result<String, String>,
    ) -> Result<Vec<String>, Finding> {
        let Some((column, value)) = self.cell(which) else { return Ok(Vec::new()) };
        let value = present(column, value)?;
        let unpacked = match value {
            // An object in a format whose cells are texts.
            Value::Text(text) if self.holds_objects() => proverqa::from_text(text),
            _ => None,
        };
        match unpacked.as_ref().unwrap_or(value) {
            Value::Text(text) => Ok(lines(text)),
            Value::List(items) => items
                .iter()
                .enumerate()
                .map(|(i, item)| match item {
                    Value::Text(text) => Ok(text.clone()),
                    other => Err(bad(format!("item {i} of the field `{column}` is {}, expected a text", other.kind()))),
                })
                .collect(),
            Value::Object(entries) if self.holds_objects() => {
                entries.iter().cloned().map(&side).collect::<Result<_, _>>().map_err(bad)
            }
            other => Err(wrong_type(column, other, "a list of texts or one text")),
        }
    }

    /// Whether sentences and formulas of the premises share a column, which then maps one to the other.
    fn holds_objects(&self) -> bool {
        let columns = &self.layout.columns;
        columns.premises.is_some() && columns.premises == columns.premises_fol
    }

    fn conclusion(&self) -> Result<String, Finding> {
        let Some((column, value)) = self.cell(Field::Conclusion) else { return Ok(String::new()) };
        let text = single(column, present(column, value)?)?;
        Ok(if self.layout.framed_conclusion { proverqa::statement(text).to_owned() } else { text.to_owned() })
    }

    /// The conclusion's formula. Null says that there is none; a cell that is not there at all says nothing.
    fn conclusion_fol(&self) -> Result<Option<String>, Finding> {
        let Some((column, value)) = self.cell(Field::ConclusionFol) else { return Ok(None) };
        match value {
            None => Err(missing(column)),
            Some(Value::Null) => Ok(None),
            Some(Value::Text(text)) if self.layout.blank_is_null && text.trim().is_empty() => Ok(None),
            Some(value) => single(column, value).map(|text| Some(text.to_owned())),
        }
    }

    fn label(&mut self) -> Result<(), Finding> {
        let Some((column, value)) = self.cell(Field::Label) else { return Ok(()) };
        let text = match value.unwrap_or(&Value::Null) {
            Value::Null => None,
            Value::Text(text) => Some(text.clone()),
            Value::Bool(value) => Some(value.to_string()),
            Value::Whole(digits) => Some(digits.clone()),
            Value::Float(number) => Some(format!("{number:?}")),
            other => return Err(wrong_type(column, other, "a text")),
        };
        match text {
            Some(text) if !text.trim().is_empty() => {
                let options =
                    self.layout.options.map(|column| proverqa::options(self.fields, column)).unwrap_or_default();
                let word = proverqa::option(&text, &options).unwrap_or(&text);
                match word.parse::<Label>() {
                    Ok(label) => self.record.label = Some(label),
                    Err(unknown) => self.findings.push(
                        Finding::new(&rules::UNKNOWN_LABEL, unknown.to_string())
                            .hint("the record is verified and counts as unlabelled"),
                    ),
                }
                self.record.label_text = Some(text);
            }
            text => {
                self.findings.push(Finding::new(&rules::MISSING_LABEL, format!("no label in the field `{column}`")));
                self.record.label_text = text;
            }
        }
        Ok(())
    }

    fn compare_counts(&mut self) {
        let columns = &self.layout.columns;
        let (sentences, formulas) = (self.record.premises.len(), self.record.premises_fol.len());
        // A file without sentences, or without any formula, has nothing to compare.
        let annotated = columns.premises_fol.is_some() || columns.conclusion_fol.is_some();
        if columns.premises.is_none() || !annotated || sentences == formulas {
            return;
        }
        let mut message =
            format!("the premises have {} but {}", count(sentences, "sentence"), count(formulas, "formula"));
        let mut hint = if formulas == 0 {
            "without any premise's formula there is nothing to prove from; the record is not verified"
        } else {
            "formulas cannot be matched with sentences; the record is verified all the same"
        };
        // What a list's writer left behind, like a blank last line of a block: no sentence misses these.
        let is_blank = |formula: &String| formula.trim().is_empty();
        while self.record.premises_fol.len() > sentences && self.record.premises_fol.last().is_some_and(is_blank) {
            self.record.premises_fol.pop();
        }
        let left_out = formulas - self.record.premises_fol.len();
        if left_out > 0 {
            message.push_str(&format!(", {left_out} of them empty and at the end"));
            hint = "the empty end is left out";
        }
        self.findings.push(Finding::new(&rules::UNEQUAL_COUNTS, message).hint(hint));
    }
}

/// The value of a field that must be there.
fn present<'a>(column: &str, value: Option<&'a Value>) -> Result<&'a Value, Finding> {
    match value {
        None => Err(missing(column)),
        Some(Value::Null) => Err(bad(format!("the field `{column}` is null"))),
        Some(value) => Ok(value),
    }
}

/// The lines of a block of joined premises: trimmed, without blank ones.
fn lines(block: &str) -> Vec<String> {
    block.split('\n').map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// A text, or the only text of a list.
fn single<'a>(column: &str, value: &'a Value) -> Result<&'a str, Finding> {
    match value {
        Value::Text(text) => Ok(text),
        Value::List(items) => match items.as_slice() {
            [Value::Text(text)] => Ok(text),
            _ => {
                Err(bad(format!("the field `{column}` is a list of {}, expected one text", count(items.len(), "item"))))
            }
        },
        other => Err(wrong_type(column, other, "a text")),
    }
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn bad(message: impl Into<String>) -> Finding {
    Finding::new(&rules::BAD_FIELD, message)
}

fn missing(column: &str) -> Finding {
    bad(format!("the field `{column}` is missing"))
}

fn wrong_type(column: &str, value: &Value, expected: &str) -> Finding {
    bad(format!("the field `{column}` is {}, expected {expected}", value.kind()))
}
