//! `validate`: JSON Schema, with the behavior of the reference's Python package (`Draft7Validator` of `jsonschema`).

mod draft7;
mod equality;
mod numbers;
mod references;

use hieratic_python_values as python;
use hieratic_value::{Hash, Rich, Value};

use self::draft7::Draft7;
use super::arguments::two;
use crate::datum::Datum;
use crate::host::Host;
use crate::scope::Scope;
use crate::shared::Shared;
use crate::tree::Tree;
use crate::{ExpressionError, Options, stack};

/// `{validate: [VALUE, SCHEMA]}`: validates a value against a JSON Schema, by the rules of draft 7, regardless of its
/// `$schema` names. `format` is not checked, as in the reference. Schemas elsewhere are not fetched.
///
/// <https://docs.unfurl.run/expressions.html#validate>
pub(super) fn validate(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    let [value, schema] = two(host, &host.map_value(argument, scope)?, "validate")?;
    let (value, schema) = (plain(&host.force(&value)?), plain(&host.force(&schema)?));
    Draft7::check(host.shared(), &schema)?;
    Ok(Datum::done(Draft7::new(host.shared(), &schema)?.accepts(&value)?))
}

/// Returns whether a value conforms to a JSON Schema of draft 7.
///
/// # Errors
/// The schema is not valid.
pub(crate) fn conforms(value: &Value, schema: &Value) -> Result<bool, ExpressionError> {
    let shared = Shared::new(Tree::new(&Hash::default().into())?, Options::default());
    let (value, schema) = (plain(value), plain(schema));
    Draft7::check(&shared, &schema)?;
    Draft7::new(&shared, &schema)?.accepts(&value)
}

/// Converts a value to JSON's types: without secrets, and with strings as keys.
fn plain(value: &Value) -> Value {
    stack::grow(|| match value {
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().into(),
        Value::Hash(hash) => {
            let entry = |(key, value): (&Value, &Value)| (Value::from(python::text(key)), plain(value));
            hash.iter().map(entry).collect::<Hash>().into()
        }
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(inner) => plain(inner),
            Rich::BigInteger(_) => value.clone(),
            _ => Value::from(value.to_text()),
        },
        _ => value.clone(),
    })
}
