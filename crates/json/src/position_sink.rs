//! Records positions, or nothing. The parsers are generic over the sink.

use hieratic_value::{HashBuilder, Value};

use crate::{Position, Positions};

/// The positions that a parser records for values.
pub trait PositionSink {
    /// The record of one value.
    type Node: Clone + Default;

    /// Creates the record of a scalar.
    fn scalar(at: Position) -> Self::Node;
    /// Creates the record of an array.
    fn array(at: Position, elements: impl Iterator<Item = Self::Node>) -> Self::Node;
    /// Creates the record of a hash.
    fn hash(at: Position, entries: Vec<EntryPositions<Self>>) -> Self::Node;
    /// Returns the position of a value.
    fn at(node: &Self::Node) -> Position;
    /// Returns the position of a key of a hash and the record of its value.
    fn entry(node: &Self::Node, index: usize) -> EntryPositions<Self>;
    /// Returns the record of an element of an array.
    fn element(node: &Self::Node, index: usize) -> Self::Node;
}

/// The position of a key, and the record of its value.
pub struct EntryPositions<T: PositionSink + ?Sized> {
    /// The position of the key.
    pub key: Position,
    /// The record of the value.
    pub value: T::Node,
}

/// Records nothing, at no cost.
pub enum NoPositions {}

impl PositionSink for NoPositions {
    type Node = ();

    fn scalar(_: Position) {}
    fn array(_: Position, _: impl Iterator<Item = ()>) {}
    fn hash(_: Position, _: Vec<EntryPositions<Self>>) {}
    fn at(_: &()) -> Position {
        Position::START
    }
    fn entry(_: &(), _: usize) -> EntryPositions<Self> {
        EntryPositions { key: Position::START, value: () }
    }
    fn element(_: &(), _: usize) {}
}

/// Records the start of every value.
pub enum AllPositions {}

impl PositionSink for AllPositions {
    type Node = Positions;

    fn scalar(at: Position) -> Positions {
        Positions::scalar(at)
    }
    fn array(at: Position, elements: impl Iterator<Item = Positions>) -> Positions {
        Positions::array(at, elements)
    }
    fn hash(at: Position, entries: Vec<EntryPositions<Self>>) -> Positions {
        Positions::hash(at, entries.into_iter().map(|entry| (entry.key, entry.value)))
    }
    fn at(node: &Positions) -> Position {
        node.at()
    }
    fn entry(node: &Positions, index: usize) -> EntryPositions<Self> {
        match node.entry(index) {
            Some((key, value)) => EntryPositions { key, value: value.clone() },
            None => EntryPositions { key: node.at(), value: Positions::default() },
        }
    }
    fn element(node: &Positions, index: usize) -> Positions {
        node.element(index).cloned().unwrap_or_default()
    }
}

/// A hash under construction, with the records of its entries.
///
/// A duplicate key keeps the position of the first occurrence in the order of keys, and has the value of the last one,
/// as in Ruby.
pub struct TrackedHash<T: PositionSink> {
    map: HashBuilder,
    entries: Vec<EntryPositions<T>>,
}

impl<T: PositionSink> TrackedHash<T> {
    /// Creates an empty hash with space for entries.
    pub fn with_capacity(capacity: usize) -> Self {
        let kept = if size_of::<T::Node>() == 0 { 0 } else { capacity };
        TrackedHash {
            map: HashBuilder::with_capacity_and_hasher(capacity, Default::default()),
            entries: Vec::with_capacity(kept),
        }
    }

    /// Adds an entry.
    pub fn insert(&mut self, key: Value, value: Value, entry: EntryPositions<T>) {
        let (index, _) = self.map.insert_full(key, value);
        if size_of::<T::Node>() == 0 {
            return;
        }
        match self.entries.get_mut(index) {
            Some(old) => *old = entry,
            None => self.entries.push(entry),
        }
    }

    /// Returns the hash and its record.
    pub fn finish(self, at: Position) -> (Value, T::Node) {
        (Value::Hash(self.map.into()), T::hash(at, self.entries))
    }
}
