//! The five columns of `folio-refined`, for programs that already read them.

use std::path::Path;

use super::draft::{Draft, Sealed};
use super::error::EmitError;
use crate::record::Row;

/// The header, as published.
pub const CSV_COLUMNS: [&str; 5] = ["nl premises", "fol premises", "nl conclusion", "fol conclusion", "label"];

/// Writes `<split>.csv`: row for row the rows of the Parquet file, as they leave, with their premises joined by line
/// breaks. What is null there is empty here, and a row that could not be read is a row of empty fields, so that the
/// n-th row is the same row in both.
///
/// A blank formula among the premises has no place in a block of lines: readers skip blank lines, and the row would read
/// as one with fewer premises, all of them in order. Such a row has no formulas here, of its premises or its conclusion.
pub(crate) struct CsvWriter {
    writer: csv::Writer<Draft>,
    path: std::path::PathBuf,
}

impl CsvWriter {
    pub(crate) fn create(dir: &Path, stem: &str) -> Result<Self, EmitError> {
        let draft = Draft::create(dir, &format!("{stem}.csv"))?;
        let path = draft.target().to_owned();
        let mut this = Self { writer: csv::Writer::from_writer(draft), path };
        this.record(&CSV_COLUMNS)?;
        Ok(this)
    }

    pub(crate) fn push(&mut self, rows: &[Row]) -> Result<(), EmitError> {
        rows.iter().try_for_each(|row| self.record(&fields(row)))
    }

    fn record<T: AsRef<[u8]>>(&mut self, fields: &[T; 5]) -> Result<(), EmitError> {
        self.writer.write_record(fields).map_err(|e| EmitError::write(&self.path, e.into()))
    }

    /// Adds a row of a file that was written by this writer.
    pub(crate) fn append(&mut self, row: &csv::ByteRecord) -> Result<(), EmitError> {
        self.writer.write_byte_record(row).map_err(|e| EmitError::write(&self.path, e.into()))
    }

    pub(crate) fn seal(self) -> Result<Sealed, EmitError> {
        let Self { writer, path } = self;
        writer.into_inner().map_err(|e| EmitError::write(&path, e.into_error()))?.seal()
    }
}

fn fields(row: &Row) -> [String; 5] {
    let conclusion_fol = row.conclusion_fol.as_deref().unwrap_or("");
    let label = row.label.map_or("", |label| label.as_str());
    csv_fields(&row.record.premises, &row.premises_fol, &row.record.conclusion, conclusion_fol, label)
}

/// What stands in the five columns, from the texts of a row as it leaves.
pub(crate) fn csv_fields(
    premises: &[String],
    premises_fol: &[String],
    conclusion: &str,
    conclusion_fol: &str,
    label: &str,
) -> [String; 5] {
    let has_blank = premises_fol.iter().any(|formula| formula.trim().is_empty());
    let (premises_fol, conclusion_fol) = if has_blank { (&[][..], "") } else { (premises_fol, conclusion_fol) };
    [joined(premises), joined(premises_fol), one_line(conclusion), one_line(conclusion_fol), label.to_owned()]
}

fn joined(texts: &[String]) -> String {
    texts.iter().map(|text| one_line(text)).collect::<Vec<_>>().join("\n")
}

/// A line break would count as another premise to every reader, so it becomes a space here; the Parquet file has the
/// text as it is.
fn one_line(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::testing::{odd_row, plain_row, unreadable_row};
    use crate::fol::{QuantifierScope, parse_with};
    use crate::ingest;

    fn written(rows: &[Row]) -> String {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = CsvWriter::create(dir.path(), "train").unwrap();
        writer.push(rows).unwrap();
        let path = writer.seal().unwrap().publish().unwrap();
        assert_eq!(path, dir.path().join("train.csv"));
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn five_columns_quoted_where_needed() {
        let mut row = odd_row("3", "train");
        row.conclusion_fol = None;
        insta::assert_snapshot!(written(&[plain_row("1", "train"), row, unreadable_row("4", "train")]), @r#"
        nl premises,fol premises,nl conclusion,fol conclusion,label
        "Every heron wades.
        Ida is a heron.","∀x (Heron(x) → Wades(x))
        Heron(ida)",Ida wades.,Wades(ida),True
        "Śmigły said ""naïve, 𝔘nicode"" and left.
        ",P(Ś) ⊕ 𝔘(x),,,Uncertain
        ,,,,
        "#);
    }

    #[test]
    fn it_reads_back() {
        let text = written(&[plain_row("1", "train"), odd_row("3", "train")]);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), CSV_COLUMNS);
        let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows[0][0].split('\n').collect::<Vec<_>>(), ["Every heron wades.", "Ida is a heron."]);
        assert_eq!(&rows[1][0], "Śmigły said \"naïve, 𝔘nicode\" and left.\n");
        assert_eq!(rows.len(), 2);
    }

    #[test]
    fn no_row_parses_from_here_that_does_not_parse_as_it_is() {
        let parses = |premises: &[String], conclusion: Option<&str>| {
            let mut all = premises.iter().map(String::as_str).chain(conclusion);
            conclusion.is_some() && all.all(|text| parse_with(text, QuantifierScope::Tight).reading().is_some())
        };
        let texts = ["P(a)", "", " ", "\u{a0}\n", "P(a", "P(a)\n∧ Q(a)", "P(a)\nQ(a)"];
        let mut lists: Vec<Vec<&str>> = vec![Vec::new()];
        for length in 0..3 {
            let longer: Vec<_> = lists.iter().filter(|l| l.len() == length).cloned().collect();
            lists.extend(longer.iter().flat_map(|l| texts.iter().map(|t| l.iter().copied().chain([*t]).collect())));
        }
        let mut rows = Vec::new();
        for premises in &lists {
            for conclusion in [None, Some("Q(a)"), Some(""), Some(" "), Some("Q(")] {
                let mut row = plain_row(&rows.len().to_string(), "train");
                row.record.premises = vec!["A sentence.".to_owned(); premises.len().max(1)];
                row.premises_fol = premises.iter().map(|&text| text.to_owned()).collect();
                row.conclusion_fol = conclusion.map(str::to_owned);
                rows.push(row);
            }
        }
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("train.csv");
        std::fs::write(&path, written(&rows)).unwrap();
        let read = ingest::read(&[ingest::Input::new(path)], &ingest::Options::default()).unwrap().records;
        assert_eq!(read.len(), rows.len());
        let mut both = 0;
        for (row, record) in rows.iter().zip(&read) {
            let before = parses(&row.premises_fol, row.conclusion_fol.as_deref());
            let after = parses(&record.premises_fol, record.conclusion_fol.as_deref());
            assert_eq!(after, before, "{:?} ⊢ {:?}", row.premises_fol, row.conclusion_fol);
            assert!(!after || record.premises_fol.len() == row.premises_fol.len());
            both += usize::from(after);
        }
        assert_eq!(both, 1 + 2 + 4 + 8, "every row of formulas that can be read, and no other");
    }

    #[test]
    fn line_breaks_inside_a_text_become_spaces() {
        assert_eq!(one_line("a\r\nb\rc\nd"), "a b c d");
    }
}
