//! How Python writes values: [`str`] and [`repr`].

use std::fmt::Write;

use minijinja::Value;

use super::kind::{defined, entries, iterate, small, type_name};
use super::{Kind, Result, error, escape, kind};
use crate::work;

/// How deeply a value that is written may nest.
const DEEPEST: usize = 200;

/// The longest text that is made of one value.
pub const LONGEST: usize = 64 << 20;

/// `str(value)`: what a template prints.
pub fn str(value: &Value) -> Result<String> {
    if let Some(number) = small(value) {
        return Ok(itoa::Buffer::new().format(number).to_string());
    }
    let mut out = String::new();
    match kind(value)? {
        Kind::Str(text) => out.push_str(text),
        Kind::Missing(missing) => {
            defined(missing)?;
            out.push_str(&missing.placeholder());
        }
        _ => write_repr(&mut out, value, DEEPEST, true)?,
    }
    Ok(out)
}

/// `repr(value)`: how a value is written inside lists and dictionaries.
pub fn repr(value: &Value) -> Result<String> {
    let mut out = String::new();
    write_repr(&mut out, value, DEEPEST, false)?;
    Ok(out)
}

fn write_repr(out: &mut String, value: &Value, depth: usize, as_str: bool) -> Result<()> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(error(format!("the value nests more than {DEEPEST} levels deep")));
    };
    if out.len() > LONGEST {
        return Err(error("the string form of the value is too long"));
    }
    work::steps(1)?;
    if let Some(number) = small(value) {
        out.push_str(itoa::Buffer::new().format(number));
        return Ok(());
    }
    match kind(value)? {
        Kind::None => out.push_str("None"),
        Kind::Bool(truth) => out.push_str(if truth { "True" } else { "False" }),
        Kind::Int(number) => {
            work::scan(usize::try_from(number.bits()).unwrap_or(usize::MAX))?;
            // Writing to a string does not fail.
            let _ = write!(out, "{number}");
        }
        Kind::Float(number) => out.push_str(&float(number)),
        Kind::Str(text) => {
            work::bytes(text.len())?;
            escape::quote(out, text);
        }
        Kind::Bytes(bytes) => escape::quote_bytes(out, bytes),
        Kind::List => {
            out.push('[');
            sequence(out, &iterate(value)?, depth)?;
            out.push(']');
        }
        Kind::Tuple(items) => {
            out.push('(');
            sequence(out, items, depth)?;
            out.push_str(if items.len() == 1 { ",)" } else { ")" });
        }
        Kind::Dict => {
            out.push('{');
            for (at, (key, item)) in entries(value)?.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                write_repr(out, key, depth, false)?;
                out.push_str(": ");
                write_repr(out, item, depth, false)?;
            }
            out.push('}');
        }
        Kind::Datetime(datetime) if as_str => out.push_str(&datetime.to_text(' ')),
        Kind::Datetime(datetime) => out.push_str(&datetime.to_repr()),
        Kind::Timedelta(timedelta) if as_str => out.push_str(&timedelta.to_text()),
        Kind::Timedelta(timedelta) => out.push_str(&timedelta.to_repr()),
        Kind::Missing(missing) => {
            defined(missing)?;
            out.push_str("Undefined");
        }
        Kind::Other => {
            let text = value.to_string();
            match text.is_empty() {
                true => drop(write!(out, "<{} object>", type_name(value))),
                false => out.push_str(&text),
            }
        }
    }
    Ok(())
}

fn sequence(out: &mut String, items: &[Value], depth: usize) -> Result<()> {
    for (at, item) in items.iter().enumerate() {
        out.push_str(if at > 0 { ", " } else { "" });
        write_repr(out, item, depth, false)?;
    }
    Ok(())
}

/// How Python writes a float: the shortest digits that read back, with an exponent for large and small ones.
pub fn float(number: f64) -> String {
    if number.is_nan() {
        return "nan".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf".into() } else { "-inf".into() };
    }
    // Most numbers are neither large nor small, and need no exponent.
    if number == 0.0 || (1e-4..1e15).contains(&number.abs()) {
        let plain = format!("{number}");
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = format!("{number}");
        return if plain.contains('.') { plain } else { format!("{plain}.0") };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_written_as_python_does() {
        let cases = [
            (1.0, "1.0"),
            (1e16, "1e+16"),
            (1.5e-5, "1.5e-05"),
            (0.0001, "0.0001"),
            (1e15, "1000000000000000.0"),
            (-0.0, "-0.0"),
            (f64::NEG_INFINITY, "-inf"),
            (1e300, "1e+300"),
        ];
        for (number, text) in cases {
            assert_eq!(float(number), text);
        }
    }
}
