//! [`get`](https://www.puppet.com/docs/puppet/8/function.html#get) and
//! [`getvar`](https://www.puppet.com/docs/puppet/8/function.html#getvar): `dig` along a path that is written with dots.

use hieratic_puppet_types::infer;
use hieratic_value::Value;

use crate::ruby;
use crate::{Call, Dispatch, Doc, EvalError, Flow, Function, Outcome};

use super::dig::dig;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new(
        "get",
        Doc::new("The value at a path with dots, or a default.").example("{ 'a' => [1, 2] }.get('a.1') # 2"),
        &[Dispatch::new(
            &["Any value", "String dotted_string", "Any default_value?", "&?Callable[1,1] block"],
            |call| {
                let (path, default) = (call.text(1), call.arguments.get(2).cloned().unwrap_or_default());
                value_at_path(call, &call.arguments[0], &path, default)
            },
        )],
    ),
    Function::new(
        "getvar",
        Doc::new("The value of a variable by its name, or a default.").example("getvar('facts.os.family')"),
        &[
            Dispatch::new(
                &[
                    r"Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] get_string",
                    "Any default_value?",
                    "&?Callable[1,1] block",
                ],
                getvar,
            ),
            Dispatch::new(&["!", "String get_string", "Any default_value?", "&?Callable block"], |_| {
                Err(EvalError::new("The given string does not start with a valid variable name").into())
            }),
        ],
    ),
];

fn getvar(call: &mut Call<'_>) -> Outcome {
    let text = call.text(0);
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | ':'))).unwrap_or(text.len());
    let (name, path) = text.split_at(end);
    let path = match path.strip_prefix('.') {
        Some(path) => path,
        None => match path.chars().next() {
            None => path,
            Some(c) => {
                let message = format!("First character after var name in get string must be a '.' - got {c}");
                return Err(EvalError::new(message).into());
            }
        },
    };
    let default = call.arguments.get(1).cloned().unwrap_or_default();
    match call.host.variable(name)? {
        None => Ok(default),
        Some(value) => value_at_path(call, &value, path, default),
    }
}

/// Returns the value at the end of the path, or the default for `undef`. At an obstacle, the block is called.
fn value_at_path(call: &mut Call<'_>, value: &Value, path: &str, default: Value) -> Outcome {
    if value.is_undef() {
        return Ok(default);
    }
    if path.is_empty() {
        return Ok(value.clone());
    }
    let segments = segments(path).ok_or_else(|| EvalError::new("Syntax error in dotted-navigation string"))?;
    if !matches!(value, Value::Array(_) | Value::Hash(_)) {
        let kind = infer(value).generalize();
        let message = format!("'dig' parameter 'data' expects a value of type Undef or Collection, got {kind}");
        return Err(EvalError::new(message).into());
    }
    match dig(value, &segments) {
        Ok(Value::Undef) => Ok(default),
        Ok(found) => Ok(found),
        Err(obstacle) if call.block.is_some() => {
            // Its details contain types, which `Error.new` does not accept from code.
            let error = hieratic_puppet_types::error_value(&obstacle.error_arguments());
            call.yield_block(&[error])
        }
        Err(obstacle) => Err(Flow::from(obstacle.into_error())),
    }
}

/// Splits a path into keys and indices: they are separated by dots, and quoted if they contain dots. Returns `None` for
/// an invalid path.
fn segments(path: &str) -> Option<Vec<Value>> {
    let mut segments = Vec::new();
    let mut rest = path;
    loop {
        let trimmed = rest.trim_start();
        let (segment, after) = match trimmed.chars().next()? {
            quote @ ('"' | '\'') => {
                let (segment, after) = trimmed[1..].split_once(quote)?;
                if segment.is_empty() {
                    return None;
                }
                (Value::from(segment), after.trim_start())
            }
            _ => {
                let end = rest.find(['\'', '"', '.']).unwrap_or(rest.len());
                (plain(rest[..end].trim()), &rest[end..])
            }
        };
        if let Value::String(text) = &segment
            && text.is_empty()
            && rest.starts_with('.')
        {
            return None;
        }
        segments.push(segment);
        if after.is_empty() {
            return Some(segments);
        }
        rest = after.strip_prefix('.')?;
    }
}

/// Parses a segment without quotes: a number is an index.
fn plain(segment: &str) -> Value {
    let digits = segment.strip_prefix(':').unwrap_or(segment);
    let digits = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        ruby::to_i(segment)
    } else {
        Value::from(segment)
    }
}
