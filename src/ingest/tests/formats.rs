use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, Int64Array, LargeListBuilder, LargeStringArray, LargeStringBuilder, ListBuilder, RecordBatch,
    StringArray, StringBuilder, StringViewArray,
};
use arrow::datatypes::{Int32Type, Schema};

use super::*;
use crate::ingest::{Compression, Format};
use crate::record::Record;

/// A Parquet file of these columns.
fn parquet(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    let fields: Vec<_> = columns
        .iter()
        .map(|(name, column)| arrow::datatypes::Field::new(*name, column.data_type().clone(), true))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(schema.clone(), columns.into_iter().map(|(_, column)| column).collect()).unwrap();
    let mut bytes = Vec::new();
    let mut writer = ::parquet::arrow::ArrowWriter::try_new(&mut bytes, schema, None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn lists(rows: &[&[&str]]) -> ArrayRef {
    let mut builder = ListBuilder::new(StringBuilder::new());
    for row in rows {
        builder.append_value(row.iter().map(|item| Some(*item)));
    }
    Arc::new(builder.finish())
}

fn large_lists(rows: &[&[&str]]) -> ArrayRef {
    let mut builder = LargeListBuilder::new(LargeStringBuilder::new());
    for row in rows {
        builder.append_value(row.iter().map(|item| Some(*item)));
    }
    Arc::new(builder.finish())
}

/// The records without what tells one format from another.
fn content(dataset: &Dataset) -> Vec<Record> {
    assert_eq!(diagnostics(dataset), "");
    dataset.records.iter().cloned().map(|record| Record { source: Default::default(), ..record }).collect()
}

const V2_CSV: &str = "story_id,premises,premises-FOL,conclusion,conclusion-FOL,label,example_id\r\n\
    3,\"All cats purr.\nTom is a cat.  \n\",\"∀x (Cat(x) → Purr(x))\n\nCat(tom)  \",Tom purrs.,Purr(tom),True,11\r\n\
    3,\"All cats purr.\r\nTom is a cat.\",\"∀x (Cat(x) → Purr(x))\nCat(tom)\",Tom barks.,Bark(tom) ,Uncertain,12\r\n";

fn v2_array() -> String {
    format!("[\n{}\n]\n", V2.trim_end().replace('\n', ",\n"))
}

pub(super) fn v2_parquet() -> Vec<u8> {
    parquet(vec![
        ("story_id", Arc::new(Int64Array::from(vec![3, 3]))),
        (
            "premises",
            Arc::new(StringArray::from(vec!["All cats purr.\nTom is a cat.  \n", "All cats purr.\nTom is a cat."])),
        ),
        (
            "premises-FOL",
            Arc::new(LargeStringArray::from(vec![
                "∀x (Cat(x) → Purr(x))\n\nCat(tom)  ",
                "∀x (Cat(x) → Purr(x))\nCat(tom)",
            ])),
        ),
        ("conclusion", Arc::new(StringViewArray::from(vec!["Tom purrs.", "Tom barks."]))),
        ("conclusion-FOL", Arc::new(StringArray::from(vec!["Purr(tom)", "Bark(tom) "]))),
        (
            "label",
            Arc::new(vec!["True", "Uncertain"].into_iter().collect::<arrow::array::DictionaryArray<Int32Type>>()),
        ),
        ("example_id", Arc::new(StringArray::from(vec!["11", "12"]))),
    ])
}

#[test]
fn every_format_gives_the_same_records() {
    let jsonl = read_plain("train.jsonl", V2);
    let expected = content(&jsonl);
    for (name, bytes, format) in [
        ("train.csv", V2_CSV.as_bytes().to_vec(), Format::Csv),
        ("train.json", v2_array().into_bytes(), Format::JsonArray),
        ("train.json", V2.as_bytes().to_vec(), Format::Jsonl),
        ("train.parquet", v2_parquet(), Format::Parquet),
    ] {
        let dataset = read_plain(name, &bytes);
        assert_eq!(content(&dataset), expected, "{name}");
        let file = &dataset.files[0];
        assert_eq!(
            (file.format, file.dialect, file.rows, file.bytes),
            (format, Dialect::FolioV2, 2, bytes.len() as u64)
        );
        assert_eq!(file.sha256, crate::record::sha256_hex(&bytes));
        let sniffed = read_plain("train", &bytes);
        assert_eq!(
            (sniffed.files[0].format, content(&sniffed)),
            (format, expected.clone()),
            "{name} without an ending"
        );
    }
}

#[test]
fn packed_files_and_byte_order_marks() {
    let expected = content(&read_plain("train.jsonl", V2));
    for (plain, bytes) in [
        ("train.jsonl", V2.as_bytes().to_vec()),
        ("train.csv", V2_CSV.as_bytes().to_vec()),
        ("train.parquet", v2_parquet()),
    ] {
        for (name, packed, compression) in [
            (format!("{plain}.gz"), gz(&bytes), Compression::Gz),
            (format!("{plain}.zst"), zst(&bytes), Compression::Zst),
            (plain.to_owned(), zst(&bytes), Compression::Zst),
            (format!("{plain}.gz"), bytes.clone(), Compression::None),
        ] {
            let dataset = read_plain(&name, &packed);
            assert_eq!(content(&dataset), expected, "{name}");
            assert_eq!(dataset.files[0].compression, compression);
            assert_eq!(dataset.files[0].sha256, crate::record::sha256_hex(&packed), "of the file as it lies on disk");
        }
    }
    for (name, text) in [("train.jsonl", V2), ("train.csv", V2_CSV), ("train.json", v2_array().as_str())] {
        let dataset = read_plain(name, format!("\u{feff}{text}"));
        assert_eq!(content(&dataset), expected, "{name} with a byte order mark");
    }
}

#[test]
fn parquet_lists_of_either_size() {
    let premises: [&[&str]; 2] = [&["A.", "B."], &["A."]];
    let formulas: [&[&str]; 2] = [&["", "P(b)"], &["P(a)"]];
    for (premises, formulas) in [(lists(&premises), lists(&formulas)), (large_lists(&premises), large_lists(&formulas))]
    {
        let bytes = parquet(vec![
            ("premises", premises),
            ("premises_fol", formulas),
            ("conclusion", Arc::new(StringArray::from(vec!["C.", "D."]))),
            ("conclusion_fol", Arc::new(StringArray::from(vec![None, Some("Q(a)")]))),
            ("label", Arc::new(StringArray::from(vec!["True", "False"]))),
        ]);
        let dataset = read_plain("train.parquet", bytes);
        assert_eq!(diagnostics(&dataset), "");
        assert_eq!(dataset.files[0].dialect, Dialect::FolioV0);
        assert_eq!(dataset.records[0].premises, ["A.", "B."]);
        assert_eq!(dataset.records[0].premises_fol, ["", "P(b)"]);
        assert_eq!(dataset.records[0].conclusion_fol, None, "null is no formula");
        assert_eq!((dataset.records[1].source.row, dataset.records[1].source.line), (1, None));
    }
}

#[test]
fn parquet_maps_of_sentences() {
    let mut map = arrow::array::MapBuilder::new(None, StringBuilder::new(), StringBuilder::new());
    map.keys().append_value("Tom purrs.");
    map.values().append_value("purrs(Tom)");
    map.append(true).unwrap();
    let bytes = parquet(vec![
        ("nl2fol", Arc::new(map.finish())),
        ("question", Arc::new(StringArray::from(vec!["Tom sleeps."]))),
        ("conclusion_fol", Arc::new(StringArray::from(vec!["sleeps(Tom)"]))),
    ]);
    let dataset = read_plain("x.parquet", bytes);
    assert_eq!(
        (dataset.records[0].premises.clone(), dataset.records[0].premises_fol.clone()),
        (vec!["Tom purrs.".to_owned()], vec!["purrs(Tom)".to_owned()])
    );
}

#[test]
fn a_bad_parquet_row_is_kept_as_json() {
    let bytes = parquet(vec![
        ("NL", Arc::new(StringArray::from(vec![Some("A."), None]))),
        ("FOL", Arc::new(StringArray::from(vec!["P(a)", "P(b)"]))),
    ]);
    let dataset = read_plain("m.parquet", bytes);
    insta::assert_snapshot!(diagnostics(&dataset), @"m.parquet row 1 error R106: the field `NL` is null");
    assert_eq!(dataset.records[1].raw.as_deref(), Some(br#"{"NL":null,"FOL":"P(b)"}"#.as_slice()));
    assert!(dataset.records[0].is_readable());
}

#[test]
fn several_files_share_a_split_and_keep_their_order() {
    let folder = Folder::new();
    let rows: Vec<_> = V2.lines().collect();
    let inputs = [
        Input { split: Some("all".into()), ..folder.write("b.jsonl", rows[1]) },
        Input { split: Some("all".into()), ..folder.write("a.jsonl", rows[0]) },
    ];
    let dataset = read(&inputs, &Options::default()).unwrap();
    let seen: Vec<_> =
        dataset.records.iter().map(|r| (r.split.as_str(), r.source.file.as_str(), r.record_id.as_str())).collect();
    assert_eq!(seen, [("all", "b.jsonl", "12"), ("all", "a.jsonl", "11")]);
    assert_eq!(dataset.files.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["b.jsonl", "a.jsonl"]);
}
