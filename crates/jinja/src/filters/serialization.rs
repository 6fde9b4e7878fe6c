//! Filters that convert values to JSON.

use minijinja::Value;

use super::arguments::{as_flag, as_index, as_text, given};
use crate::call::Args;
use crate::error::{Result, error};
use crate::host::{Table, define};
use crate::json::{self, Layout};
use crate::objects::Markup;

pub const TABLE: Table =
    &[define("tojson", "indent=None", "Writes the value as JSON that is safe within HTML.", |_, args| {
        let layout = Layout { sort: true, item: ", ".into(), key: ": ".into(), ..Layout::default() };
        let text = json_text(args, layout)?;
        let escapes = [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026"), ('\'', "\\u0027")];
        Ok(Markup::value(escapes.iter().fold(text, |text, (letter, escape)| text.replace(*letter, escape))))
    })];

/// Formats a value as JSON, with the arguments of Python's `json.dumps`.
pub fn json_text(mut args: Args, mut layout: Layout) -> Result<String> {
    if let Some(indent) = args.take("indent") {
        layout.indent = indentation(indent)?;
        if layout.indent.is_some() {
            layout.item = ",".into();
        }
    }
    if let Some(sort) = args.take("sort_keys") {
        layout.sort = as_flag(Some(sort), false)?;
    }
    if let Some(ascii) = args.take("ensure_ascii") {
        layout.ascii = as_flag(Some(ascii), true)?;
    }
    if let Some(separators) = args.take("separators").filter(|separators| !separators.is_none()) {
        let parts = crate::python::iterate(&separators)?;
        let [item, key] = parts.as_slice() else {
            return Err(error("separators must be two strings"));
        };
        layout.item = as_text(&Some(item.clone()))?;
        layout.key = as_text(&Some(key.clone()))?;
    }
    // These options only affect secrets of Ansible Vault, which do not occur here.
    for name in ["vault_to_text", "preprocess_unsafe"] {
        args.take(name);
    }
    let [value, indent] = args.bind(["a", "indent"], 1)?;
    if let Some(indent) = indent {
        layout.indent = indentation(indent)?;
        if layout.indent.is_some() {
            layout.item = ",".into();
        }
    }
    layout.indent = layout.indent.map(|indent| indent.min(64));
    json::write(&given(value), &layout)
}

/// The number of spaces of a level: none of a negative one, and a single line without a number.
fn indentation(indent: Value) -> Result<Option<usize>> {
    if indent.is_none() {
        return Ok(None);
    }
    Ok(Some(usize::try_from(as_index(Some(indent), 0)?).unwrap_or(0)))
}
