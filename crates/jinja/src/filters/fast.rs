//! Fast paths for the most common filters on their most common inputs: plain strings, small numbers, lists of both.
//!
//! They append directly to the output, without a list of arguments or an intermediate value. All other inputs are
//! handled by the filters themselves.

use std::fmt::Write as _;

use minijinja::Value;
use minijinja::value::ValueKind;

use super::numbers::short;
use crate::escaping::escape_into;
use crate::objects::{Dict, List, Missing, SourceView};
use crate::python::digits::write_digits;
use crate::python::kind::small;
use crate::python::text::LONGEST;
use hieratic_python_values::write_float;

/// Appends the result of a filter for an input and an optional argument to a string.
type Write = fn(&Value, Option<&Value>, &mut String) -> Option<usize>;

/// Appends the result of a filter for an input that is not converted.
type WriteSource = fn(SourceView<'_>, Option<&Value>, &mut String) -> Option<usize>;

/// A filter with at most one argument.
#[derive(Clone, Copy, Debug)]
pub struct FastFilter {
    /// Appends the result to the string and returns its cost in steps. Returns `None`, with the string unchanged, if
    /// the input is not simple.
    pub write: Write,
    /// Like [`write`](Self::write), for unconverted lists and dictionaries.
    pub write_source: Option<WriteSource>,
    /// Whether the result is a string, and not another value that prints like one.
    pub is_text: bool,
}

/// Returns the fast path of a filter with this number of arguments.
pub fn fast_filter(name: &str, arguments: usize) -> Option<FastFilter> {
    let (write, is_text): (Write, bool) = match (name, arguments) {
        ("e" | "escape", 0) => (escape, false),
        ("upper", 0) => (upper, true),
        ("lower", 0) => (lower, true),
        ("capitalize", 0) => (capitalize, true),
        ("title", 0) => (title, true),
        ("trim", 0) => (trim, true),
        ("join", 0 | 1) => (join, true),
        ("truncate", 1) => (truncate, true),
        ("format", 1) => (format, true),
        ("default" | "d", 1) => (default, false),
        ("round", 0 | 1) => (round, false),
        ("length" | "count", 0) => (length, false),
        _ => return None,
    };
    let write_source: Option<WriteSource> = match name {
        "join" => Some(join_source),
        "length" | "count" => Some(length_of_source),
        _ => None,
    };
    Some(FastFilter { write, write_source, is_text })
}

/// A plain string.
fn string(value: &Value) -> Option<&str> {
    value.as_str().filter(|_| value.kind() == ValueKind::String)
}

/// Returns a short plain ASCII string.
fn ascii(value: &Value) -> Option<&str> {
    string(value).filter(|text| text.len() < 4096 && text.is_ascii())
}

fn escape(value: &Value, _: Option<&Value>, out: &mut String) -> Option<usize> {
    if let Some(number) = small(value) {
        write_digits(out, number);
        return Some(1);
    }
    let text = string(value)?;
    escape_into(out, text);
    Some(1 + text.len() / 64)
}

fn upper(value: &Value, _: Option<&Value>, out: &mut String) -> Option<usize> {
    changed(value, out, str::make_ascii_uppercase)
}

fn lower(value: &Value, _: Option<&Value>, out: &mut String) -> Option<usize> {
    changed(value, out, str::make_ascii_lowercase)
}

/// Appends a string with its characters changed.
fn changed(value: &Value, out: &mut String, change: impl FnOnce(&mut str)) -> Option<usize> {
    let text = ascii(value)?;
    let start = out.len();
    out.push_str(text);
    change(out.get_mut(start..)?);
    Some(1)
}

fn capitalize(value: &Value, _: Option<&Value>, out: &mut String) -> Option<usize> {
    let start = out.len();
    lower(value, None, out)?;
    if let Some(first) = out.get_mut(start..start + 1) {
        first.make_ascii_uppercase();
    }
    Some(1)
}

fn title(value: &Value, _: Option<&Value>, out: &mut String) -> Option<usize> {
    let text = ascii(value)?;
    let start = out.len();
    out.push_str(text);
    let mut rest = out.get_mut(start..)?;
    let mut starts = true;
    while let Some((letter, after)) = rest.split_at_mut_checked(1) {
        let is_start =
            letter.as_bytes().first().is_some_and(|byte| char::from(*byte).is_whitespace() || b"-({[<".contains(byte));
        if starts {
            letter.make_ascii_uppercase()
        } else {
            letter.make_ascii_lowercase()
        }
        (starts, rest) = (is_start, after);
    }
    Some(1 + text.len() / 16)
}

fn trim(value: &Value, _: Option<&Value>, out: &mut String) -> Option<usize> {
    // Python's whitespace within ASCII.
    let is_blank = |letter: char| matches!(letter, ' ' | '\t'..='\r' | '\u{1c}'..='\u{1f}');
    out.push_str(ascii(value)?.trim_matches(is_blank));
    Some(1)
}

fn join(value: &Value, separator: Option<&Value>, out: &mut String) -> Option<usize> {
    let separator = separator.map_or(Some(""), string)?;
    let list = value.downcast_object_ref::<List>()?;
    let start = out.len();
    let items = list.read();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(separator);
        }
        match (small(item), string(item)) {
            (Some(number), _) => write_digits(out, number),
            (None, Some(text)) if out.len() - start < LONGEST / 2 && text.len() < LONGEST / 4 => out.push_str(text),
            _ => {
                out.truncate(start);
                return None;
            }
        }
    }
    Some(1 + items.len())
}

fn join_source(list: SourceView<'_>, separator: Option<&Value>, out: &mut String) -> Option<usize> {
    let separator = separator.map_or(Some(""), string)?;
    if !list.is_list() {
        return None;
    }
    let start = out.len();
    for at in 0..list.count() {
        if at > 0 {
            out.push_str(separator);
        }
        let item = list.at(at)?;
        let fits = |text: &str| out.len() - start < LONGEST / 2 && text.len() < LONGEST / 4;
        if let Some(text) = item.printed().filter(|text| fits(text)) {
            out.push_str(text);
            continue;
        }
        match (item.as_str(), item.small()) {
            (Some(text), _) if fits(&text) => out.push_str(&text),
            (None, Some(number)) => write_digits(out, number),
            _ => {
                out.truncate(start);
                return None;
            }
        }
    }
    Some(1 + list.count())
}

fn truncate(value: &Value, length: Option<&Value>, out: &mut String) -> Option<usize> {
    let (text, length) = (ascii(value)?, usize::try_from(small(length?)?).ok()?);
    let kept = length.checked_sub(3)?;
    if text.len() <= length.saturating_add(5) {
        out.push_str(text);
        return Some(1);
    }
    let kept = text.get(..kept)?;
    out.push_str(kept.rsplit_once(' ').map_or(kept, |(whole, _)| whole));
    out.push_str("...");
    Some(1)
}

/// A template with one conversion without flags and width.
fn format(template: &Value, value: Option<&Value>, out: &mut String) -> Option<usize> {
    let (value, (before, tail)) = (value?, ascii(template)?.split_once('%')?);
    let letter = tail.find(|letter: char| letter != '.' && !letter.is_ascii_digit())?;
    let (precision, rest) = tail.split_at(letter);
    let (conversion, after) = rest.split_at_checked(1)?;
    if after.contains('%') {
        return None;
    }
    let start = out.len();
    out.push_str(before);
    let is_written = match (conversion, precision) {
        ("s", "") => match (small(value), string(value)) {
            (Some(number), _) => {
                write_digits(out, number);
                Some(())
            }
            (None, Some(text)) if text.len() < 4096 => {
                out.push_str(text);
                Some(())
            }
            _ => None,
        },
        ("d", "") => small(value).map(|number| write_digits(out, number)),
        ("f", _) => real(value)
            .zip(precision.strip_prefix('.').and_then(|digits| digits.parse::<usize>().ok()))
            .and_then(|(number, digits)| (digits <= 20).then(|| write!(out, "{number:.digits$}").ok()).flatten()),
        _ => None,
    };
    if is_written.is_none() {
        out.truncate(start);
        return None;
    }
    out.push_str(after);
    Some(2)
}

/// Returns a float other than NaN, or a small integer as a float.
fn real(value: &Value) -> Option<f64> {
    if value.kind() != ValueKind::Number || value.is_integer() {
        // Integers of up to 53 bits are exact.
        return small(value).filter(|number| number.unsigned_abs() < 1 << 53).map(|number| number as f64);
    }
    f64::try_from(value.clone()).ok().filter(|number| number.is_finite())
}

fn default(value: &Value, _: Option<&Value>, out: &mut String) -> Option<usize> {
    if let Some(number) = small(value) {
        write_digits(out, number);
        return Some(1);
    }
    out.push_str(string(value).filter(|text| text.len() < 4096)?);
    Some(1)
}

fn round(value: &Value, precision: Option<&Value>, out: &mut String) -> Option<usize> {
    let precision = precision.map_or(Some(0), small)?;
    if value.is_integer() {
        write_digits(out, small(value).filter(|_| precision >= 0)?);
        return Some(1);
    }
    let number = real(value)?;
    write_float(out, short(number, precision)?);
    Some(1)
}

fn length_of_source(source: SourceView<'_>, _: Option<&Value>, out: &mut String) -> Option<usize> {
    if !source.is_list() && !source.is_hash() {
        return length(&source.value(), None, out);
    }
    write_digits(out, i64::try_from(source.count()).ok()?);
    Some(1)
}

fn length(value: &Value, _: Option<&Value>, out: &mut String) -> Option<usize> {
    let length = match (value.downcast_object_ref::<List>(), value.downcast_object_ref::<Dict>()) {
        (Some(list), _) => list.count(),
        (None, Some(dict)) => dict.count(),
        (None, None) if value.downcast_object_ref::<Missing>().is_some() => return None,
        (None, None) => ascii(value)?.len(),
    };
    write_digits(out, i64::try_from(length).ok()?);
    Some(1)
}
