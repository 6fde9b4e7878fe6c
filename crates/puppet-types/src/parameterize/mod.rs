//! [`parameterize`] adds evaluated parameters to a type.
//!
//! This implements brackets after a type in a program; see [data
//! types](https://www.puppet.com/docs/puppet/8/lang_data_type.html).

mod references;

use std::fmt;

use hieratic_value::Value;
use hieratic_value::text::{article, capitalized};

use crate::build::{self, BuildResult};
use crate::infer::infer;
use crate::mismatch::assert_instance;
use crate::object;
use crate::parse::interpret::init;
use crate::range::{Int, IntegerRange};
use crate::type_set;
use crate::types::{StringType, Type};
use crate::uri_type;
use crate::values::{RegexpValue, SemVerRangeValue};

/// The result of an access with brackets to a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameterized {
    /// A type, or an array of references to several classes or resources, or `undef` for an empty list of references.
    pub value: Value,
    /// Possible mistakes that are not errors.
    pub warnings: Vec<String>,
}

/// The reason why the parameters do not fit the type. The message is the reference's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterizeError {
    /// The message.
    pub message: String,
    /// The part of the expression with the error.
    pub blame: Blame,
}

/// The erroneous part of `Left[key, key]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The whole expression.
    Whole,
    /// The expression before the brackets.
    Left,
    /// The key at an index. Arrays among the keys are flattened before they are counted.
    Key(usize),
    /// An error of the type itself: the message follows `Error while evaluating a '[]' expression, `.
    Below,
}

impl fmt::Display for ParameterizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParameterizeError {}

type ParameterizeResult<T> = Result<T, ParameterizeError>;

/// Adds parameters to a type.
///
/// ```
/// use hieratic_puppet_types::{Blame, Type, parameterize};
/// use hieratic_value::Value;
/// let port = parameterize(&Type::INTEGER, &[Value::from(1), Value::from(65535)]).unwrap();
/// assert_eq!(port.value.to_text(), "Integer[1, 65535]");
/// let error = parameterize(&Type::INTEGER, &[Value::from("a")]).unwrap_err();
/// assert_eq!(error.to_string(), "Integer-Type [] requires all arguments to be integers (or default). Got String");
/// assert_eq!(error.blame, Blame::Key(0));
/// ```
///
/// # Errors
/// The keys are not valid parameters of the type, or the type has no parameters.
pub fn parameterize(base: &Type, keys: &[Value]) -> Result<Parameterized, ParameterizeError> {
    parameterize_named(base, keys, None)
}

/// Adds parameters to a type like [`parameterize`], in the definition of an alias: an object type or a type set takes
/// its name from the alias.
///
/// # Errors
/// As [`parameterize`].
pub fn parameterize_named(base: &Type, keys: &[Value], name: Option<&str>) -> Result<Parameterized, ParameterizeError> {
    match base {
        Type::Class(None) => return references::classes(base, keys),
        Type::Resource(resource) if resource.title.is_none() => return references::resources(base, keys),
        _ => {}
    }
    let access = Access { base, given: keys, flat: flatten(keys), name };
    let result = access.make()?;
    below(crate::size::check(&result))?;
    Ok(Parameterized { value: result.into_value(), warnings: Vec::new() })
}

/// Returns the elements with nested arrays flattened.
fn flatten(keys: &[Value]) -> Vec<Value> {
    let mut flat = Vec::with_capacity(keys.len());
    // An explicit stack instead of recursion, because keys can be nested deeply.
    let mut rest = vec![keys.iter()];
    while let Some(last) = rest.last_mut() {
        match last.next() {
            Some(Value::Array(elements)) => rest.push(elements.iter()),
            Some(value) => flat.push(value.clone()),
            None => drop(rest.pop()),
        }
    }
    flat
}

fn fail<T>(blame: Blame, message: impl Into<String>) -> ParameterizeResult<T> {
    Err(ParameterizeError { message: message.into(), blame })
}

fn below<T>(built: BuildResult<T>) -> ParameterizeResult<T> {
    built.or_else(|message| fail(Blame::Below, message))
}

/// The kinds of values that a key may be of.
#[derive(Clone, Copy, PartialEq)]
enum KeyKind {
    Type,
    Text,
    Regexp,
    Boolean,
    Hash,
    PatternType,
    RegexpType,
    VersionRange,
}

impl KeyKind {
    fn accepts(self, value: &Value) -> bool {
        match self {
            KeyKind::Type => Type::of_value(value).is_some(),
            KeyKind::Text => matches!(value, Value::String(_)),
            KeyKind::Regexp => RegexpValue::downcast(value).is_some(),
            KeyKind::Boolean => matches!(value, Value::Boolean(_)),
            KeyKind::Hash => matches!(value, Value::Hash(_)),
            KeyKind::PatternType => matches!(Type::of_value(value), Some(Type::Pattern(_))),
            KeyKind::VersionRange => SemVerRangeValue::downcast(value).is_some(),
            KeyKind::RegexpType => matches!(Type::of_value(value), Some(Type::Regexp(_))),
        }
    }

    fn label(self) -> &'static str {
        match self {
            KeyKind::Type => "Any-Type",
            KeyKind::Text => "String",
            KeyKind::Regexp => "Regexp",
            KeyKind::Boolean => "TrueClass or FalseClass",
            KeyKind::Hash => "Hash",
            KeyKind::PatternType => "Pattern-Type",
            KeyKind::RegexpType => "Regexp-Type",
            KeyKind::VersionRange => "SemanticPuppet::VersionRange",
        }
    }
}

/// An access with brackets to a type.
struct Access<'a> {
    base: &'a Type,
    given: &'a [Value],
    flat: Vec<Value>,
    /// The name of the alias that is defined.
    name: Option<&'a str>,
}

impl Access<'_> {
    fn make(&self) -> ParameterizeResult<Type> {
        let keys = &self.flat[..];
        match self.base {
            Type::Integer(_) => self.integer(),
            Type::Float(_) => self.float(),
            Type::String(_) => match keys.len() {
                1 | 2 => Ok(Type::String(StringType::Size(self.size(0, keys)?.to_size()))),
                count => fail(Blame::Whole, format!("String supports [] with one or two arguments. Got {count}")),
            },
            Type::Boolean(_) => {
                self.check(keys, 1, Some(1), &[KeyKind::Boolean])?;
                Ok(Type::Boolean(Some(keys[0] == Value::Boolean(true))))
            }
            Type::Enum(_) => {
                let (texts, insensitive) = build::split_case(keys);
                self.check(texts, 1, None, &[KeyKind::Text])?;
                let texts = texts.iter().filter_map(|text| match text {
                    Value::String(text) => Some(text.clone()),
                    _ => None,
                });
                Ok(Type::enumeration_with_case(texts, insensitive))
            }
            Type::Pattern(_) => {
                self.check(
                    keys,
                    1,
                    None,
                    &[KeyKind::Text, KeyKind::Regexp, KeyKind::PatternType, KeyKind::RegexpType],
                )?;
                below(build::pattern(keys))
            }
            Type::Regexp(_) => self.regexp(),
            Type::Collection(_) => match keys.len() {
                1 | 2 => Ok(Type::collection(Some(self.size(0, keys)?))),
                count => self.wrong_count("Collection-Type", 1, Some(2), count),
            },
            Type::Array(_) => self.array(),
            Type::Hash(_) => self.hash(),
            Type::Tuple(_) => {
                let (types, _) = below(build::split_size(keys))?;
                self.check(types, 1, None, &[KeyKind::Type])?;
                below(build::tuple(keys)).map(|tuple| Type::Tuple(tuple.into()))
            }
            Type::Struct(_) => {
                self.check(self.given, 1, Some(1), &[KeyKind::Hash])?;
                match &self.given[0] {
                    Value::Hash(pairs) => below(build::structure(pairs)),
                    other => self.wrong_key(0, other, &[KeyKind::Hash]),
                }
            }
            Type::Variant(_) => {
                self.check(keys, 1, None, &[KeyKind::Type])?;
                Ok(Type::variant(keys.iter().map(build::type_of)))
            }
            Type::Optional(_) => match self.one("Optional-Type")? {
                Value::String(text) => Ok(Type::optional(Type::string_value(text.clone()))),
                key => self.type_key("Optional-Type", key).map(Type::optional),
            },
            Type::NotUndef(_) => match keys {
                [] => Ok(Type::NotUndef(None)),
                [Value::String(text)] => Ok(Type::not_undef(Type::string_value(text.clone()))),
                [key] => match Type::of_value(key) {
                    Some(kind) => Ok(Type::not_undef(kind.clone())),
                    None => fail(
                        Blame::Key(0),
                        format!("NotUndef-Type[] argument must be a Type or a String. Got {}", key.ruby_class()),
                    ),
                },
                more => self.wrong_count("NotUndef-Type", 0, Some(1), more.len()),
            },
            Type::Sensitive(_) => self.only_type("Sensitive-Type").map(Type::sensitive),
            Type::Type(_) => self.only_type("Type-Type").map(Type::of_type),
            Type::Iterable(_) => self.only_type("Iterable-Type").map(Type::iterable),
            Type::Iterator(_) => self.only_type("Iterator-Type").map(|inner| Type::Iterator(Some(inner.into()))),
            Type::Callable(_) => self.callable(),
            Type::Runtime(_) => {
                self.check(keys, 2, Some(2), &[KeyKind::Text])?;
                match keys {
                    [Value::String(runtime), Value::String(name)] => Ok(build::runtime(runtime, name)),
                    _ => self.not_applicable(),
                }
            }
            Type::Init(_) => match self.given.split_first() {
                Some((kind, arguments)) if Type::of_value(kind).is_some() => {
                    below(init(&build::type_of(kind), arguments))
                }
                first => no_type("Init-Type", 0, first.map_or(&Value::Undef, |(kind, _)| kind)),
            },
            Type::Object(Some(base)) if base.name().is_some() => below(object::extension(base, keys)),
            Type::Object(_) => match self.one("Object-Type")? {
                Value::Hash(definition) => below(object::object_type(self.name, definition)),
                Value::Undef => Ok(Type::Object(None)),
                other => {
                    let subject = "object initializer";
                    let mismatch = assert_instance(subject, &Type::hash(Type::Any, Type::Any), other);
                    fail(Blame::Below, mismatch.map_or_else(|mismatch| mismatch.to_string(), |()| subject.into()))
                }
            },
            Type::Timestamp(_) | Type::Timespan(_) if keys.len() > 2 => {
                let label = capitalized_with_article(&type_label(self.base));
                self.wrong_count(&label, 0, Some(2), keys.len())
            }
            Type::Timestamp(_) => below(build::timestamp(keys)),
            Type::Timespan(_) => below(build::timespan(keys)),
            Type::SemVer(_) => {
                self.check(keys, 1, None, &[KeyKind::Text, KeyKind::VersionRange])?;
                below(build::sem_ver(keys))
            }
            Type::Uri | Type::UriOf(_) => {
                let key = self.one("URI-Type")?;
                if !uri_type::parameter_type().is_instance(key) {
                    return no_type("URI-Type", 0, key);
                }
                below(uri_type::from_parameter(key))
            }
            Type::TypeSet(_) => match self.one("TypeSet-Type")? {
                Value::Hash(definition) => below(type_set::type_set(self.name, definition)),
                other => no_type("TypeSet-Type", 0, other),
            },
            Type::Reference(text) => fail(Blame::Whole, format!("Resource type not found: {text}")),
            _ => self.not_applicable(),
        }
    }

    fn not_applicable<T>(&self) -> ParameterizeResult<T> {
        fail(Blame::Left, format!("Operator '[]' is not applicable to {}.", with_article(&type_label(self.base))))
    }

    /// Returns the error for a wrong number of keys.
    fn wrong_count<T>(&self, label: &str, least: usize, most: Option<usize>, count: usize) -> ParameterizeResult<T> {
        fail(Blame::Whole, wrong_count(label, least, Some(most), count))
    }

    /// Checks the number of keys, and that each is of one of the kinds.
    fn check(&self, keys: &[Value], least: usize, most: Option<usize>, kinds: &[KeyKind]) -> ParameterizeResult<()> {
        if keys.len() < least || most.is_some_and(|most| keys.len() > most) {
            // The reference always names one as the minimum.
            return self.wrong_count(&capitalized_with_article(&type_label(self.base)), 1, most, keys.len());
        }
        for (index, key) in keys.iter().enumerate() {
            if !kinds.iter().any(|kind| kind.accepts(key)) {
                return self.wrong_key(index, key, kinds);
            }
        }
        Ok(())
    }

    fn wrong_key<T>(&self, index: usize, key: &Value, kinds: &[KeyKind]) -> ParameterizeResult<T> {
        let expected: Vec<&str> = kinds.iter().map(|kind| kind.label()).collect();
        let message = format!("Cannot use {} where {} is expected", key_name(key), expected.join(" or "));
        fail(Blame::Key(index), specialization(self.base, &message))
    }

    /// Returns the only key.
    fn one(&self, label: &str) -> ParameterizeResult<&Value> {
        match &self.flat[..] {
            [key] => Ok(key),
            keys => fail(Blame::Whole, wrong_count(label, 1, None, keys.len())),
        }
    }

    fn type_key(&self, label: &str, key: &Value) -> ParameterizeResult<Type> {
        match Type::of_value(key) {
            Some(kind) => Ok(kind.clone()),
            None => no_type(label, 0, key),
        }
    }

    fn only_type(&self, label: &str) -> ParameterizeResult<Type> {
        let key = self.one(label)?;
        self.type_key(label, key)
    }

    fn integer(&self) -> ParameterizeResult<Type> {
        let keys = &self.flat[..];
        if !(1..=2).contains(&keys.len()) {
            let message = format!("Integer-Type supports [] with one or two arguments (from, to). Got {}", keys.len());
            return fail(Blame::Whole, message);
        }
        for (index, key) in keys.iter().enumerate() {
            if Int::from_value(key).is_none() && !build::is_default(key) {
                let class = key.ruby_class();
                let message =
                    format!("Integer-Type [] requires all arguments to be integers (or default). Got {class}");
                return fail(Blame::Key(index), message);
            }
        }
        below(build::range(&keys[0], keys.get(1).unwrap_or(&Value::Undef))).map(Type::Integer)
    }

    fn float(&self) -> ParameterizeResult<Type> {
        let keys = &self.flat[..];
        if !(1..=2).contains(&keys.len()) {
            let message = format!("Float-Type supports [] with one or two arguments (from, to). Got {}", keys.len());
            return fail(Blame::Whole, message);
        }
        for (index, key) in keys.iter().enumerate() {
            if build::float_of(key).is_none() && !build::is_default(key) {
                let class = key.ruby_class();
                let message =
                    format!("Float-Type [] requires all arguments to be floats, or integers (or default). Got {class}");
                return fail(Blame::Key(index), message);
            }
        }
        let end = |index: usize| keys.get(index).and_then(build::float_of);
        below(build::float_range(end(0), end(1))).map(Type::Float)
    }

    /// Reads a size: an `Integer` type, or one bound or both. `first` is the index of the first key.
    fn size(&self, first: usize, keys: &[Value]) -> ParameterizeResult<IntegerRange> {
        if let [key] = keys
            && let Some(Type::Integer(range)) = Type::of_value(key)
        {
            return Ok(range.clone());
        }
        for (index, key) in keys.iter().enumerate() {
            if Int::from_value(key).is_none() && !build::is_default(key) {
                let class = match Type::of_value(key) {
                    Some(kind) => format!("{}-Type", kind.simple_name()),
                    None => key.ruby_class().to_owned(),
                };
                let message = format!(
                    "A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got {}",
                    with_article(&class)
                );
                return fail(Blame::Key(first + index), message);
            }
        }
        below(build::range(&keys[0], keys.get(1).unwrap_or(&Value::Undef)))
    }

    fn regexp(&self) -> ParameterizeResult<Type> {
        let keys = &self.flat[..];
        if keys.len() != 1 {
            let blame = if keys.is_empty() { Blame::Whole } else { Blame::Key(1) };
            let label = capitalized_with_article(&type_label(self.base));
            return fail(blame, wrong_count(&label, 1, None, keys.len()));
        }
        self.check(keys, 1, Some(1), &[KeyKind::Text, KeyKind::Regexp])?;
        match (&keys[0], RegexpValue::downcast(&keys[0])) {
            (_, Some(regexp)) => Ok(Type::Regexp(Some(regexp.into()))),
            (Value::String(source), None) => below(build::regexp(source)).map(|pattern| Type::Regexp(Some(pattern))),
            (other, None) => self.wrong_key(0, other, &[KeyKind::Text, KeyKind::Regexp]),
        }
    }

    fn array(&self) -> ParameterizeResult<Type> {
        let keys = &self.flat[..];
        match keys {
            [_, _, _, _, ..] | [] => self.wrong_count("Array-Type", 1, Some(3), keys.len()),
            [element, size @ ..] => match Type::of_value(element) {
                Some(element) if size.is_empty() => Ok(Type::array(element.clone())),
                Some(element) => Ok(Type::array_of_size(element.clone(), Some(self.size(1, size)?))),
                None if keys.len() == 2 => Ok(Type::array_of_size(Type::Any, Some(self.size(0, keys)?))),
                None => no_type("Array-Type", 0, element),
            },
        }
    }

    fn hash(&self) -> ParameterizeResult<Type> {
        let keys = &self.flat[..];
        if let [from, to] = keys
            && Int::from_value(from).is_some()
            && Int::from_value(to).is_some()
        {
            return Ok(Type::hash_of_size(Type::Any, Type::Any, Some(below(build::range(from, to))?)));
        }
        for (index, key) in keys.iter().take(2).enumerate() {
            if Type::of_value(key).is_none() {
                return no_type("Hash-Type", index, key);
            }
        }
        match keys {
            [key, value, size @ ..] if size.len() <= 2 => {
                let size = if size.is_empty() { None } else { Some(self.size(2, size)?) };
                Ok(Type::hash_of_size(build::type_of(key), build::type_of(value), size))
            }
            _ => self.wrong_count("Hash-Type", 2, Some(4), keys.len()),
        }
    }

    fn callable(&self) -> ParameterizeResult<Type> {
        if let [Value::Array(_), rest @ ..] = self.given {
            match rest {
                [returns] if Type::of_value(returns).is_some() => {}
                [other] => return self.wrong_key(1, other, &[KeyKind::Type]),
                _ => {
                    let label = capitalized_with_article(&type_label(self.base));
                    return self.wrong_count(&label, 2, Some(2), self.given.len());
                }
            }
        }
        below(build::callable(self.given))
    }
}

fn no_type<T>(label: &str, index: usize, key: &Value) -> ParameterizeResult<T> {
    fail(Blame::Key(index), format!("{label}[] arguments must be types. Got {}", key.ruby_class()))
}

/// The error for a wrong number of parameters. `most` is `None` if the message does not mention a maximum, and
/// `Some(None)` if there is no maximum.
fn wrong_count(label: &str, least: usize, most: Option<Option<usize>>, count: usize) -> String {
    match most {
        Some(None) => format!("{label}[] accepts {least} or more arguments. Got {count}"),
        Some(Some(most)) if most != least => {
            format!("{label}[] accepts {least} to {most} arguments. Got {count}")
        }
        _ => {
            let plural = if least == 1 { "" } else { "s" };
            format!("{label}[] accepts {least} argument{plural}. Got {count}")
        }
    }
}

fn specialization(base: &Type, message: &str) -> String {
    format!("Error creating type specialization of {}, {message}", with_article(&type_label(base)))
}

/// The type as messages name it.
fn type_label(kind: &Type) -> String {
    match kind {
        Type::Resource(resource) if resource.title.is_some() => format!("{kind} Resource-Reference"),
        _ => format!("{kind}-Type"),
    }
}

/// Returns the name of a value in messages.
fn label(value: &Value) -> String {
    match Type::of_value(value) {
        Some(kind) => type_label(kind),
        None => match value {
            Value::Undef => "Undef Value".into(),
            Value::Boolean(_) => "Boolean".into(),
            value => match infer(value) {
                Type::Default | Type::Callable(_) | Type::Iterator(_) | Type::Runtime(_) => "Object".into(),
                Type::Tuple(_) => "Array".into(),
                Type::Struct(_) => "Hash".into(),
                Type::SemVer(_) => "Semver".into(),
                Type::SemVerRange => "SemverRange".into(),
                other => other.simple_name().to_owned(),
            },
        },
    }
}

fn with_article(label: &str) -> String {
    format!("{} {label}", article(label))
}

fn capitalized_with_article(label: &str) -> String {
    capitalized(with_article(label))
}

/// The type of a key as messages name it.
fn key_name(key: &Value) -> String {
    match key {
        Value::Undef => "Undef".into(),
        key if build::is_default(key) => "Default".into(),
        key => infer(key).generalize().to_string(),
    }
}

#[cfg(test)]
mod tests;
