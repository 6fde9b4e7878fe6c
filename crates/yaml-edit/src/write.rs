//! Writes plain data as YAML or JSON that fits into an existing document.
//!
//! The output has the same value in YAML 1.1 ([`yaml`](hieratic_yaml), PyYAML) and YAML 1.2
//! ([`resolve12`](mod@crate::resolve12)): a string is quoted if one of them would resolve it to another value. Single
//! quotes are preferred, double quotes are used where a character must be escaped, and strings of several lines are
//! literal blocks if that preserves them exactly.
//!
//! ```
//! use hieratic_yaml_edit::write::{Style, after_key, document};
//! use hieratic_value::{Hash, Value};
//!
//! let ports = Value::from(vec![Value::from(80), Value::from("8080"), Value::from("yes")]);
//! assert_eq!(after_key(&ports, &Style::block(0)), "\n- 80\n- '8080'\n- 'yes'");
//! assert_eq!(after_key(&ports, &Style::Flow), " [80, '8080', 'yes']");
//!
//! let web: Hash = [("ports", ports), ("motd", Value::from("one\ntwo\n")), ("none", Value::Undef)].into_iter().collect();
//! let text = "ports:\n- 80\n- '8080'\n- 'yes'\nmotd: |\n  one\n  two\nnone:\n";
//! assert_eq!(document(&Value::from(web), &Style::block(0)), text);
//! ```
//!
//! # Values beyond YAML and JSON
//!
//! YAML has no symbols, secrets, or values of other crates: they are written as the string of [`Value::to_text`]. JSON
//! also has no bytes (they are written in base 64), no infinities (they are the strings `.inf`, `-.inf` and `.nan`),
//! and only strings as keys (other keys are written as they would be in YAML).

mod block;
mod flow;
mod scalar;

use hieratic_value::Value;

use scalar::Context;

/// The notation of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Lines, nested by indentation: <https://yaml.org/spec/1.2.2/#chapter-8-block-style-productions>.
    Block {
        /// The column of the key or dash before the value, counted from 0. For a document, the column of its lines.
        indent: usize,
        /// The indentation of a nested mapping, in columns. Less than one counts as one.
        step: usize,
        /// The column of the dashes of a sequence relative to its key.
        dash_indent: usize,
    },
    /// One line with brackets: <https://yaml.org/spec/1.2.2/#chapter-7-flow-style-productions>.
    Flow,
    /// One line of JSON: <https://www.rfc-editor.org/rfc/rfc8259>. It is also YAML, where keys have less than 1,024
    /// characters.
    Json,
}

impl Style {
    /// Returns block style at a column, with the default layout of ruamel.yaml: mappings are indented by two columns,
    /// and dashes are below the first character of their key.
    ///
    /// ```
    /// use hieratic_yaml_edit::write::Style;
    ///
    /// assert_eq!(Style::block(4), Style::Block { indent: 4, step: 2, dash_indent: 0 });
    /// ```
    pub const fn block(indent: usize) -> Style {
        Style::Block { indent, step: 2, dash_indent: 0 }
    }
}

/// Returns a value on one line, quoted where needed. A collection is written with brackets.
///
/// ```
/// use hieratic_yaml_edit::write::{Style, scalar};
/// use hieratic_value::Value;
///
/// assert_eq!(scalar(&Value::from("a: b"), &Style::block(0)), "'a: b'");
/// assert_eq!(scalar(&Value::from("two\nlines"), &Style::block(0)), r#""two\nlines""#);
/// assert_eq!(scalar(&Value::from("a, b"), &Style::block(0)), "a, b");
/// assert_eq!(scalar(&Value::from("a, b"), &Style::Flow), "'a, b'");
/// assert_eq!(scalar(&Value::from(1e16), &Style::Flow), "1.0e+16");
/// ```
pub fn scalar(value: &Value, style: &Style) -> String {
    match style {
        Style::Block { .. } => scalar::leaf(value, Context::Block).unwrap_or_else(|| flow::collection(value)),
        Style::Flow => scalar::leaf(value, Context::Flow).unwrap_or_else(|| flow::collection(value)),
        Style::Json => flow::json(value),
    }
}

/// Returns a mapping key, to be followed by a colon.
///
/// A key of 128 characters or more is written with `? `, and in block style on a separate line, because parsers search
/// for the colon of other keys only within a limited distance on the same line.
///
/// ```
/// use hieratic_yaml_edit::write::{Style, key};
/// use hieratic_value::Value;
///
/// assert_eq!(key(&Value::from("no"), &Style::block(0)), "'no'");
/// assert_eq!(key(&Value::from(80), &Style::block(0)), "80");
/// assert_eq!(key(&Value::from(80), &Style::Json), r#""80""#);
/// let long = "k".repeat(200);
/// assert_eq!(key(&Value::from(long.as_str()), &Style::block(2)), format!("? {long}\n  "));
/// ```
pub fn key(value: &Value, style: &Style) -> String {
    match style {
        Style::Block { indent, .. } => block::key_at(value, *indent),
        Style::Flow => match flow::simple_key(value, Context::Flow) {
            Ok(key) => key,
            Err(long) => format!("? {long} "),
        },
        Style::Json => flow::json_key(value),
    }
}

/// Returns the text after `key:`, for a key at the column `indent`.
///
/// It begins with a space or a line break, and ends without a line break. In block style null is empty.
///
/// ```
/// use hieratic_yaml_edit::write::{Style, after_key};
/// use hieratic_value::{Hash, Value};
///
/// let hash: Hash = [("a", Value::from(1)), ("b", Value::Undef)].into_iter().collect();
/// let hash = Value::from(hash);
/// assert_eq!(after_key(&hash, &Style::block(2)), "\n    a: 1\n    b:");
/// assert_eq!(after_key(&hash, &Style::Json), r#" {"a": 1, "b": null}"#);
/// assert_eq!(after_key(&Value::from("x\n"), &Style::block(2)), " |\n    x");
/// ```
pub fn after_key(value: &Value, style: &Style) -> String {
    match block::Layout::from_style(style) {
        Some((indent, layout)) => block::after_key(value, indent, layout),
        None => format!(" {}", scalar(value, style)),
    }
}

/// Returns the text after the `-` of a sequence item, for a dash at the column `indent`.
///
/// It begins with a space and ends without a line break. Mappings and sequences begin on the same line.
///
/// ```
/// use hieratic_yaml_edit::write::{Style, after_dash};
/// use hieratic_value::{Hash, Value};
///
/// let hash: Hash = [("a", Value::from(1)), ("b", Value::Undef)].into_iter().collect();
/// assert_eq!(after_dash(&Value::from(hash), &Style::block(2)), " a: 1\n    b:");
/// assert_eq!(after_dash(&Value::Undef, &Style::block(2)), " null");
/// ```
pub fn after_dash(value: &Value, style: &Style) -> String {
    match block::Layout::from_style(style) {
        Some((indent, layout)) => block::after_dash(value, indent, layout),
        None => format!(" {}", scalar(value, style)),
    }
}

/// Returns a whole document, with a final line break.
///
/// ```
/// use hieratic_yaml_edit::write::{Style, document};
/// use hieratic_value::Value;
///
/// assert_eq!(document(&Value::from(vec![Value::from(1)]), &Style::block(0)), "- 1\n");
/// assert_eq!(document(&Value::Undef, &Style::block(0)), "null\n");
/// ```
pub fn document(value: &Value, style: &Style) -> String {
    let mut text = match block::Layout::from_style(style) {
        Some((indent, layout)) => block::document(value, indent, layout),
        None => scalar(value, style),
    };
    text.push('\n');
    text
}
