//! Values as JSON and YAML, and back.

use minijinja::Value;

use super::arguments::{as_flag, as_index, as_text, given, strict_text};
use crate::call::Args;
use crate::error::{Result, error};
use crate::host::Table;
use crate::json::{self, Layout};
use crate::objects::{List, Markup};
use crate::yaml;

pub const TABLE: Table = &[
    ("from_json", |_, args| {
        let [text] = args.bind(["s"], 1)?;
        json::parse(&strict_text(&given(text), "from_json")?)
    }),
    ("from_yaml", |_, args| {
        let [text] = args.bind(["data"], 1)?;
        let text = given(text);
        match text.as_str() {
            Some(text) => {
                let mut documents = yaml::parse(text)?;
                match documents.len() {
                    0 => Ok(Value::from(())),
                    1 => Ok(documents.remove(0)),
                    _ => Err(error("expected a single document in the stream, but found another document")),
                }
            }
            None => Ok(text),
        }
    }),
    ("from_yaml_all", |_, args| {
        let [text] = args.bind(["data"], 1)?;
        let text = given(text);
        match text.as_str() {
            Some(text) => yaml::parse(text).map(List::value),
            None => Ok(text),
        }
    }),
    ("to_json", |_, args| {
        let layout = Layout { item: ", ".into(), key: ": ".into(), ..Layout::default() };
        to_json(args, layout).map(Value::from_safe_string)
    }),
    ("to_nice_json", |_, args| {
        let layout = Layout { indent: Some(4), sort: true, item: ",".into(), key: ": ".into(), ..Layout::default() };
        to_json(args, layout).map(Value::from_safe_string)
    }),
    ("to_yaml", |_, args| to_yaml(args, yaml::Layout::default())),
    ("to_nice_yaml", |_, args| to_yaml(args, yaml::Layout { indent: 4, flow: Some(false), ..yaml::Layout::default() })),
    ("tojson", |_, args| {
        let layout = Layout { sort: true, item: ", ".into(), key: ": ".into(), ..Layout::default() };
        let text = to_json(args, layout)?;
        let escapes = [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026"), ('\'', "\\u0027")];
        Ok(Markup::value(escapes.iter().fold(text, |text, (letter, escape)| text.replace(*letter, escape))))
    }),
];

fn to_json(mut args: Args, mut layout: Layout) -> Result<String> {
    if let Some(indent) = args.take("indent") {
        layout.indent = if indent.is_none() { None } else { usize::try_from(as_index(Some(indent), 0)?).ok() };
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
    // What these change is how secrets of Ansible Vault are written, which are not there.
    for name in ["vault_to_text", "preprocess_unsafe"] {
        args.take(name);
    }
    let [value, indent] = args.bind(["a", "indent"], 1)?;
    if let Some(indent) = indent.filter(|indent| !indent.is_none()) {
        layout.indent = usize::try_from(as_index(Some(indent), 4)?).ok();
        layout.item = ",".into();
    }
    layout.indent = layout.indent.map(|indent| indent.min(64));
    json::write(&given(value), &layout)
}

fn to_yaml(mut args: Args, mut layout: yaml::Layout) -> Result<Value> {
    let number =
        |value: Value| as_index(Some(value), 0).map(|number| usize::try_from(number).unwrap_or(0).min(1 << 20));
    if let Some(indent) = args.take("indent").filter(|indent| !indent.is_none()) {
        layout.indent = number(indent)?;
    }
    if let Some(width) = args.take("width").filter(|width| !width.is_none()) {
        layout.width = match crate::python::number::number(&width)? {
            Some(width) if width.to_f64().is_infinite() => usize::MAX,
            _ => number(width)?,
        };
    }
    if let Some(flow) = args.take("default_flow_style") {
        layout.flow = if flow.is_none() { None } else { Some(as_flag(Some(flow), false)?) };
    }
    if let Some(sort) = args.take("sort_keys") {
        layout.sort = as_flag(Some(sort), true)?;
    }
    layout.unicode = as_flag(args.take("allow_unicode"), true)?;
    layout.explicit_start = as_flag(args.take("explicit_start"), false)?;
    layout.explicit_end = as_flag(args.take("explicit_end"), false)?;
    if let Some(style) = args.take("default_style").filter(|style| !style.is_none()) {
        match as_text(&Some(style))?.as_str() {
            "" => {}
            "\"" => layout.quote = Some('"'),
            "'" => layout.quote = Some('\''),
            "|" => layout.quote = Some('|'),
            ">" => layout.quote = Some('>'),
            // The reference takes any other text for none.
            _ => layout.quote = Some('\0'),
        }
    }
    let [value, indent] = args.bind(["a", "indent"], 1)?;
    if let Some(indent) = indent.filter(|indent| !indent.is_none()) {
        layout.indent = number(indent)?;
    }
    yaml::write(&given(value), &layout).map(Value::from_safe_string)
}
