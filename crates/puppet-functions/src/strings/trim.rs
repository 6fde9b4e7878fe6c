//! Functions that trim strings: [`strip`](https://www.puppet.com/docs/puppet/8/function.html#strip),
//! [`lstrip`](https://www.puppet.com/docs/puppet/8/function.html#lstrip),
//! [`rstrip`](https://www.puppet.com/docs/puppet/8/function.html#rstrip),
//! [`chomp`](https://www.puppet.com/docs/puppet/8/function.html#chomp) and
//! [`chop`](https://www.puppet.com/docs/puppet/8/function.html#chop)

use hieratic_value::Value;

use crate::{Dispatch, Doc, Function};

use super::{EACH_STRING, each_string};

/// Declares a function that changes a string, or each string of an iterable value.
macro_rules! of_strings {
    ($name:literal, $doc:expr, $change:expr) => {
        Function::new(
            $name,
            $doc,
            &[
                Dispatch::new(&["Numeric arg"], |call| Ok(call.arguments[0].clone())),
                Dispatch::new(&["String arg"], |call| Ok(Value::from($change(&call.text(0))))),
                Dispatch::new(&[EACH_STRING], |call| each_string(call, $name, $change)),
            ],
        )
    };
}
pub(super) use of_strings;

pub(super) static FUNCTIONS: &[Function] = &[
    of_strings!(
        "strip",
        Doc::new("The string without space at both ends.").example("strip('  a ') # 'a'"),
        |text: &str| text.trim_matches(is_blank).to_owned()
    ),
    of_strings!(
        "lstrip",
        Doc::new("The string without space in front.").example("lstrip('  a') # 'a'"),
        |text: &str| text.trim_start_matches(is_blank).to_owned()
    ),
    of_strings!("rstrip", Doc::new("The string without space behind.").example("rstrip('a  ') # 'a'"), |text: &str| {
        text.trim_end_matches(is_blank).to_owned()
    }),
    of_strings!(
        "chomp",
        Doc::new("The string without the end of its line.").example("chomp(\"a\\n\") # 'a'"),
        |text: &str| {
            let without = text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r']));
            without.unwrap_or(text).to_owned()
        }
    ),
    of_strings!(
        "chop",
        Doc::new("The string without its last character.").example("chop('abc') # 'ab'"),
        |text: &str| {
            let mut characters = text.chars();
            characters.next_back();
            text.strip_suffix("\r\n").unwrap_or(characters.as_str()).to_owned()
        }
    ),
];

/// Returns whether Ruby treats the character as a blank.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, '\0' | '\t'..='\r' | ' ')
}
