//! The text form of an explanation.

use hieratic_value::text::{REDACTED, inspect_string};
use hieratic_value::{Rich, Value};

use super::{Event, Explanation, Step, StepKind};
use crate::object::{Content, Object};

impl std::fmt::Display for Explanation {
    /// Prints the text of the reference's `--explain`, each line with its line end.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::new();
        let root = &self.nodes[0];
        for branch in &root.branches {
            self.write(&mut text, *branch, "");
        }
        for line in &root.texts {
            text.push_str(line);
            text.push('\n');
        }
        out.write_str(&text)
    }
}

impl Explanation {
    fn write(&self, out: &mut String, index: usize, indent: &str) {
        let node = &self.nodes[index];
        let inner = format!("{indent}  ");
        match &node.kind {
            StepKind::Root => self.write_branches(out, node, indent),
            StepKind::Search { key } => {
                line(out, indent, &format!("Searching for \"{key}\""));
                self.write_branches(out, node, &inner);
            }
            StepKind::InvalidKey { key } => line(out, indent, &format!("Invalid key \"{key}\"")),
            StepKind::MergeSource => line(out, indent, "Using merge options from \"lookup_options\" hash"),
            StepKind::Module { name } => match node.event {
                Some(Event::ModuleNotFound) => line(out, indent, &format!("Module \"{name}\" not found")),
                _ => line(out, indent, &format!("Module data provider for module \"{name}\" not found")),
            },
            StepKind::Interpolation { subject } => {
                line(out, indent, &format!("Interpolation on \"{subject}\""));
                self.write_branches(out, node, &inner);
            }
            StepKind::Merge { strategy, options } => {
                match node.branches.as_slice() {
                    [] => return,
                    // A merge of a single value is not reported.
                    [only] => return self.write(out, *only, indent),
                    _ => {}
                }
                line(out, indent, &format!("Merge strategy {strategy}"));
                if !options.is_empty() {
                    out.push_str(&format!("{inner}Options: "));
                    write_plain(out, &inner, &Value::Hash(options.clone()));
                    out.push('\n');
                }
                self.write_branches(out, node, &inner);
                if let (Some(Event::Result), Some(value)) = (node.event, &node.value) {
                    out.push_str(&format!("{inner}Merged result: "));
                    self.write_value(out, &inner, node, value);
                    out.push('\n');
                }
            }
            StepKind::Provider { name, configuration, .. } => {
                line(out, indent, name);
                if let Some(path) = configuration {
                    line(out, &inner, &format!("Using configuration \"{}\"", path.display()));
                }
                self.write_branches(out, node, &inner);
                self.write_outcome(out, node, &inner);
            }
            StepKind::Location { is_path, original, location } => {
                let kind = if *is_path { "Path" } else { "URI" };
                line(out, indent, &format!("{kind} \"{location}\""));
                line(out, &inner, &format!("Original {}: \"{original}\"", kind.to_lowercase()));
                self.write_branches(out, node, &inner);
                if node.event == Some(Event::LocationNotFound) {
                    line(out, &inner, &format!("{kind} not found"));
                }
                self.write_outcome(out, node, &inner);
            }
            StepKind::SubLookup { segments } => {
                let path: Vec<String> = segments.iter().map(ToString::to_string).collect();
                line(out, indent, &format!("Sub key: \"{}\"", path.join(".")));
                self.write_branches(out, node, &inner);
                self.write_outcome(out, node, &inner);
            }
            StepKind::Segment => self.write_outcome(out, node, indent),
            StepKind::Scope { name } => {
                line(out, indent, name);
                self.write_branches(out, node, &inner);
                self.write_outcome(out, node, &inner);
            }
        }
    }

    fn write_branches(&self, out: &mut String, node: &Step, indent: &str) {
        for branch in &node.branches {
            self.write(out, *branch, indent);
        }
    }

    fn write_outcome(&self, out: &mut String, node: &Step, indent: &str) {
        let key = node.key.as_deref().unwrap_or("");
        match (node.event, &node.value) {
            (Some(Event::NotFound), _) => line(out, indent, &format!("No such key: \"{key}\"")),
            (Some(event @ (Event::Found | Event::FoundInOverrides | Event::FoundInDefaults)), Some(value)) => {
                out.push_str(&format!("{indent}Found key: \"{key}\" value: "));
                self.write_value(out, indent, node, value);
                out.push_str(match event {
                    Event::FoundInOverrides => " in overrides",
                    Event::FoundInDefaults => " in defaults",
                    _ => "",
                });
                out.push('\n');
            }
            _ => {}
        }
        for text in &node.texts {
            line(out, indent, text);
        }
    }

    fn write_value(&self, out: &mut String, indent: &str, node: &Step, value: &Object) {
        if node.redacted && !self.reveal {
            out.push_str(REDACTED);
        } else {
            write_object(out, indent, value, self.reveal);
        }
    }
}

fn line(out: &mut String, indent: &str, text: &str) {
    out.push_str(indent);
    out.push_str(text);
    out.push('\n');
}

fn write_object(out: &mut String, indent: &str, object: &Object, reveal: bool) {
    // A Sensitive value prints itself as redacted.
    if !reveal && (object.is_covered() || object.is_hash() && object.is_hidden()) {
        out.push_str(REDACTED);
        return;
    }
    match &*object.content() {
        Content::Scalar(value) => write_scalar(out, value, reveal),
        Content::Verbatim(text) => out.push_str(text),
        Content::Array(elements) => {
            write_list(out, indent, '[', ']', elements.iter(), |out, indent, element| {
                write_object(out, indent, element, reveal);
            });
        }
        Content::Hash(map) => {
            write_list(out, indent, '{', '}', map.iter(), |out, indent, (key, value)| {
                write_plain(out, indent, key);
                out.push_str(" => ");
                write_object(out, indent, value, reveal);
            });
        }
    }
}

fn write_scalar(out: &mut String, value: &Value, reveal: bool) {
    match value.as_rich() {
        Some(Rich::Sensitive(inner)) if reveal => out.push_str(&inner.inspect()),
        _ => match value {
            Value::String(text) => inspect_string(out, text),
            other => out.push_str(&other.inspect()),
        },
    }
}

fn write_plain(out: &mut String, indent: &str, value: &Value) {
    match value {
        Value::Array(elements) => write_list(out, indent, '[', ']', elements.iter(), write_plain),
        Value::Hash(hash) => {
            write_list(out, indent, '{', '}', hash.iter(), |out, indent, (key, value)| {
                write_plain(out, indent, key);
                out.push_str(" => ");
                write_plain(out, indent, value);
            });
        }
        scalar => out.push_str(&scalar.inspect()),
    }
}

fn write_list<T>(
    out: &mut String,
    indent: &str,
    open: char,
    close: char,
    items: impl ExactSizeIterator<Item = T>,
    mut write: impl FnMut(&mut String, &str, T),
) {
    out.push(open);
    if items.len() > 0 {
        let inner = format!("{indent}  ");
        for (index, item) in items.enumerate() {
            out.push_str(if index == 0 { "\n" } else { ",\n" });
            out.push_str(&inner);
            write(out, &inner, item);
        }
        out.push('\n');
        out.push_str(indent);
    }
    out.push(close);
}
