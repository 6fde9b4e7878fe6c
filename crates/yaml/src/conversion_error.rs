//! [`ConversionError`]: the reason why a document of valid YAML cannot be converted to values.

use std::fmt::Write;

/// The reason why a node cannot be converted to a value, with Ruby's wording.
#[derive(Debug, PartialEq)]
pub(super) struct ConversionError {
    message: String,
    with_file: bool,
    limit: bool,
    hint: Option<String>,
}

impl ConversionError {
    /// Creates the error for a class that may not be loaded. Only this message names the file, as in
    /// `Puppet::Util::Yaml`.
    pub fn class(name: &str) -> Self {
        let hint = match name {
            "Date" | "Time" => "quote the date: data files cannot contain dates".to_string(),
            "Symbol" => "quote the string: values that start with a colon are Ruby symbols".to_string(),
            _ => format!("remove the tag: data files cannot contain objects of the class {name}"),
        };
        let message = format!("Tried to load unspecified class: {name}");
        ConversionError { message, with_file: true, limit: false, hint: Some(hint) }
    }

    pub fn unknown_alias(name: &str) -> Self {
        ConversionError {
            message: format!("Unknown alias: {name}"),
            with_file: false,
            limit: false,
            hint: Some(format!("define the anchor &{name} before the alias *{name}, or quote the string")),
        }
    }

    /// Creates the error for a string that Ruby's `Integer()` or `Float()` rejects.
    pub fn invalid_number(function: &str, text: &str) -> Self {
        let hint = Some("quote the string, or write a number".to_string());
        let message = format!("invalid value for {function}(): {}", inspect_bytes(text));
        ConversionError { message, with_file: false, limit: false, hint }
    }

    /// Creates the error for any other exception of Ruby.
    pub fn ruby(message: impl Into<String>) -> Self {
        ConversionError { message: message.into(), with_file: false, limit: false, hint: None }
    }

    /// Creates an error for input on which Ruby has no limit.
    pub fn limit(message: impl Into<String>) -> Self {
        ConversionError { message: message.into(), with_file: true, limit: true, hint: None }
    }

    /// Creates an error for a feature of Ruby that this parser does not support.
    pub fn unsupported(tag: &str) -> Self {
        let hint = Some("remove the tag".to_string());
        ConversionError { message: format!("the tag {tag} is not supported"), with_file: true, limit: false, hint }
    }

    pub fn message(&self, file: &str) -> String {
        if self.with_file { format!("({file}): {}", self.message) } else { self.message.clone() }
    }

    /// Returns whether continuing could cost more than the limits.
    pub fn is_limit(&self) -> bool {
        self.limit
    }

    pub fn hint(self) -> Option<String> {
        self.hint
    }
}

/// Text in double quotes as Ruby writes it when it looks at bytes, not at characters.
fn inspect_bytes(text: &str) -> String {
    let mut out = String::from("\"");
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            b'#' if matches!(bytes.peek(), Some(b'{' | b'$' | b'@')) => out.push_str("\\#"),
            7 => out.push_str("\\a"),
            8 => out.push_str("\\b"),
            b'\t' => out.push_str("\\t"),
            b'\n' => out.push_str("\\n"),
            11 => out.push_str("\\v"),
            12 => out.push_str("\\f"),
            b'\r' => out.push_str("\\r"),
            27 => out.push_str("\\e"),
            b' '..=b'~' => out.push(char::from(byte)),
            _ => {
                // Writing to a string does not fail.
                let _ = write!(out, "\\x{byte:02X}");
            }
        }
    }
    out.push('"');
    out
}
