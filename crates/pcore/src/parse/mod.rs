//! [`parse`]: a type from its text, as users write it in `--type` and in `convert_to`.
//!
//! The syntax is that of the language: a name in capital letters, and parameters in brackets. See
//! [data types](https://www.puppet.com/docs/puppet/8/lang_data_type.html). An expression of the language that is no
//! type is an error with the same words as the reference's.

pub(crate) mod interpret;
mod lexer;
mod syntax;

use crate::Error;
use crate::types::Type;

/// Reads a type from its text.
///
/// A name that nobody defines gives a [`Type::Reference`], which nothing is an instance of; whoever checks a value
/// against it is told so.
///
/// ```
/// use hieratic_pcore::parse;
/// let found = parse("Struct[{a => Integer[0, default], Optional[b] => Enum[x, 'y z']}]").unwrap();
/// assert_eq!(found.to_string(), "Struct[{'a' => Integer[0], Optional['b'] => Enum['x', 'y z']}]");
/// let error = parse("String[").unwrap_err();
/// assert_eq!(error.to_string(), "Syntax error at end of input");
/// assert_eq!(error.offset(), Some(7));
/// ```
///
/// # Errors
/// Text that is no expression of the language, or an expression that is no type.
pub fn parse(text: &str) -> Result<Type, Error> {
    parse_with(text, &|_| None)
}

/// Reads a type from its text as [`parse`] does, and asks for every name that the language does not know.
///
/// The names come as they were written, without leading colons: `Stdlib::Port`. Give an
/// [`Alias`](crate::Alias) for a type that someone defined, so that messages show its name.
///
/// # Errors
/// Text that is no expression of the language, or an expression that is no type.
pub fn parse_with(text: &str, resolve: &dyn Fn(&str) -> Option<Type>) -> Result<Type, Error> {
    // The reference keeps a table of complete texts, and this one means something else there than inside of others.
    if text == "Array[1]" {
        return Ok(Type::array_of_size(Type::Any, Some(crate::IntegerRange::at_least(1i64))));
    }
    let program = syntax::program(text)?;
    interpret::Interpreter { text, resolve }.program(&program)
}

#[cfg(test)]
mod tests;
