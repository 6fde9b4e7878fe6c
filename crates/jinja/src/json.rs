//! JSON as Python's `json` writes and reads it: <https://docs.python.org/3/library/json.html>.

use minijinja::Value;

use crate::error::{Result, error};
use crate::objects::{Big, Dict, Entries, List};
use crate::python::compare::sort;
use crate::python::kind::{entries, iterate, type_name};
use crate::python::text::LONGEST;
use crate::python::{Kind, kind};
use crate::work;
use hieratic_python_values::float;

/// The layout of JSON.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The indentation of a level in spaces; `None` for a single line.
    pub indent: Option<usize>,
    /// Whether keys are sorted.
    pub sort: bool,
    /// Whether characters outside ASCII are escaped.
    pub ascii: bool,
    /// The separator of items.
    pub item: String,
    /// The separator of a key and its value.
    pub key: String,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout { indent: None, sort: false, ascii: true, item: ", ".into(), key: ": ".into() }
    }
}

/// The maximum nesting depth of values.
const MAX_DEPTH: usize = 200;

/// Writes a value.
pub fn write(value: &Value, layout: &Layout) -> Result<String> {
    let mut out = String::new();
    write_to(&mut out, value, layout, 0)?;
    Ok(out)
}

fn write_to(out: &mut String, value: &Value, layout: &Layout, depth: usize) -> Result<()> {
    if depth > MAX_DEPTH {
        return Err(error("Circular reference detected: the value nests too deeply"));
    }
    if out.len() > LONGEST {
        return Err(error("the string is too long"));
    }
    work::steps(1)?;
    match kind(value)? {
        Kind::Missing(missing) => {
            missing.usable()?;
            quote(out, &missing.placeholder(), layout.ascii);
        }
        Kind::Str(text) => {
            work::bytes(text.len())?;
            quote(out, text, layout.ascii);
        }
        Kind::List | Kind::Tuple(_) => {
            let items = iterate(value)?;
            around(out, layout, depth, ['[', ']'], &items, |out, item| write_to(out, item, layout, depth + 1))?;
        }
        Kind::Dict => {
            let mut pairs = entries(value)?;
            if layout.sort {
                let keyed = pairs.into_iter().map(|(key, item)| (key.clone(), List::value(vec![key, item]))).collect();
                let sorted = sort(keyed, false)?.into_iter().map(|(key, pair)| Ok((key, iterate(&pair)?.pop())));
                let sorted = sorted.collect::<Result<Vec<_>>>()?;
                pairs = sorted.into_iter().map(|(key, item)| (key, item.unwrap_or_default())).collect();
            }
            around(out, layout, depth, ['{', '}'], &pairs, |out, (key, item)| {
                quote(out, &key_text(key)?, layout.ascii);
                out.push_str(&layout.key);
                write_to(out, item, layout, depth + 1)
            })?;
        }
        Kind::Datetime(time) => quote(out, &time.to_text('T'), layout.ascii),
        Kind::Bytes(bytes) => quote(out, &String::from_utf8_lossy(bytes), layout.ascii),
        Kind::Other | Kind::Daytime(_) | Kind::Zone(_) | Kind::Timedelta(_) => {
            return Err(error(format!("Object of type {} is not JSON serializable", type_name(value))));
        }
        _ => out.push_str(&key_text(value)?),
    }
    Ok(())
}

/// A scalar without quotes.
fn key_text(key: &Value) -> Result<String> {
    Ok(match kind(key)? {
        Kind::Str(text) => text.into(),
        Kind::None => "null".into(),
        Kind::Bool(truth) => if truth { "true" } else { "false" }.into(),
        Kind::Int(number) => number.to_string(),
        Kind::Float(number) if number.is_nan() => "NaN".into(),
        Kind::Float(number) if number.is_infinite() => if number > 0.0 { "Infinity" } else { "-Infinity" }.into(),
        Kind::Float(number) => float(number),
        _ => {
            let name = type_name(key);
            return Err(error(format!("keys must be str, int, float, bool or None, not {name}")));
        }
    })
}

fn around<T>(
    out: &mut String,
    layout: &Layout,
    depth: usize,
    brackets: [char; 2],
    items: &[T],
    mut write: impl FnMut(&mut String, &T) -> Result<()>,
) -> Result<()> {
    out.push(brackets[0]);
    let newline = |out: &mut String, depth: usize| {
        if let Some(indent) = layout.indent {
            out.push('\n');
            out.push_str(&" ".repeat(indent * depth));
        }
    };
    let between = layout.item.len() + layout.key.len() + layout.indent.unwrap_or(0) * (depth + 1);
    work::bytes(items.len().saturating_mul(between))?;
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(&layout.item);
        }
        newline(out, depth + 1);
        write(out, item)?;
    }
    if !items.is_empty() {
        newline(out, depth);
    }
    out.push(brackets[1]);
    Ok(())
}

fn quote(out: &mut String, text: &str, ascii: bool) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(letter),
            '\u{7f}' => out.push(letter),
            _ if u32::from(letter) >= 0x20 && !ascii => out.push(letter),
            _ => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
}

/// Parses JSON.
pub fn parse(text: &str) -> Result<Value> {
    work::steps(text.len() / 16)?;
    work::bytes(text.len())?;
    let parsed: serde_json::Value = match text.trim() {
        "NaN" => return Ok(Value::from(f64::NAN)),
        "Infinity" => return Ok(Value::from(f64::INFINITY)),
        "-Infinity" => return Ok(Value::from(f64::NEG_INFINITY)),
        trimmed => {
            serde_json::from_str(trimmed).map_err(|fault| error(format!("the string is not valid JSON: {fault}")))?
        }
    };
    Ok(from_json(&parsed))
}

fn from_json(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::from(()),
        serde_json::Value::Bool(truth) => Value::from(*truth),
        serde_json::Value::Number(number) => {
            let text = number.to_string();
            match text.parse() {
                Ok(whole) => Big::value(&whole),
                Err(_) => Value::from(text.parse().unwrap_or(f64::INFINITY)),
            }
        }
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Array(items) => List::value(items.iter().map(from_json).collect()),
        serde_json::Value::Object(map) => {
            Dict::value(map.iter().map(|(key, item)| (Value::from(key.as_str()), from_json(item))).collect::<Entries>())
        }
    }
}
