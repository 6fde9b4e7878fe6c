//! Values of Hiera as values of HCL, and back.

use std::fmt;

use hieratic_hcl_types::{Number, Text, Value as Cty};
use hieratic_value::collections::HashSet;
use hieratic_value::{Hash, Rich, Value};

/// Converts a value of Hiera to HCL: arrays become tuples, hashes objects, and undef null.
///
/// Types that HCL lacks, such as timestamps, become strings. Secrets become their content: a job that refers to one
/// needs it.
///
/// # Errors
/// HCL has nothing that is equal to the value: NaN, bytes that are not UTF-8, a key that is not a name, or two keys with
/// the same name.
pub fn to_cty(value: &Value) -> Result<Cty, NoHclForm> {
    let no_form = |what: &str| NoHclForm(format!("{what} has no form in HCL"));
    Ok(match value {
        Value::Undef => Cty::NULL,
        Value::Boolean(value) => Cty::Bool(*value),
        Value::Integer(value) => Cty::from(*value),
        Value::Float(value) => Cty::Number(Number::from_f64(*value).ok_or_else(|| no_form("NaN"))?),
        Value::String(text) => Cty::string(&**text),
        Value::Array(items) => Cty::tuple(items.iter().map(to_cty).collect::<Result<_, _>>()?),
        Value::Hash(hash) => {
            let mut names = HashSet::default();
            let mut attribute = |(key, value): (&Value, &Value)| {
                let name = name_of(key)?;
                if !names.insert(name.clone()) {
                    return Err(NoHclForm(format!("two keys would have the same name, {}", key.inspect())));
                }
                Ok((name, to_cty(value)?))
            };
            Cty::object(hash.iter().map(&mut attribute).collect::<Result<_, _>>()?)
        }
        Value::Rich(rich) => match &**rich {
            Rich::BigInteger(value) => {
                let number = Number::parse(&value.to_string());
                Cty::Number(number.ok_or_else(|| no_form("an integer with so many digits"))?)
            }
            Rich::Sensitive(hidden) => to_cty(hidden)?,
            Rich::Binary(bytes) if std::str::from_utf8(bytes).is_err() => {
                return Err(no_form("a string with bytes that are not UTF-8"));
            }
            _ => Cty::string(value.to_text()),
        },
    })
}

/// The name of an attribute of an object.
fn name_of(key: &Value) -> Result<Text, NoHclForm> {
    match (key, Cty::string(key.to_text())) {
        (Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_), Cty::String(name)) => Ok(name),
        // HCL has null for undef.
        (Value::Undef, _) => Err(NoHclForm("null is no key of an object of HCL".to_owned())),
        _ => Err(NoHclForm(format!("{} is no key of an object of HCL", key.inspect()))),
    }
}

/// The reason why a value has no form in HCL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoHclForm(String);

impl fmt::Display for NoHclForm {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for NoHclForm {}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_without_a_form_in_hcl_are_errors() {
        let of = |pairs: Vec<(Value, Value)>| Value::Hash(pairs.into_iter().collect());
        let message = |value: Value| to_cty(&value).unwrap_err().to_string();
        assert_eq!(message(Value::Float(f64::NAN)), "NaN has no form in HCL");
        assert_eq!(message([Value::from(1), Value::Float(f64::NAN)].into_iter().collect()), "NaN has no form in HCL");
        let twice = of(vec![(Value::from(1), Value::from("a")), (Value::from("1"), Value::from("b"))]);
        assert_eq!(message(twice), "two keys would have the same name, \"1\"");
        assert_eq!(message(of(vec![(Value::Undef, Value::from(1))])), "null is no key of an object of HCL");
        assert!(
            to_cty(&Value::Float(f64::INFINITY)).is_ok_and(|value| from_cty(&value) == Value::Float(f64::INFINITY))
        );
    }
}
