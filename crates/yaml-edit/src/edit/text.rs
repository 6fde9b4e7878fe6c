//! The edited source: its lines and its style.

use std::ops::Range;

use crate::tree::{Content, Entry, Item, Node};
use hieratic_json as json;
use hieratic_value::ErasedSort as _;

/// A part of the text that is replaced.
#[derive(Clone, Debug)]
pub(super) struct Splice {
    pub range: Range<usize>,
    pub text: String,
}

/// The source of a document, with its style.
pub(super) struct SourceStyle<'t> {
    pub text: &'t str,
    /// Whether it is JSON, and has to stay JSON.
    pub json: bool,
    /// The indentation of a nested map, in columns.
    pub step: usize,
    /// The column of the dashes of a list relative to the key above.
    pub dash_indent: usize,
    /// Whether lines end with another character than a line feed, with or without a carriage return.
    odd_breaks: bool,
}

/// The characters that end a comment, and are whitespace between the parts of a document.
const BREAKS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// The characters that begin a new line, whose columns count from zero.
const LINES: [char; 2] = ['\n', '\r'];

impl<'t> SourceStyle<'t> {
    pub(super) fn new(text: &'t str, root: &Node) -> SourceStyle<'t> {
        let json = root.is_flow() && json::parse(text.as_bytes()).is_ok();
        let mut new = SourceStyle { text, json, step: 2, dash_indent: 0, odd_breaks: has_odd_breaks(text) };
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
                        let column = self.column(entry.key_span.first());
                        let below = entry.node();
                        if below.is_flow() {
                            continue;
                        }
                        let first = match below.content() {
                            Content::Map(inner) => inner.entries().first().filter(|entry| !entry.merged),
                            _ => None,
                        };
                        if let Some(first) = first {
                            step = Some(self.column(first.key_span.first()).saturating_sub(column));
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
        splices.sort_erased_by_key(|splice| (splice.range.start, splice.range.end));
        let mut out = String::with_capacity(range.len() + 64);
        let mut at = range.start;
        for splice in splices {
            // Edits within a replaced part are dropped.
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
        let before = &self.text[..at];
        if !self.odd_breaks {
            return before.rfind('\n').map_or(0, |newline| newline + 1);
        }
        let last = before.char_indices().rfind(|(_, c)| LINES.contains(c));
        last.map_or(0, |(newline, c)| newline + c.len_utf8())
    }

    /// The end of the line, before its line break.
    pub(super) fn line_end(&self, at: usize) -> usize {
        let after = &self.text[at..];
        let length = if self.odd_breaks {
            after.find(LINES)
        } else {
            after.find('\n').map(|end| if after[..end].ends_with('\r') { end - 1 } else { end })
        };
        length.map_or(self.text.len(), |length| at + length)
    }

    /// The beginning of the next line.
    pub(super) fn next_line(&self, at: usize) -> usize {
        let end = self.line_end(at);
        let after = &self.text[end..];
        match after.strip_prefix("\r\n") {
            Some(_) => end + 2,
            None => end + after.chars().next().map_or(0, char::len_utf8),
        }
    }

    /// Returns whether the offset is the beginning of a line that is not the first.
    pub(super) fn is_behind_break(&self, at: usize) -> bool {
        self.text[..at].ends_with(LINES)
    }

    /// Columns count from zero, and do not count a byte order mark at the beginning of the text.
    pub(super) fn column(&self, at: usize) -> usize {
        let line = self.line_start(at);
        let before = &self.text[line..at];
        before.strip_prefix('\u{feff}').filter(|_| line == 0).unwrap_or(before).chars().count()
    }

    /// The end of the lines of a node that ends at `end`: after the line break and a comment before it. A block scalar
    /// ends at the beginning of the next line.
    pub(super) fn lines_end(&self, end: usize) -> usize {
        if self.is_behind_break(end) { end } else { self.next_line(end) }
    }

    /// The end of the last line, before its line break, of a node that ends at `end`.
    pub(super) fn last_line_end(&self, end: usize) -> usize {
        if !self.is_behind_break(end) {
            return self.line_end(end);
        }
        let before = &self.text[..end];
        let line = before.strip_suffix("\r\n").or_else(|| before.strip_suffix(LINES));
        line.map_or(end, str::len)
    }

    /// The first byte from `at` on that is neither whitespace nor in a comment.
    pub(super) fn skip_space(&self, mut at: usize) -> usize {
        loop {
            let rest = &self.text[at..];
            at += rest.len() - rest.trim_start_matches([' ', '\t']).trim_start_matches(BREAKS).len();
            let is_comment = rest.len() == self.text.len() - at
                && rest.starts_with('#')
                && (at == 0 || self.text[..at].ends_with([' ', '\t']) || self.is_behind_break(at));
            if is_comment {
                at += rest.find(BREAKS).unwrap_or(rest.len());
            } else if rest.len() == self.text.len() - at {
                return at;
            }
        }
    }

    /// The end of the last code before `at`: the byte after the last one that is neither whitespace nor in a comment.
    /// Comments are recognized on separate lines and after a blank.
    fn code_before(&self, at: usize) -> usize {
        let mut end = at;
        loop {
            let line = self.line_start(end);
            let before = &self.text[line..end];
            let is_comment = before.trim_start_matches(['\u{feff}', ' ', '\t']).starts_with('#');
            let code = match before.find(" #").into_iter().chain(before.find("\t#")).min() {
                _ if is_comment => "",
                Some(comment) => &before[..comment],
                None => before,
            };
            let code = code.trim_end_matches([' ', '\t', '\r']).len();
            if code > 0 || line == 0 {
                return line + code;
            }
            end = self.text[..line].trim_end_matches(BREAKS).len();
        }
    }

    /// The beginning of a key, with the question mark of an explicit one.
    pub(super) fn key_start(&self, entry: &Entry) -> usize {
        let key = entry.key_span.first();
        let beside = self.text[..key].trim_end_matches([' ', '\t']);
        let is_beside = beside.ends_with('?');
        let code = if is_beside { beside } else { &self.text[..self.code_before(key)] };
        let Some(before) = code.strip_suffix('?').filter(|before| !before.ends_with(|c| !is_indicator_end(c))) else {
            return key;
        };
        // On a line above, it may be a separate empty key: then the next one has its colon next to it.
        let is_above = !is_beside && self.line_start(before.len()) < self.line_start(key);
        let after = self.text[entry.key_span.behind()..].trim_start_matches([' ', '\t']);
        let is_own = is_above && self.column(key) <= self.column(before.len()) && after.starts_with(':');
        if is_own { key } else { before.len() }
    }

    /// The end of the colon after a key, if there is one.
    pub(super) fn colon(&self, entry: &Entry) -> Option<usize> {
        let key = entry.key_span.behind();
        let at = self.skip_space(key);
        let after = self.text[at..].strip_prefix(':')?;
        // On a separate line, it could be the beginning of the next key, `:a`.
        let is_alone = after.is_empty() || after.starts_with([' ', '\t']) || after.starts_with(BREAKS);
        (is_alone || at <= self.line_end(key)).then_some(at + 1)
    }

    /// The end of the colon after a key. Without a colon, the end of the key.
    pub(super) fn colon_end(&self, entry: &Entry) -> usize {
        self.colon(entry).unwrap_or(entry.key_span.behind())
    }

    /// The position of the dash of an item of a block list. The item before it ends at `from`.
    pub(super) fn dash(&self, from: usize, item: &Item) -> Option<usize> {
        if from > 0 {
            let at = self.skip_space(from);
            if self.text[at..].starts_with('-') {
                return Some(at);
            }
        }
        // Only space and comments are between the dash and the item.
        self.text[..self.code_before(item.span().first())].strip_suffix('-').map(str::len)
    }

    /// The beginning of the first node, after comments, directives of YAML and the document's mark.
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

/// Returns whether a line ends with another character than a line feed, with or without a carriage return.
fn has_odd_breaks(text: &str) -> bool {
    let carriage_return = |at: usize| text.as_bytes().get(at + 1) != Some(&b'\n');
    text.bytes().enumerate().any(|(at, byte)| byte == b'\r' && carriage_return(at))
}

/// Returns whether a character may be before an indicator such as `?`.
fn is_indicator_end(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{feff}' | '[' | '{' | ',') || BREAKS.contains(&c)
}
