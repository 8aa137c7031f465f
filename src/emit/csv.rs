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

    pub(crate) fn seal(self) -> Result<Sealed, EmitError> {
        let Self { writer, path } = self;
        writer.into_inner().map_err(|e| EmitError::write(&path, e.into_error()))?.seal()
    }
}

fn fields(row: &Row) -> [String; 5] {
    [
        joined(&row.record.premises),
        joined(&row.premises_fol),
        one_line(&row.record.conclusion),
        one_line(row.conclusion_fol.as_deref().unwrap_or("")),
        row.record.label.map_or("", |label| label.as_str()).to_owned(),
    ]
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
    fn line_breaks_inside_a_text_become_spaces() {
        assert_eq!(one_line("a\r\nb\rc\nd"), "a b c d");
    }
}
