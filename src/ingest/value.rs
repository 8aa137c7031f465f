//! One cell of one row, whatever format it came in.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A value of a row. Objects keep their order and their repeated keys, so that nothing is lost before it is judged.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// Explicitly nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number, as text.
    Whole(String),
    /// Any other number.
    Float(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// Named values.
    Object(Fields),
    /// A value of a type that no field takes; the type's name.
    Other(String),
}

/// A row's cells by name, in order.
pub(super) type Fields = Vec<(String, Value)>;

/// The cell of that name.
pub(super) fn field<'a>(fields: &'a Fields, name: &str) -> Option<&'a Value> {
    fields.iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// The first name that stands twice.
pub(super) fn repeated_name<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut seen = std::collections::BTreeSet::new();
    names.into_iter().find(|name| !seen.insert(*name))
}

impl Value {
    /// What the value is, for messages: "a number", "null", …
    pub(super) fn kind(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(_) => "a truth value".to_owned(),
            Self::Whole(_) | Self::Float(_) => "a number".to_owned(),
            Self::Text(_) => "a text".to_owned(),
            Self::List(_) => "a list".to_owned(),
            Self::Object(_) => "an object".to_owned(),
            Self::Other(name) => format!("of type {name}"),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Whole(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Whole(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut fields = Fields::new();
        while let Some(entry) = entries.next_entry()? {
            fields.push(entry);
        }
        Ok(Value::Object(fields))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Whole(digits) => match (digits.parse::<i64>(), digits.parse::<u64>()) {
                (Ok(value), _) => serializer.serialize_i64(value),
                (_, Ok(value)) => serializer.serialize_u64(value),
                _ => serializer.serialize_str(digits),
            },
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
            Self::Other(name) => serializer.serialize_str(&format!("<{name}>")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_keep_order_and_repeats() {
        let value: Value = serde_json::from_str(r#"{"b": [1, null, 0.5, -2], "a": {"x": true}, "b": "t"}"#).unwrap();
        let Value::Object(fields) = &value else { panic!("not an object") };
        assert_eq!(fields.iter().map(|(k, _)| k.as_str()).collect::<Vec<_>>(), ["b", "a", "b"]);
        assert_eq!(repeated_name(fields.iter().map(|(k, _)| k.as_str())), Some("b"));
        assert_eq!(serde_json::to_string(&value).unwrap(), r#"{"b":[1,null,0.5,-2],"a":{"x":true},"b":"t"}"#);
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = "[".repeat(100_000);
        assert!(serde_json::from_str::<Value>(&deep).is_err());
    }
}
