//! Functions that change the case of letters:
//! [`upcase`](https://www.puppet.com/docs/puppet/8/function.html#upcase),
//! [`downcase`](https://www.puppet.com/docs/puppet/8/function.html#downcase),
//! [`capitalize`](https://www.puppet.com/docs/puppet/8/function.html#capitalize) and
//! [`camelcase`](https://www.puppet.com/docs/puppet/8/function.html#camelcase)

use hieratic_value::{Hash, Value};

use crate::{Dispatch, Doc, Function};

use super::trim::of_strings;
use super::{EACH_STRING, each_string};

/// Declares a function that changes all strings in arrays and hashes, including keys.
macro_rules! of_data {
    ($name:literal, $doc:expr, $change:expr) => {
        Function::new(
            $name,
            $doc,
            &[
                Dispatch::new(&["Numeric arg"], |call| Ok(call.arguments[0].clone())),
                Dispatch::new(&["String arg"], |call| Ok(Value::from($change(&call.text(0))))),
                Dispatch::new(&["Array[StringData] arg"], |call| Ok(changed(&call.arguments[0], $change))),
                Dispatch::new(&["Hash[StringData, StringData] arg"], |call| Ok(changed(&call.arguments[0], $change))),
            ],
        )
    };
}

pub(super) static FUNCTIONS: &[Function] = &[
    of_data!("upcase", Doc::new("The string in upper case.").example("upcase('abc') # 'ABC'"), |text: &str| text
        .to_uppercase()),
    of_data!("downcase", Doc::new("The string in lower case.").example("downcase('ABC') # 'abc'"), downcase),
    of_strings!(
        "capitalize",
        Doc::new("The string with its first letter upper case.").example("capitalize('hello') # 'Hello'"),
        capitalize
    ),
    of_strings!(
        "camelcase",
        Doc::new("The string without underscores, each part with a capital.")
            .example("camelcase('hello_friend') # 'HelloFriend'"),
        |text: &str| text.split('_').map(capitalize).collect::<String>()
    ),
];

/// Changes all strings in arrays and hashes.
fn changed(value: &Value, change: fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::from(change(text)),
        Value::Array(elements) => elements.iter().map(|element| changed(element, change)).collect(),
        Value::Hash(hash) => {
            Value::from(hash.iter().map(|(k, v)| (changed(k, change), changed(v, change))).collect::<Hash>())
        }
        // Numbers, which the signature also allows.
        _ => value.clone(),
    }
}

/// Converts to lower case. Unlike Rust, Ruby ignores the context of a letter.
fn downcase(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Converts to a capital letter followed by lower-case ones.
pub(crate) fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return String::new() };
    titlecase(first) + &downcase(characters.as_str())
}

/// Converts a letter to title case: in a digraph, only the first part is a capital.
fn titlecase(c: char) -> String {
    match c {
        'Ǆ'..='ǆ' => "ǅ".into(),
        'Ǉ'..='ǉ' => "ǈ".into(),
        'Ǌ'..='ǌ' => "ǋ".into(),
        'Ǳ'..='ǳ' => "ǲ".into(),
        'ŉ' => "ʼN".into(),
        // Georgian letters have capitals, but they are not used for title case.
        'ა'..='ჿ' => c.to_string(),
        // Greek letters with an iota below have separate title-case forms.
        'ᾀ'..='ᾯ' => char::from_u32(u32::from(c) | 8).unwrap_or(c).to_string(),
        'ᾳ' | 'ᾼ' => "ᾼ".into(),
        'ῃ' | 'ῌ' => "ῌ".into(),
        'ῳ' | 'ῼ' => "ῼ".into(),
        _ => {
            let mut upper = c.to_uppercase();
            let first = upper.next().map_or(String::new(), String::from);
            // If a letter maps to several, only the first stays a capital; marks have no case.
            first + &upper.flat_map(char::to_lowercase).collect::<String>()
        }
    }
}
