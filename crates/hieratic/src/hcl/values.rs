//! Values of Hiera as values of HCL, and back.

use hieratic_hcl_types::{Number, Text, Value as Cty};
use hieratic_value::{Hash, Rich, Value};

/// Converts a value of Hiera to HCL: arrays become tuples, hashes objects, and undef null.
///
/// Types that HCL lacks, such as timestamps, become strings. Secrets become their content: a job that refers to one
/// needs it.
pub fn to_cty(value: &Value) -> Cty {
    match value {
        Value::Undef => Cty::NULL,
        Value::Boolean(value) => Cty::Bool(*value),
        Value::Integer(value) => Cty::from(*value),
        Value::Float(value) => Number::from_f64(*value).map_or(Cty::NULL, Cty::Number),
        Value::String(text) => Cty::string(&**text),
        Value::Array(items) => Cty::tuple(items.iter().map(to_cty).collect()),
        Value::Hash(hash) => {
            let name = |key: &Value| match Cty::string(key.to_text()) {
                Cty::String(name) => name,
                _ => Text::from(""),
            };
            Cty::object(hash.iter().map(|(key, value)| (name(key), to_cty(value))).collect())
        }
        Value::Rich(rich) => match &**rich {
            Rich::BigInteger(value) => Number::parse(&value.to_string()).map_or(Cty::NULL, Cty::Number),
            Rich::Sensitive(hidden) => to_cty(hidden),
            _ => Cty::string(value.to_text()),
        },
    }
}

/// Converts a value of HCL to Hiera. Unknown values become undef.
pub fn from_cty(value: &Cty) -> Value {
    match value {
        Cty::Null(_) | Cty::Unknown(_) => Value::Undef,
        Cty::Bool(value) => Value::Boolean(*value),
        Cty::Number(number) => match number.to_i64() {
            Some(small) => Value::Integer(small),
            None if number.is_whole() => match number.to_string().parse() {
                Ok(large) => Value::from(Rich::BigInteger(large)),
                // A number with an exponent is exact as a float.
                Err(_) => Value::Float(number.to_f64()),
            },
            None => Value::Float(number.to_f64()),
        },
        Cty::String(text) => Value::from(&**text),
        Cty::Map(_) | Cty::Object(_) => {
            let entries = value.as_entries().unwrap_or_default();
            entries.iter().map(|(name, value)| (Value::from(&**name), from_cty(value))).collect::<Hash>().into()
        }
        Cty::List(_) | Cty::Set(_) | Cty::Tuple(_) => value.elements().map(from_cty).collect(),
    }
}
