//! Values from the events of a YAML stream.
//!
//! [`build`] runs over the events once, with a stack of the open collections and without recursion. An error of a value
//! is reported at the end of the document, because Ruby parses the whole document first and therefore reports syntax
//! errors before all others.

use std::sync::Arc;

use hieratic_value::Value;
use hieratic_value::collections::HashMap;

use super::conversion_error::ConversionError;
use super::events::{Events, Kind, Marks, Problem, Scalar};
use super::keys::Keys;
use super::scalar::{self, Plain};
use super::tag::{self, Mapping, Sequence};
use super::{MAX_ALIASED, MAX_DEPTH, MAX_TAG_DIRECTIVES, Options, hint};
use hieratic_json::Error;
use hieratic_json::position_sink::{EntryPositions, PositionSink, TrackedHash};
use hieratic_source::Position;

/// Reads the first document of a stream.
pub(super) fn build<T: PositionSink>(source: &[u8], options: &Options) -> Result<(Value, T::Node), Error> {
    check_directives(source, options)?;
    let mut events = Events::new(source);
    let mut builder = Builder::<T>::new(options);
    let mut failed = None;
    loop {
        let event = events.next().map_err(|problem| syntax_error(problem, source, options))?;
        let at = event.at;
        let result = match event.kind {
            Kind::StreamEnd | Kind::DocumentEnd => break,
            Kind::DocumentStart | Kind::Other => Ok(()),
            _ if failed.is_some() => Ok(()),
            Kind::Scalar(scalar) => builder.scalar(at, scalar),
            Kind::SequenceStart(marks) => builder.sequence(at, marks),
            Kind::MappingStart(marks) => builder.mapping(at, marks),
            Kind::SequenceEnd | Kind::MappingEnd => builder.end(),
            Kind::Alias(name) => builder.alias(at, &name),
        };
        if let Err(failure) = result {
            let error = Error::new(failure.message(options.file)).at(at);
            let stops = failure.is_limit();
            let error = match failure.hint() {
                Some(hint) => error.with_hint(hint),
                None => error,
            };
            if stops {
                return Err(error);
            }
            failed = Some(error);
        }
    }
    match failed {
        Some(error) => Err(error),
        None => Ok(builder.finish()),
    }
}

fn syntax_error(problem: Problem, source: &[u8], options: &Options) -> Error {
    let Problem { text, reported, at, .. } = problem;
    let Position { line, column } = reported;
    let error = Error::new(format!("({}): {text} at line {line} column {column}", options.file)).at(at);
    match hint::for_problem(&text, source, at.line) {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

/// Counts the directives before the document, line by line, before libyaml does more with them.
fn check_directives(source: &[u8], options: &Options) -> Result<(), Error> {
    // The last bytes of all line breaks that YAML 1.1 knows; their first bytes and a byte order mark count as space.
    let lines = source.split(|byte| matches!(byte, b'\n' | b'\r' | 0x85 | 0xa8 | 0xa9)).map(|line| {
        let start =
            line.iter().position(|byte| !matches!(byte, b' ' | b'\t' | 0xef | 0xbb | 0xbf | 0xc2 | 0xe2 | 0x80));
        &line[start.unwrap_or(line.len())..]
    });
    let before = lines.take_while(|line| matches!(line, [] | [b'%' | b'#', ..]));
    if before.filter(|line| line.starts_with(b"%TAG")).nth(MAX_TAG_DIRECTIVES).is_some() {
        let message = format!("({}): more than {MAX_TAG_DIRECTIVES} %TAG directives", options.file);
        return Err(Error::new(message).at(Position::START));
    }
    Ok(())
}

/// A value that is done, until the collection around it takes it.
struct Item<T: PositionSink> {
    value: Value,
    node: T::Node,
    origin: ValueOrigin,
    /// Tagged `!!str`; a key so tagged is never a merge key.
    string: bool,
}

/// The kind of node that a value came from.
#[derive(Clone, Copy, PartialEq)]
enum ValueOrigin {
    Scalar,
    Alias,
    Sequence,
    Mapping,
}

/// A collection that is open.
struct Frame {
    kind: FrameKind,
    at: Position,
    anchor: Option<Box<str>>,
    /// Tagged `!!str`.
    string: bool,
    /// The index of its first item on the stack of items.
    base: usize,
    /// The number of values before it.
    values_before: u64,
    /// The depth of its deepest item.
    height: usize,
}

enum FrameKind {
    Sequence(Sequence),
    Mapping(Mapping),
    /// An element of an `!!omap` sequence, of which the first and the last node count.
    OmapEntry,
    /// An exception of this tag.
    Exception(Box<str>),
}

/// The node of an anchor.
enum Anchor<T: PositionSink> {
    /// The collection of this frame, which is still open.
    Open(usize),
    /// A value, of how many values it consists, and how deep it nests.
    Done { value: Value, node: T::Node, values: u64, height: usize },
}

struct Builder<'o, T: PositionSink> {
    options: &'o Options<'o>,
    frames: Vec<Frame>,
    items: Vec<Item<T>>,
    anchors: HashMap<Box<str>, Anchor<T>>,
    keys: Keys,
    /// The number of values, including those of aliases.
    values: u64,
    /// The number of values that come from aliases.
    aliased: u64,
}

impl<'o, T: PositionSink> Builder<'o, T> {
    fn new(options: &'o Options<'o>) -> Self {
        Builder {
            options,
            frames: Vec::new(),
            items: Vec::new(),
            anchors: HashMap::default(),
            keys: Keys::new(),
            values: 0,
            aliased: 0,
        }
    }

    fn finish(mut self) -> (Value, T::Node) {
        match self.items.pop() {
            Some(item) => (item.value, item.node),
            None => (Value::Undef, T::scalar(Position::START)),
        }
    }

    fn scalar(&mut self, at: Position, scalar: Scalar) -> Result<(), ConversionError> {
        self.refuse_omap_entry()?;
        let Scalar { marks, text, quoted, .. } = scalar;
        let plain = match &marks.tag {
            _ if quoted => Plain::Text,
            None => scalar::resolve(&text, self.options.symbols)?,
            Some(tag) if tag == "!ruby/regexp" && self.options.regexps => match super::RubyRegexp::parse(&text) {
                Some(regexp) => Value::from_extended(regexp).into(),
                None => return Err(ConversionError::class("Regexp")),
            },
            Some(tag) => tag::scalar(tag, &text, self.options.symbols)?,
        };
        let value = match plain {
            Plain::Value(value) => value,
            Plain::Text if self.at_key() => Value::String(self.keys.share(&text)),
            Plain::Text => Value::String((*text).into()),
        };
        self.values += 1;
        let node = T::scalar(at);
        if let Some(anchor) = marks.anchor {
            let done = Anchor::Done { value: value.clone(), node: node.clone(), values: 1, height: 0 };
            self.anchors.insert(anchor.into(), done);
        }
        let string = marks.tag.as_deref() == Some(tag::STRING);
        self.items.push(Item { value, node, origin: ValueOrigin::Scalar, string });
        Ok(())
    }

    fn sequence(&mut self, at: Position, marks: Marks) -> Result<(), ConversionError> {
        let kind = match &marks.tag {
            _ if self.in_omap() => FrameKind::OmapEntry,
            None => FrameKind::Sequence(Sequence::Array),
            Some(tag) => FrameKind::Sequence(tag::sequence(tag, self.options.symbols)?),
        };
        self.open(at, kind, marks)
    }

    fn mapping(&mut self, at: Position, marks: Marks) -> Result<(), ConversionError> {
        let kind = match &marks.tag {
            _ if self.in_omap() => FrameKind::OmapEntry,
            None => FrameKind::Mapping(Mapping::Hash),
            Some(tag) => match tag::mapping(tag, self.options.symbols)? {
                Mapping::Exception => FrameKind::Exception((**tag).into()),
                mapping => FrameKind::Mapping(mapping),
            },
        };
        self.open(at, kind, marks)
    }

    fn open(&mut self, at: Position, kind: FrameKind, marks: Marks) -> Result<(), ConversionError> {
        if self.frames.len() >= MAX_DEPTH {
            return Err(too_deep());
        }
        let anchor: Option<Box<str>> = match kind {
            // Ruby never looks at such a node itself.
            FrameKind::OmapEntry => None,
            _ => marks.anchor.map(Into::into),
        };
        if let Some(name) = &anchor {
            self.anchors.insert(name.clone(), Anchor::Open(self.frames.len()));
        }
        let string = marks.tag.as_deref() == Some(tag::STRING);
        let values_before = self.values;
        self.values += 1;
        self.frames.push(Frame { kind, at, anchor, string, base: self.items.len(), values_before, height: 0 });
        Ok(())
    }

    fn end(&mut self) -> Result<(), ConversionError> {
        // libyaml only ends collections that it began.
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        let (value, node, origin) = match frame.kind {
            FrameKind::Sequence(Sequence::Array) => {
                let (value, node) = self.array(&frame);
                (value, node, ValueOrigin::Sequence)
            }
            FrameKind::Sequence(Sequence::Omap) => {
                let (value, node) = self.omap(&frame);
                (value, node, ValueOrigin::Sequence)
            }
            FrameKind::Mapping(Mapping::Hash) => {
                let (value, node) = self.hash(&frame);
                (value, node, ValueOrigin::Mapping)
            }
            FrameKind::Mapping(Mapping::String) => {
                let (value, node) = self.string(&frame)?;
                (value, node, ValueOrigin::Mapping)
            }
            FrameKind::Mapping(_) => {
                let (value, node) = self.elements(&frame)?;
                (value, node, ValueOrigin::Mapping)
            }
            FrameKind::Exception(tag) => return Err(tag::exception(&tag, self.options.symbols)),
            FrameKind::OmapEntry => return self.omap_entry(&frame),
        };
        let height = frame.height + 1;
        self.grow(height);
        if let Some(name) = frame.anchor {
            let values = self.values - frame.values_before;
            let done = Anchor::Done { value: value.clone(), node: node.clone(), values, height };
            self.close_anchor(&name, done);
        }
        self.items.push(Item { value, node, origin, string: frame.string });
        Ok(())
    }

    /// Sets an anchor, unless a node inside took its name over.
    fn close_anchor(&mut self, name: &str, done: Anchor<T>) {
        let frame = self.frames.len();
        if let Some(anchor) = self.anchors.get_mut(name)
            && matches!(anchor, Anchor::Open(open) if *open == frame)
        {
            *anchor = done;
        }
    }

    /// Updates the depth of the open collection for one of its items.
    fn grow(&mut self, height: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.height = frame.height.max(height);
        }
    }

    fn alias(&mut self, at: Position, name: &str) -> Result<(), ConversionError> {
        self.refuse_omap_entry()?;
        let (value, node) = match self.anchors.get(name) {
            None => return Err(ConversionError::unknown_alias(name)),
            Some(Anchor::Done { value, node, values, height }) => {
                let (values, height) = (*values, *height);
                let pair = (value.clone(), node.clone());
                self.count_aliased(values)?;
                if self.frames.len() + height > MAX_DEPTH {
                    return Err(too_deep());
                }
                self.grow(height);
                pair
            }
            Some(Anchor::Open(frame)) => self.merge_from_open(*frame, name, at)?,
        };
        self.items.push(Item { value, node, origin: ValueOrigin::Alias, string: false });
        Ok(())
    }

    /// Returns the entries so far of a hash that is still open, for a merge key.
    ///
    /// Any other alias to an open collection would make it contain itself.
    fn merge_from_open(&mut self, frame: usize, name: &str, at: Position) -> Result<(Value, T::Node), ConversionError> {
        let merges = match (self.frames.last(), self.items.last()) {
            (Some(Frame { kind: FrameKind::Mapping(Mapping::Hash), base, .. }), Some(key)) => {
                (self.items.len() - base) % 2 == 1 && key.merges()
            }
            _ => false,
        };
        let open = &self.frames[frame];
        if !merges || !matches!(open.kind, FrameKind::Mapping(Mapping::Hash)) {
            return Err(ConversionError::limit(format!("the alias *{name} is inside of the value that it refers to")));
        }
        let end = self.frames.get(frame + 1).map_or(self.items.len(), |inner| inner.base);
        let pairs = &self.items[open.base..end];
        let (count, height) = (pairs.len() as u64, open.height + 1);
        let result = hash_of(pairs.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())), pairs.len() / 2, at);
        self.grow(height);
        self.count_aliased(count)?;
        Ok(result)
    }

    fn count_aliased(&mut self, values: u64) -> Result<(), ConversionError> {
        self.values = self.values.saturating_add(values);
        self.aliased = self.aliased.saturating_add(values);
        if self.aliased > MAX_ALIASED {
            return Err(ConversionError::limit(format!("the aliases expand to more than {MAX_ALIASED} values")));
        }
        Ok(())
    }

    /// Returns whether the next node is a key.
    fn at_key(&self) -> bool {
        match self.frames.last() {
            Some(Frame { kind: FrameKind::Mapping(_), base, .. }) => (self.items.len() - base).is_multiple_of(2),
            _ => false,
        }
    }

    fn in_omap(&self) -> bool {
        matches!(self.frames.last(), Some(Frame { kind: FrameKind::Sequence(Sequence::Omap), .. }))
    }

    /// Elements of an `!!omap` must have nodes inside.
    fn refuse_omap_entry(&self) -> Result<(), ConversionError> {
        if self.in_omap() {
            return Err(ConversionError::ruby("undefined method `first' for nil:NilClass"));
        }
        Ok(())
    }

    fn array(&mut self, frame: &Frame) -> (Value, T::Node) {
        let items = &mut self.items[frame.base..];
        let node = T::array(frame.at, items.iter_mut().map(|item| std::mem::take(&mut item.node)));
        let elements: Arc<[Value]> = self.items.drain(frame.base..).map(|item| item.value).collect();
        (Value::Array(elements), node)
    }

    fn hash(&mut self, frame: &Frame) -> (Value, T::Node) {
        let pairs = (self.items.len() - frame.base) / 2;
        hash_of(Pairs(self.items.drain(frame.base..)), pairs, frame.at)
    }

    /// The first and the last node, as a key and a value for the sequence around.
    fn omap_entry(&mut self, frame: &Frame) -> Result<(), ConversionError> {
        let mut inside = self.items.drain(frame.base..);
        let Some(key) = inside.next() else {
            return Err(ConversionError::ruby("undefined method `visit_NilClass' for #<Psych::Visitors::ToRuby>"));
        };
        let value = inside.next_back().unwrap_or_else(|| key.clone());
        drop(inside);
        self.items.extend([key, value]);
        Ok(())
    }

    fn omap(&mut self, frame: &Frame) -> (Value, T::Node) {
        let mut hash = TrackedHash::<T>::with_capacity((self.items.len() - frame.base) / 2);
        for (key, value) in Pairs(self.items.drain(frame.base..)) {
            insert(&mut hash, key, value);
        }
        hash.finish(frame.at)
    }

    /// `!str {str: text}`: the rest becomes instance variables, which are invisible but can fail.
    fn string(&mut self, frame: &Frame) -> Result<(Value, T::Node), ConversionError> {
        let (mut string, mut variables) = (Value::Undef, Vec::new());
        for (key, value) in Pairs(self.items.drain(frame.base..)) {
            match key.value.as_str() {
                Some("str") => string = value.value,
                _ => variables.push(key.value),
            }
        }
        for name in variables {
            tag::check_instance_variable(&string, &name)?;
        }
        Ok((string, T::scalar(frame.at)))
    }

    /// `!ruby/hash-with-ivars {elements: {...}}`.
    fn elements(&mut self, frame: &Frame) -> Result<(Value, T::Node), ConversionError> {
        let mut hash = TrackedHash::<T>::with_capacity(0);
        for (key, value) in Pairs(self.items.drain(frame.base..)) {
            match (key.value.as_str(), &value.value) {
                (Some("elements"), Value::Hash(_)) if value.origin == ValueOrigin::Mapping => merge(&mut hash, &value),
                (Some("elements"), _) => return Err(ConversionError::unsupported("!ruby/hash-with-ivars")),
                _ => {}
            }
        }
        Ok(hash.finish(frame.at))
    }
}

fn too_deep() -> ConversionError {
    ConversionError::limit(format!("nested deeper than {MAX_DEPTH} levels"))
}

impl<T: PositionSink> Clone for Item<T> {
    fn clone(&self) -> Self {
        Item { value: self.value.clone(), node: self.node.clone(), ..*self }
    }
}

impl<T: PositionSink> Item<T> {
    /// Returns whether this is a merge key: <https://yaml.org/type/merge.html>, which Psych also takes in quotes.
    fn merges(&self) -> bool {
        !self.string && self.value.as_str() == Some("<<")
    }
}

/// Keys and values from a row of items.
struct Pairs<I>(I);

impl<T: PositionSink, I: Iterator<Item = Item<T>>> Iterator for Pairs<I> {
    type Item = (Item<T>, Item<T>);

    fn next(&mut self) -> Option<Self::Item> {
        Some((self.0.next()?, self.0.next()?))
    }
}

fn hash_of<T: PositionSink>(
    pairs: impl Iterator<Item = (Item<T>, Item<T>)>,
    count: usize,
    at: Position,
) -> (Value, T::Node) {
    let mut hash = TrackedHash::<T>::with_capacity(count);
    for (key, value) in pairs {
        if !key.merges() {
            insert(&mut hash, key, value);
            continue;
        }
        // Merged entries override the keys before the merge key and are overridden by the keys after it.
        match (value.origin, &value.value) {
            (ValueOrigin::Alias | ValueOrigin::Mapping, Value::Hash(_)) => merge(&mut hash, &value),
            (ValueOrigin::Sequence, Value::Array(elements)) if elements.iter().all(|one| one.as_hash().is_some()) => {
                merge_all(&mut hash, &value);
            }
            // An empty `!!omap` is a hash that comes from a sequence: nothing to merge.
            (ValueOrigin::Sequence, Value::Hash(empty)) if empty.is_empty() => {}
            _ => insert(&mut hash, key, value),
        }
    }
    hash.finish(at)
}

fn insert<T: PositionSink>(hash: &mut TrackedHash<T>, key: Item<T>, value: Item<T>) {
    let entry = EntryPositions { key: T::at(&key.node), value: value.node };
    hash.insert(key.value, value.value, entry);
}

fn merge<T: PositionSink>(hash: &mut TrackedHash<T>, item: &Item<T>) {
    if let Value::Hash(merged) = &item.value {
        for (index, (key, value)) in merged.iter().enumerate() {
            hash.insert(key.clone(), value.clone(), T::entry(&item.node, index));
        }
    }
}

/// Merges a sequence of hashes: the first has the last word, yet the order of keys begins with the last.
fn merge_all<T: PositionSink>(hash: &mut TrackedHash<T>, item: &Item<T>) {
    let Value::Array(elements) = &item.value else { return };
    let mut together = TrackedHash::<T>::with_capacity(0);
    for (index, element) in elements.iter().enumerate().rev() {
        let one = Item {
            value: element.clone(),
            node: T::element(&item.node, index),
            origin: ValueOrigin::Mapping,
            string: false,
        };
        merge(&mut together, &one);
    }
    let (value, node) = together.finish(T::at(&item.node));
    merge(hash, &Item { value, node, origin: ValueOrigin::Mapping, string: false });
}
