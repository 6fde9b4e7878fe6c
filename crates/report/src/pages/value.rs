//! Renders a value as YAML, with the origin of every part, folded by depth.

use std::path::Path;
use std::sync::Arc;

use hieratic::Value;
use hieratic::lookup::{Object, ObjectView, Origin};
use maud::{Markup, PreEscaped, html};

use crate::json;
use crate::pages::ValuePlaces;

/// The maximum number of lines of a value on the page.
const MAX_LINES: usize = 3000;
/// The maximum length of a scalar on the page, in characters.
const MAX_SCALAR_LENGTH: usize = 50_000;
/// The length up to which a scalar that is the whole value is large, in characters.
const MAX_LARGE_LENGTH: usize = 500;
/// The maximum depth of a value on the page.
const MAX_DEPTH: usize = 32;
/// The number of lines up to which a value is not folded.
const MAX_UNFOLDED_LINES: usize = 40;
/// The depth from which the parts of longer values are folded.
const MIN_FOLDED_DEPTH: usize = 1;
/// Values of more lines are folded from their first depth.
const MAX_OPEN_LINES: usize = 200;

/// Renders a value as lines of YAML with redacted secrets. Each line has the number of its line in its file, and the
/// color of its level; the file is named where it changes, except next to `file`, whose name is already there.
pub fn yaml(object: &Object, places: &dyn ValuePlaces, file: Option<&Path>) -> Markup {
    let mut writer = Writer {
        places,
        file: file.map(Arc::from),
        out: String::new(),
        lines: 0,
        folded_depth: match lines(object, places, MAX_OPEN_LINES + 1) {
            few if few <= MAX_UNFOLDED_LINES => usize::MAX,
            some if some <= MAX_OPEN_LINES => MIN_FOLDED_DEPTH,
            _ => 0,
        },
        cut: false,
        longest: 0,
    };
    let children = parts(object, places);
    let is_scalar = children.is_none();
    match children {
        Some(children) => writer.children(children, 0),
        None => writer.scalar("", object, 0),
    }
    html! {
        div.value.large[is_scalar && writer.longest <= MAX_LARGE_LENGTH] data-copy="" { (PreEscaped(writer.out)) }
        @if writer.cut { p.dim { "The value is longer. Not all of it is shown." } }
    }
}

/// Returns the names or indexes of a collection with their values; `None` for a value that is shown on one line.
fn parts(object: &Object, places: &dyn ValuePlaces) -> Option<Vec<(String, Object)>> {
    if places.is_hidden(object) {
        return None;
    }
    match object.view() {
        ObjectView::Array(elements) if !elements.is_empty() => {
            Some(elements.into_iter().map(|element| ("-".to_string(), element)).collect())
        }
        ObjectView::Hash(pairs) if !pairs.is_empty() => {
            let name = |key: &Value| format!("{}:", text(&serde_json::Value::String(json::key_text(key, false))));
            Some(pairs.into_iter().map(|(key, value)| (name(&key), value)).collect())
        }
        _ => None,
    }
}

/// Returns whether a value has many lines.
pub fn is_long(object: &Object, places: &dyn ValuePlaces) -> bool {
    lines(object, places, MAX_UNFOLDED_LINES + 1) > MAX_UNFOLDED_LINES
}

/// Counts the lines of a value, up to a maximum.
fn lines(object: &Object, places: &dyn ValuePlaces, most: usize) -> usize {
    let mut waiting = vec![object.clone()];
    let mut count = 0;
    while let Some(object) = waiting.pop() {
        count += 1;
        if count > most {
            break;
        }
        waiting.extend(parts(&object, places).into_iter().flatten().map(|(_, part)| part));
    }
    count
}

struct Writer<'n> {
    places: &'n dyn ValuePlaces,
    /// The file of the line before.
    file: Option<Arc<Path>>,
    out: String,
    lines: usize,
    /// The depth from which parts are folded.
    folded_depth: usize,
    /// Whether a part is missing.
    cut: bool,
    /// The length of the longest scalar, in characters.
    longest: usize,
}

impl Writer<'_> {
    fn children(&mut self, children: Vec<(String, Object)>, depth: usize) {
        for (name, child) in children {
            if self.lines >= MAX_LINES || depth > MAX_DEPTH {
                self.cut = true;
                return;
            }
            match parts(&child, self.places) {
                Some(below) => {
                    self.lines += 1;
                    let open = if depth < self.folded_depth { " open=\"\"" } else { "" };
                    let count = below.len();
                    let line = html! {
                        summary.y {
                            span.n aria-hidden="true" {}
                            code { (indent(depth)) (name) }
                            span.count { (count) @if count == 1 { " part" } @else { " parts" } }
                        }
                    };
                    self.out.push_str(&format!("<details{open}>{}", line.into_string()));
                    self.children(below, depth + 1);
                    self.out.push_str("</details>");
                }
                None => self.scalar(&name, &child, depth),
            }
        }
    }

    fn scalar(&mut self, name: &str, object: &Object, depth: usize) {
        self.lines += 1;
        let value = json::of_value(&self.places.shown(object), self.places.redactor().reveals());
        let space = if name.is_empty() { "" } else { " " };
        let mut value = scalar_text(&value, depth + usize::from(!name.is_empty()));
        if value.len() > MAX_SCALAR_LENGTH
            && let Some((end, _)) = value.char_indices().nth(MAX_SCALAR_LENGTH)
        {
            value.truncate(end);
            value.push('…');
            self.cut = true;
        }
        self.longest = self.longest.max(value.len());
        let (mut number, mut from, mut level) = (None, html! {}, None);
        match object.origin() {
            Some(origin @ Origin::File { file, line, .. }) => {
                level = self.places.level_of(file);
                let is_other = self.file.as_deref() != Some(&**file);
                number = Some(*line);
                if is_other {
                    from = self.places.origin(origin);
                    self.file = Some(Arc::from(&**file));
                }
            }
            Some(other) => {
                from = self.places.origin(other);
                self.file = None;
            }
            None => self.file = None,
        }
        let class = level.map_or("y".to_string(), |level| format!("y {}", level_class(level)));
        let line = html! {
            div class=(class) {
                span.n { @if let Some(number) = number { (number) } }
                code { (indent(depth)) (name) (space) (value) "\n" }
                span.from { (from) }
            }
        };
        self.out.push_str(&line.into_string());
    }
}

/// The class of the color of a level. There are eight; the number next to it distinguishes levels with the same color.
pub fn level_class(level: usize) -> String {
    format!("l{}", level % 8)
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth)
}

/// Returns a value that is already redacted as YAML, without origins.
pub fn plain(value: &serde_json::Value) -> String {
    fn add(out: &mut String, name: &str, value: &serde_json::Value, depth: usize) {
        out.push_str(&indent(depth));
        out.push_str(name);
        let below: Vec<(String, &serde_json::Value)> = match value {
            serde_json::Value::Array(elements) if depth < MAX_DEPTH => {
                elements.iter().map(|element| ("-".to_string(), element)).collect()
            }
            serde_json::Value::Object(pairs) if depth < MAX_DEPTH => {
                let name = |key: &String| format!("{}:", text(&serde_json::Value::String(key.clone())));
                pairs.iter().map(|(key, value)| (name(key), value)).collect()
            }
            _ => Vec::new(),
        };
        if below.is_empty() {
            if !name.is_empty() {
                out.push(' ');
            }
            out.push_str(&scalar_text(value, depth + usize::from(!name.is_empty())));
            out.push('\n');
            return;
        }
        // The first level has no name, and is not indented.
        let inside = if name.is_empty() { depth } else { depth + 1 };
        if !name.is_empty() {
            out.push('\n');
        }
        for (name, value) in below {
            add(out, &name, value, inside);
        }
    }
    let mut out = String::new();
    add(&mut out, "", value, 0);
    out.truncate(out.trim_end_matches('\n').len());
    out
}

/// Returns a value that is already redacted as YAML on one line, cut after some characters.
pub fn flow(value: &serde_json::Value, most: usize) -> String {
    fn add(out: &mut String, value: &serde_json::Value, most: usize, depth: usize) {
        if out.len() > most.saturating_mul(4) {
            return;
        }
        match value {
            serde_json::Value::Array(elements) if depth < MAX_DEPTH => {
                out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    add(out, element, most, depth + 1);
                }
                out.push(']');
            }
            serde_json::Value::Object(pairs) if depth < MAX_DEPTH => {
                out.push('{');
                for (index, (key, value)) in pairs.iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    out.push_str(&flow_text(&serde_json::Value::String(key.clone()), depth + 1));
                    out.push_str(": ");
                    add(out, value, most, depth + 1);
                }
                out.push('}');
            }
            scalar => out.push_str(&flow_text(scalar, depth)),
        }
    }
    let mut out = String::new();
    add(&mut out, value, most, 0);
    match out.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &out[..end]),
        None => out,
    }
}

/// A scalar on one line: within a collection, what ends an element is quoted.
fn flow_text(value: &serde_json::Value, depth: usize) -> String {
    match value.as_str() {
        Some(string) if depth > 0 && string.contains(['[', ']', '{', '}', ',']) => value.to_string(),
        _ => text(value),
    }
}

/// Returns a scalar as YAML; a string of several lines becomes a block scalar.
fn scalar_text(value: &serde_json::Value, depth: usize) -> String {
    match value.as_str() {
        Some(block) if is_block(block) => {
            let body = block.strip_suffix('\n');
            let sign = if body.is_some() { "|" } else { "|-" };
            let indent = "  ".repeat(depth.max(1));
            let lines = body.unwrap_or(block).split('\n');
            let lines = lines.map(|line| if line.is_empty() { "\n".into() } else { format!("\n{indent}{line}") });
            format!("{sign}{}", lines.collect::<String>())
        }
        _ => text(value),
    }
}

/// Returns whether a string can be a block scalar without an indentation indicator.
fn is_block(text: &str) -> bool {
    text.contains('\n')
        && !text.starts_with([' ', '\n', '\t'])
        && !text.ends_with("\n\n")
        && text != "\n"
        && !text.chars().any(|c| c.is_control() && c != '\n' && c != '\t')
}

/// A scalar on one line: plain if that means the same to every reader, and quoted as JSON otherwise.
pub fn text(value: &serde_json::Value) -> String {
    match value.as_str() {
        Some(plain) if is_plain(plain) => plain.into(),
        _ => value.to_string(),
    }
}

fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 10] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "inf"];
    text.starts_with(|c: char| c.is_alphabetic() || c == '/')
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.chars().any(char::is_control)
        && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_yaml_reads_them() {
        let value = serde_json::json!({"a": [1, "yes", {"b": "x: y", "c": []}], "d": {"e": "one\ntwo\n"}, "f": null});
        let text = plain(&value);
        assert_eq!(
            text,
            "a:\n  - 1\n  - \"yes\"\n  -\n    b: \"x: y\"\n    c: []\nd:\n  e: |\n    one\n    two\nf: null"
        );
        for value in
            [serde_json::json!("one"), serde_json::json!([]), serde_json::json!({}), serde_json::json!([[1], [2]])]
        {
            assert!(!plain(&value).is_empty());
        }
    }

    #[test]
    fn values_on_one_line_are_yaml_and_cut() {
        let value = serde_json::json!({"a": [1, "x", "y, z"], "b": {}, "c": null});
        assert_eq!(flow(&value, 100), "{a: [1, x, \"y, z\"], b: {}, c: null}");
        assert_eq!(flow(&value, 6), "{a: [1…");
        assert_eq!(flow(&"é, è".into(), 100), "é, è");
        assert_eq!(flow(&serde_json::json!(vec!["x"; 100_000]), 10).chars().count(), 11);
    }

    #[test]
    fn scalars_are_written_as_yaml_reads_them() {
        let of = |text: &str| scalar_text(&text.into(), 1);
        assert_eq!(of("nginx/1.2"), "nginx/1.2");
        for quoted in ["", "yes", "1", "a: b", "a #b", "- a", "%{x}", " a", "a:", "a\tb\u{1}"] {
            assert!(of(quoted).starts_with('"'), "{quoted}");
        }
        assert_eq!(of("a\nb\n"), "|\n  a\n  b");
        assert_eq!(of("a\n\nb"), "|-\n  a\n\n  b");
        assert!(of("a\n\n").starts_with('"') && of("\n").starts_with('"'));
        assert_eq!(scalar_text(&serde_json::json!(8080), 0), "8080");
    }
}
