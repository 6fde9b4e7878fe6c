//! Writes and parses JSON as Python's `json` does: <https://docs.python.org/3/library/json.html>.

use hieratic_json::write::{self, Escapes, JsonWriter};
use minijinja::Value;

use crate::convert::from_value;
use crate::error::{Result, error};
use crate::json_tree::{JsonView, Rejected, parse_json};
use crate::objects::{Dict, Entries, List};
use crate::python::compare::sort;
use crate::python::kind::{entries, iterate, type_name};
use crate::python::text::LONGEST;
use crate::python::{Kind, kind};
use crate::work;
use hieratic_python_values::float;

/// The layout of JSON.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The indentation of a level in spaces. `None` means a single line.
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
    let between = write::Layout {
        escapes: if layout.ascii { Escapes::Ascii } else { Escapes::Required },
        item: layout.item.as_str().into(),
        key: layout.key.as_str().into(),
        ..write::Layout::COMPACT
    };
    let between = match layout.indent {
        Some(spaces) => between.with_lines(" ".repeat(spaces)),
        None => between,
    };
    let mut writer = JsonWriter::new(String::new(), &between);
    write_to(&mut writer, value, layout)?;
    Ok(writer.into_output())
}

fn write_to(out: &mut JsonWriter<'_, String>, value: &Value, layout: &Layout) -> Result<()> {
    if out.depth() > MAX_DEPTH {
        return Err(error("Circular reference detected: the value nests too deeply"));
    }
    if out.output().len() > LONGEST {
        return Err(error("the string is too long"));
    }
    work::steps(1)?;
    match kind(value)? {
        Kind::Missing(missing) => {
            missing.usable()?;
            out.string(&missing.placeholder());
        }
        Kind::Str(text) => {
            work::bytes(text.len())?;
            out.string(text);
        }
        Kind::List | Kind::Tuple(_) => {
            let items = iterate(value)?;
            out.begin_array();
            charge_layout(out, layout, items.len())?;
            for item in &items {
                write_to(out, item, layout)?;
            }
            out.end();
        }
        Kind::Dict => {
            let mut pairs = entries(value)?;
            if layout.sort {
                let keyed = pairs.into_iter().map(|(key, item)| (key.clone(), List::value(vec![key, item]))).collect();
                let sorted = sort(keyed, false)?.into_iter().map(|(key, pair)| Ok((key, iterate(&pair)?.pop())));
                let sorted = sorted.collect::<Result<Vec<_>>>()?;
                pairs = sorted.into_iter().map(|(key, item)| (key, item.unwrap_or_default())).collect();
            }
            out.begin_object();
            charge_layout(out, layout, pairs.len())?;
            for (key, item) in &pairs {
                out.key(&key_text(key)?);
                write_to(out, item, layout)?;
            }
            out.end();
        }
        Kind::Datetime(time) => out.string(&time.to_text('T')),
        Kind::Bytes(bytes) => out.string(&String::from_utf8_lossy(bytes)),
        Kind::Other | Kind::Daytime(_) | Kind::Zone(_) | Kind::Timedelta(_) => {
            return Err(error(format!("Object of type {} is not JSON serializable", type_name(value))));
        }
        _ => out.word(&key_text(value)?),
    }
    Ok(())
}

/// Charges the separators between the items of the collection that began last.
fn charge_layout(out: &JsonWriter<'_, String>, layout: &Layout, items: usize) -> Result<()> {
    let between = layout.item.len() + layout.key.len() + layout.indent.unwrap_or(0) * out.depth();
    work::bytes(items.saturating_mul(between))
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

/// Parses JSON.
pub fn parse(text: &str) -> Result<Value> {
    work::steps(text.len() / 16)?;
    work::bytes(text.len())?;
    match text.trim() {
        "NaN" => Ok(Value::from(f64::NAN)),
        "Infinity" => Ok(Value::from(f64::INFINITY)),
        "-Infinity" => Ok(Value::from(f64::NEG_INFINITY)),
        trimmed => match parse_json(trimmed.to_owned()) {
            Ok(json) => Ok(own(json.view())),
            Err(Rejected { text, at }) => {
                let before = text.get(..at).unwrap_or_default();
                let (line, column) = match before.rsplit_once('\n') {
                    Some((lines, last)) => (lines.split('\n').count() + 1, last.chars().count() + 1),
                    None => (1, before.chars().count() + 1),
                };
                Err(error(format!("the string is not valid JSON at line {line} column {column}")))
            }
        },
    }
}

/// Converts a value of a document to one that belongs to the template.
fn own(json: JsonView<'_>) -> Value {
    if json.is_list() {
        return List::value(json.values().map(own).collect());
    }
    if json.is_object() {
        let keys = json.keys().map(|key| Value::from(&*key));
        return Dict::value(keys.zip(json.values().map(own)).collect::<Entries>());
    }
    json.scalar().map_or_else(Value::default, |scalar| from_value(&scalar))
}
