//! Writes [`Pn`] on one line, indented, and as JSON.

use std::fmt::Write;

use hieratic_value::text::float;

use super::Pn;

impl Pn {
    /// Returns the notation on one line.
    pub fn text(&self) -> String {
        let mut out = String::new();
        write(&mut out, self, None);
        out
    }

    /// Returns the notation on many lines, indented by two blanks for each level.
    pub fn pretty(&self) -> String {
        let mut out = String::new();
        write(&mut out, self, Some(0));
        out
    }

    /// Returns JSON: a call is `{"^": [name, ...]}`, a map `{"#": [key, value, ...]}`.
    pub fn json(&self) -> String {
        let mut out = String::new();
        json(&mut out, self, None);
        out
    }

    /// Returns JSON on many lines.
    pub fn json_pretty(&self) -> String {
        let mut out = String::new();
        json(&mut out, self, Some(0));
        out
    }
}

/// Writes a node. With a level, each element is on a separate line.
fn write(out: &mut String, pn: &Pn, level: Option<usize>) {
    match pn {
        Pn::Nil => out.push_str("nil"),
        Pn::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
        Pn::Integer(value) => {
            // Writing to a string cannot fail.
            let _ = write!(out, "{value}");
        }
        Pn::Float(value) => out.push_str(&float(*value)),
        Pn::String(text) => quoted(out, text),
        Pn::List(elements) => {
            out.push('[');
            write_elements(out, elements, level);
            out.push(']');
        }
        Pn::Map(entries) => {
            out.push('{');
            let level = level.map(|level| level + 1);
            for (index, (key, value)) in entries.iter().enumerate() {
                separate(out, index, level);
                out.push(':');
                out.push_str(key);
                out.push(' ');
                write(out, value, level);
            }
            out.push('}');
        }
        Pn::Call(name, elements) => {
            out.push('(');
            out.push_str(name);
            if level.is_none() && !elements.is_empty() {
                out.push(' ');
            }
            write_elements(out, elements, level);
            out.push(')');
        }
    }
}

fn write_elements(out: &mut String, elements: &[Pn], level: Option<usize>) {
    let level = level.map(|level| level + 1);
    for (index, element) in elements.iter().enumerate() {
        separate(out, index, level);
        write(out, element, level);
    }
}

/// Writes the separator before an element: a new line, or a blank.
fn separate(out: &mut String, index: usize, level: Option<usize>) {
    match level {
        Some(level) => new_line(out, level),
        None if index > 0 => out.push(' '),
        None => {}
    }
}

fn new_line(out: &mut String, level: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", level));
}

fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => {
                let _ = write!(out, "\\o{:03o}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

fn json(out: &mut String, pn: &Pn, level: Option<usize>) {
    match pn {
        Pn::Nil => out.push_str("null"),
        Pn::String(text) => json_string(out, text),
        Pn::Boolean(_) | Pn::Integer(_) | Pn::Float(_) => write(out, pn, None),
        Pn::List(elements) => {
            let mut list = JsonList::open(out, level);
            for element in elements {
                list.element(out, |out, level| json(out, element, level));
            }
            list.close(out);
        }
        Pn::Map(entries) => tagged(out, "#", level, |out, level| {
            let mut list = JsonList::open(out, level);
            for (key, value) in entries {
                list.element(out, |out, _| json_string(out, key));
                list.element(out, |out, level| json(out, value, level));
            }
            list.close(out);
        }),
        Pn::Call(name, elements) => tagged(out, "^", level, |out, level| {
            let mut list = JsonList::open(out, level);
            list.element(out, |out, _| json_string(out, name));
            for element in elements {
                list.element(out, |out, level| json(out, element, level));
            }
            list.close(out);
        }),
    }
}

/// An object with one key.
fn tagged(out: &mut String, key: &str, level: Option<usize>, value: impl FnOnce(&mut String, Option<usize>)) {
    out.push('{');
    let inner = level.map(|level| level + 1);
    if let Some(inner) = inner {
        new_line(out, inner);
    }
    json_string(out, key);
    out.push_str(if level.is_some() { ": " } else { ":" });
    value(out, inner);
    if let Some(level) = level {
        new_line(out, level);
    }
    out.push('}');
}

/// A list that is being written.
struct JsonList {
    level: Option<usize>,
    empty: bool,
}

impl JsonList {
    fn open(out: &mut String, level: Option<usize>) -> JsonList {
        out.push('[');
        JsonList { level, empty: true }
    }

    fn element(&mut self, out: &mut String, write: impl FnOnce(&mut String, Option<usize>)) {
        if !std::mem::take(&mut self.empty) {
            out.push(',');
        }
        let level = self.level.map(|level| level + 1);
        if let Some(level) = level {
            new_line(out, level);
        }
        write(out, level);
    }

    fn close(self, out: &mut String) {
        if let Some(level) = self.level {
            if self.empty {
                // The JSON library of Ruby 3.1 writes an empty list like this.
                out.push('\n');
            }
            new_line(out, level);
        }
        out.push(']');
    }
}

fn json_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::super::Pn;

    fn sample() -> Pn {
        let inner = Pn::Call("qn", vec![Pn::String("a\"\u{1}\té".into())]);
        Pn::Call("call", vec![Pn::Map(vec![("functor".into(), inner), ("args".into(), Pn::List(vec![]))]), Pn::Nil])
    }

    #[test]
    fn on_one_line() {
        assert_eq!(sample().text(), "(call {:functor (qn \"a\\\"\\o001\\té\") :args []} nil)");
        let numbers = Pn::List(vec![Pn::Integer(-1), Pn::Float(1e20), Pn::Boolean(true)]);
        assert_eq!(numbers.text(), "[-1 1.0e+20 true]");
    }

    #[test]
    fn on_many_lines() {
        let expected = "(call\n  {\n    :functor (qn\n      \"a\\\"\\o001\\té\")\n    :args []}\n  nil)";
        assert_eq!(sample().pretty(), expected);
    }

    #[test]
    fn as_json() {
        let expected = r##"{"^":["call",{"#":["functor",{"^":["qn","a\"\u0001\té"]},"args",[]]},null]}"##;
        assert_eq!(sample().json(), expected);
        let list = Pn::List(vec![Pn::Integer(1), Pn::List(vec![])]);
        assert_eq!(list.json_pretty(), "[\n  1,\n  [\n\n  ]\n]");
        assert_eq!(Pn::Call("nop", vec![]).json_pretty(), "{\n  \"^\": [\n    \"nop\"\n  ]\n}");
    }
}
