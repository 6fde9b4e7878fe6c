//! Writes collections in block style.

use std::iter;
use std::mem;
use std::slice;

use hieratic_value::Value;

use super::Style;
use super::flow;
use super::scalar::{self, Context};

/// The indentation of nested collections.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    step: usize,
    dash_indent: usize,
}

impl Layout {
    /// The column and the layout of block style.
    pub(super) fn from_style(style: &Style) -> Option<(usize, Layout)> {
        match *style {
            Style::Block { indent, step, dash_indent } => Some((indent, Layout { step: step.max(1), dash_indent })),
            Style::Flow | Style::Json => None,
        }
    }
}

/// A key in a column.
pub(super) fn key_at(value: &Value, column: usize) -> String {
    flow::simple_key(value, Context::Block).unwrap_or_else(|long| {
        let mut key = format!("? {long}\n");
        indent(&mut key, column);
        key
    })
}

/// The text after the colon of a key in a column.
pub(super) fn after_key(value: &Value, column: usize, layout: Layout) -> String {
    BlockWriter::new(layout).write(value, LeadToken::Key(column))
}

/// The text after a dash in a column.
pub(super) fn after_dash(value: &Value, column: usize, layout: Layout) -> String {
    BlockWriter::new(layout).write(value, LeadToken::Dash(column))
}

/// A document whose lines begin at a column.
pub(super) fn document(value: &Value, column: usize, layout: Layout) -> String {
    BlockWriter::new(layout).write(value, LeadToken::Top(column))
}

/// The token before a value, and its column.
#[derive(Clone, Copy)]
enum LeadToken {
    Key(usize),
    Dash(usize),
    Top(usize),
}

/// A dash and the space after it.
const DASH: usize = 2;

impl LeadToken {
    fn lead(self, out: &mut String) {
        match self {
            LeadToken::Top(column) => indent(out, column),
            LeadToken::Key(_) | LeadToken::Dash(_) => out.push(' '),
        }
    }

    /// The column of the lines of a literal block here, and its distance from the parent.
    fn literal(self, layout: Layout) -> (usize, usize) {
        match self {
            LeadToken::Key(column) => (column + layout.step, layout.step),
            LeadToken::Dash(column) => (column + DASH, DASH),
            LeadToken::Top(column) => (column + layout.step, column + layout.step),
        }
    }
}

/// Writes nested collections without recursion: data may nest as deep as it likes.
struct BlockWriter<'v> {
    out: String,
    layout: Layout,
    open: Vec<Open<'v>>,
}

/// A collection of which a part is written.
struct Open<'v> {
    column: usize,
    rest: Rest<'v>,
    /// Whether the next part begins a separate line. The first may share the line of a dash.
    own_line: bool,
}

enum Rest<'v> {
    List(slice::Iter<'v, Value>),
    Map(indexmap::map::Iter<'v, Value, Value>),
}

impl<'v> BlockWriter<'v> {
    fn new(layout: Layout) -> Self {
        BlockWriter { out: String::new(), layout, open: Vec::new() }
    }

    fn write(mut self, value: &'v Value, place: LeadToken) -> String {
        self.node(value, place);
        while let Some(Open { column, rest, own_line }) = self.open.last_mut() {
            let column = *column;
            let (key, value) = match rest {
                Rest::List(items) => (None, items.next()),
                Rest::Map(entries) => entries.next().map_or((None, None), |(key, value)| (Some(key), Some(value))),
            };
            let Some(value) = value else {
                self.open.pop();
                continue;
            };
            if mem::replace(own_line, true) {
                self.out.push('\n');
                indent(&mut self.out, column);
            }
            match key {
                Some(name) => {
                    self.out.push_str(&key_at(name, column));
                    self.out.push(':');
                    self.node(value, LeadToken::Key(column));
                }
                None => {
                    self.out.push('-');
                    self.node(value, LeadToken::Dash(column));
                }
            }
        }
        self.out
    }

    /// Writes a scalar, or begins a collection.
    fn node(&mut self, value: &'v Value, place: LeadToken) {
        let Layout { step, dash_indent } = self.layout;
        let (rest, below_key) = match value {
            Value::Array(items) if !items.is_empty() => (Rest::List(items.iter()), dash_indent),
            Value::Hash(hash) if !hash.is_empty() => (Rest::Map(hash.iter()), step),
            Value::Undef if matches!(place, LeadToken::Key(_)) => return,
            _ => {
                place.lead(&mut self.out);
                return self.scalar(value, place);
            }
        };
        let column = match place {
            LeadToken::Key(column) => column + below_key,
            LeadToken::Dash(column) => column + DASH,
            LeadToken::Top(column) => column,
        };
        let own_line = matches!(place, LeadToken::Key(_));
        if !own_line {
            place.lead(&mut self.out);
        }
        self.open.push(Open { column, rest, own_line });
    }

    fn scalar(&mut self, value: &Value, place: LeadToken) {
        let (column, step) = place.literal(self.layout);
        let literal = value.as_str().and_then(|text| literal(text, column, step));
        // Collections with something in them are not written here.
        self.out.push_str(&literal.or_else(|| scalar::leaf(value, Context::Block)).unwrap_or_default());
    }
}

/// A string of several lines as a literal block, if it reads back equal.
///
/// <https://yaml.org/spec/1.2.2/#812-literal-style>. Empty lines at the end would need `|+`, which also preserves the
/// empty lines that follow in the document. Spaces at the end of a line are invisible and unsafe. Such strings are
/// quoted.
fn literal(text: &str, column: usize, step: usize) -> Option<String> {
    let (body, header) = match text.strip_suffix('\n') {
        Some(body) => (body, "|"),
        None => (text, "|-"),
    };
    let fits =
        |line: &str| !line.ends_with([' ', '\t']) && line.chars().all(|c| c == '\t' || scalar::is_plain_character(c));
    if !text.contains('\n') || body.is_empty() || body.ends_with('\n') || !body.split('\n').all(fits) {
        return None;
    }
    let mut out = String::from("|");
    // Or else the first line with something in it would say how far all are indented.
    if body.trim_start_matches('\n').starts_with([' ', '\t']) {
        // One digit is all that there may be.
        out.push(char::from_digit(u32::try_from(step).ok()?, 10).filter(|digit| *digit != '0')?);
    }
    out.push_str(&header[1..]);
    for line in body.split('\n') {
        out.push('\n');
        if !line.is_empty() {
            indent(&mut out, column);
            out.push_str(line);
        }
    }
    Some(out)
}

fn indent(out: &mut String, columns: usize) {
    out.extend(iter::repeat_n(' ', columns));
}

#[cfg(test)]
mod tests {
    use super::*;
    use hieratic_value::Hash;

    fn hash(pairs: &[(&str, Value)]) -> Value {
        Value::from(pairs.iter().map(|(key, value)| (*key, value.clone())).collect::<Hash>())
    }

    fn nested() -> Value {
        let item = hash(&[("a", Value::from(1)), ("b", hash(&[("c", Value::from(2))]))]);
        let list = Value::from(vec![item, Value::from(vec![Value::from(3), Value::from(4)]), Value::Undef]);
        hash(&[("l", list), ("e", Value::from(Hash::default())), ("t", Value::from("x\ny")), ("n", Value::Undef)])
    }

    #[test]
    fn nested_collections() {
        let lines =
            ["l:", "- a: 1", "  b:", "    c: 2", "- - 3", "  - 4", "- null", "e: {}", "t: |-", "  x", "  y", "n:"];
        assert_eq!(super::super::document(&nested(), &Style::block(0)), lines.join("\n") + "\n");
        assert_eq!(super::super::after_dash(&nested(), &Style::block(2)), format!(" {}", lines.join("\n    ")));
    }

    #[test]
    fn steps_and_dashes_may_be_wider() {
        let style = Style::Block { indent: 0, step: 4, dash_indent: 2 };
        let lines = [
            "",
            "    l:",
            "      - a: 1",
            "        b:",
            "            c: 2",
            "      - - 3",
            "        - 4",
            "      - null",
            "    e: {}",
            "    t: |-",
            "        x",
            "        y",
            "    n:",
        ];
        assert_eq!(super::super::after_key(&nested(), &style), lines.join("\n"));
    }

    #[test]
    fn literal_blocks_read_back_equal() {
        for (text, block) in [
            ("a\nb\n", Some("|\n  a\n  b")),
            ("a\n\n b", Some("|-\n  a\n\n   b")),
            (" a\nb", Some("|2-\n   a\n  b")),
            ("\n\n\ta\n", Some("|2\n\n\n  \ta")),
            ("# a\n--- b\n", Some("|\n  # a\n  --- b")),
            ("a", None),
            ("\n", None),
            ("a\n\n", None),
            ("a \nb", None),
            ("a\n  \nb", None),
            ("a\r\nb", None),
            ("a\n\u{1b}", None),
        ] {
            assert_eq!(literal(text, 2, 2).as_deref(), block, "{text:?}");
        }
        assert_eq!(literal(" a\nb", 12, 12), None);
    }

    #[test]
    fn long_keys_have_a_line_of_their_own() {
        let long = "k".repeat(128);
        let value = Value::from(vec![hash(&[(&long, nested())])]);
        let text = super::super::document(&value, &Style::block(0));
        assert!(text.starts_with(&format!("- ? {long}\n  :\n    l:\n    - a: 1\n")), "{text}");
    }
}
