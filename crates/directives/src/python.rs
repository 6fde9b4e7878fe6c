//! Values as Python shows them, for the messages that users search for.

use hieratic_document::tree::{Content, Node};
use hieratic_value::{Rich, Value};

/// Python's `repr`.
pub(crate) fn repr(value: &Value) -> String {
    match value {
        Value::Undef => "None".to_owned(),
        Value::Boolean(true) => "True".to_owned(),
        Value::Boolean(false) => "False".to_owned(),
        Value::String(text) => quoted(text),
        Value::Array(elements) => format!("[{}]", join(elements.iter().map(repr))),
        Value::Hash(hash) => {
            format!("{{{}}}", join(hash.iter().map(|(key, value)| format!("{}: {}", repr(key), repr(value)))))
        }
        other => other.to_text(),
    }
}

/// A tuple.
pub(crate) fn tuple(elements: &[Value]) -> String {
    match elements {
        [only] => format!("({},)", repr(only)),
        more => format!("({})", join(more.iter().map(repr))),
    }
}

/// A list.
pub(crate) fn list<'v>(elements: impl Iterator<Item = &'v Value>) -> String {
    format!("[{}]", join(elements.map(repr)))
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// Text in quotes: double ones if it has single ones and no double ones.
pub(crate) fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// The name of the type of a value.
pub(crate) fn type_name(node: &Node) -> &'static str {
    match node.content() {
        Content::List(_) => "ruamel.yaml.comments.CommentedSeq",
        Content::Map(_) => "ruamel.yaml.comments.CommentedMap",
        Content::Scalar(Value::Undef) => "NoneType",
        Content::Scalar(Value::Boolean(_)) => "bool",
        Content::Scalar(Value::Float(_)) => "float",
        Content::Scalar(Value::Integer(_)) => "int",
        Content::Scalar(Value::Rich(rich)) => match **rich {
            Rich::BigInteger(_) => "int",
            Rich::Binary(_) => "bytes",
            _ => "str",
        },
        Content::Scalar(_) => "str",
    }
}
