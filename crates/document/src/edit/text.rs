//! The text that is edited: its lines, and how it is written.

use std::ops::Range;

use crate::json;
use crate::tree::{Content, Item, Node};

/// A part of the text that is replaced.
#[derive(Clone, Debug)]
pub(super) struct Splice {
    pub range: Range<usize>,
    pub text: String,
}

/// A text, and the habits of whoever wrote it.
pub(super) struct Text<'t> {
    pub text: &'t str,
    /// Whether it is JSON, and has to stay that.
    pub json: bool,
    /// How many columns a map nests under another.
    pub step: usize,
    /// How many columns the dashes of a list stand behind the key above.
    pub dash_indent: usize,
}

impl<'t> Text<'t> {
    pub(super) fn new(text: &'t str, root: &Node) -> Text<'t> {
        let json = root.is_flow() && json::parse(text.as_bytes()).is_ok();
        let mut new = Text { text, json, step: 2, dash_indent: 0 };
        if !json {
            new.learn(root);
        }
        new
    }

    /// Learns the habits from the first map in a map and the first list in a map.
    fn learn(&mut self, root: &Node) {
        let (mut step, mut dash) = (None, None);
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if step.is_some() && dash.is_some() {
                break;
            }
            match node.content() {
                Content::Map(map) if !node.is_flow() => {
                    for entry in map.entries().iter().filter(|entry| !entry.merged && !entry.item.is_alias()).rev() {
                        let column = self.column(entry.key_span.start as usize);
                        let below = entry.node();
                        if below.is_flow() {
                            continue;
                        }
                        let first = match below.content() {
                            Content::Map(inner) => inner.entries().first().filter(|entry| !entry.merged),
                            _ => None,
                        };
                        if let Some(first) = first {
                            step = Some(self.column(first.key_span.start as usize).saturating_sub(column));
                        } else if let Some(item) = below.as_list().and_then(<[Item]>::first) {
                            dash = self.dash(0, item).map(|at| self.column(at).saturating_sub(column));
                        }
                        open.push(below);
                    }
                }
                Content::List(items) if !node.is_flow() => open.extend(items.iter().map(Item::node)),
                _ => {}
            }
        }
        self.step = step.filter(|step| (1..=8).contains(step)).unwrap_or(2);
        self.dash_indent = dash.filter(|dash| *dash <= 8).unwrap_or(0);
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// A part of the text with replacements in it.
    pub(super) fn with(&self, range: Range<usize>, mut splices: Vec<Splice>) -> String {
        splices.sort_by_key(|splice| (splice.range.start, splice.range.end));
        let mut out = String::with_capacity(range.len() + 64);
        let mut at = range.start;
        for splice in splices {
            // What lies in a part that is replaced already has no place any more.
            if splice.range.start < at {
                continue;
            }
            out.push_str(&self.text[at..splice.range.start]);
            out.push_str(&splice.text);
            at = splice.range.end;
        }
        out.push_str(&self.text[at..range.end]);
        out
    }

    pub(super) fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |newline| newline + 1)
    }

    /// Where the line ends, before its line break.
    pub(super) fn line_end(&self, at: usize) -> usize {
        self.text[at..].find('\n').map_or(self.text.len(), |newline| at + newline)
    }

    /// Columns count from zero.
    pub(super) fn column(&self, at: usize) -> usize {
        self.text[self.line_start(at)..at].chars().count()
    }

    /// Where the lines end that something takes which ends at `end`: behind the line break and a comment before it. A block
    /// scalar ends where the next line begins.
    pub(super) fn lines_end(&self, end: usize) -> usize {
        if end > 0 && self.text.as_bytes().get(end - 1) == Some(&b'\n') {
            return end;
        }
        (self.line_end(end) + 1).min(self.text.len())
    }

    /// The first byte from `at` on that is neither white space nor in a comment.
    pub(super) fn skip_space(&self, mut at: usize) -> usize {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
                Some(b'#') if at == 0 || bytes[at - 1].is_ascii_whitespace() => at = self.line_end(at),
                _ => return at,
            }
        }
    }

    /// Where the dash of an item of a block list stands; the item before it ends at `from`.
    pub(super) fn dash(&self, from: usize, item: &Item) -> Option<usize> {
        let start = item.span().start as usize;
        if from == 0 {
            // The first item: nothing but space and comments lies between the dash and it.
            return self.dash_before(start);
        }
        let at = self.skip_space(from);
        (self.text.as_bytes().get(at) == Some(&b'-')).then_some(at).or_else(|| self.dash_before(start))
    }

    fn dash_before(&self, start: usize) -> Option<usize> {
        let mut line = self.line_start(start);
        let mut end = start;
        loop {
            let before = &self.text[line..end];
            // A comment behind the dash may have dashes of its own.
            let code = before.find(" #").map_or(before, |comment| &before[..comment]);
            let is_comment = before.trim_start().starts_with('#');
            if !is_comment && let Some(dash) = code.rfind('-') {
                return Some(line + dash);
            }
            if line == 0 {
                return None;
            }
            end = line - 1;
            line = self.line_start(end);
        }
    }

    /// Where the first node begins behind comments, directives of YAML and the document's mark.
    pub(super) fn head(&self, root: &Node) -> usize {
        let start = match root.content() {
            Content::Map(map) => map.entries().iter().find(|entry| !entry.merged).map(|entry| entry.key_span.start),
            Content::List(items) => items.first().and_then(|item| self.dash(0, item)).and_then(|at| at.try_into().ok()),
            Content::Scalar(_) => None,
        };
        let start = root.span().start.min(start.unwrap_or(root.span().start)) as usize;
        self.line_start(start)
    }
}
