//! Rows of a refined split, read back from the file by the rows of the `parquet` crate: not by the code that wrote them.

use std::fs::File;
use std::path::Path;

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field, Row as FieldRow};
use serde_json::{Map, Value, json};

/// One row: its columns by name, bytes as hexadecimal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OutRow(pub(crate) Map<String, Value>);

fn open(file: &Path) -> SerializedFileReader<File> {
    let opened = File::open(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    SerializedFileReader::new(opened).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

/// Every row of a file, in order.
pub(crate) fn read(file: &Path) -> Vec<OutRow> {
    let reader = open(file);
    let rows = reader.get_row_iter(None).expect("the file has rows");
    rows.map(|row| OutRow(columns(&row.expect("the row can be read")))).collect()
}

fn columns(row: &FieldRow) -> Map<String, Value> {
    row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect()
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(b) => json!(b),
        Field::Int(i) => json!(i),
        Field::Long(i) => json!(i),
        Field::Double(f) => json!(f),
        Field::Str(text) => json!(text),
        Field::Bytes(bytes) => json!(refolio::record::hex(bytes.data())),
        Field::Group(group) => Value::Object(columns(group)),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        other => panic!("no column has the type of {other:?}"),
    }
}
