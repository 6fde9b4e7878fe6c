//! Entries of data files: cut out, put in and renamed as bytes, with proof that everything else reads as before.

use std::ops::Range;

use hieratic::{Hash, Value, yaml};
use hieratic_document::edit::{self, Added, Change, MapChange};
use hieratic_document::tree::{self, Content, Node};
use hieratic_document::write::{self, Style};

/// A file of data.
pub(crate) struct File {
    text: String,
    root: Option<Node>,
    values: Hash,
}

/// An entry at the top of a file.
struct Entry {
    /// The position among the entries.
    at: usize,
    /// The lines of its key and value.
    lines: Range<usize>,
    /// The lines of the comment right above.
    comment: Range<usize>,
    /// Whether parts of the value have other names, or are other values.
    is_shared: bool,
}

type Answer<T> = Result<T, String>;

impl File {
    /// Reads a text, and reports what is wrong with it.
    pub(crate) fn read(text: &str) -> Answer<File> {
        let root = tree::parse(text, 0, "").map_err(|error| error.message().to_string())?;
        let is_map = root.as_map().is_some();
        if !is_map && !root.is_null() {
            return Err("it contains no keys".to_owned());
        }
        Ok(File { text: text.to_owned(), root: is_map.then_some(root), values: values(text)? })
    }

    /// Whether it has lines for its entries, and no braces.
    pub(crate) fn is_block(&self) -> bool {
        self.root.as_ref().is_none_or(|root| !root.is_flow())
    }

    fn entry(&self, key: &str) -> Answer<Entry> {
        let missing = || format!("it has no key '{key}'");
        let map = self.root.as_ref().and_then(Node::as_map).ok_or_else(missing)?;
        let at = map.position(&Value::from(key)).ok_or_else(missing)?;
        let entry = map.entries().get(at).filter(|entry| !entry.merged).ok_or_else(missing)?;
        let start = line_start(&self.text, entry.key_span.start as usize);
        let end = (entry.item.span().end as usize).max(entry.key_span.end as usize);
        let inside = self.text.get(start..end).unwrap_or_default().trim_end();
        let lines = start..line_end(&self.text, start + inside.len());
        let comment = comment_above(&self.text, start);
        let is_shared = entry.item.is_alias() || shares(entry.item.node()) || !map.merge_keys().is_empty();
        Ok(Entry { at, lines, comment, is_shared })
    }

    /// The text of an entry, with the comment above it.
    fn chunk(&self, key: &str) -> Answer<String> {
        let entry = self.entry(key)?;
        if !self.is_block() {
            return Err("its keys are in braces, which only have a place in their file".to_owned());
        }
        if entry.is_shared {
            return Err(format!("the value of '{key}' shares something with other values, by an anchor"));
        }
        let mut chunk = self.text[entry.comment].to_owned();
        chunk.push_str(&self.text[entry.lines]);
        if !chunk.ends_with('\n') {
            chunk.push('\n');
        }
        Ok(chunk)
    }

    /// The text without some keys. Comments stay, unless they are taken along.
    pub(crate) fn without(&self, keys: &[&str], with_comments: bool) -> Answer<String> {
        let entries: Vec<Entry> = keys.iter().map(|key| self.entry(key)).collect::<Answer<_>>()?;
        let has_anchors = self.root.as_ref().is_some_and(|root| root.has_anchors());
        let changed = match &self.root {
            Some(root) if !self.is_block() || has_anchors => {
                let removed = entries.iter().map(|entry| entry.at).collect();
                edit::apply(&self.text, root, &Change::Map(MapChange { removed, ..MapChange::default() }))
            }
            _ => {
                let mut cuts: Vec<Range<usize>> = Vec::new();
                for entry in &entries {
                    cuts.push(if with_comments { entry.comment.start..entry.lines.end } else { entry.lines.clone() });
                }
                spliced(&self.text, cuts.into_iter().map(|cut| (cut, String::new())).collect())
            }
        };
        let mut expected = self.values.clone().into_map();
        for key in keys {
            expected.shift_remove(&Value::from(*key));
        }
        proved(changed, &Hash::from(expected))
    }

    /// The text with the texts of entries of another file behind all others.
    pub(crate) fn with(&self, keys: &[&str], other: &File) -> Answer<String> {
        if let Some(key) = keys.iter().find(|key| self.values.contains(key)) {
            return Err(format!("it already has the key '{key}'"));
        }
        let mut chunks = String::new();
        let mut expected = self.values.clone().into_map();
        for key in keys {
            chunks.push_str(&other.chunk(key)?);
            expected.insert(Value::from(*key), other.value(key)?);
        }
        if !self.is_block() {
            return Err("its keys are in braces, where lines have no place".to_owned());
        }
        let breaks = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut changed = self.text.clone();
        if !changed.is_empty() && !changed.ends_with('\n') {
            changed.push_str(breaks);
        }
        changed.push_str(&chunks.replace("\r\n", "\n").replace('\n', breaks));
        proved(changed, &Hash::from(expected))
    }

    /// The text with one more entry behind all others, written as the text is.
    pub(crate) fn with_value(&self, key: &str, value: Value) -> Answer<String> {
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
            return proved(format!("{}{breaks}{entry}", self.text), &Hash::from(expected));
        };
        let last = root.as_map().and_then(|map| map.entries().len().checked_sub(1));
        let added = vec![Added { after: last, key: Value::from(key), value }];
        let changed = edit::apply(&self.text, root, &Change::Map(MapChange { added, ..MapChange::default() }));
        proved(changed, &Hash::from(expected))
    }

    /// The keys, without `lookup_options`.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.values.keys().filter_map(Value::as_str).filter(|key| *key != "lookup_options")
    }

    /// The value of a key.
    pub(crate) fn value(&self, key: &str) -> Answer<Value> {
        self.values.get(key).cloned().ok_or_else(|| format!("it has no key '{key}'"))
    }

    /// Where a key is written; the path leads into hashes.
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
        places.sort_by_key(|place| place.start);
        places
    }
}

/// Whether JSON can say a value.
pub(crate) fn is_plain(value: &Value) -> bool {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::String(_) => true,
        Value::Float(float) => float.is_finite(),
        Value::Array(elements) => elements.iter().all(is_plain),
        Value::Hash(hash) => hash.iter().all(|(key, value)| key.as_str().is_some() && is_plain(value)),
        _ => false,
    }
}

/// A text with parts replaced, which are apart from each other.
pub(crate) fn spliced(text: &str, mut splices: Vec<(Range<usize>, String)>) -> String {
    splices.sort_by_key(|(range, _)| range.start);
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
pub(crate) fn proved(changed: String, expected: &Hash) -> Answer<String> {
    match Value::from(values(&changed)?) == Value::from(expected.clone()) {
        true => Ok(changed),
        false => Err("it is written in a way that cannot be changed without touching more".to_owned()),
    }
}

/// The keys and values of a text, as Ruby reads them.
pub(crate) fn values(text: &str) -> Answer<Hash> {
    let options = yaml::Options { symbols: true, regexps: false, file: "" };
    match yaml::parse(text.as_bytes(), &options).map_err(|error| error.message().to_string())? {
        Value::Hash(hash) => Ok(hash),
        Value::Undef | Value::Boolean(false) => Ok(Hash::default()),
        _ => Err("it contains no keys".to_owned()),
    }
}

/// A key as it is written in place of another one, in the same kind of quotes.
pub(crate) fn key_like(old: &str, new: &str) -> String {
    match old.chars().next() {
        Some('"') => format!("\"{}\"", new.replace('\\', "\\\\").replace('"', "\\\"")),
        Some('\'') => format!("'{}'", new.replace('\'', "''")),
        _ => write::key(&Value::from(new), &Style::Block { indent: 0, step: 2, dash_indent: 0 }),
    }
}

/// Whether a node or something in it has an anchor or is an alias.
fn shares(node: &Node) -> bool {
    node.anchor().is_some()
        || match node.content() {
            Content::Scalar(_) => false,
            Content::List(items) => items.iter().any(|item| item.is_alias() || shares(item.node())),
            Content::Map(map) => {
                !map.merge_keys().is_empty()
                    || map.entries().iter().any(|entry| entry.item.is_alias() || shares(entry.node()))
            }
        }
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|behind| behind.find('\n')).map_or(text.len(), |end| at + end + 1)
}

/// The comment that ends where a line begins. One at the head of the file is about the file.
fn comment_above(text: &str, start: usize) -> Range<usize> {
    let mut begin = start;
    while begin > 0 {
        let above = line_start(text, begin - 1);
        if !text[above..begin].trim_start().starts_with('#') {
            break;
        }
        begin = above;
    }
    let head = text[..begin].trim();
    if head.is_empty() || head == "---" { start..start } else { begin..start }
}
