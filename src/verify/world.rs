//! Finite models as JSON.
//!
//! ```json
//! {"size": 2, "names_distinct": true, "constants": {"rina": 0}, "free": {}, "functions": {},
//!  "predicates": {"Drinks/1": [[0]], "Likes/2": [[0, 1]], "Rain/0": []}}
//! ```
//!
//! Individuals are the numbers below `size`. A predicate, by name and arity, holds of exactly the tuples listed: `[[]]`
//! says that one without arguments is true. A function lists its value behind each tuple of arguments.

use serde_json::{Map, Value, json};

use crate::fol::model::Model;

/// A model as JSON.
#[must_use]
pub fn to_json(model: &Model) -> Value {
    let key = |(name, arity): &(String, usize)| format!("{name}/{arity}");
    let predicates: Map<String, Value> =
        model.predicates.iter().map(|(k, tuples)| (key(k), json!(tuples.iter().collect::<Vec<_>>()))).collect();
    let row = |(args, value): (&Vec<u32>, &u32)| [args.as_slice(), &[*value]].concat();
    let functions: Map<String, Value> =
        model.functions.iter().map(|(k, t)| (key(k), json!(t.iter().map(row).collect::<Vec<_>>()))).collect();
    json!({
        "size": model.size,
        "names_distinct": model.names_distinct(),
        "constants": model.constants,
        "free": model.free,
        "functions": functions,
        "predicates": predicates,
    })
}

/// Why JSON is no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{at}` of a model is not what it should be: {found}")]
pub struct WorldError {
    /// The part of it.
    pub at: String,
    /// What stands there.
    pub found: String,
}

/// The model behind JSON that [`to_json`] made.
///
/// # Errors
/// If a part is missing or not of its form.
pub fn from_json(value: &Value) -> Result<Model, WorldError> {
    let wrong = |at: &str, found: &Value| WorldError { at: at.to_owned(), found: found.to_string() };
    let number = |at: &str, v: &Value| v.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or_else(|| wrong(at, v));
    let object = |at: &str| value[at].as_object().ok_or_else(|| wrong(at, &value[at]));
    let symbol = |at: &str, key: &str| {
        let parts = key.rsplit_once('/').and_then(|(name, arity)| Some((name.to_owned(), arity.parse().ok()?)));
        parts.ok_or_else(|| wrong(at, &Value::from(key)))
    };
    let tuples = |at: &str, v: &Value, length: usize| -> Result<Vec<Vec<u32>>, WorldError> {
        let rows = v.as_array().ok_or_else(|| wrong(at, v))?;
        rows.iter()
            .map(|row| {
                let items = row.as_array().filter(|items| items.len() == length).ok_or_else(|| wrong(at, row))?;
                items.iter().map(|item| number(at, item)).collect()
            })
            .collect()
    };
    let mut model = Model { size: number("size", &value["size"])?, ..Model::default() };
    for (name, v) in object("constants")? {
        model.constants.insert(name.clone(), number("constants", v)?);
    }
    for (name, v) in object("free")? {
        model.free.insert(name.clone(), number("free", v)?);
    }
    for (key, v) in object("functions")? {
        let key: (String, usize) = symbol("functions", key)?;
        let rows = tuples("functions", v, key.1 + 1)?;
        let split = rows.into_iter().filter_map(|mut row| row.pop().map(|value| (row, value)));
        model.functions.insert(key, split.collect());
    }
    for (key, v) in object("predicates")? {
        let key: (String, usize) = symbol("predicates", key)?;
        let rows = tuples("predicates", v, key.1)?;
        model.predicates.insert(key, rows.into_iter().collect());
    }
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::{Formula, parse};
    use crate::ground::{Answer, Statement, decide};

    fn model(texts: &[&str]) -> Model {
        let formulas: Vec<Formula> = texts.iter().map(|t| parse(t).reading().expect("a reading").clone()).collect();
        let statements: Vec<_> = formulas.iter().map(|formula| Statement { formula, negated: false }).collect();
        match decide(&statements, false) {
            Ok(Answer::Model(model)) => model,
            other => panic!("no model: {other:?}"),
        }
    }

    #[test]
    fn models_survive_json() {
        for texts in [
            &["Dog(rex) ∧ ¬Dog(tom)", "∃x (Likes(x, rex))", "Rain ∧ ¬Snow"][..],
            &["Old(mother(rex))", "¬Old(rex)", "P(x)"],
            &["∀x ∃y (Next(x, y))", "∀x ¬Next(x, x)"],
            &[],
        ] {
            let model = model(texts);
            let text = to_json(&model).to_string();
            assert_eq!(from_json(&serde_json::from_str(&text).expect("JSON")), Ok(model), "{text}");
        }
    }

    #[test]
    fn the_form_is_as_documented() {
        let json = to_json(&model(&["Dog(rex)", "¬Dog(tom)", "Rain", "¬Snow"]));
        insta::assert_snapshot!(json, @r#"{"size":2,"names_distinct":true,"constants":{"rex":0,"tom":1},"free":{},"functions":{},"predicates":{"Dog/1":[[0]],"Rain/0":[[]],"Snow/0":[]}}"#);
    }

    #[test]
    fn what_is_no_model_is_refused() {
        let whole = to_json(&model(&["Dog(rex)", "Old(mother(rex))"]));
        for (at, wrong) in [
            ("size", json!("two")),
            ("constants", json!({"rex": -1})),
            ("predicates", json!({"Dog": [[0]]})),
            ("predicates", json!({"Dog/1": [[0, 0]]})),
            ("functions", json!({"mother/1": [[0]]})),
            ("free", Value::Null),
        ] {
            let mut changed = whole.clone();
            changed[at] = wrong;
            assert_eq!(from_json(&changed).expect_err("refused").at, at);
        }
    }
}
