//! [`Error`]: the reasons why a tree cannot be written.

use std::fmt;

/// The reason why a tree could not be written. The messages are those of Puppet, Ruby and its libraries. They quote no
/// data, except for the part of a string that Ruby could not parse as a number.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// An unknown rendering format. Its name is given in lower case.
    UnknownFormat(String),
    /// The format exists, but Puppet cannot write a value of this class in it.
    Unsupported {
        /// The Ruby class of the value.
        class: &'static str,
        /// The method that the class would need.
        method: &'static str,
        /// The media type of the format.
        media_type: &'static str,
    },
    /// More than 100 levels, in JSON.
    TooDeep,
    /// A float that JSON cannot hold, as Ruby prints it: `NaN`, `Infinity` or `-Infinity`.
    NoJsonNumber(&'static str),
    /// Bytes that end inside of a character, in JSON.
    PartialCharacter,
    /// Bytes that are not UTF-8, in JSON.
    MalformedText,
    /// A string that begins like a binary or hexadecimal number but has no digit, such as `0x_`: Ruby's YAML writer
    /// tries to parse it and fails.
    NoInteger(&'static str),
    /// A string that resembles a time, with a tab before the hour: Ruby's YAML writer tries to parse it and fails.
    /// Contains the name of the method that fails.
    NoTime(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnknownFormat(name) => write!(f, "Unknown rendering format '{name}'"),
            Error::Unsupported { class, method, media_type } => {
                write!(f, "{class} does not respond to {method}; can not render instances to {media_type}")
            }
            Error::TooDeep => f.write_str("nesting of 100 is too deep"),
            // The numbers are lines of the C source that Ruby's library puts before the message.
            Error::NoJsonNumber("NaN") => f.write_str("1003: NaN not allowed in JSON"),
            Error::NoJsonNumber(number) => write!(f, "1000: {number} not allowed in JSON"),
            Error::PartialCharacter => f.write_str("partial character in source, but hit end"),
            Error::MalformedText => f.write_str("source sequence is illegal/malformed utf-8"),
            Error::NoInteger(text) => write!(f, "invalid value for Integer(): \"{text}\""),
            Error::NoTime(method) => write!(f, "undefined method `{method}' for nil:NilClass"),
        }
    }
}

impl std::error::Error for Error {}
