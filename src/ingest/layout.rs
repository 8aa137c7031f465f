//! Which column of one file holds which field, once its columns are known.

use std::path::Path;

use super::dialect::{Column, ColumnMap, Dialect, Field, columns_of, recognise};
use super::error::IngestError;
use super::file::Format;
use super::input::Options;
use super::row::RawRow;
use super::value::{Value, field, repeated_name};

/// How alike two names must be (Jaro-Winkler, from 0 to 1) for one to be proposed for the other.
const ALIKE: f64 = 0.75;
/// How many letters may differ (Damerau-Levenshtein) for a column to be a misspelling of another.
const MISSPELT: usize = 2;

/// How the rows of one file become records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// The dialect.
    pub(super) dialect: Dialect,
    /// The column of each field that the file has.
    pub(super) columns: ColumnMap,
    /// Whether the conclusion's sentence is inside a question of the dialect's own wording.
    pub(super) framed_conclusion: bool,
    /// The column of the options that the label is a letter of.
    pub(super) options: Option<&'static str>,
    /// Whether an empty cell means nothing rather than an empty text: a CSV cannot tell the two apart.
    pub(super) blank_is_null: bool,
}

/// What the first rows of a file show.
pub(super) struct Sample<'a> {
    /// The file.
    pub(super) file: &'a Path,
    /// Its format.
    pub(super) format: Format,
    /// Its header, for formats that have one.
    pub(super) header: Option<Vec<String>>,
    /// Its first rows.
    pub(super) rows: &'a [RawRow],
}

impl Sample<'_> {
    /// The columns in order: those of the header, else those of all rows.
    fn columns(&self) -> Vec<String> {
        if let Some(header) = &self.header {
            return header.clone();
        }
        let mut columns: Vec<String> = Vec::new();
        for (name, _) in self.rows.iter().filter_map(|row| row.fields.as_ref().ok()).flatten() {
            if !columns.contains(name) {
                columns.push(name.clone());
            }
        }
        columns
    }

    /// Whether the first premises given are a list.
    fn has_lists(&self, column: &str) -> bool {
        let values = self.rows.iter().filter_map(|row| field(row.fields.as_ref().ok()?, column));
        values.filter(|value| **value != Value::Null).map(|value| matches!(value, Value::List(_))).next() == Some(true)
    }

    /// Finds the layout of the file, or says what is missing.
    pub(super) fn layout(&self, options: &Options) -> Result<Layout, IngestError> {
        let found = self.columns();
        let named = &options.columns;
        let names_conclusion = named.conclusion.is_some() || named.conclusion_fol.is_some();
        let premises = named.premises.as_deref().unwrap_or("premises");
        let dialect = match options.dialect.or_else(|| recognise(&found, self.has_lists(premises))) {
            Some(dialect) => dialect,
            None if found.is_empty() => return Err(self.no_readable_row()),
            None if names_conclusion => Dialect::Custom,
            None => return Err(IngestError::UnrecognisedDialect { file: self.file.to_owned(), found }),
        };
        if dialect == Dialect::Custom && !names_conclusion {
            return Err(IngestError::UnmappedConclusion { file: self.file.to_owned(), found });
        }
        let known = columns_of(dialect, &found);
        let mut columns = ColumnMap::default();
        for field in Field::ALL {
            let known = known.iter().find(|column| column.field == field);
            columns.set(field, self.column(named.get(field), known, dialect, &found)?);
        }
        Ok(Layout {
            dialect,
            columns,
            framed_conclusion: dialect == Dialect::ProverQa && named.conclusion.is_none(),
            options: (dialect == Dialect::ProverQa && named.label.is_none()).then_some("options"),
            blank_is_null: self.format == Format::Csv,
        })
    }

    /// The name that a field's column has in this file. Where no row can be read there is nothing to check against.
    fn column(
        &self,
        named: Option<&str>,
        known: Option<&Column>,
        dialect: Dialect,
        found: &[String],
    ) -> Result<Option<String>, IngestError> {
        let (names, required, needed_by) = match (named, known) {
            (Some(name), _) => (vec![name], true, "`dataset.columns`".to_owned()),
            (None, Some(column)) => (column.names.to_vec(), column.required, format!("dialect `{dialect}`")),
            (None, None) => return Ok(None),
        };
        if let Some(name) = names.iter().find(|name| found.iter().any(|column| column == *name)) {
            self.refuse_repeated(name)?;
            return Ok(Some((*name).to_owned()));
        }
        let Some(wanted) = names.first() else { return Ok(None) };
        if found.is_empty() {
            return Ok(required.then(|| (*wanted).to_owned()));
        }
        let is_label = known.is_some_and(|column| column.field == Field::Label);
        let misspelt = is_label && found.iter().any(|column| is_misspelt(column, wanted));
        if required || misspelt {
            return Err(IngestError::MissingColumn {
                file: self.file.to_owned(),
                column: (*wanted).to_owned(),
                needed_by,
                found: found.to_vec(),
                nearest: nearest(wanted, found),
            });
        }
        Ok(None)
    }

    fn refuse_repeated(&self, column: &str) -> Result<(), IngestError> {
        let header = self.header.iter().flatten().map(String::as_str);
        match repeated_name(header.filter(|name| *name == column)) {
            None => Ok(()),
            Some(column) => Err(IngestError::RepeatedColumn { file: self.file.to_owned(), column: column.to_owned() }),
        }
    }

    fn no_readable_row(&self) -> IngestError {
        let name = self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy().into_owned();
        let first = self.rows.iter().find_map(|row| {
            let source =
                crate::record::Source { file: name.clone(), row: row.index, line: row.line, ..Default::default() };
            let finding = row.fields.as_ref().err()?;
            Some(format!("{}: {}", finding.place(&source), finding.message))
        });
        match first {
            Some(first) => {
                IngestError::NoReadableRow { file: self.file.to_owned(), rows: self.rows.len() as u64, first }
            }
            // Only objects without a single field.
            None => IngestError::UnrecognisedDialect { file: self.file.to_owned(), found: Vec::new() },
        }
    }
}

/// Whether a column that should hold labels was meant, though it is spelt otherwise.
fn is_misspelt(column: &str, wanted: &str) -> bool {
    strsim::damerau_levenshtein(&column.to_lowercase(), wanted) <= MISSPELT
}

/// The column whose name is most like `wanted`, if any is.
fn nearest(wanted: &str, found: &[String]) -> Option<String> {
    let fold = |name: &str| name.to_lowercase().replace(['-', ' '], "_");
    let likeness = |column: &String| strsim::jaro_winkler(&fold(column), &fold(wanted));
    found
        .iter()
        .map(|column| (likeness(column), column))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        // The first of equals, in the order of the columns.
        .reduce(|best, other| if other.0 > best.0 { other } else { best })
        .map(|(_, column)| column.clone())
}
