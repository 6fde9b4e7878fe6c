//! Items, objects and lists in their layout.

use hieratic_budget::{Budget, Exhausted};

use super::comments::StandaloneComments;
use super::unindent::{indent, mark_lines};
use crate::token::{Place, Token, TokenKind};
use crate::tree::{File, Item, List, Literal, Object, Value};

pub(super) struct Printer<'f> {
    file: &'f File,
    budget: &'f Budget,
    comments: StandaloneComments<'f>,
    /// The beginning of the item that was printed last: comments before it are printed.
    before: Option<usize>,
}

impl<'f> Printer<'f> {
    pub(super) fn new(file: &'f File, budget: &'f Budget) -> Self {
        Printer { file, budget, comments: StandaloneComments::new(file), before: None }
    }

    /// The whole file.
    pub(super) fn file(&mut self) -> Result<String, Exhausted> {
        let items = &self.file.items;
        let mut out = String::new();
        for (index, item) in items.iter().enumerate() {
            for group in self.comments.between(self.before, start(item).offset) {
                self.lines_of(group, &mut out);
                out.push('\n');
            }
            self.before = Some(start(item).offset);
            out.push_str(&self.item(item)?);
            if let Some(next) = items.get(index + 1) {
                out.push('\n');
                let is_next_line = start(next).line == start(item).line + 1;
                if !is_next_line || !is_empty_block(next) || !is_empty_block(item) {
                    out.push('\n');
                }
            }
        }
        for group in self.comments.between(self.before, usize::MAX) {
            if self.before.is_some() {
                out.push_str("\n\n");
            }
            self.lines_of(group, &mut out);
        }
        Ok(out)
    }

    fn lines_of(&self, group: &[Token], out: &mut String) {
        for comment in group {
            out.push_str(self.file.text(comment));
            out.push('\n');
        }
    }

    /// The comments of a group, in order.
    fn comment_text(&self, group: usize, out: &mut String) {
        for comment in self.group(group) {
            out.push_str(self.file.text(comment));
        }
    }

    fn group(&self, group: usize) -> &'f [Token] {
        self.file.comments.get(group).map_or(&[], |group| &group.0)
    }

    fn item(&mut self, item: &Item) -> Result<String, Exhausted> {
        self.budget.step()?;
        let mut out = String::new();
        if let Some(comment) = item.lead_comment {
            self.lines_of(self.group(comment), &mut out);
        }
        let is_on_line = start(item).line == item.value.place().line;
        if let Some(comment) = item.line_comment
            && !is_on_line
        {
            self.lines_of(self.group(comment), &mut out);
        }
        for key in &item.keys {
            out.push_str(self.file.text(key));
            out.push(' ');
            if item.assign.is_some() && item.keys.len() == 1 {
                out.push_str("= ");
            }
        }
        out.push_str(&self.value(&item.value)?);
        if let Some(comment) = item.line_comment
            && is_on_line
        {
            out.push(' ');
            self.comment_text(comment, &mut out);
        }
        Ok(out)
    }

    fn value(&mut self, value: &Value) -> Result<String, Exhausted> {
        let printed = stacker::maybe_grow(128 << 10, 1 << 20, || match value {
            Value::Literal(literal) => Ok(self.literal(literal)),
            Value::List(list) => self.list(list),
            Value::Object(object) => self.object(object),
        })?;
        // Every level copies its content.
        self.budget.bytes(printed.len())?;
        Ok(printed)
    }

    fn literal(&self, literal: &Literal) -> String {
        let text = self.file.text(&literal.token);
        match literal.token.kind {
            TokenKind::Heredoc => mark_lines(text.strip_suffix('\n').unwrap_or(text)),
            TokenKind::String if text.contains('\n') => mark_lines(text),
            _ => text.to_owned(),
        }
    }

    fn object(&mut self, object: &Object) -> Result<String, Exhausted> {
        let items = &object.items;
        let mut out = String::from("{");
        let mut index = 0;
        let mut has_newline = false;
        let mut has_comment = false;
        loop {
            let next = items.get(index).map_or(object.close, start);
            let is_last = index == items.len();
            for group in self.comments.between(self.before, next.offset) {
                if !std::mem::replace(&mut has_newline, true) {
                    out.push('\n');
                }
                let mut line = 0;
                for comment in *group {
                    if index > 0 {
                        has_comment = true;
                        out.push('\n');
                    }
                    line = comment.place.line;
                    indent(&mark_lines(self.file.text(comment)), &mut out);
                }
                out.push('\n');
                if !is_last && next.line != line + 1 {
                    out.push('\n');
                }
            }
            if is_last {
                self.before = Some(object.close.offset);
                break;
            }
            if !std::mem::replace(&mut has_newline, true) {
                out.push('\n');
            }
            let count = self.aligned_count(object, index)?;
            let from = index;
            index += count;
            if !has_comment && index != count {
                out.push('\n');
            }
            let group = items.get(from..index).unwrap_or_default();
            if let Some(last) = group.last() {
                self.before = Some(start(last).offset);
                indent(&self.aligned(group)?, &mut out);
            } else if let Some(item) = items.get(index) {
                self.before = Some(start(item).offset);
                indent(&self.item(item)?, &mut out);
                index += 1;
            }
            out.push('\n');
        }
        out.push('}');
        Ok(out)
    }

    /// The number of items from `from` on that stand on adjacent lines and are short, so that they are aligned.
    fn aligned_count(&mut self, object: &Object, from: usize) -> Result<usize, Exhausted> {
        let items = &object.items;
        if items.len() == 1 {
            return Ok(0);
        }
        let line = |index: Option<usize>| index.and_then(|index| items.get(index)).map_or(0, |item| start(item).line);
        let mut index = from;
        while let Some(item) = items.get(index) {
            if !self.is_short(item)? {
                break;
            }
            let own = start(item).line;
            let next = line(Some(index + 1));
            if own + 1 == next {
                index += 1;
                continue;
            }
            if own.checked_sub(1) == Some(line(index.checked_sub(1))) {
                index += 1;
            }
            break;
        }
        Ok(index - from)
    }

    /// Whether an item takes two lines at most.
    fn is_short(&mut self, item: &Item) -> Result<bool, Exhausted> {
        let is_long = match &item.value {
            Value::Literal(_) => false,
            Value::List(list) => !is_single_line(list),
            Value::Object(object) => !object.items.is_empty(),
        };
        // Long items are not printed for this: every level would double the work.
        Ok(!is_long && self.item(item)?.bytes().filter(|byte| *byte == b'\n').count() < 2)
    }

    /// Items on adjacent lines, with values and comments in columns.
    fn aligned(&mut self, items: &[Item]) -> Result<String, Exhausted> {
        let mut longest_key = 0;
        let mut longest_value = 0;
        for item in items {
            longest_key = longest_key.max(item.keys.first().map_or(0, |key| key.span.len()));
            longest_value = longest_value.max(self.value(&item.value)?.len());
        }
        let mut out = String::new();
        for (index, item) in items.iter().enumerate() {
            if let Some(comment) = item.lead_comment {
                self.lines_of(self.group(comment), &mut out);
            }
            for key in &item.keys {
                out.push_str(self.file.text(key));
                blanks((longest_key + 1).saturating_sub(key.span.len()), &mut out);
                if item.keys.len() == 1 {
                    out.push_str("= ");
                }
            }
            let value = self.value(&item.value)?;
            out.push_str(&value);
            if let Some(comment) = item.line_comment
                && item.value.place().line == start(item).line
            {
                blanks((longest_value + 1).saturating_sub(value.len()), &mut out);
                self.comment_text(comment, &mut out);
            }
            if index + 1 < items.len() {
                out.push('\n');
            }
        }
        Ok(out)
    }

    fn list(&mut self, list: &List) -> Result<String, Exhausted> {
        if is_single_line(list) {
            return self.single_line(list);
        }
        let literal = |value: &'_ Value| match value {
            Value::Literal(literal) => Some(literal.clone()),
            _ => None,
        };
        let lengths = list.values.iter().filter_map(literal).map(|literal| literal.token.span.len());
        let longest = lengths.max().unwrap_or(0);
        let mut out = String::from("[\n");
        let mut has_empty_line = false;
        for (index, value) in list.values.iter().enumerate() {
            let literal = literal(value);
            let lead = literal.as_ref().and_then(|literal| literal.lead_comment);
            if let Some(comment) = lead {
                if !has_empty_line && index != 0 {
                    out.push('\n');
                }
                for comment in self.group(comment) {
                    indent(self.file.text(comment), &mut out);
                    out.push('\n');
                }
            }
            let printed = self.value(value)?;
            indent(&printed, &mut out);
            if literal.as_ref().is_some_and(|literal| literal.token.kind == TokenKind::Heredoc) {
                out.push_str("\n  ");
            }
            out.push(',');
            if let Some(comment) = literal.and_then(|literal| literal.line_comment) {
                blanks(1 + longest.saturating_sub(printed.len()), &mut out);
                self.comment_text(comment, &mut out);
            }
            out.push('\n');
            has_empty_line = lead.is_some() && index + 1 != list.values.len();
            if has_empty_line {
                out.push('\n');
            }
        }
        out.push(']');
        Ok(out)
    }

    fn single_line(&mut self, list: &List) -> Result<String, Exhausted> {
        let mut out = String::from("[");
        for (index, value) in list.values.iter().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            out.push_str(&self.value(value)?);
            if matches!(value, Value::Literal(literal) if literal.token.kind == TokenKind::Heredoc) {
                out.push('\n');
            }
        }
        out.push(']');
        Ok(out)
    }
}

fn start(item: &Item) -> Place {
    item.keys.first().map(|key| key.place).unwrap_or_default()
}

fn blanks(count: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// Whether a block has nothing in it.
fn is_empty_block(item: &Item) -> bool {
    let is_empty = matches!(&item.value, Value::Object(object) if object.items.is_empty());
    item.lead_comment.is_none() && item.assign.is_none() && is_empty
}

/// Whether a list is on one line, and has only literals without comments.
fn is_single_line(list: &List) -> bool {
    list.values.iter().all(|value| match value {
        Value::Literal(literal) => {
            let is_alone = literal.token.kind != TokenKind::Heredoc || list.values.len() == 1;
            literal.token.place.line == list.open.line && is_alone && literal.line_comment.is_none()
        }
        _ => false,
    })
}
