//! Builds the tree from the events of a YAML stream, with a stack of the open collections and without recursion.

use std::sync::Arc;

use hieratic_source::Span;
use hieratic_value::Value;
use hieratic_value::collections::{HashMap, HashSet};

use super::node::{Content, Entry, Item, Map, MergeKey, Node, NodeSource};
use crate::resolve12;
use crate::yaml12::Yaml12Parser;
use hieratic_json::Error;
use hieratic_source::Position;
use hieratic_yaml::events::{Event, Events, Kind, Marks, Problem, Scalar};
use hieratic_yaml::{MAX_ALIASED, MAX_DEPTH};

/// The dialect of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// YAML 1.2 as parsed by the round-trip parser of ruamel.yaml; see [`resolve12`](mod@crate::resolve12).
    #[default]
    Core,
    /// YAML 1.1 as Ruby reads the data files of Puppet; see [`yaml`](hieratic_yaml). Only the first document is parsed.
    /// The last of duplicate keys overrides the others.
    Ruby,
}

/// Parses a source of one document by the rules of [`Reading::Core`]. An empty source is null.
///
/// # Errors
/// As [`parse_as`].
pub fn parse(text: &str, source: u32, name: &str) -> Result<Node, Error> {
    parse_as(text, source, name, Reading::Core)
}

/// Parses a document by the rules of a dialect.
///
/// `source` is an id for the caller ([`Node::source`]), `name` the name of the source in messages.
///
/// # Errors
/// There are syntax errors, a second document, duplicate keys, a vault value, or values beyond the limits of
/// [`yaml`](hieratic_yaml). The messages are the reference's.
pub fn parse_as(text: &str, source: u32, name: &str, reading: Reading) -> Result<Node, Error> {
    parse_with(text, source, name, reading, None)
}

/// Decrypts a vault value from the tag and the text of a scalar, or returns the error.
pub type Decrypt<'d> = &'d dyn Fn(&str, &str) -> Result<Value, String>;

/// Like [`parse_as`], but decrypts vault values: those with the tags `!vault`, `!vault-json` and `!vault-binary`.
pub fn parse_with(
    text: &str,
    source: u32,
    name: &str,
    reading: Reading,
    decrypt: Option<Decrypt<'_>>,
) -> Result<Node, Error> {
    let text_without_mark = text.strip_prefix('\u{feff}').unwrap_or(text);
    let skipped = text.len() - text_without_mark.len();
    let mut builder = Builder::new(text, source, name, skipped, reading);
    builder.decrypt = decrypt;
    match reading {
        Reading::Core => {
            let mut events = Yaml12Parser::new(text_without_mark, name)?;
            loop {
                let event = events.next().map_err(|error| error.error(name))?;
                builder.is_yaml11 = events.is_yaml11();
                match event.kind {
                    Kind::StreamEnd => break,
                    Kind::DocumentStart => builder.document(event.at)?,
                    Kind::DocumentEnd | Kind::Other => {}
                    _ => builder.event(event)?,
                }
            }
        }
        Reading::Ruby => {
            let mut events = Events::new(text_without_mark.as_bytes());
            loop {
                let event = events.next().map_err(|problem| builder.syntax_error(&problem))?;
                match event.kind {
                    // Only the first document counts.
                    Kind::StreamEnd | Kind::DocumentEnd => break,
                    Kind::DocumentStart | Kind::Other => {}
                    _ => builder.event(event)?,
                }
            }
        }
    }
    Ok(builder.finish())
}

struct Builder<'t> {
    text: &'t str,
    /// Bytes before the text, which its spans do not count.
    skipped: u32,
    source: u32,
    name: &'t str,
    reading: Reading,
    /// The vault that decrypts values, if a password is known.
    decrypt: Option<Decrypt<'t>>,
    /// Whether the document has the directive `%YAML 1.1`.
    is_yaml11: bool,
    open: Vec<Open>,
    done: Option<Item>,
    documents: usize,
    first_document: Position,
    anchors: HashMap<Box<str>, Node>,
    /// An interner of keys.
    keys: HashSet<Arc<str>>,
}

/// A collection whose end has not come.
struct Open {
    anchor: Option<Box<str>>,
    start: u32,
    at: Position,
    flow: bool,
    kind: OpenKind,
}

enum OpenKind {
    List(Vec<Item>),
    Map(OpenMap),
}

struct OpenMap {
    entries: Vec<Entry>,
    seen: MergedKeys,
    key: Option<(Node, Span, Position)>,
    merges: Vec<MergeKey>,
}

/// The keys of a map so far; a short map is searched from end to end.
#[derive(Default)]
struct MergedKeys(HashMap<Value, usize>);

impl MergedKeys {
    /// The entry that has a key already; otherwise the key counts as that of the next entry.
    fn find_or_add(&mut self, key: &Value, entries: &[Entry]) -> Option<usize> {
        const SHORT: usize = 12;
        if entries.len() < SHORT {
            return entries.iter().position(|entry| entry.key == *key);
        }
        if self.0.is_empty() {
            self.0.extend(entries.iter().enumerate().map(|(at, entry)| (entry.key.clone(), at)));
        }
        match self.0.entry(key.clone()) {
            std::collections::hash_map::Entry::Occupied(first) => Some(*first.get()),
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(entries.len());
                None
            }
        }
    }
}

impl<'t> Builder<'t> {
    fn new(text: &'t str, source: u32, name: &'t str, skipped: usize, reading: Reading) -> Builder<'t> {
        Builder {
            text,
            skipped: u32::try_from(skipped).unwrap_or(0),
            source,
            name,
            reading,
            decrypt: None,
            is_yaml11: false,
            open: Vec::new(),
            done: None,
            documents: 0,
            first_document: Position::START,
            anchors: HashMap::default(),
            keys: HashSet::default(),
        }
    }

    fn document(&mut self, at: Position) -> Result<(), Error> {
        self.documents += 1;
        if self.documents == 1 {
            self.first_document = at;
            return Ok(());
        }
        let Position { line, column } = self.first_document;
        let message = format!(
            "expected a single document in the stream\n  in \"{0}\", line {line}, column {column}\n\
             but found another document\n  in \"{0}\", line {1}, column {2}",
            self.name, at.line, at.column
        );
        Err(Error::new(message).at(at).with_hint("put each document in a separate file"))
    }

    fn event(&mut self, event: Event<'_>) -> Result<(), Error> {
        let span = self.span(event.extent);
        match event.kind {
            Kind::Scalar(scalar) => self.scalar(scalar, span, event.at),
            Kind::Alias(name) => {
                let Some(node) = self.anchors.get(&*name).cloned() else {
                    let Position { line, column } = event.at;
                    let message =
                        format!("found undefined alias '{name}'\n  in \"{}\", line {line}, column {column}", self.name);
                    let hint = format!("define the anchor `&{name}` before the alias");
                    return Err(Error::new(message).at(event.at).with_hint(hint));
                };
                self.put(Item::alias(node, span), event.at)
            }
            Kind::SequenceStart(marks) => self.open(&marks, span, event.at, OpenKind::List(Vec::new())),
            Kind::MappingStart(marks) => {
                let map = OpenMap { entries: Vec::new(), seen: MergedKeys::default(), key: None, merges: Vec::new() };
                self.open(&marks, span, event.at, OpenKind::Map(map))
            }
            Kind::SequenceEnd | Kind::MappingEnd => self.close(span),
            _ => Ok(()),
        }
    }

    fn scalar(&mut self, scalar: Scalar<'_>, span: Span, at: Position) -> Result<(), Error> {
        let value = match self.reading {
            Reading::Core => match self.decrypted(&scalar, span, at)? {
                Some(content) => return self.put_scalar(content, &scalar, span, at),
                None => self.core_scalar(&scalar, at)?,
            },
            Reading::Ruby => match hieratic_yaml::scalar_of(scalar.marks.tag.as_deref(), &scalar.text, scalar.quoted) {
                Ok(Some(value)) => value,
                Ok(None) => self.text(&scalar.text),
                Err(error) => return Err(error.at(at)),
            },
        };
        self.put_scalar(Content::Scalar(value), &scalar, span, at)
    }

    fn put_scalar(&mut self, content: Content, scalar: &Scalar<'_>, span: Span, at: Position) -> Result<(), Error> {
        let anchor = scalar.marks.anchor.as_deref().map(Box::from);
        let written = NodeSource { anchor, source: self.source, span, flow: false, plain: scalar.plain };
        let node = Node::written(content, written);
        self.remember(&node);
        self.put(Item::new(node), at)
    }

    /// The value of a scalar that a vault encrypted. Returns `None` for other scalars, or if no password is known.
    fn decrypted(&self, scalar: &Scalar<'_>, span: Span, at: Position) -> Result<Option<Content>, Error> {
        let tag = scalar.marks.tag.as_deref().filter(|tag| ["!vault", "!vault-json", "!vault-binary"].contains(tag));
        let Some((decrypt, tag)) = self.decrypt.zip(tag) else { return Ok(None) };
        let value = decrypt(tag, &scalar.text).map_err(|reason| {
            Error::new(format!("({}): a {tag} value cannot be decrypted: {reason}", self.name)).at(at)
        })?;
        Ok(Some(self.with_span(&value, span).content().clone()))
    }

    /// A value all of which counts as written at one place.
    fn with_span(&self, value: &Value, span: Span) -> Node {
        let content = match value {
            Value::Array(elements) => {
                Content::List(elements.iter().map(|element| Item::new(self.with_span(element, span))).collect())
            }
            Value::Hash(hash) => {
                let entries = hash.iter().map(|(key, value)| Entry {
                    key: key.clone(),
                    key_span: span,
                    item: Item::new(self.with_span(value, span)),
                    merged: false,
                });
                Content::Map(Map::new(entries.collect()))
            }
            scalar => Content::Scalar(scalar.clone()),
        };
        let written = NodeSource { anchor: None, source: self.source, span, flow: false, plain: false };
        Node::written(content, written)
    }

    fn core_scalar(&mut self, scalar: &Scalar<'_>, at: Position) -> Result<Value, Error> {
        Ok(match scalar.marks.tag.as_deref() {
            None | Some("") if !scalar.plain => self.text(&scalar.text),
            None | Some("" | "!") => {
                let meaning = if self.is_yaml11 {
                    resolve12::resolve11::plain_scalar(&scalar.text)
                } else {
                    resolve12::plain_scalar(&scalar.text)
                };
                match meaning {
                    Value::String(_) => self.text(&scalar.text),
                    other => other,
                }
            }
            Some(tag) if tag.starts_with("!vault") => {
                let Position { line, column } = at;
                let message = format!(
                    "found {tag} but no vault password provided\n  in \"{}\", line {line}, column {column}",
                    self.name
                );
                return Err(Error::new(message).at(at).with_hint("pass --vault-password-file FILE"));
            }
            Some(tag) => resolve12::tagged_scalar(tag, &scalar.text, !scalar.plain),
        })
    }

    fn open(&mut self, marks: &Marks<'_>, span: Span, at: Position, kind: OpenKind) -> Result<(), Error> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Error::new(format!("({}): more than {MAX_DEPTH} levels are nested", self.name)).at(at));
        }
        let anchor = marks.anchor.as_deref().map(Box::from);
        self.open.push(Open { anchor, start: span.start, at, flow: marks.flow, kind });
        Ok(())
    }

    fn close(&mut self, end: Span) -> Result<(), Error> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let (content, last) = match open.kind {
            OpenKind::List(items) => {
                let last = items.last().map_or(open.start, |item| item.span().end);
                (Content::List(items), last)
            }
            OpenKind::Map(map) => {
                let last = map.entries.last().map(|entry| entry.key_span.end.max(entry.item.span().end));
                let last = last.max(map.merges.iter().map(|merge| merge.span.end).max()).unwrap_or(open.start);
                let map = match self.reading {
                    Reading::Core => finish_map(map),
                    // The entries from merge keys are already there.
                    Reading::Ruby => Map::new(map.entries).with_merge_keys(map.merges),
                };
                (Content::Map(map), last)
            }
        };
        // A block ends for libyaml where the next token begins, far after what belongs to it.
        // The same holds for a map without braces in a list, `[a: 1 ]`.
        let has_bracket = self.text.get(..end.end as usize).is_some_and(|text| text.ends_with(['}', ']']));
        let end = if open.flow && has_bracket { end.end } else { last };
        let span = Span { start: open.start, end };
        let written = NodeSource { anchor: open.anchor, source: self.source, span, flow: open.flow, plain: false };
        let node = Node::written(content, written);
        if node.size() > MAX_ALIASED {
            let message = format!("({}): the aliases expand to more than {MAX_ALIASED} values", self.name);
            return Err(Error::new(message).at(open.at));
        }
        self.remember(&node);
        self.put(Item::new(node), open.at)
    }

    fn remember(&mut self, node: &Node) {
        if let Some(anchor) = node.anchor() {
            self.anchors.insert(anchor.into(), node.clone());
        }
    }

    /// Puts a value that is done where it belongs.
    fn put(&mut self, item: Item, at: Position) -> Result<(), Error> {
        let Some(open) = self.open.last_mut() else {
            self.done = Some(item);
            return Ok(());
        };
        let map = match &mut open.kind {
            OpenKind::List(items) => {
                items.push(item);
                return Ok(());
            }
            OpenKind::Map(map) => map,
        };
        let Some((key, key_span, key_at)) = map.key.take() else {
            let span = item.span();
            map.key = Some((item.into_node(), span, at));
            return Ok(());
        };
        let item = if item.span().start == item.span().end { beside_key(self.text, item, key_span) } else { item };
        // Only without quotes is it a merge key; for Ruby, quotes make no difference.
        let is_merge = (key.is_plain() || self.reading == Reading::Ruby) && key.as_str() == Some("<<");
        let key = key.to_value();
        if is_merge && is_mergeable(&item) {
            let merge = MergeKey { span: Span { start: key_span.start, end: item.span().end }, item };
            if self.reading == Reading::Ruby {
                merge_as_ruby(map, &merge);
            }
            map.merges.push(merge);
            return Ok(());
        }
        if let Some(first) = map.seen.find_or_add(&key, &map.entries) {
            if self.reading == Reading::Ruby {
                if let Some(entry) = map.entries.get_mut(first) {
                    *entry = Entry { key, key_span, item, merged: false };
                }
                return Ok(());
            }
            let original = map.entries.get(first).map(|entry| entry.node().to_value()).unwrap_or_default();
            return Err(duplicate_key(self.name, &key, item.node(), &original, open.at, key_at));
        }
        map.entries.push(Entry { key, key_span, item, merged: false });
        Ok(())
    }

    fn text(&mut self, text: &str) -> Value {
        // Keys are short; long text is hardly ever there twice.
        if text.len() > 40 {
            return Value::from(text);
        }
        if let Some(known) = self.keys.get(text) {
            return Value::String(known.clone());
        }
        let new: Arc<str> = text.into();
        self.keys.insert(new.clone());
        Value::String(new)
    }

    fn span(&self, (start, end): (u64, u64)) -> Span {
        let byte = |byte| u32::try_from(byte).unwrap_or(u32::MAX).saturating_add(self.skipped);
        Span { start: byte(start), end: byte(end) }
    }

    fn syntax_error(&self, problem: &Problem) -> Error {
        let Problem { text, reported, at, .. } = problem;
        Error::new(format!("{text}\n  in \"{}\", line {}, column {}", self.name, reported.line, reported.column))
            .at(*at)
    }

    fn finish(self) -> Node {
        match self.done {
            Some(item) => item.into_node(),
            None => Node::written(
                Content::Scalar(Value::Undef),
                NodeSource { anchor: None, source: self.source, span: Span::default(), flow: false, plain: true },
            ),
        }
    }
}

/// A value of which nothing is written: for libyaml it may stand where the next thing begins.
fn beside_key(text: &str, item: Item, key: Span) -> Item {
    let start = item.span().first();
    if text.get(..start).is_some_and(|before| before.ends_with(':')) {
        return item;
    }
    let between = text.get(key.end as usize..start).unwrap_or_default();
    let mut rest = between.trim_start();
    while let Some(comment) = rest.strip_prefix('#') {
        rest = comment.trim_start_matches(|c| c != '\n').trim_start();
    }
    // The position is after the colon. Without a colon, it is after the key.
    let skipped = if rest.starts_with(':') { between.len() - rest.len() + 1 } else { 0 };
    let end = key.end.saturating_add(u32::try_from(skipped).unwrap_or(0));
    let span = Span { start: end, end };
    let node = item.node();
    let written = NodeSource { anchor: None, source: node.source(), span, flow: false, plain: node.is_plain() };
    Item::new(Node::written(node.content().clone(), written))
}

/// Returns whether the value of a merge key is a map or a list of maps; anything else makes `<<` an ordinary key.
fn is_mergeable(item: &Item) -> bool {
    match item.node().content() {
        Content::Map(_) => true,
        Content::List(items) => items.iter().all(|item| item.node().as_map().is_some()),
        Content::Scalar(_) => false,
    }
}

/// Ruby merges at the position of the merge key: over the keys before it, under those after it.
fn merge_as_ruby(map: &mut OpenMap, merge: &MergeKey) {
    let maps = merge.item.node().as_list().unwrap_or(std::slice::from_ref(&merge.item));
    for entry in maps.iter().rev().filter_map(|map| map.node().as_map()).flat_map(Map::entries) {
        let item = Item::alias(entry.node().clone(), merge.span);
        let new = Entry { key: entry.key.clone(), key_span: merge.span, item, merged: true };
        match map.seen.find_or_add(&entry.key, &map.entries) {
            Some(known) => {
                if let Some(entry) = map.entries.get_mut(known) {
                    *entry = new;
                }
            }
            None => map.entries.push(new),
        }
    }
}

/// Adds the entries from merge keys: keys that the map does not have, those of earlier maps first.
///
/// <https://yaml.org/type/merge.html>
fn finish_map(open: OpenMap) -> Map {
    let OpenMap { mut entries, mut seen, merges, .. } = open;
    for MergeKey { span, item } in &merges {
        let maps = item.node().as_list().unwrap_or(std::slice::from_ref(item));
        for entry in maps.iter().filter_map(|map| map.node().as_map()).flat_map(Map::entries) {
            if seen.find_or_add(&entry.key, &entries).is_none() {
                let item = Item::alias(entry.node().clone(), *span);
                entries.push(Entry { key: entry.key.clone(), key_span: *span, item, merged: true });
            }
        }
    }
    Map::new(entries).with_merge_keys(merges)
}

fn duplicate_key(name: &str, key: &Value, value: &Node, original: &Value, map: Position, at: Position) -> Error {
    let message = format!(
        "while constructing a mapping\n  in \"{name}\", line {}, column {}\n\
         found duplicate key \"{}\" with value \"{}\" (original value: \"{}\")\n  in \"{name}\", line {}, column {}",
        map.line,
        map.column,
        key.to_text(),
        value.to_value().to_text(),
        original.to_text(),
        at.line,
        at.column
    );
    Error::new(message).at(at).with_hint("remove one of the two")
}
