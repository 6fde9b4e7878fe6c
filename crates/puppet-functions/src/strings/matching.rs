//! [`match`](https://www.puppet.com/docs/puppet/8/function.html#match)

use hieratic_puppet_types::{RegexpValue, Type};
use hieratic_ruby_regexp::Regexp;
use hieratic_value::Value;

use crate::collections::flattened;
use crate::{Call, Dispatch, Doc, EvalError, Flow, Function, Outcome};

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "match",
    Doc::new("The parts of a string that a regular expression matches.")
        .example("'abc12'.match(/([a-z]+)(\\d+)/) # ['abc12', 'abc', '12']"),
    &[
        Dispatch::new(&["String string", "Variant[Any, Type] pattern"], |call| {
            matched(&call.text(0), &call.arguments[1])
        }),
        Dispatch::new(&["Array[String] string", "Variant[Any, Type] pattern"], match_each),
    ],
)];

fn match_each(call: &mut Call<'_>) -> Outcome {
    let texts = call.arguments[0].as_array().unwrap_or_default();
    texts.iter().map(|text| matched(text.as_str().unwrap_or_default(), &call.arguments[1])).collect()
}

/// Compiles a pattern in a string.
pub(super) fn compile(pattern: &str) -> Result<Regexp, Flow> {
    Regexp::new(pattern).map_err(|error| EvalError::new(error.to_string()).into())
}

/// Returns the expression of a `Regexp` type, or `None` if it has none.
pub(super) fn regexp_of_type(kind: &Type) -> Result<Option<Regexp>, Flow> {
    match kind {
        Type::Regexp(Some(pattern)) => compile_pattern(pattern).map(Some),
        Type::Alias(alias) => regexp_of_type(alias.resolved()),
        _ => Ok(None),
    }
}

fn compile_pattern(pattern: &hieratic_puppet_types::Pattern) -> Result<Regexp, Flow> {
    compile(pattern.source())
}

/// Returns the match with its groups, or undef if there is no match.
fn matched(text: &str, pattern: &Value) -> Outcome {
    if let Value::String(source) = pattern {
        return search(text, &compile(source)?);
    }
    if let Some(regexp) = RegexpValue::downcast(pattern) {
        return search(text, regexp);
    }
    if let Some(kind) = Type::of_value(pattern) {
        return match_type(text, kind);
    }
    if let Value::Array(patterns) = pattern {
        return first(flattened(patterns).iter().map(|pattern| matched(text, pattern)));
    }
    Err(unusable(pattern.ruby_class()))
}

fn match_type(text: &str, kind: &Type) -> Outcome {
    match kind {
        Type::Alias(alias) => match_type(text, alias.resolved()),
        Type::Variant(types) => first(types.as_slice().iter().map(|kind| match_type(text, kind))),
        Type::Regexp(None) => Err(EvalError::new("Given Regexp Type has no regular expression").into()),
        Type::Regexp(Some(pattern)) => search(text, &compile_pattern(pattern)?),
        Type::Pattern(patterns) => {
            first(patterns.as_slice().iter().map(|pattern| search(text, &compile_pattern(pattern)?)))
        }
        _ => Err(unusable(&format!("Puppet::Pops::Types::P{}Type", class_name(kind)))),
    }
}

/// The name of a type in the name of its Ruby class.
fn class_name(kind: &Type) -> &str {
    match kind {
        Type::Uri => "URI",
        _ => kind.name(),
    }
}

fn first(mut outcomes: impl Iterator<Item = Outcome>) -> Outcome {
    outcomes.find(|outcome| !matches!(outcome, Ok(Value::Undef))).unwrap_or(Ok(Value::Undef))
}

fn unusable(class: &str) -> Flow {
    EvalError::new(format!(
        "match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or Array[T]. Got {class}"
    ))
    .into()
}

fn search(text: &str, regexp: &Regexp) -> Outcome {
    let found = regexp.try_captures_at(text, 0).map_err(|error| EvalError::new(error.to_string()))?;
    let Some(captures) = found else { return Ok(Value::Undef) };
    Ok(captures.iter().map(|group| group.map_or(Value::Undef, |group| Value::from(&text[group]))).collect())
}
