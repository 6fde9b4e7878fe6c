//! Interprets the syntax tree of a type: keys in brackets become values, and the rules for values build the type.

use hieratic_ruby_regexp::Regexp;
use hieratic_value::{BigInt, Hash, HashBuilder, Rich, Str, Value};

use super::syntax::{Expression, ExpressionKind};
use crate::Error;
use crate::alias::Alias;
use crate::build::{self, BuildResult};
use crate::object;
use crate::range::{Int, IntegerRange};
use crate::type_set;
use crate::types::{CallableType, InitType, ResourceType, RuntimeType, StringType, Type};
use crate::uri_type;
use crate::values::RegexpValue;

/// Converts expressions to types.
pub(super) struct Interpreter<'a> {
    pub text: &'a str,
    pub resolve: &'a dyn Fn(&str) -> Option<Type>,
}

type InterpretResult<T> = Result<T, Error>;

/// The resource types of every environment.
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
    pub fn program(&self, statements: &[Expression]) -> InterpretResult<Type> {
        match statements {
            [one] => match Type::of_value(&self.any(one)?) {
                Some(found) => Ok(found.clone()),
                None => Err(self.invalid(one)),
            },
            [] => Err(invalid_text("", 0)),
            [first, .., last] => Err(invalid_text(&self.text[first.span.start..last.span.end], first.span.start)),
        }
    }

    fn invalid(&self, one: &Expression) -> Error {
        invalid_text(&self.text[one.span.clone()], one.span.start)
    }

    fn all(&self, expressions: &[Expression]) -> InterpretResult<Vec<Value>> {
        expressions.iter().map(|one| self.any(one)).collect()
    }

    fn any(&self, one: &Expression) -> InterpretResult<Value> {
        let written = &self.text[one.span.clone()];
        Ok(match &one.kind {
            ExpressionKind::Reference => self.reference(written).into_value(),
            ExpressionKind::Access(left, parameters) => {
                let parameters = self.all(parameters)?;
                if !matches!(left.kind, ExpressionKind::Reference) {
                    return Err(self.invalid(one));
                }
                self.access(one, &self.text[left.span.clone()], parameters)?.into_value()
            }
            ExpressionKind::Word => written.into(),
            ExpressionKind::Text(text) => text.as_str().into(),
            ExpressionKind::Number => number(written),
            ExpressionKind::Regexp(source) => {
                let regexp = Regexp::new(source);
                RegexpValue::value(regexp.map_err(|error| Error::at(error.to_string(), one.span.start))?)
            }
            ExpressionKind::Boolean(truth) => Value::from(*truth),
            ExpressionKind::Default => Value::from(Rich::Default),
            ExpressionKind::Undef => Value::Undef,
            ExpressionKind::Minus(inner) => match self.any(inner)? {
                Value::Float(number) => Value::Float(-number),
                // In the reference, which is written in Ruby, the negation of a string is the string.
                Value::String(text) => Value::String(text),
                other => match Int::from_value(&other) {
                    Some(number) => Value::from(number.negated()),
                    None => return Err(self.invalid(one)),
                },
            },
            ExpressionKind::List(elements) => Value::from(self.all(elements)?),
            ExpressionKind::Hash(pairs) => {
                let mut hash = HashBuilder::default();
                for (key, value) in pairs {
                    hash.insert(self.any(key)?, self.any(value)?);
                }
                Value::from(Hash::from(hash))
            }
            ExpressionKind::Foreign => return Err(self.invalid(one)),
        })
    }

    /// Interprets a name without parameters. Only the first letters must be capitals, the others may have any case.
    fn reference(&self, written: &str) -> Type {
        let name = written.trim_start_matches("::");
        bare(&name.to_ascii_lowercase()).or_else(|| self.defined(name)).unwrap_or_else(|| Type::Reference(name.into()))
    }

    /// Returns a type that is not built into the language.
    fn defined(&self, name: &str) -> Option<Type> {
        (self.resolve)(name).or_else(|| object::find_standard(&name.to_ascii_lowercase())).or_else(|| {
            let found = RESOURCE_TYPES.into_iter().find(|known| known.eq_ignore_ascii_case(name))?;
            Some(Type::Resource(ResourceType { name: Some(found.into()), title: None }.into()))
        })
    }

    fn access(&self, whole: &Expression, written: &str, given: Vec<Value>) -> InterpretResult<Type> {
        let name = written.trim_start_matches("::");
        let rules = Rules { interpreter: self, whole };
        let lowercase = name.to_ascii_lowercase();
        match &*lowercase {
            "array" => rules.array(&given),
            "hash" => rules.hash(&given),
            "collection" => Ok(Type::collection(Some(rules.size("Collection", &given)?))),
            "string" => Ok(Type::String(StringType::Size(rules.size("String", &given)?.to_size()))),
            "integer" => rules.integer(&given),
            "float" => rules.float(&given),
            "boolean" => match rules.one("Boolean", "1", &given)? {
                Value::Boolean(truth) => Ok(Type::Boolean(Some(*truth))),
                _ => Err(rules.error("Boolean parameter must be true or false")),
            },
            "enum" => rules.enumeration(&given),
            "pattern" => rules.built(build::pattern(&given)),
            "regexp" => {
                let one = rules.one("Regexp", "1", &given)?;
                match (one, RegexpValue::downcast(one)) {
                    (_, Some(regexp)) => Ok(Type::Regexp(Some(regexp.into()))),
                    (Value::String(source), _) => rules.built(build::regexp(source)).map(|one| Type::Regexp(Some(one))),
                    _ => Err(rules.invalid()),
                }
            }
            "variant" => Ok(Type::variant(rules.types(&given)?)),
            "tuple" => rules.built(build::tuple(&given)).map(|tuple| Type::Tuple(tuple.into())),
            "struct" => match rules.one("Struct", "1", &given)? {
                Value::Hash(pairs) => rules.built(build::structure(pairs)),
                _ => Err(rules.invalid()),
            },
            "optional" => rules.wrapped("Optional", "1", &given).map(Type::optional),
            "notundef" => rules.wrapped("NotUndef", "0 to 1", &given).map(Type::not_undef),
            "sensitive" => rules.one_type("Sensitive", "0 to 1", &given).map(Type::sensitive),
            "type" => rules.one_type("Type", "1", &given).map(Type::of_type),
            "iterable" => rules.one_type("Iterable", "1", &given).map(Type::iterable),
            "iterator" => rules.one_type("Iterator", "1", &given).map(|inner| Type::Iterator(Some(inner.into()))),
            "callable" => rules.callable(&given),
            "runtime" => rules.runtime(&given),
            "class" => match rules.one("Class", "1", &given)? {
                Value::String(name) => Ok(Type::Class(Some(name.trim_start_matches("::").into()))),
                _ => Err(rules.invalid()),
            },
            "resource" => rules.resource(&given),
            "init" => match given.split_first() {
                Some((kind, arguments)) => rules.built(init(&rules.type_of(kind)?, arguments)),
                None => Err(rules.invalid()),
            },
            "object" => match rules.one("Object", "1", &given)? {
                Value::Hash(definition) => rules.built(object::object_type(None, definition)),
                _ => Err(rules.invalid()),
            },
            "timespan" if given.len() <= 2 => rules.built(build::timespan(&given)),
            "timespan" => Err(rules.wrong_count("Timespan", "0 to 2", given.len())),
            "timestamp" if given.len() <= 2 => rules.built(build::timestamp(&given)),
            "timestamp" => Err(rules.wrong_count("Timestamp", "0 to 2", given.len())),
            "semver" => rules.built(build::sem_ver(&given)),
            "uri" => rules.built(uri_type::from_parameter(rules.one("URI", "1", &given)?)),
            "typeset" => match rules.one("Object", "1", &given)? {
                Value::Hash(definition) => rules.built(type_set::type_set(None, definition)),
                _ => Err(rules.invalid()),
            },
            _ => match bare(&lowercase).or_else(|| self.defined(name)) {
                None => Ok(Type::Reference(self.text[whole.span.clone()].into())),
                Some(Type::Resource(resource)) => {
                    let Value::String(title) = rules.one(name, "1", &given)? else { return Err(rules.invalid()) };
                    let name = resource.name.clone();
                    Ok(Type::Resource(ResourceType { name, title: Some(title.clone()) }.into()))
                }
                Some(kind) => match kind.resolved() {
                    Type::Object(Some(base)) => rules.built(object::extension(base, &given)),
                    _ => Err(rules.error(format!("Not a parameterized type <{written}>"))),
                },
            },
        }
    }
}

/// Builds `Init` from a type and further arguments.
pub(crate) fn init(kind: &Type, arguments: &[Value]) -> BuildResult<Type> {
    Ok(Type::Init(Some(InitType { kind: kind.clone(), arguments: arguments.to_vec() }.into())))
}

fn invalid_text(text: &str, offset: usize) -> Error {
    Error::at(format!("The expression <{text}> is not a valid type specification."), offset).expecting("a type")
}

/// Parses a number that the lexer accepted: hexadecimal, octal, decimal, or with a fraction.
fn number(text: &str) -> Value {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let octal = text.strip_prefix('0').filter(|rest| !rest.is_empty() && !rest.starts_with('.'));
    let (digits, radix) = match (hex, octal) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 8),
        _ => (text, 10),
    };
    match BigInt::parse_bytes(digits.as_bytes(), radix) {
        Some(number) => Value::from(Rich::BigInteger(number)),
        // Digits with a fraction or an exponent always parse as a float.
        None => Value::Float(text.parse().unwrap_or(f64::NAN)),
    }
}

/// Returns a type without parameters by its name in lower case.
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
        "semver" => Type::SEM_VER,
        "semverrange" => Type::SemVerRange,
        "uri" => Type::Uri,
        "object" => Type::Object(None),
        "typeset" => Type::TypeSet(None),
        "init" => Type::Init(None),
        "catalogentry" => Type::CatalogEntry,
        "class" => Type::Class(None),
        "resource" => Type::Resource(ResourceType::default().into()),
        "typereference" => Type::Reference("UnresolvedReference".into()),
        "typealias" => Type::Alias(Alias::new("UnresolvedAlias", Type::Reference("UnresolvedReference".into()))),
        _ => Type::Alias(Alias::builtin(lowercase)?),
    })
}

/// The rules of parameters, with the expression that errors refer to.
struct Rules<'a, 'b> {
    interpreter: &'a Interpreter<'b>,
    whole: &'a Expression,
}

impl Rules<'_, '_> {
    fn error(&self, message: impl Into<String>) -> Error {
        Error::at(message, self.whole.span.start)
    }

    fn invalid(&self) -> Error {
        self.interpreter.invalid(self.whole)
    }

    fn built<T>(&self, built: BuildResult<T>) -> InterpretResult<T> {
        built.map_err(|message| self.error(message))
    }

    fn wrong_count(&self, name: &str, required: &str, given: usize) -> Error {
        self.error(format!("Invalid number of type parameters specified: {name} requires {required}, {given} provided"))
    }

    fn one<'v>(&self, name: &str, required: &str, given: &'v [Value]) -> InterpretResult<&'v Value> {
        match given {
            [one] => Ok(one),
            given => Err(self.wrong_count(name, required, given.len())),
        }
    }

    fn type_of(&self, given: &Value) -> InterpretResult<Type> {
        Type::of_value(given).cloned().ok_or_else(|| self.invalid())
    }

    fn types(&self, given: &[Value]) -> InterpretResult<Vec<Type>> {
        given.iter().map(|one| self.type_of(one)).collect()
    }

    fn one_type(&self, name: &str, required: &str, given: &[Value]) -> InterpretResult<Type> {
        self.type_of(self.one(name, required, given)?)
    }

    /// Creates a wrapper around a type, or around the type of a single string.
    fn wrapped(&self, name: &str, required: &str, given: &[Value]) -> InterpretResult<Type> {
        match self.one(name, required, given)? {
            Value::String(text) => Ok(Type::string_value(text.clone())),
            one => self.type_of(one),
        }
    }

    /// Reads one bound or both of a size, or an `Integer` type instead of both.
    fn size_of(&self, given: &[Value]) -> InterpretResult<IntegerRange> {
        match given {
            [one] if matches!(Type::of_value(one), Some(Type::Integer(_))) => match Type::of_value(one) {
                Some(Type::Integer(range)) => Ok(range.clone()),
                _ => Err(self.invalid()),
            },
            [from] if build::is_range_end(from) => self.built(build::range(from, &Value::Undef)),
            [from, to] if build::is_range_end(from) && build::is_range_end(to) => self.built(build::range(from, to)),
            _ => Err(self.invalid()),
        }
    }

    fn size(&self, name: &str, given: &[Value]) -> InterpretResult<IntegerRange> {
        match given.len() {
            1 | 2 => self.size_of(given),
            count => Err(self.wrong_count(name, "1 to 2", count)),
        }
    }

    fn array(&self, given: &[Value]) -> InterpretResult<Type> {
        if !(1..=3).contains(&given.len()) {
            return Err(self.wrong_count("Array", "1 to 3", given.len()));
        }
        if given.len() == 2 && Type::of_value(&given[0]).is_none() {
            // The reference takes the missing type of the elements for the value `default`.
            return Ok(Type::array_of_size(Type::Default, Some(self.size_of(given)?)));
        }
        let (element, size) = given.split_at(1);
        let element = self.one_type("Array", "1 to 3", element)?;
        let size = if size.is_empty() { None } else { Some(self.size_of(size)?) };
        Ok(Type::array_of_size(element, size))
    }

    fn hash(&self, given: &[Value]) -> InterpretResult<Type> {
        if !(2..=4).contains(&given.len()) {
            return Err(self.wrong_count("Hash", "2 to 4", given.len()));
        }
        if given.len() == 2 && given.iter().any(|one| Type::of_value(one).is_none()) {
            // As for arrays: without types, keys and values are `default`.
            return Ok(Type::hash_of_size(Type::Default, Type::Default, Some(self.size_of(given)?)));
        }
        let (types, size) = given.split_at(2);
        let size = if size.is_empty() { None } else { Some(self.size_of(size)?) };
        let mut types = self.types(types)?.into_iter();
        match (types.next(), types.next()) {
            (Some(key), Some(value)) => Ok(Type::hash_of_size(key, value, size)),
            _ => Err(self.invalid()),
        }
    }

    /// Returns the bound of a range, or `None` if it is open.
    fn end<N>(&self, one: &Value, read: impl Fn(&Value) -> Option<N>) -> InterpretResult<Option<N>> {
        match read(one) {
            Some(number) => Ok(Some(number)),
            None if one.is_undef() || build::is_default(one) => Ok(None),
            None => Err(self.invalid()),
        }
    }

    fn integer(&self, given: &[Value]) -> InterpretResult<Type> {
        let end = |one: &Value| self.end(one, Int::from_value);
        match given {
            [Value::Undef] => Err(self.invalid()),
            [from] => self.built(build::integer_range(end(from)?, None)).map(Type::Integer),
            [from, to] => self.built(build::integer_range(end(from)?, end(to)?)).map(Type::Integer),
            _ => Err(self.wrong_count("Integer", "1 or 2", given.len())),
        }
    }

    fn float(&self, given: &[Value]) -> InterpretResult<Type> {
        let end = |one: &Value| self.end(one, build::float_of);
        match given {
            [Value::Undef] => Err(self.invalid()),
            [from] => self.built(build::float_range(end(from)?, None)).map(Type::Float),
            [from, to] => self.built(build::float_range(end(from)?, end(to)?)).map(Type::Float),
            _ => Err(self.wrong_count("Float", "1 or 2", given.len())),
        }
    }

    fn enumeration(&self, given: &[Value]) -> InterpretResult<Type> {
        let (texts, case_insensitive) = build::split_case(given);
        if texts.is_empty() {
            return Err(self.wrong_count("Enum", "1 or more", 0));
        }
        let values = texts.iter().map(|one| match one {
            Value::String(text) => Ok(text.clone()),
            _ => Err(self.error("Enum parameters must be identifiers or strings")),
        });
        Ok(Type::enumeration_with_case(values.collect::<InterpretResult<Vec<_>>>()?, case_insensitive))
    }

    fn callable(&self, given: &[Value]) -> InterpretResult<Type> {
        if let [Value::Array(_), _, _, ..] = given {
            return Err(self.wrong_count("callable", "2 when first parameter is an array", given.len()));
        }
        self.built(build::callable(given))
    }

    fn runtime(&self, given: &[Value]) -> InterpretResult<Type> {
        match given {
            [Value::String(runtime), Value::String(name)] => Ok(build::runtime(runtime, name)),
            [_, _] => Err(self.invalid()),
            _ => Err(self.wrong_count("Runtime", "2", given.len())),
        }
    }

    fn resource(&self, given: &[Value]) -> InterpretResult<Type> {
        let name: Str = match given.first().map(|one| (one, Type::of_value(one))) {
            Some((Value::String(name), _)) => name.clone(),
            Some((_, Some(Type::Resource(resource)))) => resource.name.clone().ok_or_else(|| self.invalid())?,
            Some((_, Some(Type::Reference(name)))) => name.clone(),
            _ => return Err(self.invalid()),
        };
        let title = match given {
            [_] => None,
            [_, Value::String(title)] => Some(title.clone()),
            [_, _] => return Err(self.invalid()),
            _ => return Err(self.wrong_count("Resource", "1 or 2", given.len())),
        };
        Ok(build::resource(&name, title))
    }
}
