//! Values as TOML.

use hieratic::Value;
use hieratic::value::Rich;
use toml_edit::{Array, DocumentMut, InlineTable};

/// A document with the values under their keys.
pub(super) fn document<'v>(values: impl Iterator<Item = (&'v str, &'v str, &'v Value)>) -> Result<String, String> {
    let mut document = DocumentMut::new();
    for (name, key, value) in values {
        let value =
            converted(&super::values::plain(value)).map_err(|reason| format!("the value of '{key}' {reason}"))?;
        document.insert(name, toml_edit::value(value));
    }
    Ok(document.to_string())
}

fn converted(value: &Value) -> Result<toml_edit::Value, String> {
    Ok(match value {
        Value::Undef => return Err("is undef, or has a part that is: TOML has no such value".to_owned()),
        Value::Boolean(value) => (*value).into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::String(text) => (&**text).into(),
        Value::Array(items) => {
            let items: Vec<toml_edit::Value> = items.iter().map(converted).collect::<Result<_, _>>()?;
            toml_edit::Value::Array(Array::from_iter(items))
        }
        Value::Hash(hash) => {
            let mut table = InlineTable::new();
            for (key, value) in hash.iter() {
                table.insert(key.to_text(), converted(value)?);
            }
            toml_edit::Value::InlineTable(table)
        }
        Value::Rich(rich) => match &**rich {
            Rich::BigInteger(_) => {
                return Err("is an integer of more than 64 bits, which TOML does not have".to_owned());
            }
            _ => value.to_text().into(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_quoted_and_undef_is_an_error() {
        let value = Value::from(vec![Value::from(1), Value::from("x\n")]);
        let text = document([("a::b", "a::b", &value)].into_iter()).unwrap();
        assert_eq!(text, "\"a::b\" = [1, \"\"\"\nx\n\"\"\"]\n");
        assert!(document([("a", "a", &Value::Undef)].into_iter()).unwrap_err().contains("'a' is undef"));
    }
}
