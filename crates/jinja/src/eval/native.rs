//! Converts the output of a template.
//!
//! In native mode Ansible converts the pieces to one value (`ansible.template.native_helpers`): a single piece keeps
//! its type, several are concatenated, and a string that is a Python literal becomes its value.

use std::sync::Arc;

use minijinja::Value;
use minijinja::value::ValueKind;

use crate::error::{Result, error};
use crate::objects::{Dict, List, Markup, Missing, SourceView, Tuple};
use crate::python::digits::write_digits;
use crate::python::kind::small;
use crate::python::text::LONGEST;
use crate::python::{Budget, Kind, kind, literal, str};
use crate::syntax::ast::{LONG, Literal, Padded, SHORT as SHORTEST};
use hieratic_python_values::write_float;

/// Shorter strings are counted with their neighbors.
const SHORT: usize = 4096;

/// The conversion of the output of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To a value: a single expression keeps its type, and a string that is a Python literal becomes its value.
    Native,
    /// To a value, as Ansible converts a variable: to a string, or to the list, dictionary or boolean that the string
    /// spells.
    Variable,
    /// To a string. `None` prints as an empty string.
    Text,
}

/// The output of a template so far.
///
/// A value is converted to text as soon as there is a second piece, so later changes of a list have no effect. The
/// first piece waits for a second one, because a single piece keeps its type.
#[derive(Debug)]
pub struct Output {
    /// The concatenated pieces, if there are several or in text mode.
    text: String,
    /// The start of the innermost open output; the text before it belongs to outer ones.
    start: usize,
    /// The only piece.
    one: Option<Value>,
    is_text: bool,
    /// Values that may still change, each with the text before it. They become text at the end, if the output is
    /// captured.
    late: Option<Vec<(String, Value)>>,
}

/// An outer output that is suspended while an inner one is open.
#[derive(Debug)]
pub struct OpenOutput {
    start: usize,
    late: Option<Vec<(String, Value)>>,
}

impl Output {
    /// Creates an empty output.
    pub fn new(mode: Mode) -> Output {
        Output { text: String::new(), start: 0, one: None, is_text: mode == Mode::Text, late: None }
    }

    /// Creates an empty output with a capacity for about this length.
    pub fn with_room(mode: Mode, length: usize) -> Output {
        let text = if mode == Mode::Text { String::with_capacity(length) } else { String::new() };
        Output { text, ..Output::new(mode) }
    }

    /// Creates an empty captured output, such as that of a macro: Jinja2 converts its values to text at its end.
    pub fn kept(mode: Mode) -> Output {
        Output { late: Some(Vec::new()), ..Output::new(mode) }
    }

    /// Opens a nested output at the end of the text. With `is_kept`, lists in it become text at its end, as for
    /// [`Output::kept`].
    pub fn open(&mut self, is_kept: bool) -> OpenOutput {
        let start = std::mem::replace(&mut self.start, self.text.len());
        OpenOutput { start, late: std::mem::replace(&mut self.late, is_kept.then(Vec::new)) }
    }

    /// Lends the text to a macro, which appends to it. Only in text mode.
    #[inline]
    pub fn lend(&mut self) -> Output {
        let text = std::mem::take(&mut self.text);
        Output { start: text.len(), text, one: None, is_text: true, late: Some(Vec::new()) }
    }

    /// Takes the text back and returns the number of added bytes.
    #[inline]
    pub fn take_back(&mut self, lent: &mut Output) -> Result<usize> {
        lent.settle()?;
        self.text = std::mem::take(&mut lent.text);
        Ok(self.text.len() - lent.start)
    }

    /// Ends a nested output, keeps its content, and returns its length.
    pub fn close(&mut self, opened: OpenOutput) -> Result<usize> {
        self.settle()?;
        let length = self.text.len() - self.start;
        (self.start, self.late) = (opened.start, opened.late);
        Ok(length)
    }

    /// Ends a nested output and removes its content.
    pub fn take(&mut self, opened: OpenOutput) -> Result<Value> {
        let length = self.close(opened)?;
        let start = self.text.len() - length;
        let value = Value::from(self.text.get(start..).unwrap_or_default());
        self.text.truncate(start);
        Ok(value)
    }

    /// Appends text without checking the total length. Only in text mode.
    #[inline(always)]
    pub fn copy(&mut self, text: &Literal) {
        let end = self.text.len() + text.len();
        // A block has a size that the compiler knows.
        match text.padded() {
            Some(Padded::Short(block)) => {
                if let Some(block) = block.get(..SHORTEST) {
                    self.text.push_str(block);
                    return self.text.truncate(end);
                }
            }
            Some(Padded::Long(block)) => {
                if let Some(block) = block.get(..LONG) {
                    self.text.push_str(block);
                    return self.text.truncate(end);
                }
            }
            None => {}
        }
        self.text.push_str(text);
    }

    /// Returns the text for appending. Only in text mode.
    #[inline]
    pub fn string(&mut self) -> &mut String {
        &mut self.text
    }

    /// Appends a number without checking the total length.
    #[inline]
    pub fn digits(&mut self, number: i64) {
        write_digits(&mut self.text, number);
    }

    /// Appends a short string, a number, a boolean or `None` without checking the total length, and returns the
    /// approximate number of bytes. Returns `None` for other values.
    #[inline(always)]
    pub fn plain(&mut self, value: &Value) -> Option<usize> {
        if let Some(number) = small(value) {
            self.digits(number);
            return Some(8);
        }
        match (value.kind(), value.as_str()) {
            (ValueKind::String, Some(text)) if text.len() < SHORT => {
                self.text.push_str(text);
                Some(text.len())
            }
            (ValueKind::String, _) => None,
            _ => self.other(value),
        }
    }

    /// Like [`plain`](Self::plain), for an unconverted value.
    #[inline(always)]
    pub fn unconverted(&mut self, source: SourceView<'_>) -> Option<usize> {
        if let Some(text) = source.printed().filter(|text| text.len() < SHORT) {
            self.text.push_str(text);
            return Some(text.len());
        }
        match source.as_str() {
            Some(text) if text.len() < SHORT => {
                self.text.push_str(&text);
                Some(text.len())
            }
            Some(_) => None,
            None if source.is_list() || source.is_hash() => None,
            None => self.plain(&source.value()),
        }
    }

    fn other(&mut self, value: &Value) -> Option<usize> {
        match value.kind() {
            ValueKind::Number if !value.is_integer() => write_float(&mut self.text, f64::try_from(value.clone()).ok()?),
            ValueKind::Bool => self.text.push_str(if value.is_true() { "True" } else { "False" }),
            ValueKind::None => {}
            _ => return None,
        }
        Some(8)
    }

    /// Adds text of the template.
    #[inline(always)]
    pub fn text(&mut self, text: &Arc<str>) -> Result<()> {
        if self.is_text {
            self.text.push_str(text);
            return self.fits();
        }
        if self.starts() {
            self.one = Some(Value::from(text.clone()));
            Ok(())
        } else {
            self.push(text)
        }
    }

    /// Adds the value of an expression.
    pub fn value(&mut self, value: Value) -> Result<()> {
        if self.starts() {
            self.one = Some(value);
            Ok(())
        } else {
            self.as_text(&value)
        }
    }

    /// Adds a small integer.
    #[inline]
    pub fn number(&mut self, number: i64) -> Result<()> {
        if self.is_text {
            self.digits(number);
            self.fits()
        } else {
            self.value(Value::from(number))
        }
    }

    /// Checks the total length against the limit.
    #[inline]
    pub fn fits(&self) -> Result<()> {
        if self.text.len() - self.start > LONGEST {
            Err(error("the output of the template is too long"))
        } else {
            Ok(())
        }
    }

    /// Appends the output of another rendering.
    pub fn append(&mut self, mut other: Output) -> Result<()> {
        other.settle()?;
        match other.one {
            Some(one) => self.value(one),
            None if !other.is_text || other.text.is_empty() => Ok(()),
            None if self.starts() => {
                (self.text, self.is_text) = (other.text, true);
                Ok(())
            }
            None => self.push(&other.text),
        }
    }

    /// Returns whether the next piece is the first of an output that may be one value.
    fn starts(&self) -> bool {
        !self.is_text && self.one.is_none()
    }

    fn push(&mut self, text: &str) -> Result<()> {
        self.is_text = true;
        if let Some(first) = self.one.take() {
            self.as_text(&first)?;
        }
        self.text.push_str(text);
        self.fits()
    }

    /// Converts the late values to text.
    #[inline]
    fn settle(&mut self) -> Result<()> {
        if self.late.as_ref().is_none_or(Vec::is_empty) {
            self.late = None;
            return Ok(());
        }
        self.settle_late()
    }

    #[cold]
    fn settle_late(&mut self) -> Result<()> {
        let Some(late) = self.late.take().filter(|late| !late.is_empty()) else { return Ok(()) };
        let last = self.text.split_off(self.start);
        for (before, value) in late {
            self.text.push_str(&before);
            self.as_text(&value)?;
        }
        self.push(&last)
    }

    fn as_text(&mut self, value: &Value) -> Result<()> {
        if let Some(text) = value.as_str() {
            if self.is_text {
                self.text.push_str(text);
                return self.fits();
            }
            return self.push(text);
        }
        let may_change =
            || value.downcast_object_ref::<List>().is_some() || value.downcast_object_ref::<Dict>().is_some();
        if self.late.is_some() && may_change() {
            self.push("")?;
            let before = self.text.split_off(self.start);
            if let Some(late) = &mut self.late {
                late.push((before, value.clone()));
            }
            return Ok(());
        }
        if let Some(Markup(text)) = value.downcast_object_ref() {
            return self.push(text);
        }
        self.push("")?;
        match small(value) {
            Some(number) => {
                self.text.push_str(itoa::Buffer::new().format(number));
                Ok(())
            }
            None => self.push(&str(value)?),
        }
    }

    /// Returns the text. Only in text mode.
    pub fn into_text(mut self) -> Result<String> {
        self.settle()?;
        Ok(self.text)
    }

    /// Converts the output to a value.
    pub fn finish(mut self, mode: Mode) -> Result<Value> {
        self.settle()?;
        if mode == Mode::Text {
            return match self.one {
                Some(one) => str(&one).map(Value::from),
                None => Ok(Value::from(self.text)),
            };
        }
        if mode == Mode::Variable {
            return self.variable();
        }
        let text = match self.one {
            None if !self.is_text => return Ok(Value::from(())),
            None => self.text,
            // The result of a filter such as `string` stays a string.
            Some(value) if value.is_safe() => return Ok(Value::from(str(&value)?)),
            Some(value) => match kind(&value)? {
                Kind::Str(text) => text.to_string(),
                Kind::Missing(_) => str(&value)?,
                _ => return Ok(value),
            },
        };
        Ok(read(text))
    }
}

impl Output {
    /// The value of a variable of which all this was printed.
    fn variable(self) -> Result<Value> {
        let text = match self.one {
            // The result of a filter such as `string` stays a string.
            Some(value) if value.is_safe() => return Ok(value),
            Some(value) => str(&value)?,
            None => self.text,
        };
        if !(text.starts_with(['{', '[']) || matches!(&*text, "True" | "False")) {
            return Ok(Value::from(text));
        }
        crate::work::scan(text.len())?;
        let value = literal::parse_with_json(&text);
        if value.is_some() {
            crate::work::bytes(text.len() * 2)?;
        }
        Ok(value.unwrap_or_else(|| Value::from(text)))
    }
}

/// Parses a string as a literal if it is one.
fn read(text: String) -> Value {
    let Some(value) = literal::parse(&text) else {
        return Value::from(text);
    };
    // A quoted string keeps its quotes, with its escapes resolved.
    match (kind(&value), text.chars().next()) {
        (Ok(Kind::Str(inner)), Some(quote)) => Value::from(format!("{quote}{inner}{quote}")),
        _ => value,
    }
}

/// Checks that the value of an expression between braces contains no undefined values.
pub fn printed(value: Value, mode: Mode) -> Result<Value> {
    // Strings and numbers, which are the most common values, have no parts.
    if matches!(value.kind(), ValueKind::String | ValueKind::Number | ValueKind::Bool) || Markup::is(&value) {
        return Ok(value);
    }
    check(&value, 100, &Budget::new())?;
    Ok(if mode != Mode::Native && value.is_none() { Value::from("") } else { value })
}

fn check(value: &Value, depth: usize, budget: &Budget) -> Result<()> {
    budget.step()?;
    let Some(depth) = depth.checked_sub(1) else {
        return Ok(());
    };
    if let Some(missing) = value.downcast_object_ref::<Missing>() {
        return missing.defined();
    }
    // Lazy values of other crates are not computed for this check.
    if let Some(list) = value.downcast_object_ref::<List>() {
        return list.read().iter().try_for_each(|item| check(item, depth, budget));
    }
    if let Some(dict) = value.downcast_object_ref::<Dict>() {
        return dict.read().values().try_for_each(|item| check(item, depth, budget));
    }
    if let Some(tuple) = value.downcast_object_ref::<Tuple>() {
        return tuple.items().iter().try_for_each(|item| check(item, depth, budget));
    }
    Ok(())
}
