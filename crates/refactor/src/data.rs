//! Removes, inserts and renames entries of data files as bytes, with a check that everything else is unchanged.

use std::collections::HashSet;
use std::ops::Range;

use hieratic::value::ErasedSort as _;
use hieratic::yaml_edit::tree::{self, Content, Item, Node, Reading};
use hieratic::yaml_edit::write::{self, Style};
use hieratic::yaml_edit::{self as edit, Added, Change, MapChange};
use hieratic::{Hash, Value, yaml};

/// A file of data.
pub(crate) struct DataFile {
    text: String,
    root: Option<Node>,
    values: Hash,
}

/// An entry at the top of a file.
struct Entry {
    /// The position among the entries.
    at: usize,
    /// The lines of its key and value, with the comments below it that are indented further than the key.
    lines: Range<usize>,
    /// The lines of the comment right above.
    comment: Range<usize>,
}

type EditResult<T> = Result<T, String>;

impl DataFile {
    /// Parses a data file.
    pub(crate) fn read(text: &str) -> EditResult<DataFile> {
        let root = tree::parse_as(text, 0, "", Reading::Ruby).map_err(|error| error.message().to_string())?;
        let is_map = root.as_map().is_some();
        if !is_map && !root.is_null() {
            return Err("it contains no keys".to_owned());
        }
        Ok(DataFile { text: text.to_owned(), root: is_map.then_some(root), values: values(text)? })
    }

    /// Returns whether the entries have separate lines, without braces.
    pub(crate) fn is_block(&self) -> bool {
        self.root.as_ref().is_none_or(|root| !root.is_flow())
    }

    /// An entry as the tree has it, and its position.
    fn node(&self, key: &str) -> EditResult<(usize, &tree::Entry)> {
        let missing = || format!("it has no key '{key}'");
        let map = self.root.as_ref().and_then(Node::as_map).ok_or_else(missing)?;
        let at = map.position(&Value::from(key)).ok_or_else(missing)?;
        let entry = map.entries().get(at).filter(|entry| !entry.merged).ok_or_else(missing)?;
        Ok((at, entry))
    }

    fn entry(&self, key: &str) -> EditResult<Entry> {
        let (at, entry) = self.node(key)?;
        let start = line_start(&self.text, entry.key_span.first());
        let end = entry.item.span().behind().max(entry.key_span.behind());
        let inside = self.text.get(start..end).unwrap_or_default().trim_end();
        let end = line_end(&self.text, start + inside.len());
        let indent = entry.key_span.first() - start;
        let lines = start..comments_below(&self.text, end, indent);
        let comment = comment_above(&self.text, start, indent);
        Ok(Entry { at, lines, comment })
    }

    /// The text of an entry, with the comment above it.
    fn chunk(&self, key: &str) -> EditResult<String> {
        let entry = self.entry(key)?;
        let mut chunk = self.text[entry.comment].to_owned();
        let lines = &self.text[entry.lines.clone()];
        if lines.ends_with('\n') {
            chunk.push_str(lines);
            return Ok(chunk);
        }
        // The line break after a block scalar would become a part of it.
        let header = self.strip_final_break(&self.node(key)?.1.item);
        chunk
            .push_str(&apply_splices(&self.text[..entry.lines.end], header.into_iter().collect())[entry.lines.start..]);
        chunk.push('\n');
        Ok(chunk)
    }

    /// The edit that makes a block scalar at the end of an item end without a line break.
    fn strip_final_break(&self, item: &Item) -> Option<(Range<usize>, String)> {
        let mut item = item;
        loop {
            item = match item.node().content() {
                _ if item.is_alias() || item.node().is_flow() => return None,
                Content::Scalar(_) => break,
                Content::List(items) => items.last()?,
                Content::Map(map) => &map.entries().iter().rfind(|entry| !entry.merged)?.item,
            };
        }
        let span = item.span().range();
        let header = self.text.get(span.clone())?.lines().next()?;
        let marks = header.find(char::is_whitespace).map_or(header, |at| &header[..at]);
        (header.starts_with(['|', '>']) && !marks.contains('-'))
            .then(|| (span.start..span.start + marks.len(), format!("{}-", marks.replace('+', ""))))
    }

    /// The indentation of the keys.
    fn indent(&self) -> Option<usize> {
        let first = self.root.as_ref()?.as_map()?.entries().iter().find(|entry| !entry.merged)?;
        let start = first.key_span.first();
        Some(start - line_start(&self.text, start))
    }

    /// The text without some keys. Comments stay, unless they are taken along.
    pub(crate) fn without(&self, keys: &[&str], with_comments: bool) -> EditResult<String> {
        let entries: Vec<Entry> = keys.iter().map(|key| self.entry(key)).collect::<EditResult<_>>()?;
        let goes: HashSet<&str> = keys.iter().copied().collect();
        let mut expected = self.values.clone().into_map();
        expected.retain(|key, _| !key.as_str().is_some_and(|key| goes.contains(key)));
        let expected = Hash::from(expected);
        if self.is_block() {
            let changed = self.cut(&entries, with_comments, &expected);
            if changed.is_ok() || !self.root.as_ref().is_some_and(Node::has_anchors) {
                return changed;
            }
            // Anchored values that other entries share are moved to those.
            let is_removed = |key: &str| goes.contains(key);
            let changed = self.detached(&is_removed).and_then(|file| {
                let entries: Vec<Entry> = keys.iter().map(|key| file.entry(key)).collect::<EditResult<_>>()?;
                file.cut(&entries, with_comments, &expected)
            });
            match keys {
                _ if changed.is_ok() => return changed,
                // Nothing else takes comments along.
                [key] if with_comments => return Err(shared(key)),
                _ => {}
            }
        }
        let Some(root) = &self.root else { return Ok(self.text.clone()) };
        let removed = entries.iter().map(|entry| entry.at).collect();
        let change = Change::Map(MapChange { removed, ..MapChange::default() });
        verified(edit::apply(&self.text, root, &change), &expected)
    }

    /// The text without the lines of some entries, if it reads as expected.
    fn cut(&self, entries: &[Entry], with_comments: bool, expected: &Hash) -> EditResult<String> {
        let cut = |entry: &Entry| {
            if with_comments {
                (entry.comment.start..entry.lines.end, String::new())
            } else {
                (entry.lines.clone(), String::new())
            }
        };
        verified(apply_splices(&self.text, entries.iter().map(cut).collect()), expected)
    }

    /// Returns the file with every alias of a removed entry in another entry replaced by the value.
    fn detached(&self, is_removed: &dyn Fn(&str) -> bool) -> EditResult<DataFile> {
        let Some(root) = &self.root else { return DataFile::read(&self.text) };
        let entries = root.as_map().into_iter().flat_map(|map| map.entries().iter().enumerate());
        let removed = entries.filter(|(_, entry)| !entry.merged && entry.name().is_some_and(is_removed));
        let removed = removed.map(|(at, _)| at).collect();
        let change = Change::Map(MapChange { removed, ..MapChange::default() });
        DataFile::read(&edit::detached(&self.text, root, &change))
    }

    /// Returns the file with entries of another file appended.
    pub(crate) fn with(&self, keys: &[&str], other: &DataFile) -> EditResult<String> {
        if let Some(key) = keys.iter().find(|key| self.values.contains(key)) {
            return Err(format!("it already has the key '{key}'"));
        }
        if !self.is_block() || !other.is_block() {
            return self.with_values(keys, other);
        }
        let changed = self.with_chunks(keys, other);
        match keys.iter().find(|key| other.node(key).is_ok_and(|(_, entry)| shares(&entry.item))) {
            // Anchored values that the entries share with others are copied.
            Some(key) if changed.is_err() => {
                let alone = other.detached(&|key| !keys.contains(&key))?;
                self.with_chunks(keys, &alone).map_err(|_| shared(key))
            }
            _ => changed,
        }
    }

    /// Appends block entries as lines.
    fn with_chunks(&self, keys: &[&str], other: &DataFile) -> EditResult<String> {
        let mut chunks = String::new();
        let mut expected = self.values.clone().into_map();
        for key in keys {
            chunks.push_str(&other.chunk(key)?);
            expected.insert(Value::from(*key), other.value(key)?);
        }
        let breaks = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let from = other.indent().unwrap_or_default();
        let chunks = indented(&chunks.replace("\r\n", "\n"), from, self.indent().unwrap_or(from)).replace('\n', breaks);
        let expected = Hash::from(expected);
        let at = |place: usize| {
            let (before, after) = self.text.split_at(place);
            let gap = if before.is_empty() || before.ends_with('\n') { "" } else { breaks };
            verified(format!("{before}{gap}{chunks}{after}"), &expected)
        };
        // Nothing can follow a block scalar that ends without a line break, but entries can precede its key.
        at(self.end()).or_else(|error| {
            let last = self.root.as_ref().and_then(|root| root.as_map()?.entries().iter().rfind(|entry| !entry.merged));
            let last = last.and_then(|entry| self.entry(entry.name()?).ok()).ok_or(error)?;
            at(last.comment.start)
        })
    }

    /// The text with the values of another file, where one of the two has braces: their entries have no lines to carry
    /// over.
    fn with_values(&self, keys: &[&str], other: &DataFile) -> EditResult<String> {
        let mut text = self.text.clone();
        for key in keys {
            if other.has_comment(key)? {
                return Err(format!("the comment of '{key}' would be lost between lines and braces"));
            }
            let value = other.value(key)?;
            let file = DataFile::read(&text)?;
            if !file.is_block() && !is_plain(&value) {
                return Err(format!("the value of '{key}' cannot be written as JSON"));
            }
            text = file.with_value(key, value)?;
        }
        Ok(text)
    }

    /// Returns whether an entry has a comment above, in or after it.
    fn has_comment(&self, key: &str) -> EditResult<bool> {
        let (_, node) = self.node(key)?;
        let entry = self.entry(key)?;
        if self.is_block() && !entry.comment.is_empty() {
            return Ok(true);
        }
        // Between scalars, every `#` begins a comment.
        let lines = if self.is_block() {
            entry.lines
        } else {
            node.key_span.first()..line_end(&self.text, node.item.span().behind())
        };
        let mut scalars = vec![node.key_span.range()];
        let mut open = vec![&node.item];
        while let Some(item) = open.pop() {
            match item.node().content() {
                _ if item.is_alias() => {}
                Content::Scalar(_) => {
                    let span = item.span().range();
                    let written = self.text.get(span.clone()).unwrap_or_default();
                    // The first line of a block scalar can have a comment.
                    let header = if written.starts_with(['|', '>']) { written.find('\n').unwrap_or(0) } else { 0 };
                    scalars.push(span.start + header..span.end);
                }
                Content::List(items) => open.extend(items),
                Content::Map(map) => {
                    for entry in map.entries().iter().filter(|entry| !entry.merged) {
                        scalars.push(entry.key_span.range());
                        open.push(&entry.item);
                    }
                }
            }
        }
        // A block scalar includes the blank lines below it.
        let inside = |span: Range<usize>| (span.start.min(lines.end)..span.end.min(lines.end), String::new());
        let rest = apply_splices(&self.text[..lines.end], scalars.into_iter().map(inside).collect());
        Ok(rest[lines.start..].contains('#'))
    }

    /// The end of the first document, which is the only one that counts.
    fn end(&self) -> usize {
        let is_mark = |line: &str, mark: &str| {
            line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
        };
        let last = self.root.as_ref().and_then(|root| root.as_map()?.entries().iter().rfind(|entry| !entry.merged));
        let mut at = last.map_or(0, |entry| entry.item.span().behind().max(entry.key_span.behind()));
        let mut is_begun = last.is_some();
        for line in self.text[at..].split_inclusive('\n') {
            let begins = is_mark(line, "---");
            if is_begun && begins || is_mark(line, "...") {
                return at;
            }
            is_begun |= begins;
            at += line.len();
        }
        at
    }

    /// The text with one more entry after all others, written as the text is.
    pub(crate) fn with_value(&self, key: &str, value: Value) -> EditResult<String> {
        if self.values.contains(key) {
            return Err(format!("it already has the key '{key}'"));
        }
        let mut expected = self.values.clone().into_map();
        expected.insert(Value::from(key), value.clone());
        let Some(root) = &self.root else {
            // A file without keys has no style to follow.
            let breaks = if self.text.is_empty() || self.text.ends_with('\n') { "" } else { "\n" };
            let style = Style::block(0);
            let entry = format!("{}:{}\n", write::key(&Value::from(key), &style), write::after_key(&value, &style));
            return verified(format!("{}{breaks}{entry}", self.text), &Hash::from(expected));
        };
        let last = root.as_map().and_then(|map| map.entries().len().checked_sub(1));
        let added = vec![Added { after: last, key: Value::from(key), value }];
        let changed = edit::apply(&self.text, root, &Change::Map(MapChange { added, ..MapChange::default() }));
        verified(changed, &Hash::from(expected))
    }

    /// The keys, without `lookup_options`.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.values.keys().filter_map(Value::as_str).filter(|key| *key != "lookup_options")
    }

    /// The keys and values, as Ruby reads them.
    pub(crate) fn values(&self) -> &Hash {
        &self.values
    }

    /// The value of a key.
    pub(crate) fn value(&self, key: &str) -> EditResult<Value> {
        self.values.get(key).cloned().ok_or_else(|| format!("it has no key '{key}'"))
    }

    /// The byte range of a key; the path leads into hashes.
    pub(crate) fn key_place(&self, path: &[&str]) -> Option<Range<usize>> {
        let mut node = self.root.as_ref()?;
        let mut place = None;
        for key in path {
            let entry = node.as_map()?.entry(&Value::from(*key)).filter(|entry| !entry.merged)?;
            place = Some(entry.key_span.range());
            node = entry.node();
        }
        place
    }

    /// The places of all strings that are written in the file, keys included.
    pub(crate) fn strings(&self) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        let mut open: Vec<&Node> = self.root.iter().collect();
        while let Some(node) = open.pop() {
            match node.content() {
                Content::Scalar(_) => places.push(node.span().range()),
                Content::List(items) => {
                    open.extend(items.iter().filter(|item| !item.is_alias()).map(|item| item.node()))
                }
                Content::Map(map) => {
                    for entry in map.entries().iter().filter(|entry| !entry.merged) {
                        places.push(entry.key_span.range());
                        if !entry.item.is_alias() {
                            open.push(entry.node());
                        }
                    }
                }
            }
        }
        places.sort_erased_by_key(|place| place.start);
        places
    }
}

/// Lines that are indented in another way.
fn indented(lines: &str, from: usize, to: usize) -> String {
    let line = |line: &str| match (line.trim().is_empty(), to.checked_sub(from)) {
        (true, _) | (_, Some(0)) => line.to_owned(),
        (_, Some(more)) => format!("{}{line}", " ".repeat(more)),
        (_, None) => line.strip_prefix(&" ".repeat(from - to)).unwrap_or(line).to_owned(),
    };
    lines.split_inclusive('\n').map(line).collect()
}

/// A new file of data.
pub(crate) fn empty(is_json: bool) -> &'static str {
    if is_json { "{}\n" } else { "---\n" }
}

/// Returns whether JSON can represent a value.
pub(crate) fn is_plain(value: &Value) -> bool {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::String(_) => true,
        Value::Float(float) => float.is_finite(),
        Value::Array(elements) => elements.iter().all(is_plain),
        Value::Hash(hash) => hash.iter().all(|(key, value)| key.as_str().is_some() && is_plain(value)),
        _ => false,
    }
}

/// Replaces disjoint ranges of the text.
pub(crate) fn apply_splices(text: &str, mut splices: Vec<(Range<usize>, String)>) -> String {
    splices.sort_erased_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (range, new) in splices {
        if range.start < done {
            continue;
        }
        out.push_str(&text[done..range.start]);
        out.push_str(&new);
        done = range.end;
    }
    out.push_str(&text[done..]);
    out
}

/// A changed text, if it reads as it should.
pub(crate) fn verified(changed: String, expected: &Hash) -> EditResult<String> {
    if Value::from(values(&changed)?) == Value::from(expected.clone()) {
        Ok(changed)
    } else {
        Err("editing it would change other values".to_owned())
    }
}

/// Parses a data file as Ruby does.
pub(crate) fn values(text: &str) -> EditResult<Hash> {
    let options = yaml::Options { symbols: true, regexps: false, file: "" };
    match yaml::parse(text.as_bytes(), &options).map_err(|error| error.message().to_string())? {
        Value::Hash(hash) => Ok(hash),
        Value::Undef | Value::Boolean(false) => Ok(Hash::default()),
        _ => Err("it contains no keys".to_owned()),
    }
}

/// The notation of a key that replaces another one, in the same kind of quotes.
pub(crate) fn key_like(old: &str, new: &str) -> String {
    match old.chars().next() {
        Some('"') => format!("\"{}\"", new.replace('\\', "\\\\").replace('"', "\\\"")),
        Some('\'') => format!("'{}'", new.replace('\'', "''")),
        _ => write::key(&Value::from(new), &Style::Block { indent: 0, step: 2, dash_indent: 0 }),
    }
}

fn shared(key: &str) -> String {
    format!("the value of '{key}' shares something with other values, by an anchor")
}

/// Returns whether an item is an alias, or contains an anchor or an alias.
fn shares(item: &Item) -> bool {
    let mut open = vec![item];
    while let Some(item) = open.pop() {
        if item.is_alias() || item.node().anchor().is_some() {
            return true;
        }
        match item.node().content() {
            Content::Scalar(_) => {}
            Content::List(items) => open.extend(items),
            Content::Map(map) if map.entries().iter().any(|entry| entry.merged) => return true,
            Content::Map(map) => open.extend(map.entries().iter().map(|entry| &entry.item)),
        }
    }
    false
}

/// The mark of the order of bytes, which belongs to no line.
const MARK: char = '\u{feff}';

/// The offset of the first line.
fn first_line(text: &str) -> usize {
    if text.starts_with(MARK) { MARK.len_utf8() } else { 0 }
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(first_line(text), |end| end + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|after| after.find('\n')).map_or(text.len(), |end| at + end + 1)
}

/// The comment that ends where a line begins, as far as it is indented as the line is. One at the head of the file is
/// about the file.
fn comment_above(text: &str, start: usize, indent: usize) -> Range<usize> {
    let mut begin = start;
    while begin > first_line(text) {
        let above = line_start(text, begin - 1);
        if comment_indent(&text[above..begin]) != Some(indent) {
            break;
        }
        begin = above;
    }
    let head = text[..begin].trim_start_matches(MARK).lines().rfind(|line| !line.trim().is_empty());
    if head.is_none_or(|line| line.starts_with("---")) { start..start } else { begin..start }
}

/// The end of the comments below a value that are indented further than its key, as commented-out elements are.
fn comments_below(text: &str, end: usize, indent: usize) -> usize {
    let (mut done, mut at) = (end, end);
    for line in text[end..].split_inclusive('\n') {
        at += line.len();
        match comment_indent(line) {
            Some(own) if own > indent => done = at,
            None if line.trim().is_empty() => {}
            _ => break,
        }
    }
    done
}

/// The indentation of a line that is only a comment; `None` for other lines.
fn comment_indent(line: &str) -> Option<usize> {
    let rest = line.trim_start();
    rest.starts_with('#').then(|| line.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_stays_in_place() {
        let file = DataFile::read("\u{feff}a: 1\n").unwrap();
        assert_eq!(file.without(&["a"], true).as_deref(), Ok("\u{feff}"));
        let target = DataFile::read("\u{feff}# head\nb: 1\n").unwrap();
        assert_eq!(target.with(&["a"], &file).as_deref(), Ok("\u{feff}# head\nb: 1\na: 1\n"));
        // As in Ruby, the mark is a column: keys that are less indented than the first are in no document that counts.
        let hidden = DataFile::read("\u{feff}a: 1\nb: 1\n").unwrap();
        assert_eq!(hidden.keys().collect::<Vec<_>>(), ["a"]);
        assert!(hidden.without(&["a"], true).is_err());
    }
}
