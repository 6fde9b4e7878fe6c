//! Prints the job as the API's JSON, byte for byte like Go's `encoding/json` with an indentation of four blanks.
//!
//! Source of the rules: <https://pkg.go.dev/encoding/json#Marshal>; the API's JSON is described under
//! <https://developer.hashicorp.com/nomad/api-docs/json-jobs>.

use std::fmt::Write;
use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::record::{Data, Datum, Record};
use crate::schema::{Field, Kind, Scalar};

/// The indentation of one level.
const INDENT: &str = "    ";

/// Why a job has no JSON: an infinite number is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotJson(String);

impl std::fmt::Display for NotJson {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotJson {}

/// The number of buffered bytes from which on output is written.
const PORTION: usize = 1 << 16;

/// The structure as JSON under one key: `{"Job": ...}`.
///
/// # Errors
///
/// If a number is infinite.
pub(crate) fn document(key: &str, record: &Record) -> Result<String, NotJson> {
    finite(record)?;
    let mut writer = Writer { out: String::new(), depth: 1, to: None };
    // Without a destination, writing cannot fail.
    let _ = writer.document(key, record);
    Ok(writer.out)
}

/// Writes the JSON document in portions. Nothing is written if JSON cannot represent the structure.
///
/// # Errors
///
/// If a number is infinite, or writing fails.
pub(crate) fn write(key: &str, record: &Record, to: &mut dyn io::Write) -> io::Result<()> {
    finite(record).map_err(|fault| io::Error::new(io::ErrorKind::InvalidData, fault))?;
    let mut writer = Writer { out: String::with_capacity(2 * PORTION), depth: 1, to: Some(to) };
    writer.document(key, record)?;
    let Writer { out, to, .. } = writer;
    to.map_or(Ok(()), |to| to.write_all(out.as_bytes()))
}

/// Finds a number that JSON cannot say.
fn finite(record: &Record) -> Result<(), NotJson> {
    record.entries().try_for_each(|(_, datum)| finite_datum(datum))
}

fn finite_datum(datum: &Datum) -> Result<(), NotJson> {
    match &datum.value {
        Data::Float(value) if !value.is_finite() => {
            let name = if value.is_nan() {
                "NaN"
            } else if *value > 0.0 {
                "+Inf"
            } else {
                "-Inf"
            };
            Err(NotJson(format!("json: unsupported value: {name}")))
        }
        Data::List(items) => items.iter().try_for_each(finite_datum),
        Data::Map(entries) => entries.iter().try_for_each(|(_, value)| finite_datum(value)),
        Data::Record(record) => finite(record),
        _ => Ok(()),
    }
}

struct Writer<'w> {
    out: String,
    depth: usize,
    /// The destination of full portions.
    to: Option<&'w mut dyn io::Write>,
}

impl Writer<'_> {
    fn document(&mut self, key: &str, record: &Record) -> io::Result<()> {
        self.out.push('{');
        self.line();
        text(&mut self.out, key);
        self.out.push_str(": ");
        self.record(record)?;
        self.depth = 0;
        self.line();
        self.out.push('}');
        Ok(())
    }

    /// Hands a full portion on.
    fn hand_on(&mut self) -> io::Result<()> {
        if let Some(to) = &mut self.to
            && self.out.len() > PORTION
        {
            to.write_all(self.out.as_bytes())?;
            self.out.clear();
        }
        Ok(())
    }

    /// Starts a line.
    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.depth {
            self.out.push_str(INDENT);
        }
    }

    /// Writes brackets with each item on a separate line; without items, only the brackets.
    fn write_items<T>(
        &mut self,
        [open, close]: [char; 2],
        items: impl Iterator<Item = T>,
        mut item: impl FnMut(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        self.out.push(open);
        self.depth += 1;
        let mut empty = true;
        for each in items {
            if !empty {
                self.out.push(',');
            }
            empty = false;
            self.line();
            item(self, each)?;
            self.hand_on()?;
        }
        self.depth -= 1;
        if !empty {
            self.line();
        }
        self.out.push(close);
        Ok(())
    }

    fn record(&mut self, record: &Record) -> io::Result<()> {
        let fields = record.shape().fields.iter().enumerate().map(|(at, field)| (field, record.at(at)));
        let shown = fields.filter(|(field, datum)| !(field.unless_empty && datum.is_none()));
        self.write_items(['{', '}'], shown, |writer, (field, datum)| {
            text(&mut writer.out, field.name);
            writer.out.push_str(": ");
            match datum {
                Some(datum) => writer.datum(datum),
                None => {
                    writer.out.push_str(absent(field));
                    Ok(())
                }
            }
        })
    }

    fn datum(&mut self, datum: &Datum) -> io::Result<()> {
        match &datum.value {
            // A job that was read completely has no pending values.
            Data::Null | Data::Pending(_) | Data::Unknown => self.out.push_str("null"),
            Data::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Data::Int(value) => number(&mut self.out, value),
            Data::Uint(value) => number(&mut self.out, value),
            Data::Float(value) => float(&mut self.out, *value),
            Data::Text(value) => text(&mut self.out, value),
            Data::Bytes(bytes) => {
                self.out.push('"');
                STANDARD.encode_string(bytes, &mut self.out);
                self.out.push('"');
            }
            Data::List(items) => self.write_items(['[', ']'], items.iter(), |writer, item| writer.datum(item))?,
            Data::Map(entries) => self.write_items(['{', '}'], entries.iter(), |writer, (key, value)| {
                text(&mut writer.out, key);
                writer.out.push_str(": ");
                writer.datum(value)
            })?,
            Data::Record(record) => self.record(record)?,
        }
        Ok(())
    }
}

/// The output for a field without a value.
fn absent(field: &Field) -> &'static str {
    match field.kind {
        Kind::Plain(Scalar::Text | Scalar::Named(_)) => "\"\"",
        Kind::Plain(Scalar::Bool) => "false",
        Kind::Plain(_) => "0",
        _ => "null",
    }
}

fn number(out: &mut String, number: impl std::fmt::Display) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{number}");
}

/// A finite floating point number: the shortest digits that read back, with an exponent only far from one.
fn float(out: &mut String, value: f64) {
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-6..1e21).contains(&magnitude) {
        let digits = format!("{value:e}");
        // Go always prints the sign of an exponent.
        match digits.split_once('e') {
            Some((digits, exponent)) if !exponent.starts_with('-') => number(out, format_args!("{digits}e+{exponent}")),
            _ => out.push_str(&digits),
        }
    } else {
        number(out, value);
    }
}

/// Quotes a string. Characters of HTML markup and the two line separators of JavaScript are escaped.
pub(crate) fn text(out: &mut String, text: &str) {
    out.push('"');
    let mut plain = 0;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let (length, escape) = match byte {
            b'"' => (1, "\\\""),
            b'\\' => (1, "\\\\"),
            b'\n' => (1, "\\n"),
            b'\r' => (1, "\\r"),
            b'\t' => (1, "\\t"),
            0x08 => (1, "\\b"),
            0x0c => (1, "\\f"),
            b'<' => (1, "\\u003c"),
            b'>' => (1, "\\u003e"),
            b'&' => (1, "\\u0026"),
            0x00..0x20 => (1, ""),
            0xe2 if bytes[at..].starts_with(b"\xe2\x80\xa8") => (3, "\\u2028"),
            0xe2 if bytes[at..].starts_with(b"\xe2\x80\xa9") => (3, "\\u2029"),
            _ => continue,
        };
        out.push_str(&text[plain..at]);
        if escape.is_empty() {
            let _ = write!(out, "\\u{byte:04x}");
        } else {
            out.push_str(escape);
        }
        plain = at + length;
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_as_go_prints_them() {
        for (value, printed) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (0.1, "0.1"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (-1.5e300, "-1.5e+300"),
            (0.000001, "0.000001"),
            (0.00000012, "1.2e-7"),
            (18446744073709551616.0, "18446744073709552000"),
        ] {
            let mut out = String::new();
            float(&mut out, value);
            assert_eq!(out, printed);
        }
        let refused = finite_datum(&Datum::derived(Data::Float(f64::INFINITY))).unwrap_err();
        assert_eq!(refused.to_string(), "json: unsupported value: +Inf");
    }

    #[test]
    fn texts_are_escaped_as_go_escapes_them() {
        let mut out = String::new();
        text(&mut out, "a\"\\<b>&\n\u{1}\u{8}\u{2028}é\u{7f}");
        assert_eq!(out, "\"a\\\"\\\\\\u003cb\\u003e\\u0026\\n\\u0001\\b\\u2028é\u{7f}\"");
    }
}
