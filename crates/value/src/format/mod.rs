//! Ruby's [`Kernel#format`](https://docs.ruby-lang.org/en/3.1/Kernel.html#method-i-format), over the values of any
//! language that follows it.
//!
//! [`sprintf`] parses the directives. The language provides the arguments and their conversions through [`Values`].
//! [`integer`] and [`float`] write a single number in its [`Field`].

mod arguments;
mod directive;
mod number;
mod round_half;

use num_bigint::BigInt;

use arguments::ValueOrder;
use directive::Directive;

pub use number::{float, integer};

/// The flags, the width and the precision of a single number, and its letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The conversion: `d`, `f` and so on.
    pub letter: char,
    /// A space before positive numbers.
    pub space: bool,
    /// The alternative form: `#`.
    pub alternative: bool,
    /// A plus sign before positive numbers.
    pub plus: bool,
    /// Left alignment.
    pub minus: bool,
    /// Zero padding.
    pub zero: bool,
    /// The minimum number of characters.
    pub width: Option<usize>,
    /// The precision.
    pub precision: Option<usize>,
}

/// The arguments of a format, and the conversions of their language.
pub trait Values {
    /// A value of the language.
    type Value;
    /// The reason why a value does not fit its directive.
    type Error;

    /// The maximum width and precision of a field. It protects against formats such as `%9999999999d`.
    const MAX_WIDTH: usize;

    /// Returns the argument at an index, counted from 0.
    fn at(&mut self, index: usize) -> Option<Self::Value>;

    /// Returns the value of `%<name>`: the key of a hash that is the only argument.
    ///
    /// # Errors
    /// The language reports an error.
    fn named(&mut self, name: &str) -> Result<Named<Self::Value>, Self::Error>;

    /// Converts a value for `%s`.
    ///
    /// # Errors
    /// As [`Values::named`].
    fn text(&mut self, value: &Self::Value) -> Result<String, Self::Error>;

    /// Converts a value for `%p`.
    ///
    /// # Errors
    /// As [`Values::named`].
    fn inspected(&mut self, value: &Self::Value) -> Result<String, Self::Error>;

    /// Returns the content of a string, for `%c`.
    fn string(&mut self, value: &Self::Value) -> Option<String>;

    /// Converts a value for `%d` and its like.
    ///
    /// # Errors
    /// As [`Values::named`].
    fn integer(&mut self, value: &Self::Value) -> Result<BigInt, Self::Error>;

    /// Converts a value for `%f` and its like.
    ///
    /// # Errors
    /// As [`Values::named`].
    fn number(&mut self, value: &Self::Value) -> Result<Number, Self::Error>;

    /// Converts a value for the width of `*`, or for a code point.
    ///
    /// # Errors
    /// As [`Values::named`].
    fn count(&mut self, value: &Self::Value) -> Result<i64, Self::Error>;

    /// Charges the bytes of the output to a budget, before they are written.
    ///
    /// # Errors
    /// The limit that is reached.
    fn charge(&mut self, bytes: usize) -> Result<(), Self::Error>;

    /// Converts an error of the format.
    fn error(&mut self, error: FormatError) -> Self::Error;
}

/// The result of looking up `%<name>`.
pub enum Named<V> {
    /// The value in the hash.
    Value(V),
    /// The hash has no such key.
    Missing,
    /// There is not exactly one argument, or it is not a hash.
    NoHash,
}

/// A number for `%f` and its like.
pub enum Number {
    /// A float.
    Float(f64),
    /// An integer, whose digits are all written.
    Integer(BigInt),
}

/// An invalid format, or a value that does not fit it; the messages are Ruby's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// An `ArgumentError`.
    Argument(String),
    /// A `KeyError`.
    Key(String),
}

impl FormatError {
    /// Returns Ruby's message.
    pub fn into_message(self) -> String {
        match self {
            FormatError::Argument(message) | FormatError::Key(message) => message,
        }
    }
}

/// Formats values: `%d`, `%-5s`, `%.2f`, `%2$s`, `%<name>d`, `%{name}`; names are keys of a hash that is the only
/// argument.
///
/// # Errors
/// The format is invalid, or an argument does not fit its directive.
pub fn sprintf<V: Values>(format: &str, values: &mut V) -> Result<String, V::Error> {
    let mut order = ValueOrder::Counted(0);
    values.charge(format.len())?;
    let mut out = String::with_capacity(format.len());
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = Directive::write_next(&rest[at + 1..], &mut order, values, &mut out)?;
    }
    out.push_str(rest);
    Ok(out)
}
