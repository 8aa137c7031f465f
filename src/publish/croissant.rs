//! `croissant.json`: the dataset in the vocabulary of Croissant 1.0, for programs that find and load datasets.

use arrow::datatypes::{DataType, Field, Schema};
use serde_json::{Map, Value, json};

use super::error::PublishError;
use super::tables::SplitTables;
use super::texts::Facts;
use super::view::View;
use crate::emit::DESCRIPTION;

const FILE: &str = "croissant.json";
/// The context of the standard, which readers compare word for word.
const CONTEXT: &str = include_str!("templates/context.json");

pub(super) fn croissant(facts: &Facts<'_>) -> Result<String, PublishError> {
    let failed = |e: serde_json::Error| PublishError::Text { file: FILE, reason: e.to_string() };
    let context: Value = serde_json::from_str(CONTEXT).map_err(failed)?;
    let (mut files, mut sets) = (Vec::new(), Vec::new());
    for (view, schema, splits) in &facts.tables.views {
        for split in splits {
            for (number, table) in split.tables.iter().enumerate() {
                let id = table.path.as_str();
                files.push(json!({
                    "@type": "cr:FileObject",
                    "@id": id,
                    "name": id,
                    "contentUrl": id,
                    "contentSize": format!("{} B", table.bytes),
                    "encodingFormat": "application/x-parquet",
                    "sha256": table.sha256,
                }));
                let set = set_id(*view, split, number);
                sets.push(json!({
                    "@type": "cr:RecordSet",
                    "@id": set,
                    "name": set,
                    "description": format!("Split `{}` of the configuration `{}`. {}", split.split, view.name(), view.about()),
                    "field": fields(schema, &set, id),
                }));
            }
        }
    }
    let config = facts.config;
    let mut out = json!({
        "@context": context,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": facts.pretty_name(),
        "description": "Sentences in natural language with formulas of first-order logic, each row with what a theorem prover \
                        showed about its label.",
        "version": facts.version.to_string(),
        "license": config.license,
        "inLanguage": config.languages,
        "keywords": config.tags,
    });
    if let Some(entries) = out.as_object_mut() {
        if !config.repo.is_empty() {
            entries.insert("url".to_owned(), json!(format!("https://huggingface.co/datasets/{}", config.repo)));
        }
        if !config.citation.trim().is_empty() {
            entries.insert("citeAs".to_owned(), json!(config.citation.trim()));
        }
        entries.insert("distribution".to_owned(), json!(files));
        entries.insert("recordSet".to_owned(), json!(sets));
    }
    serde_json::to_string_pretty(&out).map(|text| text + "\n").map_err(failed)
}

/// `default/train`; with the number of the file where a split has several.
fn set_id(view: View, split: &SplitTables, number: usize) -> String {
    let name = format!("{}/{}", view.name(), split.split);
    if split.tables.len() > 1 { format!("{name}-{number:05}") } else { name }
}

/// The columns that hold one value, or a list of such. Lists of structures and raw bytes have no type there.
fn fields(schema: &Schema, set: &str, file: &str) -> Vec<Value> {
    schema
        .fields()
        .iter()
        .filter_map(|field| {
            let (kind, repeated) = match field.data_type() {
                DataType::List(element) => (data_type(element.data_type())?, true),
                other => (data_type(other)?, false),
            };
            Some(one(field, kind, repeated, set, file))
        })
        .collect()
}

fn one(field: &Field, kind: &str, repeated: bool, set: &str, file: &str) -> Value {
    // Programs that read it take no blanks in names.
    let name = format!("{set}/{}", field.name().replace(' ', "_"));
    let mut out = Map::from_iter([
        ("@type".to_owned(), json!("cr:Field")),
        ("@id".to_owned(), json!(name)),
        ("name".to_owned(), json!(name)),
        ("dataType".to_owned(), json!(kind)),
        ("source".to_owned(), json!({"fileObject": {"@id": file}, "extract": {"column": field.name()}})),
    ]);
    if let Some(text) = field.metadata().get(DESCRIPTION) {
        out.insert("description".to_owned(), json!(text));
    }
    if repeated {
        out.insert("repeated".to_owned(), json!(true));
    }
    Value::Object(out)
}

fn data_type(kind: &DataType) -> Option<&'static str> {
    match kind {
        DataType::Utf8 => Some("sc:Text"),
        DataType::Int32 | DataType::Int64 => Some("sc:Integer"),
        DataType::Float64 => Some("sc:Float"),
        DataType::Boolean => Some("sc:Boolean"),
        _ => None,
    }
}
