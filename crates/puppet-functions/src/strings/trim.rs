//! Functions that take something away at the ends of strings:
//! [`strip`](https://www.puppet.com/docs/puppet/8/function.html#strip),
//! [`lstrip`](https://www.puppet.com/docs/puppet/8/function.html#lstrip),
//! [`rstrip`](https://www.puppet.com/docs/puppet/8/function.html#rstrip),
//! [`chomp`](https://www.puppet.com/docs/puppet/8/function.html#chomp) and
//! [`chop`](https://www.puppet.com/docs/puppet/8/function.html#chop)

use hieratic_value::Value;

use crate::{Dispatch, Function};

use super::{EACH_STRING, each_string};

/// Declares a function that changes a string, or each string of an iterable value.
macro_rules! of_strings {
    ($name:literal, $change:expr) => {
        Function::new(
            $name,
            &[
                Dispatch { parameters: &["Numeric arg"], run: |call| Ok(call.arguments[0].clone()) },
                Dispatch { parameters: &["String arg"], run: |call| Ok(Value::from($change(&call.text(0)))) },
                Dispatch { parameters: &[EACH_STRING], run: |call| each_string(call, $name, $change) },
            ],
        )
    };
}
pub(super) use of_strings;

pub(super) static FUNCTIONS: [Function; 5] = [
    of_strings!("strip", |text: &str| text.trim_matches(is_blank).to_owned()),
    of_strings!("lstrip", |text: &str| text.trim_start_matches(is_blank).to_owned()),
    of_strings!("rstrip", |text: &str| text.trim_end_matches(is_blank).to_owned()),
    of_strings!("chomp", |text: &str| {
        let without = text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r']));
        without.unwrap_or(text).to_owned()
    }),
    of_strings!("chop", |text: &str| {
        let mut characters = text.chars();
        characters.next_back();
        text.strip_suffix("\r\n").unwrap_or(characters.as_str()).to_owned()
    }),
];

/// Returns whether Ruby treats the character as a blank.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, '\0' | '\t'..='\r' | ' ')
}
