//! Ruby's `format` for a single directive.

use hieratic_value::Value;

use super::format::Format;
use crate::Error;

/// Checks that no flag is set that `format` only allows for arrays and hashes.
pub(super) fn check(format: &Format) -> Result<(), Error> {
    for flag in format.flags.chars() {
        match flag {
            '[' | '(' | '|' | '\t' | '\r' | '\u{b}' | '\u{c}' => {
                return Err(Error::new(format!("malformed format string - %{flag}")));
            }
            '{' | '<' => return Err(Error::new("malformed name - unmatched parenthesis")),
            _ => {}
        }
    }
    Ok(())
}

/// `%s` and `%p` of a string.
pub(super) fn text(format: &Format, text: &str) -> Result<String, Error> {
    check(format)?;
    Ok(format.pad(text))
}

/// The error of `format` for an unknown letter, or for a numeric letter with a value that is not a number.
pub(super) fn unusable(format: &Format, value: &Value) -> Error {
    if let Err(error) = check(format) {
        return error;
    }
    let letter = format.letter;
    match letter {
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'b' | 'B' => {
            Error::new(format!("can't convert {} into Integer", value.ruby_class()))
        }
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => {
            Error::new(format!("can't convert {} into Float", value.ruby_class()))
        }
        'c' => Error::new(format!("no implicit conversion of {} into Integer", value.ruby_class())),
        _ => Error::new(format!("malformed format string - %{letter}")),
    }
}
