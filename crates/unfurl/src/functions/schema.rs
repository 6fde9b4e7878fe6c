//! `validate`: JSON Schema.

use hieratic_pythonic as python;
use hieratic_value::{Rich, Value};
use serde_json::Value as Json;

use super::arguments::two;
use crate::Fault;
use crate::datum::Datum;
use crate::host::Host;
use crate::scope::Scope;
use crate::stack;

/// `{validate: [VALUE, SCHEMA]}`: whether a value is what a JSON Schema (draft 7, unless it names another) asks for.
/// Schemas elsewhere are not fetched.
///
/// <https://docs.unfurl.run/expressions.html#validate>
pub(super) fn validate(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, Fault> {
    let [value, schema] = two(host, &host.map_value(argument, scope)?, "validate")?;
    let (value, schema) = (json(&host.force(&value)?)?, json(&host.force(&schema)?)?);
    let validator = jsonschema::options().with_draft(jsonschema::Draft::Draft7).build(&schema).map_err(|error| {
        Fault::new(format!("the schema is not valid: {error}"))
            .help("see https://json-schema.org/understanding-json-schema; remote schemas are not fetched")
    })?;
    Ok(Datum::done(validator.is_valid(&value)))
}

/// A value as JSON.
fn json(value: &Value) -> Result<Json, Fault> {
    stack::grow(|| {
        Ok(match value {
            Value::Undef => Json::Null,
            Value::Boolean(truth) => Json::Bool(*truth),
            Value::Integer(number) => Json::Number((*number).into()),
            Value::Float(number) => serde_json::Number::from_f64(*number)
                .map(Json::Number)
                .ok_or_else(|| Fault::new(format!("{number} cannot be validated: JSON does not have this number")))?,
            Value::String(text) => Json::String(text.to_string()),
            Value::Array(items) => Json::Array(items.iter().map(json).collect::<Result<_, _>>()?),
            Value::Hash(hash) => {
                let entry = |(key, value): (&Value, &Value)| Ok((python::text(key), json(value)?));
                Json::Object(hash.iter().map(entry).collect::<Result<_, Fault>>()?)
            }
            Value::Rich(rich) => match &**rich {
                Rich::Sensitive(inner) => json(inner)?,
                Rich::BigInteger(number) => match number.to_string().parse() {
                    Ok(number) => Json::Number(number),
                    Err(_) => return Err(Fault::new("the number is too large to be validated")),
                },
                _ => Json::String(value.to_text()),
            },
        })
    })
}
