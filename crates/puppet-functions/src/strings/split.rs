//! [`split`](https://www.puppet.com/docs/puppet/8/function.html#split)

use std::ops::Range;

use hieratic_puppet_types::{PuppetVersion, RegexpValue, Type};
use hieratic_ruby_regexp::Regexp;
use hieratic_value::{Rich, Value};

use crate::{Call, Dispatch, Doc, EvalError, Flow, Function, Outcome};

use super::matching::{compile, regexp_of_type};

pub(super) static FUNCTIONS: &[Function] = &[Function::changed(
    "split",
    Doc::new("The parts of a string between the separators.").example("split('a,b', ',') # ['a', 'b']"),
    PuppetVersion::splits_sensitive,
    &[
        BY_TEXT,
        BY_REGEXP,
        BY_TYPE,
        Dispatch::new(&["Sensitive[String] sensitive", "String pattern"], |call| in_secret(call, by_text)),
        Dispatch::new(&["Sensitive[String] sensitive", "Regexp pattern"], |call| in_secret(call, by_regexp)),
        Dispatch::new(&["Sensitive[String] sensitive", "Type[Regexp] pattern"], |call| in_secret(call, by_type)),
    ],
    &[BY_TEXT, BY_REGEXP, BY_TYPE],
)];

const BY_TEXT: Dispatch = Dispatch::new(&["String str", "String pattern"], |call| by_text(call, &call.text(0)));

const BY_REGEXP: Dispatch = Dispatch::new(&["String str", "Regexp pattern"], |call| by_regexp(call, &call.text(0)));

const BY_TYPE: Dispatch = Dispatch::new(&["String str", "Type[Regexp] pattern"], |call| by_type(call, &call.text(0)));

/// Splits a secret; the result is secret, too.
fn in_secret(call: &mut Call<'_>, split: fn(&mut Call<'_>, &str) -> Outcome) -> Outcome {
    let text = match &call.arguments[0] {
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(text) => text.to_text(),
            _ => call.arguments[0].to_text(),
        },
        other => other.to_text(),
    };
    split(call, &text).map(Value::sensitive)
}

fn by_text(call: &mut Call<'_>, text: &str) -> Outcome {
    let pattern = call.text(1);
    let regexp = call.host.regexp(&pattern, Default::default()).map_err(|error| EvalError::new(error.to_string()))?;
    split(text, &regexp)
}

fn by_regexp(call: &mut Call<'_>, text: &str) -> Outcome {
    match RegexpValue::downcast(&call.arguments[1]) {
        Some(regexp) => split(text, regexp),
        None => Ok(Value::Undef),
    }
}

fn by_type(call: &mut Call<'_>, text: &str) -> Outcome {
    match Type::of_value(&call.arguments[1]) {
        // A type without an expression behaves like the empty expression.
        Some(kind) => split(text, &regexp_of_type(kind)?.map_or_else(|| compile(""), Ok)?),
        None => Ok(Value::Undef),
    }
}

/// Splits a string at the matches of a pattern; the result includes the groups of the matches. Trailing empty parts are
/// dropped.
fn split(text: &str, regexp: &Regexp) -> Result<Value, Flow> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    // The start of the current part, and the start of the next search.
    let (mut begin, mut start) = (0, 0);
    // Whether an empty match was skipped, because a part has at least one character.
    let mut passed = false;
    while start <= text.len() {
        let found = regexp.try_captures_at(text, start).map_err(|error| EvalError::new(error.to_string()))?;
        let Some(captures) = found else { break };
        let whole = captures.whole();
        if whole.is_empty() && whole.start == start {
            if text.is_empty() {
                break;
            }
            if !passed {
                start += text[start..].chars().next().map_or(1, char::len_utf8);
                passed = true;
                continue;
            }
            parts.push(begin..start);
            begin = start;
        } else {
            parts.push(begin..whole.start);
            begin = whole.end;
            start = whole.end;
        }
        passed = false;
        parts.extend(captures.iter().skip(1).flatten());
    }
    if !text.is_empty() {
        parts.push(begin..text.len());
    }
    while parts.last().is_some_and(Range::is_empty) {
        parts.pop();
    }
    Ok(parts.into_iter().map(|part| Value::from(&text[part])).collect())
}
