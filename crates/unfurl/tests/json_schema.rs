//! `validate` beside the validator of the reference: `conformance/recorders/unfurl/json_schema.py` recorded its answers.

use hieratic_budget::Limits;
use hieratic_unfurl::{Budget, Context, Expression, Options, Tree};
use hieratic_value::{Hash, Rich, Value};
use serde_json::Value as Json;

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => Value::from(*truth),
        Json::Number(number) => match (number.as_i64(), number.to_string().parse()) {
            (Some(number), _) => Value::from(number),
            (None, Ok(number)) => Value::from(Rich::BigInteger(number)),
            (None, Err(_)) => Value::from(number.as_f64().unwrap()),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => items.iter().map(value).collect(),
        Json::Object(map) => map.iter().map(|(key, item)| (key.as_str(), value(item))).collect::<Hash>().into(),
    }
}

/// What `validate` says: whether the value is accepted, or why there is no answer.
fn validated(context: &Context, given: &Json, schema: &Json) -> Result<bool, String> {
    let call: Hash = [("validate", Value::from_iter([value(given), value(schema)]))].into_iter().collect();
    let expression: Hash = [("eval", Value::from(call))].into_iter().collect();
    let expression = Expression::from_value(&expression.into()).unwrap();
    let found = context.resolve(&expression).map_err(|error| error.message)?;
    Ok(found.first().unwrap().revealed() == Value::from(true))
}

#[test]
fn random_values_and_schemas() {
    let recorded = std::env::var("JSON_SCHEMA_CASES").map_or_else(
        |_| include_str!("../../../conformance/unfurl/json_schema.jsonl").to_owned(),
        |path| std::fs::read_to_string(path).unwrap(),
    );
    let tree = Tree::new(&value(&serde_json::json!({"name": "root"}))).unwrap();
    let budget = Budget::new(Limits { steps: u64::MAX, ..Limits::default() });
    let context = Context::new(tree, Options { budget, ..Options::default() });
    let mut different = Vec::new();
    for line in recorded.lines() {
        let case: [Json; 3] = serde_json::from_str(line).unwrap();
        let [given, schema, answer] = &case;
        let ours = match validated(&context, given, schema) {
            Ok(accepted) => Json::Bool(accepted),
            Err(message) if message.starts_with("the schema is not valid") || message.starts_with("a schema is") => {
                "schema".into()
            }
            Err(_) => "fault".into(),
        };
        if ours != *answer {
            different.push(format!("{ours} instead of {answer}: {line}"));
        }
    }
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different[..different.len().min(20)].join("\n"));
}

#[test]
fn recursive_schemas_reach_a_limit() {
    let tree = Tree::new(&value(&serde_json::json!({"name": "root"}))).unwrap();
    let limited = |schema: Json| {
        let budget = Budget::new(Limits { steps: 50_000, ..Limits::default() });
        let context = Context::new(tree.clone(), Options { budget, ..Options::default() });
        validated(&context, &1.into(), &schema).unwrap_err()
    };
    assert!(limited(serde_json::json!({"$ref": "#"})).contains("deep"));
    // Each definition asks for the next one twice.
    let twice = |at: usize| {
        let next = serde_json::json!({"$ref": format!("#/definitions/{}", at + 1)});
        (at.to_string(), serde_json::json!({"allOf": [next, next]}))
    };
    let mut definitions: serde_json::Map<String, Json> = (0..60).map(twice).collect();
    definitions.insert("60".to_owned(), true.into());
    let message = limited(serde_json::json!({"definitions": definitions, "$ref": "#/definitions/0"}));
    assert!(message.contains("too much work"), "{message}");
    let pattern = limited(serde_json::json!({"anyOf": [{"type": "integer"}], "propertyNames": {"pattern": "("}}));
    assert!(pattern.contains("not allow what is at 'propertyNames/pattern'"), "{pattern}");
}
