//! [`parse`] reads a type from a string, as in `--type` and in `convert_to`.
//!
//! The syntax is that of the language: a capitalized name, and parameters in brackets. See [data
//! types](https://www.puppet.com/docs/puppet/8/lang_data_type.html). An expression of the language that is not a type
//! is an error with the reference's message.

pub(crate) mod interpret;
mod lexer;
mod syntax;

use crate::Error;
use crate::types::Type;

/// Parses a type.
///
/// An unknown name becomes a [`Type::Reference`], which has no instances. A check of a value against it reports the
/// name.
///
/// ```
/// use hieratic_puppet_types::parse;
/// let found = parse("Struct[{a => Integer[0, default], Optional[b] => Enum[x, 'y z']}]").unwrap();
/// assert_eq!(found.to_string(), "Struct[{'a' => Integer[0], Optional['b'] => Enum['x', 'y z']}]");
/// let error = parse("String[").unwrap_err();
/// assert_eq!(error.to_string(), "Syntax error at end of input");
/// assert_eq!(error.offset(), Some(7));
/// ```
///
/// # Errors
/// The string is not an expression of the language, or the expression is not a type.
pub fn parse(text: &str) -> Result<Type, Error> {
    parse_with(text, &|_| None)
}

/// Parses a type as [`parse`] does, and resolves unknown names with `resolve`.
///
/// The names are passed as written, without leading colons: `Stdlib::Port`. Return an [`Alias`](crate::Alias) for a
/// user-defined type, so that messages show its name.
///
/// # Errors
/// The string is not an expression of the language, or the expression is not a type.
pub fn parse_with(text: &str, resolve: &dyn Fn(&str) -> Option<Type>) -> Result<Type, Error> {
    // The reference has a table of complete strings, and there this one has another meaning than inside of other types.
    if text == "Array[1]" {
        return Ok(Type::array_of_size(Type::Any, Some(crate::IntegerRange::at_least(1i64))));
    }
    let program = syntax::program(text)?;
    interpret::Interpreter { text, resolve }.program(&program)
}

#[cfg(test)]
mod tests;
