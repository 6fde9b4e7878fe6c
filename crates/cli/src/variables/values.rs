//! Values in the forms of other programs.

use std::collections::HashSet;

use hieratic::Value;
use hieratic::value::Rich;

/// A value without types that only Puppet has: Sensitive values are their content, others their text.
pub(crate) fn plain(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Hash(hash) => Value::Hash(hash.iter().map(|(key, value)| (key.clone(), plain(value))).collect()),
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(hidden) => plain(hidden),
            Rich::BigInteger(_) => value.clone(),
            _ => Value::from(value.to_text()),
        },
        _ => value.clone(),
    }
}

/// Checks that the keys of each hash have different names: `1` and `'1'` are one name everywhere but in Puppet.
pub(crate) fn check_names(value: &Value) -> Result<(), String> {
    match value {
        Value::Array(items) => items.iter().try_for_each(check_names),
        Value::Hash(hash) => {
            let mut names = HashSet::new();
            for (key, value) in hash.iter() {
                if !names.insert(key.to_text()) {
                    return Err(format!("has two keys with the same name, '{}'", key.to_text()));
                }
                check_names(value)?;
            }
            Ok(())
        }
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(hidden) => check_names(hidden),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

/// A value as text: strings as they are, everything else as JSON.
pub(crate) fn text(value: &Value) -> Result<String, String> {
    match plain(value) {
        Value::String(text) => Ok(text.to_string()),
        value => hieratic_output::json(&value).map_err(|error| format!("has no form as JSON: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hieratic::Hash;

    #[test]
    fn two_keys_with_one_name_are_an_error() {
        let hash = |keys: [Value; 2]| Value::from(keys.into_iter().map(|key| (key, Value::Undef)).collect::<Hash>());
        let same = hash([Value::from(1), Value::from("1")]);
        assert!(check_names(&Value::from(vec![same])).unwrap_err().contains("two keys with the same name, '1'"));
        assert_eq!(check_names(&hash([Value::from(1), Value::from("2")])), Ok(()));
    }
}
