//! [`Positions`]: the positions of the parts of a document.

use std::path::Path;
use std::sync::Arc;

use hieratic_source::{Position, Source};

/// The positions of a value and its parts: a tree parallel to the value. Cloning is cheap.
///
/// The value of an alias or a merge key of YAML has the position of its definition.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    at: Position,
    inside: InnerPositions,
    /// The file, where it is not the one that the whole is from.
    other: Option<Arc<OtherFile>>,
}

/// The included file of a part of a document.
#[derive(Debug)]
pub struct OtherFile {
    /// The file.
    pub path: Arc<Path>,
    /// The content of the file.
    pub source: Source,
}

#[derive(Clone, Debug, Default)]
enum InnerPositions {
    #[default]
    Nothing,
    Elements(Arc<[Positions]>),
    Entries(Arc<[(Position, Positions)]>),
}

impl Positions {
    /// Creates the position of a scalar.
    pub fn scalar(at: Position) -> Self {
        Positions { at, inside: InnerPositions::Nothing, other: None }
    }

    /// Creates the positions of an array and its elements.
    pub fn array(at: Position, elements: impl IntoIterator<Item = Positions>) -> Self {
        Positions { at, inside: InnerPositions::Elements(elements.into_iter().collect()), other: None }
    }

    /// Creates the positions of a hash, its keys and their values, in the order of the keys.
    pub fn hash(at: Position, entries: impl IntoIterator<Item = (Position, Positions)>) -> Self {
        Positions { at, inside: InnerPositions::Entries(entries.into_iter().collect()), other: None }
    }

    /// Sets the file of the value, if it differs from the file of the containing value.
    pub fn in_file(self, file: OtherFile) -> Self {
        Positions { other: Some(Arc::new(file)), ..self }
    }

    /// Returns the file of the value, if it differs from the file of the containing value.
    pub fn other_file(&self) -> Option<&OtherFile> {
        self.other.as_deref()
    }

    /// Returns the position of the value itself.
    pub fn at(&self) -> Position {
        self.at
    }

    /// Returns the positions of an element of an array, by its index.
    pub fn element(&self, index: usize) -> Option<&Positions> {
        match &self.inside {
            InnerPositions::Elements(elements) => elements.get(index),
            _ => None,
        }
    }

    /// Returns the position of a key of a hash and the positions of its value, by the index of the key
    /// ([`Hash::index_of`](hieratic_value::Hash::index_of)).
    pub fn entry(&self, index: usize) -> Option<(Position, &Positions)> {
        match &self.inside {
            InnerPositions::Entries(entries) => entries.get(index).map(|(key, value)| (*key, value)),
            _ => None,
        }
    }

    /// Returns the number of elements or entries. 0 for a scalar.
    pub fn len(&self) -> usize {
        match &self.inside {
            InnerPositions::Nothing => 0,
            InnerPositions::Elements(elements) => elements.len(),
            InnerPositions::Entries(entries) => entries.len(),
        }
    }

    /// Returns whether there are no elements or entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
