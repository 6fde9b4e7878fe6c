//! Builds types from parameters that are values. Type strings and code share these rules.
//!
//! The parameters of each type are described under [data types](https://www.puppet.com/docs/puppet/8/lang_data.html).
//! Errors have the reference's wording and no position: the caller adds it.

use crate::quantities::{SemVerRange, Timespan, Timestamp};
use hieratic_value::{Hash, Rich, Str, Value, text};

use crate::infer::infer;
use crate::pattern::Pattern;
use crate::range::{FloatRange, Int, IntegerRange, TimeRange};
use crate::times::{nanoseconds_of, timespan_of_hash, timestamp_of_hash};
use crate::types::{CallableType, Key, ResourceType, RuntimeType, StringType, TupleType, Type};
use crate::values::{Range, RegexpValue, SemVerRangeValue, TimespanValue, TimestampValue};

/// The result of building a type; the error is the reference's message.
pub(crate) type BuildResult<T> = Result<T, String>;

/// Returns whether a value is `default`.
pub(crate) fn is_default(value: &Value) -> bool {
    match value.as_rich() {
        Some(Rich::Default) => true,
        Some(Rich::Symbol(name)) => **name == *"default",
        _ => false,
    }
}

/// Returns the type that a value denotes in place of a type: a string is the name of a runtime class, any other value
/// is an example of its type.
pub(crate) fn type_of(value: &Value) -> Type {
    match Type::of_value(value) {
        Some(kind) => kind.clone(),
        None => match value {
            Value::String(name) => Type::ruby(name),
            example => infer(example).generalize(),
        },
    }
}

/// Returns whether a value can be the bound of a size.
pub(crate) fn is_range_end(value: &Value) -> bool {
    Int::from_value(value).is_some() || is_default(value) || value.as_str() == Some("default")
}

/// Builds a range. A bound that is not a number is open.
pub(crate) fn range(from: &Value, to: &Value) -> BuildResult<IntegerRange> {
    integer_range(Int::from_value(from), Int::from_value(to))
}

/// Builds a range of integers; an error if its bounds are in the wrong order.
pub(crate) fn integer_range(from: Option<Int>, to: Option<Int>) -> BuildResult<IntegerRange> {
    IntegerRange::new(from.clone(), to.clone()).ok_or_else(|| disordered(from, to))
}

/// Builds a range of floats; an error if its bounds are in the wrong order.
pub(crate) fn float_range(from: Option<f64>, to: Option<f64>) -> BuildResult<FloatRange> {
    FloatRange::new(from, to).ok_or_else(|| disordered(from.map(text::float), to.map(text::float)))
}

/// The error for bounds in the wrong order. The closing parenthesis is missing in the reference, too.
pub(crate) fn disordered<T: std::fmt::Display>(from: Option<T>, to: Option<T>) -> String {
    let shown = |end: Option<T>| end.map(|end| end.to_string()).unwrap_or_default();
    format!("'from' must be less or equal to 'to'. Got ({}, {}", shown(from), shown(to))
}

/// Converts a number to a float.
pub(crate) fn float_of(value: &Value) -> Option<f64> {
    match value {
        Value::Float(number) => Some(*number),
        other => Int::from_value(other).map(|number| number.to_f64()),
    }
}

/// Splits the parameters of an `Enum` into its strings and the flag for case insensitivity, an optional last boolean.
pub(crate) fn split_case(keys: &[Value]) -> (&[Value], bool) {
    match keys {
        [texts @ .., Value::Boolean(insensitive)] => (texts, *insensitive),
        texts => (texts, false),
    }
}

/// Compiles a regular expression.
pub(crate) fn regexp(source: &str) -> BuildResult<Pattern> {
    Pattern::new(source).map_err(|error| error.to_string())
}

/// Builds a `Pattern` from strings, regular expressions, and types of either.
pub(crate) fn pattern(keys: &[Value]) -> BuildResult<Type> {
    let mut patterns = Vec::new();
    for key in keys {
        match (Type::of_value(key), RegexpValue::downcast(key), key) {
            (Some(Type::Regexp(Some(pattern))), ..) => patterns.push(pattern.clone()),
            (Some(Type::Regexp(None)), ..) => patterns.push(regexp("")?),
            (Some(Type::Pattern(inner)), ..) => patterns.extend(inner.as_slice().iter().cloned()),
            (_, Some(compiled), _) => patterns.push(Pattern::from(compiled)),
            (.., Value::String(source)) => patterns.push(regexp(source)?),
            (.., other) => {
                return Err(format!(
                    "Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got '{}",
                    other.ruby_class()
                ));
            }
        }
    }
    Ok(Type::pattern(patterns))
}

/// Builds a tuple from types and an optional size at the end, given by one bound or both.
pub(crate) fn tuple(keys: &[Value]) -> BuildResult<TupleType> {
    let (types, size) = split_size(keys)?;
    Ok(TupleType { types: types.iter().map(type_of).collect(), size: size.map(|size| size.to_size()) })
}

/// The keys without the size at their end, and the size.
pub(crate) fn split_size(keys: &[Value]) -> BuildResult<(&[Value], Option<IntegerRange>)> {
    let ends = keys.iter().rev().take(2).take_while(|one| is_range_end(one)).count();
    let (types, ends) = keys.split_at(keys.len() - ends);
    let size = match ends {
        [] => None,
        [from] => Some(range(from, &Value::Undef)?),
        [from, to, ..] => Some(range(from, to)?),
    };
    Ok((types, size))
}

/// Builds a `Struct` from its keys and types.
pub(crate) fn structure(pairs: &Hash) -> BuildResult<Type> {
    let elements = pairs.iter().map(|(key, value)| {
        let value = type_of(value);
        Ok((struct_key(key, &value)?, value))
    });
    Ok(Type::structure(elements.collect::<BuildResult<Vec<_>>>()?))
}

/// Builds a key of a struct. A bare name is optional if its value may be `undef`.
fn struct_key(key: &Value, value: &Type) -> BuildResult<Key> {
    let illegal = |class: String| {
        Err(format!("Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: {class}"))
    };
    let kind = match (key, Type::of_value(key)) {
        (Value::String(name), _) if name.is_empty() => {
            return Err("Struct element key cannot be an empty String".into());
        }
        (Value::String(name), _) => {
            return Ok(Key { name: name.clone(), optional: value.is_assignable(&Type::Undef) });
        }
        (_, Some(kind)) => kind,
        (other, None) => return illegal(other.ruby_class().to_owned()),
    };
    let unusable = || format!("Unable to extract a non-empty literal string from Struct member key type {kind}");
    let inner = match kind {
        Type::Optional(inner) | Type::NotUndef(inner) => inner.as_deref().ok_or_else(unusable)?,
        Type::String(_) | Type::Enum(_) => kind,
        _ => return illegal(key.ruby_class().to_owned()),
    };
    let name = match inner {
        Type::String(StringType::Value(name)) => name.clone(),
        Type::Enum(listed) => match listed.values() {
            [name] => name.clone(),
            _ => return Err(unusable()),
        },
        _ => return Err(unusable()),
    };
    Ok(Key { name, optional: matches!(kind, Type::Optional(_)) })
}

/// Builds a `Callable` from parameters, a size and a block, or from an array of these and the return type.
pub(crate) fn callable(keys: &[Value]) -> BuildResult<Type> {
    let (mut keys, returns) = match keys {
        [Value::Array(parameters), returns] => (&parameters[..], Some(type_of(returns))),
        keys => (keys, None),
    };
    let mut block = None;
    if let [parameters @ .., last] = keys
        && let Some(kind) = Type::of_value(last).filter(|kind| is_kind_of_callable(kind, true))
    {
        block = Some(kind.clone());
        keys = parameters;
    }
    let mut parameters = tuple(keys)?;
    let some = parameters.size.as_ref().is_some_and(|size| !size.is_zero());
    if parameters.types.is_empty() && some {
        parameters.types.push(Type::Unit);
    }
    let returns = returns.filter(|returns| *returns != Type::Any);
    Ok(Type::Callable(CallableType { parameters: Some(parameters), block, returns }.into()))
}

/// Returns whether all values of the type are callable. Values of an `Optional` count only if `optional` is set.
pub(crate) fn is_kind_of_callable(kind: &Type, optional: bool) -> bool {
    match kind.resolved() {
        Type::Callable(_) => true,
        Type::Optional(Some(inner)) => optional && is_kind_of_callable(inner, optional),
        Type::Variant(variants) => variants.as_slice().iter().all(|one| is_kind_of_callable(one, optional)),
        _ => false,
    }
}

/// Builds the type of a runtime class.
pub(crate) fn runtime(runtime: &Str, name: &Str) -> Type {
    Type::Runtime(RuntimeType { runtime: Some(runtime.clone()), name: Some(name.clone()) }.into())
}

/// Builds a resource type from its name in any case, and an optional title.
pub(crate) fn resource(name: &str, title: Option<Str>) -> Type {
    Type::Resource(ResourceType { name: Some(capitalize_segments(name)), title }.into())
}

/// Capitalizes `my::thing` to `My::Thing`; capitalized segments are unchanged.
pub fn capitalize_segments(name: &str) -> Str {
    let capitalize = |segment: &str| {
        let mut characters = segment.chars();
        let first = characters.next().map(|first| first.to_uppercase().to_string());
        first.unwrap_or_default() + &characters.as_str().to_lowercase()
    };
    if name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return name.into();
    }
    name.split("::").map(capitalize).collect::<Vec<_>>().join("::").into()
}

/// A bound of a time range in nanoseconds; `None` is open.
type TimeBound = Option<i128>;

fn time_range(
    keys: &[Value],
    read: impl Fn(&Value) -> BuildResult<TimeBound>,
    shown: impl Fn(i128) -> String,
) -> BuildResult<TimeRange> {
    let end = |index: usize| keys.get(index).map_or(Ok(None), &read);
    let (from, to) = (end(0)?, end(1)?);
    TimeRange::new(from, to).ok_or_else(|| disordered(from.map(&shown), to.map(&shown)))
}

fn no_time(class: &str, value: &Value) -> String {
    format!("Unable to create a Puppet::Pops::Time::{class} from a {}", value.ruby_class())
}

/// Builds a `Timestamp` between two points in time, given as seconds, strings, hashes or timestamps.
pub(crate) fn timestamp(keys: &[Value]) -> BuildResult<Type> {
    let read = |value: &Value| match value {
        value if is_default(value) || value.is_undef() => Ok(None),
        Value::String(text) => Timestamp::parse(text).map(|moment| Some(moment.nanoseconds())),
        Value::Hash(hash) => timestamp_of_hash(hash).map(|moment| Some(moment.nanoseconds())),
        value => match TimestampValue::downcast(value) {
            Some(moment) => Ok(Some(moment.nanoseconds())),
            None => nanoseconds_of(value).map(Some).ok_or_else(|| no_time("Timestamp", value)),
        },
    };
    let shown = |end: i128| Timestamp::new(end).map(|end| end.to_string()).unwrap_or_default();
    time_range(keys, read, shown).map(Type::Timestamp)
}

/// Builds a `Timespan` between two durations.
pub(crate) fn timespan(keys: &[Value]) -> BuildResult<Type> {
    let read = |value: &Value| match value {
        value if is_default(value) || value.is_undef() => Ok(None),
        Value::String(text) => Timespan::parse(text).map(|span| Some(span.nanoseconds())),
        Value::Hash(hash) => timespan_of_hash(hash).map(|span| Some(span.nanoseconds())),
        value => match TimespanValue::downcast(value) {
            Some(span) => Ok(Some(span.nanoseconds())),
            None => nanoseconds_of(value).map(Some).ok_or_else(|| no_time("Timespan", value)),
        },
    };
    let shown = |end: i128| Timespan::new(end).map(|end| end.to_string()).unwrap_or_default();
    time_range(keys, read, shown).map(Type::Timespan)
}

/// Builds a `SemVer` from ranges, given as strings or values.
pub(crate) fn sem_ver(keys: &[Value]) -> BuildResult<Type> {
    let ranges = keys.iter().map(|key| match (key, SemVerRangeValue::downcast(key)) {
        (_, Some(range)) => Ok(range.clone()),
        (Value::String(text), None) => SemVerRange::parse(text).map(Range::from),
        (other, None) => Err(format!("Unable to convert a {} to a SemVerRange", other.ruby_class())),
    });
    Ok(Type::sem_ver(ranges.collect::<BuildResult<Vec<_>>>()?))
}
