//! Prints the job as the API's JSON, byte for byte like Go's `encoding/json` with an indentation of four blanks.
//!
//! Source of the rules: <https://pkg.go.dev/encoding/json#Marshal>; the API's JSON is described under
//! <https://developer.hashicorp.com/nomad/api-docs/json-jobs>.

use std::borrow::Cow;
use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hieratic_json::write::{Ends, Escapes, JsonWriter, Layout};

use crate::record::{Data, Datum, Record};
use crate::schema::{Field, Kind, Scalar};

/// An indentation of four blanks, and nothing between the brackets of an empty collection.
const LAYOUT: Layout<'static> = Layout {
    escapes: Escapes::Html,
    item: Cow::Borrowed(","),
    key: Cow::Borrowed(": "),
    array_break: Cow::Borrowed("\n"),
    object_break: Cow::Borrowed("\n"),
    indent: Cow::Borrowed("    "),
    ends: Ends::Closed,
};

/// The error for a job that contains an infinite number, which JSON cannot represent.
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
    let mut writer = Writer { json: JsonWriter::new(String::new(), &LAYOUT), to: None };
    // Without a destination, writing cannot fail.
    let _ = writer.document(key, record);
    Ok(writer.json.into_output())
}

/// Writes the JSON document in portions. Nothing is written if JSON cannot represent the structure.
///
/// # Errors
///
/// If a number is infinite, or writing fails.
pub(crate) fn write(key: &str, record: &Record, to: &mut dyn io::Write) -> io::Result<()> {
    finite(record).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    let mut writer = Writer { json: JsonWriter::new(String::with_capacity(2 * PORTION), &LAYOUT), to: Some(to) };
    writer.document(key, record)?;
    let Writer { json, to } = writer;
    to.map_or(Ok(()), |to| to.write_all(json.into_output().as_bytes()))
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
    json: JsonWriter<'static, String>,
    /// The destination of full portions.
    to: Option<&'w mut dyn io::Write>,
}

impl Writer<'_> {
    fn document(&mut self, key: &str, record: &Record) -> io::Result<()> {
        self.json.begin_object();
        self.json.key(key);
        self.record(record)?;
        self.json.end();
        Ok(())
    }

    /// Hands a full portion on.
    fn hand_on(&mut self) -> io::Result<()> {
        let out = self.json.output();
        if let Some(to) = &mut self.to
            && out.len() > PORTION
        {
            to.write_all(out.as_bytes())?;
            out.clear();
        }
        Ok(())
    }

    fn record(&mut self, record: &Record) -> io::Result<()> {
        self.json.begin_object();
        let fields = record.shape().fields.iter().enumerate().map(|(at, field)| (field, record.at(at)));
        for (field, datum) in fields.filter(|(field, datum)| !(field.unless_empty && datum.is_none())) {
            self.json.key(field.name);
            match datum {
                Some(datum) => self.datum(datum)?,
                None => self.json.word(absent(field)),
            }
            self.hand_on()?;
        }
        self.json.end();
        Ok(())
    }

    fn datum(&mut self, datum: &Datum) -> io::Result<()> {
        match &datum.value {
            // A job that was read completely has no pending values.
            Data::Null | Data::Pending(_) | Data::Unknown => self.json.word("null"),
            Data::Bool(value) => self.json.word(if *value { "true" } else { "false" }),
            Data::Int(value) => self.json.number(value),
            Data::Uint(value) => self.json.number(value),
            Data::Float(value) => self.json.word(&float(*value)),
            Data::Text(value) => self.json.string(value),
            Data::Bytes(bytes) => self.json.string(&STANDARD.encode(bytes)),
            Data::List(items) => {
                self.json.begin_array();
                for item in items.iter() {
                    self.datum(item)?;
                    self.hand_on()?;
                }
                self.json.end();
            }
            Data::Map(entries) => {
                self.json.begin_object();
                for (key, value) in entries.iter() {
                    self.json.key(key);
                    self.datum(value)?;
                    self.hand_on()?;
                }
                self.json.end();
            }
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

/// A finite floating point number: the shortest digits that read back, with an exponent only far from one.
fn float(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude == 0.0 || (1e-6..1e21).contains(&magnitude) {
        return value.to_string();
    }
    let mut digits = format!("{value:e}");
    // Go always prints the sign of an exponent.
    if let Some(at) = digits.find('e')
        && !digits[at..].starts_with("e-")
    {
        digits.insert(at + 1, '+');
    }
    digits
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
            assert_eq!(float(value), printed);
        }
        let refused = finite_datum(&Datum::derived(Data::Float(f64::INFINITY))).unwrap_err();
        assert_eq!(refused.to_string(), "json: unsupported value: +Inf");
    }
}
