//! [`Positions`]: where the parts of a document stand.

use std::path::Path;
use std::sync::Arc;

use hieratic_source::{Position, Source};

/// Where a value and everything in it begins: a tree parallel to the value, cheap to clone.
///
/// What an alias or a merge key of YAML brings in points to where it really stands.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    at: Position,
    inside: Inside,
    /// The file, where it is not the one that the whole is from.
    other: Option<Arc<OtherFile>>,
}

/// A file that a part of a document is from: one that the document includes.
#[derive(Debug)]
pub struct OtherFile {
    /// The file.
    pub path: Arc<Path>,
    /// What it holds.
    pub source: Source,
}

#[derive(Clone, Debug, Default)]
enum Inside {
    #[default]
    Nothing,
    Elements(Arc<[Positions]>),
    Entries(Arc<[(Position, Positions)]>),
}

impl Positions {
    /// Where a scalar begins.
    pub fn scalar(at: Position) -> Self {
        Positions { at, inside: Inside::Nothing, other: None }
    }

    /// Where an array and its elements begin.
    pub fn array(at: Position, elements: impl IntoIterator<Item = Positions>) -> Self {
        Positions { at, inside: Inside::Elements(elements.into_iter().collect()), other: None }
    }

    /// Where a hash, its keys and their values begin, in the order of the hash's keys.
    pub fn hash(at: Position, entries: impl IntoIterator<Item = (Position, Positions)>) -> Self {
        Positions { at, inside: Inside::Entries(entries.into_iter().collect()), other: None }
    }

    /// The same, standing in another file than the whole.
    pub fn in_file(self, file: OtherFile) -> Self {
        Positions { other: Some(Arc::new(file)), ..self }
    }

    /// The file that the value stands in, where it is not the one that the whole is from.
    pub fn other_file(&self) -> Option<&OtherFile> {
        self.other.as_deref()
    }

    /// Where the value itself begins.
    pub fn at(&self) -> Position {
        self.at
    }

    /// The element of an array, by its index.
    pub fn element(&self, index: usize) -> Option<&Positions> {
        match &self.inside {
            Inside::Elements(elements) => elements.get(index),
            _ => None,
        }
    }

    /// The key and the value of a hash, by the index of the key in the order of keys
    /// ([`Hash::index_of`](hieratic_value::Hash::index_of)).
    pub fn entry(&self, index: usize) -> Option<(Position, &Positions)> {
        match &self.inside {
            Inside::Entries(entries) => entries.get(index).map(|(key, value)| (*key, value)),
            _ => None,
        }
    }

    /// How many elements or entries there are; none for a scalar.
    pub fn len(&self) -> usize {
        match &self.inside {
            Inside::Nothing => 0,
            Inside::Elements(elements) => elements.len(),
            Inside::Entries(entries) => entries.len(),
        }
    }

    /// Whether nothing is inside.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
