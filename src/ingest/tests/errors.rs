use super::*;
use crate::ingest::ColumnMap;

fn plain_error(name: &str, content: impl AsRef<[u8]>) -> String {
    error_of(name, content, &Options::default())
}

#[test]
fn files_that_are_not_there_or_hold_nothing() {
    let folder = Folder::new();
    let missing = folder.0.path().join("none.jsonl");
    let error = read(&[Input::new(&missing)], &Options::default()).unwrap_err();
    assert!(matches!(&error, IngestError::Io { file, .. } if *file == missing), "{error}");
    assert!(
        matches!(read(&[Input::new(folder.0.path())], &Options::default()), Err(IngestError::Io { .. })),
        "a folder"
    );
    for (name, content) in
        [("a.jsonl", ""), ("a.jsonl", "\n \n"), ("a.json", "[]"), ("a.csv", "NL,FOL\n"), ("a.csv", "\u{feff}")]
    {
        let text = plain_error(name, content);
        assert_eq!(text, format!("{name}: the file holds no rows"));
    }
    assert_eq!(plain_error("a.jsonl.gz", gz(b"")), "a.jsonl.gz: the file holds no rows");
}

#[test]
fn archives_that_end_early() {
    // Rows that do not compress well, so that half the archive is half the rows.
    let rows: String = (0..2000)
        .map(|i| {
            format!("{{\"NL\": \"{}\", \"FOL\": \"P(a)\"}}\n", crate::record::sha256_hex(&[i as u8, (i >> 8) as u8]))
        })
        .collect();
    for (name, packed) in [("a.jsonl.gz", gz(rows.as_bytes())), ("a.jsonl.zst", zst(rows.as_bytes()))] {
        let text = plain_error(name, &packed[..packed.len() / 2]);
        assert!(text.starts_with(&format!("{name}: corrupt or truncated {} data: ", &name[8..])), "{text}");
    }
    let mut broken = gz(V2.as_bytes());
    let at = broken.len() - 6;
    broken[at] ^= 0xff;
    assert!(plain_error("a.gz", broken).starts_with("a.gz: corrupt or truncated gz data: "));
}

#[test]
fn formats_that_are_not_read() {
    insta::assert_snapshot!(
        plain_error("a.xlsx", b"PK\x03\x04\x00"),
        @"a.xlsx: a zip archive or a spreadsheet; expected JSONL, a JSON array, CSV or Parquet, as they are or packed as gz or zst"
    );
    assert!(plain_error("a.parquet", b"PAR1 not really").starts_with("a.parquet: not readable as Parquet: "));
    assert_eq!(plain_error("a.csv", b"NL,F\xd6L\nA,P(a)\n"), "a.csv:1: the header is not valid UTF-8");
}

#[test]
fn columns_that_are_missing() {
    insta::assert_snapshot!(
        plain_error("a.csv", "premises,premises-FOL,conclusion,conclusion_FOL,label\nA.,P(a),B.,P(b),True\n"),
        @"a.csv: no column `conclusion-FOL`, which dialect `folio-v2` needs; found `premises`, `premises-FOL`, `conclusion`, `conclusion_FOL`, `label`; is it `conclusion_FOL`?"
    );
    insta::assert_snapshot!(
        error_of("a.jsonl", r#"{"text": "A."}"#, &with_dialect(Dialect::Malls)),
        @"a.jsonl: no column `NL`, which dialect `malls` needs; found `text`"
    );
    insta::assert_snapshot!(
        plain_error("a.jsonl", V2.replace("\"label\"", "\"lable\"")),
        @"a.jsonl: no column `label`, which dialect `folio-v2` needs; found `story_id`, `premises`, `premises-FOL`, `conclusion`, `conclusion-FOL`, `lable`, `example_id`; is it `lable`?"
    );
    let columns = ColumnMap { label: Some("Gold".into()), ..ColumnMap::default() };
    insta::assert_snapshot!(
        error_of("a.csv", "premises,premises_fol,conclusion,conclusion_fol,gold\nA.,P(a),B.,P(b),True\n", &Options { columns, ..Options::default() }),
        @"a.csv: no column `Gold`, which `dataset.columns` needs; found `premises`, `premises_fol`, `conclusion`, `conclusion_fol`, `gold`; is it `gold`?"
    );
    assert_eq!(plain_error("a.csv", "NL,FOL,NL\nA,P(a),B\n"), "a.csv: column `NL` stands twice in the header");
}

#[test]
fn a_dataset_without_labels_is_read() {
    let dataset = read_plain("test.jsonl", V2.replace("\"label\"", "\"split\""));
    assert_eq!(diagnostics(&dataset), "");
    assert!(dataset.records.iter().all(|r| r.label.is_none() && r.label_text.is_none()));
}

#[test]
fn dialects_that_are_not_known() {
    insta::assert_snapshot!(
        plain_error("a.csv", "text,gold\nA,True\n"),
        @"a.csv: unrecognised dialect with the columns `text`, `gold`; known are `folio-v0`, `folio-v2`, `folio-refined`, `malls`, `proverqa`, `custom`, or name the columns in `dataset.columns`"
    );
    insta::assert_snapshot!(
        error_of("a.csv", "text,gold\nA,True\n", &with_dialect(Dialect::Custom)),
        @"a.csv: dialect `custom` needs at least `conclusion` or `conclusion_fol` in `dataset.columns`; found `text`, `gold`"
    );
    insta::assert_snapshot!(
        plain_error("a.jsonl", "{\n  \"NL\": \"A.\"\n}\n"),
        @"a.jsonl: none of its 3 rows can be read, so its dialect cannot be recognised; the first fault is a.jsonl:1:1: not valid JSON: EOF while parsing an object"
    );
}
