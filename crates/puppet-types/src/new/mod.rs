//! [`new_instance`]: creates a value of a type from another value, like the function `new` of the language.
//!
//! See [`new`](https://www.puppet.com/docs/puppet/8/function.html#new). Each kind of type has a function with its own
//! signatures. Arguments that do not fit any of them are an error with the reference's message.

mod array;
mod binary;
mod boolean;
mod hash;
mod init;
mod integer;
mod numeric;
mod string;
mod text_number;
mod time;
mod uri;
mod version;

use hieratic_ruby_regexp::Regexp;
use hieratic_value::Value;

use crate::Error;
use crate::creation::{REGEXP, SENSITIVE, TYPE, UNIT};
use crate::infer::infer;
use crate::mismatch::assert_instance;
use crate::mismatch::signature::{Signature, describe_call};
use crate::object;
use crate::parse::parse;
use crate::types::Type;
use crate::values::RegexpValue;

type ConversionResult = Result<Value, Error>;

/// Creates a value of the type from a value and further arguments.
///
/// A value that is already of the type is returned unchanged if there are no further arguments. The result is checked
/// against the type, including ranges and sizes.
///
/// ```
/// use hieratic_puppet_types::{new_instance, parse};
/// use hieratic_value::Value;
/// let port = parse("Integer[1, 65535]").unwrap();
/// assert_eq!(new_instance(&port, &Value::from("0x1F90"), &[]).unwrap(), Value::from(8080));
/// let error = new_instance(&port, &Value::from("http"), &[]).unwrap_err();
/// assert_eq!(error.to_string(), "'new' The string 'http' cannot be converted to Integer");
/// ```
///
/// # Errors
/// Values of the type cannot be created, the value cannot be converted, or the result is outside of the type's ranges.
pub fn new_instance(kind: &Type, value: &Value, arguments: &[Value]) -> ConversionResult {
    let all: Vec<Value> = std::iter::once(value).chain(arguments).cloned().collect();
    instantiate(kind, &all)
}

/// Creates a value of the type from arguments, as [`new_instance`] does, but the first argument may be missing for some
/// types.
///
/// # Errors
/// As [`new_instance`], or arguments are missing.
pub fn instantiate(kind: &Type, arguments: &[Value]) -> Result<Value, Error> {
    if let [value] = arguments
        && !matches!(kind, Type::Init(_))
        && kind.is_instance(value)
    {
        return Ok(value.clone());
    }
    let result = make(kind, arguments)?;
    assert_instance(&format!("Converted value from {kind}.new()"), kind, &result)?;
    Ok(result)
}

/// Calls the function of the type.
fn make(kind: &Type, arguments: &[Value]) -> ConversionResult {
    match kind {
        Type::Integer(_) => integer::new(arguments),
        Type::Float(_) => numeric::new_float(arguments),
        Type::Numeric => numeric::new_numeric(arguments),
        Type::Boolean(_) => boolean::new(arguments),
        Type::String(_) => string::new(arguments),
        Type::Array(_) | Type::Tuple(_) => array::new(arguments),
        Type::Hash(_) | Type::Struct(_) => hash::new(arguments),
        Type::Sensitive(_) => sensitive(arguments),
        Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => make(inner, arguments),
        Type::NotUndef(None) => unit(arguments),
        Type::Alias(alias) => make(alias.resolved(), arguments),
        Type::Binary => binary::new(arguments),
        Type::Regexp(_) => regexp(arguments),
        Type::Type(_) => type_of_text(arguments),
        Type::Init(Some(init)) => init::make(init, arguments),
        Type::Object(Some(kind)) => object::make(kind, arguments).map_err(Error::new),
        Type::ObjectOf(extension) => object::make(extension.base(), arguments).map_err(Error::new),
        Type::Timestamp(_) => time::new_timestamp(arguments),
        Type::Timespan(_) => time::new_timespan(arguments),
        Type::SemVer(_) => version::new_version(arguments),
        Type::SemVerRange => version::new_range(arguments),
        Type::Uri | Type::UriOf(_) => uri::new(arguments),
        _ => Err(Error::new(format!("Creation of new instance of type '{kind}' is not supported"))),
    }
}

/// Wraps the value in a secret; a secret is unchanged.
fn sensitive(arguments: &[Value]) -> ConversionResult {
    match choose("new_Sensitive", &*SENSITIVE, arguments)? {
        0 => Ok(arguments[0].clone()),
        _ => Ok(Value::sensitive(arguments[0].clone())),
    }
}

/// Compiles a regular expression from a string, optionally escaped.
fn regexp(arguments: &[Value]) -> ConversionResult {
    choose("new_float", &*REGEXP, arguments)?;
    let source = arguments[0].as_str().unwrap_or_default();
    let regexp = match arguments.get(1) {
        Some(Value::Boolean(true)) => Regexp::new(&escape(source)),
        _ => Regexp::new(source),
    };
    regexp.map(RegexpValue::value).map_err(|error| Error::new(error.to_string()))
}

/// Escapes a string like Ruby's `Regexp.escape`.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        let escaped = match c {
            '\n' => 'n',
            '\t' => 't',
            '\r' => 'r',
            '\u{b}' => 'v',
            '\u{c}' => 'f',
            ' ' | '#' | '$' | '(' | ')' | '*' | '+' | '-' | '.' | '?' | '[' | '\\' | ']' | '^' | '{' | '|' | '}' => c,
            c => {
                out.push(c);
                continue;
            }
        };
        out.push('\\');
        out.push(escaped);
    }
    out
}

/// Parses a type.
fn type_of_text(arguments: &[Value]) -> ConversionResult {
    choose("new_type", &*TYPE, arguments)?;
    let parsed = parse(arguments[0].as_str().unwrap_or_default());
    parsed.map(Type::into_value)
}

/// The value as it is.
fn unit(arguments: &[Value]) -> ConversionResult {
    choose("new_unit", &*UNIT, arguments)?;
    Ok(arguments[0].clone())
}

/// Returns the index of the first signature that fits the arguments. Every signature has at least one parameter.
fn choose(function: &str, signatures: &[Signature], arguments: &[Value]) -> Result<usize, Error> {
    signatures
        .iter()
        .position(|signature| signature.accepts(arguments, None))
        .ok_or_else(|| Error::new(describe_call(function, signatures, arguments, None)))
}

/// The error of a function for a string that it cannot convert.
fn unconvertible_text(function: &str, text: &str, target: &str) -> Error {
    Error::new(format!("'{function}' The string '{text}' cannot be converted to {target}"))
}

/// The error of a function for a value that it cannot convert.
fn unconvertible(function: &str, value: &Value, target: &str) -> Error {
    let message = match value {
        Value::String(text) => format!("The string '{text}' cannot be converted to {target}"),
        _ => format!("Value of type {} cannot be converted to {target}", infer(value).generalize()),
    };
    Error::new(format!("'{function}' {message}"))
}

#[cfg(test)]
mod tests;
