//! From the syntax tree to the type: the rules for the parameters of each type.

use std::fmt::Display;

use hieratic_value::{BigInt, Str};

use super::ParseError;
use super::parameters::Parameter;
use super::syntax::{Expression, ExpressionKind};
use crate::alias::Alias;
use crate::pattern::Pattern;
use crate::range::{FloatRange, Int, IntegerRange};
use crate::types::{CallableType, Key, ResourceType, RuntimeType, StringType, TupleType, Type};

/// Turns expressions into types.
pub(super) struct Interpreter<'a> {
    pub text: &'a str,
    pub resolve: &'a dyn Fn(&str) -> Option<Type>,
}

type Found<T> = Result<T, ParseError>;

/// The types of resources that are there in every environment.
const RESOURCE_TYPES: [&str; 15] = [
    "Component",
    "Exec",
    "File",
    "Filebucket",
    "Group",
    "Node",
    "Notify",
    "Package",
    "Resources",
    "Schedule",
    "Service",
    "Stage",
    "Tidy",
    "User",
    "Whit",
];

impl Interpreter<'_> {
    pub fn program(&self, statements: &[Expression]) -> Found<Type> {
        match statements {
            [one] => match self.any(one)? {
                Parameter::Type(found) => Ok(found),
                _ => Err(self.invalid(one)),
            },
            [] => Err(invalid_text("", 0)),
            [first, .., last] => Err(invalid_text(&self.text[first.span.start..last.span.end], first.span.start)),
        }
    }

    fn invalid(&self, one: &Expression) -> ParseError {
        invalid_text(&self.text[one.span.clone()], one.span.start)
    }

    fn any(&self, one: &Expression) -> Found<Parameter> {
        let written = &self.text[one.span.clone()];
        Ok(match &one.kind {
            ExpressionKind::Reference => Parameter::Type(self.reference(written)),
            ExpressionKind::Access(left, parameters) => {
                let parameters = parameters.iter().map(|one| self.any(one)).collect::<Found<_>>()?;
                if !matches!(left.kind, ExpressionKind::Reference) {
                    return Err(self.invalid(one));
                }
                Parameter::Type(self.access(one, &self.text[left.span.clone()], parameters)?)
            }
            ExpressionKind::Word => Parameter::Text(written.into()),
            ExpressionKind::Text(text) => Parameter::Text(text.as_str().into()),
            ExpressionKind::Number => number(written),
            ExpressionKind::Regexp(source) => Parameter::Regexp(pattern(source, one)?),
            ExpressionKind::Boolean(truth) => Parameter::Boolean(*truth),
            ExpressionKind::Default => Parameter::Default,
            ExpressionKind::Undef => Parameter::Undef,
            ExpressionKind::Minus(inner) => match self.any(inner)? {
                Parameter::Integer(number) => Parameter::Integer(number.negated()),
                Parameter::Float(number) => Parameter::Float(-number),
                // A text with a minus before it is the same text, in the language that the reference is written in.
                Parameter::Text(text) => Parameter::Text(text),
                _ => return Err(self.invalid(one)),
            },
            ExpressionKind::List(elements) => {
                Parameter::List(elements.iter().map(|one| self.any(one)).collect::<Found<_>>()?)
            }
            ExpressionKind::Hash(pairs) => {
                let mut hash: Vec<(Parameter, Parameter)> = Vec::new();
                for (key, value) in pairs {
                    let (key, value) = (self.any(key)?, self.any(value)?);
                    match hash.iter_mut().find(|(known, _)| *known == key) {
                        Some((_, known)) => *known = value,
                        None => hash.push((key, value)),
                    }
                }
                Parameter::Hash(hash)
            }
            ExpressionKind::Foreign => return Err(self.invalid(one)),
        })
    }

    /// A name without parameters. Only the first letters have to be capitals, the others may be in any case.
    fn reference(&self, written: &str) -> Type {
        let name = written.trim_start_matches("::");
        bare(&name.to_ascii_lowercase()).or_else(|| self.defined(name)).unwrap_or_else(|| Type::Reference(name.into()))
    }

    /// A type that the language does not know by itself.
    fn defined(&self, name: &str) -> Option<Type> {
        (self.resolve)(name).or_else(|| {
            let found = RESOURCE_TYPES.into_iter().find(|known| known.eq_ignore_ascii_case(name))?;
            Some(Type::Resource(ResourceType { name: Some(found.into()), title: None }.into()))
        })
    }

    fn access(&self, whole: &Expression, written: &str, given: Vec<Parameter>) -> Found<Type> {
        let name = written.trim_start_matches("::");
        let rules = Rules { interpreter: self, whole };
        let lowercase = name.to_ascii_lowercase();
        match &*lowercase {
            "array" => rules.array(given),
            "hash" => rules.hash(given),
            "collection" => Ok(Type::collection(Some(rules.size("Collection", &given)?))),
            "string" => Ok(Type::String(StringType::Size(rules.size("String", &given)?.to_size()))),
            "integer" => rules.integer(&given),
            "float" => rules.float(&given),
            "boolean" => match rules.one("Boolean", "1", given)? {
                Parameter::Boolean(truth) => Ok(Type::Boolean(Some(truth))),
                _ => Err(rules.error("Boolean parameter must be true or false")),
            },
            "enum" => rules.enumeration(given),
            "pattern" => rules.pattern(given),
            "regexp" => match rules.one("Regexp", "1", given)? {
                Parameter::Regexp(pattern) => Ok(Type::Regexp(Some(pattern))),
                Parameter::Text(source) => Ok(Type::Regexp(Some(pattern(&source, whole)?))),
                _ => Err(rules.invalid()),
            },
            "variant" => Ok(Type::variant(rules.types(given)?)),
            "tuple" => rules.tuple(given).map(|tuple| Type::Tuple(tuple.into())),
            "struct" => match rules.one("Struct", "1", given)? {
                Parameter::Hash(pairs) => rules.structure(pairs),
                _ => Err(rules.invalid()),
            },
            "optional" => rules.wrapped("Optional", "1", given).map(Type::optional),
            "notundef" => rules.wrapped("NotUndef", "0 to 1", given).map(Type::not_undef),
            "sensitive" => rules.one_type("Sensitive", "0 to 1", given).map(Type::sensitive),
            "type" => rules.one_type("Type", "1", given).map(Type::of_type),
            "iterable" => rules.one_type("Iterable", "1", given).map(Type::iterable),
            "iterator" => rules.one_type("Iterator", "1", given).map(|inner| Type::Iterator(Some(inner.into()))),
            "callable" => rules.callable(given),
            "runtime" => rules.runtime(given),
            "class" => match rules.one("Class", "1", given)? {
                Parameter::Text(name) => Ok(Type::Class(Some(name.trim_start_matches("::").into()))),
                _ => Err(rules.invalid()),
            },
            "resource" => rules.resource(given),
            "init" | "object" | "typeset" | "timespan" | "timestamp" | "semver" | "uri" => {
                Err(rules.error(format!("Parameters of the type {name} are not supported")))
            }
            _ => match bare(&lowercase).or_else(|| self.defined(name)) {
                None => Ok(Type::Reference(self.text[whole.span.clone()].into())),
                Some(Type::Resource(resource)) => {
                    let Parameter::Text(title) = rules.one(name, "1", given)? else { return Err(rules.invalid()) };
                    let name = resource.name.clone();
                    Ok(Type::Resource(ResourceType { name, title: Some(title) }.into()))
                }
                Some(_) => Err(rules.error(format!("Not a parameterized type <{written}>"))),
            },
        }
    }
}

fn invalid_text(text: &str, offset: usize) -> ParseError {
    ParseError::new(format!("The expression <{text}> is not a valid type specification."), offset).expecting("a type")
}

fn pattern(source: &str, at: &Expression) -> Found<Pattern> {
    Pattern::new(source).map_err(|error| ParseError::new(error.to_string(), at.span.start))
}

/// A number that the lexer let through: hexadecimal, octal, decimal, or one with a fraction.
fn number(text: &str) -> Parameter {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let octal = text.strip_prefix('0').filter(|rest| !rest.is_empty() && !rest.starts_with('.'));
    let (digits, radix) = match (hex, octal) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 8),
        _ => (text, 10),
    };
    match BigInt::parse_bytes(digits.as_bytes(), radix) {
        Some(number) => Parameter::Integer(number.into()),
        // Digits with a fraction or an exponent always read as a float.
        None => Parameter::Float(text.parse().unwrap_or(f64::NAN)),
    }
}

/// A type without parameters, by its name in small letters.
fn bare(lowercase: &str) -> Option<Type> {
    Some(match lowercase {
        "any" => Type::Any,
        "undef" => Type::Undef,
        "default" => Type::Default,
        "scalar" => Type::Scalar,
        "scalardata" => Type::ScalarData,
        "numeric" => Type::Numeric,
        "integer" => Type::INTEGER,
        "float" => Type::FLOAT,
        "boolean" => Type::BOOLEAN,
        "string" => Type::STRING,
        "enum" => Type::enumeration::<Str>([]),
        "pattern" => Type::pattern([]),
        "regexp" => Type::Regexp(None),
        "collection" => Type::Collection(None),
        "array" => Type::array(Type::Any),
        "hash" => Type::hash(Type::Any, Type::Any),
        "tuple" => Type::tuple([]),
        "struct" => Type::structure([]),
        "variant" => Type::variant([]),
        "optional" => Type::Optional(None),
        "notundef" => Type::NotUndef(None),
        "sensitive" => Type::sensitive(Type::Any),
        "type" => Type::Type(None),
        "iterable" => Type::Iterable(None),
        "iterator" => Type::Iterator(None),
        "callable" => Type::Callable(CallableType::default().into()),
        "runtime" => Type::Runtime(RuntimeType::default().into()),
        "binary" => Type::Binary,
        "timestamp" => Type::TIMESTAMP,
        "timespan" => Type::TIMESPAN,
        "semver" => Type::SemVer,
        "semverrange" => Type::SemVerRange,
        "uri" => Type::Uri,
        "object" => Type::Object(None),
        "typeset" => Type::TypeSet(None),
        "init" => Type::Init(None),
        "catalogentry" => Type::CatalogEntry,
        "class" => Type::Class(None),
        "resource" => Type::Resource(ResourceType::default().into()),
        "typereference" => Type::Reference("UnresolvedReference".into()),
        "typealias" => Type::Reference("UnresolvedAlias".into()),
        _ => Type::Alias(Alias::builtin(lowercase)?),
    })
}

/// The rules of parameters, with the expression that errors speak of.
struct Rules<'a, 'b> {
    interpreter: &'a Interpreter<'b>,
    whole: &'a Expression,
}

impl Rules<'_, '_> {
    fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError::new(message, self.whole.span.start)
    }

    fn invalid(&self) -> ParseError {
        self.interpreter.invalid(self.whole)
    }

    fn wrong_count(&self, name: &str, required: &str, given: usize) -> ParseError {
        self.error(format!("Invalid number of type parameters specified: {name} requires {required}, {given} provided"))
    }

    fn one(&self, name: &str, required: &str, given: Vec<Parameter>) -> Found<Parameter> {
        let [one] = <[Parameter; 1]>::try_from(given).map_err(|given| self.wrong_count(name, required, given.len()))?;
        Ok(one)
    }

    fn type_of(&self, given: Parameter) -> Found<Type> {
        match given {
            Parameter::Type(one) => Ok(one),
            _ => Err(self.invalid()),
        }
    }

    fn types(&self, given: Vec<Parameter>) -> Found<Vec<Type>> {
        given.into_iter().map(|one| self.type_of(one)).collect()
    }

    fn one_type(&self, name: &str, required: &str, given: Vec<Parameter>) -> Found<Type> {
        let one = self.one(name, required, given)?;
        self.type_of(one)
    }

    /// A type, or a text that stands for the type of just that text.
    fn wrapped(&self, name: &str, required: &str, given: Vec<Parameter>) -> Found<Type> {
        match self.one(name, required, given)? {
            Parameter::Text(text) => Ok(Type::string_value(text)),
            one => self.type_of(one),
        }
    }

    fn range(&self, from: Option<Int>, to: Option<Int>) -> Found<IntegerRange> {
        self.ordered(from, to, IntegerRange::new)
    }

    fn ordered<N: Clone + Display, R>(
        &self,
        from: Option<N>,
        to: Option<N>,
        make: impl FnOnce(Option<N>, Option<N>) -> Option<R>,
    ) -> Found<R> {
        make(from.clone(), to.clone()).ok_or_else(|| {
            let shown = |end: Option<N>| end.map(|end| end.to_string()).unwrap_or_default();
            // The parenthesis that is missing at the end is missing in the reference.
            self.error(format!("'from' must be less or equal to 'to'. Got ({}, {}", shown(from), shown(to)))
        })
    }

    /// One end or both of a size, or an `Integer` type in place of both.
    fn size_of(&self, given: &[Parameter]) -> Found<IntegerRange> {
        match given {
            [Parameter::Type(Type::Integer(range))] => Ok(range.clone()),
            [from] if from.is_range_end() => self.range(from.range_end(), None),
            [from, to] if from.is_range_end() && to.is_range_end() => self.range(from.range_end(), to.range_end()),
            _ => Err(self.invalid()),
        }
    }

    fn size(&self, name: &str, given: &[Parameter]) -> Found<IntegerRange> {
        match given.len() {
            1 | 2 => self.size_of(given),
            count => Err(self.wrong_count(name, "1 to 2", count)),
        }
    }

    fn array(&self, mut given: Vec<Parameter>) -> Found<Type> {
        if !(1..=3).contains(&given.len()) {
            return Err(self.wrong_count("Array", "1 to 3", given.len()));
        }
        if given.len() == 2 && given[0].as_type().is_none() {
            // The reference takes the missing type of the elements for the value `default`.
            return Ok(Type::array_of_size(Type::Default, Some(self.size_of(&given)?)));
        }
        let size = given.split_off(1);
        let element = self.one_type("Array", "1 to 3", given)?;
        let size = if size.is_empty() { None } else { Some(self.size_of(&size)?) };
        Ok(Type::array_of_size(element, size))
    }

    fn hash(&self, mut given: Vec<Parameter>) -> Found<Type> {
        if !(2..=4).contains(&given.len()) {
            return Err(self.wrong_count("Hash", "2 to 4", given.len()));
        }
        if given.len() == 2 && given.iter().any(|one| one.as_type().is_none()) {
            // As for arrays: without types, keys and values are `default`.
            let size = Some(self.size_of(&given)?);
            return Ok(Type::hash_of_size(Type::Default, Type::Default, size));
        }
        let size = given.split_off(2);
        let size = if size.is_empty() { None } else { Some(self.size_of(&size)?) };
        let mut types = self.types(given)?.into_iter();
        match (types.next(), types.next()) {
            (Some(key), Some(value)) => Ok(Type::hash_of_size(key, value, size)),
            _ => Err(self.invalid()),
        }
    }

    fn integer(&self, given: &[Parameter]) -> Found<Type> {
        let end = |one: &Parameter| match one {
            Parameter::Integer(number) => Ok(Some(number.clone())),
            Parameter::Default | Parameter::Undef => Ok(None),
            _ => Err(self.invalid()),
        };
        match given {
            [Parameter::Undef] => Err(self.invalid()),
            [from] => self.range(end(from)?, None).map(Type::Integer),
            [from, to] => self.range(end(from)?, end(to)?).map(Type::Integer),
            _ => Err(self.wrong_count("Integer", "1 or 2", given.len())),
        }
    }

    fn float(&self, given: &[Parameter]) -> Found<Type> {
        let end = |one: &Parameter| match one {
            Parameter::Integer(number) => Ok(Some(number.to_f64())),
            Parameter::Float(number) => Ok(Some(*number)),
            Parameter::Default | Parameter::Undef => Ok(None),
            _ => Err(self.invalid()),
        };
        let range = |from: Option<f64>, to: Option<f64>| {
            self.ordered(from.map(Shown), to.map(Shown), |_, _| FloatRange::new(from, to)).map(Type::Float)
        };
        match given {
            [Parameter::Undef] => Err(self.invalid()),
            [from] => range(end(from)?, None),
            [from, to] => range(end(from)?, end(to)?),
            _ => Err(self.wrong_count("Float", "1 or 2", given.len())),
        }
    }

    fn enumeration(&self, mut given: Vec<Parameter>) -> Found<Type> {
        let case_insensitive = match given.last() {
            Some(Parameter::Boolean(truth)) => *truth,
            _ => false,
        };
        if matches!(given.last(), Some(Parameter::Boolean(_))) {
            given.pop();
        }
        if given.is_empty() {
            return Err(self.wrong_count("Enum", "1 or more", 0));
        }
        let values = given.into_iter().map(|one| match one {
            Parameter::Text(text) => Ok(text),
            _ => Err(self.error("Enum parameters must be identifiers or strings")),
        });
        Ok(Type::enumeration_with_case(values.collect::<Found<Vec<_>>>()?, case_insensitive))
    }

    fn pattern(&self, given: Vec<Parameter>) -> Found<Type> {
        let mut patterns = Vec::new();
        for one in given {
            match one {
                Parameter::Regexp(pattern) | Parameter::Type(Type::Regexp(Some(pattern))) => patterns.push(pattern),
                Parameter::Type(Type::Regexp(None)) => patterns.push(pattern("", self.whole)?),
                Parameter::Type(Type::Pattern(inner)) => patterns.extend(inner.as_slice().iter().cloned()),
                Parameter::Text(source) => patterns.push(pattern(&source, self.whole)?),
                other => {
                    return Err(self.error(format!(
                        "Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got '{}",
                        other.ruby_class()
                    )));
                }
            }
        }
        Ok(Type::pattern(patterns))
    }

    /// Types, and at the end perhaps one end or both of a size.
    fn tuple(&self, mut given: Vec<Parameter>) -> Found<TupleType> {
        let ends = given.iter().rev().take(2).take_while(|one| one.is_range_end()).count();
        let ends = given.split_off(given.len() - ends);
        let size = match &ends[..] {
            [] => None,
            [from, rest @ ..] => {
                let from = from.range_end().unwrap_or_else(|| 0i64.into());
                Some(self.range(Some(from), rest.first().and_then(Parameter::range_end))?.to_size())
            }
        };
        Ok(TupleType { types: given.into_iter().map(Parameter::into_type).collect(), size })
    }

    fn structure(&self, pairs: Vec<(Parameter, Parameter)>) -> Found<Type> {
        let elements = pairs.into_iter().map(|(key, value)| {
            let value = value.into_type();
            let key = self.key(key, &value)?;
            Ok((key, value))
        });
        Ok(Type::structure(elements.collect::<Found<Vec<_>>>()?))
    }

    /// A key of a struct. A bare name is optional if its value may be `undef`.
    fn key(&self, key: Parameter, value: &Type) -> Found<Key> {
        let key = match key {
            Parameter::Text(name) if name.is_empty() => {
                return Err(self.error("Struct element key cannot be an empty String"));
            }
            Parameter::Text(name) => {
                return Ok(Key { name, optional: value.is_assignable(&Type::Undef) });
            }
            Parameter::Type(one) => one,
            other => {
                return Err(self.error(format!(
                    "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: {}",
                    other.ruby_class()
                )));
            }
        };
        let unusable =
            || self.error(format!("Unable to extract a non-empty literal string from Struct member key type {key}"));
        let inner = match &key {
            Type::Optional(inner) | Type::NotUndef(inner) => inner.as_deref().ok_or_else(unusable)?,
            Type::String(_) | Type::Enum(_) => &key,
            other => {
                return Err(self.error(format!(
                    "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: {}",
                    Parameter::Type(other.clone()).ruby_class()
                )));
            }
        };
        let name = match inner {
            Type::String(StringType::Value(name)) => name.clone(),
            Type::Enum(listed) => match listed.values() {
                [name] => name.clone(),
                _ => return Err(unusable()),
            },
            _ => return Err(unusable()),
        };
        Ok(Key { name, optional: matches!(key, Type::Optional(_)) })
    }

    fn callable(&self, mut given: Vec<Parameter>) -> Found<Type> {
        let mut returns = None;
        if given.len() > 1
            && let Parameter::List(parameters) = &given[0]
        {
            if given.len() != 2 {
                return Err(self.wrong_count("callable", "2 when first parameter is an array", given.len()));
            }
            let parameters = parameters.clone();
            returns = given.pop().map(Parameter::into_type).filter(|one| *one != Type::Any);
            given = parameters;
        }
        let is_block = |one: &Type| {
            matches!(one, Type::Callable(_))
                || matches!(one, Type::Optional(Some(inner)) if matches!(**inner, Type::Callable(_)))
        };
        let block = match given.last().and_then(Parameter::as_type) {
            Some(one) if is_block(one) => given.pop().map(Parameter::into_type),
            _ => None,
        };
        let mut parameters = self.tuple(given)?;
        let some = parameters.size.as_ref().is_some_and(|size| !size.is_zero());
        if parameters.types.is_empty() && some {
            parameters.types.push(Type::Unit);
        }
        Ok(Type::Callable(CallableType { parameters: Some(parameters), block, returns }.into()))
    }

    fn runtime(&self, given: Vec<Parameter>) -> Found<Type> {
        let count = given.len();
        let [runtime, name] = <[Parameter; 2]>::try_from(given).map_err(|_| self.wrong_count("Runtime", "2", count))?;
        match (runtime, name) {
            (Parameter::Text(runtime), Parameter::Text(name)) => {
                Ok(Type::Runtime(RuntimeType { runtime: Some(runtime), name: Some(name) }.into()))
            }
            _ => Err(self.invalid()),
        }
    }

    fn resource(&self, given: Vec<Parameter>) -> Found<Type> {
        let count = given.len();
        let mut given = given.into_iter();
        let name = match given.next() {
            Some(Parameter::Text(name)) => capitalize_segments(&name),
            Some(Parameter::Type(Type::Resource(resource))) => resource.name.clone().ok_or_else(|| self.invalid())?,
            Some(Parameter::Type(Type::Reference(name))) => name,
            _ => return Err(self.invalid()),
        };
        let title = match (given.next(), count) {
            (None, _) => None,
            (Some(Parameter::Text(title)), 2) => Some(title),
            (Some(_), 2) => return Err(self.invalid()),
            _ => return Err(self.wrong_count("Resource", "1 or 2", count)),
        };
        Ok(Type::Resource(ResourceType { name: Some(name), title }.into()))
    }
}

fn capitalize_segments(name: &str) -> Str {
    let capitalize = |segment: &str| {
        let mut characters = segment.chars();
        let first = characters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(characters.map(|c| c.to_ascii_lowercase())).collect::<String>()
    };
    if name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return name.into();
    }
    name.split("::").map(capitalize).collect::<Vec<_>>().join("::").into()
}

/// A float as Ruby writes it.
#[derive(Clone)]
struct Shown(f64);

impl Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hieratic_value::text::float(self.0))
    }
}
