//! Writes dictionaries as XML.

use hieratic_jinja::extend::objects::Entries;
use hieratic_jinja::extend::python::kind::entries;
use hieratic_jinja::extend::python::{Kind, iterate, kind, str};
use hieratic_jinja::extend::{Result, Value, undefined, work};

use super::failed;

struct Writer<'i> {
    out: String,
    indent: &'i str,
    full: bool,
}

/// Writes a document, or with `full` unset its elements alone.
pub fn write(data: &Value, indent: &str, full: bool) -> Result<String> {
    let mut writer = Writer { out: String::new(), indent, full };
    if full {
        writer.out.push_str("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    }
    let mut has_root = false;
    for (key, value) in entries(data)? {
        let is_comment = key.as_str() == Some("#comment");
        if !is_comment && full && has_root {
            return Err(invalid("a document has exactly one root"));
        }
        writer.elements(&key, &value, 0)?;
        has_root |= !is_comment;
    }
    if full && !has_root {
        return Err(invalid("a document has exactly one root"));
    }
    Ok(writer.out)
}

fn invalid(reason: &str) -> hieratic_jinja::extend::Error {
    failed("to_xml", &format!("Input json is not valid: {reason}"))
}

impl Writer<'_> {
    fn start_line(&mut self, depth: usize) -> Result<()> {
        work::bytes(depth * self.indent.len())?;
        self.out.push_str(&self.indent.repeat(depth));
        Ok(())
    }

    /// Writes an element, or one for each item of a list.
    fn elements(&mut self, key: &Value, value: &Value, depth: usize) -> Result<()> {
        work::deeper(|| {
            if key.as_str() == Some("#comment") {
                return self.comments(value, depth);
            }
            let name = checked_name(key)?;
            let items = match kind(value)? {
                Kind::List | Kind::Tuple(_) | Kind::Set(_) => iterate(value)?,
                Kind::Missing(missing) => return Err(undefined(missing.message())),
                _ => vec![value.clone()],
            };
            if self.full && depth == 0 && items.len() > 1 {
                return Err(invalid("document with multiple roots"));
            }
            items.iter().try_for_each(|item| self.element(name, item, depth))
        })
    }

    fn element(&mut self, name: &str, value: &Value, depth: usize) -> Result<()> {
        work::steps(1)?;
        let parts = match kind(value)? {
            Kind::None => Vec::new(),
            Kind::Dict => entries(value)?,
            _ => vec![(Value::from("#text"), value.clone())],
        };
        let (mut text, mut children) = (None, Vec::new());
        let mut attributes = Entries::new();
        for (key, part) in parts {
            match key.as_str() {
                Some("#text") => text = if part.is_none() { None } else { Some(written(&part)?) },
                Some("@xmlns") if matches!(kind(&part)?, Kind::Dict) => {
                    for (prefix, address) in entries(&part)? {
                        let prefix = checked_attribute(prefix.as_str())?.to_owned();
                        let name = if prefix.is_empty() { "xmlns".to_owned() } else { format!("xmlns:{prefix}") };
                        attributes.insert(Value::from(name), address);
                    }
                }
                Some(key) if key.starts_with('@') => {
                    let name = checked_attribute(key.get(1..))?;
                    attributes.insert(Value::from(name), part);
                }
                _ if matches!(kind(&part)?, Kind::List) && iterate(&part)?.is_empty() => {}
                _ => children.push((key, part)),
            }
        }
        self.start_line(depth)?;
        self.out.push('<');
        self.out.push_str(name);
        for (name, attribute) in attributes {
            let attribute = if attribute.is_none() { String::new() } else { written(&attribute)? };
            let attribute = quoted(&attribute);
            work::bytes(attribute.len())?;
            self.out.push(' ');
            self.out.push_str(&str(&name)?);
            self.out.push('=');
            self.out.push_str(&attribute);
        }
        self.out.push('>');
        if !children.is_empty() {
            self.out.push('\n');
        }
        for (key, child) in &children {
            self.elements(key, child, depth + 1)?;
        }
        if let Some(text) = text {
            let text = escaped(&text);
            work::bytes(text.len())?;
            self.out.push_str(&text);
        }
        if !children.is_empty() {
            self.start_line(depth)?;
        }
        work::bytes(2 * name.len())?;
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
        if depth > 0 {
            self.out.push('\n');
        }
        Ok(())
    }

    fn comments(&mut self, value: &Value, depth: usize) -> Result<()> {
        let comments = match kind(value)? {
            Kind::List => iterate(value)?,
            _ => vec![value.clone()],
        };
        for comment in comments.iter().filter(|comment| !comment.is_none()) {
            let comment = written(comment)?;
            if comment.is_empty() {
                continue;
            }
            if comment.contains("--") || comment.ends_with('-') {
                return Err(invalid("a comment cannot contain '--' or end with '-'"));
            }
            let comment = escaped(&comment);
            self.start_line(depth)?;
            work::bytes(comment.len())?;
            self.out.push_str("<!--");
            self.out.push_str(&comment);
            self.out.push_str("-->\n");
        }
        Ok(())
    }
}

/// Checks that a name cannot end its tag.
fn checked_name(key: &Value) -> Result<&str> {
    checked(key.as_str(), "element")
}

fn checked_attribute(name: Option<&str>) -> Result<&str> {
    checked(name, "attribute")
}

fn checked<'n>(name: Option<&'n str>, subject: &str) -> Result<&'n str> {
    let refused = |name: &&str| {
        name.starts_with(['?', '!'])
            || name.chars().any(|c| matches!(c, '<' | '>' | '/' | '"' | '\'' | '=') || c.is_whitespace())
    };
    match name {
        None => Err(invalid(&format!("the name of an {subject} must be a string"))),
        Some(name) if refused(&name) => Err(invalid(&format!("invalid name of an {subject}: {name}"))),
        Some(name) => Ok(name),
    }
}

/// Returns a value as text: Booleans in small letters.
fn written(value: &Value) -> Result<String> {
    match kind(value)? {
        Kind::Bool(truth) => Ok(if truth { "true" } else { "false" }.to_owned()),
        Kind::Missing(missing) => Err(undefined(missing.message())),
        _ => str(value),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('>', "&gt;").replace('<', "&lt;")
}

fn quoted(text: &str) -> String {
    let text = escaped(text).replace('\n', "&#10;").replace('\r', "&#13;").replace('\t', "&#9;");
    match (text.contains('"'), text.contains('\'')) {
        (true, true) => format!("\"{}\"", text.replace('"', "&quot;")),
        (true, false) => format!("'{text}'"),
        _ => format!("\"{text}\""),
    }
}
