//! Columns as the library `datasets` names their types in a card.

use arrow::datatypes::{DataType, Field, Fields, Schema};
use serde_json::{Map, Value, json};

/// The `features` of a configuration.
#[must_use]
pub fn features(schema: &Schema) -> Value {
    list(schema.fields())
}

fn list(fields: &Fields) -> Value {
    Value::Array(fields.iter().map(|field| named(field)).collect())
}

fn named(field: &Field) -> Value {
    let mut out = Map::from_iter([("name".to_owned(), json!(field.name()))]);
    out.extend(feature(field.data_type()));
    Value::Object(out)
}

fn feature(kind: &DataType) -> Map<String, Value> {
    let (key, value) = match kind {
        DataType::List(element) => ("list", short(feature(element.data_type()))),
        DataType::Struct(fields) => ("struct", list(fields)),
        other => ("dtype", json!(dtype(other))),
    };
    Map::from_iter([(key.to_owned(), value)])
}

/// What stands behind `list`: a type's name, or the fields of a structure, without a key of their own.
fn short(element: Map<String, Value>) -> Value {
    match (element.get("dtype"), element.get("struct")) {
        (Some(value), _) | (_, Some(value)) => value.clone(),
        _ => Value::Object(element),
    }
}

fn dtype(kind: &DataType) -> String {
    match kind {
        DataType::Utf8 => "string".to_owned(),
        DataType::LargeUtf8 => "large_string".to_owned(),
        DataType::Boolean => "bool".to_owned(),
        other => other.to_string().to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_named_as_datasets_does() {
        let element = |kind| DataType::List(Field::new("element", kind, false).into());
        let inner =
            Fields::from(vec![Field::new("a", DataType::Utf8, true), Field::new("b", element(DataType::Int32), false)]);
        let schema = Schema::new(vec![
            Field::new("text", DataType::Utf8, true),
            Field::new("score", DataType::Float64, true),
            Field::new("raw", DataType::Binary, true),
            Field::new("texts", element(DataType::Utf8), false),
            Field::new("nested", element(element(DataType::Int64)), false),
            Field::new("pairs", element(DataType::Struct(inner.clone())), false),
            Field::new("pair", DataType::Struct(inner), false),
        ]);
        let pair = json!([{"name": "a", "dtype": "string"}, {"name": "b", "list": "int32"}]);
        assert_eq!(
            features(&schema),
            json!([
                {"name": "text", "dtype": "string"},
                {"name": "score", "dtype": "float64"},
                {"name": "raw", "dtype": "binary"},
                {"name": "texts", "list": "string"},
                {"name": "nested", "list": {"list": "int64"}},
                {"name": "pairs", "list": pair},
                {"name": "pair", "struct": pair},
            ])
        );
    }
}
