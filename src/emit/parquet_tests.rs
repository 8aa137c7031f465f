use std::fs::{self, File};
use std::io;

use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use ::parquet::basic::Compression;
use ::parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use ::parquet::file::reader::{FileReader as _, SerializedFileReader};
use arrow::array::{Array, AsArray as _};
use arrow::datatypes::{DataType, Float64Type, Int32Type, Int64Type};
use serde_json::Map;

use super::*;
use crate::diagnostic::{Applicability, EditKind, Fix, Severity, Span, TextEdit};
use crate::emit::testing::{diagnostic, expected_json, odd_row, plain_row, repaired_row, rows, unreadable_row};
use crate::emit::testing_run::run_info;
use crate::record::hex;

/// The value at `i`, lists and structs included; bytes in hexadecimal.
fn value(array: &dyn Array, i: usize) -> Value {
    if array.is_null(i) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Utf8 => json!(array.as_string::<i32>().value(i)),
        DataType::Int32 => json!(array.as_primitive::<Int32Type>().value(i)),
        DataType::Int64 => json!(array.as_primitive::<Int64Type>().value(i)),
        DataType::Float64 => json!(array.as_primitive::<Float64Type>().value(i)),
        DataType::Binary => json!(hex(array.as_binary::<i32>().value(i))),
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(i);
            Value::Array((0..items.len()).map(|k| value(&items, k)).collect())
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            Value::Object(
                fields.iter().zip(columns).map(|(f, c)| (f.name().clone(), value(c, i))).collect::<Map<_, _>>(),
            )
        }
        other => panic!("no column has the type {other}"),
    }
}

fn read(path: &Path) -> Vec<Value> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    assert!(reader.schema().fields() == schema().fields(), "the schema, descriptions included, is read back");
    let mut rows = Vec::new();
    for batch in reader.build().unwrap() {
        let batch = batch.unwrap();
        for i in 0..batch.num_rows() {
            let columns = batch.schema_ref().fields().iter().zip(batch.columns());
            rows.push(Value::Object(columns.map(|(f, c)| (f.name().clone(), value(c, i))).collect()));
        }
    }
    rows
}

fn footer(path: &Path) -> ParquetMetaData {
    SerializedFileReader::new(File::open(path).unwrap()).unwrap().metadata().clone()
}

fn train() -> Vec<Row> {
    rows().into_iter().filter(|row| row.record.split == "train").collect()
}

fn write(dir: &Path, rows: &[Row], limits: Limits, pieces: usize) -> PathBuf {
    let table = TableWriter::create(dir, "train.parquet", schema()).unwrap();
    let mut writer = SplitWriter { rows: RowSink::new(table, "train", limits) };
    rows.chunks(pieces).for_each(|piece| writer.push(piece).unwrap());
    writer.finish(&run_info()).unwrap()
}

const TINY: Limits = Limits { batch_rows: 2, group_rows: 5, ..Limits::DEFAULT };

#[test]
fn every_column_of_every_row_round_trips() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = SplitWriter::create(dir.path(), "train").unwrap();
    writer.push(&train()).unwrap();
    let path = writer.finish(&run_info()).unwrap();
    assert_eq!(path, dir.path().join("train.parquet"));
    let (found, expected) = (read(&path), train().iter().map(expected_json).collect::<Vec<_>>());
    for (found, expected) in found.iter().zip(&expected) {
        for (column, value) in expected.as_object().unwrap() {
            assert_eq!(&found[column], value, "{column} of row {}", expected["record_id"]);
        }
        assert_eq!(found.as_object().unwrap().len(), expected.as_object().unwrap().len());
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn every_column_has_a_value_somewhere_or_is_known_to_be_empty_yet() {
    let rows: Vec<_> = rows().iter().map(expected_json).collect();
    let empty = |v: &Value| v.is_null() || v.as_array().is_some_and(Vec::is_empty);
    let unused: Vec<_> = schema()
        .fields()
        .iter()
        .map(|field| field.name().clone())
        .filter(|name| rows.iter().all(|row| empty(&row[name])))
        .collect();
    assert_eq!(unused, [""; 0]);
}

#[test]
fn the_same_rows_give_the_same_bytes_however_they_are_pushed() {
    let dir = tempfile::tempdir().unwrap();
    let rows: Vec<_> = (0..23).map(|i| odd_row(&i.to_string(), "train")).collect();
    let bytes = |pieces| fs::read(write(dir.path(), &rows, TINY, pieces)).unwrap();
    let first = bytes(1);
    for pieces in [1, 2, 3, 7, 23] {
        assert!(bytes(pieces) == first, "pieces of {pieces}");
    }
    let mut other = rows.clone();
    other.swap(3, 4);
    assert!(fs::read(write(dir.path(), &other, TINY, 5)).unwrap() != first);
}

#[test]
fn row_groups_end_where_the_limit_says() {
    let dir = tempfile::tempdir().unwrap();
    let sizes = |rows: usize, limits| {
        let rows: Vec<_> = (0..rows).map(|i| plain_row(&i.to_string(), "train")).collect();
        let path = write(dir.path(), &rows, limits, 3);
        let found: Vec<_> = read(&path).iter().map(|row| row["record_id"].clone()).collect();
        assert_eq!(found, rows.iter().map(|row| json!(row.record.record_id)).collect::<Vec<_>>());
        footer(&path).row_groups().iter().map(RowGroupMetaData::num_rows).collect::<Vec<_>>()
    };
    assert_eq!(sizes(0, TINY), [0; 0]);
    assert_eq!(sizes(4, TINY), [4]);
    assert_eq!(sizes(5, TINY), [5]);
    assert_eq!(sizes(6, TINY), [5, 1]);
    assert_eq!(sizes(11, TINY), [5, 5, 1]);
    // By bytes: every batch of one row is beyond the limit of a group.
    assert_eq!(sizes(3, Limits { batch_bytes: 1, group_bytes: 1, ..Limits::DEFAULT }), [1, 1, 1]);
    assert_eq!(sizes(9000, Limits::DEFAULT), [8192, 808]);
}

#[test]
fn the_footer_says_what_made_the_file_and_nothing_about_the_machine() {
    let dir = tempfile::tempdir().unwrap();
    let info = run_info();
    let path = write(dir.path(), &train(), Limits::DEFAULT, 4);
    let footer = footer(&path);
    let file = footer.file_metadata();
    assert_eq!(file.created_by(), Some(concat!("refolio version ", env!("CARGO_PKG_VERSION"))));
    assert_eq!(file.version(), 1);
    let entries = file.key_value_metadata().unwrap();
    let get = |key: &str| entries.iter().find(|e| e.key == key).and_then(|e| e.value.clone()).unwrap();
    let keys: Vec<_> = entries.iter().map(|e| e.key.as_str()).collect();
    assert_eq!(
        keys,
        [
            "ARROW:schema",
            "refolio.version",
            "refolio.schema_version",
            "refolio.config",
            "refolio.config_sha256",
            "refolio.fixes",
            "refolio.inputs",
            "refolio.prover",
            "refolio.counts"
        ]
    );
    assert_eq!(get("refolio.version"), "0.0.0");
    assert_eq!(get("refolio.schema_version"), "4");
    assert_eq!(crate::record::sha256_hex(get("refolio.config").as_bytes()), get("refolio.config_sha256"));
    let json = |key: &str| serde_json::from_str::<Value>(&get(key)).unwrap();
    assert_eq!(json("refolio.inputs"), serde_json::to_value(&info.inputs[..1]).unwrap(), "this split's inputs only");
    assert_eq!(json("refolio.prover")["origin"], "bundled");
    assert_eq!(json("refolio.counts")["rows"], train().len());
    for group in footer.row_groups() {
        for column in group.columns() {
            assert!(matches!(column.compression(), Compression::ZSTD(_)), "{}", column.column_path());
        }
    }
    let folder = dir.path().to_string_lossy().into_owned();
    assert!(!String::from_utf8_lossy(&fs::read(&path).unwrap()).contains(&folder));
}

#[test]
fn a_dropped_writer_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let older = dir.path().join("train.parquet");
    fs::write(&older, "older").unwrap();
    let mut writer = SplitWriter::create(dir.path(), "train").unwrap();
    writer.push(&train()).unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "the temporary file lies in the same folder");
    drop(writer);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    assert_eq!(fs::read(&older).unwrap(), b"older");
}

#[test]
fn a_row_of_another_split_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = SplitWriter::create(dir.path(), "train").unwrap();
    let error = writer.push(&[plain_row("5", "validation")]).unwrap_err();
    assert_eq!(error.to_string(), r#"row "5" belongs to split "validation", not to "train""#);
}

#[test]
fn a_row_beyond_the_limit_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let table = TableWriter::create(dir.path(), "train.parquet", schema()).unwrap();
    let limits = Limits { row_bytes: 2000, ..Limits::DEFAULT };
    let mut writer = SplitWriter { rows: RowSink::new(table, "train", limits) };
    let mut row = plain_row("big", "train");
    writer.push(&[row.clone()]).unwrap();
    row.record.premises[0] = "x".repeat(2000);
    let error = writer.push(&[row]).unwrap_err();
    assert!(matches!(&error, EmitError::RowTooLarge { record_id, limit: 2000, .. } if record_id == "big"), "{error}");
}

#[test]
fn the_weight_of_a_row_bounds_each_of_its_columns() {
    let mut heavy = odd_row("9", "train");
    let fix = |replacement: &str| Fix {
        applicability: Applicability::Unsafe,
        kind: EditKind::Fix,
        title: String::new(),
        edits: vec![TextEdit { span: Span::at(0), replacement: replacement.to_owned() }],
        alternatives: Vec::new(),
    };
    heavy.diagnostics = (0..50).map(|_| diagnostic("S101", Severity::Info).fix(fix(&"¬".repeat(30)))).collect();
    for row in rows().iter().chain([&heavy]) {
        let json = expected_json(row);
        let longest = json.as_object().unwrap().values().map(text_bytes).max().unwrap();
        assert!(weight(row) >= longest, "{}: {} < {longest}", row.record.record_id, weight(row));
    }
}

#[test]
fn a_row_with_very_many_findings_is_written_in_bounds() {
    let text = "p → ".repeat(20_000);
    let row = |id: &str, findings: usize, fix: bool| {
        let mut row = plain_row(id, "train");
        row.record.conclusion_fol = Some(text.clone());
        let found = (0..findings).map(|i| {
            let severity = if i == findings - 1 { Severity::Error } else { Severity::Warning };
            let found = diagnostic("S101", severity);
            let edits = vec![TextEdit { span: Span::at(text.len()), replacement: ")".to_owned() }];
            let (applicability, kind) = (Applicability::Unsafe, EditKind::Fix);
            let title = String::new();
            if fix { found.fix(Fix { applicability, kind, title, edits, alternatives: Vec::new() }) } else { found }
        });
        row.diagnostics = found.collect();
        row
    };
    let rows = [row("a", 20_000, true), row("b", 1000, false), row("c", 1001, false), plain_row("d", "train")];
    assert!(weight(&rows[0]) < 4 << 20, "{}", weight(&rows[0]));
    let dir = tempfile::tempdir().unwrap();
    let mut writer = SplitWriter::create(dir.path(), "train").unwrap();
    writer.push(&rows).unwrap();
    assert_eq!(writer.counts().json()["diagnostics"]["S101"]["count"], 22_001, "every finding counts");
    let found = read(&writer.finish(&run_info()).unwrap());
    let diagnostics = |row: usize| found[row]["diagnostics"].as_array().unwrap();
    let ends = |row: usize| diagnostics(row).iter().rev().take(2).map(|d| &d["message"]).collect::<Vec<_>>();
    assert_eq!(found.len(), 4);
    assert_eq!(diagnostics(0).len(), 1001);
    assert_eq!(ends(0), ["19000 more findings of this row left out", "a finding of S101"]);
    assert_eq!(diagnostics(0)[1000]["code"], "R207");
    assert_eq!(diagnostics(0)[999]["severity"], "error", "the gravest is kept wherever it stands");
    assert_eq!((diagnostics(1).len(), ends(1)), (1000, vec![&json!("a finding of S101"); 2]));
    assert_eq!((diagnostics(2).len(), ends(2)[0]), (1001, &json!("1 more finding of this row left out")));
    assert_eq!(diagnostics(3), &Vec::<Value>::new());
    let after: Vec<_> = diagnostics(0).iter().filter_map(|d| d["fix_after"].as_str()).collect();
    assert_eq!(after, vec![format!("{text})"); (1 << 20) / (text.len() + 1)], "whole texts up to 1 MiB, and no more");
    assert!(diagnostics(0)[..1000].iter().all(|d| d["fix_applicability"] == "unsafe"));
}

/// Bytes of the largest column of text inside a value (a struct's fields are columns of their own; the sum is an
/// upper bound that serves here).
fn text_bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() / 2,
        Value::Array(items) => items.iter().map(text_bytes).sum(),
        Value::Object(fields) => fields.values().map(text_bytes).max().unwrap_or(0),
        _ => 0,
    }
}

#[test]
fn a_span_that_no_column_can_hold_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = SplitWriter::create(dir.path(), "train").unwrap();
    let mut row = plain_row("1", "train");
    row.diagnostics = vec![diagnostic("S101", Severity::Info)];
    row.diagnostics[0].span.end = usize::MAX;
    let error = writer.push(&[row]).unwrap_err();
    assert!(matches!(error, EmitError::Arrow { .. }), "{error}");
}

/// Takes some bytes, then fails.
struct Failing {
    room: usize,
    kind: io::ErrorKind,
}

impl Write for Failing {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if self.room == 0 {
            return Err(self.kind.into());
        }
        let taken = buf.len().min(self.room);
        self.room -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_to<W: Write + Send>(sink: W) -> Result<(), EmitError> {
    let table = TableWriter::new(sink, Path::new("out/train.parquet"), schema())?;
    let mut sink = RowSink::new(table, "train", TINY);
    train().iter().try_for_each(|row| sink.push(row))?;
    sink.close(&run_info())
}

#[test]
fn a_full_disk_is_named_wherever_it_happens() {
    let whole = {
        let dir = tempfile::tempdir().unwrap();
        fs::read(write(dir.path(), &train(), TINY, 1)).unwrap().len()
    };
    let fails = |room, kind| write_to(Failing { room, kind }).unwrap_err();
    for room in (0..whole).step_by(997).chain([whole - 1]) {
        let error = fails(room, io::ErrorKind::StorageFull);
        assert!(matches!(error, EmitError::DiskFull { .. }), "room for {room} of {whole} bytes: {error:?}");
        assert_eq!(error.to_string(), "the disk is full; cannot write out/train.parquet");
    }
    assert!(write_to(Failing { room: whole, kind: io::ErrorKind::StorageFull }).is_ok());
    let error = fails(10, io::ErrorKind::ConnectionReset);
    assert!(matches!(error, EmitError::Write { .. }), "{error:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_device_that_is_always_full_is_a_full_disk() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let error = write_to(full).unwrap_err();
    assert!(matches!(error, EmitError::DiskFull { .. }), "{error:?}");
}

#[test]
fn rows_of_a_written_file_give_the_same_bytes_again() {
    let dir = tempfile::tempdir().unwrap();
    let rows: Vec<_> = (0..40)
        .map(|i| match i % 4 {
            0 => odd_row(&i.to_string(), "train"),
            1 => plain_row(&i.to_string(), "train"),
            2 => unreadable_row(&i.to_string(), "train"),
            _ => repaired_row(&i.to_string(), "train"),
        })
        .collect();
    let bytes = Limits { batch_bytes: 9000, group_bytes: 20_000, ..Limits::DEFAULT };
    for limits in [TINY, bytes, Limits { batch_bytes: 1, ..TINY }, Limits::DEFAULT] {
        let whole = fs::read(write(dir.path(), &rows, limits, 7)).unwrap();
        let groups = footer(&dir.path().join("train.parquet")).num_row_groups();
        assert_eq!(groups > 1, limits.group_bytes < 100_000 || limits.group_rows < 100, "{limits:?}");
        for pieces in [1, 3, 40] {
            let file = bytes::Bytes::from(whole.clone());
            let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().with_batch_size(13).build().unwrap();
            let table = TableWriter::create(dir.path(), "again.parquet", schema()).unwrap();
            let mut writer = SplitWriter { rows: RowSink::new(table, "train", limits) };
            let mut counts = SplitCounts::default();
            rows.iter().for_each(|row| counts.add(row));
            for batch in reader.map(Result::unwrap) {
                for start in (0..batch.num_rows()).step_by(pieces) {
                    writer.append(&batch.slice(start, pieces.min(batch.num_rows() - start))).unwrap();
                }
            }
            writer.set_counts(counts);
            let again = fs::read(writer.finish(&run_info()).unwrap()).unwrap();
            assert!(again == whole, "pieces of {pieces}, {limits:?}");
        }
    }
}

#[test]
fn the_bytes_of_rows_are_counted_alike_before_and_after_they_are_columns() {
    let mut columns = Columns::default();
    for (i, row) in rows().iter().enumerate() {
        columns.push(row).unwrap();
        let mut alone = Columns::default();
        alone.push(row).unwrap();
        let bytes = alone.bytes();
        assert_eq!(columns_bytes(&alone.finish().unwrap(), 0, 1), bytes, "row {i}");
    }
    let (bytes, count) = (columns.bytes(), rows().len());
    let batch = columns.finish().unwrap();
    assert_eq!(columns_bytes(&batch, 0, count), bytes);
    assert_eq!((0..count).map(|row| columns_bytes(&batch, row, row + 1)).sum::<usize>(), bytes);
    assert_eq!(columns.bytes(), 0);
}
