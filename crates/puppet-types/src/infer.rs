//! [`infer`] and [`infer_set`] determine the type of a value.

use std::borrow::Cow;

use crate::quantities::{SemVer, Timespan, Timestamp, Uri};
use hieratic_ruby_regexp::Regexp;
use hieratic_value::{Extended, Hash, Rich, Str, Value};

use crate::check::Check;
use crate::common::Reduction;
use crate::object::ObjectValue;
use crate::pattern::Pattern;
use crate::range::{FloatRange, Int, IntegerRange, TimeRange};
use crate::types::{Key, StringType, Type};
use crate::uri_type;
use crate::values::{
    Opaque, Range, RegexpValue, SemVerRangeValue, SemVerValue, TimespanValue, TimestampValue, TypeValue, UriValue,
    bytes_of,
};

/// Returns the most specific type of the value, with one common type for all elements of an array or hash.
///
/// ```
/// use hieratic_puppet_types::infer;
/// use hieratic_value::Value;
/// let list = Value::from(vec![Value::from(1), Value::from(5)]);
/// assert_eq!(infer(&list).to_string(), "Array[Integer[1, 5], 2, 2]");
/// ```
pub fn infer(value: &Value) -> Type {
    infer_in(value, &Check::default())
}

/// As [`infer`], as a part of a check: common types are found by comparisons.
pub(crate) fn infer_in(value: &Value, check: &Check<'_>) -> Type {
    match value {
        Value::Array(elements) if elements.is_empty() => empty_array(),
        Value::Array(elements) => {
            let mut element = Reduction::new(check);
            elements.iter().for_each(|one| element.add_value(one));
            Type::array_of_size(element.finish(), Some(IntegerRange::exactly(elements.len())))
        }
        Value::Hash(hash) if hash.is_empty() => empty_hash(),
        Value::Hash(hash) => {
            let (mut key, mut element) = (Reduction::new(check), Reduction::new(check));
            hash.keys().for_each(|one| key.add_value(one));
            hash.iter().for_each(|(_, one)| element.add_value(one));
            Type::hash_of_size(key.finish(), element.finish(), Some(IntegerRange::exactly(hash.len())))
        }
        _ => infer_single(value, check),
    }
}

/// Returns the exact type of the value, with a separate type for each element: a `Tuple` for an array, a `Struct` for a
/// hash whose keys are strings.
///
/// ```
/// use hieratic_puppet_types::infer_set;
/// use hieratic_value::Value;
/// let list = Value::from(vec![Value::from(1), Value::from("a")]);
/// assert_eq!(infer_set(&list).to_string(), "Tuple[Integer[1, 1], String]");
/// ```
pub fn infer_set(value: &Value) -> Type {
    infer_set_in(value, &Check::default())
}

/// As [`infer_set`], as a part of a check.
pub(crate) fn infer_set_in(value: &Value, check: &Check<'_>) -> Type {
    match value {
        Value::Array(elements) if elements.is_empty() => empty_array(),
        Value::Array(elements) => Type::tuple(elements.iter().map(|one| infer_set_in(one, check))),
        Value::Hash(hash) if hash.is_empty() => empty_hash(),
        Value::Hash(hash) => infer_set_of_hash(hash, check),
        _ => match shape(value) {
            Shape::Version(version) => Type::sem_ver([Range::between(version, version, false)]),
            _ => infer_single(value, check),
        },
    }
}

fn infer_set_of_hash(hash: &Hash, check: &Check<'_>) -> Type {
    let names: Option<Vec<Str>> = hash.keys().map(struct_key).collect();
    if let Some(names) = names {
        let values = hash.iter().map(|(_, value)| infer_set_in(value, check));
        return Type::structure(names.into_iter().map(|name| Key { name, optional: false }).zip(values));
    }
    let key = Type::variant(hash.keys().map(|key| infer_set_in(key, check)));
    let value = Type::variant(hash.iter().map(|(_, value)| infer_set_in(value, check)));
    Type::hash_of_size(key, value, Some(IntegerRange::exactly(hash.len())))
}

/// Returns the string of a key that a `Struct` can name.
fn struct_key(key: &Value) -> Option<Str> {
    match shape(key) {
        Shape::Text(text) if !text.is_empty() => Some(key.as_str().map_or_else(|| (*text).into(), Str::from)),
        _ => None,
    }
}

pub(crate) fn empty_array() -> Type {
    Type::array_of_size(Type::Unit, Some(IntegerRange::exactly(0i64)))
}

fn empty_hash() -> Type {
    Type::hash_of_size(Type::Unit, Type::Unit, Some(IntegerRange::exactly(0i64)))
}

fn infer_single(value: &Value, check: &Check<'_>) -> Type {
    match shape(value) {
        Shape::Undef => Type::Undef,
        Shape::Default => Type::Default,
        Shape::Boolean(truth) => Type::Boolean(Some(truth)),
        Shape::Integer(number) => Type::Integer(IntegerRange::exactly(number)),
        Shape::Float(number) => Type::Float(FloatRange::exactly(number)),
        Shape::Text(text) => {
            let text = value.as_str().map_or_else(|| (*text).into(), Str::from);
            Type::String(StringType::Value(text))
        }
        Shape::Sensitive(secret) => Type::sensitive(infer_in(secret, check)),
        Shape::Symbol => Type::ruby("Symbol"),
        Shape::Kind(kind) => Type::of_type(kind.clone()),
        Shape::Regexp(regexp) => Type::Regexp(Some(Pattern::from(regexp))),
        Shape::Bytes(_) => Type::Binary,
        Shape::Timestamp(moment) => Type::Timestamp(TimeRange::exactly(moment.nanoseconds())),
        Shape::Timespan(span) => Type::Timespan(TimeRange::exactly(span.nanoseconds())),
        Shape::Version(_) => Type::SEM_VER,
        Shape::VersionRange => Type::SemVerRange,
        Shape::Uri(uri) => uri_type::from_uri(uri),
        Shape::Object(object) => object.own_type(),
        Shape::Opaque(opaque) => opaque.kind.clone(),
        Shape::Foreign(class) => Type::ruby(class),
        Shape::Array => empty_array(),
        Shape::Hash => empty_hash(),
    }
}

/// A value as the type system classifies it.
pub(crate) enum Shape<'a> {
    /// `undef`, or the symbol of that name.
    Undef,
    /// `default`, or the symbol of that name.
    Default,
    Boolean(bool),
    Integer(Int),
    Float(f64),
    /// A string. Each byte that is not valid UTF-8 counts as one character, as in Ruby.
    Text(Cow<'a, str>),
    Array,
    Hash,
    Sensitive(&'a Value),
    Symbol,
    /// A type.
    Kind(&'a Type),
    Regexp(&'a Regexp),
    /// Bytes of a program.
    Bytes(&'a [u8]),
    Timestamp(Timestamp),
    Timespan(Timespan),
    Version(&'a SemVer),
    VersionRange,
    Uri(&'a Uri),
    /// An object of a user-defined type.
    Object(&'a ObjectValue),
    /// A value that knows its type.
    Opaque(&'a Opaque),
    /// A value of an unknown kind, with its class.
    Foreign(&'static str),
}

pub(crate) fn shape(value: &Value) -> Shape<'_> {
    match value {
        Value::Undef => Shape::Undef,
        Value::Boolean(truth) => Shape::Boolean(*truth),
        Value::Integer(number) => Shape::Integer(Int::from(*number)),
        Value::Float(number) => Shape::Float(*number),
        Value::String(text) => Shape::Text(Cow::Borrowed(text)),
        Value::Array(_) => Shape::Array,
        Value::Hash(_) => Shape::Hash,
        Value::Rich(rich) => match &**rich {
            Rich::Default => Shape::Default,
            Rich::Sensitive(secret) => Shape::Sensitive(secret),
            Rich::Symbol(name) => match &**name {
                "undef" => Shape::Undef,
                "default" => Shape::Default,
                _ => Shape::Symbol,
            },
            Rich::BigInteger(number) => Shape::Integer(Int::from(number.clone())),
            Rich::Extended(extended) => shape_of_extended(value, &**extended),
            Rich::Binary(bytes) => Shape::Text(Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect())),
        },
    }
}

fn shape_of_extended<'a>(value: &'a Value, extended: &'a dyn Extended) -> Shape<'a> {
    let any = extended.as_any();
    if let Some(kind) = any.downcast_ref::<TypeValue>() {
        Shape::Kind(&kind.kind)
    } else if let Some(regexp) = any.downcast_ref::<RegexpValue>() {
        Shape::Regexp(&regexp.0)
    } else if let Some(object) = any.downcast_ref::<ObjectValue>() {
        Shape::Object(object)
    } else if let Some(moment) = any.downcast_ref::<TimestampValue>() {
        Shape::Timestamp(moment.0)
    } else if let Some(span) = any.downcast_ref::<TimespanValue>() {
        Shape::Timespan(span.0)
    } else if let Some(version) = any.downcast_ref::<SemVerValue>() {
        Shape::Version(&version.0)
    } else if any.is::<SemVerRangeValue>() {
        Shape::VersionRange
    } else if let Some(uri) = any.downcast_ref::<UriValue>() {
        Shape::Uri(&uri.0)
    } else if let Some(opaque) = any.downcast_ref::<Opaque>() {
        Shape::Opaque(opaque)
    } else if let Some(bytes) = bytes_of(value) {
        Shape::Bytes(bytes)
    } else {
        Shape::Foreign(extended.ruby_class())
    }
}
