//! Going through a tree in the order in which it is written, without recursion.

use crate::Tree;

/// A collection that is being gone through.
pub(super) enum Open<T: Tree> {
    /// What is left of an array.
    Array(T::Elements),
    /// What is left of a hash, and the value of the key that came last.
    Hash(T::Pairs, Option<T>),
    /// The content of a Sensitive value, unless it came already.
    Sensitive(Option<T>),
}

impl<T: Tree> Open<T> {
    /// The next node inside: of a hash the key, then its value.
    pub(super) fn next(&mut self) -> Option<T> {
        match self {
            Open::Array(elements) => elements.next(),
            Open::Sensitive(inner) => inner.take(),
            Open::Hash(pairs, value) => value.take().or_else(|| {
                let (key, next) = pairs.next()?;
                *value = Some(next);
                Some(key)
            }),
        }
    }
}
