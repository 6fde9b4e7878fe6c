//! Filters for HTML and XML.

use minijinja::Value;

use super::{Table, as_flag, as_text, given};
use crate::call::Args;
use crate::eval::Context;
use crate::python::kind::entries;
use crate::python::{Kind, Result, error, kind};

pub const TABLE: Table = &[
    ("e", escape),
    ("escape", escape),
    ("forceescape", escape),
    ("safe", |_, args| {
        let [value] = args.bind(["value"], 1)?;
        as_text(&value).map(Value::from)
    }),
    ("striptags", striptags),
    ("urlize", |_, _| Err(error("the filter urlize is not there: write the link into the template"))),
    ("xmlattr", xmlattr),
];

fn escape(_: &Context<'_>, args: Args) -> Result<Value> {
    let [value] = args.bind(["s"], 1)?;
    Ok(Value::from(escaped(&as_text(&value)?)))
}

/// A text with its special characters as entities.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\'' => out.push_str("&#39;"),
            '"' => out.push_str("&#34;"),
            other => out.push(other),
        }
    }
    out
}

/// The text without comments and tags, with single spaces, and with entities read.
fn striptags(_: &Context<'_>, args: Args) -> Result<Value> {
    let [value] = args.bind(["value"], 1)?;
    let mut text = as_text(&value)?;
    for (open, close) in [("<!--", "-->"), ("<", ">")] {
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some((before, behind)) = rest.split_once(open) {
            out.push_str(before);
            match behind.split_once(close) {
                Some((_, behind)) => rest = behind,
                None => {
                    out.push_str(open);
                    rest = behind;
                    break;
                }
            }
        }
        out.push_str(rest);
        text = out;
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&#39;", "'"),
        ("&#34;", "\""),
        ("&quot;", "\""),
        ("&nbsp;", "\u{a0}"),
        ("&amp;", "&"),
    ];
    Ok(Value::from(entities.iter().fold(text, |text, (entity, letter)| text.replace(entity, letter))))
}

fn xmlattr(_: &Context<'_>, args: Args) -> Result<Value> {
    let [value, space] = args.bind(["d", "autospace"], 1)?;
    let value = given(value);
    if !matches!(kind(&value)?, Kind::Dict) {
        return Err(crate::python::methods::no_method(&value, "items"));
    }
    let mut out = Vec::new();
    for (key, item) in entries(&value)? {
        if item.is_none() || matches!(kind(&item)?, Kind::Missing(_)) {
            continue;
        }
        let key = super::strict_text(&key, "xmlattr")?;
        if key.contains(|letter: char| letter.is_whitespace() || "/>=".contains(letter)) {
            return Err(error(format!("Invalid character in attribute name: '{key}'")));
        }
        out.push(format!("{}=\"{}\"", escaped(&key), escaped(&as_text(&Some(item))?)));
    }
    let text = out.join(" ");
    let space = as_flag(space, true)? && !text.is_empty();
    Ok(Value::from(if space { format!(" {text}") } else { text }))
}
