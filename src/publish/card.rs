//! `README.md`: the card of the dataset.

use arrow::datatypes::DataType;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use serde_json::{Map, Value, json};

use super::error::PublishError;
use super::features::features;
use super::tables::SplitTables;
use super::texts::Facts;
use super::view::View;
use crate::emit::{DESCRIPTION, type_name};
use crate::record::{Grade, Status};

const CARD: &str = "README.md";
const TEMPLATE: &str = include_str!("templates/README.md.jinja");

/// Tags of every dataset that is published so.
const TAGS: [&str; 5] = ["logic", "first-order-logic", "reasoning", "theorem-proving", "refolio"];

/// Findings that the card tells of, at most.
const FINDINGS: usize = 15;

/// The card: metadata in YAML, then text.
pub(super) fn card(facts: &Facts<'_>) -> Result<String, PublishError> {
    let failed = |reason: String| PublishError::Text { file: CARD, reason };
    let yaml = serde_saphyr::to_string(&metadata(facts)).map_err(|e| failed(e.to_string()))?;
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.map_err(|e| failed(format!("{e:#}")))?);
    let text = environment.render_str(TEMPLATE, Serde(context(facts))).map_err(|e| failed(format!("{e:#}")))?;
    Ok(format!("---\n{}\n---\n\n{text}", yaml.trim_end()))
}

fn metadata(facts: &Facts<'_>) -> Value {
    let config = facts.config;
    let rows: u64 = facts.tables.of(View::Provenance).iter().map(SplitTables::rows).sum();
    let mut tags: Vec<&str> = TAGS.to_vec();
    tags.extend(config.tags.iter().map(String::as_str).filter(|tag| !TAGS.contains(tag)));
    let configs: Vec<Value> = facts
        .tables
        .views
        .iter()
        .filter(|(_, _, splits)| is_named(splits))
        .map(|(view, _, splits)| {
            let files: Vec<Value> =
                named(splits).map(|split| json!({"split": split.split, "path": pattern(*view, split)})).collect();
            let mut config = Map::from_iter([("config_name".to_owned(), json!(view.name()))]);
            if *view == View::Default {
                config.insert("default".to_owned(), json!(true));
            }
            config.insert("data_files".to_owned(), json!(files));
            Value::Object(config)
        })
        .collect();
    json!({
        "license": config.license,
        "language": config.languages,
        "pretty_name": facts.pretty_name(),
        "task_categories": ["text-classification", "text-generation"],
        "task_ids": ["natural-language-inference"],
        "size_categories": [size_category(rows)],
        "tags": tags,
        "configs": configs,
        "dataset_info": facts.tables.views.iter().filter(|(_, _, splits)| is_named(splits)).map(|(view, schema, splits)| info(*view, &features(schema), splits)).collect::<Vec<_>>(),
    })
}

/// The splits that a card names: Python's `datasets` cannot load one without rows.
fn named(splits: &[SplitTables]) -> impl Iterator<Item = &SplitTables> {
    splits.iter().filter(|split| split.rows() > 0)
}

/// Whether a configuration has anything to load.
fn is_named(splits: &[SplitTables]) -> bool {
    named(splits).next().is_some()
}

/// The files of a split, whatever their number.
fn pattern(view: View, split: &SplitTables) -> String {
    format!("{}/{}-*-of-*.parquet", view.folder(), split.split)
}

fn info(view: View, features: &Value, splits: &[SplitTables]) -> Value {
    let told: Vec<Value> = named(splits)
        .map(|split| json!({"name": split.split, "num_bytes": split.memory, "num_examples": split.rows()}))
        .collect();
    json!({
        "config_name": view.name(),
        "features": features,
        "splits": told,
        "download_size": named(splits).map(SplitTables::bytes).sum::<u64>(),
        "dataset_size": named(splits).map(|split| split.memory).sum::<u64>(),
    })
}

/// The Hub's word for a number of rows.
fn size_category(rows: u64) -> &'static str {
    match rows {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        1_000_000..10_000_000 => "1M<n<10M",
        10_000_000..100_000_000 => "10M<n<100M",
        _ => "100M<n<1B",
    }
}

fn context(facts: &Facts<'_>) -> Value {
    let manifest = &facts.source.manifest;
    let (counts, splits) = (manifest.get("counts").cloned().unwrap_or_default(), facts.tables.of(View::Provenance));
    let count = |split: &Value, place: &str| split.pointer(place).and_then(Value::as_u64).unwrap_or_default();
    // The counts have the run's names of splits, in the order of the alphabet; the manifest has their order.
    let outputs = manifest.get("outputs").and_then(Value::as_array).cloned().unwrap_or_default();
    let names: Vec<String> = outputs
        .iter()
        .filter(|output| output["file"].as_str().is_some_and(|file| file.ends_with(".parquet")))
        .filter_map(|output| output["split"].as_str().map(str::to_owned))
        .collect();
    let columns = |keys: &[&str], place: &str| -> Vec<Value> {
        keys.iter()
            .map(|key| {
                let numbers: Vec<u64> =
                    names.iter().map(|name| count(&counts[name.as_str()], &format!("{place}/{key}"))).collect();
                json!({"name": key, "numbers": numbers, "sum": numbers.iter().sum::<u64>()})
            })
            .collect()
    };
    let agreements: Vec<String> = names
        .first()
        .and_then(|name| counts[name.as_str()].pointer("/leaving/agreement")?.as_object())
        .map(|agreements| agreements.keys().cloned().collect())
        .unwrap_or_default();
    let agreements: Vec<&str> = agreements.iter().map(String::as_str).collect();
    let (came, leave) = (columns(&agreements, "/original/agreement"), columns(&agreements, "/leaving/agreement"));
    let both: Vec<Value> = came.iter().zip(&leave).map(|(came, leave)| arrows(came, leave)).collect();
    json!({
        "pretty_name": facts.pretty_name(),
        "version": facts.version.to_string(),
        "repo": facts.config.repo,
        "license": facts.config.license,
        "citation": facts.config.citation.trim(),
        "splits": splits.iter().map(|split| split.split.as_str()).collect::<Vec<_>>(),
        "views": views(facts),
        "status": columns(&Status::ALL.map(Status::as_str), "/status"),
        "agreement": both,
        "evidence": columns(&Grade::ALL.map(Grade::as_str), "/evidence"),
        "findings": findings(&counts),
        "glossary": glossary(facts),
        "has_evidence": facts.source.evidence.is_some(),
        "has_decisions": facts.source.decisions.is_some(),
        "run": {
            "refolio_version": manifest.get("refolio_version"),
            "schema_version": manifest.get("schema_version"),
            "fixes": manifest.get("fixes"),
            "config_sha256": manifest.get("config_sha256"),
            "prover": manifest.pointer("/prover/version"),
            "inputs": manifest.get("inputs").cloned().unwrap_or_else(|| json!([])),
        },
    })
}

/// A line of numbers as rows came and as they leave.
fn arrows(came: &Value, leave: &Value) -> Value {
    let pair = |a: &Value, b: &Value| json!(format!("{a} → {b}"));
    let (from, to) = (came["numbers"].as_array(), leave["numbers"].as_array());
    let numbers: Vec<Value> =
        from.into_iter().flatten().zip(to.into_iter().flatten()).map(|(a, b)| pair(a, b)).collect();
    json!({"name": leave["name"], "numbers": numbers, "sum": pair(&came["sum"], &leave["sum"])})
}

fn views(facts: &Facts<'_>) -> Vec<Value> {
    let one = |(view, _, splits): &(View, _, Vec<SplitTables>)| {
        let rows: Vec<u64> = splits.iter().map(SplitTables::rows).collect();
        json!({"name": view.name(), "folder": view.folder(), "about": view.about(), "rows": rows})
    };
    facts.tables.views.iter().map(one).collect()
}

/// The findings of most rows, all splits together.
fn findings(counts: &Value) -> Vec<Value> {
    let mut rows: Map<String, Value> = Map::new();
    for split in counts.as_object().into_iter().flat_map(Map::values) {
        for (code, told) in split["diagnostics"].as_object().into_iter().flatten() {
            let n = told["rows"].as_u64().unwrap_or_default();
            let sum = rows.get(code).and_then(Value::as_u64).unwrap_or_default() + n;
            rows.insert(code.clone(), json!(sum));
        }
    }
    let mut rows: Vec<(String, u64)> =
        rows.into_iter().map(|(code, n)| (code, n.as_u64().unwrap_or_default())).collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let about = |code: &str| crate::lint::find(code).map(|rule| rule.summary).unwrap_or_default();
    rows.into_iter().take(FINDINGS).map(|(code, n)| json!({"code": code, "rows": n, "about": about(&code)})).collect()
}

/// Every column of the run, with its type and what it holds.
fn glossary(facts: &Facts<'_>) -> Vec<Value> {
    let holds = |view: View, name: &str| view.schema(&facts.source.schema).field_with_name(name).is_ok();
    let described = crate::emit::schema();
    let line = |field: &arrow::datatypes::FieldRef| {
        let own = field.metadata().get(DESCRIPTION).map(String::as_str);
        let known = || described.field_with_name(field.name()).ok()?.metadata().get(DESCRIPTION).map(String::as_str);
        let kind = match field.data_type() {
            DataType::List(element) if matches!(element.data_type(), DataType::Struct(_)) => "list<struct>".to_owned(),
            other => type_name(other),
        };
        let views: Vec<&str> = [View::Default, View::Problematic]
            .into_iter()
            .filter(|view| holds(*view, field.name()))
            .map(View::name)
            .collect();
        json!({
            "name": field.name(), "kind": kind, "null": field.is_nullable(), "views": views,
            "about": own.or_else(known).unwrap_or_default().replace('|', "\\|"),
        })
    };
    facts.source.schema.fields().iter().map(line).collect()
}
