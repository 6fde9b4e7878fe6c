//! Arrays and hashes as strings, on one line or indented.

use hieratic_value::{Hash, Value};

use super::convert;
use super::format::Format;
use super::formats::{DEFAULT_ELEMENTS, FormatEntry, FormatMap};
use crate::Error;
use crate::infer::infer_set;
use crate::object::ObjectValue;
use crate::types::Type;

/// The indentation of the next line, and whether lines are indented at all.
#[derive(Clone, Copy)]
pub(super) struct Indentation {
    level: usize,
    first: bool,
    indenting: bool,
}

impl Indentation {
    pub const TOP: Indentation = Indentation { level: 0, first: true, indenting: false };

    /// Returns the level of indentation, or `None` if everything is on one line.
    pub fn level(self) -> Option<usize> {
        self.indenting.then_some(self.level)
    }

    fn increase(self, indenting: bool) -> Indentation {
        Indentation { level: self.level + 1, first: true, indenting }
    }

    fn breaks(self) -> bool {
        self.indenting && self.level > 0 && !self.first
    }

    fn padding(self) -> String {
        "  ".repeat(self.level)
    }
}

/// Returns whether a value counts as a container. The reference counts objects, but not those of parameterized types.
fn is_container(value: &Value) -> bool {
    let plain = |object: &ObjectValue| object.kind().type_parameters().is_empty();
    matches!(value, Value::Array(_) | Value::Hash(_)) || value.extended::<ObjectValue>().is_some_and(plain)
}

/// Writes an element: containers use the same table, other values that of elements.
fn element(value: &Value, entry: &FormatEntry, map: &FormatMap, indentation: Indentation) -> Result<String, Error> {
    let kind = infer_set(value);
    let elements = entry.elements.as_ref().unwrap_or(&DEFAULT_ELEMENTS);
    convert(&kind, value, if is_container(value) { map } else { elements }, indentation)
}

fn entry_of(kind: &Type, map: &FormatMap) -> FormatEntry {
    map.find(kind).cloned().unwrap_or_else(|| FormatEntry {
        format: Format { letter: 's', flags: String::new(), width: None, precision: None },
        separator: None,
        separator2: None,
        elements: None,
    })
}

pub(super) fn array(kind: &Type, values: &[Value], map: &FormatMap, indentation: Indentation) -> Result<String, Error> {
    let entry = entry_of(kind, map);
    let format = &entry.format;
    if !matches!(format.letter, 'a' | 's' | 'p') {
        return Err(Error::illegal_letter("Array", format.letter, "asp"));
    }
    let separator = entry.separator.as_deref().unwrap_or(", ");
    let (open, close) = format.delimiters().unwrap_or(("[", "]"));
    let alternative = format.is_alternative();
    let indentation = Indentation { indenting: alternative || indentation.indenting, ..indentation };
    let mut out = String::new();
    if indentation.breaks() {
        out.push('\n');
        out.push_str(&indentation.padding());
    }
    out.push_str(open);
    let inner = Indentation { first: false, ..indentation.increase(alternative) };
    let texts = values.iter().map(|value| element(value, &entry, map, inner)).collect::<Result<Vec<_>, _>>()?;
    let wraps = alternative && format.width.is_some_and(|width| widest(values, &texts) > width);
    for (index, (value, text)) in values.iter().zip(&texts).enumerate() {
        let single = !is_container(value);
        if index == 0 {
            if wraps && single {
                out.push(' ');
            }
        } else {
            out.push_str(separator);
            let after_container = alternative && is_container(&values[index - 1]) && single;
            if wraps && single || after_container {
                if !out.ends_with('\n') {
                    trim_end(&mut out);
                }
                out.push('\n');
                out.push_str(&inner.padding());
            }
        }
        if out.ends_with(' ') && text.starts_with('\n') {
            trim_end(&mut out);
        }
        out.push_str(text);
    }
    out.push_str(close);
    Ok(out)
}

/// Returns the length of the longest run of elements that are not containers.
fn widest(values: &[Value], texts: &[String]) -> usize {
    let (mut widest, mut run) = (0, 0);
    for (value, text) in values.iter().zip(texts) {
        run = if is_container(value) { 0 } else { run + text.chars().count() };
        widest = widest.max(run);
    }
    widest
}

/// Removes Ruby whitespace at the end.
fn trim_end(text: &mut String) {
    let kept = text.trim_end_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '\0' | '\u{b}')).len();
    text.truncate(kept);
}

pub(super) fn hash(kind: &Type, hash: &Hash, map: &FormatMap, indentation: Indentation) -> Result<String, Error> {
    let entry = entry_of(kind, map);
    let format = &entry.format;
    match format.letter {
        'a' => {
            let pairs = hash.iter().map(|(key, value)| Value::from(vec![key.clone(), value.clone()]));
            let pairs: Vec<Value> = pairs.collect();
            let kind = infer_set(&Value::from(pairs.clone()));
            return array(&kind, &pairs, map, indentation);
        }
        'h' | 's' | 'p' => {}
        letter => return Err(Error::illegal_letter("Hash", letter, "hasp")),
    }
    let alternative = format.is_alternative();
    let mut separator = entry.separator.clone().unwrap_or_else(|| ", ".into());
    if alternative {
        if !separator.ends_with('\n') {
            trim_end(&mut separator);
        }
        separator.push('\n');
    }
    let arrow = entry.separator2.as_deref().unwrap_or(" => ");
    let (open, close) = format.delimiters().unwrap_or(("{", "}"));
    let indentation = Indentation { indenting: alternative || indentation.indenting, ..indentation };
    let mut out = String::new();
    if indentation.breaks() {
        out.push('\n');
        out.push_str(&indentation.padding());
    }
    let inner = indentation.increase(false);
    let (line, padding) = if alternative { ("\n", inner.padding()) } else { ("", String::new()) };
    out.push_str(open);
    out.push_str(line);
    for (index, (key, value)) in hash.iter().enumerate() {
        if index > 0 {
            out.push_str(&separator);
        }
        out.push_str(&padding);
        out.push_str(&element(key, &entry, map, inner)?);
        out.push_str(arrow);
        out.push_str(&element(value, &entry, map, inner)?);
    }
    out.push_str(line);
    if alternative {
        out.push_str(&indentation.padding());
    }
    out.push_str(close);
    Ok(out)
}
