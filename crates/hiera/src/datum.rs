//! [`Datum`]: the operations of a lookup on a value, plain or traced.
//!
//! The lookup is written once over this trait. On [`Value`] it is the fast path, which tracks and copies nothing; on
//! [`Object`] it keeps identities, origins and secrecy.

use hieratic_json::Positions;
use hieratic_value::{Hash, Str, Value};

use crate::Error;
use crate::error::Place;
use crate::key::Segment;
use crate::merge::{Strategy, objects, oblivious, plain};
use crate::object::{Content, Mark, Object, Origin};
use crate::source::{Data, SourceName};
use crate::template::has_expression;

/// The position of a value in the data.
#[derive(Clone, Copy, Default)]
pub(crate) struct ValueContext<'a> {
    pub(crate) data: Option<&'a Data>,
    pub(crate) positions: Option<&'a Positions>,
    pub(crate) secret: bool,
}

impl<'a> ValueContext<'a> {
    pub(crate) fn element(self, index: usize) -> ValueContext<'a> {
        ValueContext { positions: self.positions.and_then(|positions| positions.element(index)), ..self }
    }

    pub(crate) fn entry(self, index: usize) -> ValueContext<'a> {
        ValueContext { positions: self.positions.and_then(|positions| Some(positions.entry(index)?.1)), ..self }
    }

    /// The place for a message.
    pub(crate) fn place(self) -> Option<Place> {
        let data = self.data?;
        let SourceName::File(file) = data.name() else { return None };
        Some(match self.positions {
            Some(positions) => match (positions.other_file(), data.source()) {
                (Some(other), _) => Place::new(other.path.clone(), Some(positions.at())).within(&other.source),
                (None, Some(source)) => Place::new(file.clone(), Some(positions.at())).within(source),
                (None, None) => Place::new(file.clone(), Some(positions.at())),
            },
            None => Place::new(file.clone(), None),
        })
    }

    fn mark(self) -> Mark {
        let origin = self.data.map(|data| match (data.name(), self.positions) {
            (SourceName::File(file), Some(positions)) => {
                let at = positions.at();
                let file = positions.other_file().map_or(file, |other| &other.path).clone();
                Origin::File { file, line: at.line, column: at.column }
            }
            (name, _) => Origin::Named(name.to_string().into()),
        });
        Mark { origin, secret: self.secret, ..Mark::default() }
    }
}

/// The result of one step into a value.
pub(crate) enum Step<V> {
    Found(V),
    Missing,
    /// The value has no keys; this is its class.
    NoKeys(&'static str),
    /// The reference fails on the value with this message.
    Error(String),
}

/// A value without its identity, for other lookups of a node.
#[derive(Clone, Debug)]
pub(crate) struct KeptDatum {
    value: Value,
    mark: Mark,
}

/// A value as a lookup handles it.
pub(crate) trait Datum: Clone {
    fn from_value(value: &Value, at: ValueContext<'_>) -> Self;
    /// Converts a value that has no other user, without copying it.
    fn from_owned(value: Value, at: ValueContext<'_>) -> Self;
    /// A value that does not come from a file, but from a source with this name.
    fn from_named(value: &Value, name: &str) -> Self;
    fn array(elements: Vec<Self>, at: ValueContext<'_>) -> Self;
    fn hash(pairs: Vec<(Value, Self)>, at: ValueContext<'_>) -> Self;

    /// Marks the hash as having a secret key.
    fn with_secret_key(self) -> Self;

    fn to_value(&self) -> Value;
    fn to_object(&self) -> Object;
    fn from_object(object: Object) -> Self;
    /// The value without its identity; `None` if the identity matters.
    fn kept(&self) -> Option<KeptDatum>;
    fn from_kept(kept: &KeptDatum) -> Self;
    /// Appends the value as a string, and returns whether it is secret.
    fn append_to(&self, out: &mut String) -> bool;
    fn is_undef(&self) -> bool;
    fn is_secret(&self) -> bool;
    fn has_expression(&self) -> bool;
    fn step(&self, segment: &Segment) -> Step<Self>;
    /// A converted value in place of this one.
    fn converted(&self, value: Value) -> Self;

    /// Returns whether the value or a part of it is secret, as far as the type of value tracks it.
    fn has_hidden(&self) -> bool;
    /// Returns whether the value is secret as a whole.
    fn is_hidden(&self) -> bool;
    /// Marks the value as secret as a whole.
    fn marked_secret(self) -> Self;
    /// The number of values in it, itself included.
    fn size(&self) -> u64;

    fn single(strategy: &Strategy, value: Self) -> Self;
    fn first(strategy: &Strategy, value: Self) -> Self;
    fn merge(strategy: &Strategy, higher: Self, lower: Self) -> Result<Self, Error>;
    /// Applies a strategy to a single value so that the result does not depend on secrets, as
    /// [`merge_oblivious`](Self::merge_oblivious) does for two.
    fn single_oblivious(strategy: &Strategy, value: Self) -> Self;
    fn merge_oblivious(strategy: &Strategy, higher: Self, lower: Self) -> Result<Self, Error>;
}

impl Datum for Value {
    fn from_value(value: &Value, _: ValueContext<'_>) -> Value {
        value.clone()
    }

    fn from_owned(value: Value, _: ValueContext<'_>) -> Value {
        value
    }

    fn from_named(value: &Value, _: &str) -> Value {
        value.clone()
    }

    fn array(elements: Vec<Value>, _: ValueContext<'_>) -> Value {
        elements.into()
    }

    fn hash(pairs: Vec<(Value, Value)>, _: ValueContext<'_>) -> Value {
        pairs.into_iter().collect::<Hash>().into()
    }

    fn with_secret_key(self) -> Value {
        self
    }

    fn to_value(&self) -> Value {
        self.clone()
    }

    fn to_object(&self) -> Object {
        Object::marked(self, &Mark::default())
    }

    fn from_object(object: Object) -> Value {
        object.to_value()
    }

    fn append_to(&self, out: &mut String) -> bool {
        match self {
            Value::String(text) => out.push_str(text),
            other => out.push_str(&other.to_text()),
        }
        false
    }

    fn is_undef(&self) -> bool {
        Value::is_undef(self)
    }

    fn is_secret(&self) -> bool {
        false
    }

    fn has_expression(&self) -> bool {
        has_expression(self)
    }

    fn step(&self, segment: &Segment) -> Step<Value> {
        match (self, segment) {
            (Value::Undef, _) => Step::Missing,
            (Value::Array(elements), Segment::Index(index)) => usize::try_from(*index)
                .ok()
                .and_then(|index| elements.get(index))
                .map_or(Step::Missing, |found| Step::Found(found.clone())),
            (Value::Hash(hash), Segment::Name(name)) => {
                hash.get(name).map_or(Step::Missing, |found| Step::Found(found.clone()))
            }
            (Value::Hash(hash), Segment::Index(_)) => {
                hash.get_value(&segment.to_value()).map_or(Step::Missing, |found| Step::Found(found.clone()))
            }
            // An integer has keys for Ruby, its bits, but cannot tell which.
            (Value::Integer(number), _) => Step::Error(format!("undefined method `include?' for {number}:Integer")),
            (other, _) => Step::NoKeys(other.ruby_class()),
        }
    }

    fn converted(&self, value: Value) -> Value {
        value
    }

    fn kept(&self) -> Option<KeptDatum> {
        Some(KeptDatum { value: self.clone(), mark: Mark::default() })
    }

    fn from_kept(kept: &KeptDatum) -> Value {
        kept.value.clone()
    }

    fn has_hidden(&self) -> bool {
        self.contains_sensitive()
    }

    fn is_hidden(&self) -> bool {
        matches!(self, Value::Rich(_)) && self.contains_sensitive()
    }

    fn marked_secret(self) -> Value {
        self
    }

    fn size(&self) -> u64 {
        match self {
            Value::Array(elements) => 1 + elements.iter().map(Datum::size).sum::<u64>(),
            Value::Hash(hash) => 1 + hash.iter().map(|(_, value)| value.size()).sum::<u64>(),
            _ => 1,
        }
    }

    fn single(strategy: &Strategy, value: Value) -> Value {
        plain::single(strategy, value)
    }

    fn first(strategy: &Strategy, value: Value) -> Value {
        plain::first(strategy, value)
    }

    fn merge(strategy: &Strategy, higher: Value, lower: Value) -> Result<Value, Error> {
        plain::merge(strategy, higher, lower)
    }

    fn single_oblivious(_: &Strategy, value: Value) -> Value {
        value
    }

    fn merge_oblivious(strategy: &Strategy, higher: Value, lower: Value) -> Result<Value, Error> {
        plain::merge(strategy, higher, lower)
    }
}

impl Datum for Object {
    fn from_value(value: &Value, at: ValueContext<'_>) -> Object {
        let content = match value {
            Value::Array(elements) => Content::Array(
                elements
                    .iter()
                    .enumerate()
                    .map(|(index, element)| Object::from_value(element, at.element(index)))
                    .collect(),
            ),
            Value::Hash(hash) => Content::Hash(
                hash.iter()
                    .enumerate()
                    .map(|(index, (key, value))| (key.clone(), Object::from_value(value, at.entry(index))))
                    .collect(),
            ),
            scalar => Content::Scalar(scalar.clone()),
        };
        Object::new(content, at.mark())
    }

    fn from_owned(value: Value, at: ValueContext<'_>) -> Object {
        Object::from_value(&value, at)
    }

    fn from_named(value: &Value, name: &str) -> Object {
        Object::marked(value, &Mark { origin: Some(Origin::Named(Str::from(name))), ..Mark::default() })
    }

    fn array(elements: Vec<Object>, at: ValueContext<'_>) -> Object {
        Object::new(Content::Array(elements), at.mark())
    }

    fn hash(pairs: Vec<(Value, Object)>, at: ValueContext<'_>) -> Object {
        Object::new(Content::Hash(pairs.into_iter().collect()), at.mark())
    }

    fn with_secret_key(self) -> Object {
        Object::with_secret_key(&self)
    }

    fn to_value(&self) -> Value {
        Object::to_value(self)
    }

    fn to_object(&self) -> Object {
        self.clone()
    }

    fn from_object(object: Object) -> Object {
        object
    }

    fn append_to(&self, out: &mut String) -> bool {
        match self.as_text() {
            Some(text) => out.push_str(&text),
            None => out.push_str(&self.to_value().to_text()),
        }
        // The string form of a Sensitive value shows that it is one, so the string is as secret as a decrypted value.
        self.has_hidden()
    }

    fn is_undef(&self) -> bool {
        Object::is_undef(self)
    }

    fn is_secret(&self) -> bool {
        self.has_decrypted()
    }

    fn has_expression(&self) -> bool {
        match &*self.content() {
            Content::Scalar(value) => has_expression(value),
            Content::Verbatim(_) => false,
            Content::Array(elements) => elements.iter().any(Datum::has_expression),
            Content::Hash(map) => map.iter().any(|(key, value)| has_expression(key) || value.has_expression()),
        }
    }

    fn step(&self, segment: &Segment) -> Step<Object> {
        match (&*self.content(), segment) {
            (Content::Scalar(value), _) => match value.step(segment) {
                Step::Found(_) | Step::Missing => Step::Missing,
                Step::NoKeys(class) => Step::NoKeys(class),
                Step::Error(message) => Step::Error(message),
            },
            (Content::Verbatim(_), _) => Step::NoKeys("String"),
            (Content::Array(elements), Segment::Index(index)) => usize::try_from(*index)
                .ok()
                .and_then(|index| elements.get(index))
                .map_or(Step::Missing, |found| Step::Found(found.clone())),
            (Content::Array(_), Segment::Name(_)) => Step::NoKeys("Array"),
            (Content::Hash(map), _) => {
                map.get(&segment.to_value()).map_or(Step::Missing, |found| Step::Found(found.clone()))
            }
        }
    }

    fn converted(&self, value: Value) -> Object {
        let origin = self.first_origin().or_else(|| self.origin().cloned());
        let mark = Mark { origin, secret: self.has_decrypted(), ..Mark::default() };
        Object::marked(&value, &mark)
    }

    fn kept(&self) -> Option<KeptDatum> {
        // Merges change arrays and hashes in place.
        match &*self.content() {
            Content::Scalar(value) => Some(KeptDatum { value: value.clone(), mark: self.mark().clone() }),
            Content::Verbatim(_) | Content::Array(_) | Content::Hash(_) => None,
        }
    }

    fn from_kept(kept: &KeptDatum) -> Object {
        Object::scalar(kept.value.clone(), kept.mark.clone())
    }

    fn has_hidden(&self) -> bool {
        Object::has_hidden(self)
    }

    fn is_hidden(&self) -> bool {
        Object::is_hidden(self)
    }

    fn marked_secret(self) -> Object {
        Object::as_secret(&self)
    }

    fn size(&self) -> u64 {
        match &*self.content() {
            Content::Array(elements) => 1 + elements.iter().map(Datum::size).sum::<u64>(),
            Content::Hash(map) => 1 + map.values().map(Datum::size).sum::<u64>(),
            Content::Scalar(_) | Content::Verbatim(_) => 1,
        }
    }

    fn single(strategy: &Strategy, value: Object) -> Object {
        objects::single(strategy, value)
    }

    fn first(strategy: &Strategy, value: Object) -> Object {
        objects::first(strategy, value)
    }

    fn merge(strategy: &Strategy, higher: Object, lower: Object) -> Result<Object, Error> {
        objects::merge(strategy, &higher, &lower)
    }

    fn single_oblivious(strategy: &Strategy, value: Object) -> Object {
        oblivious::alone(strategy, value)
    }

    fn merge_oblivious(strategy: &Strategy, higher: Object, lower: Object) -> Result<Object, Error> {
        oblivious::merge(strategy, &higher, &lower)
    }
}

impl Object {
    /// The origin of the value itself, or of the first leaf in it.
    fn first_origin(&self) -> Option<Origin> {
        self.origin().cloned().or_else(|| match &*self.content() {
            Content::Array(elements) => elements.iter().find_map(Object::first_origin),
            Content::Hash(map) => map.values().find_map(Object::first_origin),
            _ => None,
        })
    }
}
