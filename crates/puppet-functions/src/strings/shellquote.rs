//! [`shellquote`](https://www.puppet.com/docs/puppet/8/function.html#shellquote)

use hieratic_value::Value;

use crate::collections::flattened;
use crate::system::legacy;
use crate::system::resource::LegacyResource;
use crate::{Dispatch, Doc, EvalError, Flow, Function, Outcome, ruby};

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "shellquote",
    Doc::new("Words, quoted for a shell.").example("shellquote('a b') # '\"a b\"'"),
    &[Dispatch::untyped(|call| shellquote(&legacy::arguments(call, "shellquote", -1)?))],
)];

/// Quotes words for a shell and joins them with blanks.
fn shellquote(words: &[Value]) -> Outcome {
    let quoted: Result<Vec<String>, Flow> = flattened(words)
        .iter()
        .map(|word| match word {
            Value::String(word) => Ok(quoted(word)),
            Value::Hash(_) => Err(EvalError::new(ruby::not_a_string(word)).into()),
            other if other.extended::<LegacyResource>().is_some() => {
                Err(EvalError::new(ruby::not_a_string(other)).into())
            }
            other => Err(EvalError::new(ruby::undefined_method("length", other)).into()),
        })
        .collect();
    Ok(Value::from(quoted?.join(" ")))
}

/// Characters with a special meaning inside of double quotes.
const DANGEROUS: [char; 5] = ['!', '"', '`', '$', '\\'];

fn quoted(word: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "@%_+=:,./-".contains(c);
    let is_dangerous = |c: char| DANGEROUS.contains(&c);
    if !word.is_empty() && word.chars().all(is_safe) {
        word.to_owned()
    } else if !word.contains(is_dangerous) {
        format!("\"{word}\"")
    } else if !word.contains('\'') {
        format!("'{word}'")
    } else {
        let mut out = String::from("\"");
        for c in word.chars() {
            if is_dangerous(c) {
                out.push('\\');
            }
            out.push(c);
        }
        out + "\""
    }
}
